#include "sqi_facets.h"
#include "sqi_layouts.h"

/** Corners of the facets of a quadratic cell: those of a linear one, with the middles of its edges behind. */
static const int8_t QUADRATIC_TRIANGLE[4][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 },
  { 3, 4, 5 } };
static const int8_t BIQUADRATIC_TRIANGLE[6][3] = { { 0, 3, 6 }, { 3, 1, 6 }, { 1, 4, 6 },
  { 4, 2, 6 }, { 2, 5, 6 }, { 5, 0, 6 } };
static const int8_t QUADRATIC_QUAD[6][3] = { { 0, 4, 7 }, { 4, 1, 5 }, { 5, 2, 6 }, { 6, 3, 7 },
  { 4, 5, 6 }, { 4, 6, 7 } };
static const int8_t BIQUADRATIC_QUAD[8][3] = { { 0, 4, 8 }, { 0, 8, 7 }, { 4, 1, 5 }, { 4, 5, 8 },
  { 8, 5, 2 }, { 8, 2, 6 }, { 7, 8, 6 }, { 7, 6, 3 } };
static const int8_t QUADRATIC_LINEAR_QUAD[4][3] = { { 0, 4, 5 }, { 0, 5, 3 }, { 4, 1, 2 },
  { 4, 2, 5 } };
static const int8_t QUADRATIC_EDGE[2][3] = { { 0, 2, 2 }, { 2, 1, 1 } };
static const int8_t CUBIC_LINE[3][3] = { { 0, 2, 2 }, { 2, 3, 3 }, { 3, 1, 1 } };
static const int8_t TRIANGLE[1][3] = { { 0, 1, 2 } };
static const int8_t QUAD[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
static const int8_t PIXEL[2][3] = { { 0, 1, 3 }, { 0, 3, 2 } };
static const int8_t LINE[1][3] = { { 0, 1, 1 } };

/** The facets of a type that always has the same ones, their number; NULL for others. */
static const int8_t (*table_of(int type, int64_t* count))[3]
{
#define TABLE(name)                                 \
  *count = (int64_t)(sizeof(name) / sizeof(*name)); \
  return name
  switch (type)
  {
    case SQ_CELL_LINE:
    case SQ_CELL_BEZIER_CURVE:
      TABLE(LINE);
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_BEZIER_TRIANGLE:
      TABLE(TRIANGLE);
    case SQ_CELL_PIXEL:
      TABLE(PIXEL);
    case SQ_CELL_QUAD:
    case SQ_CELL_BEZIER_QUADRILATERAL:
      TABLE(QUAD);
    case SQ_CELL_QUADRATIC_EDGE:
      TABLE(QUADRATIC_EDGE);
    case SQ_CELL_CUBIC_LINE:
      TABLE(CUBIC_LINE);
    case SQ_CELL_QUADRATIC_TRIANGLE:
      TABLE(QUADRATIC_TRIANGLE);
    case SQ_CELL_BIQUADRATIC_TRIANGLE:
      TABLE(BIQUADRATIC_TRIANGLE);
    case SQ_CELL_QUADRATIC_QUAD:
      TABLE(QUADRATIC_QUAD);
    case SQ_CELL_BIQUADRATIC_QUAD:
      TABLE(BIQUADRATIC_QUAD);
    case SQ_CELL_QUADRATIC_LINEAR_QUAD:
      TABLE(QUADRATIC_LINEAR_QUAD);
    default:
      *count = 0;
      return NULL;
  }
#undef TABLE
}

static int64_t point_count(const sq_cells* cells, int64_t c)
{
  return sqi_cell_offset(cells, c + 1) - sqi_cell_offset(cells, c);
}

int sqi_facet_points_fit(const sq_cells* cells, int64_t c)
{
  int64_t n = point_count(cells, c);
  int type = sqk_shape_kind(sqi_cell_kind(cells, c), n);
  int32_t order[3];
  if (sqk_shape_is_layout(type))
  {
    return n > 0 &&
      sqi_layout_orders(type, n, sqi_cell_degrees(cells, c), order) != SQI_ORDER_WRONG;
  }
  int nodes = type == SQ_CELL_VERTEX ? 1 : sqk_shape_nodes(type);
  return !nodes || n == nodes;
}

/** The orders of a Lagrange cell whose nodes make its facets; 0 where they are not known. */
static int lattice_of(const sq_cells* cells, int64_t c, int type, int32_t order[3])
{
  return (type == SQ_CELL_LAGRANGE_CURVE || type == SQ_CELL_LAGRANGE_TRIANGLE ||
           type == SQ_CELL_LAGRANGE_QUADRILATERAL) &&
    sqi_layout_orders(type, point_count(cells, c), sqi_cell_degrees(cells, c), order) ==
    SQI_ORDER_FITS;
}

int64_t sqi_facet_count(const sq_cells* cells, int64_t c)
{
  int64_t n = point_count(cells, c), count;
  int type = sqk_shape_kind(sqi_cell_kind(cells, c), n);
  int32_t order[3];
  if (table_of(type, &count))
  {
    return count;
  }
  if (lattice_of(cells, c, type, order))
  {
    return type == SQ_CELL_LAGRANGE_CURVE ? order[0]
      : type == SQ_CELL_LAGRANGE_TRIANGLE ? order[0] * order[0]
                                          : 2 * order[0] * order[1];
  }
  switch (type)
  {
    case SQ_CELL_VERTEX:
    case SQ_CELL_POLY_VERTEX:
      return n;
    case SQ_CELL_POLY_LINE:
      return n > 1 ? n - 1 : 0;
    case SQ_CELL_TRIANGLE_STRIP:
    case SQ_CELL_POLYGON:
    case SQ_CELL_QUADRATIC_POLYGON:
      return n > 2 ? n - 2 : 0;
    default:
      return 0;
  }
}

void sqi_facets_begin(const sq_cells* cells, int64_t c, sqi_facets* facets)
{
  int64_t n = point_count(cells, c);
  int32_t order[3];
  uint8_t index[SQK_ORDER_ROOM * SQK_ORDER_ROOM][4];
  facets->type = sqk_shape_kind(sqi_cell_kind(cells, c), n);
  if (!lattice_of(cells, c, facets->type, order))
  {
    return;
  }
  facets->order[0] = order[0];
  facets->order[1] = order[1];
  sqi_layout_nodes(facets->type, order, index);
  int first = facets->type == SQ_CELL_LAGRANGE_TRIANGLE;
  for (int64_t i = 0; i < n; ++i)
  {
    /* A triangle's places are barycentric. */
    int32_t at = index[i][first] + SQK_ORDER_ROOM * index[i][first + 1];
    facets->node[at] = (int16_t)i;
  }
}

/** Triangle number i of the lattice of a triangle of order n: rows of 2 (n - j) - 1, upright and turned ones in turn. */
static void lattice_triangle(const sqi_facets* f, int64_t i, int64_t p[3])
{
  static const int8_t corner[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 0, 1 } },
    { { 1, 0 }, { 1, 1 }, { 0, 1 } } };
  int32_t j = 0, n = f->order[0];
  for (; i >= 2 * (n - j) - 1; ++j)
  {
    i -= 2 * (n - j) - 1;
  }
  for (int k = 0; k < 3; ++k)
  {
    const int8_t* at = corner[i % 2][k];
    p[k] = f->node[i / 2 + at[0] + SQK_ORDER_ROOM * (j + at[1])];
  }
}

