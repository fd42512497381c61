/** The tree of a mesh index: made when something walks it, once, by whoever comes first. */
#include "sq_test.h"
#include "sqt_grid.h"

#include "spatialqueries/sq_mesh_query.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int has_tree(const sq_mesh_index* index)
{
  return sq_mesh_index_depth(index) >= 0;
}

static void on_request(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 4, 5);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  sq_mesh_index_info before, after, again;
  CHECK(!has_tree(index));
  CHECK_INT(sq_mesh_index_boxes(index, 0, 0, NULL), 0);
  CHECK_STATUS(sq_mesh_index_get_info(index, &before), SQ_OK);
  CHECK_INT(before.cells, zoo.count);
  CHECK_STATUS(sq_mesh_index_build_search(NULL, index), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_index_build_search(c, NULL), SQ_INVALID_ARGUMENT);
  CHECK(strlen(sq_context_message(c)) > 8);
  CHECK_STATUS(sq_mesh_index_build_search(c, index), SQ_OK);
  CHECK(has_tree(index));
  CHECK_INT(sq_mesh_index_boxes(index, 0, 0, NULL), 1);
  CHECK_STATUS(sq_mesh_index_get_info(index, &after), SQ_OK);
  CHECK(after.bytes > before.bytes);
  CHECK_STATUS(sq_mesh_index_build_search(c, index), SQ_OK);
  CHECK_STATUS(sq_mesh_index_get_info(index, &again), SQ_OK);
  CHECK_INT(again.bytes, after.bytes);
  sq_mesh_index_destroy(index);
  index = sqt_index(c, NULL, 0);
  CHECK_STATUS(sq_mesh_index_build_search(c, index), SQ_OK);
  CHECK(!has_tree(index));
  sq_mesh_index_destroy(index);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

/** Grids make it only for what walks it; what was located before stays good. */
static void by_grids(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 4, 5);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  for (int k = 0; k < 7; ++k)
  {
    static const char* const what[] = { "lowest", "NaN", "mean", "nearest", "else nearest",
      "statistics", "to and fro" };
    sq_mesh_index* index = sqt_index(c, &block, 1);
    sqt_grid g = sqt_make_grid(k == 6 ? 9 : 1);
    sqt_thin_grid(&g, 9);
    sq_locate_options plain = sq_locate_options_default();
    sq_locate_options o = plain;
    o.multiple_cells = k == 1 ? SQ_MULTIPLE_NAN : k == 2 ? SQ_MULTIPLE_MEAN : SQ_MULTIPLE_LOWEST;
    o.mode = k == 3 ? SQ_LOCATE_NEAREST
      : k == 4      ? SQ_LOCATE_CONTAINING_ELSE_NEAREST
                    : SQ_LOCATE_CONTAINING;
    o.statistics = k == 5;
    sqt_grid even = sqt_make_grid(1);
    sqt_thin_grid(&even, 9);
    sq_location* first = sqt_rasterise(c, index, &even, &plain);
    CHECK_TEXT(!has_tree(index), "%s: before", what[k]);
    sq_location* l = sqt_rasterise(c, index, &g, &o);
    CHECK_TEXT(has_tree(index) == (k > 1), "%s", what[k]);
    sq_location* points = sqt_search(c, index, &even, &plain);
    CHECK(has_tree(index));
    sq_location* expanded = NULL;
    sq_location_view a, b;
    CHECK_STATUS(sq_location_expand(c, first, &expanded), SQ_OK);
    CHECK_STATUS(sq_location_get_view(expanded, &a), SQ_OK);
    CHECK_STATUS(sq_location_get_view(points, &b), SQ_OK);
    CHECK_TEXT(sqt_views_equal(&a, &b), "%s: answers", what[k]);
    sq_location_destroy(expanded);
    sq_location_destroy(points);
    sq_location_destroy(l);
    sq_location_destroy(first);
    sqt_check_grid(c, index, &block, &g, &o);
    sq_mesh_index_destroy(index);
  }
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

