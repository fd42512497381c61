/** The point nearest to a place, without a search structure. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_context.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void known_answers(void)
{
  const double p[] = { NAN, 0, 0, 3, 0, 0, 0, 4, 0, 3, 0, 0, INFINITY, 0, 0 };
  const float flat[] = { 6.0f, 9.0f, 5.0f, 2.0f };
  const double at[3] = { 2.5, 0, 0 }, high[3] = { 5, 1, 100 }, nowhere[3] = { NAN, 0, 0 };
  int64_t id = 9;
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points points = { p, 5, SQ_FLOAT64, 3 };
  CHECK_STATUS(sq_nearest_point(c, &points, at, &id), SQ_OK);
  CHECK(id == 1); /* and not 3, which is as near */
  CHECK_STATUS(sq_nearest_point(c, &points, nowhere, &id), SQ_OK);
  CHECK(id == -1);
  points.count = 1;
  CHECK_STATUS(sq_nearest_point(c, &points, at, &id), SQ_OK);
  CHECK(id == -1);
  sq_points two = { flat, 2, SQ_FLOAT32, 2 };
  CHECK_STATUS(sq_nearest_point(c, &two, high, &id), SQ_OK);
  CHECK(id == 1);
  two.count = 0;
  CHECK_STATUS(sq_nearest_point(c, &two, high, &id), SQ_OK);
  CHECK(id == -1);
  sq_context_destroy(c);
}

/** Lattice points, so that many are equally near. */
static void any_thread_count(void)
{
  enum
  {
    N = 70000
  };
  double* p = (double*)malloc(3 * N * sizeof(*p));
  orc_random r = { 5 };
  for (int i = 0; i < 3 * N; ++i)
  {
    p[i] = (double)orc_below(&r, 20);
  }
  for (int q = 0; q < 40; ++q)
  {
    const double x[3] = { orc_between(&r, -1, 21), (double)orc_below(&r, 20), 9.5 };
    int64_t want = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < N; ++i)
    {
      double d = 0.0;
      for (int k = 0; k < 3; ++k)
      {
        d += (p[3 * i + k] - x[k]) * (p[3 * i + k] - x[k]);
      }
      want = d < least ? i : want;
      least = d < least ? d : least;
    }
    for (int threads = 1; threads <= 7; threads += 3)
    {
      int64_t id = -1;
      sq_context* c = sqt_context(threads, NULL, NULL);
      sq_points points = { p, N, SQ_FLOAT64, 3 };
      CHECK_STATUS(sq_nearest_point(c, &points, x, &id), SQ_OK);
      CHECK(id == want);
      sq_context_destroy(c);
    }
  }
  free(p);
}

static void arguments(void)
{
  const double p[] = { 0, 0, 0 };
  int64_t id = 4;
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_points points = { p, 1, SQ_FLOAT64, 3 };
  CHECK_STATUS(sq_nearest_point(NULL, &points, p, &id), SQ_INVALID_ARGUMENT);
  CHECK(id == -1);
  CHECK_STATUS(sq_nearest_point(c, NULL, p, &id), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_nearest_point(c, &points, NULL, &id), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_nearest_point(c, &points, p, NULL), SQ_INVALID_ARGUMENT);
  CHECK(*sq_context_message(c));
  points.dimension = 4;
  CHECK_STATUS(sq_nearest_point(c, &points, p, &id), SQ_INVALID_ARGUMENT);
  sq_context_destroy(c);
}

static sq_status search(sq_context* c, void* data)
{
  const double x[3] = { 1, 2, 3 };
  int64_t id = 5;
  sq_status s = sq_nearest_point(c, (const sq_points*)data, x, &id);
  CHECK(s == SQ_OK ? id >= 0 : id == -1);
  return s;
}

static void failures(void)
{
  double* p = (double*)calloc(3 * 50000, sizeof(*p));
  sq_points points = { p, 50000, SQ_FLOAT64, 3 };
  sqt_sweep_memory("nearest point", search, &points, 1);
  sqt_sweep_cancel("nearest point", search, &points, 1);
  free(p);
}

static const sqt_case cases[] = {
  { "known answers", known_answers },
  { "any thread count", any_thread_count },
  { "arguments", arguments },
  { "failures", failures },
};
SQT_MAIN(cases)
