/** Candidates against brute force over leaf boxes, and the rule for limits; points in boxes. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_tree_mesh.h"

#include "sqi_reference_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double at(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

/** A side of a box moved outward, in the type of the boxes. */
static double moved(sq_type type, double x, double by)
{
  volatile float single = (float)x + (float)by;
  return type == SQ_FLOAT32 ? (double)single : x + by;
}

static int in_leaf(const sq_bvh_view* v, const sq_candidate_options* o, int64_t node,
  const sq_points* queries, int64_t q)
{
  double tolerance = o->tolerance, diagonal2 = 0.0;
  int inside = 1;
  for (int32_t d = 0; d < v->dimension; ++d)
  {
    double e = at(v->node_aabb_max, v->type, node * v->dimension + d) -
      at(v->node_aabb_min, v->type, node * v->dimension + d);
    diagonal2 += e * e;
  }
  tolerance = o->relative ? tolerance * sqrt(diagonal2) : tolerance;
  for (int32_t d = 0; d < v->dimension; ++d)
  {
    double x = sqt_coordinate(queries, q, d);
    inside &=
      x >= moved(v->type, at(v->node_aabb_min, v->type, node * v->dimension + d), -tolerance) &&
      x <= moved(v->type, at(v->node_aabb_max, v->type, node * v->dimension + d), tolerance);
  }
  return inside;
}

static int ascending(const void* a, const void* b)
{
  int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
  return (x > y) - (x < y);
}

/** The list of a query by the reference's rule; `list` has room for all cells. Returns its length. */
static int64_t slow_list(const sq_bvh_view* v, const int* depth, const sq_candidate_options* o,
  const sq_points* queries, int64_t q, int64_t* list, int64_t* all)
{
  int64_t count = 0;
  for (int lower = 0; lower < 2; ++lower)
  {
    if (lower && o->limit && count >= o->max_candidates)
    {
      break;
    }
    for (int64_t node = 0; node < v->node_count; ++node)
    {
      if (v->leaf_count[node] && (depth[node] == v->max_depth) == lower &&
        in_leaf(v, o, node, queries, q))
      {
        memcpy(list + count, v->sorted_cell_order + v->leaf_start[node],
          (size_t)v->leaf_count[node] * sizeof(*list));
        count += v->leaf_count[node];
      }
    }
  }
  *all = 0;
  for (int64_t node = 0; node < v->node_count; ++node)
  {
    *all += v->leaf_count[node] && in_leaf(v, o, node, queries, q) ? v->leaf_count[node] : 0;
  }
  qsort(list, (size_t)count, sizeof(*list), ascending);
  return o->limit && count > o->max_candidates ? o->max_candidates : count;
}

static void check_lists(const sq_bvh_view* v, const sq_candidate_options* o,
  const sq_points* queries, const sq_lists_view* lists, const uint8_t* truncated)
{
  int64_t* list = (int64_t*)malloc((size_t)(v->cell_count + 1) * sizeof(*list));
  int* depth = (int*)calloc((size_t)v->node_count + 1, sizeof(*depth));
  int64_t wrong = 0, all = 0;
  for (int64_t node = 0; node < v->node_count; ++node)
  {
    if (v->node_left_child[node] >= 0)
    {
      depth[v->node_left_child[node]] = depth[v->node_right_child[node]] = depth[node] + 1;
    }
  }
  for (int64_t q = 0; q < queries->count; ++q)
  {
    int64_t n = slow_list(v, depth, o, queries, q, list, &all);
    int64_t got = lists->offsets[q + 1] - lists->offsets[q];
    wrong += got != n ||
      (n && memcmp(lists->indices + lists->offsets[q], list, (size_t)n * sizeof(*list)));
    wrong += truncated[q] != (all > n);
  }
  CHECK_TEXT(!wrong,
    "%lld of %lld lists differ (limit %d of %lld, tolerance %g, relative %d, D %d)",
    (long long)wrong, (long long)queries->count, (int)o->limit, (long long)o->max_candidates,
    o->tolerance, (int)o->relative, (int)v->dimension);
  free(list);
  free(depth);
}

/** Some queries inside cells, on their corners, anywhere, and of no use. */
static sq_points some_queries(const sqt_simplices* s, sq_type type, int64_t count, uint64_t seed)
{
  int32_t dimension = s->cells.points.dimension;
  sq_points q = sqt_random_points(seed, type, count, dimension, -0.2, 1.2);
  orc_random r = { seed + 1 };
  for (int64_t i = 0; i < count; i += 2)
  {
    int64_t p = orc_below(&r, s->cells.points.count);
    for (int32_t d = 0; d < dimension; ++d)
    {
      sqt_set_coordinate(&q, i, d, (double)s->points[p * dimension + d]);
    }
  }
  sqt_set_coordinate(&q, 1, 0, (double)NAN);
  sqt_set_coordinate(&q, 3, dimension - 1, INFINITY);
  sqt_set_coordinate(&q, 5, 0, -1e300);
  return q;
}

