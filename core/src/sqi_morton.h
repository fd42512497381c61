#ifndef SQI_MORTON_H
#define SQI_MORTON_H
/** Morton codes of single points, for those who have their points in no array (see sq_morton.h). */
#include "sqi_real.h"

#include "spatialqueries/sq_context.h"

#include <math.h>

#define SQI_MORTON_DIMENSIONS 4

/** Extremes of points so far; `spoilt` is not 0 in an axis with a coordinate that is not finite. */
typedef struct sqi_extremes
{
  double lo[SQI_MORTON_DIMENSIONS];
  double hi[SQI_MORTON_DIMENSIONS];
  int32_t spoilt[SQI_MORTON_DIMENSIONS];
  char padding[48]; /* one a thread: two cache lines */
} sqi_extremes;

void sqi_extremes_clear(sqi_extremes* extremes, int32_t count);

/** extremes[0] becomes that of all. */
void sqi_extremes_join(sqi_extremes* extremes, int32_t count);

SQI_REAL void sqi_extremes_add(sqi_extremes* e, int32_t dimension, const double* x)
{
  for (int32_t d = 0; d < dimension; ++d)
  {
    e->lo[d] = x[d] < e->lo[d] ? x[d] : e->lo[d];
    e->hi[d] = x[d] > e->hi[d] ? x[d] : e->hi[d];
    e->spoilt[d] |= !sqi_is_finite(x[d]);
  }
}

/** What turns a point into its code. */
typedef struct sqi_morton
{
  double lo[SQI_MORTON_DIMENSIONS];
  double extent[SQI_MORTON_DIMENSIONS]; /* infinite in an axis that gives 0 for all */
  double most; /* 2^bits - 1, rounded to the type */
  int64_t top; /* 2^bits - 1 */
} sqi_morton;

sqi_morton sqi_morton_of(const sqi_extremes* extremes, sq_type type, int32_t dimension);

/** Puts dimension - 1 zeros between the low bits (62, 31, 21, 15 of them). */
SQI_REAL uint64_t sqi_morton_spread(uint64_t x, int32_t dimension)
{
  switch (dimension)
  {
    case 2:
      x = (x | x << 16) & 0x0000ffff0000ffffu;
      x = (x | x << 8) & 0x00ff00ff00ff00ffu;
      x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
      x = (x | x << 2) & 0x3333333333333333u;
      return (x | x << 1) & 0x5555555555555555u;
    case 3:
      x = (x | x << 32) & 0x001f00000000ffffu;
      x = (x | x << 16) & 0x001f0000ff0000ffu;
      x = (x | x << 8) & 0x100f00f00f00f00fu;
      x = (x | x << 4) & 0x10c30c30c30c30c3u;
      return (x | x << 2) & 0x1249249249249249u;
    case 4:
      x = (x | x << 24) & 0x000000ff000000ffu;
      x = (x | x << 12) & 0x000f000f000f000fu;
      x = (x | x << 6) & 0x0303030303030303u;
      return (x | x << 3) & 0x1111111111111111u;
    default:
      return x;
  }
}

SQI_REAL uint64_t sqi_morton_code(
  const sqi_morton* m, sq_type type, int32_t dimension, const double* x)
{
  uint64_t code = 0;
  for (int32_t d = 0; d < dimension; ++d)
  {
    double t = sqi_rounded(type, x[d] - m->lo[d]);
    t = sqi_rounded(type, t / m->extent[d]);
    t = sqi_rounded(type, t * m->most);
    /* Not so for NaN: an axis without an extent. */
    int64_t cell = t >= 0.0 ? (int64_t)t : 0;
    cell = cell < m->top ? cell : m->top;
    code |= sqi_morton_spread((uint64_t)cell, dimension) << d;
  }
  return code;
}

/** Bits of a code. */
SQI_REAL int sqi_morton_bits(int32_t dimension)
{
  return dimension == 1 ? 62 : dimension == 2 ? 62 : dimension == 3 ? 63 : 60;
}

#endif
