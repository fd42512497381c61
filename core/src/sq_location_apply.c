#include "spatialqueries/sq_locate_grid.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_location_chunk.h"
#include "sqi_parallel.h"
#include "sqi_sample_brick.h"

#include <string.h>

/** Queries of one chunk. */
#define CHUNK 2048

/** The rows of queries begin ... end - 1, or of the first of them. */
static sqi_sample_rows rows_from(
  const sq_location* l, const sqi_chunks* chunks, int64_t begin, int64_t end, int32_t thread)
{
  sqi_sample_rows r;
  r.first = begin;
  if (!l->index)
  {
    r.end = end;
    r.cell_offsets = l->cell_offsets + begin;
    r.node_offsets = l->node_offsets + begin;
    r.place =
      (sqi_row_place){ l->cell_blocks, l->cell_ids, l->node_blocks, l->node_ids, l->node_weights };
    return r;
  }
  const sqi_chunk* chunk = sqi_chunk_fill(chunks, begin, end, thread);
  r.end = begin + chunk->count;
  r.cell_offsets = chunk->cell_offsets;
  r.node_offsets = chunk->node_offsets;
  r.place = chunk->place;
  return r;
}

typedef struct applying
{
  const sq_location* location;
  sqi_chunks chunks; /* of a compact location */
  const sq_sample* samples;
  int32_t sample_count;
} applying;

static sq_status apply_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const applying* a = (const applying*)data;
  for (int64_t next = begin; next < end;)
  {
    sqi_sample_rows all = rows_from(a->location, &a->chunks, next, end, thread);
    for (int32_t i = 0; i < a->sample_count; ++i)
    {
      sqi_sample_write_all(a->samples + i, &all, next, all.end);
    }
    next = all.end;
  }
  return SQ_OK;
}

static sq_status check_fields(sq_context* context, const sq_location* l, const sq_sample* s)
{
  for (int32_t b = 0; b < l->block_count; ++b)
  {
    const sq_field* f = s->fields + b;
    if (f->data && (!sq_type_bytes(f->type) || f->count < 0))
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "apply: the field of block %d has type %d and %lld tuples", (int)b, (int)f->type,
        (long long)f->count);
    }
    if (f->data && s->combine == SQ_COMBINE_DOMINANT && f->type != s->out_type)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "apply: the field of block %d has type %d, the copied values have type %d", (int)b,
        (int)f->type, (int)s->out_type);
    }
  }
  return SQ_OK;
}

static sq_status too_short(sq_context* context, int32_t b, int64_t count, int64_t needed)
{
  return sqi_fail(context, SQ_INVALID_ARGUMENT,
    "apply: the field of block %d has %lld tuples, tuple %lld is needed", (int)b, (long long)count,
    (long long)needed);
}

/** Whether the fields have the tuples that the rows ask for; those of a compact location have to be complete. */
static sq_status check_lengths(sq_context* context, const sq_location* l, const sq_sample* s)
{
  int points = s->association == SQ_ASSOCIATION_POINTS;
  for (int32_t b = 0; l->index && b < l->block_count; ++b)
  {
    const sq_cells* block = l->index->blocks + b;
    int64_t needed = points ? block->points.count : block->count;
    if (s->fields[b].data && s->fields[b].count < needed)
    {
      return too_short(context, b, s->fields[b].count, needed - 1);
    }
  }
  int64_t n = points ? l->node_count : l->cell_count;
  for (int64_t k = 0; k < n; ++k)
  {
    int32_t b = points ? l->node_blocks[k] : l->cell_blocks[k];
    int64_t id = points ? l->node_ids[k] : l->cell_ids[k];
    if (s->fields[b].data && id >= s->fields[b].count)
    {
      return too_short(context, b, s->fields[b].count, id);
    }
  }
  return SQ_OK;
}

