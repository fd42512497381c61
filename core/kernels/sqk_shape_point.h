#ifndef SQK_SHAPE_POINT_H
#define SQK_SHAPE_POINT_H
/**
 * Points of quadratic cells and their derivatives without the functions of each node: linear cells and, times bubbles, how far
 * the middles of edges lie off them (hierarchical functions: Szabo and Babuska, Finite Element Analysis, chapter 6); products
 * are summed one parameter after the other. The same polynomials as those of sqk_shape.h, to rounding.
 */
#include "sqk_shape.h"

/** A coordinate over the first two parameters and its derivatives by them. */
typedef struct sqk_sheet
{
  double v;
  double by[2];
} sqk_sheet;

/** Bilinear between values at (0, 0), (1, 0), (1, 1), (0, 1). */
SQK_INLINE sqk_sheet sqk_sheet_box(double r, double s, double a, double b, double c, double d)
{
  double front = b - a, back = c - d;
  double low = a + r * front, rise = d + r * back - low;
  sqk_sheet x = { low + s * rise, { front + s * (back - front), rise } };
  return x;
}

/** Four times how far the middle of an edge lies off the middle of its ends. */
SQK_INLINE double sqk_sheet_lift(double a, double middle, double b)
{
  return 4.0 * (middle - 0.5 * (a + b));
}

/** Values at the 3 corners, then middles of edges 0-1, 1-2, 2-0. */
SQK_INLINE sqk_sheet sqk_sheet_triangle_6(double r, double s, const double c[6])
{
  double l = 1.0 - r - s;
  double a = sqk_sheet_lift(c[0], c[3], c[1]), b = sqk_sheet_lift(c[1], c[4], c[2]);
  double d = sqk_sheet_lift(c[2], c[5], c[0]);
  double by_l = c[0] + r * a + s * d, by_r = c[1] + l * a + s * b, by_s = c[2] + r * b + l * d;
  sqk_sheet x = { 0.5 * (l * (c[0] + by_l) + r * (c[1] + by_r) + s * (c[2] + by_s)),
    { by_r - by_l, by_s - by_l } };
  return x;
}

/** Adds x, times the bubble p (1 - p) of parameter k. */
SQK_INLINE void sqk_sheet_add_bubble(sqk_sheet* sum, int k, double p, double x, double across)
{
  double bubble = p * (1.0 - p);
  sum->v += bubble * x;
  sum->by[k] += (1.0 - 2.0 * p) * x;
  sum->by[1 - k] += bubble * across;
}

/** Values at 4 corners and the middles of edges 0-1, 1-2, 2-3, 3-0. */
SQK_INLINE sqk_sheet sqk_sheet_quad_8(double r, double s, const double c[8])
{
  sqk_sheet x = sqk_sheet_box(r, s, c[0], c[1], c[2], c[3]);
  double a = sqk_sheet_lift(c[0], c[4], c[1]), b = sqk_sheet_lift(c[1], c[5], c[2]);
  double d = sqk_sheet_lift(c[2], c[6], c[3]), e = sqk_sheet_lift(c[3], c[7], c[0]);
  sqk_sheet_add_bubble(&x, 0, r, a + s * (d - a), d - a);
  sqk_sheet_add_bubble(&x, 1, s, e + r * (b - e), b - e);
  return x;
}

/** Quadratic between values at 0, 1 and 1/2; its derivative. */
SQK_INLINE double sqk_sheet_edge(double p, double a, double b, double middle, double* by)
{
  double rise = b - a, lift = sqk_sheet_lift(a, middle, b);
  *by = rise + (1.0 - 2.0 * p) * lift;
  return a + p * rise + p * (1.0 - p) * lift;
}

/** As sqk_sheet_quad_8(), and a value in the middle. */
SQK_INLINE sqk_sheet sqk_sheet_quad_9(double r, double s, const double c[9])
{
  double by[3], along[3], by_s, slope;
  along[0] = sqk_sheet_edge(r, c[0], c[1], c[4], by);
  along[1] = sqk_sheet_edge(r, c[3], c[2], c[6], by + 1);
  along[2] = sqk_sheet_edge(r, c[7], c[5], c[8], by + 2);
  double v = sqk_sheet_edge(s, along[0], along[1], along[2], &by_s);
  double by_r = sqk_sheet_edge(s, by[0], by[1], by[2], &slope);
  sqk_sheet x = { v, { by_r, by_s } };
  return x;
}

/** What lies at one height of a product, or the whole of a surface. */
typedef enum sqk_sheet_kind
{
  SQK_SHEET_TRIANGLE_6 = 6,
  SQK_SHEET_QUAD_8 = 8,
  SQK_SHEET_QUAD_9 = 9
} sqk_sheet_kind;

