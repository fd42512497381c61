/**
 * The core's side of the exchange of folders with the reference (reference_folders.py).
 *   interop_folders save PARENT                    saves the structures of sqt_tree_folders.h below PARENT
 *   interop_folders show STRUCTURE FOLDER          opens one; prints the hash of every array, and of candidates of a BVH
 *   interop_folders potential PLAN TREE AGGREGATES evaluates an opened plan of a tree with itself; prints a number a target
 */
#include "spatialqueries/sq_plan_evaluate.h"
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_tree_folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sq_context* c;

static int fail(void)
{
  printf("%s\n", sq_context_message(c));
  return 1;
}

static void show(const char* name, const void* data, int64_t count, int64_t size)
{
  printf("%s %016llx\n", name, (unsigned long long)sqt_hash(data, count * size));
}

#define SHOW(view, name, count, size) show(#name, (view).name, (count), (size))

static void show_candidates(const sq_bvh* bvh)
{
  const float size[3] = { 3, 3, 3 };
  const int64_t caps[] = { -1, 1, 4, 32 };
  sq_points q = sqt_golden_queries(3, size);
  for (int i = 0; i < 4; ++i)
  {
    sq_candidate_options o = sq_candidate_options_default();
    o.limit = caps[i] >= 0;
    o.max_candidates = caps[i] >= 0 ? caps[i] : 0;
    sq_lists* lists = NULL;
    sq_lists_view v;
    if (sq_bvh_find_candidates(c, bvh, &q, &o, &lists, NULL) != SQ_OK)
    {
      fail();
      continue;
    }
    sq_lists_get_view(lists, &v);
    printf("candidates %lld %016llx %016llx\n", (long long)caps[i],
      (unsigned long long)SQT_HASH(v.offsets, v.count + 1),
      (unsigned long long)SQT_HASH(v.indices, v.offsets[v.count]));
    sq_lists_destroy(lists);
  }
  free((void*)(uintptr_t)q.data);
}

static void show_bvh(const sq_bvh* bvh)
{
  sq_bvh_view v;
  sq_bvh_get_view(bvh, &v);
  int64_t real = (int64_t)sq_type_bytes(v.type);
  SHOW(v, node_aabb_min, v.node_count * v.dimension, real);
  SHOW(v, node_aabb_max, v.node_count * v.dimension, real);
  SHOW(v, node_left_child, v.node_count, 8);
  SHOW(v, node_right_child, v.node_count, 8);
  SHOW(v, leaf_start, v.node_count, 8);
  SHOW(v, leaf_count, v.node_count, 8);
  SHOW(v, sorted_cell_order, v.cell_count, 8);
  show_candidates(bvh);
}

static void show_tree(const sq_cluster_tree* tree)
{
  sq_cluster_tree_view v;
  sq_cluster_tree_get_view(tree, &v);
  const int64_t max_depth = v.max_depth;
  int64_t real = (int64_t)sq_type_bytes(v.type);
  SHOW(v, node_aabb_min, v.node_count * v.dimension, real);
  SHOW(v, node_aabb_max, v.node_count * v.dimension, real);
  SHOW(v, node_diameter_sq, v.node_count, real);
  SHOW(v, node_left_child, v.node_count, 8);
  SHOW(v, node_right_child, v.node_count, 8);
  SHOW(v, leaf_start, v.node_count, 8);
  SHOW(v, leaf_count, v.node_count, 8);
  SHOW(v, node_range_start, v.node_count, 8);
  SHOW(v, node_range_count, v.node_count, 8);
  SHOW(v, node_total_area, v.node_count, real);
  SHOW(v, sorted_source_order, v.point_count, 8);
  SHOW(v, source_points, v.point_count * v.dimension, real);
  show("max_depth", &max_depth, 1, 8);
}

static void show_aggregates(const sq_aggregates* aggregates)
{
  sq_aggregates_view v;
  sq_aggregates_get_view(aggregates, &v);
  SHOW(v, node_centroid, v.node_count * v.dimension, (int64_t)sq_type_bytes(v.type));
  for (int32_t i = 0; i < v.field_count; ++i)
  {
    const sq_aggregate_field* f = v.fields + i;
    char name[32];
    snprintf(name, sizeof(name), "field_%d", (int)i);
    show(name, f->data, v.node_count * f->components, (int64_t)sq_type_bytes(f->type));
  }
}

