/** The counts of sq_surface_get_report() on surfaces whose counts are known. */
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <string.h>

static sq_surface_report report_of(const orc_mesh* mesh)
{
  sq_surface_report r;
  memset(&r, 0, sizeof(r));
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, mesh);
  CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
  CHECK(sq_surface_bytes(s) > 0);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  return r;
}

/** Of the mesh, which must not change when every triangle gets its own points. */
static sq_surface_report report_named(const char* name)
{
  orc_mesh m = orc_suite_make(name);
  orc_mesh soup = orc_soup(&m);
  sq_surface_report r = report_of(&m);
  sq_surface_report t = report_of(&soup);
  CHECK_INT(t.triangles, r.triangles);
  CHECK_INT(t.vertices, r.vertices);
  CHECK_INT(t.boundary_edges, r.boundary_edges);
  CHECK_INT(t.non_manifold_edges, r.non_manifold_edges);
  CHECK_INT(t.inconsistent_edges, r.inconsistent_edges);
  CHECK_INT(t.degenerate_triangles, r.degenerate_triangles);
  CHECK_INT(t.duplicate_triangles, r.duplicate_triangles);
  CHECK_INT(t.self_intersections, r.self_intersections);
  CHECK_INT(t.components, r.components);
  CHECK_INT(t.is_closed, r.is_closed);
  CHECK_INT(r.kind, SQ_SURFACE_POLYGONS);
  CHECK_INT(r.skipped_elements, 0);
  orc_mesh_free(&m);
  orc_mesh_free(&soup);
  return r;
}

static void clean_closed(void)
{
  const struct
  {
    const char* name;
    int64_t triangles, vertices, components;
  } want[] = { { "cube", 12, 8, 1 }, { "sphere", 720, 362, 1 }, { "octasphere", 512, 258, 1 },
    { "torus", 784, 392, 1 }, { "L prism", 20, 12, 1 }, { "airfoil", 156, 80, 1 },
    { "hollow sphere", 596, 302, 2 }, { "two spheres", 488, 248, 2 }, { "slab 1e-9", 12, 8, 1 } };
  for (size_t i = 0; i < sizeof(want) / sizeof(*want); ++i)
  {
    sq_surface_report r = report_named(want[i].name);
    int before = (int)sqt_failures();
    CHECK_INT(r.triangles, want[i].triangles);
    CHECK_INT(r.vertices, want[i].vertices);
    CHECK_INT(r.components, want[i].components);
    CHECK_INT(r.boundary_edges, 0);
    CHECK_INT(r.non_manifold_edges, 0);
    CHECK_INT(r.inconsistent_edges, 0);
    CHECK_INT(r.degenerate_triangles, 0);
    CHECK_INT(r.duplicate_triangles, 0);
    CHECK_INT(r.is_closed, 1);
    CHECK_INT(r.self_intersections, 0);
    CHECK_TEXT(before == (int)sqt_failures(), "on %s", want[i].name);
  }
}

static void area_and_volume(void)
{
  sq_surface_report r = report_named("cube");
  CHECK_NEAR(r.area, 6.0, 1e-15);
  CHECK_NEAR(r.signed_volume, 1.0, 1e-15);
  r = report_named("L prism");
  CHECK_NEAR(r.area, 14.0, 1e-14);
  CHECK_NEAR(r.signed_volume, 3.0, 1e-14);
  r = report_named("cube at 1e6"); /* about the mean of the vertices: no digits lost */
  CHECK_NEAR(r.signed_volume, 1.0, 1e-15);
  r = report_named("torus");
  CHECK_NEAR(r.signed_volume, 2.0 * 9.8696 * 0.09, 0.15);
  orc_mesh m = orc_suite_make("cube");
  orc_reverse(&m);
  r = report_of(&m);
  CHECK_NEAR(r.signed_volume, -1.0, 1e-15);
  CHECK_INT(r.inconsistent_edges, 0);
  orc_mesh_free(&m);
}

/** Where the squares leave the range of a double but the answers do not. */
static void extreme_sizes(void)
{
  const double scales[] = { 0x1p-300, 0x1p-250, 0x1p-100, 0x1p100, 0x1p250, 0x1p300 };
  for (int i = 0; i < 6; ++i)
  {
    double f = scales[i];
    orc_mesh m = orc_suite_make("L prism");
    orc_scale(&m, f);
    sq_surface_report r = report_of(&m);
    CHECK_NEAR(r.area, 14.0 * f * f, 1e-14 * 14.0 * f * f);
    CHECK_NEAR(r.signed_volume, 3.0 * f * f * f, 1e-14 * 3.0 * f * f * f);
    CHECK_INT(r.is_closed, 1);
    CHECK_INT(r.degenerate_triangles, 0);
    orc_mesh_free(&m);
  }
}

