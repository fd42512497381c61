#ifndef ORC_ZOO_H
#define ORC_ZOO_H
/** Meshes of all linear cell types together, for point location. */
#include "orc_cell.h"
#include "orc_random.h"

typedef struct orc_zoo
{
  double* points;
  int64_t point_count;
  int64_t count;
  uint8_t* types;
  int64_t* offsets; /* count + 1 */
  int64_t* ids;
} orc_zoo;

typedef enum orc_zoo_kind
{
  ORC_ZOO_BOXES, /* along the axes, voxels among the cells */
  ORC_ZOO_SHEARED, /* one linear map of it: all faces flat, no voxels */
  ORC_ZOO_WARPED, /* every point moved by itself: faces are curved, neighbours of unlike type gape or overlap a little */
  ORC_ZOO_FLAT, /* triangles and quads in one tilted plane */
  ORC_ZOO_KINDS
} orc_zoo_kind;

/** n^3 blocks, each cut into one type of cells. */
orc_zoo orc_make_zoo(orc_zoo_kind kind, int n, uint64_t seed);
void orc_zoo_free(orc_zoo* zoo);

orc_cell orc_zoo_cell(const orc_zoo* zoo, int64_t c);

/** A random convex combination of corners of cell c: of all of them, or of one face, edge or corner. */
void orc_zoo_point(const orc_zoo* zoo, int64_t c, int corners, orc_random* r, double x[3]);

#endif
