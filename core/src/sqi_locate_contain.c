#include "sqi_locate_overlap.h"
#include "sqi_view.h"

#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define CONTAINING JOIN(sqi_locate_containing_, SQI_LEVEL)

static int box_holds(const sqi_mesh_cell* cell, const double x[3], double pad)
{
  int holds = 1;
  for (int d = 0; d < 3; ++d)
  {
    holds &= x[d] >= cell->lo[d] - pad && x[d] <= cell->hi[d] + pad;
  }
  return holds;
}

/** Numbers of the cells at the best rank so far. */
typedef struct contain_state
{
  const sqi_locate_rules* rules;
  const double* x;
  const sqi_mesh_scratch* scratch;
  int32_t* list;
  sqi_locate_answer* answer;
  int rank;
} contain_state;

static void contain_keep(
  contain_state* s, const sqi_mesh_cell* cell, const sqk_cell_hit* hit, double distance)
{
  int32_t number = cell->number;
  int rank = distance > 0.0;
  if (rank > s->rank)
  {
    return;
  }
  if (rank < s->rank)
  {
    s->rank = rank;
    s->answer->count = 0;
    s->answer->weight_count = 0;
    s->answer->number = -1;
  }
  if (s->list)
  {
    int32_t at = s->answer->count;
    while (at > 0 && sqi_mesh_before(s->rules->index, number, s->list[at - 1]))
    {
      s->list[at] = s->list[at - 1];
      --at;
    }
    s->list[at] = number;
  }
  ++s->answer->count;
  s->answer->weight_count += sqk_cell_weight_count(cell->type, cell->count);
  if (s->answer->number < 0 || sqi_mesh_before(s->rules->index, number, s->answer->number))
  {
    s->answer->number = number;
    s->answer->distance = distance;
    s->answer->plain = hit->plain;
    sqk_set3(hit->r, s->answer->r);
  }
}

static void contain_test(contain_state* s, int32_t number)
{
  sqi_mesh_cell cell;
  sqk_cell view;
  sqk_cell_hit hit;
  double scale;
  ++s->answer->cells_tested;
  sqi_mesh_cell_read(s->rules->index, number, s->scratch->points, &cell);
  double tolerance = sqi_locate_tolerance(s->rules, &cell);
  if (!sqk_shape_is_curved(cell.type) && !box_holds(&cell, s->x, tolerance))
  {
    return;
  }
  sqi_mesh_cell_view(s->rules->index, &cell, s->x, s->scratch->local, &view, &scale);
  if (sqk_cell_find(&view, sqi_locate_fuzz(&cell) * scale, tolerance * scale, &hit, NULL))
  {
    contain_keep(s, &cell, &hit, hit.distance / scale);
  }
}

void CONTAINING(const sqi_locate_rules* rules, const double x[3], const sqi_mesh_scratch* scratch,
  int32_t* list, int worst, sqi_locate_answer* answer)
{
  const sqi_bvh* bvh = &rules->index->bvh;
  int32_t stack[SQI_BVH_STACK];
  int top = 0;
  memset(answer, 0, sizeof(*answer));
  answer->number = -1;
  if (!bvh->node_count)
  {
    return;
  }
  contain_state s = { rules, x, scratch, list, answer, worst };
  sqi_overlap q = sqi_overlap_of(rules, x, x);
  double at[3];
  float local[3];
  sqi_frame_local(&bvh->frame, x, at);
  for (int d = 0; d < 3; ++d)
  {
    local[d] = sqi_overlap_local(at[d]);
  }
  float error = sqi_mesh_leaf_error(local);
  stack[top++] = 0;
  while (top)
  {
    const sqi_bvh_node* node = bvh->nodes + stack[--top];
    float margin[SQI_BVH_WIDTH];
    ++answer->nodes_visited;
    for (unsigned mask = sqi_overlap_children(node, &q, margin); mask; mask &= mask - 1)
    {
      int k = __builtin_ctz(mask);
      if (!node->count[k])
      {
        stack[top++] = node->child[k];
        continue;
      }
      const sqi_mesh_leaf* leaf = rules->index->leaves + node->child[k];
      unsigned hits =
        sqi_mesh_leaf_filter(leaf, local, error, margin[k]) & ((1u << node->count[k]) - 1u);
      for (; hits; hits &= hits - 1)
      {
        contain_test(&s, leaf->number[__builtin_ctz(hits)]);
      }
    }
  }
}
