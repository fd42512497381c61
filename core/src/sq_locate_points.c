#include "spatialqueries/sq_locate_grid.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_locate_order.h"
#include "sqi_locate_points.h"
#include "sqi_mesh_index_search.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <string.h>

/** Queries of one chunk: a few ms of work at most. */
#define CHUNK 256
/** Points that are copied together. */
#define COPIED 16384

/** Nanoseconds of one thread that things take, about: what a join takes for a cell and a point, a search for a point, the tree. */
#define JOIN_CELL 60.0
#define JOIN_POINT 250.0
#define SEARCH_POINT 700.0
#define TREE_CELL 550.0

typedef struct locating
{
  sqi_rows rows;
  sq_location* location;
  const sq_points* queries;
  uint32_t* order;
} locating;

static sq_status copy_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const locating* l = (const locating*)data;
  size_t bytes = 3 * sq_type_bytes(l->queries->type);
  memcpy((char*)l->location->points.data + (size_t)begin * bytes,
    (const char*)l->queries->data + (size_t)begin * bytes, (size_t)(end - begin) * bytes);
  return SQ_OK;
}

/** What the location keeps: coordinates, options, the floor of the tolerance. */
static sq_status keep_inputs(sq_context* context, const sq_locate_options* options, locating* l)
{
  sq_location* to = l->location;
  const sq_points* from = l->queries;
  void* coordinates = NULL;
  to->options = *options;
  sq_status status =
    sqi_make_floor(context, to->index, from->type, &to->floor_ulp, &to->floor_ulp_max);
  status = status == SQ_OK
    ? sqi_alloc(context, 3 * from->count, sq_type_bytes(from->type), &coordinates)
    : status;
  if (status != SQ_OK)
  {
    return status;
  }
  to->points = (sq_points){ coordinates, from->count, from->type, 3 };
  sqi_phase(context, "Querying", 0.0, 0.02);
  return sqi_parallel_for(context, from->count, COPIED, copy_body, l);
}

static sq_status search_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const locating* l = (const locating*)data;
  int32_t seed = -1;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t query = sqi_locate_query(l->order, i);
    double x[3];
    sqi_locate_answer answer;
    sqi_rows_query(&l->rows, query, x);
    sq_sample_status status = sqi_rows_search(&l->rows, x, thread, seed, &answer);
    seed = answer.number >= 0 ? answer.number : seed;
    sqi_location_keep(l->location, query, status, &answer);
  }
  return SQ_OK;
}

/** Searches for every point. */
static sq_status search(sq_context* context, locating* l)
{
  const sq_mesh_index* index = l->rows.rules.index;
  int64_t count = l->location->count;
  sq_status status = sqi_mesh_search_need(context, index);
  status = status == SQ_OK ? SQI_NEW(context, &l->order, count) : status;
  sqi_phase(context, "Querying", 0.02, 0.12);
  status = status == SQ_OK ? sqi_locate_order(context, &l->location->points, &index->bvh, l->order)
                           : status;
  sqi_phase(context, "Querying", 0.12, 1.0);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, search_body, l) : status;
  SQI_FREE(context, l->order, count);
  return status;
}

/** Whether a walk through all cells takes less time than searches. Decides about time alone. */
static int is_join_faster(const locating* l)
{
  /* What callers see of the index does not change. */
  sq_mesh_index* index = (sq_mesh_index*)l->rows.rules.index;
  double cells = (double)index->first[index->block_count];
  double points = (double)l->location->count;
  double more = cells * JOIN_CELL + points * JOIN_POINT - points * SEARCH_POINT;
  if (more <= 0.0 || sqi_mesh_is_searchable(index))
  {
    return more <= 0.0;
  }
  /* Searches would be faster if there was the tree. It is made when joins have taken as much time more as making it takes. */
  int64_t owed = atomic_fetch_add(&index->owed, (int64_t)more) + (int64_t)more;
  return (double)owed < cells * TREE_CELL;
}

/** A search that the options ask for anyway; or the tree, for rows of several cells. */
static sq_status choose_way(sq_context* context, const locating* l, sqi_locate_way* way)
{
  const sq_locate_options* o = &l->rows.rules.options;
  sq_status status = SQ_OK;
  if (o->mode == SQ_LOCATE_NEAREST || o->statistics || !l->location->count)
  {
    *way = SQI_WAY_SEARCH;
  }
  /* Rows of means are made of all cells of a point, which are searched for again. */
  if (*way == SQI_WAY_SEARCH || o->multiple_cells == SQ_MULTIPLE_MEAN)
  {
    status = sqi_mesh_search_need(context, l->rows.rules.index);
  }
  if (*way == SQI_WAY_FASTER)
  {
    *way = is_join_faster(l) ? SQI_WAY_JOIN : SQI_WAY_SEARCH;
  }
  return status;
}

static sq_status locate(sq_context* context, locating* l, sqi_locate_way way)
{
  sq_status status = sqi_location_open_rows(context, l->location, 0, &l->rows);
  status = status == SQ_OK ? choose_way(context, l, &way) : status;
  if (status == SQ_OK)
  {
    status =
      way == SQI_WAY_JOIN ? sqi_join_points(context, &l->rows, l->location) : search(context, l);
  }
  sqi_rows_close(context, &l->rows);
  return status;
}

sq_status sqi_locate_points(sq_context* context, const sq_mesh_index* index,
  const sq_points* queries, const sq_locate_options* options, sqi_locate_way way,
  sq_location** location)
{
  sq_status status = sqi_locate_begin(context, index, location);
  if (status != SQ_OK)
  {
    return status;
  }
  const sq_locate_options chosen = options ? *options : sq_locate_options_default();
  locating l;
  memset(&l, 0, sizeof(l));
  l.queries = queries;
  status = sqi_check_points(context, queries, "queries");
  status = status == SQ_OK ? sqi_locate_check_options(context, &chosen) : status;
  status = status == SQ_OK ? sqi_location_create(context, index->block_count, queries->count,
                               chosen.statistics != 0, index, &l.location)
                           : status;
  status = status == SQ_OK ? keep_inputs(context, &chosen, &l) : status;
  status = status == SQ_OK ? locate(context, &l, way) : status;
  if (status != SQ_OK)
  {
    sq_location_destroy(l.location);
    return status;
  }
  *location = l.location;
  return SQ_OK;
}

sq_status sq_locate_points(sq_context* context, const sq_mesh_index* index,
  const sq_points* queries, const sq_locate_options* options, sq_location** location)
{
  return sqi_locate_points(context, index, queries, options, SQI_WAY_FASTER, location);
}
