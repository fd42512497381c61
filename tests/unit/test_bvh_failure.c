/** Wrong arguments, failing allocations and cancels of the BVH and its queries; measures of trees. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_sweep.h"
#include "sqt_tree_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void wrong_arguments(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_simplices s = sqt_grid(3, 3);
  sq_bvh* bvh = NULL;
  sq_bvh_options o = sq_bvh_options_default();
  CHECK(o.leaf_size == SQ_LEAF_SIZE_DEFAULT && o.flags == 0);
  CHECK_STATUS(sq_bvh_build(NULL, &s.cells, 1, NULL, &bvh), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_build(c, &s.cells, 1, NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_build(c, NULL, 1, NULL, &bvh), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_build(c, &s.cells, -1, NULL, &bvh), SQ_INVALID_ARGUMENT);
  o.leaf_size = 0;
  CHECK_STATUS(sq_bvh_build(c, &s.cells, 1, &o, &bvh), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_build(c, NULL, 0, &o, &bvh), SQ_INVALID_ARGUMENT);
  o.leaf_size = 1;
  o.flags = 6;
  CHECK_STATUS(sq_bvh_build(c, &s.cells, 1, &o, &bvh), SQ_INVALID_ARGUMENT);
  s.ids[4] = 16;
  CHECK_STATUS(sq_bvh_build(c, &s.cells, 1, NULL, &bvh), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "cell 1") != NULL);
  s.ids[4] = 0;
  sqt_simplices solid = sqt_kuhn(1);
  sq_cells two[] = { s.cells, solid.cells };
  CHECK_STATUS(sq_bvh_build(c, two, 2, NULL, &bvh), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "3 coordinates") != NULL);
  sq_cells huge = s.cells;
  huge.cell_size = 0;
  huge.connectivity_count = 0;
  huge.count = (int64_t)1 << 31;
  sq_cells none = huge;
  none.count = 0;
  CHECK_STATUS(sq_bvh_build(c, &none, 1, NULL, &bvh), SQ_OK);
  sq_bvh_destroy(bvh);
  s.cells.points.dimension = 4;
  CHECK_STATUS(sq_bvh_build(c, &s.cells, 1, NULL, &bvh), SQ_INVALID_ARGUMENT);
  CHECK(!bvh && *sq_context_message(c));
  CHECK_STATUS(sq_bvh_get_view(NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_lists_get_view(NULL, NULL), SQ_INVALID_ARGUMENT);
  sq_bvh_destroy(NULL);
  sq_lists_destroy(NULL);
  sqt_simplices_free(&s);
  sqt_simplices_free(&solid);
  sq_context_destroy(c);
}

static void wrong_queries(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_simplices s = sqt_grid(3, 3);
  sq_bvh_view v;
  sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, NULL, &v);
  sq_points q = s.cells.points;
  sq_lists* lists = NULL;
  sq_candidate_options o = sq_candidate_options_default();
  CHECK(o.limit == 1 && o.max_candidates == 32 && o.relative == 0 && o.tolerance > 9e-7);
  CHECK_STATUS(sq_bvh_find_candidates(NULL, bvh, &q, NULL, &lists, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_find_candidates(c, NULL, &q, NULL, &lists, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, NULL, NULL, &lists, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, NULL, NULL), SQ_INVALID_ARGUMENT);
  o.max_candidates = -1;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, &o, &lists, NULL), SQ_INVALID_ARGUMENT);
  o.limit = 0;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, &o, &lists, NULL), SQ_OK);
  sq_lists_destroy(lists);
  o.limit = 2;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, &o, &lists, NULL), SQ_INVALID_ARGUMENT);
  o.limit = 1;
  o.max_candidates = 3;
  o.relative = -1;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, &o, &lists, NULL), SQ_INVALID_ARGUMENT);
  q.dimension = 1;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, &lists, NULL), SQ_INVALID_ARGUMENT);
  CHECK(!lists && strstr(sq_context_message(c), "1 coordinates") != NULL);
  sq_bvh_destroy(bvh);
  /* An empty tree takes any dimension. */
  uint8_t truncated[16];
  memset(truncated, 7, sizeof(truncated));
  bvh = sqt_bvh(c, NULL, 0, NULL, &v);
  CHECK(v.node_count == 0 && v.cell_count == 0 && v.max_depth == 0);
  sq_lists_view lv;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, &lists, truncated), SQ_OK);
  CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
  CHECK(
    lv.count == 16 && lv.offsets[0] == 0 && lv.offsets[16] == 0 && !truncated[0] && !truncated[15]);
  sq_lists_destroy(lists);
  q.count = 0;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, &lists, NULL), SQ_OK);
  CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
  CHECK(lv.count == 0 && lv.offsets[0] == 0);
  sq_lists_destroy(lists);
  sq_bvh_statistics st;
  CHECK_STATUS(sq_bvh_measure(c, bvh, &st, NULL, NULL), SQ_OK);
  CHECK(st.nodes == 0 && st.leaves == 0 && st.depth == 0);
  sq_bvh_destroy(bvh);
  sqt_simplices_free(&s);
  sq_context_destroy(c);
}

