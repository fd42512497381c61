#include "sqt_images.h"
#include "sq_test.h"
#include "sqi_context.h"
#include "sqk_shape_domain.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX 400

const sqt_shape sqt_shapes[] = {
  { "line", SQ_CELL_LINE, 2, { 0 }, 0 },
  { "triangle", SQ_CELL_TRIANGLE, 3, { 0 }, 0 },
  { "pixel", SQ_CELL_PIXEL, 4, { 0 }, 0 },
  { "quad", SQ_CELL_QUAD, 4, { 0 }, 0 },
  { "tetra", SQ_CELL_TETRA, 4, { 0 }, 0 },
  { "voxel", SQ_CELL_VOXEL, 8, { 0 }, 0 },
  { "hexahedron", SQ_CELL_HEXAHEDRON, 8, { 0 }, 0 },
  { "wedge", SQ_CELL_WEDGE, 6, { 0 }, 0 },
  { "pyramid", SQ_CELL_PYRAMID, 5, { 0 }, 0 },
  { "pentagonal prism", SQ_CELL_PENTAGONAL_PRISM, 10, { 0 }, 0 },
  { "hexagonal prism", SQ_CELL_HEXAGONAL_PRISM, 12, { 0 }, 0 },
  { "quadratic edge", SQ_CELL_QUADRATIC_EDGE, 3, { 0 }, 0 },
  { "quadratic triangle", SQ_CELL_QUADRATIC_TRIANGLE, 6, { 0 }, 0 },
  { "quadratic quad", SQ_CELL_QUADRATIC_QUAD, 8, { 0 }, 0 },
  { "quadratic tetra", SQ_CELL_QUADRATIC_TETRA, 10, { 0 }, 0 },
  { "quadratic hexahedron", SQ_CELL_QUADRATIC_HEXAHEDRON, 20, { 0 }, 0 },
  { "quadratic wedge", SQ_CELL_QUADRATIC_WEDGE, 15, { 0 }, 0 },
  { "quadratic pyramid", SQ_CELL_QUADRATIC_PYRAMID, 13, { 0 }, 0 },
  { "biquadratic quad", SQ_CELL_BIQUADRATIC_QUAD, 9, { 0 }, 0 },
  { "triquadratic hexahedron", SQ_CELL_TRIQUADRATIC_HEXAHEDRON, 27, { 0 }, 0 },
  { "quadratic linear quad", SQ_CELL_QUADRATIC_LINEAR_QUAD, 6, { 0 }, 0 },
  { "quadratic linear wedge", SQ_CELL_QUADRATIC_LINEAR_WEDGE, 12, { 0 }, 0 },
  { "biquadratic quadratic wedge", SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, 18, { 0 }, 0 },
  { "biquadratic quadratic hexahedron", SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON, 24, { 0 }, 0 },
  { "biquadratic triangle", SQ_CELL_BIQUADRATIC_TRIANGLE, 7, { 0 }, 0 },
  { "cubic line", SQ_CELL_CUBIC_LINE, 4, { 0 }, 0 },
  { "triquadratic pyramid", SQ_CELL_TRIQUADRATIC_PYRAMID, 19, { 0 }, 0 },
  { "Lagrange curve 4", SQ_CELL_LAGRANGE_CURVE, 5, { 0 }, 0 },
  { "Lagrange triangle 7 nodes", SQ_CELL_LAGRANGE_TRIANGLE, 7, { 0 }, 0 },
  { "Lagrange triangle 3", SQ_CELL_LAGRANGE_TRIANGLE, 10, { 0 }, 0 },
  { "Lagrange quad 3", SQ_CELL_LAGRANGE_QUADRILATERAL, 16, { 0 }, 0 },
  { "Lagrange quad 4 2", SQ_CELL_LAGRANGE_QUADRILATERAL, 15, { 4, 2, 1 }, 0 },
  { "Lagrange tetra 15 nodes", SQ_CELL_LAGRANGE_TETRAHEDRON, 15, { 0 }, 0 },
  { "Lagrange tetra 1", SQ_CELL_LAGRANGE_TETRAHEDRON, 4, { 0 }, 0 },
  { "Lagrange tetra 3", SQ_CELL_LAGRANGE_TETRAHEDRON, 20, { 0 }, 0 },
  { "Lagrange tetra 4", SQ_CELL_LAGRANGE_TETRAHEDRON, 35, { 0 }, 0 },
  { "Lagrange hexahedron 1", SQ_CELL_LAGRANGE_HEXAHEDRON, 8, { 0 }, 0 },
  { "Lagrange hexahedron 2", SQ_CELL_LAGRANGE_HEXAHEDRON, 27, { 0 }, 0 },
  { "Lagrange hexahedron 3", SQ_CELL_LAGRANGE_HEXAHEDRON, 64, { 0 }, 0 },
  { "Lagrange hexahedron 3 1 2", SQ_CELL_LAGRANGE_HEXAHEDRON, 24, { 3, 1, 2 }, 0 },
  { "Lagrange wedge 21 nodes", SQ_CELL_LAGRANGE_WEDGE, 21, { 0 }, 0 },
  { "Lagrange wedge 3", SQ_CELL_LAGRANGE_WEDGE, 40, { 0 }, 0 },
  { "Lagrange wedge 2 4", SQ_CELL_LAGRANGE_WEDGE, 30, { 2, 2, 4 }, 0 },
  { "Bezier curve 4", SQ_CELL_BEZIER_CURVE, 5, { 0 }, 0 },
  { "Bezier triangle 3", SQ_CELL_BEZIER_TRIANGLE, 10, { 0 }, 1 },
  { "Bezier quad 3", SQ_CELL_BEZIER_QUADRILATERAL, 16, { 0 }, 1 },
  { "Bezier tetra 3", SQ_CELL_BEZIER_TETRAHEDRON, 20, { 0 }, 1 },
  { "Bezier hexahedron 2", SQ_CELL_BEZIER_HEXAHEDRON, 27, { 0 }, 1 },
  { "Bezier hexahedron 2 3 1", SQ_CELL_BEZIER_HEXAHEDRON, 24, { 2, 3, 1 }, 0 },
  { "Bezier wedge 3", SQ_CELL_BEZIER_WEDGE, 40, { 0 }, 1 },
};
const int sqt_shape_count = (int)(sizeof(sqt_shapes) / sizeof(*sqt_shapes));

