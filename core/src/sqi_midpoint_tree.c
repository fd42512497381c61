#include "sqi_midpoint_tree.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <string.h>

/** Nodes of one chunk. */
#define CHUNK (1 << 14)

/**
 * One level. Of its frontier the nodes from `inner` on are split; node `place` of the frontier is the one that the root reaches by
 * the bits of `place`, least significant first (1: right), so it holds floor((items + place) / 2^depth) items: halving
 * rounds down to the left and up to the right.
 */
typedef struct level
{
  sqi_midpoint_tree* tree;
  int32_t depth;
  int64_t begin; /* its first node */
  int64_t count;
  int64_t inner; /* place of the first node that is split; `places` if none */
  int64_t places;
  int64_t parent_begin; /* of the level above */
  int64_t parent_inner;
} level;

/** The node at a place of a level of 2^depth nodes that starts with node `begin`: left children first. */
static inline int64_t node_at(int64_t begin, int32_t depth, int64_t place)
{
  int64_t half = depth ? (int64_t)1 << (depth - 1) : 1;
  return begin + (place < half ? 2 * place : 2 * (place - half) + 1);
}

static sq_status fill_nodes(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const level* l = (const level*)data;
  const sqi_midpoint_tree* t = l->tree;
  int64_t children = l->begin + l->count;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t node = l->begin + i, place = 0, start = 0;
    if (l->depth)
    {
      int64_t above = l->parent_inner + i / 2, side = i % 2;
      int64_t parent = node_at(l->parent_begin, l->depth - 1, above);
      place = above + (side << (l->depth - 1));
      start = t->range_start[parent] + (side ? (t->item_count + above) >> l->depth : 0);
    }
    int64_t count = (t->item_count + place) >> l->depth;
    int leaf = place < l->inner;
    int64_t left = children + 2 * (place - l->inner);
    t->range_start[node] = start;
    t->range_count[node] = count;
    t->left_child[node] = leaf ? -1 : left;
    t->right_child[node] = leaf ? -1 : left + 1;
    t->leaf_start[node] = leaf ? start : -1;
    t->leaf_count[node] = leaf ? count : 0;
  }
  return SQ_OK;
}

/** Nodes that are split among the 2^depth nodes of a level that all nodes above reach. */
static int64_t inner_count(int64_t items, int64_t leaf_size, int32_t depth)
{
  int64_t nodes = (int64_t)1 << depth;
  if (items >> depth > leaf_size)
  {
    return nodes;
  }
  int64_t larger = items & (nodes - 1); /* nodes of one item more than the others */
  return items >> depth == leaf_size ? larger : 0;
}

/** Fills level_begin, max_depth and node_count. */
static void lay_out(sqi_midpoint_tree* t, int64_t leaf_size)
{
  int64_t nodes = t->item_count ? 1 : 0;
  int32_t depth = 0;
  t->level_begin[0] = 0;
  while (nodes)
  {
    t->node_count += nodes;
    t->level_begin[depth + 1] = t->node_count;
    t->max_depth = depth;
    int full = nodes == (int64_t)1 << depth;
    nodes = full ? 2 * inner_count(t->item_count, leaf_size, depth) : 0;
    ++depth;
  }
}

static sq_status fill_levels(sq_context* context, sqi_midpoint_tree* t, int64_t leaf_size)
{
  sq_status status = SQ_OK;
  level l = { t, 0, 0, 0, 0, 0, 0, 0 };
  for (int32_t depth = 0; depth <= t->max_depth && status == SQ_OK && t->node_count; ++depth)
  {
    int64_t above = l.inner;
    l.parent_begin = l.begin;
    l.parent_inner = above;
    l.depth = depth;
    l.begin = t->level_begin[depth];
    l.count = t->level_begin[depth + 1] - l.begin;
    l.places = (int64_t)1 << depth;
    l.inner = l.places - (l.count == l.places ? inner_count(t->item_count, leaf_size, depth) : 0);
    status = sqi_parallel_for(context, l.count, CHUNK, fill_nodes, &l);
  }
  return status;
}

sq_status sqi_midpoint_tree_build(
  sq_context* context, int64_t item_count, int64_t leaf_size, sqi_midpoint_tree* tree)
{
  memset(tree, 0, sizeof(*tree));
  tree->allocator = context->allocator;
  tree->item_count = item_count;
  lay_out(tree, leaf_size);
  int64_t** arrays[6] = { &tree->left_child, &tree->right_child, &tree->leaf_start,
    &tree->leaf_count, &tree->range_start, &tree->range_count };
  sq_status status = SQ_OK;
  for (int i = 0; i < 6 && status == SQ_OK; ++i)
  {
    status = SQI_NEW(context, arrays[i], tree->node_count);
  }
  if (status == SQ_OK)
  {
    status = fill_levels(context, tree, leaf_size);
  }
  if (status != SQ_OK)
  {
    sqi_midpoint_tree_release(tree);
  }
  return status;
}

void sqi_midpoint_tree_release(sqi_midpoint_tree* tree)
{
  int64_t* arrays[6] = { tree->left_child, tree->right_child, tree->leaf_start, tree->leaf_count,
    tree->range_start, tree->range_count };
  for (int i = 0; i < 6; ++i)
  {
    SQI_RELEASE(&tree->allocator, arrays[i], tree->node_count);
  }
  memset(tree, 0, sizeof(*tree));
}
