/** Wrong arguments of every function of sq_surface.h: refused by name, nothing written, nothing left. */
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <string.h>

static sqt_memory memory;
static sq_context* context;
static sqt_view view;
static sq_surface* surface;

static void set_up(void)
{
  memset(&memory, 0, sizeof(memory));
  context = sqt_context(2, &memory, NULL);
  orc_mesh cube = orc_suite_make("cube");
  view = sqt_view_of(&cube, SQ_FLOAT64, SQ_INT64);
  surface = sqt_build(context, &view.cells);
  orc_mesh_free(&cube);
}

static void tear_down(void)
{
  sq_surface_destroy(surface);
  sq_context_destroy(context);
  sqt_view_free(&view);
  sqt_memory_is_clean(&memory);
}

/** The call was refused, with a message of one line. */
static void check_refused(sq_status got, sq_status want, const char* what)
{
  const char* text = sq_context_message(context);
  CHECK_TEXT(
    got == want, "%s: got \"%s\", want \"%s\"", what, sq_status_text(got), sq_status_text(want));
  CHECK_TEXT(strlen(text) > 8 && !strchr(text, '\n'), "%s: message \"%s\"", what, text);
}

static void build_fails(const sq_cells* cells, int32_t count, const sq_surface_options* o,
  sq_status want, const char* what)
{
  sq_surface* s = (sq_surface*)&memory;
  int64_t held = memory.bytes;
  check_refused(sq_surface_build(context, cells, count, o, &s), want, what);
  CHECK_TEXT(!s, "%s: the handle is not NULL", what);
  CHECK_TEXT(memory.bytes == held, "%s: memory is left", what);
  if (s != (sq_surface*)&memory)
  {
    sq_surface_destroy(s);
  }
}

static void null_pointers(void)
{
  set_up();
  sq_surface* s = (sq_surface*)&memory;
  CHECK_STATUS(sq_surface_build(NULL, &view.cells, 1, NULL, &s), SQ_INVALID_ARGUMENT);
  CHECK(!s);
  CHECK_STATUS(sq_surface_build(context, &view.cells, 1, NULL, NULL), SQ_INVALID_ARGUMENT);
  build_fails(NULL, 1, NULL, SQ_INVALID_ARGUMENT, "blocks NULL");
  build_fails(&view.cells, -1, NULL, SQ_INVALID_ARGUMENT, "block count -1");
  sq_surface_destroy(NULL);
  sq_surface_report r;
  CHECK_STATUS(sq_surface_get_report(NULL, &r), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_get_report(surface, NULL), SQ_INVALID_ARGUMENT);
  CHECK_INT(sq_surface_bytes(NULL), 0);
  tear_down();
}

static void build_options(void)
{
  set_up();
  const double wrong[] = { -1e-300, -1.0, 0.1000001, NAN, INFINITY };
  for (int i = 0; i < 5; ++i)
  {
    sq_surface_options o = sq_surface_options_default();
    o.merge_tolerance = wrong[i];
    build_fails(&view.cells, 1, &o, SQ_INVALID_ARGUMENT, "merge tolerance");
  }
  sq_surface_options o = sq_surface_options_default();
  o.merge_tolerance = SQ_MERGE_TOLERANCE_MAX;
  sq_surface* s = NULL;
  CHECK_STATUS(sq_surface_build(context, &view.cells, 1, &o, &s), SQ_OK);
  sq_surface_destroy(s);
  tear_down();
}

static void views_of_points(void)
{
  set_up();
  sq_cells c = view.cells;
  c.points.type = SQ_INT32;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "points of type int32");
  c = view.cells;
  c.points.type = (sq_type)77;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "points of no type");
  c = view.cells;
  c.points.dimension = 2;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "points in 2-D");
  c = view.cells;
  c.points.count = -1;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "-1 points");
  c = view.cells;
  c.points.data = NULL;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "points without data");
  sq_cells two[2] = { view.cells, c };
  build_fails(two, 2, NULL, SQ_INVALID_ARGUMENT, "the second block is wrong");
  CHECK(
    strchr(sq_context_message(context), '1') || strstr(sq_context_message(context), "mesh points"));
  two[1] = view.cells;
  two[1].points.count = INT64_MAX;
  build_fails(two, 2, NULL, SQ_INVALID_ARGUMENT, "2^63 - 1 points in the second block");
  tear_down();
}

static void views_of_cells(void)
{
  set_up();
  sq_cells c = view.cells;
  c.count = -1;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "-1 cells");
  c = view.cells;
  c.connectivity_count = -5;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "-5 ids");
  c = view.cells;
  c.id_type = SQ_FLOAT64;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "ids of type float64");
  c = view.cells;
  c.id_type = SQ_INT16;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "ids of type int16");
  c = view.cells;
  c.connectivity = NULL;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "no connectivity");
  c = view.cells;
  c.cell_size = -3;
  build_fails(&c, 1, NULL, SQ_INVALID_ARGUMENT, "cell size -3");
  c = view.cells;
  c.count = INT64_MAX;
  build_fails(&c, 1, NULL, SQ_INVALID_DATA, "more cells than ids");
  tear_down();
}

static void distance_fails(const sq_points* q, const sq_distance_options* o, const char* what)
{
  double d = 5.0;
  uint8_t valid = 5;
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = &d;
  out.valid = &valid;
  int64_t held = memory.bytes;
  check_refused(sq_surface_distance(context, surface, q, o, &out), SQ_INVALID_ARGUMENT, what);
  CHECK_TEXT(d == 5.0 && valid == 5, "%s: outputs were written", what);
  CHECK_TEXT(memory.bytes == held, "%s: memory is left", what);
}