/** Parameters of the nodes of a fixed type: multiples of 1/12 where one alone has a weight, the corners of prisms. */
static void find_nodes(int kind, double (*node)[3])
{
  int n = sqk_shape_nodes(kind), dimension = sqk_shape_dimension(kind), found = 0;
  int sides = kind == SQ_CELL_PENTAGONAL_PRISM ? 5 : kind == SQ_CELL_HEXAGONAL_PRISM ? 6 : 0;
  char seen[SQK_SHAPE_NODES] = { 0 };
  for (int i = 0; i < 2 * sides; ++i, ++found)
  {
    double c[2];
    sqk_shape_ngon_corner(sides, i % sides, c);
    node[i][0] = 0.5 + 0.5 * c[0], node[i][1] = 0.5 + 0.5 * c[1], node[i][2] = i / sides;
  }
  for (int i = 0; i < 13 * 13 * 13 && !sides; ++i)
  {
    double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
    double r[3] = { i % 13 / 12.0, i / 13 % 13 / 12.0, i / 169 / 12.0 };
    r[1] = dimension > 1 ? r[1] : 0.0, r[2] = dimension > 2 ? r[2] : 0.0;
    if (sqk_shape_violation(kind, r) > 1e-12)
    {
      continue;
    }
    sqk_shape_evaluate(kind, r, w, dw);
    for (int k = 0; k < n; ++k)
    {
      if (fabs(w[k] - 1.0) < 1e-13 && !seen[k])
      {
        seen[k] = 1;
        ++found;
        sqk_set3(r, node[k]);
      }
    }
  }
  CHECK_INT(found, n);
}

static const sqk_layout* layout_of(const sqt_images* m)
{
  return sqk_shape_is_layout(m->kind)
    ? sqi_layout_of(&m->layouts, m->block.type, m->block.cell_size, m->block.degrees)
    : NULL;
}

/** Places the nodes of cell c: along the axes or skew, bent by up to `bend`, thick or flat. */
static void place_cell(
  sqt_images* m, int64_t c, const double (*node)[3], double bend, orc_random* r)
{
  int pyramid = m->kind == SQ_CELL_PYRAMID || m->kind == SQ_CELL_QUADRATIC_PYRAMID ||
    m->kind == SQ_CELL_TRIQUADRATIC_PYRAMID;
  int box = m->kind == SQ_CELL_VOXEL || m->kind == SQ_CELL_PIXEL;
  double amount = box ? 0.0 : bend * (double)(c % 4), skew = c % 4 == 0 ? 0.0 : 1.0;
  for (int32_t i = 0; i < m->block.cell_size; ++i)
  {
    double* x = m->points + 3 * (c * m->block.cell_size + i);
    double at[3] = { node[i][0], node[i][1], node[i][2] };
    for (int k = 0; k < 2 && pyramid; ++k)
    {
      at[k] += (0.5 - at[k]) * at[2];
    }
    for (int k = 0; k < 3; ++k)
    {
      at[k] += orc_between(r, -amount, amount);
    }
    x[0] = 4.0 * (double)c + at[0] + (box ? 0.0 : skew * (0.3 * at[1] - 0.1 * at[2]));
    x[1] = 1.2 * at[1] - (box ? 0.0 : skew * 0.2 * at[2]);
    x[2] = (c >= SQT_IMAGE_CELLS / 2 ? 1e-3 : 0.8) * at[2] + (box ? 0.0 : skew * 0.1 * at[0]);
  }
}

