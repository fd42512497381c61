#ifndef SQK_TRIANGLE_H
#define SQK_TRIANGLE_H
/**
 * The point of a triangle closest to a query, in double.
 *
 * Coordinates are scaled by the caller so that the largest is about 1. `far2` is the square of the largest power of two that
 * is at most the largest coordinate of scene and query: vectors up to that length keep the distance within 4 ulp of
 * that coordinate in plain double; what is longer is computed in double-double. So are the insides of needles,
 * whose normal double does not give.
 *
 * Edges and corners are evaluated by functions of the edge or corner and the query alone, an edge from its
 * lexicographically smaller end, so that triangles which share one get the same bits from it.
 */
#include "sqk_double_double.h"
#include "sqk_vector.h"

/** Below this height, as a fraction of the longest edge and squared, a triangle is a needle. */
#define SQK_NEEDLE2 0.01

typedef struct sqk_closest
{
  double distance2;
  double offset[3]; /* from the query to the closest point; not set for a corner */
  double weight[3]; /* of the corners; exactly 0 off the feature */
  int
    feature; /* 0 to 2: a corner, 3 to 5: the edge from corner feature - 3 to the next, 6: inside */
} sqk_closest;

/** Closest point of a segment: `feature` 0 its first end, 1 its second, 2 between with weight t of the second. */
typedef struct sqk_on_edge
{
  double distance2;
  double offset[3];
  double t;
  int feature;
} sqk_on_edge;

SQK_INLINE double sqk_corner_distance2(const double x[3], const double p[3], double far2)
{
  double d[3];
  sqk_sub3(p, x, d);
  double d2 = sqk_dot3(d, d);
  if (d2 > far2)
  {
    sqk_dd3 exact = sqk_dd3_difference(p, x);
    d2 = sqk_dd3_dot(&exact, &exact).hi;
  }
  return d2;
}

/** The distance of r, which ends on the line along e, to the query: only its part across e counts. */
SQK_INLINE void sqk_across(const double r[3], const double e[3], double ee, sqk_on_edge* out)
{
  double cross[3];
  sqk_cross3(r, e, cross);
  out->distance2 = sqk_dot3(cross, cross) / ee;
  sqk_madd3(r, -sqk_dot3(r, e) / ee, e, out->offset);
}

SQK_INLINE void sqk_edge_double_double(
  const double x[3], const double p[3], const double q[3], double far2, sqk_on_edge* out)
{
  sqk_dd3 to_p = sqk_dd3_difference(p, x);
  sqk_dd3 e = sqk_dd3_difference(q, p);
  sqk_dd ee = sqk_dd3_dot(&e, &e);
  sqk_dd along = sqk_dd_negate(sqk_dd3_dot(&to_p, &e));
  if (!sqk_dd_positive(along))
  {
    out->feature = 0;
    out->distance2 = sqk_corner_distance2(x, p, far2);
  }
  else if (!sqk_dd_positive(sqk_dd_sub(ee, along)))
  {
    out->feature = 1;
    out->distance2 = sqk_corner_distance2(x, q, far2);
  }
  else
  {
    sqk_dd t = sqk_dd_div(along, ee);
    sqk_dd3 r = sqk_dd3_madd(&to_p, t, &e);
    out->feature = 2;
    out->t = t.hi;
    out->distance2 = sqk_dd3_dot(&r, &r).hi;
    for (int i = 0; i < 3; ++i)
    {
      out->offset[i] = r.x[i].hi;
    }
  }
}

/** The segment from p to q, which does not come before p. */
SQK_INLINE void sqk_ordered_edge(
  const double x[3], const double p[3], const double q[3], double far2, sqk_on_edge* out)
{
  double to_p[3], to_q[3], e[3], r[3];
  sqk_sub3(p, x, to_p);
  sqk_sub3(q, x, to_q);
  if (sqk_dot3(to_p, to_p) > far2 || sqk_dot3(to_q, to_q) > far2)
  {
    sqk_edge_double_double(x, p, q, far2, out);
    return;
  }
  sqk_sub3(q, p, e);
  double ee = sqk_dot3(e, e);
  double along = -sqk_dot3(to_p, e);
  if (!(along > 0.0))
  {
    out->feature = 0;
    out->distance2 = sqk_dot3(to_p, to_p);
  }
  else if (along >= ee)
  {
    out->feature = 1;
    out->distance2 = sqk_dot3(to_q, to_q);
  }
  else
  {
    out->feature = 2;
    out->t = along / ee;
    sqk_madd3(to_p, out->t, e, r);
    sqk_across(r, e, ee, out);
  }
}

