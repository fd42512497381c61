#ifndef SQI_REFERENCE_TREE_H
#define SQI_REFERENCE_TREE_H
/** The inside of sq_bvh, sq_cluster_tree, sq_aggregates and sq_lists. */
#include "sqi_midpoint_tree.h"
#include "sqi_parallel.h"

#include "spatialqueries/sq_cluster_tree.h"

/** Levels of splits that a tree may have: the depth of the stacks of those who walk it. 2^31 items need 31. */
#define SQI_TREE_DEPTH_MAX 63

/**
 * What both trees have. Built here: all arrays are owned, `mapping` is NULL. Opened from files: `mapping` is what unmap() closes,
 * and the arrays that the folder has are borrowed from it (those of sq_bvh but the ranges, those of sq_cluster_tree but
 * finite_count; the others are owned), topology.level_begin is not set, and the checks of the opening
 * promise what those who walk the tree rely on: children follow their parent and each other, max_depth is that of the tree and at
 * most SQI_TREE_DEPTH_MAX, ranges and ids are in range.
 */
typedef struct sqi_tree
{
  sq_allocator allocator;
  sq_type type;
  int32_t dimension;
  sqi_midpoint_tree topology; /* item_count, node_count, max_depth and the arrays of nodes */
  void* aabb_min; /* node_count x dimension, of `type` */
  void* aabb_max;
  int64_t* order; /* item_count: position -> item */
  void* mapping;
  void (*unmap)(void* mapping);
} sqi_tree;

struct sq_bvh
{
  sqi_tree tree;
  int64_t skipped; /* cells left out for a coordinate that is not finite */
};

struct sq_cluster_tree
{
  sqi_tree tree;
  void* diameter2; /* node_count, of `type` */
  void* total_area;
  void* points; /* item_count x dimension */
  int64_t skipped;
  int64_t* finite_count; /* node_count; NULL where `skipped` is 0. Always owned */
};

struct sq_aggregates
{
  sq_allocator allocator;
  sq_type type;
  int32_t dimension;
  int64_t node_count;
  void* centroid; /* node_count x dimension */
  int32_t field_count;
  int32_t field_capacity; /* entries of `fields` */
  sq_aggregate_field* fields; /* owned; names too; `data` is owned unless `mapping` is set */
  void* mapping; /* as in sqi_tree; the centroid is borrowed from it, too */
  void (*unmap)(void* mapping);
};

struct sq_lists
{
  sq_allocator allocator;
  int64_t count;
  int64_t total;
  int64_t* offsets;
  int64_t* indices;
};

/** Allocates a cleared handle of `size` bytes whose first member is an sq_allocator; *handle is NULL on error. */
sq_status sqi_handle_new(sq_context* context, size_t size, void** handle);

/** Gives back topology, boxes and order, or closes the mapping; the tree is all zero but for its allocator then. */
void sqi_tree_release(sqi_tree* tree);

/** Topology, boxes (not filled) and order (not filled) of a tree whose type and dimension are set. */
sq_status sqi_tree_allocate(sq_context* context, sqi_tree* tree, int64_t items, int64_t leaf_size);

/** Writes the order from what sqi_sort() left, in parallel. */
sq_status sqi_tree_set_order(sq_context* context, sqi_tree* tree, const uint32_t* items);

/** Calls body(data, first node, last node + 1) for chunks of each level, the deepest level first: children before parents. */
sq_status sqi_tree_upward(
  sq_context* context, const sqi_midpoint_tree* topology, sqi_body body, void* data);

/** sq_bvh_measure() and sq_cluster_tree_measure() after their checks; `bytes` is for the statistics. */
sq_status sqi_tree_measure(sq_context* context, const sqi_tree* tree, int64_t bytes,
  sq_bvh_statistics* statistics, double* node_surface_area, double* node_sibling_overlap);

/** Bytes of topology, boxes and order. */
int64_t sqi_tree_bytes(const sqi_tree* tree);

#endif
