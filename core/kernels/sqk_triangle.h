#ifndef SQK_TRIANGLE_H
#define SQK_TRIANGLE_H
/**
 * The point of a triangle closest to a query, in double.
 *
 * Coordinates are scaled by the caller so that the largest is about 1. `far2` is the square of the largest power of two that
 * is at most the largest coordinate of scene and query: vectors up to that length keep the distance within 4 ulp of
 * that coordinate in plain double; what is longer is measured in double-double. So are the insides of needles,
 * whose normal double does not give.
 *
 * The corners are put in lexicographic order first, and a corner or edge is measured by a function of it and the query
 * alone. So the order given changes no bit of the distance, and triangles that share a corner or edge get the same
 * bits from it. A query over the edge, as far as double can tell, is the edge's and not that of the inside of either
 * triangle, so that such a tie is one.
 *
 * Regions: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.
 */
#include "sqk_double_double.h"
#include "sqk_vector.h"

/** Below this height, as a fraction of the longest edge and squared, a triangle is a needle. */
#define SQK_NEEDLE2 0.01
/** Square of 8 * 2^-53: how far a foot in the plane is off, as a fraction of the distance to the farthest corner. */
#define SQK_FOOT_ERROR2 0x1p-100
/** Distances this close, squared and relative, are equal: 8 * 2^-53. */
#define SQK_SAME2 0x1p-50

typedef struct sqk_closest
{
  double distance2;
  double offset[3]; /* from the query to the closest point; not set for a corner */
  double weight[3]; /* of the corners; exactly 0 off the feature */
  int
    feature; /* 0 to 2: a corner, 3 to 5: the edge from corner feature - 3 to the next, 6: inside */
} sqk_closest;

/** A triangle as seen from the query, its corners in lexicographic order. Edge 0 is 01, edge 1 is 02, edge 2 is 12. */
typedef struct sqk_seen
{
  const double* x;
  const double* corner[3];
  int number[3]; /* of the corners as given */
  double to[3][3]; /* from the query to the corners */
  double to2[3];
  double edge[3][3];
  double edge2[3];
  double
    from_first[3]; /* how far along the edge the query's foot is from its ends, times its length */
  double from_last[3];
  double far2;
} sqk_seen;

/** First and last corner of an edge. */
SQK_INLINE int sqk_first(int edge)
{
  return edge == 2;
}

SQK_INLINE int sqk_last(int edge)
{
  return edge == 0 ? 1 : 2;
}

SQK_INLINE void sqk_order_two(sqk_seen* s, int i, int j)
{
  if (sqk_before3(s->corner[j], s->corner[i]))
  {
    const double* p = s->corner[i];
    int n = s->number[i];
    s->corner[i] = s->corner[j];
    s->number[i] = s->number[j];
    s->corner[j] = p;
    s->number[j] = n;
  }
}

SQK_INLINE void sqk_see(
  const double x[3], const double a[3], const double b[3], const double c[3], sqk_seen* s)
{
  s->x = x;
  s->corner[0] = a, s->corner[1] = b, s->corner[2] = c;
  s->number[0] = 0, s->number[1] = 1, s->number[2] = 2;
  sqk_order_two(s, 0, 1);
  sqk_order_two(s, 1, 2);
  sqk_order_two(s, 0, 1);
  for (int i = 0; i < 3; ++i)
  {
    sqk_sub3(s->corner[i], x, s->to[i]);
    s->to2[i] = sqk_dot3(s->to[i], s->to[i]);
  }
  for (int e = 0; e < 3; ++e)
  {
    sqk_sub3(s->corner[sqk_last(e)], s->corner[sqk_first(e)], s->edge[e]);
    s->edge2[e] = sqk_dot3(s->edge[e], s->edge[e]);
    s->from_first[e] = -sqk_dot3(s->to[sqk_first(e)], s->edge[e]);
    s->from_last[e] = sqk_dot3(s->to[sqk_last(e)], s->edge[e]);
  }
}

SQK_INLINE void sqk_take_corner(const sqk_seen* s, int i, sqk_closest* out)
{
  out->distance2 = s->to2[i];
  if (s->to2[i] > s->far2)
  {
    sqk_dd3 exact = sqk_dd3_difference(s->corner[i], s->x);
    out->distance2 = sqk_dd3_dot(&exact, &exact).hi;
  }
  out->weight[0] = out->weight[1] = out->weight[2] = 0.0;
  out->weight[s->number[i]] = 1.0;
  out->feature = s->number[i];
}

