/** Builds what sqi_winding.h asks: the moments of the groups and the triangles of the leaves, over a tree that is there or made. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_triangle_box.h"
#include "sqi_triangle_index_tree.h"
#include "sqi_winding_group.h"

#include <math.h>

_Static_assert(SQI_TRIANGLE_LEAF == SQI_BVH_WIDTH, "a block of the index is a leaf of the sum");

/** Nodes of one chunk. */
#define GRAIN 64

typedef struct builder
{
  sq_context* context;
  sqi_winding* winding;
  const sqi_winding_surface* surface;
  sqi_bvh own; /* where the surface has no index */
  double* radius; /* by 8 node + child, before it is widened */
  double* area; /* by 8 node + child */
  int32_t level_end[SQI_BVH_DEPTH_MAX + 2]; /* by level: the first node after it */
  int32_t level_count;
  int32_t first; /* of the level at work */
  sqi_group_of_leaf leaf;
  sqi_group_joiner join;
} builder;

static void corner(const builder* b, int64_t triangle, int k, double x[3])
{
  const sqi_winding_surface* s = b->surface;
  const double* vertex = s->vertices + 3 * (int64_t)s->corners[3 * triangle + k];
  for (int d = 0; d < 3; ++d)
  {
    x[d] = vertex[d] * b->winding->frame.scale;
  }
}

/** The triangles of a leaf that count; returns how many. */
static int leaf_items(const builder* b, int32_t node, int k, int32_t items[SQI_BVH_WIDTH])
{
  const sqi_winding_surface* s = b->surface;
  const int32_t* from = s->index ? s->index->blocks[~s->index->nodes[node].child[k]].id
                                 : b->own.order + b->own.nodes[node].child[k];
  int most = s->index ? SQI_BVH_WIDTH : b->own.nodes[node].count[k];
  int count = 0;
  for (int i = 0; i < most && from[i] >= 0; ++i)
  {
    if (!(s->left_out && s->left_out[from[i]]))
    {
      items[count++] = from[i];
    }
  }
  return count;
}

static void fill_leaf(const builder* b, const int32_t* items, int count, sqi_winding_leaf* leaf)
{
  memset(leaf, 0, sizeof(*leaf));
  for (int k = 0; k < SQI_BVH_WIDTH && count; ++k)
  {
    for (int c = 0; c < 3; ++c)
    {
      double x[3];
      corner(b, items[k < count ? k : 0], k < count ? c : 0, x);
      for (int d = 0; d < 3; ++d)
      {
        leaf->corner[c][d][k] = x[d];
      }
    }
  }
}

/** The group of a leaf; 0 where nothing in it counts. */
static int leaf_group(const builder* b, int32_t node, int k, sqi_group* g)
{
  int32_t items[SQI_BVH_WIDTH];
  double rim[SQI_BVH_WIDTH] = { 0.0 };
  int count = leaf_items(b, node, k, items);
  for (int i = 0; i < count && b->surface->rim; ++i)
  {
    rim[i] = b->surface->rim[items[i]] * b->winding->frame.scale;
  }
  sqi_winding_leaf* leaf = b->winding->leaves + ~b->winding->child[SQI_BVH_WIDTH * node + k];
  fill_leaf(b, items, count, leaf);
  if (count)
  {
    b->leaf(leaf, count, rim, g);
  }
  return count;
}

/** Puts a group into its lane of the hot loop. The radius is widened for the rounding of distances. */
static void store_group(builder* b, int32_t node, int k, const sqi_group* g)
{
  sqi_moments* m = b->winding->moments + node;
  b->radius[SQI_BVH_WIDTH * node + k] = g->radius;
  b->area[SQI_BVH_WIDTH * node + k] = g->area;
  m->radius[k] = g->radius * (1.0 + 1e-12) + 0x1p-1000;
  m->third[k] = g->third;
  m->steep[k] = b->winding->has_rim ? g->rim : g->area;
  for (int i = 0; i < 3; ++i)
  {
    m->centre[i][k] = g->centre[i];
    m->n[i][k] = g->n[i];
  }
  for (int i = 0; i < 5; ++i)
  {
    m->a[i][k] = g->a[i];
  }
  for (int i = 0; i < 7; ++i)
  {
    m->b[i][k] = g->b[i];
  }
}

/** The group of a node's children; 0 where nothing in it counts. */
static int node_group(const builder* b, int32_t node, sqi_group* g)
{
  sqi_group_parts parts;
  parts.moments = b->winding->moments[node];
  parts.present = 0;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    int is_there = parts.moments.radius[k] >= 0.0;
    parts.present |= (unsigned)is_there << k;
    parts.moments.radius[k] = is_there ? b->radius[SQI_BVH_WIDTH * node + k] : 0.0;
    parts.area[k] = is_there ? b->area[SQI_BVH_WIDTH * node + k] : 0.0;
  }
  if (parts.present)
  {
    b->join(&parts, g);
  }
  return parts.present != 0;
}

