/** Faults, components and codes of a surface check: against counts by plain sorting, and on surfaces known by heart. */
#include "sq_test.h"
#include "sqt_surface.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_surface_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A mesh with its surface and check. */
typedef struct checked
{
  orc_mesh mesh;
  sq_context* context;
  sqt_view view;
  sq_surface* surface;
  sq_surface_check* check;
  sq_surface_check_view v;
  sq_surface_report r;
} checked;

static checked open_check(orc_mesh mesh, int threads, sq_type type)
{
  checked c;
  memset(&c, 0, sizeof(c));
  c.mesh = mesh;
  c.context = sqt_context(threads, NULL, NULL);
  c.view = sqt_view_of(&c.mesh, type, SQ_INT64);
  c.surface = sqt_build(c.context, &c.view.cells);
  CHECK_STATUS(sq_surface_check_build(c.context, c.surface, &c.check), SQ_OK);
  CHECK_STATUS(sq_surface_check_get_view(c.check, &c.v), SQ_OK);
  CHECK_STATUS(sq_surface_get_report(c.surface, &c.r), SQ_OK);
  return c;
}

static void close_check(checked* c)
{
  sq_surface_check_destroy(c->check);
  sq_surface_destroy(c->surface);
  sq_context_destroy(c->context);
  sqt_view_free(&c->view);
  orc_mesh_free(&c->mesh);
}

static int64_t count_faults(const sq_surface_check_view* v, int problem)
{
  int64_t n = 0;
  for (int64_t i = 0; i < v->fault_count; ++i)
  {
    n += v->fault_problem[i] == problem;
  }
  return n;
}

/** One use of an edge, by the coordinates of its ends, lower one first. */
typedef struct use
{
  double ends[6];
  int up;
} use;

static int compare_uses(const void* a, const void* b)
{
  const use *x = (const use*)a, *y = (const use*)b;
  for (int i = 0; i < 6; ++i)
  {
    if (x->ends[i] < y->ends[i] || x->ends[i] > y->ends[i])
    {
      return x->ends[i] < y->ends[i] ? -1 : 1;
    }
  }
  return 0;
}

static int compare_points(const double* p, const double* q)
{
  for (int i = 0; i < 3; ++i)
  {
    if (p[i] < q[i] || p[i] > q[i])
    {
      return p[i] < q[i] ? -1 : 1;
    }
  }
  return 0;
}

/** Boundary, non-manifold and inconsistent edges by sorting the uses of all edges. */
static void sort_edges(const orc_mesh* m, int64_t counts[3])
{
  use* uses = (use*)calloc((size_t)(3 * m->triangle_count + 1), sizeof(*uses));
  int64_t n = 0;
  for (int64_t t = 0; t < m->triangle_count; ++t)
  {
    for (int k = 0; k < 3; ++k)
    {
      const double *p = orc_corner(m, t, k), *q = orc_corner(m, t, (k + 1) % 3);
      int order = compare_points(p, q);
      if (order)
      {
        memcpy(uses[n].ends, order < 0 ? p : q, 3 * sizeof(double));
        memcpy(uses[n].ends + 3, order < 0 ? q : p, 3 * sizeof(double));
        uses[n++].up = order < 0;
      }
    }
  }
  qsort(uses, (size_t)n, sizeof(*uses), compare_uses);
  counts[0] = counts[1] = counts[2] = 0;
  for (int64_t i = 0, stop; i < n; i = stop)
  {
    int up = 0;
    for (stop = i; stop < n && !compare_uses(&uses[i], &uses[stop]); ++stop)
    {
      up += uses[stop].up;
    }
    counts[0] += stop - i == 1;
    counts[1] += stop - i > 2;
    counts[2] += stop - i == 2 && up != 1;
  }
  free(uses);
}

