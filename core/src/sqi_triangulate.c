#include "sqi_triangulate.h"
#include "sqi_alloc.h"
#include "sqi_cell_faces.h"
#include "sqi_context.h"
#include "sqi_facets.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

sq_status sqi_blocks_open(
  sq_context* context, const sq_cells* views, int32_t count, sqi_blocks* blocks)
{
  memset(blocks, 0, sizeof(*blocks));
  blocks->views = views;
  blocks->count = count;
  sq_status s = SQI_NEW(context, &blocks->point_start, (int64_t)count + 1);
  if (s != SQ_OK)
  {
    return s;
  }
  blocks->point_start[0] = 0;
  for (int32_t b = 0; b < count && s == SQ_OK; ++b)
  {
    s = sqi_check_cells(context, &views[b], b);
    int64_t points = s == SQ_OK ? views[b].points.count : 0;
    blocks->point_start[b + 1] = blocks->point_start[b] + points;
    if (blocks->point_start[b + 1] > INT32_MAX)
    {
      s = sqi_fail(context, SQ_TOO_LARGE, "surface: more than %d points", INT32_MAX);
    }
  }
  return s;
}

void sqi_blocks_close(sq_context* context, sqi_blocks* blocks)
{
  SQI_FREE(context, blocks->point_start, (int64_t)blocks->count + 1);
  blocks->point_start = NULL;
}

int sqi_cell_is_finite(const sq_cells* cells, int64_t c)
{
  int64_t end = sqi_cell_offset(cells, c + 1);
  for (int64_t k = sqi_cell_offset(cells, c); k < end; ++k)
  {
    double x[3];
    sqi_point(&cells->points, sqi_id(cells->connectivity, cells->id_type, k), x);
    if (!sqi_is_finite3(x))
    {
      return 0;
    }
  }
  return 1;
}

/** A solid, or a cell with facets; whether a cell gives anything to a surface. */
static int is_something(const sq_cells* cells, int64_t c, int dimension)
{
  return dimension == 3 || (dimension >= 0 && sqi_facet_count(cells, c));
}

typedef struct survey
{
  const sq_cells* cells;
  _Atomic int64_t found[4]; /* shown cells of each dimension */
  _Atomic int64_t bad; /* lowest cell with a wrong number of points */
} survey;

static sq_status survey_cells(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  survey* s = (survey*)data;
  int64_t found[4] = { 0, 0, 0, 0 };
  for (int64_t c = begin; c < end; ++c)
  {
    int dimension = sqi_cell_dimension(s->cells, c);
    if (!sqi_facet_points_fit(s->cells, c))
    {
      int64_t bad = atomic_load(&s->bad);
      while (c < bad && !atomic_compare_exchange_weak(&s->bad, &bad, c))
      {
      }
      break;
    }
    if (sqi_cell_is_shown(s->cells, c) && is_something(s->cells, c, dimension))
    {
      ++found[dimension];
    }
  }
  for (int d = 0; d < 4; ++d)
  {
    atomic_fetch_add(&s->found[d], found[d]);
  }
  return SQ_OK;
}

sq_status sqi_surface_kind_of(sq_context* context, const sqi_blocks* blocks, sq_surface_kind* kind)
{
  int64_t found[4] = { 0, 0, 0, 0 };
  *kind = SQ_SURFACE_EMPTY;
  for (int32_t b = 0; b < blocks->count; ++b)
  {
    survey s = { &blocks->views[b], { 0, 0, 0, 0 }, INT64_MAX };
    sq_status status =
      sqi_parallel_for(context, blocks->views[b].count, SQI_CELL_GRAIN, survey_cells, &s);
    if (status != SQ_OK)
    {
      return status;
    }
    if (s.bad != INT64_MAX)
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "block %d: cell %lld has a number of points that does not fit its type %d", (int)b,
        (long long)s.bad, sqi_cell_kind(s.cells, s.bad));
    }
    for (int d = 0; d < 4; ++d)
    {
      found[d] += s.found[d];
    }
  }
  *kind = found[2]        ? SQ_SURFACE_POLYGONS
    : found[3]            ? SQ_SURFACE_BOUNDARY
    : found[0] + found[1] ? SQ_SURFACE_CURVES
                          : SQ_SURFACE_EMPTY;
  return SQ_OK;
}

