/** Segments through quadratic cells whose faces are known: quadratic images of planes. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqk_shape_domain.h"
#include "sqt_query.h"

#include <math.h>

#define SEGMENTS 400

static const uint8_t TYPES[] = { SQ_CELL_QUADRATIC_TRIANGLE, SQ_CELL_QUADRATIC_QUAD,
  SQ_CELL_BIQUADRATIC_QUAD, SQ_CELL_QUADRATIC_LINEAR_QUAD, SQ_CELL_BIQUADRATIC_TRIANGLE,
  SQ_CELL_QUADRATIC_TETRA, SQ_CELL_QUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_WEDGE,
  SQ_CELL_TRIQUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_LINEAR_WEDGE,
  SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON };
#define TYPE_COUNT ((int)(sizeof(TYPES) / sizeof(*TYPES)))

/** How far the cell is lifted over parameters (x, y). */
static double lift(int type, double x, double y)
{
  return 0.9 * x * (1.0 - x) - (type == SQ_CELL_QUADRATIC_LINEAR_QUAD ? 0.0 : 0.6 * y * y);
}

/** Nodes at their parameters, lifted. */
static void lifted_cell(int type, double* p)
{
  static const double steps[] = { 0.0, 1.0 / 3.0, 0.5, 1.0 };
  int dimension = sqk_shape_dimension(type);
  for (int i = 0; i < 64; ++i)
  {
    double r[3] = { steps[i % 4], dimension > 1 ? steps[i / 4 % 4] : 0.0,
      dimension > 2 ? steps[i / 16] : 0.0 };
    double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
    sqk_shape_evaluate(type, r, w, dw);
    for (int n = 0; n < sqk_shape_nodes(type); ++n)
    {
      if (fabs(w[n] - 1.0) < 1e-12 && sqk_shape_violation(type, r) <= 1e-12)
      {
        p[3 * n] = r[0];
        p[3 * n + 1] = r[1];
        p[3 * n + 2] = r[2] + lift(type, r[0], r[1]);
      }
    }
  }
}

/** Half space j of the domain at the parameters of a + t (b - a); a quadratic in t. 0 after the last one. */
static int bound_at(int type, int j, const double a[3], const double b[3], double t, double* value)
{
  double plane[4], r[3];
  int solid = sqk_shape_dimension(type) == 3;
  int more = sqk_shape_plane(type, j, plane);
  for (int k = 0; k < 3; ++k)
  {
    r[k] = a[k] + t * (b[k] - a[k]);
  }
  r[2] -= lift(type, r[0], r[1]);
  /* A surface has one more: its own height. */
  *value = more ? sqk_dot3(plane, r) + plane[3] : r[2];
  return more || (!solid && sqk_shape_plane(type, j - 1, plane));
}

typedef struct expected
{
  double first; /* HUGE_VAL: none */
  int unsure; /* an edge is near, or the segment grazes */
} expected;

/** A root of bound j: it is a crossing where the other bounds hold. */
static void take_root(
  int type, int j, const double a[3], const double b[3], double t, double slope, expected* e)
{
  double least = HUGE_VAL, value;
  int solid = sqk_shape_dimension(type) == 3;
  for (int i = 0; bound_at(type, i, a, b, t, &value); ++i)
  {
    double unused[4];
    int is_height = !solid && !sqk_shape_plane(type, i, unused);
    least = i == j || is_height ? least : fmin(least, value);
  }
  least = fmin(least, fmin(t, 1.0 - t));
  e->unsure |= fabs(least) < 1e-7 || (fabs(slope) < 1e-3 && least > -1e-7);
  e->first = least >= 0.0 ? fmin(e->first, t) : e->first;
}

static expected expect(int type, const double a[3], const double b[3])
{
  expected e = { HUGE_VAL, 0 };
  double f[3], unused[4];
  int solid = sqk_shape_dimension(type) == 3;
  for (int j = 0; bound_at(type, j, a, b, 0.0, f); ++j)
  {
    (void)bound_at(type, j, a, b, 0.5, f + 1);
    (void)bound_at(type, j, a, b, 1.0, f + 2);
    double c = f[0], q = 2.0 * (f[0] + f[2] - 2.0 * f[1]), l = f[2] - f[0] - q;
    double root2 = l * l - 4.0 * q * c;
    if (!solid && sqk_shape_plane(type, j, unused))
    {
      continue; /* the rim of a surface is no face of it */
    }
    e.unsure |= fabs(root2) < 1e-6;
    if (root2 < 0.0)
    {
      continue;
    }
    double root = sqrt(root2), away = -0.5 * (l + copysign(root, l));
    if (fabs(q) > 1e-9)
    {
      take_root(type, j, a, b, away / q, root, &e);
    }
    if (fabs(away) > 1e-12)
    {
      take_root(type, j, a, b, c / away, root, &e);
    }
  }
  return e;
}

