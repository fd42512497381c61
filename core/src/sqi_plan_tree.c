#include "sqi_plan_tree.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_real.h"

#include <math.h>
#include <string.h>

#define GRAIN 8192

static uint32_t finite_of(const sq_cluster_tree_view* v, int64_t node)
{
  return (uint32_t)(v->node_finite_count ? v->node_finite_count[node] : v->node_range_count[node]);
}

static uint32_t child_or_none(const sq_cluster_tree_view* v, int64_t child)
{
  return child >= 0 && finite_of(v, child) ? (uint32_t)child : SQI_PLAN_NONE;
}

/** Children follow their parent and share out its range. */
static int is_node(const sq_cluster_tree_view* v, int64_t node)
{
  int64_t left = v->node_left_child[node];
  int64_t right = v->node_right_child[node];
  int64_t begin = v->node_range_start[node];
  int64_t count = v->node_range_count[node];
  if (begin < 0 || count < 0 || begin > v->point_count - count || finite_of(v, node) > count)
  {
    return 0;
  }
  if (left < 0)
  {
    return right < 0;
  }
  return left > node && right > node && left < v->node_count && right < v->node_count &&
    v->node_range_start[left] == begin && v->node_range_count[left] >= 0 &&
    v->node_range_start[right] == begin + v->node_range_count[left] &&
    v->node_range_count[left] + v->node_range_count[right] == count;
}

static void fill_row(sqi_plan_tree* t, int64_t node)
{
  const sq_cluster_tree_view* v = &t->view;
  double row[SQI_PLAN_ROW] = { 0 };
  for (int32_t d = 0; d < v->dimension; ++d)
  {
    row[d] = sqi_real(v->node_aabb_min, t->type, node * v->dimension + d);
    row[3 + d] = sqi_real(v->node_aabb_max, t->type, node * v->dimension + d);
  }
  row[6] = sqi_real(v->node_diameter_sq, t->type, node);
  row[7] = sqrt(row[6]);
  row[7] = v->node_left_child[node] < 0 ? -row[7] : row[7];
  for (int k = 0; k < SQI_PLAN_ROW; ++k)
  {
    sqi_set_real(t->rows, t->type, node * SQI_PLAN_ROW + k, row[k]);
  }
}

static sq_status fill_nodes(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  sqi_plan_tree* t = (sqi_plan_tree*)data;
  const sq_cluster_tree_view* v = &t->view;
  for (int64_t node = begin; node < end; ++node)
  {
    if (!is_node(v, node))
    {
      return SQ_INVALID_DATA;
    }
    t->child[2 * node] = child_or_none(v, v->node_left_child[node]);
    t->child[2 * node + 1] = child_or_none(v, v->node_right_child[node]);
    t->begin[node] = (uint32_t)v->node_range_start[node];
    t->range[node] = (uint32_t)v->node_range_count[node];
    t->finite[node] = finite_of(v, node);
    fill_row(t, node);
  }
  return SQ_OK;
}

static sq_status fill_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  sqi_plan_tree* t = (sqi_plan_tree*)data;
  const sq_cluster_tree_view* v = &t->view;
  for (int64_t p = begin; p < end; ++p)
  {
    int64_t id = v->sorted_source_order[p];
    if (id < 0 || id >= v->point_count)
    {
      return SQ_INVALID_DATA;
    }
    t->order[p] = (uint32_t)id;
    for (int32_t axis = 0; axis < 3; ++axis)
    {
      double x =
        axis < v->dimension ? sqi_real(v->source_points, t->type, id * v->dimension + axis) : 0;
      sqi_set_real(t->coordinates[axis], t->type, p, x);
      if (t->present && !sqi_is_finite(x)) /* chunks begin at multiples of 64 */
      {
        t->present[p >> 6] &= ~((uint64_t)1 << (p & 63));
      }
    }
  }
  return SQ_OK;
}