static sq_status build(sq_context* context, void* data)
{
  const sq_cells* two = (const sq_cells*)data;
  sq_bvh* bvh = NULL;
  sq_bvh_options o = { 2, 0 };
  sq_status status = sq_bvh_build(context, two, 2, &o, &bvh);
  CHECK(!bvh == (status != SQ_OK));
  sq_bvh_destroy(bvh);
  return status;
}

typedef struct query
{
  const sq_bvh* bvh;
  const sq_points* points;
  int32_t relative;
} query;

static sq_status find(sq_context* context, void* data)
{
  const query* q = (const query*)data;
  sq_lists* lists = NULL;
  uint8_t* truncated = (uint8_t*)malloc((size_t)q->points->count);
  sq_candidate_options o = { 1, 4, q->relative, 1e-6 };
  sq_status status = sq_bvh_find_candidates(context, q->bvh, q->points, &o, &lists, truncated);
  CHECK(!lists == (status != SQ_OK));
  sq_lists_destroy(lists);
  free(truncated);
  return status;
}

static sq_status measure(sq_context* context, void* data)
{
  const query* q = (const query*)data;
  sq_bvh_statistics s;
  return sq_bvh_measure(context, q->bvh, &s, NULL, NULL);
}

static void sweeps(void)
{
  sqt_simplices s = sqt_random_simplices(61, 20000, 3, 3);
  sqt_simplices t = sqt_random_simplices(62, 100, 3, 4);
  sq_cells two[] = { s.cells, t.cells };
  sqt_sweep_memory("BVH", build, two, 15);
  sqt_sweep_cancel("BVH", build, two, 20);
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_bvh_view v;
  sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, NULL, &v);
  sq_points queries = s.cells.points;
  queries.count = 9000;
  for (int32_t relative = 0; relative < 2; ++relative)
  {
    query q = { bvh, &queries, relative };
    sqt_sweep_memory("candidates", find, &q, 7);
    sqt_sweep_cancel("candidates", find, &q, 6);
    sqt_sweep_memory("measures", measure, &q, 1);
    sqt_sweep_cancel("measures", measure, &q, 1);
  }
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
  sqt_simplices_free(&s);
  sqt_simplices_free(&t);
}