/**
 * A triangle with its corners in lexicographic order, so that the order given changes no bit of the distance, and of these the
 * ends a, b of its longest edge and the corner c. The numbers are the corners as given.
 */
typedef struct sqk_sorted
{
  const double* corner[3];
  int number[3];
  int a, b, c; /* positions in `corner`, a < b */
} sqk_sorted;

SQK_INLINE void sqk_order_two(sqk_sorted* t, int i, int j)
{
  if (sqk_before3(t->corner[j], t->corner[i]))
  {
    const double* p = t->corner[i];
    int n = t->number[i];
    t->corner[i] = t->corner[j];
    t->number[i] = t->number[j];
    t->corner[j] = p;
    t->number[j] = n;
  }
}

SQK_INLINE double sqk_distance2(const double p[3], const double q[3])
{
  double d[3];
  sqk_sub3(q, p, d);
  return sqk_dot3(d, d);
}

SQK_INLINE sqk_sorted sqk_sort_corners(const double a[3], const double b[3], const double c[3])
{
  sqk_sorted t;
  t.corner[0] = a, t.corner[1] = b, t.corner[2] = c;
  t.number[0] = 0, t.number[1] = 1, t.number[2] = 2;
  sqk_order_two(&t, 0, 1);
  sqk_order_two(&t, 1, 2);
  sqk_order_two(&t, 0, 1);
  double l01 = sqk_distance2(t.corner[0], t.corner[1]);
  double l02 = sqk_distance2(t.corner[0], t.corner[2]);
  double l12 = sqk_distance2(t.corner[1], t.corner[2]);
  t.a = 0, t.b = 2, t.c = 1;
  if (l01 > l02 && l01 >= l12)
  {
    t.b = 1, t.c = 2;
  }
  else if (l12 > l02)
  {
    t.a = 1, t.c = 0;
  }
  return t;
}

SQK_INLINE void sqk_set_face(const sqk_sorted* t, double u, double v, double w, sqk_closest* out)
{
  out->weight[t->number[t->a]] = u;
  out->weight[t->number[t->b]] = v;
  out->weight[t->number[t->c]] = w;
  out->feature = 6;
}

/**
 * Whether the query lies over the inside, and if so the closest point. The weight w of c follows from the normal; the one of b
 * then from projecting on the longest edge, which is well conditioned however thin the triangle is.
 */
SQK_INLINE int sqk_face_double_double(const double x[3], const sqk_sorted* t, sqk_closest* out)
{
  const double* a = t->corner[t->a];
  sqk_dd3 to_a = sqk_dd3_difference(a, x);
  sqk_dd3 ab = sqk_dd3_difference(t->corner[t->b], a);
  sqk_dd3 ac = sqk_dd3_difference(t->corner[t->c], a);
  sqk_dd3 n = sqk_dd3_cross(&ab, &ac);
  sqk_dd nn = sqk_dd3_dot(&n, &n);
  if (!(nn.hi > 0.0))
  {
    return 0;
  }
  sqk_dd3 side = sqk_dd3_cross(&to_a, &ab);
  sqk_dd w = sqk_dd_div(sqk_dd3_dot(&n, &side), nn);
  sqk_dd3 r = sqk_dd3_madd(&to_a, w, &ac);
  sqk_dd v = sqk_dd_negate(sqk_dd_div(sqk_dd3_dot(&r, &ab), sqk_dd3_dot(&ab, &ab)));
  sqk_dd u = sqk_dd_sub(sqk_dd_sub(sqk_dd_make(1.0, 0.0), v), w);
  if (!sqk_dd_positive(u) || !sqk_dd_positive(v) || !sqk_dd_positive(w))
  {
    return 0;
  }
  r = sqk_dd3_madd(&r, v, &ab);
  sqk_dd height = sqk_dd_div(sqk_dd3_dot(&n, &r), nn);
  out->distance2 = sqk_dd_mul(height, sqk_dd3_dot(&n, &r)).hi;
  for (int i = 0; i < 3; ++i)
  {
    out->offset[i] = sqk_dd_mul(height, n.x[i]).hi;
  }
  sqk_set_face(t, u.hi, v.hi, w.hi, out);
  return 1;
}

