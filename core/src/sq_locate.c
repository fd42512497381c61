#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_locate_order.h"
#include "sqi_locate_search.h"
#include "sqi_location.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <string.h>

/** Queries of one chunk: a few ms of work at most. */
#define CHUNK 256

sq_locate_options sq_locate_options_default(void)
{
  sq_locate_options o;
  memset(&o, 0, sizeof(o));
  o.mode = (sq_locate_mode)SQ_LOCATE_MODE_DEFAULT;
  o.tolerance_type = (sq_tolerance_type)SQ_TOLERANCE_TYPE_DEFAULT;
  o.tolerance = SQ_TOLERANCE_DEFAULT;
  o.multiple_cells = (sq_multiple_cells)SQ_MULTIPLE_CELLS_DEFAULT;
  o.nearest_by = (sq_nearest_by)SQ_NEAREST_BY_DEFAULT;
  o.max_distance = (double)INFINITY;
  o.outside_value = (sq_outside_value)SQ_OUTSIDE_VALUE_DEFAULT;
  return o;
}

typedef struct locating
{
  sqi_locate_rules rules;
  sqi_locate_functions search;
  const sq_points* queries;
  uint32_t* order;
  sqi_mesh_scratch* scratch; /* one a thread */
  double* room; /* of the scratch */
  double* floor_ulp;
  int32_t* number; /* lowest cell of each query, -1: none */
  int32_t* list; /* list_room a thread: all cells of a query */
  int32_t list_room;
  sq_location* location;
} locating;

static sq_status check_options(sq_context* context, const sq_locate_options* o)
{
  if ((int)o->mode < SQ_LOCATE_MODE_MIN || (int)o->mode > SQ_LOCATE_MODE_MAX ||
    (int)o->tolerance_type < SQ_TOLERANCE_TYPE_MIN ||
    (int)o->tolerance_type > SQ_TOLERANCE_TYPE_MAX ||
    (int)o->multiple_cells < SQ_MULTIPLE_CELLS_MIN ||
    (int)o->multiple_cells > SQ_MULTIPLE_CELLS_MAX || (int)o->nearest_by < SQ_NEAREST_BY_MIN ||
    (int)o->nearest_by > SQ_NEAREST_BY_MAX || (int)o->outside_value < SQ_OUTSIDE_VALUE_MIN ||
    (int)o->outside_value > SQ_OUTSIDE_VALUE_MAX)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "locate: mode %d, tolerance type %d, multiple cells %d, nearest by %d, outside value %d; "
      "allowed are 0 to 2, 1, 2, 1, 1",
      (int)o->mode, (int)o->tolerance_type, (int)o->multiple_cells, (int)o->nearest_by,
      (int)o->outside_value);
  }
  if (!(o->tolerance >= SQ_TOLERANCE_MIN) || !(o->max_distance >= 0.0))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "locate: tolerance %g, maximum distance %g; allowed are numbers >= 0", o->tolerance,
      o->max_distance);
  }
  return SQ_OK;
}

/** Weights of a query's lowest cell. */
static int64_t weights_of(const locating* l, int32_t number, sq_sample_status status)
{
  const sq_mesh_index* index = l->rules.index;
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  int32_t count = (int32_t)(sqi_cell_offset(block, id + 1) - sqi_cell_offset(block, id));
  return sqi_locate_by_centroid(&l->rules.options, status)
    ? count
    : sqk_cell_weight_count(sqi_cell_kind(block, id), count);
}

/** Keeps the answer of a query, and the lengths of its rows where they will begin later. */
static void keep_answer(
  locating* l, int64_t query, sq_sample_status status, const sqi_locate_answer* answer)
{
  sq_location* out = l->location;
  sq_multiple_cells rule = l->rules.options.multiple_cells;
  int found = answer->number >= 0;
  int several = answer->count > 1;
  int all = several && rule == SQ_MULTIPLE_MEAN;
  int none = !found || (several && rule == SQ_MULTIPLE_NAN);
  out->status[query] = (uint8_t)status;
  out->distance[query] = found ? answer->distance : (double)NAN;
  out->containing_count[query] = answer->count;
  out->cell_offsets[query + 1] = none ? 0 : all ? answer->count : 1;
  out->node_offsets[query + 1] = none ? 0
    : all                             ? answer->weight_count
                                      : weights_of(l, answer->number, status);
  l->number[query] = answer->number;
  if (out->nodes_visited)
  {
    out->nodes_visited[query] = answer->nodes_visited;
    out->cells_tested[query] = answer->cells_tested;
  }
}

