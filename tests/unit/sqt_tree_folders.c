#include "sqt_tree_folders.h"

#include "sq_test.h"

#include <stdlib.h>
#include <string.h>

/* From release 2.2.2 of the reference; tests/interop/reference_folders.py computes them again where it is installed. */
const sqt_saved sqt_saved_folders[SQT_SAVED_COUNT] = {
  { "worked", SQT_CLUSTER_TREE, 0xbfc394fb1b20024c },
  { "seven", SQT_CLUSTER_TREE, 0xad851787e2589fb1 },
  { "hundred32", SQT_CLUSTER_TREE, 0xc04c01c1fe1e797e },
  { "hundred64", SQT_CLUSTER_TREE, 0x4882191760bc42a2 },
  { "line", SQT_CLUSTER_TREE, 0xf3233f3194777690 },
  { "one", SQT_CLUSTER_TREE, 0x34b9a09f826dfbfc },
  { "none", SQT_CLUSTER_TREE, 0x46b2fb6d798105a7 },
  { "bvh_kuhn", SQT_BVH, 0xc7dc07217756f810 },
  { "bvh_kuhn1", SQT_BVH, 0x201ffe8aeef64f94 },
  { "bvh_none", SQT_BVH, 0x937c8b4a1e04ea6c },
  { "agg_plain", SQT_AGGREGATES, 0x1baa449783f6a9c7 },
  { "agg_fields", SQT_AGGREGATES, 0x4fd47b9b6b51f926 },
  { "plan_seven", SQT_PLAN, 0xa9c4a0050fcef88a },
  { "plan_none", SQT_PLAN, 0x1b494416bf495725 },
};

static void free_data(const void* data)
{
  free((void*)(uintptr_t)data);
}

/** The cluster tree of `count` points of seed 1. */
static sq_status seed_tree(sq_context* context, sq_type type, int64_t count, int32_t dimension,
  int64_t leaf_size, sq_cluster_tree** tree)
{
  sq_cluster_tree_options o = sq_cluster_tree_options_default();
  o.leaf_size = leaf_size;
  sq_points p = sqt_golden_points(1, type, count, dimension);
  sq_status s = sq_cluster_tree_build(context, &p, NULL, &o, tree);
  free_data(p.data);
  return s;
}

static sq_status worked_tree(sq_context* context, sq_cluster_tree** tree)
{
  const float x[] = { 1, 0, 0.25f, 0.5f, 0, 0 };
  const float areas[] = { 1, 2, 3 };
  sq_points p = { x, 3, SQ_FLOAT32, 2 };
  return sq_cluster_tree_build(context, &p, areas, NULL, tree);
}

static sq_status save_tree(sq_context* context, int which, const char* folder)
{
  sq_cluster_tree* tree = NULL;
  sq_status s = SQ_OK;
  switch (which)
  {
    case 0:
      s = worked_tree(context, &tree);
      break;
    case 1:
      s = seed_tree(context, SQ_FLOAT32, 7, 3, 2, &tree);
      break;
    case 2:
    case 3:
      s = seed_tree(context, which == 2 ? SQ_FLOAT32 : SQ_FLOAT64, 100, 3, 4, &tree);
      break;
    case 4:
      s = seed_tree(context, SQ_FLOAT32, 100, 1, 4, &tree);
      break;
    default:
      s = seed_tree(context, SQ_FLOAT32, which == 5, 3, 1, &tree);
  }
  s = s == SQ_OK ? sq_cluster_tree_save(context, tree, folder) : s;
  sq_cluster_tree_destroy(tree);
  return s;
}

static sq_status save_bvh(sq_context* context, int which, const char* folder)
{
  sq_bvh* bvh = NULL;
  sq_bvh_options o = sq_bvh_options_default();
  o.leaf_size = which == 7 ? 3 : 1;
  sqt_simplices mesh = sqt_kuhn(3);
  mesh.cells.count = which == 9 ? 0 : mesh.cells.count;
  sq_status s = sq_bvh_build(context, &mesh.cells, 1, &o, &bvh);
  s = s == SQ_OK ? sq_bvh_save(context, bvh, folder) : s;
  sq_bvh_destroy(bvh);
  sqt_simplices_free(&mesh);
  return s;
}

