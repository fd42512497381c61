#include "sqi_alloc.h"
#include "sqi_mesh_index.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_polygon.h"

/** Cells of one chunk. */
#define CHUNK 4096

typedef struct survey
{
  const sq_mesh_index* index;
  double* points; /* 4 * node_max a thread */
  uint8_t* states;
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

/** A Lagrange or Bezier cell with points, whose order the library knows (`known` 1) or not (0). */
static int is_layout(const sq_cells* block, int64_t id, int known)
{
  int type = sqi_mesh_kind(block, id);
  int64_t count = sqi_cell_offset(block, id + 1) - sqi_cell_offset(block, id);
  int32_t order[3];
  return count && sqk_shape_is_layout(type) &&
    known ==
    (sqi_layout_orders(type, count, sqi_cell_degrees(block, id), order) != SQI_ORDER_TOO_HIGH);
}

static sqi_cell_state state_of(const sq_mesh_index* index, int64_t number, double* points)
{
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  int type = sqi_mesh_kind(block, id);
  int ghost = block->ghost ? block->ghost[id] : 0;
  if ((ghost & SQ_GHOST_MASKED_CELL) || type == SQ_CELL_EMPTY ||
    sqi_cell_offset(block, id) == sqi_cell_offset(block, id + 1))
  {
    return SQI_CELL_HIDDEN;
  }
  int faceless = type == SQ_CELL_POLYHEDRON &&
    (!block->faces || block->face_offsets[id] == block->face_offsets[id + 1]);
  int copy = ghost & SQ_GHOST_DUPLICATE_CELL; /* the cell that it copies is counted */
  if (sqk_shape_dimension(type) < 0 || faceless || is_layout(block, id, 0))
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
  for (int64_t i = begin; i < end; ++i)
  {
    s->states[i] = (uint8_t)state_of(s->index, i, points);
  }
  return SQ_OK;
}

sq_status sqi_mesh_cell_states(sq_context* context, const sq_mesh_index* index, uint8_t* states)
{
  survey s = { index, NULL, states };
  int64_t room = (int64_t)4 * index->node_max * sq_context_threads(context);
  sq_status status = SQI_NEW(context, &s.points, room);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, index->first[index->block_count], CHUNK, survey_body, &s);
  }
  SQI_FREE(context, s.points, room);
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
    if (!is_layout(index->blocks + block, id, 1))
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
