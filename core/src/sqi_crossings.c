#include "sqi_crossings.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_triangle_box.h"
#include "sqk_triangle_cross.h"
#include "sqk_triangle_touch.h"

#include <stdatomic.h>

/** Leaves, and nodes, of one chunk. */
#define GRAIN 64

typedef struct join
{
  sqi_triangle_view triangles;
  const sqi_bvh* bvh;
  int32_t* leaf_of_child; /* by 8 node + child */
  sqi_bvh_node*
    leaves; /* a leaf's triangles as the children of a node, so that eight boxes are met at once */
  int32_t leaf_count;
  sqi_crossings* out;
  _Atomic int64_t pairs;
  _Atomic int touches; /* one is enough */
} join;

/** Numbers the leaves in the order of the nodes, so that near ones have near numbers. */
static int32_t number_leaves(const sqi_bvh* bvh, int32_t* leaf_of_child)
{
  int32_t n = 0;
  for (int32_t i = 0; i < bvh->node_count; ++i)
  {
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      leaf_of_child[SQI_BVH_WIDTH * i + k] = bvh->nodes[i].count[k] ? n++ : -1;
    }
  }
  return n;
}

static void fill_leaf(const join* j, const int32_t* items, int count, sqi_bvh_node* leaf)
{
  memset(leaf, 0, sizeof(*leaf));
  leaf->child_count = count;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    double lo[3], hi[3];
    float qlo[3] = { INFINITY, INFINITY, INFINITY }, qhi[3] = { -INFINITY, -INFINITY, -INFINITY };
    if (k < count)
    {
      leaf->child[k] = items[k];
      sqi_triangle_box(&j->triangles, items[k], lo, hi);
      sqi_bvh_query_box(&j->bvh->frame, lo, hi, qlo, qhi);
    }
    for (int d = 0; d < 3; ++d)
    {
      leaf->lo[d][k] = qlo[d];
      leaf->hi[d][k] = qhi[d];
    }
  }
}

static sq_status fill_leaves(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  join* j = (join*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_bvh_node* node = &j->bvh->nodes[i];
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      if (node->count[k])
      {
        fill_leaf(j, j->bvh->order + node->child[k], node->count[k],
          &j->leaves[j->leaf_of_child[SQI_BVH_WIDTH * i + k]]);
      }
    }
  }
  return SQ_OK;
}

/** The corners, scaled so that the exact test neither overflows nor underflows. */
static void load(const join* j, int32_t triangle, double corner[3][3])
{
  for (int k = 0; k < 3; ++k)
  {
    const double* x =
      j->triangles.vertices + 3 * (int64_t)j->triangles.corners[3 * (int64_t)triangle + k];
    for (int d = 0; d < 3; ++d)
    {
      corner[k][d] = x[d] * j->bvh->frame.scale; /* a power of two, so that exact */
    }
  }
}

static int share_a_vertex(const int32_t* a, const int32_t* b)
{
  for (int i = 0; i < 3; ++i)
  {
    if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2])
    {
      return 1;
    }
  }
  return 0;
}

/** Several threads may write to one place: relaxed atomics, and sums that no order changes. */
static void note_pair(const sqi_crossings* out, int32_t a, int32_t b, const int32_t* corners)
{
  if (out->marks)
  {
    __atomic_fetch_or(out->marks + a, out->mark, __ATOMIC_RELAXED);
    __atomic_fetch_or(out->marks + b, out->mark, __ATOMIC_RELAXED);
  }
  if (out->part_pairs)
  {
    int32_t part = out->part[corners[3 * (int64_t)a]];
    if (part == out->part[corners[3 * (int64_t)b]])
    {
      __atomic_fetch_add(out->part_pairs + part, 1, __ATOMIC_RELAXED);
    }
  }
}

/** Whether it is still to be found out if anything touches, and these two may. */
static int may_touch(join* j, int32_t a, int32_t b, int shared)
{
  const sqi_crossings* out = j->out;
  return out->flat && !(shared && out->only_apart) && !out->flat[a] && !out->flat[b] &&
    !atomic_load_explicit(&j->touches, memory_order_relaxed);
}

/** Whether the two cross; `corner` are those of a. */
static int test_pair(join* j, int32_t a, const double corner[3][3], int32_t b)
{
  const int32_t* corners = j->triangles.corners;
  int shared = share_a_vertex(corners + 3 * (int64_t)a, corners + 3 * (int64_t)b);
  int touchable = may_touch(j, a, b, shared);
  if (shared && !touchable)
  {
    return 0;
  }
  double other[3][3];
  load(j, b, other);
  if (touchable && sqk_triangles_touch(corner, (const double(*)[3])other, shared))
  {
    atomic_store_explicit(&j->touches, 1, memory_order_relaxed);
  }
  if (shared || !sqk_triangles_cross(corner, (const double(*)[3])other))
  {
    return 0;
  }
  note_pair(j->out, a, b, corners);
  return 1;
}

