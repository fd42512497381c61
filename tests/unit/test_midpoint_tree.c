/** The topology of the reference trees against its description. */
#include "sq_test.h"
#include "sqt_sweep.h"
#include "sqt_tree.h"

#include "sqi_midpoint_tree.h"

#include <stdint.h>

static void check_tree(sq_context* context, int64_t items, int64_t leaf_size)
{
  sqi_midpoint_tree t;
  CHECK_STATUS(sqi_midpoint_tree_build(context, items, leaf_size, &t), SQ_OK);
  sqt_check_topology(items, leaf_size, t.node_count, t.max_depth, t.left_child, t.right_child,
    t.leaf_start, t.leaf_count, t.range_start, t.range_count);
  int64_t wrong = 0;
  for (int32_t l = 0; l <= t.max_depth; ++l)
  {
    for (int64_t n = t.level_begin[l]; n < t.level_begin[l + 1]; ++n)
    {
      wrong += t.left_child[n] >= 0 &&
        (t.left_child[n] < t.level_begin[l + 1] || t.right_child[n] >= t.level_begin[l + 2]);
    }
  }
  CHECK(!wrong && t.level_begin[items ? t.max_depth + 1 : 0] == t.node_count);
  sqi_midpoint_tree_release(&t);
}

static void example(void)
{
  const int64_t left[] = { 1, 3, 5, -1, 9, 7, 11, -1, -1, -1, -1, -1, -1 };
  const int64_t right[] = { 2, 4, 6, -1, 10, 8, 12, -1, -1, -1, -1, -1, -1 };
  const int64_t start[] = { 0, 0, 3, 0, 1, 3, 5, 3, 4, 1, 2, 5, 6 };
  const int64_t count[] = { 7, 3, 4, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sqi_midpoint_tree t;
  CHECK_STATUS(sqi_midpoint_tree_build(c, 7, 1, &t), SQ_OK);
  REQUIRE(t.node_count == 13);
  CHECK_SAME(t.left_child, left, 13);
  CHECK_SAME(t.right_child, right, 13);
  CHECK_SAME(t.range_start, start, 13);
  CHECK_SAME(t.range_count, count, 13);
  sqi_midpoint_tree_release(&t);

  CHECK_STATUS(sqi_midpoint_tree_build(c, 10, 3, &t), SQ_OK);
  REQUIRE(t.node_count == 7);
  const int64_t ids[] = { 3, 5, 4, 6 }, starts[] = { 0, 5, 2, 7 }, sizes[] = { 2, 2, 3, 3 };
  for (int i = 0; i < 4; ++i)
  {
    CHECK_INT(t.leaf_start[ids[i]], starts[i]);
    CHECK_INT(t.leaf_count[ids[i]], sizes[i]);
  }
  sqi_midpoint_tree_release(&t);
  sq_context_destroy(c);
}

static void small(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int64_t items = 0; items <= 260; ++items)
  {
    for (int64_t leaf_size = 1; leaf_size <= 9; ++leaf_size)
    {
      check_tree(c, items, leaf_size);
    }
    check_tree(c, items, items + 1);
    check_tree(c, items, INT64_MAX);
  }
  sq_context_destroy(c);
}

static void large(void)
{
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sqt_memory memory = { 0 };
    sq_context* c = sqt_context(threads, &memory, NULL);
    for (int64_t items = (1 << 17) - 1; items <= (1 << 17) + 1; ++items)
    {
      check_tree(c, items, 1);
      check_tree(c, items, 2);
      check_tree(c, items, 100);
    }
    check_tree(c, 200003, 1);
    sq_context_destroy(c);
    sqt_memory_is_clean(&memory);
  }
}

static sq_status build(sq_context* context, void* data)
{
  (void)data;
  sqi_midpoint_tree t;
  sq_status status = sqi_midpoint_tree_build(context, 50000, 1, &t);
  CHECK(status == SQ_OK || (!t.left_child && !t.range_count && t.node_count == 0));
  sqi_midpoint_tree_release(&t);
  return status;
}

static void sweeps(void)
{
  sqt_sweep_memory("topology", build, NULL, 6);
  sqt_sweep_cancel("topology", build, NULL, 17);
}

static const sqt_case cases[] = {
  { "example", example },
  { "small", small },
  { "large", large },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
