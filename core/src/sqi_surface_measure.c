#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_surface.h"
#include "sqk_vector.h"

#include <math.h>

#define GRAIN 8192

/** Heights up to this many units in the last place of the largest coordinate are none. */
static const double FLAT_ULPS = 8.0;

/** Triangles with a longest edge of fewer units than this are known to no better than about a percent. */
static const double RESOLVED_ULPS = 64.0;

typedef struct partial
{
  double low[3];
  double high[3];
  double largest;
  double sum[3];
  double area;
  double volume;
  int64_t flat;
  int64_t unresolved;
} partial;

typedef struct measure_work
{
  const sq_surface* surface;
  const double* ulps;
  uint8_t* flat;
  partial* parts; /* a chunk each, added up in order: the same bits for any number of threads */
  double low[3];
  double origin[3];
} measure_work;

static sq_status find_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  measure_work* w = (measure_work*)data;
  partial* p = &w->parts[begin / GRAIN];
  for (int d = 0; d < 3; ++d)
  {
    p->low[d] = INFINITY, p->high[d] = -INFINITY;
  }
  p->largest = 0.0;
  for (int64_t v = begin; v < end; ++v)
  {
    const double* x = w->surface->vertices + 3 * v;
    for (int d = 0; d < 3; ++d)
    {
      p->low[d] = fmin(p->low[d], x[d]);
      p->high[d] = fmax(p->high[d], x[d]);
    }
    p->largest = fmax(p->largest, sqk_largest3(x));
  }
  return SQ_OK;
}

/** The corners of a triangle from `origin`, in units. */
static void load_triangle(const sq_surface* s, int64_t t, const double origin[3], double x[3][3])
{
  for (int k = 0; k < 3; ++k)
  {
    const double* p = sqi_surface_corner(s, (int32_t)t, k);
    for (int d = 0; d < 3; ++d)
    {
      x[k][d] = s->unit * p[d] - origin[d];
    }
  }
}

static sq_status sum_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  measure_work* w = (measure_work*)data;
  partial* p = &w->parts[begin / GRAIN];
  p->sum[0] = p->sum[1] = p->sum[2] = 0.0;
  for (int64_t t = begin; t < end; ++t)
  {
    double x[3][3];
    load_triangle(w->surface, t, w->low, x);
    for (int d = 0; d < 3; ++d)
    {
      p->sum[d] += x[0][d] + x[1][d] + x[2][d];
    }
  }
  return SQ_OK;
}

/** A power of two that brings coordinates far from 1 to about 1; 1 for all others. */
static double unit_for(double largest)
{
  return largest > 0x1p200 || largest < 0x1p-200
    ? ldexp(1.0, largest < 0x1p-1000 ? 1000 : -ilogb(largest))
    : 1.0;
}

sqi_triangle_measure sqi_surface_measure_triangle(const sq_surface* s, int32_t t, double ulp)
{
  double x[3][3], e[3][3], n[3];
  static const double zero[3] = { 0.0, 0.0, 0.0 };
  load_triangle(s, t, zero, x);
  double size = 0.0, longest2 = 0.0, largest = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(x[(k + 1) % 3], x[k], e[k]);
    size = fmax(size, sqk_largest3(e[k]));
    largest = fmax(largest, sqk_largest3(x[k]));
  }
  /* Beside huge triangles, small ones need a scale of their own. */
  double scale = unit_for(size);
  for (int i = 0; i < 9; ++i)
  {
    e[i / 3][i % 3] *= scale;
  }
  for (int k = 0; k < 3; ++k)
  {
    longest2 = fmax(longest2, sqk_dot3(e[k], e[k]));
  }
  sqk_cross3(e[0], e[1], n);
  double area2 = sqrt(sqk_dot3(n, n)), longest = sqrt(longest2), spacing = ulp * (scale * largest);
  const int32_t* c = s->corners + 3 * (int64_t)t;
  int32_t u = sqi_surface_weld(s, c[0]), v = sqi_surface_weld(s, c[1]);
  int32_t w = sqi_surface_weld(s, c[2]);
  sqi_triangle_measure m;
  m.area = 0.5 * (area2 / scale / scale);
  m.is_flat = u == v || v == w || w == u || !(area2 > FLAT_ULPS * spacing * longest);
  m.is_resolved = !(longest < RESOLVED_ULPS * spacing);
  return m;
}

