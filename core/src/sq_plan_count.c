/** The public side of counting: what is wanted, and from tallies to the caller's arrays. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_count.h"

#include <string.h>

/** Targets of a unit: some ms of work at most, and enough units for many threads. */
#define UNIT_POINTS 256
#define GRAIN 4096

typedef struct counting
{
  const sqi_plan_request* request;
  sqi_plan_tally tally;
  const sq_plan_counts* wanted;
} counting;

static int wants_targets(const sq_plan_counts* w)
{
  int wants = w->evaluations || w->target_node_far || w->target_node_far_near;
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    wants |= w->targets[s] != NULL;
  }
  return wants;
}

static int wants_sources(const sq_plan_counts* w)
{
  int wants = w->source_node_far || w->source_node_near_far;
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    wants |= w->sources[s] != NULL;
  }
  return wants;
}

/** One array of a tally. */
typedef struct tally_array
{
  void** data;
  int64_t count;
  size_t size;
} tally_array;

#define TALLY_ARRAYS 15

static void list_arrays(counting* c, tally_array a[TALLY_ARRAYS])
{
  sqi_plan_tally* t = &c->tally;
  const sqi_plan_tree *targets = t->targets, *sources = t->sources;
  int of_targets = wants_targets(c->wanted), of_sources = wants_sources(c->wanted);
  int64_t tp = of_targets ? targets->point_count : 0, tn = of_targets ? targets->node_count : 0;
  int64_t sp = of_sources ? sources->point_count : 0, sn = of_sources ? sources->node_count : 0;
  int64_t bins = c->wanted->matrix ? (int64_t)SQ_PLAN_STREAMS * t->rows * t->columns : 0;
  const tally_array all[TALLY_ARRAYS] = {
    { (void**)&t->target_near, tp, 4 },
    { (void**)&t->target_near_far, tp, 4 },
    { (void**)&t->target_far_near, tp, 4 },
    { (void**)&t->target_work, tp, 8 },
    { (void**)&t->node_far, tn, 4 },
    { (void**)&t->node_far_sources, tn, 4 },
    { (void**)&t->node_far_near, tn, 4 },
    { (void**)&t->node_work, tn, 8 },
    { (void**)&t->source_near, sp, 4 },
    { (void**)&t->source_far_near, sp, 4 },
    { (void**)&t->source_node_near, sn, 4 },
    { (void**)&t->source_node_near_far, sn, 4 },
    { (void**)&t->source_node_far_targets, sn, 4 },
    { (void**)&t->source_node_far, sn, 4 },
    { (void**)&t->bins, bins, 8 },
  };
  memcpy(a, all, sizeof(all));
}

static sq_status allocate(sq_context* context, counting* c)
{
  tally_array a[TALLY_ARRAYS];
  list_arrays(c, a);
  sq_status status = SQ_OK;
  for (int k = 0; k < TALLY_ARRAYS && status == SQ_OK; ++k)
  {
    status = sqi_alloc(context, a[k].count, a[k].size, a[k].data);
    if (*a[k].data)
    {
      memset(*a[k].data, 0, (size_t)a[k].count * a[k].size);
    }
  }
  return status;
}

static void release(sq_context* context, counting* c)
{
  tally_array a[TALLY_ARRAYS];
  list_arrays(c, a);
  for (int k = 0; k < TALLY_ARRAYS; ++k)
  {
    sqi_free(context, *a[k].data, a[k].count, a[k].size);
  }
}

static void clear(void* array, int64_t count, size_t size)
{
  if (array && count)
  {
    memset(array, 0, (size_t)count * size);
  }
}

/** Points of skipped nodes are never reached: their counts are 0. */
static void clear_outputs(const counting* c)
{
  const sq_plan_counts* w = c->wanted;
  const sqi_plan_tree *t = c->tally.targets, *s = c->tally.sources;
  for (int k = 0; k < SQ_PLAN_STREAMS; ++k)
  {
    clear(w->targets[k], t->point_count, sizeof(int64_t));
    clear(w->sources[k], s->point_count, sizeof(int64_t));
  }
  clear(w->evaluations, t->point_count, sizeof(double));
  clear(w->target_node_far, t->node_count, sizeof(int64_t));
  clear(w->target_node_far_near, t->node_count, sizeof(int64_t));
  clear(w->source_node_far, s->node_count, sizeof(int64_t));
  clear(w->source_node_near_far, s->node_count, sizeof(int64_t));
  clear(
    w->matrix, (int64_t)SQ_PLAN_STREAMS * w->matrix_rows * w->matrix_columns, sizeof(*w->matrix));
}

