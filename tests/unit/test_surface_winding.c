/** The winding number as an output and as a sign method, against the exact sum; sign reuse; the choice of Automatic. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 200

static const char* const names[] = { "cube", "torus", "rough sphere", "open box", "plane",
  "sphere with a flipped face", "overlapping cubes", "ball in a ball", "sphere at 1e6",
  "torus x 1e-6", "box x 1e18", "random triangles", "needles 1e-9", "degenerate triangles only" };
enum
{
  NAMES = sizeof(names) / sizeof(*names)
};

static void winding_numbers(sq_context* c, const sq_surface* s, const double* x, double accuracy,
  sq_sign_method method, double* w)
{
  sq_distance_options o = sq_distance_options_default();
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.winding_number = w;
  o.winding_accuracy = accuracy;
  o.sign_method = method;
  sq_points q = sqt_points(x, QUERIES);
  CHECK_STATUS(sq_surface_distance(c, s, &q, &o, &out), SQ_OK);
}

/** Accuracy 0 is the exact sum up to rounding; the default stays near it, and a higher one nearer. */
static void against_the_exact_sum(void)
{
  for (int m = 0; m < NAMES; ++m)
  {
    orc_mesh mesh = orc_suite_make(names[m]);
    double x[3 * QUERIES];
    orc_make_queries(&mesh, ORC_UNIFORM, QUERIES, 4, x);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &mesh);
    double exact[QUERIES];
    double coarse[QUERIES];
    double fine[QUERIES];
    winding_numbers(c, s, x, 0.0, SQ_SIGN_AUTOMATIC, exact);
    winding_numbers(c, s, x, 2.0, SQ_SIGN_UNSIGNED, coarse);
    winding_numbers(c, s, x, 6.0, SQ_SIGN_WINDING_NUMBER, fine);
    double worst_coarse = 0.0;
    double worst_fine = 0.0;
    /* The solid angle of a far mesh is as good as its coordinates: some ulp of the place per size. */
    double place = orc_largest(mesh.points, mesh.point_count) / orc_diagonal(&mesh);
    for (int i = 0; i < QUERIES; ++i)
    {
      orc_answer a = orc_answer_query(&mesh, x + 3 * i, 1);
      if (a.distance < 1e-3L * orc_diagonal(&mesh))
      {
        continue;
      }
      double want = (double)a.winding;
      CHECK_TEXT(fabs(exact[i] - want) <= 1e-12 * (1.0 + place), "%s: %.17g, want %.17g", names[m],
        exact[i], want);
      worst_coarse = fmax(worst_coarse, fabs(coarse[i] - want));
      worst_fine = fmax(worst_fine, fabs(fine[i] - want));
    }
    CHECK_TEXT(worst_coarse < 0.02, "%s: off by %g", names[m], worst_coarse);
    CHECK_TEXT(worst_fine < 0.002, "%s: off by %g", names[m], worst_fine);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&mesh);
  }
}

/** FlipInsideOut makes the number of an inward surface that of an outward one. */
static void flipped(void)
{
  orc_mesh mesh = orc_suite_make("torus");
  double x[3 * QUERIES];
  orc_make_queries(&mesh, ORC_UNIFORM, QUERIES, 4, x);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* outward = sqt_build_mesh(c, &mesh);
  orc_reverse(&mesh);
  sq_surface* inward = sqt_build_mesh(c, &mesh);
  for (int method = SQ_SIGN_AUTOMATIC; method <= SQ_SIGN_WINDING_NUMBER; ++method)
  {
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = (sq_sign_method)method;
    sqt_answers want = sqt_distances(c, outward, x, QUERIES, &o);
    o.flip_inside_out = 1;
    sqt_answers got = sqt_distances(c, inward, x, QUERIES, &o);
    CHECK_SAME(got.distance, want.distance, QUERIES);
    sqt_answers_free(&want);
    sqt_answers_free(&got);
  }
  sq_surface_destroy(outward);
  sq_surface_destroy(inward);
  sq_context_destroy(c);
  orc_mesh_free(&mesh);
}

