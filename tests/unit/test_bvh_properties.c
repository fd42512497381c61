/** What must hold of every BVH, against the description and brute force. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_locate.h"
#include "sqt_tree_mesh.h"

#include "spatialqueries/sq_morton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** One block of cells with offsets, in the form that a test wants to spoil. */
static int64_t cell_begin(const sq_cells* b, int64_t c)
{
  return b->offsets ? (b->id_type == SQ_INT32 ? (int64_t)((const int32_t*)b->offsets)[c]
                                              : ((const int64_t*)b->offsets)[c])
                    : c * b->cell_size;
}

static int64_t cell_node(const sq_cells* b, int64_t at)
{
  return b->id_type == SQ_INT32 ? (int64_t)((const int32_t*)b->connectivity)[at]
                                : ((const int64_t*)b->connectivity)[at];
}

static const sq_cells* block_of(const sq_cells* blocks, int64_t* cell)
{
  while (*cell >= blocks->count)
  {
    *cell -= blocks->count;
    ++blocks;
  }
  return blocks;
}

/** Box and centroid of a cell, the latter in the working type; 0: it has no nodes, is a ghost or not finite. */
static int slow_cell(
  const sq_cells* blocks, int64_t cell, sq_type type, double* lo, double* hi, double* mean)
{
  const sq_cells* b = block_of(blocks, &cell);
  int64_t begin = cell_begin(b, cell), count = cell_begin(b, cell + 1) - begin;
  int good = count > 0 && !(b->ghost && b->ghost[cell]);
  for (int32_t d = 0; d < b->points.dimension && good; ++d)
  {
    volatile float sum32 = 0.0f;
    double sum = 0.0;
    lo[d] = INFINITY;
    hi[d] = -INFINITY;
    for (int64_t k = begin; k < begin + count; ++k)
    {
      double x = sqt_coordinate(&b->points, cell_node(b, k), d);
      good &= isfinite(x) != 0;
      lo[d] = x < lo[d] ? x : lo[d];
      hi[d] = x > hi[d] ? x : hi[d];
      sum32 = k == begin ? (float)x : sum32 + (float)x;
      sum = k == begin ? x : sum + x;
    }
    volatile float mean32 = sum32 / (float)count;
    mean[d] = type == SQ_FLOAT32 ? (double)mean32 : sum / (double)count;
  }
  return good;
}

