/** Nearest cells of queries that are 1e4 to 1e9 cell sizes away: the foot is right to rounding of the cell, not of the distance. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>

#define TRIALS 200

/**
 * A query whose foot on the simplex of the first `corners` nodes has weights that are sixteenths. All coordinates are small whole
 * numbers, so that the direction across the simplex, `away` from the last node of a tetrahedron, is exact and so is the query.
 */
static int make_query(orc_random* r, const double* p, int corners, const double* away, int power,
  double weight[3], double x[3])
{
  double e[3], f[3], n[3] = { 0.0, 0.0, 0.0 };
  int a = 1 + (int)orc_below(r, 13), b = corners > 2 ? 1 + (int)orc_below(r, 14 - a) : 0;
  weight[1] = a / 16.0, weight[2] = b / 16.0;
  weight[0] = 1.0 - weight[1] - weight[2];
  for (int d = 0; d < 3; ++d)
  {
    e[d] = p[3 + d] - p[d];
    f[d] = corners > 2 ? p[6 + d] - p[d] : floor(orc_between(r, -9.0, 9.0));
  }
  for (int d = 0; d < 3; ++d)
  {
    n[d] = e[(d + 1) % 3] * f[(d + 2) % 3] - e[(d + 2) % 3] * f[(d + 1) % 3];
  }
  double size = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), side = 0.0;
  for (int d = 0; d < 3 && away; ++d)
  {
    side += n[d] * (away[d] - p[d]);
  }
  for (int d = 0; d < 3; ++d)
  {
    x[d] = ldexp(side > 0.0 ? -n[d] : n[d], power);
    x[d] += weight[0] * p[d] + weight[1] * p[3 + d] + (corners > 2 ? weight[2] * p[6 + d] : 0.0);
  }
  return size > 0.0 && (!away || fabs(side) > 0.0);
}

static void check_query(uint8_t type, int32_t nodes, const double* p, int corners,
  const double weight[3], const double x[3])
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  sq_cells b = sqt_cells_of(type, nodes, 1, p, nodes, ids);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, &b, 1);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, x, 1, &o, &v);
  double got[8] = { 0.0 }, sum = 0.0;
  for (int64_t k = v.node_offsets[0]; l && k < v.node_offsets[1]; ++k)
  {
    got[v.node_ids[k]] += v.node_weights[k];
    sum += v.node_weights[k];
  }
  int ok = CHECK_NEAR(sum, 1.0, 4e-16);
  for (int i = 0; i < nodes; ++i)
  {
    ok &= CHECK_NEAR(got[i], i < corners ? weight[i] : 0.0, 1e-14);
  }
  if (type == SQ_CELL_TETRA || type == SQ_CELL_TRIANGLE || type == SQ_CELL_LINE)
  {
    ok &= CHECK_NEAR(v.parametric[0], weight[1], 1e-14);
    ok &= CHECK_NEAR(v.parametric[1], weight[2], 1e-14);
  }
  CHECK_TEXT(ok, "type %d, at %g %g %g", (int)type, x[0], x[1], x[2]);
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

/** Lines, triangles and tetrahedra of random whole coordinates. */
static void simplices(void)
{
  static const uint8_t types[] = { SQ_CELL_LINE, SQ_CELL_POLY_LINE, SQ_CELL_TRIANGLE,
    SQ_CELL_POLYGON, SQ_CELL_TETRA };
  static const int nodes[] = { 2, 2, 3, 3, 4 }, corners[] = { 2, 2, 3, 3, 3 };
  orc_random r = { 8 };
  for (int t = 0; t < 5; ++t)
  {
    for (int i = 0; i < TRIALS; ++i)
    {
      double p[12], weight[3], x[3];
      for (int k = 0; k < 12; ++k)
      {
        p[k] = floor(orc_between(&r, -8.0, 8.0));
      }
      const double* away = types[t] == SQ_CELL_TETRA ? p + 9 : NULL;
      int power = 8 + (int)orc_below(&r, 20);
      double area[3], e[3], f[3], size = 0.0;
      for (int d = 0; d < 3; ++d)
      {
        e[d] = p[3 + d] - p[d], f[d] = p[6 + d] - p[d];
      }
      for (int d = 0; d < 3; ++d)
      {
        area[d] = e[(d + 1) % 3] * f[(d + 2) % 3] - e[(d + 2) % 3] * f[(d + 1) % 3];
        size += fabs(area[d]);
      }
      /* No needles, whose feet are less sure. */
      if (make_query(&r, p, corners[t], away, power, weight, x) && (corners[t] < 3 || size > 20.0))
      {
        check_query(types[t], nodes[t], p, corners[t], weight, x);
      }
    }
  }
}

/** Parallelograms, and parallelepipeds over them: the foot has the bilinear weights of its place. */
static void parallelograms(void)
{
  orc_random r = { 9 };
  for (int i = 0; i < TRIALS; ++i)
  {
    const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    double p[24], n[3], x[3], u[3], v[3], up = 0.0;
    double a = (1 + (int)orc_below(&r, 15)) / 16.0, b = (1 + (int)orc_below(&r, 15)) / 16.0;
    int solid = i % 2, power = 8 + (int)orc_below(&r, 20);
    for (int d = 0; d < 3; ++d)
    {
      u[d] = d == 0 ? 8.0 : floor(orc_between(&r, -3.0, 3.0));
      v[d] = d == 1 ? 8.0 : floor(orc_between(&r, -3.0, 3.0));
      p[d] = floor(orc_between(&r, -8.0, 8.0));
    }
    for (int d = 0; d < 3; ++d)
    {
      double w = d == 2 ? 8.0 : floor(orc_between(&r, -3.0, 3.0));
      p[3 + d] = p[d] + u[d], p[6 + d] = p[3 + d] + v[d], p[9 + d] = p[d] + v[d];
      for (int k = 0; k < 4; ++k)
      {
        p[12 + 3 * k + d] = p[3 * k + d] + w;
      }
      n[d] = u[(d + 1) % 3] * v[(d + 2) % 3] - u[(d + 2) % 3] * v[(d + 1) % 3];
      up += n[d] * w;
    }
    CHECK(up > 0.0 || n[2] > 0.0);
    for (int d = 0; d < 3; ++d)
    {
      x[d] = p[d] + a * u[d] + b * v[d] - ldexp(up < 0.0 ? -n[d] : n[d], power);
    }
    sq_cells block =
      sqt_cells_of(solid ? SQ_CELL_HEXAHEDRON : SQ_CELL_QUAD, solid ? 8 : 4, 1, p, 8, ids);
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_mesh_index* index = sqt_index(c, &block, 1);
    sq_locate_options o = sq_locate_options_default();
    o.mode = SQ_LOCATE_NEAREST;
    sq_location_view view;
    sq_location* l = sqt_locate(c, index, x, 1, &o, &view);
    const double want[8] = { (1.0 - a) * (1.0 - b), a * (1.0 - b), a * b, (1.0 - a) * b };
    for (int64_t k = view.node_offsets[0]; l && k < view.node_offsets[1]; ++k)
    {
      CHECK_NEAR(view.node_weights[k], want[view.node_ids[k]], 1e-14);
    }
    CHECK_NEAR(view.parametric[0], a, 1e-14);
    CHECK_NEAR(view.parametric[1], b, 1e-14);
    sq_location_destroy(l);
    sq_mesh_index_destroy(index);
    sq_context_destroy(c);
  }
}

static const sqt_case cases[] = {
  { "simplices", simplices },
  { "parallelograms", parallelograms },
};
SQT_MAIN(cases)