sq_status sqi_triangle_list_allocate(
  sq_context* context, sqi_triangle_list* list, int64_t count, int32_t block_count, int with_subs)
{
  /* Half-edges are numbered in 32 bits. */
  if (count > UINT32_MAX / 3)
  {
    return sqi_fail(context, SQ_TOO_LARGE, "surface: %lld triangles, allowed are %lld",
      (long long)count, (long long)(UINT32_MAX / 3));
  }
  list->count = count;
  list->block_count = block_count;
  sq_status s = SQI_NEW(context, &list->corners, 3 * count);
  if (s == SQ_OK)
  {
    s = SQI_NEW(context, &list->cells, count);
  }
  if (s == SQ_OK && with_subs)
  {
    s = SQI_NEW(context, &list->subs, count);
  }
  if (s == SQ_OK)
  {
    s = SQI_NEW(context, &list->block_start, (int64_t)block_count + 1);
  }
  return s;
}

void sqi_triangle_list_free(sq_context* context, sqi_triangle_list* list)
{
  SQI_FREE(context, list->corners, 3 * list->count);
  SQI_FREE(context, list->cells, list->count);
  SQI_FREE(context, list->subs, list->count);
  SQI_FREE(context, list->block_start, (int64_t)list->block_count + 1);
  memset(list, 0, sizeof(*list));
}

/** What the filling threads share; every thread has its own part of the scratch for ear clipping. */
typedef struct filler
{
  const sq_cells* cells;
  int64_t point_start;
  int dimension_low; /* dimensions that take part */
  int dimension_high;
  int64_t* chunk_count; /* triangles of each chunk of cells; then where its first one goes */
  _Atomic int64_t skipped_elements;
  _Atomic int64_t skipped_triangles;
  _Atomic int64_t kept_cells;
  _Atomic int64_t largest_polygon;
  sqi_triangle_list* list;
  double* xyz;
  sqi_clip_corner* corners;
  int32_t* ears;
  int64_t scratch; /* corners a thread */
} filler;

/** Elements that a cell gives to the list. */
static int64_t wanted(const filler* f, int64_t c, int* finite)
{
  int dimension = sqi_cell_dimension(f->cells, c);
  *finite = 1;
  if (dimension < f->dimension_low || dimension > f->dimension_high ||
    !sqi_cell_is_shown(f->cells, c))
  {
    return 0;
  }
  *finite = sqi_cell_is_finite(f->cells, c);
  return sqi_facet_count(f->cells, c);
}

static sq_status count_elements(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  filler* f = (filler*)data;
  int64_t total = 0, kept = 0, skipped = 0, lost = 0, largest = 0;
  for (int64_t c = begin; c < end; ++c)
  {
    int finite;
    int64_t n = wanted(f, c, &finite);
    skipped += !finite;
    lost += finite ? 0 : n;
    if (finite && n)
    {
      total += n;
      ++kept;
      largest = sqi_facet_is_polygon(sqi_cell_kind(f->cells, c)) && n > largest ? n : largest;
    }
  }
  f->chunk_count[begin / SQI_CELL_GRAIN] = total;
  atomic_fetch_add(&f->skipped_elements, skipped);
  atomic_fetch_add(&f->skipped_triangles, lost);
  atomic_fetch_add(&f->kept_cells, kept);
  int64_t seen = atomic_load(&f->largest_polygon);
  while (largest > seen && !atomic_compare_exchange_weak(&f->largest_polygon, &seen, largest))
  {
  }
  return SQ_OK;
}

static void put(filler* f, int64_t at, int64_t cell, int64_t sub, const int64_t ids[3])
{
  for (int k = 0; k < 3; ++k)
  {
    f->list->corners[3 * at + k] = (int32_t)(f->point_start + ids[k]);
  }
  f->list->cells[at] = cell;
  if (f->list->subs)
  {
    f->list->subs[at] = (int32_t)sub;
  }
}

static void put_polygon(filler* f, int64_t at, int64_t c, int32_t n, int32_t thread)
{
  int64_t offset = sqi_cell_offset(f->cells, c);
  int type = sqi_cell_kind(f->cells, c);
  double* xyz = f->xyz + 3 * f->scratch * thread;
  int32_t* ears = f->ears + 3 * f->scratch * thread;
  for (int32_t i = 0; i < n; ++i)
  {
    int32_t place = sqi_facet_ring(type, n, i);
    sqi_point(&f->cells->points, sqi_cell_point(f->cells, offset, place), xyz + 3 * i);
  }
  sqi_clip_ears(xyz, n, f->corners + f->scratch * thread, ears);
  for (int32_t i = 0; i < n - 2; ++i)
  {
    int64_t ids[3];
    for (int k = 0; k < 3; ++k)
    {
      int32_t place = sqi_facet_ring(type, n, ears[3 * i + k]);
      ids[k] = sqi_cell_point(f->cells, offset, place);
    }
    put(f, at + i, c, i, ids);
  }
}

