/** What must hold of every plan, whatever the points. */
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int same_arrays(const sq_plan_view* a, const sq_plan_view* b, int first, int last)
{
  const int64_t *x[11], *y[11];
  int64_t n[11], m[11];
  int same = 1;
  sqt_plan_arrays(a, x, n);
  sqt_plan_arrays(b, y, m);
  for (int k = first; k <= last; ++k)
  {
    same &= n[k] == m[k] && (!n[k] || !memcmp(x[k], y[k], (size_t)n[k] * sizeof(int64_t)));
  }
  return same;
}

/** Expanding empties the far stream and leaves near and far-near alone; complete leaves no sharing at all. */
static void expanding(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < SQT_POINT_SETS; ++k)
  {
    sqt_point_set set = sqt_point_set_make(k);
    sqt_pair p = sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, 4);
    sq_plan_view v[3];
    sq_plan* plans[3];
    for (int e = 0; e < 3; ++e)
    {
      plans[e] = sqt_plan_build(c, &p, 1.5, e, v + e);
    }
    CHECK(same_arrays(v, v + 1, 0, 1) && same_arrays(v, v + 1, 4, 8));
    CHECK(same_arrays(v + 1, v + 2, 2, 3) && same_arrays(v + 1, v + 2, 9, 10));
    CHECK_INT(v[1].far_count + v[2].far_count + v[2].fn_count + v[2].broadcast_count, 0);
    int64_t shared = 0;
    for (int64_t e = 0; e < v[1].fn_count; ++e)
    {
      shared += v[1].fn_broadcast_counts[e];
    }
    CHECK_INT(v[2].near_count, v[1].near_count + shared);
    for (int e = 0; e < 3; ++e)
    {
      sq_plan_destroy(plans[e]);
    }
    sqt_pair_destroy(&p);
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** Streams are sorted by source, and every listed target belongs to an entry. */
static void sorted(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < SQT_POINT_SETS; ++k)
  {
    sqt_point_set set = sqt_point_set_make(k);
    sqt_pair p = sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, 4);
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &p, 2, 0, &v);
    const int64_t* arrays[11];
    int64_t counts[11], wrong = 0;
    sqt_plan_arrays(&v, arrays, counts);
    for (int i = 0; i < 4; ++i)
    {
      const int keys[4] = { 1, 3, 5, 10 };
      for (int64_t e = 1; e < counts[keys[i]]; ++e)
      {
        wrong += arrays[keys[i]][e] < arrays[keys[i]][e - 1];
      }
    }
    uint8_t* used = (uint8_t*)calloc((size_t)v.broadcast_count + 1, 1);
    for (int64_t e = 0; e < v.fn_count; ++e)
    {
      memset(used + v.fn_broadcast_starts[e], 1, (size_t)v.fn_broadcast_counts[e]);
    }
    for (int64_t i = 0; i < v.broadcast_count; ++i)
    {
      wrong += !used[i];
    }
    CHECK_TEXT(!wrong, "%s: %lld faults", set.name, (long long)wrong);
    free(used);
    sq_plan_destroy(plan);
    sqt_pair_destroy(&p);
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

static int compare(const void* a, const void* b)
{
  const int64_t *x = (const int64_t*)a, *y = (const int64_t*)b;
  int first = x[0] < y[0] ? -1 : x[0] > y[0];
  return first ? first : x[1] < y[1] ? -1 : x[1] > y[1];
}