static void show_plan(const sq_plan* plan)
{
  sq_plan_view v;
  sq_plan_get_view(plan, &v);
  SHOW(v, near_target_ids, v.near_count, 8);
  SHOW(v, near_source_ids, v.near_count, 8);
  SHOW(v, far_target_node_ids, v.far_count, 8);
  SHOW(v, far_source_node_ids, v.far_count, 8);
  SHOW(v, nf_target_ids, v.nf_count, 8);
  SHOW(v, nf_source_node_ids, v.nf_count, 8);
  SHOW(v, fn_target_node_ids, v.fn_count, 8);
  SHOW(v, fn_source_ids, v.fn_count, 8);
  SHOW(v, fn_broadcast_targets, v.broadcast_count, 8);
  SHOW(v, fn_broadcast_starts, v.fn_count, 8);
  SHOW(v, fn_broadcast_counts, v.fn_count, 8);
}

static int show_folder(const char* structure, const char* folder)
{
  const char* names[] = { "BVH", "ClusterTree", "SourceAggregates", "DualInteractionPlan" };
  sqt_any any;
  int which = 0;
  while (which < 3 && strcmp(names[which], structure))
  {
    ++which;
  }
  if (sqt_any_open(c, (sqt_structure)which, folder, &any) != SQ_OK)
  {
    return fail();
  }
  switch (any.structure)
  {
    case SQT_BVH:
      show_bvh(any.bvh);
      break;
    case SQT_CLUSTER_TREE:
      show_tree(any.tree);
      break;
    case SQT_AGGREGATES:
      show_aggregates(any.aggregates);
      break;
    default:
      show_plan(any.plan);
  }
  sqt_any_destroy(&any);
  return 0;
}

static int save_all(const char* parent)
{
  for (int i = 0; i < SQT_SAVED_COUNT; ++i)
  {
    char folder[SQT_PATH];
    if (sqt_save_folder(c, i, sqt_path(folder, parent, sqt_saved_folders[i].name)) != SQ_OK)
    {
      return fail();
    }
  }
  return 0;
}

/** 1 / r with strengths of seed 11. */
static int potential(const char* plan_folder, const char* tree_folder, const char* field_folder)
{
  sq_plan* plan = NULL;
  sq_cluster_tree* tree = NULL;
  sq_aggregates* aggregates = NULL;
  sq_plan_view v;
  sq_cluster_tree_view t;
  if (sq_plan_open(c, plan_folder, &plan) != SQ_OK ||
    sq_cluster_tree_open(c, tree_folder, &tree) != SQ_OK ||
    sq_aggregates_open(c, field_folder, -1, &aggregates) != SQ_OK)
  {
    return fail();
  }
  sq_plan_get_view(plan, &v);
  sq_cluster_tree_get_view(tree, &t);
  sq_points strengths = sqt_golden_points(11, SQ_FLOAT64, t.point_count, 1);
  sq_plan_field field = { sq_kernel_default(), strengths.data, SQ_FLOAT64, aggregates, NULL };
  double* phi = (double*)malloc((size_t)t.point_count * sizeof(*phi));
  int failed = sq_plan_evaluate_stored(c, &v, tree, tree, &field, phi) != SQ_OK ? fail() : 0;
  for (int64_t i = 0; i < t.point_count && !failed; ++i)
  {
    printf("%.17g\n", phi[i]);
  }
  free(phi);
  free((void*)(uintptr_t)strengths.data);
  sq_aggregates_destroy(aggregates);
  sq_cluster_tree_destroy(tree);
  sq_plan_destroy(plan);
  return failed;
}

int main(int argc, char** argv)
{
  int status = 2;
  c = sqt_context(2, NULL, NULL);
  if (argc == 3 && !strcmp(argv[1], "save"))
  {
    status = save_all(argv[2]);
  }
  else if (argc == 4 && !strcmp(argv[1], "show"))
  {
    status = show_folder(argv[2], argv[3]);
  }
  else if (argc == 5 && !strcmp(argv[1], "potential"))
  {
    status = potential(argv[2], argv[3], argv[4]);
  }
  sq_context_destroy(c);
  return status;
}
