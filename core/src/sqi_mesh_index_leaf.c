#include "sqi_mesh_index_leaf.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqk_cell_hull.h"

#include <string.h>

/** Leaves of one chunk. */
#define CHUNK 512
/** Thinner than this (in the frame) a bound is given this width. */
#define THIN 0x1p-21

typedef struct filling
{
  const sq_mesh_index* index;
  double* points; /* 13 * corner_max a thread */
} filling;

/** Bounds of one cell, before they are rounded. */
typedef struct bound
{
  double origin[3];
  double row[3][3];
  double kind;
} bound;

/** Rows of the inverse of the matrix with columns e; 0 where it is ill conditioned. */
static int inverse_rows(const double e[3][3], double least, double row[3][3])
{
  double det = sqk_det3(e[0], e[1], e[2]);
  double size = sqrt(sqk_dot3(e[0], e[0]) * sqk_dot3(e[1], e[1]) * sqk_dot3(e[2], e[2]));
  if (!(fabs(det) > least * size) || !(fabs(det) > 0x1p-300))
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    sqk_cross3(e[(k + 1) % 3], e[(k + 2) % 3], row[k]);
    for (int d = 0; d < 3; ++d)
    {
      row[k][d] /= det;
    }
  }
  return 1;
}

static int bound_tetra(const double* q, bound* b)
{
  double e[3][3];
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(q + 3 * (k + 1), q, e[k]);
  }
  sqk_set3(q, b->origin);
  b->kind = (double)SQI_LEAF_TETRA;
  return inverse_rows((const double(*)[3])e, 1e-6, b->row);
}

static double length_of(const double a[3])
{
  return sqrt(sqk_dot3(a, a));
}

/** The control points of a curved cell; `room`: 6 * corner_max, `fixed`: 3 * SQK_CELL_HULL. Their number. */
static int control_points(
  const sqk_cell* cell, double* room, double* fixed, const double** points, double* slack)
{
  *slack = 0.0;
  *points = cell->layout ? room : fixed;
  if (cell->layout)
  {
    sqk_layout_hull(cell->layout, cell->q, room, room + 3 * cell->count, slack);
    return cell->count;
  }
  return sqk_cell_hull(cell->type, cell->q, fixed);
}

/** A curved tetrahedron: a larger one with its faces along those of the corners. */
static int bound_curved_tetra(const sqk_cell* cell, double* room, bound* b)
{
  double fixed[3 * SQK_CELL_HULL], slack, low[3], high = -HUGE_VAL, shift[3] = { 0.0, 0.0, 0.0 };
  const double* points;
  if (sqk_shape_corner_type(cell->type) != SQ_CELL_TETRA || !bound_tetra(cell->q, b))
  {
    return 0;
  }
  int count = control_points(cell, room, fixed, &points, &slack);
  low[0] = low[1] = low[2] = HUGE_VAL;
  for (int i = 0; i < count; ++i)
  {
    double d[3], sum = 0.0;
    sqk_sub3(points + 3 * i, b->origin, d);
    for (int k = 0; k < 3; ++k)
    {
      double u = sqk_dot3(b->row[k], d);
      low[k] = fmin(low[k], u);
      sum += u;
    }
    high = fmax(high, sum);
  }
  for (int k = 0; k < 3; ++k)
  {
    low[k] -= 4.0 * slack * length_of(b->row[k]);
    high += 4.0 * slack * length_of(b->row[k]);
  }
  double size = high - low[0] - low[1] - low[2];
  for (int k = 0; k < 3; ++k)
  {
    double edge[3];
    sqk_sub3(cell->q + 3 * (k + 1), cell->q, edge);
    sqk_madd3(shift, low[k], edge, shift);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= size;
    }
  }
  sqk_madd3(b->origin, 1.0, shift, b->origin);
  return size > 0.0;
}

/** The axes of a solid in the middle of its domain. */
static int solid_axes(const sqk_cell* cell, double e[3][3])
{
  if ((!sqk_shape_nodes(cell->type) && !cell->layout) || sqk_shape_dimension(cell->type) < 3)
  {
    return 0;
  }
  sqk_cell_root root = { { 0.0 }, { 0.0 }, 0.0, { { 0.0 } } };
  sqk_shape_center(cell->type, root.r);
  sqk_cell_root_at(cell, &root);
  for (int k = 0; k < 3; ++k)
  {
    sqk_set3(root.jacobian[k], e[k]);
  }
  return 1;
}

/** The axes of a pyramid: along its base and from its first corner to the apex. */
static void pyramid_axes(const double* q, double e[3][3])
{
  for (int d = 0; d < 3; ++d)
  {
    const double *a = q + d, *b = q + 3 + d, *c = q + 6 + d, *f = q + 9 + d;
    e[0][d] = 0.5 * (*b - *a + (*c - *f));
    e[1][d] = 0.5 * (*f - *a + (*c - *b));
    e[2][d] = q[12 + d] - 0.25 * (*a + *b + *c + *f) + 0.5 * (e[0][d] + e[1][d]);
  }
}