/**
 * The foot on the line of an edge from its nearer end, weight t of the other: exact but for t, then moved into its place.
 * Returns the better t.
 */
SQK_INLINE double sqk_foot_double_double(
  const sqk_seen* s, int near, int other, double t, sqk_closest* out)
{
  sqk_dd3 r = sqk_dd3_difference(s->corner[near], s->x);
  sqk_dd3 e = sqk_dd3_difference(s->corner[other], s->corner[near]);
  double along = 0.0;
  double e2 = 0.0;
  r = sqk_dd3_madd(&r, sqk_dd_make(t, 0.0), &e);
  for (int d = 0; d < 3; ++d)
  {
    along += r.x[d].hi * e.x[d].hi;
    e2 += e.x[d].hi * e.x[d].hi;
  }
  r = sqk_dd3_madd(&r, sqk_dd_make(-along / e2, 0.0), &e);
  out->distance2 = sqk_dd3_dot(&r, &r).hi;
  for (int d = 0; d < 3; ++d)
  {
    out->offset[d] = r.x[d].hi;
  }
  return t - along / e2;
}

/** The same in double: of r, which ends about on the line, only the part across it counts. */
SQK_INLINE double sqk_foot(
  const double to_near[3], const double e[3], double e2, double t, sqk_closest* out)
{
  double r[3], across[3];
  sqk_madd3(to_near, t, e, r);
  sqk_cross3(r, e, across);
  out->distance2 = sqk_dot3(across, across) / e2;
  double along = sqk_dot3(r, e) / e2;
  sqk_madd3(r, -along, e, out->offset);
  return t - along;
}

/** The foot on an edge, which must lie between its ends. */
SQK_INLINE void sqk_take_edge(const sqk_seen* s, int e, sqk_closest* out)
{
  int first = sqk_first(e);
  int last = sqk_last(e);
  int near_first = s->to2[first] <= s->to2[last];
  int near = near_first ? first : last;
  int other = near_first ? last : first;
  double t = (near_first ? s->from_first[e] : s->from_last[e]) / s->edge2[e];
  if (s->to2[other] > s->far2)
  {
    t = sqk_foot_double_double(s, near, other, t, out);
  }
  else
  {
    t = fabs(sqk_foot(s->to[near], s->edge[e], s->edge2[e], near_first ? t : -t, out));
  }
  int i = s->number[first];
  int j = s->number[last];
  out->weight[0] = out->weight[1] = out->weight[2] = 0.0;
  out->weight[s->number[near]] = 1.0 - t;
  out->weight[s->number[other]] = t;
  out->feature = 3 + ((i + 1) % 3 == j ? i : j);
}

SQK_INLINE void sqk_set_inside(const sqk_seen* s, const double weight[3], sqk_closest* out)
{
  for (int i = 0; i < 3; ++i)
  {
    out->weight[s->number[i]] = weight[i];
  }
  out->feature = 6;
}

SQK_INLINE void sqk_set_height(sqk_dd volume, const sqk_dd3* n, sqk_dd n2, sqk_closest* out)
{
  sqk_dd height = sqk_dd_div(volume, n2);
  out->distance2 = sqk_dd_mul(height, volume).hi;
  for (int d = 0; d < 3; ++d)
  {
    out->offset[d] = sqk_dd_mul(height, n->x[d]).hi;
  }
}

SQK_INLINE double sqk_clamp(double x, double most)
{
  return x > 0.0 ? (x < most ? x : most) : 0.0;
}

/** A triangle over its longest edge ab; m is the part of ac across ab, `slope` the part along it in units of ab. */
typedef struct sqk_based
{
  int a, b, c;
  const double* ab;
  double ab2;
  double ac[3];
  double m[3];
  double slope;
} sqk_based;

SQK_INLINE sqk_based sqk_base(const sqk_seen* s, int longest)
{
  sqk_based t;
  t.a = sqk_first(longest);
  t.b = sqk_last(longest);
  t.c = 3 - t.a - t.b;
  t.ab = s->edge[longest];
  t.ab2 = s->edge2[longest];
  sqk_sub3(s->corner[t.c], s->corner[t.a], t.ac);
  t.slope = sqk_dot3(t.ac, t.ab) / t.ab2;
  sqk_madd3(t.ac, -t.slope, t.ab, t.m);
  return t;
}