static double at(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

/** Order: a stable sort of the cells that are taken by the codes of their centroids. */
static void check_order(sq_context* c, const sq_bvh_view* v, const sq_cells* blocks, int64_t cells)
{
  int32_t dimension = v->dimension;
  sq_points centroids = sqt_random_points(1, v->type, cells + 1, dimension, 0.0, 1.0);
  int64_t* place = (int64_t*)malloc((size_t)(cells + 1) * sizeof(*place));
  int64_t* codes = (int64_t*)malloc((size_t)(cells + 1) * sizeof(*codes));
  int64_t taken = 0, wrong = 0;
  for (int64_t i = 0; i < cells; ++i)
  {
    double lo[3], hi[3], mean[3];
    place[i] = -1;
    if (slow_cell(blocks, i, v->type, lo, hi, mean))
    {
      place[i] = taken++;
      for (int32_t d = 0; d < dimension; ++d)
      {
        sqt_set_coordinate(&centroids, place[i], d, mean[d]);
      }
    }
  }
  CHECK_INT(v->cell_count, taken);
  centroids.count = taken;
  CHECK_STATUS(sq_morton_codes(c, &centroids, codes), SQ_OK);
  int64_t code = -1, before = -1;
  for (int64_t k = 0; k < taken && k < v->cell_count; ++k)
  {
    int64_t cell = v->sorted_cell_order[k];
    if (cell < 0 || cell >= cells || place[cell] < 0)
    {
      ++wrong;
      continue;
    }
    int64_t here = codes[place[cell]];
    wrong += here < code || (here == code && cell <= before);
    code = here;
    before = cell;
  }
  CHECK_TEXT(!wrong, "%lld cells out of order", (long long)wrong);
  free(place);
  free(codes);
  free((void*)(uintptr_t)centroids.data);
}

/** Every box is exactly that of its cells. */
static void check_boxes(const sq_bvh_view* v, const sq_cells* blocks)
{
  int64_t wrong = 0;
  for (int64_t node = 0; node < v->node_count; ++node)
  {
    double lo[3], hi[3], box_lo[3], box_hi[3], mean[3];
    for (int64_t k = 0; k < v->node_range_count[node]; ++k)
    {
      int64_t cell = v->sorted_cell_order[v->node_range_start[node] + k];
      wrong += !slow_cell(blocks, cell, v->type, lo, hi, mean);
      for (int32_t d = 0; d < v->dimension; ++d)
      {
        box_lo[d] = k == 0 || lo[d] < box_lo[d] ? lo[d] : box_lo[d];
        box_hi[d] = k == 0 || hi[d] > box_hi[d] ? hi[d] : box_hi[d];
      }
    }
    for (int32_t d = 0; d < v->dimension; ++d)
    {
      wrong += at(v->node_aabb_min, v->type, node * v->dimension + d) != box_lo[d];
      wrong += at(v->node_aabb_max, v->type, node * v->dimension + d) != box_hi[d];
    }
  }
  CHECK_TEXT(!wrong, "%lld sides of boxes are wrong", (long long)wrong);
}

static uint64_t hash_of(const sq_bvh_view* v)
{
  size_t box = (size_t)v->dimension * sq_type_bytes(v->type);
  uint64_t h = SQT_HASH(v->sorted_cell_order, v->cell_count);
  h = h * 31 + sqt_hash(v->node_aabb_min, v->node_count * (int64_t)box);
  h = h * 31 + sqt_hash(v->node_aabb_max, v->node_count * (int64_t)box);
  return h * 31 + SQT_HASH(v->node_left_child, v->node_count);
}

static void check_bvh(const sq_cells* blocks, int32_t block_count, int64_t leaf_size)
{
  const int threads[] = { 1, 2, 7 };
  uint64_t hash = 0;
  int64_t cells = 0;
  for (int32_t b = 0; b < block_count; ++b)
  {
    cells += blocks[b].count;
  }
  for (int t = 0; t < 3; ++t)
  {
    sq_context* c = sqt_context(threads[t], NULL, NULL);
    sq_bvh_options o = { leaf_size, 0 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, blocks, block_count, &o, &v);
    if (t == 0)
    {
      hash = hash_of(&v);
      sqt_check_topology(v.cell_count, leaf_size, v.node_count, v.max_depth, v.node_left_child,
        v.node_right_child, v.leaf_start, v.leaf_count, v.node_range_start, v.node_range_count);
      check_order(c, &v, blocks, cells);
      check_boxes(&v, blocks);
    }
    CHECK_HASH(hash_of(&v), hash);
    sq_bvh_destroy(bvh);
    sq_context_destroy(c);
  }
}

static void simplices(void)
{
  const int64_t counts[] = { 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000 };
  for (int k = 0; k < 13 * 3; ++k)
  {
    int32_t dimension = 1 + k % 3;
    for (int32_t corners = 1; corners <= dimension + 1; ++corners)
    {
      sqt_simplices s =
        sqt_random_simplices((uint64_t)(100 * k + corners), counts[k / 3], dimension, corners);
      check_bvh(&s.cells, 1, 1 + k % 5 * (k % 5));
      sqt_simplices_free(&s);
    }
  }
}

static void many(void)
{
  sqt_simplices s = sqt_random_simplices(3, 40001, 3, 3);
  check_bvh(&s.cells, 1, 1);
  check_bvh(&s.cells, 1, 17);
  sqt_simplices_free(&s);
}

/** All in one place; on a line; tiny, huge; one far away. */
static void adversarial(void)
{
  const double sizes[] = { 1e-30, 1e30, 1e-44, 3e38 };
  for (int k = 0; k < 8; ++k)
  {
    for (int64_t count = 1; count <= 130; count += count < 4 ? 1 : 42)
    {
      sqt_simplices s = sqt_random_simplices(17, count, 3, 3);
      for (int64_t i = 0; i < 9 * count; ++i)
      {
        float* x = s.points + i;
        *x = k == 0 ? 0.25f : k == 1 ? s.points[i - i % 3] : *x;
        *x = k >= 4 ? (float)((double)*x * sizes[k - 4]) : *x;
      }
      s.points[0] = k == 2 ? 1e20f : s.points[0];
      s.points[0] = k == 3 ? -3e38f : s.points[0];
      check_bvh(&s.cells, 1, 1);
      check_bvh(&s.cells, 1, 3);
      sqt_simplices_free(&s);
    }
  }
}

/** Cells of all linear types in several blocks: double and float, int32 and int64 ids, ghosts, an empty block. */
static void blocks(void)
{
  sq_cells b[5];
  uint8_t ghost[512] = { 0 };
  orc_zoo zoo[3];
  for (int i = 0; i < 3; ++i)
  {
    zoo[i] = orc_make_zoo((orc_zoo_kind)i, 2, 5 + (uint64_t)i);
    b[i] = sqt_cells_of_zoo(zoo + i);
  }
  ghost[0] = SQ_GHOST_HIDDEN_CELL;
  ghost[5] = SQ_GHOST_DUPLICATE_CELL;
  REQUIRE(b[1].count < 512);
  b[1].ghost = ghost;
  b[3] = b[0];
  b[3].count = 0;
  sqt_simplices s = sqt_random_simplices(23, 77, 3, 4);
  b[4] = s.cells;
  check_bvh(b, 5, 1);
  check_bvh(b, 5, 4);
  check_bvh(b + 4, 1, 2);
  check_bvh(b + 3, 2, 2);
  for (int i = 0; i < 3; ++i)
  {
    orc_zoo_free(zoo + i);
  }
  sqt_simplices_free(&s);
}

/** Cells without nodes, polygons of any size, int32 ids. */
static void odd_cells(void)
{
  double x[40];
  int32_t ids[40];
  const int32_t offsets[] = { 0, 0, 1, 6, 6, 20, 20 };
  orc_random r = { 4 };
  for (int i = 0; i < 40; ++i)
  {
    x[i] = orc_unit(&r);
    ids[i] = (int32_t)orc_below(&r, 20);
  }
  const uint8_t types[] = { SQ_CELL_EMPTY, SQ_CELL_VERTEX, SQ_CELL_POLYGON, SQ_CELL_POLYGON,
    SQ_CELL_TRIANGLE_STRIP, 200 };
  sq_cells cells = { .points = { x, 20, SQ_FLOAT64, 2 },
    .count = 6,
    .types = types,
    .id_type = SQ_INT32,
    .offsets = offsets,
    .connectivity = ids,
    .connectivity_count = 20 };
  check_bvh(&cells, 1, 1);
}

/** A cell that is not finite is left out and counted; on request it stays, and blinds its ancestors. */
static void not_finite(void)
{
  const float bad[] = { NAN, INFINITY, -INFINITY };
  for (int k = 0; k < 3; ++k)
  {
    sqt_simplices s = sqt_random_simplices(29, 100, 3, 3);
    s.points[9 * 40 + 4] = s.points[9 * 41] = s.points[9 * 99 + 8] = bad[k];
    check_bvh(&s.cells, 1, 1);
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &s.cells, 1, NULL, &v);
    CHECK_INT(v.skipped_elements, 3);
    CHECK_INT(v.cell_count, 97);
    sq_bvh_destroy(bvh);
    sq_bvh_options o = { 1, SQ_BVH_REFERENCE_NAN };
    bvh = sqt_bvh(c, &s.cells, 1, &o, &v);
    CHECK_INT(v.skipped_elements, 0);
    CHECK_INT(v.cell_count, 100);
    float root = k == 2 ? ((const float*)v.node_aabb_min)[1] : ((const float*)v.node_aabb_max)[1];
    CHECK(k ? root == bad[k] : root != root);
    sq_points queries = { s.points, 90, SQ_FLOAT32, 3 };
    sq_candidate_options all = sq_candidate_options_default();
    sq_lists* lists = NULL;
    sq_lists_view lv;
    CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &queries, &all, &lists, NULL), SQ_OK);
    CHECK_STATUS(sq_lists_get_view(lists, &lv), SQ_OK);
    CHECK((lv.offsets[90] == 0) == (k == 0));
    sq_lists_destroy(lists);
    sq_bvh_destroy(bvh);
    sq_context_destroy(c);
    sqt_simplices_free(&s);
  }
}

