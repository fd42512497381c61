#ifndef SQK_LAYOUT_H
#define SQK_LAYOUT_H
/**
 * Lagrange and Bezier cells of any order: products of intervals, triangles and tetrahedra.
 *
 * On an interval and on a simplex the Lagrange functions of equally spaced nodes are products of one function of each
 * barycentric coordinate x, S_i(x) = n x (n x - 1) ... (n x - i + 1) / i! (Silvester, Higher-order polynomial triangular finite
 * elements, 1969), and so are Bernstein's, x^i / i! times n! (Farin, Curves and Surfaces for CAGD). So the weight of a node is a
 * product of entries of up to four tables: one of each interval, one of each barycentric coordinate of a simplex.
 */
#include "sqk_shape_domain.h"

/** Largest order, and entries of a table. */
#define SQK_ORDER_MAX SQ_CELL_ORDER_MAX
#define SQK_ORDER_ROOM (SQK_ORDER_MAX + 1)

/** An interval, a triangle or a tetrahedron of a layout, and how values at its lattice become control points. */
typedef struct sqk_layout_factor
{
  int32_t dimension;
  int32_t order;
  int32_t count; /* points of its lattice: (order + dimension) over dimension */
  const double* bernstein; /* count * count: from values at the lattice to control points */
  double norm; /* largest sum of absolute numbers in a row of it */
} sqk_layout_factor;

typedef struct sqk_layout
{
  int32_t type;
  int32_t count; /* nodes */
  int32_t order[3];
  int32_t factor_count;
  sqk_layout_factor factor[3];
  const uint8_t (*index)[4]; /* of each node: its place in the tables */
  const int32_t* place; /* of each node: its place in the lattice, the first factor fastest */
} sqk_layout;

typedef struct sqk_layout_tables
{
  int32_t count;
  double value[4][SQK_ORDER_ROOM];
  double slope[4][SQK_ORDER_ROOM]; /* by the table's own coordinate */
} sqk_layout_tables;

SQK_INLINE int sqk_layout_is_bezier(int type)
{
  return type >= SQ_CELL_BEZIER_CURVE;
}

/** The functions of one barycentric coordinate x: Silvester's, or x^i / i!. */
SQK_INLINE void sqk_layout_coordinate(int bezier, int order, double x, double* value, double* slope)
{
  value[0] = 1.0, slope[0] = 0.0;
  for (int i = 0; i < order; ++i)
  {
    double scale = bezier ? 1.0 : order, shift = bezier ? 0.0 : i;
    double f = (scale * x - shift) / (i + 1), df = scale / (i + 1);
    value[i + 1] = value[i] * f;
    slope[i + 1] = slope[i] * f + value[i] * df;
  }
}

/** The functions of an interval. */
SQK_INLINE void sqk_layout_interval(int bezier, int order, double x, double* value, double* slope)
{
  double a[SQK_ORDER_ROOM], da[SQK_ORDER_ROOM], b[SQK_ORDER_ROOM], db[SQK_ORDER_ROOM], scale = 1.0;
  sqk_layout_coordinate(bezier, order, x, a, da);
  sqk_layout_coordinate(bezier, order, 1.0 - x, b, db);
  for (int i = 2; bezier && i <= order; ++i)
  {
    scale *= i;
  }
  for (int i = 0; i <= order; ++i)
  {
    int j = order - i;
    value[i] = scale * (a[i] * b[j]);
    slope[i] = scale * (da[i] * b[j] - a[i] * db[j]);
  }
}

/** The tables at parameters r. */
SQK_INLINE void sqk_layout_fill(const sqk_layout* layout, const double r[3], sqk_layout_tables* t)
{
  int bezier = sqk_layout_is_bezier(layout->type), parameter = 0;
  t->count = 0;
  for (int f = 0; f < layout->factor_count; ++f)
  {
    int dimension = layout->factor[f].dimension, order = layout->factor[f].order;
    int first = t->count;
    if (dimension == 1)
    {
      sqk_layout_interval(bezier, order, r[parameter++], t->value[first], t->slope[first]);
      t->count = first + 1;
      continue;
    }
    double rest = 1.0, scale = 1.0;
    for (int k = 1; k <= dimension; ++k)
    {
      double x = r[parameter++];
      rest -= x;
      sqk_layout_coordinate(bezier, order, x, t->value[first + k], t->slope[first + k]);
    }
    sqk_layout_coordinate(bezier, order, rest, t->value[first], t->slope[first]);
    for (int i = 2; bezier && i <= order; ++i)
    {
      scale *= i;
    }
    for (int i = 0; i <= order; ++i)
    {
      t->value[first][i] *= scale, t->slope[first][i] *= scale;
    }
    t->count = first + dimension + 1;
  }
}

/** The function of a node and its derivatives by the parameters, from the tables. */
SQK_INLINE double sqk_layout_function(
  const sqk_layout* layout, const sqk_layout_tables* t, int node, double d[3])
{
  const uint8_t* at = layout->index[node];
  double v[4] = { 1.0, 1.0, 1.0, 1.0 }, s[4] = { 0.0, 0.0, 0.0, 0.0 };
  for (int k = 0; k < t->count; ++k)
  {
    v[k] = t->value[k][at[k]], s[k] = t->slope[k][at[k]];
  }
  double low = v[0] * v[1], high = v[2] * v[3];
  const double by[4] = { s[0] * v[1] * high, v[0] * s[1] * high, low * s[2] * v[3],
    low * v[2] * s[3] };
  int simplex = layout->factor[0].dimension;
  if (simplex == 1)
  {
    d[0] = by[0], d[1] = by[1], d[2] = by[2];
  }
  else
  {
    /* Table 0 is that of 1 minus the simplex's parameters. */
    d[0] = by[1] - by[0], d[1] = by[2] - by[0];
    d[2] = simplex == 3 ? by[3] - by[0] : by[3];
  }
  return low * high;
}

