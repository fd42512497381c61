/** Plans: what must be refused, with a message that says what and why. */
#include "sq_test.h"
#include "sqt_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Trees of every kind that does not go with another. */
typedef struct trees
{
  sq_cluster_tree* space;
  sq_cluster_tree* plane;
  sq_cluster_tree* wide; /* float64 */
  sq_cluster_tree* holes;
  sq_aggregates* aggregates; /* of `space` */
  sq_aggregates* plane_aggregates;
} trees;

static sq_cluster_tree* tree_of(sq_context* c, sq_points p)
{
  sq_cluster_tree_options o = { 4, SQ_NON_FINITE_KEEP };
  sq_cluster_tree* tree = NULL;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_OK);
  free((void*)(uintptr_t)p.data);
  return tree;
}

static trees trees_make(sq_context* c)
{
  trees t;
  sq_points holes = sqt_golden_points(4, SQ_FLOAT32, 30, 3);
  sqt_set_coordinate(&holes, 11, 2, (double)NAN);
  sqt_set_coordinate(&holes, 20, 0, (double)INFINITY);
  t.space = tree_of(c, sqt_golden_points(1, SQ_FLOAT32, 30, 3));
  t.plane = tree_of(c, sqt_golden_points(2, SQ_FLOAT32, 20, 2));
  t.wide = tree_of(c, sqt_golden_points(3, SQ_FLOAT64, 30, 3));
  t.holes = tree_of(c, holes);
  t.aggregates = t.plane_aggregates = NULL;
  CHECK_STATUS(sq_aggregates_build(c, t.space, NULL, SQ_FLOAT32, NULL, 0, 0, &t.aggregates), SQ_OK);
  CHECK_STATUS(
    sq_aggregates_build(c, t.plane, NULL, SQ_FLOAT32, NULL, 0, 0, &t.plane_aggregates), SQ_OK);
  return t;
}

static void trees_free(trees* t)
{
  sq_cluster_tree_destroy(t->space);
  sq_cluster_tree_destroy(t->plane);
  sq_cluster_tree_destroy(t->wide);
  sq_cluster_tree_destroy(t->holes);
  sq_aggregates_destroy(t->aggregates);
  sq_aggregates_destroy(t->plane_aggregates);
}

static void refused(
  sq_context* c, sq_status got, sq_status want, const char* words, const char* file, int line)
{
  sqt_check_status((int)got, (int)want, words, file, line);
  sqt_check(strstr(sq_context_message(c), words) != NULL, file, line, "\"%s\" does not say \"%s\"",
    sq_context_message(c), words);
}

#define REFUSED(call, status, words) refused(c, (call), (status), (words), __FILE__, __LINE__)

/** Every call that takes trees and options. */
static void check_all(sq_context* c, const trees* t, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* o, sq_status want, const char* words)
{
  sq_plan_totals totals;
  sq_plan* plan = (sq_plan*)(uintptr_t)1;
  sq_plan_pairs* pairs = (sq_plan_pairs*)(uintptr_t)1;
  sq_plan_selection all = { SQ_PLAN_SELECT_ALL, 0, 10 };
  sq_plan_field f = { sq_kernel_default(), NULL, SQ_FLOAT32, t->aggregates, NULL };
  sq_plan_errors e;
  double phi[64] = { 0 };
  REFUSED(sq_plan_count(c, targets, sources, o, &totals, NULL), want, words);
  CHECK_INT(totals.evaluations, 0);
  REFUSED(sq_plan_build(c, targets, sources, o, &plan), want, words);
  CHECK(plan == NULL);
  REFUSED(sq_plan_evaluate(c, targets, sources, o, &f, phi), want, words);
  REFUSED(
    sq_plan_measure_errors(c, targets, sources, o, &f, phi, NULL, 0, NULL, NULL, &e), want, words);
  REFUSED(sq_plan_find_pairs(c, targets, sources, o, NULL, NULL, &all, &pairs), want, words);
  CHECK(pairs == NULL);
}

static void options(void)
{
  const double thetas[] = { -1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY };
  sq_context* c = sqt_context(1, NULL, NULL);
  trees t = trees_make(c);
  for (int k = 0; k < 5; ++k)
  {
    sq_plan_options o = sqt_plan_options(thetas[k], 0);
    check_all(c, &t, t.space, t.space, &o, SQ_INVALID_ARGUMENT, "finite numbers from 0 on");
  }
  sq_plan_options o = sqt_plan_options(1, 3);
  check_all(c, &t, t.space, t.space, &o, SQ_INVALID_ARGUMENT, "expand is 3");
  o = sqt_plan_options(1, -1);
  check_all(c, &t, t.space, t.space, &o, SQ_INVALID_ARGUMENT, "expand is -1");
  o = sqt_plan_options(1, 0);
  o.non_finite = (sq_non_finite)7;
  check_all(c, &t, t.space, t.space, &o, SQ_INVALID_ARGUMENT, "non_finite is 7");
  o = sq_plan_options_default();
  CHECK(o.theta == 1 && o.expand == 0 && o.non_finite == SQ_NON_FINITE_REJECT);
  CHECK_INT(o.max_bytes, (int64_t)1 << 31);
  trees_free(&t);
  sq_context_destroy(c);
}