/** Two unit squares that share half of one: numbers known by heart. */
static void two_boxes(void)
{
  const double x[] = { 0, 0, 1, 1, 0.5, 0, 1.5, 1 };
  const int64_t ids[] = { 0, 1, 2, 3 };
  sq_cells lines = { .points = { x, 4, SQ_FLOAT64, 2 },
    .count = 2,
    .type = SQ_CELL_LINE,
    .cell_size = 2,
    .id_type = SQ_INT64,
    .connectivity = ids,
    .connectivity_count = 4 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_bvh_view v;
  sq_bvh* bvh = sqt_bvh(c, &lines, 1, NULL, &v);
  sq_bvh_statistics s;
  double area[3], overlap[3];
  CHECK_STATUS(sq_bvh_measure(c, bvh, &s, area, overlap), SQ_OK);
  CHECK(s.nodes == 3 && s.leaves == 2 && s.depth == 1 && s.bytes > 3 * 80);
  CHECK_NEAR(area[0], 5.0, 0.0);
  CHECK_NEAR(area[1], 4.0, 0.0);
  CHECK_NEAR(overlap[0], 0.0, 0.0);
  CHECK_NEAR(overlap[1], 0.5, 0.0);
  CHECK_NEAR(overlap[2], 0.5, 0.0);
  CHECK_NEAR(s.sah_cost, 1.0 + 0.8 + 0.8, 1e-15);
  CHECK_NEAR(s.overlap, 0.5 / 1.5, 1e-15);
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
}

/** Flat in one axis, on a line, in one point; and scales at the ends of the range. */
static void flat_boxes(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 6; ++k)
  {
    const double scale[] = { 1.0, 1.0, 1.0, 1.0, 1e-200, 1e300 };
    double x[] = { 0, 0, 0, 1, 1, 0, 0.5, 0, 0, 1.5, 1, 0 };
    const int64_t ids[] = { 0, 1, 2, 3 };
    for (int i = 0; i < 12; ++i)
    {
      x[i] = (k == 1 && i % 3 == 1) || k == 2 ? 7.0 : x[i];
      x[i] = k == 3 && i % 3 == 2 ? (double)(i / 3 % 2) : x[i];
      x[i] *= scale[k];
    }
    sq_cells lines = { .points = { x, 4, SQ_FLOAT64, 3 },
      .count = 2,
      .type = SQ_CELL_LINE,
      .cell_size = 2,
      .id_type = SQ_INT64,
      .connectivity = ids,
      .connectivity_count = 4 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &lines, 1, NULL, &v);
    sq_bvh_statistics s;
    double overlap[3];
    CHECK_STATUS(sq_bvh_measure(c, bvh, &s, NULL, overlap), SQ_OK);
    CHECK_NEAR(overlap[1], k == 2 ? 1.0 : 0.5, 1e-15);
    CHECK_NEAR(s.overlap, k == 2 ? 1.0 : 1.0 / 3.0, 1e-15);
    double part = k == 2 ? 1.0 : k == 3 ? 6.0 / 8.0 : 2.0 / 3.0;
    CHECK_NEAR(s.sah_cost, 1.0 + 2.0 * part, 1e-14);
    sq_bvh_destroy(bvh);
  }
  sq_context_destroy(c);
}

/** Areas and overlaps of a large tree, one by one; sums have the same bits for any number of threads. */
static void measures(void)
{
  sqt_simplices s = sqt_random_simplices(71, 9000, 3, 4);
  double* area = (double*)malloc(18000 * sizeof(*area));
  double* overlap = (double*)malloc(18000 * sizeof(*overlap));
  sq_bvh_statistics first = { 0 }, st;
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, NULL, &v);
    CHECK_STATUS(sq_bvh_measure(c, bvh, &st, area, overlap), SQ_OK);
    first = threads == 1 ? st : first;
    CHECK(!memcmp(&st.sah_cost, &first.sah_cost, 8) && !memcmp(&st.overlap, &first.overlap, 8));
    CHECK_INT(st.leaves, 9000);
    double cost = 0.0;
    int64_t off = 0;
    for (int64_t i = 0; i < v.node_count; ++i)
    {
      const float* lo = (const float*)v.node_aabb_min + 3 * i;
      const float* hi = (const float*)v.node_aabb_max + 3 * i;
      double e[3] = { (double)hi[0] - (double)lo[0], (double)hi[1] - (double)lo[1],
        (double)hi[2] - (double)lo[2] };
      double want = 2.0 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]);
      off += !(fabs(area[i] - want) <= 1e-14 * want) || !(overlap[i] >= 0.0 && overlap[i] <= 1.0);
      cost += want;
    }
    CHECK_INT(off, 0);
    CHECK_NEAR(st.sah_cost, cost / area[0], 1e-9 * st.sah_cost);
    sq_bvh_destroy(bvh);
    sq_context_destroy(c);
  }
  CHECK_STATUS(sq_bvh_measure(NULL, NULL, NULL, NULL, NULL), SQ_INVALID_ARGUMENT);
  free(area);
  free(overlap);
  sqt_simplices_free(&s);
}

static const sqt_case cases[] = {
  { "wrong arguments", wrong_arguments },
  { "wrong queries", wrong_queries },
  { "sweeps", sweeps },
  { "two boxes", two_boxes },
  { "flat boxes", flat_boxes },
  { "measures", measures },
};
SQT_MAIN(cases)
