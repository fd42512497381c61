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

void sqi_midpoint_tree_release(sqi_midpoint_tree* tree);

#endif
