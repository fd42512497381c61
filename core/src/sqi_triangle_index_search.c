/**
 * Closest point search in float over 8 children or 8 triangles at a time, exact at the end. Compiled once per instruction
 * set level.
 *
 * Errors, with e = 2^-24. A triangle at distance d in a block of size s shows a distance that is off by at most 16 e d + 30 e
 * s: rounding the query and the corner from the block's origin 1 e (d + 2 s), their difference 1 e (d + 2 s), turning it
 * into the triangle's frame 7 e (d + 2 s), from there to the edges 5 e (d + 2 s), lengths 4 e s, squares 2 e d. A child
 * shows at most its distance + 3 e d + 2 e q, where q is the largest coordinate of the query. So with `reach`, the
 * least distance seen plus its error, no triangle as near as the nearest is left out, and all that show less than reach and
 * error are measured in double. What is found therefore does not depend on the order of the search, on a first
 * bound, or on how the floats were rounded.
 */
#include "sqi_level.h"
#include "sqi_triangle_index_exact.h"

#include <string.h>

/** Candidates kept until the reach is final; almost always fewer than ten. */
#define CANDIDATES 64
/** 16 e and 32 e of the comment above. */
#define DISTANCE_ERROR 0x1p-20f
#define BLOCK_ERROR 0x1p-19f

typedef struct candidate
{
  float distance2;
  int32_t triangle;
  int32_t block;
} candidate;

typedef struct search
{
  const sqi_triangle_index* index;
  double local[3];
  sqi_f8 q[3];
  float query_error;
  float double_error; /* of the local coordinates in double, query and corner */
  float reach; /* the nearest triangle is not farther */
  float node_bound2; /* a child that shows more does not hold it */
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
SQI_SIMD sqi_f8 block_distance2(const sqi_triangle_block* b, const double local[3])
{
  sqi_f8 x = sqi_set8(0.0f), y = x, z = x;
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 v = sqi_set8((float)(local[d] - (double)b->origin[d])) - sqi_load8(b->a[d]);
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

/** Squared distances that a block of this size can show for a triangle within reach. */
static inline float block_bound2(const search* s, float size)
{
  float bound = s->reach + BLOCK_ERROR * size + s->double_error;
  bound *= 1.0f + 2.0f * DISTANCE_ERROR;
  return bound * bound;
}

static void set_reach(search* s, float reach)
{
  s->reach = reach;
  float bound = reach * (1.0f + DISTANCE_ERROR) + s->query_error;
  s->node_bound2 = bound * bound;
}

/** Measures the candidates that are still within reach. */
static void settle(search* s)
{
  for (int32_t i = 0; i < s->candidate_count; ++i)
  {
    const candidate* c = &s->candidates[i];
    if (c->distance2 <= block_bound2(s, s->index->blocks[c->block].size))
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

/** Starts loading the corners of a triangle, which are far apart in memory, well before they are measured. */
static inline void fetch_corners(const sqi_triangle_index* index, int32_t triangle)
{
  const int32_t* ids = index->corners + 3 * (int64_t)triangle;
  for (int k = 0; k < 3; ++k)
  {
    __builtin_prefetch(index->vertices + 3 * (int64_t)ids[k]);
  }
}

static void visit_block(search* s, int32_t block)
{
  const sqi_triangle_block* b = &s->index->blocks[block];
  s->cells_tested += s->statistics ? triangles_of(b) : 0;
  sqi_f8 d2 = block_distance2(b, s->local);
  unsigned hits = sqi_mask8(d2 <= sqi_set8(block_bound2(s, b->size)));
  if (!hits)
  {
    return;
  }
  float least = __builtin_sqrtf(sqi_least8(d2)) * (1.0f + DISTANCE_ERROR);
  least += BLOCK_ERROR * b->size + s->double_error;
  if (least < s->reach)
  {
    set_reach(s, least);
    hits = sqi_mask8(d2 <= sqi_set8(block_bound2(s, b->size)));
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
    fetch_corners(s->index, c->triangle);
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
  unsigned hits = sqi_mask8(d2 <= sqi_set8(s->node_bound2));
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
    if (distance2 > s->node_bound2)
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

/** The reach that max_distance gives. */
static float first_reach(const sqi_triangle_index* index, double max_distance)
{
  double reach = max_distance * index->frame.scale;
  return reach < (double)SQI_NO_REACH ? sqi_round_up(reach) : SQI_NO_REACH;
}

/** One query; `seed` is a block to try first, or -1. Returns the block that holds the answer, or -1. */
static int32_t closest(const sqi_search_run* run, const double x[3], int32_t seed, sqi_hit* hit)
{
  const sqi_triangle_index* index = run->index;
  search s;
  sqi_frame_local(&index->frame, x, s.local);
  double largest = sqk_largest3(s.local);
  if (!index->node_count || !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
  {
    sqi_hit_clear(hit);
    return -1;
  }
  if (!(largest <= SQI_FLOAT_REACH))
  {
    sqi_search_far(run, x, hit);
    return -1;
  }
  s.index = index;
  s.query_error = (float)largest * 0x1p-22f;
  s.double_error = (float)(largest + 1.0) * 0x1p-50f;
  set_reach(&s, first_reach(index, run->max_distance));
  s.candidate_count = 0;
  s.best_block = -1;
  s.statistics = run->statistics;
  s.nodes_visited = s.cells_tested = 0;
  for (int d = 0; d < 3; ++d)
  {
    s.q[d] = sqi_set8((float)s.local[d]);
  }
  sqi_exact_begin(&s.exact, index, x, index->extreme);
  if (seed >= 0)
  {
    visit_block(&s, seed);
  }
  traverse(&s, seed);
  settle(&s);
  sqi_exact_finish(&s.exact, run->max_distance, hit);
  if (run->statistics)
  {
    hit->nodes_visited = s.nodes_visited;
    hit->cells_tested = s.cells_tested;
  }
  return s.best_block;
}

void SQI_LEVEL_NAME(sqi_search)(sqi_search_run* run)
{
  for (int32_t i = 0; i < run->count; ++i)
  {
    sqi_hit hit;
    int32_t block = closest(run, run->points[i], run->statistics ? -1 : run->seed, &hit);
    run->seed = block >= 0 ? block : run->seed;
    run->sink(run->user, run->queries[i], run->points[i], &hit, run->thread);
  }
}