/** Every fault is a place of the mesh, and belongs to the triangle that it names. */
static void check_places(const checked* c)
{
  const sq_surface_check_view* v = &c->v;
  for (int64_t i = 0; i < v->fault_count; ++i)
  {
    int corners = i < v->edge_count ? 2 : 3;
    const int64_t* ids = v->fault_points + (i < v->edge_count ? 2 * i : 3 * i - v->edge_count);
    int64_t cell = v->triangle_cell[v->fault_triangle[i]];
    for (int k = 0; k < corners; ++k)
    {
      REQUIRE(ids[k] >= 0 && ids[k] < v->point_count);
      int found = 0;
      for (int j = 0; j < 3; ++j)
      {
        const double* p = orc_corner(&c->mesh, cell, j);
        const double* q = orc_corner(&c->mesh, cell, (j + 1) % 3);
        const double* at = v->points + 3 * ids[k];
        found |= corners == 3
          ? k == j && !memcmp(p, at, 24)
          : k == 0 && !memcmp(p, at, 24) && !memcmp(q, v->points + 3 * ids[1], 24);
      }
      CHECK(found || (corners == 2 && k == 1));
    }
    CHECK((v->fault_problem[i] < SQ_PROBLEM_DEGENERATE) == (corners == 2));
    CHECK(v->triangle_problem[v->fault_triangle[i]] != SQ_PROBLEM_NONE);
  }
}

static void check_sums(const checked* c)
{
  sq_surface_report sum;
  memset(&sum, 0, sizeof(sum));
  int64_t closed = 0;
  for (int64_t i = 0; i < c->v.component_count; ++i)
  {
    const sq_surface_report* r = &c->v.components[i];
    sum.triangles += r->triangles;
    sum.vertices += r->vertices;
    sum.boundary_edges += r->boundary_edges;
    sum.non_manifold_edges += r->non_manifold_edges;
    sum.inconsistent_edges += r->inconsistent_edges;
    sum.degenerate_triangles += r->degenerate_triangles;
    sum.duplicate_triangles += r->duplicate_triangles;
    sum.self_intersections += r->self_intersections;
    sum.area += r->area;
    closed += r->is_closed;
    CHECK_INT(r->components, 1);
    CHECK_INT(r->is_closed, r->boundary_edges == 0);
  }
  CHECK_INT(c->v.component_count, c->r.components);
  CHECK_INT(sum.triangles, c->r.triangles);
  CHECK_INT(sum.vertices, c->r.vertices);
  CHECK_INT(sum.boundary_edges, c->r.boundary_edges);
  CHECK_INT(sum.non_manifold_edges, c->r.non_manifold_edges);
  CHECK_INT(sum.inconsistent_edges, c->r.inconsistent_edges);
  CHECK_INT(sum.degenerate_triangles, c->r.degenerate_triangles);
  CHECK_INT(sum.duplicate_triangles, c->r.duplicate_triangles);
  CHECK(sum.self_intersections <= c->r.self_intersections);
  CHECK_NEAR(sum.area, c->r.area, 1e-13 * c->r.area);
  CHECK_INT(closed == c->v.component_count, c->r.is_closed);
}

static void whole_suite(void)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    int64_t before = sqt_failures();
    sq_type type = orc_suite[i].flags & ORC_FLOAT32 ? SQ_FLOAT32 : SQ_FLOAT64;
    for (int soup = 0; soup < 2; ++soup)
    {
      orc_mesh m = orc_suite[i].make();
      if (soup)
      {
        orc_mesh separate = orc_soup(&m);
        orc_mesh_free(&m);
        m = separate;
      }
      int64_t edges[3];
      sort_edges(&m, edges);
      checked c = open_check(m, 2, type);
      CHECK_INT(c.v.triangle_count, m.triangle_count);
      for (int problem = 0; problem < 3; ++problem)
      {
        CHECK_INT(count_faults(&c.v, problem), edges[problem]);
      }
      CHECK_INT(c.v.edge_count, edges[0] + edges[1] + edges[2]);
      CHECK_INT(count_faults(&c.v, SQ_PROBLEM_DEGENERATE), c.r.degenerate_triangles);
      CHECK_INT(count_faults(&c.v, SQ_PROBLEM_DUPLICATE), c.r.duplicate_triangles);
      CHECK((count_faults(&c.v, SQ_PROBLEM_CROSSING) > 0) == (c.r.self_intersections > 0));
      check_places(&c);
      check_sums(&c);
      close_check(&c);
    }
    CHECK_TEXT(sqt_failures() == before, "on %s", orc_suite[i].name);
  }
}