/** Depth of the nodes as they are, not as the tree says; children have larger numbers. */
static sq_status measure(sq_context* context, const char* what, sqi_plan_tree* t)
{
  uint8_t* depth = NULL;
  sq_status status = SQI_NEW(context, &depth, t->node_count);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(depth, 0, (size_t)t->node_count);
  for (int64_t node = 0; node < t->node_count && status == SQ_OK; ++node)
  {
    t->depth = depth[node] > t->depth ? depth[node] : t->depth;
    if (t->depth > SQI_PLAN_DEPTH_MAX)
    {
      status = sqi_fail(context, SQ_INVALID_DATA, "%s: the tree is deeper than %d levels", what,
        SQI_PLAN_DEPTH_MAX);
    }
    for (int k = 0; k < 2; ++k)
    {
      uint32_t child = t->child[2 * node + k];
      if (child != SQI_PLAN_NONE)
      {
        depth[child] = (uint8_t)(depth[node] + 1);
      }
    }
    if (t->view.node_left_child[node] < 0 && t->range[node] > t->leaf_max)
    {
      t->leaf_max = t->range[node];
    }
  }
  SQI_FREE(context, depth, t->node_count);
  return status;
}

static sq_status allocate(sq_context* context, sqi_plan_tree* t)
{
  size_t size = sq_type_bytes(t->type);
  sq_status status = sqi_alloc(context, t->node_count * SQI_PLAN_ROW, size, &t->rows);
  uint32_t** nodes[] = { &t->begin, &t->range, &t->finite };
  for (int k = 0; k < 3 && status == SQ_OK; ++k)
  {
    status = SQI_NEW(context, nodes[k], t->node_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &t->child, 2 * t->node_count);
  }
  for (int axis = 0; axis < 3 && status == SQ_OK; ++axis)
  {
    status = sqi_alloc(context, t->point_count + SQI_PLAN_PAD, size, &t->coordinates[axis]);
    if (status == SQ_OK)
    {
      memset((char*)t->coordinates[axis] + (size_t)t->point_count * size, 0, SQI_PLAN_PAD * size);
    }
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &t->order, t->point_count);
  }
  if (status == SQ_OK && t->view.skipped_points)
  {
    status = SQI_NEW(context, &t->present, t->point_count / 64 + 2);
  }
  if (status == SQ_OK && t->present)
  {
    memset(t->present, 0xff, (size_t)(t->point_count / 64 + 2) * sizeof(*t->present));
  }
  return status;
}

sq_status sqi_plan_tree_build(
  sq_context* context, const sq_cluster_tree* source, const char* what, sqi_plan_tree* tree)
{
  memset(tree, 0, sizeof(*tree));
  sqi_plan_tree t;
  memset(&t, 0, sizeof(t));
  sq_status status = sq_cluster_tree_get_view(source, &t.view);
  if (status != SQ_OK)
  {
    return sqi_fail(context, status, "%s: no tree", what);
  }
  t.type = t.view.type;
  t.node_count = t.view.node_count;
  t.point_count = t.view.point_count;
  t.finite_count = t.view.point_count - t.view.skipped_points;
  if (t.point_count == 0 || t.node_count == 0)
  {
    *tree = t;
    return SQ_OK;
  }
  status = allocate(context, &t);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, t.node_count, GRAIN, fill_nodes, &t);
  }
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, t.point_count, GRAIN, fill_points, &t);
  }
  if (status == SQ_INVALID_DATA)
  {
    status = sqi_fail(context, status,
      "%s: no cluster tree: children must follow their node and share out its range", what);
  }
  if (status == SQ_OK)
  {
    status = measure(context, what, &t);
  }
  if (status != SQ_OK)
  {
    sqi_plan_tree_release(context, &t);
    return status;
  }
  *tree = t;
  return SQ_OK;
}

void sqi_plan_tree_release(sq_context* context, sqi_plan_tree* t)
{
  size_t size = sq_type_bytes(t->type);
  sqi_free(context, t->rows, t->node_count * SQI_PLAN_ROW, size);
  SQI_FREE(context, t->child, 2 * t->node_count);
  SQI_FREE(context, t->begin, t->node_count);
  SQI_FREE(context, t->range, t->node_count);
  SQI_FREE(context, t->finite, t->node_count);
  for (int axis = 0; axis < 3; ++axis)
  {
    sqi_free(context, t->coordinates[axis], t->point_count + SQI_PLAN_PAD, size);
  }
  SQI_FREE(context, t->order, t->point_count);
  SQI_FREE(context, t->present, t->point_count / 64 + 2);
  memset(t, 0, sizeof(*t));
}
