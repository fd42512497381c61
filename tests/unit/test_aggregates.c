/** Sums and means over the nodes of a cluster tree. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_sweep.h"
#include "sqt_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sq_cluster_tree* build(
  sq_context* context, const sq_points* points, int64_t leaf_size, sq_cluster_tree_view* view)
{
  sq_cluster_tree_options o = { leaf_size, SQ_NON_FINITE_KEEP };
  sq_cluster_tree* tree = NULL;
  CHECK_STATUS(sq_cluster_tree_build(context, points, NULL, &o, &tree), SQ_OK);
  memset(view, 0, sizeof(*view));
  CHECK_STATUS(sq_cluster_tree_get_view(tree, view), SQ_OK);
  return tree;
}

/** The plan of seven points of the reference's golden values: three centroids to nine digits, so to the bit. */
static void golden(void)
{
  float areas[7];
  sqt_golden_numbers(9, SQ_FLOAT32, 7, areas);
  CHECK(areas[0] == 0.682362676f && areas[6] == 0.645808697f);
  const int64_t order[] = { 4, 2, 6, 1, 3, 5, 0 };
  const struct
  {
    int64_t node;
    float centroid[3];
  } want[] = { { 0, { 0.614614248f, 0.593981802f, 0.580885172f } },
    { 3, { 0.454937875f, 0.530078948f, 0.435965359f } },
    { 6, { 0.509107769f, 0.731336951f, 0.948619246f } } };
  const int threads[] = { 1, 2, 7 };
  for (int t = 0; t < 3; ++t)
  {
    sq_context* c = sqt_context(threads[t], NULL, NULL);
    sq_points p = sqt_golden_points(1, SQ_FLOAT32, 7, 3);
    sq_cluster_tree_view v;
    sq_cluster_tree* tree = build(c, &p, 2, &v);
    CHECK_SAME(v.sorted_source_order, order, 7);
    sq_aggregates* a = NULL;
    sq_aggregates_view av;
    CHECK_STATUS(sq_aggregates_build(c, tree, areas, SQ_FLOAT32, NULL, 0, 0, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    CHECK(av.node_count == 7 && av.dimension == 3 && av.type == SQ_FLOAT32 && av.field_count == 0);
    for (int i = 0; i < 3; ++i)
    {
      CHECK_SAME((const float*)av.node_centroid + 3 * want[i].node, want[i].centroid, 3);
    }
    sq_aggregates_destroy(a);
    const float none[7] = { 0 }, origin[21] = { 0 };
    CHECK_STATUS(
      sq_aggregates_build(c, tree, none, SQ_FLOAT32, NULL, 0, SQ_AGGREGATES_REFERENCE, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    CHECK_SAME((const float*)av.node_centroid, origin, 21);
    sq_aggregates_destroy(a);
    sq_cluster_tree_destroy(tree);
    free((void*)(uintptr_t)p.data);
    sq_context_destroy(c);
  }
}

/** A field with weights that tests compute their own way. */
typedef struct scene
{
  sq_points points;
  double* areas;
  sq_type area_type;
  void* field; /* 7 columns */
  sq_type field_type;
} scene;

#define WIDE 7

static double at(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

static double product(double v, sq_type type, double area, sq_type area_type)
{
  volatile float single = (float)v * (float)area;
  return type == SQ_FLOAT32 && area_type == SQ_FLOAT32 ? (double)single : v * area;
}

static scene new_scene(uint64_t seed, sq_type type, int64_t count, int32_t dimension, double offset)
{
  scene s = { sqt_random_points(seed, type, count, dimension, offset, offset + 1.0), NULL, type,
    NULL, type };
  sq_points field = sqt_random_points(seed + 1, type, count * WIDE, 1, -1.0, 2.0);
  sq_points areas = sqt_random_points(seed + 2, type, count, 1, 0.0, 2.0);
  s.field = (void*)(uintptr_t)field.data;
  s.areas = (double*)(uintptr_t)areas.data;
  return s;
}

static void free_scene(scene* s)
{
  free((void*)(uintptr_t)s->points.data);
  free(s->areas);
  free(s->field);
}

/** Differences of prefix sums, column by column; `flat` (count) is NULL for sums without weights. */
static int64_t wrong_bits(const sq_cluster_tree_view* v, const scene* s, const void* values,
  sq_type type, int32_t components, int weighted, const void* got)
{
  int64_t n = v->point_count, wrong = 0;
  double* sums = (double*)malloc((size_t)(n + 1) * sizeof(*sums));
  double* weights = (double*)malloc((size_t)(n + 1) * sizeof(*weights));
  for (int32_t c = 0; c < components; ++c)
  {
    sums[0] = weights[0] = 0.0;
    for (int64_t k = 0; k < n; ++k)
    {
      int64_t i = v->sorted_source_order[k];
      double area = weighted ? at(s->areas, s->area_type, i) : 1.0;
      sums[k + 1] = sums[k] +
        product(at(values, type, i * components + c), type, area, weighted ? s->area_type : type);
      weights[k + 1] = weights[k] + area;
    }
    for (int64_t node = 0; node < v->node_count; ++node)
    {
      int64_t first = v->node_range_start[node], last = first + v->node_range_count[node];
      double sum = sums[last] - sums[first], weight = weights[last] - weights[first];
      double want = weighted ? sum / weight : sum;
      wrong +=
        at(got, type, node * components + c) != (type == SQ_FLOAT32 ? (double)(float)want : want);
    }
  }
  free(sums);
  free(weights);
  return wrong;
}

static void bits(void)
{
  for (int k = 0; k < 12; ++k)
  {
    scene s =
      new_scene(50 + (uint64_t)k, k & 1 ? SQ_FLOAT64 : SQ_FLOAT32, 20011, 1 + k / 2 % 3, 3.0);
    if (k % 4 > 1)
    {
      /* Areas of the other type. */
      s.area_type = s.field_type == SQ_FLOAT32 ? SQ_FLOAT64 : SQ_FLOAT32;
      sq_points areas = sqt_random_points(8, s.area_type, s.points.count, 1, 0.0, 2.0);
      free(s.areas);
      s.areas = (double*)(uintptr_t)areas.data;
    }
    sq_context* c = sqt_context(k % 7 + 1, NULL, NULL);
    sq_cluster_tree_view v;
    sq_cluster_tree* tree = build(c, &s.points, k < 6 ? 1 : 5, &v);
    sq_aggregate_field fields[] = { { "wide", s.field, s.field_type, WIDE },
      { "narrow", s.field, s.field_type, 1 } };
    sq_aggregates* a = NULL;
    sq_aggregates_view av;
    CHECK_STATUS(sq_aggregates_build(c, tree, s.areas, s.area_type, fields, 2, 0, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    REQUIRE(
      av.field_count == 2 && !strcmp(av.fields[0].name, "wide") && av.fields[1].components == 1);
    CHECK_INT(
      wrong_bits(&v, &s, s.points.data, s.points.type, s.points.dimension, 1, av.node_centroid), 0);
    CHECK_INT(wrong_bits(&v, &s, s.field, s.field_type, WIDE, 1, av.fields[0].data), 0);
    CHECK_INT(wrong_bits(&v, &s, s.field, s.field_type, 1, 1, av.fields[1].data), 0);
    double* sums = (double*)malloc((size_t)v.node_count * WIDE * sizeof(*sums));
    CHECK_STATUS(sq_cluster_tree_sum(c, tree, s.field, s.field_type, WIDE, sums), SQ_OK);
    CHECK_INT(wrong_bits(&v, &s, s.field, s.field_type, WIDE, 0, sums), 0);
    free(sums);
    sq_aggregates_destroy(a);
    sq_cluster_tree_destroy(tree);
    sq_context_destroy(c);
    free_scene(&s);
  }
}

/** Weighted means in long double: 1e-10 in double; 1e-5 in float on offset coordinates. Centroids lie in their boxes. */
static void brute_force(void)
{
  for (int k = 0; k < 2; ++k)
  {
    sq_type type = k ? SQ_FLOAT64 : SQ_FLOAT32;
    double slack = k ? 1e-10 : 1e-5;
    scene s = new_scene(70, type, 3000, 3, 100.0);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_cluster_tree_view v;
    sq_cluster_tree* tree = build(c, &s.points, 3, &v);
    sq_aggregates* a = NULL;
    sq_aggregates_view av;
    CHECK_STATUS(sq_aggregates_build(c, tree, s.areas, type, NULL, 0, 0, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    int64_t off = 0, outside = 0;
    for (int64_t i = 0; i < 3 * v.node_count; ++i)
    {
      int64_t node = i / 3, first = v.node_range_start[node];
      long double sum = 0.0L, weight = 0.0L;
      for (int64_t p = first; p < first + v.node_range_count[node]; ++p)
      {
        int64_t id = v.sorted_source_order[p];
        long double area = (long double)at(s.areas, type, id);
        sum += area * (long double)sqt_coordinate(&s.points, id, (int32_t)(i % 3));
        weight += area;
      }
      double got = at(av.node_centroid, type, i);
      double want = (double)(sum / weight), reach = 101.0 * slack;
      /* The rounding of a prefix of 3000 points, seen by a node of little weight. */
      off += !(fabs(got - want) <= reach * (1.0 + 0.01 / (double)weight));
      outside += !(got >= at(v.node_aabb_min, type, i) - reach &&
                   got <= at(v.node_aabb_max, type, i) + reach) &&
        weight > 0.01L;
    }
    CHECK_INT(off, 0);
    CHECK_INT(outside, 0);
    sq_aggregates_destroy(a);
    sq_cluster_tree_destroy(tree);
    sq_context_destroy(c);
    free_scene(&s);
  }
}

/** Nodes without weight: the centre of the box and NaN, or zeros as in the reference. */
static void weightless(void)
{
  const double x[] = { 0, 0, 2, 4, 10, 10, 12, 10 }, areas[] = { 0, 0, 1, 3 }, f[] = { 1, 2, 3, 4 };
  sq_points p = { x, 4, SQ_FLOAT64, 2 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build(c, &p, 2, &v);
  sq_aggregate_field field = { "f", f, SQ_FLOAT64, 1 };
  for (uint32_t flags = 0; flags <= SQ_AGGREGATES_REFERENCE; ++flags)
  {
    sq_aggregates* a = NULL;
    sq_aggregates_view av;
    CHECK_STATUS(sq_aggregates_build(c, tree, areas, SQ_FLOAT64, &field, 1, flags, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    const double* centroid = (const double*)av.node_centroid;
    const double* mean = (const double*)av.fields[0].data;
    CHECK_NEAR(centroid[0], 11.5, 0.0);
    CHECK_NEAR(mean[0], 3.75, 0.0);
    CHECK_NEAR(centroid[2], flags ? 0.0 : 1.0, 0.0);
    CHECK_NEAR(centroid[3], flags ? 0.0 : 2.0, 0.0);
    CHECK_NEAR(mean[1], flags ? 0.0 : (double)NAN, 0.0);
    sq_aggregates_destroy(a);
  }
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

/** Points that are not finite count for nothing, whatever their areas and fields are. */
static void skipped(void)
{
  double x[] = { 1, NAN, 3, INFINITY }, areas[] = { 1, NAN, 3, 7 }, f[] = { 5, NAN, 9, INFINITY };
  sq_points p = { x, 4, SQ_FLOAT64, 1 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build(c, &p, 1, &v);
  CHECK_INT(v.skipped_points, 2);
  sq_aggregate_field field = { "f", f, SQ_FLOAT64, 1 };
  sq_aggregates* a = NULL;
  sq_aggregates_view av;
  CHECK_STATUS(sq_aggregates_build(c, tree, areas, SQ_FLOAT64, &field, 1, 0, &a), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
  CHECK_NEAR(((const double*)av.node_centroid)[0], 2.5, 0.0);
  CHECK_NEAR(((const double*)av.fields[0].data)[0], 8.0, 0.0);
  CHECK_NEAR(((const double*)av.node_centroid)[2], (double)NAN, 0.0);
  double sums[7];
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, f, SQ_FLOAT64, 1, sums), SQ_OK);
  CHECK_NEAR(sums[0], 14.0, 0.0);
  CHECK_NEAR(sums[2], 0.0, 0.0);
  sq_aggregates_destroy(a);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

/** A value that is not finite spoils the nodes that hold it, and only in reference mode those behind it. */
static void spoilt_values(void)
{
  double x[3 * 40], f[4 * 40], areas[40];
  orc_random r = { 77 };
  for (int i = 0; i < 40; ++i)
  {
    x[3 * i] = i, x[3 * i + 1] = 0.0, x[3 * i + 2] = 0.0;
    areas[i] = orc_between(&r, 0.5, 2.0);
    for (int c = 0; c < 4; ++c)
    {
      f[4 * i + c] = orc_between(&r, -1.0, 1.0);
    }
  }
  double clean[4 * 40];
  memcpy(clean, f, sizeof(clean));
  f[4 * 7 + 1] = NAN, f[4 * 20 + 3] = INFINITY;
  sq_points p = { x, 40, SQ_FLOAT64, 3 };
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    sq_cluster_tree_view v;
    sq_cluster_tree* tree = build(c, &p, 1, &v);
    sq_aggregates *a = NULL, *b = NULL, *reference = NULL;
    sq_aggregates_view av, bv, rv;
    const sq_aggregate_field field = { "f", f, SQ_FLOAT64, 4 },
                             good = { "f", clean, SQ_FLOAT64, 4 };
    CHECK_STATUS(sq_aggregates_build(c, tree, areas, SQ_FLOAT64, &field, 1, 0, &a), SQ_OK);
    CHECK_STATUS(sq_aggregates_build(c, tree, areas, SQ_FLOAT64, &good, 1, 0, &b), SQ_OK);
    CHECK_STATUS(sq_aggregates_build(
                   c, tree, areas, SQ_FLOAT64, &field, 1, SQ_AGGREGATES_REFERENCE, &reference),
      SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(b, &bv), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(reference, &rv), SQ_OK);
    const double* got = (const double*)av.fields[0].data;
    const double* want = (const double*)bv.fields[0].data;
    const double* theirs = (const double*)rv.fields[0].data;
    for (int64_t n = 0; n < v.node_count; ++n)
    {
      int64_t first = v.node_range_start[n], last = first + v.node_range_count[n];
      int holds[4] = { 0, first <= 7 && 7 < last, 0, first <= 20 && 20 < last };
      for (int k = 0; k < 4; ++k)
      {
        CHECK(holds[k] ? isnan(got[4 * n + k]) : fabs(got[4 * n + k] - want[4 * n + k]) < 1e-13);
      }
      CHECK(isnan(theirs[4 * n + 1]) == (last > 7));
    }
    sq_aggregates_destroy(a);
    sq_aggregates_destroy(b);
    sq_aggregates_destroy(reference);
    sq_cluster_tree_destroy(tree);
    sq_context_destroy(c);
  }
}

static void no_points(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points p = { NULL, 0, SQ_FLOAT32, 3 };
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build(c, &p, 1, &v);
  sq_aggregate_field field = { "f", NULL, SQ_FLOAT64, 2 };
  sq_aggregates* a = NULL;
  sq_aggregates_view av;
  CHECK_STATUS(sq_aggregates_build(c, tree, NULL, SQ_FLOAT32, &field, 1, 0, &a), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(a, &av), SQ_OK);
  CHECK(av.node_count == 0 && av.field_count == 1);
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, NULL, SQ_FLOAT64, 1, NULL), SQ_OK);
  sq_aggregates_destroy(a);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

static void wrong_arguments(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  double x[] = { 1, 2 };
  sq_points p = { x, 2, SQ_FLOAT64, 1 };
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build(c, &p, 1, &v);
  sq_aggregate_field good = { "f", x, SQ_FLOAT64, 1 };
  sq_aggregate_field bad[][2] = { { good, good }, { good, good }, { good, good }, { good, good },
    { good, good } };
  bad[0][1].name = "";
  bad[1][1].name = NULL;
  bad[2][1].components = 0;
  bad[3][1].type = SQ_INT32;
  sq_aggregates* a = (sq_aggregates*)(uintptr_t)&good;
  for (int i = 0; i < 5; ++i)
  {
    if (i == 2 || i == 3)
    {
      bad[i][1].name = "g";
    }
    CHECK_STATUS(
      sq_aggregates_build(c, tree, x, SQ_FLOAT64, bad[i], 2, 0, &a), SQ_INVALID_ARGUMENT);
    CHECK(!a && *sq_context_message(c));
  }
  CHECK_STATUS(sq_aggregates_build(c, NULL, x, SQ_FLOAT64, NULL, 0, 0, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(c, tree, x, SQ_INT8, NULL, 0, 0, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(c, tree, x, SQ_FLOAT64, NULL, 1, 0, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(c, tree, x, SQ_FLOAT64, NULL, -1, 0, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(c, tree, x, SQ_FLOAT64, NULL, 0, 2, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(c, tree, x, SQ_FLOAT64, NULL, 0, 0, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_build(NULL, tree, x, SQ_FLOAT64, NULL, 0, 0, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, NULL, SQ_FLOAT64, 1, x), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, x, SQ_FLOAT64, 0, x), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, x, SQ_INT32, 1, x), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_sum(c, tree, x, SQ_FLOAT64, 1, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_sum(c, NULL, x, SQ_FLOAT64, 1, x), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_get_view(NULL, NULL), SQ_INVALID_ARGUMENT);
  sq_aggregates_destroy(NULL);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

typedef struct sweep
{
  const scene* scene;
  const sq_cluster_tree* tree;
} sweep;

static sq_status aggregate(sq_context* context, void* data)
{
  const sweep* w = (const sweep*)data;
  const scene* s = w->scene;
  sq_aggregate_field fields[] = { { "wide", s->field, s->field_type, WIDE },
    { "narrow", s->field, s->field_type, 1 } };
  sq_aggregates* a = NULL;
  sq_status status =
    sq_aggregates_build(context, w->tree, s->areas, s->area_type, fields, 2, 0, &a);
  CHECK(!a == (status != SQ_OK));
  sq_aggregates_destroy(a);
  return status;
}

static sq_status sum(sq_context* context, void* data)
{
  const sweep* w = (const sweep*)data;
  double* sums = (double*)malloc(2 * WIDE * (size_t)w->scene->points.count * sizeof(*sums));
  sq_status status =
    sq_cluster_tree_sum(context, w->tree, w->scene->field, w->scene->field_type, WIDE, sums);
  free(sums);
  return status;
}

static void sweeps(void)
{
  scene s = new_scene(90, SQ_FLOAT32, 9000, 3, 0.0);
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build(c, &s.points, 1, &v);
  sweep w = { &s, tree };
  sqt_sweep_memory("aggregates", aggregate, &w, 10);
  sqt_sweep_cancel("aggregates", aggregate, &w, 10);
  sqt_sweep_memory("sums", sum, &w, 1);
  sqt_sweep_cancel("sums", sum, &w, 6);
  if (s.field_type == SQ_FLOAT64)
  {
    ((double*)s.field)[5] = NAN;
  }
  else
  {
    ((float*)s.field)[5] = NAN;
  }
  sqt_sweep_memory("sums with NaN", sum, &w, 2);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
  free_scene(&s);
}

static const sqt_case cases[] = {
  { "golden", golden },
  { "bits", bits },
  { "brute force", brute_force },
  { "weightless", weightless },
  { "skipped", skipped },
  { "spoilt values", spoilt_values },
  { "no points", no_points },
  { "wrong arguments", wrong_arguments },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
