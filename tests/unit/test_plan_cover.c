/** Plans of hard point sets: every pair covered once, the arrays by the letter, counts that agree with them. */
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double thetas[] = { 0, 0.25, 1, 10, 1e6 };
static const int64_t leaf_sizes[] = { 1, 3, 8, 64 };

static int64_t* numbers(int64_t count)
{
  return (int64_t*)calloc((size_t)count + 1, sizeof(int64_t));
}

typedef struct counted
{
  sq_plan_totals totals;
  sq_plan_counts counts;
} counted;

static counted count_plan(sq_context* c, const sqt_pair* p, const sq_plan_options* o)
{
  counted n;
  memset(&n, 0, sizeof(n));
  for (int k = 0; k < 4; ++k)
  {
    n.counts.targets[k] = numbers(p->t.point_count);
    n.counts.sources[k] = numbers(p->s.point_count);
  }
  n.counts.evaluations = (double*)calloc((size_t)p->t.point_count + 1, sizeof(double));
  n.counts.target_node_far = numbers(p->t.node_count);
  n.counts.target_node_far_near = numbers(p->t.node_count);
  n.counts.source_node_far = numbers(p->s.node_count);
  n.counts.source_node_near_far = numbers(p->s.node_count);
  n.counts.matrix_rows = p->t.point_count < 7 ? 1 : 7;
  n.counts.matrix_columns = 5;
  n.counts.matrix = (float*)calloc(4 * 7 * 5, sizeof(float));
  CHECK_STATUS(sq_plan_count(c, p->targets, p->sources, o, &n.totals, &n.counts), SQ_OK);
  return n;
}

static void free_counted(counted* n)
{
  for (int k = 0; k < 4; ++k)
  {
    free(n->counts.targets[k]);
    free(n->counts.sources[k]);
  }
  free(n->counts.evaluations);
  free(n->counts.target_node_far);
  free(n->counts.target_node_far_near);
  free(n->counts.source_node_far);
  free(n->counts.source_node_near_far);
  free(n->counts.matrix);
}

static void check_totals(const counted* n, const sq_plan_view* v, const uint8_t* cover,
  const sqt_pair* p, const char* what)
{
  const int64_t entries[4] = { v->near_count, v->nf_count, v->fn_count, v->far_count };
  int64_t targets = p->t.point_count, sources = p->s.point_count, wasted = 0;
  for (int64_t e = 0; e < v->fn_count; ++e)
  {
    wasted += v->fn_broadcast_counts[e] == 0;
  }
  int ok = n->totals.wasted_far_near == wasted &&
    n->totals.broadcast_targets == v->broadcast_count &&
    n->totals.skipped_targets == p->t.skipped_points;
  for (int k = 0; k < 4; ++k)
  {
    int64_t pairs = 0;
    for (int64_t i = 0; i < targets * sources; ++i)
    {
      pairs += cover[k * targets * sources + i];
    }
    ok &= n->totals.entries[k] == entries[k] && n->totals.pairs[k] == pairs;
  }
  CHECK_TEXT(ok, "%s: totals are not those of the plan", what);
}

static void check_points(
  const counted* n, const uint8_t* cover, const sqt_pair* p, const char* what)
{
  int64_t targets = p->t.point_count, sources = p->s.point_count, wrong = 0;
  for (int k = 0; k < 4; ++k)
  {
    int64_t* by_source = numbers(sources);
    for (int64_t t = 0; t < targets; ++t)
    {
      int64_t sum = 0;
      for (int64_t s = 0; s < sources; ++s)
      {
        sum += cover[(k * targets + t) * sources + s];
        by_source[s] += cover[(k * targets + t) * sources + s];
      }
      wrong += n->counts.targets[k][t] != sum;
    }
    for (int64_t s = 0; s < sources; ++s)
    {
      wrong += n->counts.sources[k][s] != by_source[s];
    }
    free(by_source);
  }
  CHECK_TEXT(!wrong, "%s: %lld counts of points are wrong", what, (long long)wrong);
}

