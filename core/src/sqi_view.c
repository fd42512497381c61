#include "sqi_view.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <stdatomic.h>

sq_status sqi_check_points(sq_context* context, const sq_points* points, const char* what)
{
  return sqi_check_points_of(context, points, what, 3, 3);
}

sq_status sqi_check_points_of(
  sq_context* context, const sq_points* points, const char* what, int32_t least, int32_t most)
{
  if (!points)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no view given", what);
  }
  if (points->type != SQ_FLOAT32 && points->type != SQ_FLOAT64)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: type %d, allowed are SQ_FLOAT32 and SQ_FLOAT64", what, (int)points->type);
  }
  if (points->dimension < least || points->dimension > most)
  {
    return least == most
      ? sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: dimension %d, allowed is %d", what,
          (int)points->dimension, (int)least)
      : sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: dimension %d, allowed are %d to %d", what,
          (int)points->dimension, (int)least, (int)most);
  }
  if (points->count < 0 || points->count > INT64_MAX / (8 * points->dimension))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "%s: %lld points", what, (long long)points->count);
  }
  if (points->count && !points->data)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "%s: %lld points without data", what, (long long)points->count);
  }
  return SQ_OK;
}

typedef struct cell_check
{
  const sq_cells* cells;
  _Atomic int64_t
    bad; /* lowest bad cell, so that the message is the same for any number of threads */
} cell_check;

static int ids_are_good(const sq_cells* c, int64_t cell)
{
  int64_t begin = sqi_cell_offset(c, cell);
  int64_t end = sqi_cell_offset(c, cell + 1);
  if (begin < 0 || end < begin || end > c->connectivity_count)
  {
    return 0;
  }
  for (int64_t k = begin; k < end; ++k)
  {
    int64_t p = sqi_id(c->connectivity, c->id_type, k);
    if (p < 0 || p >= c->points.count)
    {
      return 0;
    }
  }
  return 1;
}

static int faces_are_good(const sq_cells* c, int64_t cell)
{
  int64_t at = c->face_offsets[cell];
  int64_t end = c->face_offsets[cell + 1];
  if (at < 0 || end < at)
  {
    return 0;
  }
  if (sqi_cell_kind(c, cell) != SQ_CELL_POLYHEDRON || at == end)
  {
    return 1;
  }
  int64_t face_count = c->faces[at++];
  for (int64_t f = 0; f < face_count; ++f)
  {
    if (at >= end || c->faces[at] < 0 || c->faces[at] > end - at - 1)
    {
      return 0;
    }
    int64_t n = c->faces[at++];
    for (int64_t k = 0; k < n; ++k, ++at)
    {
      if (c->faces[at] < 0 || c->faces[at] >= c->points.count)
      {
        return 0;
      }
    }
  }
  return at == end;
}

static sq_status check_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  cell_check* check = (cell_check*)data;
  for (int64_t cell = begin; cell < end; ++cell)
  {
    if (!ids_are_good(check->cells, cell) ||
      (check->cells->face_offsets && !faces_are_good(check->cells, cell)))
    {
      int64_t bad = atomic_load(&check->bad);
      while (cell < bad && !atomic_compare_exchange_weak(&check->bad, &bad, cell))
      {
      }
      return SQ_OK;
    }
  }
  return SQ_OK;
}

static sq_status check_layout(sq_context* context, const sq_cells* c, int32_t block)
{
  if (c->count < 0 || c->connectivity_count < 0)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "block %d: %lld cells, %lld point ids",
      (int)block, (long long)c->count, (long long)c->connectivity_count);
  }
  if (!c->count)
  {
    return SQ_OK;
  }
  if (c->id_type != SQ_INT32 && c->id_type != SQ_INT64)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "block %d: ids of type %d, allowed are SQ_INT32 and SQ_INT64", (int)block, (int)c->id_type);
  }
  if ((!c->connectivity && c->connectivity_count) || (!c->offsets && c->cell_size < 0) ||
    !c->face_offsets != !c->faces)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "block %d: connectivity or faces missing", (int)block);
  }
  if (!c->offsets && c->cell_size && c->count > c->connectivity_count / c->cell_size)
  {
    return sqi_fail(context, SQ_INVALID_DATA,
      "block %d: %lld cells of %d points need more than %lld ids", (int)block, (long long)c->count,
      (int)c->cell_size, (long long)c->connectivity_count);
  }
  return SQ_OK;
}

sq_status sqi_check_cells(sq_context* context, const sq_cells* cells, int32_t block)
{
  return sqi_check_cells_of(context, cells, block, 3, 3);
}

sq_status sqi_check_cells_of(
  sq_context* context, const sq_cells* cells, int32_t block, int32_t least, int32_t most)
{
  sq_status s = sqi_check_points_of(context, &cells->points, "mesh points", least, most);
  if (s == SQ_OK)
  {
    s = check_layout(context, cells, block);
  }
  if (s != SQ_OK || !cells->count)
  {
    return s;
  }
  cell_check check = { cells, INT64_MAX };
  s = sqi_parallel_for(context, cells->count, 1 << 14, check_range, &check);
  if (s == SQ_OK && check.bad != INT64_MAX)
  {
    s = sqi_fail(context, SQ_INVALID_DATA,
      "block %d: cell %lld has offsets, faces or point ids out of range (allowed: 0 to %lld)",
      (int)block, (long long)check.bad, (long long)cells->points.count - 1);
  }
  return s;
}
