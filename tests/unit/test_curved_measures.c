/** Measures of Lagrange and Bezier cells, and of all curved ones against many small linear ones. */
#include "sq_test.h"
#include "sqk_shape_domain.h"
#include "sqt_images.h"
#include "sqt_locate.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/** The measure of one cell of all these points. */
static double measure_of(
  uint8_t type, int32_t count, const double* points, const uint8_t* degrees, const double* weights)
{
  int64_t* ids = (int64_t*)malloc((size_t)count * sizeof(int64_t));
  double out = -1.0;
  for (int i = 0; i < count; ++i)
  {
    ids[i] = i;
  }
  sq_cells b = sqt_cells_of(type, count, 1, points, count, ids);
  b.degrees = degrees;
  b.rational_weights = weights;
  sq_context* c = sqt_context(1, NULL, NULL);
  CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_OK);
  sq_context_destroy(c);
  free(ids);
  return out;
}

/** A shear of order n, then x + x^n / 2; `flat`: of the plane, `bend` 0: along the curve only. */
static void sheared(const double r[3], int n, double bend, int dimension, double x[3])
{
  x[0] = r[0] + 0.5 * pow(r[0], n);
  x[1] = dimension > 1 ? r[1] + bend * pow(r[0], n) : 0.0;
  x[2] = dimension > 2 ? r[2] + bend * pow(r[1], n) : 0.0;
}

/** The integral of 1 + n x^(n-1) / 2 over the domain: what sheared() makes of it. */
static double sheared_measure(int type, int n)
{
  int dimension = sqk_shape_dimension(type);
  if (dimension == 1 || sqk_shape_domain(type) == SQK_DOMAIN_BOX)
  {
    return 1.5;
  }
  if (sqk_shape_domain(type) == SQK_DOMAIN_SIMPLEX && dimension == 3)
  {
    return 1.0 / 6.0 + 0.5 / ((n + 1.0) * (n + 2.0));
  }
  return 0.5 + 0.5 / (n + 1.0);
}

static void lagrange_in_closed_form(void)
{
  static const uint8_t types[] = { SQ_CELL_LAGRANGE_CURVE, SQ_CELL_LAGRANGE_TRIANGLE,
    SQ_CELL_LAGRANGE_QUADRILATERAL, SQ_CELL_LAGRANGE_TETRAHEDRON, SQ_CELL_LAGRANGE_HEXAHEDRON,
    SQ_CELL_LAGRANGE_WEDGE };
  static const int most[] = { 16, 16, 16, 12, 9, 9 };
  for (int t = 0; t < 6; ++t)
  {
    for (int n = 1; n <= most[t]; ++n)
    {
      int dimension = sqk_shape_dimension(types[t]);
      sqk_layout layout;
      uint8_t(*index)[4] = (uint8_t(*)[4])calloc(1000, sizeof(*index));
      double* p = (double*)calloc(3000, sizeof(double));
      const int32_t order[3] = { n, n, n };
      memset(&layout, 0, sizeof(layout));
      layout.type = types[t];
      layout.index = (const uint8_t(*)[4])index;
      int wedge = types[t] == SQ_CELL_LAGRANGE_WEDGE;
      int box = sqk_shape_domain(types[t]) == SQK_DOMAIN_BOX && dimension > 1;
      layout.count = 1;
      layout.factor_count = box ? dimension : wedge ? 2 : 1;
      for (int f = 0; f < layout.factor_count; ++f)
      {
        int d = box ? 1 : wedge ? 2 - f : dimension;
        sqi_layout_factor_set(layout.factor + f, d, n);
        layout.count *= layout.factor[f].count;
      }
      sqi_layout_nodes(types[t], order, index);
      for (int i = 0; i < layout.count; ++i)
      {
        double r[3];
        sqk_layout_node(&layout, i, r);
        sheared(r, n, 0.3, dimension, p + 3 * i);
      }
      double want = sheared_measure(types[t], n);
      /* Nodes of high order are not where they would be by far more than the rounding of the volume. */
      CHECK_NEAR(measure_of(types[t], layout.count, p, NULL, NULL), want, 1e-13 * (1 << n / 2));
      free(p);
      free(index);
    }
  }
}

