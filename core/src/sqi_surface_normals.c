#include "sqi_alloc.h"
#include "sqi_parallel.h"
#include "sqi_sort.h"
#include "sqi_surface.h"
#include "sqk_angle.h"
#include "sqk_plane.h"

#include <string.h>

typedef struct normal_work
{
  const sq_surface* surface;
  const sqi_triangles* mesh;
  const sqi_corner_lists* lists;
  double* normals;
} normal_work;

/** Adds the unit normal of the triangle of corner c times its angle there; Baerentzen and Aanaes 2005, eq. 4. */
static void add_corner(const normal_work* w, uint32_t c, double sum[3])
{
  int32_t t = (int32_t)(c / 3);
  int k = (int)(c % 3);
  const double* at = sqi_surface_corner(w->surface, t, k);
  double unit = w->surface->unit;
  sqk_dd3 u = sqk_between(at, sqi_surface_corner(w->surface, t, (k + 1) % 3), unit);
  sqk_dd3 v = sqk_between(at, sqi_surface_corner(w->surface, t, (k + 2) % 3), unit);
  double n[3], uh[3], vh[3], cross[3];
  sqk_unit_normal(u, v, n);
  sqk_to_range(&u);
  sqk_to_range(&v);
  sqk_leading3(&u, uh);
  sqk_leading3(&v, vh);
  sqk_cross3(uh, vh, cross);
  double angle = sqk_atan2(sqrt(sqk_dot3(cross, cross)), sqk_dot3(uh, vh));
  sqk_madd3(sum, angle, n, sum);
}

static sq_status add_vertices(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  normal_work* w = (normal_work*)data;
  for (int64_t v = begin; v < end; ++v)
  {
    double* sum = w->normals + 3 * v;
    sum[0] = sum[1] = sum[2] = 0.0;
    for (uint32_t i = w->lists->start[v]; i < w->lists->start[v + 1]; ++i)
    {
      uint32_t c = w->lists->corners[i];
      if (!w->mesh->flat[c / 3])
      {
        add_corner(w, c, sum);
      }
    }
  }
  return SQ_OK;
}

sq_status sqi_surface_add_normals(sq_context* context, sq_surface* surface,
  const sqi_triangles* mesh, const sqi_corner_lists* lists)
{
  sq_status s = SQI_NEW(context, &surface->vertex_normals, 3 * (int64_t)surface->vertex_count);
  normal_work w = { surface, mesh, lists, surface->vertex_normals };
  return s == SQ_OK ? sqi_parallel_for(context, surface->vertex_count, 2048, add_vertices, &w) : s;
}

/** From pairs (vertex, flat triangle) sorted by vertex to lists. */
static void fill_hinges(sq_surface* s, const uint64_t* keys, const uint32_t* values, int64_t n)
{
  int32_t hinge = -1;
  for (int64_t i = 0; i < n; ++i)
  {
    if (!i || keys[i] != keys[i - 1])
    {
      ++hinge;
      s->hinge_vertices[hinge] = (int32_t)keys[i];
      s->hinge_start[hinge] = i;
    }
    s->hinge_flats[i] = (int32_t)values[i];
  }
  s->hinge_start[hinge + 1] = n;
}

static sq_status sort_hinges(
  sq_context* context, sq_surface* s, uint64_t* keys, uint32_t* values, int64_t n)
{
  for (int32_t i = 0; i < s->flat_count; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      int32_t v = s->corners[3 * (int64_t)s->flats[i] + k];
      keys[3 * (int64_t)i + k] = (uint64_t)sqi_surface_weld(s, v);
      values[3 * (int64_t)i + k] = (uint32_t)s->flats[i];
    }
  }
  sq_status status = sqi_sort(context, keys, values, n, 32);
  for (int64_t i = 0; i < n; ++i)
  {
    s->hinge_count += !i || keys[i] != keys[i - 1];
  }
  s->hinge_flat_count = n;
  status = status == SQ_OK ? SQI_NEW(context, &s->hinge_vertices, s->hinge_count) : status;
  status =
    status == SQ_OK ? SQI_NEW(context, &s->hinge_start, (int64_t)s->hinge_count + 1) : status;
  status = status == SQ_OK ? SQI_NEW(context, &s->hinge_flats, n) : status;
  if (status == SQ_OK)
  {
    fill_hinges(s, keys, values, n);
  }
  return status;
}

sq_status sqi_surface_add_flats(sq_context* context, sq_surface* surface, const uint8_t* flat)
{
  if (!surface->flat_count)
  {
    return SQ_OK;
  }
  int64_t n = 3 * (int64_t)surface->flat_count;
  uint64_t* keys = NULL;
  uint32_t* values = NULL;
  sq_status s = SQI_NEW(context, &surface->flats, surface->flat_count);
  s = s == SQ_OK ? SQI_NEW(context, &keys, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &values, n) : s;
  if (s == SQ_OK)
  {
    int32_t found = 0;
    for (int32_t t = 0; t < surface->triangle_count; ++t)
    {
      if (flat[t])
      {
        surface->flats[found++] = t;
      }
    }
    s = sort_hinges(context, surface, keys, values, n);
  }
  SQI_FREE(context, keys, n);
  SQI_FREE(context, values, n);
  return s;
}

static int32_t find(const int32_t* sorted, int32_t count, int32_t value)
{
  int32_t low = 0, high = count;
  while (low < high)
  {
    int32_t middle = low + (high - low) / 2;
    if (sorted[middle] < value)
    {
      low = middle + 1;
    }
    else
    {
      high = middle;
    }
  }
  return low < count && sorted[low] == value ? low : -1;
}

int sqi_surface_is_flat(const sq_surface* surface, int32_t t)
{
  return find(surface->flats, surface->flat_count, t) >= 0;
}

int32_t sqi_surface_find_hinge(const sq_surface* surface, int32_t vertex)
{
  return find(surface->hinge_vertices, surface->hinge_count, vertex);
}
