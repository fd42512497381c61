/** Potentials: from trees, from a plan, directly, and by the letter of the sums. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_plan_field.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** All ways to evaluate against the letter; the same bits for 1, 2 and 7 threads. */
static void check_potentials(scene* z, double theta, int expand, const char* what)
{
  const int threads[] = { 1, 2, 7 };
  const sq_cluster_tree_view* t = &z->pair.t;
  int64_t n = t->point_count, wrong = 0;
  size_t bytes = (size_t)n * sizeof(double);
  double *got = scene_doubles(n), *stored = scene_doubles(n), *direct = scene_doubles(n);
  double* first[3] = { scene_doubles(n), scene_doubles(n), scene_doubles(n) };
  long double* phi = (long double*)calloc((size_t)n * 4 + 1, sizeof(long double));
  long double* size = (long double*)calloc((size_t)n + 1, sizeof(long double));
  sq_plan_options o = sqt_plan_options(theta, expand);
  for (int k = 0; k < 3; ++k)
  {
    sq_context* c = sqt_context(threads[k], NULL, NULL);
    sq_cluster_tree *targets = z->pair.targets, *sources = z->pair.sources;
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &z->pair, theta, expand, &v);
    CHECK_STATUS(sq_plan_evaluate(c, targets, sources, &o, &z->field, got), SQ_OK);
    CHECK_STATUS(sq_plan_evaluate_stored(c, &v, targets, sources, &z->field, stored), SQ_OK);
    CHECK_STATUS(sq_plan_direct_sum(c, targets, sources, &z->field, NULL, 0, direct), SQ_OK);
    double* all[3] = { got, stored, direct };
    for (int i = 0; i < 3; ++i)
    {
      memcpy(first[i], k ? first[i] : all[i], bytes);
      CHECK_TEXT(!memcmp(first[i], all[i], bytes), "%s: other bits with %d threads (%d)", what,
        threads[k], i);
    }
    if (!k)
    {
      scene_by_letter(z, &v, phi, size);
    }
    sq_plan_destroy(plan);
    sq_context_destroy(c);
  }
  for (int64_t i = 0; i < n; ++i)
  {
    if (!sqt_is_present(t, i))
    {
      wrong += !isnan(got[i]) || !isnan(stored[i]) || !isnan(direct[i]);
      continue;
    }
    long double sum = phi[4 * i] + phi[4 * i + 1] + phi[4 * i + 2] + phi[4 * i + 3];
    long double exact, exact_size;
    scene_direct(z, i, &exact, &exact_size);
    wrong += !scene_near(got[i], sum, size[i]) || !scene_near(stored[i], sum, size[i]) ||
      !scene_near(direct[i], exact, exact_size) ||
      (theta == 0 && !scene_near(got[i], exact, exact_size));
  }
  CHECK_TEXT(!wrong, "%s: %lld potentials are wrong", what, (long long)wrong);
  for (int i = 0; i < 3; ++i)
  {
    free(first[i]);
  }
  free(got);
  free(stored);
  free(direct);
  free(phi);
  free(size);
}

