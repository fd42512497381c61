/**
 * Exact coverage in nearly linear time: the source tree is walked with a set of target positions. Entering a node adds the targets of
 * its near-far and far entries, each of its points adds those of its near and far-near ones; a target that is there already is
 * covered twice, and at a point all must be there. Leaving takes them out again.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_check.h"
#include "sqi_plan_request.h"
#include "sqi_plan_walk.h"

#include <string.h>

#define UNIT_POINTS 256
#define GRAIN 8192

/** What is wrong; the first unit's counts. */
typedef struct cover_fault
{
  int64_t unit; /* INT64_MAX: none */
  int64_t target; /* -1: some targets are missing */
  int64_t source;
  int64_t covered;
  const char* stream;
} cover_fault;

/** The set of one thread. */
typedef struct cover
{
  uint64_t* bits; /* by position of the target */
  int64_t count;
  cover_fault fault;
  int64_t unit;
} cover;

typedef struct checking
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  const sq_plan_view* view;
  uint32_t* positions; /* of targets by id */
  int64_t* near; /* first entry of each source id, then the count; the others likewise */
  int64_t* fn;
  int64_t* nf;
  int64_t* far;
  int64_t words;
  uint64_t* bits;
  cover* covers;
  int32_t threads;
  sqi_plan_walk walk; /* for the units of the source tree */
} checking;

static void report(cover* c, int64_t target, int64_t source, const char* stream)
{
  if (c->unit < c->fault.unit)
  {
    c->fault.unit = c->unit;
    c->fault.target = target;
    c->fault.source = source;
    c->fault.covered = c->count;
    c->fault.stream = stream;
  }
}

/** Adds (1) or takes out (0) a target of an entry with that source (or node). */
static void set_point(
  const checking* k, cover* c, int64_t id, int add, int64_t source, const char* stream)
{
  int64_t p = k->positions[id];
  uint64_t bit = (uint64_t)1 << (p & 63), *word = c->bits + (p >> 6);
  if (add && ((*word & bit) || !sqi_plan_is_present(k->targets, p)))
  {
    report(c, id, source, stream);
  }
  c->count += add ? !(*word & bit) : -(int64_t)((*word & bit) != 0);
  *word = add ? *word | bit : *word & ~bit;
}

/** The same for all targets of a node that are present. */
static void set_node(const checking* k, cover* c, uint32_t node, int add, int64_t source)
{
  int64_t begin = k->targets->begin[node], end = begin + k->targets->range[node];
  while (begin < end)
  {
    int64_t n = 64 - (begin & 63);
    n = n < end - begin ? n : end - begin;
    uint64_t mask = ((~(uint64_t)0 >> (64 - n)) & sqi_plan_present(k->targets, begin))
      << (begin & 63);
    uint64_t* word = c->bits + (begin >> 6);
    if (add && (*word & mask))
    {
      int64_t p = (begin & ~(int64_t)63) + __builtin_ctzll(*word & mask);
      report(c, k->targets->order[p], source, "far");
    }
    c->count += add ? __builtin_popcountll(mask & ~*word) : -__builtin_popcountll(mask & *word);
    *word = add ? *word | mask : *word & ~mask;
    begin += n;
  }
}

static void set_entries(const checking* k, cover* c, uint32_t node, int add)
{
  const sq_plan_view* v = k->view;
  for (int64_t e = k->nf[node]; e < k->nf[node + 1]; ++e)
  {
    set_point(
      k, c, v->nf_target_ids[e], add, k->sources->order[k->sources->begin[node]], "near-far");
  }
  for (int64_t e = k->far[node]; e < k->far[node + 1]; ++e)
  {
    set_node(
      k, c, (uint32_t)v->far_target_node_ids[e], add, k->sources->order[k->sources->begin[node]]);
  }
}

static void set_source(const checking* k, cover* c, int64_t id, int add)
{
  const sq_plan_view* v = k->view;
  for (int64_t e = k->near[id]; e < k->near[id + 1]; ++e)
  {
    set_point(k, c, v->near_target_ids[e], add, id, "near");
  }
  for (int64_t e = k->fn[id]; e < k->fn[id + 1]; ++e)
  {
    const int64_t* list = v->fn_broadcast_targets + v->fn_broadcast_starts[e];
    int64_t node = v->fn_target_node_ids[e];
    for (int64_t i = 0; i < v->fn_broadcast_counts[e]; ++i)
    {
      int64_t offset = (int64_t)k->positions[list[i]] - k->targets->begin[node];
      if (add && (offset < 0 || offset >= k->targets->range[node]))
      {
        report(c, list[i], id, "far-near, and it is no target of the node");
      }
      set_point(k, c, list[i], add, id, "far-near");
    }
  }
}

