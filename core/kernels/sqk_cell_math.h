#ifndef SQK_CELL_MATH_H
#define SQK_CELL_MATH_H
/** What the cell kernels need besides vectors. */
#include "sqk_vector.h"

#include <string.h>

/** Distance from 1 to the next double. */
#define SQK_CELL_EPSILON 2.220446049250313e-16

/** The determinant of three columns. */
SQK_INLINE double sqk_det3(const double a[3], const double b[3], const double c[3])
{
  double d[3];
  sqk_cross3(b, c, d);
  return sqk_dot3(a, d);
}

/** fmax() of a number v and x: v where x is NaN. Compilers make one instruction of it, which they may not of fmax(). */
SQK_INLINE double sqk_cell_larger(double v, double x)
{
  return x > v ? x : v;
}

/** Largest absolute value of `count` numbers; NaN where one is NaN. */
SQK_INLINE double sqk_cell_max_abs(const double* a, int count)
{
  double m = 0.0;
  for (int i = 0; i < count; ++i)
  {
    double v = fabs(a[i]);
    m = v <= m ? m : v;
  }
  return m;
}

/** The power of two that brings a length just below 1, within normal numbers; 1 for 0, infinity and NaN. */
SQK_INLINE double sqk_cell_unit_scale(double length)
{
  if (!(length > 0.0) || !(length < HUGE_VAL))
  {
    return 1.0;
  }
  uint64_t bits;
  memcpy(&bits, &length, sizeof(bits));
  uint64_t exponent = bits >> 52;
  bits = (exponent < 2045 ? 2045 - exponent : 1) << 52;
  memcpy(&length, &bits, sizeof(bits));
  return length;
}

/** out = sum of weight[i] * q[i]. */
SQK_INLINE void sqk_cell_combine(const double* q, const double* weight, int count, double out[3])
{
  out[0] = out[1] = out[2] = 0.0;
  for (int i = 0; i < count; ++i)
  {
    out[0] += weight[i] * q[3 * i];
    out[1] += weight[i] * q[3 * i + 1];
    out[2] += weight[i] * q[3 * i + 2];
  }
}

#endif
