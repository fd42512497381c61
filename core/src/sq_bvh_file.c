/** The BVH as a folder. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_tree_file.h"

sq_status sq_bvh_save(sq_context* context, const sq_bvh* bvh, const char* folder)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status s = sqi_check_save(context, bvh, folder);
  if (s != SQ_OK)
  {
    return s;
  }
  const sqi_tree* tree = &bvh->tree;
  const sqi_midpoint_tree* t = &tree->topology;
  int64_t n = t->node_count;
  /* In the order of the fields of the reference's class. */
  const sqi_array arrays[] = {
    sqi_array_of_rows("node_aabb_min", tree->type, tree->aabb_min, n, tree->dimension),
    sqi_array_of_rows("node_aabb_max", tree->type, tree->aabb_max, n, tree->dimension),
    sqi_array_of("node_left_child", SQ_INT64, t->left_child, n),
    sqi_array_of("node_right_child", SQ_INT64, t->right_child, n),
    sqi_array_of("leaf_start", SQ_INT64, t->leaf_start, n),
    sqi_array_of("leaf_count", SQ_INT64, t->leaf_count, n),
    sqi_array_of("sorted_cell_order", SQ_INT64, tree->order, t->item_count),
  };
  sqi_container_content content = { SQI_CLASS_BVH, arrays, 7, NULL, 0, NULL, 0 };
  sqi_phase(context, "Saving BVH", 0.0, 1.0);
  return sqi_container_save(context, folder, &content);
}

static sq_status open_tree(sq_context* context, const char* folder, sq_bvh* bvh)
{
  sqi_container* c = NULL;
  sq_status s = sqi_container_open(context, folder, SQI_CLASS_BVH, &c);
  if (s != SQ_OK)
  {
    return s;
  }
  bvh->tree.mapping = c;
  bvh->tree.unmap = sqi_unmap_container;
  s = sqi_tree_open(context, &bvh->tree, "sorted_cell_order", 1);
  s = s == SQ_OK ? sqi_need_no_more(context, c, 7, NULL) : s;
  return s == SQ_OK ? sqi_candidate_index_of_tree(context, &bvh->tree, &bvh->index) : s;
}

sq_status sq_bvh_open(sq_context* context, const char* folder, sq_bvh** bvh)
{
  if (bvh)
  {
    *bvh = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!bvh || !folder)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "open BVH: no %s given", bvh ? "folder" : "output");
  }
  sq_bvh* b = NULL;
  sqi_phase(context, "Opening BVH", 0.0, 1.0);
  sq_status s = sqi_handle_new(context, sizeof(*b), (void**)&b);
  s = s == SQ_OK ? open_tree(context, folder, b) : s;
  if (s != SQ_OK)
  {
    sq_bvh_destroy(b);
    b = NULL;
  }
  *bvh = b;
  return s;
}
