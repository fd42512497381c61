/** Compiled once for each instruction set level. */
#include "sqi_candidates.h"
#include "sqi_level.h"
#include "sqi_real.h"
#include "sqi_simd.h"

#include <math.h>

typedef double f64x8 __attribute__((vector_size(64)));
typedef int64_t i64x8 __attribute__((vector_size(64)));

/** A query against the boxes, and what has been found for it. */
typedef struct asked
{
  /* In the type of the boxes: p >= lo is the same as `below` >= lo, p <= hi as `above` <= hi, for all lo and hi of that type. */
  double below[3];
  double above[3];
  double tolerance;
  /* counting */
  int64_t upper; /* cells of leaves above the deepest level */
  int64_t lower;
  /* filling */
  const int64_t* cells;
  int64_t* list;
  int64_t filled;
  int64_t room;
  int upper_only;
} asked;

/** The greatest float that is not more than x; NaN of NaN. */
SQI_SIMD float round_down(double x)
{
  float f = (float)x;
  return (double)f > x ? nextafterf(f, -HUGE_VALF) : f;
}

SQI_SIMD float round_up(double x)
{
  float f = (float)x;
  return (double)f < x ? nextafterf(f, HUGE_VALF) : f;
}

SQI_SIMD void read_query(
  sq_type type, int32_t dimension, const sq_points* points, int64_t q, asked* a)
{
  for (int32_t d = 0; d < dimension; ++d)
  {
    double x = sqi_real(points->data, points->type, q * dimension + d);
    a->below[d] = a->above[d] = x;
    if (type == SQ_FLOAT32 && points->type == SQ_FLOAT64)
    {
      a->below[d] = (double)round_down(x);
      a->above[d] = (double)round_up(x);
    }
  }
}

SQI_SIMD unsigned bits_of(i64x8 m)
{
#if defined(__AVX512DQ__)
  return _mm512_movepi64_mask((__m512i)m);
#else
  unsigned bits = 0;
  for (int k = 0; k < SQI_GROUP; ++k)
  {
    bits |= (unsigned)(m[k] < 0) << k;
  }
  return bits;
#endif
}

/** Bit k: whether the query lies in box k of a group. */
SQI_SIMD unsigned group_hits32(int32_t dimension, const float* box, const asked* a)
{
  sqi_f8 tolerance = sqi_set8((float)a->tolerance);
  sqi_i8 m = sqi_load8(box) == sqi_load8(box);
  for (int32_t d = 0; d < dimension; ++d)
  {
    m &= sqi_set8((float)a->below[d]) >= sqi_load8(box + SQI_GROUP * d) - tolerance;
    m &= sqi_set8((float)a->above[d]) <= sqi_load8(box + SQI_GROUP * (dimension + d)) + tolerance;
  }
  return sqi_mask8(m);
}

SQI_SIMD f64x8 load64(const double* p)
{
  f64x8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD f64x8 set64(double x)
{
  f64x8 v = { x, x, x, x, x, x, x, x };
  return v;
}

SQI_SIMD unsigned group_hits64(int32_t dimension, const double* box, const asked* a)
{
  f64x8 tolerance = set64(a->tolerance);
  i64x8 m = load64(box) == load64(box);
  for (int32_t d = 0; d < dimension; ++d)
  {
    m &= set64(a->below[d]) >= load64(box + SQI_GROUP * d) - tolerance;
    m &= set64(a->above[d]) <= load64(box + SQI_GROUP * (dimension + d)) + tolerance;
  }
  return bits_of(m);
}

SQI_SIMD void fill_leaf(asked* a, uint32_t leaf, uint32_t next)
{
  if (a->upper_only && !(leaf & 1))
  {
    return;
  }
  for (uint32_t k = leaf >> 1; k < next >> 1; ++k)
  {
    int64_t id = a->cells[k];
    if (a->filled < a->room)
    {
      a->list[a->filled] = id;
    }
    else
    {
      sqi_candidates_keep_lowest(a->list, a->room, id, a->filled == a->room);
    }
    ++a->filled;
  }
}

SQI_SIMD void meet_leaves(
  const sqi_candidate_index* x, int64_t group, unsigned hit, int filling, asked* a)
{
  for (; hit; hit &= hit - 1)
  {
    const uint32_t* leaf = x->leaves + group * SQI_GROUP + __builtin_ctz(hit);
    if (filling)
    {
      fill_leaf(a, leaf[0], leaf[1]);
    }
    else
    {
      int64_t cells = (leaf[1] >> 1) - (leaf[0] >> 1);
      *(leaf[0] & 1 ? &a->upper : &a->lower) += cells;
    }
  }
}

SQI_SIMD void walk(
  sq_type type, int32_t dimension, const sqi_candidate_index* x, int filling, asked* a)
{
  /* Groups to look at, with the level in the low bits. */
  int64_t stack[SQI_GROUP * SQI_GROUP_LEVELS];
  int top = 0;
  int64_t size = 2 * SQI_GROUP * (int64_t)dimension;
  stack[top++] = x->level_count - 1;
  while (top)
  {
    int64_t entry = stack[--top];
    int32_t level = (int32_t)(entry & 15);
    int64_t group = entry >> 4, at = (x->level_begin[level] + group) * size;
    unsigned hit = type == SQ_FLOAT32 ? group_hits32(dimension, (const float*)x->boxes + at, a)
                                      : group_hits64(dimension, (const double*)x->boxes + at, a);
    if (!level)
    {
      meet_leaves(x, group, hit, filling, a);
      continue;
    }
    for (; hit; hit &= hit - 1)
    {
      stack[top++] = (group * SQI_GROUP + __builtin_ctz(hit)) << 4 | (level - 1);
    }
  }
}

SQI_SIMD int64_t query_at(const sqi_candidate_search* s, int64_t position)
{
  return position / SQI_CANDIDATE_BLOCK * SQI_CANDIDATE_BLOCK + s->order[position];
}

SQI_SIMD int count_queries(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  asked a;
  a.tolerance = s->tolerance;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t q = query_at(s, i);
    read_query(type, dimension, s->queries, q, &a);
    a.upper = a.lower = 0;
    walk(type, dimension, s->index, 0, &a);
    int64_t all = a.upper + a.lower;
    int64_t taken = all < s->limit ? all : s->limit;
    if (s->upper_only)
    {
      s->upper_only[q] = a.upper >= s->limit;
    }
    if (s->truncated)
    {
      s->truncated[q] = all > taken;
    }
    s->offsets[q + 1] = taken;
  }
  return 0;
}

SQI_SIMD int fill_queries(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  asked a;
  a.tolerance = s->tolerance;
  a.cells = s->cells;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t q = query_at(s, i);
    a.list = s->indices + s->offsets[q];
    a.room = s->offsets[q + 1] - s->offsets[q];
    a.filled = 0;
    a.upper_only = s->upper_only && s->upper_only[q];
    if (a.room)
    {
      read_query(type, dimension, s->queries, q, &a);
      walk(type, dimension, s->index, 1, &a);
      sqi_candidates_sort(a.list, a.room);
    }
  }
  return 0;
}

void SQI_LEVEL_NAME(sqi_candidates_count)(
  const sqi_candidate_search* search, int64_t begin, int64_t end)
{
  (void)SQI_BY_REAL(
    count_queries, search->index->type, search->index->dimension, search, begin, end);
}

void SQI_LEVEL_NAME(sqi_candidates_fill)(
  const sqi_candidate_search* search, int64_t begin, int64_t end)
{
  (void)SQI_BY_REAL(
    fill_queries, search->index->type, search->index->dimension, search, begin, end);
}
