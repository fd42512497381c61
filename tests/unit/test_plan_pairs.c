/** Entries as lists, and how evenly work is spread. */
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sq_plan_pairs* find(sq_context* c, const sqt_pair* p, double theta, int expand,
  sq_plan_selection s, sq_plan_pairs_view* v)
{
  sq_plan_options o = sqt_plan_options(theta, expand);
  sq_plan_pairs* pairs = NULL;
  memset(v, 0, sizeof(*v));
  CHECK_STATUS(sq_plan_find_pairs(c, p->targets, p->sources, &o, NULL, NULL, &s, &pairs), SQ_OK);
  CHECK_STATUS(sq_plan_pairs_get_view(pairs, v), SQ_OK);
  return pairs;
}

/** Covers of a list of entries, as sqt_plan_cover(); far-near entries cover what the plan says. */
static void add_entry(uint8_t* cover, const sqt_pair* p, const sq_plan_pairs_view* v, int64_t e)
{
  int64_t m = p->s.point_count;
  int64_t t0 = p->t.node_range_start[v->target_node[e]],
          s0 = p->s.node_range_start[v->source_node[e]];
  for (int64_t i = 0; i < p->t.node_range_count[v->target_node[e]]; ++i)
  {
    int64_t t = p->t.sorted_source_order[t0 + i];
    for (int64_t j = 0; j < p->s.node_range_count[v->source_node[e]]; ++j)
    {
      int64_t s = p->s.sorted_source_order[s0 + j];
      int is_in = (v->target_id[e] < 0 || v->target_id[e] == t) &&
        (v->source_id[e] < 0 || v->source_id[e] == s) && sqt_is_present(&p->t, t) &&
        sqt_is_present(&p->s, s);
      cover[t * m + s] = (uint8_t)(cover[t * m + s] + is_in);
    }
  }
}

/** All entries: those of the plan, stream by stream, with what they cover and on the right side of theta. */
static void check_all(sq_context* c, const sqt_pair* p, double theta, int expand, const char* what)
{
  int64_t n = p->t.point_count, m = p->s.point_count, counts[4] = { 0 }, wrong = 0, covered = 0;
  sq_plan_selection all = { SQ_PLAN_SELECT_ALL, 0, INT64_MAX };
  sq_plan_view plan_view;
  sq_plan_pairs_view v;
  sq_plan* plan = sqt_plan_build(c, p, theta, expand, &plan_view);
  uint8_t* want = sqt_plan_cover(&plan_view, p);
  sq_plan_pairs* pairs = find(c, p, theta, expand, all, &v);
  uint8_t* got = (uint8_t*)calloc((size_t)(4 * n * m + 1), 1);
  for (int64_t e = 0; e < v.count; ++e)
  {
    int k = v.stream[e];
    ++counts[k];
    covered += v.covered_pairs[e];
    add_entry(got + k * n * m, p, &v, e);
    wrong += k == SQ_PLAN_NEAR ? v.target_id[e] < 0 || v.source_id[e] < 0
                               : !(v.opening_ratio[e] < theta * (1 + 1e-5));
    wrong += v.covered_pairs[e] < (k != SQ_PLAN_FAR_NEAR);
  }
  const int64_t entries[4] = { plan_view.near_count, plan_view.nf_count, plan_view.fn_count,
    plan_view.far_count };
  for (int k = 0; k < 4; ++k)
  {
    CHECK_TEXT(counts[k] == entries[k], "%s: %lld entries of stream %d, want %lld", what,
      (long long)counts[k], k, (long long)entries[k]);
    for (int64_t i = 0; i < n * m; ++i)
    {
      /* a far-near entry names its node; its list may be shorter */
      int64_t at = k * n * m + i;
      wrong += k == SQ_PLAN_FAR_NEAR ? got[at] < want[at] : got[at] != want[at];
    }
  }
  int64_t present_t = n - p->t.skipped_points, present_s = m - p->s.skipped_points;
  CHECK_TEXT(covered == present_t * present_s, "%s: %lld pairs covered", what, (long long)covered);
  CHECK_TEXT(!wrong && !v.truncated, "%s: %lld faults", what, (long long)wrong);
  sq_plan_pairs_destroy(pairs);
  sq_plan_destroy(plan);
  free(want);
  free(got);
}

