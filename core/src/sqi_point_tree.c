#include "sqi_point_tree.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

/** Nodes of one chunk. */
#define CHUNK 64

typedef struct packing
{
  const sq_points* points;
  int64_t first;
  sqi_point_tree* tree;
  int32_t level;
} packing;

/** Copies the points of a group, and writes its box to child k of a node. */
static void pack_group(const packing* p, int64_t g, sqi_point_node* node, int k)
{
  const sqi_point_tree* tree = p->tree;
  sqi_point_group* group = tree->groups + g;
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int lane = 0; lane < SQI_POINT_WIDTH; ++lane)
  {
    double x[3] = { (double)NAN, (double)NAN, (double)NAN };
    int64_t place = g * SQI_POINT_WIDTH + lane;
    if (place < tree->count)
    {
      sqi_point(p->points, p->first + sqi_point_at(tree, place), x);
    }
    int finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
    for (int d = 0; d < 3; ++d)
    {
      double at = finite ? x[d] : (double)NAN;
      group->x[d][lane] = at;
      lo[d] = at < lo[d] ? at : lo[d];
      hi[d] = at > hi[d] ? at : hi[d];
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    node->lo[d][k] = lo[d] <= hi[d] ? lo[d] : (double)NAN;
    node->hi[d][k] = lo[d] <= hi[d] ? hi[d] : (double)NAN;
  }
}

/** Has the points of a node of level 0 near at hand: they lie anywhere. */
static void fetch_points(const packing* p, int64_t node)
{
  const sqi_point_tree* tree = p->tree;
  size_t bytes = 3 * sq_type_bytes(p->points->type);
  int64_t begin = node * SQI_POINT_WIDTH * SQI_POINT_WIDTH;
  int64_t end = begin + SQI_POINT_WIDTH * SQI_POINT_WIDTH;
  for (int64_t place = begin; place < end && place < tree->count; ++place)
  {
    int64_t point = p->first + sqi_point_at(tree, place);
    __builtin_prefetch((const char*)p->points->data + (size_t)point * bytes);
  }
}

/** The box of a node as child k of another. */
static void pack_node(const sqi_point_node* from, sqi_point_node* node, int k)
{
  for (int d = 0; d < 3; ++d)
  {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < SQI_POINT_WIDTH; ++i)
    {
      lo = from->lo[d][i] < lo ? from->lo[d][i] : lo;
      hi = from->hi[d][i] > hi ? from->hi[d][i] : hi;
    }
    node->lo[d][k] = lo <= hi ? lo : (double)NAN;
    node->hi[d][k] = lo <= hi ? hi : (double)NAN;
  }
}

static sq_status pack_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const packing* p = (const packing*)data;
  const sqi_point_tree* tree = p->tree;
  int32_t level = p->level;
  int64_t below = level ? tree->level_size[level - 1] : tree->group_count;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_point_node* node = tree->nodes + tree->level[level] + i;
    if (!level)
    {
      fetch_points(p, i + 1);
    }
    for (int k = 0; k < SQI_POINT_WIDTH; ++k)
    {
      int64_t child = i * SQI_POINT_WIDTH + k;
      if (child >= below)
      {
        for (int d = 0; d < 3; ++d)
        {
          node->lo[d][k] = node->hi[d][k] = (double)NAN;
        }
      }
      else if (level)
      {
        pack_node(tree->nodes + tree->level[level - 1] + child, node, k);
      }
      else
      {
        pack_group(p, child, node, k);
      }
    }
  }
  return SQ_OK;
}

static void lay_levels(int64_t count, sqi_point_tree* tree)
{
  int64_t size = (count - 1) / SQI_POINT_WIDTH + 1;
  tree->count = count;
  tree->group_count = size;
  do
  {
    size = (size - 1) / SQI_POINT_WIDTH + 1;
    tree->level[tree->level_count] = tree->node_count;
    tree->level_size[tree->level_count++] = size;
    tree->node_count += size;
  } while (size > 1);
}

sq_status sqi_point_tree_build(
  sq_context* context, const sq_points* points, int64_t first, int64_t count, sqi_point_tree* tree)
{
  memset(tree, 0, sizeof(*tree));
  lay_levels(count, tree);
  packing p = { points, first, tree, 0 };
  sqi_stages stages = sqi_stages_begin(context);
  sqi_stage(context, &stages, 0.0, 0.5);
  sq_status status = SQI_NEW(context, &tree->places, count);
  status = status == SQ_OK ? sqi_point_order(context, points, first, count, tree->places) : status;
  status = status == SQ_OK ? SQI_NEW(context, &tree->groups, tree->group_count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &tree->nodes, tree->node_count) : status;
  sqi_stage(context, &stages, 0.5, 1.0);
  for (; p.level < tree->level_count && status == SQ_OK; ++p.level)
  {
    status = sqi_parallel_for(context, tree->level_size[p.level], CHUNK, pack_body, &p);
  }
  sqi_stage(context, &stages, 0.0, 1.0);
  return status;
}

void sqi_point_tree_release(sq_context* context, sqi_point_tree* tree)
{
  SQI_FREE(context, tree->groups, tree->group_count);
  SQI_FREE(context, tree->places, tree->count);
  SQI_FREE(context, tree->nodes, tree->node_count);
  memset(tree, 0, sizeof(*tree));
}
