#ifndef SQK_PLAN_KERNELS_H
#define SQK_PLAN_KERNELS_H
/**
 * The interaction kernels of plans, of the squared distance. Exponential and logarithm by the basic operations alone (and frexp
 * and ldexp, which are exact), so that every machine gives the same bits; libm does not promise that.
 */
#include "sqk_config.h"

#define SQK_KERNEL_INVERSE 1
#define SQK_KERNEL_INVERSE_SQUARE 2
#define SQK_KERNEL_GAUSSIAN 3
#define SQK_KERNEL_LOGARITHM 4
#define SQK_KERNEL_REGULARISED 5

/** (exp(x) - 1) / 2 for |x| <= 0.5 log 2 = r / (Q - r), the rational approximation of Moshier's Cephes library (exp.c), 2e-16. */
SQK_INLINE double sqk_half_exp_minus_1(double x)
{
  double z = x * x;
  double r = x *
    ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1);
  double q =
    ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) *
      z +
    2.0;
  return r / (q - r);
}

/** exp(-u) for u >= 0; NaN for NaN. */
SQK_INLINE double sqk_exp_minus(double u)
{
  if (u > 746.0)
  {
    return 0.0;
  }
  double n = floor(0.5 - 1.44269504088896340736 * u);
  double x = (-u - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6;
  return u == u ? ldexp(1.0 + 2.0 * sqk_half_exp_minus_1(x), (int)n) : u;
}

/** 1 - exp(-u) for u >= 0, without cancellation. */
SQK_INLINE double sqk_one_minus_exp(double u)
{
  return u < 0.3 ? -2.0 * sqk_half_exp_minus_1(-u) : 1.0 - sqk_exp_minus(u);
}

/** log(x) for x > 0 by 2 atanh(s), s = (m - 1) / (m + 1), and the series of atanh as fitted in fdlibm (e_log.c), 1 ulp. */
SQK_INLINE double sqk_log(double x)
{
  if (!(x < (double)INFINITY))
  {
    return x;
  }
  int e;
  double m = frexp(x, &e);
  if (m < 0.70710678118654752440)
  {
    m *= 2.0;
    --e;
  }
  double f = m - 1.0, s = f / (2.0 + f), z = s * s, k = (double)e;
  double r = z *
    (6.666666666666735130e-1 +
      z *
        (3.999999999940941908e-1 +
          z *
            (2.857142874366239149e-1 +
              z *
                (2.222219843214978396e-1 +
                  z *
                    (1.818357216161805012e-1 +
                      z * (1.531383769920937332e-1 + z * 1.479819860511658591e-1))))));
  double h = 0.5 * f * f;
  return k * 6.93147180369123816490e-1 - ((h - (s * (h + r) + k * 1.90821492927058770002e-10)) - f);
}

/** The kernel at squared distance r2; 1, 2 and 4 are 0 at 0. `length` > 0 for 3 and 5. */
SQK_INLINE double sqk_plan_kernel(int kind, double r2, double length)
{
  if (kind == SQK_KERNEL_GAUSSIAN || kind == SQK_KERNEL_REGULARISED)
  {
    double r = sqrt(r2) / length, u = r * r;
    return kind == SQK_KERNEL_GAUSSIAN ? sqk_exp_minus(u) : sqk_one_minus_exp(u) / (1.0 + u);
  }
  if (r2 == 0.0)
  {
    return 0.0;
  }
  return kind == SQK_KERNEL_INVERSE     ? 1.0 / sqrt(r2)
    : kind == SQK_KERNEL_INVERSE_SQUARE ? 1.0 / r2
                                        : -0.5 * sqk_log(r2);
}

#endif
