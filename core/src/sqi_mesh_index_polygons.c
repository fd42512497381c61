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
  if (sqk_shape_dimension(type) < 0 || type == SQ_CELL_POLYHEDRON)
  {
    return SQI_CELL_UNSUPPORTED;
  }
  sqi_mesh_cell cell;
  sqi_mesh_cell_read(index, (int32_t)number, points, &cell);
  if (!is_finite_cell(&cell))
  {
    return SQI_CELL_NOT_FINITE;
  }
  int concave =
    type == SQ_CELL_POLYGON && cell.count > 3 && !sqk_polygon_is_convex(points, cell.count);
  return concave ? SQI_CELL_TAKEN_CONCAVE : SQI_CELL_TAKEN;
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

typedef struct cutting
{
  const sq_mesh_index* index;
  double* points; /* 3 * node_max a thread */
  int32_t* ring; /* node_max a thread */
} cutting;

static sq_status cut_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  cutting* c = (cutting*)data;
  int64_t room = (int64_t)c->index->node_max * thread;
  const sqi_polygons* polygons = &c->index->polygons;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_mesh_cell cell;
    sqi_mesh_cell_read(c->index, polygons->number[i], c->points + 3 * room, &cell);
    sqk_polygon_cut(
      cell.points, cell.count, c->ring + room, polygons->corners + polygons->begin[i]);
  }
  return SQ_OK;
}

/** Lists the polygons to cut, and where the triangles of each begin. */
static sq_status list_polygons(sq_context* context, sq_mesh_index* index, const uint8_t* states)
{
  sqi_polygons* polygons = &index->polygons;
  int64_t total = index->first[index->block_count];
  int32_t count = 0;
  for (int64_t i = 0; i < total; ++i)
  {
    count += states[i] == SQI_CELL_TAKEN_CONCAVE;
  }
  polygons->count = count;
  sq_status status = SQI_NEW(context, &polygons->number, count);
  status = status == SQ_OK ? SQI_NEW(context, &polygons->begin, count) : status;
  if (status != SQ_OK)
  {
    return status;
  }
  count = 0;
  for (int64_t i = 0; i < total; ++i)
  {
    if (states[i] == SQI_CELL_TAKEN_CONCAVE)
    {
      int32_t b = sqi_mesh_block_of(index, i);
      int64_t id = i - index->first[b];
      polygons->number[count] = (int32_t)i;
      polygons->begin[count++] = polygons->corner_count;
      polygons->corner_count += 3 *
        (sqi_cell_offset(index->blocks + b, id + 1) - sqi_cell_offset(index->blocks + b, id) - 2);
    }
  }
  return SQI_NEW(context, &polygons->corners, polygons->corner_count);
}

sq_status sqi_polygons_build(sq_context* context, sq_mesh_index* index, const uint8_t* states)
{
  cutting c = { index, NULL, NULL };
  int64_t room = (int64_t)index->node_max * sq_context_threads(context);
  sq_status status = list_polygons(context, index, states);
  status = status == SQ_OK ? SQI_NEW(context, &c.points, 3 * room) : status;
  status = status == SQ_OK ? SQI_NEW(context, &c.ring, room) : status;
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, index->polygons.count, 64, cut_body, &c);
  }
  SQI_FREE(context, c.points, 3 * room);
  SQI_FREE(context, c.ring, room);
  return status;
}

void sqi_polygons_release(const sq_allocator* allocator, sqi_polygons* polygons)
{
  SQI_RELEASE(allocator, polygons->number, polygons->count);
  SQI_RELEASE(allocator, polygons->begin, polygons->count);
  SQI_RELEASE(allocator, polygons->corners, polygons->corner_count);
}
