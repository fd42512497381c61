/**
 * The streams are sorted by their source side, so a source node writes what its leaf pairs and far pairs give, in the order of
 * discovery, to places that are its own: no stream is ever sorted. Leaf pairs are looked at twice, once to count, once to write.
 */
#include "sqi_plan_streams.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan.h"

#include <string.h>

/** Source nodes of a chunk. */
#define GRAIN 4

typedef struct streams
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  sq_plan_expand expand;
  const sqi_plan_groups* far;
  const sqi_plan_groups* leaves;
  sqi_plan_walk walk; /* for the masks of its walkers */
  int64_t* near_at; /* by source id: counts, then where the next entry goes */
  int64_t*
    shared_at; /* far-near entries; of a complete plan the near entries that take their place */
  int64_t* nf_at; /* by source node */
  int64_t* broadcast_at; /* by place of the leaf pair */
  int64_t* lists; /* of each thread: ids of the kept targets of a leaf */
  int64_t list_length;
  sq_plan_view view;
  int64_t* arrays[SQI_PLAN_ARRAYS];
} streams;

static sq_status count_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  streams* s = (streams*)data;
  for (int64_t node = begin; node < end; ++node)
  {
    int64_t near_far = 0;
    for (int64_t k = s->far->begin[node]; k < s->far->begin[node + 1] && s->expand; ++k)
    {
      near_far += s->targets->finite[s->far->targets[k]];
    }
    const uint32_t* ids = s->sources->order + s->sources->begin[node];
    int64_t range = s->sources->range[node];
    for (int64_t k = s->leaves->begin[node]; k < s->leaves->begin[node + 1]; ++k)
    {
      sqi_plan_leaf_pair p;
      sqi_plan_leaf_masks(s->walk.walkers + thread, s->leaves->targets[k], (uint32_t)node, &p);
      near_far += p.passed_count;
      int64_t shared = s->expand == SQ_PLAN_EXPAND_COMPLETE ? p.kept_count : 1;
      SQI_PLAN_FOR_BITS(p.near, range, i, s->near_at[ids[i]] += p.kept_count)
      SQI_PLAN_FOR_BITS(p.far, range, i, s->shared_at[ids[i]] += shared)
      s->broadcast_at[s->leaves->places[k]] = p.far_count ? p.kept_count : 0;
    }
    s->nf_at[node] = near_far;
  }
  return SQ_OK;
}

static int64_t sum_up(int64_t* counts, int64_t n)
{
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i)
  {
    int64_t count = counts[i];
    counts[i] = at;
    at += count;
  }
  return at;
}

/** Counts to places and lengths. */
static void place(streams* s)
{
  sq_plan_view* v = &s->view;
  int64_t points = s->sources->point_count;
  v->nf_count = sum_up(s->nf_at, s->sources->node_count);
  if (s->expand != SQ_PLAN_EXPAND_COMPLETE)
  {
    v->near_count = sum_up(s->near_at, points);
    v->fn_count = sum_up(s->shared_at, points);
    v->broadcast_count = sum_up(s->broadcast_at, s->leaves->total);
    return;
  }
  int64_t at = 0;
  for (int64_t i = 0; i < points; ++i)
  {
    int64_t near = s->near_at[i], shared = s->shared_at[i];
    s->near_at[i] = at;
    s->shared_at[i] = at + near;
    at += near + shared;
  }
  v->near_count = at;
}

/** Writes one leaf pair; `list` has room for the targets of a leaf. */
static void write_leaf_pair(
  streams* s, const sqi_plan_leaf_pair* p, int64_t broadcast, int64_t* list)
{
  int64_t* const* a = s->arrays;
  int64_t range = s->sources->range[p->source], target_range = s->targets->range[p->target];
  const uint32_t* ids = s->sources->order + s->sources->begin[p->source];
  const uint32_t* target_ids = s->targets->order + s->targets->begin[p->target];
  int64_t nf = s->nf_at[p->source], kept = 0;
  SQI_PLAN_FOR_BITS(p->passed, target_range, i, {
    a[2][nf] = target_ids[i];
    a[3][nf++] = p->source;
  })
  s->nf_at[p->source] = nf;
  SQI_PLAN_FOR_BITS(p->kept, target_range, i, list[kept++] = target_ids[i])
  size_t bytes = (size_t)kept * sizeof(*list);
  int complete = s->expand == SQ_PLAN_EXPAND_COMPLETE;
  for (int shared = 0; shared < (complete ? 2 : 1) && kept; ++shared)
  {
    int64_t* cursor = shared ? s->shared_at : s->near_at;
    SQI_PLAN_FOR_BITS(shared ? p->far : p->near, range, i, {
      int64_t at = cursor[ids[i]];
      memcpy(a[0] + at, list, bytes);
      for (int64_t k = 0; k < kept; ++k)
      {
        a[1][at + k] = ids[i];
      }
      cursor[ids[i]] = at + kept;
    })
  }
  if (complete || !p->far_count)
  {
    return;
  }
  if (kept)
  {
    memcpy(a[6] + broadcast, list, bytes);
  }
  SQI_PLAN_FOR_BITS(p->far, range, i, {
    int64_t at = s->shared_at[ids[i]]++;
    a[4][at] = p->target;
    a[5][at] = ids[i];
    a[7][at] = broadcast;
    a[8][at] = kept;
  })
}

