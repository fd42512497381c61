#ifndef SQK_POLYGON_H
#define SQK_POLYGON_H
/** What a polygon in space looks like: convex, flat. */
#include "sqk_cell_math.h"

/** Area vector of a polygon (Newell), relative to its first corner; p has 3 * n coordinates. */
SQK_INLINE void sqk_polygon_normal(const double* p, int n, double normal[3])
{
  normal[0] = normal[1] = normal[2] = 0.0;
  for (int i = 1; i + 1 < n; ++i)
  {
    double a[3], b[3], c[3];
    sqk_sub3(p + 3 * i, p, a);
    sqk_sub3(p + 3 * (i + 1), p, b);
    sqk_cross3(a, b, c);
    normal[0] += c[0], normal[1] += c[1], normal[2] += c[2];
  }
}

/** Twice the area of triangle a, b, c seen along `normal`. */
SQK_INLINE double sqk_polygon_turn(
  const double a[3], const double b[3], const double c[3], const double normal[3])
{
  double u[3], v[3], w[3];
  sqk_sub3(b, a, u);
  sqk_sub3(c, a, v);
  sqk_cross3(u, v, w);
  return sqk_dot3(w, normal);
}

/** True where every corner turns left and the fan around the last node has no triangle turned over. */
SQK_INLINE int sqk_polygon_is_convex(const double* p, int n)
{
  double normal[3];
  sqk_polygon_normal(p, n, normal);
  const double* last = p + 3 * (n - 1);
  for (int i = 0; i < n; ++i)
  {
    const double* b = p + 3 * ((i + 1) % n);
    const double* c = p + 3 * ((i + 2) % n);
    if (!(sqk_polygon_turn(p + 3 * i, b, c, normal) >= 0.0) ||
      (i + 2 < n && !(sqk_polygon_turn(last, p + 3 * i, b, normal) >= 0.0)))
    {
      return 0;
    }
  }
  return 1;
}

/**
 * True where no corner is farther from the polygon's plane than rounding: of its own size, and of its coordinates, whose relative
 * rounding is `rounding`.
 */
SQK_INLINE int sqk_polygon_is_flat(const double* p, int n, double rounding)
{
  double normal[3], size = 0.0, off = 0.0, largest = sqk_cell_max_abs(p, 3 * n);
  sqk_polygon_normal(p, n, normal);
  double length = sqrt(sqk_dot3(normal, normal));
  for (int i = 1; i < n; ++i)
  {
    double d[3];
    sqk_sub3(p + 3 * i, p, d);
    size = fmax(size, sqk_cell_max_abs(d, 3));
    off = fmax(off, fabs(sqk_dot3(d, normal)));
  }
  return n <= 3 || off <= (1e-12 * size + 4.0 * rounding * largest) * length;
}

#endif