static int64_t finite_points(const sq_cluster_tree_view* v, int64_t node)
{
  return v->node_finite_count ? v->node_finite_count[node] : v->node_range_count[node];
}

/** Evaluations of every target, and entries of every node, from the arrays. */
static void check_work(const counted* n, const sq_plan_view* v, const sqt_pair* p, const char* what)
{
  double* work = (double*)calloc((size_t)p->t.point_count + 1, sizeof(double));
  int64_t *tn = numbers(2 * p->t.node_count), *sn = numbers(2 * p->s.node_count), wrong = 0;
  for (int64_t e = 0; e < v->near_count; ++e)
  {
    work[v->near_target_ids[e]] += 1;
  }
  for (int64_t e = 0; e < v->nf_count; ++e)
  {
    work[v->nf_target_ids[e]] += 1;
    ++sn[2 * v->nf_source_node_ids[e]];
  }
  for (int64_t e = 0; e < v->fn_count; ++e)
  {
    ++tn[2 * v->fn_target_node_ids[e]];
    for (int64_t k = 0; k < v->fn_broadcast_counts[e]; ++k)
    {
      work[v->fn_broadcast_targets[v->fn_broadcast_starts[e] + k]] +=
        1.0 / (double)v->fn_broadcast_counts[e];
    }
  }
  for (int64_t e = 0; e < v->far_count; ++e)
  {
    int64_t node = v->far_target_node_ids[e];
    ++tn[2 * node + 1];
    ++sn[2 * v->far_source_node_ids[e] + 1];
    for (int64_t q = 0; q < p->t.node_range_count[node]; ++q)
    {
      int64_t id = p->t.sorted_source_order[p->t.node_range_start[node] + q];
      work[id] += sqt_is_present(&p->t, id) ? 1.0 / (double)finite_points(&p->t, node) : 0;
    }
  }
  for (int64_t t = 0; t < p->t.point_count; ++t)
  {
    wrong += fabs(work[t] - n->counts.evaluations[t]) > 1e-12 * (1 + work[t]);
  }
  for (int64_t k = 0; k < p->t.node_count; ++k)
  {
    wrong += n->counts.target_node_far_near[k] != tn[2 * k] ||
      n->counts.target_node_far[k] != tn[2 * k + 1];
  }
  for (int64_t k = 0; k < p->s.node_count; ++k)
  {
    wrong += n->counts.source_node_near_far[k] != sn[2 * k] ||
      n->counts.source_node_far[k] != sn[2 * k + 1];
  }
  CHECK_TEXT(!wrong, "%s: %lld counts of work and nodes are wrong", what, (long long)wrong);
  free(work);
  free(tn);
  free(sn);
}

static void check_matrix(
  const counted* n, const uint8_t* cover, const sqt_pair* p, const char* what)
{
  int64_t targets = p->t.point_count, sources = p->s.point_count;
  int64_t rows = n->counts.matrix_rows, columns = n->counts.matrix_columns, wrong = 0;
  int64_t* bins = numbers(4 * rows * columns);
  for (int64_t i = 0; i < targets; ++i)
  {
    for (int64_t j = 0; j < sources; ++j)
    {
      int64_t at = p->t.sorted_source_order[i] * sources + p->s.sorted_source_order[j];
      for (int k = 0; k < 4; ++k)
      {
        bins[(k * rows + i * rows / targets) * columns + j * columns / sources] +=
          cover[k * targets * sources + at];
      }
    }
  }
  for (int64_t b = 0; b < rows * columns; ++b)
  {
    int64_t all = 0;
    for (int k = 0; k < 4; ++k)
    {
      all += bins[k * rows * columns + b];
    }
    for (int k = 0; k < 4; ++k)
    {
      double share = all ? (double)bins[k * rows * columns + b] / (double)all : 0;
      wrong += n->counts.matrix[k * rows * columns + b] != (float)share;
    }
  }
  CHECK_TEXT(!wrong, "%s: %lld blocks of the matrix are wrong", what, (long long)wrong);
  free(bins);
}

