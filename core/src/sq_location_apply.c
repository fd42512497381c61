#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_location.h"
#include "sqi_parallel.h"

#include <math.h>
#include <string.h>

/** Queries of one chunk. */
#define CHUNK 2048
/**
 * Weights that differ by no more than this are equal: the rounding of weights that are equal in exact arithmetic, as in the
 * middle of an edge.
 */
#define WEIGHT_TIE 1e-12

/** Reads one scalar as double. */
static double scalar(const void* data, sq_type type, int64_t i)
{
  switch (type)
  {
    case SQ_FLOAT32:
      return (double)((const float*)data)[i];
    case SQ_FLOAT64:
      return ((const double*)data)[i];
    case SQ_INT8:
      return (double)((const int8_t*)data)[i];
    case SQ_UINT8:
      return (double)((const uint8_t*)data)[i];
    case SQ_INT16:
      return (double)((const int16_t*)data)[i];
    case SQ_UINT16:
      return (double)((const uint16_t*)data)[i];
    case SQ_INT32:
      return (double)((const int32_t*)data)[i];
    case SQ_UINT32:
      return (double)((const uint32_t*)data)[i];
    case SQ_INT64:
      return (double)((const int64_t*)data)[i];
    default:
      return (double)((const uint64_t*)data)[i];
  }
}

/** The entries of a query's row of points or cells. */
typedef struct row
{
  int64_t count;
  const int32_t* blocks;
  const int64_t* ids;
  const double* weights; /* NULL: all equal */
} row;

static row row_of(const sq_location* l, sq_association association, int64_t query)
{
  row r;
  int points = association == SQ_ASSOCIATION_POINTS;
  const int64_t* offsets = points ? l->node_offsets : l->cell_offsets;
  int64_t begin = offsets[query];
  r.count = offsets[query + 1] - begin;
  r.blocks = (points ? l->node_blocks : l->cell_blocks) + (r.count ? begin : 0);
  r.ids = (points ? l->node_ids : l->cell_ids) + (r.count ? begin : 0);
  r.weights = points ? l->node_weights + (r.count ? begin : 0) : NULL;
  return r;
}

/** The weight of entry k together with those of the same tuple, which a cell with merged corners has twice. */
static double whole_weight(const row* r, int64_t k)
{
  double sum = 0.0;
  for (int64_t i = 0; i < r->count; ++i)
  {
    sum += r->blocks[i] == r->blocks[k] && r->ids[i] == r->ids[k] ? r->weights[i] : 0.0;
  }
  return sum;
}

/** The entry with the largest weight, the lowest (block, id) of equals; -1 in an empty row. */
static int64_t dominant_entry(const row* r)
{
  int64_t best = -1;
  double top = -(double)INFINITY;
  for (int64_t k = 0; r->weights && k < r->count; ++k)
  {
    top = fmax(top, whole_weight(r, k));
  }
  for (int64_t k = 0; k < r->count; ++k)
  {
    int lower = best < 0 || r->blocks[k] < r->blocks[best] ||
      (r->blocks[k] == r->blocks[best] && r->ids[k] < r->ids[best]);
    if (lower && (!r->weights || whole_weight(r, k) >= top - WEIGHT_TIE))
    {
      best = k;
    }
  }
  return best;
}

typedef struct applying
{
  const sq_location* location;
  sq_association association;
  sq_combine combine;
  const sq_field* fields;
  int32_t components;
  sq_type out_type;
  size_t out_bytes;
  const void* missing;
  void* out;
  uint8_t* valid;
} applying;

/** All entries of a row that count lie in blocks that have the array. */
static int row_has_values(const applying* a, const row* r)
{
  int has = r->count > 0;
  for (int64_t k = 0; k < r->count && has; ++k)
  {
    has = a->fields[r->blocks[k]].data != NULL;
  }
  return has;
}

static void write_weighted(const applying* a, const row* r, int64_t query)
{
  double part = 1.0 / (double)r->count;
  for (int32_t c = 0; c < a->components; ++c)
  {
    double sum = 0.0;
    for (int64_t k = 0; k < r->count; ++k)
    {
      const sq_field* f = a->fields + r->blocks[k];
      double v = scalar(f->data, f->type, r->ids[k] * a->components + c);
      sum += r->count == 1 ? v : (r->weights ? r->weights[k] : part) * v;
    }
    int64_t at = query * a->components + c;
    if (a->out_type == SQ_FLOAT32)
    {
      ((float*)a->out)[at] = (float)sum;
    }
    else
    {
      ((double*)a->out)[at] = sum;
    }
  }
}