/** Coordinate d of the nodes `ids` of q. */
SQK_INLINE sqk_sheet sqk_sheet_of(
  sqk_sheet_kind kind, const double* q, int d, const signed char* ids, const double r[3])
{
  double c[9];
  for (int i = 0; i < (int)kind; ++i)
  {
    c[i] = q[3 * ids[i] + d];
  }
  return kind == SQK_SHEET_TRIANGLE_6 ? sqk_sheet_triangle_6(r[0], r[1], c)
    : kind == SQK_SHEET_QUAD_8        ? sqk_sheet_quad_8(r[0], r[1], c)
                                      : sqk_sheet_quad_9(r[0], r[1], c);
}

/** A surface (1 height), or a solid that is linear (2) or quadratic (3: at 0, 1, 1/2) along its third parameter. */
SQK_INLINE void sqk_point_of_sheets(sqk_sheet_kind kind, int heights, const signed char (*ids)[9],
  const double* q, const double r[3], double x[3], double jacobian[3][3])
{
  for (int d = 0; d < 3; ++d)
  {
    sqk_sheet at[3];
    for (int h = 0; h < heights; ++h)
    {
      at[h] = sqk_sheet_of(kind, q, d, ids[h], r);
    }
    if (heights < 3)
    {
      double up = heights == 2 ? 1.0 : 0.0;
      const sqk_sheet* top = at + (heights == 2);
      x[d] = at[0].v + up * r[2] * (top->v - at[0].v);
      jacobian[0][d] = at[0].by[0] + up * r[2] * (top->by[0] - at[0].by[0]);
      jacobian[1][d] = at[0].by[1] + up * r[2] * (top->by[1] - at[0].by[1]);
      jacobian[2][d] = top->v - at[0].v;
    }
    else
    {
      double slope;
      x[d] = sqk_sheet_edge(r[2], at[0].v, at[1].v, at[2].v, &jacobian[2][d]);
      jacobian[0][d] = sqk_sheet_edge(r[2], at[0].by[0], at[1].by[0], at[2].by[0], &slope);
      jacobian[1][d] = sqk_sheet_edge(r[2], at[0].by[1], at[1].by[1], at[2].by[1], &slope);
    }
  }
}

SQK_INLINE void sqk_point_tetra_10(
  const double* q, const double r[3], double x[3], double jacobian[3][3])
{
  const double l[4] = { 1.0 - r[0] - r[1] - r[2], r[0], r[1], r[2] };
  for (int d = 0; d < 3; ++d)
  {
    const double* c = q + d;
    double a = sqk_sheet_lift(c[0], c[12], c[3]), b = sqk_sheet_lift(c[3], c[15], c[6]);
    double e = sqk_sheet_lift(c[6], c[18], c[0]), f = sqk_sheet_lift(c[0], c[21], c[9]);
    double g = sqk_sheet_lift(c[3], c[24], c[9]), h = sqk_sheet_lift(c[6], c[27], c[9]);
    const double by[4] = { c[0] + l[1] * a + l[2] * e + l[3] * f,
      c[3] + l[0] * a + l[2] * b + l[3] * g, c[6] + l[0] * e + l[1] * b + l[3] * h,
      c[9] + l[0] * f + l[1] * g + l[2] * h };
    x[d] = 0.5 *
      (l[0] * (c[0] + by[0]) + l[1] * (c[3] + by[1]) + l[2] * (c[6] + by[2]) +
        l[3] * (c[9] + by[3]));
    jacobian[0][d] = by[1] - by[0], jacobian[1][d] = by[2] - by[0], jacobian[2][d] = by[3] - by[0];
  }
}

/** Adds to coordinate d the bubble of parameter k times a sheet over the two after it. */
SQK_INLINE void sqk_point_add_bubble(
  int k, double p, int d, sqk_sheet sheet, double x[3], double jacobian[3][3])
{
  double bubble = p * (1.0 - p);
  x[d] += bubble * sheet.v;
  jacobian[k][d] += (1.0 - 2.0 * p) * sheet.v;
  jacobian[(k + 1) % 3][d] += bubble * sheet.by[0];
  jacobian[(k + 2) % 3][d] += bubble * sheet.by[1];
}

/** The bubbles of four edges along parameter k, at (0, 0), (1, 0), (1, 1), (0, 1) of the two after it: ends and middle of each. */
SQK_INLINE void sqk_point_add_edges(int k, const signed char edge[4][3], const double* q,
  const double r[3], double x[3], double jacobian[3][3])
{
  for (int d = 0; d < 3; ++d)
  {
    double lift[4];
    for (int i = 0; i < 4; ++i)
    {
      const signed char* e = edge[i];
      lift[i] = sqk_sheet_lift(q[3 * e[0] + d], q[3 * e[2] + d], q[3 * e[1] + d]);
    }
    sqk_sheet sheet =
      sqk_sheet_box(r[(k + 1) % 3], r[(k + 2) % 3], lift[0], lift[1], lift[2], lift[3]);
    sqk_point_add_bubble(k, r[k], d, sheet, x, jacobian);
  }
}

