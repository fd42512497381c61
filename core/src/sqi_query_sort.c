/** Points in their order along the curve. */
#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_query_order.h"
#include "sqi_sort.h"
#include "sqi_view.h"

#include <math.h>

/** Points of one chunk. */
#define CHUNK 8192

typedef struct block
{
  const sqi_ordering* ordering;
  const sq_points* points;
  int64_t first;
  sqi_curve curve;
  uint32_t* order;
} block;

sq_status sqi_ordering_open(sq_context* context, int64_t capacity, sqi_ordering* ordering)
{
  ordering->capacity = capacity;
  ordering->bounds = NULL;
  sq_status status = SQI_NEW(context, &ordering->keys, capacity);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &ordering->bounds, 6 * (int64_t)sq_context_threads(context));
  }
  if (status != SQ_OK)
  {
    sqi_ordering_close(context, ordering);
  }
  return status;
}

void sqi_ordering_close(sq_context* context, sqi_ordering* ordering)
{
  SQI_FREE(context, ordering->keys, ordering->capacity);
  SQI_FREE(context, ordering->bounds, 6 * (int64_t)sq_context_threads(context));
  ordering->keys = NULL;
  ordering->bounds = NULL;
}

static sq_status bounds_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const block* b = (const block*)data;
  double* bounds = b->ordering->bounds + 6 * (int64_t)thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_point_padded(b->points, b->first + i, x);
    for (int d = 0; d < 3; ++d)
    {
      bounds[d] = x[d] < bounds[d] ? x[d] : bounds[d];
      bounds[3 + d] = x[d] > bounds[3 + d] ? x[d] : bounds[3 + d];
    }
  }
  return SQ_OK;
}

static sq_status keys_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const block* b = (const block*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_point_padded(b->points, b->first + i, x);
    b->ordering->keys[i] = sqi_curve_key(&b->curve, x);
    b->order[i] = (uint32_t)i;
  }
  return SQ_OK;
}

sq_status sqi_ordering_block(sq_context* context, sqi_ordering* ordering, const sq_points* points,
  int64_t first, int64_t count, const double lo[3], const double hi[3], uint32_t* order)
{
  block b = { ordering, points, first, { { 0.0, 0.0, 0.0 }, 0.0 }, order };
  double* bounds = ordering->bounds;
  int32_t threads = sq_context_threads(context);
  for (int64_t i = 0; i < 6 * (int64_t)threads; ++i)
  {
    bounds[i] = i % 6 < 3 ? HUGE_VAL : -HUGE_VAL;
  }
  sq_status status = sqi_parallel_for(context, count, CHUNK, bounds_body, &b);
  for (int64_t t = 1; t < threads; ++t)
  {
    for (int d = 0; d < 3; ++d)
    {
      bounds[d] = fmin(bounds[d], bounds[6 * t + d]);
      bounds[3 + d] = fmax(bounds[3 + d], bounds[6 * t + 3 + d]);
    }
  }
  b.curve = sqi_curve_of(bounds, bounds + 3, lo, hi);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, keys_body, &b) : status;
  return status == SQ_OK ? sqi_sort(context, ordering->keys, order, count, 3 * SQI_CURVE_BITS)
                         : status;
}