/** Pairs of a triangle of `mine` with one of `other`; within one leaf each pair once. */
static int64_t join_leaves(join* j, const sqi_bvh_node* mine, const sqi_bvh_node* other)
{
  int64_t pairs = 0;
  for (int i = 0; i < mine->child_count; ++i)
  {
    const float lo[3] = { mine->lo[0][i], mine->lo[1][i], mine->lo[2][i] };
    const float hi[3] = { mine->hi[0][i], mine->hi[1][i], mine->hi[2][i] };
    unsigned hits = sqi_bvh_overlap(other, lo, hi);
    hits &= mine == other ? ~0u << (i + 1) : ~0u;
    if (hits)
    {
      double corner[3][3];
      load(j, mine->child[i], corner);
      for (; hits; hits &= hits - 1)
      {
        int32_t with = other->child[__builtin_ctz(hits)];
        pairs += test_pair(j, mine->child[i], (const double(*)[3])corner, with);
      }
    }
  }
  return pairs;
}

/** Pairs of a leaf with itself and the leaves of higher numbers. */
static int64_t join_leaf(join* j, int32_t leaf)
{
  const sqi_bvh_node* mine = &j->leaves[leaf];
  float lo[3], hi[3];
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = mine->lo[d][0], hi[d] = mine->hi[d][0];
    for (int k = 1; k < mine->child_count; ++k)
    {
      lo[d] = mine->lo[d][k] < lo[d] ? mine->lo[d][k] : lo[d];
      hi[d] = mine->hi[d][k] > hi[d] ? mine->hi[d][k] : hi[d];
    }
  }
  int32_t stack[SQI_BVH_STACK];
  int32_t depth = 0;
  int64_t pairs = 0;
  stack[depth++] = 0;
  while (depth)
  {
    int32_t at = stack[--depth];
    const sqi_bvh_node* node = j->bvh->nodes + at;
    for (unsigned hits = sqi_bvh_overlap(node, lo, hi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      int32_t other = j->leaf_of_child[SQI_BVH_WIDTH * at + k];
      if (!node->count[k])
      {
        stack[depth++] = node->child[k];
      }
      else if (other >= leaf)
      {
        pairs += join_leaves(j, mine, &j->leaves[other]);
      }
    }
  }
  return pairs;
}

static sq_status join_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  join* j = (join*)data;
  int64_t pairs = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    pairs += join_leaf(j, (int32_t)i);
  }
  atomic_fetch_add(&j->pairs, pairs);
  return SQ_OK;
}

static sq_status join_all(sq_context* context, join* j)
{
  int64_t children = (int64_t)SQI_BVH_WIDTH * j->bvh->node_count;
  sq_status s = SQI_NEW(context, &j->leaf_of_child, children);
  if (s == SQ_OK)
  {
    j->leaf_count = number_leaves(j->bvh, j->leaf_of_child);
    s = SQI_NEW(context, &j->leaves, j->leaf_count);
  }
  s = s == SQ_OK ? sqi_parallel_for(context, j->bvh->node_count, GRAIN, fill_leaves, j) : s;
  s = s == SQ_OK ? sqi_parallel_for(context, j->leaf_count, GRAIN, join_range, j) : s;
  SQI_FREE(context, j->leaves, j->leaf_count);
  SQI_FREE(context, j->leaf_of_child, children);
  return s;
}

sq_status sqi_crossings_find(sq_context* context, const double* vertices, const int32_t* corners,
  int32_t triangle_count, const sqi_bvh* bvh, sqi_crossings* crossings)
{
  crossings->pairs = 0;
  crossings->touches = 0;
  if (triangle_count < 2)
  {
    return SQ_OK;
  }
  join j;
  memset(&j, 0, sizeof(j));
  j.triangles.vertices = vertices;
  j.triangles.corners = corners;
  j.bvh = bvh;
  j.out = crossings;
  sqi_bvh own;
  memset(&own, 0, sizeof(own));
  sq_status s = SQ_OK;
  if (!bvh)
  {
    s = sqi_bvh_build(
      context, triangle_count, sqi_triangle_box, &j.triangles, SQI_CROSSINGS_LEAF, &own);
    j.bvh = &own;
  }
  s = s == SQ_OK ? join_all(context, &j) : s;
  crossings->pairs = atomic_load(&j.pairs);
  crossings->touches = atomic_load(&j.touches);
  if (!bvh)
  {
    sqi_bvh_release(&own);
  }
  return s;
}