/** Two cubes apart, a third that the second goes through, and a sheet through the first. */
static orc_mesh four_parts(void)
{
  const double lo[3][3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4.5, 0.25, 0.375 } };
  const double hi[3][3] = { { 1, 1, 1 }, { 5, 1, 1 }, { 6.5, 0.625, 0.75 } };
  orc_mesh m = orc_make_box(lo[0], hi[0]);
  m = orc_joined(m, orc_make_box(lo[1], hi[1]));
  orc_mesh inward = orc_make_box(lo[2], hi[2]);
  orc_reverse(&inward);
  m = orc_joined(m, inward);
  orc_mesh sheet = orc_make_sheet(1, 1, 0.0);
  orc_scale(&sheet, 0.25);
  orc_shift(&sheet, 0.9, 0.3, 0.45);
  return orc_joined(m, sheet);
}

static void reports_by_component(void)
{
  checked c = open_check(four_parts(), 2, SQ_FLOAT64);
  CHECK_INT(c.v.component_count, 4);
  REQUIRE(c.v.component_count == 4);
  const double volume[4] = { 1, 1, -2 * 0.375 * 0.375, 0 };
  const int closed[4] = { 1, 1, 1, 0 };
  for (int i = 0; i < 4; ++i)
  {
    CHECK_NEAR(c.v.components[i].signed_volume, volume[i], 1e-14);
    CHECK_INT(c.v.components[i].is_closed, closed[i]);
    CHECK_INT(c.v.components[i].self_intersections, 0); /* they cross one another, not themselves */
    CHECK_INT(c.v.components[i].boundary_edges, i == 3 ? 4 : 0);
  }
  CHECK(c.r.self_intersections > 8);
  CHECK_NEAR(c.v.components[0].area, 6.0, 1e-14);
  CHECK_NEAR(c.v.components[3].area, 0.0625, 1e-14);
  for (int32_t t = 0; t < c.v.triangle_count; ++t)
  {
    CHECK_INT(c.v.triangle_component[t], t / 12);
    CHECK_INT(c.v.triangle_cell[t], t);
    CHECK_INT(c.v.triangle_block[t], 0);
  }
  close_check(&c);
}

/** A component that crosses itself: two triangles, joined by a third. */
static void crossing_within(void)
{
  orc_mesh m = { 0 };
  const double x[7][3] = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 0.1, 0, 1 },
    { 0, 0.5, 1 }, { 9, 9, 9 } };
  for (int i = 0; i < 7; ++i)
  {
    orc_add_point(&m, x[i][0], x[i][1], x[i][2]);
  }
  orc_add_triangle(&m, 0, 1, 2);
  orc_add_triangle(&m, 3, 4, 5);
  orc_add_triangle(&m, 1, 6, 4);
  checked c = open_check(m, 1, SQ_FLOAT64);
  CHECK_INT(c.v.component_count, 1);
  CHECK_INT(c.v.components[0].self_intersections, 1);
  CHECK_INT(c.r.self_intersections, 1);
  CHECK_INT(count_faults(&c.v, SQ_PROBLEM_CROSSING), 2);
  CHECK_INT(c.v.triangle_problem[0], SQ_PROBLEM_CROSSING);
  CHECK_INT(c.v.triangle_problem[1], SQ_PROBLEM_CROSSING);
  CHECK_INT(c.v.triangle_problem[2], SQ_PROBLEM_BOUNDARY);
  close_check(&c);
}

static void codes_of_triangles(void)
{
  orc_mesh m = orc_suite_make("cube");
  orc_add_triangle(
    &m, m.corners[0], m.corners[2], m.corners[1]); /* the first once more, turned round */
  orc_add_triangle(&m, m.corners[3], m.corners[4], m.corners[4]);
  checked c = open_check(m, 1, SQ_FLOAT64);
  CHECK_INT(c.v.triangle_problem[12], SQ_PROBLEM_DUPLICATE);
  CHECK_INT(c.v.triangle_problem[13], SQ_PROBLEM_DEGENERATE);
  CHECK_INT(c.v.triangle_problem[0], SQ_PROBLEM_NON_MANIFOLD);
  CHECK_INT(c.r.duplicate_triangles, 1);
  CHECK_INT(c.r.degenerate_triangles, 1);
  CHECK_INT(count_faults(&c.v, SQ_PROBLEM_NON_MANIFOLD), c.r.non_manifold_edges);
  close_check(&c);
  m = orc_suite_make("cube");
  int64_t swap = m.corners[1];
  m.corners[1] = m.corners[2];
  m.corners[2] = swap;
  c = open_check(m, 1, SQ_FLOAT64);
  CHECK_INT(count_faults(&c.v, SQ_PROBLEM_INCONSISTENT), 3);
  CHECK_INT(c.v.triangle_problem[0], SQ_PROBLEM_INCONSISTENT);
  int64_t marked = 0;
  for (int t = 0; t < 12; ++t)
  {
    marked += c.v.triangle_problem[t] == SQ_PROBLEM_INCONSISTENT;
  }
  CHECK_INT(marked, 4); /* it and its three neighbours */
  close_check(&c);
}

