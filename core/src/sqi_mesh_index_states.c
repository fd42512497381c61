#include "sqi_alloc.h"
#include "sqi_mesh_index.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_polygon.h"

#include <string.h>

/** Cells of one chunk. */
#define CHUNK 4096

#define COPIES SQI_CELL_STATES
#define COUNTS (SQI_CELL_STATES + 1)

typedef struct survey
{
  sq_mesh_index* index;
  double* points; /* 4 * node_max a thread */
  uint8_t* states;
  int64_t* counts; /* COUNTS a thread: cells of each state, copies that take part */
  int32_t* dimensions; /* one a thread */
} survey;

static int is_finite_cell(const sqi_mesh_cell* cell)
{
  double sum = 0.0;
  for (int32_t i = 0; i < 3 * cell->count; ++i)
  {
    sum += 0.0 * cell->points[i]; /* NaN for NaN and infinity */
  }
  for (int32_t i = 0; cell->rational && i < cell->count; ++i)
  {
    sum += cell->rational[i] > 0.0 ? 0.0 * cell->rational[i] : 1.0;
  }
  return sum == 0.0;
}

/** A Lagrange or Bezier cell with points, of whose order that is to be said. */
static int is_layout(const sq_cells* block, int64_t id, sqi_order_state state)
{
  int type = sqi_mesh_kind(block, id);
  int64_t count = sqi_cell_offset(block, id + 1) - sqi_cell_offset(block, id);
  int32_t order[3];
  return count && sqk_shape_is_layout(type) &&
    sqi_layout_orders(type, count, sqi_cell_degrees(block, id), order) == state;
}

static sqi_cell_state state_of(
  const sq_mesh_index* index, int64_t number, double* points, int* kind)
{
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  int type = sqi_mesh_kind(block, id);
  *kind = type;
  int ghost = block->ghost ? block->ghost[id] : 0;
  if ((ghost & SQ_GHOST_MASKED_CELL) || type == SQ_CELL_EMPTY ||
    sqi_cell_offset(block, id) == sqi_cell_offset(block, id + 1))
  {
    return SQI_CELL_HIDDEN;
  }
  int faceless = type == SQ_CELL_POLYHEDRON &&
    (!block->faces || block->face_offsets[id] == block->face_offsets[id + 1]);
  int copy = ghost & SQ_GHOST_DUPLICATE_CELL; /* the cell that it copies is counted */
  if (sqk_shape_dimension(type) < 0 || faceless || is_layout(block, id, SQI_ORDER_TOO_HIGH))
  {
    return copy ? SQI_CELL_HIDDEN : SQI_CELL_UNSUPPORTED;
  }
  sqi_mesh_cell cell;
  sqi_mesh_cell_read(index, (int32_t)number, points, &cell);
  if (!is_finite_cell(&cell))
  {
    return copy ? SQI_CELL_HIDDEN : SQI_CELL_NOT_FINITE;
  }
  int cut = type == SQ_CELL_POLYHEDRON || (type == SQ_CELL_QUADRATIC_POLYGON && cell.count > 3) ||
    (type == SQ_CELL_POLYGON && cell.count > 3 && !sqk_polygon_is_convex(points, cell.count));
  return cut ? SQI_CELL_TAKEN_CUT : SQI_CELL_TAKEN;
}

static sq_status survey_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  survey* s = (survey*)data;
  double* points = s->points + (int64_t)4 * s->index->node_max * thread;
  int64_t counts[COUNTS] = { 0 };
  int32_t most = s->dimensions[thread];
  for (int64_t i = begin; i < end; ++i)
  {
    int type;
    sqi_cell_state state = state_of(s->index, i, points, &type);
    int32_t dimension = state <= SQI_CELL_TAKEN_CUT ? sqk_shape_dimension(type) : -1;
    s->states[i] = (uint8_t)state;
    ++counts[state];
    counts[COPIES] += state <= SQI_CELL_TAKEN_CUT && sqi_mesh_is_copy(s->index, (int32_t)i);
    most = dimension > most ? dimension : most;
  }
  for (int k = 0; k < COUNTS; ++k)
  {
    s->counts[COUNTS * thread + k] += counts[k];
  }
  s->dimensions[thread] = most;
  return SQ_OK;
}

