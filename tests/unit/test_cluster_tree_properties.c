/** What must hold of every cluster tree, against the description and brute force; non-finite points; failures. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_sweep.h"
#include "sqt_tree.h"

#include "spatialqueries/sq_morton.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double at(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

static double rounded(sq_type type, double x)
{
  volatile float single = (float)x;
  return type == SQ_FLOAT32 ? (double)single : x;
}

static int is_finite_point(const sq_points* p, int64_t i)
{
  int finite = 1;
  for (int32_t d = 0; d < p->dimension; ++d)
  {
    finite &= isfinite(sqt_coordinate(p, i, d)) != 0;
  }
  return finite;
}

static int same(double a, double b)
{
  return a == b || (a != a && b != b);
}

/** Area of a node as the reference adds it up. */
static double slow_area(
  const sq_cluster_tree_view* v, const sq_points* p, const void* areas, int64_t node)
{
  double sum = 0.0;
  int64_t left = v->node_left_child[node];
  if (left >= 0)
  {
    return rounded(
      v->type, at(v->node_total_area, v->type, left) + at(v->node_total_area, v->type, left + 1));
  }
  for (int64_t k = 0; k < v->leaf_count[node]; ++k)
  {
    int64_t i = v->sorted_source_order[v->leaf_start[node] + k];
    sum =
      is_finite_point(p, i) ? rounded(v->type, sum + (areas ? at(areas, v->type, i) : 1.0)) : sum;
  }
  return sum;
}

static void check_nodes(const sq_cluster_tree_view* v, const sq_points* p, const void* areas)
{
  int64_t wrong = 0;
  for (int64_t node = 0; node < v->node_count; ++node)
  {
    double lo[3] = { (double)NAN, (double)NAN, (double)NAN },
           hi[3] = { (double)NAN, (double)NAN, (double)NAN }, diameter2 = 0.0;
    int64_t finite = 0;
    for (int64_t k = 0; k < v->node_range_count[node]; ++k)
    {
      int64_t i = v->sorted_source_order[v->node_range_start[node] + k];
      for (int32_t d = 0; d < v->dimension && is_finite_point(p, i); ++d)
      {
        double x = sqt_coordinate(p, i, d);
        lo[d] = !finite || x < lo[d] ? x : lo[d];
        hi[d] = !finite || x > hi[d] ? x : hi[d];
      }
      finite += is_finite_point(p, i);
    }
    for (int32_t d = 0; d < v->dimension; ++d)
    {
      double e = rounded(v->type, hi[d] - lo[d]);
      diameter2 = rounded(v->type, diameter2 + rounded(v->type, e * e));
      wrong += !same(at(v->node_aabb_min, v->type, node * v->dimension + d), lo[d]);
      wrong += !same(at(v->node_aabb_max, v->type, node * v->dimension + d), hi[d]);
    }
    wrong += !same(at(v->node_diameter_sq, v->type, node), diameter2);
    wrong += !same(at(v->node_total_area, v->type, node), slow_area(v, p, areas, node));
    wrong += v->node_finite_count && v->node_finite_count[node] != finite;
  }
  CHECK_TEXT(!wrong, "%lld numbers of nodes are wrong", (long long)wrong);
}

/** Finite points in the order of their codes among themselves, ties by id; then the others by id. */
static void check_order(sq_context* c, const sq_cluster_tree_view* v, const sq_points* p)
{
  sq_points finite = sqt_random_points(1, p->type, p->count + 1, p->dimension, 0.0, 1.0);
  int64_t* place = (int64_t*)malloc((size_t)(p->count + 1) * sizeof(*place));
  int64_t* codes = (int64_t*)malloc((size_t)(p->count + 1) * sizeof(*codes));
  int64_t count = 0, wrong = 0, code = -1, before = -1;
  for (int64_t i = 0; i < p->count; ++i)
  {
    place[i] = is_finite_point(p, i) ? count++ : -1;
    for (int32_t d = 0; d < p->dimension && place[i] >= 0; ++d)
    {
      sqt_set_coordinate(&finite, place[i], d, sqt_coordinate(p, i, d));
    }
  }
  finite.count = count;
  CHECK_STATUS(sq_morton_codes(c, &finite, codes), SQ_OK);
  CHECK_INT(v->skipped_points, p->count - count);
  for (int64_t k = 0; k < p->count; ++k)
  {
    int64_t i = v->sorted_source_order[k];
    int64_t here = place[i] < 0 ? INT64_MAX : codes[place[i]];
    wrong += (place[i] < 0) != (k >= count);
    wrong +=
      here < code || (here == code && i <= before && place[i] >= 0) || (k > count && i <= before);
    code = here;
    before = i;
  }
  CHECK_TEXT(!wrong, "%lld points out of order", (long long)wrong);
  free(place);
  free(codes);
  free((void*)(uintptr_t)finite.data);
}