/** A wedge or pyramid by planes about along its faces. They are linear in the point, so what the nodes keep, the cell keeps. */
static int bound_prism(const sqk_cell* cell, bound* b)
{
  double e[3][3], low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high2 = -HUGE_VAL, size = 0.0;
  int wedge = cell->type == SQ_CELL_WEDGE;
  if (!wedge && cell->type != SQ_CELL_PYRAMID)
  {
    return 0;
  }
  wedge ? (void)solid_axes(cell, e) : pyramid_axes(cell->q, e);
  if (!inverse_rows((const double(*)[3])e, 1e-3, b->row))
  {
    return 0;
  }
  for (int i = 0; i < cell->count; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      low[k] = fmin(low[k], sqk_dot3(b->row[k], cell->q + 3 * i));
    }
    high2 = fmax(high2, sqk_dot3(b->row[2], cell->q + 3 * i));
  }
  for (int i = 0; i < cell->count; ++i)
  {
    double u[3];
    for (int k = 0; k < 3; ++k)
    {
      u[k] = sqk_dot3(b->row[k], cell->q + 3 * i) - low[k];
    }
    size = fmax(size, wedge ? u[0] + u[1] : fmax(u[0], u[1]) + u[2]);
  }
  const double width[3] = { size, size, wedge ? high2 - low[2] : size };
  b->kind = (double)(wedge ? SQI_LEAF_WEDGE : SQI_LEAF_PYRAMID);
  b->origin[0] = b->origin[1] = b->origin[2] = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    if (!(width[k] > THIN * length_of(b->row[k])))
    {
      return 0;
    }
    sqk_madd3(b->origin, low[k], e[k], b->origin);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= width[k];
    }
  }
  return 1;
}

static void scale_to(double a[3], double length, double out[3])
{
  for (int d = 0; d < 3; ++d)
  {
    out[d] = a[d] / length;
  }
}

/** Axes at right angles: towards the node farthest from the first, within the plane, across it. 0 for a point. */
static int straight_axes(const sqk_cell* cell, double e[3][3])
{
  double far[3] = { 0.0, 0.0, 0.0 }, normal[3] = { 0.0, 0.0, 0.0 };
  double d[3], n[3];
  for (int i = 1; i < cell->count; ++i)
  {
    sqk_sub3(cell->q + 3 * i, cell->q, d);
    if (sqk_dot3(d, d) > sqk_dot3(far, far))
    {
      sqk_set3(d, far);
    }
  }
  double size = length_of(far);
  if (!(size > 0x1p-300))
  {
    return 0;
  }
  scale_to(far, size, e[0]);
  for (int i = 1; i < cell->count + 3; ++i)
  {
    /* At last the coordinate axes, for cells on a line. */
    double axis[3] = { i == cell->count, i == cell->count + 1, i == cell->count + 2 };
    sqk_sub3(i < cell->count ? cell->q + 3 * i : axis, i < cell->count ? cell->q : e[0], d);
    sqk_cross3(e[0], d, n);
    double least = i < cell->count ? 0.0 : 1e-6 * size;
    if (length_of(n) > fmax(least, length_of(normal)) &&
      (i < cell->count || length_of(normal) <= least))
    {
      sqk_set3(n, normal);
    }
  }
  scale_to(normal, length_of(normal), e[2]);
  sqk_cross3(e[2], e[0], e[1]);
  return 1;
}

/** The box along axes of the cell's own, else along x, y, z, that holds it. `room`: 6 * corner_max. */
static void bound_box(const sqk_cell* cell, double* room, bound* b)
{
  double e[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  double axes[3][3];
  int flat = sqk_shape_dimension(cell->type) < 3;
  int own = flat ? straight_axes(cell, axes) : solid_axes(cell, axes);
  if (own && inverse_rows((const double(*)[3])axes, 1e-3, b->row))
  {
    memcpy(e, axes, sizeof(e));
  }
  else
  {
    (void)inverse_rows((const double(*)[3])e, 0.5, b->row);
    own = 0;
  }
  double fixed[3 * SQK_CELL_HULL], slack = 0.0;
  const double* points = cell->q;
  int count = cell->count + cell->middle_count;
  if (sqk_shape_is_curved(cell->type))
  {
    count = control_points(cell, room, fixed, &points, &slack);
  }
  b->kind = (double)(own && !flat ? SQI_LEAF_SKEW : SQI_LEAF_STRAIGHT);
  b->origin[0] = b->origin[1] = b->origin[2] = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < count; ++i)
    {
      double u = sqk_dot3(b->row[k], points + 3 * i);
      lo = fmin(lo, u), hi = fmax(hi, u);
    }
    /* By how much control points of high order can be off. */
    double off = 2.0 * slack * length_of(b->row[k]);
    lo -= off, hi += off;
    double width = fmax(hi - lo, THIN * length_of(b->row[k]));
    sqk_madd3(b->origin, lo - 0.5 * (width - (hi - lo)), e[k], b->origin);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= width;
    }
  }
}

