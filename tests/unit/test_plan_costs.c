/**
 * Cost and error of plans as measured of the reference: kernel 1/r, random strengths from 0.5 to 1.5, areas = strengths, float32.
 * The sphere and the cube are known to the bit, so costs hold to the printed digits; the strengths are another draw.
 */
#include "sq_test.h"
#include "sqt_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct row
{
  int cube;
  int64_t leaf_size;
  double theta;
  int expand;
  const char* evaluations; /* as printed, of the dense pairs */
  const char* bytes;
  double rms;
  double max;
} row;

static const row rows[] = {
  { 0, 1, 0.25, 0, "0.260", "4.16", 6.9e-4, 3.6e-3 },
  { 0, 1, 0.5, 0, "0.113", "1.81", 1.4e-3, 6.0e-3 },
  { 0, 1, 1.0, 0, "0.0458", "0.73", 2.8e-3, 1.0e-2 },
  { 0, 1, 1.5, 0, "0.0279", "0.45", 3.5e-3, 1.1e-2 },
  { 0, 1, 10, 0, "0.0060", "0.10", 1.5e-2, 5.6e-2 },
  { 0, 4, 1.0, 0, "0.0927", "2.04", 3.2e-3, 1.1e-2 },
  { 0, 16, 1.0, 0, "0.218", "4.07", 3.8e-3, 1.8e-2 },
  { 0, 32, 1.0, 0, "0.338", "5.74", 3.3e-3, 1.8e-2 },
  { 0, 1, 1.0, 1, "0.182", "2.91", 1.2e-3, 4.3e-3 },
  { 0, 1, 10, 1, "0.0436", "0.70", 7.4e-3, 3.6e-2 },
  { 1, 1, 0.5, 0, "0.215", "3.44", 1.9e-2, 7.1e-2 },
  { 1, 1, 1.0, 0, "0.0939", "1.50", 3.0e-2, 1.3e-1 },
  { 1, 1, 10, 0, "0.0094", "0.15", 7.1e-2, 3.4e-1 },
  { 1, 1, 0.5, 1, "0.467", "7.47", 2.4e-4, 1.0e-3 },
  { 1, 1, 1.0, 1, "0.292", "4.67", 6.6e-4, 3.2e-3 },
  { 1, 1, 10, 1, "0.0702", "1.12", 6.9e-3, 5.0e-2 },
  { 1, 4, 1.0, 0, "0.196", "4.40", 2.4e-2, 9.7e-2 },
  { 1, 4, 1.0, 1, "0.287", "5.85", 4.3e-3, 2.0e-2 },
  { 1, 32, 1.0, 0, "0.696", "11.3", 8.2e-3, 6.3e-2 },
};

/** Half a unit of the last printed digit. */
static double half_digit(const char* printed)
{
  double unit = 0.5;
  int after = 0;
  for (const char* p = printed; *p; ++p)
  {
    unit /= after ? 10 : 1;
    after |= *p == '.';
  }
  return unit;
}

static void check_cost(const row* r, double got, const char* printed, const char* what)
{
  double want = strtod(printed, NULL);
  CHECK_TEXT(fabs(got - want) <= half_digit(printed) * (1 + 1e-9),
    "%s, leaves of %d, theta %g, expand %d: %s %g, want %s", r->cube ? "cube" : "sphere",
    (int)r->leaf_size, r->theta, r->expand, what, got, printed);
}

/**
 * The uniform cube that the reference was measured with: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998) from seed 1, 24
 * bits a coordinate, which is torch.rand() after torch.manual_seed(1).
 */
