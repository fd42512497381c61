#include "spatialqueries/sq_locate_grid.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_location.h"
#include "sqi_parallel.h"

#include <string.h>

/** Queries of one chunk. */
#define CHUNK 512

sq_status sqi_locate_begin(sq_context* context, const sq_mesh_index* index, sq_location** location)
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
  return SQ_OK;
}

static sq_status make_arrays(sq_context* context, sq_location* l, int statistics)
{
  int64_t n = l->count;
  int64_t full = l->index ? 0 : n;
  int64_t offsets = l->index ? 0 : n + 1;
  sq_status s = SQI_NEW(context, &l->status, n);
  s = s == SQ_OK ? SQI_NEW(context, &l->containing_count, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->number, l->index ? n : 0) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->block, full) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->cell, full) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->distance, full) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->parametric, 3 * full) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->cell_offsets, offsets) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_offsets, offsets) : s;
  s = s == SQ_OK && statistics ? SQI_NEW(context, &l->nodes_visited, n) : s;
  s = s == SQ_OK && statistics ? SQI_NEW(context, &l->cells_tested, n) : s;
  return s;
}

sq_status sqi_location_create(sq_context* context, int32_t block_count, int64_t count,
  int statistics, const sq_mesh_index* index, sq_location** location)
{
  sq_location* l = NULL;
  *location = NULL;
  sq_status status = SQI_NEW(context, &l, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(l, 0, sizeof(*l));
  l->allocator = context->allocator;
  l->count = count;
  l->block_count = block_count;
  l->index = index;
  status = make_arrays(context, l, statistics);
  if (status != SQ_OK)
  {
    sq_location_destroy(l);
    return status;
  }
  *location = l;
  return SQ_OK;
}

sq_status sqi_location_make_rows(sq_context* context, sq_location* l, int64_t* most)
{
  *most = 0;
  l->cell_offsets[0] = l->node_offsets[0] = 0;
  for (int64_t i = 0; i < l->count; ++i)
  {
    int64_t cells = l->cell_offsets[i + 1];
    *most = cells > *most ? cells : *most;
    l->cell_offsets[i + 1] += l->cell_offsets[i];
    l->node_offsets[i + 1] += l->node_offsets[i];
  }
  l->cell_count = l->cell_offsets[l->count];
  l->node_count = l->node_offsets[l->count];
  sq_status s = SQI_NEW(context, &l->cell_blocks, l->cell_count);
  s = s == SQ_OK ? SQI_NEW(context, &l->cell_ids, l->cell_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_blocks, l->node_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_ids, l->node_count) : s;
  return s == SQ_OK ? SQI_NEW(context, &l->node_weights, l->node_count) : s;
}

void sqi_location_fill(sq_location* l, const sqi_rows* rows, int64_t q, int32_t thread)
{
  int64_t cell = l->cell_offsets[q];
  int64_t node = l->node_offsets[q];
  int has = l->cell_offsets[q + 1] > cell;
  sqi_row_answer answer;
  sqi_row_place place = { NULL, NULL, NULL, NULL, NULL };
  if (has)
  {
    place = (sqi_row_place){ l->cell_blocks + cell, l->cell_ids + cell, l->node_blocks + node,
      l->node_ids + node, l->node_weights + node };
  }
  sqi_rows_evaluate(rows, q, thread, has ? &place : NULL, &answer);
  l->block[q] = answer.block;
  l->cell[q] = answer.cell;
  l->distance[q] = answer.distance;
  memcpy(l->parametric + 3 * q, answer.r, sizeof(answer.r));
}

sq_status sqi_location_open_rows(
  sq_context* context, const sq_location* l, int located, sqi_rows* rows)
{
  memset(rows, 0, sizeof(*rows));
  rows->rules.index = l->index;
  rows->rules.options = l->options;
  rows->rules.floor_ulp = l->floor_ulp;
  rows->rules.floor_ulp_max = l->floor_ulp_max;
  rows->search = sqi_locate_choose();
  rows->axes = l->points.dimension ? NULL : &l->axes;
  rows->points = &l->points;
  rows->status = l->status;
  rows->number = l->number;
  rows->count = l->containing_count;
  int32_t most = 0;
  int lists = located && l->options.multiple_cells == SQ_MULTIPLE_MEAN;
  for (int64_t i = 0; lists && i < l->count; ++i)
  {
    most = l->containing_count[i] > most ? l->containing_count[i] : most;
  }
  sq_status status = sqi_rows_open(context, rows);
  return status == SQ_OK ? sqi_rows_make_list(context, rows, most) : status;
}

typedef struct expanding
{
  sqi_rows rows;
  sq_location* to;
} expanding;

static sq_status measure_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  expanding* e = (expanding*)data;
  for (int64_t q = begin; q < end; ++q)
  {
    sqi_rows_lengths(
      &e->rows, q, thread, -1, e->to->cell_offsets + q + 1, e->to->node_offsets + q + 1);
  }
  return SQ_OK;
}

static sq_status expand_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  expanding* e = (expanding*)data;
  for (int64_t q = begin; q < end; ++q)
  {
    sqi_location_fill(e->to, &e->rows, q, thread);
  }
  return SQ_OK;
}

static void copy(void* to, const void* from, int64_t count, size_t size)
{
  if (to && from && count)
  {
    memcpy(to, from, (size_t)count * size);
  }
}