static void set_lane(sqi_mesh_leaf* leaf, int lane, const bound* b)
{
  leaf->kind[lane] = (float)b->kind;
  for (int k = 0; k < 3; ++k)
  {
    leaf->origin[k][lane] = (float)b->origin[k];
    for (int d = 0; d < 3; ++d)
    {
      leaf->row[k][d][lane] = (float)b->row[k][d];
    }
  }
}

/** Rows that a float cannot hold, as those of a tetrahedron without volume, become those that pass all. */
static int fits_float(const bound* b)
{
  return sqk_cell_max_abs(b->row[0], 9) < 0x1p60 &&
    sqk_cell_max_abs(b->origin, 3) <= SQI_MESH_LEAF_ORIGIN;
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const filling* f = (const filling*)data;
  const sq_mesh_index* index = f->index;
  double* points = f->points + (int64_t)13 * index->corner_max * thread;
  const sqi_frame* frame = &index->bvh.frame;
  const double zero[3] = { 0.0, 0.0, 0.0 };
  for (int64_t i = 8 * begin; i < 8 * end; ++i)
  {
    sqi_mesh_leaf* leaf = index->leaves + i / 8;
    int lane = (int)(i % 8);
    bound b = { { 0.0 }, { { 0.0 } }, 0.0 };
    if (leaf->number[lane] >= 0)
    {
      sqi_mesh_cell cell;
      sqk_cell view;
      double scale;
      sqi_mesh_cell_read(index, leaf->number[lane], points, &cell);
      for (int32_t k = 0; k < cell.count; ++k)
      {
        sqi_frame_local(frame, points + 3 * k, points + 3 * k);
      }
      double* local = points + 4 * (int64_t)index->corner_max;
      sqi_mesh_cell_view(index, &cell, zero, local, &view, &scale);
      int corners = 3 * (view.count + view.middle_count);
      for (int k = 0; k < corners; ++k)
      {
        local[k] /= scale;
      }
      double* more = local + 3 * (int64_t)index->corner_max;
      int tetra =
        cell.type == SQ_CELL_TETRA ? bound_tetra(local, &b) : bound_curved_tetra(&view, more, &b);
      if (!tetra && !bound_prism(&view, &b))
      {
        bound_box(&view, more, &b);
      }
      b = fits_float(&b) ? b : (bound){ { 0.0 }, { { 0.0 } }, 0.0 };
    }
    set_lane(leaf, lane, &b);
  }
  return SQ_OK;
}

/** Gives every leaf of the tree a number and copies the numbers of its cells. */
static void number_leaves(sq_mesh_index* index)
{
  sqi_bvh* bvh = &index->bvh;
  int32_t next = 0;
  for (int32_t n = 0; n < bvh->node_count; ++n)
  {
    sqi_bvh_node* node = bvh->nodes + n;
    for (int k = 0; k < node->child_count; ++k)
    {
      if (!node->count[k])
      {
        continue;
      }
      for (int i = 0; i < SQI_LANES; ++i)
      {
        index->leaves[next].number[i] = i < node->count[k] ? bvh->order[node->child[k] + i] : -1;
      }
      node->child[k] = next++;
    }
  }
}

sq_status sqi_mesh_leaves_build(sq_context* context, sq_mesh_index* index)
{
  sqi_bvh* bvh = &index->bvh;
  filling f = { index, NULL };
  int64_t room = (int64_t)13 * index->corner_max * sq_context_threads(context);
  for (int32_t n = 0; n < bvh->node_count; ++n)
  {
    for (int k = 0; k < bvh->nodes[n].child_count; ++k)
    {
      index->leaf_count += bvh->nodes[n].count[k] > 0;
    }
  }
  sq_status status = SQI_NEW(context, &index->leaves, index->leaf_count);
  status = status == SQ_OK ? SQI_NEW(context, &f.points, room) : status;
  if (status == SQ_OK)
  {
    number_leaves(index);
    SQI_FREE(context, bvh->order, bvh->item_count);
    bvh->order = NULL;
    status = sqi_parallel_for(context, index->leaf_count, CHUNK, fill_body, &f);
  }
  SQI_FREE(context, f.points, room);
  return status;
}

void sqi_mesh_leaves_release(sq_mesh_index* index)
{
  SQI_RELEASE(&index->allocator, index->leaves, index->leaf_count);
}
