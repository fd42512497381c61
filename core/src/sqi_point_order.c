/** Points in their order along a Morton curve, by sorting into buckets from the leading bits on. */
#include "sqi_alloc.h"
#include "sqi_morton.h"
#include "sqi_parallel.h"
#include "sqi_point_tree.h"
#include "sqi_view.h"

#include <string.h>

/** Bits of a key, those of the first buckets, and most of those of the buckets within one. */
#define KEY_BITS 30
#define TOP_BITS 11
#define LOW_BITS 11
#define BUCKETS (1 << TOP_BITS)
/** A bucket of more points than this is ordered like all points, by all threads. */
#define MANY (1 << 14)
/** Points with one key that are not ordered further; and how often the others are. */
#define FEW 64
#define DEEPEST 12
/** Points of a slice at most, and buckets of a chunk. */
#define SLICE (1 << 17)
#define BUCKETS_AT_ONCE 8
/** Slices for each thread, as some are done sooner. */
#define SLICES_A_THREAD 4

/** A box around finite points, and the keys in it. */
typedef struct curve
{
  double lo[3];
  double hi[3];
  double scale; /* of differences of halves */
  char padding[8];
} curve;

typedef struct ordering
{
  const sq_points* points;
  int64_t first;
  uint64_t* items; /* key << 32 | point */
  uint64_t* other;
  int64_t* starts; /* slices x BUCKETS: how many, then where the next one goes */
  curve* boxes; /* one a slice */
  int64_t (*ranges)[2]; /* parts that are still to be ordered */
  int64_t range_count;
  int64_t range_room;
  int64_t slice_room;
  int64_t begin; /* the part being ordered */
  int64_t end;
  int64_t slices;
  int fresh; /* its items are not set yet: points in turn */
  curve around;
} ordering;

static void clear_box(curve* c)
{
  for (int d = 0; d < 3; ++d)
  {
    c->lo[d] = HUGE_VAL;
    c->hi[d] = -HUGE_VAL;
  }
}

/** Adds a point, if it is finite. */
static inline void add_point(curve* c, const double x[3])
{
  /* 0 for finite numbers, else NaN. */
  double spoilt = 0.0 * x[0] + 0.0 * x[1] + 0.0 * x[2];
  for (int d = 0; d < 3; ++d)
  {
    double at = x[d] + spoilt;
    c->lo[d] = at < c->lo[d] ? at : c->lo[d];
    c->hi[d] = at > c->hi[d] ? at : c->hi[d];
  }
}

/** 0 where there is nothing to order: one place at most. */
static int set_scale(curve* c)
{
  double size = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    size = fmax(size, 0.5 * c->hi[d] - 0.5 * c->lo[d]);
  }
  c->scale = (double)(1 << KEY_BITS / 3) / size;
  return c->lo[0] <= c->hi[0] && size > 0.0;
}

/** Any key for a point that is not finite. */
static inline uint64_t key_of(const curve* c, const double x[3])
{
  const double top = (double)((1 << KEY_BITS / 3) - 1);
  uint64_t key = 0;
  for (int d = 0; d < 3; ++d)
  {
    double t = (0.5 * x[d] - 0.5 * c->lo[d]) * c->scale;
    uint64_t at = t > 0.0 ? (uint64_t)(t < top ? t : top) : 0;
    key |= sqi_morton_spread(at, 3) << (2 - d);
  }
  return key;
}

static int64_t slice_begin(const ordering* o, int64_t slice)
{
  int64_t count = o->end - o->begin;
  return o->begin + count / o->slices * slice +
    (slice < count % o->slices ? slice : count % o->slices);
}

static sq_status box_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  ordering* o = (ordering*)data;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    curve c;
    clear_box(&c);
    for (int64_t i = slice_begin(o, slice), last = slice_begin(o, slice + 1); i < last; ++i)
    {
      double x[3];
      o->items[i] = o->fresh ? (uint64_t)i : o->items[i];
      sqi_point(o->points, o->first + (int64_t)(uint32_t)o->items[i], x);
      add_point(&c, x);
    }
    o->boxes[slice] = c;
  }
  return SQ_OK;
}

static sq_status key_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const ordering* o = (const ordering*)data;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* counts = o->starts + slice * BUCKETS;
    memset(counts, 0, BUCKETS * sizeof(*counts));
    for (int64_t i = slice_begin(o, slice), last = slice_begin(o, slice + 1); i < last; ++i)
    {
      double x[3];
      uint64_t point = (uint32_t)o->items[i];
      sqi_point(o->points, o->first + (int64_t)point, x);
      uint64_t key = key_of(&o->around, x);
      o->items[i] = key << 32 | point;
      ++counts[key >> (KEY_BITS - TOP_BITS)];
    }
  }
  return SQ_OK;
}

static sq_status scatter_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const ordering* o = (const ordering*)data;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* starts = o->starts + slice * BUCKETS;
    for (int64_t i = slice_begin(o, slice), last = slice_begin(o, slice + 1); i < last; ++i)
    {
      uint64_t item = o->items[i];
      o->other[starts[item >> (32 + KEY_BITS - TOP_BITS)]++] = item;
    }
  }
  return SQ_OK;
}

/**
 * Orders `count` items of `from`, which have one key above `bits`, into `to`; runs of many that have the key below in common, too,
 * are ordered along a curve of their own.
 */