static void check_tree(const sq_points* p, const void* areas, int64_t leaf_size)
{
  const int threads[] = { 1, 2, 7 };
  uint64_t first = 0;
  for (int t = 0; t < 3; ++t)
  {
    sq_context* c = sqt_context(threads[t], NULL, NULL);
    sq_cluster_tree_options o = { leaf_size, SQ_NON_FINITE_KEEP };
    sq_cluster_tree* tree = NULL;
    sq_cluster_tree_view v;
    CHECK_STATUS(sq_cluster_tree_build(c, p, areas, &o, &tree), SQ_OK);
    CHECK_STATUS(sq_cluster_tree_get_view(tree, &v), SQ_OK);
    int64_t real = (int64_t)sq_type_bytes(v.type);
    uint64_t hash = SQT_HASH(v.sorted_source_order, v.point_count) * 31 +
      sqt_hash(v.node_aabb_min, v.node_count * v.dimension * real) * 7 +
      sqt_hash(v.node_total_area, v.node_count * real);
    first = t ? first : hash;
    CHECK_HASH(hash, first);
    if (t == 0)
    {
      sqt_check_topology(p->count, leaf_size, v.node_count, v.max_depth, v.node_left_child,
        v.node_right_child, v.leaf_start, v.leaf_count, v.node_range_start, v.node_range_count);
      check_order(c, &v, p);
      check_nodes(&v, p, areas);
      CHECK(!v.node_finite_count == !v.skipped_points);
      CHECK(!memcmp(
        v.source_points ? v.source_points : "", p->data, (size_t)(p->count * p->dimension * real)));
    }
    sq_cluster_tree_destroy(tree);
    sq_context_destroy(c);
  }
}

static void random_points(void)
{
  const int64_t counts[] = { 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 2000 };
  for (int k = 0; k < 13 * 6; ++k)
  {
    sq_type type = k & 1 ? SQ_FLOAT64 : SQ_FLOAT32;
    sq_points p =
      sqt_random_points(80 + (uint64_t)k, type, counts[k / 6], 1 + k / 2 % 3, -2.0, 1.0);
    sq_points areas = sqt_random_points(81, type, p.count, 1, -1.0, 3.0);
    check_tree(&p, areas.data, 1 + k % 4 * 3);
    check_tree(&p, NULL, 1);
    free((void*)(uintptr_t)p.data);
    free((void*)(uintptr_t)areas.data);
  }
}

/** All in one place; on a line; a lattice; 1e4 away; tiny; huge (diameters overflow); one outlier; two clusters. */
static void adversarial(void)
{
  for (int k = 0; k < 16; ++k)
  {
    sq_points p = sqt_random_points(90, k & 1 ? SQ_FLOAT64 : SQ_FLOAT32, 300, 3, 0.0, 1.0);
    for (int64_t i = 0; i < 900; ++i)
    {
      double x = sqt_coordinate(&p, i / 3, (int32_t)(i % 3));
      const double moved[] = { 0.5, sqt_coordinate(&p, i / 3, 0), floor(4 * x), 1e4 + 0.1 * x,
        1e-30 * x, 1e30 * x, i == 5 ? 1e20 : x, i < 400 ? 0.01 * x : 100 + 0.01 * x };
      sqt_set_coordinate(&p, i / 3, (int32_t)(i % 3), moved[k / 2]);
    }
    check_tree(&p, NULL, 1);
    check_tree(&p, NULL, 5);
    free((void*)(uintptr_t)p.data);
  }
}

