/** Plans: what is sound passes, every kind of damage is found. */
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_point_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sound(void)
{
  const int64_t leaf_sizes[] = { 1, 4, 64 };
  const double thetas[] = { 0, 1, 20 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < SQT_POINT_SETS; ++k)
  {
    sqt_point_set set = sqt_point_set_make(k);
    for (int i = 0; i < 27; ++i)
    {
      sqt_pair p =
        sqt_pair_build(c, &set.targets, set.sources.data ? &set.sources : NULL, leaf_sizes[i % 3]);
      sq_plan_view v;
      sq_plan* plan = sqt_plan_build(c, &p, thetas[i / 3 % 3], i / 9, &v);
      CHECK_TEXT(sq_plan_validate(c, &v, p.targets, p.sources) == SQ_OK, "%s (%d): %s", set.name, i,
        sq_context_message(c));
      CHECK_STATUS(sq_plan_validate(c, &v, NULL, NULL), SQ_OK);
      sq_plan_destroy(plan);
      sqt_pair_destroy(&p);
    }
    sqt_point_set_free(&set);
  }
  sq_plan_view nothing;
  memset(&nothing, 0, sizeof(nothing));
  CHECK_STATUS(sq_plan_validate(c, &nothing, NULL, NULL), SQ_OK);
  sq_context_destroy(c);
}

/** A plan whose arrays may be written to. */
typedef struct copy
{
  sq_plan_view view;
  int64_t* arrays[11];
  int64_t counts[11];
} copy;

static copy copy_make(const sq_plan_view* v)
{
  copy x;
  const int64_t* arrays[11];
  sqt_plan_arrays(v, arrays, x.counts);
  for (int k = 0; k < 11; ++k)
  {
    size_t bytes = (size_t)x.counts[k] * sizeof(int64_t);
    x.arrays[k] = (int64_t*)malloc(bytes + 8);
    memcpy(x.arrays[k], bytes ? arrays[k] : (const int64_t*)x.arrays[k], bytes);
  }
  x.view = *v;
  const int64_t** places[11] = { &x.view.near_target_ids, &x.view.near_source_ids,
    &x.view.nf_target_ids, &x.view.nf_source_node_ids, &x.view.fn_target_node_ids,
    &x.view.fn_source_ids, &x.view.fn_broadcast_targets, &x.view.fn_broadcast_starts,
    &x.view.fn_broadcast_counts, &x.view.far_target_node_ids, &x.view.far_source_node_ids };
  for (int k = 0; k < 11; ++k)
  {
    *places[k] = x.arrays[k];
  }
  return x;
}

static void copy_free(copy* x)
{
  for (int k = 0; k < 11; ++k)
  {
    free(x->arrays[k]);
  }
}

static void expect(
  sq_context* c, const sqt_pair* p, const copy* x, const char* words, const char* what)
{
  sq_status s = sq_plan_validate(c, &x->view, p->targets, p->sources);
  CHECK_TEXT(s == SQ_INVALID_DATA && strstr(sq_context_message(c), words), "%s: got %s, \"%s\"",
    what, sq_status_text(s), sq_context_message(c));
}

