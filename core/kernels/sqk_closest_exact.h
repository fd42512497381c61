#ifndef SQK_CLOSEST_EXACT_H
#define SQK_CLOSEST_EXACT_H
/**
 * Which feature of a triangle is closest to a point, in double-double relative to the point: right to 1e-30 of the lengths however
 * near the point is. About ten times the work of sqk_closest_on_triangle(), for the few queries that need it.
 */
#include "sqk_plane.h"

typedef struct sqk_exact_closest
{
  double distance2; /* in squared units */
  double weight[3]; /* of the corners; exactly 0 off the feature */
  int
    feature; /* 0 to 2: a corner, 3 to 5: the edge from corner feature - 3 to the next, 6: inside */
} sqk_exact_closest;

SQK_INLINE void sqk_exact_set(
  double distance2, double u, double v, double w, int feature, sqk_exact_closest* out)
{
  out->distance2 = distance2;
  out->weight[0] = u;
  out->weight[1] = v;
  out->weight[2] = w;
  out->feature = feature;
}

/** Edge k with ends at p and p + e from the point; takes its closest point where that is nearer than `out`. */
SQK_INLINE void sqk_exact_edge(int k, const sqk_dd3* p, const sqk_dd3* e, sqk_exact_closest* out)
{
  sqk_dd along = sqk_dd_negate(sqk_dd3_dot(p, e));
  sqk_dd length2 = sqk_dd3_dot(e, e);
  sqk_dd t = sqk_dd_make(0.0, 0.0);
  int feature = k;
  if (sqk_dd_positive(along))
  {
    int is_end = !sqk_dd_positive(sqk_dd_sub(length2, along));
    t = is_end ? sqk_dd_make(1.0, 0.0) : sqk_dd_div(along, length2);
    feature = is_end ? (k + 1) % 3 : k + 3;
  }
  sqk_dd3 r = sqk_dd3_madd(p, t, e);
  double distance2 = sqk_dd3_dot(&r, &r).hi;
  if (distance2 < out->distance2)
  {
    sqk_exact_set(distance2, 0.0, 0.0, 0.0, feature, out);
    out->weight[k] = 1.0 - t.hi;
    out->weight[(k + 1) % 3] = t.hi;
  }
}

/** The inside, where the point is over it. `a` is corner 0 from the point, u and v are the edges from there. */
SQK_INLINE void sqk_exact_face(
  const sqk_dd3* a, const sqk_dd3* u, const sqk_dd3* v, sqk_exact_closest* out)
{
  sqk_dd3 n = sqk_dd3_cross(u, v);
  sqk_dd area2 = sqk_dd3_dot(&n, &n);
  sqk_dd3 p = sqk_dd3_cross(v, a), q = sqk_dd3_cross(a, u);
  sqk_dd of_b = sqk_dd3_dot(&n, &p), of_c = sqk_dd3_dot(&n, &q);
  sqk_dd of_a = sqk_dd_sub(sqk_dd_sub(area2, of_b), of_c);
  if (!(area2.hi > 0.0) || !sqk_dd_positive(of_a) || !sqk_dd_positive(of_b) ||
    !sqk_dd_positive(of_c))
  {
    return;
  }
  double height = sqk_dd3_dot(&n, a).hi;
  double distance2 = height * (height / area2.hi);
  if (distance2 < out->distance2)
  {
    sqk_exact_set(distance2, of_a.hi / area2.hi, of_b.hi / area2.hi, of_c.hi / area2.hi, 6, out);
  }
}

/** Any triangle; coordinates times `unit` are in range. */
SQK_INLINE void sqk_closest_exactly(const double x[3], const double a[3], const double b[3],
  const double c[3], double unit, sqk_exact_closest* out)
{
  sqk_dd3 to_a = sqk_between(x, a, unit), to_b = sqk_between(x, b, unit);
  sqk_dd3 to_c = sqk_between(x, c, unit);
  sqk_dd3 ab = sqk_between(a, b, unit), bc = sqk_between(b, c, unit), ca = sqk_between(c, a, unit);
  sqk_dd3 ac = sqk_between(a, c, unit);
  sqk_exact_set(HUGE_VAL, 0.0, 0.0, 0.0, 0, out);
  sqk_exact_edge(0, &to_a, &ab, out);
  sqk_exact_edge(1, &to_b, &bc, out);
  sqk_exact_edge(2, &to_c, &ca, out);
  sqk_exact_face(&to_a, &ab, &ac, out);
}

#endif
