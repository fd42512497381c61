#include "sqi_weld.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_sort.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

#define GRAIN 16384

typedef struct pool_work
{
  const sqi_blocks* blocks;
  const uint8_t* used;
  sqi_point_pool* pool;
  int32_t block;
  int64_t* chunk_start; /* by chunk of global ids: its first slot */
} pool_work;

static sq_status count_used(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  pool_work* w = (pool_work*)data;
  int64_t n = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    n += w->used[i] != 0;
  }
  w->chunk_start[begin / GRAIN] = n;
  return SQ_OK;
}

static sq_status number_used(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  pool_work* w = (pool_work*)data;
  int64_t next = w->chunk_start[begin / GRAIN];
  for (int64_t i = begin; i < end; ++i)
  {
    w->pool->slot[i] = w->used[i] ? (int32_t)next++ : -1;
  }
  return SQ_OK;
}

/** Copies the points of one block; adding 0 turns -0 into +0. */
static sq_status copy_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  pool_work* w = (pool_work*)data;
  const int32_t* slots = w->pool->slot + w->blocks->point_start[w->block];
  for (int64_t i = begin; i < end; ++i)
  {
    if (slots[i] >= 0)
    {
      double* x = w->pool->x + 3 * (int64_t)slots[i];
      sqi_point(&w->blocks->views[w->block].points, i, x);
      x[0] += 0.0, x[1] += 0.0, x[2] += 0.0;
      w->pool->same[slots[i]] = slots[i];
    }
  }
  return SQ_OK;
}

static sq_status fill_pool(sq_context* context, pool_work* w, int64_t chunks)
{
  sqi_point_pool* pool = w->pool;
  sq_status s = sqi_parallel_for(context, pool->global_count, GRAIN, count_used, w);
  int64_t total = 0;
  for (int64_t i = 0; i < chunks && s == SQ_OK; ++i)
  {
    int64_t n = w->chunk_start[i];
    w->chunk_start[i] = total;
    total += n;
  }
  pool->count = (int32_t)total;
  s = s == SQ_OK ? SQI_NEW(context, &pool->x, 3 * total) : s;
  s = s == SQ_OK ? SQI_NEW(context, &pool->same, total) : s;
  s = s == SQ_OK ? sqi_parallel_for(context, pool->global_count, GRAIN, number_used, w) : s;
  for (w->block = 0; w->block < w->blocks->count && s == SQ_OK; ++w->block)
  {
    s = sqi_parallel_for(context, w->blocks->views[w->block].points.count, GRAIN, copy_points, w);
  }
  return s;
}

sq_status sqi_pool_open(
  sq_context* context, const sqi_blocks* blocks, const uint8_t* used, sqi_point_pool* pool)
{
  memset(pool, 0, sizeof(*pool));
  pool->global_count = blocks->point_start[blocks->count];
  pool_work w = { blocks, used, pool, 0, NULL };
  int64_t chunks = (pool->global_count + GRAIN - 1) / GRAIN;
  sq_status s = SQI_NEW(context, &pool->slot, pool->global_count);
  s = s == SQ_OK ? SQI_NEW(context, &w.chunk_start, chunks) : s;
  s = s == SQ_OK ? fill_pool(context, &w, chunks) : s;
  SQI_FREE(context, w.chunk_start, chunks);
  return s;
}

void sqi_pool_close(sq_context* context, sqi_point_pool* pool)
{
  SQI_FREE(context, pool->slot, pool->global_count);
  SQI_FREE(context, pool->x, 3 * (int64_t)pool->count);
  SQI_FREE(context, pool->same, pool->count);
  SQI_FREE(context, pool->near, pool->count);
  memset(pool, 0, sizeof(*pool));
}

typedef struct box_work
{
  const double* x;
  double* chunk_box; /* 6 a chunk: lowest, highest */
} box_work;

static void box_clear(double box[6])
{
  for (int k = 0; k < 3; ++k)
  {
    box[k] = INFINITY, box[k + 3] = -INFINITY;
  }
}

