#ifndef SQK_CELL_HULL_H
#define SQK_CELL_HULL_H
/**
 * Points whose convex hull holds a curved cell: the control points of its map as a Bezier one (Farin, Curves and Surfaces for
 * CAGD). Quadratic maps are known by their values at the ends and the middle of each direction.
 */
#include "sqk_shape_domain.h"

/** Most points of a hull. */
#define SQK_CELL_HULL 27

/** The value at the middle of a quadratic curve becomes its control point. */
SQK_INLINE void sqk_hull_middle(double* x, int from, int middle, int to)
{
  for (int d = 0; d < 3; ++d)
  {
    x[3 * middle + d] = 2.0 * x[3 * middle + d] - 0.5 * (x[3 * from + d] + x[3 * to + d]);
  }
}

SQK_INLINE void sqk_hull_point(int type, const double* q, const double r[3], double x[3])
{
  double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
  sqk_shape_evaluate(type, r, w, dw);
  sqk_cell_combine(q, w, sqk_shape_nodes(type), x);
}

/** Over a box: value (i, j, k) at i + 3 j + 9 k. */
SQK_INLINE int sqk_hull_box(int type, const double* q, double* x)
{
  int dimension = sqk_shape_dimension(type);
  int count = dimension == 3 ? 27 : 9;
  for (int i = 0; i < count; ++i)
  {
    double r[3] = { 0.5 * (i % 3), 0.5 * (i / 3 % 3), 0.5 * (i / 9) };
    sqk_hull_point(type, q, r, x + 3 * i);
  }
  for (int i = 1; i < count; i += 3)
  {
    sqk_hull_middle(x, i - 1, i, i + 1);
  }
  for (int i = 0; i < count; ++i)
  {
    if (i / 3 % 3 == 1)
    {
      sqk_hull_middle(x, i - 3, i, i + 3);
    }
  }
  for (int i = 9; i < 18 && dimension == 3; ++i)
  {
    sqk_hull_middle(x, i - 9, i, i + 9);
  }
  return count;
}

/** Over a triangle at `heights` (1 or 3) values of the third parameter: six points at each. */
SQK_INLINE int sqk_hull_wedge(int type, const double* q, int heights, double* x)
{
  const double at[6][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0.5, 0 }, { 0.5, 0.5 }, { 0, 0.5 } };
  for (int i = 0; i < 6 * heights; ++i)
  {
    double r[3] = { at[i % 6][0], at[i % 6][1], heights == 1 ? 0.0 : 0.5 * (i / 6) };
    sqk_hull_point(type, q, r, x + 3 * i);
  }
  for (int i = 6; i < 12 && heights == 3; ++i)
  {
    sqk_hull_middle(x, i - 6, i, i + 6);
  }
  for (int h = 0; h < heights; ++h)
  {
    for (int i = 0; i < 3; ++i)
    {
      sqk_hull_middle(x, 6 * h + i, 6 * h + 3 + i, 6 * h + (i + 1) % 3);
    }
  }
  return 6 * heights;
}

/** The triangle with a node in its middle: the bubble adds up to its height over the quadratic triangle. */
SQK_INLINE int sqk_hull_bubble(const double* q, double* x)
{
  int count = sqk_hull_wedge(SQ_CELL_QUADRATIC_TRIANGLE, q, 1, x);
  const double middle[3] = { 1.0 / 3.0, 1.0 / 3.0, 0.0 };
  double top[3];
  sqk_hull_point(SQ_CELL_QUADRATIC_TRIANGLE, q, middle, top);
  for (int i = 0; i < 3 * count; ++i)
  {
    x[3 * count + i] = x[i] + q[18 + i % 3] - top[i % 3];
  }
  return 2 * count;
}

SQK_INLINE int sqk_hull_simplex(int type, const double* q, double* x)
{
  int count = sqk_shape_nodes(type);
  const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  for (int i = 0; i < 3 * count; ++i)
  {
    x[i] = q[i];
  }
  if (type == SQ_CELL_CUBIC_LINE)
  {
    for (int d = 0; d < 3; ++d)
    {
      x[6 + d] = (-5.0 * q[d] + 18.0 * q[6 + d] - 9.0 * q[9 + d] + 2.0 * q[3 + d]) / 6.0;
      x[9 + d] = (2.0 * q[d] - 9.0 * q[6 + d] + 18.0 * q[9 + d] - 5.0 * q[3 + d]) / 6.0;
    }
    return count;
  }
  int corners = sqk_shape_dimension(type) + 1;
  for (int e = 0; corners + e < count; ++e)
  {
    sqk_hull_middle(x, edge[e][0], corners + e, edge[e][1]);
  }
  return count;
}

/** Fills x (3 * SQK_CELL_HULL numbers) with the hull of a curved cell with nodes q; the number of points. */
SQK_INLINE int sqk_cell_hull(int type, const double* q, double* x)
{
  if (type == SQ_CELL_BIQUADRATIC_TRIANGLE)
  {
    return sqk_hull_bubble(q, x);
  }
  switch (sqk_shape_domain(type))
  {
    case SQK_DOMAIN_SIMPLEX:
      return sqk_hull_simplex(type, q, x);
    case SQK_DOMAIN_WEDGE:
      return sqk_hull_wedge(type, q, 3, x);
    default:
      return sqk_hull_box(type, q, x);
  }
}

#endif
