#ifndef SQK_VECTOR_H
#define SQK_VECTOR_H
/** Points and vectors of three doubles. Sums go left to right, so that every compiler gives the same bits. */
#include "sqk_config.h"

SQK_INLINE void sqk_set3(const double a[3], double out[3])
{
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
}

SQK_INLINE void sqk_sub3(const double a[3], const double b[3], double out[3])
{
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
}

/** a + t b. */
SQK_INLINE void sqk_madd3(const double a[3], double t, const double b[3], double out[3])
{
  out[0] = a[0] + t * b[0];
  out[1] = a[1] + t * b[1];
  out[2] = a[2] + t * b[2];
}

SQK_INLINE double sqk_dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SQK_INLINE void sqk_cross3(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

SQK_INLINE double sqk_largest3(const double a[3])
{
  double m = fabs(a[0]);
  m = fabs(a[1]) > m ? fabs(a[1]) : m;
  return fabs(a[2]) > m ? fabs(a[2]) : m;
}

/** Length, whose squares neither overflow nor vanish. */
SQK_INLINE double sqk_length3(const double a[3])
{
  double m = sqk_largest3(a);
  if (!(m > 0.0))
  {
    return 0.0;
  }
  double u[3] = { a[0] / m, a[1] / m, a[2] / m };
  return m * sqrt(sqk_dot3(u, u));
}

/** Whether a comes before b in lexicographic order. */
SQK_INLINE int sqk_before3(const double a[3], const double b[3])
{
  if (a[0] != b[0])
  {
    return a[0] < b[0];
  }
  if (a[1] != b[1])
  {
    return a[1] < b[1];
  }
  return a[2] < b[2];
}

#endif
