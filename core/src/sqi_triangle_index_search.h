/**
 * Closest point search in float over 8 children or 8 triangles at a time, exact at the end. Included by one file per
 * instruction set, which defines SQI_SEARCH as the name of the function.
 *
 * Errors. With e = 2^-24 and m the largest local coordinate of query and tree, at least 1: rounding the query and
 * the tree, the differences, the turn into the triangle's frame and the distance there are off by at most 60 e m
 * together (3 to 6 e m in practice), a box distance by less. So with `margin` = 64 e m no triangle as near as the nearest
 * shows more than the least float distance + 2 margin, and all that show less are measured in double. What is found
 * therefore does not depend on the order of the search, on a first bound, or on how the floats were rounded.
 */
#include "sqi_triangle_index_exact.h"

#include <string.h>

/** Candidates kept until the bound is final; almost always fewer than ten. */
#define CANDIDATES 64

typedef struct candidate
{
  float distance2;
  int32_t triangle;
  int32_t block;
} candidate;

typedef struct search
{
  const sqi_triangle_index* index;
  sqi_f8 q[3];
  float margin;
  float least2; /* least squared distance seen */
  float bound2; /* what shows more is not the nearest */
  int32_t candidate_count;
  candidate candidates[CANDIDATES];
  sqi_exact exact;
  int32_t best_block; /* that holds exact.triangle */
  int statistics;
  int32_t nodes_visited;
  int32_t cells_tested;
} search;

/** Squared lower bounds of the distances to a node's children: the larger of box and cylinder. */
SQI_SIMD sqi_f8 node_distance2(const sqi_triangle_node* n, const sqi_f8 q[3])
{
  const sqi_f8 zero = sqi_set8(0.0f);
  sqi_f8 box = zero, along = zero, vv = zero;
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 gap = sqi_max8(sqi_load8(n->lo[d]) - q[d], q[d] - sqi_load8(n->hi[d]));
    gap = sqi_max8(gap, zero);
    box = sqi_madd8(gap, gap, box);
    sqi_f8 v = q[d] - sqi_load8(n->centre[d]);
    along = sqi_madd8(v, sqi_load8(n->axis[d]), along);
    vv = sqi_madd8(v, v, vv);
  }
  /* |v|^2 - along^2 cancels, and the axis is rounded: 28 e |v|^2 in all. */
  sqi_f8 across = sqi_sqrt8(sqi_max8(sqi_nmadd8(along, along, vv), zero));
  sqi_f8 gap_along = sqi_max8(sqi_abs8(along) - sqi_load8(n->half), zero);
  sqi_f8 gap_across = sqi_max8(across - sqi_load8(n->radius), zero);
  sqi_f8 cylinder = sqi_madd8(gap_along, gap_along, sqi_set8(-0x1p-19f) * vv);
  cylinder = sqi_madd8(gap_across, gap_across, cylinder);
  return sqi_max8(box, cylinder);
}

/** x minus the nearest number of [0, length]. */
SQI_SIMD sqi_f8 outside(sqi_f8 x, const float* length)
{
  return x - sqi_min8(sqi_max8(x, sqi_set8(0.0f)), sqi_load8(length));
}

/** Squared distances to the triangles of a block. */
SQI_SIMD sqi_f8 block_distance2(const sqi_triangle_block* b, const sqi_f8 q[3])
{
  sqi_f8 x = sqi_set8(0.0f), y = x, z = x;
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 v = q[d] - sqi_load8(b->a[d]);
    x = sqi_madd8(v, sqi_load8(b->x[d]), x);
    y = sqi_madd8(v, sqi_load8(b->y[d]), y);
    z = sqi_madd8(v, sqi_load8(b->z[d]), z);
  }
  sqi_f8 along = outside(x, b->length);
  sqi_f8 edge = sqi_madd8(along, along, y * y);
  /* The sides of a triangle without area disagree, so that nothing is inside of it. */
  sqi_f8 inside = y;

  sqi_f8 side = sqi_nmadd8(sqi_load8(b->ac_x), y, sqi_load8(b->ac_y) * x);
  along = outside(sqi_madd8(sqi_load8(b->ac_x), x, sqi_load8(b->ac_y) * y), b->ac_length);
  edge = sqi_min8(edge, sqi_madd8(along, along, side * side));
  inside = sqi_min8(inside, side);

  x = x - sqi_load8(b->length);
  side = sqi_nmadd8(sqi_load8(b->bc_y), x, sqi_load8(b->bc_x) * y);
  along = outside(sqi_madd8(sqi_load8(b->bc_x), x, sqi_load8(b->bc_y) * y), b->bc_length);
  edge = sqi_min8(edge, sqi_madd8(along, along, side * side));
  inside = sqi_min8(inside, side);

  sqi_f8 plane = sqi_select8(inside > sqi_set8(0.0f), sqi_set8(0.0f), edge);
  return sqi_madd8(z, z, plane);
}

/** Measures the candidates that the bound still allows. */
static void settle(search* s)
{
  for (int32_t i = 0; i < s->candidate_count; ++i)
  {
    const candidate* c = &s->candidates[i];
    if (c->distance2 <= s->bound2)
    {
      sqi_exact_try(&s->exact, c->triangle);
      s->best_block = s->exact.triangle == c->triangle ? c->block : s->best_block;
    }
  }
  s->candidate_count = 0;
}

static int32_t triangles_of(const sqi_triangle_block* b)
{
  int32_t n = 0;
  for (int k = 0; k < SQI_LANES; ++k)
  {
    n += b->id[k] >= 0;
  }
  return n;
}

