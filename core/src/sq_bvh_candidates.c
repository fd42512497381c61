#include "sqi_alloc.h"
#include "sqi_candidates.h"
#include "sqi_context.h"
#include "sqi_mesh_index.h"
#include "sqi_query_order.h"
#include "sqi_real.h"
#include "sqi_reference_tree.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

/** Queries of one chunk. */
#define CHUNK 128
/** Leaves of one chunk. */
#define LEAVES (1 << 13)
/** Queries between two polls of the sequential part. */
#define TILE (1 << 18)

sq_candidate_options sq_candidate_options_default(void)
{
  sq_candidate_options o = { SQ_CANDIDATES_LIMIT_DEFAULT, SQ_CANDIDATES_MAX_DEFAULT, 0,
    SQ_CANDIDATES_TOLERANCE_DEFAULT };
  return o;
}

typedef struct widen_job
{
  const sqi_candidate_index* from;
  double fraction;
  sqi_candidate_index* to;
} widen_job;

/** Copies leaves, wider by a fraction of their diagonal. */
static sq_status widen_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const widen_job* job = (const widen_job*)data;
  const sqi_candidate_index* x = job->from;
  for (int64_t leaf = begin; leaf < end; ++leaf)
  {
    double lo[3] = { 0.0, 0.0, 0.0 }, hi[3] = { 0.0, 0.0, 0.0 };
    for (int32_t d = 0; d < x->dimension; ++d)
    {
      int64_t at = sqi_group_at(x->dimension, leaf, d);
      lo[d] = sqi_real(x->boxes, x->type, at);
      hi[d] = sqi_real(x->boxes, x->type, at + SQI_GROUP * x->dimension);
    }
    double tolerance = sqi_rounded(x->type, job->fraction * sqi_box_diagonal(lo, hi));
    for (int32_t d = 0; d < x->dimension; ++d)
    {
      lo[d] -= tolerance;
      hi[d] += tolerance;
    }
    uint32_t start = x->leaves[leaf];
    sqi_candidate_index_set(
      job->to, x->type, x->dimension, leaf, start >> 1, (int)(start & 1), lo, hi);
  }
  return SQ_OK;
}

static sq_status widen(sq_context* context, const sqi_candidate_index* from, double fraction,
  int64_t cells, sqi_candidate_index* to)
{
  widen_job job = { from, fraction, to };
  sq_status status =
    sqi_candidate_index_allocate(context, from->type, from->dimension, from->leaf_count, cells, to);
  status = status == SQ_OK ? sqi_parallel_for(context, from->leaf_count, LEAVES, widen_body, &job)
                           : status;
  return status == SQ_OK ? sqi_candidate_index_finish(context, to) : status;
}

typedef struct walk_job
{
  const sqi_candidate_search* search;
  sqi_candidate_walk walk;
} walk_job;

static sq_status walk_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const walk_job* job = (const walk_job*)data;
  job->walk(job->search, begin, end);
  return SQ_OK;
}

static sq_status order_queries(
  sq_context* context, const sqi_tree* tree, const sq_points* queries, uint32_t* order)
{
  int64_t capacity = queries->count < SQI_CANDIDATE_BLOCK ? queries->count : SQI_CANDIDATE_BLOCK;
  double lo[3] = { 0.0, 0.0, 0.0 }, hi[3] = { 0.0, 0.0, 0.0 };
  for (int32_t d = 0; d < tree->dimension; ++d)
  {
    lo[d] = sqi_real(tree->aabb_min, tree->type, d);
    hi[d] = sqi_real(tree->aabb_max, tree->type, d);
  }
  sqi_stages stages = sqi_stages_begin(context);
  sqi_ordering ordering;
  sq_status status = sqi_ordering_open(context, capacity, &ordering);
  for (int64_t first = 0; first < queries->count && status == SQ_OK; first += capacity)
  {
    int64_t rest = queries->count - first, n = rest < capacity ? rest : capacity;
    sqi_stage(context, &stages, (double)first / (double)queries->count,
      (double)(first + n) / (double)queries->count);
    status = sqi_ordering_block(context, &ordering, queries, first, n, lo, hi, order + first);
  }
  sqi_ordering_close(context, &ordering);
  return status;
}

