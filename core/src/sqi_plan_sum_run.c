/** Kernel sums at one instruction set level. All levels give the same bits: no contraction, and lanes that are added in one order. */
#include "sqi_level.h"
#include "sqi_plan_sum.h"
#include "sqi_simd.h"
#include "sqk_plan_kernels.h"

#include <string.h>

typedef double sum_d8 __attribute__((vector_size(64)));
typedef int64_t sum_i8 __attribute__((vector_size(64)));

#define LANES 8

static inline sum_d8 load(const double* p)
{
  sum_d8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

static inline sum_d8 set(double x)
{
  sum_d8 v = { x, x, x, x, x, x, x, x };
  return v;
}

static inline sum_d8 square_root(sum_d8 v)
{
#if defined(__AVX512F__)
  return (sum_d8)_mm512_sqrt_pd((__m512d)v);
#elif defined(__AVX__)
  __m256d half[2];
  memcpy(half, &v, sizeof(v));
  half[0] = _mm256_sqrt_pd(half[0]);
  half[1] = _mm256_sqrt_pd(half[1]);
  memcpy(&v, half, sizeof(v));
  return v;
#elif defined(__SSE2__)
  __m128d part[4];
  memcpy(part, &v, sizeof(v));
  for (int k = 0; k < 4; ++k)
  {
    part[k] = _mm_sqrt_pd(part[k]);
  }
  memcpy(&v, part, sizeof(v));
  return v;
#else
  for (int k = 0; k < LANES; ++k)
  {
    v[k] = __builtin_sqrt(v[k]);
  }
  return v;
#endif
}

/** `value` where r2 is not 0, else 0. */
static inline sum_d8 unless_zero(sum_d8 r2, sum_d8 value)
{
  sum_i8 there = r2 != set(0.0);
  return (sum_d8)((sum_i8)value & there);
}

static inline sum_d8 kernel_8(const sq_kernel* kernel, sum_d8 r2)
{
  if (kernel->kind == SQ_KERNEL_INVERSE)
  {
    return unless_zero(r2, set(1.0) / square_root(r2));
  }
  if (kernel->kind == SQ_KERNEL_INVERSE_SQUARE)
  {
    return unless_zero(r2, set(1.0) / r2);
  }
  for (int k = 0; k < LANES; ++k)
  {
    r2[k] = sqk_plan_kernel((int)kernel->kind, r2[k], kernel->length);
  }
  return r2;
}

static inline sum_d8 distance2(const sqi_plan_batch* b, int64_t i, const sum_d8 x[3])
{
  sum_d8 dx = x[0] - load(b->x[0] + i), dy = x[1] - load(b->x[1] + i);
  sum_d8 dz = x[2] - load(b->x[2] + i);
  return dx * dx + dy * dy + dz * dz;
}

/** The caller's kernel for the displacements sign (x - batch). */
static void call(const sq_kernel* kernel, const double x[3], const sqi_plan_batch* b, double sign,
  double values[SQ_KERNEL_BATCH])
{
  double displacements[3 * SQ_KERNEL_BATCH];
  for (int axis = 0; axis < 3; ++axis)
  {
    for (int64_t i = 0; i < b->count; ++i)
    {
      displacements[axis * b->count + i] = sign * (x[axis] - b->x[axis][i]);
    }
  }
  kernel->function(kernel->user, b->count, displacements, values);
}

static double add_lanes(sum_d8 v)
{
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

double SQI_LEVEL_NAME(sqi_plan_sum)(
  const sq_kernel* kernel, const double x[3], const sqi_plan_batch* b)
{
  sum_d8 sum = set(0.0);
  if (kernel->kind == SQ_KERNEL_FUNCTION)
  {
    double values[SQ_KERNEL_BATCH] = { 0 };
    call(kernel, x, b, 1.0, values);
    for (int64_t i = 0; i < b->count; ++i)
    {
      sum[i % LANES] += b->strength[i] * values[i];
    }
    return add_lanes(sum);
  }
  const sum_d8 at[3] = { set(x[0]), set(x[1]), set(x[2]) };
  int64_t whole = b->count & ~(int64_t)(LANES - 1);
  for (int64_t i = 0; i < whole; i += LANES)
  {
    sum += load(b->strength + i) * kernel_8(kernel, distance2(b, i, at));
  }
  if (whole < b->count) /* columns are read to their end, lanes beyond the count are dropped */
  {
    sum_d8 last = load(b->strength + whole) * kernel_8(kernel, distance2(b, whole, at));
    for (int64_t k = 0; k < b->count - whole; ++k)
    {
      sum[k] += last[k];
    }
  }
  return add_lanes(sum);
}

void SQI_LEVEL_NAME(sqi_plan_values)(
  const sq_kernel* kernel, const sqi_plan_batch* targets, const double y[3], double* values)
{
  if (kernel->kind == SQ_KERNEL_FUNCTION)
  {
    call(kernel, y, targets, -1.0, values);
    return;
  }
  const sum_d8 at[3] = { set(y[0]), set(y[1]), set(y[2]) };
  for (int64_t i = 0; i < targets->count; i += LANES)
  {
    sum_d8 v = kernel_8(kernel, distance2(targets, i, at));
    memcpy(values + i, &v, sizeof(v));
  }
}
