/** Reference mode: the values of PhysicsNeMo's authors, its repair to the last bit, its limits. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include "sqk_sdf_reference.h"

#include <math.h>
#include <stdlib.h>
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

/** Everything that reference mode answers. */
typedef struct answer
{
  double distance;
  double point[3];
  double barycentric[3];
  int64_t cell;
  uint8_t valid;
} answer;

static answer ask(
  const sq_surface* s, double x, double y, double z, sq_sign_method method, double limit)
{
  answer a;
  memset(&a, 0, sizeof(a));
  sq_context* c = sqt_context(1, NULL, NULL);
  const double q[3] = { x, y, z };
  sq_points points = sqt_points(q, 1);
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = method;
  o.max_distance = limit;
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = &a.distance;
  out.closest_point = a.point;
  out.barycentric = a.barycentric;
  out.cell = &a.cell;
  out.valid = &a.valid;
  CHECK_STATUS(sq_surface_distance(c, s, &points, &o, &out), SQ_OK);
  sq_context_destroy(c);
  return a;
}

static answer ask_plainly(const sq_surface* s, double x, double y, double z)
{
  return ask(s, x, y, z, SQ_SIGN_AUTOMATIC, (double)INFINITY);
}

static const struct
{
  float v[3][3];
  int corner;
  float moved[3];
} repairs[] = {
  { { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 0 } }, 2, { 2, 0, 0.00039999999f } },
  { { { 0, 0, 0 }, { 1, 0, 0 }, { 3, 0, 0 } }, 1, { 1.5f, 0, 0.000299999985f } },
  { { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 } }, 1, { 1, 1.00024498f, 0.999755025f } },
  { { { 0, 0, 0 }, { 0, 2, 0 }, { 0, 1, 0 } }, 2, { 0, 1, -0.000199999995f } },
  { { { 0, 0, 0 }, { 0, 0, 2 }, { 0, 0, 1 } }, 2, { 0, 0.000199999995f, 1 } },
  { { { 1000, 0, 0 }, { 1000.001f, 0, 0 }, { 1000.0005f, 0, 0 } }, 2,
    { 1000.00049f, 0, 0.000953675248f } },
  { { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5f, 1e-4f, 0 } }, 2, { 0.5f, 0, 1e-4f } },
  { { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5f, 1.001e-4f, 0 } }, -1, { 0, 0, 0 } },
  { { { 3, 3, 3 }, { 3, 3, 3 }, { 3, 3, 3 } }, -1, { 0, 0, 0 } },
};

/** The values of the specification, to the last bit. */
static void repaired_corners(void)
{
  for (size_t i = 0; i < sizeof(repairs) / sizeof(*repairs); ++i)
  {
    float moved[3] = { 0, 0, 0 };
    CHECK_INT(sqk_reference_repair(repairs[i].v, moved), repairs[i].corner);
    CHECK_SAME(moved, repairs[i].moved, 3);
  }
}

/** And what a query sees of them: the moved corner is the closest point of one straight above it. */
static void repaired_surfaces(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int i = 0; i < 6; ++i)
  {
    orc_mesh m = { 0 };
    for (int k = 0; k < 3; ++k)
    {
      orc_add_point(
        &m, (double)repairs[i].v[k][0], (double)repairs[i].v[k][1], (double)repairs[i].v[k][2]);
    }
    orc_add_triangle(&m, 0, 1, 2);
    sq_surface* s = build(c, &m);
    double at[3], middle[3], above[3];
    int far = repairs[i].corner == 2 ? 1 : 2;
    for (int d = 0; d < 3; ++d)
    {
      at[d] = (double)repairs[i].moved[d];
      middle[d] = 0.5 * (double)(repairs[i].v[0][d] + repairs[i].v[far][d]);
      above[d] = at[d] + 1000.0 * (at[d] - middle[d]);
    }
    answer a = ask_plainly(s, above[0], above[1], above[2]);
    CHECK_NEAR(a.point[0], at[0], 0.0);
    CHECK_NEAR(a.point[1], at[1], 0.0);
    CHECK_NEAR(a.point[2], at[2], 0.0);
    CHECK_INT(a.cell, 0);
    sq_surface_destroy(s);
    orc_mesh_free(&m);
  }
  /* A repaired face keeps the others as they were: the neighbour's corner has not moved. */
  orc_mesh m = { 0 };
  const double x[5][3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 2, 0, 0 }, { 2, 3, 0 }, { 0, 3, 0 } };
  for (int i = 0; i < 5; ++i)
  {
    orc_add_point(&m, x[i][0], x[i][1], x[i][2]);
  }
  orc_add_triangle(&m, 0, 1, 2);
  orc_add_triangle(&m, 2, 3, 4);
  sq_surface* s = build(c, &m);
  answer a = ask_plainly(s, 2, 0.25, 0);
  CHECK_NEAR(a.point[0], 2, 1e-6);
  CHECK_NEAR(a.point[1], 0.25, 1e-6);
  CHECK_INT(a.cell, 1);
  sq_surface_destroy(s);
  orc_mesh_free(&m);
  sq_context_destroy(c);
}