/** Signs do not depend on the queries beside them: in a grid, shuffled by a stride, one at a time; for 1, 2, 7 threads. */
static void no_sign_depends_on_its_neighbours(void)
{
  enum
  {
    SIDE = 22,
    N = SIDE * SIDE * SIDE
  };
  const char* const hard[] = { "overlapping cubes", "sphere with a flipped face",
    "cubes share a face", "open box", "ball in a ball", "every triangle thrice",
    "random triangles" };
  double* x = (double*)malloc(3 * N * sizeof(*x));
  double* y = (double*)malloc(3 * N * sizeof(*y));
  for (int m = 0; m < 7; ++m)
  {
    orc_mesh mesh = orc_suite_make(hard[m]);
    double lo[3];
    double hi[3];
    orc_bounds(&mesh, lo, hi);
    for (int i = 0; i < N; ++i)
    {
      const int at[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
      for (int k = 0; k < 3; ++k)
      {
        x[3 * i + k] = lo[k] + (hi[k] - lo[k]) * (at[k] - 4) / (SIDE - 9);
      }
    }
    for (int64_t i = 0; i < N; ++i)
    {
      memcpy(y + 3 * i, x + 3 * (i * 4591 % N), 24);
    }
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &mesh);
    sqt_answers want = sqt_distances(c, s, x, N, NULL);
    sqt_answers strided = sqt_distances(c, s, y, N, NULL);
    int64_t differ = 0;
    for (int64_t i = 0; i < N; ++i)
    {
      differ += memcmp(strided.distance + i, want.distance + i * 4591 % N, 8) != 0;
    }
    CHECK_TEXT(!differ, "%s: %lld distances depend on the order", hard[m], (long long)differ);
    for (int i = 0; i < N; i += 37)
    {
      sqt_answers one = sqt_distances(c, s, x + 3 * i, 1, NULL);
      CHECK_SAME(one.distance, want.distance + i, 1);
      sqt_answers_free(&one);
    }
    for (int threads = 2; threads <= 7; threads += 5)
    {
      sq_context* d = sqt_context(threads, NULL, NULL);
      sqt_answers got = sqt_distances(d, s, x, N, NULL);
      CHECK_TEXT(sqt_answers_equal(&got, &want), "%s, %d threads", hard[m], threads);
      sqt_answers_free(&got);
      sq_context_destroy(d);
    }
    sqt_answers_free(&want);
    sqt_answers_free(&strided);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&mesh);
  }
  free(x);
  free(y);
}

/** On faces, edges and corners the distance is +0 whatever the method. */
static void zero_on_the_surface(void)
{
  orc_mesh mesh = orc_suite_make("cube");
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, &mesh);
  double x[3 * 27];
  for (int i = 0; i < 27; ++i)
  {
    x[3 * i] = 0.5 * (i % 3), x[3 * i + 1] = 0.5 * (i / 3 % 3), x[3 * i + 2] = 0.5 * (i / 9);
  }
  for (int method = SQ_SIGN_METHOD_MIN; method <= SQ_SIGN_METHOD_MAX; ++method)
  {
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = (sq_sign_method)method;
    sqt_answers a = sqt_distances(c, s, x, 27, &o);
    for (int i = 0; i < 27; ++i)
    {
      double want = i != 13 ? 0.0 : method == SQ_SIGN_UNSIGNED ? 0.5 : -0.5;
      CHECK_NEAR(a.distance[i], want, 0.0);
      CHECK(i == 13 || !signbit(a.distance[i]));
    }
    sqt_answers_free(&a);
  }
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&mesh);
}

static const sqt_case cases[] = {
  { "against the exact sum", against_the_exact_sum },
  { "flipped", flipped },
  { "no sign depends on its neighbours", no_sign_depends_on_its_neighbours },
  { "zero on the surface", zero_on_the_surface },
};
SQT_MAIN(cases)
