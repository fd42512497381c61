#include "sqt_tree_use.h"
#include "sq_test.h"

#include "spatialqueries/sq_plan_evaluate.h"

#include <stdlib.h>

const char* const sqt_saved_files[SQT_SAVED_FILES] = { "meta.json", "_tensordict/meta.json",
  "_tensordict/node_source_data/meta.json", "_tensordict/node_source_data/pressure.memmap",
  "_tensordict/node_source_data/wall%20shear.memmap", "_tensordict/node_centroid.memmap",
  "_tensordict/node_aabb_min.memmap", "_tensordict/node_aabb_max.memmap",
  "_tensordict/node_left_child.memmap", "_tensordict/node_right_child.memmap",
  "_tensordict/leaf_start.memmap", "_tensordict/leaf_count.memmap",
  "_tensordict/sorted_cell_order.memmap", "_tensordict/sorted_source_order.memmap",
  "_tensordict/source_points.memmap", "_tensordict/node_diameter_sq.memmap",
  "_tensordict/node_total_area.memmap", "_tensordict/node_range_start.memmap",
  "_tensordict/node_range_count.memmap", "_tensordict/max_depth.memmap",
  "_tensordict/near_target_ids.memmap", "_tensordict/near_source_ids.memmap",
  "_tensordict/nf_source_node_ids.memmap", "_tensordict/fn_source_ids.memmap",
  "_tensordict/fn_broadcast_starts.memmap", "_tensordict/fn_broadcast_counts.memmap",
  "_tensordict/fn_broadcast_targets.memmap", "_tensordict/far_target_node_ids.memmap" };

static void use_bvh(sq_context* c, const sq_bvh* bvh)
{
  sq_bvh_view v;
  sq_bvh_statistics statistics;
  CHECK_STATUS(sq_bvh_get_view(bvh, &v), SQ_OK);
  CHECK_STATUS(sq_bvh_measure(c, bvh, &statistics, NULL, NULL), SQ_OK);
  CHECK_INT(statistics.depth, v.max_depth);
  sq_points q = sqt_random_points(5, SQ_FLOAT32, 20, v.dimension, -1.0, 4.0);
  sq_lists* lists = NULL;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, &lists, NULL), SQ_OK);
  sq_lists_destroy(lists);
  free((void*)(uintptr_t)q.data);
}

static void use_tree(sq_context* c, const sq_cluster_tree* tree)
{
  sq_cluster_tree_view v;
  sq_bvh_statistics statistics;
  CHECK_STATUS(sq_cluster_tree_get_view(tree, &v), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_measure(c, tree, &statistics, NULL, NULL), SQ_OK);
  CHECK_INT(statistics.depth, v.max_depth);
  sq_aggregates* aggregates = NULL;
  CHECK_STATUS(sq_aggregates_build(c, tree, NULL, SQ_FLOAT32, NULL, 0, 0, &aggregates), SQ_OK);
  sq_aggregates_destroy(aggregates);
}

static double sum_of(const void* data, sq_type type, int64_t count)
{
  double sum = 0.0;
  for (int64_t i = 0; i < count; ++i)
  {
    sum += type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
  }
  return sum;
}

static void use_aggregates(const sq_aggregates* a)
{
  sq_aggregates_view v;
  CHECK_STATUS(sq_aggregates_get_view(a, &v), SQ_OK);
  double sum = sum_of(v.node_centroid, v.type, v.node_count * v.dimension);
  for (int32_t f = 0; f < v.field_count; ++f)
  {
    CHECK(v.fields[f].components > 0 && v.fields[f].name);
    sum += sum_of(v.fields[f].data, v.fields[f].type, v.node_count * v.fields[f].components);
  }
  CHECK(sum == sum || sum != sum);
}

/** Ids that are none of the trees are found when both are there; what passes is evaluated. */
static void use_plan(sq_context* c, const sq_plan* plan)
{
  sq_plan_view v;
  sq_points p = sqt_golden_points(1, SQ_FLOAT32, 7, 3);
  sq_cluster_tree_options o = { 2, SQ_NON_FINITE_REJECT };
  sq_cluster_tree* tree = NULL;
  sq_aggregates* aggregates = NULL;
  double potential[7];
  CHECK_STATUS(sq_plan_get_view(plan, &v), SQ_OK);
  CHECK_STATUS(sq_plan_validate(c, &v, NULL, NULL), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_OK);
  CHECK_STATUS(sq_aggregates_build(c, tree, NULL, SQ_FLOAT32, NULL, 0, 0, &aggregates), SQ_OK);
  sq_plan_field field = { sq_kernel_default(), NULL, SQ_FLOAT32, aggregates, NULL };
  sq_status s = sq_plan_evaluate_stored(c, &v, tree, tree, &field, potential);
  CHECK(s == SQ_OK || s == SQ_INVALID_DATA);
  s = sq_plan_validate(c, &v, tree, tree);
  CHECK(s == SQ_OK || s == SQ_INVALID_DATA);
  sq_aggregates_destroy(aggregates);
  sq_cluster_tree_destroy(tree);
  free((void*)(uintptr_t)p.data);
}

void sqt_any_use(sq_context* c, const sqt_any* any)
{
  switch (any->structure)
  {
    case SQT_BVH:
      use_bvh(c, any->bvh);
      break;
    case SQT_CLUSTER_TREE:
      use_tree(c, any->tree);
      break;
    case SQT_AGGREGATES:
      use_aggregates(any->aggregates);
      break;
    default:
      use_plan(c, any->plan);
  }
}
