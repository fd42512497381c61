/** The hierarchical winding number against the exact sum, and its own error bound. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_context.h"
#include "sqt_sweep.h"

#include "sqi_context.h"
#include "sqi_winding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem
{
  orc_mesh mesh;
  int32_t* corners;
} problem;

static problem problem_named(const char* name)
{
  problem p;
  p.mesh = orc_suite_make(name);
  p.corners = (int32_t*)malloc((size_t)(3 * p.mesh.triangle_count) * sizeof(int32_t));
  for (int64_t i = 0; i < 3 * p.mesh.triangle_count; ++i)
  {
    p.corners[i] = (int32_t)p.mesh.corners[i];
  }
  return p;
}

static void problem_free(problem* p)
{
  free(p->corners);
  orc_mesh_free(&p->mesh);
}

static sq_status build(sq_context* c, const problem* p, sqi_winding** w)
{
  sqi_begin(c);
  return sqi_winding_build(c, p->mesh.points, p->corners, (int32_t)p->mesh.triangle_count, w);
}

/** The mesh without its query kinds on the surface, where the number jumps. */
static void check_mesh(const orc_suite_entry* e, sq_context* c)
{
  enum
  {
    N = 24
  };
  problem p = problem_named(e->name);
  sqi_winding* w = NULL;
  CHECK_STATUS(build(c, &p, &w), SQ_OK);
  double size = orc_largest(p.mesh.points, p.mesh.point_count);
  const int kinds[] = { ORC_UNIFORM, ORC_CHORDS, ORC_LATTICE, ORC_NEAR_3, ORC_FAR };
  for (int k = 0; w && k < 5; ++k)
  {
    double x[3 * N];
    orc_make_queries(&p.mesh, (orc_query_kind)kinds[k], N, 12, x);
    for (int i = 0; i < N; ++i)
    {
      orc_answer a = orc_answer_query(&p.mesh, x + 3 * i, 1);
      if (a.distance < 1e-6L * orc_diagonal(&p.mesh))
      {
        continue;
      }
      /* Rounding: some ulp of the place, seen from the distance, and a sum of many terms. */
      double rounding = 1e-13 * (1.0 + size / orc_diagonal(&p.mesh)) *
        (1.0 + (double)(orc_diagonal(&p.mesh) / a.distance));
      const double accuracies[] = { 0.0, 1.0, 2.0, 4.0 };
      for (int b = 0; b < 4; ++b)
      {
        double error = -1.0;
        double got = sqi_winding_number(w, x + 3 * i, accuracies[b], &error);
        CHECK_TEXT(error >= 0.0 && fabs(got - (double)a.winding) <= error + rounding,
          "%s, %s query, accuracy %g: got %.17g, want %.17g, error bound %g", e->name,
          orc_query_kind_name((orc_query_kind)kinds[k]), accuracies[b], got, (double)a.winding,
          error);
        CHECK(b || error == 0.0);
      }
      if (fabsl(a.winding - 0.5L) > 1e-6L)
      {
        int integral = (e->flags & ORC_CLOSED) != 0;
        CHECK_TEXT(sqi_winding_is_inside(w, x + 3 * i, 2.0, integral) == (a.winding > 0.5L),
          "%s, %s query %d: wrong side of 1/2 (%.9Lf)", e->name,
          orc_query_kind_name((orc_query_kind)kinds[k]), i, a.winding);
      }
    }
  }
  sqi_winding_destroy(w);
  problem_free(&p);
}

static void whole_suite(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int i = 0; i < orc_suite_count; ++i)
  {
    check_mesh(orc_suite + i, c);
  }
  sq_context_destroy(c);
}

static void empty(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqi_winding* w = NULL;
  sqi_begin(c);
  CHECK_STATUS(sqi_winding_build(c, NULL, NULL, 0, &w), SQ_OK);
  const double x[3] = { 0.0, 1.0, 2.0 };
  CHECK_NEAR(sqi_winding_number(w, x, 2.0, NULL), 0.0, 0.0);
  CHECK_INT(sqi_winding_is_inside(w, x, 2.0, 1), 0);
  sqi_winding_destroy(w);
  sqi_winding_destroy(NULL);
  sq_context_destroy(c);
}

static sq_status build_only(sq_context* c, void* data)
{
  sqi_winding* w = (sqi_winding*)data;
  sq_status s = build(c, (const problem*)data, &w);
  CHECK((w != NULL) == (s == SQ_OK));
  sqi_winding_destroy(w);
  return s;
}

static void failures(void)
{
  problem p = problem_named("torus");
  sqt_sweep_memory("winding build", build_only, &p);
  sqt_sweep_cancel("winding build", build_only, &p, 1);
  problem_free(&p);
}

static void threads(void)
{
  enum
  {
    N = 300
  };
  problem p = problem_named("rough sphere");
  double x[3 * N];
  double want[N];
  orc_make_queries(&p.mesh, ORC_UNIFORM, N, 3, x);
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    sqi_winding* w = NULL;
    CHECK_STATUS(build(c, &p, &w), SQ_OK);
    for (int i = 0; w && i < N; ++i)
    {
      double got = sqi_winding_number(w, x + 3 * i, 2.0, NULL);
      want[i] = threads == 1 ? got : want[i];
      CHECK(!memcmp(&got, want + i, sizeof(got)));
    }
    CHECK(sqi_winding_bytes(w) > 0);
    sqi_winding_destroy(w);
    sq_context_destroy(c);
  }
  problem_free(&p);
}

static const sqt_case cases[] = {
  { "whole suite", whole_suite },
  { "empty", empty },
  { "failures", failures },
  { "threads", threads },
};
SQT_MAIN(cases)