static void lifted_cells(void)
{
  for (int i = 0; i < TYPE_COUNT; ++i)
  {
    int type = TYPES[i];
    double p[3 * SQK_SHAPE_NODES];
    int64_t ids[SQK_SHAPE_NODES];
    int nodes = sqk_shape_nodes(type), hits = 0, misses = 0;
    for (int n = 0; n < nodes; ++n)
    {
      ids[n] = n;
    }
    lifted_cell(type, p);
    sq_cells b = sqt_cells_of((uint8_t)type, nodes, 1, p, nodes, ids);
    sqt_asker a = sqt_asker_open(&b, 1);
    orc_random r = { 17 + (uint64_t)i };
    for (int s = 0; s < SEGMENTS; ++s)
    {
      double from[3], to[3];
      for (int k = 0; k < 3; ++k)
      {
        from[k] = orc_between(&r, -0.4, 1.4);
        to[k] = s % 4 == 0 && k < 2 ? from[k] : orc_between(&r, -0.4, 1.4);
      }
      expected want = expect(type, from, to);
      sq_mesh_crossing c;
      sq_mesh_hit hit;
      CHECK_STATUS(sq_mesh_query_first_crossing(a.query, from, to, 0.0, &c, &hit), SQ_OK);
      if (want.unsure)
      {
        continue;
      }
      int ok = CHECK_INT(c.cell, want.first < HUGE_VAL ? 0 : -1);
      hits += c.cell >= 0;
      misses += c.cell < 0;
      if (ok && c.cell >= 0)
      {
        ok &= CHECK_NEAR(c.t, want.first, 1e-11);
        ok &= CHECK(hit.cell == 0 && hit.distance < 1e-13);
      }
      CHECK_TEXT(ok, "type %d: (%.17g, %.17g, %.17g) to (%.17g, %.17g, %.17g)", type, from[0],
        from[1], from[2], to[0], to[1], to[2]);
    }
    CHECK_TEXT(hits > 25 && misses > 25, "type %d: %d hits, %d misses", type, hits, misses);
    sqt_asker_close(&a);
  }
}

/** A curve is met where a segment crosses it, or passes within the tolerance. */
static void curves(void)
{
  const double edge[] = { 0, 0, 0, 1, 0, 0, 0.5, 0.25, 0 }; /* y = x (1 - x) */
  const int64_t ids[] = { 0, 1, 2 };
  sq_cells b = sqt_cells_of(SQ_CELL_QUADRATIC_EDGE, 3, 1, edge, 3, ids);
  sqt_asker a = sqt_asker_open(&b, 1);
  for (int i = 0; i <= 10; ++i)
  {
    double x = 0.1 * i, y = x * (1.0 - x);
    const double from[3] = { x, y, 1.0 }, to[3] = { x, y, -3.0 };
    const double past[3] = { x, y + 0.01, 1.0 }, beyond[3] = { x, y + 0.01, -3.0 };
    sq_mesh_crossing c;
    CHECK_STATUS(sq_mesh_query_first_crossing(a.query, from, to, 0.0, &c, NULL), SQ_OK);
    CHECK_INT(c.cell, 0);
    CHECK_NEAR(c.t, 0.25, 1e-14);
    CHECK_STATUS(sq_mesh_query_first_crossing(a.query, past, beyond, 0.005, &c, NULL), SQ_OK);
    CHECK_INT(c.cell, -1);
    CHECK_STATUS(sq_mesh_query_first_crossing(a.query, past, beyond, 0.02, &c, NULL), SQ_OK);
    CHECK_INT(c.cell, 0);
    CHECK_NEAR(c.t, 0.25, 1e-8);
  }
  sqt_asker_close(&a);
}

static const sqt_case cases[] = {
  { "lifted cells", lifted_cells },
  { "curves", curves },
};
SQT_MAIN(cases)
