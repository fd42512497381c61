/** Potentials: from trees, from a plan, directly, and by the letter of the sums; errors stream by stream. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_plan.h"
#include "sqt_point_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A field of a pair of trees, with its parts. */
typedef struct scene
{
  sqt_pair pair;
  sq_plan_field field;
  void* strengths;
  sq_aggregates* sources;
  sq_aggregates* targets; /* NULL: self */
  sq_aggregates_view s;
  sq_aggregates_view t;
  double* node_strengths;
} scene;

static double number(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

static scene scene_make(sq_context* c, const sq_points* targets, const sq_points* sources,
  int64_t leaf_size, sq_kernel kernel, uint64_t seed)
{
  scene z;
  memset(&z, 0, sizeof(z));
  z.pair = sqt_pair_build(c, targets, sources, leaf_size);
  const sq_cluster_tree_view* s = &z.pair.s;
  sq_points q = sqt_random_points(seed, s->type, s->point_count, 1, -0.5, 1.5);
  sq_points area = sqt_random_points(seed + 1, s->type, s->point_count, 1, 0.5, 1.5);
  z.strengths = (void*)(uintptr_t)q.data;
  z.field.kernel = kernel;
  z.field.strengths = z.strengths;
  z.field.strength_type = s->type;
  CHECK_STATUS(
    sq_aggregates_build(c, z.pair.sources, area.data, s->type, NULL, 0, 0, &z.sources), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(z.sources, &z.s), SQ_OK);
  z.t = z.s;
  if (sources)
  {
    CHECK_STATUS(
      sq_aggregates_build(c, z.pair.targets, NULL, s->type, NULL, 0, 0, &z.targets), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(z.targets, &z.t), SQ_OK);
  }
  z.field.source_aggregates = z.sources;
  z.field.target_aggregates = z.targets;
  z.node_strengths = (double*)calloc((size_t)s->node_count + 1, sizeof(double));
  CHECK_STATUS(
    sq_cluster_tree_sum(c, z.pair.sources, z.strengths, s->type, 1, z.node_strengths), SQ_OK);
  for (int64_t n = s->node_count - 1; n >= 0 && s->type == SQ_FLOAT32; --n)
  {
    z.node_strengths[n] = (double)((float*)z.node_strengths)[n];
  }
  free((void*)(uintptr_t)area.data);
  return z;
}

static void scene_free(scene* z)
{
  sq_aggregates_destroy(z->sources);
  sq_aggregates_destroy(z->targets);
  sqt_pair_destroy(&z->pair);
  free(z->strengths);
  free(z->node_strengths);
}

static long double kernel_value(const sq_kernel* k, long double r2)
{
  long double u = r2 / ((long double)k->length * k->length);
  switch (k->kind)
  {
    case SQ_KERNEL_INVERSE:
      return r2 > 0 ? 1 / sqrtl(r2) : 0;
    case SQ_KERNEL_INVERSE_SQUARE:
      return r2 > 0 ? 1 / r2 : 0;
    case SQ_KERNEL_GAUSSIAN:
      return expl(-u);
    case SQ_KERNEL_LOGARITHM:
      return r2 > 0 ? -0.5L * logl(r2) : 0;
    default:
      return -expm1l(-u) / (1 + u);
  }
}

/** A point, or the centroid of a node. */
static void place(
  const sq_cluster_tree_view* v, const sq_aggregates_view* a, int node, int64_t id, double x[3])
{
  for (int32_t d = 0; d < 3; ++d)
  {
    x[d] = d < v->dimension
      ? number(node ? a->node_centroid : v->source_points, v->type, id * v->dimension + d)
      : 0;
  }
}

static long double between(const sq_kernel* k, const double x[3], const double y[3])
{
  long double r2 = 0;
  for (int d = 0; d < 3; ++d)
  {
    long double e = (long double)x[d] - (long double)y[d];
    r2 += e * e;
  }
  return kernel_value(k, r2);
}

/** phi and the sum of absolute terms at every target, stream by stream, from the arrays. */
static void by_letter(const scene* z, const sq_plan_view* v, long double* phi, long double* size)
{
  const sq_cluster_tree_view *t = &z->pair.t, *s = &z->pair.s;
  const int64_t* ends[4][2] = { { v->near_target_ids, v->near_source_ids },
    { v->nf_target_ids, v->nf_source_node_ids }, { v->fn_target_node_ids, v->fn_source_ids },
    { v->far_target_node_ids, v->far_source_node_ids } };
  const int64_t counts[4] = { v->near_count, v->nf_count, v->fn_count, v->far_count };
  for (int k = 0; k < 4; ++k)
  {
    for (int64_t e = 0; e < counts[k]; ++e)
    {
      double x[3], y[3];
      int64_t from = ends[k][1][e], to = ends[k][0][e];
      place(t, &z->t, k > 1, to, x);
      place(s, &z->s, k & 1, from, y);
      long double value = between(&z->field.kernel, x, y) *
        (k & 1 ? z->node_strengths[from] : number(z->strengths, s->type, from));
      const int64_t* list = &to;
      int64_t length = 1;
      if (k == SQ_PLAN_FAR_NEAR)
      {
        list = v->fn_broadcast_targets + v->fn_broadcast_starts[e];
        length = v->fn_broadcast_counts[e];
      }
      else if (k == SQ_PLAN_FAR)
      {
        list = t->sorted_source_order + t->node_range_start[to];
        length = t->node_range_count[to];
      }
      for (int64_t i = 0; i < length; ++i)
      {
        phi[4 * list[i] + k] += value;
        size[list[i]] += fabsl(value);
      }
    }
  }
}

static void direct_by_letter(const scene* z, int64_t target, long double* phi, long double* size)
{
  const sq_cluster_tree_view *t = &z->pair.t, *s = &z->pair.s;
  double x[3], y[3];
  place(t, &z->t, 0, target, x);
  *phi = *size = 0;
  for (int64_t i = 0; i < s->point_count; ++i)
  {
    if (sqt_is_present(s, i))
    {
      place(s, &z->s, 0, i, y);
      long double value = between(&z->field.kernel, x, y) * number(z->strengths, s->type, i);
      *phi += value;
      *size += fabsl(value);
    }
  }
}

static int near(double got, long double want, long double size)
{
  return fabsl((long double)got - want) <= 1e-13L * size + 1e-300L;
}

static double* doubles(int64_t count)
{
  return (double*)calloc((size_t)count + 1, sizeof(double));
}

/** All ways to evaluate against the letter; the same bits for 1, 2 and 7 threads. */
static void check_potentials(scene* z, double theta, int expand, const char* what)
{
  const int threads[] = { 1, 2, 7 };
  const sq_cluster_tree_view* t = &z->pair.t;
  int64_t n = t->point_count, wrong = 0;
  size_t bytes = (size_t)n * sizeof(double);
  double *got = doubles(n), *stored = doubles(n), *direct = doubles(n);
  double* first[3] = { doubles(n), doubles(n), doubles(n) };
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
      by_letter(z, &v, phi, size);
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
    direct_by_letter(z, i, &exact, &exact_size);
    wrong += !near(got[i], sum, size[i]) || !near(stored[i], sum, size[i]) ||
      !near(direct[i], exact, exact_size) || (theta == 0 && !near(got[i], exact, exact_size));
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
  sq_context* c = sqt_context(2, NULL, NULL);
  for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); ++k)
  {
    sqt_point_set set = sqt_point_set_make(sets[k]);
    for (int i = 0; i < 9; ++i)
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
    for (int i = 0; i < 2000; ++i)
    {
      double x[2] = { 0,
        i < 10 ? 0 : pow(10, orc_between(&r, i < 1000 ? -1 : -8, i < 1000 ? 1.5 : 8)) };
      sq_points target = { x, 1, SQ_FLOAT64, 1 }, source = { x + 1, 1, SQ_FLOAT64, 1 };
      sqt_pair p = sqt_pair_build(c, &target, &source, 1);
      sq_plan_field f;
      memset(&f, 0, sizeof(f));
      f.kernel.kind = (sq_kernel_kind)kind;
      f.kernel.length = lengths[i % 3];
      double got = -1;
      CHECK_STATUS(sq_plan_direct_sum(c, p.targets, p.sources, &f, NULL, 0, &got), SQ_OK);
      long double want = kernel_value(&f.kernel, (long double)x[1] * x[1]);
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
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_point_set set = sqt_point_set_make(0);
  double scale = 3;
  sq_kernel kernel = { SQ_KERNEL_FUNCTION, 0, inverse_cube, &scale };
  scene z = scene_make(c, &set.targets, &set.sources, 4, kernel, 9);
  int64_t n = z.pair.t.point_count;
  double *got = doubles(n), *stored = doubles(n), *direct = doubles(n);
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
      place(&z.pair.t, &z.t, 0, t, x);
      for (int64_t s = 0; s < z.pair.s.point_count; ++s)
      {
        double value;
        place(&z.pair.s, &z.s, 0, s, y);
        const double d[3] = { x[0] - y[0], x[1] - y[1], x[2] - y[2] };
        inverse_cube(&scale, 1, d, &value);
        want += value * number(z.strengths, SQ_FLOAT32, s);
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
  double *phi = doubles(n), *direct = doubles(16), *relative = doubles(16);
  sq_plan_errors e;
  CHECK_STATUS(sq_plan_evaluate(c, z->pair.targets, z->pair.sources, &o, &z->field, phi), SQ_OK);
  CHECK_STATUS(sq_plan_measure_errors(c, z->pair.targets, z->pair.sources, &o, &z->field, phi, ids,
                 count, direct, relative, &e),
    SQ_OK);
  uint8_t* cover = sqt_plan_cover(&v, &z->pair);
  long double* plan_sums = (long double*)calloc((size_t)n * 4 + 1, sizeof(long double));
  long double* size = (long double*)calloc((size_t)n + 1, sizeof(long double));
  by_letter(z, &v, plan_sums, size);
  long double total = 0, all = 0, parts[4] = { 0 };
  int64_t compared = 0;
  double largest = 0;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t id = ids[i];
    long double exact, exact_size, error[4];
    direct_by_letter(z, id, &exact, &exact_size);
    if (!sqt_is_present(t, id))
    {
      CHECK(isnan(direct[i]) && isnan(relative[i]));
      continue;
    }
    CHECK_TEXT(near(direct[i], exact, exact_size), "%s: direct sum", what);
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
        place(t, &z->t, 0, id, x);
        place(s, &z->s, 0, j, y);
        error[k] -= cover[(k * n + id) * m + j]
          ? between(&z->field.kernel, x, y) * number(z->strengths, s->type, j)
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
  sq_context* c = sqt_context(2, NULL, NULL);
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
  { "potentials", potentials },
  { "kernels", kernels },
  { "callback", callback },
  { "errors", errors },
  { "percentiles", percentiles },
  { "spread", spread },
};

SQT_MAIN(cases)
