#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H
/** Meshes of the probe benchmark: the unit cube in boxes, whose inner corners are moved by up to a tenth of a box. */
#include <spatialqueries/spatialqueries.h>

typedef struct bench_cells
{
  sq_cells view; /* double points, int64 ids */
  double* points;
  int64_t* ids;
  int64_t* offsets;
  uint8_t* types;
  int64_t* face_offsets;
  int32_t* faces;
  double margin; /* the mesh holds the unit cube without this much on every side */
} bench_cells;

/** The kinds of meshes, NULL after the last one; the first one is of tetrahedra. */
extern const char* const bench_cells_kinds[];

/** A mesh of about `count` cells of that kind; polyhedra that are the dual of tetrahedra: of as many tetrahedra. */
bench_cells bench_cells_make(int kind, int64_t count);

void bench_cells_free(bench_cells* mesh);

#endif
