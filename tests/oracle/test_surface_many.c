/**
 * Many points on every closed mesh of the suite: signs are those of the exact winding number, distances those of brute force, and
 * grids are 1-Lipschitz. SQ_LONG_TESTS=1: a million points a mesh, 20,000 of them by brute force, and grids of 128^3 points.
 * SQ_SURFACE takes only meshes whose names contain it.
 */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_long(void)
{
  const char* text = getenv("SQ_LONG_TESTS");
  return text && text[0] && strcmp(text, "0") != 0;
}

/** Closed and asked for; says where a long run is. */
static int is_taken(const orc_suite_entry* entry)
{
  const char* only = getenv("SQ_SURFACE");
  int taken = (entry->flags & ORC_CLOSED) && (!only || strstr(entry->name, only));
  if (taken && is_long())
  {
    printf("  %s\n", entry->name);
    fflush(stdout);
  }
  return taken;
}

/** Winding numbers this near to 1/2 are those of points on the surface. */
#define UNDECIDED 1e-3

typedef struct many
{
  int64_t count;
  double* x;
  double* distance;
  double* winding;
} many;

static many many_of(const orc_mesh* mesh, int64_t count)
{
  static const orc_query_kind kinds[] = { ORC_UNIFORM, ORC_NEAR_3, ORC_NEAR_9, ORC_ON_FACES,
    ORC_ON_EDGES, ORC_ON_CORNERS };
  int64_t share = count / 6;
  many m;
  m.count = 6 * share;
  m.x = (double*)malloc((size_t)(3 * m.count) * sizeof(double));
  m.distance = (double*)malloc((size_t)m.count * sizeof(double));
  m.winding = (double*)malloc((size_t)m.count * sizeof(double));
  for (int k = 0; k < 6; ++k)
  {
    orc_make_queries(mesh, kinds[k], share, 31, m.x + 3 * share * k);
  }
  return m;
}

static void free_many(many* m)
{
  free(m->x);
  free(m->distance);
  free(m->winding);
}

static void run(sq_context* c, const sq_surface* s, many* m, sq_sign_method method, double* winding)
{
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = method;
  o.winding_accuracy = winding ? 0.0 : SQ_WINDING_ACCURACY_DEFAULT;
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = m->distance;
  out.winding_number = winding;
  sq_points q = sqt_points(m->x, m->count);
  CHECK_STATUS(sq_surface_distance(c, s, &q, &o, &out), SQ_OK);
}

/** The sign of every distance that is more than rounding. */
static void check_signs(const many* m, double tolerance, const char* name, const char* method)
{
  int64_t wrong = 0, first = -1;
  for (int64_t i = 0; i < m->count; ++i)
  {
    int undecided = fabs(m->winding[i] - 0.5) < UNDECIDED || fabs(m->distance[i]) <= tolerance;
    if (!undecided && (m->distance[i] < 0.0) != (m->winding[i] > 0.5))
    {
      first = first < 0 ? i : first;
      ++wrong;
    }
  }
  CHECK_TEXT(wrong == 0, "%s, %s: %lld of %lld signs are wrong, first at (%.17g, %.17g, %.17g)",
    name, method, (long long)wrong, (long long)m->count, m->x[3 * (first < 0 ? 0 : first)],
    m->x[3 * (first < 0 ? 0 : first) + 1], m->x[3 * (first < 0 ? 0 : first) + 2]);
}

/** Every so many distances and winding numbers again by brute force. */
static void check_some(const many* m, const orc_mesh* mesh, double tolerance, const char* name)
{
  int64_t step = m->count / (is_long() ? 20000 : 300) + 1;
  for (int64_t i = 0; i < m->count; i += step)
  {
    orc_answer want = orc_answer_query(mesh, m->x + 3 * i, 1);
    CHECK_TEXT(fabs(fabs(m->distance[i]) - (double)want.distance) <= tolerance,
      "%s, query %lld: distance %.17g, want %.17g", name, (long long)i, m->distance[i],
      (double)want.distance);
    CHECK_TEXT(
      (double)want.distance <= tolerance || fabs(m->winding[i] - (double)want.winding) < 0.25,
      "%s, query %lld: winding number %.9g, want %.9Lg", name, (long long)i, m->winding[i],
      want.winding);
  }
}