/** Corrects the weights v of b and w of c by what their foot, r from the query, is off from `offset`. */
SQK_INLINE void sqk_set_weights(
  const sqk_seen* s, const sqk_based* t, double v, double w, const double r[3], sqk_closest* out)
{
  double weight[3], off[3];
  sqk_sub3(out->offset, r, off);
  double dw = sqk_dot3(off, t->m) / sqk_dot3(t->m, t->m);
  double dv = sqk_dot3(off, t->ab) / t->ab2 - dw * t->slope;
  weight[t->c] = sqk_clamp(w + dw, 1.0);
  weight[t->b] = sqk_clamp(v + dv, 1.0 - weight[t->c]);
  weight[t->a] = 1.0 - weight[t->c] - weight[t->b];
  sqk_set_inside(s, weight, out);
}

SQK_INLINE void sqk_take_inside_double_double(
  const sqk_seen* s, const sqk_based* t, double v, double w, sqk_closest* out)
{
  double foot[3];
  sqk_dd3 to = sqk_dd3_difference(s->corner[t->a], s->x);
  sqk_dd3 ab = sqk_dd3_difference(s->corner[t->b], s->corner[t->a]);
  sqk_dd3 ac = sqk_dd3_difference(s->corner[t->c], s->corner[t->a]);
  sqk_dd3 n = sqk_dd3_cross(&ab, &ac);
  sqk_set_height(sqk_dd3_dot(&n, &to), &n, sqk_dd3_dot(&n, &n), out);
  sqk_dd3 r = sqk_dd3_madd(&to, sqk_dd_make(w, 0.0), &ac);
  r = sqk_dd3_madd(&r, sqk_dd_make(v, 0.0), &ab);
  for (int d = 0; d < 3; ++d)
  {
    foot[d] = r.x[d].hi;
  }
  sqk_set_weights(s, t, v, w, foot, out);
}

/** The foot in the plane; `w` is the weight of the corner off the longest edge. */
SQK_INLINE void sqk_take_inside(
  const sqk_seen* s, int longest, double w, double n[3], sqk_closest* out)
{
  double r[3];
  sqk_based t = sqk_base(s, longest);
  sqk_madd3(s->to[t.a], w, t.ac, r);
  double v = -sqk_dot3(r, t.ab) / t.ab2;
  if (s->to2[0] > s->far2 || s->to2[1] > s->far2 || s->to2[2] > s->far2)
  {
    sqk_take_inside_double_double(s, &t, v, w, out);
    return;
  }
  sqk_madd3(r, v, t.ab, r);
  /* Only the part along the normal counts: what the foot is off in the plane does not matter, and a query in the plane gets
   * 0. Divided by its largest component, the normal of a plane across an axis is exact. */
  double largest = sqk_largest3(n);
  n[0] /= largest;
  n[1] /= largest;
  n[2] /= largest;
  double n2 = sqk_dot3(n, n);
  double height = sqk_dot3(n, r);
  out->distance2 = height * height / n2;
  out->offset[0] = height / n2 * n[0];
  out->offset[1] = height / n2 * n[1];
  out->offset[2] = height / n2 * n[2];
  sqk_set_weights(s, &t, v, w, r, out);
}

/** The nearest of the three edges, ends included. */
SQK_INLINE void sqk_take_nearest_edge(const sqk_seen* s, sqk_closest* out)
{
  out->distance2 = HUGE_VAL;
  for (int e = 0; e < 3; ++e)
  {
    sqk_closest c;
    if (!(s->from_first[e] > 0.0))
    {
      sqk_take_corner(s, sqk_first(e), &c);
    }
    else if (!(s->from_last[e] > 0.0))
    {
      sqk_take_corner(s, sqk_last(e), &c);
    }
    else
    {
      sqk_take_edge(s, e, &c);
    }
    if (c.distance2 < out->distance2)
    {
      *out = c;
    }
  }
}

/**
 * The inside of a needle, in double-double; 0 where the query is not over it. The weight of the corner c off the longest edge ab
 * follows from the normal; those of a and b then from the foot on that edge, which is well conditioned however
 * thin the triangle is.
 */