static void against_brute_force(void)
{
  const double tolerances[] = { 1e-6, 0.0, 0.05, -0.01, (double)NAN, INFINITY };
  for (int k = 0; k < 144; ++k)
  {
    int32_t dimension = 1 + k % 3;
    sqt_simplices s = sqt_random_simplices(
      500 + (uint64_t)k, k % 5 == 0 ? 1 + k % 9 : 100 + k, dimension, 2 + k % dimension);
    sq_points wide = sqt_random_points(1, SQ_FLOAT64, s.cells.points.count, dimension, 0.0, 1.0);
    for (int64_t i = 0; i < wide.count * dimension; ++i)
    {
      sqt_set_coordinate(
        &wide, i / dimension, (int32_t)(i % dimension), (double)s.points[i] + 1e-9);
    }
    sq_cells cells = s.cells;
    cells.points = k / 3 % 2 ? wide : s.cells.points;
    sq_points queries = some_queries(&s, k / 6 % 2 ? SQ_FLOAT64 : SQ_FLOAT32, 61, (uint64_t)k);
    sq_context* c = sqt_context(1 + k % 7, NULL, NULL);
    sq_bvh_options bo = { 1 + k % 4 * (k % 4), 0 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &cells, 1, &bo, &v);
    for (int j = 0; j < 8; ++j)
    {
      sq_candidate_options o = { j > 0, j - 1, 0, tolerances[(k / 12) % 6] };
      uint8_t truncated[61];
      sq_lists* lists = NULL;
      sq_lists_view lv;
      CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &queries, &o, &lists, truncated), SQ_OK);
      CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
      check_lists(&v, &o, &queries, &lv, truncated);
      sq_lists_destroy(lists);
    }
    sq_bvh_destroy(bvh);
    sq_context_destroy(c);
    free((void*)(uintptr_t)queries.data);
    free((void*)(uintptr_t)wide.data);
    sqt_simplices_free(&s);
  }
}

/** A fraction of each leaf's diagonal; with the index of the building and with that of a tree from a file. */
static void relative(void)
{
  const double fractions[] = { 0.0, 1e-6, 0.3, -0.1 };
  sqt_simplices s = sqt_random_simplices(41, 200, 3, 4);
  sq_points queries = some_queries(&s, SQ_FLOAT64, 200, 42);
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 16; ++k)
  {
    sq_bvh_options bo = { k & 4 ? 3 : 1, 0 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, &bo, &v);
    if (k & 8)
    {
      /* As a tree from a file gets it. */
      sqi_candidate_index_release(&bvh->index);
      CHECK_STATUS(sqi_candidate_index_of_tree(c, &bvh->tree, &bvh->index), SQ_OK);
    }
    for (int j = 0; j < 2; ++j)
    {
      sq_candidate_options o = { j, 7, !(k & 8) || j, fractions[k % 4] };
      uint8_t truncated[200];
      sq_lists* lists = NULL;
      sq_lists_view lv;
      CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &queries, &o, &lists, truncated), SQ_OK);
      CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
      check_lists(&v, &o, &queries, &lv, truncated);
      sq_lists_destroy(lists);
    }
    sq_bvh_destroy(bvh);
  }
  sq_context_destroy(c);
  free((void*)(uintptr_t)queries.data);
  sqt_simplices_free(&s);
}

/** Every box the same: lists longer than a heap of k, and than what insertion sorts. */
static void coincident(void)
{
  sqt_simplices s = sqt_random_simplices(43, 300, 2, 3);
  for (int64_t i = 6; i < 1800; ++i)
  {
    s.points[i] = s.points[i % 6];
  }
  sq_points queries = { s.points, 3, SQ_FLOAT32, 2 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_bvh_view v;
  sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, NULL, &v);
  for (int64_t k = 0; k < 301; k += k < 60 ? 7 : 60)
  {
    sq_candidate_options o = { 1, k, 0, 1e-6 };
    uint8_t truncated[3];
    sq_lists* lists = NULL;
    sq_lists_view lv;
    CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &queries, &o, &lists, truncated), SQ_OK);
    CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
    check_lists(&v, &o, &queries, &lv, truncated);
    sq_lists_destroy(lists);
  }
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
  sqt_simplices_free(&s);
}