SQK_INLINE int sqk_face(const double x[3], const sqk_sorted* t, double far2, sqk_closest* out)
{
  const double* a = t->corner[t->a];
  const double* b = t->corner[t->b];
  const double* c = t->corner[t->c];
  double to_a[3], ab[3], ac[3], n[3], side[3], r[3];
  sqk_sub3(a, x, to_a);
  sqk_sub3(b, a, ab);
  sqk_sub3(c, a, ac);
  sqk_cross3(ab, ac, n);
  double nn = sqk_dot3(n, n);
  double ll = sqk_dot3(ab, ab);
  if (nn < SQK_NEEDLE2 * ll * ll || nn <= 0.0 || sqk_distance2(x, a) > far2 ||
    sqk_distance2(x, b) > far2 || sqk_distance2(x, c) > far2)
  {
    return sqk_face_double_double(x, t, out);
  }
  sqk_cross3(to_a, ab, side);
  double w = sqk_dot3(n, side) / nn;
  sqk_madd3(to_a, w, ac, r);
  double v = -sqk_dot3(r, ab) / ll;
  double u = 1.0 - v - w;
  if (!(u > 0.0 && v > 0.0 && w > 0.0))
  {
    return 0;
  }
  sqk_madd3(r, v, ab, r);
  /* Only the part along the normal counts: what r is off in the plane does not matter, and a query in it gets 0. Divided
   * by its largest component, the normal of a plane across an axis is exact. */
  double largest = sqk_largest3(n);
  n[0] /= largest;
  n[1] /= largest;
  n[2] /= largest;
  nn = sqk_dot3(n, n);
  double height = sqk_dot3(n, r);
  out->distance2 = height * height / nn;
  out->offset[0] = height / nn * n[0];
  out->offset[1] = height / nn * n[1];
  out->offset[2] = height / nn * n[2];
  sqk_set_face(t, u, v, w, out);
  return 1;
}

/** The edge between positions i < j of the sorted corners, where it is nearer than what `out` holds. */
SQK_INLINE void sqk_try_edge(
  const double x[3], const sqk_sorted* t, int i, int j, double far2, sqk_closest* out)
{
  sqk_on_edge e;
  sqk_ordered_edge(x, t->corner[i], t->corner[j], far2, &e);
  if (!(e.distance2 < out->distance2))
  {
    return;
  }
  int from = t->number[i];
  int to = t->number[j];
  out->distance2 = e.distance2;
  out->weight[0] = out->weight[1] = out->weight[2] = 0.0;
  if (e.feature == 2)
  {
    out->feature = 3 + ((from + 1) % 3 == to ? from : to);
    out->weight[from] = 1.0 - e.t;
    out->weight[to] = e.t;
    sqk_set3(e.offset, out->offset);
  }
  else
  {
    out->feature = e.feature ? to : from;
    out->weight[out->feature] = 1.0;
  }
}

/** Any triangle; one of zero area is its segments, one of equal corners a point. */
SQK_INLINE void sqk_closest_on_triangle(const double x[3], const double a[3], const double b[3],
  const double c[3], double far2, sqk_closest* out)
{
  sqk_sorted t = sqk_sort_corners(a, b, c);
  if (sqk_face(x, &t, far2, out))
  {
    return;
  }
  out->distance2 = HUGE_VAL;
  sqk_try_edge(x, &t, 0, 1, far2, out);
  sqk_try_edge(x, &t, 0, 2, far2, out);
  sqk_try_edge(x, &t, 1, 2, far2, out);
}

#endif
