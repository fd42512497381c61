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

/** The answer of query q, as far as it is wanted. */
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
  int32_t number = l->number[q];
  int away = l->status[q] != SQ_SAMPLE_INSIDE && r->out.distance;
  if (number < 0 || r->out.parametric || away)
  {
    sqi_rows_evaluate(&r->rows, q, thread, NULL, answer);
    return;
  }
  answer->block = sqi_mesh_block_of(l->index, number);
  answer->cell = number - l->index->first[answer->block];
  answer->distance = 0.0;
}

static sq_status read_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const reading* r = (const reading*)data;
  const sq_location_outputs* out = &r->out;
  for (int64_t q = begin; q < end; ++q)
  {
    sqi_row_answer answer;
    answer_of(r, q, thread, &answer);
    if (out->valid)
    {
      out->valid[q] = r->location->status[q] <= SQ_SAMPLE_NEAREST;
    }
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
  return SQ_OK;
}

static void copy(void* to, const void* from, int64_t count, size_t size)
{
  if (to && from && count)
  {
    memcpy(to, from, (size_t)count * size);
  }
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
  copy(outputs->status, l->status, n, sizeof(*l->status));
  copy(outputs->containing_count, l->containing_count, n, sizeof(*l->containing_count));
  copy(outputs->nodes_visited, l->nodes_visited, n, sizeof(*l->nodes_visited));
  copy(outputs->cells_tested, l->cells_tested, n, sizeof(*l->cells_tested));
  sq_status status = l->index ? sqi_location_open_rows(context, l, 0, &r.rows) : SQ_OK;
  sqi_phase(context, "Sampling", 0.0, 1.0);
  status = status == SQ_OK ? sqi_parallel_for(context, n, CHUNK, read_body, &r) : status;
  if (l->index)
  {
    sqi_rows_close(context, &r.rows);
  }
  return status;
}
