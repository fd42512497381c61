#ifndef SQT_BAG_H
#define SQT_BAG_H
/** A mesh of every cell type at once: bent, flat, doubled and overlapping cells, hidden and duplicate ones. */
#include "spatialqueries/sq_types.h"

#define SQT_BAG_CELLS 160
#define SQT_BAG_POINTS (SQT_BAG_CELLS * 27)

typedef struct sqt_bag
{
  sq_cells cells; /* borrows what follows, so a bag stays where it was made */
  int64_t count;
  int64_t point_count;
  int64_t size; /* of ids */
  int64_t face_size;
  double points[3 * SQT_BAG_POINTS];
  uint8_t types[SQT_BAG_CELLS];
  int64_t offsets[SQT_BAG_CELLS + 1];
  int64_t ids[SQT_BAG_POINTS];
  int64_t face_offsets[SQT_BAG_CELLS + 1];
  int32_t faces[40 * SQT_BAG_CELLS];
  uint8_t ghost[SQT_BAG_CELLS];
  int64_t global_ids[SQT_BAG_CELLS];
} sqt_bag;

/** Cells in the unit cube, moved off their places by random numbers from `seed`; with global ids if `global`. */
void sqt_make_bag(sqt_bag* bag, uint64_t seed, int global);

#endif
