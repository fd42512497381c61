/** Mesh queries: memory that runs out, threads, lists that grow, no allocation once they have. */
#include "sq_test.h"
#include "sqt_query.h"
#include "sqt_sweep.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const double LO[3] = { -1.0, -1.0, -1.0 }, HI[3] = { 2.0, 2.0, 2.0 };

/** Asks for one thing of every kind. */
static sq_status ask_all(sq_mesh_query* q, int64_t* found)
{
  const double middle[3] = { 0.5, 0.5, 0.5 }, normal[3] = { 1.0, 1.0, 1.0 };
  const sq_mesh_cell_id* cells = NULL;
  const sq_mesh_crossing* crossings = NULL;
  int64_t n[5] = { 0 };
  sq_mesh_crossing c;
  sq_status s = sq_mesh_query_box(q, LO, HI, &cells, n);
  s = s == SQ_OK ? sq_mesh_query_sphere(q, middle, 0.3, &cells, n + 1) : s;
  s = s == SQ_OK ? sq_mesh_query_plane(q, middle, normal, 0.0, &cells, n + 2) : s;
  s = s == SQ_OK ? sq_mesh_query_crossings(q, LO, HI, 0.0, &crossings, n + 3) : s;
  s = s == SQ_OK ? sq_mesh_query_crossed_boxes(q, LO, HI, 0.1, &crossings, n + 4) : s;
  s = s == SQ_OK ? sq_mesh_query_first_crossing(q, LO, HI, 0.0, &c, NULL) : s;
  for (int i = 0; i < 5; ++i)
  {
    found[i] = n[i];
  }
  return s;
}

static sq_status create(sq_context* c, void* data)
{
  const sqt_asker* a = (const sqt_asker*)data;
  sq_mesh_query* q = NULL;
  sq_status s = sq_mesh_query_create(c, a->index, &q);
  CHECK((q != NULL) == (s == SQ_OK));
  sq_mesh_query_destroy(q);
  return s;
}

/** Lists that cannot grow: allocation `fail` of the questions fails. Returns whether it came to that. */
static int ask_short_of_memory(const sqt_asker* a, int64_t fail)
{
  sqt_memory memory;
  int64_t n[5];
  sq_mesh_query* q = NULL;
  memset(&memory, 0, sizeof(memory));
  sq_context* c = sqt_context(1, &memory, NULL);
  CHECK_STATUS(sq_mesh_query_create(c, a->index, &q), SQ_OK);
  memory.fail_from = memory.calls + fail;
  memory.fail_count = 1;
  sq_status s = ask_all(q, n);
  int failed = s != SQ_OK;
  if (failed)
  {
    CHECK_STATUS(s, SQ_OUT_OF_MEMORY);
    CHECK_STATUS(ask_all(q, n), SQ_OK); /* the handle is whole */
  }
  CHECK(n[0] > 200 && n[1] > 0 && n[2] > 0 && n[3] > 0 && n[4] >= n[3]);
  sq_mesh_query_destroy(q);
  sq_context_destroy(c);
  CHECK(sqt_memory_is_clean(&memory));
  return failed;
}

static void memory_runs_out(void)
{
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 5, 3);
  sq_cells b = sqt_cells_of_zoo(&zoo);
  sqt_asker a = sqt_asker_open(&b, 1);
  sqt_sweep_memory("query", create, &a, 4);
  int64_t fail = 1;
  while (fail < 100 && ask_short_of_memory(&a, fail))
  {
    ++fail;
  }
  CHECK(fail > 4 && fail < 100);
  sqt_asker_close(&a);
  orc_zoo_free(&zoo);
}