static void sides(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  trees t = trees_make(c);
  sq_plan_options o = sqt_plan_options(1, 0);
  check_all(c, &t, NULL, t.space, &o, SQ_INVALID_ARGUMENT, "no target tree");
  check_all(c, &t, t.space, NULL, &o, SQ_INVALID_ARGUMENT, "no source tree");
  check_all(c, &t, t.space, t.plane, &o, SQ_INVALID_ARGUMENT, "3 coordinates, sources 2");
  check_all(c, &t, t.wide, t.space, &o, SQ_INVALID_ARGUMENT, "float64, sources float32");
  o.non_finite = SQ_NON_FINITE_REJECT;
  check_all(c, &t, t.space, t.holes, &o, SQ_INVALID_DATA, "point 11 of the sources");
  check_all(c, &t, t.holes, t.space, &o, SQ_INVALID_DATA, "point 11 of the targets");
  check_all(c, &t, t.holes, t.holes, NULL, SQ_INVALID_DATA, "(2 in all)");
  CHECK_STATUS(sq_plan_count(c, t.space, t.space, NULL, NULL, NULL), SQ_OK);
  CHECK_STATUS(sq_plan_count(NULL, t.space, t.space, NULL, NULL, NULL), SQ_INVALID_ARGUMENT);
  trees_free(&t);
  sq_context_destroy(c);
}

static void outputs(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  trees t = trees_make(c);
  sq_plan_counts counts;
  float shares[16];
  memset(&counts, 0, sizeof(counts));
  counts.matrix = shares;
  counts.matrix_columns = 2;
  REFUSED(sq_plan_count(c, t.space, t.space, NULL, NULL, &counts), SQ_INVALID_ARGUMENT, "0 x 2");
  counts.matrix_rows = 513;
  REFUSED(sq_plan_count(c, t.space, t.space, NULL, NULL, &counts), SQ_INVALID_ARGUMENT, "512");
  REFUSED(sq_plan_build(c, t.space, t.space, NULL, NULL), SQ_INVALID_ARGUMENT, "no output");
  sq_plan_view view;
  CHECK_STATUS(sq_plan_get_view(NULL, &view), SQ_INVALID_ARGUMENT);
  sq_plan_destroy(NULL);
  double work[30] = { 1, 2, 3 };
  sq_plan_load load;
  REFUSED(sq_plan_measure_load(c, NULL, work, &load), SQ_INVALID_ARGUMENT, "no target tree");
  REFUSED(sq_plan_measure_load(c, t.space, NULL, &load), SQ_INVALID_ARGUMENT, "no work");
  REFUSED(sq_plan_measure_load(c, t.space, work, NULL), SQ_INVALID_ARGUMENT, "no output");
  work[7] = -1;
  REFUSED(sq_plan_measure_load(c, t.space, work, &load), SQ_INVALID_ARGUMENT, "work[7] is -1");
  work[7] = (double)NAN;
  REFUSED(sq_plan_measure_load(c, t.space, work, &load), SQ_INVALID_ARGUMENT, "work[7]");
  trees_free(&t);
  sq_context_destroy(c);
}

/** Counted first, then refused; the message says what is needed. */
static void too_large(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points points = sqt_golden_points(1, SQ_FLOAT32, 100, 3);
  for (int leaf_size = 1; leaf_size < 101; leaf_size *= 3)
  {
    for (int expand = 0; expand < 3; ++expand)
    {
      sqt_pair p = sqt_pair_build(c, &points, NULL, leaf_size);
      sq_plan_options o = sqt_plan_options(1, expand);
      sq_plan_totals n;
      CHECK_STATUS(sq_plan_count(c, p.targets, p.targets, &o, &n, NULL), SQ_OK);
      sq_plan* plan = NULL;
      o.max_bytes = n.plan_bytes;
      CHECK_STATUS(sq_plan_build(c, p.targets, p.targets, &o, &plan), SQ_OK);
      sq_plan_destroy(plan);
      const int64_t limits[] = { n.plan_bytes - 1, n.plan_bytes / 2, 16, 0 };
      for (int k = 0; k < 4; ++k)
      {
        char words[64];
        (void)snprintf(words, sizeof(words), "need %lld bytes; allowed are %lld",
          (long long)n.plan_bytes, (long long)limits[k]);
        o.max_bytes = limits[k];
        REFUSED(sq_plan_build(c, p.targets, p.targets, &o, &plan), SQ_TOO_LARGE, words);
        CHECK(plan == NULL);
      }
      sqt_pair_destroy(&p);
    }
  }
  free((void*)(uintptr_t)points.data);
  sq_context_destroy(c);
}

