/** Contexts: options, threads, messages, allocation. */
#include "sq_test.h"
#include "sqt_surface.h"

#include <stdlib.h>
#include <string.h>

static void arguments(void)
{
  CHECK_STATUS(sq_context_create(NULL, NULL), SQ_INVALID_ARGUMENT);
  sq_context* c = NULL;
  CHECK_STATUS(sq_context_create(NULL, &c), SQ_OK);
  REQUIRE(c);
  CHECK(!strcmp(sq_context_message(c), ""));
  CHECK(sq_context_threads(c) >= 1);
  sq_context_destroy(c);
  sq_context_destroy(NULL);
  CHECK(sq_context_message(NULL) != NULL);
  const int32_t wrong[] = { -1, SQ_THREADS_MAX + 1, INT32_MIN, INT32_MAX };
  for (int i = 0; i < 4; ++i)
  {
    sq_context_options o = sq_context_options_default();
    o.threads = wrong[i];
    c = (sq_context*)&o;
    CHECK_STATUS(sq_context_create(&o, &c), SQ_INVALID_ARGUMENT);
    CHECK(!c);
  }
}

static void half_an_allocator(void)
{
  sqt_memory memory = { 0 };
  sq_allocator a = sqt_memory_allocator(&memory);
  for (int i = 0; i < 2; ++i)
  {
    sq_context_options o = sq_context_options_default();
    o.allocator.user = &memory;
    o.allocator.allocate = i ? NULL : a.allocate;
    o.allocator.release = i ? a.release : NULL;
    sq_context* c = (sq_context*)&o;
    CHECK_STATUS(sq_context_create(&o, &c), SQ_INVALID_ARGUMENT);
    CHECK(!c);
  }
  sqt_memory_is_clean(&memory);
}

static void threads(void)
{
  unsetenv("SQ_NUM_THREADS");
  for (int32_t n = 1; n < 9; ++n)
  {
    sq_context* c = sqt_context(n, NULL, NULL);
    CHECK_INT(sq_context_threads(c), n);
    sq_context_destroy(c);
  }
  setenv("SQ_NUM_THREADS", "3", 1);
  sq_context* c = sqt_context(7, NULL, NULL);
  CHECK_INT(sq_context_threads(c), 3);
  sq_context_destroy(c);
  c = sqt_context(2, NULL, NULL);
  CHECK_INT(sq_context_threads(c), 2);
  sq_context_destroy(c);
  c = sqt_context(0, NULL, NULL);
  CHECK(sq_context_threads(c) >= 1 && sq_context_threads(c) <= 3);
  sq_context_destroy(c);
  const char* const no_number[] = { "", "many", "-2", "0" };
  for (int i = 0; i < 4; ++i)
  {
    setenv("SQ_NUM_THREADS", no_number[i], 1);
    c = sqt_context(5, NULL, NULL);
    CHECK_INT(sq_context_threads(c), 5);
    sq_context_destroy(c);
  }
  unsetenv("SQ_NUM_THREADS");
}

static void out_of_memory(void)
{
  sqt_memory memory = { 0 };
  memory.fail_from = 1;
  memory.fail_count = 1;
  sq_context_options o = sq_context_options_default();
  o.allocator = sqt_memory_allocator(&memory);
  sq_context* c = (sq_context*)&o;
  CHECK_STATUS(sq_context_create(&o, &c), SQ_OUT_OF_MEMORY);
  CHECK(!c);
  CHECK_STATUS(sq_context_create(&o, &c), SQ_OK);
  sq_context_destroy(c);
  sqt_memory_is_clean(&memory);
}

/** A message comes with an error, is one line, and goes with the next success. */
static void messages(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  orc_mesh cube = orc_suite_make("cube");
  sqt_view v = sqt_view_of(&cube, SQ_FLOAT64, SQ_INT64);
  v.cells.points.dimension = 2;
  sq_surface* s = NULL;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, NULL, &s), SQ_INVALID_ARGUMENT);
  CHECK(strlen(sq_context_message(c)) > 10 && !strchr(sq_context_message(c), '\n'));
  v.cells.points.dimension = 3;
  CHECK_STATUS(sq_surface_build(c, &v.cells, 1, NULL, &s), SQ_OK);
  CHECK(!strcmp(sq_context_message(c), ""));
  CHECK(sq_context_peak_bytes(c) > 0);
  sq_surface_destroy(s);
  sqt_view_free(&v);
  orc_mesh_free(&cube);
  sq_context_destroy(c);
}

/** A surface outlives the context it was built with, and answers another one. */
static void handles_outlive_contexts(void)
{
  sqt_memory memory = { 0 };
  sq_context* c = sqt_context(2, &memory, NULL);
  orc_mesh cube = orc_suite_make("cube");
  sq_surface* s = sqt_build_mesh(c, &cube);
  sq_context_destroy(c);
  const double x[3] = { 0.5, 0.5, 3.0 };
  c = sqt_context(1, NULL, NULL);
  sqt_answers a = sqt_distances(c, s, x, 1, NULL);
  CHECK_NEAR(a.distance[0], 2.0, 0.0);
  sqt_answers_free(&a);
  sq_context_destroy(c);
  sq_surface_destroy(s);
  orc_mesh_free(&cube);
  sqt_memory_is_clean(&memory);
}

static const sqt_case cases[] = {
  { "arguments", arguments },
  { "half an allocator", half_an_allocator },
  { "threads", threads },
  { "out of memory", out_of_memory },
  { "messages", messages },
  { "handles outlive contexts", handles_outlive_contexts },
};
SQT_MAIN(cases)