static sq_sample_status search_one(const locating* l, const double x[3],
  const sqi_mesh_scratch* scratch, int32_t seed, sqi_locate_answer* answer)
{
  const sq_locate_options* o = &l->rules.options;
  memset(answer, 0, sizeof(*answer));
  answer->number = -1;
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
  {
    return SQ_SAMPLE_INVALID;
  }
  if (o->mode != SQ_LOCATE_NEAREST)
  {
    l->search.containing(&l->rules, x, scratch, NULL, answer);
    if (answer->number >= 0)
    {
      return answer->distance > 0.0 ? SQ_SAMPLE_TOLERANCE : SQ_SAMPLE_INSIDE;
    }
  }
  if (o->mode != SQ_LOCATE_CONTAINING)
  {
    int32_t nodes_visited = answer->nodes_visited;
    int32_t cells_tested = answer->cells_tested;
    l->search.nearest(&l->rules, x, scratch, o->statistics ? -1 : seed, answer);
    answer->nodes_visited += nodes_visited;
    answer->cells_tested += cells_tested;
    int inside = o->mode == SQ_LOCATE_NEAREST && answer->number >= 0 && !(answer->distance > 0.0);
    answer->count = inside;
    if (answer->number >= 0)
    {
      return inside ? SQ_SAMPLE_INSIDE : SQ_SAMPLE_NEAREST;
    }
  }
  return SQ_SAMPLE_OUTSIDE;
}

static sq_status search_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  locating* l = (locating*)data;
  int32_t seed = -1;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t query = sqi_locate_query(l->order, i);
    double x[3];
    sqi_locate_answer answer;
    sqi_point(l->queries, query, x);
    sq_sample_status status = search_one(l, x, l->scratch + thread, seed, &answer);
    seed = answer.number >= 0 ? answer.number : seed;
    keep_answer(l, query, status, &answer);
  }
  return SQ_OK;
}

/** Writes the weights of one cell, each times `factor`, from entry `at` on; where the next ones go. */
static int64_t write_weights(sq_location* out, const sqi_mesh_cell* cell, const sqk_cell_hit* hit,
  const double* weights, int32_t count, double factor, int64_t at)
{
  for (int32_t k = 0; k < count; ++k)
  {
    int32_t node = hit->used ? hit->node[k] : k;
    out->node_blocks[at + k] = cell->block_id;
    out->node_ids[at + k] = sqi_cell_point(cell->block, cell->offset, node);
    out->node_weights[at + k] = weights[k] * factor;
  }
  return at + count;
}

/** The rows of a query whose value is the mean over several cells. */
static void fill_mean(locating* l, int64_t query, const double x[3], int32_t thread)
{
  sq_location* out = l->location;
  const sqi_mesh_scratch* scratch = l->scratch + thread;
  int32_t* list = l->list + (int64_t)l->list_room * thread;
  int64_t begin = out->cell_offsets[query];
  int64_t at = out->node_offsets[query];
  sqi_locate_answer answer;
  l->search.containing(&l->rules, x, scratch, list, &answer);
  for (int32_t i = 0; i < answer.count; ++i)
  {
    sqi_mesh_cell cell;
    sqk_cell_hit hit;
    int32_t count = sqi_locate_evaluate(
      &l->rules, x, scratch, list[i], (sq_sample_status)out->status[query], &cell, &hit);
    out->cell_blocks[begin + i] = cell.block_id;
    out->cell_ids[begin + i] = cell.id;
    at = write_weights(out, &cell, &hit, scratch->weights, count, 1.0 / answer.count, at);
  }
}

static void fill_one(locating* l, int64_t query, int32_t thread)
{
  sq_location* out = l->location;
  double* r = out->parametric + 3 * query;
  double x[3];
  out->block[query] = -1;
  out->cell[query] = -1;
  sqk_cell_no_parameters(r);
  if (l->number[query] < 0)
  {
    return;
  }
  sqi_mesh_cell cell;
  sqk_cell_hit hit;
  const sqi_mesh_scratch* scratch = l->scratch + thread;
  sqi_point(l->queries, query, x);
  int32_t count = sqi_locate_evaluate(
    &l->rules, x, scratch, l->number[query], (sq_sample_status)out->status[query], &cell, &hit);
  out->block[query] = cell.block_id;
  out->cell[query] = cell.id;
  sqk_set3(hit.r, r);
  if (out->distance[query] > 0.0 &&
    !sqi_locate_by_centroid(&l->rules.options, (sq_sample_status)out->status[query]))
  {
    out->distance[query] = hit.distance;
  }
  int64_t begin = out->cell_offsets[query];
  int64_t cells = out->cell_offsets[query + 1] - begin;
  if (cells == 1)
  {
    out->cell_blocks[begin] = cell.block_id;
    out->cell_ids[begin] = cell.id;
    (void)write_weights(out, &cell, &hit, scratch->weights, count, 1.0, out->node_offsets[query]);
  }
  else if (cells > 1)
  {
    fill_mean(l, query, x, thread);
  }
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  locating* l = (locating*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    fill_one(l, sqi_locate_query(l->order, i), thread);
  }
  return SQ_OK;
}