/** In self-interaction, (T, S) is far as (S, T) is. */
static void symmetric(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  const int sets[] = { 1, 3, 5, 6, 9, 11, 12, 17 };
  for (int i = 0; i < 16; ++i)
  {
    sqt_point_set set = sqt_point_set_make(sets[i / 2]);
    sqt_pair p = sqt_pair_build(c, &set.targets, NULL, i & 1 ? 4 : 1);
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &p, 1.2, 0, &v);
    size_t n = (size_t)v.far_count;
    int64_t* a = (int64_t*)malloc((2 * n + 1) * sizeof(int64_t));
    int64_t* b = (int64_t*)malloc((2 * n + 1) * sizeof(int64_t));
    for (size_t e = 0; e < n; ++e)
    {
      a[2 * e] = b[2 * e + 1] = v.far_target_node_ids[e];
      a[2 * e + 1] = b[2 * e] = v.far_source_node_ids[e];
    }
    qsort(a, n, 2 * sizeof(int64_t), compare);
    qsort(b, n, 2 * sizeof(int64_t), compare);
    CHECK_SAME(a, b, 2 * n);
    free(a);
    free(b);
    sq_plan_destroy(plan);
    sqt_pair_destroy(&p);
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** A wider angle never makes more near pairs; every pair stays covered. */
static void wider(void)
{
  const double thetas[] = { 0, 0.1, 0.5, 1, 2, 5 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < SQT_POINT_SETS; ++k)
  {
    sqt_point_set set = sqt_point_set_make(k);
    sqt_pair p = sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, 4);
    int64_t before = INT64_MAX;
    for (int i = 0; i < 6; ++i)
    {
      sq_plan_options o = sqt_plan_options(thetas[i], 0);
      sq_plan_totals n;
      CHECK_STATUS(sq_plan_count(c, p.targets, p.sources, &o, &n, NULL), SQ_OK);
      CHECK_TEXT(n.entries[0] <= before, "%s: near grows at theta %g", set.name, thetas[i]);
      CHECK_INT(n.pairs[0] + n.pairs[1] + n.pairs[2] + n.pairs[3], n.dense_pairs);
      CHECK(i || n.entries[0] == n.dense_pairs);
      before = n.entries[0];
    }
    sqt_pair_destroy(&p);
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** Points on a coarse lattice: moving them by whole numbers and scaling by a power of two is exact, so the plan is the same. */
static void moved(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int type = 0; type < 2; ++type)
  {
    sq_points p = sqt_random_points(8, (sq_type)type, 300, 3, 0, 1);
    sq_points q = sqt_random_points(8, (sq_type)type, 300, 3, 0, 1);
    for (int64_t i = 0; i < 900; ++i)
    {
      double x = floor(sqt_coordinate(&p, i / 3, (int32_t)(i % 3)) * 1024) / 1024;
      sqt_set_coordinate(&p, i / 3, (int32_t)(i % 3), x);
      sqt_set_coordinate(&q, i / 3, (int32_t)(i % 3), (x + (double)(i % 3) - 7) * 0x1p-9);
    }
    for (int leaf_size = 1; leaf_size < 30; leaf_size *= 5)
    {
      sqt_pair a = sqt_pair_build(c, &p, NULL, leaf_size),
               b = sqt_pair_build(c, &q, NULL, leaf_size);
      sq_plan_view v, w;
      sq_plan *x = sqt_plan_build(c, &a, 1, 0, &v), *y = sqt_plan_build(c, &b, 1, 0, &w);
      CHECK(same_arrays(&v, &w, 0, 10));
      sq_plan_destroy(x);
      sq_plan_destroy(y);
      sqt_pair_destroy(&a);
      sqt_pair_destroy(&b);
    }
    free((void*)(uintptr_t)p.data);
    free((void*)(uintptr_t)q.data);
  }
  sq_context_destroy(c);
}

/** The error falls as theta does, each step growing threefold at most, to nothing at 0; complete expansion helps. */
static void converging(void)
{
  const double thetas[] = { 10, 2, 0.5, 0.01, 0 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points p = sqt_random_points(5, SQ_FLOAT64, 1500, 3, 0, 1);
  sq_points q = sqt_random_points(6, SQ_FLOAT64, 1500, 1, 0.5, 1.5);
  double* phi = (double*)malloc(1500 * sizeof(double));
  for (int i = 0; i < 6; ++i)
  {
    sqt_pair t = sqt_pair_build(c, &p, NULL, i % 2 ? 8 : 1);
    sq_aggregates* a = NULL;
    CHECK_STATUS(sq_aggregates_build(c, t.targets, q.data, SQ_FLOAT64, NULL, 0, 0, &a), SQ_OK);
    sq_plan_field f = { sq_kernel_default(), q.data, SQ_FLOAT64, a, NULL };
    double before = HUGE_VAL;
    for (int k = 0; k < 5; ++k)
    {
      sq_plan_errors e;
      sq_plan_options o = sqt_plan_options(thetas[k], i / 2);
      CHECK_STATUS(sq_plan_evaluate(c, t.targets, t.targets, &o, &f, phi), SQ_OK);
      CHECK_STATUS(
        sq_plan_measure_errors(c, t.targets, t.targets, &o, &f, phi, NULL, 0, NULL, NULL, &e),
        SQ_OK);
      CHECK_TEXT(e.rms <= 3 * before + 1e-15, "theta %g: error grows from %g to %g", thetas[k],
        before, e.rms);
      CHECK(i / 2 == 0 || e.far == 0);
      CHECK(i / 2 < 2 || e.far_near == 0);
      before = e.rms;
    }
    CHECK_TEXT(before < 1e-14, "theta 0: error %g", before);
    sq_aggregates_destroy(a);
    sqt_pair_destroy(&t);
  }
  free(phi);
  free((void*)(uintptr_t)p.data);
  free((void*)(uintptr_t)q.data);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "expanding", expanding },
  { "sorted", sorted },
  { "symmetric", symmetric },
  { "wider", wider },
  { "moved", moved },
  { "converging", converging },
};

SQT_MAIN(cases)