/** The arrays that a compact location has, too. */
static void copy_common(const sq_location* from, sq_location* to)
{
  copy(to->status, from->status, from->count, sizeof(*to->status));
  copy(to->containing_count, from->containing_count, from->count, sizeof(*to->containing_count));
  copy(to->nodes_visited, from->nodes_visited, from->count, sizeof(*to->nodes_visited));
  copy(to->cells_tested, from->cells_tested, from->count, sizeof(*to->cells_tested));
}

/** The rows of a location that is not compact. */
static sq_status copy_rows(sq_context* context, const sq_location* from, sq_location* to)
{
  int64_t n = from->count;
  int64_t most;
  for (int64_t i = 0; i < n; ++i)
  {
    to->cell_offsets[i + 1] = from->cell_offsets[i + 1] - from->cell_offsets[i];
    to->node_offsets[i + 1] = from->node_offsets[i + 1] - from->node_offsets[i];
  }
  sq_status status = sqi_location_make_rows(context, to, &most);
  if (status == SQ_OK)
  {
    copy(to->block, from->block, n, sizeof(*to->block));
    copy(to->cell, from->cell, n, sizeof(*to->cell));
    copy(to->distance, from->distance, n, sizeof(*to->distance));
    copy(to->parametric, from->parametric, 3 * n, sizeof(*to->parametric));
    copy(to->cell_blocks, from->cell_blocks, to->cell_count, sizeof(*to->cell_blocks));
    copy(to->cell_ids, from->cell_ids, to->cell_count, sizeof(*to->cell_ids));
    copy(to->node_blocks, from->node_blocks, to->node_count, sizeof(*to->node_blocks));
    copy(to->node_ids, from->node_ids, to->node_count, sizeof(*to->node_ids));
    copy(to->node_weights, from->node_weights, to->node_count, sizeof(*to->node_weights));
  }
  return status;
}

static sq_status expand(sq_context* context, const sq_location* from, sq_location* to)
{
  int64_t most;
  expanding e;
  e.to = to;
  copy_common(from, to);
  if (!from->index)
  {
    return copy_rows(context, from, to);
  }
  sq_status status = sqi_location_open_rows(context, from, 1, &e.rows);
  sqi_phase(context, "Evaluating", 0.0, 0.2);
  status =
    status == SQ_OK ? sqi_parallel_for(context, from->count, CHUNK, measure_body, &e) : status;
  status = status == SQ_OK ? sqi_location_make_rows(context, to, &most) : status;
  sqi_phase(context, "Evaluating", 0.2, 1.0);
  status =
    status == SQ_OK ? sqi_parallel_for(context, from->count, CHUNK, expand_body, &e) : status;
  sqi_rows_close(context, &e.rows);
  return status;
}

sq_status sq_location_expand(
  sq_context* context, const sq_location* location, sq_location** expanded)
{
  if (expanded)
  {
    *expanded = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!location || !expanded)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "expand: no %s given",
      location ? "place for the result" : "location");
  }
  sq_location* to = NULL;
  sq_status status = sqi_location_create(
    context, location->block_count, location->count, location->nodes_visited != NULL, NULL, &to);
  status = status == SQ_OK ? expand(context, location, to) : status;
  if (status != SQ_OK)
  {
    sq_location_destroy(to);
    return status;
  }
  *expanded = to;
  return SQ_OK;
}

void sq_location_destroy(sq_location* l)
{
  if (!l)
  {
    return;
  }
  sq_allocator a = l->allocator;
  SQI_RELEASE(&a, l->status, l->count);
  SQI_RELEASE(&a, l->block, l->count);
  SQI_RELEASE(&a, l->cell, l->count);
  SQI_RELEASE(&a, l->distance, l->count);
  SQI_RELEASE(&a, l->parametric, 3 * l->count);
  SQI_RELEASE(&a, l->containing_count, l->count);
  SQI_RELEASE(&a, l->number, l->count);
  SQI_RELEASE(&a, l->nodes_visited, l->count);
  SQI_RELEASE(&a, l->cells_tested, l->count);
  SQI_RELEASE(&a, l->cell_offsets, l->count + 1);
  SQI_RELEASE(&a, l->node_offsets, l->count + 1);
  SQI_RELEASE(&a, l->floor_ulp, l->block_count);
  for (int d = 0; d < 3; ++d)
  {
    SQI_RELEASE(&a, l->axes.at[d], l->axes.count[d]);
  }
  sqi_release(&a, (void*)l->points.data, 3 * l->points.count, sq_type_bytes(l->points.type));
  SQI_RELEASE(&a, l->cell_blocks, l->cell_count);
  SQI_RELEASE(&a, l->cell_ids, l->cell_count);
  SQI_RELEASE(&a, l->node_blocks, l->node_count);
  SQI_RELEASE(&a, l->node_ids, l->node_count);
  SQI_RELEASE(&a, l->node_weights, l->node_count);
  SQI_RELEASE(&a, l, 1);
}

sq_status sq_location_get_view(const sq_location* l, sq_location_view* view)
{
  if (!l || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  view->count = l->count;
  view->status = l->status;
  view->block = l->block;
  view->cell = l->cell;
  view->distance = l->distance;
  view->parametric = l->parametric;
  view->containing_count = l->containing_count;
  view->nodes_visited = l->nodes_visited;
  view->cells_tested = l->cells_tested;
  view->cell_offsets = l->cell_offsets;
  view->cell_blocks = l->cell_blocks;
  view->cell_ids = l->cell_ids;
  view->node_offsets = l->node_offsets;
  view->node_blocks = l->node_blocks;
  view->node_ids = l->node_ids;
  view->node_weights = l->node_weights;
  return SQ_OK;
}
