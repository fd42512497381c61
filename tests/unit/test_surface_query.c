/** Single distances: the bits of sq_surface_distance(), no allocation, threads, memory that runs out. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_surface_query.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define QUERIES 60

static sq_surface_query* query_of(
  sq_context* c, const sq_surface* surface, const sq_distance_options* options)
{
  sq_surface_query* q = NULL;
  sq_status s = sq_surface_query_create(c, surface, options, &q);
  CHECK_TEXT(s == SQ_OK, "query: %s", sq_context_message(c));
  CHECK((q != NULL) == (s == SQ_OK));
  return q;
}

/** The outputs of query i. */
static sq_distance_outputs outputs_at(const sqt_answers* a, int64_t i)
{
  sq_distance_outputs o;
  memset(&o, 0, sizeof(o));
  o.distance = a->distance + i;
  o.closest_point = a->closest + 3 * i;
  o.barycentric = a->barycentric + 3 * i;
  o.gradient = a->gradient + 3 * i;
  o.cell = a->cell + i;
  o.block = a->block + i;
  o.sub = a->sub + i;
  o.valid = a->valid + i;
  return o;
}

static void check_options(sq_context* c, const sq_surface* surface, const double* x,
  const sq_distance_options* o, const char* name)
{
  sqt_answers want = sqt_distances(c, surface, x, QUERIES, o);
  sqt_answers got = sqt_answers_new(QUERIES);
  sq_surface_query* q = query_of(c, surface, o);
  for (int64_t i = 0; q && i < QUERIES; ++i)
  {
    sq_distance_outputs out = outputs_at(&got, i);
    CHECK_STATUS(sq_surface_query_distance(q, x + 3 * i, &out), SQ_OK);
  }
  CHECK_TEXT(sqt_answers_equal(&got, &want), "%s, method %d, limit %g", name, (int)o->sign_method,
    o->max_distance);
  sq_surface_query_destroy(q);
  sqt_answers_free(&got);
  sqt_answers_free(&want);
}

