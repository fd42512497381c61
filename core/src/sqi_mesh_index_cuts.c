#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_mesh_index.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_polyhedron_faces.h"

#include <stdatomic.h>

/** Cells of one chunk. */
#define CHUNK 64
/** Numbers of scratch for a number of the longest face list: a copy of it, three for turning faces, one for a polygon. */
#define LIST_SCRATCH 5

typedef struct cutting
{
  const sq_mesh_index* index;
  sqi_cuts* cuts;
  double* points; /* 6 * node_max a thread: of the cell, of a face */
  int32_t* lists; /* `list_room` a thread */
  int64_t list_room;
  _Atomic int64_t corner_max;
  _Atomic int64_t bad; /* lowest polyhedron with a face whose nodes are not among its points */
} cutting;

/** The face list of a polyhedron in local ids; 0 when a node is not among its points. */
static int local_faces(const sqi_mesh_cell* cell, int32_t* faces)
{
  const sq_cells* block = cell->block;
  const int32_t* stream = block->faces + block->face_offsets[cell->id];
  int64_t size = block->face_offsets[cell->id + 1] - block->face_offsets[cell->id];
  int64_t next = 1; /* where the next face's number of nodes stands */
  faces[0] = stream[0];
  for (int64_t i = 1; i < size; ++i)
  {
    faces[i] = stream[i];
    if (i == next)
    {
      next += 1 + stream[i];
      continue;
    }
    int32_t k = 0;
    while (k < cell->count && sqi_cell_point(block, cell->offset, k) != stream[i])
    {
      ++k;
    }
    if (k == cell->count)
    {
      return 0;
    }
    faces[i] = k;
  }
  return 1;
}

static double rounding_of(const sqi_mesh_cell* cell)
{
  return cell->block->points.type == SQ_FLOAT32 ? 0x1p-24 : 0x1p-53;
}

static void keep_lowest(_Atomic int64_t* lowest, int64_t value)
{
  int64_t now = atomic_load(lowest);
  while (value < now && !atomic_compare_exchange_weak(lowest, &now, value))
  {
  }
}

/** How much data each cell has, in `begin`. */
static sq_status measure_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  cutting* c = (cutting*)data;
  double* points = c->points + (int64_t)6 * c->index->node_max * thread;
  int32_t* faces = c->lists + c->list_room * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_mesh_cell cell;
    sqi_mesh_cell_read(c->index, c->cuts->number[i], points, &cell);
    c->cuts->begin[i] = 3 * ((int64_t)cell.count - 2);
    if (cell.type != SQ_CELL_POLYHEDRON)
    {
      continue;
    }
    if (!local_faces(&cell, faces))
    {
      keep_lowest(&c->bad, cell.number);
      return SQ_OK;
    }
    int32_t middles;
    c->cuts->begin[i] = sqk_polyhedron_surface_size(
      points, faces, rounding_of(&cell), points + 3 * c->index->node_max, &middles);
    int64_t most = atomic_load(&c->corner_max);
    while (cell.count + middles > most &&
      !atomic_compare_exchange_weak(&c->corner_max, &most, cell.count + middles))
    {
    }
  }
  return SQ_OK;
}

static sq_status cut_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  cutting* c = (cutting*)data;
  double* points = c->points + (int64_t)6 * c->index->node_max * thread;
  int32_t* faces = c->lists + c->list_room * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_mesh_cell cell;
    int32_t* out = c->cuts->data + c->cuts->begin[i];
    sqi_mesh_cell_read(c->index, c->cuts->number[i], points, &cell);
    if (cell.type != SQ_CELL_POLYHEDRON)
    {
      sqk_polygon_cut(points, cell.count, faces, out);
      continue;
    }
    int32_t* work = faces + c->index->face_max;
    (void)local_faces(&cell, faces);
    sqk_polyhedron_orient(faces, work);
    sqk_polyhedron_surface(
      points, cell.count, faces, rounding_of(&cell), points + 3 * c->index->node_max, work, out);
  }
  return SQ_OK;
}

static sq_status list_cells(sq_context* context, sq_mesh_index* index, const uint8_t* states)
{
  sqi_cuts* cuts = &index->cuts;
  int64_t total = index->first[index->block_count];
  int32_t count = 0;
  for (int64_t i = 0; i < total; ++i)
  {
    count += states[i] == SQI_CELL_TAKEN_CUT;
  }
  cuts->count = count;
  sq_status status = SQI_NEW(context, &cuts->number, count);
  status = status == SQ_OK ? SQI_NEW(context, &cuts->begin, count) : status;
  count = 0;
  for (int64_t i = 0; status == SQ_OK && i < total; ++i)
  {
    if (states[i] == SQI_CELL_TAKEN_CUT)
    {
      cuts->number[count++] = (int32_t)i;
    }
  }
  return status;
}

/** Measures all, makes room, cuts all. */
static sq_status cut_cells(sq_context* context, cutting* c)
{
  sqi_cuts* cuts = c->cuts;
  sq_status status = sqi_parallel_for(context, cuts->count, CHUNK, measure_body, c);
  if (status != SQ_OK)
  {
    return status;
  }
  if (c->bad != INT64_MAX)
  {
    int32_t b = sqi_mesh_block_of(c->index, c->bad);
    return sqi_fail(context, SQ_INVALID_DATA,
      "block %d: cell %lld, a polyhedron, has a face with a point that is not one of its own",
      (int)b, (long long)(c->bad - c->index->first[b]));
  }
  for (int32_t i = 0; i < cuts->count; ++i)
  {
    int64_t size = cuts->begin[i];
    cuts->begin[i] = cuts->size;
    cuts->size += size;
  }
  status = SQI_NEW(context, &cuts->data, cuts->size);
  return status == SQ_OK ? sqi_parallel_for(context, cuts->count, CHUNK, cut_body, c) : status;
}

sq_status sqi_cuts_build(sq_context* context, sq_mesh_index* index, const uint8_t* states)
{
  int64_t threads = sq_context_threads(context);
  int64_t longest = index->face_max > index->node_max ? index->face_max : index->node_max;
  cutting c = { index, &index->cuts, NULL, NULL, LIST_SCRATCH * longest, index->node_max,
    INT64_MAX };
  sq_status status = list_cells(context, index, states);
  status = status == SQ_OK ? SQI_NEW(context, &c.points, 6 * index->node_max * threads) : status;
  status = status == SQ_OK ? SQI_NEW(context, &c.lists, c.list_room * threads) : status;
  status = status == SQ_OK ? cut_cells(context, &c) : status;
  SQI_FREE(context, c.points, 6 * index->node_max * threads);
  SQI_FREE(context, c.lists, c.list_room * threads);
  index->corner_max = (int32_t)c.corner_max;
  return status;
}

void sqi_cuts_release(const sq_allocator* allocator, sqi_cuts* cuts)
{
  SQI_RELEASE(allocator, cuts->number, cuts->count);
  SQI_RELEASE(allocator, cuts->begin, cuts->count);
  SQI_RELEASE(allocator, cuts->data, cuts->size);
}