static void authors_tetrahedron(void)
{
  orc_mesh m = { 0 };
  const double x[12][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 },
    { 0, 0, 1 }, { 0, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  for (int i = 0; i < 12; ++i)
  {
    orc_add_point(&m, x[i][0], x[i][1], x[i][2]);
  }
  for (int t = 0; t < 4; ++t)
  {
    orc_add_triangle(&m, 3 * t, 3 * t + 1, 3 * t + 2);
  }
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = build(c, &m);
  answer a = ask_plainly(s, 1, 1, 1);
  CHECK_NEAR(a.distance, 1.1547005, 1e-6);
  for (int d = 0; d < 3; ++d)
  {
    CHECK_NEAR(a.point[d], 1.0 / 3.0, 1e-6);
    CHECK_NEAR(a.barycentric[d], 1.0 / 3.0, 1e-6);
  }
  CHECK_INT(a.cell, 3);
  a = ask_plainly(s, 0.05, 0.1, 0.1);
  CHECK_NEAR(a.distance, -0.05, 1e-6);
  CHECK_NEAR(a.point[0], 0.0, 1e-6);
  CHECK_NEAR(a.point[1], 0.1, 1e-6);
  CHECK_NEAR(a.point[2], 0.1, 1e-6);
  CHECK_INT(a.cell, 2);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

/** A sphere of 40 rings by 80 segments: |sdf - (r - 1)| < 5e-3, by both rules. */
static void authors_sphere(void)
{
  enum
  {
    N = 3000
  };
  static double x[3 * N];
  orc_mesh m = orc_make_sphere(40, 80);
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = build(c, &m);
  orc_make_queries(&m, ORC_UNIFORM, N, 17, x);
  for (int method = SQ_SIGN_PSEUDONORMAL; method <= SQ_SIGN_WINDING_NUMBER; ++method)
  {
    double d[N];
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = (sq_sign_method)method;
    sq_distance_outputs out;
    memset(&out, 0, sizeof(out));
    out.distance = d;
    sq_points q = sqt_points(x, N);
    CHECK_STATUS(sq_surface_distance(c, s, &q, &o, &out), SQ_OK);
    for (int i = 0; i < N; ++i)
    {
      double r =
        sqrt(x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] + x[3 * i + 2] * x[3 * i + 2]);
      CHECK(fabs(d[i] - (r - 1.0)) < 5e-3 || fabs(r - 1.0) < 5e-3);
    }
  }
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

static void authors_segment(void)
{
  orc_mesh m = { 0 };
  const double x[6][3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 0 }, { 100, 100, 100 },
    { 101, 100, 100 }, { 100, 101, 100 } };
  for (int i = 0; i < 6; ++i)
  {
    orc_add_point(&m, x[i][0], x[i][1], x[i][2]);
  }
  orc_add_triangle(&m, 0, 1, 2);
  orc_add_triangle(&m, 3, 4, 5);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = build(c, &m);
  CHECK_NEAR(fabs(ask_plainly(s, 4.5, 0.2, 0).distance), hypot(0.5, 0.2), 1e-3);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

/** An L-prism in three poses: no wrong sign beyond 1e-3 of the surface. */
static void authors_l_prism(void)
{
  enum
  {
    N = 2000
  };
  static double x[3 * N];
  for (int pose = 0; pose < 3; ++pose)
  {
    orc_mesh m = orc_suite_make("L prism");
    orc_rotate(&m, 37.0 * pose);
    orc_round_to_float32(&m);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = build(c, &m);
    orc_make_queries(&m, pose ? ORC_UNIFORM : ORC_CHORDS, N, 18, x);
    double d[N];
    sq_distance_outputs out;
    memset(&out, 0, sizeof(out));
    out.distance = d;
    sq_points q = sqt_points(x, N);
    CHECK_STATUS(sq_surface_distance(c, s, &q, NULL, &out), SQ_OK);
    int wrong = 0;
    for (int i = 0; i < N; ++i)
    {
      orc_answer want = orc_answer_query(&m, x + 3 * i, 1);
      wrong += want.distance > 1e-3L && (d[i] < 0.0) != (want.winding > 0.5L);
    }
    CHECK_INT(wrong, 0);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
}

static void strict_limit(void)
{
  const double inf = (double)INFINITY;
  orc_mesh m = orc_suite_make("cube");
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = build(c, &m);
  for (int method = SQ_SIGN_PSEUDONORMAL; method <= SQ_SIGN_UNSIGNED; ++method)
  {
    sq_sign_method by = (sq_sign_method)method;
    answer a = ask(s, 0.5, 0.5, 3.0, by, 2.0);
    CHECK_INT(a.valid, 0);
    CHECK_INT(a.cell, -1);
    CHECK(isnan(a.distance) && isnan(a.point[0]));
    a = ask(s, 0.5, 0.5, 3.0, by, 2.0000002);
    CHECK_INT(a.valid, 1);
    CHECK_NEAR(a.distance, 2.0, 0.0);
    CHECK_INT(ask(s, 0.5, 0.5, 1.0, by, 0.0).valid, 0);
    CHECK_INT(ask(s, (double)NAN, 0, 0, by, inf).valid, 0);
    CHECK_INT(ask(s, inf, 0, 0, by, inf).valid, 0);
    CHECK_INT(ask(s, 1e300, 0, 0, by, inf).valid, 0); /* beyond float32 */
  }
  /* On the surface: -0 by the pseudonormal. */
  answer a = ask(s, 0.5, 0.5, 0.0, SQ_SIGN_PSEUDONORMAL, inf);
  CHECK_INT(a.valid, 1);
  CHECK(a.distance == 0.0 && signbit(a.distance));
  a = ask(s, 1.0, 0.5, 0.25, SQ_SIGN_WINDING_NUMBER, inf);
  CHECK(a.distance == 0.0);
  /* Queries are rounded to float32, too. */
  a = ask(s, 0.5, 0.5, 1.1, SQ_SIGN_AUTOMATIC, inf);
  CHECK_NEAR(a.distance, (double)(1.1f - 1.0f), 0.0);
  sq_surface_destroy(s);
  orc_reverse(&m); /* outside everywhere, by winding; inside out, by the pseudonormal */
  s = build(c, &m);
  CHECK_NEAR(ask(s, 0.5, 0.5, 0.75, SQ_SIGN_WINDING_NUMBER, inf).distance, 0.25, 0.0);
  CHECK_NEAR(ask(s, 0.5, 0.5, 0.75, SQ_SIGN_AUTOMATIC, inf).distance, 0.25, 0.0);
  CHECK_NEAR(ask(s, 0.5, 0.5, 3.0, SQ_SIGN_WINDING_NUMBER, inf).distance, 2.0, 0.0);
  CHECK_NEAR(ask(s, 0.5, 0.5, 3.0, SQ_SIGN_AUTOMATIC, inf).distance, -2.0, 0.0);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

/** Beside a lone triangle, in its plane: inside at any distance. A point-like face: the same, and outside by winding. */
static void lone_faces(void)
{
  const double inf = (double)INFINITY;
  sq_context* c = sqt_context(1, NULL, NULL);
  orc_mesh m = orc_suite_make("one triangle");
  for (int i = 0; i < 9; ++i)
  {
    m.points[i] = i == 3 || i == 7 ? 1.0 : 0.0;
  }
  sq_surface* s = build(c, &m);
  CHECK_NEAR(ask_plainly(s, 5, 0, 0).distance, -4.0, 0.0);
  CHECK_NEAR(ask_plainly(s, 0.25, 0.25, 2).distance, 2.0, 0.0);
  CHECK_NEAR(ask_plainly(s, 0.25, 0.25, -2).distance, -2.0, 0.0);
  sq_surface_destroy(s);
  for (int i = 0; i < 9; ++i)
  {
    m.points[i] = 1.0;
  }
  s = build(c, &m);
  CHECK_NEAR(ask_plainly(s, 1, 1, 3).distance, -2.0, 0.0);
  CHECK_NEAR(ask(s, 1, 1, 3, SQ_SIGN_WINDING_NUMBER, inf).distance, 2.0, 0.0);
  CHECK_NEAR(ask(s, 1, 1, 3, SQ_SIGN_UNSIGNED, inf).distance, 2.0, 0.0);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

static const sqt_case cases[] = {
  { "repaired corners", repaired_corners },
  { "repaired surfaces", repaired_surfaces },
  { "the authors' tetrahedron", authors_tetrahedron },
  { "the authors' sphere", authors_sphere },
  { "the authors' segment", authors_segment },
  { "the authors' L-prism", authors_l_prism },
  { "strict limit", strict_limit },
  { "lone faces", lone_faces },
};

SQT_MAIN(cases)
