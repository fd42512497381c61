/** What a finished sq_bvh is asked that takes no search. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_reference_tree.h"

void sq_bvh_destroy(sq_bvh* bvh)
{
  if (bvh)
  {
    sq_allocator allocator = bvh->tree.allocator;
    sqi_tree_release(&bvh->tree);
    SQI_RELEASE(&allocator, bvh, 1);
  }
}

sq_status sq_bvh_get_view(const sq_bvh* bvh, sq_bvh_view* view)
{
  if (!bvh || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  const sqi_tree* t = &bvh->tree;
  sq_bvh_view v = { .type = t->type,
    .dimension = t->dimension,
    .node_count = t->topology.node_count,
    .cell_count = t->topology.item_count,
    .skipped_elements = bvh->skipped,
    .max_depth = t->topology.max_depth,
    .node_aabb_min = t->aabb_min,
    .node_aabb_max = t->aabb_max,
    .node_left_child = t->topology.left_child,
    .node_right_child = t->topology.right_child,
    .leaf_start = t->topology.leaf_start,
    .leaf_count = t->topology.leaf_count,
    .node_range_start = t->topology.range_start,
    .node_range_count = t->topology.range_count,
    .sorted_cell_order = t->order };
  *view = v;
  return SQ_OK;
}

sq_status sq_bvh_measure(sq_context* context, const sq_bvh* bvh, sq_bvh_statistics* statistics,
  double* node_surface_area, double* node_sibling_overlap)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!bvh)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "measures: no BVH given");
  }
  int64_t bytes = (int64_t)sizeof(*bvh) + sqi_tree_bytes(&bvh->tree);
  return sqi_tree_measure(
    context, &bvh->tree, bytes, statistics, node_surface_area, node_sibling_overlap);
}

sq_status sq_cluster_tree_measure(sq_context* context, const sq_cluster_tree* tree,
  sq_bvh_statistics* statistics, double* node_surface_area, double* node_sibling_overlap)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!tree)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "measures: no cluster tree given");
  }
  const sqi_tree* t = &tree->tree;
  int64_t real = (int64_t)sq_type_bytes(t->type);
  int64_t bytes = (int64_t)sizeof(*tree) + sqi_tree_bytes(t) +
    t->topology.node_count * (2 * real + (tree->finite_count ? 8 : 0)) +
    t->topology.item_count * t->dimension * real;
  return sqi_tree_measure(context, t, bytes, statistics, node_surface_area, node_sibling_overlap);
}
