#ifndef SQK_ORIENT3D_H
#define SQK_ORIENT3D_H
/**
 * On which side of a plane a point lies, exactly: Shewchuk, "Adaptive precision floating-point arithmetic and fast
 * robust geometric predicates", Discrete and Computational Geometry 18, 1997; the filter of section 4.3, then
 * expansions. Coordinates must be such that their products of three neither overflow nor lose bits to underflow
 * (about 1e-90 to 1e90; scale by a power of two).
 */
#include "sqk_double_double.h"

/** Terms of the largest sum: three products of a minor (16 terms) and a difference (2), twice each. */
#define SQK_EXPANSION_MAX 192

/** A number as a sum of doubles that do not overlap, smallest first; 0 has no term. */
typedef struct sqk_expansion
{
  int count;
  double term[SQK_EXPANSION_MAX];
} sqk_expansion;

/** e + x: grow-expansion, without the zeros. */
SQK_INLINE void sqk_expansion_add(sqk_expansion* e, double x)
{
  int kept = 0;
  double sum = x;
  for (int i = 0; i < e->count; ++i)
  {
    sqk_dd s = sqk_two_sum(sum, e->term[i]);
    sum = s.hi;
    if (s.lo != 0.0)
    {
      e->term[kept++] = s.lo;
    }
  }
  if (sum != 0.0)
  {
    e->term[kept++] = sum;
  }
  e->count = kept;
}

/** sum + sign e (x.hi + x.lo). */
SQK_INLINE void sqk_expansion_add_product(
  sqk_expansion* sum, const sqk_expansion* e, sqk_dd x, double sign)
{
  for (int i = 0; i < e->count; ++i)
  {
    sqk_dd high = sqk_two_product(e->term[i], sign * x.hi);
    sqk_dd low = sqk_two_product(e->term[i], sign * x.lo);
    sqk_expansion_add(sum, low.lo);
    sqk_expansion_add(sum, low.hi);
    sqk_expansion_add(sum, high.lo);
    sqk_expansion_add(sum, high.hi);
  }
}

/** x as an expansion. */
SQK_INLINE void sqk_expansion_set(sqk_expansion* e, sqk_dd x)
{
  e->count = 0;
  sqk_expansion_add(e, x.lo);
  sqk_expansion_add(e, x.hi);
}

/** The sign of the determinant of the rows u, v, w, given as exact differences. */
SQK_INLINE int sqk_determinant_sign(const sqk_dd u[3], const sqk_dd v[3], const sqk_dd w[3])
{
  sqk_expansion sum, minor, factor;
  sum.count = 0;
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    minor.count = 0;
    sqk_expansion_set(&factor, v[j]);
    sqk_expansion_add_product(&minor, &factor, w[k], 1.0);
    sqk_expansion_set(&factor, v[k]);
    sqk_expansion_add_product(&minor, &factor, w[j], -1.0);
    sqk_expansion_add_product(&sum, &minor, u[i], 1.0);
  }
  return sum.count == 0 ? 0 : sum.term[sum.count - 1] > 0.0 ? 1 : -1;
}

/** The sign of (b - a) x (c - a) . (d - a): 1 where d lies on the side that the triangle a, b, c faces, 0 in its plane. */
SQK_INLINE int sqk_orient3d(
  const double a[3], const double b[3], const double c[3], const double d[3])
{
  double u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i)
  {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    w[i] = d[i] - a[i];
  }
  double det = 0.0, permanent = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double p = v[j] * w[k], q = v[k] * w[j];
    det += u[i] * (p - q);
    permanent += (fabs(p) + fabs(q)) * fabs(u[i]);
  }
  /* Shewchuk's bound A is (7 + 56 e) e with e = 2^-53; 8 e leaves room for the other order of the sum. */
  double bound = 8.0 * 1.1102230246251565e-16 * permanent;
  if (det > bound || det < -bound)
  {
    return det > 0.0 ? 1 : -1;
  }
  if (permanent == 0.0)
  {
    return 0;
  }
  sqk_dd eu[3], ev[3], ew[3];
  for (int i = 0; i < 3; ++i)
  {
    eu[i] = sqk_two_sum(b[i], -a[i]);
    ev[i] = sqk_two_sum(c[i], -a[i]);
    ew[i] = sqk_two_sum(d[i], -a[i]);
  }
  return sqk_determinant_sign(eu, ev, ew);
}

#endif
