/** Plans: every allocation fails once, every poll cancels once; nothing is left behind. */
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_sweep.h"

#include <stdlib.h>
#include <string.h>

typedef struct job
{
  sqt_pair pair;
  sq_aggregates* sources;
  sq_aggregates* targets;
  sq_plan_view plan; /* built beforehand */
  int expand;
} job;

static sq_status count_all(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  int64_t n = j->pair.t.point_count, m = j->pair.s.point_count;
  int64_t* near = (int64_t*)malloc((size_t)n * sizeof(int64_t));
  int64_t* far = (int64_t*)malloc((size_t)m * sizeof(int64_t));
  float* shares = (float*)malloc(4 * 64 * sizeof(float));
  sq_plan_counts counts;
  memset(&counts, 0, sizeof(counts));
  counts.targets[0] = near;
  counts.sources[3] = far;
  counts.matrix = shares;
  counts.matrix_rows = counts.matrix_columns = 8;
  sq_plan_totals totals;
  sq_plan_options o = sqt_plan_options(1, j->expand);
  sq_status s = sq_plan_count(c, j->pair.targets, j->pair.sources, &o, &totals, &counts);
  CHECK(s == SQ_OK ? totals.evaluations > 0 : totals.evaluations == 0);
  free(near);
  free(far);
  free(shares);
  return s;
}

static sq_status build(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_options o = sqt_plan_options(1, j->expand);
  sq_plan* plan = (sq_plan*)(uintptr_t)1;
  sq_status s = sq_plan_build(c, j->pair.targets, j->pair.sources, &o, &plan);
  CHECK((plan != NULL) == (s == SQ_OK));
  sq_plan_destroy(plan);
  return s;
}

/** Refusing counts, too. */
static sq_status refuse(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_options o = sqt_plan_options(1, j->expand);
  o.max_bytes = 100000;
  sq_plan* plan = NULL;
  sq_status s = sq_plan_build(c, j->pair.targets, j->pair.sources, &o, &plan);
  CHECK(plan == NULL);
  return s == SQ_TOO_LARGE ? SQ_OK : s;
}

static sq_plan_field field_of(const job* j)
{
  sq_plan_field f = { sq_kernel_default(), NULL, SQ_FLOAT32, j->sources, j->targets };
  return f;
}

static sq_status evaluate(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_options o = sqt_plan_options(1, j->expand);
  sq_plan_field f = field_of(j);
  double* phi = (double*)malloc((size_t)j->pair.t.point_count * sizeof(double));
  sq_status s = sq_plan_evaluate(c, j->pair.targets, j->pair.sources, &o, &f, phi);
  free(phi);
  return s;
}

static sq_status evaluate_stored(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_field f = field_of(j);
  double* phi = (double*)malloc((size_t)j->pair.t.point_count * sizeof(double));
  sq_status s = sq_plan_evaluate_stored(c, &j->plan, j->pair.targets, j->pair.sources, &f, phi);
  free(phi);
  return s;
}

static sq_status direct(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_field f = field_of(j);
  double phi[20];
  int64_t ids[20];
  int64_t count = sq_plan_spread_targets(j->pair.t.point_count, 20, ids);
  return sq_plan_direct_sum(c, j->pair.targets, j->pair.sources, &f, ids, count, phi);
}

static sq_status measure_errors(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_field f = field_of(j);
  sq_plan_options o = sqt_plan_options(1, j->expand);
  int64_t ids[20];
  int64_t count = sq_plan_spread_targets(j->pair.t.point_count, 20, ids);
  double* phi = (double*)calloc((size_t)j->pair.t.point_count, sizeof(double));
  sq_plan_errors e;
  sq_status s = sq_plan_measure_errors(
    c, j->pair.targets, j->pair.sources, &o, &f, phi, ids, count, NULL, NULL, &e);
  free(phi);
  return s;
}