static void check_points(const checking* k, cover* c, uint32_t leaf)
{
  const sqi_plan_tree* s = k->sources;
  for (int64_t p = s->begin[leaf]; p < (int64_t)s->begin[leaf] + s->range[leaf]; ++p)
  {
    int64_t id = s->order[p];
    if (!sqi_plan_is_present(s, p))
    {
      continue; /* check_skipped() looks at these */
    }
    set_source(k, c, id, 1);
    if (c->count != k->targets->finite_count)
    {
      report(c, -1, id, "");
    }
    set_source(k, c, id, 0);
  }
}

/** The subtree below a node whose own entries are set; no more once a fault is known. */
static void check_below(const checking* k, cover* c, uint32_t node)
{
  const uint32_t* child = k->sources->child + 2 * (size_t)node;
  if (sqi_plan_is_leaf(k->sources, node))
  {
    check_points(k, c, node);
    return;
  }
  for (int i = 0; i < 2 && c->fault.unit > c->unit; ++i)
  {
    if (child[i] != SQI_PLAN_NONE)
    {
      set_entries(k, c, child[i], 1);
      check_below(k, c, child[i]);
      set_entries(k, c, child[i], 0);
    }
  }
}

static sq_status cover_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const checking* k = (const checking*)data;
  cover* c = k->covers + thread;
  for (int64_t u = begin; u < end; ++u)
  {
    if (c->fault.unit < u)
    {
      continue; /* this thread knows of an earlier one; a damaged set would tell of faults that are none */
    }
    uint32_t path[SQI_PLAN_DEPTH_MAX + 2];
    int32_t length = sqi_plan_path(k->sources, k->walk.units[u], path);
    memset(c->bits, 0, (size_t)k->words * sizeof(*c->bits));
    c->count = 0;
    c->unit = u;
    for (int32_t i = 0; i < length; ++i)
    {
      set_entries(k, c, path[i], 1);
    }
    check_below(k, c, path[length - 1]);
  }
  return SQ_OK;
}

/** Where each key of a sorted array begins. */
typedef struct indexing
{
  const int64_t* keys;
  int64_t count;
  int64_t* begin;
} indexing;

static sq_status index_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  indexing* x = (indexing*)data;
  for (int64_t key = begin; key < end; ++key)
  {
    int64_t low = 0, high = x->count;
    while (low < high)
    {
      int64_t middle = low + (high - low) / 2;
      if (x->keys[middle] < key)
      {
        low = middle + 1;
      }
      else
      {
        high = middle;
      }
    }
    x->begin[key] = low;
  }
  return SQ_OK;
}

static sq_status order_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const indexing* x = (const indexing*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    if (x->keys[i] > x->keys[i + 1])
    {
      return SQ_INVALID_DATA;
    }
  }
  return SQ_OK;
}

static sq_status index_stream(sq_context* context, const char* name, const int64_t* keys,
  int64_t count, int64_t key_count, int64_t** begin)
{
  sq_status status = SQI_NEW(context, begin, key_count + 1);
  indexing x = { keys, count, *begin };
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, count - 1, 8 * GRAIN, order_body, &x);
  }
  if (status == SQ_INVALID_DATA)
  {
    return sqi_fail(context, status, "plan: %s are not sorted", name);
  }
  return status == SQ_OK ? sqi_parallel_for(context, key_count + 1, GRAIN, index_body, &x) : status;
}

static sq_status index_all(sq_context* context, checking* k)
{
  const sq_plan_view* v = k->view;
  int64_t points = k->sources->point_count, nodes = k->sources->node_count;
  sq_status status =
    index_stream(context, "near_source_ids", v->near_source_ids, v->near_count, points, &k->near);
  if (status == SQ_OK)
  {
    status = index_stream(context, "fn_source_ids", v->fn_source_ids, v->fn_count, points, &k->fn);
  }
  if (status == SQ_OK)
  {
    status = index_stream(
      context, "nf_source_node_ids", v->nf_source_node_ids, v->nf_count, nodes, &k->nf);
  }
  if (status == SQ_OK)
  {
    status = index_stream(
      context, "far_source_node_ids", v->far_source_node_ids, v->far_count, nodes, &k->far);
  }
  return status;
}

static int has_entries(const sq_plan_view* v)
{
  return v->near_count || v->nf_count || v->fn_count || v->far_count;
}

/** No entry has a skipped source, or a node without points that take part. */
static sq_status check_skipped(sq_context* context, const checking* k)
{
  const sqi_plan_tree* s = k->sources;
  const sq_plan_view* v = k->view;
  if ((!k->targets->finite_count || !s->finite_count) && has_entries(v))
  {
    return sqi_fail(
      context, SQ_INVALID_DATA, "plan: it has entries, but there is nothing to cover");
  }
  for (int64_t p = 0; p < s->point_count && s->present; ++p)
  {
    int64_t id = s->order[p];
    if (!sqi_plan_is_present(s, p) && (k->near[id] < k->near[id + 1] || k->fn[id] < k->fn[id + 1]))
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "plan: source %lld is not finite, but an entry has it", (long long)id);
    }
  }
  for (int64_t n = 0; n < s->node_count; ++n)
  {
    if (!s->finite[n] && (k->nf[n] < k->nf[n + 1] || k->far[n] < k->far[n + 1]))
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "plan: source node %lld has no finite point, but an entry has it", (long long)n);
    }
  }
  for (int64_t e = 0; e < v->far_count; ++e)
  {
    if (!k->targets->finite[v->far_target_node_ids[e]])
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "plan: target node %lld has no finite point, but an entry has it",
        (long long)v->far_target_node_ids[e]);
    }
  }
  return SQ_OK;
}

