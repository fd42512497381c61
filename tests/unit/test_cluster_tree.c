/** The cluster tree: the reference's values, and what must hold of every tree. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sq_cluster_tree* build(
  sq_context* context, const sq_points* points, int64_t leaf_size, sq_cluster_tree_view* view)
{
  sq_cluster_tree_options o = sq_cluster_tree_options_default();
  o.leaf_size = leaf_size;
  sq_cluster_tree* tree = NULL;
  CHECK_STATUS(sq_cluster_tree_build(context, points, NULL, &o, &tree), SQ_OK);
  memset(view, 0, sizeof(*view));
  CHECK_STATUS(sq_cluster_tree_get_view(tree, view), SQ_OK);
  return tree;
}

typedef struct golden_tree
{
  int64_t count;
  int32_t dimension;
  int64_t leaf_size;
  int64_t nodes;
  int32_t depth;
  uint64_t order, left, start, box_min, diameter2;
} golden_tree;

static void golden(void)
{
  const golden_tree golden[] = {
    { 7, 3, 2, 7, 2, 0xd3734fb89af9a622, 0x2c59eef4292e7da2, 0x061a3f69ce0c4361, 0xd9dff992385eed20,
      0xd2e206fb2cdac717 },
    { 100, 3, 1, 199, 7, 0x503169f929e8df85, 0x6c73fabb6bf6af32, 0xa24ee6b1be1cf3a7,
      0xb1e2a78133562410, 0xea21d1308aeecb2a },
    { 100, 3, 4, 63, 5, 0x503169f929e8df85, 0x6fc25dc4f50bb87a, 0xaef008322b1ea9f7,
      0x58829c29ddec1c90, 0xc82fa3607b4422e5 },
    { 100, 2, 4, 63, 5, 0x46a848dedb7a4245, 0x6fc25dc4f50bb87a, 0xaef008322b1ea9f7,
      0x4c95f55980c8f526, 0x05f347b99a5f69cc },
    { 100, 1, 4, 63, 5, 0x5e0a9ac5e13c68a5, 0x6fc25dc4f50bb87a, 0xaef008322b1ea9f7,
      0xb3e106bacd09ec52, 0x8587020fde4c2fa1 },
  };
  const int threads[] = { 1, 2, 7 };
  for (int i = 0; i < 15; ++i)
  {
    const golden_tree* g = golden + i % 5;
    sq_context* c = sqt_context(threads[i / 5], NULL, NULL);
    sq_points p = sqt_golden_points(1, SQ_FLOAT32, g->count, g->dimension);
    sq_cluster_tree_view v;
    sq_cluster_tree* tree = build(c, &p, g->leaf_size, &v);
    CHECK_INT(v.node_count, g->nodes);
    CHECK_INT(v.max_depth, g->depth);
    CHECK_INT(v.skipped_points, 0);
    CHECK_HASH(SQT_HASH(v.sorted_source_order, v.point_count), g->order);
    CHECK_HASH(SQT_HASH(v.node_left_child, v.node_count), g->left);
    CHECK_HASH(SQT_HASH(v.node_range_start, v.node_count), g->start);
    CHECK_HASH(sqt_hash(v.node_aabb_min, v.node_count * v.dimension * 4), g->box_min);
    CHECK_HASH(sqt_hash(v.node_diameter_sq, v.node_count * 4), g->diameter2);
    CHECK_SAME((const float*)v.source_points, (const float*)p.data, p.count * p.dimension);
    sq_cluster_tree_destroy(tree);
    free((void*)(uintptr_t)p.data);
    sq_context_destroy(c);
  }
}

/** The worked example of the folder layout: every array written out. */
static void three_points(void)
{
  const float x[] = { 1, 0, 0.25f, 0.5f, 0, 0 }, areas[] = { 1, 2, 3 };
  const float lo[] = { 0, 0, 0, 0, 0.25f, 0, 1, 0, 0.25f, 0.5f };
  const float hi[] = { 1, 0.5f, 0, 0, 1, 0.5f, 1, 0, 0.25f, 0.5f };
  const float diameter2[] = { 1.25f, 0, 0.8125f, 0, 0 }, area[] = { 6, 3, 3, 1, 2 };
  const int64_t order[] = { 2, 0, 1 }, leaf_start[] = { -1, 0, -1, 1, 2 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points p = { x, 3, SQ_FLOAT32, 2 };
  sq_cluster_tree* tree = NULL;
  sq_cluster_tree_view v;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, areas, NULL, &tree), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(tree, &v), SQ_OK);
  REQUIRE(v.node_count == 5 && v.max_depth == 2 && v.type == SQ_FLOAT32 && v.dimension == 2);
  CHECK_SAME((const float*)v.node_aabb_min, lo, 10);
  CHECK_SAME((const float*)v.node_aabb_max, hi, 10);
  CHECK_SAME((const float*)v.node_diameter_sq, diameter2, 5);
  CHECK_SAME((const float*)v.node_total_area, area, 5);
  CHECK_SAME(v.sorted_source_order, order, 3);
  CHECK_SAME(v.leaf_start, leaf_start, 5);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "golden", golden },
  { "three points", three_points },
};
SQT_MAIN(cases)
