#ifndef SQK_CELL_SIMPLEX_H
#define SQK_CELL_SIMPLEX_H
/**
 * The point of a segment, triangle or tetrahedron that is closest to the origin, with its barycentric coordinates.
 * Corners are relative to the query and of a size near 1, so that nothing over- or underflows.
 */
#include "sqk_cell_math.h"

/** Closest point of segment a-b; squared distance, bary of a and b. The bits do not depend on the order of a and b. */
SQK_INLINE double sqk_cell_closest_segment(
  const double a[3], const double b[3], double closest[3], double bary[2])
{
  int swap = a[0] != b[0] ? a[0] > b[0] : a[1] != b[1] ? a[1] > b[1] : a[2] > b[2];
  const double* p = swap ? b : a;
  const double* q = swap ? a : b;
  double e[3];
  sqk_cell_sub(q, p, e);
  double l2 = sqk_cell_dot(e, e);
  double t = l2 > 0.0 ? -sqk_cell_dot(p, e) / l2 : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  for (int k = 0; k < 3; ++k)
  {
    closest[k] = t < 1.0 ? p[k] + t * e[k] : q[k];
  }
  bary[swap] = 1.0 - t, bary[1 - swap] = t;
  return sqk_cell_dot(closest, closest);
}

/**
 * The foot of the perpendicular on the plane of a triangle, if it lies inside of the triangle: squared distance, else -1.
 * Triangles that are a segment up to rounding have no inside.
 */
SQK_INLINE double sqk_cell_triangle_foot(
  const double* const corner[3], double closest[3], double bary[3])
{
  double e[3], f[3], n[3], v[3], w[3], sum = 0.0;
  sqk_cell_sub(corner[1], corner[0], e);
  sqk_cell_sub(corner[2], corner[0], f);
  sqk_cell_cross(e, f, n);
  double n2 = sqk_cell_dot(n, n);
  double size2 = fmax(sqk_cell_dot(e, e), sqk_cell_dot(f, f));
  /* |n| is known to about 8 epsilon of the squared size. */
  double noise = 64.0 * SQK_CELL_EPSILON * size2;
  if (!(n2 > noise * noise))
  {
    return -1.0;
  }
  for (int i = 0; i < 3; ++i)
  {
    sqk_cell_cross(corner[(i + 1) % 3], corner[(i + 2) % 3], v);
    w[i] = sqk_cell_dot(v, n);
    if (!(w[i] > 0.0))
    {
      return -1.0;
    }
    sum += w[i];
  }
  double h = sqk_cell_dot(corner[0], n) / n2;
  for (int k = 0; k < 3; ++k)
  {
    bary[k] = w[k] / sum;
    closest[k] = h * n[k];
  }
  return h * h * n2;
}

/** Closest point of triangle a, b, c; squared distance. */
SQK_INLINE double sqk_cell_closest_triangle(
  const double a[3], const double b[3], const double c[3], double closest[3], double bary[3])
{
  const double* corner[3] = { a, b, c };
  double best = sqk_cell_triangle_foot(corner, closest, bary);
  double edge = -1.0;
  for (int i = 0; i < 3; ++i)
  {
    double p[3], t[2];
    double d2 = sqk_cell_closest_segment(corner[i], corner[(i + 1) % 3], p, t);
    if ((best < 0.0 || d2 < best) && (edge < 0.0 || d2 < edge))
    {
      edge = d2;
      sqk_cell_copy(p, closest);
      bary[i] = t[0], bary[(i + 1) % 3] = t[1], bary[(i + 2) % 3] = 0.0;
    }
  }
  return edge >= 0.0 ? edge : best;
}

/**
 * Barycentric coordinates of the origin in tetrahedron q; 0 where it is flat up to rounding. One step of refinement makes
 * the coordinates reproduce the origin to rounding in slivers, too.
 */
SQK_INLINE int sqk_cell_tetra_weights(const double* q, double w[4])
{
  const double *a = q, *b = q + 3, *c = q + 6, *d = q + 9;
  double e[3][3], size = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    sqk_cell_sub(q + 3 * (i + 1), a, e[i]);
    size = fmax(size, sqk_cell_max_abs(e[i], 3));
  }
  double volume = sqk_cell_det(e[0], e[1], e[2]);
  if (!(fabs(volume) > 64.0 * SQK_CELL_EPSILON * size * size * size))
  {
    return 0;
  }
  w[1] = -sqk_cell_det(a, c, d) / volume;
  w[2] = sqk_cell_det(a, b, d) / volume;
  w[3] = -sqk_cell_det(a, b, c) / volume;
  double off[3], step[3];
  w[0] = 1.0 - w[1] - w[2] - w[3];
  sqk_cell_combine(q, w, 4, off);
  step[0] = -sqk_cell_det(off, e[1], e[2]) / volume;
  step[1] = -sqk_cell_det(e[0], off, e[2]) / volume;
  step[2] = -sqk_cell_det(e[0], e[1], off) / volume;
  w[1] += step[0], w[2] += step[1], w[3] += step[2];
  w[0] -= step[0] + step[1] + step[2];
  return 1;
}

#endif
