#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H
/** What the benchmark programs share: clocks, medians, and an end when something fails. */
#include <spatialqueries/spatialqueries.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bench_compare(const void* a, const void* b)
{
  double p = *(const double*)a;
  double q = *(const double*)b;
  return (p > q) - (p < q);
}

static inline double bench_median(double* values, int32_t count)
{
  qsort(values, (size_t)count, sizeof(double), bench_compare);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static inline void bench_check(sq_context* context, sq_status status)
{
  if (status != SQ_OK)
  {
    fprintf(stderr, "%s: %s\n", sq_status_text(status), sq_context_message(context));
    exit(1);
  }
}

static inline void* bench_allocate(int64_t count, size_t item_bytes)
{
  void* memory = malloc((size_t)(count > 0 ? count : 1) * item_bytes);
  if (!memory)
  {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

#endif