static void same_bits(void)
{
  for (int i = 0; i < orc_suite_count; i += 3)
  {
    double x[3 * QUERIES];
    orc_mesh m = orc_suite[i].make();
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* surface = sqt_build_mesh(c, &m);
    for (int kind = 0; kind < ORC_QUERY_KINDS; kind += 2)
    {
      orc_make_queries(&m, (orc_query_kind)kind, QUERIES, 5, x);
      x[4] = (double)NAN;
      x[9] = (double)INFINITY;
      for (int method = 0; method < 4; ++method)
      {
        sq_distance_options o = sq_distance_options_default();
        o.sign_method = (sq_sign_method)method;
        o.flip_inside_out = kind % 4 == 0;
        check_options(c, surface, x, &o, orc_suite[i].name);
        o.max_distance = 0.01 * orc_diagonal(&m);
        o.out_of_band = (sq_out_of_band)(method % 2);
        check_options(c, surface, x, &o, orc_suite[i].name);
      }
    }
    sq_surface_destroy(surface);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
}

static void nothing(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* empty = NULL;
  CHECK_STATUS(sq_surface_build(c, NULL, 0, NULL, &empty), SQ_OK);
  sq_surface_query* q = query_of(c, empty, NULL);
  const double x[3] = { 1, 2, 3 };
  double d = 0.0;
  uint8_t valid = 7;
  sq_distance_outputs o;
  memset(&o, 0, sizeof(o));
  CHECK_STATUS(sq_surface_query_distance(q, x, &o), SQ_OK);
  o.distance = &d;
  o.valid = &valid;
  CHECK_STATUS(sq_surface_query_distance(q, x, &o), SQ_OK);
  CHECK(isnan(d) && valid == 0);
  /* Wrong arguments. */
  sq_surface_query* none = q;
  sq_distance_options bad = sq_distance_options_default();
  CHECK_STATUS(sq_surface_query_distance(NULL, x, &o), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_query_distance(q, NULL, &o), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_query_distance(q, x, NULL), SQ_INVALID_ARGUMENT);
  o.winding_number = &d;
  CHECK_STATUS(sq_surface_query_distance(q, x, &o), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_query_create(c, NULL, NULL, &none), SQ_INVALID_ARGUMENT);
  CHECK(none == NULL);
  CHECK_STATUS(sq_surface_query_create(c, empty, NULL, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_surface_query_create(NULL, empty, NULL, &none), SQ_INVALID_ARGUMENT);
  bad.max_distance = -1.0;
  CHECK_STATUS(sq_surface_query_create(c, empty, &bad, &none), SQ_INVALID_ARGUMENT);
  CHECK(strstr(sq_context_message(c), "max_distance") != NULL);
  sq_surface_query_destroy(NULL);
  sq_surface_query_destroy(q);
  sq_surface_destroy(empty);
  sq_context_destroy(c);
}

static sq_status create(sq_context* c, void* data)
{
  sq_surface* surface = NULL;
  sq_surface_query* q = NULL;
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = SQ_SIGN_WINDING_NUMBER;
  sq_status s = sq_surface_build(c, (const sq_cells*)data, 1, NULL, &surface);
  s = s == SQ_OK ? sq_surface_query_create(c, surface, &o, &q) : s;
  CHECK((q != NULL) == (s == SQ_OK));
  sq_surface_query_destroy(q);
  sq_surface_destroy(surface);
  return s;
}

/** Once made, a query asks for no memory; and it lives on without its context. */
static void memory(void)
{
  orc_mesh m = orc_suite_make("open box");
  sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
  sqt_sweep_memory("surface query", create, &v.cells, 3);
  sqt_memory counted;
  memset(&counted, 0, sizeof(counted));
  sq_context* c = sqt_context(2, &counted, NULL);
  sq_surface* surface = sqt_build(c, &v.cells);
  sq_surface_query* q = query_of(c, surface, NULL);
  sq_context_destroy(c);
  int64_t before = counted.calls;
  for (int i = 0; i < 100; ++i)
  {
    const double x[3] = { 0.01 * i, 0.3, 0.2 };
    double d = (double)NAN;
    sq_distance_outputs o;
    memset(&o, 0, sizeof(o));
    o.distance = &d;
    CHECK_STATUS(sq_surface_query_distance(q, x, &o), SQ_OK);
    CHECK(isfinite(d));
  }
  CHECK_INT(counted.calls, before);
  sq_surface_query_destroy(q);
  sq_surface_destroy(surface);
  CHECK(sqt_memory_is_clean(&counted));
  sqt_view_free(&v);
  orc_mesh_free(&m);
}

typedef struct asked
{
  const sq_surface* surface;
  int backward;
  double distance[2000];
} asked;

static void* ask(void* data)
{
  asked* a = (asked*)data;
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface_query* q = NULL;
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = SQ_SIGN_WINDING_NUMBER;
  if (sq_surface_query_create(c, a->surface, &o, &q) == SQ_OK)
  {
    for (int k = 0; k < 2000; ++k)
    {
      int i = a->backward ? 1999 - k : k;
      const double x[3] = { cos(0.7 * i), sin(0.9 * i), cos(1.1 * i) };
      sq_distance_outputs out;
      memset(&out, 0, sizeof(out));
      out.distance = a->distance + i;
      (void)sq_surface_query_distance(q, x, &out);
    }
  }
  sq_surface_query_destroy(q);
  sq_context_destroy(c);
  return NULL;
}

/** Several threads at once, the first of which prepares the winding number. */
static void threads(void)
{
  static asked a[7];
  pthread_t thread[7];
  orc_mesh m = orc_suite_make("overlapping cubes");
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* surface = sqt_build_mesh(c, &m);
  for (int t = 0; t < 7; ++t)
  {
    a[t].surface = surface;
    a[t].backward = t % 2;
    CHECK(pthread_create(thread + t, NULL, ask, a + t) == 0);
  }
  for (int t = 0; t < 7; ++t)
  {
    CHECK(pthread_join(thread[t], NULL) == 0);
    CHECK_SAME(a[t].distance, a[0].distance, 2000);
  }
  sq_surface_destroy(surface);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

static const sqt_case cases[] = {
  { "same bits", same_bits },
  { "nothing", nothing },
  { "memory", memory },
  { "threads", threads },
};
SQT_MAIN(cases)