SQK_INLINE int sqk_take_needle(const sqk_seen* s, int longest, sqk_closest* out)
{
  int a = sqk_first(longest);
  int b = sqk_last(longest);
  int c = 3 - a - b;
  sqk_dd3 to_a = sqk_dd3_difference(s->corner[a], s->x);
  sqk_dd3 ab = sqk_dd3_difference(s->corner[b], s->corner[a]);
  sqk_dd3 ac = sqk_dd3_difference(s->corner[c], s->corner[a]);
  sqk_dd3 n = sqk_dd3_cross(&ab, &ac);
  sqk_dd n2 = sqk_dd3_dot(&n, &n);
  if (!(n2.hi > 0.0))
  {
    return 0;
  }
  sqk_dd3 side = sqk_dd3_cross(&to_a, &ab);
  sqk_dd w = sqk_dd_div(sqk_dd3_dot(&n, &side), n2);
  sqk_dd3 r = sqk_dd3_madd(&to_a, w, &ac);
  sqk_dd v = sqk_dd_negate(sqk_dd_div(sqk_dd3_dot(&r, &ab), sqk_dd3_dot(&ab, &ab)));
  sqk_dd u = sqk_dd_sub(sqk_dd_sub(sqk_dd_make(1.0, 0.0), v), w);
  if (!sqk_dd_positive(u) || !sqk_dd_positive(v) || !sqk_dd_positive(w))
  {
    return 0;
  }
  double weight[3];
  weight[a] = u.hi;
  weight[b] = v.hi;
  weight[c] = w.hi;
  sqk_set_inside(s, weight, out);
  r = sqk_dd3_madd(&r, v, &ab);
  sqk_set_height(sqk_dd3_dot(&n, &r), &n, n2, out);
  return 1;
}

/** Weights of the corners, times n2, from the side of each edge that the query is on. */
SQK_INLINE void sqk_sides(const sqk_seen* s, const double n[3], double side[3])
{
  double c[3];
  sqk_cross3(s->to[1], s->edge[2], c);
  side[0] = sqk_dot3(n, c);
  sqk_cross3(s->edge[1], s->to[0], c);
  side[1] = sqk_dot3(n, c);
  sqk_cross3(s->to[0], s->edge[0], c);
  side[2] = sqk_dot3(n, c);
}

/** A query that is no corner's, over a triangle that is no needle, of normal n. */
SQK_INLINE void sqk_take_edge_or_inside(
  const sqk_seen* s, int longest, double n[3], double n2, sqk_closest* out)
{
  double side[3];
  double reach2 = s->to2[1] > s->to2[0] ? s->to2[1] : s->to2[0];
  int inside = 1;
  reach2 = (s->to2[2] > reach2 ? s->to2[2] : reach2) * SQK_FOOT_ERROR2 * n2;
  sqk_sides(s, n, side);
  out->distance2 = HUGE_VAL;
  for (int e = 0; e < 3; ++e)
  {
    double opposite = side[2 - e];
    inside = inside && opposite > 0.0;
    if ((opposite < 0.0 || opposite * opposite <= reach2 * s->edge2[e]) && s->from_first[e] > 0.0 &&
      s->from_last[e] > 0.0)
    {
      sqk_closest c;
      sqk_take_edge(s, e, &c);
      if (c.distance2 < out->distance2)
      {
        *out = c;
      }
    }
  }
  if (inside)
  {
    sqk_closest c;
    sqk_take_inside(s, longest, side[2 - longest] / n2, n, &c);
    if (out->distance2 > c.distance2 * (1.0 + SQK_SAME2))
    {
      *out = c;
    }
  }
  else if (!(out->distance2 < HUGE_VAL))
  {
    sqk_take_nearest_edge(s, out);
  }
}

/** Any triangle; one of zero area is its segments, one of equal corners a point. */
SQK_INLINE void sqk_closest_on_triangle(const double x[3], const double a[3], const double b[3],
  const double c[3], double far2, sqk_closest* out)
{
  sqk_seen s;
  s.far2 = far2;
  sqk_see(x, a, b, c, &s);
  if (!(s.from_first[0] > 0.0) && !(s.from_first[1] > 0.0))
  {
    sqk_take_corner(&s, 0, out);
    return;
  }
  if (!(s.from_last[0] > 0.0) && !(s.from_first[2] > 0.0))
  {
    sqk_take_corner(&s, 1, out);
    return;
  }
  if (!(s.from_last[1] > 0.0) && !(s.from_last[2] > 0.0))
  {
    sqk_take_corner(&s, 2, out);
    return;
  }
  double n[3];
  sqk_cross3(s.edge[0], s.edge[1], n);
  double n2 = sqk_dot3(n, n);
  int longest = s.edge2[1] > s.edge2[0] ? 1 : 0;
  longest = s.edge2[2] > s.edge2[longest] ? 2 : longest;
  if (n2 > SQK_NEEDLE2 * s.edge2[longest] * s.edge2[longest])
  {
    sqk_take_edge_or_inside(&s, longest, n, n2, out);
  }
  else if (!sqk_take_needle(&s, longest, out))
  {
    sqk_take_nearest_edge(&s, out);
  }
}

#endif
