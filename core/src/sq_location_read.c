#include "spatialqueries/sq_locate_grid.h"
#include "sqi_context.h"
#include "sqi_location.h"
#include "sqi_parallel.h"

#include <string.h>

/** Queries of one chunk. */
#define CHUNK 2048

typedef struct reading
{
  const sq_location* location;
  sqi_rows rows; /* of a compact location */
  sq_location_outputs out;
} reading;

/** The answer of query q. */
static void answer_of(const reading* r, int64_t q, int32_t thread, sqi_row_answer* answer)
{
  const sq_location* l = r->location;
  if (!l->index)
  {
    answer->block = l->block[q];
    answer->cell = l->cell[q];
    answer->distance = l->distance[q];
    memcpy(answer->r, l->parametric + 3 * q, sizeof(answer->r));
    return;
  }
  sqi_rows_evaluate(&r->rows, q, thread, NULL, answer);
}

/** What needs no evaluation, of the points of a grid: all, but for points within tolerance of or nearest to a cell. */
static void read_inside(const reading* r, int64_t begin, int64_t end)
{
  const sq_location* l = r->location;
  const sq_location_outputs* out = &r->out;
  int one = l->index->block_count == 1;
  for (int64_t q = begin; q < end && out->block; ++q)
  {
    out->block[q] = l->number[q] < 0 ? -1 : one ? 0 : sqi_mesh_block_of(l->index, l->number[q]);
  }
  for (int64_t q = begin; q < end && out->cell && one; ++q)
  {
    out->cell[q] = l->number[q];
  }
  for (int64_t q = begin; q < end && out->cell && !one; ++q)
  {
    int32_t n = l->number[q];
    out->cell[q] = n < 0 ? -1 : n - l->index->first[sqi_mesh_block_of(l->index, n)];
  }
  for (int64_t q = begin; q < end && out->distance; ++q)
  {
    out->distance[q] = l->number[q] < 0 ? (double)NAN : 0.0;
  }
}

static void read_any(const reading* r, int64_t q, int32_t thread)
{
  const sq_location_outputs* out = &r->out;
  sqi_row_answer answer;
  answer_of(r, q, thread, &answer);
  if (out->block)
  {
    out->block[q] = answer.block;
  }
  if (out->cell)
  {
    out->cell[q] = answer.cell;
  }
  if (out->distance)
  {
    out->distance[q] = answer.distance;
  }
  if (out->parametric)
  {
    memcpy(out->parametric + 3 * q, answer.r, sizeof(answer.r));
  }
}

static void copy(void* to, const void* from, int64_t begin, int64_t end, size_t size)
{
  if (to && from)
  {
    memcpy((char*)to + (size_t)begin * size, (const char*)from + (size_t)begin * size,
      (size_t)(end - begin) * size);
  }
}

static sq_status read_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const reading* r = (const reading*)data;
  const sq_location* l = r->location;
  const sq_location_outputs* out = &r->out;
  copy(out->status, l->status, begin, end, sizeof(*l->status));
  copy(out->containing_count, l->containing_count, begin, end, sizeof(*l->containing_count));
  copy(out->nodes_visited, l->nodes_visited, begin, end, sizeof(*l->nodes_visited));
  copy(out->cells_tested, l->cells_tested, begin, end, sizeof(*l->cells_tested));
  for (int64_t q = begin; q < end && out->valid; ++q)
  {
    out->valid[q] = l->status[q] <= SQ_SAMPLE_NEAREST;
  }
  int all = !l->index || out->parametric;
  if (!all)
  {
    read_inside(r, begin, end);
  }
  for (int64_t q = begin; q < end && (all || out->distance); ++q)
  {
    if (all || (l->status[q] != SQ_SAMPLE_INSIDE && l->number[q] >= 0))
    {
      read_any(r, q, thread);
    }
  }
  return SQ_OK;
}

sq_status sq_location_read(
  sq_context* context, const sq_location* location, const sq_location_outputs* outputs)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!location || !outputs)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "read: no %s given", location ? "outputs" : "location");
  }
  const sq_location* l = location;
  int64_t n = l->count;
  reading r;
  memset(&r, 0, sizeof(r));
  r.location = l;
  r.out = *outputs;
  sq_status status = l->index ? sqi_location_open_rows(context, l, 0, &r.rows) : SQ_OK;
  sqi_phase(context, "Sampling", 0.0, 1.0);
  status = status == SQ_OK ? sqi_parallel_for(context, n, CHUNK, read_body, &r) : status;
  if (l->index)
  {
    sqi_rows_close(context, &r.rows);
  }
  return status;
}