static void visit_block(search* s, int32_t block)
{
  const sqi_triangle_block* b = &s->index->blocks[block];
  s->cells_tested += s->statistics ? triangles_of(b) : 0;
  sqi_f8 d2 = block_distance2(b, s->q);
  unsigned hits = sqi_mask8(d2 <= sqi_set8(s->bound2));
  if (!hits)
  {
    return;
  }
  float least2 = sqi_least8(d2);
  if (least2 < s->least2)
  {
    float bound = (__builtin_sqrtf(least2) + 2.0f * s->margin) * (1.0f + 0x1p-20f);
    s->least2 = least2;
    s->bound2 = bound * bound < s->bound2 ? bound * bound : s->bound2;
    hits = sqi_mask8(d2 <= sqi_set8(s->bound2));
  }
  float lanes[SQI_LANES];
  sqi_store8(lanes, d2);
  for (; hits; hits &= hits - 1)
  {
    int k = __builtin_ctz(hits);
    if (s->candidate_count == CANDIDATES)
    {
      settle(s);
    }
    candidate* c = &s->candidates[s->candidate_count++];
    c->distance2 = lanes[k];
    c->triangle = b->id[k];
    c->block = block;
  }
}

/** A waiting child and its bound in one number that sorts by the bound, which is not negative. */
static inline uint64_t entry_of(float distance2, int32_t child)
{
  uint32_t bits;
  memcpy(&bits, &distance2, sizeof(bits));
  return (uint64_t)bits << 32 | (uint32_t)child;
}

/** Puts the children that the bound allows on the stack, the nearest last; returns the new height. */
static int push_children(search* s, int32_t node, uint64_t* stack, int height)
{
  const sqi_triangle_node* n = &s->index->nodes[node];
  sqi_f8 d2 = node_distance2(n, s->q);
  unsigned hits = sqi_mask8(d2 <= sqi_set8(s->bound2));
  float lanes[SQI_LANES];
  sqi_store8(lanes, d2);
  int bottom = height;
  for (; hits; hits &= hits - 1)
  {
    int k = __builtin_ctz(hits);
    uint64_t entry = entry_of(lanes[k], n->child[k]);
    int at = height++;
    for (; at > bottom && stack[at - 1] < entry; --at)
    {
      stack[at] = stack[at - 1];
    }
    stack[at] = entry;
  }
  return height;
}

static void traverse(search* s, int32_t seed)
{
  uint64_t stack[SQI_BVH_STACK];
  int height = push_children(s, 0, stack, 0);
  ++s->nodes_visited;
  while (height)
  {
    uint64_t entry = stack[--height];
    uint32_t bits = (uint32_t)(entry >> 32);
    float distance2;
    memcpy(&distance2, &bits, sizeof(bits));
    if (distance2 > s->bound2)
    {
      continue;
    }
    int32_t child = (int32_t)(uint32_t)entry;
    if (child >= 0)
    {
      ++s->nodes_visited;
      height = push_children(s, child, stack, height);
    }
    else if (~child != seed)
    {
      visit_block(s, ~child);
    }
  }
}

/** The bound that max_distance gives, as sqi_bvh_bound2(). */
static float first_bound2(const sqi_triangle_index* index, double max_distance, float margin)
{
  double bound = (max_distance * index->frame.scale + (double)margin) * (1.0 + 0x1p-20);
  bound *= bound;
  return bound < (double)SQI_NO_BOUND2 ? (float)bound : SQI_NO_BOUND2;
}

/** One query; `seed` is a block to try first, or -1. Returns the block that holds the answer, or -1. */
static int32_t closest(const sqi_search_run* run, const double x[3], int32_t seed, sqi_hit* hit)
{
  const sqi_triangle_index* index = run->index;
  search s;
  double local[3];
  sqi_frame_local(&index->frame, x, local);
  double reach = sqk_largest3(local);
  if (!index->node_count || !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
  {
    sqi_hit_clear(hit);
    return -1;
  }
  if (!(reach <= SQI_FLOAT_REACH))
  {
    sqi_search_far(run, x, hit);
    return -1;
  }
  s.index = index;
  s.margin = (float)(reach > 1.0 ? reach : 1.0) * 0x1p-18f;
  s.least2 = SQI_NO_BOUND2;
  s.bound2 = first_bound2(index, run->max_distance, s.margin);
  s.candidate_count = 0;
  s.best_block = -1;
  s.statistics = run->statistics;
  s.nodes_visited = s.cells_tested = 0;
  for (int d = 0; d < 3; ++d)
  {
    s.q[d] = sqi_set8((float)local[d]);
  }
  sqi_exact_begin(&s.exact, index, x, index->exact_scale);
  if (seed >= 0)
  {
    visit_block(&s, seed);
  }
  traverse(&s, seed);
  settle(&s);
  sqi_exact_finish(&s.exact, x, run->max_distance, hit);
  if (run->statistics)
  {
    hit->nodes_visited = s.nodes_visited;
    hit->cells_tested = s.cells_tested;
  }
  return s.best_block;
}

void SQI_SEARCH(const sqi_search_run* run)
{
  int32_t seed = -1;
  for (int32_t i = 0; i < run->count; ++i)
  {
    sqi_hit hit;
    int32_t block = closest(run, run->points[i], run->statistics ? -1 : seed, &hit);
    seed = block >= 0 ? block : seed;
    run->sink(run->user, run->queries[i], run->points[i], &hit, run->thread);
  }
}
