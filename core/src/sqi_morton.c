#include "sqi_morton.h"

#include <string.h>

void sqi_extremes_clear(sqi_extremes* extremes, int32_t count)
{
  memset(extremes, 0, (size_t)count * sizeof(*extremes));
  for (int32_t i = 0; i < count; ++i)
  {
    for (int32_t d = 0; d < SQI_MORTON_DIMENSIONS; ++d)
    {
      extremes[i].lo[d] = HUGE_VAL;
      extremes[i].hi[d] = -HUGE_VAL;
    }
  }
}

void sqi_extremes_join(sqi_extremes* extremes, int32_t count)
{
  for (int32_t i = 1; i < count; ++i)
  {
    for (int32_t d = 0; d < SQI_MORTON_DIMENSIONS; ++d)
    {
      extremes->lo[d] = fmin(extremes->lo[d], extremes[i].lo[d]);
      extremes->hi[d] = fmax(extremes->hi[d], extremes[i].hi[d]);
      extremes->spoilt[d] |= extremes[i].spoilt[d];
    }
  }
}

sqi_morton sqi_morton_of(const sqi_extremes* extremes, sq_type type, int32_t dimension)
{
  sqi_morton m;
  int64_t bits = sqi_morton_bits(dimension) / dimension;
  m.top = ((int64_t)1 << bits) - 1;
  m.most = sqi_rounded(type, (double)m.top);
  for (int32_t d = 0; d < SQI_MORTON_DIMENSIONS; ++d)
  {
    double extent = sqi_rounded(type, extremes->hi[d] - extremes->lo[d]);
    int good = d < dimension && !extremes->spoilt[d] && sqi_is_finite(extent);
    m.lo[d] = good ? extremes->lo[d] : 0.0;
    m.extent[d] = !good ? HUGE_VAL : extent == 0.0 ? 1.0 : extent;
  }
  return m;
}
