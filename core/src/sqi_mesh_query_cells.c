/** Lists of cells: in a box, within a distance, cut by a plane; and the boxes of the tree itself. */
#include "sqi_alloc.h"
#include "sqi_mesh_index_search.h"
#include "sqi_mesh_query.h"
#include "sqk_cell_hull.h"

/** In the frame, whose items are about 1 in size: more than the roundings of a float test. */
#define FLOAT_MARGIN 0x1p-18

/** Runs the search and names what it found. */
static sq_status list_cells(
  sq_mesh_query* query, const sqi_collect* collect, const sq_mesh_cell_id** list, int64_t* count)
{
  sq_status status = sqi_query_collect(query, collect);
  int64_t n = query->found.count;
  status = status == SQ_OK ? sqi_query_reserve(query, n, sizeof(*query->cells),
                               (void**)&query->cells, &query->cell_capacity)
                           : status;
  if (status != SQ_OK)
  {
    return status;
  }
  for (int64_t i = 0; i < n; ++i)
  {
    query->cells[i].cell =
      sqi_query_name(query->rules.index, query->found.data[i].number, &query->cells[i].block);
  }
  *list = query->cells;
  *count = n;
  return SQ_OK;
}

static void no_cells(const sq_mesh_cell_id** list, int64_t* count)
{
  if (list)
  {
    *list = NULL;
  }
  if (count)
  {
    *count = 0;
  }
}

/* --- in a box --- */

typedef struct box_query
{
  const double* lo;
  const double* hi;
  float qlo[3];
  float qhi[3];
} box_query;

static unsigned box_node(const void* data, const sqi_bvh_node* node)
{
  const box_query* q = (const box_query*)data;
  return sqi_bvh_overlap(node, q->qlo, q->qhi);
}

static int box_cell(sq_mesh_query* query, const void* data, int32_t number, double* t)
{
  const box_query* q = (const box_query*)data;
  sqi_mesh_cell cell;
  double lo[3], hi[3];
  int meets = 1;
  *t = (double)number; /* the order of the list */
  sqi_mesh_cell_read(query->rules.index, number, query->scratch.points, &cell);
  sqi_mesh_cell_bounds(&cell, query->scratch.local, lo, hi);
  for (int d = 0; d < 3; ++d)
  {
    meets &= lo[d] <= q->hi[d] && hi[d] >= q->lo[d];
  }
  return meets;
}

sq_status sq_mesh_query_box(sq_mesh_query* query, const double lo[3], const double hi[3],
  const sq_mesh_cell_id** list, int64_t* count)
{
  no_cells(list, count);
  if (!query || !lo || !hi || !list || !count)
  {
    return SQ_INVALID_ARGUMENT;
  }
  box_query q = { lo, hi, { 0.0f }, { 0.0f } };
  for (int d = 0; d < 3; ++d)
  {
    if (!(lo[d] <= hi[d])) /* NaN, too */
    {
      return SQ_OK;
    }
  }
  sqi_bvh_query_box(&query->rules.index->bvh.frame, lo, hi, q.qlo, q.qhi);
  sqi_collect collect = { box_node, box_cell, &q };
  return list_cells(query, &collect, list, count);
}

/* --- within a distance --- */

typedef struct sphere_query
{
  const double* x;
  double radius;
  float q[3];
  float bound2; /* < 0: so far away that float distances do not hold */
} sphere_query;

static unsigned sphere_node(const void* data, const sqi_bvh_node* node)
{
  const sphere_query* q = (const sphere_query*)data;
  return q->bound2 < 0.0f ? ~0u : sqi_mask8(sqi_bvh_distance2(node, q->q) <= sqi_set8(q->bound2));
}

static int sphere_cell(sq_mesh_query* query, const void* data, int32_t number, double* t)
{
  const sphere_query* q = (const sphere_query*)data;
  sqi_mesh_cell cell;
  sqk_cell view;
  sqk_cell_hit hit;
  double scale;
  *t = (double)number; /* the order of the list */
  sqi_mesh_cell_read(query->rules.index, number, query->scratch.points, &cell);
  sqi_mesh_cell_view(query->rules.index, &cell, q->x, query->scratch.local, &view, &scale);
  view.cut = 1;
  double fuzz = sqi_locate_fuzz(&cell) * scale;
  return sqk_cell_find(&view, fuzz, fmax(q->radius * scale, fuzz), &hit, NULL) &&
    hit.distance / scale <= q->radius;
}

