/** Many queries at once: ordered in blocks of bounded memory, answered by runs. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_query_order.h"
#include "sqi_triangle_index_tree.h"

/** Queries ordered together: 24 bytes each while sorting. */
#define BLOCK (1 << 20)
/** Queries of one run; a slow one takes 20 us. */
#define RUN 128

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
  uint32_t* order; /* of the block */
} batch;

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

static sq_status query_points(sq_context* context, batch* b)
{
  const sq_points* points = b->queries->points;
  const sqi_triangle_index* index = b->run.index;
  int64_t space = points->count < BLOCK ? points->count : BLOCK;
  sqi_stages stages = sqi_stages_begin(context);
  sqi_ordering ordering;
  sq_status status = sqi_ordering_open(context, space, &ordering);
  status = status == SQ_OK ? SQI_NEW(context, &b->order, space) : status;
  for (b->first = 0; status == SQ_OK && b->first < points->count; b->first += BLOCK)
  {
    int64_t n = points->count - b->first < BLOCK ? points->count - b->first : BLOCK;
    double begin = (double)b->first / (double)points->count;
    sqi_stage(context, &stages, begin, begin);
    status =
      sqi_ordering_block(context, &ordering, points, b->first, n, index->lo, index->hi, b->order);
    if (status == SQ_OK)
    {
      sqi_stage(context, &stages, begin, (double)(b->first + n) / (double)points->count);
      status = sqi_parallel_for(context, n, RUN, points_body, b);
    }
  }
  sqi_stage(context, &stages, 0.0, 1.0);
  SQI_FREE(context, b->order, space);
  sqi_ordering_close(context, &ordering);
  return status;
}

sq_status sqi_triangle_index_query(sq_context* context, const sqi_triangle_index* index,
  const sqi_queries* queries, double max_distance, int statistics, sqi_hit_sink sink, void* user)
{
  batch b = { { index, NULL, NULL, 0, 0, -1, max_distance, statistics, sink, user },
    SQI_LEVEL_CHOOSE(sqi_search), queries, 0, NULL };
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
