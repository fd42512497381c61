#ifndef SQK_TRIANGLE_TOUCH_H
#define SQK_TRIANGLE_TOUCH_H
/**
 * Whether two triangles that have an area meet where they should not, up to rounding: separating axes, Gottschalk, Lin and Manocha,
 * "OBBTree: a hierarchical structure for rapid interference detection", SIGGRAPH 1996, section 5, on triangles.
 */
#include "sqk_vector.h"

#define SQK_TOUCH_ULPS 8.0

typedef struct sqk_touch
{
  const double (*a)[3];
  const double (*b)[3];
  double limit; /* apart where the gap along some axis exceeds it */
} sqk_touch;

/** Whether the projections on an axis of any length leave a gap above the limit. */
SQK_INLINE int sqk_touch_apart(const sqk_touch* t, const double axis[3])
{
  double length = sqrt(sqk_dot3(axis, axis));
  if (!(length > 0.0))
  {
    return 0;
  }
  double lo[2] = { 0.0, 0.0 }, hi[2] = { 0.0, 0.0 };
  for (int k = 0; k < 6; ++k)
  {
    double from[3];
    int of_b = k >= 3;
    sqk_sub3(of_b ? t->b[k - 3] : t->a[k], t->a[0], from);
    double x = sqk_dot3(from, axis);
    lo[of_b] = x < lo[of_b] || k == 3 ? x : lo[of_b];
    hi[of_b] = x > hi[of_b] || k == 3 ? x : hi[of_b];
  }
  double gap = lo[1] - hi[0] > lo[0] - hi[1] ? lo[1] - hi[0] : lo[0] - hi[1];
  return gap > t->limit * length;
}

SQK_INLINE void sqk_triangle_edges(const double t[3][3], double edges[3][3], double normal[3])
{
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(t[(k + 1) % 3], t[k], edges[k]);
  }
  sqk_cross3(edges[0], edges[1], normal);
}

/** Along the normals of the edges within a plane. */
SQK_INLINE int sqk_touch_apart_in_plane(
  const sqk_touch* t, const double edges[3][3], const double normal[3])
{
  int apart = 0;
  for (int k = 0; k < 3 && !apart; ++k)
  {
    double axis[3];
    sqk_cross3(normal, edges[k], axis);
    apart = sqk_touch_apart(t, axis);
  }
  return apart;
}

/** A triangle with its edges and its normal, which many others are compared with. */
typedef struct sqk_touch_triangle
{
  double at[3][3];
  double edges[3][3];
  double normal[3];
  double
    limit2; /* squared distances from the plane up to the tolerance, times that of the normal */
} sqk_touch_triangle;

SQK_INLINE void sqk_touch_triangle_set(
  const double t[3][3], double tolerance, sqk_touch_triangle* out)
{
  for (int k = 0; k < 9; ++k)
  {
    out->at[k / 3][k % 3] = t[k / 3][k % 3];
  }
  sqk_triangle_edges(t, out->edges, out->normal);
  out->limit2 = tolerance * tolerance * sqk_dot3(out->normal, out->normal);
}

/**
 * How the corners of `of` lie to the plane of a triangle, with the tolerance: bit 0 some below, bit 1 some above, bit 2 some in it.
 */
SQK_INLINE int sqk_touch_sides(const sqk_touch_triangle* t, const double of[3][3])
{
  int sides = 0;
  for (int k = 0; k < 3; ++k)
  {
    double from[3];
    sqk_sub3(of[k], t->at[0], from);
    double x = sqk_dot3(from, t->normal);
    int in = x * x <= t->limit2, below = x < 0.0; /* no branches, which would be guessed wrong */
    int out = 1 - in;
    sides |= in << 2 | (out & (1 - below)) << 1 | (out & below);
  }
  return sides;
}

/**
 * Whether triangles are apart whose corners lie like this to the plane of one: those strictly on one side are; with a common corner,
 * those not on both.
 */
SQK_INLINE int sqk_touch_sides_are_apart(int sides, int shared)
{
  return shared ? sides != 4 && (sides & 3) != 3 : sides < 3;
}

/** For those that no plane of the two keeps apart. */
SQK_INLINE int sqk_touch_by_axes(
  const sqk_touch* t, const sqk_touch_triangle* a, const sqk_touch_triangle* b, int in_one_plane)
{
  int apart = sqk_touch_apart_in_plane(t, (const double(*)[3])a->edges, a->normal) ||
    sqk_touch_apart_in_plane(t, (const double(*)[3])b->edges, b->normal);
  for (int k = 0; k < 9 && !apart && !in_one_plane; ++k)
  {
    double axis[3];
    sqk_cross3(a->edges[k / 3], b->edges[k % 3], axis);
    apart = sqk_touch_apart(t, axis);
  }
  return !apart;
}

/** What sqk_triangles_touch() says of triangles that the plane of the first does not keep apart; `of_b`: sides of b to it. */
SQK_INLINE int sqk_triangles_touch_beyond(
  const sqk_touch_triangle* a, const double b[3][3], int of_b, int shared, double tolerance)
{
  sqk_touch_triangle other;
  sqk_touch_triangle_set(b, tolerance, &other);
  int of_a = sqk_touch_sides(&other, (const double(*)[3])a->at);
  int in_one_plane = shared && of_b == 4;
  if (!in_one_plane && (shared ? (of_a & 3) != 3 : of_a < 3))
  {
    return 0;
  }
  sqk_touch t = { (const double(*)[3])a->at, b, shared ? -tolerance : tolerance };
  return sqk_touch_by_axes(&t, a, &other, in_one_plane);
}

/**
 * 1 where triangles without a common corner (`shared` 0) have a point in common, and where those with some (`shared` 1) have
 * more in common than corners and edges: a segment inside, or an area. The tolerance, a length, widens the first and narrows the
 * second; gaps of SQK_TOUCH_ULPS units in the last place of the largest coordinate are none, as distances are not told apart there.
 * a has been set with that tolerance.
 */
SQK_INLINE int sqk_triangles_touch(
  const sqk_touch_triangle* a, const double b[3][3], int shared, double tolerance)
{
  int of_b = sqk_touch_sides(a, b);
  return !sqk_touch_sides_are_apart(of_b, shared) &&
    sqk_triangles_touch_beyond(a, b, of_b, shared, tolerance);
}

#endif