static void check_one(sq_context* c, const sqt_pair* p, double theta, int expand, const char* what)
{
  sq_plan_view v;
  sq_plan_options o = sqt_plan_options(theta, expand);
  sq_plan* plan = sqt_plan_build(c, p, theta, expand, &v);
  sqt_plan letter = sqt_plan_by_letter(p, theta, expand);
  if (sqt_plan_equal(&v, &letter, what))
  {
    uint8_t* cover = sqt_plan_cover(&v, p);
    CHECK_TEXT(sqt_plan_covers_once(cover, p), "%s: not every pair is covered once", what);
    counted n = count_plan(c, p, &o);
    check_totals(&n, &v, cover, p, what);
    CHECK_TEXT(n.totals.iterations == letter.iterations, "%s: %d iterations, want %d", what,
      (int)n.totals.iterations, (int)letter.iterations);
    check_points(&n, cover, p, what);
    check_work(&n, &v, p, what);
    check_matrix(&n, cover, p, what);
    free_counted(&n);
    free(cover);
  }
  sqt_plan_free(&letter);
  sq_plan_destroy(plan);
}

/** Some of them with theta infinite in float once squared: everything apart is far. */
static void hard_sets(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < SQT_POINT_SETS; ++k)
  {
    sqt_point_set set = sqt_point_set_make(k);
    for (int i = 0; i < 4; ++i)
    {
      sqt_pair p =
        sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, leaf_sizes[i]);
      for (int j = 0; j < 5; ++j)
      {
        for (int expand = 0; expand < 3; ++expand)
        {
          char what[128];
          (void)snprintf(what, sizeof(what), "%s, leaves of %d, theta %g, expand %d", set.name,
            (int)leaf_sizes[i], thetas[j], expand);
          check_one(c, &p, thetas[j], expand, what);
        }
      }
      sqt_pair_destroy(&p);
    }
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** Theta whose square leaves the range: the square is 0 or infinite, as in the reference. */
static void extreme_theta(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(1);
  sqt_pair p = sqt_pair_build(c, &set.targets, NULL, 3);
  check_one(c, &p, 1e-30, 0, "theta 1e-30");
  check_one(c, &p, 1e30, 0, "theta 1e30");
  check_one(c, &p, 1e200, 0, "theta 1e200");
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

static void nothing(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points none = { NULL, 0, SQ_FLOAT32, 3 };
  sq_points holes = sqt_golden_points(1, SQ_FLOAT32, 9, 3),
            some = sqt_golden_points(2, SQ_FLOAT32, 5, 3);
  for (int64_t i = 0; i < 9; ++i)
  {
    sqt_set_coordinate(&holes, i, 1, (double)NAN);
  }
  const sq_points* sides[][2] = { { &none, NULL }, { &none, &some }, { &some, &none },
    { &holes, NULL }, { &holes, &some }, { &some, &holes } };
  for (int k = 0; k < 6; ++k)
  {
    sqt_pair p = sqt_pair_build(c, sides[k][0], sides[k][1], 2);
    for (int expand = 0; expand < 3; ++expand)
    {
      sq_plan_view v;
      sq_plan_options o = sqt_plan_options(1, expand);
      sq_plan* plan = sqt_plan_build(c, &p, 1, expand, &v);
      CHECK_INT(v.near_count + v.nf_count + v.fn_count + v.far_count + v.broadcast_count, 0);
      counted n = count_plan(c, &p, &o);
      CHECK_INT(n.totals.evaluations + n.totals.dense_pairs + n.totals.iterations, 0);
      CHECK_NEAR(n.totals.exact_share, 0, 0);
      free_counted(&n);
      sq_plan_destroy(plan);
    }
    sqt_pair_destroy(&p);
  }
  free((void*)(uintptr_t)holes.data);
  free((void*)(uintptr_t)some.data);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "hard sets", hard_sets },
  { "extreme theta", extreme_theta },
  { "nothing", nothing },
};

SQT_MAIN(cases)
