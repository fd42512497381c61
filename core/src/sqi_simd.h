#ifndef SQI_SIMD_H
#define SQI_SIMD_H
/**
 * Eight floats at a time in GCC vector extensions; the few operations that the extensions lack are spelt out per
 * instruction set, with a plain fallback. A file compiled for AVX2 or AVX-512 gets those forms.
 * Float lanes only ever filter; what is reported is computed in scalar double.
 */
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Everything here is inlined, so no vector crosses a call and the ABI that gcc warns of does not matter. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define SQI_LANES 8
#define SQI_SIMD static inline __attribute__((always_inline))

typedef float sqi_f4 __attribute__((vector_size(16)));
typedef int32_t sqi_i4 __attribute__((vector_size(16)));
typedef float sqi_f8 __attribute__((vector_size(32)));
typedef int32_t sqi_i8 __attribute__((vector_size(32)));

typedef float sqi_f16 __attribute__((vector_size(64)));
typedef int32_t sqi_i16 __attribute__((vector_size(64)));

SQI_SIMD sqi_f4 sqi_set4(float x)
{
  sqi_f4 v = { x, x, x, x };
  return v;
}

/** The smaller of each lane; the second where one is NaN. */
SQI_SIMD sqi_f4 sqi_min4(sqi_f4 a, sqi_f4 b)
{
#if defined(__SSE2__)
  return (sqi_f4)_mm_min_ps((__m128)a, (__m128)b);
#else
  sqi_i4 less = a < b;
  return (sqi_f4)((less & (sqi_i4)a) | (~less & (sqi_i4)b));
#endif
}

SQI_SIMD sqi_f8 sqi_load8(const float* p)
{
  sqi_f8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD void sqi_store8(float* p, sqi_f8 v)
{
  memcpy(p, &v, sizeof(v));
}

SQI_SIMD sqi_f8 sqi_set8(float x)
{
  sqi_f8 v = { x, x, x, x, x, x, x, x };
  return v;
}

SQI_SIMD sqi_f8 sqi_select8(sqi_i8 mask, sqi_f8 yes, sqi_f8 no)
{
#if defined(__AVX__)
  return (sqi_f8)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
  return (sqi_f8)((mask & (sqi_i8)yes) | (~mask & (sqi_i8)no));
#endif
}

/** The larger of each lane; the second where one is NaN. */
SQI_SIMD sqi_f8 sqi_max8(sqi_f8 a, sqi_f8 b)
{
#if defined(__AVX__)
  return (sqi_f8)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  __m128 x[2], y[2];
  memcpy(x, &a, sizeof(a));
  memcpy(y, &b, sizeof(b));
  x[0] = _mm_max_ps(x[0], y[0]);
  x[1] = _mm_max_ps(x[1], y[1]);
  memcpy(&a, x, sizeof(a));
  return a;
#else
  return sqi_select8(a > b, a, b);
#endif
}

SQI_SIMD sqi_f8 sqi_min8(sqi_f8 a, sqi_f8 b)
{
#if defined(__AVX__)
  return (sqi_f8)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  __m128 x[2], y[2];
  memcpy(x, &a, sizeof(a));
  memcpy(y, &b, sizeof(b));
  x[0] = _mm_min_ps(x[0], y[0]);
  x[1] = _mm_min_ps(x[1], y[1]);
  memcpy(&a, x, sizeof(a));
  return a;
#else
  return sqi_select8(a < b, a, b);
#endif
}

SQI_SIMD sqi_f8 sqi_abs8(sqi_f8 a)
{
  return (sqi_f8)((sqi_i8)a & 0x7fffffff);
}

/** a * b + c, in one rounding where the instruction set has it. */
SQI_SIMD sqi_f8 sqi_madd8(sqi_f8 a, sqi_f8 b, sqi_f8 c)
{
#if defined(__FMA__)
  return (sqi_f8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  return a * b + c;
#endif
}

/** c - a * b. */
SQI_SIMD sqi_f8 sqi_nmadd8(sqi_f8 a, sqi_f8 b, sqi_f8 c)
{
#if defined(__FMA__)
  return (sqi_f8)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  return c - a * b;
#endif
}

SQI_SIMD sqi_f8 sqi_sqrt8(sqi_f8 a)
{
#if defined(__AVX__)
  return (sqi_f8)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
  __m128 half[2];
  memcpy(half, &a, sizeof(a));
  half[0] = _mm_sqrt_ps(half[0]);
  half[1] = _mm_sqrt_ps(half[1]);
  memcpy(&a, half, sizeof(a));
  return a;
#else
  for (int k = 0; k < SQI_LANES; ++k)
  {
    a[k] = __builtin_sqrtf(a[k]);
  }
  return a;
#endif
}

/** Bit k is the sign bit of lane k, so of a comparison: whether it holds. */
SQI_SIMD unsigned sqi_mask8(sqi_i8 a)
{
#if defined(__AVX__)
  return (unsigned)_mm256_movemask_ps((__m256)a);
#elif defined(__SSE2__)
  __m128 half[2];
  memcpy(half, &a, sizeof(a));
  return (unsigned)(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
  unsigned bits = 0;
  for (int k = 0; k < SQI_LANES; ++k)
  {
    bits |= (unsigned)(a[k] < 0) << k;
  }
  return bits;
#endif
}

SQI_SIMD sqi_f16 sqi_set16(float x)
{
  sqi_f16 v = { x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x };
  return v;
}

SQI_SIMD unsigned sqi_mask16(sqi_i16 a)
{
#if defined(__AVX512DQ__)
  return (unsigned)_mm512_movepi32_mask((__m512i)a);
#else
  sqi_i8 half[2];
  memcpy(half, &a, sizeof(a));
  return sqi_mask8(half[0]) | sqi_mask8(half[1]) << 8;
#endif
}

/** Appends the lanes of `v` whose bits are set to `list` of `count`, which has room for 16 more; how many it has then. */
SQI_SIMD int32_t sqi_append16(unsigned bits, sqi_i16 v, int32_t* list, int32_t count)
{
#if defined(__AVX512F__)
  _mm512_storeu_si512(list + count, _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v));
  return count + __builtin_popcount(bits);
#else
  for (; bits; bits &= bits - 1)
  {
    list[count++] = v[__builtin_ctz(bits)];
  }
  return count;
#endif
}

/** The least of the eight lanes. */
SQI_SIMD float sqi_least8(sqi_f8 a)
{
  a = sqi_min8(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
  a = sqi_min8(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
  a = sqi_min8(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
  return a[0];
}

#endif