/** Far entries of a source node, or the near-far ones that they become. */
static void write_far(streams* s, int64_t node)
{
  int64_t* const* a = s->arrays;
  int64_t nf = s->nf_at[node];
  for (int64_t k = s->far->begin[node]; k < s->far->begin[node + 1] && !s->expand; ++k)
  {
    a[10][k] = node; /* the targets are there already */
  }
  for (int64_t k = s->far->begin[node]; k < s->far->begin[node + 1] && s->expand; ++k)
  {
    uint32_t target = s->far->targets[k];
    int64_t last = (int64_t)s->targets->begin[target] + s->targets->range[target];
    for (int64_t p = s->targets->begin[target]; p < last; ++p)
    {
      if (sqi_plan_is_present(s->targets, p))
      {
        a[2][nf] = s->targets->order[p];
        a[3][nf++] = node;
      }
    }
  }
}

static sq_status write_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  streams* s = (streams*)data;
  for (int64_t node = begin; node < end; ++node)
  {
    for (int64_t k = s->leaves->begin[node]; k < s->leaves->begin[node + 1]; ++k)
    {
      sqi_plan_leaf_pair p;
      sqi_plan_leaf_masks(s->walk.walkers + thread, s->leaves->targets[k], (uint32_t)node, &p);
      write_leaf_pair(
        s, &p, s->broadcast_at[s->leaves->places[k]], s->lists + s->list_length * thread);
    }
    write_far(s, node);
  }
  return SQ_OK;
}

static sq_status allocate_scratch(sq_context* context, streams* s, double theta)
{
  int32_t threads = sq_context_threads(context);
  int64_t points = s->sources->point_count;
  s->list_length = s->targets->leaf_max;
  sq_status status =
    sqi_plan_walk_begin(context, s->targets, s->sources, theta, INT64_MAX, threads, &s->walk);
  int64_t** arrays[] = { &s->near_at, &s->shared_at, &s->nf_at, &s->broadcast_at, &s->lists };
  const int64_t counts[] = { points, points, s->sources->node_count, s->leaves->total,
    s->list_length * threads };
  for (int k = 0; k < 5 && status == SQ_OK; ++k)
  {
    status = SQI_NEW(context, arrays[k], counts[k]);
    if (*arrays[k] && k < 2)
    {
      memset(*arrays[k], 0, (size_t)counts[k] * sizeof(int64_t));
    }
  }
  return status;
}

static void release_scratch(sq_context* context, streams* s)
{
  SQI_FREE(context, s->near_at, s->sources->point_count);
  SQI_FREE(context, s->shared_at, s->sources->point_count);
  SQI_FREE(context, s->nf_at, s->sources->node_count);
  SQI_FREE(context, s->broadcast_at, s->leaves->total);
  SQI_FREE(context, s->lists, s->list_length * s->walk.threads);
  sqi_plan_walk_end(context, &s->walk);
}

static sq_status allocate_arrays(sq_context* context, streams* s, int64_t max_bytes, sq_plan* plan)
{
  const sq_plan_view* v = &s->view;
  int64_t words = 2 * (v->near_count + v->nf_count + v->far_count) + 4 * v->fn_count;
  if (max_bytes >= 0 && words + v->broadcast_count > max_bytes / 8)
  {
    return SQ_TOO_LARGE;
  }
  plan->view = s->view;
  sqi_plan_array arrays[SQI_PLAN_ARRAYS];
  sqi_plan_list_arrays(&plan->view, arrays);
  sq_status status = SQ_OK;
  for (int k = 0; k < SQI_PLAN_ARRAYS && status == SQ_OK; ++k)
  {
    s->arrays[k] = (int64_t*)(uintptr_t)*arrays[k].data;
    if (!s->arrays[k])
    {
      status = SQI_NEW(context, &s->arrays[k], arrays[k].count);
      *arrays[k].data = s->arrays[k];
    }
  }
  return status;
}

sq_status sqi_plan_streams_write(sq_context* context, const sqi_plan_request* request,
  const sqi_plan_groups* far, const sqi_plan_groups* leaves, sq_plan* plan)
{
  streams s;
  memset(&s, 0, sizeof(s));
  s.targets = &request->targets;
  s.sources = request->sources;
  s.expand = request->options.expand;
  s.far = far;
  s.leaves = leaves;
  s.view = plan->view;
  sqi_phase(context, "Writing plan", 0.5, 0.65);
  sq_status status = allocate_scratch(context, &s, request->options.theta);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, s.sources->node_count, GRAIN, count_body, &s);
  }
  if (status == SQ_OK)
  {
    place(&s);
    status = allocate_arrays(context, &s, request->options.max_bytes, plan);
  }
  sqi_phase(context, "Writing plan", 0.65, 1.0);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, s.sources->node_count, GRAIN, write_body, &s);
  }
  release_scratch(context, &s);
  return status;
}