/** Triangle number i of the lattice of a quadrilateral: two a square, along 0-2. */
static void lattice_quad(const sqi_facets* f, int64_t i, int64_t p[3])
{
  static const int8_t corner[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  int64_t square = i / 2, u = square % f->order[0], v = square / f->order[0];
  for (int k = 0; k < 3; ++k)
  {
    const int8_t* at = corner[QUAD[i % 2][k]];
    p[k] = f->node[u + at[0] + SQK_ORDER_ROOM * (v + at[1])];
  }
}

void sqi_facet_corners(const sqi_facets* facets, int64_t i, int64_t p[3])
{
  int64_t count;
  const int8_t(*table)[3] = table_of(facets->type, &count);
  for (int k = 0; k < 3; ++k)
  {
    switch (facets->type)
    {
      case SQ_CELL_VERTEX:
      case SQ_CELL_POLY_VERTEX:
        p[k] = i;
        break;
      case SQ_CELL_POLY_LINE:
        p[k] = k ? i + 1 : i;
        break;
      case SQ_CELL_LAGRANGE_CURVE:
        p[k] = facets->node[k ? i + 1 : i];
        break;
      default: /* triangle i of a strip: every second one is turned round */
        p[k] = table ? table[i][k] : i + (k == 2 ? 2 : (k ^ (int)(i & 1)));
        break;
    }
  }
  if (facets->type == SQ_CELL_LAGRANGE_TRIANGLE)
  {
    lattice_triangle(facets, i, p);
  }
  else if (facets->type == SQ_CELL_LAGRANGE_QUADRILATERAL)
  {
    lattice_quad(facets, i, p);
  }
}
