#include "sqi_crossings.h"
#include "sqi_bvh.h"
#include "sqi_parallel.h"
#include "sqi_triangle_box.h"
#include "sqk_triangle_cross.h"

#include <stdatomic.h>

#define LEAF_SIZE 8

typedef struct join
{
  sqi_triangle_view triangles;
  sqi_bvh bvh;
  double scale; /* a power of two, so that exact */
  uint8_t* crosses;
  _Atomic int64_t pairs;
} join;

/** The corners, scaled so that the exact test neither overflows nor underflows. */
static void load(const join* j, int32_t triangle, double corner[3][3])
{
  for (int k = 0; k < 3; ++k)
  {
    const double* x =
      j->triangles.vertices + 3 * (int64_t)j->triangles.corners[3 * (int64_t)triangle + k];
    for (int d = 0; d < 3; ++d)
    {
      corner[k][d] = x[d] * j->scale;
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

/** Plain writes of the same byte by several threads: relaxed atomics, so that they are none in name either. */
static void mark(const join* j, int32_t triangle)
{
  if (j->crosses)
  {
    __atomic_store_n(j->crosses + triangle, (uint8_t)1, __ATOMIC_RELAXED);
  }
}

/** Pairs of `triangle` with the lower ids of a leaf. */
static int64_t join_leaf(
  const join* j, int32_t triangle, const double corner[3][3], const int32_t* items, int count)
{
  int64_t pairs = 0;
  for (int i = 0; i < count; ++i)
  {
    int32_t other = items[i];
    if (other >= triangle ||
      share_a_vertex(
        j->triangles.corners + 3 * (int64_t)triangle, j->triangles.corners + 3 * (int64_t)other))
    {
      continue;
    }
    double with[3][3];
    load(j, other, with);
    if (sqk_triangles_cross(corner, (const double(*)[3])with))
    {
      mark(j, triangle);
      mark(j, other);
      ++pairs;
    }
  }
  return pairs;
}

static int64_t join_triangle(const join* j, int32_t triangle)
{
  double lo[3], hi[3], corner[3][3];
  float qlo[3], qhi[3];
  sqi_triangle_box(&j->triangles, triangle, lo, hi);
  load(j, triangle, corner);
  sqi_bvh_query_box(&j->bvh.frame, lo, hi, qlo, qhi);
  int32_t stack[SQI_BVH_STACK];
  int32_t depth = 0;
  int64_t pairs = 0;
  stack[depth++] = 0;
  while (depth)
  {
    const sqi_bvh_node* node = j->bvh.nodes + stack[--depth];
    for (unsigned hits = sqi_bvh_overlap(node, qlo, qhi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      if (node->count[k])
      {
        pairs += join_leaf(
          j, triangle, (const double(*)[3])corner, j->bvh.order + node->child[k], node->count[k]);
      }
      else
      {
        stack[depth++] = node->child[k];
      }
    }
  }
  return pairs;
}

/** Triangles in the order of the tree, so that neighbours find the nodes in the cache. */
static sq_status join_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  join* j = (join*)data;
  int64_t pairs = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    pairs += join_triangle(j, j->bvh.order[i]);
  }
  atomic_fetch_add(&j->pairs, pairs);
  return SQ_OK;
}

sq_status sqi_crossings_count(sq_context* context, const double* vertices, const int32_t* corners,
  int32_t triangle_count, int64_t* pairs, uint8_t* crosses)
{
  *pairs = 0;
  if (triangle_count < 2)
  {
    return SQ_OK;
  }
  join j;
  memset(&j, 0, sizeof(j));
  j.triangles.vertices = vertices;
  j.triangles.corners = corners;
  j.crosses = crosses;
  sq_status s =
    sqi_bvh_build(context, triangle_count, sqi_triangle_box, &j.triangles, LEAF_SIZE, &j.bvh);
  if (s == SQ_OK)
  {
    j.scale = j.bvh.frame.scale;
    s = sqi_parallel_for(context, triangle_count, 256, join_range, &j);
    *pairs = atomic_load(&j.pairs);
  }
  sqi_bvh_release(&j.bvh);
  return s;
}
