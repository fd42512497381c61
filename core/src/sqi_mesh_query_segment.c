/**
 * Segments through a mesh. Nodes are met by float tests that only rule out (separating axes, Ericson, "Real-Time Collision
 * Detection", 2005, section 5.3.3), cells in double.
 */
#include "sqi_mesh_index_leaf.h"
#include "sqi_mesh_query.h"
#include "sqk_cell_cross.h"
#include "sqk_cell_hull.h"

#include <string.h>

/** In the frame, whose items are about 1 in size: more than the roundings of a float test. */
#define FLOAT_MARGIN 0x1p-18
/** What comes closer together along the segment, in ulp of the coordinates, is one crossing. */
#define SAME_ULP 4.0

/** A segment, once for all cells and once for the nodes. */
typedef struct segment_query
{
  const double* a;
  const double* b;
  double tolerance;
  double largest; /* absolute coordinate of a and b */
  double unit; /* a power of two that brings all coordinates below 1 */
  sqk_segment scaled; /* times unit */
  double same; /* parameters that differ by no more are equal */
  /* The part within the bounds of the mesh, from parameter t[0] to t[1], in the frame. */
  double t[2];
  float from[3];
  float delta[3];
  float inverse[3]; /* 1 / delta; 0 where that is too small */
  float margin;
} segment_query;

/* --- nodes --- */

/** Bit k: the segment may meet the box of child k. */
static unsigned segment_node(const void* data, const sqi_bvh_node* node)
{
  const segment_query* q = (const segment_query*)data;
  sqi_f8 half[3], gap[3];
  sqi_i8 hit = { -1, -1, -1, -1, -1, -1, -1, -1 };
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 lo = sqi_load8(node->lo[d]), hi = sqi_load8(node->hi[d]);
    sqi_f8 reach = sqi_set8(0.5f * __builtin_fabsf(q->delta[d]));
    half[d] = (hi - lo) * sqi_set8(0.5f) + sqi_set8(q->margin);
    gap[d] = (hi + lo) * sqi_set8(0.5f) - sqi_set8(q->from[d] + 0.5f * q->delta[d]);
    hit &= sqi_abs8(gap[d]) <= half[d] + reach;
  }
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sqi_f8 dj = sqi_set8(q->delta[j]), dk = sqi_set8(q->delta[k]);
    hit &= sqi_abs8(gap[j] * dk - gap[k] * dj) <= half[j] * sqi_abs8(dk) + half[k] * sqi_abs8(dj);
  }
  /* The box of no child, whose bounds are infinite, passes no comparison or is cut off here. */
  return sqi_mask8(hit) & ((1u << node->child_count) - 1u);
}

/** Lower bounds of the parameters (of the whole segment) at which the children's boxes are entered. */
static void entries(const segment_query* q, const sqi_bvh_node* node, double t[SQI_BVH_WIDTH])
{
  sqi_f8 most = sqi_set8(0.0f);
  float s[SQI_BVH_WIDTH];
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 inverse = sqi_set8(q->inverse[d]), pad = sqi_set8(q->margin);
    sqi_f8 near = q->inverse[d] >= 0.0f ? sqi_load8(node->lo[d]) - sqi_set8(q->from[d]) - pad
                                        : sqi_load8(node->hi[d]) - sqi_set8(q->from[d]) + pad;
    most = q->inverse[d] != 0.0f ? sqi_max8(near * inverse, most) : most;
  }
  sqi_store8(s, most);
  for (int k = 0; k < node->child_count; ++k)
  {
    double at = fmin((double)s[k], 1.0) * (1.0 - 0x1p-20);
    t[k] = q->t[0] + at * (q->t[1] - q->t[0]);
  }
}

