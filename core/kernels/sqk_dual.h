#ifndef SQK_DUAL_H
#define SQK_DUAL_H
/** Numbers that carry their derivatives by three parameters, for shape functions written as products and sums. */
#include "sqk_config.h"

typedef struct sqk_dual
{
  double v;
  double d[3];
} sqk_dual;

/** a + b times parameter k, which has the value r. */
SQK_INLINE sqk_dual sqk_dual_linear(double a, double b, double r, int k)
{
  sqk_dual x = { a + b * r, { 0.0, 0.0, 0.0 } };
  x.d[k] = b;
  return x;
}

SQK_INLINE sqk_dual sqk_dual_mul(sqk_dual a, sqk_dual b)
{
  sqk_dual x = { a.v * b.v, { 0.0, 0.0, 0.0 } };
  for (int k = 0; k < 3; ++k)
  {
    x.d[k] = a.v * b.d[k] + a.d[k] * b.v;
  }
  return x;
}

/** a + c b. */
SQK_INLINE sqk_dual sqk_dual_madd(sqk_dual a, double c, sqk_dual b)
{
  sqk_dual x = { a.v + c * b.v, { 0.0, 0.0, 0.0 } };
  for (int k = 0; k < 3; ++k)
  {
    x.d[k] = a.d[k] + c * b.d[k];
  }
  return x;
}

/** b + c a. */
SQK_INLINE sqk_dual sqk_dual_affine(double c, sqk_dual a, double b)
{
  sqk_dual x = { c * a.v + b, { c * a.d[0], c * a.d[1], c * a.d[2] } };
  return x;
}

#endif