static sq_points reference_cube(int64_t count)
{
  enum
  {
    N = 624
  };
  uint32_t state[N] = { 1 };
  sq_points p = sqt_random_points(1, SQ_FLOAT32, count, 3, 0, 0);
  for (uint32_t i = 1; i < N; ++i)
  {
    state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
  }
  for (int64_t i = 0; i < 3 * count; ++i)
  {
    for (int k = 0; k < N && i % N == 0; ++k)
    {
      uint32_t y = (state[k] & 0x80000000u) | (state[(k + 1) % N] & 0x7fffffffu);
      state[k] = state[(k + 397) % N] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    uint32_t y = state[i % N];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    y ^= y >> 18;
    sqt_set_coordinate(&p, i / 3, (int32_t)(i % 3), (double)(y & 0xffffffu) * 0x1p-24);
  }
  return p;
}

static void table(void)
{
  enum
  {
    N = 2000
  };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points sphere = sqt_fibonacci_sphere(N), cube = reference_cube(N);
  sq_points q = sqt_random_points(21, SQ_FLOAT32, N, 1, 0.5, 1.5);
  double* phi = (double*)malloc(N * sizeof(double));
  for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); ++k)
  {
    const row* r = rows + k;
    sqt_pair p = sqt_pair_build(c, r->cube ? &cube : &sphere, NULL, r->leaf_size);
    sq_aggregates* a = NULL;
    CHECK_STATUS(sq_aggregates_build(c, p.targets, q.data, SQ_FLOAT32, NULL, 0, 0, &a), SQ_OK);
    sq_plan_options o = sqt_plan_options(r->theta, r->expand);
    sq_plan_field f = { sq_kernel_default(), q.data, SQ_FLOAT32, a, NULL };
    sq_plan_totals n;
    sq_plan_errors e;
    CHECK_STATUS(sq_plan_count(c, p.targets, p.targets, &o, &n, NULL), SQ_OK);
    CHECK_STATUS(sq_plan_evaluate(c, p.targets, p.targets, &o, &f, phi), SQ_OK);
    CHECK_STATUS(
      sq_plan_measure_errors(c, p.targets, p.targets, &o, &f, phi, NULL, 0, NULL, NULL, &e), SQ_OK);
    double dense = (double)n.dense_pairs;
    check_cost(r, (double)n.evaluations / dense, r->evaluations, "evaluations");
    check_cost(r, (double)n.plan_bytes / dense, r->bytes, "bytes");
    CHECK_TEXT(e.rms > 0.8 * r->rms && e.rms < 1.2 * r->rms,
      "%s, leaves of %d, theta %g, expand %d: rms %g, want %g", r->cube ? "cube" : "sphere",
      (int)r->leaf_size, r->theta, r->expand, e.rms, r->rms);
    CHECK_TEXT(e.max > 0.5 * r->max && e.max < 2 * r->max,
      "%s, leaves of %d, theta %g, expand %d: largest error %g, want %g",
      r->cube ? "cube" : "sphere", (int)r->leaf_size, r->theta, r->expand, e.max, r->max);
    sq_aggregates_destroy(a);
    sqt_pair_destroy(&p);
  }
  free(phi);
  free((void*)(uintptr_t)sphere.data);
  free((void*)(uintptr_t)cube.data);
  free((void*)(uintptr_t)q.data);
  sq_context_destroy(c);
}

/** Known of the reference: far entries of spheres, which grow in proportion to the points. */
static void growth(void)
{
  const int64_t counts[] = { 2000, 8000, 16000, 32000 };
  const char* far[] = { "90.6", "107.2", "111.6", "113.9" };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 4; ++k)
  {
    sq_points sphere = sqt_fibonacci_sphere(counts[k]);
    sqt_pair p = sqt_pair_build(c, &sphere, NULL, 1);
    sq_plan_options o = sqt_plan_options(1, 0);
    sq_plan_totals n;
    CHECK_STATUS(sq_plan_count(c, p.targets, p.targets, &o, &n, NULL), SQ_OK);
    CHECK_NEAR((double)n.entries[SQ_PLAN_FAR] / (double)counts[k], strtod(far[k], NULL), 0.0501);
    sqt_pair_destroy(&p);
    free((void*)(uintptr_t)sphere.data);
  }
  sq_context_destroy(c);
}

/** 100,000 points of a sphere: the reference's counts to the last entry, in memory that does not grow with them. */
static void large(void)
{
  const int64_t want[2][4] = { { 100000, 0, 0, 11808282 },
    { 58372494, 14230564, 14230564, 738460 } };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points sphere = sqt_fibonacci_sphere(100000);
  for (int k = 0; k < 2; ++k)
  {
    sqt_pair p = sqt_pair_build(c, &sphere, NULL, k ? 32 : 1);
    sq_plan_options o = sqt_plan_options(1, 0);
    sq_plan_totals n;
    CHECK_STATUS(sq_plan_count(c, p.targets, p.targets, &o, &n, NULL), SQ_OK);
    for (int s = 0; s < 4; ++s)
    {
      CHECK_INT(n.entries[s], want[k][s]);
    }
    CHECK_TEXT(sq_context_peak_bytes(c) < 250 * 100000, "counting took %lld bytes",
      (long long)sq_context_peak_bytes(c));
    CHECK_INT(n.pairs[0] + n.pairs[1] + n.pairs[2] + n.pairs[3], n.dense_pairs);
    sqt_pair_destroy(&p);
  }
  free((void*)(uintptr_t)sphere.data);
  sq_context_destroy(c);
}

/** A plan of some size, whole: peak memory, and that the streams are the reference's. */
static void peak(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points sphere = sqt_fibonacci_sphere(20000);
  for (int k = 0; k < 4; ++k)
  {
    sqt_pair p = sqt_pair_build(c, &sphere, NULL, k & 1 ? 16 : 1);
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &p, 1, k & 2 ? 1 : 0, &v);
    int64_t bytes =
      16 * (v.near_count + v.nf_count + v.far_count) + 32 * v.fn_count + 8 * v.broadcast_count;
    CHECK_TEXT(sq_context_peak_bytes(c) <= 22 * bytes / 10, "peak %lld, plan %lld bytes",
      (long long)sq_context_peak_bytes(c), (long long)bytes);
    CHECK_STATUS(sq_plan_validate(c, &v, p.targets, p.sources), SQ_OK);
    sq_plan_destroy(plan);
    sqt_pair_destroy(&p);
  }
  free((void*)(uintptr_t)sphere.data);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "table", table },
  { "growth", growth },
  { "large", large },
  { "peak", peak },
};

SQT_MAIN(cases)