/** Lengths to offsets. */
static sq_status sum_offsets(sq_context* context, int64_t count, int64_t* offsets)
{
  sq_status status = SQ_OK;
  offsets[0] = 0;
  for (int64_t begin = 0; begin < count && status == SQ_OK; begin += TILE)
  {
    int64_t end = begin + TILE < count ? begin + TILE : count;
    for (int64_t q = begin; q < end; ++q)
    {
      offsets[q + 1] += offsets[q];
    }
    status = sqi_poll(context, 1.0, 0);
  }
  return status;
}

static sq_status check(
  sq_context* context, const sq_bvh* bvh, const sq_points* queries, const sq_candidate_options* o)
{
  if (!bvh)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "candidates: no BVH given");
  }
  sq_status status = sqi_check_points_of(context, queries, "query points", 1, 3);
  if (status != SQ_OK)
  {
    return status;
  }
  const sqi_tree* t = &bvh->tree;
  if (t->topology.node_count && queries->dimension != t->dimension)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "query points: %d coordinates, those of the mesh have %d", (int)queries->dimension,
      (int)t->dimension);
  }
  if ((o->limit != 0 && o->limit != 1) || (o->relative != 0 && o->relative != 1))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "candidates: limit %d, relative %d, allowed are 0 and 1", (int)o->limit, (int)o->relative);
  }
  return o->limit && o->max_candidates < SQ_CANDIDATES_MAX_MIN
    ? sqi_fail(context, SQ_INVALID_ARGUMENT, "at most %lld candidates, allowed are %d and more",
        (long long)o->max_candidates, SQ_CANDIDATES_MAX_MIN)
    : SQ_OK;
}

/** Fills search->offsets and flags, then the indices of `lists`. */
static sq_status search_all(sq_context* context, sqi_candidate_search* search, sq_lists* lists)
{
  int64_t count = search->queries->count;
  walk_job job = { search, sqi_candidates_counter() };
  sqi_phase(context, "Finding candidates", 0.25, 0.6);
  sq_status status = sqi_parallel_for(context, count, CHUNK, walk_body, &job);
  status = status == SQ_OK ? sum_offsets(context, count, lists->offsets) : status;
  if (status == SQ_OK)
  {
    lists->total = lists->offsets[count];
    status = SQI_NEW(context, &lists->indices, lists->total);
  }
  if (status == SQ_OK && lists->total)
  {
    search->indices = lists->indices;
    job.walk = sqi_candidates_filler();
    sqi_phase(context, "Finding candidates", 0.6, 1.0);
    status = sqi_parallel_for(context, count, CHUNK, walk_body, &job);
  }
  return status;
}

static sq_status find(sq_context* context, const sq_bvh* bvh, const sq_points* queries,
  const sq_candidate_options* o, sq_lists* lists, uint8_t* truncated)
{
  int64_t count = queries->count, flags = o->limit ? count : 0;
  uint32_t* order = NULL;
  sqi_candidate_index wider = { .type = SQ_FLOAT32 };
  sqi_candidate_search search = { .index = &bvh->index,
    .cells = bvh->tree.order,
    .queries = queries,
    .tolerance = o->relative ? 0.0 : sqi_rounded(bvh->tree.type, o->tolerance),
    .limit = o->limit ? o->max_candidates : INT64_MAX,
    .offsets = lists->offsets,
    .truncated = truncated };
  sq_status status = SQ_OK;
  if (o->relative)
  {
    sqi_phase(context, "Scaling tolerances", 0.0, 0.05);
    status = widen(context, &bvh->index, o->tolerance, bvh->tree.topology.item_count, &wider);
    search.index = &wider;
  }
  status = status == SQ_OK ? SQI_NEW(context, &order, count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &search.upper_only, flags) : status;
  sqi_phase(context, "Ordering queries", 0.05, 0.25);
  status = status == SQ_OK ? order_queries(context, &bvh->tree, queries, order) : status;
  search.order = order;
  status = status == SQ_OK ? search_all(context, &search, lists) : status;
  SQI_FREE(context, order, count);
  SQI_FREE(context, search.upper_only, flags);
  sqi_candidate_index_release(&wider);
  return status;
}

