/** Quadratic cells and the cubic line: shape functions, and points of bent cells that are found with their weights. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqk_cell_hull.h"
#include "sqk_shape_domain.h"
#include "sqk_shape_point.h"
#include "sqt_locate.h"

#include <math.h>

#define QUERIES 60

static const uint8_t TYPES[] = { SQ_CELL_QUADRATIC_EDGE, SQ_CELL_QUADRATIC_TRIANGLE,
  SQ_CELL_QUADRATIC_QUAD, SQ_CELL_QUADRATIC_TETRA, SQ_CELL_QUADRATIC_HEXAHEDRON,
  SQ_CELL_QUADRATIC_WEDGE, SQ_CELL_QUADRATIC_PYRAMID, SQ_CELL_BIQUADRATIC_QUAD,
  SQ_CELL_TRIQUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_LINEAR_QUAD, SQ_CELL_QUADRATIC_LINEAR_WEDGE,
  SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON,
  SQ_CELL_BIQUADRATIC_TRIANGLE, SQ_CELL_CUBIC_LINE };
#define TYPE_COUNT ((int)(sizeof(TYPES) / sizeof(*TYPES)))

/** Random parameters in the domain; every third one on its boundary. */
static void random_parameters(int type, orc_random* r, int q, double at[3])
{
  do
  {
    for (int k = 0; k < 3; ++k)
    {
      at[k] = k < sqk_shape_dimension(type) ? orc_between(r, 0.0, 1.0) : 0.0;
      at[k] = q % 3 == 1 && orc_between(r, 0.0, 1.0) < 0.5 ? floor(2.0 * at[k]) : at[k];
    }
  } while (sqk_shape_violation(type, at) > 0.0);
}

/** Where each node lies in the domain: there it alone has a weight. Shows that each has such a place. */
static void find_nodes(int type, double (*node)[3])
{
  static const double steps[] = { 0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0 };
  int found = 0, dimension = sqk_shape_dimension(type);
  int seen[SQK_SHAPE_NODES] = { 0 };
  for (int i = 0; i < 125; ++i)
  {
    double r[3] = { steps[i % 5], dimension > 1 ? steps[i / 5 % 5] : 0.0,
      dimension > 2 ? steps[i / 25] : 0.0 };
    double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
    if (sqk_shape_violation(type, r) > 1e-12)
    {
      continue;
    }
    sqk_shape_evaluate(type, r, w, dw);
    for (int n = 0; n < sqk_shape_nodes(type); ++n)
    {
      if (fabs(w[n] - 1.0) < 1e-14 && !seen[n])
      {
        seen[n] = 1;
        ++found;
        sqk_set3(r, node[n]);
      }
    }
  }
  CHECK_INT(found, sqk_shape_nodes(type));
}

static void shape_functions(void)
{
  orc_random r = { 3 };
  for (int t = 0; t < TYPE_COUNT; ++t)
  {
    int type = TYPES[t];
    double node[SQK_SHAPE_NODES][3];
    find_nodes(type, node);
    for (int q = 0; q < QUERIES; ++q)
    {
      double at[3], w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES], sum = 0.0;
      random_parameters(type, &r, q, at);
      sqk_shape_evaluate(type, at, w, dw);
      for (int k = 0; k < sqk_shape_dimension(type); ++k)
      {
        double lo[SQK_SHAPE_NODES], hi[SQK_SHAPE_NODES], unused[3 * SQK_SHAPE_NODES];
        double a[3] = { at[0], at[1], at[2] }, b[3] = { at[0], at[1], at[2] };
        a[k] -= 0x1p-20, b[k] += 0x1p-20;
        sqk_shape_evaluate(type, a, lo, unused);
        sqk_shape_evaluate(type, b, hi, unused);
        for (int n = 0; n < sqk_shape_nodes(type); ++n)
        {
          CHECK_NEAR(dw[3 * n + k], (hi[n] - lo[n]) * 0x1p19, 1e-8);
        }
      }
      for (int n = 0; n < sqk_shape_nodes(type); ++n)
      {
        sum += w[n];
      }
      CHECK_NEAR(sum, 1.0, 1e-14);
    }
  }
}

/** Points and derivatives that are summed without the functions of the nodes are those of the functions. */
static void points_of_cells(void)
{
  orc_random random = { 7 };
  int known = 0;
  for (int t = 0; t < TYPE_COUNT; ++t)
  {
    int type = TYPES[t], nodes = sqk_shape_nodes(type);
    for (int q = 0; q < 20 * QUERIES; ++q)
    {
      double p[3 * SQK_SHAPE_NODES], w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
      double r[3] = { 0.0, 0.0, 0.0 }, x[3], j[3][3], sum[4][3] = { { 0.0 } };
      for (int k = 0; k < sqk_shape_dimension(type); ++k)
      {
        r[k] = orc_between(&random, -0.5, 1.5);
      }
      for (int i = 0; i < 3 * nodes; ++i)
      {
        p[i] = orc_between(&random, -1.0, 1.0);
      }
      int found = sqk_shape_point(type, p, r, x, j);
      known += found && q == 0;
      sqk_shape_evaluate(type, r, w, dw);
      for (int i = 0; i < 3 * nodes; ++i)
      {
        sum[3][i % 3] += w[i / 3] * p[i];
        for (int k = 0; k < 3; ++k)
        {
          sum[k][i % 3] += dw[3 * (i / 3) + k] * p[i];
        }
      }
      for (int d = 0; found && d < 3; ++d)
      {
        CHECK_NEAR(x[d], sum[3][d], 1e-13);
        CHECK_NEAR(j[0][d], sum[0][d], 1e-13);
        CHECK_NEAR(j[1][d], sum[1][d], 1e-13);
        CHECK_NEAR(j[2][d], sum[2][d], 1e-13);
      }
    }
  }
  CHECK_INT(known, 10);
}

