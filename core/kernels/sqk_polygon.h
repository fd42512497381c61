#ifndef SQK_POLYGON_H
#define SQK_POLYGON_H
/**
 * Polygons in space cut into triangles: by ears, from the lowest node (Meisters, Polygons have ears, 1975), seen along the
 * axis that the polygon faces most, so that no coordinate is rounded.
 */
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

/** The two axes that a polygon is seen in, such that it turns left. */
SQK_INLINE void sqk_polygon_axes(const double normal[3], int axes[2])
{
  int k = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
  k = fabs(normal[2]) > fabs(normal[k]) ? 2 : k;
  axes[0] = (k + 1) % 3, axes[1] = (k + 2) % 3;
  if (normal[k] < 0.0)
  {
    int swap = axes[0];
    axes[0] = axes[1], axes[1] = swap;
  }
}

SQK_INLINE double sqk_polygon_area(
  const double* p, const int axes[2], int32_t a, int32_t b, int32_t c)
{
  const double *u = p + 3 * a, *v = p + 3 * b, *w = p + 3 * c;
  return (v[axes[0]] - u[axes[0]]) * (w[axes[1]] - u[axes[1]]) -
    (v[axes[1]] - u[axes[1]]) * (w[axes[0]] - u[axes[0]]);
}

SQK_INLINE int sqk_polygon_same(const double* p, const int axes[2], int32_t a, int32_t b)
{
  return p[3 * a + axes[0]] == p[3 * b + axes[0]] && p[3 * a + axes[1]] == p[3 * b + axes[1]];
}

/** Corner k of the ring of n nodes turns left and its triangle holds no other node. */
SQK_INLINE int sqk_polygon_is_ear(
  const double* p, const int axes[2], const int32_t* ring, int n, int k)
{
  int32_t a = ring[(k + n - 1) % n], b = ring[k], c = ring[(k + 1) % n];
  if (!(sqk_polygon_area(p, axes, a, b, c) > 0.0))
  {
    return 0;
  }
  for (int i = 0; i < n; ++i)
  {
    int32_t m = ring[i];
    if (m != a && m != b && m != c && !sqk_polygon_same(p, axes, m, a) &&
      !sqk_polygon_same(p, axes, m, b) && !sqk_polygon_same(p, axes, m, c) &&
      sqk_polygon_area(p, axes, a, b, m) >= 0.0 && sqk_polygon_area(p, axes, b, c, m) >= 0.0 &&
      sqk_polygon_area(p, axes, c, a, m) >= 0.0)
    {
      return 0;
    }
  }
  return 1;
}

/**
 * Cuts a polygon of n >= 3 nodes into n - 2 triangles of local ids; `ring` is scratch of n. A polygon that crosses itself,
 * or that is seen edge on, still gives n - 2 triangles of its nodes.
 */
SQK_INLINE void sqk_polygon_cut(const double* p, int n, int32_t* ring, int32_t* triangles)
{
  double normal[3];
  int axes[2];
  sqk_polygon_normal(p, n, normal);
  sqk_polygon_axes(normal, axes);
  for (int i = 0; i < n; ++i)
  {
    ring[i] = i;
  }
  for (; n > 3; --n, triangles += 3)
  {
    int k = 0;
    while (k < n && !sqk_polygon_is_ear(p, axes, ring, n, k))
    {
      ++k;
    }
    k = k < n ? k : 0;
    triangles[0] = ring[(k + n - 1) % n], triangles[1] = ring[k], triangles[2] = ring[(k + 1) % n];
    for (int i = k; i + 1 < n; ++i)
    {
      ring[i] = ring[i + 1];
    }
  }
  triangles[0] = ring[0], triangles[1] = ring[1], triangles[2] = ring[2];
}

#endif
