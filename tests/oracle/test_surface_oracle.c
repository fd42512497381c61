/**
 * Distance, sign, closest cell, closest point and barycentrics on every mesh of the suite, for every
 * kind of query, against brute force; closed meshes welded and as soup.
 */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Queries of one kind on one mesh. */
#define QUERIES 48

typedef struct scene
{
  const orc_suite_entry* entry;
  const orc_mesh* mesh;
  orc_query_kind kind;
  double tolerance; /* 4 ulp of the scene size */
  double x[3 * QUERIES];
  orc_answer want[QUERIES];
} scene;

static void fill_scene(scene* s, const orc_suite_entry* entry, const orc_mesh* mesh, int kind)
{
  s->entry = entry;
  s->mesh = mesh;
  s->kind = (orc_query_kind)kind;
  orc_make_queries(mesh, s->kind, QUERIES, 1000 + (uint64_t)kind, s->x);
  double size = orc_largest(mesh->points, mesh->point_count);
  double far = orc_largest(s->x, QUERIES);
  s->tolerance = orc_four_ulp(far > size ? far : size);
  for (int i = 0; i < QUERIES; ++i)
  {
    s->want[i] = orc_answer_query(mesh, s->x + 3 * i, 1);
  }
}

static const char* const method_names[] = { "automatic", "pseudonormal", "winding number",
  "unsigned" };

static void explain(const scene* s, const char* what, int i)
{
  printf("    %s, %s query %d (%.17g, %.17g, %.17g), %s, winding number %.9Lf\n", s->entry->name,
    orc_query_kind_name(s->kind), i, s->x[3 * i], s->x[3 * i + 1], s->x[3 * i + 2], what,
    s->want[i].winding);
}

/** The sign of the exact winding number; 0 where rounding may decide it. */
static int wanted_sign(const scene* s, int i)
{
  orc_real w = s->want[i].winding;
  return fabsl(w - 0.5L) < 1e-3L ? 0 : w > 0.5L ? -1 : 1;
}

/** The distance with its sign lies within the tolerance of the true one. */
static void check_distance(const scene* s, const sqt_answers* a, int i, sq_sign_method method)
{
  double got = a->distance[i];
  double want = (double)s->want[i].distance;
  int sign = method == SQ_SIGN_UNSIGNED ? 1 : wanted_sign(s, i);
  int ok = CHECK_NEAR(sign ? got : fabs(got), sign < 0 ? -want : want, s->tolerance);
  ok &= CHECK(method != SQ_SIGN_UNSIGNED || !signbit(got));
  ok &= CHECK_INT(a->valid[i], 1);
  if (!ok)
  {
    explain(s, method_names[method], i);
  }
}

/** The named triangle is at that distance, and the closest point lies on it at the named weights. */
static void check_hit(const scene* s, const sqt_answers* a, int i)
{
  int64_t t = a->cell[i];
  int ok = CHECK(t >= 0 && t < s->mesh->triangle_count);
  if (!ok)
  {
    explain(s, "cell", i);
    return;
  }
  ok &= CHECK_INT(a->block[i], 0);
  ok &= CHECK_INT(a->sub[i], 0);
  const double* x = s->x + 3 * i;
  const double* p = a->closest + 3 * i;
  const double* b = a->barycentric + 3 * i;
  ok &= CHECK_NEAR(
    (double)orc_distance_to_triangle(s->mesh, t, x), (double)s->want[i].distance, s->tolerance);
  ok &= CHECK_NEAR((double)orc_distance_to_triangle(s->mesh, t, p), 0.0, s->tolerance);
  ok &= CHECK_NEAR(
    (double)orc_closest_on_segment(p, p, x).distance, (double)s->want[i].distance, s->tolerance);
  ok &= CHECK(b[0] >= 0.0 && b[1] >= 0.0 && b[2] >= 0.0);
  ok &= CHECK_NEAR(b[0] + b[1] + b[2], 1.0, 0x1p-51);
  for (int k = 0; k < 3; ++k)
  {
    orc_real sum = 0.0L;
    for (int c = 0; c < 3; ++c)
    {
      sum += (orc_real)b[c] * (orc_real)orc_corner(s->mesh, t, c)[k];
    }
    ok &= CHECK_NEAR((double)sum, p[k], s->tolerance);
  }
  if (!ok)
  {
    explain(s, "hit", i);
  }
}

