/** Reference mode beside all faces in turn by the same kernels; what it refuses; threads and failures. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"
#include "sqt_sweep.h"

#include "sqk_sdf_reference.h"

#include <math.h>
#include <string.h>

static sq_surface_options reference_options(void)
{
  sq_surface_options o = sq_surface_options_default();
  o.mode = SQ_SDF_REFERENCE;
  return o;
}

static sq_surface* build(sq_context* context, const orc_mesh* mesh)
{
  sqt_view v = sqt_view_of(mesh, SQ_FLOAT64, SQ_INT64);
  sq_surface_options o = reference_options();
  sq_surface* s = NULL;
  CHECK_STATUS(sq_surface_build(context, &v.cells, 1, &o, &s), SQ_OK);
  sqt_view_free(&v);
  return s;
}

typedef struct answer
{
  double distance;
  double point[3];
  int64_t cell;
} answer;

/** All faces in turn: the closest of the lowest id, and the sum over those within the band. */
static answer look_at_all(const orc_mesh* m, const double x[3])
{
  answer a;
  memset(&a, 0, sizeof(a));
  a.cell = -1;
  float best = INFINITY, point[3] = { 0, 0, 0 };
  double edges = 0.0, sum[3] = { 0.0, 0.0, 0.0 };
  const float p[3] = { (float)x[0], (float)x[1], (float)x[2] };
  for (int pass = 0; pass < 2; ++pass)
  {
    float band = (float)(1e-3 * edges / (3.0 * (double)m->triangle_count));
    for (int64_t t = 0; t < m->triangle_count; ++t)
    {
      float v[3][3], w[2], at[3], gap[3], moved[3];
      for (int i = 0; i < 9; ++i)
      {
        v[i / 3][i % 3] = (float)orc_corner(m, t, i / 3)[i % 3];
      }
      int corner = sqk_reference_repair((const float(*)[3])v, moved);
      for (int d = 0; d < 3 && corner >= 0; ++d)
      {
        v[corner][d] = moved[d];
      }
      for (int k = 0; k < 3 && !pass; ++k)
      {
        sqk_sub3f(v[(k + 1) % 3], v[k], gap);
        edges += (double)sqk_length3f(gap);
      }
      sqk_reference_closest((const float(*)[3])v, p, w);
      sqk_reference_point((const float(*)[3])v, w, at);
      sqk_sub3f(p, at, gap);
      float distance = sqk_length3f(gap);
      if (pass && distance < best + band)
      {
        sqk_reference_add_normal((const float(*)[3])v, at, band, sum);
      }
      if (!pass && distance < best)
      {
        best = distance;
        a.cell = t;
        memcpy(point, at, sizeof(point));
      }
    }
  }
  double side = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    side += sum[d] * (double)(p[d] - point[d]);
    a.point[d] = (double)point[d];
  }
  a.distance = side > 0.0 ? (double)best : -(double)best;
  return a;
}

static void all_faces_in_turn(void)
{
  const char* const names[] = { "cube", "torus", "T-junction", "fin", "slab 1e-6", "sphere at 1e6",
    "random triangles", "degenerate triangles only", "open box", "airfoil, float32",
    "cubes share an edge", "every triangle thrice", "torus x 1e-6" };
  enum
  {
    N = 120
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
  {
    int64_t before = sqt_failures();
    orc_mesh m = orc_suite_make(names[i]);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = build(c, &m);
    for (int kind = 0; kind < ORC_QUERY_KINDS; ++kind)
    {
      double x[3 * N], d[N], p[3 * N];
      int64_t cell[N];
      orc_make_queries(&m, (orc_query_kind)kind, N, 4, x);
      sq_distance_outputs out;
      memset(&out, 0, sizeof(out));
      out.distance = d;
      out.closest_point = p;
      out.cell = cell;
      sq_points q = sqt_points(x, N);
      CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_OK);
      for (int k = 0; k < N; ++k)
      {
        answer want = look_at_all(&m, x + 3 * k);
        CHECK_INT(cell[k], want.cell);
        CHECK_SAME(p + 3 * k, want.point, 3);
        CHECK_NEAR(fabs(d[k]), fabs(want.distance), 0.0);
        /* The order of a sum may decide where it is nearly across. */
        CHECK(signbit(d[k]) == signbit(want.distance) || fabs(d[k]) < 1e-6 * orc_largest(x, N));
      }
    }
    CHECK_TEXT(sqt_failures() == before, "on %s", names[i]);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
}

static void what_there_is_not(void)
{
  orc_mesh m = orc_suite_make("cube");
  sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = build(c, &m);
  const double x[3] = { 2, 2, 2 };
  double d[3];
  int32_t n;
  sq_points q = sqt_points(x, 1);
  sq_distance_options o = sq_distance_options_default();
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.gradient = d;
  CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_UNSUPPORTED);
  out.gradient = NULL;
  out.nodes_visited = &n;
  CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_UNSUPPORTED);
  out.nodes_visited = NULL;
  o.flip_inside_out = 1;
  CHECK_STATUS(sq_surface_distance(c, s, &q, &o, &out), SQ_UNSUPPORTED);
  o.flip_inside_out = 0;
  o.out_of_band = SQ_OUT_OF_BAND_SIGNED_MAX;
  CHECK_STATUS(sq_surface_distance(c, s, &q, &o, &out), SQ_UNSUPPORTED);
  sq_surface_destroy(s);
  sq_surface_options b = reference_options();
  b.merge_tolerance = 1e-6;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, &b, &s), SQ_UNSUPPORTED);
  b = reference_options();
  b.mode = (sq_sdf_mode)7;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, &b, &s), SQ_INVALID_ARGUMENT);
  b = reference_options();
  sq_cells line = v.cells;
  line.type = SQ_CELL_LINE;
  line.cell_size = 2;
  CHECK_STATUS(sq_surface_build(c, &line, 1, &b, &s), SQ_UNSUPPORTED);
  ((double*)v.points)[4] = 1e39;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, &b, &s), SQ_INVALID_DATA);
  CHECK(s == NULL);
  v.cells.count = 0;
  v.cells.connectivity_count = 0;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, &b, &s), SQ_OK);
  out.distance = d;
  CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_OK);
  CHECK(isnan(d[0]));
  sq_surface_destroy(s);
  sq_context_destroy(c);
  sqt_view_free(&v);
  orc_mesh_free(&m);
}

