#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_mesh_index_faces.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <stdatomic.h>
#include <string.h>

/** Cells of one chunk. */
#define CHUNK 64

typedef struct cutting
{
  const sq_mesh_index* index;
  sqi_cuts* cuts;
  double* points; /* 4 * node_max a thread */
  sqi_face_scratch* threads; /* one a thread */
  int64_t room; /* entries of each scratch */
  _Atomic int64_t corner_max;
  _Atomic int64_t bad; /* lowest polyhedron with a face whose nodes are not among its points */
} cutting;

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
  double* points = c->points + (int64_t)4 * c->index->node_max * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_mesh_cell cell;
    int32_t middles = 0;
    sqi_mesh_cell_read(c->index, c->cuts->number[i], points, &cell);
    int64_t size = cell.type == SQ_CELL_POLYHEDRON
      ? sqi_polyhedron_surface_size(&cell, c->threads + thread, &middles)
      : 3 * ((int64_t)cell.count - 2);
    c->cuts->begin[i] = size;
    if (size < 0)
    {
      keep_lowest(&c->bad, cell.number);
      return SQ_OK;
    }
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
  double* points = c->points + (int64_t)4 * c->index->node_max * thread;
  const sqi_face_scratch* scratch = c->threads + thread;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_mesh_cell cell;
    int32_t* out = c->cuts->data + c->cuts->begin[i];
    sqi_mesh_cell_read(c->index, c->cuts->number[i], points, &cell);
    if (cell.type == SQ_CELL_POLYHEDRON)
    {
      sqi_polyhedron_surface(&cell, scratch, out);
    }
    else
    {
      sqi_cut_polygon(&cell, scratch, out);
    }
  }
  return SQ_OK;
}

static sq_status list_cells(sq_context* context, sq_mesh_index* index)
{
  sqi_cuts* cuts = &index->cuts;
  const uint8_t* states = index->states;
  int64_t total = states ? index->first[index->block_count] : 0;
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

static sq_status make_scratch(sq_context* context, cutting* c)
{
  int32_t threads = sq_context_threads(context);
  int64_t n = c->room;
  sq_status s = SQI_NEW(context, &c->points, 4 * (int64_t)c->index->node_max * threads);
  s = s == SQ_OK ? SQI_NEW(context, &c->threads, threads) : s;
  if (s == SQ_OK)
  {
    memset(c->threads, 0, (size_t)threads * sizeof(*c->threads));
  }
  for (int32_t t = 0; s == SQ_OK && t < threads; ++t)
  {
    sqi_face_scratch* f = c->threads + t;
    s = SQI_NEW(context, &f->faces, n);
    s = s == SQ_OK ? SQI_NEW(context, &f->corners, n) : s;
    s = s == SQ_OK ? SQI_NEW(context, &f->points, 3 * n) : s;
    s = s == SQ_OK ? SQI_NEW(context, &f->queue, n) : s;
    s = s == SQ_OK ? SQI_NEW(context, &f->local, n) : s;
    s = s == SQ_OK ? SQI_NEW(context, &f->outward, n) : s;
  }
  return s;
}

static void free_scratch(sq_context* context, cutting* c)
{
  int32_t threads = sq_context_threads(context);
  int64_t n = c->room;
  for (int32_t t = 0; c->threads && t < threads; ++t)
  {
    sqi_face_scratch* f = c->threads + t;
    SQI_FREE(context, f->faces, n);
    SQI_FREE(context, f->corners, n);
    SQI_FREE(context, f->points, 3 * n);
    SQI_FREE(context, f->queue, n);
    SQI_FREE(context, f->local, n);
    SQI_FREE(context, f->outward, n);
  }
  SQI_FREE(context, c->threads, threads);
  SQI_FREE(context, c->points, 4 * (int64_t)c->index->node_max * threads);
}

sq_status sqi_cuts_build(sq_context* context, sq_mesh_index* index)
{
  /* A line or polygon of one node is a segment from it to it, with two weights. */
  int64_t least = index->node_max == 1 ? 2 : index->node_max;
  cutting c = { index, &index->cuts, NULL, NULL, 0, least, INT64_MAX };
  c.room = index->face_max > index->node_max ? index->face_max : index->node_max;
  sq_status status = list_cells(context, index);
  if (status == SQ_OK && index->cuts.count)
  {
    status = make_scratch(context, &c);
    status = status == SQ_OK ? cut_cells(context, &c) : status;
    free_scratch(context, &c);
  }
  index->corner_max = (int32_t)c.corner_max;
  return status;
}

void sqi_cuts_release(const sq_allocator* allocator, sqi_cuts* cuts)
{
  SQI_RELEASE(allocator, cuts->number, cuts->count);
  SQI_RELEASE(allocator, cuts->begin, cuts->count);
  SQI_RELEASE(allocator, cuts->data, cuts->size);
}
