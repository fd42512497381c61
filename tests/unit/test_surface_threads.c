/** The same bits for any number of threads, any order of the queries, any chunking, and on a grid. */
#include "orc_queries.h"
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 6000

typedef struct run
{
  orc_mesh mesh;
  double* x; /* QUERIES, of all kinds */
  sq_context* context;
  sq_surface* surface; /* built with one thread */
  sqt_answers want;
} run;

static run start(const char* name)
{
  run r;
  r.mesh = orc_suite_make(name);
  r.x = (double*)malloc(3 * QUERIES * sizeof(double));
  int64_t each = QUERIES / ORC_QUERY_KINDS;
  for (int kind = 0; kind < ORC_QUERY_KINDS; ++kind)
  {
    int64_t from = kind * each;
    int64_t n = kind + 1 == ORC_QUERY_KINDS ? QUERIES - from : each;
    orc_make_queries(&r.mesh, (orc_query_kind)kind, n, 31, r.x + 3 * from);
  }
  r.context = sqt_context(1, NULL, NULL);
  r.surface = sqt_build_mesh(r.context, &r.mesh);
  r.want = sqt_distances(r.context, r.surface, r.x, QUERIES, NULL);
  return r;
}

static void stop(run* r)
{
  sqt_answers_free(&r->want);
  sq_surface_destroy(r->surface);
  sq_context_destroy(r->context);
  orc_mesh_free(&r->mesh);
  free(r->x);
}

static const char* const names[] = { "torus", "rough sphere", "plane", "random triangles",
  "every triangle thrice", "needles 1e-13", "sheets 1e-9 apart", "cube", "shrinking chain" };
enum
{
  NAMES = sizeof(names) / sizeof(*names)
};

static void threads(void)
{
  const int counts[] = { 1, 2, 7 };
  for (int m = 0; m < NAMES; ++m)
  {
    run r = start(names[m]);
    for (int built = 0; built < 3; ++built)
    {
      sq_context* b = sqt_context(counts[built], NULL, NULL);
      sq_surface* s = sqt_build_mesh(b, &r.mesh);
      for (int asked = 0; asked < 3; ++asked)
      {
        sq_context* c = sqt_context(counts[asked], NULL, NULL);
        sqt_answers a = sqt_distances(c, s, r.x, QUERIES, NULL);
        CHECK_TEXT(sqt_answers_equal(&a, &r.want), "%s: built with %d, asked with %d threads",
          names[m], counts[built], counts[asked]);
        sqt_answers_free(&a);
        sq_context_destroy(c);
      }
      sq_surface_destroy(s);
      sq_context_destroy(b);
    }
    stop(&r);
  }
}

static void copy_answer(const sqt_answers* from, int64_t i, sqt_answers* to, int64_t j)
{
  to->distance[j] = from->distance[i];
  to->cell[j] = from->cell[i];
  to->block[j] = from->block[i];
  to->sub[j] = from->sub[i];
  to->valid[j] = from->valid[i];
  memcpy(to->closest + 3 * j, from->closest + 3 * i, 24);
  memcpy(to->barycentric + 3 * j, from->barycentric + 3 * i, 24);
  memcpy(to->gradient + 3 * j, from->gradient + 3 * i, 24);
}

static void shuffled(void)
{
  for (int m = 0; m < NAMES; ++m)
  {
    run r = start(names[m]);
    orc_random random = { 99 };
    int64_t* order = (int64_t*)malloc(QUERIES * sizeof(*order));
    double* x = (double*)malloc(3 * QUERIES * sizeof(*x));
    for (int64_t i = 0; i < QUERIES; ++i)
    {
      int64_t j = orc_below(&random, i + 1);
      order[i] = i;
      order[i] = order[j];
      order[j] = i;
    }
    for (int64_t i = 0; i < QUERIES; ++i)
    {
      memcpy(x + 3 * i, r.x + 3 * order[i], 24);
    }
    sq_context* c = sqt_context(2, NULL, NULL);
    sqt_answers a = sqt_distances(c, r.surface, x, QUERIES, NULL);
    sqt_answers back = sqt_answers_new(QUERIES);
    for (int64_t i = 0; i < QUERIES; ++i)
    {
      copy_answer(&a, i, &back, order[i]);
    }
    CHECK_TEXT(sqt_answers_equal(&back, &r.want), "%s", names[m]);
    sqt_answers_free(&a);
    sqt_answers_free(&back);
    sq_context_destroy(c);
    free(order);
    free(x);
    stop(&r);
  }
}