/** Six times the volume between triangle t and `origin`. */
double sqi_surface_volume6(const sq_surface* s, int32_t t, const double origin[3])
{
  double x[3][3], n[3];
  load_triangle(s, t, origin, x);
  sqk_cross3(x[1], x[2], n);
  return sqk_dot3(x[0], n);
}

static sq_status measure_triangles(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  measure_work* w = (measure_work*)data;
  partial* p = &w->parts[begin / GRAIN];
  p->area = p->volume = 0.0;
  p->flat = p->unresolved = 0;
  for (int64_t t = begin; t < end; ++t)
  {
    double ulp = w->ulps[sqi_surface_block_of(w->surface, (int32_t)t)];
    sqi_triangle_measure m = sqi_surface_measure_triangle(w->surface, (int32_t)t, ulp);
    p->area += m.area;
    w->flat[t] = (uint8_t)m.is_flat;
    p->flat += m.is_flat;
    p->unresolved += ulp == SQI_FLOAT32_ULP && !m.is_resolved;
    p->volume += sqi_surface_volume6(w->surface, (int32_t)t, w->origin) / 6.0;
  }
  return SQ_OK;
}

/** Box, unit, centre and radius from the parts. */
static void set_range(sq_surface* s, measure_work* w)
{
  double largest = 0.0;
  double low[3] = { INFINITY, INFINITY, INFINITY };
  double high[3] = { -INFINITY, -INFINITY, -INFINITY };
  for (int64_t i = 0; i * GRAIN < s->vertex_count; ++i)
  {
    largest = fmax(largest, w->parts[i].largest);
    for (int d = 0; d < 3; ++d)
    {
      low[d] = fmin(low[d], w->parts[i].low[d]);
      high[d] = fmax(high[d], w->parts[i].high[d]);
    }
  }
  s->unit = unit_for(largest);
  double half[3];
  for (int d = 0; d < 3; ++d)
  {
    w->low[d] = w->origin[d] = s->unit * low[d];
    s->centre[d] = 0.5 * low[d] + 0.5 * high[d];
    half[d] = s->unit * (0.5 * high[d] - 0.5 * low[d]);
  }
  s->radius = sqrt(sqk_dot3(half, half)) / s->unit;
}

static sq_status measure_all(sq_context* context, sq_surface* s, measure_work* w)
{
  sq_status status = sqi_parallel_for(context, s->vertex_count, GRAIN, find_range, w);
  if (status != SQ_OK)
  {
    return status;
  }
  set_range(s, w);
  status = sqi_parallel_for(context, s->triangle_count, GRAIN, sum_corners, w);
  if (status != SQ_OK)
  {
    return status;
  }
  for (int64_t i = 0; i * GRAIN < s->triangle_count; ++i)
  {
    for (int d = 0; d < 3; ++d)
    {
      w->origin[d] += w->parts[i].sum[d] / (3.0 * s->triangle_count);
    }
  }
  return sqi_parallel_for(context, s->triangle_count, GRAIN, measure_triangles, w);
}

sq_status sqi_surface_measure(
  sq_context* context, sq_surface* surface, const double* ulps, uint8_t* flat)
{
  surface->unit = 1.0;
  if (!surface->triangle_count)
  {
    return SQ_OK;
  }
  measure_work w = { surface, ulps, flat, NULL, { 0.0 }, { 0.0 } };
  int64_t most = surface->vertex_count > surface->triangle_count ? surface->vertex_count
                                                                 : surface->triangle_count;
  int64_t chunks = (most + GRAIN - 1) / GRAIN;
  sq_status s = SQI_NEW(context, &w.parts, chunks);
  s = s == SQ_OK ? measure_all(context, surface, &w) : s;
  if (s == SQ_OK)
  {
    double area = 0.0, volume = 0.0;
    int64_t flats = 0, unresolved = 0;
    for (int64_t i = 0; i * GRAIN < surface->triangle_count; ++i)
    {
      area += w.parts[i].area;
      volume += w.parts[i].volume;
      flats += w.parts[i].flat;
      unresolved += w.parts[i].unresolved;
    }
    int exponent = ilogb(surface->unit);
    surface->report.area = ldexp(area, -2 * exponent);
    surface->report.signed_volume = ldexp(volume, -3 * exponent);
    surface->report.unresolved_triangles = unresolved;
    surface->flat_count = (int32_t)flats;
  }
  SQI_FREE(context, w.parts, chunks);
  return s;
}