SQK_INLINE void sqk_point_hexahedron_20(
  const double* q, const double r[3], double x[3], double jacobian[3][3])
{
  static const signed char edge[3][4][3] = {
    { { 0, 1, 8 }, { 3, 2, 10 }, { 7, 6, 14 }, { 4, 5, 12 } },
    { { 0, 3, 11 }, { 4, 7, 15 }, { 5, 6, 13 }, { 1, 2, 9 } },
    { { 0, 4, 16 }, { 1, 5, 17 }, { 2, 6, 18 }, { 3, 7, 19 } },
  };
  for (int d = 0; d < 3; ++d)
  {
    const double* c = q + d;
    sqk_sheet low = sqk_sheet_box(r[0], r[1], c[0], c[3], c[6], c[9]);
    sqk_sheet high = sqk_sheet_box(r[0], r[1], c[12], c[15], c[18], c[21]);
    x[d] = low.v + r[2] * (high.v - low.v);
    jacobian[0][d] = low.by[0] + r[2] * (high.by[0] - low.by[0]);
    jacobian[1][d] = low.by[1] + r[2] * (high.by[1] - low.by[1]);
    jacobian[2][d] = high.v - low.v;
  }
  for (int k = 0; k < 3; ++k)
  {
    sqk_point_add_edges(k, edge[k], q, r, x, jacobian);
  }
}

SQK_INLINE void sqk_point_wedge_15(
  const double* q, const double r[3], double x[3], double jacobian[3][3])
{
  static const signed char ids[2][9] = { { 0, 1, 2, 6, 7, 8 }, { 3, 4, 5, 9, 10, 11 } };
  sqk_point_of_sheets(SQK_SHEET_TRIANGLE_6, 2, ids, q, r, x, jacobian);
  for (int d = 0; d < 3; ++d)
  {
    double lift[3];
    for (int i = 0; i < 3; ++i)
    {
      lift[i] = sqk_sheet_lift(q[3 * i + d], q[3 * (12 + i) + d], q[3 * (3 + i) + d]);
    }
    sqk_sheet sheet = { lift[0] + r[0] * (lift[1] - lift[0]) + r[1] * (lift[2] - lift[0]),
      { lift[1] - lift[0], lift[2] - lift[0] } };
    sqk_point_add_bubble(2, r[2], d, sheet, x, jacobian);
  }
}

/** The point at r of a curved cell with nodes q, and its derivatives; 0 and nothing for types that have no such form here. */
SQK_INLINE int sqk_shape_point(
  int type, const double* q, const double r[3], double x[3], double jacobian[3][3])
{
  static const signed char flat[1][9] = { { 0, 1, 2, 3, 4, 5, 6, 7, 8 } };
  static const signed char triangles[3][9] = { { 0, 1, 2, 6, 7, 8 }, { 3, 4, 5, 9, 10, 11 },
    { 12, 13, 14, 15, 16, 17 } };
  static const signed char quads_8[3][9] = { { 0, 1, 2, 3, 8, 9, 10, 11 },
    { 4, 5, 6, 7, 12, 13, 14, 15 }, { 16, 17, 18, 19, 22, 21, 23, 20 } };
  static const signed char quads_9[3][9] = { { 0, 1, 2, 3, 8, 9, 10, 11, 24 },
    { 4, 5, 6, 7, 12, 13, 14, 15, 25 }, { 16, 17, 18, 19, 22, 21, 23, 20, 26 } };
  switch (type)
  {
    case SQ_CELL_QUADRATIC_TRIANGLE:
      sqk_point_of_sheets(SQK_SHEET_TRIANGLE_6, 1, flat, q, r, x, jacobian);
      return 1;
    case SQ_CELL_QUADRATIC_QUAD:
      sqk_point_of_sheets(SQK_SHEET_QUAD_8, 1, flat, q, r, x, jacobian);
      return 1;
    case SQ_CELL_BIQUADRATIC_QUAD:
      sqk_point_of_sheets(SQK_SHEET_QUAD_9, 1, flat, q, r, x, jacobian);
      return 1;
    case SQ_CELL_QUADRATIC_TETRA:
      sqk_point_tetra_10(q, r, x, jacobian);
      return 1;
    case SQ_CELL_QUADRATIC_HEXAHEDRON:
      sqk_point_hexahedron_20(q, r, x, jacobian);
      return 1;
    case SQ_CELL_QUADRATIC_WEDGE:
      sqk_point_wedge_15(q, r, x, jacobian);
      return 1;
    case SQ_CELL_QUADRATIC_LINEAR_WEDGE:
      sqk_point_of_sheets(SQK_SHEET_TRIANGLE_6, 2, triangles, q, r, x, jacobian);
      return 1;
    case SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE:
      sqk_point_of_sheets(SQK_SHEET_TRIANGLE_6, 3, triangles, q, r, x, jacobian);
      return 1;
    case SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON:
      sqk_point_of_sheets(SQK_SHEET_QUAD_8, 3, quads_8, q, r, x, jacobian);
      return 1;
    case SQ_CELL_TRIQUADRATIC_HEXAHEDRON:
      sqk_point_of_sheets(SQK_SHEET_QUAD_9, 3, quads_9, q, r, x, jacobian);
      return 1;
    default:
      return 0;
  }
}

#endif