/** Weights of all nodes at r. `rational` (may be NULL) has one number a node. */
SQK_INLINE void sqk_layout_weights(
  const sqk_layout* layout, const double* rational, const double r[3], double* w)
{
  sqk_layout_tables tables;
  double d[3], sum = 0.0;
  sqk_layout_fill(layout, r, &tables);
  for (int i = 0; i < layout->count; ++i)
  {
    w[i] = sqk_layout_function(layout, &tables, i, d) * (rational ? rational[i] : 1.0);
    sum += w[i];
  }
  for (int i = 0; rational && i < layout->count; ++i)
  {
    w[i] /= sum;
  }
}

/** The point with nodes q at r, and its derivatives. */
SQK_INLINE void sqk_layout_point(const sqk_layout* layout, const double* rational, const double* q,
  const double r[3], double x[3], double jacobian[3][3])
{
  sqk_layout_tables tables;
  double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
  sqk_layout_fill(layout, r, &tables);
  for (int k = 0; k < 3; ++k)
  {
    x[k] = jacobian[0][k] = jacobian[1][k] = jacobian[2][k] = 0.0;
  }
  for (int i = 0; i < layout->count; ++i)
  {
    double d[3], scale = rational ? rational[i] : 1.0;
    double w = scale * sqk_layout_function(layout, &tables, i, d);
    sum[3] += w;
    sqk_madd3(x, w, q + 3 * i, x);
    for (int k = 0; k < 3; ++k)
    {
      sum[k] += scale * d[k];
      sqk_madd3(jacobian[k], scale * d[k], q + 3 * i, jacobian[k]);
    }
  }
  for (int j = 0; rational && j < 3; ++j)
  {
    x[j] /= sum[3];
    for (int k = 0; k < 3; ++k)
    {
      jacobian[k][j] = (jacobian[k][j] - x[j] * sum[k]) / sum[3];
    }
  }
}

/** Parameters of a node's place in the lattice. */
SQK_INLINE void sqk_layout_node(const sqk_layout* layout, int node, double r[3])
{
  const uint8_t* at = layout->index[node];
  int parameter = 0, table = 0;
  r[0] = r[1] = r[2] = 0.0;
  for (int f = 0; f < layout->factor_count; ++f)
  {
    int dimension = layout->factor[f].dimension;
    table += dimension > 1;
    for (int k = 0; k < dimension; ++k)
    {
      r[parameter++] = (double)at[table++] / layout->factor[f].order;
    }
  }
}

/**
 * Turns values at the lattice of a product of factors, `count` points in x, into control points. Returns where they are: x or
 * room, which is as large. *growth: how far rounding can put them off, in ulp of the largest value: the computed
 * inverse of Bernstein's matrix, which is of norm 1, is off by its own norm in ulp a row, and so are the sums.
 */
SQK_INLINE double* sqk_layout_controls(const sqk_layout_factor* factor, int factor_count,
  int32_t count, double* x, double* room, double* growth)
{
  int32_t stride = 1;
  double norm = 1.0, sum = 8.0;
  for (int f = 0; f < factor_count; stride *= factor[f++].count)
  {
    for (int i = 0; i < count; ++i)
    {
      int along = i / stride % factor[f].count, first = i - along * stride;
      const double* row = factor[f].bernstein + (int64_t)along * factor[f].count;
      room[3 * i] = room[3 * i + 1] = room[3 * i + 2] = 0.0;
      for (int k = 0; k < factor[f].count; ++k)
      {
        sqk_madd3(room + 3 * i, row[k], x + 3 * (first + k * stride), room + 3 * i);
      }
    }
    norm *= factor[f].norm;
    sum += factor[f].count * factor[f].norm;
    double* swap = x;
    x = room, room = swap;
  }
  *growth = 8.0 * sum * norm;
  return x;
}

/**
 * Points whose convex hull holds the cell with nodes q, as many as it has nodes, in x: the control points of its map. *slack is how far
 * they can be off by rounding. `room` holds as many numbers as x.
 */
SQK_INLINE void sqk_layout_hull(
  const sqk_layout* layout, const double* q, double* x, double* room, double* slack)
{
  const double* from = x;
  double extent = 0.0, growth = 8.0 * 8.0;
  for (int i = 0; i < layout->count; ++i)
  {
    double* at = x + 3 * layout->place[i];
    sqk_sub3(q + 3 * i, q, at);
    extent = fmax(extent, sqk_cell_max_abs(at, 3));
  }
  if (!sqk_layout_is_bezier(layout->type))
  {
    from =
      sqk_layout_controls(layout->factor, layout->factor_count, layout->count, x, room, &growth);
  }
  for (int i = 0; i < 3 * layout->count; ++i)
  {
    x[i] = q[i % 3] + from[i];
  }
  *slack = SQK_CELL_EPSILON * (growth * extent + 8.0 * sqk_cell_max_abs(q, 3));
}

#endif