/** One call a query, without neighbours to seed it. */
static void one_by_one(void)
{
  for (int m = 0; m < NAMES; ++m)
  {
    run r = start(names[m]);
    sqt_answers one_each = sqt_answers_new(QUERIES);
    for (int64_t i = 0; i < QUERIES; i += 13)
    {
      sqt_answers a = sqt_distances(r.context, r.surface, r.x + 3 * i, 1, NULL);
      copy_answer(&r.want, i, &one_each, 0);
      one_each.count = 1;
      CHECK_TEXT(sqt_answers_equal(&a, &one_each), "%s, query %lld", names[m], (long long)i);
      sqt_answers_free(&a);
    }
    sqt_answers_free(&one_each);
    stop(&r);
  }
}

/** The grid call has the bits of the point call; float32 is its rounding. */
static void grid_is_points(void)
{
  const sq_grid g = { { -1.7, -1.6, -0.9 }, { 0.13, 0.11, 0.07 }, { -2, 0, 3 }, { 25, 29, 23 } };
  enum
  {
    NX = 28,
    NY = 30,
    NZ = 21,
    N = NX * NY * NZ
  };
  double* x = (double*)malloc(3 * N * sizeof(*x));
  double* d = (double*)malloc(N * sizeof(*d));
  float* f = (float*)malloc(N * sizeof(*f));
  uint8_t* valid = (uint8_t*)malloc(N);
  for (int i = 0; i < N; ++i)
  {
    const int at[3] = { i % NX, i / NX % NY, i / NX / NY };
    for (int k = 0; k < 3; ++k)
    {
      x[3 * i + k] = g.origin[k] + (double)(g.lo[k] + at[k]) * g.spacing[k];
    }
  }
  for (int m = 0; m < NAMES; ++m)
  {
    for (int limited = 0; limited < 3; ++limited)
    {
      run r = start(names[m]);
      sq_context* c = sqt_context(2, NULL, NULL);
      sq_distance_options o = sq_distance_options_default();
      o.max_distance = limited ? 0.25 : (double)INFINITY;
      o.out_of_band = limited == 2 ? SQ_OUT_OF_BAND_SIGNED_MAX : SQ_OUT_OF_BAND_NAN;
      sqt_answers a = sqt_distances(c, r.surface, x, N, &o);
      CHECK_STATUS(sq_surface_distance_grid(c, r.surface, &g, &o, SQ_FLOAT64, d, valid), SQ_OK);
      CHECK_TEXT(CHECK_SAME(d, a.distance, N), "%s", names[m]);
      CHECK_TEXT(CHECK_SAME(valid, a.valid, N), "%s", names[m]);
      CHECK_STATUS(sq_surface_distance_grid(c, r.surface, &g, &o, SQ_FLOAT32, f, NULL), SQ_OK);
      int64_t wrong = 0;
      for (int i = 0; i < N; ++i)
      {
        wrong += isnan(d[i]) ? f[i] == f[i] : f[i] != (float)d[i];
      }
      CHECK_INT(wrong, 0);
      sqt_answers_free(&a);
      sq_context_destroy(c);
      stop(&r);
    }
  }
  free(x);
  free(d);
  free(f);
  free(valid);
}

/** float32 queries are answered as the doubles that they are. */
static void float_queries(void)
{
  run r = start("torus");
  float* f = (float*)malloc(3 * QUERIES * sizeof(*f));
  for (int64_t i = 0; i < 3 * QUERIES; ++i)
  {
    f[i] = (float)r.x[i];
    r.x[i] = (double)f[i];
  }
  sqt_answers want = sqt_distances(r.context, r.surface, r.x, QUERIES, NULL);
  sqt_answers got = sqt_answers_new(QUERIES);
  sq_distance_outputs o = sqt_answers_outputs(&got);
  sq_points q = { f, QUERIES, SQ_FLOAT32, 3 };
  CHECK_STATUS(sq_surface_distance(r.context, r.surface, &q, NULL, &o), SQ_OK);
  sqt_answers_equal(&got, &want);
  sqt_answers_free(&want);
  sqt_answers_free(&got);
  free(f);
  stop(&r);
}

static const sqt_case cases[] = {
  { "threads", threads },
  { "shuffled", shuffled },
  { "one by one", one_by_one },
  { "grid is points", grid_is_points },
  { "float queries", float_queries },
};
SQT_MAIN(cases)