/** Hands what nodes have down to their children, and node counts out. */
static void push_down(const counting* c)
{
  const sqi_plan_tally* t = &c->tally;
  const sq_plan_counts* w = c->wanted;
  int expand = t->expand != SQ_PLAN_EXPAND_OFF;
  for (int64_t n = 0; n < t->targets->node_count && t->node_far; ++n)
  {
    const uint32_t* child = t->targets->child + 2 * n;
    uint32_t points = t->targets->finite[n];
    t->node_work[n] += expand || !points ? t->node_far[n] : t->node_far[n] / (double)points;
    if (w->target_node_far)
    {
      w->target_node_far[n] = expand ? 0 : t->node_far[n];
    }
    if (w->target_node_far_near)
    {
      w->target_node_far_near[n] = t->node_far_near[n];
    }
    for (int k = 0; k < 2; ++k)
    {
      if (child[k] != SQI_PLAN_NONE)
      {
        t->node_far_sources[child[k]] += t->node_far_sources[n];
        t->node_work[child[k]] += t->node_work[n];
      }
    }
  }
  for (int64_t n = 0; n < t->sources->node_count && t->source_near; ++n)
  {
    const uint32_t* child = t->sources->child + 2 * n;
    if (w->source_node_far)
    {
      w->source_node_far[n] = expand ? 0 : t->source_node_far[n];
    }
    if (w->source_node_near_far)
    {
      w->source_node_near_far[n] =
        t->source_node_near_far[n] + (expand ? t->source_node_far[n] : 0);
    }
    for (int k = 0; k < 2; ++k)
    {
      if (child[k] != SQI_PLAN_NONE)
      {
        t->source_node_far_targets[child[k]] += t->source_node_far_targets[n];
      }
    }
  }
}

static void set(int64_t* out, uint32_t id, int64_t value)
{
  if (out)
  {
    out[id] = value;
  }
}

static sq_status write_targets(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const counting* c = (const counting*)data;
  const sqi_plan_tally* t = &c->tally;
  const sq_plan_counts* w = c->wanted;
  const sqi_plan_tree* tree = t->targets;
  for (int64_t n = begin; n < end; ++n)
  {
    if (!tree->finite[n] || !sqi_plan_is_leaf(tree, (uint32_t)n))
    {
      continue;
    }
    int64_t far = t->expand ? 0 : t->node_far_sources[n];
    int64_t near_far = t->expand ? t->node_far_sources[n] : 0;
    for (int64_t p = tree->begin[n]; p < (int64_t)tree->begin[n] + tree->range[n]; ++p)
    {
      if (!sqi_plan_is_present(tree, p))
      {
        continue;
      }
      uint32_t id = tree->order[p];
      set(w->targets[SQ_PLAN_NEAR], id, t->target_near[p]);
      set(w->targets[SQ_PLAN_NEAR_FAR], id, t->target_near_far[p] + near_far);
      set(w->targets[SQ_PLAN_FAR_NEAR], id, t->target_far_near[p]);
      set(w->targets[SQ_PLAN_FAR], id, far);
      if (w->evaluations)
      {
        w->evaluations[id] = t->target_work[p] + t->node_work[n];
      }
    }
  }
  return SQ_OK;
}

static sq_status write_sources(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const counting* c = (const counting*)data;
  const sqi_plan_tally* t = &c->tally;
  const sq_plan_counts* w = c->wanted;
  const sqi_plan_tree* tree = t->sources;
  for (int64_t n = begin; n < end; ++n)
  {
    if (!tree->finite[n] || !sqi_plan_is_leaf(tree, (uint32_t)n))
    {
      continue;
    }
    int64_t far = t->source_node_far_targets[n];
    for (int64_t p = tree->begin[n]; p < (int64_t)tree->begin[n] + tree->range[n]; ++p)
    {
      if (!sqi_plan_is_present(tree, p))
      {
        continue;
      }
      uint32_t id = tree->order[p];
      set(w->sources[SQ_PLAN_NEAR], id, (int64_t)t->source_near[p] + t->source_node_near[n]);
      set(w->sources[SQ_PLAN_NEAR_FAR], id, t->source_node_near_far[n] + (t->expand ? far : 0));
      set(w->sources[SQ_PLAN_FAR_NEAR], id, t->source_far_near[p]);
      set(w->sources[SQ_PLAN_FAR], id, t->expand ? 0 : far);
    }
  }
  return SQ_OK;
}

static sq_status write_outputs(sq_context* context, counting* c)
{
  push_down(c);
  sq_status status = SQ_OK;
  if (c->tally.target_near)
  {
    status = sqi_parallel_for(context, c->tally.targets->node_count, GRAIN, write_targets, c);
  }
  if (status == SQ_OK && c->tally.source_near)
  {
    status = sqi_parallel_for(context, c->tally.sources->node_count, GRAIN, write_sources, c);
  }
  if (status == SQ_OK && c->tally.bins)
  {
    sqi_plan_bin_shares(&c->tally, c->wanted->matrix);
  }
  return status;
}

static void add_totals(sq_plan_totals* all, const sq_plan_totals* part)
{
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    all->entries[s] += part->entries[s];
    all->pairs[s] += part->pairs[s];
    all->evaluations += part->entries[s];
  }
  all->wasted_far_near += part->wasted_far_near;
  all->broadcast_targets += part->broadcast_targets;
  all->exact_entries += part->exact_entries;
  all->leaf_pairs += part->leaf_pairs;
}

