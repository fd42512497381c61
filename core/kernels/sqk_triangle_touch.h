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

/**
 * How the corners of `of` lie to the plane of a triangle with one corner at `at`, with `tolerance`: bit 0 some below, bit 1 some above,
 * bit 2 some in it.
 */
SQK_INLINE int sqk_touch_sides(
  const double at[3], const double normal[3], const double of[3][3], double tolerance)
{
  double limit2 = tolerance * tolerance * sqk_dot3(normal, normal);
  int sides = 0;
  for (int k = 0; k < 3; ++k)
  {
    double from[3];
    sqk_sub3(of[k], at, from);
    double x = sqk_dot3(from, normal);
    sides |= x * x <= limit2 ? 4 : x < 0.0 ? 1 : 2;
  }
  return sides;
}

/** The rest of sqk_triangles_touch(), for those that no plane of the two keeps apart. */
SQK_INLINE int sqk_touch_by_axes(const sqk_touch* t, const double ea[3][3], const double na[3],
  const double eb[3][3], const double nb[3], int in_one_plane)
{
  int apart = sqk_touch_apart_in_plane(t, ea, na) || sqk_touch_apart_in_plane(t, eb, nb);
  for (int k = 0; k < 9 && !apart && !in_one_plane; ++k)
  {
    double axis[3];
    sqk_cross3(ea[k / 3], eb[k % 3], axis);
    apart = sqk_touch_apart(t, axis);
  }
  return !apart;
}

/**
 * 1 where triangles without a common corner (`shared` 0) have a point in common, and where those with some (`shared` 1) have
 * more in common than corners and edges: a segment inside, or an area. The tolerance, a length, widens the first and narrows the
 * second; gaps of SQK_TOUCH_ULPS units in the last place of the largest coordinate are none, as distances are not told apart there.
 */
SQK_INLINE int sqk_triangles_touch(
  const double a[3][3], const double b[3][3], int shared, double tolerance)
{
  double ea[3][3], eb[3][3], na[3], nb[3];
  sqk_triangle_edges(a, ea, na);
  int of_b = sqk_touch_sides(a[0], na, b, tolerance);
  /* Apart are those strictly on one side; with a common corner, those not on both. */
  if (shared ? of_b != 4 && (of_b & 3) != 3 : of_b < 3)
  {
    return 0;
  }
  sqk_triangle_edges(b, eb, nb);
  int of_a = sqk_touch_sides(b[0], nb, a, tolerance);
  int in_one_plane = shared && of_b == 4;
  if (!in_one_plane && (shared ? (of_a & 3) != 3 : of_a < 3))
  {
    return 0;
  }
  sqk_touch t = { a, b, shared ? -tolerance : tolerance };
  return sqk_touch_by_axes(
    &t, (const double(*)[3])ea, na, (const double(*)[3])eb, nb, in_one_plane);
}

#endif