/** More tolerance or larger leaves never lose a candidate; threads and the order of queries change nothing. */
static void invariants(void)
{
  enum
  {
    Q = 5000
  };
  sqt_simplices s = sqt_random_simplices(51, 3000, 3, 3);
  sq_points queries = some_queries(&s, SQ_FLOAT32, Q, 52);
  sq_points backward = sqt_random_points(1, SQ_FLOAT32, Q, 3, 0.0, 1.0);
  for (int64_t i = 0; i < 3 * Q; ++i)
  {
    sqt_set_coordinate(&backward, Q - 1 - i / 3, (int32_t)(i % 3),
      sqt_coordinate(&queries, i / 3, (int32_t)(i % 3)));
  }
  const int threads[] = { 1, 2, 7 };
  uint64_t hash[2] = { 0, 0 };
  for (int t = 0; t < 3; ++t)
  {
    sq_context* c = sqt_context(threads[t], NULL, NULL);
    sq_lists* lists[4];
    sq_lists_view v[4];
    for (int k = 0; k < 4; ++k)
    {
      sq_bvh_options bo = { k == 1 ? 5 : 1, 0 };
      sq_candidate_options o = { 0, 0, 0, k == 2 ? 0.02 : 1e-6 };
      sq_bvh_view bv;
      sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, &bo, &bv);
      CHECK_STATUS(
        sq_bvh_find_candidates(c, bvh, k == 3 ? &backward : &queries, &o, lists + k, NULL), SQ_OK);
      CHECK_STATUS(sq_lists_get_view(lists[k], v + k), SQ_OK);
      sq_bvh_destroy(bvh);
    }
    hash[0] = SQT_HASH(v[0].indices, v[0].offsets[Q]);
    hash[1] = t ? hash[1] : hash[0];
    CHECK_HASH(hash[0], hash[1]);
    int64_t lost = 0, moved_lists = 0;
    for (int64_t q = 0; q < Q; ++q)
    {
      int64_t n = v[0].offsets[q + 1] - v[0].offsets[q];
      for (int64_t i = 0; i < n; ++i)
      {
        const int64_t* id = v[0].indices + v[0].offsets[q] + i;
        for (int k = 1; k < 3; ++k)
        {
          lost += !bsearch(id, v[k].indices + v[k].offsets[q],
            (size_t)(v[k].offsets[q + 1] - v[k].offsets[q]), sizeof(*id), ascending);
        }
      }
      int64_t b = Q - 1 - q;
      moved_lists += v[3].offsets[b + 1] - v[3].offsets[b] != n ||
        (n &&
          memcmp(v[3].indices + v[3].offsets[b], v[0].indices + v[0].offsets[q], (size_t)n * 8));
    }
    CHECK_INT(lost, 0);
    CHECK_INT(moved_lists, 0);
    for (int k = 0; k < 4; ++k)
    {
      sq_lists_destroy(lists[k]);
    }
    sq_context_destroy(c);
  }
  free((void*)(uintptr_t)queries.data);
  free((void*)(uintptr_t)backward.data);
  sqt_simplices_free(&s);
}

static void points_in_boxes(void)
{
  const float p[] = { 0, 0, 1, 1, 0.5f, 2, NAN, 0 };
  const double lo[] = { 0, 0, 0.5, 0.5 }, hi[] = { 1, 1, 0.5, 2 };
  const uint8_t want[] = { 1, 0, 1, 0, 0, 1, 0, 0 };
  uint8_t inside[8];
  sq_points points = { p, 4, SQ_FLOAT32, 2 };
  sq_points box_lo = { lo, 2, SQ_FLOAT64, 2 }, box_hi = { hi, 2, SQ_FLOAT64, 2 };
  sq_context* c = sqt_context(2, NULL, NULL);
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, inside), SQ_OK);
  CHECK_SAME(inside, want, 8);
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_point_in_boxes(NULL, &points, &box_lo, &box_hi, inside), SQ_INVALID_ARGUMENT);
  box_hi.count = 1;
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, inside), SQ_INVALID_ARGUMENT);
  box_hi.count = 2;
  points.dimension = 1;
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, inside), SQ_INVALID_ARGUMENT);
  points.dimension = 2;
  points.count = 0;
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, NULL), SQ_OK);
  box_lo.count = box_hi.count = 0;
  points.count = 4;
  CHECK_STATUS(sq_point_in_boxes(c, &points, &box_lo, &box_hi, NULL), SQ_OK);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "against brute force", against_brute_force },
  { "relative", relative },
  { "coincident", coincident },
  { "invariants", invariants },
  { "points in boxes", points_in_boxes },
};
SQT_MAIN(cases)
