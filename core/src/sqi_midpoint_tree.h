#ifndef SQI_MIDPOINT_TREE_H
#define SQI_MIDPOINT_TREE_H
/**
 * The topology that sq_bvh and sq_cluster_tree share: it depends on the number of items and the leaf size alone. A node of more than
 * leaf_size items is split at start + floor(count / 2). Nodes are numbered level by level along a frontier: the i-th inner
 * node of a level has children base + 2 i and base + 2 i + 1; the next frontier is all left children, then all right ones.
 */
#include "spatialqueries/sq_context.h"

typedef struct sqi_midpoint_tree
{
  sq_allocator allocator;
  int64_t item_count;
  int64_t node_count; /* 0 without items */
  int32_t max_depth;
  int64_t* left_child; /* node_count each */
  int64_t* right_child;
  int64_t* leaf_start;
  int64_t* leaf_count;
  int64_t* range_start;
  int64_t* range_count;
  int64_t level_begin
    [66]; /* nodes of level l are level_begin[l] ... level_begin[l + 1] - 1; max_depth + 2 entries */
} sqi_midpoint_tree;

/** leaf_size >= 1, item_count < 2^31. On error *tree is all zero. */
sq_status sqi_midpoint_tree_build(
  sq_context* context, int64_t item_count, int64_t leaf_size, sqi_midpoint_tree* tree);

/** The number of nodes that such a tree has. */
int64_t sqi_midpoint_tree_node_count(int64_t item_count, int64_t leaf_size);

void sqi_midpoint_tree_release(sqi_midpoint_tree* tree);

/**
 * Neighbours in the order of items are far apart in the numbering: node `place` of a full level (all 2^depth nodes are there), is the
 * one that the root reaches by the bits of `place`, least significant first (1: right), so it is number reverse(place) in the
 * order of items, and holds floor((items + place) / 2^depth) items. Passes that touch both items and nodes therefore go along
 * SQI_STREAMS places of the level at once: each stream reads items in order, and together they write whole cache lines of nodes
 * (Carter and Gatlin 1998, "Towards an optimal bit-reversal permutation program").
 */
#define SQI_STREAM_BITS 3
#define SQI_STREAMS (1 << SQI_STREAM_BITS)

/** A node that a pass meets. */
typedef struct sqi_visited
{
  int64_t node;
  int64_t start; /* its items */
  int64_t count;
  int64_t leaf; /* number of the leaf in the order of items; -1: inner node */
} sqi_visited;

typedef void (*sqi_visit)(sq_type type, int32_t dimension, void* data, const sqi_visited* visited);

/** The last full level; all leaves are on it or are children of its nodes. 0 for an empty tree. */
int32_t sqi_midpoint_last_full(const sqi_midpoint_tree* tree);

/** Steps of a pass along a full level: all streams advance by one in each. */
static inline int64_t sqi_level_steps(int32_t depth)
{
  return depth <= SQI_STREAM_BITS ? 1 : (int64_t)1 << (depth - SQI_STREAM_BITS);
}

/** The low `bits` bits of x in reverse. */
static inline int64_t sqi_reverse_bits(int64_t x, int32_t bits)
{
  uint64_t v = __builtin_bswap64((uint64_t)x);
  v = (v >> 4 & 0x0f0f0f0f0f0f0f0fu) | (v & 0x0f0f0f0f0f0f0f0fu) << 4;
  v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
  v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
  return bits ? (int64_t)(v >> (64 - bits)) : 0;
}

/** The node at a place of a full level that starts with node `begin`: left children first. */
static inline int64_t sqi_level_node(int64_t begin, int32_t depth, int64_t place)
{
  int64_t half = depth ? (int64_t)1 << (depth - 1) : 1;
  return begin + (place < half ? 2 * place : 2 * (place - half) + 1);
}

/** First item of number `rank` in the order of items of a full level. */
int64_t sqi_level_start(int64_t items, int32_t depth, int64_t rank);

/**
 * Visits the nodes of a full level, in steps begin ... end - 1 of sqi_level_steps(depth); on the last full level the children of each
 * node follow it. Type and dimension are for the visit (SQI_BY_REAL).
 */
static inline __attribute__((always_inline)) void sqi_level_visit(sq_type type, int32_t dimension,
  const sqi_midpoint_tree* t, int32_t depth, int64_t begin, int64_t end, sqi_visit visit,
  void* data)
{
  int64_t nodes = (int64_t)1 << depth, steps = sqi_level_steps(depth), streams = nodes / steps;
  int last = depth == sqi_midpoint_last_full(t);
  int64_t children = last ? t->level_begin[depth + 1] : 0;
  int64_t first_inner = last ? nodes - (t->node_count - children) / 2 : 0;
  /* On a level with both, leaves hold `least` items and inner nodes one more. */
  int64_t least = t->item_count >> depth, start[SQI_STREAMS];
  for (int64_t k = 0; k < streams; ++k)
  {
    start[k] = sqi_level_start(t->item_count, depth, k * steps + begin);
  }
  for (int64_t i = begin; i < end; ++i)
  {
    for (int64_t k = 0; k < streams; ++k)
    {
      int64_t rank = k * steps + i, place = sqi_reverse_bits(rank, depth);
      int64_t count = (t->item_count + place) >> depth;
      int64_t leaf = rank + (first_inner < nodes ? start[k] - rank * least : 0);
      sqi_visited v = { sqi_level_node(t->level_begin[depth], depth, place), start[k], count,
        place < first_inner ? leaf : -1 };
      visit(type, dimension, data, &v);
      if (last && place >= first_inner)
      {
        sqi_visited left = { children + 2 * (place - first_inner), start[k], count / 2, leaf };
        sqi_visited right = { left.node + 1, start[k] + count / 2, count - count / 2, leaf + 1 };
        visit(type, dimension, data, &left);
        visit(type, dimension, data, &right);
      }
      start[k] += count;
    }
  }
}

#endif
