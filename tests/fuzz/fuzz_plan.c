/** The arrays of a plan with any numbers in them, against trees that they do not fit. */
#include "fuzz_input.h"
#include "sq_test.h"
#include "sqt_tree.h"

#include "spatialqueries/sq_plan_evaluate.h"

#include <stdlib.h>

#define LENGTH 12
#define ARRAYS 11
#define POINTS 7

typedef struct trees
{
  sq_context* context;
  sq_cluster_tree* targets;
  sq_cluster_tree* sources;
  sq_aggregates* of_targets;
  sq_aggregates* of_sources;
} trees;

static void build(trees* t, int64_t sources)
{
  const sq_points p = sqt_golden_points(1, SQ_FLOAT32, POINTS, 3);
  const sq_cluster_tree_options o = { 2, SQ_NON_FINITE_REJECT };
  sq_points few = p;
  few.count = sources;
  t->context = sqt_context(1, NULL, NULL);
  CHECK_STATUS(sq_cluster_tree_build(t->context, &p, NULL, &o, &t->targets), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_build(t->context, &few, NULL, &o, &t->sources), SQ_OK);
  CHECK_STATUS(
    sq_aggregates_build(t->context, t->targets, NULL, SQ_FLOAT32, NULL, 0, 0, &t->of_targets),
    SQ_OK);
  CHECK_STATUS(
    sq_aggregates_build(t->context, t->sources, NULL, SQ_FLOAT32, NULL, 0, 0, &t->of_sources),
    SQ_OK);
  free((void*)(uintptr_t)p.data);
}

static void destroy(trees* t)
{
  sq_aggregates_destroy(t->of_targets);
  sq_aggregates_destroy(t->of_sources);
  sq_cluster_tree_destroy(t->targets);
  sq_cluster_tree_destroy(t->sources);
  sq_context_destroy(t->context);
}

/** Lengths that are wrong only where nothing would be read by them. */
static int64_t take_length(fuzz_bytes* bytes)
{
  int b = fuzz_byte(bytes);
  return b == 255 ? -1 : b % LENGTH;
}

/** Each array on the heap, as long as the view says. */
static void take_plan(fuzz_bytes* bytes, int64_t* arrays[ARRAYS], sq_plan_view* v)
{
  int64_t length[5];
  static const int which[ARRAYS] = { 0, 0, 1, 1, 2, 2, 4, 2, 2, 3, 3 };
  for (int i = 0; i < 5; ++i)
  {
    length[i] = take_length(bytes);
  }
  for (int i = 0; i < ARRAYS; ++i)
  {
    int64_t n = length[which[i]];
    arrays[i] = n > 0 ? (int64_t*)malloc((size_t)n * sizeof(**arrays)) : NULL;
    for (int64_t k = 0; k < n; ++k)
    {
      int64_t number = fuzz_number(bytes);
      arrays[i][k] = number >= 0 && number < 64 ? number % 16 : number;
    }
  }
  const sq_plan_view view = { length[0], length[1], length[2], length[3], length[4], arrays[0],
    arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], arrays[6], arrays[7], arrays[8],
    arrays[9], arrays[10] };
  *v = view;
}

void fuzz_input(const uint8_t* data, size_t size)
{
  fuzz_bytes bytes = { data, size };
  trees t;
  sq_plan_view v;
  int64_t* arrays[ARRAYS];
  double potential[POINTS];
  build(&t, fuzz_below(&bytes, POINTS + 1));
  take_plan(&bytes, arrays, &v);
  sq_plan_field field = { sq_kernel_default(), NULL, SQ_FLOAT32, t.of_sources, t.of_targets };
  sq_status loose = sq_plan_validate(t.context, &v, NULL, NULL);
  sq_status strict = sq_plan_validate(t.context, &v, t.targets, t.sources);
  sq_status used = sq_plan_evaluate_stored(t.context, &v, t.targets, t.sources, &field, potential);
  CHECK(loose == SQ_OK || loose == SQ_INVALID_DATA || loose == SQ_INVALID_ARGUMENT);
  CHECK(strict != SQ_OK || (loose == SQ_OK && used == SQ_OK));
  CHECK(used == SQ_OK || *sq_context_message(t.context));
  for (int i = 0; i < ARRAYS; ++i)
  {
    free(arrays[i]);
  }
  destroy(&t);
}
