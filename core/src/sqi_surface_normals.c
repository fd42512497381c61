#include "sqi_alloc.h"
#include "sqi_sort.h"
#include "sqi_surface.h"
#include "sqk_angle.h"
#include "sqk_plane.h"

#include <string.h>

/** Adds the unit normal of the triangle of corner c times its angle there; Baerentzen and Aanaes 2005, eq. 4. */
static void add_corner(const sq_surface* s, uint32_t c, double sum[3])
{
  int32_t t = (int32_t)(c / 3);
  int k = (int)(c % 3);
  const double* at = sqi_surface_corner(s, t, k);
  sqk_dd3 u = sqk_between(at, sqi_surface_corner(s, t, (k + 1) % 3), s->unit);
  sqk_dd3 v = sqk_between(at, sqi_surface_corner(s, t, (k + 2) % 3), s->unit);
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

static void sum_normals(const sq_surface* s, int32_t v, double sum[3])
{
  sum[0] = sum[1] = sum[2] = 0.0;
  for (uint32_t i = s->lists.start[v]; i < s->lists.start[v + 1]; ++i)
  {
    uint32_t c = s->lists.corners[i];
    if (!s->flat_count || !sqi_surface_is_flat(s, (int32_t)(c / 3)))
    {
      add_corner(s, c, sum);
    }
  }
}

void sqi_surface_vertex_normal(const sq_surface* s, int32_t v, double normal[3])
{
  double* kept = s->vertex_normals + 3 * (int64_t)v;
  if (__atomic_load_n(&s->has_normal[v], __ATOMIC_ACQUIRE))
  {
    for (int d = 0; d < 3; ++d)
    {
      __atomic_load(kept + d, normal + d, __ATOMIC_RELAXED);
    }
    return;
  }
  /* Threads that come here together write the same bits. */
  sum_normals(s, v, normal);
  for (int d = 0; d < 3; ++d)
  {
    __atomic_store(kept + d, normal + d, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&s->has_normal[v], 1, __ATOMIC_RELEASE);
}

sq_status sqi_surface_open_normals(sq_context* context, sq_surface* surface)
{
  int64_t n = surface->vertex_count;
  sq_status s = SQI_NEW(context, &surface->vertex_normals, 3 * n);
  s = s == SQ_OK ? SQI_NEW(context, &surface->has_normal, n) : s;
  if (s == SQ_OK && n)
  {
    memset(surface->has_normal, 0, (size_t)n);
  }
  return s;
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
