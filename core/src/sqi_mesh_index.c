#include "sqi_mesh_index.h"
#include "sqi_curved_bounds.h"
#include "sqi_view.h"

/** The layout of a Lagrange or Bezier cell, and its rational weights. */
static void read_layout(const sq_mesh_index* index, sqi_mesh_cell* cell)
{
  const double* weights = cell->block->rational_weights;
  cell->layout = sqi_layout_of(
    &index->layouts, cell->type, cell->count, sqi_cell_degrees(cell->block, cell->id));
  if (!weights || !sqk_layout_is_bezier(cell->type))
  {
    return;
  }
  cell->rational = cell->points + 3 * cell->count;
  for (int32_t i = 0; i < cell->count; ++i)
  {
    cell->rational[i] = weights[sqi_cell_point(cell->block, cell->offset, i)];
  }
}

void sqi_mesh_cell_open(const sq_mesh_index* index, int32_t number, sqi_mesh_cell* cell)
{
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  cell->block = block;
  cell->block_id = b;
  cell->id = number - index->first[b];
  cell->offset = sqi_cell_offset(block, cell->id);
  cell->number = number;
  cell->count = (int32_t)(sqi_cell_offset(block, cell->id + 1) - cell->offset);
  cell->type = sqi_mesh_kind(block, cell->id);
  cell->points = NULL;
  cell->layout = NULL;
  cell->rational = NULL;
}

/** Reads and measures the nodes; inlined with constant types, so that the loop has no branches on them. */
static inline __attribute__((always_inline)) void read_nodes(
  sqi_mesh_cell* cell, sq_type id_type, sq_type type, double* points)
{
  const sq_points nodes = { cell->block->points.data, 0, type, 3 };
  double lo[3] = { (double)INFINITY, (double)INFINITY, (double)INFINITY };
  double hi[3] = { -(double)INFINITY, -(double)INFINITY, -(double)INFINITY };
  for (int32_t i = 0; i < cell->count; ++i)
  {
    double p[3];
    sqi_point(&nodes, sqi_id(cell->block->connectivity, id_type, cell->offset + i), p);
    for (int d = 0; d < 3; ++d)
    {
      lo[d] = p[d] < lo[d] ? p[d] : lo[d];
      hi[d] = p[d] > hi[d] ? p[d] : hi[d];
    }
    if (points)
    {
      sqk_set3(p, points + 3 * i);
    }
  }
  cell->largest = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    double low = fabs(lo[d]), high = fabs(hi[d]);
    cell->lo[d] = lo[d];
    cell->hi[d] = hi[d];
    cell->largest = low > cell->largest ? low : cell->largest;
    cell->largest = high > cell->largest ? high : cell->largest;
  }
}

static inline __attribute__((always_inline)) void read_and_measure(
  sqi_mesh_cell* cell, double* points)
{
  int wide = cell->block->points.type == SQ_FLOAT64;
  if (cell->block->id_type == SQ_INT64)
  {
    wide ? read_nodes(cell, SQ_INT64, SQ_FLOAT64, points)
         : read_nodes(cell, SQ_INT64, SQ_FLOAT32, points);
  }
  else
  {
    wide ? read_nodes(cell, SQ_INT32, SQ_FLOAT64, points)
         : read_nodes(cell, SQ_INT32, SQ_FLOAT32, points);
  }
}

void sqi_mesh_cell_measure(sqi_mesh_cell* cell)
{
  read_and_measure(cell, NULL);
}

void sqi_mesh_cell_read(
  const sq_mesh_index* index, int32_t number, double* points, sqi_mesh_cell* cell)
{
  sqi_mesh_cell_open(index, number, cell);
  cell->points = points;
  if (sqk_shape_is_layout(cell->type) && cell->count)
  {
    read_layout(index, cell);
  }
  read_and_measure(cell, points);
}

