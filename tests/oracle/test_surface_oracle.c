/**
 * Distance, sign, closest cell, closest point and barycentrics on every mesh of the suite, for every
 * kind of query, against brute force; closed meshes welded and as soup.
 */
#include "sq_test.h"
#include "sqt_scene.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Queries of one kind on one mesh. */
#define QUERIES 48

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
  sqt_scene* s = (sqt_scene*)malloc(sizeof(*s));
  for (int kind = 0; s && surfaces[0] && surfaces[1] && kind < ORC_QUERY_KINDS; ++kind)
  {
    sqt_scene_fill(s, entry->name, entry->flags, &mesh, (orc_query_kind)kind, QUERIES);
    sqt_scene_check(s, context, surfaces[0]);
    sqt_scene_check(s, context, surfaces[1]);
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
