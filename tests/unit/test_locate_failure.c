/** Point location: memory that runs out, a user who cancels, threads and orders. */
#include "sq_test.h"
#include "sqt_locate.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_mesh_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 3000

typedef struct inputs
{
  orc_zoo zoo;
  sq_cells block;
  sq_mesh_index* index; /* built with another context */
  double x[3 * QUERIES];
  double field[1000];
  int64_t count; /* of the queries, for the sweeps */
  sq_locate_options options;
} inputs;

static inputs in;
static sq_context* other;

static void set_up(orc_zoo_kind kind, int n)
{
  in.zoo = orc_make_zoo(kind, n, 3);
  in.block = sqt_cells_of_zoo(&in.zoo);
  other = sqt_context(2, NULL, NULL);
  in.index = sqt_index(other, &in.block, 1);
  CHECK_STATUS(sq_mesh_index_build_search(other, in.index), SQ_OK);
  in.options = sq_locate_options_default();
  in.count = QUERIES;
  orc_random r = { 8 };
  for (int i = 0; i < QUERIES; ++i)
  {
    if (i % 3)
    {
      orc_zoo_point(&in.zoo, orc_below(&r, in.zoo.count), i % 2 ? 8 : 2, &r, in.x + 3 * i);
    }
    for (int k = 0; k < 3 && i % 3 == 0; ++k)
    {
      in.x[3 * i + k] = orc_between(&r, -0.5, 1.5);
    }
  }
}

static void tear_down(void)
{
  sq_mesh_index_destroy(in.index);
  sq_context_destroy(other);
  orc_zoo_free(&in.zoo);
}

static sq_status build(sq_context* c, void* data)
{
  sq_mesh_index* index = (sq_mesh_index*)data;
  sq_status s = sq_mesh_index_build(c, &in.block, 1, &index);
  CHECK((index != NULL) == (s == SQ_OK));
  sq_mesh_index_destroy(index);
  return s;
}

/** The tree, of an index made with another context. */
static sq_status build_search(sq_context* c, void* data)
{
  (void)data;
  sq_mesh_index* index = sqt_index(other, &in.block, 1);
  sq_mesh_index_info before, after;
  CHECK_STATUS(sq_mesh_index_get_info(index, &before), SQ_OK);
  sq_status s = sq_mesh_index_build_search(c, index);
  CHECK_STATUS(sq_mesh_index_get_info(index, &after), SQ_OK);
  CHECK((after.bytes > before.bytes) == (s == SQ_OK));
  CHECK((sq_mesh_index_depth(index) >= 0) == (s == SQ_OK));
  CHECK_INT(after.cells, before.cells);
  sq_mesh_index_destroy(index);
  return s;
}

/** A location that makes the tree on its way; whatever fails, the index stays as good as it was. */
static sq_status search_by_locating(sq_context* c, void* data)
{
  (void)data;
  sq_points q = { in.x, in.count, SQ_FLOAT64, 3 };
  sq_location* l[3] = { NULL, NULL, NULL };
  sq_location_view got, want;
  sq_mesh_index* index = sqt_index(other, &in.block, 1);
  sq_status s = sq_locate(c, index, &q, NULL, l);
  CHECK((l[0] != NULL) == (s == SQ_OK));
  CHECK_STATUS(sq_locate(other, index, &q, NULL, l + 1), SQ_OK);
  CHECK_STATUS(sq_locate(other, in.index, &q, NULL, l + 2), SQ_OK);
  CHECK_STATUS(sq_location_get_view(l[1], &got), SQ_OK);
  CHECK_STATUS(sq_location_get_view(l[2], &want), SQ_OK);
  CHECK(sqt_views_equal(&got, &want));
  for (int i = 0; i < 3; ++i)
  {
    sq_location_destroy(l[i]);
  }
  sq_mesh_index_destroy(index);
  return s;
}

static sq_status locate(sq_context* c, void* data)
{
  sq_points q = { in.x, in.count, SQ_FLOAT64, 3 };
  sq_location* l = (sq_location*)data;
  sq_status s = sq_locate(c, in.index, &q, &in.options, &l);
  CHECK((l != NULL) == (s == SQ_OK));
  sq_location_destroy(l);
  return s;
}

/** Applies a location made with another context, and asks for the dominant ids. */
static sq_status apply(sq_context* c, void* data)
{
  const sq_location* l = (const sq_location*)data;
  const sq_field field = { in.field, SQ_FLOAT64, in.zoo.point_count };
  const double missing = 0.0;
  double* out = (double*)malloc(QUERIES * sizeof(*out));
  int64_t* id = (int64_t*)malloc(QUERIES * sizeof(*id));
  sq_status s = sq_location_apply(c, l, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, &field, 1, 1,
    SQ_FLOAT64, &missing, out, NULL);
  if (s == SQ_OK)
  {
    s = sq_location_dominant(c, l, SQ_ASSOCIATION_POINTS, NULL, id);
  }
  free(out);
  free(id);
  return s;
}

static void memory_runs_out(void)
{
  set_up(ORC_ZOO_WARPED, 4);
  in.count = 200; /* allocations do not depend on it */
  sqt_sweep_memory("index", build, &in, 5);
  sqt_sweep_memory("tree", build_search, &in, 15);
  sqt_sweep_memory("tree by locating", search_by_locating, &in, 20);
  for (int mode = 0; mode < 3; ++mode)
  {
    for (int rule = 0; rule < 3; ++rule)
    {
      in.options.mode = (sq_locate_mode)mode;
      in.options.multiple_cells = (sq_multiple_cells)rule;
      in.options.statistics = rule == 0;
      sqt_sweep_memory("locate", locate, &in, 1);
    }
  }
  tear_down();
}

