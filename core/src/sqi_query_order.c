#include "sqi_query_order.h"
#include "sqi_view.h"

#include <math.h>

int64_t sqi_queries_count(const sqi_queries* queries)
{
  if (queries->points)
  {
    return queries->points->count;
  }
  int64_t count = 1;
  for (int d = 0; d < 3; ++d)
  {
    int64_t n = (int64_t)queries->grid->hi[d] - queries->grid->lo[d] + 1;
    if (n <= 0)
    {
      return 0;
    }
    if (__builtin_mul_overflow(count, n, &count))
    {
      return INT64_MAX;
    }
  }
  return count;
}

void sqi_query_point(const sqi_queries* queries, int64_t i, double x[3])
{
  if (queries->points)
  {
    sqi_point(queries->points, i, x);
    return;
  }
  const sq_grid* g = queries->grid;
  for (int d = 0; d < 3; ++d)
  {
    int64_t n = (int64_t)g->hi[d] - g->lo[d] + 1;
    x[d] = g->origin[d] + (double)(g->lo[d] + i % n) * g->spacing[d];
    i /= n;
  }
}

sqi_curve sqi_curve_of(
  const double lo[3], const double hi[3], const double centre_lo[3], const double centre_hi[3])
{
  sqi_curve c;
  double size = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    /* Halves, so that no finite box overflows. */
    double middle = 0.5 * centre_lo[d] + 0.5 * centre_hi[d];
    double reach = 4.0 * (0.5 * centre_hi[d] - 0.5 * centre_lo[d]);
    double least = fmax(lo[d], middle - reach);
    double most = fmin(hi[d], middle + reach);
    c.lo[d] = least <= most ? least : middle;
    size = fmax(size, 0.5 * most - 0.5 * least);
  }
  size = fmin(size, 0x1p1022);
  c.scale = size > 0x1p-1000 ? (double)(1 << SQI_CURVE_BITS) / size * 0.5 : 0.0;
  return c;
}

/** Puts two zeros between the low ten bits. */
static inline uint32_t spread(uint32_t x)
{
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

/**
 * Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004: coordinates to the curve's transposed
 * index, whose bits are then interleaved.
 */
uint64_t sqi_curve_key(const sqi_curve* curve, const double x[3])
{
  uint32_t h[3];
  const double top = (double)((1 << SQI_CURVE_BITS) - 1);
  for (int d = 0; d < 3; ++d)
  {
    double t = (x[d] - curve->lo[d]) * curve->scale;
    h[d] = t > 0.0 ? (uint32_t)(t < top ? t : top) : 0;
  }
  for (uint32_t q = 1u << (SQI_CURVE_BITS - 1); q > 1; q >>= 1)
  {
    uint32_t low = q - 1;
    for (int d = 0; d < 3; ++d)
    {
      uint32_t flip = h[d] & q ? low : 0;
      uint32_t swap = h[d] & q ? 0 : (h[0] ^ h[d]) & low;
      h[0] ^= flip | swap;
      h[d] ^= swap;
    }
  }
  h[1] ^= h[0];
  h[2] ^= h[1];
  uint32_t t = 0;
  for (uint32_t q = 1u << (SQI_CURVE_BITS - 1); q > 1; q >>= 1)
  {
    t ^= h[2] & q ? q - 1 : 0;
  }
  return spread(h[0] ^ t) << 2 | spread(h[1] ^ t) << 1 | spread(h[2] ^ t);
}

static int64_t bricks_along(const sq_grid* g, int d)
{
  int64_t n = (int64_t)g->hi[d] - g->lo[d] + 1;
  return n <= 0 ? 0 : (n - 1) / SQI_BRICK + 1;
}

int64_t sqi_brick_count(const sq_grid* grid)
{
  return bricks_along(grid, 0) * bricks_along(grid, 1) * bricks_along(grid, 2);
}

int64_t sqi_brick_size(const sq_grid* grid)
{
  int64_t size = 1;
  for (int d = 0; d < 3; ++d)
  {
    int64_t n = (int64_t)grid->hi[d] - grid->lo[d] + 1;
    size *= n < 1 ? 1 : n < SQI_BRICK ? n : SQI_BRICK;
  }
  return size;
}

int32_t sqi_brick_points(const sq_grid* grid, int64_t brick, int64_t* points)
{
  int64_t n[3], first[3], count[3];
  for (int d = 0; d < 3; ++d)
  {
    n[d] = (int64_t)grid->hi[d] - grid->lo[d] + 1;
    first[d] = brick % bricks_along(grid, d) * SQI_BRICK;
    brick /= bricks_along(grid, d);
    count[d] = n[d] - first[d] < SQI_BRICK ? n[d] - first[d] : SQI_BRICK;
  }
  int32_t at = 0;
  for (int64_t k = 0; k < count[2]; ++k)
  {
    for (int64_t row = 0; row < count[1]; ++row)
    {
      /* To and fro, so that each point is next to the one before. */
      int64_t j = k % 2 ? count[1] - 1 - row : row;
      int back = (k * count[1] + row) % 2 != 0;
      for (int64_t step = 0; step < count[0]; ++step)
      {
        int64_t i = back ? count[0] - 1 - step : step;
        points[at++] = ((first[2] + k) * n[1] + first[1] + j) * n[0] + first[0] + i;
      }
    }
  }
  return at;
}
