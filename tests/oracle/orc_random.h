#ifndef ORC_RANDOM_H
#define ORC_RANDOM_H
/** Reproducible random numbers: splitmix64 (Steele, Lea, Flood 2014), top 53 bits. */
#include <math.h>
#include <stdint.h>

typedef struct orc_random
{
  uint64_t state;
} orc_random;

static inline uint64_t orc_bits(orc_random* r)
{
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** In [0, 1). */
static inline double orc_unit(orc_random* r)
{
  return (double)(orc_bits(r) >> 11) * 0x1p-53;
}

static inline double orc_between(orc_random* r, double lo, double hi)
{
  return lo + (hi - lo) * orc_unit(r);
}

/** In 0 ... n - 1. */
static inline int64_t orc_below(orc_random* r, int64_t n)
{
  int64_t i = (int64_t)(orc_unit(r) * (double)n);
  return i < n ? i : n - 1;
}

/** Uniform on the unit sphere, by rejection from the cube. */
static inline void orc_direction(orc_random* r, double d[3])
{
  double n2;
  do
  {
    n2 = 0.0;
    for (int k = 0; k < 3; ++k)
    {
      d[k] = orc_between(r, -1.0, 1.0);
      n2 += d[k] * d[k];
    }
  } while (n2 > 1.0 || n2 < 1e-4);
  double n = sqrt(n2);
  d[0] /= n, d[1] /= n, d[2] /= n;
}

/** Weights >= 0 with sum 1 up to rounding, uniform on the simplex of n corners. */
static inline void orc_convex(orc_random* r, int n, double* weights)
{
  double sum = 0.0;
  for (int k = 0; k < n; ++k)
  {
    weights[k] = -log(1.0 - orc_unit(r));
    sum += weights[k];
  }
  for (int k = 0; k < n; ++k)
  {
    weights[k] /= sum;
  }
}

#endif