sq_status sq_mesh_query_sphere(sq_mesh_query* query, const double x[3], double radius,
  const sq_mesh_cell_id** list, int64_t* count)
{
  no_cells(list, count);
  if (!query || !x || !list || !count || !(radius >= 0.0))
  {
    return SQ_INVALID_ARGUMENT;
  }
  if (!sqi_is_finite3(x))
  {
    return SQ_OK;
  }
  sphere_query q = { x, radius, { 0.0f }, -1.0f };
  const sqi_frame* frame = &query->rules.index->bvh.frame;
  double local[3];
  sqi_frame_local(frame, x, local);
  if (sqk_cell_max_abs(local, 3) <= 0x1p40)
  {
    float error;
    sqi_bvh_query_point(frame, x, q.q, &error);
    q.bound2 = sqi_bvh_bound2(radius * frame->scale, error);
  }
  sqi_collect collect = { sphere_node, sphere_cell, &q };
  return list_cells(query, &collect, list, count);
}

/* --- cut by a plane --- */

typedef struct plane_query
{
  double origin[3]; /* times unit */
  double normal[3]; /* of length 1 */
  double tolerance; /* times unit */
  double unit; /* a power of two that brings all coordinates below 1 */
  float n[3];
  float offset;
  float margin;
} plane_query;

static unsigned plane_node(const void* data, const sqi_bvh_node* node)
{
  const plane_query* q = (const plane_query*)data;
  sqi_f8 middle = sqi_set8(-q->offset), reach = sqi_set8(q->margin);
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 lo = sqi_load8(node->lo[d]), hi = sqi_load8(node->hi[d]);
    middle += (lo + hi) * sqi_set8(0.5f * q->n[d]);
    reach += (hi - lo) * sqi_set8(0.5f * __builtin_fabsf(q->n[d]));
  }
  return sqi_mask8(sqi_abs8(middle) <= reach);
}

static int plane_cell(sq_mesh_query* query, const void* data, int32_t number, double* t)
{
  const plane_query* q = (const plane_query*)data;
  sqi_mesh_cell cell;
  double fixed[3 * SQK_CELL_HULL], slack = 0.0;
  *t = (double)number; /* the order of the list */
  sqi_mesh_cell_read(query->rules.index, number, query->scratch.points, &cell);
  const double* points = cell.points;
  int count = cell.count;
  if (cell.layout)
  {
    double* hull = query->scratch.local;
    sqk_layout_hull(cell.layout, cell.points, hull, hull + 3 * (int64_t)count, &slack);
    points = hull;
  }
  else if (sqk_shape_is_curved(cell.type))
  {
    count = sqk_cell_hull(cell.type, cell.points, fixed);
    points = fixed;
  }
  double below = HUGE_VAL, above = -HUGE_VAL;
  for (int i = 0; i < count; ++i)
  {
    double h = 0.0;
    for (int d = 0; d < 3; ++d)
    {
      h += (points[3 * i + d] * q->unit - q->origin[d]) * q->normal[d];
    }
    below = fmin(below, h);
    above = fmax(above, h);
  }
  double largest = fmax(cell.largest * q->unit, sqk_cell_max_abs(q->origin, 3));
  double tolerance = fmax(q->tolerance, 4.0 * SQK_CELL_EPSILON * largest) + slack * q->unit;
  return below <= tolerance && above >= -tolerance;
}

/** A vector in length 1; 0 where it is 0. */
static void set_direction(const double v[3], double out[3])
{
  double scale = sqk_cell_unit_scale(sqk_cell_max_abs(v, 3));
  double u[3] = { v[0] * scale, v[1] * scale, v[2] * scale };
  double length = sqrt(sqk_dot3(u, u));
  for (int d = 0; d < 3; ++d)
  {
    out[d] = length > 0.0 ? u[d] / length : 0.0;
  }
}

