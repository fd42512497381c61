#ifndef SQI_CURVED_BOUNDS_H
#define SQI_CURVED_BOUNDS_H
/** Boxes of curved cells. */
#include "sqk_cell_hull.h"

/**
 * Widens [lo, hi], the box of the nodes `points` (3 coordinates each) of a curved cell, until it holds the cell. `largest` is the
 * largest magnitude among the coordinates.
 */
static inline void sqi_curved_bounds(
  int type, const double* points, double largest, double lo[3], double hi[3])
{
  double hull[3 * SQK_CELL_HULL], nodes[3 * SQK_SHAPE_NODES];
  /* Near the end of the range control points are those of a smaller cell, so that they stay finite. */
  double scale = largest > 0x1p1000 ? 0x1p-10 : 1.0;
  for (int i = 0; i < 3 * sqk_shape_nodes(type); ++i)
  {
    nodes[i] = points[i] * scale;
  }
  int count = sqk_cell_hull(type, nodes, hull);
  /* Control points are rounded sums of nodes. */
  double slack = 32.0 * SQK_CELL_EPSILON * (largest * scale);
  for (int d = 0; d < 3; ++d)
  {
    double low = hull[d], high = hull[d];
    for (int i = 1; i < count; ++i)
    {
      double x = hull[3 * i + d];
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    lo[d] = fmin(lo[d], (low - slack) / scale);
    hi[d] = fmax(hi[d], (high + slack) / scale);
  }
}

#endif
