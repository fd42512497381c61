#ifndef SQK_CELL_HULL_H
#define SQK_CELL_HULL_H
/**
 * Points whose convex hull holds a curved cell: the control points of its map as a Bezier one (Farin, Curves and Surfaces for
 * CAGD). Quadratic maps are known by their values at the ends and the middle of each direction.
 */
#include "sqk_shape_domain.h"
#include "sqk_shape_point.h"

/** Most points of a hull. */
#define SQK_CELL_HULL 72

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
  double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES], jacobian[3][3];
  if (!sqk_shape_point(type, q, r, x, jacobian))
  {
    sqk_shape_evaluate(type, r, w, dw);
    sqk_cell_combine(q, w, sqk_shape_nodes(type), x);
  }
}

/** The value at r, where node `node` lies if the cell has so many. */
SQK_INLINE void sqk_hull_node(int type, const double* q, int node, const double r[3], double x[3])
{
  if (node < sqk_shape_nodes(type))
  {
    sqk_set3(q + 3 * node, x);
  }
  else
  {
    sqk_hull_point(type, q, r, x);
  }
}

/** Over a box: value (i, j, k) at i + 3 j + 9 k. */
SQK_INLINE int sqk_hull_box(int type, const double* q, double* x)
{
  static const signed char solid[27] = { 0, 8, 1, 11, 24, 9, 3, 10, 2, 16, 22, 17, 20, 26, 21, 19,
    23, 18, 4, 12, 5, 15, 25, 13, 7, 14, 6 };
  static const signed char flat[9] = { 0, 4, 1, 7, 8, 5, 3, 6, 2 };
  int dimension = sqk_shape_dimension(type), nodes = sqk_shape_nodes(type);
  int count = dimension == 3 ? 27 : 9;
  /* Quadratic pyramids and linear quadrilaterals have their nodes elsewhere. */
  int known = nodes >= (dimension == 3 ? 20 : 8);
  for (int i = 0; i < count; ++i)
  {
    double r[3] = { 0.5 * (i % 3), 0.5 * (i / 3 % 3), 0.5 * (i / 9) };
    int node = !known ? nodes : dimension == 3 ? solid[i] : flat[i];
    sqk_hull_node(type, q, node, r, x + 3 * i);
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
  static const double at[6][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0.5, 0 }, { 0.5, 0.5 },
    { 0, 0.5 } };
  static const signed char nodes[18] = { 0, 1, 2, 6, 7, 8, 12, 13, 14, 15, 16, 17, 3, 4, 5, 9, 10,
    11 };
  for (int i = 0; i < 6 * heights; ++i)
  {
    double r[3] = { at[i % 6][0], at[i % 6][1], heights == 1 ? 0.0 : 0.5 * (i / 6) };
    sqk_hull_node(type, q, heights == 1 ? i : nodes[i], r, x + 3 * i);
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

/** The values at 1/3 and 2/3 of a cubic curve become its control points. */
SQK_INLINE void sqk_hull_cubic(double* x, int from, int third, int two_thirds, int to)
{
  for (int d = 0; d < 3; ++d)
  {
    double a = x[3 * from + d], b = x[3 * third + d], c = x[3 * two_thirds + d], e = x[3 * to + d];
    x[3 * third + d] = (-5.0 * a + 18.0 * b - 9.0 * c + 2.0 * e) / 6.0;
    x[3 * two_thirds + d] = (2.0 * a - 9.0 * b + 18.0 * c - 5.0 * e) / 6.0;
  }
}

/** The pyramid of 19 nodes, in its collapsed parameters: biquadratic and cubic. */
SQK_INLINE int sqk_hull_pyramid(const double* q, double* x)
{
  for (int i = 0; i < 36; ++i)
  {
    double r[3] = { 0.5 * (i % 3), 0.5 * (i / 3 % 3), i / 9 / 3.0 };
    sqk_hull_point(SQ_CELL_TRIQUADRATIC_PYRAMID, q, r, x + 3 * i);
  }
  for (int i = 0; i < 36; i += 3)
  {
    sqk_hull_middle(x, i, i + 1, i + 2);
  }
  for (int i = 0; i < 36; ++i)
  {
    if (i / 3 % 3 == 1)
    {
      sqk_hull_middle(x, i - 3, i, i + 3);
    }
  }
  for (int i = 0; i < 9; ++i)
  {
    sqk_hull_cubic(x, i, i + 9, i + 18, i + 27);
  }
  return 36;
}

/** Copies of the first `count` points of x moved by c times `by`, behind `total` points; the new total. */
SQK_INLINE int sqk_hull_moved(double* x, int count, int total, double c, const double by[3])
{
  for (int i = 0; i < count; ++i)
  {
    sqk_madd3(x + 3 * i, c, by, x + 3 * (total + i));
  }
  return total + count;
}

/** How far node `node` lies off the point of a cell of another type at the same nodes q. */
SQK_INLINE void sqk_hull_height(
  int type, const double* q, int node, const double at[3], double height[3])
{
  sqk_hull_point(type, q, at, height);
  sqk_sub3(q + 3 * node, height, height);
}

/** Of 21 nodes: the bubble, between 0 and 1, adds a part of a curve that is quadratic in its heights. */
SQK_INLINE int sqk_hull_wedge_21(const double* q, double* x)
{
  static const signed char plain[18] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18,
    19 };
  static const signed char middle[3] = { 15, 20, 16 };
  double nodes[54], height[9];
  for (int i = 0; i < 18; ++i)
  {
    sqk_set3(q + 3 * plain[i], nodes + 3 * i);
  }
  int count = sqk_hull_wedge(SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, nodes, 3, x), total = count;
  for (int h = 0; h < 3; ++h)
  {
    const double at[3] = { 1.0 / 3.0, 1.0 / 3.0, 0.5 * h };
    sqk_hull_point(SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, nodes, at, height + 3 * h);
    sqk_sub3(q + 3 * middle[h], height + 3 * h, height + 3 * h);
  }
  sqk_hull_middle(height, 0, 1, 2);
  for (int h = 0; h < 3; ++h)
  {
    total = sqk_hull_moved(x, count, total, 1.0, height + 3 * h);
  }
  return total;
}

/** The triangle with a node in its middle: the bubble adds up to its height over the quadratic triangle. */
SQK_INLINE int sqk_hull_bubble(const double* q, double* x)
{
  const double middle[3] = { 1.0 / 3.0, 1.0 / 3.0, 0.0 };
  double height[3];
  int count = sqk_hull_wedge(SQ_CELL_QUADRATIC_TRIANGLE, q, 1, x);
  sqk_hull_height(SQ_CELL_QUADRATIC_TRIANGLE, q, 6, middle, height);
  return sqk_hull_moved(x, count, count, 1.0, height);
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
    sqk_hull_cubic(x, 0, 2, 3, 1);
    return count;
  }
  int corners = sqk_shape_dimension(type) + 1;
  for (int e = 0; corners + e < count; ++e)
  {
    sqk_hull_middle(x, edge[e][0], corners + e, edge[e][1]);
  }
  return count;
}