static void fields(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  trees t = trees_make(c);
  sq_cluster_tree* s = t.space;
  double phi[30];
  int64_t ids[] = { 0, 30 };
  const sq_plan_field good = { sq_kernel_default(), NULL, SQ_FLOAT32, t.aggregates, NULL };
  sq_plan_field f = good;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, NULL, phi), SQ_INVALID_ARGUMENT, "no field");
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, NULL), SQ_INVALID_ARGUMENT, "no output");
  f.kernel.kind = (sq_kernel_kind)0;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "kernel is 0");
  f.kernel.kind = (sq_kernel_kind)7;
  REFUSED(sq_plan_direct_sum(c, s, s, &f, NULL, 0, phi), SQ_INVALID_ARGUMENT, "kernel is 7");
  f.kernel.kind = SQ_KERNEL_FUNCTION;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "no kernel function");
  const double lengths[] = { 0, -1, (double)NAN, (double)INFINITY };
  for (int k = 0; k < 4; ++k)
  {
    f.kernel.kind = k % 2 ? SQ_KERNEL_GAUSSIAN : SQ_KERNEL_REGULARISED;
    f.kernel.length = lengths[k];
    REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "length");
  }
  f = good;
  f.strengths = phi;
  f.strength_type = SQ_INT32;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "strengths");
  f = good;
  f.source_aggregates = NULL;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "no source_aggregates");
  f.source_aggregates = t.plane_aggregates;
  REFUSED(sq_plan_evaluate(c, s, s, NULL, &f, phi), SQ_INVALID_ARGUMENT, "of 2 coord");
  f = good;
  sq_plan_options skip = sqt_plan_options(1, 0);
  REFUSED(
    sq_plan_evaluate(c, t.holes, s, &skip, &f, phi), SQ_INVALID_ARGUMENT, "no target_aggregates");
  REFUSED(sq_plan_direct_sum(c, s, s, &f, ids, 2, phi), SQ_INVALID_ARGUMENT, "target 30");
  REFUSED(sq_plan_direct_sum(c, s, s, &f, ids, -1, phi), SQ_INVALID_ARGUMENT, "-1 targets");
  REFUSED(sq_plan_direct_sum(c, s, s, &f, ids, 1, NULL), SQ_INVALID_ARGUMENT, "no output");
  sq_plan_errors e;
  REFUSED(sq_plan_measure_errors(c, s, s, NULL, &f, NULL, NULL, 0, NULL, NULL, &e),
    SQ_INVALID_ARGUMENT, "no potential");
  REFUSED(sq_plan_evaluate_stored(c, NULL, s, s, &f, phi), SQ_INVALID_ARGUMENT, "no plan");
  trees_free(&t);
  sq_context_destroy(c);
}

static void selections(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  trees t = trees_make(c);
  sq_cluster_tree* s = t.space;
  sq_plan_pairs* pairs = NULL;
  sq_plan_selection x = { (sq_plan_select)3, 0, 5 };
  REFUSED(sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, NULL, &pairs), SQ_INVALID_ARGUMENT, "no");
  REFUSED(sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, NULL), SQ_INVALID_ARGUMENT, "no");
  REFUSED(sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, &pairs), SQ_INVALID_ARGUMENT, "is 3");
  x.kind = SQ_PLAN_SELECT_TARGET;
  x.id = 30;
  REFUSED(
    sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, &pairs), SQ_INVALID_ARGUMENT, "target 30");
  x.id = -1;
  REFUSED(
    sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, &pairs), SQ_INVALID_ARGUMENT, "target -1");
  x.kind = SQ_PLAN_SELECT_TARGET_NODE;
  x.id = 10000;
  REFUSED(
    sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, &pairs), SQ_INVALID_ARGUMENT, "node 10000");
  x.id = 0;
  x.max_pairs = -1;
  REFUSED(
    sq_plan_find_pairs(c, s, s, NULL, NULL, NULL, &x, &pairs), SQ_INVALID_ARGUMENT, "max_pairs");
  x.max_pairs = 5;
  REFUSED(sq_plan_find_pairs(c, s, s, NULL, t.plane_aggregates, NULL, &x, &pairs),
    SQ_INVALID_ARGUMENT, "target_aggregates");
  CHECK_STATUS(sq_plan_pairs_get_view(NULL, NULL), SQ_INVALID_ARGUMENT);
  sq_plan_pairs_destroy(NULL);
  trees_free(&t);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "options", options },
  { "sides", sides },
  { "outputs", outputs },
  { "too large", too_large },
  { "fields", fields },
  { "selections", selections },
};

SQT_MAIN(cases)
