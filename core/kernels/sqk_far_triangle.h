#ifndef SQK_FAR_TRIANGLE_H
#define SQK_FAR_TRIANGLE_H
/**
 * The point of a triangle closest to a query that is many of its sizes away. Then the distances to all of it differ in the last
 * digits only, and where the closest point lies is told by the products of the query and the corners, which are given in
 * double-double. Regions: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, which needs no other products.
 */
#include "sqk_double_double.h"
#include "sqk_vector.h"

/** Products of the query with the nodes: hi and lo of node i at 2 i. */
SQK_INLINE sqk_dd sqk_far_product(const double* products, int i)
{
  return sqk_dd_make(products[2 * i], products[2 * i + 1]);
}

/** (to - from) . (x - q[from]), where `edge` is to - from. */
SQK_INLINE double sqk_far_along(
  const double* q, const double* products, int from, int to, const double edge[3])
{
  sqk_dd d = sqk_dd_sub(sqk_far_product(products, to), sqk_far_product(products, from));
  return sqk_dd_add(d, sqk_dd_make(-sqk_dot3(edge, q + 3 * from), 0.0)).hi;
}

/** The weights of the closest point of triangle abc. */
SQK_INLINE void sqk_far_triangle(
  const double* q, const double* products, int a, int b, int c, double bary[3])
{
  double ab[3], ac[3];
  sqk_sub3(q + 3 * b, q + 3 * a, ab);
  sqk_sub3(q + 3 * c, q + 3 * a, ac);
  double ab2 = sqk_dot3(ab, ab), ac2 = sqk_dot3(ac, ac), both = sqk_dot3(ab, ac);
  double d1 = sqk_far_along(q, products, a, b, ab), d2 = sqk_far_along(q, products, a, c, ac);
  double d3 = d1 - ab2, d4 = d2 - both, d5 = d1 - both, d6 = d2 - ac2;
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double v = 0.0, w = 0.0;
  if (d1 <= 0.0 && d2 <= 0.0)
  {
    /* corner a */
  }
  else if (d3 >= 0.0 && d4 <= d3)
  {
    v = 1.0;
  }
  else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
  {
    v = d1 / ab2;
  }
  else if (d6 >= 0.0 && d5 <= d6)
  {
    w = 1.0;
  }
  else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
  {
    w = d2 / ac2;
  }
  else if (va <= 0.0 && d4 >= d3 && d5 >= d6)
  {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    v = 1.0 - w;
  }
  else
  {
    v = vb / (va + vb + vc), w = vc / (va + vb + vc);
  }
  bary[0] = 1.0 - v - w, bary[1] = v, bary[2] = w;
}

/** The squared distance of a point less the square of the query: of the point of these weights, which goes to `point`. */
SQK_INLINE double sqk_far_distance2(
  const double* q, const double* products, const int node[3], const double bary[3], double point[3])
{
  sqk_dd sum = sqk_dd_make(0.0, 0.0);
  point[0] = point[1] = point[2] = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    sqk_madd3(point, bary[i], q + 3 * node[i], point);
    sum =
      sqk_dd_add(sum, sqk_dd_mul(sqk_far_product(products, node[i]), sqk_dd_make(bary[i], 0.0)));
  }
  return sqk_dd_add(
    sqk_dd_make(sqk_dot3(point, point), 0.0), sqk_dd_make(-2.0 * sum.hi, -2.0 * sum.lo))
    .hi;
}

#endif