static sq_status box_of_chunk(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  box_work* w = (box_work*)data;
  double* box = w->chunk_box + 6 * (begin / GRAIN);
  box_clear(box);
  for (int64_t i = 3 * begin; i < 3 * end; ++i)
  {
    box[i % 3] = fmin(box[i % 3], w->x[i]);
    box[i % 3 + 3] = fmax(box[i % 3 + 3], w->x[i]);
  }
  return SQ_OK;
}

sq_status sqi_pool_diagonal(sq_context* context, const sqi_point_pool* pool, double* diagonal)
{
  *diagonal = 0.0;
  int64_t chunks = ((int64_t)pool->count + GRAIN - 1) / GRAIN;
  box_work w = { pool->x, NULL };
  sq_status s = SQI_NEW(context, &w.chunk_box, 6 * chunks);
  s = s == SQ_OK ? sqi_parallel_for(context, pool->count, GRAIN, box_of_chunk, &w) : s;
  if (s == SQ_OK && pool->count)
  {
    double box[6];
    box_clear(box);
    for (int64_t i = 0; i < 6 * chunks; ++i)
    {
      double* side = &box[i % 6];
      *side = i % 6 < 3 ? fmin(*side, w.chunk_box[i]) : fmax(*side, w.chunk_box[i]);
    }
    *diagonal = hypot(hypot(box[3] - box[0], box[4] - box[1]), box[5] - box[2]);
  }
  SQI_FREE(context, w.chunk_box, 6 * chunks);
  return s;
}

typedef struct equal_work
{
  const double* x;
  int32_t* same;
  uint64_t* keys;
  uint32_t* order;
  int64_t count;
} equal_work;

/** The finaliser of splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/** Keys are sorted by 32 bits; with up to 2^31 points few different ones share these. */
#define KEY_BITS 32

static sq_status hash_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  equal_work* w = (equal_work*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    uint64_t bits[3];
    memcpy(bits, w->x + 3 * i, sizeof(bits));
    w->keys[i] = mix(bits[0] + mix(bits[1] + mix(bits[2] + 0x9E3779B97F4A7C15u))) >> 32;
    w->order[i] = (uint32_t)i;
  }
  return SQ_OK;
}

static int equal_points(const double* x, int64_t i, int64_t j)
{
  return x[3 * i] == x[3 * j] && x[3 * i + 1] == x[3 * j + 1] && x[3 * i + 2] == x[3 * j + 2];
}

/** Groups of equal keys: every point takes the lowest equal one. Points not yet taken carry their own number. */
static sq_status match_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  equal_work* w = (equal_work*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    if (i && w->keys[i] == w->keys[i - 1])
    {
      continue; /* belongs to the chunk where the group begins */
    }
    int64_t stop = i + 1;
    while (stop < w->count && w->keys[stop] == w->keys[i])
    {
      ++stop;
    }
    for (int64_t a = i; a < stop; ++a)
    {
      int32_t lowest = (int32_t)w->order[a];
      if (w->same[lowest] != lowest)
      {
        continue;
      }
      for (int64_t b = a + 1; b < stop; ++b)
      {
        int32_t other = (int32_t)w->order[b];
        if (w->same[other] == other && equal_points(w->x, lowest, other))
        {
          w->same[other] = lowest;
        }
      }
    }
  }
  return SQ_OK;
}

sq_status sqi_weld_equal(sq_context* context, sqi_point_pool* pool)
{
  equal_work w = { pool->x, pool->same, NULL, NULL, pool->count };
  sq_status s = SQI_NEW(context, &w.keys, w.count);
  s = s == SQ_OK ? SQI_NEW(context, &w.order, w.count) : s;
  s = s == SQ_OK ? sqi_parallel_for(context, w.count, GRAIN, hash_points, &w) : s;
  s = s == SQ_OK ? sqi_sort(context, w.keys, w.order, w.count, KEY_BITS) : s;
  s = s == SQ_OK ? sqi_parallel_for(context, w.count, GRAIN, match_points, &w) : s;
  SQI_FREE(context, w.keys, w.count);
  SQI_FREE(context, w.order, w.count);
  return s;
}