static sq_status allocate(sq_context* context, checking* k)
{
  const sqi_plan_tree* t = k->targets;
  k->threads = sq_context_threads(context);
  k->words = t->point_count / 64 + 1;
  sq_status status = SQI_NEW(context, &k->positions, t->point_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &k->covers, k->threads);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &k->bits, k->words * k->threads);
  }
  for (int64_t p = 0; p < t->point_count && status == SQ_OK; ++p)
  {
    k->positions[t->order[p]] = (uint32_t)p;
  }
  for (int32_t i = 0; i < k->threads && status == SQ_OK; ++i)
  {
    memset(k->covers + i, 0, sizeof(*k->covers));
    k->covers[i].bits = k->bits + k->words * i;
    k->covers[i].fault.unit = INT64_MAX;
  }
  return status;
}

static void release(sq_context* context, checking* k)
{
  SQI_FREE(context, k->positions, k->targets->point_count);
  SQI_FREE(context, k->covers, k->threads);
  SQI_FREE(context, k->bits, k->words * k->threads);
  SQI_FREE(context, k->near, k->sources->point_count + 1);
  SQI_FREE(context, k->fn, k->sources->point_count + 1);
  SQI_FREE(context, k->nf, k->sources->node_count + 1);
  SQI_FREE(context, k->far, k->sources->node_count + 1);
  sqi_plan_walk_end(context, &k->walk);
}

/** The fault of the first unit that has one. */
static sq_status tell(sq_context* context, const checking* k)
{
  const cover_fault* first = NULL;
  for (int32_t i = 0; i < k->threads; ++i)
  {
    const cover_fault* f = &k->covers[i].fault;
    first = f->unit < INT64_MAX && (!first || f->unit < first->unit) ? f : first;
  }
  if (first && first->target >= 0)
  {
    return sqi_fail(context, SQ_INVALID_DATA,
      "plan: target %lld and source %lld: covered more than once, or not to be covered (%s)",
      (long long)first->target, (long long)first->source, first->stream);
  }
  return first
    ? sqi_fail(context, SQ_INVALID_DATA, "plan: source %lld reaches %lld of %lld targets",
        (long long)first->source, (long long)first->covered, (long long)k->targets->finite_count)
    : SQ_OK;
}

static sq_status check_cover(
  sq_context* context, const sqi_plan_request* r, const sq_plan_view* view)
{
  checking k;
  memset(&k, 0, sizeof(k));
  k.targets = &r->targets;
  k.sources = r->sources;
  k.view = view;
  sqi_phase(context, "Checking plan", 0.2, 0.3);
  sq_status status = allocate(context, &k);
  if (status == SQ_OK)
  {
    status = index_all(context, &k);
  }
  if (status == SQ_OK)
  {
    status = check_skipped(context, &k);
  }
  if (status == SQ_OK)
  {
    /* Source side in the place of targets: units of the source tree. */
    status = sqi_plan_walk_begin(context, k.sources, k.targets, 0.0, UNIT_POINTS, 1, &k.walk);
  }
  sqi_phase(context, "Checking plan", 0.3, 1.0);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, k.walk.unit_count, 1, cover_body, &k);
  }
  if (status == SQ_OK)
  {
    status = tell(context, &k);
  }
  release(context, &k);
  return status;
}

sq_status sq_plan_validate(sq_context* context, const sq_plan_view* plan,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sqi_phase(context, "Checking plan", 0.0, 0.2);
  if (!plan)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "plan: none given");
  }
  if (!targets && !sources)
  {
    return sqi_plan_check_alone(context, plan);
  }
  sq_plan_options options = sq_plan_options_default();
  options.non_finite = SQ_NON_FINITE_KEEP;
  sqi_plan_request r;
  sq_status status = sqi_plan_request_begin(context, "plan", targets, sources, &options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_phase(context, "Checking plan", 0.02, 0.2);
  const sqi_plan_limits limits = { r.targets.point_count, r.sources->point_count,
    r.targets.node_count, r.sources->node_count };
  status = sqi_plan_check_ranges(context, plan, &limits);
  if (status == SQ_OK)
  {
    status = check_cover(context, &r, plan);
  }
  sqi_plan_request_end(context, &r);
  return status;
}
