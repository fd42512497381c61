/** What each option and each output of a distance run does. */
#include "orc_queries.h"
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench
{
  sq_context* context;
  sq_surface* surface;
  orc_mesh mesh;
} bench;

static bench set_up(const char* name)
{
  bench b;
  b.context = sqt_context(2, NULL, NULL);
  b.mesh = orc_suite_make(name);
  b.surface = sqt_build_mesh(b.context, &b.mesh);
  return b;
}

static void tear_down(bench* b)
{
  sq_surface_destroy(b->surface);
  sq_context_destroy(b->context);
  orc_mesh_free(&b->mesh);
}

static double signed_at(bench* b, const sq_distance_options* o, double x, double y, double z)
{
  const double at[3] = { x, y, z };
  sqt_answers a = sqt_distances(b->context, b->surface, at, 1, o);
  double d = a.distance[0];
  sqt_answers_free(&a);
  return d;
}

/** Exactly at the limit counts, beyond it nothing is known but the side. */
static void limit(void)
{
  bench b = set_up("cube");
  const double x[] = { 0.5, 0.5, 3.0, 0.5, 0.5, 3.0000001, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25 };
  sq_distance_options o = sq_distance_options_default();
  o.max_distance = 2.0;
  sqt_answers a = sqt_distances(b.context, b.surface, x, 2, &o);
  CHECK_NEAR(a.distance[0], 2.0, 0.0);
  CHECK_INT(a.valid[0], 1);
  CHECK_NEAR(a.distance[1], NAN, 0.0);
  CHECK_INT(a.valid[1], 0);
  CHECK_INT(a.cell[1], -1);
  CHECK_INT(a.block[1], -1);
  CHECK_INT(a.sub[1], -1);
  CHECK(isnan(a.closest[3]));
  sqt_answers_free(&a);
  o.out_of_band = SQ_OUT_OF_BAND_SIGNED_MAX;
  o.max_distance = 0.3;
  a = sqt_distances(b.context, b.surface, x, 4, &o);
  CHECK_NEAR(a.distance[0], 0.3, 0.0);
  CHECK_NEAR(a.distance[2], -0.3, 0.0);
  CHECK_NEAR(a.distance[3], -0.25, 0.0);
  CHECK_INT(a.valid[0], 0);
  CHECK_INT(a.valid[2], 0);
  CHECK_INT(a.valid[3], 1);
  CHECK_INT(a.cell[2], -1);
  sqt_answers_free(&a);
  tear_down(&b);
}

/** A band of width 0 keeps the surface itself. */
static void band_of_width_0(void)
{
  bench b = set_up("cube");
  const double x[] = { 1.0, 0.25, 0.5, 1.0, 1.0, 1.0, 0.5, 0.5, 1.0000001 };
  sq_distance_options o = sq_distance_options_default();
  o.max_distance = 0.0;
  sqt_answers a = sqt_distances(b.context, b.surface, x, 3, &o);
  CHECK_INT(a.valid[0], 1);
  CHECK_INT(a.valid[1], 1);
  CHECK_INT(a.valid[2], 0);
  CHECK_NEAR(a.distance[0], 0.0, 0.0);
  CHECK_NEAR(a.distance[1], 0.0, 0.0);
  sqt_answers_free(&a);
  tear_down(&b);
}

/** Within the band all numbers are those of the full field; beyond it the sign still is. */
static void band_is_a_part_of_the_field(void)
{
  enum
  {
    N = 400
  };
  const char* const names[] = { "torus", "airfoil", "rough sphere", "fin" };
  for (int m = 0; m < 4; ++m)
  {
    bench b = set_up(names[m]);
    double x[3 * N];
    orc_make_queries(&b.mesh, ORC_UNIFORM, N, 8, x);
    sq_distance_options o = sq_distance_options_default();
    sqt_answers all = sqt_distances(b.context, b.surface, x, N, NULL);
    o.max_distance = 0.2;
    o.out_of_band = SQ_OUT_OF_BAND_SIGNED_MAX;
    sqt_answers band = sqt_distances(b.context, b.surface, x, N, &o);
    int out = 0;
    for (int i = 0; i < N; ++i)
    {
      int in = fabs(all.distance[i]) <= 0.2;
      out += !in;
      CHECK_INT(band.valid[i], in);
      CHECK_NEAR(band.distance[i], in ? all.distance[i] : copysign(0.2, all.distance[i]), 0.0);
      CHECK_INT(band.cell[i], in ? all.cell[i] : -1);
    }
    CHECK(out > 10 && out < N - 10);
    sqt_answers_free(&all);
    sqt_answers_free(&band);
    tear_down(&b);
  }
}

