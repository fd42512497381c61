#ifndef SQI_EIGHT_H
#define SQI_EIGHT_H
/** Eight doubles at a time, beside the floats of sqi_simd.h, for what only filters. */
#include "sqi_simd.h"

typedef double sqi_eight __attribute__((vector_size(64)));
typedef int64_t sqi_eight_bits __attribute__((vector_size(64)));

/** Whether something holds in each lane. */
#if defined(__AVX512DQ__)
typedef unsigned sqi_hits;

SQI_SIMD sqi_hits sqi_at_most(sqi_eight a, sqi_eight b)
{
  return (unsigned)_mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
}

SQI_SIMD unsigned sqi_hit_bits(sqi_hits a)
{
  return a;
}
#else
typedef sqi_eight_bits sqi_hits;

SQI_SIMD sqi_hits sqi_at_most(sqi_eight a, sqi_eight b)
{
  return a <= b;
}

SQI_SIMD unsigned sqi_hit_bits(sqi_hits a)
{
  unsigned bits = 0;
#if defined(__AVX__)
  __m256d part[2];
  memcpy(part, &a, sizeof(a));
  bits = (unsigned)(_mm256_movemask_pd(part[0]) | _mm256_movemask_pd(part[1]) << 4);
#elif defined(__SSE2__)
  __m128d part[4];
  memcpy(part, &a, sizeof(a));
  for (int k = 0; k < 4; ++k)
  {
    bits |= (unsigned)_mm_movemask_pd(part[k]) << 2 * k;
  }
#else
  for (int k = 0; k < SQI_LANES; ++k)
  {
    bits |= (unsigned)(a[k] < 0) << k;
  }
#endif
  return bits;
}
#endif

SQI_SIMD sqi_eight sqi_load(const double* p)
{
  sqi_eight v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD sqi_eight sqi_set(double x)
{
  sqi_eight v = { x, x, x, x, x, x, x, x };
  return v;
}

/** a * b + c. */
SQI_SIMD sqi_eight sqi_madd(sqi_eight a, sqi_eight b, sqi_eight c)
{
#if defined(__AVX512F__)
  return (sqi_eight)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
  return a * b + c;
#endif
}

SQI_SIMD sqi_eight sqi_larger(sqi_eight a, sqi_eight b)
{
#if defined(__AVX512F__)
  return (sqi_eight)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
  sqi_eight_bits more = a > b;
  return (sqi_eight)((more & (sqi_eight_bits)a) | (~more & (sqi_eight_bits)b));
#endif
}

SQI_SIMD sqi_eight sqi_smaller(sqi_eight a, sqi_eight b)
{
#if defined(__AVX512F__)
  return (sqi_eight)_mm512_min_pd((__m512d)a, (__m512d)b);
#else
  sqi_eight_bits less = a < b;
  return (sqi_eight)((less & (sqi_eight_bits)a) | (~less & (sqi_eight_bits)b));
#endif
}

#endif
