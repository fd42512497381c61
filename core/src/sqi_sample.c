#include "sqi_sample.h"

#include <math.h>
#include <string.h>

/**
 * Weights that differ by no more than this are equal: the rounding of weights that are equal in exact arithmetic, as in the
 * middle of an edge.
 */
#define WEIGHT_TIE 1e-12

double sqi_sample_scalar(const void* data, sq_type type, int64_t i)
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

sqi_sample_row sqi_sample_row_of(
  const sqi_sample_rows* all, sq_association association, int64_t query)
{
  sqi_sample_row r;
  int points = association == SQ_ASSOCIATION_POINTS;
  const int64_t* offsets = (points ? all->node_offsets : all->cell_offsets) + (query - all->first);
  int64_t begin = offsets[0];
  r.count = offsets[1] - begin;
  begin = r.count ? begin : 0;
  r.blocks = (points ? all->place.node_blocks : all->place.cell_blocks) + begin;
  r.ids = (points ? all->place.node_ids : all->place.cell_ids) + begin;
  r.weights = points ? all->place.node_weights + begin : NULL;
  return r;
}

/** The weight of entry k together with those of the same tuple, which a cell with merged corners has twice. */
static double whole_weight(const sqi_sample_row* r, int64_t k)
{
  double sum = 0.0;
  for (int64_t i = 0; i < r->count; ++i)
  {
    sum += r->blocks[i] == r->blocks[k] && r->ids[i] == r->ids[k] ? r->weights[i] : 0.0;
  }
  return sum;
}

int64_t sqi_sample_dominant(const sqi_sample_row* r)
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

/** All entries of a row that count lie in blocks that have the array. */
static int row_has_values(const sq_sample* s, const sqi_sample_row* r)
{
  int has = r->count > 0;
  for (int64_t k = 0; k < r->count && has; ++k)
  {
    has = s->fields[r->blocks[k]].data != NULL;
  }
  return has;
}

static void write_number(const sq_sample* s, int64_t at, double value)
{
  if (s->out_type == SQ_FLOAT32)
  {
    ((float*)s->out)[at] = (float)value;
  }
  else
  {
    ((double*)s->out)[at] = value;
  }
}

static void write_weighted(const sq_sample* s, const sqi_sample_row* r, int64_t query)
{
  double part = 1.0 / (double)r->count;
  for (int32_t c = 0; c < s->components; ++c)
  {
    double sum = 0.0;
    for (int64_t k = 0; k < r->count; ++k)
    {
      const sq_field* f = s->fields + r->blocks[k];
      double v = sqi_sample_scalar(f->data, f->type, r->ids[k] * s->components + c);
      sum += r->count == 1 ? v : (r->weights ? r->weights[k] : part) * v;
    }
    write_number(s, query * s->components + c, sum);
  }
}

/** Several weights of nodes of one block, and floating point numbers, one a node. */
static int is_scalar_row(const sq_sample* s, const sqi_sample_row* r)
{
  int is =
    s->components == 1 && r->weights && r->count > 1 && s->fields[r->blocks[0]].type <= SQ_FLOAT64;
  for (int64_t k = 1; k < r->count && is; ++k)
  {
    is = r->blocks[k] == r->blocks[0];
  }
  return is;
}

/** The weighted sum of a row of doubles or floats in one block, which most are; the same sum. */
static void write_scalar(const sq_sample* s, const sqi_sample_row* r, int64_t query)
{
  const sq_field* f = s->fields + r->blocks[0];
  double sum = 0.0;
  for (int64_t k = 0; k < r->count; ++k)
  {
    double v = f->type == SQ_FLOAT64 ? ((const double*)f->data)[r->ids[k]]
                                     : (double)((const float*)f->data)[r->ids[k]];
    sum += r->weights[k] * v;
  }
  write_number(s, query, sum);
}

void sqi_sample_write(const sq_sample* s, const sqi_sample_row* r, int64_t query)
{
  size_t bytes = sq_type_bytes(s->out_type);
  size_t tuple = bytes * (size_t)s->components;
  char* out = (char*)s->out + (size_t)query * tuple;
  int64_t entry = s->combine == SQ_COMBINE_DOMINANT ? sqi_sample_dominant(r) : -1;
  int has = entry >= 0 ? s->fields[r->blocks[entry]].data != NULL
                       : s->combine == SQ_COMBINE_WEIGHTED && row_has_values(s, r);
  if (s->valid)
  {
    s->valid[query] = (uint8_t)has;
  }
  if (!has)
  {
    for (int32_t c = 0; c < s->components; ++c)
    {
      memcpy(out + (size_t)c * bytes, s->missing, bytes);
    }
  }
  else if (entry >= 0)
  {
    const char* from = (const char*)s->fields[r->blocks[entry]].data;
    memcpy(out, from + (size_t)r->ids[entry] * tuple, tuple);
  }
  else if (is_scalar_row(s, r))
  {
    write_scalar(s, r, query);
  }
  else
  {
    write_weighted(s, r, query);
  }
}

void sqi_sample_write_all(
  const sq_sample* s, const sqi_sample_rows* rows, int64_t begin, int64_t end)
{
  for (int64_t query = begin; query < end; ++query)
  {
    sqi_sample_row r = sqi_sample_row_of(rows, s->association, query);
    sqi_sample_write(s, &r, query);
  }
}
