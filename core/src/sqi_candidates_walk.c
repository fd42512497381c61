/** Compiled once for each instruction set level. */
#include "sqi_candidates.h"
#include "sqi_level.h"
#include "sqi_real.h"
#include "sqi_simd.h"

#include <math.h>

#define LANES SQI_CANDIDATE_LANES

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));

SQI_SIMD lanes set_all(double x)
{
  lanes v = { x, x, x, x, x, x, x, x };
  return v;
}

/** Bit k: whether lane k is set. */
SQI_SIMD unsigned bits_of(mask m)
{
#if defined(__AVX512DQ__)
  return _mm512_movepi64_mask((__m512i)m);
#else
  unsigned bits = 0;
#if defined(__AVX__)
  __m256d half[2];
  memcpy(half, &m, sizeof(m));
  bits = (unsigned)(_mm256_movemask_pd(half[0]) | _mm256_movemask_pd(half[1]) << 4);
#elif defined(__SSE2__)
  __m128d part[4];
  memcpy(part, &m, sizeof(m));
  for (int k = 0; k < 4; ++k)
  {
    bits |= (unsigned)_mm_movemask_pd(part[k]) << 2 * k;
  }
#else
  for (int k = 0; k < LANES; ++k)
  {
    bits |= (unsigned)(m[k] < 0) << k;
  }
#endif
  return bits;
#endif
}

/** Queries that go together, and what has been found for them. */
typedef struct packet
{
  lanes x[3];
  mask active; /* lanes with a query */
  int64_t query[LANES];
  /* counting */
  mask upper; /* cells of leaves above the lowest level */
  mask lower;
  /* filling */
  int64_t* list[LANES];
  int64_t filled[LANES];
  int64_t room[LANES];
  unsigned lower_lanes; /* lanes for which the lowest level counts */
} packet;

SQI_SIMD void read_packet(
  const sqi_candidate_search* s, int64_t begin, int64_t end, int32_t dimension, packet* p)
{
  double x[3][LANES];
  int64_t active[LANES];
  for (int k = 0; k < LANES; ++k)
  {
    int64_t at = begin + k < end ? begin + k : begin;
    active[k] = begin + k < end ? -1 : 0;
    p->query[k] = at / SQI_CANDIDATE_BLOCK * SQI_CANDIDATE_BLOCK + s->order[at];
    for (int32_t d = 0; d < dimension; ++d)
    {
      x[d][k] = sqi_real(s->queries->data, s->queries->type, p->query[k] * dimension + d);
    }
  }
  memcpy(p->x, x, sizeof(p->x[0]) * (size_t)dimension);
  memcpy(&p->active, active, sizeof(active));
}

/** The lanes of `among` whose query lies in the box of a node. */
SQI_SIMD mask hits(sq_type type, int32_t dimension, const sqi_candidate_search* s, const packet* p,
  int64_t node, mask among)
{
  double tolerance = s->node_tolerance ? sqi_real(s->node_tolerance, type, node) : s->tolerance;
  for (int32_t d = 0; d < dimension; ++d)
  {
    double lo = sqi_real(s->tree->aabb_min, type, node * dimension + d);
    double hi = sqi_real(s->tree->aabb_max, type, node * dimension + d);
    among &= (p->x[d] >= set_all(sqi_rounded(type, lo - tolerance))) &
      (p->x[d] <= set_all(sqi_rounded(type, hi + tolerance)));
  }
  return among;
}

SQI_SIMD void count_leaf(const sqi_candidate_search* s, int64_t node, int lowest, mask m, packet* p)
{
  int64_t n = s->tree->topology.leaf_count[node];
  mask count = { n, n, n, n, n, n, n, n };
  if (lowest)
  {
    p->lower += m & count;
  }
  else
  {
    p->upper += m & count;
  }
}