static void flip_and_unsigned(void)
{
  bench b = set_up("cube");
  sq_distance_options o = sq_distance_options_default();
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, 0.25), -0.25, 0.0);
  CHECK_NEAR(signed_at(&b, NULL, 0.5, 0.5, 0.25), -0.25, 0.0);
  o.sign_method = SQ_SIGN_PSEUDONORMAL;
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, 0.25), -0.25, 0.0);
  o.flip_inside_out = 1;
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, 0.25), 0.25, 0.0);
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, -2.0), -2.0, 0.0);
  double on = signed_at(&b, &o, 1.0, 0.5, 0.5);
  CHECK(on == 0.0 && !signbit(on));
  o.sign_method = SQ_SIGN_UNSIGNED;
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, 0.25), 0.25, 0.0);
  CHECK_NEAR(signed_at(&b, &o, 0.5, 0.5, -2.0), 2.0, 0.0);
  tear_down(&b);
}

/** Each output alone has the bits it has together with the others; none at all is allowed. */
static void outputs_one_by_one(void)
{
  enum
  {
    N = 200
  };
  bench b = set_up("airfoil");
  double x[3 * N];
  orc_make_queries(&b.mesh, ORC_UNIFORM, N, 3, x);
  sq_points q = sqt_points(x, N);
  sqt_answers all = sqt_distances(b.context, b.surface, x, N, NULL);
  for (int only = 0; only < 9; ++only)
  {
    sqt_answers one = sqt_answers_new(N);
    sq_distance_outputs o;
    memset(&o, 0, sizeof(o));
    sq_distance_outputs full = sqt_answers_outputs(&one);
    o.distance = only == 0 ? full.distance : NULL;
    o.closest_point = only == 1 ? full.closest_point : NULL;
    o.barycentric = only == 2 ? full.barycentric : NULL;
    o.gradient = only == 3 ? full.gradient : NULL;
    o.cell = only == 4 ? full.cell : NULL;
    o.block = only == 5 ? full.block : NULL;
    o.sub = only == 6 ? full.sub : NULL;
    o.valid = only == 7 ? full.valid : NULL;
    CHECK_STATUS(sq_surface_distance(b.context, b.surface, &q, NULL, &o), SQ_OK);
    CHECK(only != 0 || CHECK_SAME(one.distance, all.distance, N));
    CHECK(only != 1 || CHECK_SAME(one.closest, all.closest, 3 * N));
    CHECK(only != 2 || CHECK_SAME(one.barycentric, all.barycentric, 3 * N));
    CHECK(only != 3 || CHECK_SAME(one.gradient, all.gradient, 3 * N));
    CHECK(only != 4 || CHECK_SAME(one.cell, all.cell, N));
    CHECK(only != 5 || CHECK_SAME(one.block, all.block, N));
    CHECK(only != 6 || CHECK_SAME(one.sub, all.sub, N));
    CHECK(only != 7 || CHECK_SAME(one.valid, all.valid, N));
    sqt_answers_free(&one);
  }
  sqt_answers_free(&all);
  tear_down(&b);
}

static void gradients_of_a_cube(void)
{
  bench b = set_up("cube");
  double e = 1.0 / sqrt(2.0);
  double c = 1.0 / sqrt(3.0);
  const struct
  {
    double x[3];
    double g[3];
  } want[] = {
    { { 0.5, 0.5, 3.0 }, { 0.0, 0.0, 1.0 } },
    { { 0.5, 0.5, 0.875 }, { 0.0, 0.0, 1.0 } },
    { { 0.25, 0.5, 1.0 }, { 0.0, 0.0, 1.0 } }, /* on a face */
    { { 2.0, 0.5, 2.0 }, { e, 0.0, e } }, /* off an edge */
    { { 1.0, 0.5, 1.0 }, { e, 0.0, e } }, /* on it: the pseudonormal */
    { { -1.0, -1.0, -1.0 }, { -c, -c, -c } }, /* off a corner */
    { { 1.0, 0.0, 1.0 }, { c, -c, c } }, /* on it: by angle, not by number of triangles */
    { { 0.0, 0.0, 1.0 }, { -c, -c, c } },
    { { 0.5, 0.5, 1.0 + 1e-12 }, { 0.0, 0.0, 1.0 } },
    { { 0.5, 0.5, 1.0 - 1e-12 }, { 0.0, 0.0, 1.0 } },
  };
  for (size_t i = 0; i < sizeof(want) / sizeof(*want); ++i)
  {
    sqt_answers a = sqt_distances(b.context, b.surface, want[i].x, 1, NULL);
    for (int k = 0; k < 3; ++k)
    {
      CHECK_NEAR(a.gradient[k], want[i].g[k], 4e-15);
    }
    sqt_answers_free(&a);
  }
  tear_down(&b);
}