/** Of a surface built before, by the winding number. */
static sq_status ask_only(sq_context* context, void* data)
{
  enum
  {
    N = 2000
  };
  double x[3 * N], d[N];
  for (int i = 0; i < 3 * N; ++i)
  {
    x[i] = sin(0.1 * i);
  }
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = SQ_SIGN_WINDING_NUMBER;
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = d;
  sq_points q = sqt_points(x, N);
  return sq_surface_distance(context, (const sq_surface*)data, &q, &o, &out);
}

static sq_status build_only(sq_context* context, void* data)
{
  sq_surface_options b = reference_options();
  sq_surface* s = (sq_surface*)data;
  sq_status status = sq_surface_build(context, (const sq_cells*)data, 1, &b, &s);
  CHECK((s != NULL) == (status == SQ_OK));
  sq_surface_destroy(s);
  return status;
}

static void failures_leak_nothing(void)
{
  orc_mesh m =
    orc_joined(orc_suite_make("T-junction"), orc_suite_make("degenerate triangles only"));
  sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
  sqt_sweep_memory("build in reference mode", build_only, &v.cells, 5);
  sqt_sweep_cancel("build in reference mode", build_only, &v.cells, 2);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = build(c, &m);
  CHECK_STATUS(ask_only(c, s), SQ_OK); /* which leaves the winding number with the surface */
  sqt_sweep_cancel("query in reference mode", ask_only, s, 1);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  sqt_view_free(&v);
  orc_mesh_free(&m);
}

/** Any number of threads, and a grid as its points. */
static void same_bits(void)
{
  orc_mesh m = orc_suite_make("torus");
  const sq_grid g = { { -1.5, -1.5, -0.5 }, { 0.21, 0.2, 0.11 }, { 0, 0, 0 }, { 14, 14, 9 } };
  enum
  {
    N = 15 * 15 * 10
  };
  double first[N], d[N], x[3 * N];
  for (int threads = 1; threads < 8; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    sq_surface* s = build(c, &m);
    CHECK_STATUS(sq_surface_distance_grid(c, s, &g, NULL, SQ_FLOAT64, d, NULL), SQ_OK);
    if (threads == 1)
    {
      memcpy(first, d, sizeof(d));
    }
    CHECK_SAME(d, first, N);
    for (int i = 0; i < N; ++i)
    {
      const int at[3] = { i % 15, i / 15 % 15, i / 225 };
      for (int k = 0; k < 3; ++k)
      {
        x[3 * i + k] = g.origin[k] + at[k] * g.spacing[k];
      }
    }
    sq_distance_outputs out;
    memset(&out, 0, sizeof(out));
    out.distance = d;
    sq_points q = sqt_points(x, N);
    CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_OK);
    CHECK_SAME(d, first, N);
    sq_surface_destroy(s);
    sq_context_destroy(c);
  }
  orc_mesh_free(&m);
}

static const sqt_case cases[] = {
  { "all faces in turn", all_faces_in_turn },
  { "what there is not", what_there_is_not },
  { "same bits", same_bits },
  { "failures leak nothing", failures_leak_nothing },
};

SQT_MAIN(cases)
