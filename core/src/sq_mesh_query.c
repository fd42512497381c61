/** Handles, and the questions that one point asks. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_mesh_index_search.h"
#include "sqi_mesh_query.h"

#include <string.h>

static sq_status make_room(sq_context* context, sq_mesh_query* q)
{
  const sq_mesh_index* index = q->rules.index;
  sq_status status = SQI_NEW(context, &q->room, sqi_mesh_scratch_size(index));
  status = status == SQ_OK ? SQI_NEW(context, &q->weights, index->node_max) : status;
  status = status == SQ_OK ? SQI_NEW(context, &q->floor_ulp, index->block_count) : status;
  if (status == SQ_OK)
  {
    q->scratch = sqi_mesh_scratch_in(index, q->room);
    sqi_locate_set_floor(&q->rules, SQ_FLOAT64, q->floor_ulp);
  }
  return status;
}

sq_status sq_mesh_query_create(
  sq_context* context, const sq_mesh_index* index, sq_mesh_query** query)
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
  if (!index || !query)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "mesh query: no %s given",
      index ? "place for the result" : "index");
  }
  sq_mesh_query* q = NULL;
  sq_status status = sqi_mesh_search_need(context, index);
  status = status == SQ_OK ? SQI_NEW(context, &q, 1) : status;
  if (status != SQ_OK)
  {
    return status;
  }
  memset(q, 0, sizeof(*q));
  q->allocator = context->allocator;
  q->rules.index = index;
  q->rules.options = sq_locate_options_default();
  q->search = sqi_locate_choose();
  q->seed = -1;
  status = make_room(context, q);
  if (status != SQ_OK)
  {
    sq_mesh_query_destroy(q);
    return status;
  }
  *query = q;
  return SQ_OK;
}

void sq_mesh_query_destroy(sq_mesh_query* query)
{
  if (!query)
  {
    return;
  }
  sq_allocator allocator = query->allocator;
  const sq_mesh_index* index = query->rules.index;
  SQI_RELEASE(&allocator, query->room, sqi_mesh_scratch_size(index));
  SQI_RELEASE(&allocator, query->weights, index->node_max);
  SQI_RELEASE(&allocator, query->floor_ulp, index->block_count);
  SQI_RELEASE(&allocator, query->found.data, query->found.capacity);
  SQI_RELEASE(&allocator, query->crossings, query->crossing_capacity);
  SQI_RELEASE(&allocator, query->cells, query->cell_capacity);
  SQI_RELEASE(&allocator, query, 1);
}

sq_status sqi_query_reserve(
  sq_mesh_query* query, int64_t count, size_t size, void** data, int64_t* capacity)
{
  if (count <= *capacity)
  {
    return SQ_OK;
  }
  void* more;
  int64_t room = count + count / 2 + 64;
  sq_status status = sqi_acquire(&query->allocator, room, size, &more);
  if (status == SQ_OK)
  {
    sqi_release(&query->allocator, *data, *capacity, size);
    *data = more;
    *capacity = room;
  }
  return status;
}

/** Weights of all nodes from those that the kernel has set. */
static void spread_weights(sq_mesh_query* q, const sqi_mesh_cell* cell, const sqk_cell_hit* hit)
{
  for (int32_t i = 0; i < cell->count; ++i)
  {
    q->weights[i] = hit->used ? 0.0 : q->scratch.weights[i];
  }
  for (int32_t k = 0; k < hit->used; ++k)
  {
    q->weights[hit->node[k]] += q->scratch.weights[k];
  }
}

static int is_interior(const sq_mesh_query* q, const sqi_mesh_cell* cell, const sqk_cell_hit* hit)
{
  int all = 1;
  if (!(hit->distance > 0.0) || sqk_shape_dimension(cell->type) == 3)
  {
    return !(hit->distance > 0.0);
  }
  if (hit->used == 0)
  {
    double r[3];
    sqk_set3(hit->r, r);
    r[0] = cell->type == SQ_CELL_CUBIC_LINE ? 0.5 + 0.5 * r[0] : r[0]; /* VTK's runs from -1 */
    return sqk_shape_violation(cell->type, r) < 0.0;
  }
  for (int32_t k = 0; k < hit->used; ++k)
  {
    all &= q->scratch.weights[k] > 0.0;
  }
  return all;
}