/** Whether a box of the tree is NaN, and with it the root's: no query finds anything, as in the reference. */
static int is_blind(const sqi_tree* t)
{
  int blind = 0;
  for (int32_t d = 0; d < t->dimension; ++d)
  {
    double lo = sqi_real(t->aabb_min, t->type, d), hi = sqi_real(t->aabb_max, t->type, d);
    blind |= lo != lo || hi != hi;
  }
  return blind;
}

sq_status sq_bvh_find_candidates(sq_context* context, const sq_bvh* bvh, const sq_points* queries,
  const sq_candidate_options* options, sq_lists** lists, uint8_t* truncated)
{
  if (lists)
  {
    *lists = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!lists)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "candidates: no output given");
  }
  sq_candidate_options o = options ? *options : sq_candidate_options_default();
  sq_lists* l = NULL;
  sq_status status = check(context, bvh, queries, &o);
  status = status == SQ_OK ? sqi_handle_new(context, sizeof(*l), (void**)&l) : status;
  if (status == SQ_OK)
  {
    l->count = queries->count;
    status = SQI_NEW(context, &l->offsets, l->count + 1);
  }
  if (status == SQ_OK && l->count && bvh->tree.topology.node_count && !is_blind(&bvh->tree))
  {
    status = find(context, bvh, queries, &o, l, truncated);
  }
  else if (status == SQ_OK)
  {
    memset(l->offsets, 0, (size_t)(l->count + 1) * sizeof(*l->offsets));
    if (truncated && l->count)
    {
      memset(truncated, 0, (size_t)l->count);
    }
  }
  if (status != SQ_OK)
  {
    sq_lists_destroy(l);
    l = NULL;
  }
  *lists = l;
  return status;
}

typedef struct boxes_job
{
  const sq_points* points;
  const sq_points* lo;
  const sq_points* hi;
  uint8_t* inside;
} boxes_job;

static sq_status boxes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const boxes_job* job = (const boxes_job*)data;
  int32_t dimension = job->points->dimension;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t p = i / job->lo->count, b = i % job->lo->count;
    int inside = 1;
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(job->points->data, job->points->type, p * dimension + d);
      inside &= x >= sqi_real(job->lo->data, job->lo->type, b * dimension + d) &&
        x <= sqi_real(job->hi->data, job->hi->type, b * dimension + d);
    }
    job->inside[i] = (uint8_t)inside;
  }
  return SQ_OK;
}

sq_status sq_point_in_boxes(sq_context* context, const sq_points* points, const sq_points* box_min,
  const sq_points* box_max, uint8_t* inside)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status status = sqi_check_points_of(context, points, "points", 1, 3);
  status = status == SQ_OK ? sqi_check_points_of(context, box_min, "box minima", 1, 3) : status;
  status = status == SQ_OK ? sqi_check_points_of(context, box_max, "box maxima", 1, 3) : status;
  if (status != SQ_OK)
  {
    return status;
  }
  if (points->dimension != box_min->dimension || points->dimension != box_max->dimension)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "points of %d coordinates, boxes of %d and %d; all must have the same",
      (int)points->dimension, (int)box_min->dimension, (int)box_max->dimension);
  }
  if (box_min->count != box_max->count)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%lld box minima, %lld maxima; both must be as many", (long long)box_min->count,
      (long long)box_max->count);
  }
  int64_t total;
  if (__builtin_mul_overflow(points->count, box_min->count, &total))
  {
    return sqi_fail(context, SQ_TOO_LARGE, "%lld points and %lld boxes have too many pairs",
      (long long)points->count, (long long)box_min->count);
  }
  if (total && !inside)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "points in boxes: no output given");
  }
  boxes_job job = { points, box_min, box_max, inside };
  sqi_phase(context, "Testing boxes", 0.0, 1.0);
  return sqi_parallel_for(context, total, 1 << 16, boxes_body, &job);
}
