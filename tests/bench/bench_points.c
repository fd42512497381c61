#include "bench_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* allocate(int64_t count, size_t item_bytes)
{
  void* memory = malloc((size_t)(count > 0 ? count : 1) * item_bytes);
  if (!memory)
  {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

/** In [0, 1): Vigna's splitmix64, the same numbers everywhere. */
static double next(uint64_t* state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void bounds_of(const double* x, int64_t count, double lo[3], double hi[3])
{
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = HUGE_VAL;
    hi[d] = -HUGE_VAL;
  }
  for (int64_t i = 0; i < 3 * count; ++i)
  {
    lo[i % 3] = fmin(lo[i % 3], x[i]);
    hi[i % 3] = fmax(hi[i % 3], x[i]);
  }
}

static void doubled_box(const bench_surface* surface, double lo[3], double hi[3])
{
  bounds_of(surface->vertices, surface->vertex_count, lo, hi);
  for (int d = 0; d < 3; ++d)
  {
    double half = 0.5 * (hi[d] - lo[d]);
    lo[d] -= half;
    hi[d] += half;
  }
}

bench_points bench_points_uniform(const bench_surface* surface, int64_t count)
{
  bench_points p = { "uniform", (double*)allocate(count, 3 * sizeof(double)), count };
  double lo[3], hi[3];
  uint64_t state = 1984;
  doubled_box(surface, lo, hi);
  for (int64_t i = 0; i < 3 * count; ++i)
  {
    p.x[i] = lo[i % 3] + (hi[i % 3] - lo[i % 3]) * next(&state);
  }
  return p;
}

/** Twice the area of a triangle; `normal` becomes its unit normal, or 0. */
static double measure(const bench_surface* s, int64_t t, double normal[3])
{
  const double* a = s->vertices + 3 * (int64_t)s->corners[3 * t];
  const double* b = s->vertices + 3 * (int64_t)s->corners[3 * t + 1];
  const double* c = s->vertices + 3 * (int64_t)s->corners[3 * t + 2];
  double sum = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    int e = (d + 1) % 3;
    int f = (d + 2) % 3;
    normal[d] = (b[e] - a[e]) * (c[f] - a[f]) - (b[f] - a[f]) * (c[e] - a[e]);
    sum += normal[d] * normal[d];
  }
  sum = sqrt(sum);
  for (int d = 0; d < 3; ++d)
  {
    normal[d] = sum > 0.0 ? normal[d] / sum : 0.0;
  }
  return sum;
}

/** The first triangle up to which the areas sum to more than `area`. */
static int64_t find(const double* sums, int64_t count, double area)
{
  int64_t low = 0;
  int64_t high = count - 1;
  while (low < high)
  {
    int64_t middle = low + (high - low) / 2;
    if (sums[middle] > area)
    {
      high = middle;
    }
    else
    {
      low = middle + 1;
    }
  }
  return low;
}

bench_points bench_points_near(const bench_surface* surface, int64_t count)
{
  bench_points p = { "near", (double*)allocate(count, 3 * sizeof(double)), count };
  double* sums = (double*)allocate(surface->triangle_count, sizeof(double));
  double lo[3], hi[3], normal[3];
  double total = 0.0;
  uint64_t state = 1985;
  for (int64_t t = 0; t < surface->triangle_count; ++t)
  {
    total += measure(surface, t, normal);
    sums[t] = total;
  }
  bounds_of(surface->vertices, surface->vertex_count, lo, hi);
  double diagonal = sqrt(pow(hi[0] - lo[0], 2) + pow(hi[1] - lo[1], 2) + pow(hi[2] - lo[2], 2));
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t t = find(sums, surface->triangle_count, total * next(&state));
    double u = next(&state);
    double v = next(&state);
    double off = 0.01 * diagonal * (2.0 * next(&state) - 1.0);
    if (u + v > 1.0)
    {
      u = 1.0 - u;
      v = 1.0 - v;
    }
    measure(surface, t, normal);
    for (int d = 0; d < 3; ++d)
    {
      double a = surface->vertices[3 * (int64_t)surface->corners[3 * t] + d];
      double b = surface->vertices[3 * (int64_t)surface->corners[3 * t + 1] + d];
      double c = surface->vertices[3 * (int64_t)surface->corners[3 * t + 2] + d];
      p.x[3 * i + d] = a + u * (b - a) + v * (c - a) + off * normal[d];
    }
  }
  free(sums);
  return p;
}

bench_points bench_points_grid(const bench_surface* surface, int64_t count)
{
  double lo[3], hi[3];
  int64_t n[3];
  doubled_box(surface, lo, hi);
  double step =
    cbrt((hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]) / (double)(count > 0 ? count : 1));
  for (int d = 0; d < 3; ++d)
  {
    n[d] = step > 0.0 ? (int64_t)((hi[d] - lo[d]) / step + 0.5) + 1 : 2;
  }
  count = n[0] * n[1] * n[2];
  bench_points p = { "grid", (double*)allocate(count, 3 * sizeof(double)), count };
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t at[3] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] };
    for (int d = 0; d < 3; ++d)
    {
      double t = n[d] > 1 ? (double)at[d] / (double)(n[d] - 1) : 0.0;
      p.x[3 * i + d] = lo[d] + (hi[d] - lo[d]) * t;
    }
  }
  return p;
}

bench_points bench_points_read(const char* kind, const char* path)
{
  bench_points p = { kind, NULL, 0 };
  FILE* file = fopen(path, "rb");
  if (!file)
  {
    return p;
  }
  fseek(file, 0, SEEK_END);
  p.count = ftell(file) / (int64_t)(3 * sizeof(double));
  fseek(file, 0, SEEK_SET);
  p.x = (double*)allocate(p.count, 3 * sizeof(double));
  p.count = (int64_t)fread(p.x, 3 * sizeof(double), (size_t)p.count, file);
  fclose(file);
  return p;
}

typedef struct keyed
{
  uint32_t key;
  int64_t point;
} keyed;

static int compare(const void* a, const void* b)
{
  const keyed* p = (const keyed*)a;
  const keyed* q = (const keyed*)b;
  return p->key != q->key ? (p->key > q->key) - (p->key < q->key)
                          : (p->point > q->point) - (p->point < q->point);
}

bench_points bench_points_morton(const bench_points* points)
{
  bench_points p = { points->kind, (double*)allocate(points->count, 3 * sizeof(double)),
    points->count };
  keyed* order = (keyed*)allocate(points->count, sizeof(keyed));
  double lo[3], hi[3];
  bounds_of(points->x, points->count, lo, hi);
  for (int64_t i = 0; i < points->count; ++i)
  {
    uint32_t key = 0;
    for (int d = 0; d < 3; ++d)
    {
      double extent = hi[d] - lo[d];
      double t = extent > 0.0 ? (points->x[3 * i + d] - lo[d]) / extent * 1023.0 : 0.0;
      for (int bit = 0; bit < 10; ++bit)
      {
        key |= (((uint32_t)t >> bit) & 1u) << (3 * bit + d);
      }
    }
    order[i].key = key;
    order[i].point = i;
  }
  qsort(order, (size_t)points->count, sizeof(keyed), compare);
  for (int64_t i = 0; i < points->count; ++i)
  {
    memcpy(p.x + 3 * i, points->x + 3 * order[i].point, 3 * sizeof(double));
  }
  free(order);
  return p;
}

void bench_points_free(bench_points* points)
{
  free(points->x);
}
