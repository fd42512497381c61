#ifndef SQK_PLANE_H
#define SQK_PLANE_H
/** On which side of a triangle's plane a point lies, right however near the plane or thin the triangle. */
#include "sqk_double_double.h"
#include "sqk_vector.h"

/** Products of three lengths of this size neither overflow nor lose bits to underflow. */
#define SQK_LENGTH_MIN 0x1p-200
#define SQK_LENGTH_MAX 0x1p200

/** Below this sine between two edges, the cross product is formed with twice the digits. */
#define SQK_NEEDLE_SINE 1e-6
/** Below this sine between plane and direction, so is the dot product; above, 8 roundings are 1e-7 of it. */
#define SQK_GRAZING_SINE 0x1p-26
/** Of the 106 bits of a double-double sum, these are left after the roundings of a determinant. */
#define SQK_DETERMINANT_ZERO 0x1p-98

/** unit (to - from), exact; `unit` is a power of two that keeps the coordinates in range. */
SQK_INLINE sqk_dd3 sqk_between(const double from[3], const double to[3], double unit)
{
  double a[3], b[3];
  for (int k = 0; k < 3; ++k)
  {
    a[k] = unit * from[k];
    b[k] = unit * to[k];
  }
  return sqk_dd3_difference(b, a);
}

SQK_INLINE void sqk_leading3(const sqk_dd3* v, double out[3])
{
  out[0] = v->x[0].hi;
  out[1] = v->x[1].hi;
  out[2] = v->x[2].hi;
}

/** Multiplies by a power of two where products of such vectors would leave the range of double. */
SQK_INLINE void sqk_to_range(sqk_dd3* v)
{
  double hi[3];
  sqk_leading3(v, hi);
  double m = sqk_largest3(hi);
  if ((m >= SQK_LENGTH_MIN && m <= SQK_LENGTH_MAX) || !(m > 0.0))
  {
    return;
  }
  double s = ldexp(1.0, m < 0x1p-1000 ? 1000 : -ilogb(m));
  for (int k = 0; k < 3; ++k)
  {
    v->x[k] = sqk_dd_make(s * v->x[k].hi, s * v->x[k].lo);
  }
}

typedef struct sqk_plane
{
  double normal[3]; /* unit; 0 where the triangle has no area */
  double
    offset; /* of the point from the plane, positive on the side of the normal; exactly 0: in the plane */
  int is_exact; /* the offset is good to rounding, else to 1e-7 of itself */
} sqk_plane;

SQK_INLINE void sqk_scaled_difference(
  const double to[3], const double from[3], double unit, double out[3])
{
  out[0] = unit * to[0] - unit * from[0];
  out[1] = unit * to[1] - unit * from[1];
  out[2] = unit * to[2] - unit * from[2];
}

SQK_INLINE void sqk_set_plane(
  const double n[3], double area, double offset, int is_exact, sqk_plane* p)
{
  double scale = area > 0.0 ? 1.0 / area : 0.0;
  p->normal[0] = scale * n[0];
  p->normal[1] = scale * n[1];
  p->normal[2] = scale * n[2];
  p->offset = area > 0.0 ? offset / area : 0.0;
  p->is_exact = is_exact;
}

SQK_INLINE void sqk_plane_exactly(const double a[3], const double b[3], const double c[3],
  const double base[3], const double x[3], double unit, sqk_plane* p)
{
  sqk_dd3 u = sqk_between(a, b, unit), v = sqk_between(a, c, unit), r = sqk_between(base, x, unit);
  double uh[3], vh[3], rh[3], n[3];
  sqk_to_range(&u);
  sqk_to_range(&v);
  sqk_leading3(&u, uh);
  sqk_leading3(&v, vh);
  sqk_leading3(&r, rh);
  double lengths = sqrt(sqk_dot3(uh, uh)) * sqrt(sqk_dot3(vh, vh));
  double reach = sqrt(sqk_dot3(rh, rh));
  sqk_dd3 exact = sqk_dd3_cross(&u, &v);
  sqk_leading3(&exact, n);
  double offset = sqk_dd3_dot(&exact, &r).hi;
  offset = fabs(offset) > SQK_DETERMINANT_ZERO * lengths * reach ? offset : 0.0;
  sqk_set_plane(n, sqrt(sqk_dot3(n, n)), offset, 1, p);
}

/** The plane of triangle a, b, c and the point x seen from `base`, which lies in the plane. In units; see sqk_between(). */
SQK_INLINE void sqk_plane_of(const double a[3], const double b[3], const double c[3],
  const double base[3], const double x[3], double unit, sqk_plane* p)
{
  double u[3], v[3], r[3], n[3];
  sqk_scaled_difference(b, a, unit, u);
  sqk_scaled_difference(c, a, unit, v);
  sqk_scaled_difference(x, base, unit, r);
  sqk_cross3(u, v, n);
  double lengths2 = sqk_dot3(u, u) * sqk_dot3(v, v);
  double area2 = sqk_dot3(n, n);
  double offset = sqk_dot3(n, r);
  int is_fair = lengths2 > SQK_LENGTH_MIN && lengths2 < SQK_LENGTH_MAX &&
    area2 > SQK_NEEDLE_SINE * SQK_NEEDLE_SINE * lengths2 &&
    offset * offset > SQK_GRAZING_SINE * SQK_GRAZING_SINE * lengths2 * sqk_dot3(r, r);
  if (is_fair)
  {
    sqk_set_plane(n, sqrt(area2), offset, 0, p);
  }
  else
  {
    sqk_plane_exactly(a, b, c, base, x, unit, p);
  }
}

/** The unit normal alone, 0 where the edges are parallel. */
SQK_INLINE void sqk_unit_normal(sqk_dd3 u, sqk_dd3 v, double normal[3])
{
  double uh[3], vh[3];
  sqk_to_range(&u);
  sqk_to_range(&v);
  sqk_leading3(&u, uh);
  sqk_leading3(&v, vh);
  sqk_cross3(uh, vh, normal);
  double lengths = sqrt(sqk_dot3(uh, uh)) * sqrt(sqk_dot3(vh, vh));
  double area = sqrt(sqk_dot3(normal, normal));
  if (!(area > SQK_NEEDLE_SINE * lengths))
  {
    sqk_dd3 exact = sqk_dd3_cross(&u, &v);
    sqk_leading3(&exact, normal);
    area = sqrt(sqk_dot3(normal, normal));
  }
  for (int k = 0; k < 3; ++k)
  {
    normal[k] = area > 0.0 ? normal[k] / area : 0.0;
  }
}

#endif