/** The box of a Lagrange or Bezier cell; its control points go to `room`. */
static void layout_bounds(const sqi_mesh_cell* cell, double* room, double lo[3], double hi[3])
{
  /* Control points are rounded sums of nodes. */
  double slack = 32.0 * SQK_CELL_EPSILON * cell->largest;
  sqk_layout_hull(cell->layout, cell->points, room, room + 3 * cell->count, &slack);
  for (int d = 0; d < 3; ++d)
  {
    for (int32_t i = 0; i < cell->count; ++i)
    {
      lo[d] = fmin(lo[d], room[3 * i + d] - slack);
      hi[d] = fmax(hi[d], room[3 * i + d] + slack);
    }
  }
}

void sqi_mesh_cell_bounds(const sqi_mesh_cell* cell, double* room, double lo[3], double hi[3])
{
  sqk_set3(cell->lo, lo);
  sqk_set3(cell->hi, hi);
  if (cell->layout)
  {
    layout_bounds(cell, room, lo, hi);
  }
  else if (sqk_shape_is_curved(cell->type))
  {
    sqi_curved_bounds(cell->type, cell->points, cell->largest, lo, hi);
  }
}

double sqi_box_diagonal(const double lo[3], const double hi[3])
{
  double e[3] = { 0.5 * hi[0] - 0.5 * lo[0], 0.5 * hi[1] - 0.5 * lo[1], 0.5 * hi[2] - 0.5 * lo[2] };
  double square = sqk_dot3(e, e);
  if (square > 0x1p-900 && square < 0x1p900)
  {
    return 2.0 * sqrt(square);
  }
  double scale = sqk_cell_unit_scale(sqk_cell_max_abs(e, 3));
  for (int d = 0; d < 3; ++d)
  {
    e[d] *= scale;
  }
  return 2.0 * (sqrt(sqk_dot3(e, e)) / scale);
}

void sqi_mesh_cell_view(const sq_mesh_index* index, const sqi_mesh_cell* cell, const double x[3],
  double* local, sqk_cell* view, double* scale)
{
  /* Near the end of the range differences are taken of smaller numbers, so that they stay finite. */
  double before = cell->largest > 0x1p1000 || sqk_cell_max_abs(x, 3) > 0x1p1000 ? 0x1p-4 : 1.0;
  int n = 3 * cell->count;
  for (int i = 0; i < n; i += 3)
  {
    for (int d = 0; d < 3; ++d)
    {
      local[i + d] = cell->points[i + d] * before - x[d] * before;
    }
  }
  double unit = sqk_cell_unit_scale(sqk_cell_max_abs(local, n));
  for (int i = 0; i < n; ++i)
  {
    local[i] *= unit;
  }
  *scale = before * unit;
  sqi_mesh_cell_shape(index, cell, local, view);
}

void sqi_mesh_cell_shape(
  const sq_mesh_index* index, const sqi_mesh_cell* cell, double* local, sqk_cell* view)
{
  view->type = cell->type;
  view->count = cell->count;
  view->q = local;
  view->triangles = NULL;
  view->triangle_count = view->middle_count = view->cut = view->closed = 0;
  view->far2 = (double)INFINITY;
  view->layout = cell->layout;
  view->rational = cell->rational;
  view->regular = index->regular ? index->regular[cell->number] : 0;
  view->room = cell->layout ? local + 3 * (int64_t)cell->count : NULL;
  view->middles = NULL;
  int solid = cell->type == SQ_CELL_POLYHEDRON;
  int polygon = cell->type == SQ_CELL_POLYGON || cell->type == SQ_CELL_QUADRATIC_POLYGON;
  const int32_t* data = solid || polygon ? sqi_cuts_of(&index->cuts, cell->number) : NULL;
  if (data && solid)
  {
    view->triangle_count = data[0];
    view->middle_count = data[1];
    view->closed = data[2];
    view->triangles = data + 3;
    view->middles = data + 3 + 3 * (int64_t)data[0];
    view->room = local + 3 * ((int64_t)cell->count + data[1]);
    sqk_polyhedron_middles(view, local);
  }
  else if (data)
  {
    view->triangles = data;
    view->triangle_count = cell->count - 2;
  }
}