static void not_finite(void)
{
  const double bad[] = { (double)NAN, INFINITY, -INFINITY };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 24; ++k)
  {
    int64_t count = k < 6 ? 1 + k / 2 : 20000;
    sq_points p =
      sqt_random_points(95, k & 1 ? SQ_FLOAT64 : SQ_FLOAT32, count, 1 + k % 3, 0.0, 1.0);
    orc_random r = { (uint64_t)k };
    int64_t least = count;
    for (int i = 0; i < 1 + k % 5; ++i)
    {
      int64_t at_point = orc_below(&r, count);
      least = at_point < least ? at_point : least;
      sqt_set_coordinate(&p, at_point, (int32_t)orc_below(&r, p.dimension), bad[i % 3]);
    }
    check_tree(&p, NULL, 1 + k % 4);
    char text[32];
    snprintf(text, sizeof(text), "point %lld ", (long long)least);
    sq_cluster_tree* tree = NULL;
    CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, &tree), SQ_INVALID_DATA);
    CHECK_TEXT(!tree && strstr(sq_context_message(c), text), "%s: %s", text, sq_context_message(c));
    free((void*)(uintptr_t)p.data);
  }
  sq_context_destroy(c);
}

static void wrong_arguments(void)
{
  double x[4] = { 0 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_points p = { x, 1, SQ_FLOAT64, 4 };
  sq_cluster_tree* tree = NULL;
  sq_cluster_tree_options o = { 0, SQ_NON_FINITE_REJECT };
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, &tree), SQ_INVALID_ARGUMENT);
  CHECK(strstr(sq_context_message(c), "1 to 3") != NULL);
  p.dimension = 2;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_INVALID_ARGUMENT);
  o.leaf_size = 1;
  o.non_finite = (sq_non_finite)9;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_build(c, NULL, NULL, NULL, &tree), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_build(NULL, &p, NULL, NULL, &tree), SQ_INVALID_ARGUMENT);
  p.count = (int64_t)1 << 31;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, &tree), SQ_TOO_LARGE);
  CHECK(!tree && *sq_context_message(c));
  CHECK_STATUS(sq_cluster_tree_get_view(NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_measure(c, NULL, NULL, NULL, NULL), SQ_INVALID_ARGUMENT);
  sq_cluster_tree_destroy(NULL);
  p.count = 0;
  sq_cluster_tree_view v;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, &tree), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(tree, &v), SQ_OK);
  CHECK(v.node_count == 0 && v.max_depth == 0 && v.point_count == 0 && v.dimension == 2);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

/** Leaves of one point: sums of nothing; two that coincide share all. */
static void measured(void)
{
  const double x[] = { 0, 0, 3, 4, 3, 4, (double)NAN, 0 };
  sq_points p = { x, 4, SQ_FLOAT64, 2 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_cluster_tree_options o = { 1, SQ_NON_FINITE_KEEP };
  sq_cluster_tree* tree = NULL;
  sq_bvh_statistics s;
  double area[7], overlap[7];
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_measure(c, tree, &s, area, overlap), SQ_OK);
  CHECK(s.nodes == 7 && s.leaves == 4 && s.depth == 2);
  CHECK_NEAR(area[0], 14.0, 0.0);
  CHECK_NEAR(area[1], 14.0, 0.0);
  CHECK_NEAR(s.sah_cost, 2.0, 1e-15);
  CHECK_NEAR(overlap[3], 0.0, 0.0);
  sq_cluster_tree_destroy(tree);
  p.count = 3;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_measure(c, tree, &s, area, overlap), SQ_OK);
  CHECK_NEAR(overlap[3], 1.0, 0.0);
  sq_cluster_tree_destroy(tree);
  sq_context_destroy(c);
}

static sq_status build(sq_context* context, void* data)
{
  sq_cluster_tree* tree = NULL;
  sq_cluster_tree_options o = { 2, SQ_NON_FINITE_KEEP };
  sq_status status = sq_cluster_tree_build(context, (const sq_points*)data, NULL, &o, &tree);
  CHECK(!tree == (status != SQ_OK));
  sq_cluster_tree_destroy(tree);
  return status;
}

static void sweeps(void)
{
  sq_points p = sqt_random_points(97, SQ_FLOAT32, 20000, 3, 0.0, 1.0);
  sqt_set_coordinate(&p, 77, 1, (double)NAN);
  sqt_sweep_memory("cluster tree", build, &p, 15);
  sqt_sweep_cancel("cluster tree", build, &p, 20);
  free((void*)(uintptr_t)p.data);
}

static const sqt_case cases[] = {
  { "random points", random_points },
  { "adversarial", adversarial },
  { "not finite", not_finite },
  { "wrong arguments", wrong_arguments },
  { "measured", measured },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