/** Entries of single targets reach every source once; those of nodes are all there are. */
static void check_selected(
  sq_context* c, const sqt_pair* p, double theta, int expand, const char* what)
{
  int64_t n = p->t.point_count, m = p->s.point_count, wrong = 0, entries = 0, evaluations = 0;
  sq_plan_pairs_view v;
  for (int64_t t = 0; t < n; t += 7)
  {
    sq_plan_selection one = { SQ_PLAN_SELECT_TARGET, t, INT64_MAX };
    sq_plan_pairs* pairs = find(c, p, theta, expand, one, &v);
    uint8_t* cover = (uint8_t*)calloc((size_t)(n * m + 1), 1);
    for (int64_t e = 0; e < v.count; ++e)
    {
      add_entry(cover, p, &v, e);
      wrong += v.target_id[e] >= 0 && v.target_id[e] != t;
    }
    for (int64_t s = 0; s < m; ++s)
    {
      wrong += cover[t * m + s] != (sqt_is_present(&p->t, t) && sqt_is_present(&p->s, s));
    }
    free(cover);
    sq_plan_pairs_destroy(pairs);
  }
  for (int64_t node = 0; node < p->t.node_count; ++node)
  {
    sq_plan_selection one = { SQ_PLAN_SELECT_TARGET_NODE, node, INT64_MAX };
    sq_plan_pairs* pairs = find(c, p, theta, expand, one, &v);
    for (int64_t e = 0; e < v.count; ++e)
    {
      wrong += v.target_node[e] != node;
    }
    entries += v.count;
    sq_plan_pairs_destroy(pairs);
  }
  sq_plan_totals totals;
  sq_plan_options o = sqt_plan_options(theta, expand);
  CHECK_STATUS(sq_plan_count(c, p->targets, p->sources, &o, &totals, NULL), SQ_OK);
  evaluations = totals.evaluations;
  CHECK_TEXT(!wrong && entries == evaluations, "%s: %lld faults, %lld of %lld entries", what,
    (long long)wrong, (long long)entries, (long long)evaluations);
}

