#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_weld.h"

#include <math.h>
#include <string.h>

/** A hashed grid of cells two tolerances wide, so that a ball of one tolerance touches at most two along an axis. */
typedef struct grid
{
  const double* x;
  double width;
  uint32_t mask; /* buckets - 1 */
  uint32_t* start; /* buckets + 1: where the slots of a bucket begin */
  int32_t* slots; /* ascending within a bucket */
} grid;

static uint32_t bucket_of(const grid* g, const double cell[3])
{
  uint64_t h = 0x9E3779B97F4A7C15u;
  for (int k = 0; k < 3; ++k)
  {
    uint64_t bits;
    double c = cell[k] + 0.0;
    memcpy(&bits, &c, sizeof(bits));
    h = (h ^ bits) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 29;
  }
  return (uint32_t)(h >> 8) & g->mask;
}

static uint32_t bucket_of_point(const grid* g, const double* x)
{
  double cell[3] = { floor(x[0] / g->width), floor(x[1] / g->width), floor(x[2] / g->width) };
  return bucket_of(g, cell);
}

/** Counting sort of the points that stand for themselves. */
static void fill_grid(grid* g, const int32_t* same, int32_t count)
{
  memset(g->start, 0, ((size_t)g->mask + 2) * sizeof(*g->start));
  for (int32_t i = 0; i < count; ++i)
  {
    g->start[bucket_of_point(g, g->x + 3 * (int64_t)i) + 1] += same[i] == i;
  }
  for (uint32_t b = 0; b <= g->mask; ++b)
  {
    g->start[b + 1] += g->start[b];
  }
  uint32_t total = g->start[g->mask + 1];
  for (int32_t i = count - 1; i >= 0; --i)
  {
    if (same[i] == i)
    {
      g->slots[--g->start[bucket_of_point(g, g->x + 3 * (int64_t)i) + 1]] = i;
    }
  }
  /* The end of each bucket has come down to its start. */
  memmove(g->start, g->start + 1, ((size_t)g->mask + 1) * sizeof(*g->start));
  g->start[g->mask + 1] = total;
}

static int within(const double* a, const double* b, double tolerance)
{
  double d[3] = { (a[0] - b[0]) / tolerance, (a[1] - b[1]) / tolerance, (a[2] - b[2]) / tolerance };
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= 1.0;
}

/** The cells that a ball touches along one axis: at most three, were rounding to move an end. */
static int cells_along(double x, double tolerance, double width, double cells[3])
{
  double low = floor((x - tolerance) / width), high = floor((x + tolerance) / width);
  int n = 0;
  cells[n++] = low;
  if (low + 1.0 < high)
  {
    cells[n++] = low + 1.0;
  }
  if (high != low)
  {
    cells[n++] = high;
  }
  return n;
}

/** Puts the free points within the tolerance of slot i into its cluster. */
static void gather(const grid* g, int32_t i, double tolerance, int32_t* near)
{
  double cells[3][3];
  int n[3];
  for (int k = 0; k < 3; ++k)
  {
    n[k] = cells_along(g->x[3 * (int64_t)i + k], tolerance, g->width, cells[k]);
  }
  for (int c = 0; c < n[0] * n[1] * n[2]; ++c)
  {
    double cell[3] = { cells[0][c % n[0]], cells[1][c / n[0] % n[1]], cells[2][c / n[0] / n[1]] };
    uint32_t b = bucket_of(g, cell);
    uint32_t end = g->start[b + 1];
    for (uint32_t k = g->start[b]; k < end; ++k)
    {
      int32_t j = g->slots[k];
      if (near[j] < 0 && within(g->x + 3 * (int64_t)i, g->x + 3 * (int64_t)j, tolerance))
      {
        near[j] = i;
      }
    }
  }
}

static sq_status cluster(sq_context* context, sqi_point_pool* pool, const grid* g, double tolerance)
{
  for (int32_t i = 0; i < pool->count; ++i)
  {
    pool->near[i] = -1;
  }
  for (int32_t i = 0; i < pool->count; ++i)
  {
    if (pool->same[i] != i)
    {
      pool->near[i] = pool->near[pool->same[i]];
    }
    else if (pool->near[i] < 0)
    {
      gather(g, i, tolerance, pool->near);
      pool->near[i] = i;
    }
    if (i % 4096 == 0 && sqi_poll(context, (double)i / (double)pool->count, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
  }
  return SQ_OK;
}

sq_status sqi_weld_near(sq_context* context, sqi_point_pool* pool, double tolerance)
{
  if (!(tolerance > 0.0) || !pool->count)
  {
    return SQ_OK;
  }
  tolerance = fmin(tolerance, 0x1p1020);
  grid g = { pool->x, 2.0 * tolerance, 1, NULL, NULL };
  while ((int64_t)g.mask + 1 < pool->count)
  {
    g.mask = 2 * g.mask + 1;
  }
  int64_t starts = (int64_t)g.mask + 2;
  sq_status s = SQI_NEW(context, &pool->near, pool->count);
  s = s == SQ_OK ? SQI_NEW(context, &g.start, starts) : s;
  s = s == SQ_OK ? SQI_NEW(context, &g.slots, pool->count) : s;
  if (s == SQ_OK)
  {
    fill_grid(&g, pool->same, pool->count);
    s = cluster(context, pool, &g, tolerance);
  }
  SQI_FREE(context, g.start, starts);
  SQI_FREE(context, g.slots, pool->count);
  return s;
}
