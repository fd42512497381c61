#include "spatialqueries/sq_surface_query.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_distance_run.h"
#include "sqi_level.h"
#include "sqi_triangle_index_tree.h"

#include <string.h>

struct sq_surface_query
{
  sq_allocator allocator;
  sqi_distance_run run;
  sqi_search_run search; /* keeps the seed from query to query */
  sqi_search_function function;
};

sq_status sq_surface_query_create(sq_context* context, const sq_surface* surface,
  const sq_distance_options* options, sq_surface_query** query)
{
  if (query)
  {
    *query = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!query)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "surface query: no place for the result given");
  }
  sq_surface_query* q = NULL;
  sq_status status = SQI_NEW(context, &q, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(q, 0, sizeof(*q));
  q->allocator = context->allocator;
  q->run.surface = surface;
  q->run.options = options ? *options : sq_distance_options_default();
  status = sqi_distance_open(context, &q->run);
  if (status != SQ_OK)
  {
    sq_surface_query_destroy(q);
    return status;
  }
  q->search.index = surface->index;
  q->search.count = 1;
  q->search.seed = -1;
  q->search.max_distance = q->run.limit;
  q->search.sink = sqi_distance_answer;
  q->function = SQI_LEVEL_CHOOSE(sqi_search);
  *query = q;
  return SQ_OK;
}

void sq_surface_query_destroy(sq_surface_query* query)
{
  if (query)
  {
    sq_allocator allocator = query->allocator;
    SQI_RELEASE(&allocator, query->run.sign.memory, query->run.sign.thread_count);
    SQI_RELEASE(&allocator, query, 1);
  }
}

sq_status sq_surface_query_distance(
  sq_surface_query* query, const double x[3], const sq_distance_outputs* outputs)
{
  if (!query || !x || !outputs || outputs->winding_number || outputs->nodes_visited ||
    outputs->cells_tested)
  {
    return SQ_INVALID_ARGUMENT;
  }
  const double point[1][3] = { { x[0], x[1], x[2] } };
  const int64_t number = 0;
  query->run.out = *outputs;
  query->search.points = point;
  query->search.queries = &number;
  query->search.user = &query->run;
  query->function(&query->search);
  return SQ_OK;
}