/** Quarters of rings, of tubes and of a parabola. */
static void bezier_in_closed_form(void)
{
  const double h = sqrt(0.5), parabola[] = { -1, 1, 0, 1, 1, 0, 0, -1, 0 };
  CHECK_NEAR(
    measure_of(SQ_CELL_BEZIER_CURVE, 3, parabola, NULL, NULL), sqrt(5.0) + 0.5 * asinh(2.0), 1e-11);
  const double arc[] = { 2, 0, 5, 0, 2, 5, 2, 2, 5 }, arc_weights[] = { 1, 1, h };
  CHECK_NEAR(measure_of(SQ_CELL_BEZIER_CURVE, 3, arc, NULL, arc_weights), PI, 1e-11);
  const uint8_t degrees[] = { 2, 1, 1 };
  /* Corners (2 0), (0 2), (0 1), (1 0), then the middles of both arcs, twice at two heights. */
  const double ring[] = { 2, 0, 0, 0, 2, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0, 1, 1, 0 };
  const double ring_weights[] = { 1, 1, 1, 1, h, h };
  CHECK_NEAR(
    measure_of(SQ_CELL_BEZIER_QUADRILATERAL, 6, ring, degrees, ring_weights), 0.75 * PI, 1e-11);
  double tube[36], weights[12];
  static const int node[12] = { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 4, 5 };
  for (int i = 0; i < 12; ++i)
  {
    tube[3 * i] = ring[3 * node[i]], tube[3 * i + 1] = ring[3 * node[i] + 1];
    tube[3 * i + 2] = (i > 3 && i < 8) || i > 9 ? 7.0 : 0.0;
    weights[i] = ring_weights[node[i]];
  }
  CHECK_NEAR(
    measure_of(SQ_CELL_BEZIER_HEXAHEDRON, 12, tube, degrees, weights), 7.0 * 0.75 * PI, 1e-11);
  /* A wall around a quarter of a circle: bent, but flat when it is unrolled. */
  double wall[18];
  for (int i = 0; i < 6; ++i)
  {
    int at = i < 4 ? (i == 1 || i == 2) : 2;
    memcpy(wall + 3 * i, arc + 3 * at, 3 * sizeof(double));
    wall[3 * i + 2] = i == 2 || i == 3 || i == 5 ? 8.0 : 5.0;
  }
  CHECK_NEAR(
    measure_of(SQ_CELL_BEZIER_QUADRILATERAL, 6, wall, degrees, ring_weights), 3.0 * PI, 1e-11);
}

/** Adds the measure of the simplex of dimension + 1 corners; of solids signed. */
static double simplex_measure(int dimension, const double (*x)[3])
{
  double e[3][3] = { { 0.0 } }, n[3];
  for (int k = 0; k < dimension; ++k)
  {
    sqk_sub3(x[k + 1], x[0], e[k]);
  }
  if (dimension == 1)
  {
    return sqrt(sqk_dot3(e[0], e[0]));
  }
  sqk_cross3(e[0], e[1], n);
  return dimension == 2 ? 0.5 * sqrt(sqk_dot3(n, n)) : sqk_dot3(n, e[2]) / 6.0;
}

/** A box of the lattice of n boxes a side, in simplices along its main diagonal, whose first parameters are kept in order. */
static double box_measure(const sqt_images* m, int64_t cell, int n, const int at[3])
{
  static const int order[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 },
    { 1, 0, 2 } };
  int dimension = sqk_shape_dimension(m->kind);
  sqk_domain domain = sqk_shape_domain(m->kind);
  double sum = 0.0;
  for (int s = 0; s < 6; ++s)
  {
    double x[4][3];
    int step[3] = { at[0], at[1], at[2] }, skip = 0;
    for (int i = 0; i <= dimension; ++i)
    {
      step[i ? order[s][i - 1] : 0] += i > 0;
      skip |= i > 0 && order[s][i - 1] >= dimension;
      double r[3] = { step[0] / (double)n, step[1] / (double)n, step[2] / (double)n };
      if (domain == SQK_DOMAIN_SIMPLEX || domain == SQK_DOMAIN_WEDGE)
      {
        r[1] *= dimension > 1 ? 1.0 - r[0] : 1.0;
        r[2] *= domain == SQK_DOMAIN_SIMPLEX && dimension > 2 ? 1.0 - r[0] - r[1] : 1.0;
      }
      sqt_images_point(m, cell, r, x[i]);
    }
    int doubled = dimension == 1 && s > 0 && order[s][0] == 0;
    sum += skip || doubled ? 0.0
                           : (s < 3               ? 1.0
                                 : dimension == 3 ? -1.0
                                                  : 1.0) *
        simplex_measure(dimension, (const double(*)[3])x);
  }
  return sum;
}