static sq_status walk(sq_context* context, counting* c, sqi_plan_walk* w, sq_plan_totals* totals)
{
  int32_t threads = w->threads;
  sqi_plan_counter* counters = NULL;
  void** datas = NULL;
  sq_status status = SQI_NEW(context, &counters, threads);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &datas, threads);
  }
  if (status == SQ_OK)
  {
    memset(counters, 0, (size_t)threads * sizeof(*counters));
    for (int32_t k = 0; k < threads; ++k)
    {
      counters[k].tally = &c->tally;
      datas[k] = counters + k;
    }
    status = sqi_plan_walk_all(context, w, &sqi_plan_count_visitor, datas);
    for (int32_t k = 0; k < threads && w->walkers; ++k)
    {
      add_totals(totals, &counters[k].totals);
      totals->node_pairs += w->walkers[k].node_pairs;
      int32_t iterations = (int32_t)w->walkers[k].steps + 1;
      totals->iterations = iterations > totals->iterations ? iterations : totals->iterations;
    }
  }
  SQI_FREE(context, counters, threads);
  SQI_FREE(context, datas, threads);
  return status;
}

static void finish_totals(const counting* c, sq_plan_totals* n)
{
  const sqi_plan_tree *t = c->tally.targets, *s = c->tally.sources;
  n->dense_pairs = t->finite_count * s->finite_count;
  n->exact_share = n->dense_pairs ? (double)n->exact_entries / (double)n->dense_pairs : 0;
  n->plan_bytes =
    16 * (n->entries[SQ_PLAN_NEAR] + n->entries[SQ_PLAN_NEAR_FAR] + n->entries[SQ_PLAN_FAR]) +
    32 * n->entries[SQ_PLAN_FAR_NEAR] + 8 * n->broadcast_targets;
  n->target_depth = t->view.max_depth;
  n->source_depth = s->view.max_depth;
  n->skipped_targets = t->view.skipped_points;
  n->skipped_sources = s->view.skipped_points;
}

static sq_status count(sq_context* context, counting* c, sq_plan_totals* totals)
{
  sqi_plan_tally* t = &c->tally;
  t->targets = &c->request->targets;
  t->sources = c->request->sources;
  t->expand = c->request->options.expand;
  t->rows = c->wanted->matrix ? c->wanted->matrix_rows : 0;
  t->columns = c->wanted->matrix ? c->wanted->matrix_columns : 0;
  clear_outputs(c);
  sqi_plan_walk w;
  memset(&w, 0, sizeof(w));
  sq_status status = allocate(context, c);
  if (status == SQ_OK)
  {
    status = sqi_plan_walk_begin(context, t->targets, t->sources, c->request->options.theta,
      UNIT_POINTS, sq_context_threads(context), &w);
  }
  if (status == SQ_OK && w.unit_count)
  {
    status = walk(context, c, &w, totals);
  }
  sqi_plan_walk_end(context, &w);
  if (status == SQ_OK)
  {
    finish_totals(c, totals);
    status = write_outputs(context, c);
  }
  return status;
}

/** With all of `c` released at the end. */
static sq_status count_and_release(sq_context* context, counting* c, sq_plan_totals* totals)
{
  sq_status status = count(context, c, totals);
  release(context, c);
  return status;
}

sq_status sqi_plan_count_totals(
  sq_context* context, const sqi_plan_request* request, sq_plan_totals* totals)
{
  sq_plan_counts nothing;
  memset(&nothing, 0, sizeof(nothing));
  memset(totals, 0, sizeof(*totals));
  counting c = { .request = request, .wanted = &nothing };
  return count_and_release(context, &c, totals);
}

static sq_status check_matrix(sq_context* context, const sq_plan_counts* w)
{
  if (w->matrix &&
    (w->matrix_rows < 1 || w->matrix_rows > SQ_PLAN_MATRIX_MAX || w->matrix_columns < 1 ||
      w->matrix_columns > SQ_PLAN_MATRIX_MAX))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "plan: a matrix of %d x %d is asked for; allowed are 1 to %d rows and columns",
      (int)w->matrix_rows, (int)w->matrix_columns, SQ_PLAN_MATRIX_MAX);
  }
  return SQ_OK;
}

sq_status sq_plan_count(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, sq_plan_totals* totals,
  const sq_plan_counts* counts)
{
  sq_plan_totals sums;
  memset(&sums, 0, sizeof(sums));
  if (totals)
  {
    *totals = sums;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sq_plan_counts nothing;
  memset(&nothing, 0, sizeof(nothing));
  sqi_plan_request request;
  sq_status status = sqi_plan_request_begin(context, "plan", targets, sources, options, &request);
  if (status != SQ_OK)
  {
    return status;
  }
  counting c = { .request = &request, .wanted = counts ? counts : &nothing };
  status = check_matrix(context, c.wanted);
  if (status == SQ_OK)
  {
    sqi_phase(context, "Counting interactions", 0.02, 1.0);
    status = count_and_release(context, &c, &sums);
  }
  sqi_plan_request_end(context, &request);
  if (totals && status == SQ_OK)
  {
    *totals = sums;
  }
  return status;
}
