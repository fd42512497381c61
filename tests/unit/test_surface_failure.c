/** Memory that runs out and a user who cancels, at every place where either can happen. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"
#include "sqt_sweep.h"

#include <stdlib.h>
#include <string.h>

#define QUERIES 3000

typedef struct inputs
{
  orc_mesh mesh;
  sqt_view view;
  double x[3 * QUERIES];
  double merge_tolerance;
  int32_t merge_points;
  int grid;
} inputs;

static inputs in;

static void take(orc_mesh mesh)
{
  in.mesh = mesh;
  in.view = sqt_view_of(&in.mesh, SQ_FLOAT64, SQ_INT32);
  orc_make_queries(&in.mesh, ORC_UNIFORM, QUERIES, 1, in.x);
  in.merge_points = 1;
  in.merge_tolerance = 0.0;
  in.grid = 0;
}

static void give_back(void)
{
  sqt_view_free(&in.view);
  orc_mesh_free(&in.mesh);
}

static sq_status build(sq_context* context, sq_surface** surface)
{
  sq_surface_options o = sq_surface_options_default();
  o.merge_points = in.merge_points;
  o.merge_tolerance = in.merge_tolerance;
  *surface = (sq_surface*)&in;
  sq_status s = sq_surface_build(context, &in.view.cells, 1, &o, surface);
  CHECK((*surface != NULL) == (s == SQ_OK));
  return s;
}

static sq_status build_only(sq_context* context, void* data)
{
  (void)data;
  sq_surface* surface;
  sq_status s = build(context, &surface);
  sq_surface_destroy(surface);
  return s;
}

static sq_status query(sq_context* context, const sq_surface* surface)
{
  if (in.grid)
  {
    const sq_grid g = { { -1.0, -1.0, -1.0 }, { 0.1, 0.15, 0.2 }, { 0, 0, 0 }, { 19, 12, 10 } };
    float* d = (float*)malloc(20 * 13 * 11 * sizeof(float));
    sq_status s = sq_surface_distance_grid(context, surface, &g, NULL, SQ_FLOAT32, d, NULL);
    free(d);
    return s;
  }
  sqt_answers a = sqt_answers_new(QUERIES);
  sq_distance_outputs o = sqt_answers_outputs(&a);
  sq_points q = sqt_points(in.x, QUERIES);
  sq_status s = sq_surface_distance(context, surface, &q, NULL, &o);
  sqt_answers_free(&a);
  return s;
}

static sq_status build_and_query(sq_context* context, void* data)
{
  (void)data;
  sq_surface* surface;
  sq_status s = build(context, &surface);
  if (s == SQ_OK)
  {
    s = query(context, surface);
  }
  sq_surface_destroy(surface);
  return s;
}

/** The query alone, of a surface built with another context. */
static sq_status query_only(sq_context* context, void* data)
{
  return query(context, (const sq_surface*)data);
}

static void memory_build(void)
{
  take(orc_suite_make("torus"));
  sqt_sweep_memory("build", build_only, NULL, 1);
  in.merge_tolerance = 1e-3;
  sqt_sweep_memory("build with a tolerance", build_only, NULL, 1);
  in.merge_points = 0;
  sqt_sweep_memory("build without merging", build_only, NULL, 1);
  give_back();
}

static void memory_query(void)
{
  take(orc_suite_make("torus"));
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build(c, &in.view.cells);
  sqt_sweep_memory("query", query_only, s, 0);
  in.grid = 1;
  sqt_sweep_memory("grid", query_only, s, 0);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  sqt_sweep_memory("build and grid", build_and_query, NULL, 1);
  give_back();
}

/** Boundary faces of volume cells are found by other means than polygons. */
static sq_status boundary(sq_context* context, void* data)
{
  sq_surface* surface = (sq_surface*)data;
  sq_status s = sq_surface_build(context, (const sq_cells*)data, 1, NULL, &surface);
  CHECK((surface != NULL) == (s == SQ_OK));
  sq_surface_destroy(surface);
  return s;
}

static void memory_other_kinds(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const struct
  {
    uint8_t type;
    int32_t size;
  } kinds[] = { { SQ_CELL_HEXAHEDRON, 8 }, { SQ_CELL_TETRA, 4 }, { SQ_CELL_POLYGON, 4 },
    { SQ_CELL_LINE, 2 }, { SQ_CELL_TRIANGLE_STRIP, 8 }, { SQ_CELL_VERTEX, 1 } };
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i)
  {
    sq_cells b;
    memset(&b, 0, sizeof(b));
    b.points = sqt_points(p, 8);
    b.count = 8 / kinds[i].size;
    b.type = kinds[i].type;
    b.cell_size = kinds[i].size;
    b.id_type = SQ_INT64;
    b.connectivity = ids;
    b.connectivity_count = 8;
    sqt_sweep_memory("build of another kind", boundary, &b, 1);
    sqt_sweep_cancel("build of another kind", boundary, &b, 1);
  }
}

static void cancel_build(void)
{
  take(orc_make_torus(1.0, 0.3, 60, 30));
  sqt_sweep_cancel("build", build_only, NULL, 3);
  in.merge_tolerance = 1e-6;
  sqt_sweep_cancel("build with a tolerance", build_only, NULL, 3);
  give_back();
}

static void cancel_query(void)
{
  take(orc_suite_make("torus"));
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build(c, &in.view.cells);
  sqt_sweep_cancel("query", query_only, s, 1);
  in.grid = 1;
  sqt_sweep_cancel("grid", query_only, s, 1);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  give_back();
}

/** Progress of a whole run: from the calling thread, never falling, not too often, with phases of the contract. */
static void progress(void)
{
  take(orc_make_torus(1.0, 0.3, 400, 200));
  sqt_monitor monitor;
  sqt_monitor_start(&monitor, 0);
  sq_context* c = sqt_context(2, NULL, &monitor);
  sq_surface* s = NULL;
  CHECK_STATUS(build(c, &s), SQ_OK);
  CHECK(monitor.reports >= 1 && monitor.reports <= SQ_MONITOR_REPORTS);
  CHECK_TEXT(strstr(monitor.phases, "Building BVH") != NULL, "phases: %s", monitor.phases);
  CHECK_INT(monitor.faults, 0);
  CHECK_INT(monitor.unnamed, 0);
  sqt_monitor_start(&monitor, 0);
  CHECK_STATUS(query(c, s), SQ_OK);
  CHECK(monitor.reports >= 1 && monitor.reports <= SQ_MONITOR_REPORTS);
  CHECK_TEXT(!strcmp(monitor.phases, "Querying;"), "phases: %s", monitor.phases);
  CHECK_INT(monitor.faults, 0);
  CHECK_INT(monitor.unnamed, 0);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  give_back();
}

static const sqt_case cases[] = {
  { "memory runs out in a build", memory_build },
  { "memory runs out in a query", memory_query },
  { "other kinds of surfaces", memory_other_kinds },
  { "cancel a build", cancel_build },
  { "cancel a query", cancel_query },
  { "progress", progress },
};
SQT_MAIN(cases)