static void hard_sets(void)
{
  const int sets[] = { 0, 2, 4, 5, 9, 12, 14, 15, 17, 18, 21 };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); ++k)
  {
    sqt_point_set set = sqt_point_set_make(sets[k]);
    for (int i = 0; i < 6; ++i)
    {
      double theta = i < 3 ? 1 : 5;
      sqt_pair p =
        sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, i & 1 ? 1 : 5);
      char what[96];
      (void)snprintf(what, sizeof(what), "%s, theta %g, expand %d", set.name, theta, i % 3);
      check_all(c, &p, theta, i % 3, what);
      check_selected(c, &p, theta, i % 3, what);
      sqt_pair_destroy(&p);
    }
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** The first ones, in the same order, and that there are more. */
static void truncated(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(1);
  sqt_pair p = sqt_pair_build(c, &set.targets, NULL, 4);
  sq_plan_selection s = { SQ_PLAN_SELECT_ALL, 0, INT64_MAX };
  sq_plan_pairs_view all, some;
  sq_plan_pairs* a = find(c, &p, 1, 0, s, &all);
  const int64_t limits[] = { 0, 1, 100, all.count - 1, all.count, all.count + 1 };
  for (int k = 0; k < 6; ++k)
  {
    s.max_pairs = limits[k];
    sq_plan_pairs* b = find(c, &p, 1, 0, s, &some);
    CHECK_INT(some.count, limits[k] < all.count ? limits[k] : all.count);
    CHECK_INT(some.truncated, limits[k] < all.count);
    if (some.count)
    {
      CHECK_SAME(some.stream, all.stream, some.count);
      CHECK_SAME(some.source_id, all.source_id, some.count);
      CHECK_SAME(some.ends, all.ends, 6 * some.count);
    }
    sq_plan_pairs_destroy(b);
  }
  sq_plan_pairs_destroy(a);
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

/** Where entries end: at their points, at centroids, or in the middle of boxes. */
static void ends(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(2);
  sqt_pair p = sqt_pair_build(c, &set.targets, &set.sources, 5);
  sq_aggregates* a[2] = { NULL, NULL };
  sq_aggregates_view centroids[2];
  CHECK_STATUS(sq_aggregates_build(c, p.targets, NULL, SQ_FLOAT64, NULL, 0, 0, a), SQ_OK);
  CHECK_STATUS(sq_aggregates_build(c, p.sources, NULL, SQ_FLOAT64, NULL, 0, 0, a + 1), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(a[0], centroids), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(a[1], centroids + 1), SQ_OK);
  sq_plan_options o = sqt_plan_options(1, 0);
  sq_plan_selection s = { SQ_PLAN_SELECT_ALL, 0, INT64_MAX };
  const sq_cluster_tree_view* trees[2] = { &p.t, &p.s };
  for (int boxes = 0; boxes < 2; ++boxes)
  {
    sq_plan_pairs* pairs = NULL;
    sq_plan_pairs_view v;
    CHECK_STATUS(sq_plan_find_pairs(c, p.targets, p.sources, &o, boxes ? NULL : a[0],
                   boxes ? NULL : a[1], &s, &pairs),
      SQ_OK);
    CHECK_STATUS(sq_plan_pairs_get_view(pairs, &v), SQ_OK);
    int64_t wrong = 0;
    for (int64_t e = 0; e < v.count; ++e)
    {
      for (int side = 0; side < 2; ++side)
      {
        int64_t id = side ? v.source_id[e] : v.target_id[e];
        int64_t node = side ? v.source_node[e] : v.target_node[e];
        for (int d = 0; d < 3; ++d)
        {
          double want = 0;
          int64_t at = 2 * node + d;
          if (d < 2 && id >= 0)
          {
            want = ((const double*)trees[side]->source_points)[2 * id + d];
          }
          else if (d < 2)
          {
            want = boxes ? 0.5 * ((const double*)trees[side]->node_aabb_min)[at] +
                0.5 * ((const double*)trees[side]->node_aabb_max)[at]
                         : ((const double*)centroids[side].node_centroid)[at];
          }
          wrong += v.ends[6 * e + 3 * side + d] != want;
        }
      }
    }
    CHECK_INT(wrong, 0);
    sq_plan_pairs_destroy(pairs);
  }
  sq_aggregates_destroy(a[0]);
  sq_aggregates_destroy(a[1]);
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

static void load(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  double x[8] = { 0, 1, 2, 3, 4, 5, (double)NAN, 7 }, work[8] = { 3, 3, 3, 3, 3, 3, 99, 3 };
  sq_points points = { x, 8, SQ_FLOAT64, 1 };
  sqt_pair p = sqt_pair_build(c, &points, NULL, 2);
  sq_plan_load l;
  CHECK_STATUS(sq_plan_measure_load(c, p.targets, work, &l), SQ_OK);
  CHECK_NEAR(l.max_over_mean, 1, 1e-15);
  CHECK_NEAR(l.gini, 0, 1e-15);
  memset(work, 0, sizeof(work));
  CHECK_STATUS(sq_plan_measure_load(c, p.targets, work, &l), SQ_OK);
  CHECK(isnan(l.max_over_mean) && isnan(l.gini));
  work[3] = 5;
  CHECK_STATUS(sq_plan_measure_load(c, p.targets, work, &l), SQ_OK);
  CHECK_NEAR(l.max_over_mean, 7, 1e-14);
  CHECK_NEAR(l.gini, 6.0 / 7, 1e-15);
  for (int i = 0; i < 8; ++i)
  {
    work[i] = i == 7 ? 7 : i + 1; /* 1 to 7 but the skipped one */
  }
  CHECK_STATUS(sq_plan_measure_load(c, p.targets, work, &l), SQ_OK);
  CHECK_NEAR(l.max_over_mean, 7.0 / 4, 1e-14);
  CHECK_NEAR(l.gini, 2.0 / 7, 1e-15); /* (n^2 - 1) / 6 over n times the mean times n / 2 */
  sqt_pair_destroy(&p);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "hard sets", hard_sets },
  { "truncated", truncated },
  { "ends", ends },
  { "load", load },
};

SQT_MAIN(cases)