/** A quadratic edge bulges out of its nodes; the box holds it, in float and double, in 1-D to 3-D, and as a Lagrange curve. */
static void curved(void)
{
  double x[9], at_t[3];
  const int64_t ids[] = { 0, 1, 2 };
  orc_random r = { 31 };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < 600; ++k)
  {
    float single[9];
    int32_t dimension = 1 + k % 3;
    for (int i = 0; i < 9; ++i)
    {
      single[i] = (float)orc_between(&r, -1.0, 1.0);
      x[i] = k & 1 ? (double)single[i] : orc_between(&r, -1.0, 1.0);
    }
    sq_cells cells = { .points = { k & 1 ? (const void*)single : x, 3,
                         k & 1 ? SQ_FLOAT32 : SQ_FLOAT64, dimension },
      .count = 1,
      .type = dimension == 3 && k % 4 < 2 ? SQ_CELL_LAGRANGE_CURVE : SQ_CELL_QUADRATIC_EDGE,
      .cell_size = 3,
      .id_type = SQ_INT64,
      .connectivity = ids,
      .connectivity_count = 3 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &cells, 1, NULL, &v);
    int inside = 1;
    for (int i = 0; i <= 50; ++i)
    {
      double t = i / 50.0;
      for (int32_t d = 0; d < dimension; ++d)
      {
        at_t[d] = x[d] * (1 - t) * (1 - 2 * t) + x[dimension + d] * t * (2 * t - 1) +
          x[2 * dimension + d] * 4 * t * (1 - t);
        inside &= at_t[d] >= at(v.node_aabb_min, v.type, d) - 1e-15 &&
          at_t[d] <= at(v.node_aabb_max, v.type, d) + 1e-15;
      }
    }
    CHECK(inside);
    sq_bvh_destroy(bvh);
  }
  sq_context_destroy(c);
}

