#ifndef SQK_DOUBLE_DOUBLE_H
#define SQK_DOUBLE_DOUBLE_H
/**
 * Numbers of about 106 bits as unevaluated sums of two doubles, for the few places where double is not enough.
 *
 * Algorithms and error bounds: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
 * double-word arithmetic", ACM TOMS 44(2), 2017. Operands must stay below 2^996 (the splitting) and products above
 * 2^-960 in magnitude, or lose their low part.
 */
#include "sqk_config.h"

typedef struct sqk_dd
{
  double hi;
  double lo;
} sqk_dd;

typedef struct sqk_dd3
{
  sqk_dd x[3];
} sqk_dd3;

SQK_INLINE sqk_dd sqk_dd_make(double hi, double lo)
{
  sqk_dd r;
  r.hi = hi;
  r.lo = lo;
  return r;
}

/** a + b exactly, where |a| >= |b| or a = 0. */
SQK_INLINE sqk_dd sqk_fast_two_sum(double a, double b)
{
  double s = a + b;
  return sqk_dd_make(s, b - (s - a));
}

/** a + b exactly. */
SQK_INLINE sqk_dd sqk_two_sum(double a, double b)
{
  double s = a + b;
  double t = s - b;
  return sqk_dd_make(s, (a - t) + (b - (s - t)));
}

/** a b exactly; by fused multiply-add where that is an instruction, which gives the same bits. */
SQK_INLINE sqk_dd sqk_two_product(double a, double b)
{
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  double p = a * b;
  return sqk_dd_make(p, fma(a, b, -p));
#else
  const double split = 134217729.0; /* 2^27 + 1, Dekker 1971 */
  double p = a * b;
  double ta = split * a;
  double tb = split * b;
  double ah = ta - (ta - a);
  double bh = tb - (tb - b);
  double al = a - ah;
  double bl = b - bh;
  return sqk_dd_make(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
#endif
}

SQK_INLINE sqk_dd sqk_dd_negate(sqk_dd a)
{
  return sqk_dd_make(-a.hi, -a.lo);
}

SQK_INLINE sqk_dd sqk_dd_add(sqk_dd a, sqk_dd b)
{
  sqk_dd s = sqk_two_sum(a.hi, b.hi);
  sqk_dd t = sqk_two_sum(a.lo, b.lo);
  s = sqk_fast_two_sum(s.hi, s.lo + t.hi);
  return sqk_fast_two_sum(s.hi, s.lo + t.lo);
}

SQK_INLINE sqk_dd sqk_dd_sub(sqk_dd a, sqk_dd b)
{
  return sqk_dd_add(a, sqk_dd_negate(b));
}

SQK_INLINE sqk_dd sqk_dd_mul(sqk_dd a, sqk_dd b)
{
  sqk_dd p = sqk_two_product(a.hi, b.hi);
  double cross = a.hi * b.lo + a.lo * b.hi;
  return sqk_fast_two_sum(p.hi, p.lo + cross);
}

/** a / b; b is not 0. */
SQK_INLINE sqk_dd sqk_dd_div(sqk_dd a, sqk_dd b)
{
  double q = a.hi / b.hi;
  sqk_dd r = sqk_dd_sub(a, sqk_dd_mul(b, sqk_dd_make(q, 0.0)));
  double q2 = r.hi / b.hi;
  r = sqk_dd_sub(r, sqk_dd_mul(b, sqk_dd_make(q2, 0.0)));
  sqk_dd s = sqk_fast_two_sum(q, q2);
  return sqk_dd_add(s, sqk_dd_make(r.hi / b.hi, 0.0));
}

SQK_INLINE int sqk_dd_positive(sqk_dd a)
{
  return a.hi > 0.0 || (a.hi == 0.0 && a.lo > 0.0);
}

/** a - b of two points, exactly. */
SQK_INLINE sqk_dd3 sqk_dd3_difference(const double a[3], const double b[3])
{
  sqk_dd3 d;
  for (int i = 0; i < 3; ++i)
  {
    d.x[i] = sqk_two_sum(a[i], -b[i]);
  }
  return d;
}

SQK_INLINE sqk_dd sqk_dd3_dot(const sqk_dd3* a, const sqk_dd3* b)
{
  sqk_dd s = sqk_dd_add(sqk_dd_mul(a->x[0], b->x[0]), sqk_dd_mul(a->x[1], b->x[1]));
  return sqk_dd_add(s, sqk_dd_mul(a->x[2], b->x[2]));
}

SQK_INLINE sqk_dd3 sqk_dd3_cross(const sqk_dd3* a, const sqk_dd3* b)
{
  sqk_dd3 c;
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3;
    int k = (i + 2) % 3;
    c.x[i] = sqk_dd_sub(sqk_dd_mul(a->x[j], b->x[k]), sqk_dd_mul(a->x[k], b->x[j]));
  }
  return c;
}

/** a + t b. */
SQK_INLINE sqk_dd3 sqk_dd3_madd(const sqk_dd3* a, sqk_dd t, const sqk_dd3* b)
{
  sqk_dd3 r;
  for (int i = 0; i < 3; ++i)
  {
    r.x[i] = sqk_dd_add(a->x[i], sqk_dd_mul(t, b->x[i]));
  }
  return r;
}

#endif