/** A cell with its nodes moved off their places by up to `bend`. */
static void bent_cell(int type, double bend, orc_random* r, double* p)
{
  double node[SQK_SHAPE_NODES][3];
  find_nodes(type, node);
  for (int n = 0; n < sqk_shape_nodes(type); ++n)
  {
    double* x = node[n];
    if (type == SQ_CELL_QUADRATIC_PYRAMID)
    {
      x[0] += (0.5 - x[0]) * x[2], x[1] += (0.5 - x[1]) * x[2];
    }
    p[3 * n] = x[0] + 0.3 * x[1] + orc_between(r, -bend, bend);
    p[3 * n + 1] = 1.2 * x[1] - 0.2 * x[2] + orc_between(r, -bend, bend);
    p[3 * n + 2] = 0.8 * x[2] + 0.1 * x[0] + orc_between(r, -bend, bend);
  }
}

static void check_found(int type, const double* p, const double* x)
{
  int64_t ids[SQK_SHAPE_NODES];
  int nodes = sqk_shape_nodes(type);
  for (int n = 0; n < nodes; ++n)
  {
    ids[n] = n;
  }
  sq_cells b = sqt_cells_of((uint8_t)type, nodes, 1, p, nodes, ids);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, &b, 1);
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, x, QUERIES + 1, NULL, &v);
  for (int q = 0; l && q < QUERIES; ++q)
  {
    double at[3];
    int ok = CHECK_INT(v.status[q], SQ_SAMPLE_INSIDE);
    ok &= CHECK_NEAR(sqt_rebuild(&v, &b, q, at), 1.0, 1e-14);
    for (int k = 0; k < 3; ++k)
    {
      ok &= CHECK_NEAR(at[k], x[3 * q + k], 1e-14);
    }
    CHECK_TEXT(ok, "type %d, query %d", type, q);
  }
  CHECK_INT(v.status[QUERIES], SQ_SAMPLE_OUTSIDE);
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

static void straight_and_bent(void)
{
  orc_random r = { 4 };
  for (int t = 0; t < TYPE_COUNT; ++t)
  {
    for (int k = 0; k < 4; ++k)
    {
      double p[3 * SQK_SHAPE_NODES], hull[3 * SQK_CELL_HULL], x[3 * QUERIES + 3];
      bent_cell(TYPES[t], 0.02 * k, &r, p);
      for (int q = 0; q < QUERIES; ++q)
      {
        double at[3], w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
        random_parameters(TYPES[t], &r, q, at);
        sqk_shape_evaluate(TYPES[t], at, w, dw);
        sqk_cell_combine(p, w, sqk_shape_nodes(TYPES[t]), x + 3 * q);
      }
      x[3 * QUERIES] = x[3 * QUERIES + 1] = x[3 * QUERIES + 2] = 3.0;
      check_found(TYPES[t], p, x);
      /* The hull's box holds the cell. */
      int count = sqk_cell_hull(TYPES[t], p, hull);
      for (int i = 0; i < 3 * QUERIES; ++i)
      {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int n = 0; n < count; ++n)
        {
          lo = fmin(lo, hull[3 * n + i % 3]), hi = fmax(hi, hull[3 * n + i % 3]);
        }
        CHECK(x[i] >= lo - 1e-14 && x[i] <= hi + 1e-14);
      }
    }
  }
}

/** A parabola bulging up: the point of it nearest to one above, and to one beyond its end. */
static void nearest_on_a_curve(void)
{
  const double p[] = { 0, 0, 0, 2, 0, 0, 1, 1, 0 };
  const int64_t ids[] = { 0, 1, 2 };
  const double x[] = { 1, 3, 0, -1, -1, 0, 1, 0.5, 0 };
  const double want[] = { 2.0, sqrt(2.0), 0.5 };
  sq_cells b = sqt_cells_of(SQ_CELL_QUADRATIC_EDGE, 3, 1, p, 3, ids);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, &b, 1);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, x, 3, &o, &v);
  for (int q = 0; l && q < 3; ++q)
  {
    CHECK_NEAR(v.distance[q], want[q], 1e-8);
    CHECK_INT(v.status[q], SQ_SAMPLE_NEAREST);
  }
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "shape functions", shape_functions },
  { "points of cells", points_of_cells },
  { "straight and bent", straight_and_bent },
  { "nearest on a curve", nearest_on_a_curve },
};
SQT_MAIN(cases)