/** Puts the part of the segment within the bounds of the mesh into the frame; 0 where there is none. */
static int place_segment(const sq_mesh_index* index, segment_query* q)
{
  const sqi_bvh* bvh = &index->bvh;
  double lo[3], hi[3], a[3], b[3], from[3], to[3];
  double reach = fmax(q->tolerance, 2.0 * SAME_ULP * SQK_CELL_EPSILON * q->largest);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = bvh->lo[d] * q->unit, hi[d] = bvh->hi[d] * q->unit;
    a[d] = q->a[d] * q->unit, b[d] = q->b[d] * q->unit;
  }
  if (!sqk_segment_in_box(a, b, lo, hi, reach * q->unit, q->t))
  {
    return 0;
  }
  /* Parameters are off by half an ulp of 1, and products with them by as much. */
  double rounding = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    double scale = bvh->frame.scale / q->unit;
    from[d] = (a[d] + q->t[0] * (b[d] - a[d])) * scale - bvh->frame.centre[d];
    to[d] = (a[d] + q->t[1] * (b[d] - a[d])) * scale - bvh->frame.centre[d];
    rounding = fmax(rounding, fmax(fabs(a[d]), fabs(b[d])) * scale * 0x1p-48);
    q->from[d] = (float)from[d];
    q->delta[d] = (float)(to[d] - from[d]);
    q->inverse[d] = __builtin_fabsf(q->delta[d]) > 0x1p-60f ? 1.0f / q->delta[d] : 0.0f;
  }
  double margin = FLOAT_MARGIN + reach * bvh->frame.scale * 1.001 + rounding;
  q->margin = margin < 0x1p20 ? (float)margin : 0x1p20f;
  if (!(margin < 0x1p20) || !sqi_is_finite3(from) || !sqi_is_finite3(to))
  {
    memset(q->from, 0, sizeof(q->from));
    memset(q->delta, 0, sizeof(q->delta));
    memset(q->inverse, 0, sizeof(q->inverse));
    q->margin = 0x1p20f;
  }
  return 1;
}

/** 0 where nothing can be met. */
static int make_query(const sq_mesh_index* index, const double a[3], const double b[3],
  double tolerance, segment_query* q)
{
  const sqi_bvh* bvh = &index->bvh;
  if (!sqi_is_finite3(a) || !sqi_is_finite3(b) || !bvh->node_count)
  {
    return 0;
  }
  q->a = a, q->b = b;
  q->tolerance = tolerance;
  q->largest = fmax(sqk_cell_max_abs(a, 3), sqk_cell_max_abs(b, 3));
  double scene = fmax(sqk_cell_max_abs(bvh->lo, 3), sqk_cell_max_abs(bvh->hi, 3));
  q->unit = sqk_cell_unit_scale(fmax(q->largest, scene));
  double from[3], to[3];
  for (int d = 0; d < 3; ++d)
  {
    from[d] = a[d] * q->unit, to[d] = b[d] * q->unit;
  }
  sqk_segment_set(from, to, 0.0, &q->scaled);
  double length = sqrt(sqk_dot3(q->scaled.d, q->scaled.d));
  double same = SAME_ULP * SQK_CELL_EPSILON * (q->largest * q->unit + length);
  q->same = length > 0.0 ? fmin(same / length, 1.0) : 1.0;
  return place_segment(index, q);
}

/* --- cells --- */

/** The bounds of a cell, times unit. */
static void scaled_bounds(const sq_mesh_query* query, const segment_query* q,
  const sqi_mesh_cell* cell, double lo[3], double hi[3])
{
  sqi_mesh_cell_bounds(cell, query->scratch.hull, lo, hi);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] *= q->unit;
    hi[d] *= q->unit;
  }
}

