#include "sqi_locate_search.h"
#include "sqi_mesh_index_leaf.h"

#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NEAREST JOIN(sqi_locate_nearest_, SQI_LEVEL)

/** Equal nearest cells that are remembered; where more meet, a second search settles the lowest of them. */
#define TIES 32

/** The query in the frame. */
typedef struct nearest_query
{
  double local[3];
  float q[3];
  float error;
  double
    unit; /* 0; far queries: what brings their coordinates to 1, and distances are taken in double */
} nearest_query;

typedef struct nearest_state
{
  const sqi_locate_rules* rules;
  const double* x;
  const sqi_mesh_scratch* scratch;
  sqi_locate_answer* answer;
  nearest_query query;
  double largest; /* coordinate of the query */
  double least; /* distance of the nearest cell so far, or the limit */
  int found;
  int count; /* cells within rounding of the least */
  int overflow;
  int32_t number[TIES];
  double distance[TIES];
} nearest_state;

static void place_query(nearest_state* s)
{
  nearest_query* q = &s->query;
  const sqi_frame* frame = &s->rules->index->bvh.frame;
  sqi_frame_local(frame, s->x, q->local);
  double largest = sqk_cell_max_abs(q->local, 3);
  /* Beyond that float distances do not hold; beyond about 2^1000 local coordinates are infinite: nothing is pruned. */
  q->unit = largest <= 0x1p40    ? 0.0
    : largest < (double)INFINITY ? sqk_cell_unit_scale(largest)
                                 : 1.0;
  sqi_bvh_query_point(frame, s->x, q->q, &q->error);
}

/** Cells at this distance are as near as the nearest so far. */
static double reach_of(const nearest_state* s)
{
  return s->least + (s->found ? sqi_locate_tie(s->largest, s->least) : 0.0);
}

/** The squared distance that a box may show, off by `error` in the frame, and still hold a cell in reach. */
static double bound_of(const nearest_state* s, float error)
{
  double reach = reach_of(s) * s->rules->index->bvh.frame.scale;
  if (s->query.unit > 0.0)
  {
    double bound = reach * s->query.unit * (1.0 + 0x1p-40) + 0x1p-44;
    return bound * bound;
  }
  return (double)sqi_bvh_bound2(reach, error);
}

/** Squared distances from the query to the children's boxes. */
static void child_distances(const nearest_state* s, const sqi_bvh_node* node, double distance2[8])
{
  const nearest_query* q = &s->query;
  float near[SQI_BVH_WIDTH];
  if (!(q->unit > 0.0))
  {
    sqi_store8(near, sqi_bvh_distance2(node, q->q));
  }
  for (int k = 0; k < node->child_count; ++k)
  {
    distance2[k] = q->unit > 0.0 ? 0.0 : (double)near[k];
    for (int d = 0; q->unit > 0.0 && d < 3; ++d)
    {
      double gap = fmax((double)node->lo[d][k] - q->local[d], q->local[d] - (double)node->hi[d][k]);
      gap = gap > 0.0 && gap < (double)INFINITY ? gap * q->unit : 0.0;
      distance2[k] += gap * gap;
    }
  }
}

/** Distance to a cell; infinite if it is more than `limit`. */
static double cell_distance(nearest_state* s, int32_t number, double limit)
{
  sqi_mesh_cell cell;
  sqk_cell view;
  sqk_cell_hit hit;
  double scale;
  ++s->answer->cells_tested;
  sqi_mesh_cell_read(s->rules->index, number, s->scratch->points, &cell);
  if (s->rules->options.nearest_by == SQ_NEAREST_CENTROID)
  {
    return sqi_locate_centroid_distance(&cell, s->x);
  }
  sqi_mesh_cell_view(s->rules->index, &cell, s->x, s->scratch->local, &view, &scale);
  view.cut = 1;
  double fuzz = sqi_locate_fuzz(&cell) * scale;
  return sqk_cell_find(&view, fuzz, fmax(limit * scale, fuzz), &hit, NULL) ? hit.distance / scale
                                                                           : (double)INFINITY;
}

/** Drops remembered cells that are out of reach by now. */
static void forget(nearest_state* s)
{
  double reach = reach_of(s);
  int kept = 0;
  for (int i = 0; i < s->count; ++i)
  {
    if (s->distance[i] <= reach)
    {
      s->number[kept] = s->number[i];
      s->distance[kept++] = s->distance[i];
    }
  }
  s->count = kept;
}

