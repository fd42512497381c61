#include "sqi_alloc.h"
#include "sqi_edges.h"
#include "sqi_parallel.h"

#include <string.h>

#define GRAIN 16384

typedef struct corner_work
{
  const sqi_triangles* mesh;
  sqi_corner_lists* lists;
  uint32_t* at; /* by vertex: where the next corner goes */
} corner_work;

static sq_status count_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  corner_work* w = (corner_work*)data;
  for (int64_t c = begin; c < end; ++c)
  {
    int32_t v = sqi_corner_vertex(w->mesh, (uint32_t)c);
    __atomic_fetch_add(&w->lists->start[v + 1], 1, __ATOMIC_RELAXED);
  }
  return SQ_OK;
}

static sq_status place_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  corner_work* w = (corner_work*)data;
  for (int64_t c = begin; c < end; ++c)
  {
    int32_t v = sqi_corner_vertex(w->mesh, (uint32_t)c);
    w->lists->corners[__atomic_fetch_add(&w->at[v], 1, __ATOMIC_RELAXED)] = (uint32_t)c;
  }
  return SQ_OK;
}

static void sift_down(uint32_t* a, uint32_t root, uint32_t n)
{
  uint32_t value = a[root];
  for (uint32_t child; (child = 2 * root + 1) < n; root = child)
  {
    child += child + 1 < n && a[child + 1] > a[child];
    if (a[child] <= value)
    {
      break;
    }
    a[root] = a[child];
  }
  a[root] = value;
}

/** In place and without memory: lists are short but for the hub of a fan, where n log n counts. */
static void sort_list(uint32_t* a, uint32_t n)
{
  if (n <= 32)
  {
    for (uint32_t i = 1; i < n; ++i)
    {
      uint32_t value = a[i], k = i;
      for (; k && a[k - 1] > value; --k)
      {
        a[k] = a[k - 1];
      }
      a[k] = value;
    }
    return;
  }
  for (uint32_t i = n / 2; i-- > 0;)
  {
    sift_down(a, i, n);
  }
  for (uint32_t i = n - 1; i > 0; --i)
  {
    uint32_t top = a[0];
    a[0] = a[i];
    a[i] = top;
    sift_down(a, 0, i);
  }
}

/** Threads placed the corners in any order. */
static sq_status sort_lists(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  corner_work* w = (corner_work*)data;
  for (int64_t v = begin; v < end; ++v)
  {
    uint32_t from = w->lists->start[v];
    sort_list(w->lists->corners + from, w->lists->start[v + 1] - from);
  }
  return SQ_OK;
}

sq_status sqi_corner_lists_build(
  sq_context* context, const sqi_triangles* mesh, sqi_corner_lists* lists)
{
  memset(lists, 0, sizeof(*lists));
  corner_work w = { mesh, lists, NULL };
  int64_t n = mesh->vertex_count, corners = 3 * (int64_t)mesh->triangle_count;
  sq_status s = SQI_NEW(context, &lists->start, n + 1);
  s = s == SQ_OK ? SQI_NEW(context, &lists->corners, corners) : s;
  s = s == SQ_OK ? SQI_NEW(context, &w.at, n) : s;
  if (s == SQ_OK)
  {
    memset(lists->start, 0, (size_t)(n + 1) * sizeof(*lists->start));
    s = sqi_parallel_for(context, corners, GRAIN, count_corners, &w);
  }
  if (s == SQ_OK)
  {
    for (int64_t v = 0; v < n; ++v)
    {
      w.at[v] = lists->start[v];
      lists->start[v + 1] += lists->start[v];
    }
    s = sqi_parallel_for(context, corners, GRAIN, place_corners, &w);
  }
  s = s == SQ_OK ? sqi_parallel_for(context, n, GRAIN, sort_lists, &w) : s;
  SQI_FREE(context, w.at, n);
  return s;
}

void sqi_corner_lists_free(const sq_allocator* allocator, int32_t vertex_count,
  int64_t triangle_count, sqi_corner_lists* lists)
{
  SQI_RELEASE(allocator, lists->start, (int64_t)vertex_count + 1);
  SQI_RELEASE(allocator, lists->corners, 3 * triangle_count);
  memset(lists, 0, sizeof(*lists));
}