static void check_run(const scene* s, sq_context* context, const sq_surface* surface)
{
  for (int method = SQ_SIGN_METHOD_MIN; method <= SQ_SIGN_METHOD_MAX; ++method)
  {
    if (method == SQ_SIGN_PSEUDONORMAL && !(s->entry->flags & ORC_SIMPLE))
    {
      continue;
    }
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = (sq_sign_method)method;
    sqt_answers a = sqt_distances(context, surface, s->x, QUERIES, &o);
    for (int i = 0; i < a.count; ++i)
    {
      check_distance(s, &a, i, o.sign_method);
      check_hit(s, &a, i);
    }
    sqt_answers_free(&a);
  }
}

/** All kinds of queries, on the mesh as it is and as separate triangles. */
static void check_mesh(const orc_suite_entry* entry)
{
  orc_mesh mesh = entry->make();
  orc_mesh soup = orc_soup(&mesh);
  sq_type type = entry->flags & ORC_FLOAT32 ? SQ_FLOAT32 : SQ_FLOAT64;
  sqt_view views[2] = { sqt_view_of(&mesh, type, SQ_INT64), sqt_view_of(&soup, type, SQ_INT32) };
  sq_context* context = sqt_context(2, NULL, NULL);
  sq_surface* surfaces[2] = { sqt_build(context, &views[0].cells),
    sqt_build(context, &views[1].cells) };
  scene* s = (scene*)malloc(sizeof(*s));
  for (int kind = 0; s && surfaces[0] && surfaces[1] && kind < ORC_QUERY_KINDS; ++kind)
  {
    fill_scene(s, entry, &mesh, kind);
    check_run(s, context, surfaces[0]);
    check_run(s, context, surfaces[1]);
  }
  free(s);
  sq_surface_destroy(surfaces[0]);
  sq_surface_destroy(surfaces[1]);
  sq_context_destroy(context);
  sqt_view_free(&views[0]);
  sqt_view_free(&views[1]);
  orc_mesh_free(&mesh);
  orc_mesh_free(&soup);
}

static void check_suite(unsigned closed)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    if ((orc_suite[i].flags & ORC_CLOSED) == closed)
    {
      int64_t before = sqt_failures();
      check_mesh(orc_suite + i);
      if (sqt_failures() > before)
      {
        printf(
          "    %lld failures on %s\n", (long long)(sqt_failures() - before), orc_suite[i].name);
      }
    }
  }
}

static void closed_meshes(void)
{
  check_suite(ORC_CLOSED);
}

static void other_meshes(void)
{
  check_suite(0);
}

/** Many triangles and many queries at once, of which some are answered again by brute force. */
static void check_large(orc_mesh mesh, const char* name)
{
  enum
  {
    N = 120000,
    STEP = 2311
  };
  double* x = (double*)malloc(3 * N * sizeof(*x));
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, &mesh);
  const int kinds[4] = { ORC_UNIFORM, ORC_NEAR_3, ORC_CHORDS, ORC_NEAR_9 };
  for (int k = 0; k < 4; ++k)
  {
    orc_make_queries(&mesh, (orc_query_kind)kinds[k], N / 4, 8, x + 3 * (N / 4) * k);
  }
  sqt_answers a = sqt_distances(c, s, x, N, NULL);
  double size = fmax(orc_largest(x, N), orc_largest(mesh.points, mesh.point_count));
  for (int64_t i = 0; i < a.count; i += STEP)
  {
    orc_answer want = orc_answer_query(&mesh, x + 3 * i, 1);
    double sign = want.winding > 0.5L ? -1.0 : 1.0;
    int decided = fabsl(want.winding - 0.5L) > 1e-3L;
    double got = decided ? a.distance[i] : fabs(a.distance[i]);
    CHECK_TEXT(fabs(got - (decided ? sign : 1.0) * (double)want.distance) <= orc_four_ulp(size),
      "%s, query %lld: got %.17g, want %.17g, winding number %.9Lf", name, (long long)i,
      a.distance[i], (double)want.distance, want.winding);
  }
  sqt_answers_free(&a);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&mesh);
  free(x);
}

static void large_meshes(void)
{
  check_large(orc_make_torus(1.0, 0.3, 300, 150), "torus of 90 000 triangles");
  check_large(orc_make_triangle_soup(60000, 5, 0.05, 0.5), "60 000 separate triangles");
  check_large(orc_make_sheet(200, 200, 0.0), "plane of 80 000 triangles");
}

static const sqt_case cases[] = {
  { "closed meshes", closed_meshes },
  { "other meshes", other_meshes },
  { "large meshes", large_meshes },
};
SQT_MAIN(cases)