static void distance_queries(void)
{
  set_up();
  const double x[3] = { 0.0, 0.0, 0.0 };
  const sq_points good = sqt_points(x, 1);
  double d = 5.0;
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = &d;
  CHECK_STATUS(sq_surface_distance(NULL, surface, &good, NULL, &out), SQ_INVALID_ARGUMENT);
  check_refused(
    sq_surface_distance(context, NULL, &good, NULL, &out), SQ_INVALID_ARGUMENT, "surface NULL");
  CHECK_NEAR(d, 5.0, 0.0);
  distance_fails(NULL, NULL, "queries NULL");
  sq_points q = good;
  q.dimension = 2;
  distance_fails(&q, NULL, "queries in 2-D");
  q.dimension = 4;
  distance_fails(&q, NULL, "queries in 4-D");
  q = good;
  q.type = SQ_INT64;
  distance_fails(&q, NULL, "queries of type int64");
  q = good;
  q.count = -1;
  distance_fails(&q, NULL, "-1 queries");
  q = good;
  q.data = NULL;
  distance_fails(&q, NULL, "queries without data");
  q.count = 0;
  CHECK_STATUS(sq_surface_distance(context, surface, &q, NULL, &out), SQ_OK);
  CHECK_NEAR(d, 5.0, 0.0);
  tear_down();
}

static void distance_options(void)
{
  set_up();
  const double x[3] = { 0.0, 0.0, 0.0 };
  const sq_points q = sqt_points(x, 1);
  sq_distance_options o = sq_distance_options_default();
  o.max_distance = -1e-300;
  distance_fails(&q, &o, "max distance below 0");
  o.max_distance = NAN;
  distance_fails(&q, &o, "max distance NaN");
  o = sq_distance_options_default();
  o.sign_method = (sq_sign_method)4;
  distance_fails(&q, &o, "sign method 4");
  o.sign_method = (sq_sign_method)-1;
  distance_fails(&q, &o, "sign method -1");
  o = sq_distance_options_default();
  o.out_of_band = (sq_out_of_band)2;
  distance_fails(&q, &o, "out of band 2");
  const double wrong[] = { -0.5, 100.5, NAN, INFINITY };
  for (int i = 0; i < 4; ++i)
  {
    o = sq_distance_options_default();
    o.winding_accuracy = wrong[i];
    distance_fails(&q, &o, "winding accuracy");
  }
  tear_down();
}

static void grid_fails(const sq_surface* s, const sq_grid* g, const sq_distance_options* o,
  sq_type type, const char* what)
{
  double d[8] = { 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0 };
  int64_t held = memory.bytes;
  sq_status status = sq_surface_distance_grid(context, s, g, o, type, d, NULL);
  CHECK_TEXT(status == SQ_INVALID_ARGUMENT || status == SQ_TOO_LARGE, "%s: got \"%s\"", what,
    sq_status_text(status));
  CHECK_TEXT(*sq_context_message(context), "%s: no message", what);
  CHECK_TEXT(d[0] == 5.0 && d[7] == 5.0, "%s: outputs were written", what);
  CHECK_TEXT(memory.bytes == held, "%s: memory is left", what);
}

static void grids(void)
{
  set_up();
  const sq_grid good = { { 0.0, 0.0, 0.0 }, { 1.0, 1.0, 1.0 }, { 0, 0, 0 }, { 1, 1, 1 } };
  double d[8];
  CHECK_STATUS(
    sq_surface_distance_grid(NULL, surface, &good, NULL, SQ_FLOAT64, d, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_distance_grid(context, surface, &good, NULL, SQ_FLOAT64, d, NULL), SQ_OK);
  grid_fails(NULL, &good, NULL, SQ_FLOAT64, "surface NULL");
  grid_fails(surface, NULL, NULL, SQ_FLOAT64, "grid NULL");
  grid_fails(surface, &good, NULL, SQ_INT32, "distance of type int32");
  grid_fails(surface, &good, NULL, (sq_type)-3, "distance of no type");
  sq_distance_options o = sq_distance_options_default();
  o.max_distance = -1.0;
  grid_fails(surface, &good, &o, SQ_FLOAT64, "max distance below 0");
  sq_grid g = good;
  for (int k = 0; k < 3; ++k)
  {
    g.lo[k] = INT32_MIN;
    g.hi[k] = INT32_MAX;
  }
  grid_fails(surface, &g, NULL, SQ_FLOAT64, "2^96 points");
  /* A grid whose points are not finite is refused, or answered as invalid at every point. */
  const double wrong[] = { NAN, INFINITY, -INFINITY };
  for (int i = 0; i < 6; ++i)
  {
    uint8_t valid[8] = { 0 };
    g = good;
    g.lo[i % 3] = 1;
    g.hi[i % 3] = 2;
    (i < 3 ? g.origin : g.spacing)[i % 3] = wrong[i % 3];
    sq_status status = sq_surface_distance_grid(context, surface, &g, NULL, SQ_FLOAT64, d, valid);
    CHECK(status == SQ_OK || (status == SQ_INVALID_ARGUMENT && *sq_context_message(context)));
    for (int k = 0; k < 8; ++k)
    {
      CHECK(status != SQ_OK || !isfinite(d[k]));
      CHECK_INT(valid[k], 0);
    }
  }
  tear_down();
}

static const sqt_case cases[] = {
  { "null pointers", null_pointers },
  { "build options", build_options },
  { "views of points", views_of_points },
  { "views of cells", views_of_cells },
  { "distance queries", distance_queries },
  { "distance options", distance_options },
  { "grids", grids },
};
SQT_MAIN(cases)