static void no_allocation_per_query(void)
{
  sqt_memory memory;
  memset(&memory, 0, sizeof(memory));
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 5, 3);
  sq_cells b = sqt_cells_of_zoo(&zoo);
  sqt_asker a = sqt_asker_open(&b, 1);
  sq_context* c = sqt_context(1, &memory, NULL);
  sq_mesh_query* q = NULL;
  int64_t n[5];
  CHECK_STATUS(sq_mesh_query_create(c, a.index, &q), SQ_OK);
  CHECK_STATUS(ask_all(q, n), SQ_OK);
  int64_t before = memory.calls;
  for (int i = 0; i < 100; ++i)
  {
    CHECK_STATUS(ask_all(q, n), SQ_OK);
  }
  CHECK_INT(memory.calls, before);
  sq_mesh_query_destroy(q);
  sq_context_destroy(c);
  CHECK(sqt_memory_is_clean(&memory));
  sqt_asker_close(&a);
  orc_zoo_free(&zoo);
}

#define QUERIES 500

/** The answers of one thread. */
typedef struct answers
{
  const sqt_asker* asker;
  int backward;
  int64_t cell[3][QUERIES];
  double number[3][QUERIES];
} answers;

static void* answer(void* data)
{
  answers* a = (answers*)data;
  sq_mesh_query* q = NULL;
  sq_context* c = sqt_context(1, NULL, NULL);
  if (sq_mesh_query_create(c, a->asker->index, &q) != SQ_OK)
  {
    sq_context_destroy(c);
    return NULL;
  }
  for (int k = 0; k < QUERIES; ++k)
  {
    int i = a->backward ? QUERIES - 1 - k : k;
    orc_random r = { (uint64_t)i };
    double x[3], y[3];
    sq_mesh_hit hit;
    sq_mesh_crossing crossing;
    for (int d = 0; d < 3; ++d)
    {
      x[d] = orc_between(&r, -0.3, 1.3);
      y[d] = orc_between(&r, -0.3, 1.3);
    }
    hit.distance = crossing.t = 0.0;
    (void)sq_mesh_query_closest(q, x, (double)INFINITY, &hit);
    a->cell[0][i] = hit.cell, a->number[0][i] = hit.distance;
    (void)sq_mesh_query_containing(q, x, SQ_TOLERANCE_RELATIVE, 1e-6, &hit);
    a->cell[1][i] = hit.cell, a->number[1][i] = hit.cell < 0 ? 0.0 : hit.weights[0];
    (void)sq_mesh_query_first_crossing(q, x, y, 0.0, &crossing, NULL);
    a->cell[2][i] = crossing.cell, a->number[2][i] = crossing.cell < 0 ? 0.0 : crossing.t;
  }
  sq_mesh_query_destroy(q);
  sq_context_destroy(c);
  return NULL;
}

/** Several threads at once, in both orders: the same bits. */
static void threads(void)
{
  static answers a[7];
  pthread_t thread[7];
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 6, 3);
  sq_cells b = sqt_cells_of_zoo(&zoo);
  sqt_asker asker = sqt_asker_open(&b, 1);
  for (int t = 0; t < 7; ++t)
  {
    memset(a + t, 0, sizeof(a[t]));
    a[t].asker = &asker;
    a[t].backward = t % 2;
    CHECK(pthread_create(thread + t, NULL, answer, a + t) == 0);
  }
  for (int t = 0; t < 7; ++t)
  {
    CHECK(pthread_join(thread[t], NULL) == 0);
  }
  int64_t found = 0;
  for (int k = 0; k < 3; ++k)
  {
    for (int t = 1; t < 7; ++t)
    {
      CHECK_SAME(a[t].cell[k], a[0].cell[k], QUERIES);
      CHECK_SAME(a[t].number[k], a[0].number[k], QUERIES);
    }
    for (int i = 0; i < QUERIES; ++i)
    {
      found += a[0].cell[k][i] >= 0;
    }
  }
  CHECK(found > QUERIES);
  sqt_asker_close(&asker);
  orc_zoo_free(&zoo);
}

static const sqt_case cases[] = {
  { "memory runs out", memory_runs_out },
  { "no allocation per query", no_allocation_per_query },
  { "threads", threads },
};
SQT_MAIN(cases)
