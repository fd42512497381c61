#ifndef SQK_CELL_MEASURE_H
#define SQK_CELL_MEASURE_H
/**
 * Lengths, areas and volumes of linear cells. Corners are given relative to a point near the cell, so that nothing cancels;
 * component d of vectors, `factor[d]` times: coordinates may have been scaled, each by its own power of two.
 */
#include "sqk_vector.h"

SQK_INLINE double sqk_measure_length(const double v[3], const double factor[3])
{
  const double u[3] = { v[0] * factor[0], v[1] * factor[1], v[2] * factor[2] };
  return sqrt(sqk_dot3(u, u));
}

/** |b - a|. */
SQK_INLINE double sqk_measure_segment(const double a[3], const double b[3], const double factor[3])
{
  double e[3];
  sqk_sub3(b, a, e);
  return sqk_measure_length(e, factor);
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

SQK_INLINE double sqk_measure_triangle(
  const double a[3], const double b[3], const double c[3], const double factor[3])
{
  double n[3];
  sqk_measure_normal(a, b, c, n);
  return 0.5 * sqk_measure_length(n, factor);
}

/** Two triangles, cut along 0-2 as for distances; along 1-3 where the corner at 1 or 3 is reflex. */
SQK_INLINE double sqk_measure_quad(const double a[3], const double b[3], const double c[3],
  const double d[3], const double factor[3])
{
  double n[3], m[3], dot = 0.0;
  sqk_measure_normal(a, b, c, n);
  sqk_measure_normal(a, c, d, m);
  for (int k = 0; k < 3; ++k)
  {
    dot += n[k] * factor[k] * (m[k] * factor[k]);
  }
  if (dot < 0.0)
  {
    sqk_measure_normal(a, b, d, n);
    sqk_measure_normal(b, c, d, m);
  }
  return 0.5 * (sqk_measure_length(n, factor) + sqk_measure_length(m, factor));
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

#endif