/** Every id of every array out of range, below and above. */
static void ids(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(0);
  sqt_pair p = sqt_pair_build(c, &set.targets, &set.sources, 4);
  sq_plan_view v;
  sq_plan* plan = sqt_plan_build(c, &p, 0.7, 0, &v);
  double phi[57];
  sq_aggregates *s = NULL, *t = NULL;
  CHECK_STATUS(sq_aggregates_build(c, p.sources, NULL, SQ_FLOAT32, NULL, 0, 0, &s), SQ_OK);
  CHECK_STATUS(sq_aggregates_build(c, p.targets, NULL, SQ_FLOAT32, NULL, 0, 0, &t), SQ_OK);
  sq_plan_field f = { sq_kernel_default(), NULL, SQ_FLOAT32, s, t };
  const int64_t bad[] = { -1, 100000, INT64_MIN, INT64_MAX };
  for (int k = 0; k < 11; ++k)
  {
    for (int i = 0; i < 4; ++i)
    {
      copy x = copy_make(&v);
      REQUIRE(x.counts[k] > 0);
      /* an entry whose list is not empty, so that its start counts */
      int64_t e = k == 7 || k == 8 ? 0 : x.counts[k] / 2;
      while ((k == 7 || k == 8) && !x.arrays[8][e])
      {
        ++e;
      }
      x.arrays[k][e] = bad[i];
      sq_status status = sq_plan_validate(c, &x.view, p.targets, p.sources);
      CHECK_TEXT(status == SQ_INVALID_DATA && *sq_context_message(c), "array %d, id %lld: %s", k,
        (long long)bad[i], sq_status_text(status));
      status = sq_plan_evaluate_stored(c, &x.view, p.targets, p.sources, &f, phi);
      CHECK_TEXT(status == SQ_INVALID_DATA, "array %d, id %lld is evaluated: %s", k,
        (long long)bad[i], sq_status_text(status));
      status = sq_plan_validate(c, &x.view, NULL, NULL);
      int alone = bad[i] < 0 || k == 7 || k == 8 || bad[i] == INT64_MAX;
      CHECK_TEXT(status == (alone ? SQ_INVALID_DATA : SQ_OK), "array %d, id %lld alone: %s", k,
        (long long)bad[i], sq_status_text(status));
      copy_free(&x);
    }
  }
  sq_aggregates_destroy(s);
  sq_aggregates_destroy(t);
  sq_plan_destroy(plan);
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

/** Entries that are missing, twice there, moved or out of order. */
static void cover(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(3);
  sqt_pair p = sqt_pair_build(c, &set.targets, NULL, 4);
  sq_plan_view v;
  sq_plan* plan = sqt_plan_build(c, &p, 2, 0, &v);
  REQUIRE(v.near_count > 9 && v.nf_count > 9 && v.fn_count > 9 && v.far_count > 9);
  copy x = copy_make(&v);
  const int64_t lengths[4] = { v.near_count, v.nf_count, v.fn_count, v.far_count };
  int64_t* counts[4] = { &x.view.near_count, &x.view.nf_count, &x.view.fn_count,
    &x.view.far_count };
  while (!x.arrays[8][*counts[2] - 1])
  {
    --*counts[2]; /* to one with a list */
  }
  for (int k = 0; k < 4; ++k)
  {
    --*counts[k];
    expect(c, &p, &x, "reaches", "an entry is missing");
    *counts[k] = k == 2 ? *counts[k] + 1 : lengths[k];
  }
  CHECK_STATUS(sq_plan_validate(c, &x.view, p.targets, p.sources), SQ_OK);
  const int targets[4] = { 0, 2, 4, 9 };
  for (int k = 0; k < 4; k += k == 1 ? 2 : 1) /* not far-near: there only the list counts */
  {
    /* two entries of one source */
    int64_t e = 1;
    const int64_t* keys = x.arrays[targets[k] + 1];
    while (keys[e] != keys[e - 1])
    {
      ++e;
    }
    int64_t old = x.arrays[targets[k]][e];
    x.arrays[targets[k]][e] = x.arrays[targets[k]][e - 1];
    expect(c, &p, &x, "covered more than once", "an entry is there twice");
    x.arrays[targets[k]][e] = old;
  }
  const int keys[4] = { 1, 3, 5, 10 };
  const char* words[4] = { "near_source_ids are not", "nf_source_node_ids are not",
    "fn_source_ids are not", "far_source_node_ids are not" };
  for (int k = 0; k < 4; ++k)
  {
    int64_t last = *counts[k] - 1, old = x.arrays[keys[k]][0];
    x.arrays[keys[k]][0] = x.arrays[keys[k]][last];
    expect(c, &p, &x, words[k], "keys are not sorted");
    x.arrays[keys[k]][0] = old;
  }
  int64_t e = 0;
  while (!x.arrays[8][e])
  {
    ++e;
  }
  int64_t node = x.arrays[4][e];
  for (int64_t n = 0; n < p.t.node_count; ++n)
  {
    x.arrays[4][e] = p.t.leaf_count[n] && n != node ? n : x.arrays[4][e];
  }
  expect(c, &p, &x, "no target of the node", "a list of another node");
  copy_free(&x);
  sq_plan_destroy(plan);
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

/** Entries with what is skipped, or with nothing to cover. */
static void skipped(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(17);
  sqt_pair p = sqt_pair_build(c, &set.targets, NULL, 1);
  int64_t id = 0, hole = 0;
  while (sqt_is_present(&p.t, hole))
  {
    ++hole;
  }
  sq_plan_view v;
  sq_plan* plan = sqt_plan_build(c, &p, 0, 0, &v);
  copy x = copy_make(&v);
  x.arrays[0][0] = hole;
  expect(c, &p, &x, "not to be covered", "a skipped target");
  x.arrays[0][0] = v.near_target_ids[0];
  id = v.near_source_ids[v.near_count - 1];
  for (int64_t e = v.near_count - 1; e >= 0 && x.arrays[1][e] == id; --e)
  {
    x.arrays[1][e] = 76; /* the last id: the order holds */
  }
  if (!sqt_is_present(&p.s, 76))
  {
    expect(c, &p, &x, "is not finite", "a skipped source");
  }
  copy_free(&x);
  sq_points none = { NULL, 0, SQ_FLOAT32, 3 };
  sqt_pair empty = sqt_pair_build(c, &none, NULL, 1);
  x = copy_make(&v);
  CHECK_STATUS(sq_plan_validate(c, &x.view, empty.targets, empty.sources), SQ_INVALID_DATA);
  CHECK_STATUS(sq_plan_validate(c, &x.view, p.targets, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_plan_validate(c, NULL, p.targets, p.targets), SQ_INVALID_ARGUMENT);
  x.view.near_target_ids = NULL;
  CHECK_STATUS(sq_plan_validate(c, &x.view, NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK(strstr(sq_context_message(c), "near_target_ids") != NULL);
  x.view.near_count = -1;
  CHECK_STATUS(sq_plan_validate(c, &x.view, NULL, NULL), SQ_INVALID_ARGUMENT);
  memset(&x.view, 0, sizeof(x.view));
  CHECK_STATUS(sq_plan_validate(c, &x.view, p.targets, p.targets), SQ_INVALID_DATA);
  CHECK_STATUS(sq_plan_validate(c, &x.view, empty.targets, empty.targets), SQ_OK);
  copy_free(&x);
  sq_plan_destroy(plan);
  sqt_pair_destroy(&empty);
  sqt_pair_destroy(&p);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "sound", sound },
  { "ids", ids },
  { "cover", cover },
  { "skipped", skipped },
};

SQT_MAIN(cases)
