#ifndef SQK_SEGMENT_H
#define SQK_SEGMENT_H
/**
 * A segment a + t (b - a), 0 <= t <= 1, against a point, a segment, a triangle and a box.
 *
 * Coordinates are at most about 1. Which side a point lies on is exact (sqk_orient3d.h), so a segment that passes through a
 * common edge or corner of triangles meets at least one of them. Closest points of segments: Ericson, "Real-Time Collision
 * Detection", 2005, sections 5.1.2 and 5.1.9, with the ends tried as well, which settles parallel ones.
 */
#include "sqk_orient3d.h"
#include "sqk_triangle.h"

typedef struct sqk_segment
{
  double a[3];
  double b[3];
  double d[3]; /* b - a */
  double tolerance; /* how far beside a triangle, or from a segment or point, still counts */
} sqk_segment;

/** Distances of coordinates of at most 1 that differ by no more are equal: 16 epsilon. */
#define SQK_SEGMENT_SAME 0x1p-48

SQK_INLINE void sqk_segment_set(
  const double a[3], const double b[3], double tolerance, sqk_segment* s)
{
  sqk_set3(a, s->a);
  sqk_set3(b, s->b);
  sqk_sub3(b, a, s->d);
  s->tolerance = tolerance;
}

/** The parameter in 0 to 1 of the point of p + t d nearest to x. */
SQK_INLINE double sqk_segment_project(const double p[3], const double d[3], const double x[3])
{
  double r[3];
  double d2 = sqk_dot3(d, d);
  sqk_sub3(x, p, r);
  double t = d2 > 0.0 ? sqk_dot3(r, d) / d2 : 0.0;
  return t > 0.0 ? fmin(t, 1.0) : 0.0;
}

/** Distance between p + t d and q + u e. */
SQK_INLINE double sqk_segment_gap(
  const double p[3], double t, const double d[3], const double q[3], double u, const double e[3])
{
  double x[3], y[3], r[3];
  sqk_madd3(p, t, d, x);
  sqk_madd3(q, u, e, y);
  sqk_sub3(x, y, r);
  return sqrt(sqk_dot3(r, r));
}

/** Where the segment is nearest to x; HUGE_VAL if it is not within the tolerance. */
SQK_INLINE double sqk_segment_meets_point(const sqk_segment* s, const double x[3])
{
  const double still[3] = { 0.0, 0.0, 0.0 };
  double t = sqk_segment_project(s->a, s->d, x);
  return sqk_segment_gap(s->a, t, s->d, x, 0.0, still) <= s->tolerance ? t : HUGE_VAL;
}

/** A place where two segments may be nearest. */
typedef struct sqk_segment_place
{
  double t;
  double gap;
} sqk_segment_place;

/** The places: the common perpendicular, and each end of either with its nearest point of the other. */
SQK_INLINE void sqk_segment_places(
  const sqk_segment* s, const double p[3], const double q[3], sqk_segment_place place[5])
{
  double e[3], r[3];
  sqk_sub3(q, p, e);
  sqk_sub3(s->a, p, r);
  double a = sqk_dot3(s->d, s->d), b = sqk_dot3(s->d, e), c = sqk_dot3(e, e);
  double f = sqk_dot3(s->d, r), g = sqk_dot3(e, r);
  double det = a * c - b * b;
  double t[5] = { det > 0.0 ? (b * g - c * f) / det : 0.0, 0.0, 1.0,
    sqk_segment_project(s->a, s->d, p), sqk_segment_project(s->a, s->d, q) };
  t[0] = t[0] > 0.0 ? fmin(t[0], 1.0) : 0.0;
  for (int i = 0; i < 5; ++i)
  {
    double x[3];
    sqk_madd3(s->a, t[i], s->d, x);
    double u = i < 3 ? sqk_segment_project(p, e, x) : i - 3.0;
    /* Once to and fro, so that rounding of the perpendicular does not stay. */
    if (i == 0)
    {
      double y[3];
      sqk_madd3(p, u, e, y);
      t[0] = sqk_segment_project(s->a, s->d, y);
      sqk_madd3(s->a, t[0], s->d, x);
      u = sqk_segment_project(p, e, x);
    }
    place[i].t = t[i];
    place[i].gap = sqk_segment_gap(s->a, t[i], s->d, p, u, e);
  }
}

/** Where the segment is nearest to the segment pq, first; HUGE_VAL if it is not within the tolerance. */
SQK_INLINE double sqk_segment_meets_segment(
  const sqk_segment* s, const double p[3], const double q[3])
{
  sqk_segment_place place[5];
  double least = HUGE_VAL, t = HUGE_VAL;
  sqk_segment_places(s, p, q, place);
  for (int i = 0; i < 5; ++i)
  {
    least = fmin(least, place[i].gap);
  }
  for (int i = 0; i < 5; ++i)
  {
    t = place[i].gap <= least + SQK_SEGMENT_SAME ? fmin(t, place[i].t) : t;
  }
  return least <= s->tolerance ? t : HUGE_VAL;
}