static void cancelled(void)
{
  set_up(ORC_ZOO_BOXES, 7);
  sqt_sweep_cancel("index", build, &in, 2);
  sqt_sweep_cancel("tree", build_search, &in, 2);
  sqt_sweep_cancel("tree by locating", search_by_locating, &in, 3);
  for (int mode = 0; mode < 3; ++mode)
  {
    in.options.mode = (sq_locate_mode)mode;
    sqt_sweep_cancel("locate", locate, &in, 1);
  }
  sq_location_view v;
  memset(in.field, 0, sizeof(in.field));
  sq_location* l = sqt_locate(other, in.index, in.x, QUERIES, NULL, &v);
  REQUIRE(in.zoo.point_count <= 1000);
  sqt_sweep_cancel("apply", apply, l, 1);
  sq_location_destroy(l);
  tear_down();
}

/** The same bits for any number of threads in build and query. */
static void threads(void)
{
  const int counts[] = { 1, 2, 7 };
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    set_up((orc_zoo_kind)kind, 5);
    for (int mode = 0; mode < 3; ++mode)
    {
      for (int rule = 0; rule < 2; ++rule)
      {
        in.options.mode = (sq_locate_mode)mode;
        in.options.multiple_cells = (sq_multiple_cells)rule;
        sq_location_view want;
        sq_location* l = sqt_locate(other, in.index, in.x, QUERIES, &in.options, &want);
        for (int t = 0; t < 3; ++t)
        {
          sq_context* c = sqt_context(counts[t], NULL, NULL);
          sq_mesh_index* index = sqt_index(c, &in.block, 1);
          sq_location_view got;
          sq_location* m = sqt_locate(c, index, in.x, QUERIES, &in.options, &got);
          CHECK_TEXT(sqt_views_equal(&got, &want), "zoo %d, mode %d, rule %d, %d threads", kind,
            mode, rule, counts[t]);
          sq_location_destroy(m);
          sq_mesh_index_destroy(index);
          sq_context_destroy(c);
        }
        sq_location_destroy(l);
      }
    }
    tear_down();
  }
}

/** Answer i of one view and j of the other have the same bits. */
static int same_answer(const sq_location_view* a, int64_t i, const sq_location_view* b, int64_t j)
{
  int64_t n = a->node_offsets[i + 1] - a->node_offsets[i];
  int ok = a->status[i] == b->status[j] && a->cell[i] == b->cell[j] &&
    a->containing_count[i] == b->containing_count[j] &&
    n == b->node_offsets[j + 1] - b->node_offsets[j];
  ok = ok && !memcmp(a->distance + i, b->distance + j, 8) &&
    !memcmp(a->parametric + 3 * i, b->parametric + 3 * j, 24) &&
    !memcmp(
      a->node_weights + a->node_offsets[i], b->node_weights + b->node_offsets[j], (size_t)n * 8);
  if (!ok)
  {
    printf("    query %lld: cell %lld and %lld, status %d and %d, count %d and %d, distance %.17g "
           "and %.17g\n",
      (long long)i, (long long)a->cell[i], (long long)b->cell[j], a->status[i], b->status[j],
      a->containing_count[i], b->containing_count[j], a->distance[i], b->distance[j]);
  }
  return ok;
}

/** Each query alone, and all of them backward, have the bits that they have together. */
static void order(void)
{
  static double back[3 * QUERIES];
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    set_up((orc_zoo_kind)kind, 5);
    for (int i = 0; i < QUERIES; ++i)
    {
      memcpy(back + 3 * i, in.x + 3 * (QUERIES - 1 - i), 24);
    }
    for (int mode = 0; mode < 3; ++mode)
    {
      in.options.mode = (sq_locate_mode)mode;
      sq_location_view want;
      sq_location_view got;
      sq_location* l = sqt_locate(other, in.index, in.x, QUERIES, &in.options, &want);
      sq_location* m = sqt_locate(other, in.index, back, QUERIES, &in.options, &got);
      int64_t wrong = 0;
      for (int i = 0; i < QUERIES; ++i)
      {
        if (!same_answer(&want, i, &got, QUERIES - 1 - i))
        {
          ++wrong;
        }
      }
      CHECK_TEXT(
        !wrong, "zoo %d, mode %d: %lld queries depend on the order", kind, mode, (long long)wrong);
      sq_location_destroy(m);
      for (int i = 0; i < QUERIES; i += 101)
      {
        m = sqt_locate(other, in.index, in.x + 3 * i, 1, &in.options, &got);
        CHECK_INT(got.cell[0], want.cell[i]);
        CHECK_SAME(got.distance, want.distance + i, 1);
        CHECK_SAME(got.parametric, want.parametric + 3 * i, 3);
        sq_location_destroy(m);
      }
      sq_location_destroy(l);
    }
    tear_down();
  }
}

static const sqt_case cases[] = {
  { "memory runs out", memory_runs_out },
  { "cancelled", cancelled },
  { "threads", threads },
  { "order", order },
};
SQT_MAIN(cases)
