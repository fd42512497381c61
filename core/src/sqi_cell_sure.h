#ifndef SQI_CELL_SURE_H
#define SQI_CELL_SURE_H
/** Cells that are their bound (sqi_cell_bound.h): points well within are in, without a look by the kernels. */
#include "sqi_cell_bound.h"

/** Cells flatter than this, for their size, are left to the kernels. */
#define SQI_CELL_FLAT 1e-9
/** A hexahedron whose nodes are no farther than this from those of a parallelepiped of unit size counts as one. */
#define SQI_CELL_SKEWNESS 1e-4

/** 1 where edges 0-a, 0-b, 0-c span a volume that no kernel takes for none. */
static inline int sqi_cell_is_solid(const double* q, int a, int b, int c)
{
  const int corner[3] = { a, b, c };
  double e[3][3], size = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(q + 3 * corner[k], q, e[k]);
    size = fmax(size, sqk_cell_max_abs(e[k], 3));
  }
  return fabs(sqk_det3(e[0], e[1], e[2])) > SQI_CELL_FLAT * size * size * size;
}

/** How far the nodes of a hexahedron or voxel are from the corners of its bound, as the u_k tell. */
static inline double sqi_cell_skewness(const sqk_cell* view, const sqi_cell_bound* b)
{
  double most = 0.0;
  for (int i = 0; i < 8; ++i)
  {
    int quad = view->type == SQ_CELL_VOXEL ? i & 3 : (i & 3) ^ ((i & 3) >> 1);
    const int want[3] = { quad & 1, quad >> 1, i >> 2 };
    double x[3];
    sqk_sub3(view->q + 3 * i, b->origin, x);
    for (int k = 0; k < 3; ++k)
    {
      most = fmax(most, fabs(sqk_dot3(b->row[k], x) - want[k]));
    }
  }
  return most;
}

/** Whether a point well within the bound is in the cell; how far the bound and the cell are apart. */
static inline int sqi_cell_is_bound(const sqk_cell* view, const sqi_cell_bound* b, double* apart)
{
  *apart = 0.0;
  if (view->type == SQ_CELL_TETRA)
  {
    return b->kind == SQI_BOUND_TETRA && sqi_cell_is_solid(view->q, 1, 2, 3);
  }
  if ((view->type != SQ_CELL_HEXAHEDRON && view->type != SQ_CELL_VOXEL) ||
    b->kind != SQI_BOUND_SKEW)
  {
    return 0;
  }
  *apart = sqi_cell_skewness(view, b);
  return *apart <= SQI_CELL_SKEWNESS &&
    sqi_cell_is_solid(view->q, 1, view->type == SQ_CELL_VOXEL ? 2 : 3, 4);
}

#endif