/** Unit length everywhere, and the slope of the distance where it has one. */
static void gradients_are_slopes(void)
{
  enum
  {
    N = 300
  };
  const char* const names[] = { "torus", "L prism", "T-junction", "airfoil" };
  for (int m = 0; m < 4; ++m)
  {
    bench b = set_up(names[m]);
    double x[3 * N];
    orc_make_queries(&b.mesh, ORC_UNIFORM, N, 12, x);
    sqt_answers a = sqt_distances(b.context, b.surface, x, N, NULL);
    double along[3 * N];
    for (int i = 0; i < 3 * N; ++i)
    {
      along[i] = x[i] + 1e-5 * a.gradient[i];
    }
    sqt_answers moved = sqt_distances(b.context, b.surface, along, N, NULL);
    int kinks = 0;
    for (int i = 0; i < N; ++i)
    {
      const double* g = a.gradient + 3 * i;
      CHECK_NEAR(g[0] * g[0] + g[1] * g[1] + g[2] * g[2], 1.0, 1e-14);
      kinks += fabs(moved.distance[i] - a.distance[i] - 1e-5) > 1e-9;
    }
    CHECK_TEXT(kinks < N / 50, "%s: %d of %d are no slopes", names[m], kinks, N);
    sqt_answers_free(&a);
    sqt_answers_free(&moved);
    tear_down(&b);
  }
}

/** A surface in pieces that nearly touch is joined by a tolerance, and only by one that is large enough. */
static void merge_tolerance(void)
{
  orc_mesh cube = orc_suite_make("cube");
  orc_mesh soup = orc_soup(&cube);
  orc_random r = { 6 };
  for (int64_t i = 0; i < 3 * soup.point_count; ++i)
  {
    soup.points[i] += orc_between(&r, -2e-9, 2e-9);
  }
  sqt_view v = sqt_view_of(&soup, SQ_FLOAT64, SQ_INT64);
  sq_context* c = sqt_context(1, NULL, NULL);
  const struct
  {
    int merge;
    double tolerance;
    int64_t boundary;
  } want[] = { { 1, 1e-8, 0 }, { 1, 0.0, 36 }, { 1, 1e-11, 36 }, { 0, 0.0, 36 }, { 0, 1e-8, 36 } };
  for (int i = 0; i < 5; ++i)
  {
    sq_surface_options o = sq_surface_options_default();
    o.merge_points = want[i].merge;
    o.merge_tolerance = want[i].tolerance;
    sq_surface* s = NULL;
    sq_surface_report got;
    CHECK_STATUS(sq_surface_build(c, &v.cells, 1, &o, &s), SQ_OK);
    CHECK_STATUS(sq_surface_get_report(s, &got), SQ_OK);
    CHECK_INT(got.boundary_edges, want[i].boundary);
    CHECK_INT(got.is_closed, !want[i].boundary);
    CHECK_INT(got.vertices, want[i].boundary ? 36 : 8);
    sq_surface_destroy(s);
  }
  sq_context_destroy(c);
  sqt_view_free(&v);
  orc_mesh_free(&soup);
  orc_mesh_free(&cube);
}

/** Counting the work changes no answer and does not depend on the order of the queries. */
static void statistics(void)
{
  enum
  {
    N = 300
  };
  bench b = set_up("torus");
  double x[3 * N];
  double back[3 * N];
  int32_t nodes[2][N];
  int32_t tested[2][N];
  orc_make_queries(&b.mesh, ORC_UNIFORM, N, 5, x);
  for (int i = 0; i < N; ++i)
  {
    memcpy(back + 3 * i, x + 3 * (N - 1 - i), 24);
  }
  sqt_answers plain = sqt_distances(b.context, b.surface, x, N, NULL);
  sqt_answers counted = sqt_answers_new(N);
  for (int run = 0; run < 2; ++run)
  {
    sq_points q = sqt_points(run ? back : x, N);
    sq_distance_outputs o = sqt_answers_outputs(&counted);
    o.nodes_visited = nodes[run];
    o.cells_tested = tested[run];
    CHECK_STATUS(sq_surface_distance(b.context, b.surface, &q, NULL, &o), SQ_OK);
    if (!run)
    {
      sqt_answers_equal(&plain, &counted);
    }
  }
  for (int i = 0; i < N; ++i)
  {
    CHECK(nodes[0][i] >= 1 && tested[0][i] >= 1 && tested[0][i] <= b.mesh.triangle_count);
    CHECK_INT(nodes[1][N - 1 - i], nodes[0][i]);
    CHECK_INT(tested[1][N - 1 - i], tested[0][i]);
  }
  sqt_answers_free(&plain);
  sqt_answers_free(&counted);
  tear_down(&b);
}

static const sqt_case cases[] = {
  { "limit", limit },
  { "band of width 0", band_of_width_0 },
  { "band is a part of the field", band_is_a_part_of_the_field },
  { "flip and unsigned", flip_and_unsigned },
  { "outputs one by one", outputs_one_by_one },
  { "gradients of a cube", gradients_of_a_cube },
  { "gradients are slopes", gradients_are_slopes },
  { "merge tolerance", merge_tolerance },
  { "statistics", statistics },
};
SQT_MAIN(cases)