static void order_few(
  const ordering* o, uint64_t* from, uint64_t* to, int64_t count, int bits, int depth)
{
  int32_t starts[(1 << LOW_BITS) + 1];
  int used = 3;
  while (used < bits && used < LOW_BITS && ((int64_t)1 << used) < count)
  {
    ++used;
  }
  int shift = 32 + bits - used;
  uint64_t mask = ((uint64_t)1 << used) - 1;
  memset(starts, 0, ((mask + 2) * sizeof(*starts)));
  for (int64_t i = 0; i < count; ++i)
  {
    ++starts[(from[i] >> shift & mask) + 1];
  }
  for (uint64_t k = 0; k < mask; ++k)
  {
    starts[k + 1] += starts[k];
  }
  for (int64_t i = 0; i < count; ++i)
  {
    to[starts[from[i] >> shift & mask]++] = from[i];
  }
  for (uint64_t k = 0; k <= mask && depth < DEEPEST; ++k)
  {
    /* starts[k] is now where run k ends. */
    int64_t begin = k ? starts[k - 1] : 0, end = starts[k];
    curve c;
    if (end - begin <= FEW)
    {
      continue;
    }
    clear_box(&c);
    for (int64_t i = begin; i < end; ++i)
    {
      double x[3];
      sqi_point(o->points, o->first + (int64_t)(uint32_t)to[i], x);
      add_point(&c, x);
    }
    for (int64_t i = begin; i < end && set_scale(&c); ++i)
    {
      double x[3];
      sqi_point(o->points, o->first + (int64_t)(uint32_t)to[i], x);
      from[i] = key_of(&c, x) << 32 | (uint32_t)to[i];
    }
    if (set_scale(&c))
    {
      order_few(o, from + begin, to + begin, end - begin, KEY_BITS, depth + 1);
    }
  }
}

/** The items of bucket k lie from here on, once they are scattered. */
static int64_t bucket_begin(const ordering* o, int64_t k)
{
  return k ? o->starts[(o->slices - 1) * BUCKETS + k - 1] : o->begin;
}

static sq_status bucket_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const ordering* o = (const ordering*)data;
  for (int64_t k = begin; k < end; ++k)
  {
    int64_t from = bucket_begin(o, k), count = bucket_begin(o, k + 1) - from;
    if (count > MANY)
    {
      memcpy(o->items + from, o->other + from, (size_t)count * sizeof(*o->items));
    }
    else
    {
      order_few(o, o->other + from, o->items + from, count, KEY_BITS - TOP_BITS, 0);
    }
  }
  return SQ_OK;
}

/** Turns how many items a slice has in a bucket into where they go. */
static void begin_buckets(ordering* o)
{
  int64_t at = o->begin;
  for (int64_t k = 0; k < BUCKETS; ++k)
  {
    for (int64_t slice = 0; slice < o->slices; ++slice)
    {
      int64_t n = o->starts[slice * BUCKETS + k];
      o->starts[slice * BUCKETS + k] = at;
      at += n;
    }
  }
}

static int64_t slices_of(sq_context* context, int64_t count)
{
  int64_t most = (int64_t)sq_context_threads(context) * SLICES_A_THREAD;
  int64_t few = count / MANY + 1;
  most = few < most ? few : most;
  return count / SLICE + 1 > most ? count / SLICE + 1 : most;
}

/** Orders a part into buckets and these in themselves, but for large ones, which are then parts. */
static sq_status order_part(sq_context* context, ordering* o)
{
  o->slices = slices_of(context, o->end - o->begin);
  sq_status status = sqi_parallel_for(context, o->slices, 1, box_body, o);
  clear_box(&o->around);
  for (int64_t slice = 0; slice < o->slices && status == SQ_OK; ++slice)
  {
    const curve* box = o->boxes + slice;
    for (int d = 0; d < 3; ++d)
    {
      o->around.lo[d] = fmin(o->around.lo[d], box->lo[d]);
      o->around.hi[d] = fmax(o->around.hi[d], box->hi[d]);
    }
  }
  if (status != SQ_OK || !set_scale(&o->around))
  {
    return status;
  }
  status = sqi_parallel_for(context, o->slices, 1, key_body, o);
  if (status == SQ_OK)
  {
    begin_buckets(o);
    status = sqi_parallel_for(context, o->slices, 1, scatter_body, o);
  }
  status =
    status == SQ_OK ? sqi_parallel_for(context, BUCKETS, BUCKETS_AT_ONCE, bucket_body, o) : status;
  for (int64_t k = 0; k < BUCKETS && status == SQ_OK; ++k)
  {
    int64_t from = bucket_begin(o, k), to = bucket_begin(o, k + 1);
    if (to - from > MANY)
    {
      o->ranges[o->range_count][0] = from;
      o->ranges[o->range_count++][1] = to;
    }
  }
  return status;
}

sq_status sqi_point_order(
  sq_context* context, const sq_points* points, int64_t first, int64_t count, uint64_t* places)
{
  ordering o;
  memset(&o, 0, sizeof(o));
  o.points = points;
  o.first = first;
  o.items = places;
  o.end = count;
  o.fresh = 1;
  o.slice_room = slices_of(context, count);
  o.range_room = count / MANY + 1;
  sq_status status = SQI_NEW(context, &o.other, count);
  status = status == SQ_OK ? SQI_NEW(context, &o.starts, o.slice_room * BUCKETS) : status;
  status = status == SQ_OK ? SQI_NEW(context, &o.boxes, o.slice_room) : status;
  status = status == SQ_OK ? SQI_NEW(context, &o.ranges, o.range_room) : status;
  status = status == SQ_OK ? order_part(context, &o) : status;
  o.fresh = 0;
  while (status == SQ_OK && o.range_count)
  {
    --o.range_count;
    o.begin = o.ranges[o.range_count][0];
    o.end = o.ranges[o.range_count][1];
    status = order_part(context, &o);
  }
  SQI_FREE(context, o.other, count);
  SQI_FREE(context, o.starts, o.slice_room * BUCKETS);
  SQI_FREE(context, o.boxes, o.slice_room);
  SQI_FREE(context, o.ranges, o.range_room);
  return status;
}