/** So many cells over each other that the grid has its points searched. */
static void crowded(void)
{
  enum
  {
    COPIES = 70000
  };
  static int64_t ids[4 * COPIES];
  const double points[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_cells block;
  memset(&block, 0, sizeof(block));
  block.points = (sq_points){ points, 4, SQ_FLOAT64, 3 };
  block.type = SQ_CELL_TETRA;
  block.cell_size = 4;
  block.id_type = SQ_INT64;
  block.connectivity = ids;
  for (int i = 0; i < 4 * COPIES; ++i)
  {
    ids[i] = i % 4;
  }
  for (int k = 0; k < 2; ++k)
  {
    block.count = k ? COPIES : 60000;
    block.connectivity_count = 4 * block.count;
    sq_mesh_index* index = sqt_index(c, &block, 1);
    sqt_grid g = sqt_even_grid("two", 2, 1, 1, 0.125, 0.25);
    sq_locate_options o = sq_locate_options_default();
    sq_location_view v;
    sq_location* l = sqt_rasterise(c, index, &g, &o);
    CHECK_STATUS(sq_location_get_view(l, &v), SQ_OK);
    CHECK(has_tree(index) == k);
    CHECK_INT(v.status[0], SQ_SAMPLE_INSIDE);
    CHECK_INT(v.containing_count[1], block.count);
    sq_location_destroy(l);
    sq_mesh_index_destroy(index);
  }
  sq_context_destroy(c);
}

typedef struct asker
{
  pthread_t thread;
  const sq_mesh_index* index;
  const double* x;
  int64_t count;
  sq_context* context;
  sq_location* location;
  sq_status status;
} asker;

static void* ask(void* data)
{
  asker* a = (asker*)data;
  const sq_points q = { a->x, a->count, SQ_FLOAT64, 3 };
  a->status = sq_locate(a->context, a->index, &q, NULL, &a->location);
  return NULL;
}

/** Several threads ask an index without a tree at once; one builds it, all get the same answers; in odd rounds there are copies. */
static void from_many_threads(void)
{
  enum
  {
    ASKERS = 4
  };
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_SHEARED, 9, 2);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  uint8_t* ghost = (uint8_t*)calloc((size_t)zoo.count, 1);
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int64_t i = 0; i < zoo.count; i += 3)
  {
    ghost[i] = SQ_GHOST_DUPLICATE_CELL;
  }
  for (int round = 0; round < 6; ++round)
  {
    block.ghost = round % 2 ? ghost : NULL;
    asker askers[ASKERS];
    sq_mesh_index* index = sqt_index(c, &block, 1);
    for (int i = 0; i < ASKERS; ++i)
    {
      asker a = { 0, index, zoo.points, zoo.point_count, sqt_context(1 + i % 2, NULL, NULL), NULL,
        SQ_OK };
      askers[i] = a;
      REQUIRE(pthread_create(&askers[i].thread, NULL, ask, askers + i) == 0);
    }
    for (int i = 0; i < ASKERS; ++i)
    {
      REQUIRE(pthread_join(askers[i].thread, NULL) == 0);
      CHECK_STATUS(askers[i].status, SQ_OK);
    }
    for (int i = 0; i < ASKERS; ++i)
    {
      sq_location_view a, b;
      CHECK_STATUS(sq_location_get_view(askers[0].location, &a), SQ_OK);
      CHECK_STATUS(sq_location_get_view(askers[i].location, &b), SQ_OK);
      CHECK(sqt_views_equal(&a, &b));
    }
    for (int i = 0; i < ASKERS; ++i)
    {
      sq_location_destroy(askers[i].location);
      sq_context_destroy(askers[i].context);
    }
    sq_mesh_index_destroy(index);
  }
  free(ghost);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

typedef struct failing
{
  const sq_mesh_index* index;
  sq_context* context;
  sqt_monitor monitor;
  int others; /* answers but "cancelled" */
  _Atomic int done;
} failing;

/** Has the tree cancelled over and over. */
static void* fail(void* data)
{
  failing* f = (failing*)data;
  for (int i = 0; i < 20; ++i)
  {
    sqt_monitor_start(&f->monitor, 1);
    f->others += sq_mesh_index_build_search(f->context, f->index) != SQ_CANCELLED;
  }
  atomic_store(&f->done, 1);
  return NULL;
}

/** A grid that needs no tree does not care that another thread fails to make one. */
static void beside_failures(void)
{
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_SHEARED, 4, 2);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  sqt_grid g = sqt_make_grid(1);
  sq_locate_options o = sq_locate_options_default();
  failing f;
  memset(&f, 0, sizeof(f));
  f.index = index;
  f.context = sqt_context(1, NULL, &f.monitor);
  pthread_t thread;
  sqt_thin_grid(&g, 9);
  REQUIRE(pthread_create(&thread, NULL, fail, &f) == 0);
  int rounds = 0;
  do
  {
    sq_location_destroy(sqt_rasterise(c, index, &g, &o));
    ++rounds;
  } while (rounds < 5 || !atomic_load(&f.done));
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_INT(f.others, 0);
  CHECK(!has_tree(index));
  sqt_check_grid(c, index, &block, &g, &o);
  CHECK(has_tree(index));
  sq_context_destroy(f.context);
  sq_mesh_index_destroy(index);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "on request", on_request },
  { "by grids", by_grids },
  { "crowded", crowded },
  { "from many threads", from_many_threads },
  { "beside failures", beside_failures },
};
SQT_MAIN(cases)
