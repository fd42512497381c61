#include "sqi_alloc.h"
#include "sqi_candidates.h"
#include "sqi_context.h"
#include "sqi_mesh_index.h"
#include "sqi_query_order.h"
#include "sqi_real.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

/** Queries of one chunk. */
#define CHUNK (16 * SQI_CANDIDATE_LANES)
/** Queries between two polls of the sequential part. */
#define TILE (1 << 18)

sq_candidate_options sq_candidate_options_default(void)
{
  sq_candidate_options o = { SQ_CANDIDATES_LIMIT_DEFAULT, SQ_CANDIDATES_MAX_DEFAULT, 0,
    SQ_CANDIDATES_TOLERANCE_DEFAULT };
  return o;
}

typedef struct tolerance_job
{
  const sqi_tree* tree;
  double fraction;
  void* tolerance;
} tolerance_job;

/**
 * A leaf's own tolerance; of an inner node the largest below it, and not less than 0, so that it holds every point that a leaf
 * below it does.
 */
static sq_status tolerance_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const tolerance_job* job = (const tolerance_job*)data;
  const sqi_tree* t = job->tree;
  for (int64_t node = begin; node < end; ++node)
  {
    int64_t left = t->topology.left_child[node];
    double tolerance;
    if (left < 0)
    {
      double lo[3] = { 0.0, 0.0, 0.0 }, hi[3] = { 0.0, 0.0, 0.0 };
      for (int32_t d = 0; d < t->dimension; ++d)
      {
        lo[d] = sqi_real(t->aabb_min, t->type, node * t->dimension + d);
        hi[d] = sqi_real(t->aabb_max, t->type, node * t->dimension + d);
      }
      tolerance = job->fraction * sqi_box_diagonal(lo, hi);
    }
    else
    {
      double one = sqi_real(job->tolerance, t->type, left);
      double other = sqi_real(job->tolerance, t->type, left + 1);
      tolerance = fmax(0.0, fmax(one, other));
    }
    sqi_set_real(job->tolerance, t->type, node, tolerance);
  }
  return SQ_OK;
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
static sq_status search_all(
  sq_context* context, sqi_candidate_search* search, uint32_t* order, sq_lists* lists)
{
  int64_t count = search->queries->count;
  walk_job job = { search, sqi_candidates_counter() };
  sqi_phase(context, "Ordering queries", 0.05, 0.25);
  sq_status status = order_queries(context, search->tree, search->queries, order);
  if (status == SQ_OK)
  {
    sqi_phase(context, "Finding candidates", 0.25, 0.6);
    status = sqi_parallel_for(context, count, CHUNK, walk_body, &job);
  }
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
  const sqi_tree* tree = &bvh->tree;
  int64_t count = queries->count, nodes = tree->topology.node_count;
  int64_t scales = o->relative ? nodes : 0, flags = o->limit ? count : 0;
  size_t real = sq_type_bytes(tree->type);
  uint32_t* order = NULL;
  tolerance_job scaled = { tree, o->tolerance, NULL };
  sqi_candidate_search search = { .tree = tree,
    .queries = queries,
    .tolerance = sqi_rounded(tree->type, o->tolerance),
    .limit = o->limit ? o->max_candidates : INT64_MAX,
    .offsets = lists->offsets,
    .truncated = truncated };
  sq_status status = SQI_NEW(context, &order, count);
  search.order = order;
  status = status == SQ_OK ? SQI_NEW(context, &search.upper_only, flags) : status;
  status = status == SQ_OK ? sqi_alloc(context, scales, real, &scaled.tolerance) : status;
  if (status == SQ_OK && scales)
  {
    search.node_tolerance = scaled.tolerance;
    sqi_phase(context, "Scaling tolerances", 0.0, 0.05);
    status = sqi_tree_upward(context, &tree->topology, tolerance_body, &scaled);
  }
  status = status == SQ_OK ? search_all(context, &search, order, lists) : status;
  SQI_FREE(context, order, count);
  SQI_FREE(context, search.upper_only, flags);
  sqi_free(context, scaled.tolerance, scales, real);
  return status;
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
  if (status == SQ_OK && l->count && bvh->tree.topology.node_count)
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
