/** What holds for every surface: the distance is 1-Lipschitz, ties go to the lowest id, and numbering changes nothing. */
#include "orc_queries.h"
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 26

/** |d(p) - d(q)| <= |p - q| between all neighbours of a grid, signed for closed meshes, else unsigned. */
static void lipschitz(void)
{
  double* d = (double*)malloc(SIDE * SIDE * SIDE * sizeof(*d));
  for (int i = 0; i < orc_suite_count; ++i)
  {
    const orc_suite_entry* e = orc_suite + i;
    orc_mesh m = e->make();
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &m);
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = e->flags & ORC_CLOSED ? SQ_SIGN_AUTOMATIC : SQ_SIGN_UNSIGNED;
    double lo[3];
    double hi[3];
    orc_bounds(&m, lo, hi);
    double pad = 0.13 * orc_diagonal(&m);
    sq_grid g;
    double far = 0.0;
    for (int k = 0; k < 3; ++k)
    {
      g.origin[k] = lo[k] - pad;
      g.spacing[k] = (hi[k] - lo[k] + 2.0 * pad) / (SIDE - 1);
      g.lo[k] = 0;
      g.hi[k] = SIDE - 1;
      far = fmax(far, fmax(fabs(lo[k] - pad), fabs(hi[k] + pad)));
    }
    CHECK_STATUS(sq_surface_distance_grid(c, s, &g, &o, SQ_FLOAT64, d, NULL), SQ_OK);
    const int step[3] = { 1, SIDE, SIDE * SIDE };
    double slack = 2.0 * orc_four_ulp(far);
    int wrong = 0;
    for (int q = 0; q < SIDE * SIDE * SIDE; ++q)
    {
      for (int k = 0; k < 3; ++k)
      {
        if (q / step[k] % SIDE + 1 < SIDE)
        {
          wrong += !(fabs(d[q + step[k]] - d[q]) <= g.spacing[k] + slack);
        }
      }
    }
    CHECK_TEXT(!wrong, "%s: %d of the grid's edges are too steep", e->name, wrong);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
  free(d);
}

static int has_corner(const orc_mesh* m, int64_t t, const double* p)
{
  for (int k = 0; k < 3; ++k)
  {
    if (!memcmp(orc_corner(m, t, k), p, 24))
    {
      return 1;
    }
  }
  return 0;
}

/** The lowest triangle with both points as corners. */
static int64_t lowest_with(const orc_mesh* m, const double* p, const double* q)
{
  int64_t t = 0;
  while (t < m->triangle_count && !(has_corner(m, t, p) && has_corner(m, t, q)))
  {
    ++t;
  }
  return t;
}

static void add_normal(const orc_mesh* m, int64_t t, double n[3])
{
  const double* a = orc_corner(m, t, 0);
  double u[3];
  double v[3];
  double w[3];
  for (int k = 0; k < 3; ++k)
  {
    u[k] = orc_corner(m, t, 1)[k] - a[k];
    v[k] = orc_corner(m, t, 2)[k] - a[k];
  }
  double length2 = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    w[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    length2 += w[k] * w[k];
  }
  for (int k = 0; k < 3; ++k)
  {
    n[k] += w[k] / sqrt(length2);
  }
}

/** Mean of the unit normals of the triangles with both points; its length is below 1 by the sharpness of the ridge. */
static double ridge_normal(const orc_mesh* m, const double* p, const double* q, double n[3])
{
  int count = 0;
  n[0] = n[1] = n[2] = 0.0;
  for (int64_t t = 0; t < m->triangle_count; ++t)
  {
    if (has_corner(m, t, p) && has_corner(m, t, q))
    {
      add_normal(m, t, n);
      ++count;
    }
  }
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / count;
}

/**
 * From outside a convex body every triangle at a corner (edge) is exactly as far as the corner (edge): the lowest id answers.
 * The query lies along the mean of the normals, so its closest point is the corner itself or the middle of the edge.
 */
static void check_ties(const orc_mesh* m, const char* name, int corners)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, m);
  orc_random r = { 17 };
  int asked = 0;
  for (int i = 0; i < 300; ++i)
  {
    int64_t t = orc_below(&r, m->triangle_count);
    int first = (int)orc_below(&r, 3);
    const double* p = orc_corner(m, t, first);
    const double* q = corners ? p : orc_corner(m, t, (first + 1) % 3);
    double n[3];
    if (ridge_normal(m, p, q, n) > 1.0 - 1e-6)
    {
      continue; /* flat here: the diagonal of a quad */
    }
    double x[3];
    double step = orc_between(&r, 0.01, 2.0);
    for (int k = 0; k < 3; ++k)
    {
      x[k] = 0.5 * (p[k] + q[k]) + step * n[k];
    }
    sqt_answers a = sqt_distances(c, s, x, 1, NULL);
    CHECK_TEXT(a.cell[0] == lowest_with(m, p, q), "%s, %s %d: got triangle %lld, want %lld", name,
      corners ? "corner" : "edge", i, (long long)a.cell[0], (long long)lowest_with(m, p, q));
    sqt_answers_free(&a);
    ++asked;
  }
  CHECK(asked > 100);
  sq_surface_destroy(s);
  sq_context_destroy(c);
}