static sq_status validate(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  return sq_plan_validate(c, &j->plan, j->pair.targets, j->pair.sources);
}

static sq_status find_pairs(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  sq_plan_options o = sqt_plan_options(1, j->expand);
  sq_plan_selection all = { SQ_PLAN_SELECT_ALL, 0, 1000 };
  sq_plan_pairs* pairs = (sq_plan_pairs*)(uintptr_t)1;
  sq_status s = sq_plan_find_pairs(
    c, j->pair.targets, j->pair.sources, &o, j->targets, j->sources, &all, &pairs);
  CHECK((pairs != NULL) == (s == SQ_OK));
  sq_plan_pairs_destroy(pairs);
  return s;
}

static sq_status measure_load(sq_context* c, void* data)
{
  const job* j = (const job*)data;
  double* work = (double*)calloc((size_t)j->pair.t.point_count, sizeof(double));
  work[0] = 1;
  sq_plan_load load;
  sq_status s = sq_plan_measure_load(c, j->pair.targets, work, &load);
  free(work);
  return s;
}

static void sweep(
  sqt_operation operation, const char* what, int self, int expand, int allocations, int polls)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points t = sqt_random_points(1, SQ_FLOAT32, 600, 3, 0, 1);
  sq_points s = sqt_random_points(2, SQ_FLOAT32, 450, 3, 0, 1);
  sqt_set_coordinate(&t, 400, 1, 1.0 / 0.0);
  job j;
  memset(&j, 0, sizeof(j));
  j.pair = sqt_pair_build(c, &t, self ? NULL : &s, 6);
  j.expand = expand;
  CHECK_STATUS(
    sq_aggregates_build(c, j.pair.sources, NULL, SQ_FLOAT32, NULL, 0, 0, &j.sources), SQ_OK);
  CHECK_STATUS(
    sq_aggregates_build(c, j.pair.targets, NULL, SQ_FLOAT32, NULL, 0, 0, &j.targets), SQ_OK);
  sq_plan* plan = sqt_plan_build(c, &j.pair, 1, expand, &j.plan);
  sqt_sweep_memory(what, operation, &j, allocations);
  if (polls)
  {
    sqt_sweep_cancel(what, operation, &j, polls);
  }
  sq_plan_destroy(plan);
  sq_aggregates_destroy(j.sources);
  sq_aggregates_destroy(j.targets);
  sqt_pair_destroy(&j.pair);
  free((void*)(uintptr_t)t.data);
  free((void*)(uintptr_t)s.data);
  sq_context_destroy(c);
}

static void counting(void)
{
  sweep(count_all, "count", 1, 0, 30, 4);
  sweep(count_all, "count", 0, 2, 40, 4);
}

static void building(void)
{
  sweep(build, "build", 1, 0, 60, 30);
  sweep(build, "build", 0, 1, 60, 30);
  sweep(build, "build", 0, 2, 60, 30);
  sweep(refuse, "refuse", 1, 0, 20, 5);
}

static void evaluating(void)
{
  sweep(evaluate, "evaluate", 1, 0, 20, 6);
  sweep(evaluate, "evaluate", 0, 2, 30, 6);
  sweep(evaluate_stored, "evaluate stored", 0, 0, 25, 20);
  sweep(direct, "direct sum", 0, 0, 22, 5);
  sweep(measure_errors, "errors", 1, 0, 20, 5);
}

static void checking(void)
{
  sweep(validate, "validate", 1, 0, 15, 20);
  sweep(validate, "validate", 0, 1, 25, 20);
}

static void looking(void)
{
  sweep(find_pairs, "pairs", 0, 0, 30, 4);
  sweep(measure_load, "load", 1, 0, 1, 0);
}

static const sqt_case cases[] = {
  { "counting", counting },
  { "building", building },
  { "evaluating", evaluating },
  { "checking", checking },
  { "looking", looking },
};

SQT_MAIN(cases)