static void open_surfaces(void)
{
  sq_surface_report r = report_named("open box");
  CHECK_INT(r.boundary_edges, 4);
  CHECK_INT(r.is_closed, 0);
  r = report_named("plane");
  CHECK_INT(r.boundary_edges, 96);
  CHECK_NEAR(r.area, 1.0, 1e-13);
  r = report_named("sheets 1e-9 apart");
  CHECK_INT(r.components, 2);
  CHECK_INT(r.boundary_edges, 64);
}

static void bad_edges(void)
{
  sq_surface_report r = report_named("cubes share an edge");
  CHECK_INT(r.non_manifold_edges, 1);
  CHECK_INT(r.boundary_edges, 0);
  CHECK_INT(r.components, 1);
  CHECK_INT(r.is_closed, 1);
  r = report_named("cubes share a corner");
  CHECK_INT(r.non_manifold_edges, 0);
  CHECK_INT(r.components, 1);
  CHECK_INT(r.vertices, 15);
  orc_mesh m = orc_suite_make("cube");
  int64_t swap = m.corners[1]; /* one triangle turned round: its three edges */
  m.corners[1] = m.corners[2];
  m.corners[2] = swap;
  r = report_of(&m);
  CHECK_INT(r.inconsistent_edges, 3);
  CHECK_INT(r.boundary_edges, 0);
  orc_mesh_free(&m);
}

static void degenerate_and_duplicate(void)
{
  sq_surface_report r = report_named("T-junction");
  CHECK_INT(r.degenerate_triangles, 1);
  CHECK_INT(r.boundary_edges, 0);
  CHECK_INT(r.is_closed, 1);
  CHECK_INT(report_named("T-junction, turned").degenerate_triangles, 1);
  CHECK_INT(report_named("degenerate triangles only").degenerate_triangles, 90);
  CHECK_INT(report_named("cube with a needle, 1e-13").degenerate_triangles, 0);
  CHECK_INT(report_named("every triangle thrice").duplicate_triangles, 80);
  CHECK_INT(report_named("shrinking chain").degenerate_triangles, 0);
}

/** A square through the middle of another, of `count` triangles each, laid upon one another. */
static orc_mesh crossed_squares(int count)
{
  orc_mesh m = { 0 };
  const double x[8][3] = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 },
    { 0.3, -0.5, -1 }, { 0.3, 0.6, -1 }, { 0.3, 0.6, 1 }, { 0.3, -0.5, 1 } };
  for (int i = 0; i < 8; ++i)
  {
    orc_add_point(&m, x[i][0], x[i][1], x[i][2]);
  }
  for (int i = 0; i < count; ++i)
  {
    orc_add_quad(&m, 0, 1, 2, 3);
    orc_add_quad(&m, 4, 5, 6, 7);
  }
  return m;
}

/** Counted on surfaces that are open, doubled and flat, too: the pairs of triangles, not the places. */
static void crossing_pairs(void)
{
  orc_mesh m = crossed_squares(1);
  sq_surface_report r = report_of(&m);
  CHECK_INT(r.self_intersections, 3); /* along y: -0.5 to 0.05, to 0.3, to 0.6 */
  CHECK_INT(r.boundary_edges, 8);
  orc_mesh soup = orc_soup(&m);
  CHECK_INT(report_of(&soup).self_intersections, 3);
  orc_mesh_free(&soup);
  orc_mesh_free(&m);
  m = crossed_squares(3);
  r = report_of(&m);
  CHECK_INT(r.self_intersections, 27);
  CHECK_INT(r.duplicate_triangles, 8);
  /* Degenerate triangles are segments and points: they go through, but have no segment in common. */
  orc_add_triangle(&m, orc_add_point(&m, 0.1, 0.2, -1), orc_add_point(&m, 0.1, 0.2, 1),
    orc_add_point(&m, 0.1, 0.2, 0.5));
  int64_t a = orc_add_point(&m, 0.5, 0.2, -1), b = orc_add_point(&m, 0.5, 0.2, 1);
  orc_add_triangle(&m, a, b, b);
  r = report_of(&m);
  CHECK_INT(r.degenerate_triangles, 2);
  CHECK_INT(r.self_intersections, 27);
  orc_mesh_free(&m);
  CHECK_INT(report_named("ball in a ball").self_intersections, 0);
  CHECK_INT(report_named("cubes share a face").self_intersections, 0);
  CHECK(report_named("overlapping cubes").self_intersections > 0);
}

static const sqt_case cases[] = {
  { "clean closed surfaces", clean_closed },
  { "area and volume", area_and_volume },
  { "extreme sizes", extreme_sizes },
  { "open surfaces", open_surfaces },
  { "bad edges", bad_edges },
  { "degenerate and duplicate triangles", degenerate_and_duplicate },
  { "crossing pairs", crossing_pairs },
};
SQT_MAIN(cases)