/** Quads, a cell without a place on the surface, and one that has a corner which is no number. */
static void codes_of_cells(void)
{
  double x[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0, 5, 5, 5, NAN, 0, 0 };
  const int64_t offsets[] = { 0, 4, 8, 10, 13, 16 };
  const int64_t ids[] = { 0, 1, 2, 3, 1, 4, 5, 2, 0, 1, 0, 1, 7, 0, 6, 6 };
  const uint8_t types[] = { SQ_CELL_QUAD, SQ_CELL_QUAD, SQ_CELL_LINE, SQ_CELL_TRIANGLE,
    SQ_CELL_TRIANGLE };
  sq_cells blocks[2];
  memset(blocks, 0, sizeof(blocks));
  blocks[0].points = sqt_points(x, 0);
  blocks[0].id_type = SQ_INT64;
  blocks[1].points = sqt_points(x, 8);
  blocks[1].count = 5;
  blocks[1].types = types;
  blocks[1].id_type = SQ_INT64;
  blocks[1].offsets = offsets;
  blocks[1].connectivity = ids;
  blocks[1].connectivity_count = 16;
  sq_context* context = sqt_context(1, NULL, NULL);
  sq_surface* s = NULL;
  sq_surface_check* check = NULL;
  CHECK_STATUS(sq_surface_build(context, blocks, 2, NULL, &s), SQ_OK);
  CHECK_STATUS(sq_surface_check_build(context, s, &check), SQ_OK);
  int64_t component[5];
  int32_t problem[5];
  int64_t* components[2] = { NULL, component };
  int32_t* problems[2] = { NULL, problem };
  CHECK_STATUS(sq_surface_check_cells(context, check, blocks, 2, components, problems), SQ_OK);
  const int64_t want_component[5] = { 0, 0, -1, -1, 0 };
  const int32_t want_problem[5] = { SQ_PROBLEM_BOUNDARY, SQ_PROBLEM_BOUNDARY, SQ_PROBLEM_NONE,
    SQ_PROBLEM_DEGENERATE, SQ_PROBLEM_DEGENERATE };
  CHECK_SAME(component, want_component, 5);
  CHECK_SAME(problem, want_problem, 5);
  sq_surface_check_view v;
  CHECK_STATUS(sq_surface_check_get_view(check, &v), SQ_OK);
  CHECK_INT(count_faults(&v, SQ_PROBLEM_BOUNDARY), 6); /* not the diagonals of the quads */
  /* Other blocks than the surface was made of are refused. */
  CHECK_STATUS(
    sq_surface_check_cells(context, check, blocks, 1, components, problems), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(
    sq_surface_check_cells(context, check, blocks, 2, NULL, problems), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(
    sq_surface_check_cells(context, NULL, blocks, 2, components, problems), SQ_INVALID_ARGUMENT);
  sq_surface_check_destroy(check);
  sq_surface_destroy(s);
  sq_context_destroy(context);
}

static void nothing_to_check(void)
{
  orc_mesh none = { 0 };
  checked c = open_check(none, 1, SQ_FLOAT64);
  CHECK_INT(c.v.component_count, 0);
  CHECK_INT(c.v.triangle_count, 0);
  CHECK_INT(c.v.fault_count, 0);
  CHECK_INT(c.r.is_closed, 0);
  close_check(&c);
  const double x[] = { 0, 0, 0, 1, 0, 0 };
  const int64_t ids[] = { 0, 1 };
  sq_cells line;
  memset(&line, 0, sizeof(line));
  line.points = sqt_points(x, 2);
  line.count = 1;
  line.type = SQ_CELL_LINE;
  line.cell_size = 2;
  line.id_type = SQ_INT64;
  line.connectivity = ids;
  line.connectivity_count = 2;
  sq_context* context = sqt_context(1, NULL, NULL);
  sq_surface* s = sqt_build(context, &line);
  sq_surface_report r;
  CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
  CHECK_INT(r.triangles, 0);
  CHECK_INT(r.degenerate_triangles, 0);
  CHECK_INT(r.is_closed, 0);
  sq_surface_check* check = NULL;
  CHECK_STATUS(sq_surface_check_build(context, s, &check), SQ_OK);
  sq_surface_check_view v;
  CHECK_STATUS(sq_surface_check_get_view(check, &v), SQ_OK);
  CHECK_INT(v.fault_count + v.component_count + v.triangle_count, 0);
  sq_surface_check_destroy(check);
  check = (sq_surface_check*)&v;
  CHECK_STATUS(sq_surface_check_build(context, NULL, &check), SQ_INVALID_ARGUMENT);
  CHECK(check == NULL);
  CHECK_STATUS(sq_surface_check_build(context, s, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_check_get_view(NULL, &v), SQ_INVALID_ARGUMENT);
  sq_surface_check_destroy(NULL);
  sq_surface_destroy(s);
  sq_context_destroy(context);
}

static void same_bits_for_any_threads(void)
{
  checked one = open_check(four_parts(), 1, SQ_FLOAT64);
  for (int threads = 2; threads < 8; threads += 5)
  {
    checked c = open_check(four_parts(), threads, SQ_FLOAT64);
    CHECK_INT(c.v.fault_count, one.v.fault_count);
    CHECK_SAME(c.v.fault_problem, one.v.fault_problem, one.v.fault_count);
    CHECK_SAME(c.v.fault_triangle, one.v.fault_triangle, one.v.fault_count);
    CHECK_SAME(c.v.points, one.v.points, 3 * one.v.point_count);
    CHECK_SAME(c.v.components, one.v.components, one.v.component_count);
    CHECK_SAME(c.v.triangle_problem, one.v.triangle_problem, one.v.triangle_count);
    close_check(&c);
  }
  close_check(&one);
}

static sq_status check_only(sq_context* context, void* data)
{
  checked* c = (checked*)data;
  sq_surface_check* check = (sq_surface_check*)c;
  sq_status s = sq_surface_check_build(context, c->surface, &check);
  CHECK((check != NULL) == (s == SQ_OK));
  int64_t component[1000];
  int32_t problem[1000];
  int64_t* components[1] = { component };
  int32_t* problems[1] = { problem };
  s = s == SQ_OK ? sq_surface_check_cells(context, check, &c->view.cells, 1, components, problems)
                 : s;
  sq_surface_check_destroy(check);
  return s;
}

static void failures_leak_nothing(void)
{
  checked c = open_check(four_parts(), 1, SQ_FLOAT64);
  sqt_sweep_memory("check", check_only, &c, 5);
  sqt_sweep_cancel("check", check_only, &c, 2);
  close_check(&c);
}

/** A sphere of 10 degrees a triangle: far from the origin its float32 triangles are a few spacings large. */
static void unresolved_triangles(void)
{
  const struct
  {
    double offset;
    sq_type type;
    int64_t want;
  } cases[] = { { 0.0, SQ_FLOAT32, 0 }, { 1e3, SQ_FLOAT32, 0 }, { 1e6, SQ_FLOAT32, 720 },
    { 1e6, SQ_FLOAT64, 0 } };
  for (int i = 0; i < 4; ++i)
  {
    orc_mesh m = orc_suite_make("sphere");
    orc_shift(&m, cases[i].offset, 0.0, 0.0);
    if (cases[i].type == SQ_FLOAT32)
    {
      orc_round_to_float32(&m);
    }
    checked c = open_check(m, 1, cases[i].type);
    CHECK_INT(c.r.unresolved_triangles, cases[i].want);
    close_check(&c);
  }
}

static const sqt_case cases[] = {
  { "the whole suite", whole_suite },
  { "reports by component", reports_by_component },
  { "crossing within a component", crossing_within },
  { "codes of triangles", codes_of_triangles },
  { "codes of cells", codes_of_cells },
  { "nothing to check", nothing_to_check },
  { "same bits for any number of threads", same_bits_for_any_threads },
  { "failures leak nothing", failures_leak_nothing },
  { "unresolved triangles", unresolved_triangles },
};

SQT_MAIN(cases)