static void nearest_test(nearest_state* s, int32_t number)
{
  double distance = cell_distance(s, number, reach_of(s));
  if (!(distance <= reach_of(s)))
  {
    return;
  }
  if (!s->found || distance < s->least)
  {
    s->found = 1;
    s->least = distance;
    forget(s);
  }
  if (s->count == TIES)
  {
    s->overflow = 1;
    int high = 0;
    for (int i = 1; i < TIES; ++i)
    {
      high = sqi_mesh_before(s->rules->index, s->number[high], s->number[i]) ? i : high;
    }
    if (sqi_mesh_before(s->rules->index, s->number[high], number))
    {
      return;
    }
    s->number[high] = number;
    s->distance[high] = distance;
    return;
  }
  s->number[s->count] = number;
  s->distance[s->count++] = distance;
}

typedef struct waiting
{
  double distance2;
  int32_t child;
  int32_t cells; /* of a leaf; 0: a node */
} waiting;

/** Puts the children in reach on the stack, the nearest on top. */
static int push_children(const nearest_state* s, const sqi_bvh_node* node, waiting* stack, int top)
{
  double distance2[SQI_BVH_WIDTH];
  double bound = bound_of(s, s->query.error);
  int bottom = top;
  child_distances(s, node, distance2);
  for (int k = 0; k < node->child_count; ++k)
  {
    if (!(distance2[k] <= bound))
    {
      continue;
    }
    int at = top++;
    while (at > bottom && stack[at - 1].distance2 < distance2[k])
    {
      stack[at] = stack[at - 1];
      --at;
    }
    stack[at].distance2 = distance2[k];
    stack[at].child = node->child[k];
    stack[at].cells = node->count[k];
  }
  return top;
}

/** Of the cells in `left` the one with the least bound; one without a bound comes first. */
static int nearest_lane(const float distance2[SQI_LANES], unsigned left)
{
  int best = __builtin_ctz(left);
  for (unsigned rest = left & (left - 1); rest; rest &= rest - 1)
  {
    int lane = __builtin_ctz(rest);
    int bounded = distance2[best] >= 0.0f;
    best = bounded && !(distance2[lane] >= distance2[best]) ? lane : best;
  }
  return best;
}

/** Tests the cells of a leaf that are in reach by their bounds, the nearest first. */
static void open_leaf(nearest_state* s, const sqi_mesh_leaf* leaf, int32_t cells)
{
  unsigned left = (1u << cells) - 1u;
  float distance2[SQI_LANES] = { 0.0f };
  float error = 4.0f * sqi_mesh_leaf_error(s->query.q);
  if (!(s->query.unit > 0.0))
  {
    sqi_f8 d2 = sqi_mesh_leaf_distance2(leaf, s->query.q);
    left &= ~sqi_mask8(d2 > sqi_set8((float)bound_of(s, error)));
    sqi_store8(distance2, d2);
  }
  while (left)
  {
    int lane = nearest_lane(distance2, left);
    if ((double)distance2[lane] > bound_of(s, error))
    {
      return;
    }
    nearest_test(s, leaf->number[lane]);
    left &= ~(1u << lane);
  }
}

static void search(nearest_state* s)
{
  const sqi_bvh* bvh = &s->rules->index->bvh;
  waiting stack[SQI_BVH_STACK];
  int top = push_children(s, bvh->nodes, stack, 0);
  ++s->answer->nodes_visited;
  while (top)
  {
    waiting w = stack[--top];
    if (!(w.distance2 <= bound_of(s, s->query.error)))
    {
      continue;
    }
    if (w.cells)
    {
      open_leaf(s, s->rules->index->leaves + w.child, w.cells);
    }
    else
    {
      ++s->answer->nodes_visited;
      top = push_children(s, bvh->nodes + w.child, stack, top);
    }
  }
}

void NEAREST(const sqi_locate_rules* rules, const double x[3], const sqi_mesh_scratch* scratch,
  int32_t seed, sqi_locate_answer* answer)
{
  nearest_state s;
  memset(answer, 0, sizeof(*answer));
  answer->number = -1;
  if (!rules->index->bvh.node_count)
  {
    return;
  }
  s.rules = rules, s.x = x, s.scratch = scratch, s.answer = answer;
  s.largest = sqk_cell_max_abs(x, 3);
  s.least = rules->options.max_distance;
  s.found = s.count = s.overflow = 0;
  place_query(&s);
  if (seed >= 0)
  {
    nearest_test(&s, seed);
  }
  search(&s);
  if (s.overflow)
  {
    /* The least distance is known now, so whatever is kept from here on is in reach, and the lowest is never dropped. */
    s.count = 0;
    search(&s);
  }
  for (int i = 0; i < s.count; ++i)
  {
    if (answer->number < 0 || sqi_mesh_before(rules->index, s.number[i], answer->number))
    {
      answer->number = s.number[i];
      answer->distance = s.distance[i];
    }
  }
}
