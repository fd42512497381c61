/** The cluster tree as a folder. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_real.h"
#include "sqi_tree_file.h"

/** Points between two polls. */
#define TILE ((int64_t)1 << 20)

sq_status sq_cluster_tree_save(sq_context* context, const sq_cluster_tree* tree, const char* folder)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status s = sqi_check_save(context, tree, folder);
  if (s != SQ_OK)
  {
    return s;
  }
  const sqi_tree* b = &tree->tree;
  const sqi_midpoint_tree* t = &b->topology;
  const int64_t depth = t->max_depth;
  int64_t n = t->node_count;
  /* In the order of the fields of the reference's class. */
  const sqi_array arrays[] = {
    sqi_array_of_rows("node_aabb_min", b->type, b->aabb_min, n, b->dimension),
    sqi_array_of_rows("node_aabb_max", b->type, b->aabb_max, n, b->dimension),
    sqi_array_of("node_diameter_sq", b->type, tree->diameter2, n),
    sqi_array_of("node_left_child", SQ_INT64, t->left_child, n),
    sqi_array_of("node_right_child", SQ_INT64, t->right_child, n),
    sqi_array_of("leaf_start", SQ_INT64, t->leaf_start, n),
    sqi_array_of("leaf_count", SQ_INT64, t->leaf_count, n),
    sqi_array_of("node_range_start", SQ_INT64, t->range_start, n),
    sqi_array_of("node_range_count", SQ_INT64, t->range_count, n),
    sqi_array_of("node_total_area", b->type, tree->total_area, n),
    sqi_array_of("sorted_source_order", SQ_INT64, b->order, t->item_count),
    sqi_array_of_rows("source_points", b->type, tree->points, t->item_count, b->dimension),
    { "max_depth", SQ_INT64, 0, { 0 }, &depth },
  };
  sqi_container_content content = { SQI_CLASS_CLUSTER_TREE, arrays, 13, NULL, 0, NULL, 0 };
  sqi_phase(context, "Saving cluster tree", 0.0, 1.0);
  return sqi_container_save(context, folder, &content);
}

static int is_finite(const sq_cluster_tree* tree, int64_t point)
{
  const sqi_tree* t = &tree->tree;
  int finite = 1;
  for (int32_t d = 0; d < t->dimension; ++d)
  {
    finite &= sqi_is_finite(sqi_real(tree->points, t->type, point * t->dimension + d));
  }
  return finite;
}

/** Points that are not finite: counts them, and sees that they are last in the order, where a build puts them. */
static sq_status find_skipped(sq_context* context, sq_cluster_tree* tree)
{
  const sqi_midpoint_tree* t = &tree->tree.topology;
  int64_t first = t->item_count;
  sq_status s = SQ_OK;
  for (int64_t i = 0; i < t->item_count && s == SQ_OK; ++i)
  {
    int64_t point = tree->tree.order[i];
    int finite = is_finite(tree, point);
    first = !finite && i < first ? i : first;
    if (finite && i > first)
    {
      return sqi_container_refuse(context, (const sqi_container*)tree->tree.mapping,
        "point %lld is not finite, and not last in sorted_source_order",
        (long long)tree->tree.order[first]);
    }
    s = i % TILE == 0 ? sqi_poll(context, 0.9, 0) : s;
  }
  tree->skipped = t->item_count - first;
  if (!tree->skipped || s != SQ_OK)
  {
    return s;
  }
  s = SQI_NEW(context, &tree->finite_count, t->node_count);
  for (int64_t node = 0; node < t->node_count && s == SQ_OK; ++node)
  {
    int64_t left = first - t->range_start[node];
    left = left < t->range_count[node] ? left : t->range_count[node];
    tree->finite_count[node] = left < 0 ? 0 : left;
  }
  return s;
}

/** Ranges and depth, which follow from the topology. */
static sq_status check_ranges(sq_context* context, const sq_cluster_tree* tree)
{
  const sqi_container* c = (const sqi_container*)tree->tree.mapping;
  const sqi_midpoint_tree* t = &tree->tree.topology;
  const sqi_array* depth = NULL;
  int64_t* start = NULL;
  int64_t* count = NULL;
  sq_status s = sqi_need_indices(context, c, "node_range_start", t->node_count, &start);
  if (s == SQ_OK)
  {
    s = sqi_need_indices(context, c, "node_range_count", t->node_count, &count);
  }
  if (s == SQ_OK)
  {
    s = sqi_tree_expect(context, &tree->tree, "node_range_start", start, t->range_start);
  }
  if (s == SQ_OK)
  {
    s = sqi_tree_expect(context, &tree->tree, "node_range_count", count, t->range_count);
  }
  if (s == SQ_OK)
  {
    s = sqi_container_need(context, c, "max_depth", SQI_MASK_INDEX, 0, NULL, &depth);
  }
  if (s == SQ_OK && *(const int64_t*)depth->data != t->max_depth)
  {
    s = sqi_container_refuse(context, c, "max_depth is %lld, the tree has %d levels of splits",
      (long long)*(const int64_t*)depth->data, (int)t->max_depth);
  }
  return s;
}

static sq_status open_tree(sq_context* context, const char* folder, sq_cluster_tree* tree)
{
  sqi_container* c = NULL;
  sqi_tree* b = &tree->tree;
  sq_status s = sqi_container_open(context, folder, SQI_CLASS_CLUSTER_TREE, &c);
  if (s != SQ_OK)
  {
    return s;
  }
  b->mapping = c;
  b->unmap = sqi_unmap_container;
  s = sqi_tree_open(context, b, "sorted_source_order", 0);
  if (s == SQ_OK)
  {
    s = check_ranges(context, tree);
  }
  int64_t nodes = b->topology.node_count;
  if (s == SQ_OK)
  {
    s = sqi_need_reals(context, c, "node_diameter_sq", b->type, nodes, &tree->diameter2);
  }
  if (s == SQ_OK)
  {
    s = sqi_need_reals(context, c, "node_total_area", b->type, nodes, &tree->total_area);
  }
  if (s == SQ_OK)
  {
    s = sqi_need_points(
      context, c, "source_points", b->type, b->dimension, b->topology.item_count, &tree->points);
  }
  if (s == SQ_OK)
  {
    s = sqi_need_no_more(context, c, 13, NULL);
  }
  return s == SQ_OK ? find_skipped(context, tree) : s;
}

sq_status sq_cluster_tree_open(sq_context* context, const char* folder, sq_cluster_tree** tree)
{
  if (tree)
  {
    *tree = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!tree || !folder)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "open cluster tree: no %s given", tree ? "folder" : "output");
  }
  sq_cluster_tree* t = NULL;
  sqi_phase(context, "Opening cluster tree", 0.0, 1.0);
  sq_status s = sqi_handle_new(context, sizeof(*t), (void**)&t);
  s = s == SQ_OK ? open_tree(context, folder, t) : s;
  if (s != SQ_OK)
  {
    sq_cluster_tree_destroy(t);
    t = NULL;
  }
  *tree = t;
  return s;
}