/** Which of its pieces the hit is on. */
static int32_t piece_of(int type, const sqk_cell_hit* hit)
{
  int has_pieces =
    type == SQ_CELL_POLY_VERTEX || type == SQ_CELL_POLY_LINE || type == SQ_CELL_TRIANGLE_STRIP;
  return has_pieces && hit->used ? hit->node[0] : 0;
}

void sqi_query_set_hit(sq_mesh_query* query, const double x[3], int32_t number,
  sq_sample_status status, sq_mesh_hit* hit)
{
  sqi_mesh_cell cell;
  sqk_cell_hit found;
  (void)query->search.evaluate(&query->rules, x, &query->scratch, number, status, &cell, &found);
  spread_weights(query, &cell, &found);
  hit->cell = cell.id;
  hit->block = cell.block_id;
  hit->sub = piece_of(cell.type, &found);
  hit->distance = found.distance;
  for (int d = 0; d < 3; ++d)
  {
    hit->closest[d] = found.distance > 0.0 ? x[d] + found.closest[d] : x[d];
    hit->parametric[d] = found.r[d];
  }
  hit->weights = query->weights;
  hit->weight_count = cell.count;
  hit->is_interior = is_interior(query, &cell, &found);
}

sq_status sq_mesh_query_containing(sq_mesh_query* query, const double x[3], sq_tolerance_type type,
  double tolerance, sq_mesh_hit* hit)
{
  int good = query && x && hit && tolerance >= SQ_TOLERANCE_MIN &&
    (int)type >= SQ_TOLERANCE_TYPE_MIN && (int)type <= SQ_TOLERANCE_TYPE_MAX;
  if (hit)
  {
    hit->cell = -1;
  }
  if (!good)
  {
    return SQ_INVALID_ARGUMENT;
  }
  query->rules.options.mode = SQ_LOCATE_CONTAINING;
  query->rules.options.tolerance_type = type;
  query->rules.options.tolerance = tolerance;
  if (sqi_is_finite3(x))
  {
    sqi_locate_answer answer;
    query->search.containing(&query->rules, x, &query->scratch, NULL, SQI_RANK_NONE, &answer);
    if (answer.number >= 0)
    {
      int inside = !(answer.distance > 0.0);
      sqi_query_set_hit(
        query, x, answer.number, inside ? SQ_SAMPLE_INSIDE : SQ_SAMPLE_TOLERANCE, hit);
      hit->distance = inside ? 0.0 : hit->distance;
    }
  }
  return SQ_OK;
}

sq_status sq_mesh_query_closest(
  sq_mesh_query* query, const double x[3], double max_distance, sq_mesh_hit* hit)
{
  if (hit)
  {
    hit->cell = -1;
  }
  if (!query || !x || !hit || !(max_distance >= 0.0))
  {
    return SQ_INVALID_ARGUMENT;
  }
  query->rules.options.mode = SQ_LOCATE_NEAREST;
  query->rules.options.max_distance = max_distance;
  if (sqi_is_finite3(x))
  {
    sqi_locate_answer answer;
    query->search.nearest(&query->rules, x, &query->scratch, query->seed, &answer);
    if (answer.number >= 0)
    {
      int inside = !(answer.distance > 0.0);
      query->seed = answer.number;
      sqi_query_set_hit(
        query, x, answer.number, inside ? SQ_SAMPLE_INSIDE : SQ_SAMPLE_NEAREST, hit);
      hit->distance = inside ? 0.0 : hit->distance;
    }
  }
  return SQ_OK;
}