/** The nodes of one level, those below being done. */
static sq_status group_children(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  sqi_winding* w = b->winding;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t node = b->first + (int32_t)i;
    memset(w->moments + node, 0, sizeof(*w->moments));
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      int32_t child = w->child[SQI_BVH_WIDTH * node + k];
      sqi_group g;
      w->moments[node].radius[k] = -1.0;
      if (child != SQI_WINDING_NONE &&
        (child < 0 ? leaf_group(b, node, k, &g) : node_group(b, child, &g)))
      {
        store_group(b, node, k, &g);
      }
    }
  }
  return SQ_OK;
}

/** Children of the tree's node, numbering the leaves of an own tree as they come. */
static void copy_children(const builder* b, int32_t node, int32_t child[SQI_BVH_WIDTH])
{
  sqi_winding* w = b->winding;
  const sqi_triangle_index* index = b->surface->index;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    if (index)
    {
      int is_there = index->nodes[node].lo[0][k] < SQI_NOWHERE;
      child[k] = is_there ? index->nodes[node].child[k] : SQI_WINDING_NONE;
      continue;
    }
    const sqi_bvh_node* from = b->own.nodes + node;
    child[k] = k >= from->child_count ? SQI_WINDING_NONE
      : from->count[k]                ? ~w->leaf_count++
                                      : from->child[k];
  }
}

/** Copies the shape of the tree. Nodes stand level by level, so that a level ends where the children of the one before end. */
static void copy_shape(builder* b)
{
  sqi_winding* w = b->winding;
  int32_t next = 1;
  b->level_end[0] = 1;
  b->level_count = 1;
  for (int32_t node = 0; node < w->node_count; ++node)
  {
    if (node == b->level_end[b->level_count - 1])
    {
      b->level_end[b->level_count++] = next;
    }
    int32_t* child = w->child + SQI_BVH_WIDTH * (int64_t)node;
    copy_children(b, node, child);
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      next += child[k] >= 0;
    }
  }
}

static sq_status fill(builder* b)
{
  sqi_winding* w = b->winding;
  const sqi_triangle_index* index = b->surface->index;
  w->frame = index ? index->frame : b->own.frame;
  w->node_count = index ? index->node_count : b->own.node_count;
  int64_t children = (int64_t)SQI_BVH_WIDTH * w->node_count;
  sq_status s = SQI_NEW(b->context, &w->child, children);
  if (s != SQ_OK || !w->node_count)
  {
    return s;
  }
  w->leaf_count = index ? index->block_count : 0;
  copy_shape(b);
  s = SQI_NEW(b->context, &b->radius, children);
  s = s == SQ_OK ? SQI_NEW(b->context, &b->area, children) : s;
  s = s == SQ_OK ? SQI_NEW(b->context, &w->moments, w->node_count) : s;
  s = s == SQ_OK ? SQI_NEW(b->context, &w->leaves, w->leaf_count) : s;
  for (int32_t level = b->level_count - 1; level >= 0 && s == SQ_OK; --level)
  {
    b->first = level ? b->level_end[level - 1] : 0;
    s = sqi_parallel_for(b->context, b->level_end[level] - b->first, GRAIN, group_children, b);
  }
  SQI_FREE(b->context, b->radius, children);
  SQI_FREE(b->context, b->area, children);
  return s;
}

sq_status sqi_winding_build(
  sq_context* context, const sqi_winding_surface* surface, sqi_winding** winding)
{
  *winding = NULL;
  sqi_winding* w;
  sq_status s = SQI_NEW(context, &w, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  memset(w, 0, sizeof(*w));
  w->allocator = context->allocator;
  w->has_rim = surface->rim != NULL;
  w->sum = SQI_LEVEL_CHOOSE(sqi_winding_sum);
  builder b;
  memset(&b, 0, sizeof(b));
  b.context = context;
  b.winding = w;
  b.surface = surface;
  b.leaf = SQI_LEVEL_CHOOSE(sqi_group_leaf);
  b.join = SQI_LEVEL_CHOOSE(sqi_group_join);
  b.own.allocator = context->allocator;
  if (!surface->index)
  {
    const sqi_triangle_view triangles = { surface->vertices, surface->corners };
    s = sqi_bvh_build(
      context, surface->triangle_count, sqi_triangle_box, &triangles, SQI_BVH_WIDTH, &b.own);
  }
  s = s == SQ_OK ? fill(&b) : s;
  sqi_bvh_release(&b.own);
  if (s != SQ_OK)
  {
    sqi_winding_destroy(w);
    return s;
  }
  *winding = w;
  return SQ_OK;
}
