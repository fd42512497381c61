#ifndef SQK_ANGLE_H
#define SQK_ANGLE_H
/** Angles by the basic operations alone, so that every machine and the GPU give the same bits; libm does not promise that. */
#include "sqk_config.h"

#define SQK_PI 3.14159265358979323846

/** atan(t) for 0 <= t <= infinity. Reduction and rational approximation of Moshier's Cephes library (atan.c), 2e-16. */
SQK_INLINE double sqk_atan_positive(double t)
{
  double base = 0.0, rest = 0.0;
  if (t > 2.41421356237309504880) /* tan(3 pi / 8) */
  {
    base = 0.5 * SQK_PI, rest = 6.123233995736765886130e-17;
    t = -1.0 / t;
  }
  else if (t > 0.66)
  {
    base = 0.25 * SQK_PI, rest = 3.061616997868382943065e-17;
    t = (t - 1.0) / (t + 1.0);
  }
  double z = t * t;
  double p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z -
                7.500855792314704667340e1) *
                 z -
               1.228866684490136173410e2) *
      z -
    6.485021904942025371773e1;
  double q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z +
                4.328810604912902668951e2) *
                 z +
               4.853903996359136964868e2) *
      z +
    1.945506571482613964425e2;
  return base + (t + (t * (z * p / q) + rest));
}

/** The angle of (x, y) in -pi ... pi; 0 where both are 0. */
SQK_INLINE double sqk_atan2(double y, double x)
{
  double ay = fabs(y), ax = fabs(x);
  if (ay == 0.0 && ax == 0.0)
  {
    return 0.0;
  }
  double angle = sqk_atan_positive(ay / ax);
  angle = x < 0.0 ? SQK_PI - angle : angle;
  return y < 0.0 ? -angle : angle;
}

#endif
