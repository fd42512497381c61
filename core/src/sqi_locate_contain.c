#include "sqi_locate_search.h"
#include "sqi_mesh_index_leaf.h"
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

/**
 * The query box of a search by tolerance, and what node boxes are widened by besides: `relative` times the sum of their
 * extents, which is at least the diagonal of any cell in them.
 */
typedef struct contain_query
{
  float lo[3];
  float hi[3];
  float q[3];
  float error;
  float pad;
  float relative;
} contain_query;

static contain_query contain_query_of(const sqi_locate_rules* rules, const double x[3])
{
  contain_query q;
  const sqi_frame* frame = &rules->index->bvh.frame;
  double lo[3], hi[3];
  /* A cell's largest coordinate is at most that of the query, its own diagonal and the tolerance. */
  double ulp = rules->floor_ulp_max;
  double largest = sqk_cell_max_abs(x, 3);
  double pad = 1.01 * ulp * largest;
  double relative = 1.01 * ulp;
  if (rules->options.tolerance_type == SQ_TOLERANCE_RELATIVE)
  {
    relative += rules->options.tolerance;
  }
  else
  {
    pad += 1.01 * rules->options.tolerance;
  }
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = x[d] - pad;
    hi[d] = x[d] + pad;
  }
  sqi_bvh_query_box(frame, lo, hi, q.lo, q.hi);
  for (int d = 0; d < 3; ++d)
  {
    /* For the rounding of widened boxes, whose coordinates are about 1. */
    q.lo[d] -= 0x1p-22f;
    q.hi[d] += 0x1p-22f;
  }
  sqi_frame_local(frame, x, lo);
  for (int d = 0; d < 3; ++d)
  {
    /* Cut off as the query box is: what is farther is near no box. */
    q.q[d] = (float)fmin(fmax(lo[d], -4.0), 4.0);
  }
  q.error = sqi_mesh_leaf_error(q.q);
  q.pad = sqi_mesh_leaf_distance(pad * frame->scale);
  q.relative = relative < 0x1p60 ? sqi_round_up(relative * 1.001) : 0x1p60f;
  return q;
}

/** Bit k: child k's box, widened, meets the query. `margin`: how far from it a cell of the child may be. */
static unsigned contain_overlap(
  const sqi_bvh_node* node, const contain_query* q, float margin[SQI_BVH_WIDTH])
{
  sqi_f8 lo[3], hi[3];
  sqi_f8 extent = sqi_set8(0.0f);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = sqi_load8(node->lo[d]);
    hi[d] = sqi_load8(node->hi[d]);
    extent += hi[d] - lo[d];
  }
  sqi_f8 widen = extent * sqi_set8(q->relative);
  sqi_store8(margin, widen + sqi_set8(q->pad));
  sqi_i8 hit = (lo[0] - widen <= sqi_set8(q->hi[0])) & (hi[0] + widen >= sqi_set8(q->lo[0]));
  for (int d = 1; d < 3; ++d)
  {
    hit &= (lo[d] - widen <= sqi_set8(q->hi[d])) & (hi[d] + widen >= sqi_set8(q->lo[d]));
  }
  return sqi_mask8(hit) & ((1u << node->child_count) - 1u);
}

/** Numbers of the cells at the best rank so far; rank 0 inside, 1 within tolerance, 2 none yet. */
typedef struct contain_state
{
  const sqi_locate_rules* rules;
  const double* x;
  const sqi_mesh_scratch* scratch;
  int32_t* list;
  sqi_locate_answer* answer;
  int rank;
} contain_state;

static void contain_keep(contain_state* s, const sqi_mesh_cell* cell, double distance)
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
    contain_keep(s, &cell, hit.distance / scale);
  }
}

void CONTAINING(const sqi_locate_rules* rules, const double x[3], const sqi_mesh_scratch* scratch,
  int32_t* list, sqi_locate_answer* answer)
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
  contain_state s = { rules, x, scratch, list, answer, 2 };
  contain_query q = contain_query_of(rules, x);
  stack[top++] = 0;
  while (top)
  {
    const sqi_bvh_node* node = bvh->nodes + stack[--top];
    float margin[SQI_BVH_WIDTH];
    ++answer->nodes_visited;
    for (unsigned mask = contain_overlap(node, &q, margin); mask; mask &= mask - 1)
    {
      int k = __builtin_ctz(mask);
      if (!node->count[k])
      {
        stack[top++] = node->child[k];
        continue;
      }
      const sqi_mesh_leaf* leaf = rules->index->leaves + node->child[k];
      unsigned hits =
        sqi_mesh_leaf_filter(leaf, q.q, q.error, margin[k]) & ((1u << node->count[k]) - 1u);
      for (; hits; hits &= hits - 1)
      {
        contain_test(&s, leaf->number[__builtin_ctz(hits)]);
      }
    }
  }
}
