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
  double* points; /* 3 * node_max a thread */
  uint8_t* states;
} survey;

static int is_finite_cell(const sqi_mesh_cell* cell)
{
  double sum = 0.0;
  for (int32_t i = 0; i < 3 * cell->count; ++i)
  {
    sum += 0.0 * cell->points[i]; /* NaN for NaN and infinity */
  }
  return sum == 0.0;
}

static sqi_cell_state state_of(const sq_mesh_index* index, int64_t number, double* points)
{
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  int type = sqi_cell_kind(block, id);
  int hidden =
    block->ghost && (block->ghost[id] & (SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_HIDDEN_CELL));
  if (hidden || type == SQ_CELL_EMPTY ||
    sqi_cell_offset(block, id) == sqi_cell_offset(block, id + 1))
  {
    return SQI_CELL_HIDDEN;
  }
  int faceless = type == SQ_CELL_POLYHEDRON &&
    (!block->faces || block->face_offsets[id] == block->face_offsets[id + 1]);
  if (sqk_shape_dimension(type) < 0 || faceless)
  {
    return SQI_CELL_UNSUPPORTED;
  }
  sqi_mesh_cell cell;
  sqi_mesh_cell_read(index, (int32_t)number, points, &cell);
  if (!is_finite_cell(&cell))
  {
    return SQI_CELL_NOT_FINITE;
  }
  int cut = type == SQ_CELL_POLYHEDRON ||
    (type == SQ_CELL_POLYGON && cell.count > 3 && !sqk_polygon_is_convex(points, cell.count));
  return cut ? SQI_CELL_TAKEN_CUT : SQI_CELL_TAKEN;
}

static sq_status survey_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  survey* s = (survey*)data;
  double* points = s->points + (int64_t)3 * s->index->node_max * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    s->states[i] = (uint8_t)state_of(s->index, i, points);
  }
  return SQ_OK;
}

sq_status sqi_mesh_cell_states(sq_context* context, const sq_mesh_index* index, uint8_t* states)
{
  survey s = { index, NULL, states };
  int64_t room = (int64_t)3 * index->node_max * sq_context_threads(context);
  sq_status status = SQI_NEW(context, &s.points, room);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, index->first[index->block_count], CHUNK, survey_body, &s);
  }
  SQI_FREE(context, s.points, room);
  return status;
}
