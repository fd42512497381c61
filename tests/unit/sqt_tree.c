#include "sqt_tree.h"

#include "orc_random.h"
#include "sq_test.h"

#include <stdlib.h>

uint64_t sqt_hash(const void* data, int64_t bytes)
{
  const unsigned char* p = (const unsigned char*)data;
  uint64_t h = 0xcbf29ce484222325u;
  for (int64_t i = 0; i < bytes; ++i)
  {
    h = (h ^ p[i]) * 0x100000001b3u;
  }
  return h;
}

int sqt_check_hash(uint64_t got, uint64_t want, const char* text, const char* file, int line)
{
  return sqt_check(got == want, file, line, "%s is %016llx, want %016llx", text,
    (unsigned long long)got, (unsigned long long)want);
}

void sqt_golden_numbers(uint64_t seed, sq_type type, int64_t count, void* numbers)
{
  orc_random r = { seed };
  for (int64_t i = 0; i < count; ++i)
  {
    uint64_t bits = orc_bits(&r);
    if (type == SQ_FLOAT32)
    {
      ((float*)numbers)[i] = (float)(bits >> 40) * 0x1p-24f;
    }
    else
    {
      ((double*)numbers)[i] = (double)(bits >> 11) * 0x1p-53;
    }
  }
}

static sq_points new_points(sq_type type, int64_t count, int32_t dimension)
{
  int64_t numbers = count * dimension;
  sq_points p = { malloc((size_t)(numbers + 1) * sizeof(double)), count, type, dimension };
  return p;
}

sq_points sqt_golden_points(uint64_t seed, sq_type type, int64_t count, int32_t dimension)
{
  sq_points p = new_points(type, count, dimension);
  sqt_golden_numbers(seed, type, count * dimension, (void*)(uintptr_t)p.data);
  return p;
}

sq_points sqt_random_points(
  uint64_t seed, sq_type type, int64_t count, int32_t dimension, double lo, double hi)
{
  sq_points p = new_points(type, count, dimension);
  orc_random r = { seed };
  for (int64_t i = 0; i < count * dimension; ++i)
  {
    sqt_set_coordinate(&p, i / dimension, (int32_t)(i % dimension), orc_between(&r, lo, hi));
  }
  return p;
}

double sqt_coordinate(const sq_points* points, int64_t i, int32_t d)
{
  int64_t at = i * points->dimension + d;
  return points->type == SQ_FLOAT32 ? (double)((const float*)points->data)[at]
                                    : ((const double*)points->data)[at];
}

void sqt_set_coordinate(sq_points* points, int64_t i, int32_t d, double x)
{
  int64_t at = i * points->dimension + d;
  if (points->type == SQ_FLOAT32)
  {
    ((float*)(uintptr_t)points->data)[at] = (float)x;
  }
  else
  {
    ((double*)(uintptr_t)points->data)[at] = x;
  }
}

/** The frontier as the header says it, with lists. */
typedef struct frontier
{
  int64_t* nodes;
  int64_t count;
} frontier;

void sqt_check_topology(int64_t items, int64_t leaf_size, int64_t nodes, int32_t max_depth,
  const int64_t* left, const int64_t* right, const int64_t* leaf_start, const int64_t* leaf_count,
  const int64_t* range_start, const int64_t* range_count)
{
  size_t room = (size_t)(2 * items + 2) * sizeof(int64_t);
  int64_t* start = (int64_t*)malloc(room);
  int64_t* count = (int64_t*)malloc(room);
  frontier now = { (int64_t*)malloc(room), items > 0 };
  frontier next = { (int64_t*)malloc(room), 0 };
  int64_t base = now.count, wrong = 0;
  int32_t depth = -1;
  now.nodes[0] = start[0] = 0;
  count[0] = items;
  for (; now.count; ++depth)
  {
    int64_t inner = 0;
    for (int64_t i = 0; i < now.count; ++i)
    {
      int64_t n = now.nodes[i], l = base + 2 * inner, half = count[n] / 2;
      int leaf = count[n] <= leaf_size;
      wrong += n >= nodes || range_start[n] != start[n] || range_count[n] != count[n];
      wrong += left[n] != (leaf ? -1 : l) || right[n] != (leaf ? -1 : l + 1);
      wrong += leaf_start[n] != (leaf ? start[n] : -1) || leaf_count[n] != (leaf ? count[n] : 0);
      if (!leaf)
      {
        start[l] = start[n];
        count[l] = half;
        start[l + 1] = start[n] + half;
        count[l + 1] = count[n] - half;
        next.nodes[inner++] = l;
      }
    }
    for (int64_t i = 0; i < inner; ++i)
    {
      next.nodes[inner + i] = next.nodes[i] + 1;
    }
    base += 2 * inner;
    next.count = 2 * inner;
    frontier swap = now;
    now = next;
    next = swap;
  }
  CHECK_TEXT(!wrong && nodes == base && max_depth == (depth < 0 ? 0 : depth),
    "%lld items in leaves of %lld: %lld faults, %lld nodes (want %lld), depth %d (want %d)",
    (long long)items, (long long)leaf_size, (long long)wrong, (long long)nodes, (long long)base,
    (int)max_depth, (int)(depth < 0 ? 0 : depth));
  free(start);
  free(count);
  free(now.nodes);
  free(next.nodes);
}