static double many_small(const sqt_images* m, int64_t cell, int n)
{
  int dimension = sqk_shape_dimension(m->kind);
  double sum = 0.0;
  for (int i = 0; i < n * (dimension > 1 ? n : 1) * (dimension > 2 ? n : 1); ++i)
  {
    const int at[3] = { i % n, i / n % n, i / (n * n) };
    sum += box_measure(m, cell, n, at);
  }
  return fabs(sum);
}

/** The sums of cells half as large are off by a quarter as much, up to the fourth order (Richardson). */
static void against_small_cells(void)
{
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    const sqt_shape* shape = sqt_shapes + s;
    if (!sqk_shape_is_curved(shape->type))
    {
      continue;
    }
    orc_random r = { 40u + (unsigned)s };
    sq_context* c = sqt_context(2, NULL, NULL);
    sqt_images m = sqt_images_make(c, shape, 0.5, &r);
    double got[SQT_IMAGE_CELLS];
    CHECK_STATUS(sq_cell_measures(c, &m.block, got), SQ_OK);
    for (int64_t i = 0; i < 4; ++i)
    {
      int dimension = sqk_shape_dimension(m.kind);
      int n = dimension == 1 ? 256 : dimension == 2 ? 24 : 8;
      double coarse = many_small(&m, i, n), fine = many_small(&m, i, 2 * n);
      double want = fine + (fine - coarse) / 3.0;
      CHECK_TEXT(CHECK_NEAR(got[i], want, 3e-4 * want + 0.02 * fabs(fine - coarse)), "%s, cell %d",
        shape->name, (int)i);
    }
    sqt_images_free(c, &m);
    sq_context_destroy(c);
  }
}

/** The same bits for 1, 2 and 7 threads. */
static void threads(void)
{
  for (int s = 0; s < sqt_shape_count; s += 3)
  {
    double first[SQT_IMAGE_CELLS], got[SQT_IMAGE_CELLS];
    for (int count = 1; count <= 7; count += count < 2 ? 1 : 5)
    {
      orc_random r = { 7 };
      sq_context* c = sqt_context(count, NULL, NULL);
      sqt_images m = sqt_images_make(c, sqt_shapes + s, 1.0, &r);
      CHECK_STATUS(sq_cell_measures(c, &m.block, count == 1 ? first : got), SQ_OK);
      CHECK(count == 1 || !memcmp(first, got, sizeof(got)));
      sqt_images_free(c, &m);
      sq_context_destroy(c);
    }
  }
}

static sq_status measures(sq_context* c, void* data)
{
  double out[SQT_IMAGE_CELLS];
  return sq_cell_measures(c, &((const sqt_images*)data)->block, out);
}

static void failures(void)
{
  orc_random r = { 7 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    if (!strcmp(sqt_shapes[s].name, "Bezier hexahedron 2"))
    {
      sqt_images m = sqt_images_make(c, sqt_shapes + s, 0.2, &r);
      sqt_sweep_memory("measures of layouts", measures, &m, 3);
      sqt_sweep_cancel("measures of layouts", measures, &m, 1);
      sqt_images_free(c, &m);
    }
  }
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "Lagrange in closed form", lagrange_in_closed_form },
  { "Bezier in closed form", bezier_in_closed_form },
  { "against small cells", against_small_cells },
  { "threads", threads },
  { "failures", failures },
};
SQT_MAIN(cases)
