#ifndef SQK_SOLID_ANGLE_H
#define SQK_SOLID_ANGLE_H
/**
 * The solid angle of a triangle where double is not enough: seen from near an edge or from near a needle, numerator and
 * denominator are what is left of terms that cancel.
 */
#include "sqk_double_double.h"
#include "sqk_vector.h"

/** The root of a number that is not negative: one Newton step from the root of its high part. */
SQK_INLINE sqk_dd sqk_dd_sqrt(sqk_dd a)
{
  if (!(a.hi > 0.0))
  {
    return sqk_dd_make(0.0, 0.0);
  }
  double root = sqrt(a.hi);
  sqk_dd rest = sqk_dd_sub(a, sqk_two_product(root, root));
  return sqk_fast_two_sum(root, rest.hi / (2.0 * root));
}

/**
 * Half the solid angle of a, b, c from x is the argument of (den, num): van Oosterom and Strackee, "The solid angle of a
 * plane triangle", IEEE TBME 30(2), 1983. Positive where x is behind the triangle.
 */
SQK_INLINE void sqk_half_solid_angle(const double x[3], const double a[3], const double b[3],
  const double c[3], double* num, double* den)
{
  sqk_dd3 u = sqk_dd3_difference(a, x);
  sqk_dd3 v = sqk_dd3_difference(b, x);
  sqk_dd3 w = sqk_dd3_difference(c, x);
  sqk_dd3 e = sqk_dd3_difference(b, a);
  sqk_dd3 f = sqk_dd3_difference(c, a);
  sqk_dd3 n = sqk_dd3_cross(&e, &f);
  sqk_dd lu = sqk_dd_sqrt(sqk_dd3_dot(&u, &u));
  sqk_dd lv = sqk_dd_sqrt(sqk_dd3_dot(&v, &v));
  sqk_dd lw = sqk_dd_sqrt(sqk_dd3_dot(&w, &w));
  sqk_dd sum = sqk_dd_mul(lu, sqk_dd_add(sqk_dd_mul(lv, lw), sqk_dd3_dot(&v, &w)));
  sum = sqk_dd_add(sum, sqk_dd_mul(lw, sqk_dd3_dot(&u, &v)));
  sum = sqk_dd_add(sum, sqk_dd_mul(lv, sqk_dd3_dot(&w, &u)));
  *num = sqk_dd3_dot(&u, &n).hi;
  *den = sum.hi;
}

#endif