static sq_status check_sample(
  sq_context* context, const sq_location* location, const sq_sample* s, int32_t block_count)
{
  if ((!s->fields && block_count) || !s->missing || (!s->out && location->count))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "apply: fields, missing value or output not given");
  }
  int floating = s->out_type == SQ_FLOAT32 || s->out_type == SQ_FLOAT64;
  if ((int)s->association < 0 || (int)s->association > 1 || (int)s->combine < 0 ||
    (int)s->combine > 1 || s->components < 1 || !sq_type_bytes(s->out_type) ||
    (s->combine == SQ_COMBINE_WEIGHTED && !floating))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "apply: association %d, combine %d, %d components, output type %d; weighted sums need a "
      "floating point type",
      (int)s->association, (int)s->combine, (int)s->components, (int)s->out_type);
  }
  sq_status status = check_fields(context, location, s);
  return status == SQ_OK ? check_lengths(context, location, s) : status;
}

sq_status sq_location_apply_all(sq_context* context, const sq_location* location,
  const sq_sample* samples, int32_t sample_count, int32_t block_count)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!location || sample_count < 0 || (!samples && sample_count) ||
    block_count != location->block_count)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "apply: location or samples not given, or not one field a block of the index (%d given)",
      (int)block_count);
  }
  applying a;
  memset(&a, 0, sizeof(a));
  a.location = location;
  a.samples = samples;
  a.sample_count = sample_count;
  int with_nodes = 0;
  sq_status status = SQ_OK;
  for (int32_t i = 0; i < sample_count && status == SQ_OK; ++i)
  {
    status = check_sample(context, location, samples + i, block_count);
    with_nodes |= samples[i].association == SQ_ASSOCIATION_POINTS;
  }
  if (status != SQ_OK || !sample_count)
  {
    return status;
  }
  status = location->index ? sqi_chunks_open(context, location, with_nodes, &a.chunks) : SQ_OK;
  sqi_phase(context, "Sampling", 0.0, 1.0);
  if (status == SQ_OK)
  {
    status = location->index && sqi_sample_has_bricks(&a.chunks)
      ? sqi_sample_bricks(context, &a.chunks, samples, sample_count)
      : sqi_parallel_for(context, location->count, CHUNK, apply_body, &a);
  }
  if (location->index)
  {
    sqi_chunks_close(context, &a.chunks);
  }
  return status;
}

sq_status sq_location_apply(sq_context* context, const sq_location* location,
  sq_association association, sq_combine combine, const sq_field* fields, int32_t block_count,
  int32_t components, sq_type out_type, const void* missing, void* out, uint8_t* valid)
{
  const sq_sample sample = { association, combine, fields, components, out_type, missing, out,
    valid };
  return sq_location_apply_all(context, location, &sample, 1, block_count);
}

typedef struct choosing
{
  const sq_location* location;
  sqi_chunks chunks;
  sq_association association;
  int32_t* block;
  int64_t* id;
} choosing;

static sq_status choose_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const choosing* c = (const choosing*)data;
  for (int64_t next = begin; next < end;)
  {
    sqi_sample_rows all = rows_from(c->location, &c->chunks, next, end, thread);
    for (; next < all.end; ++next)
    {
      sqi_sample_row r = sqi_sample_row_of(&all, c->association, next);
      int64_t entry = sqi_sample_dominant(&r);
      if (c->block)
      {
        c->block[next] = entry >= 0 ? r.blocks[entry] : -1;
      }
      if (c->id)
      {
        c->id[next] = entry >= 0 ? r.ids[entry] : -1;
      }
    }
  }
  return SQ_OK;
}

sq_status sq_location_dominant(sq_context* context, const sq_location* location,
  sq_association association, int32_t* block, int64_t* id)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!location || (int)association < 0 || (int)association > 1)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "dominant: %s",
      location ? "unknown association" : "no location given");
  }
  choosing c;
  memset(&c, 0, sizeof(c));
  c.location = location;
  c.association = association;
  c.block = block;
  c.id = id;
  int with_nodes = association == SQ_ASSOCIATION_POINTS;
  sq_status status =
    location->index ? sqi_chunks_open(context, location, with_nodes, &c.chunks) : SQ_OK;
  sqi_phase(context, "Sampling", 0.0, 1.0);
  status =
    status == SQ_OK ? sqi_parallel_for(context, location->count, CHUNK, choose_body, &c) : status;
  if (location->index)
  {
    sqi_chunks_close(context, &c.chunks);
  }
  return status;
}