static sq_status apply_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const applying* a = (const applying*)data;
  size_t tuple = a->out_bytes * (size_t)a->components;
  for (int64_t query = begin; query < end; ++query)
  {
    row r = row_of(a->location, a->association, query);
    char* out = (char*)a->out + (size_t)query * tuple;
    int64_t entry = a->combine == SQ_COMBINE_DOMINANT ? dominant_entry(&r) : -1;
    int has = entry >= 0 ? a->fields[r.blocks[entry]].data != NULL
                         : a->combine == SQ_COMBINE_WEIGHTED && row_has_values(a, &r);
    if (a->valid)
    {
      a->valid[query] = (uint8_t)has;
    }
    if (!has)
    {
      for (int32_t c = 0; c < a->components; ++c)
      {
        memcpy(out + (size_t)c * a->out_bytes, a->missing, a->out_bytes);
      }
    }
    else if (entry >= 0)
    {
      const char* from = (const char*)a->fields[r.blocks[entry]].data;
      memcpy(out, from + (size_t)r.ids[entry] * tuple, tuple);
    }
    else
    {
      write_weighted(a, &r, query);
    }
  }
  return SQ_OK;
}

static sq_status check_fields(sq_context* context, const applying* a, int32_t block_count)
{
  for (int32_t b = 0; b < block_count; ++b)
  {
    const sq_field* f = a->fields + b;
    if (f->data && (!sq_type_bytes(f->type) || f->count < 0))
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "apply: the field of block %d has type %d and %lld tuples", (int)b, (int)f->type,
        (long long)f->count);
    }
    if (f->data && a->combine == SQ_COMBINE_DOMINANT && f->type != a->out_type)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "apply: the field of block %d has type %d, the copied values have type %d", (int)b,
        (int)f->type, (int)a->out_type);
    }
  }
  const sq_location* l = a->location;
  int points = a->association == SQ_ASSOCIATION_POINTS;
  int64_t n = points ? l->node_count : l->cell_count;
  for (int64_t k = 0; k < n; ++k)
  {
    int32_t b = points ? l->node_blocks[k] : l->cell_blocks[k];
    int64_t id = points ? l->node_ids[k] : l->cell_ids[k];
    if (a->fields[b].data && id >= a->fields[b].count)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "apply: the field of block %d has %lld tuples, tuple %lld is needed", (int)b,
        (long long)a->fields[b].count, (long long)id);
    }
  }
  return SQ_OK;
}

sq_status sq_location_apply(sq_context* context, const sq_location* location,
  sq_association association, sq_combine combine, const sq_field* fields, int32_t block_count,
  int32_t components, sq_type out_type, const void* missing, void* out, uint8_t* valid)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!location || (!fields && block_count) || !missing || (!out && location->count) ||
    block_count != location->block_count)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "apply: location, fields, missing value or output not given, or not one field a block of the "
      "index (%d given)",
      (int)block_count);
  }
  int floating = out_type == SQ_FLOAT32 || out_type == SQ_FLOAT64;
  if ((int)association < 0 || (int)association > 1 || (int)combine < 0 || (int)combine > 1 ||
    components < 1 || !sq_type_bytes(out_type) || (combine == SQ_COMBINE_WEIGHTED && !floating))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "apply: association %d, combine %d, %d components, output type %d; weighted sums need a "
      "floating point type",
      (int)association, (int)combine, (int)components, (int)out_type);
  }
  applying a = { location, association, combine, fields, components, out_type,
    sq_type_bytes(out_type), missing, out, valid };
  sq_status status = check_fields(context, &a, block_count);
  sqi_phase(context, "Sampling", 0.0, 1.0);
  return status == SQ_OK ? sqi_parallel_for(context, location->count, CHUNK, apply_body, &a)
                         : status;
}

typedef struct choosing
{
  const sq_location* location;
  sq_association association;
  int32_t* block;
  int64_t* id;
} choosing;

static sq_status choose_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const choosing* c = (const choosing*)data;
  for (int64_t query = begin; query < end; ++query)
  {
    row r = row_of(c->location, c->association, query);
    int64_t entry = dominant_entry(&r);
    if (c->block)
    {
      c->block[query] = entry >= 0 ? r.blocks[entry] : -1;
    }
    if (c->id)
    {
      c->id[query] = entry >= 0 ? r.ids[entry] : -1;
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
  choosing c = { location, association, block, id };
  sqi_phase(context, "Sampling", 0.0, 1.0);
  return sqi_parallel_for(context, location->count, CHUNK, choose_body, &c);
}