/** Adds up what the threads have counted; keeps the states unless they are all the same. */
static void sum_up(sq_context* context, survey* s, int32_t threads, int64_t total)
{
  int64_t counts[COUNTS] = { 0 };
  sq_mesh_index* index = s->index;
  index->max_dimension = -1;
  for (int32_t t = 0; t < threads; ++t)
  {
    for (int k = 0; k < COUNTS; ++k)
    {
      counts[k] += s->counts[COUNTS * t + k];
    }
    index->max_dimension =
      s->dimensions[t] > index->max_dimension ? s->dimensions[t] : index->max_dimension;
  }
  index->copy_count = counts[COPIES];
  index->taken = counts[SQI_CELL_TAKEN] + counts[SQI_CELL_TAKEN_CUT] - index->copy_count;
  index->skipped = counts[SQI_CELL_NOT_FINITE];
  index->unsupported = counts[SQI_CELL_UNSUPPORTED];
  if (counts[SQI_CELL_TAKEN] < total)
  {
    index->states = s->states;
    s->states = NULL;
  }
  SQI_FREE(context, s->states, total);
}

sq_status sqi_mesh_find_states(sq_context* context, sq_mesh_index* index)
{
  survey s = { index, NULL, NULL, NULL, NULL };
  int32_t threads = sq_context_threads(context);
  int64_t total = index->first[index->block_count];
  int64_t room = (int64_t)4 * index->node_max * threads;
  sq_status status = SQI_NEW(context, &s.points, room);
  status = status == SQ_OK ? SQI_NEW(context, &s.states, total) : status;
  status = status == SQ_OK ? SQI_NEW(context, &s.counts, COUNTS * threads) : status;
  status = status == SQ_OK ? SQI_NEW(context, &s.dimensions, threads) : status;
  if (status == SQ_OK)
  {
    memset(s.counts, 0, (size_t)threads * COUNTS * sizeof(*s.counts));
    memset(s.dimensions, -1, (size_t)threads * sizeof(*s.dimensions));
    status = sqi_parallel_for(context, total, CHUNK, survey_body, &s);
  }
  if (status == SQ_OK)
  {
    sum_up(context, &s, threads, total);
  }
  else
  {
    SQI_FREE(context, s.states, total);
  }
  SQI_FREE(context, s.points, room);
  SQI_FREE(context, s.counts, COUNTS * threads);
  SQI_FREE(context, s.dimensions, threads);
  return status;
}

typedef struct boxing
{
  const sq_mesh_index* index;
  double* room; /* 10 * node_max of a layout, a thread */
  double* boxes;
} boxing;

static sq_status box_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const boxing* b = (const boxing*)data;
  const sq_mesh_index* index = b->index;
  double* room = b->room + (int64_t)10 * index->layouts.node_max * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t block = sqi_mesh_block_of(index, i);
    int64_t id = i - index->first[block];
    sqi_mesh_cell cell;
    if (!is_layout(index->blocks + block, id, SQI_ORDER_FITS))
    {
      continue;
    }
    sqi_mesh_cell_read(index, (int32_t)i, room, &cell);
    sqi_mesh_cell_bounds(
      &cell, room + 4 * (int64_t)cell.count, b->boxes + 6 * i, b->boxes + 6 * i + 3);
  }
  return SQ_OK;
}

sq_status sqi_mesh_layout_boxes(sq_context* context, const sq_mesh_index* index, double* boxes)
{
  boxing b = { index, NULL, boxes };
  int64_t room = (int64_t)10 * index->layouts.node_max * sq_context_threads(context);
  sq_status status = SQI_NEW(context, &b.room, room);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, index->first[index->block_count], 64, box_body, &b);
  }
  SQI_FREE(context, b.room, room);
  return status;
}