static int cross_cell(sq_mesh_query* query, const void* data, int32_t number, double* t)
{
  const segment_query* q = (const segment_query*)data;
  const sq_mesh_index* index = query->rules.index;
  sqi_mesh_cell cell;
  sqk_cell view;
  double lo[3], hi[3], within[2];
  sqi_mesh_cell_read(index, number, query->scratch.points, &cell);
  sqk_segment segment = q->scaled;
  double floor = SAME_ULP * SQK_CELL_EPSILON * fmax(cell.largest, q->largest);
  segment.tolerance = fmax(q->tolerance, floor) * q->unit;
  scaled_bounds(query, q, &cell, lo, hi);
  if (!sqk_segment_in_box(segment.a, segment.b, lo, hi, segment.tolerance, within))
  {
    return 0;
  }
  double* local = query->scratch.local;
  for (int32_t i = 0; i < 3 * cell.count; ++i)
  {
    local[i] = cell.points[i] * q->unit;
  }
  sqi_mesh_cell_shape(index, &cell, local, &view);
  *t = sqk_cell_cross(&view, &segment);
  return *t <= 1.0;
}

static int cross_box(sq_mesh_query* query, const void* data, int32_t number, double* t)
{
  const segment_query* q = (const segment_query*)data;
  sqi_mesh_cell cell;
  double lo[3], hi[3], within[2];
  sqi_mesh_cell_read(query->rules.index, number, query->scratch.points, &cell);
  scaled_bounds(query, q, &cell, lo, hi);
  int meets =
    sqk_segment_in_box(q->scaled.a, q->scaled.b, lo, hi, fmax(q->tolerance * q->unit, 0.0), within);
  *t = fmin(within[0], 1.0);
  return meets;
}

/** a + t (b - a), the ends themselves at 0 and 1. */
static void set_crossing(
  const sq_mesh_index* index, const segment_query* q, const sqi_found* found, sq_mesh_crossing* c)
{
  c->cell = sqi_query_name(index, found->number, &c->block);
  c->t = found->t;
  for (int d = 0; d < 3; ++d)
  {
    double along = q->b[d] - q->a[d];
    c->point[d] = found->t == 1.0 ? q->b[d]
      : isfinite(along)           ? q->a[d] + found->t * along
                                  : (1.0 - found->t) * q->a[d] + found->t * q->b[d];
  }
}

/* --- all crossings --- */

static sq_status list_crossings(sq_mesh_query* query, const double a[3], const double b[3],
  double tolerance, int of_boxes, const sq_mesh_crossing** list, int64_t* count)
{
  segment_query q;
  if (list)
  {
    *list = NULL;
  }
  if (count)
  {
    *count = 0;
  }
  if (!query || !a || !b || !list || !count || !(tolerance >= 0.0))
  {
    return SQ_INVALID_ARGUMENT;
  }
  if (!make_query(query->rules.index, a, b, tolerance, &q))
  {
    return SQ_OK;
  }
  sqi_collect collect = { segment_node, of_boxes ? cross_box : cross_cell, &q };
  sq_status status = sqi_query_collect(query, &collect);
  int64_t n = query->found.count;
  status = status == SQ_OK ? sqi_query_reserve(query, n, sizeof(*query->crossings),
                               (void**)&query->crossings, &query->crossing_capacity)
                           : status;
  if (status != SQ_OK)
  {
    return status;
  }
  for (int64_t i = 0; i < n; ++i)
  {
    set_crossing(query->rules.index, &q, query->found.data + i, query->crossings + i);
  }
  *list = query->crossings;
  *count = n;
  return SQ_OK;
}

sq_status sq_mesh_query_crossings(sq_mesh_query* query, const double a[3], const double b[3],
  double tolerance, const sq_mesh_crossing** list, int64_t* count)
{
  return list_crossings(query, a, b, tolerance, 0, list, count);
}

sq_status sq_mesh_query_crossed_boxes(sq_mesh_query* query, const double a[3], const double b[3],
  double tolerance, const sq_mesh_crossing** list, int64_t* count)
{
  return list_crossings(query, a, b, tolerance, 1, list, count);
}

/* --- the first crossing --- */