static void potentials(void)
{
  const int64_t leaf_sizes[] = { 1, 5, 64 };
  const double thetas[] = { 0, 0.7, 3 };
  const int sets[] = { 0, 1, 2, 4, 6, 8, 12, 14, 15, 17, 18, 21 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); ++k)
  {
    sqt_point_set set = sqt_point_set_make(sets[k]);
    for (int i = (int)k % 2; i < 9;
         i += 2) /* with the next set all leaf sizes, angles and kernels */
    {
      sq_kernel kernel = sq_kernel_default();
      kernel.kind = (sq_kernel_kind)(1 + (i + (int)k) % 5);
      kernel.length = 0.7;
      scene z = scene_make(
        c, &set.targets, set.sources.data ? &set.sources : NULL, leaf_sizes[i % 3], kernel, 40 + k);
      for (int expand = 0; expand < 3; ++expand)
      {
        char what[128];
        (void)snprintf(what, sizeof(what), "%s, leaves of %d, theta %g, expand %d, kernel %d",
          set.name, (int)leaf_sizes[i % 3], thetas[i / 3], expand, (int)kernel.kind);
        check_potentials(&z, thetas[i / 3], expand, what);
      }
      scene_free(&z);
    }
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

/** The kernels at single distances against long double. */
static void kernels(void)
{
  const double lengths[] = { 1, 0.015, 30, 1e-300 };
  sq_context* c = sqt_context(1, NULL, NULL);
  orc_random r = { 5 };
  for (int kind = 1; kind <= 5; ++kind)
  {
    double worst = 0;
    for (int i = 0; i < 600; ++i)
    {
      double x[2] = { 0,
        i < 10 ? 0 : pow(10, orc_between(&r, i < 300 ? -1 : -8, i < 300 ? 1.5 : 8)) };
      sq_points target = { x, 1, SQ_FLOAT64, 1 }, source = { x + 1, 1, SQ_FLOAT64, 1 };
      sqt_pair p = sqt_pair_build(c, &target, &source, 1);
      sq_plan_field f;
      memset(&f, 0, sizeof(f));
      f.kernel.kind = (sq_kernel_kind)kind;
      f.kernel.length = lengths[i % 3];
      double got = -1;
      CHECK_STATUS(sq_plan_direct_sum(c, p.targets, p.sources, &f, NULL, 0, &got), SQ_OK);
      long double want = scene_kernel(&f.kernel, (long double)x[1] * x[1]);
      double error = got == (double)want ? 0 : fabs((double)((got - want) / want));
      /* exp(-u) doubles the relative error of u; below the normal numbers only the absolute one counts */
      double u = x[1] / f.kernel.length;
      error = kind == 3 ? (got < 1e-300 && want < 1e-300L ? 0 : error / (1 + u * u)) : error;
      error = kind == 4 && fabs(got) < 1 ? fabs((double)(got - want)) : error;
      worst = error > worst ? error : worst;
      sqt_pair_destroy(&p);
    }
    CHECK_TEXT(worst < 1e-15, "kernel %d: relative error %g", kind, worst);
  }
  sq_context_destroy(c);
}

static void inverse_cube(void* user, int64_t count, const double* d, double* values)
{
  for (int64_t i = 0; i < count; ++i)
  {
    double x = d[i], y = d[count + i], z = d[2 * count + i];
    /* odd in x, so that the direction matters */
    values[i] = *(const double*)user * x / (1 + x * x + y * y + z * z);
  }
}

/** The caller's kernel sees x - y, from every way to evaluate. */
static void callback(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(0);
  double scale = 3;
  sq_kernel kernel = { SQ_KERNEL_FUNCTION, 0, inverse_cube, &scale };
  scene z = scene_make(c, &set.targets, &set.sources, 4, kernel, 9);
  int64_t n = z.pair.t.point_count;
  double *got = scene_doubles(n), *stored = scene_doubles(n), *direct = scene_doubles(n);
  for (int k = 0; k < 6; ++k)
  {
    double theta = k < 3 ? 0 : 1.5, worst = 0;
    sq_plan_options o = sqt_plan_options(theta, k % 3);
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &z.pair, theta, k % 3, &v);
    CHECK_STATUS(sq_plan_evaluate(c, z.pair.targets, z.pair.sources, &o, &z.field, got), SQ_OK);
    CHECK_STATUS(
      sq_plan_evaluate_stored(c, &v, z.pair.targets, z.pair.sources, &z.field, stored), SQ_OK);
    CHECK_STATUS(
      sq_plan_direct_sum(c, z.pair.targets, z.pair.sources, &z.field, NULL, 0, direct), SQ_OK);
    for (int64_t t = 0; t < n; ++t)
    {
      double want = 0, x[3], y[3];
      scene_place(&z.pair.t, &z.t, 0, t, x);
      for (int64_t s = 0; s < z.pair.s.point_count; ++s)
      {
        double value;
        scene_place(&z.pair.s, &z.s, 0, s, y);
        const double d[3] = { x[0] - y[0], x[1] - y[1], x[2] - y[2] };
        inverse_cube(&scale, 1, d, &value);
        want += value * scene_number(z.strengths, SQ_FLOAT32, s);
      }
      CHECK_NEAR(direct[t], want, 1e-11);
      CHECK_NEAR(stored[t], got[t], 1e-11);
      worst = fmax(worst, fabs(got[t] - want));
    }
    CHECK_TEXT(
      theta > 0 ? worst > 1e-6 && worst < 30 : worst < 1e-11, "theta %g: %g", theta, worst);
    sq_plan_destroy(plan);
  }
  free(got);
  free(stored);
  free(direct);
  scene_free(&z);
  sqt_point_set_free(&set);
  sq_context_destroy(c);
}

/**
 * Enough points for many units, far nodes above them, and leaves that are split between units: the same bits for any number of
 * threads, and the sums of the plan's arrays.
 */
static void many_units(void)
{
  enum
  {
    N = 5000
  };
  const int threads[] = { 1, 2, 7 };
  const int64_t leaf_sizes[] = { 1, 40, 3000, N };
  sq_points sphere = sqt_fibonacci_sphere(N);
  for (int i = 0; i < 4; ++i)
  {
    sq_context* c = sqt_context(2, NULL, NULL);
    scene z = scene_make(c, &sphere, NULL, leaf_sizes[i], sq_kernel_default(), 5);
    for (int expand = 0; expand < 3; ++expand)
    {
      double theta = leaf_sizes[i] > 100 ? 1 : 4;
      double *first = scene_doubles(N), *got = scene_doubles(N), *stored = scene_doubles(N);
      sq_cluster_tree* tree = z.pair.targets;
      sq_plan_options o = sqt_plan_options(theta, expand);
      for (int k = 0; k < 3; ++k)
      {
        sq_context* run = sqt_context(threads[k], NULL, NULL);
        CHECK_STATUS(sq_plan_evaluate(run, tree, tree, &o, &z.field, k ? got : first), SQ_OK);
        if (k)
        {
          CHECK_SAME(got, first, N);
        }
        sq_context_destroy(run);
      }
      if (leaf_sizes[i] < 100)
      {
        sq_plan_view v;
        sq_plan* plan = sqt_plan_build(c, &z.pair, theta, expand, &v);
        CHECK_STATUS(sq_plan_evaluate_stored(c, &v, tree, tree, &z.field, stored), SQ_OK);
        sq_plan_destroy(plan);
      }
      else /* two leaves that touch, or one: all is near, or the error is the plan's own */
      {
        CHECK_STATUS(sq_plan_direct_sum(c, tree, tree, &z.field, NULL, 0, stored), SQ_OK);
      }
      int64_t wrong = 0;
      for (int64_t t = 0; t < N && (leaf_sizes[i] < 100 || leaf_sizes[i] == N); ++t)
      {
        wrong += !scene_near(first[t], (long double)stored[t], 1e4L);
      }
      CHECK_TEXT(!wrong, "leaves of %d, expand %d: %lld sums differ", (int)leaf_sizes[i], expand,
        (long long)wrong);
      free(first);
      free(got);
      free(stored);
    }
    scene_free(&z);
    sq_context_destroy(c);
  }
  free((void*)(uintptr_t)sphere.data);
}

static const sqt_case cases[] = {
  { "potentials", potentials },
  { "kernels", kernels },
  { "callback", callback },
  { "many units", many_units },
};

SQT_MAIN(cases)