/** The parameter at the plane of a triangle with a and b on its two sides; corners in lexicographic order. */
SQK_INLINE double sqk_segment_at_plane(const sqk_segment* s, const double* const p[3])
{
  sqk_dd3 u = sqk_dd3_difference(p[1], p[0]), v = sqk_dd3_difference(p[2], p[0]);
  sqk_dd3 ra = sqk_dd3_difference(s->a, p[0]), rb = sqk_dd3_difference(s->b, p[0]);
  sqk_dd3 normal = sqk_dd3_cross(&u, &v);
  sqk_dd above = sqk_dd3_dot(&normal, &ra);
  sqk_dd across = sqk_dd_sub(above, sqk_dd3_dot(&normal, &rb));
  double t = across.hi != 0.0 ? sqk_dd_div(above, across).hi : 0.0;
  return t > 0.0 ? fmin(t, 1.0) : 0.0;
}

/** Whether x is within `limit` of the triangle. */
SQK_INLINE int sqk_triangle_is_near(const double* const p[3], const double x[3], double limit)
{
  for (int k = 0; k < 3; ++k)
  {
    if (x[k] > fmax(p[0][k], fmax(p[1][k], p[2][k])) + limit ||
      x[k] < fmin(p[0][k], fmin(p[1][k], p[2][k])) - limit)
    {
      return 0;
    }
  }
  sqk_closest closest;
  sqk_closest_on_triangle(x, p[0], p[1], p[2], HUGE_VAL, &closest);
  return closest.distance2 <= limit * limit;
}

/** The segment in the plane of the triangle, or against one without area. */
SQK_INLINE double sqk_segment_within_plane(const sqk_segment* s, const double* const p[3])
{
  if (sqk_triangle_is_near(p, s->a, s->tolerance))
  {
    return 0.0;
  }
  double t = sqk_segment_meets_segment(s, p[0], p[1]);
  t = fmin(t, sqk_segment_meets_segment(s, p[0], p[2]));
  return fmin(t, sqk_segment_meets_segment(s, p[1], p[2]));
}

SQK_INLINE void sqk_segment_order(const double** p, int i, int j)
{
  if (sqk_before3(p[j], p[i]))
  {
    const double* held = p[i];
    p[i] = p[j];
    p[j] = held;
  }
}

/**
 * Where the segment meets the triangle; HUGE_VAL if it does not. The order of the corners changes no bit.
 */
SQK_INLINE double sqk_segment_meets_triangle(
  const sqk_segment* s, const double a[3], const double b[3], const double c[3])
{
  const double* p[3] = { a, b, c };
  sqk_segment_order(p, 0, 1);
  sqk_segment_order(p, 1, 2);
  sqk_segment_order(p, 0, 1);
  int from = sqk_orient3d(p[0], p[1], p[2], s->a), to = sqk_orient3d(p[0], p[1], p[2], s->b);
  if (from == 0 && to == 0)
  {
    return sqk_segment_within_plane(s, (const double* const*)p);
  }
  if (from * to > 0)
  {
    return HUGE_VAL;
  }
  int i = sqk_orient3d(s->a, s->b, p[0], p[1]), j = sqk_orient3d(s->a, s->b, p[1], p[2]);
  int k = sqk_orient3d(s->a, s->b, p[2], p[0]);
  double t = from == 0 ? 0.0 : to == 0 ? 1.0 : sqk_segment_at_plane(s, (const double* const*)p);
  if ((i >= 0 && j >= 0 && k >= 0) || (i <= 0 && j <= 0 && k <= 0))
  {
    return t;
  }
  double x[3];
  sqk_madd3(s->a, t, s->d, x);
  return sqk_triangle_is_near((const double* const*)p, x, s->tolerance) ? t : HUGE_VAL;
}

/**
 * The parameters between which the segment is within a box widened by `pad`, up to rounding to the outside; 0 where it is not.
 * Slabs: Kay and Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986.
 */
SQK_INLINE int sqk_segment_in_box(const double a[3], const double b[3], const double lo[3],
  const double hi[3], double pad, double t[2])
{
  t[0] = 0.0, t[1] = 1.0;
  for (int k = 0; k < 3; ++k)
  {
    double d = b[k] - a[k];
    /* Each bound, their difference to a and d are off by half an ulp each. */
    double reach = fmax(fabs(a[k]), fabs(b[k]));
    double slack = pad + 0x1p-50 * fmax(reach, fmax(fabs(lo[k]), fabs(hi[k])));
    double below = (lo[k] - a[k]) - slack, above = (hi[k] - a[k]) + slack;
    if (below > fmax(d, 0.0) || above < fmin(d, 0.0))
    {
      return 0;
    }
    if (fabs(d) > 0.0)
    {
      double near = (d > 0.0 ? below : above) / d, far = (d > 0.0 ? above : below) / d;
      t[0] = near > t[0] ? near : t[0];
      t[1] = far < t[1] ? far : t[1];
    }
  }
  return t[0] <= t[1] + 0x1p-50;
}

#endif
