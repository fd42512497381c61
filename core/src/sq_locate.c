#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_locate_order.h"
#include "sqi_locate_rows.h"
#include "sqi_location.h"
#include "sqi_mesh_index_search.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <stdatomic.h>
#include <string.h>

/** Queries of one chunk: a few ms of work at most. */
#define CHUNK 256
/** Rows between the one that is filled and the one that is fetched. */
#define AHEAD 12

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
  sqi_rows rows;
  uint32_t* order;
  double* floor_ulp;
  int32_t* number; /* lowest cell of each query, -1: none */
  sq_location*
    location; /* until its rows are filled, distances are 0 where parameters are plain, else NaN */
  _Atomic int64_t plain_count;
} locating;

sq_status sqi_locate_check_options(sq_context* context, const sq_locate_options* o)
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

/** Keeps the answer of a query, and the lengths of its rows where they will begin later; 1 where it is plain. */
static int keep_answer(locating* l, int64_t query, int32_t thread, sq_sample_status status,
  const sqi_locate_answer* answer)
{
  sq_location* out = l->location;
  int64_t* cells = out->cell_offsets + query + 1;
  int64_t* nodes = out->node_offsets + query + 1;
  sq_multiple_cells rule = l->rows.rules.options.multiple_cells;
  int plain = answer->plain && (answer->count == 1 || rule == SQ_MULTIPLE_LOWEST);
  out->status[query] = (uint8_t)status;
  out->containing_count[query] = answer->count;
  l->number[query] = answer->number;
  out->distance[query] = plain ? 0.0 : (double)NAN;
  sqk_set3(answer->r, out->parametric + 3 * query);
  if (plain && answer->count == 1)
  {
    *cells = 1;
    *nodes = answer->weight_count;
  }
  else
  {
    sqi_rows_lengths(&l->rows, query, thread, answer->weight_count, cells, nodes);
  }
  if (out->nodes_visited)
  {
    out->nodes_visited[query] = answer->nodes_visited;
    out->cells_tested[query] = answer->cells_tested;
  }
  return plain;
}

static sq_status search_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  locating* l = (locating*)data;
  int32_t seed = -1;
  int64_t plain_count = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t query = sqi_locate_query(l->order, i);
    double x[3];
    sqi_locate_answer answer;
    sqi_rows_query(&l->rows, query, x);
    sq_sample_status status = sqi_rows_search(&l->rows, x, thread, seed, &answer);
    seed = answer.number >= 0 ? answer.number : seed;
    plain_count += keep_answer(l, query, thread, status, &answer);
  }
  atomic_fetch_add(&l->plain_count, plain_count);
  return SQ_OK;
}

/** The rows of a query from the parameters that the search has found, as sqi_location_fill(). */
static void fill_plain(locating* l, int64_t query)
{
  sq_location* out = l->location;
  const sq_mesh_index* index = l->rows.rules.index;
  int32_t b = sqi_mesh_block_of(index, l->number[query]);
  const sq_cells* block = index->blocks + b;
  int64_t id = l->number[query] - index->first[b];
  int64_t cell = out->cell_offsets[query], node = out->node_offsets[query];
  int64_t count = out->node_offsets[query + 1] - node, offset = sqi_cell_offset(block, id);
  double slopes[3 * SQK_SHAPE_NODES];
  out->block[query] = out->cell_blocks[cell] = b;
  out->cell[query] = out->cell_ids[cell] = id;
  sqk_shape_evaluate(
    sqi_mesh_kind(block, id), out->parametric + 3 * query, out->node_weights + node, slopes);
  for (int64_t k = 0; k < count; ++k)
  {
    out->node_blocks[node + k] = b;
    out->node_ids[node + k] = sqi_cell_point(block, offset, k);
  }
}

/** Has the lists of the cells of queries near at hand when they are filled. */
static void fetch_ahead(const locating* l, int64_t query)
{
  const sq_mesh_index* index = l->rows.rules.index;
  int32_t number = l->number[query];
  const sq_cells* block = index->blocks;
  if (index->block_count == 1 && number >= 0)
  {
    const char* ids = (const char*)block->connectivity;
    __builtin_prefetch(
      ids + sqi_cell_offset(block, number) * (int64_t)sq_type_bytes(block->id_type));
  }
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  locating* l = (locating*)data;
  /* Plain rows need only the lists of cells, and are best written one after the other. */
  const uint32_t* order = 2 * l->plain_count > l->rows.points->count ? NULL : l->order;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t query = order ? sqi_locate_query(order, i) : i;
    if (!order && i + AHEAD < end)
    {
      fetch_ahead(l, i + AHEAD);
    }
    if (l->location->distance[query] == 0.0)
    {
      fill_plain(l, query);
      continue;
    }
    sqi_location_fill(l->location, &l->rows, query, thread);
  }
  return SQ_OK;
}

static sq_status locate(sq_context* context, locating* l)
{
  int64_t count = l->rows.points->count;
  const sq_mesh_index* index = l->rows.rules.index;
  int64_t most = 0;
  sq_status status = sqi_rows_open(context, &l->rows);
  status = status == SQ_OK ? sqi_make_floor(context, index, l->rows.points->type, &l->floor_ulp,
                               &l->rows.rules.floor_ulp_max)
                           : status;
  l->rows.rules.floor_ulp = l->floor_ulp;
  status = status == SQ_OK ? SQI_NEW(context, &l->number, count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &l->order, count) : status;
  l->rows.status = l->location->status;
  l->rows.count = l->location->containing_count;
  l->rows.number = l->number;
  sqi_phase(context, "Querying", 0.0, 0.1);
  status =
    status == SQ_OK ? sqi_locate_order(context, l->rows.points, &index->bvh, l->order) : status;
  sqi_phase(context, "Querying", 0.1, 0.8);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, search_body, l) : status;
  status = status == SQ_OK ? sqi_location_make_rows(context, l->location, &most) : status;
  status = status == SQ_OK ? sqi_rows_make_list(context, &l->rows, most) : status;
  sqi_phase(context, "Querying", 0.8, 1.0);
  return status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, fill_body, l) : status;
}

static void free_locating(sq_context* context, locating* l)
{
  sqi_rows_close(context, &l->rows);
  SQI_FREE(context, l->floor_ulp, l->rows.rules.index->block_count);
  SQI_FREE(context, l->number, l->rows.points->count);
  SQI_FREE(context, l->order, l->rows.points->count);
}

sq_status sq_locate(sq_context* context, const sq_mesh_index* index, const sq_points* queries,
  const sq_locate_options* options, sq_location** location)
{
  sq_status status = sqi_locate_begin(context, index, location);
  if (status != SQ_OK)
  {
    return status;
  }
  locating l;
  memset(&l, 0, sizeof(l));
  l.rows.rules.index = index;
  l.rows.search = sqi_locate_choose();
  l.rows.rules.options = options ? *options : sq_locate_options_default();
  l.rows.points = queries;
  status = sqi_check_points(context, queries, "queries");
  status = status == SQ_OK ? sqi_locate_check_options(context, &l.rows.rules.options) : status;
  status = status == SQ_OK ? sqi_mesh_search_need(context, index) : status;
  status = status == SQ_OK ? sqi_location_create(context, index->block_count, queries->count,
                               l.rows.rules.options.statistics != 0, 0, &l.location)
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