static void place_plane(
  const sq_mesh_index* index, const double origin[3], double tolerance, plane_query* q)
{
  const sqi_bvh* bvh = &index->bvh;
  double largest = fmax(
    sqk_cell_max_abs(origin, 3), fmax(sqk_cell_max_abs(bvh->lo, 3), sqk_cell_max_abs(bvh->hi, 3)));
  double local[3];
  q->unit = sqk_cell_unit_scale(largest);
  q->tolerance = tolerance * q->unit;
  sqi_frame_local(&bvh->frame, origin, local);
  for (int d = 0; d < 3; ++d)
  {
    q->origin[d] = origin[d] * q->unit;
    q->n[d] = (float)q->normal[d];
  }
  double offset = sqk_dot3(local, q->normal);
  double margin =
    FLOAT_MARGIN + tolerance * bvh->frame.scale * 1.001 + 0x1p-48 * sqk_cell_max_abs(local, 3);
  /* No item is farther than 4 from the middle of the frame. A plane farther away may be anywhere beyond. */
  q->offset = (float)fmin(fmax(offset, -8.0), 8.0);
  q->margin = margin < 16.0 && isfinite(offset) ? (float)margin : 16.0f;
}

sq_status sq_mesh_query_plane(sq_mesh_query* query, const double origin[3], const double normal[3],
  double tolerance, const sq_mesh_cell_id** list, int64_t* count)
{
  no_cells(list, count);
  if (!query || !origin || !normal || !list || !count || !(tolerance >= 0.0))
  {
    return SQ_INVALID_ARGUMENT;
  }
  plane_query q;
  set_direction(normal, q.normal);
  if (!sqi_is_finite3(origin) || !sqi_is_finite3(normal) || !(sqk_dot3(q.normal, q.normal) > 0.0) ||
    !query->rules.index->bvh.node_count)
  {
    return SQ_OK;
  }
  place_plane(query->rules.index, origin, tolerance, &q);
  sqi_collect collect = { plane_node, plane_cell, &q };
  return list_cells(query, &collect, list, count);
}

/* --- the boxes of the tree --- */

int32_t sq_mesh_index_depth(const sq_mesh_index* index)
{
  return index && sqi_mesh_is_searchable(index) && index->bvh.node_count ? index->bvh.depth + 1
                                                                         : -1;
}

/** Box k of a node in the caller's coordinates. */
static void write_box(const sqi_frame* frame, const sqi_bvh_node* node, int k, double box[6])
{
  for (int d = 0; d < 3; ++d)
  {
    box[d] = ((double)node->lo[d][k] + frame->centre[d]) / frame->scale;
    box[3 + d] = ((double)node->hi[d][k] + frame->centre[d]) / frame->scale;
  }
}

/** A child of a node that is on the stack. */
typedef struct waiting_box
{
  int32_t node;
  int32_t depth; /* of its children */
} waiting_box;

int64_t sq_mesh_index_boxes(
  const sq_mesh_index* index, int32_t depth, int64_t capacity, double* boxes)
{
  waiting_box stack[SQI_BVH_STACK];
  int top = 0;
  int64_t count = 0;
  if (!index || !sqi_mesh_is_searchable(index) || !index->bvh.node_count)
  {
    return 0;
  }
  const sqi_bvh* bvh = &index->bvh;
  if (depth == 0)
  {
    for (int d = 0; boxes && capacity > 0 && d < 3; ++d)
    {
      boxes[d] = bvh->lo[d];
      boxes[3 + d] = bvh->hi[d];
    }
    return 1;
  }
  waiting_box root = { 0, 1 };
  stack[top++] = root;
  while (top)
  {
    waiting_box w = stack[--top];
    const sqi_bvh_node* node = bvh->nodes + w.node;
    for (int k = 0; k < node->child_count; ++k)
    {
      if (node->count[k] || w.depth == depth)
      {
        if (boxes && count < capacity)
        {
          write_box(&bvh->frame, node, k, boxes + 6 * count);
        }
        ++count;
        continue;
      }
      waiting_box child = { node->child[k], w.depth + 1 };
      stack[top++] = child;
    }
  }
  return count;
}