sqt_images sqt_images_make(sq_context* context, const sqt_shape* shape, double bend, orc_random* r)
{
  sqt_images m;
  int64_t total = (int64_t)SQT_IMAGE_CELLS * shape->count;
  double(*node)[3] = (double(*)[3])malloc(NODES_MAX * sizeof(*node));
  memset(&m, 0, sizeof(m));
  m.kind = sqk_shape_kind(shape->type, shape->count);
  m.points = (double*)malloc((size_t)(3 * total) * sizeof(double));
  m.rational = (double*)malloc((size_t)total * sizeof(double));
  m.degrees = (uint8_t*)malloc(3 * SQT_IMAGE_CELLS);
  m.ids = (int64_t*)malloc((size_t)total * sizeof(int64_t));
  sq_points points = { m.points, total, SQ_FLOAT64, 3 };
  m.block.points = points;
  m.block.count = SQT_IMAGE_CELLS;
  m.block.type = shape->type;
  m.block.cell_size = shape->count;
  m.block.id_type = SQ_INT64;
  m.block.connectivity = m.ids;
  m.block.connectivity_count = total;
  m.block.degrees = shape->degrees[0] ? m.degrees : NULL;
  m.block.rational_weights = shape->rational ? m.rational : NULL;
  for (int64_t i = 0; i < total; ++i)
  {
    m.ids[i] = i;
    m.rational[i] = orc_between(r, 0.7, 1.4);
    m.points[3 * i] = m.points[3 * i + 1] = m.points[3 * i + 2] = 0.0;
  }
  for (int i = 0; i < 3 * SQT_IMAGE_CELLS; ++i)
  {
    m.degrees[i] = shape->degrees[i % 3];
  }
  CHECK_STATUS(sqi_layouts_build(context, &m.block, 1, &m.layouts), SQ_OK);
  /* Cells that fold over themselves are no cells: not all that map to one point are looked for. */
  double amount = (sqk_shape_is_curved(m.kind) ? 0.025 : 0.06) * bend;
  if (layout_of(&m))
  {
    const sqk_layout* layout = layout_of(&m);
    for (int32_t i = 0; i < shape->count; ++i)
    {
      sqk_layout_node(layout, i, node[i]);
    }
    amount = 0.06 * bend / fmax(layout->order[0], fmax(layout->order[1], layout->order[2]));
  }
  else
  {
    find_nodes(m.kind, node);
  }
  for (int64_t c = 0; c < SQT_IMAGE_CELLS; ++c)
  {
    place_cell(&m, c, (const double(*)[3])node, amount, r);
  }
  free(node);
  return m;
}

void sqt_images_free(sq_context* context, sqt_images* m)
{
  sqi_layouts_release(&context->allocator, &m->layouts);
  free(m->points);
  free(m->rational);
  free(m->degrees);
  free(m->ids);
}

void sqt_images_parameters(const sqt_images* m, int64_t number, orc_random* r, double at[3])
{
  int dimension = sqk_shape_dimension(m->kind);
  for (int k = 0; k < 3; ++k)
  {
    at[k] = k < dimension ? orc_between(r, -0.1, 1.1) : 0.0;
    if (number % 4 == 1 && k < dimension && orc_unit(r) < 0.5)
    {
      at[k] = orc_unit(r) < 0.5 ? 0.0 : 1.0;
    }
  }
  /* Half of those beyond it, and all others there, go to its border. */
  sqk_shape_clamp(m->kind, 0.0, at);
  if (number % 4 == 2)
  {
    double center[3];
    sqk_shape_center(m->kind, center);
    for (int k = 0; k < 3; ++k)
    {
      at[k] += 1e-9 * (center[k] - at[k]);
    }
  }
}

void sqt_images_weights(const sqt_images* m, int64_t cell, const double r[3], double* w)
{
  double dw[3 * SQK_SHAPE_NODES];
  const sqk_layout* layout = layout_of(m);
  const double* rational =
    m->block.rational_weights ? m->rational + cell * m->block.cell_size : NULL;
  if (layout)
  {
    sqk_layout_weights(layout, rational, r, w);
  }
  else
  {
    sqk_shape_evaluate(m->kind, r, w, dw);
  }
}

void sqt_images_point(const sqt_images* m, int64_t cell, const double r[3], double x[3])
{
  double w[NODES_MAX];
  long double sum[3] = { 0.0L, 0.0L, 0.0L };
  sqt_images_weights(m, cell, r, w);
  for (int32_t i = 0; i < m->block.cell_size; ++i)
  {
    const double* p = m->points + 3 * (cell * m->block.cell_size + i);
    for (int k = 0; k < 3; ++k)
    {
      sum[k] += (long double)w[i] * (long double)p[k];
    }
  }
  x[0] = (double)sum[0], x[1] = (double)sum[1], x[2] = (double)sum[2];
}