typedef struct waiting
{
  double t;
  int32_t child;
  int32_t cells; /* of a leaf; 0: a node */
} waiting;

/** Puts the children that may be met by `limit` on the stack, the first to be entered on top. */
static int push_children(
  const segment_query* q, const sqi_bvh_node* node, double limit, waiting* stack, int top)
{
  double t[SQI_BVH_WIDTH];
  int bottom = top;
  entries(q, node, t);
  for (unsigned mask = segment_node(q, node); mask; mask &= mask - 1)
  {
    int k = __builtin_ctz(mask);
    if (t[k] > limit)
    {
      continue;
    }
    int at = top++;
    while (at > bottom && stack[at - 1].t < t[k])
    {
      stack[at] = stack[at - 1];
      --at;
    }
    waiting w = { t[k], node->child[k], node->count[k] };
    stack[at] = w;
  }
  return top;
}

/** Adds the crossings of a leaf that may be the first to the list; *least is that of all so far. */
static sq_status cross_leaf(sq_mesh_query* query, const segment_query* q, const sqi_mesh_leaf* leaf,
  int32_t count, double* least)
{
  sq_status status = SQ_OK;
  for (int32_t lane = 0; lane < count && status == SQ_OK; ++lane)
  {
    double t = 0.0;
    if (cross_cell(query, q, leaf->number[lane], &t) && t <= *least + q->same)
    {
      *least = fmin(*least, t);
      status = sqi_found_add(query, t, leaf->number[lane]);
    }
  }
  return status;
}

/** The lowest cell among the first crossings, NULL without any. */
static const sqi_found* settle(const sq_mesh_query* query, double limit)
{
  const sqi_found* best = NULL;
  for (int64_t i = 0; i < query->found.count; ++i)
  {
    const sqi_found* f = query->found.data + i;
    if (f->t <= limit && (!best || sqi_mesh_before(query->rules.index, f->number, best->number)))
    {
      best = f;
    }
  }
  return best;
}

static sq_status search_first(sq_mesh_query* query, const segment_query* q, const sqi_found** first)
{
  const sq_mesh_index* index = query->rules.index;
  waiting stack[SQI_BVH_STACK];
  double least = 1.0;
  sq_status status = SQ_OK;
  query->found.count = 0;
  int top = push_children(q, index->bvh.nodes, 1.0, stack, 0);
  while (top && status == SQ_OK)
  {
    waiting w = stack[--top];
    /* Bounds of t have roundings of their own. */
    double limit = least + q->same + 0x1p-40;
    if (w.t > limit)
    {
      continue;
    }
    if (w.cells)
    {
      status = cross_leaf(query, q, index->leaves + w.child, w.cells, &least);
    }
    else
    {
      top = push_children(q, index->bvh.nodes + w.child, limit, stack, top);
    }
  }
  *first = settle(query, least + q->same);
  return status;
}

sq_status sq_mesh_query_first_crossing(sq_mesh_query* query, const double a[3], const double b[3],
  double tolerance, sq_mesh_crossing* crossing, sq_mesh_hit* hit)
{
  segment_query q;
  const sqi_found* first = NULL;
  if (crossing)
  {
    crossing->cell = -1;
  }
  if (hit)
  {
    hit->cell = -1;
  }
  if (!query || !a || !b || !crossing || !(tolerance >= 0.0))
  {
    return SQ_INVALID_ARGUMENT;
  }
  if (!make_query(query->rules.index, a, b, tolerance, &q))
  {
    return SQ_OK;
  }
  sq_status status = search_first(query, &q, &first);
  if (status != SQ_OK || !first)
  {
    return status;
  }
  set_crossing(query->rules.index, &q, first, crossing);
  if (hit)
  {
    query->rules.options.mode = SQ_LOCATE_NEAREST;
    sqi_query_set_hit(query, crossing->point, first->number, SQ_SAMPLE_NEAREST, hit);
  }
  return SQ_OK;
}