static sq_status save_aggregates(sq_context* context, int which, const char* folder)
{
  sq_cluster_tree* tree = NULL;
  sq_aggregates* aggregates = NULL;
  sq_points areas = sqt_golden_points(9, SQ_FLOAT32, 7, 1);
  sq_points pressure = sqt_golden_points(5, SQ_FLOAT32, 7, 1);
  sq_points shear = sqt_golden_points(6, SQ_FLOAT64, 7, 3);
  sq_points density = sqt_golden_points(7, SQ_FLOAT32, 7, 1);
  const sq_aggregate_field fields[] = { { "pressure", pressure.data, SQ_FLOAT32, 1 },
    { "wall shear", shear.data, SQ_FLOAT64, 3 },
    { "\xcf\x81/\xcf\x81\xe2\x88\x9e", density.data, SQ_FLOAT32, 1 } };
  sq_status s = seed_tree(context, SQ_FLOAT32, 7, 3, 2, &tree);
  if (s == SQ_OK)
  {
    s = sq_aggregates_build(
      context, tree, areas.data, SQ_FLOAT32, fields, which == 10 ? 0 : 3, 0, &aggregates);
  }
  s = s == SQ_OK ? sq_aggregates_save(context, aggregates, folder) : s;
  sq_aggregates_destroy(aggregates);
  sq_cluster_tree_destroy(tree);
  free_data(areas.data);
  free_data(pressure.data);
  free_data(shear.data);
  free_data(density.data);
  return s;
}

/** The plan of seven points with themselves, or of none with them. */
static sq_status save_plan(sq_context* context, int which, const char* folder)
{
  sq_cluster_tree* seven = NULL;
  sq_cluster_tree* none = NULL;
  sq_plan* plan = NULL;
  sq_plan_options o = sq_plan_options_default();
  o.theta = 2.0;
  sq_status s = seed_tree(context, SQ_FLOAT32, 7, 3, 2, &seven);
  s = s == SQ_OK ? seed_tree(context, SQ_FLOAT32, 0, 3, 1, &none) : s;
  s = s == SQ_OK ? sq_plan_build(context, which == 12 ? seven : none, seven, &o, &plan) : s;
  s = s == SQ_OK ? sq_plan_save(context, plan, folder) : s;
  sq_plan_destroy(plan);
  sq_cluster_tree_destroy(none);
  sq_cluster_tree_destroy(seven);
  return s;
}

sq_status sqt_save_folder(sq_context* context, int which, const char* folder)
{
  switch (sqt_saved_folders[which].structure)
  {
    case SQT_BVH:
      return save_bvh(context, which, folder);
    case SQT_CLUSTER_TREE:
      return save_tree(context, which, folder);
    case SQT_AGGREGATES:
      return save_aggregates(context, which, folder);
    default:
      return save_plan(context, which, folder);
  }
}

sq_status sqt_any_open(
  sq_context* context, sqt_structure structure, const char* folder, sqt_any* any)
{
  memset(any, 0, sizeof(*any));
  any->structure = structure;
  switch (structure)
  {
    case SQT_BVH:
      return sq_bvh_open(context, folder, &any->bvh);
    case SQT_CLUSTER_TREE:
      return sq_cluster_tree_open(context, folder, &any->tree);
    case SQT_AGGREGATES:
      return sq_aggregates_open(context, folder, -1, &any->aggregates);
    default:
      return sq_plan_open(context, folder, &any->plan);
  }
}

sq_status sqt_any_save(sq_context* context, const sqt_any* any, const char* folder)
{
  switch (any->structure)
  {
    case SQT_BVH:
      return sq_bvh_save(context, any->bvh, folder);
    case SQT_CLUSTER_TREE:
      return sq_cluster_tree_save(context, any->tree, folder);
    case SQT_AGGREGATES:
      return sq_aggregates_save(context, any->aggregates, folder);
    default:
      return sq_plan_save(context, any->plan, folder);
  }
}

void sqt_any_destroy(sqt_any* any)
{
  sq_bvh_destroy(any->bvh);
  sq_cluster_tree_destroy(any->tree);
  sq_aggregates_destroy(any->aggregates);
  sq_plan_destroy(any->plan);
  memset(any, 0, sizeof(*any));
}