static void ties(void)
{
  const char* const names[] = { "octasphere", "sphere", "cube", "turned box", "sphere at 1e6" };
  for (int i = 0; i < 5; ++i)
  {
    orc_mesh m = orc_suite_make(names[i]);
    orc_mesh soup = orc_soup(&m);
    for (int corners = 0; corners < 2; ++corners)
    {
      check_ties(&m, names[i], corners);
      check_ties(&soup, names[i], corners);
    }
    orc_mesh_free(&m);
    orc_mesh_free(&soup);
  }
}

/** All twelve triangles of a cube tie at its centre, and all copies of a triangle everywhere. */
static void exact_ties(void)
{
  const double centre[3] = { 0.5, 0.5, 0.5 };
  orc_mesh m = orc_suite_make("cube");
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, &m);
  sqt_answers a = sqt_distances(c, s, centre, 1, NULL);
  CHECK_INT(a.cell[0], 0);
  CHECK_NEAR(a.distance[0], -0.5, 0.0);
  sqt_answers_free(&a);
  sq_surface_destroy(s);
  orc_mesh_free(&m);
  m = orc_suite_make("every triangle thrice");
  s = sqt_build_mesh(c, &m);
  double x[3 * 500];
  orc_make_queries(&m, ORC_UNIFORM, 500, 6, x);
  a = sqt_distances(c, s, x, 500, NULL);
  for (int i = 0; i < 500; ++i)
  {
    CHECK(a.cell[i] >= 0 && a.cell[i] < 40);
  }
  sqt_answers_free(&a);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

/** Neither the order of the triangles nor their first corner changes a distance beyond rounding, or a sign. */
static void renumbered(void)
{
  enum
  {
    N = 500
  };
  const char* const names[] = { "torus", "rough sphere", "airfoil", "T-junction", "fin",
    "L prism" };
  for (int i = 0; i < 6; ++i)
  {
    orc_mesh m = orc_suite_make(names[i]);
    double x[3 * N];
    orc_make_queries(&m, i % 2 ? ORC_UNIFORM : ORC_LATTICE, N, 9, x);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &m);
    sqt_answers want = sqt_distances(c, s, x, N, NULL);
    sq_surface_destroy(s);
    orc_random r = { 3 };
    for (int64_t t = m.triangle_count - 1; t >= 0; --t)
    {
      int64_t u = orc_below(&r, t + 1);
      int turn = (int)orc_below(&r, 3);
      int64_t old[3];
      memcpy(old, m.corners + 3 * t, sizeof(old));
      memcpy(m.corners + 3 * t, m.corners + 3 * u, sizeof(old));
      for (int k = 0; k < 3; ++k)
      {
        m.corners[3 * u + k] = old[(k + turn) % 3];
      }
    }
    s = sqt_build_mesh(c, &m);
    sqt_answers got = sqt_distances(c, s, x, N, NULL);
    for (int q = 0; q < N; ++q)
    {
      double slack = orc_four_ulp(fmax(orc_largest(m.points, m.point_count), orc_largest(x, N)));
      CHECK_TEXT(fabs(got.distance[q] - want.distance[q]) <= slack, "%s: %.17g became %.17g",
        names[i], want.distance[q], got.distance[q]);
    }
    sqt_answers_free(&want);
    sqt_answers_free(&got);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
}

/** A mesh split over blocks, one of them empty, answers as the whole does. */
static void split_into_blocks(void)
{
  enum
  {
    N = 500
  };
  orc_mesh m = orc_suite_make("torus");
  double x[3 * N];
  orc_make_queries(&m, ORC_UNIFORM, N, 9, x);
  sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
  sq_cells blocks[3] = { v.cells, v.cells, v.cells };
  blocks[0].count = 300;
  blocks[1].count = 0;
  blocks[2].count = m.triangle_count - 300;
  blocks[2].connectivity = (const int64_t*)v.ids + 900;
  blocks[2].connectivity_count -= 900;
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* whole = sqt_build(c, &v.cells);
  sq_surface* parts = NULL;
  CHECK_STATUS(sq_surface_build(c, blocks, 3, NULL, &parts), SQ_OK);
  sqt_answers want = sqt_distances(c, whole, x, N, NULL);
  sqt_answers got = sqt_distances(c, parts, x, N, NULL);
  CHECK_SAME(got.distance, want.distance, N);
  for (int i = 0; i < N; ++i)
  {
    CHECK_INT(got.block[i], want.cell[i] < 300 ? 0 : 2);
    CHECK_INT(got.cell[i] + (got.block[i] ? 300 : 0), want.cell[i]);
  }
  sq_surface_report r;
  CHECK_STATUS(sq_surface_get_report(parts, &r), SQ_OK);
  CHECK_INT(r.boundary_edges, 0);
  CHECK_INT(r.components, 1);
  sqt_answers_free(&want);
  sqt_answers_free(&got);
  sq_surface_destroy(whole);
  sq_surface_destroy(parts);
  sq_context_destroy(c);
  sqt_view_free(&v);
  orc_mesh_free(&m);
}

static const sqt_case cases[] = {
  { "1-Lipschitz", lipschitz },
  { "ties at corners and edges", ties },
  { "exact ties", exact_ties },
  { "renumbered", renumbered },
  { "split into blocks", split_into_blocks },
};
SQT_MAIN(cases)
