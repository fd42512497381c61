#include "sqi_alloc.h"
#include "sqi_bvh_split.h"
#include "sqi_crossings_join.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqk_triangle_touch.h"

#include <stdatomic.h>

/** Nodes of one chunk. */
#define GRAIN 16

typedef struct search
{
  sqi_crossing_join join;
  sqi_crossing_joiner joiner;
  int32_t leaf_count;
  _Atomic int64_t pairs;
} search;

/** Numbers the leaves in the order of the nodes, so that near ones have near numbers. */
static int32_t number_leaves(const sqi_bvh* bvh, int32_t* leaf_of_child)
{
  int32_t n = 0;
  for (int32_t i = 0; i < bvh->node_count; ++i)
  {
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      leaf_of_child[(int64_t)SQI_BVH_WIDTH * i + k] = bvh->nodes[i].count[k] ? n++ : -1;
    }
  }
  return n;
}

static void fill_leaf(const sqi_crossing_join* j, int32_t begin, int count, sqi_crossing_leaf* leaf)
{
  const sqi_half_box none = sqi_half_box_empty();
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    const sqi_half_box* box = k < count ? &j->bvh->boxes[begin + k] : &none;
    int32_t triangle = k < count ? j->bvh->order[begin + k] : -1;
    leaf->triangle[k] = triangle;
    for (int d = 0; d < 3; ++d)
    {
      leaf->lo[d][k] = box->lo[d];
      leaf->hi[d][k] = -box->minus_hi[d];
      leaf->corner[d][k] = k < count ? j->triangles.corners[3 * (int64_t)triangle + d] : -1;
    }
  }
}

static sq_status fill_leaves(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const sqi_crossing_join* j = &((const search*)data)->join;
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_bvh_node* node = &j->bvh->nodes[i];
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      if (node->count[k])
      {
        fill_leaf(
          j, node->child[k], node->count[k], &j->leaves[j->leaf_of_child[SQI_BVH_WIDTH * i + k]]);
      }
    }
  }
  return SQ_OK;
}

static sq_status join_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  search* s = (search*)data;
  int64_t pairs = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    pairs += s->joiner(&s->join, (int32_t)i);
  }
  atomic_fetch_add(&s->pairs, pairs);
  return SQ_OK;
}

static sq_status join_all(sq_context* context, search* s)
{
  sqi_crossing_join* j = &s->join;
  int64_t children = (int64_t)SQI_BVH_WIDTH * j->bvh->node_count;
  sq_status status = SQI_NEW(context, &j->leaf_of_child, children);
  if (status == SQ_OK)
  {
    s->leaf_count = number_leaves(j->bvh, j->leaf_of_child);
    status = SQI_NEW(context, &j->leaves, s->leaf_count);
  }
  status =
    status == SQ_OK ? sqi_parallel_for(context, j->bvh->node_count, GRAIN, fill_leaves, s) : status;
  status =
    status == SQ_OK ? sqi_parallel_for(context, j->bvh->node_count, GRAIN, join_range, s) : status;
  SQI_FREE(context, j->leaves, s->leaf_count);
  SQI_FREE(context, j->leaf_of_child, children);
  return status;
}

/** Some units in the last place of the largest coordinate, which is at most 1 from the centre of the frame. */
static double touch_tolerance(const sqi_bvh* bvh)
{
  return SQK_TOUCH_ULPS * 0x1p-52 * (1.0 + sqk_largest3(bvh->frame.centre));
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
  search s;
  memset(&s, 0, sizeof(s));
  s.join.triangles.vertices = vertices;
  s.join.triangles.corners = corners;
  s.join.bvh = bvh;
  s.join.out = crossings;
  s.joiner = SQI_LEVEL_CHOOSE(sqi_crossings_join);
  sqi_bvh own;
  memset(&own, 0, sizeof(own));
  sq_status status = SQ_OK;
  if (!bvh)
  {
    status = sqi_bvh_build_with_boxes(
      context, triangle_count, sqi_triangle_box, &s.join.triangles, SQI_CROSSINGS_LEAF, &own);
    s.join.bvh = &own;
  }
  s.join.tolerance = touch_tolerance(s.join.bvh);
  status = status == SQ_OK ? join_all(context, &s) : status;
  crossings->pairs = atomic_load(&s.pairs);
  if (!bvh)
  {
    sqi_bvh_release(&own);
  }
  return status;
}