SQI_SIMD void fill_leaf(const sqi_candidate_search* s, int64_t node, int lowest, mask m, packet* p)
{
  const int64_t* ids = s->tree->order + s->tree->topology.leaf_start[node];
  int64_t n = s->tree->topology.leaf_count[node];
  unsigned bits = bits_of(m) & (lowest ? p->lower_lanes : ~0u);
  for (; bits; bits &= bits - 1)
  {
    int k = __builtin_ctz(bits);
    for (int64_t i = 0; i < n; ++i)
    {
      if (p->filled[k] < p->room[k])
      {
        p->list[k][p->filled[k]] = ids[i];
      }
      else
      {
        sqi_candidates_keep_lowest(p->list[k], p->room[k], ids[i], p->filled[k] == p->room[k]);
      }
      ++p->filled[k];
    }
  }
}

SQI_SIMD void walk(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, packet* p, int filling)
{
  const sqi_midpoint_tree* t = &s->tree->topology;
  mask masks[SQI_TREE_DEPTH_MAX + 2];
  int64_t nodes[SQI_TREE_DEPTH_MAX + 2];
  int32_t depths[SQI_TREE_DEPTH_MAX + 2];
  int top = 0;
  masks[0] = hits(type, dimension, s, p, 0, p->active);
  nodes[0] = 0;
  depths[0] = 0;
  top = bits_of(masks[0]) != 0;
  while (top)
  {
    mask m = masks[--top];
    int64_t node = nodes[top], left = t->left_child[node];
    int32_t depth = depths[top];
    if (left < 0)
    {
      if (filling)
      {
        fill_leaf(s, node, depth == t->max_depth, m, p);
      }
      else
      {
        count_leaf(s, node, depth == t->max_depth, m, p);
      }
      continue;
    }
    for (int64_t child = left + 1; child >= left; --child)
    {
      masks[top] = hits(type, dimension, s, p, child, m);
      nodes[top] = child;
      depths[top] = depth + 1;
      top += bits_of(masks[top]) != 0;
    }
  }
}

SQI_SIMD void count_packet(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  packet p;
  read_packet(s, begin, end, dimension, &p);
  p.upper = p.lower = p.active & 0;
  walk(type, dimension, s, &p, 0);
  for (int64_t k = 0; k < LANES && begin + k < end; ++k)
  {
    int64_t q = p.query[k];
    int64_t all = p.upper[k] + p.lower[k], taken = all;
    if (s->upper_only)
    {
      s->upper_only[q] = p.upper[k] >= s->limit;
      taken = all < s->limit ? all : s->limit;
    }
    if (s->truncated)
    {
      s->truncated[q] = all > taken;
    }
    s->offsets[q + 1] = taken;
  }
}

SQI_SIMD void fill_packet(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  packet p;
  read_packet(s, begin, end, dimension, &p);
  p.lower_lanes = 0;
  for (int k = 0; k < LANES; ++k)
  {
    int64_t q = p.query[k];
    p.list[k] = s->indices + s->offsets[q];
    p.room[k] = s->offsets[q + 1] - s->offsets[q];
    p.filled[k] = 0;
    p.lower_lanes |= (unsigned)!(s->upper_only && s->upper_only[q]) << k;
    if (!p.room[k])
    {
      p.active[k] = 0;
    }
  }
  walk(type, dimension, s, &p, 1);
  for (int64_t k = 0; k < LANES && begin + k < end; ++k)
  {
    sqi_candidates_sort(p.list[k], p.room[k]);
  }
}

SQI_SIMD int count_packets(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  for (int64_t i = begin; i < end; i += LANES)
  {
    count_packet(type, dimension, s, i, end);
  }
  return 0;
}

SQI_SIMD int fill_packets(
  sq_type type, int32_t dimension, const sqi_candidate_search* s, int64_t begin, int64_t end)
{
  for (int64_t i = begin; i < end; i += LANES)
  {
    fill_packet(type, dimension, s, i, end);
  }
  return 0;
}

void SQI_LEVEL_NAME(sqi_candidates_count)(
  const sqi_candidate_search* search, int64_t begin, int64_t end)
{
  (void)SQI_BY_REAL(count_packets, search->tree->type, search->tree->dimension, search, begin, end);
}

void SQI_LEVEL_NAME(sqi_candidates_fill)(
  const sqi_candidate_search* search, int64_t begin, int64_t end)
{
  (void)SQI_BY_REAL(fill_packets, search->tree->type, search->tree->dimension, search, begin, end);
}
