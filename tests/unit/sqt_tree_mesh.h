#ifndef SQT_TREE_MESH_H
#define SQT_TREE_MESH_H
/** The meshes of the golden values of the BVH, and random ones. */
#include "sqt_tree.h"

typedef struct sqt_simplices
{
  sq_cells cells; /* one type, int64 ids */
  float* points;
  int64_t* ids;
} sqt_simplices;

/** Points (i, j), i = 0 ... nx, j = 0 ... ny, id i * (ny + 1) + j; two triangles a square. */
sqt_simplices sqt_grid(int nx, int ny);

/** Points (i, j, k) of n + 1 along each axis; six tetrahedra a cube, one for each order of the axes. */
sqt_simplices sqt_kuhn(int n);

/** `count` simplices with m + 1 corners each, in the unit box, of a tenth of its size. */
sqt_simplices sqt_random_simplices(
  uint64_t seed, int64_t count, int32_t dimension, int32_t corners);

void sqt_simplices_free(sqt_simplices* s);

sq_bvh* sqt_bvh(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_bvh_options* options, sq_bvh_view* view);

/** The queries of the golden values: 200 around the mesh, and its points; release with free(data). */
sq_points sqt_golden_queries(int32_t dimension, const float* size);

#endif
