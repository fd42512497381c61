#include "sqi_locate_order.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_query_order.h"
#include "sqi_sort.h"
#include "sqi_view.h"

/** Queries of one chunk. */
#define CHUNK 8192

typedef struct ordering
{
  const sq_points* queries;
  int64_t first; /* of the block at work */
  sqi_curve curve;
  double* bounds; /* 6 a thread */
  uint64_t* keys;
  uint32_t* order; /* of the block */
} ordering;

static sq_status bounds_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  ordering* o = (ordering*)data;
  double* bounds = o->bounds + 6 * (int64_t)thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_point(o->queries, o->first + i, x);
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
  ordering* o = (ordering*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    sqi_point(o->queries, o->first + i, x);
    o->keys[i] = sqi_curve_key(&o->curve, x);
    o->order[i] = (uint32_t)i;
  }
  return SQ_OK;
}

static sq_status order_block(sq_context* context, ordering* o, int64_t count, const sqi_bvh* bvh)
{
  int32_t threads = sq_context_threads(context);
  for (int32_t i = 0; i < 6 * threads; ++i)
  {
    o->bounds[i] = i % 6 < 3 ? HUGE_VAL : -HUGE_VAL;
  }
  sq_status status = sqi_parallel_for(context, count, CHUNK, bounds_body, o);
  for (int32_t t = 1; t < threads; ++t)
  {
    for (int d = 0; d < 3; ++d)
    {
      o->bounds[d] = fmin(o->bounds[d], o->bounds[6 * t + d]);
      o->bounds[3 + d] = fmax(o->bounds[3 + d], o->bounds[6 * t + 3 + d]);
    }
  }
  o->curve = sqi_curve_of(o->bounds, o->bounds + 3, bvh->lo, bvh->hi);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, keys_body, o) : status;
  return status == SQ_OK ? sqi_sort(context, o->keys, o->order, count, 3 * SQI_CURVE_BITS) : status;
}

sq_status sqi_locate_order(
  sq_context* context, const sq_points* queries, const sqi_bvh* bvh, uint32_t* order)
{
  ordering o = { queries, 0, { { 0.0 }, 0.0 }, NULL, NULL, NULL };
  int64_t room = queries->count < SQI_LOCATE_BLOCK ? queries->count : SQI_LOCATE_BLOCK;
  int64_t threads = sq_context_threads(context);
  sq_status status = SQI_NEW(context, &o.bounds, 6 * threads);
  status = status == SQ_OK ? SQI_NEW(context, &o.keys, room) : status;
  while (status == SQ_OK && o.first < queries->count)
  {
    int64_t left = queries->count - o.first;
    o.order = order + o.first;
    status = order_block(context, &o, left < room ? left : room, bvh);
    o.first += room;
  }
  SQI_FREE(context, o.bounds, 6 * threads);
  SQI_FREE(context, o.keys, room);
  return status;
}