/** Turns the lengths of the rows into where they begin, and makes room for them. */
static sq_status make_rows(sq_context* context, locating* l)
{
  sq_location* out = l->location;
  out->cell_offsets[0] = out->node_offsets[0] = 0;
  l->list_room = 0;
  for (int64_t i = 0; i < out->count; ++i)
  {
    int64_t cells = out->cell_offsets[i + 1];
    l->list_room = cells > l->list_room ? (int32_t)cells : l->list_room;
    out->cell_offsets[i + 1] += out->cell_offsets[i];
    out->node_offsets[i + 1] += out->node_offsets[i];
  }
  int64_t threads = sq_context_threads(context);
  sq_status status = sqi_location_make_rows(context, out);
  return status == SQ_OK ? SQI_NEW(context, &l->list, l->list_room * threads) : status;
}

static sq_status make_scratch(sq_context* context, locating* l)
{
  int32_t threads = sq_context_threads(context);
  int64_t room = sqi_mesh_scratch_size(l->rules.index);
  sq_status status = SQI_NEW(context, &l->room, room * threads);
  status = status == SQ_OK ? SQI_NEW(context, &l->scratch, threads) : status;
  for (int32_t t = 0; status == SQ_OK && t < threads; ++t)
  {
    l->scratch[t] = sqi_mesh_scratch_in(l->rules.index, l->room ? l->room + room * t : NULL);
  }
  return status;
}

static sq_status locate(sq_context* context, locating* l)
{
  int64_t count = l->queries->count;
  sq_status status = make_scratch(context, l);
  status = status == SQ_OK ? SQI_NEW(context, &l->floor_ulp, l->rules.index->block_count) : status;
  if (status == SQ_OK)
  {
    sqi_locate_set_floor(&l->rules, l->queries->type, l->floor_ulp);
  }
  status = status == SQ_OK ? SQI_NEW(context, &l->number, count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &l->order, count) : status;
  sqi_phase(context, "Querying", 0.0, 0.1);
  status = status == SQ_OK ? sqi_locate_order(context, l->queries, &l->rules.index->bvh, l->order)
                           : status;
  sqi_phase(context, "Querying", 0.1, 0.8);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, search_body, l) : status;
  status = status == SQ_OK ? make_rows(context, l) : status;
  sqi_phase(context, "Querying", 0.8, 1.0);
  return status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, fill_body, l) : status;
}

static void free_locating(sq_context* context, locating* l)
{
  int64_t threads = sq_context_threads(context);
  const sq_mesh_index* index = l->rules.index;
  SQI_FREE(context, l->room, sqi_mesh_scratch_size(index) * threads);
  SQI_FREE(context, l->scratch, threads);
  SQI_FREE(context, l->list, l->list_room * threads);
  SQI_FREE(context, l->floor_ulp, index->block_count);
  SQI_FREE(context, l->number, l->queries->count);
  SQI_FREE(context, l->order, l->queries->count);
}

sq_status sq_locate(sq_context* context, const sq_mesh_index* index, const sq_points* queries,
  const sq_locate_options* options, sq_location** location)
{
  if (location)
  {
    *location = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!index || !location)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "locate: no %s given",
      index ? "place for the result" : "index");
  }
  locating l;
  memset(&l, 0, sizeof(l));
  l.rules.index = index;
  l.search = sqi_locate_choose();
  l.rules.options = options ? *options : sq_locate_options_default();
  l.queries = queries;
  sq_status status = sqi_check_points(context, queries, "queries");
  status = status == SQ_OK ? check_options(context, &l.rules.options) : status;
  status = status == SQ_OK ? sqi_location_create(context, index->block_count, queries->count,
                               l.rules.options.statistics != 0, &l.location)
                           : status;
  if (status != SQ_OK)
  {
    return status;
  }
  status = locate(context, &l);
  free_locating(context, &l);
  if (status != SQ_OK)
  {
    sq_location_destroy(l.location);
    return status;
  }
  *location = l.location;
  return SQ_OK;
}
