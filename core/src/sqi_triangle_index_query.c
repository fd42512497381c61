/** Many queries at once: ordered in blocks of bounded memory, answered by runs. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_query_order.h"
#include "sqi_sort.h"
#include "sqi_triangle_index_tree.h"

/** Queries ordered together: 24 bytes each while sorting. */
#define BLOCK (1 << 20)
/** Queries of one run; a slow one takes 20 us. */
#define RUN 128
/** Queries of one chunk of the loops that prepare a block. */
#define CHUNK 8192

void sqi_hit_clear(sqi_hit* hit)
{
  for (int d = 0; d < 3; ++d)
  {
    hit->point[d] = hit->barycentric[d] = (double)NAN;
  }
  hit->distance = (double)NAN;
  hit->triangle = -1;
  hit->feature = SQI_FEATURE_FACE;
  hit->nodes_visited = hit->cells_tested = 0;
}

typedef struct batch
{
  sqi_search_run run;
  sqi_search_function search;
  const sqi_queries* queries;
  int64_t first; /* query of the block at work */
  uint64_t* keys;
  uint32_t* order;
  double* bounds; /* 6 a thread */
  sqi_curve curve;
} batch;

static sq_status bounds_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  batch* b = (batch*)data;
  double* bounds = b->bounds + 6 * (int64_t)thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_query_point(b->queries, b->first + i, x);
    for (int d = 0; d < 3; ++d)
    {
      bounds[d] = x[d] < bounds[d] ? x[d] : bounds[d];
      bounds[3 + d] = x[d] > bounds[3 + d] ? x[d] : bounds[3 + d];
    }
  }
  return SQ_OK;
}

static sq_status keys_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  batch* b = (batch*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_query_point(b->queries, b->first + i, x);
    b->keys[i] = sqi_curve_key(&b->curve, x);
    b->order[i] = (uint32_t)i;
  }
  return SQ_OK;
}

static sq_status points_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const batch* b = (const batch*)data;
  double points[RUN][3];
  int64_t queries[RUN];
  sqi_search_run run = b->run;
  run.points = (const double(*)[3])points;
  run.queries = queries;
  run.count = (int32_t)(end - begin);
  run.thread = thread;
  /* Gathered first, so that the cache misses overlap. */
  for (int32_t i = 0; i < run.count; ++i)
  {
    queries[i] = b->first + b->order[begin + i];
    sqi_query_point(b->queries, queries[i], points[i]);
  }
  b->search(&run);
  return SQ_OK;
}

static sq_status bricks_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const batch* b = (const batch*)data;
  double points[SQI_BRICK_POINTS][3];
  int64_t queries[SQI_BRICK_POINTS];
  sqi_search_run run = b->run;
  run.points = (const double(*)[3])points;
  run.queries = queries;
  run.thread = thread;
  for (int64_t brick = begin; brick < end; ++brick)
  {
    run.count = sqi_brick_points(b->queries->grid, brick, queries);
    for (int32_t i = 0; i < run.count; ++i)
    {
      sqi_query_point(b->queries, queries[i], points[i]);
    }
    b->search(&run);
  }
  return SQ_OK;
}

/** Puts the queries of a block in order. */
static sq_status order_block(sq_context* context, batch* b, int64_t count)
{
  int32_t threads = sq_context_threads(context);
  for (int64_t i = 0; i < 6 * (int64_t)threads; ++i)
  {
    b->bounds[i] = i % 6 < 3 ? HUGE_VAL : -HUGE_VAL;
  }
  sq_status status = sqi_parallel_for(context, count, CHUNK, bounds_body, b);
  for (int32_t t = 1; t < threads; ++t)
  {
    for (int d = 0; d < 3; ++d)
    {
      b->bounds[d] = fmin(b->bounds[d], b->bounds[6 * t + d]);
      b->bounds[3 + d] = fmax(b->bounds[3 + d], b->bounds[6 * t + 3 + d]);
    }
  }
  b->curve = sqi_curve_of(b->bounds, b->bounds + 3, b->run.index->lo, b->run.index->hi);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, count, CHUNK, keys_body, b);
  }
  return status == SQ_OK ? sqi_sort(context, b->keys, b->order, count, 3 * SQI_CURVE_BITS) : status;
}

static sq_status query_points(sq_context* context, batch* b)
{
  int64_t count = b->queries->points->count;
  int64_t space = count < BLOCK ? count : BLOCK;
  int64_t bounds = 6 * (int64_t)sq_context_threads(context);
  sqi_stages stages = sqi_stages_begin(context);
  sq_status status = SQI_NEW(context, &b->keys, space);
  status = status == SQ_OK ? SQI_NEW(context, &b->order, space) : status;
  status = status == SQ_OK ? SQI_NEW(context, &b->bounds, bounds) : status;
  for (b->first = 0; status == SQ_OK && b->first < count; b->first += BLOCK)
  {
    int64_t n = count - b->first < BLOCK ? count - b->first : BLOCK;
    double begin = (double)b->first / (double)count;
    sqi_stage(context, &stages, begin, begin);
    status = order_block(context, b, n);
    if (status == SQ_OK)
    {
      sqi_stage(context, &stages, begin, (double)(b->first + n) / (double)count);
      status = sqi_parallel_for(context, n, RUN, points_body, b);
    }
  }
  sqi_stage(context, &stages, 0.0, 1.0);
  SQI_FREE(context, b->keys, space);
  SQI_FREE(context, b->order, space);
  SQI_FREE(context, b->bounds, bounds);
  return status;
}

sq_status sqi_triangle_index_query(sq_context* context, const sqi_triangle_index* index,
  const sqi_queries* queries, double max_distance, int statistics, sqi_hit_sink sink, void* user)
{
  batch b = { { index, NULL, NULL, 0, 0, -1, max_distance, statistics, sink, user },
    SQI_LEVEL_CHOOSE(sqi_search), queries, 0, NULL, NULL, NULL, { { 0.0, 0.0, 0.0 }, 0.0 } };
  if (queries->grid)
  {
    /* Thin grids have small bricks: several of them make a run. */
    int64_t grain = SQI_BRICK_POINTS / sqi_brick_size(queries->grid);
    return sqi_parallel_for(context, sqi_brick_count(queries->grid), grain, bricks_body, &b);
  }
  return query_points(context, &b);
}

static void take_hit(
  void* user, int64_t query, const double x[3], const sqi_hit* hit, int32_t thread)
{
  (void)query;
  (void)x;
  (void)thread;
  *(sqi_hit*)user = *hit;
}

void sqi_triangle_index_closest(
  const sqi_triangle_index* index, const double x[3], double max_distance, sqi_hit* hit)
{
  double point[1][3] = { { x[0], x[1], x[2] } };
  int64_t query = 0;
  sqi_search_run run = { index, (const double(*)[3])point, &query, 1, 0, -1, max_distance, 0,
    take_hit, hit };
  SQI_LEVEL_CHOOSE(sqi_search)(&run);
}