static void signs_at_many_points(void)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    const orc_suite_entry* entry = orc_suite + i;
    if (!is_taken(entry))
    {
      continue;
    }
    orc_mesh mesh = entry->make();
    many m = many_of(&mesh, is_long() ? 1000000 : 3000);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &mesh);
    double size = fmax(orc_largest(m.x, m.count), orc_largest(mesh.points, mesh.point_count));
    double tolerance = orc_four_ulp(size);
    run(c, s, &m, SQ_SIGN_WINDING_NUMBER, m.winding);
    check_signs(&m, tolerance, entry->name, "exact sum");
    check_some(&m, &mesh, tolerance, entry->name);
    run(c, s, &m, SQ_SIGN_WINDING_NUMBER, NULL);
    check_signs(&m, tolerance, entry->name, "winding number");
    run(c, s, &m, SQ_SIGN_AUTOMATIC, NULL);
    check_signs(&m, tolerance, entry->name, "automatic");
    sq_surface_report r;
    CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
    CHECK(!(entry->flags & ORC_SIMPLE) || strstr(entry->name, "hollow") ||
      r.automatic_sign == SQ_SIGN_PSEUDONORMAL);
    if (r.automatic_sign == SQ_SIGN_PSEUDONORMAL)
    {
      run(c, s, &m, SQ_SIGN_PSEUDONORMAL, NULL);
      check_signs(&m, tolerance, entry->name, "pseudonormal");
    }
    sq_surface_destroy(s);
    sq_context_destroy(c);
    free_many(&m);
    orc_mesh_free(&mesh);
  }
}

/** No two neighbours of the grid differ by more than their points. */
static void check_grid(
  const double* d, int n, const double spacing[3], double room, const char* name)
{
  const int64_t stride[3] = { 1, n, (int64_t)n * n };
  double worst = -INFINITY;
  for (int64_t i = 0; i < (int64_t)n * n * n; ++i)
  {
    const int at[3] = { (int)(i % n), (int)(i / n % n), (int)(i / n / n) };
    for (int k = 0; k < 3; ++k)
    {
      if (at[k])
      {
        worst = fmax(worst, fabs(d[i] - d[i - stride[k]]) - spacing[k]);
      }
    }
  }
  CHECK_TEXT(worst <= room, "%s: %g more than the spacing, allowed is %g", name, worst, room);
}

static void lipschitz_on_grids(void)
{
  int n = is_long() ? 128 : 20;
  double* d = (double*)malloc((size_t)n * (size_t)n * (size_t)n * sizeof(double));
  for (int i = 0; i < orc_suite_count; ++i)
  {
    if (!is_taken(orc_suite + i))
    {
      continue;
    }
    orc_mesh mesh = orc_suite[i].make();
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &mesh);
    double lo[3], hi[3], size = orc_largest(mesh.points, mesh.point_count);
    orc_bounds(&mesh, lo, hi);
    sq_grid g;
    for (int k = 0; k < 3; ++k)
    {
      double side = fmax(hi[k] - lo[k], 1e-3 * orc_diagonal(&mesh));
      g.spacing[k] = 2.0 * side / (n - 1);
      g.origin[k] = 0.5 * lo[k] + 0.5 * hi[k] - side;
      g.lo[k] = 0;
      g.hi[k] = n - 1;
      size = fmax(size, fmax(fabs(g.origin[k]), fabs(g.origin[k] + 2.0 * side)));
    }
    for (int method = SQ_SIGN_AUTOMATIC; method <= SQ_SIGN_UNSIGNED; ++method)
    {
      sq_distance_options o = sq_distance_options_default();
      o.sign_method = (sq_sign_method)method;
      if (method == SQ_SIGN_AUTOMATIC || method == SQ_SIGN_WINDING_NUMBER ||
        method == SQ_SIGN_UNSIGNED)
      {
        CHECK_STATUS(sq_surface_distance_grid(c, s, &g, &o, SQ_FLOAT64, d, NULL), SQ_OK);
        /* Both distances and both points are rounded. */
        check_grid(d, n, g.spacing, 4.0 * orc_four_ulp(size), orc_suite[i].name);
      }
    }
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&mesh);
  }
  free(d);
}

static const sqt_case cases[] = {
  { "signs at many points", signs_at_many_points },
  { "1-Lipschitz on grids", lipschitz_on_grids },
};
SQT_MAIN(cases)