static sq_status fill_elements(void* data, int64_t begin, int64_t end, int32_t thread)
{
  filler* f = (filler*)data;
  int64_t at = f->chunk_count[begin / SQI_CELL_GRAIN];
  for (int64_t c = begin; c < end; ++c)
  {
    int finite;
    int64_t n = wanted(f, c, &finite);
    if (!finite || !n)
    {
      continue;
    }
    if (sqi_facet_is_polygon(sqi_cell_kind(f->cells, c)))
    {
      put_polygon(f, at, c, (int32_t)(n + 2), thread);
    }
    else
    {
      int64_t offset = sqi_cell_offset(f->cells, c);
      sqi_facets facets;
      sqi_facets_begin(f->cells, c, &facets);
      for (int64_t i = 0; i < n; ++i)
      {
        int64_t p[3];
        sqi_facet_corners(&facets, i, p);
        for (int k = 0; k < 3; ++k)
        {
          p[k] = sqi_cell_point(f->cells, offset, p[k]);
        }
        put(f, at + i, c, i, p);
      }
    }
    at += n;
  }
  return SQ_OK;
}

static void filler_select(filler* f, const sqi_blocks* blocks, int32_t b)
{
  f->cells = &blocks->views[b];
  f->point_start = blocks->point_start[b];
}

static int64_t chunks_of(int64_t cells)
{
  return (cells + SQI_CELL_GRAIN - 1) / SQI_CELL_GRAIN;
}

/** Calls `body` for the cells of every block, each with its own part of the chunk counts. */
static sq_status for_blocks(sq_context* context, const sqi_blocks* blocks, filler* f, sqi_body body)
{
  sq_status s = SQ_OK;
  int64_t* counts = f->chunk_count;
  for (int32_t b = 0; b < blocks->count && s == SQ_OK; ++b)
  {
    filler_select(f, blocks, b);
    s = sqi_parallel_for(context, f->cells->count, SQI_CELL_GRAIN, body, f);
    f->chunk_count += chunks_of(f->cells->count);
  }
  f->chunk_count = counts;
  return s;
}

/** Turns the counts of the chunks into places, and allocates list and scratch. */
static sq_status place_elements(sq_context* context, const sqi_blocks* blocks, filler* f)
{
  int64_t total = 0, chunk = 0;
  for (int32_t b = 0; b < blocks->count; ++b)
  {
    for (int64_t i = chunks_of(blocks->views[b].count); i > 0; --i, ++chunk)
    {
      int64_t n = f->chunk_count[chunk];
      f->chunk_count[chunk] = total;
      total += n;
    }
  }
  int with_subs = total != f->kept_cells;
  sq_status s = sqi_triangle_list_allocate(context, f->list, total, blocks->count, with_subs);
  if (s != SQ_OK)
  {
    return s;
  }
  int64_t chunks = chunk;
  chunk = 0;
  for (int32_t b = 0; b < blocks->count; ++b)
  {
    f->list->block_start[b] = chunk < chunks ? f->chunk_count[chunk] : total;
    chunk += chunks_of(blocks->views[b].count);
  }
  f->list->block_start[blocks->count] = total;
  if (f->largest_polygon)
  {
    f->scratch = f->largest_polygon + 2;
    int64_t n = f->scratch * sq_context_threads(context);
    s = SQI_NEW(context, &f->xyz, 3 * n);
    s = s == SQ_OK ? SQI_NEW(context, &f->corners, n) : s;
    s = s == SQ_OK ? SQI_NEW(context, &f->ears, 3 * n) : s;
  }
  return s;
}

sq_status sqi_triangulate(
  sq_context* context, const sqi_blocks* blocks, sq_surface_kind kind, sqi_triangle_list* list)
{
  filler f;
  memset(&f, 0, sizeof(f));
  memset(list, 0, sizeof(*list));
  f.list = list;
  f.dimension_low = kind == SQ_SURFACE_POLYGONS ? 2 : 0;
  f.dimension_high = kind == SQ_SURFACE_POLYGONS ? 2 : kind == SQ_SURFACE_CURVES ? 1 : -1;
  int64_t chunks = 0;
  for (int32_t b = 0; b < blocks->count; ++b)
  {
    chunks += chunks_of(blocks->views[b].count);
  }
  sq_status s = SQI_NEW(context, &f.chunk_count, chunks);
  s = s == SQ_OK ? for_blocks(context, blocks, &f, count_elements) : s;
  s = s == SQ_OK ? place_elements(context, blocks, &f) : s;
  s = s == SQ_OK ? for_blocks(context, blocks, &f, fill_elements) : s;
  list->skipped_elements = f.skipped_elements;
  list->skipped_triangles = f.skipped_triangles;
  int64_t n = f.scratch * sq_context_threads(context);
  SQI_FREE(context, f.xyz, 3 * n);
  SQI_FREE(context, f.corners, n);
  SQI_FREE(context, f.ears, 3 * n);
  SQI_FREE(context, f.chunk_count, chunks);
  return s;
}