/**
 * Of 15 nodes: the bubbles of the faces, 27 l_i l_j l_k, and that of the cell, 256 l_0 l_1 l_2 l_3, add their heights. All
 * are between 0 and 1 and together at most 27 / 16 + 1 < 3.
 */
SQK_INLINE int sqk_hull_tetra_15(const double* q, double* x)
{
  static const double face[4][3] = { { 1, 1, 0 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
  const double middle[3] = { 0.25, 0.25, 0.25 };
  double height[5][3];
  int count = sqk_hull_simplex(SQ_CELL_QUADRATIC_TETRA, q, x), total = count;
  sqk_hull_height(SQ_CELL_QUADRATIC_TETRA, q, 14, middle, height[4]);
  for (int f = 0; f < 4; ++f)
  {
    const double at[3] = { face[f][0] / 3.0, face[f][1] / 3.0, face[f][2] / 3.0 };
    sqk_hull_height(SQ_CELL_QUADRATIC_TETRA, q, 10 + f, at, height[f]);
    sqk_madd3(height[4], -27.0 / 64.0, height[f], height[4]);
  }
  for (int f = 0; f < 5; ++f)
  {
    total = sqk_hull_moved(x, count, total, 3.0, height[f]);
  }
  return total;
}

/** Fills x (3 * SQK_CELL_HULL numbers) with the hull of a curved cell with nodes q; the number of points. */
SQK_INLINE int sqk_cell_hull(int type, const double* q, double* x)
{
  switch (type)
  {
    case SQ_CELL_BIQUADRATIC_TRIANGLE:
      return sqk_hull_bubble(q, x);
    case SQ_CELL_TRIQUADRATIC_PYRAMID:
      return sqk_hull_pyramid(q, x);
    case SQK_CELL_TETRA_15:
      return sqk_hull_tetra_15(q, x);
    case SQK_CELL_WEDGE_21:
      return sqk_hull_wedge_21(q, x);
    default:
      break;
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
