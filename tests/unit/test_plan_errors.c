/** Errors of plans against the direct sum: stream by stream, percentiles, chosen targets. */
#include "sq_test.h"
#include "sqt_plan_field.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Errors by stream against the letter: each stream's sums less the exact ones of the pairs that it covers. */
static void check_errors(scene* z, double theta, int expand, const char* what)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  const sq_cluster_tree_view *t = &z->pair.t, *s = &z->pair.s;
  int64_t n = t->point_count, m = s->point_count, ids[16];
  int64_t count = sq_plan_spread_targets(n, 16, ids);
  sq_plan_options o = sqt_plan_options(theta, expand);
  sq_plan_view v;
  sq_plan* plan = sqt_plan_build(c, &z->pair, theta, expand, &v);
  double *phi = scene_doubles(n), *direct = scene_doubles(16), *relative = scene_doubles(16);
  sq_plan_errors e;
  CHECK_STATUS(sq_plan_evaluate(c, z->pair.targets, z->pair.sources, &o, &z->field, phi), SQ_OK);
  CHECK_STATUS(sq_plan_measure_errors(c, z->pair.targets, z->pair.sources, &o, &z->field, phi, ids,
                 count, direct, relative, &e),
    SQ_OK);
  uint8_t* cover = sqt_plan_cover(&v, &z->pair);
  long double* plan_sums = (long double*)calloc((size_t)n * 4 + 1, sizeof(long double));
  long double* size = (long double*)calloc((size_t)n + 1, sizeof(long double));
  scene_by_letter(z, &v, plan_sums, size);
  long double total = 0, all = 0, parts[4] = { 0 };
  int64_t compared = 0;
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t id = ids[i];
    long double exact, exact_size, error[4];
    scene_direct(z, id, &exact, &exact_size);
    if (!sqt_is_present(t, id))
    {
      CHECK(isnan(direct[i]) && isnan(relative[i]));
      continue;
    }
    CHECK_TEXT(scene_near(direct[i], exact, exact_size), "%s: direct sum", what);
    double want = fabs(phi[id] - direct[i]) / fabs(direct[i]);
    CHECK_NEAR(relative[i], phi[id] == direct[i] ? 0 : want, 1e-15 * want);
    largest = fmax(largest, relative[i]);
    ++compared;
    for (int k = 0; k < 4; ++k)
    {
      error[k] = plan_sums[4 * id + k];
      for (int64_t j = 0; j < m; ++j)
      {
        double x[3], y[3];
        scene_place(t, &z->t, 0, id, x);
        scene_place(s, &z->s, 0, j, y);
        error[k] -= cover[(k * n + id) * m + j]
          ? scene_between(&z->field.kernel, x, y) * scene_number(z->strengths, s->type, j)
          : 0;
      }
      parts[k] += error[k] * error[k];
    }
    total += (phi[id] - exact) * (phi[id] - exact);
    all += exact * exact;
  }
  double slack = 1e-11;
  CHECK_INT(e.compared, compared);
  CHECK_NEAR(e.max, compared ? largest : (double)NAN, 0);
  CHECK_NEAR(e.rms, compared ? (double)sqrtl(total / all) : (double)NAN, slack);
  CHECK_NEAR(e.near_far, compared ? (double)sqrtl(parts[1] / all) : (double)NAN, slack);
  CHECK_NEAR(e.far_near, compared ? (double)sqrtl(parts[2] / all) : (double)NAN, slack);
  CHECK_NEAR(e.far, compared ? (double)sqrtl(parts[3] / all) : (double)NAN, slack);
  CHECK(!compared || (e.percentile_50 <= e.percentile_90 && e.percentile_90 <= e.percentile_99));
  CHECK(!compared || (e.percentile_99 <= e.max && e.worst_target >= 0));
  free(cover);
  free(plan_sums);
  free(size);
  free(phi);
  free(direct);
  free(relative);
  sq_plan_destroy(plan);
  sq_context_destroy(c);
}

static void errors(void)
{
  const int sets[] = { 0, 1, 2, 9, 12, 16, 17, 18 };
  const double thetas[] = { 0, 1, 10 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); ++k)
  {
    sqt_point_set set = sqt_point_set_make(sets[k]);
    for (int i = 0; i < 6; ++i)
    {
      sq_kernel kernel = sq_kernel_default();
      scene z = scene_make(
        c, &set.targets, set.sources.data ? &set.sources : NULL, i % 2 ? 1 : 6, kernel, 70 + k);
      for (int expand = 0; expand < 3; ++expand)
      {
        char what[128];
        (void)snprintf(
          what, sizeof(what), "%s, theta %g, expand %d", set.name, thetas[i / 2], expand);
        check_errors(&z, thetas[i / 2], expand, what);
      }
      scene_free(&z);
    }
    sqt_point_set_free(&set);
  }
  sq_context_destroy(c);
}

static const int64_t no_ids[1] = { 0 };

/** Percentiles by count, and what no target tells. */
static void percentiles(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_points p = sqt_random_points(3, SQ_FLOAT64, 200, 3, 0, 1);
  scene z = scene_make(c, &p, NULL, 1, sq_kernel_default(), 4);
  double phi[200], direct[200];
  sq_plan_errors e;
  sq_plan_options o = sqt_plan_options(1, 0);
  sq_cluster_tree* tree = z.pair.targets;
  CHECK_STATUS(sq_plan_direct_sum(c, tree, tree, &z.field, NULL, 0, direct), SQ_OK);
  for (int i = 0; i < 200; ++i)
  {
    phi[i] = direct[i] * (1 + (i + 1) * 0.001); /* relative errors of 0.001 ... 0.2 */
  }
  CHECK_STATUS(
    sq_plan_measure_errors(c, tree, tree, &o, &z.field, phi, NULL, 0, NULL, NULL, &e), SQ_OK);
  CHECK_INT(e.compared, 200);
  CHECK_INT(e.worst_target, 199);
  CHECK_NEAR(e.max, 0.2, 1e-12);
  CHECK_NEAR(e.percentile_50, 0.1, 1e-12);
  CHECK_NEAR(e.percentile_90, 0.18, 1e-12);
  CHECK_NEAR(e.percentile_99, 0.198, 1e-12);
  CHECK_STATUS(
    sq_plan_measure_errors(c, tree, tree, &o, &z.field, phi, no_ids, 0, NULL, NULL, &e), SQ_OK);
  CHECK_INT(e.compared, 0);
  CHECK(isnan(e.rms) && isnan(e.max) && isnan(e.percentile_50) && isnan(e.far));
  CHECK_INT(e.worst_target, -1);
  scene_free(&z);
  free((void*)(uintptr_t)p.data);
  sq_context_destroy(c);
}

static void spread(void)
{
  int64_t ids[10];
  CHECK_INT(sq_plan_spread_targets(10, 0, ids), 10);
  CHECK_INT(ids[9], 9);
  CHECK_INT(sq_plan_spread_targets(10, 4, ids), 4);
  CHECK(ids[0] == 0 && ids[1] == 3 && ids[2] == 6 && ids[3] == 9);
  CHECK_INT(sq_plan_spread_targets(10, 1, ids), 1);
  CHECK_INT(ids[0], 0);
  CHECK_INT(sq_plan_spread_targets(10, 20, ids), 10);
  CHECK_INT(sq_plan_spread_targets(0, 20, ids), 0);
  CHECK_INT(sq_plan_spread_targets(5, 3, NULL), 3);
}

static const sqt_case cases[] = {
  { "errors", errors },
  { "percentiles", percentiles },
  { "spread", spread },
};

SQT_MAIN(cases)
