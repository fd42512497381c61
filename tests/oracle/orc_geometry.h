#ifndef ORC_GEOMETRY_H
#define ORC_GEOMETRY_H
/**
 * Brute force in long double (64-bit mantissa): the right answers that the library is held against.
 * Written from the definitions, without the library's kernels; slow on purpose.
 */
#include <stdint.h>

typedef long double orc_real;

/** The closest point of a triangle, degenerate ones (segments, points) included. */
typedef struct orc_closest
{
  orc_real distance;
  orc_real point[3];
} orc_closest;

orc_closest orc_closest_on_segment(const double a[3], const double b[3], const double x[3]);

orc_closest orc_closest_on_triangle(
  const double a[3], const double b[3], const double c[3], const double x[3]);

/** Solid angle over 4 pi, positive where the triangle is seen from behind its normal (inside). */
orc_real orc_winding_of_triangle(
  const double a[3], const double b[3], const double c[3], const double x[3]);

/** 4 ulp (of double) of the scene size: the promised accuracy of a distance. */
double orc_four_ulp(double scene_size);

/** Largest |coordinate|. */
double orc_largest(const double* points, int64_t count);

#endif
