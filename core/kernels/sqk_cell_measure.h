#ifndef SQK_CELL_MEASURE_H
#define SQK_CELL_MEASURE_H
/** Lengths, areas and volumes of cells. Corners are given relative to a point near the cell, so that nothing cancels. */
#include "sqk_shape_domain.h"
#include "sqk_vector.h"

/** |b - a|. */
SQK_INLINE double sqk_measure_segment(const double a[3], const double b[3])
{
  double e[3];
  sqk_sub3(b, a, e);
  return sqrt(sqk_dot3(e, e));
}

/** Twice the vector area of a triangle. */
SQK_INLINE void sqk_measure_normal(
  const double a[3], const double b[3], const double c[3], double n[3])
{
  double e[3], f[3];
  sqk_sub3(b, a, e);
  sqk_sub3(c, a, f);
  sqk_cross3(e, f, n);
}

SQK_INLINE double sqk_measure_triangle(const double a[3], const double b[3], const double c[3])
{
  double n[3];
  sqk_measure_normal(a, b, c, n);
  return 0.5 * sqrt(sqk_dot3(n, n));
}

/** Two triangles, cut along 0-2 as for distances; along 1-3 where the corner at 1 or 3 is reflex. */
SQK_INLINE double sqk_measure_quad(
  const double a[3], const double b[3], const double c[3], const double d[3])
{
  double n[3], m[3];
  sqk_measure_normal(a, b, c, n);
  sqk_measure_normal(a, c, d, m);
  if (sqk_dot3(n, m) < 0.0)
  {
    sqk_measure_normal(a, b, d, n);
    sqk_measure_normal(b, c, d, m);
  }
  return 0.5 * (sqrt(sqk_dot3(n, n)) + sqrt(sqk_dot3(m, m)));
}

/** Adds p x next to twice the vector area of a polygon, and p to the sum of its corners. */
SQK_INLINE void sqk_measure_corner(
  const double p[3], const double next[3], double normal[3], double sum[3])
{
  double n[3];
  sqk_cross3(p, next, n);
  sqk_madd3(normal, 1.0, n, normal);
  sqk_madd3(sum, 1.0, p, sum);
}

/**
 * Six times the volume of the cone from the origin over a face, by the two sums above: that of the fan around the mean of
 * its corners. For four corners it equals that over the bilinear face, so cells with such faces are exact.
 */
SQK_INLINE double sqk_measure_cone(const double normal[3], const double sum[3], int64_t corners)
{
  return sqk_dot3(sum, normal) / (double)corners;
}

/** Size of the map's derivative at r: |x_r|, |x_r x x_s| or |x_r . (x_s x x_t)|, signed in the last case. */
SQK_INLINE double sqk_measure_density(int type, const double* q, const double r[3])
{
  double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
  double j[3][3] = { { 0.0 } }, n[3];
  int dimension = sqk_shape_dimension(type);
  sqk_shape_evaluate(type, r, w, dw);
  for (int i = 0; i < sqk_shape_nodes(type); ++i)
  {
    for (int k = 0; k < dimension; ++k)
    {
      sqk_madd3(j[k], dw[3 * i + k], q + 3 * i, j[k]);
    }
  }
  if (dimension == 1)
  {
    return sqrt(sqk_dot3(j[0], j[0]));
  }
  sqk_cross3(j[0], j[1], n);
  return dimension == 2 ? sqrt(sqk_dot3(n, n)) : sqk_dot3(n, j[2]);
}

#define SQK_MEASURE_POINTS 5

/**
 * Measure of a cell with shape functions by Gauss-Legendre quadrature with 5 points a direction (nodes and weights: Abramowitz and
 * Stegun, table 25.4, moved to [0, 1]), on simplices after Duffy's map. Volumes of VTK's quadratic cells are polynomials of
 * at most degree 8 in each direction, so they are exact up to rounding; curved lengths and areas are not polynomials.
 */
SQK_INLINE double sqk_measure_curved(int type, const double* q)
{
  static const double at[SQK_MEASURE_POINTS] = { 0.046910077030668004, 0.23076534494715845, 0.5,
    0.76923465505284155, 0.953089922969332 };
  static const double weight[SQK_MEASURE_POINTS] = { 0.11846344252809454, 0.23931433524968324,
    0.28444444444444444, 0.23931433524968324, 0.11846344252809454 };
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  int points = dimension == 1 ? 5 : dimension == 2 ? 25 : 125;
  double sum = 0.0;
  for (int p = 0; p < points; ++p)
  {
    int i = p % 5, j = p / 5 % 5, k = p / 25;
    double r[3] = { at[i], dimension > 1 ? at[j] : 0.0, dimension > 2 ? at[k] : 0.0 };
    double w = weight[i] * (dimension > 1 ? weight[j] : 1.0) * (dimension > 2 ? weight[k] : 1.0);
    if (domain != SQK_DOMAIN_BOX && dimension > 1)
    {
      w *= 1.0 - r[0];
      r[1] *= 1.0 - r[0];
    }
    if (domain == SQK_DOMAIN_SIMPLEX && dimension > 2)
    {
      w *= 1.0 - r[0] - r[1];
      r[2] *= 1.0 - r[0] - r[1];
    }
    sum += w * sqk_measure_density(type, q, r);
  }
  return fabs(sum);
}

#endif