/** A Lagrange cell whose points fit no order, beside one that has one, is taken by its nodes. */
static void no_order(void)
{
  const double x[] = { 0, 0, 0, 2, 0, 0, 1, 1, 0, 5, 5, 5, 5, 6, 7 };
  const uint8_t types[] = { SQ_CELL_LAGRANGE_CURVE, SQ_CELL_LAGRANGE_HEXAHEDRON,
    SQ_CELL_BEZIER_TRIANGLE };
  const int64_t offsets[] = { 0, 3, 8, 12 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 3, 4, 3, 3, 3, 4, 4 };
  sq_cells cells = { .points = { x, 5, SQ_FLOAT64, 3 },
    .count = 3,
    .types = types,
    .id_type = SQ_INT64,
    .offsets = offsets,
    .connectivity = ids,
    .connectivity_count = 12 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_bvh_view v;
  sq_bvh* bvh = sqt_bvh(c, &cells, 1, NULL, &v);
  CHECK_INT(v.cell_count, 3);
  CHECK_NEAR(at(v.node_aabb_min, v.type, 0), 0.0, 1e-12); /* the curve's is rounded outward */
  CHECK_NEAR(at(v.node_aabb_max, v.type, 2), 7.0, 0.0);
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "simplices", simplices },
  { "many", many },
  { "adversarial", adversarial },
  { "blocks", blocks },
  { "odd cells", odd_cells },
  { "not finite", not_finite },
  { "curved", curved },
  { "no order", no_order },
};
SQT_MAIN(cases)
