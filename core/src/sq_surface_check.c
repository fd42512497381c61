#include "sqi_alloc.h"
#include "sqi_components.h"
#include "sqi_context.h"
#include "sqi_surface_check.h"
#include "sqi_triangulate.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

/** Triangles and cells between two polls. */
#define POLL 16384

/** The component of every triangle, and reports that say nothing yet. */
static sq_status find_components(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  const sqi_triangles mesh = { s->vertices, s->corners, s->weld, NULL, NULL, s->vertex_count,
    check->triangle_count };
  sqi_components found;
  sq_status status = sqi_components_find(context, &mesh, &found);
  for (int32_t t = 0; t < check->triangle_count && status == SQ_OK; ++t)
  {
    check->component[t] = found.of_vertex[sqi_corner_vertex(&mesh, 3 * (uint32_t)t)];
    check->block[t] = sqi_surface_block_of(s, t);
  }
  status = status == SQ_OK ? SQI_NEW(context, &check->components, found.count) : status;
  if (status == SQ_OK)
  {
    check->component_count = found.count;
    memset(check->components, 0, (size_t)found.count * sizeof(*check->components));
    for (int32_t v = 0; v < s->vertex_count && check->triangle_count; ++v)
    {
      if (sqi_surface_weld(s, v) == v)
      {
        ++check->components[found.of_vertex[v]].vertices;
      }
    }
  }
  sqi_components_free(context, &found);
  return status;
}

/** Sums over the triangles of a component, from its first vertex and in units of the surface. */
typedef struct sums
{
  double first[3];
  double corners[3];
  double area;
  double volume;
} sums;

static void add_corners(const sq_surface* s, int32_t t, sums* c, int is_first)
{
  for (int d = 0; d < 3 && is_first; ++d)
  {
    c->first[d] = s->unit * sqi_surface_corner(s, t, 0)[d];
  }
  for (int k = 0; k < 3; ++k)
  {
    for (int d = 0; d < 3; ++d)
    {
      c->corners[d] += s->unit * sqi_surface_corner(s, t, k)[d] - c->first[d];
    }
  }
}

static void add_measures(const sq_surface* s, int32_t t, int64_t count, sums* c)
{
  double origin[3];
  for (int d = 0; d < 3; ++d)
  {
    origin[d] = c->first[d] + c->corners[d] / (3.0 * (double)count);
  }
  c->area += sqi_surface_measure_triangle(s, t, SQI_FLOAT64_ULP).area;
  c->volume += sqi_surface_volume6(s, t, origin) / 6.0;
}

/** In the order of the triangles, on one thread: the same bits for any number. */
static sq_status measure_components(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  sums* c = NULL;
  sq_status status = SQI_NEW(context, &c, check->component_count);
  if (status == SQ_OK)
  {
    memset(c, 0, (size_t)check->component_count * sizeof(*c));
  }
  for (int pass = 0; pass < 2; ++pass)
  {
    for (int32_t t = 0; t < check->triangle_count && status == SQ_OK; ++t)
    {
      status = t % POLL == 0 ? sqi_poll(context, (double)t / check->triangle_count, 0) : SQ_OK;
      sq_surface_report* r = &check->components[check->component[t]];
      if (pass == 0)
      {
        add_corners(s, t, &c[check->component[t]], r->triangles == 0);
        ++r->triangles;
      }
      else
      {
        add_measures(s, t, r->triangles, &c[check->component[t]]);
      }
    }
  }
  int exponent = ilogb(s->unit);
  for (int64_t i = 0; i < check->component_count && status == SQ_OK; ++i)
  {
    check->components[i].area = ldexp(c[i].area, -2 * exponent);
    check->components[i].signed_volume = ldexp(c[i].volume, -3 * exponent);
  }
  SQI_FREE(context, c, check->component_count);
  return status;
}

/** What is left to say of each component. */
static void finish_reports(sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  for (int64_t i = 0; i < check->component_count; ++i)
  {
    sq_surface_report* r = &check->components[i];
    r->self_intersections = s->component_crossings ? s->component_crossings[i] : 0;
    r->components = 1;
    r->is_closed = !r->boundary_edges;
    r->kind = s->report.kind;
    r->automatic_sign = s->report.automatic_sign;
  }
}

static sq_status fill(sq_context* context, sq_surface_check* check)
{
  int64_t n = check->triangle_count;
  sqi_phase(context, "Checking surface", 0.0, 0.3);
  sq_status s = SQI_NEW(context, &check->component, n);
  s = s == SQ_OK ? SQI_NEW(context, &check->problem, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &check->block, n) : s;
  s = s == SQ_OK ? find_components(context, check) : s;
  sqi_phase(context, "Checking surface", 0.3, 0.6);
  s = s == SQ_OK ? measure_components(context, check) : s;
  sqi_phase(context, "Checking surface", 0.6, 1.0);
  s = s == SQ_OK ? sqi_surface_find_faults(context, check) : s;
  if (s == SQ_OK)
  {
    finish_reports(check);
  }
  return s;
}

sq_status sq_surface_check_build(
  sq_context* context, const sq_surface* surface, sq_surface_check** check)
{
  if (check)
  {
    *check = NULL;
  }
  if (!context || !check)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!surface)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "surface check: no surface given");
  }
  sq_surface_check* made = NULL;
  sq_status s = SQI_NEW(context, &made, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  memset(made, 0, sizeof(*made));
  made->allocator = context->allocator;
  made->surface = surface;
  made->triangle_count = surface->report.kind == SQ_SURFACE_CURVES ? 0 : surface->triangle_count;
  s = fill(context, made);
  if (s != SQ_OK)
  {
    sq_surface_check_destroy(made);
    return s;
  }
  *check = made;
  return SQ_OK;
}

void sq_surface_check_destroy(sq_surface_check* check)
{
  if (!check)
  {
    return;
  }
  const sq_allocator allocator = check->allocator;
  SQI_RELEASE(&allocator, check->components, check->component_count);
  SQI_RELEASE(&allocator, check->component, check->triangle_count);
  SQI_RELEASE(&allocator, check->problem, check->triangle_count);
  SQI_RELEASE(&allocator, check->block, check->triangle_count);
  SQI_RELEASE(&allocator, check->points, 3 * check->point_count);
  SQI_RELEASE(
    &allocator, check->fault_points, sqi_fault_start(check->edge_count, check->fault_count));
  SQI_RELEASE(&allocator, check->fault_problem, check->fault_count);
  SQI_RELEASE(&allocator, check->fault_triangle, check->fault_count);
  SQI_RELEASE(&allocator, check, 1);
}

sq_status sq_surface_check_get_view(const sq_surface_check* check, sq_surface_check_view* view)
{
  if (!check || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  view->component_count = check->component_count;
  view->components = check->components;
  view->triangle_count = check->triangle_count;
  view->triangle_component = check->component;
  view->triangle_problem = check->problem;
  view->triangle_cell = check->surface->cells;
  view->triangle_block = check->block;
  view->triangle_sub = check->surface->subs;
  view->point_count = check->point_count;
  view->points = check->points;
  view->edge_count = check->edge_count;
  view->fault_count = check->fault_count;
  view->fault_points = check->fault_points;
  view->fault_problem = check->fault_problem;
  view->fault_triangle = check->fault_triangle;
  return SQ_OK;
}

/** A cell of the surface's kind that a build leaves out. */
static int is_left_out(const sq_cells* cells, int64_t c, sq_surface_kind kind)
{
  int dimension = sqi_cell_dimension(sqi_cell_kind(cells, c));
  int wanted = kind == SQ_SURFACE_POLYGONS ? 2 : kind == SQ_SURFACE_BOUNDARY ? 3 : -1;
  return dimension == wanted && sqi_cell_is_shown(cells, c) && !sqi_cell_is_finite(cells, c);
}

static sq_status clear_cells(sq_context* context, const sq_surface_check* check,
  const sq_cells* cells, int64_t* component, int32_t* problem)
{
  for (int64_t c = 0; c < cells->count; ++c)
  {
    if (c % POLL == 0 && sqi_poll(context, (double)c / (double)cells->count, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    component[c] = -1;
    problem[c] =
      is_left_out(cells, c, check->surface->report.kind) ? SQ_PROBLEM_DEGENERATE : SQ_PROBLEM_NONE;
  }
  return SQ_OK;
}

static sq_status check_blocks(sq_context* context, const sq_surface_check* check,
  const sq_cells* blocks, int32_t block_count, sqi_blocks* open)
{
  sq_status s = sqi_blocks_open(context, blocks, block_count, open);
  for (int32_t t = 0; t < check->triangle_count && s == SQ_OK; ++t)
  {
    int32_t b = check->block[t];
    if (b >= block_count || check->surface->cells[t] >= blocks[b].count)
    {
      s = sqi_fail(context, SQ_INVALID_ARGUMENT,
        "surface check: cell %lld of block %d is not there; allowed are the blocks of the surface",
        (long long)check->surface->cells[t], (int)b);
    }
  }
  return s;
}

sq_status sq_surface_check_cells(sq_context* context, const sq_surface_check* check,
  const sq_cells* blocks, int32_t block_count, int64_t* const* component, int32_t* const* problem)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!check || block_count < 0 || (block_count && (!blocks || !component || !problem)))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "surface check: %d blocks; allowed are a check, the blocks of its surface and two arrays for "
      "each",
      (int)block_count);
  }
  sqi_phase(context, "Checking cells", 0.0, 1.0);
  sqi_blocks open;
  memset(&open, 0, sizeof(open));
  sq_status s = check_blocks(context, check, blocks, block_count, &open);
  sqi_blocks_close(context, &open);
  for (int32_t b = 0; b < block_count && s == SQ_OK; ++b)
  {
    s = clear_cells(context, check, &blocks[b], component[b], problem[b]);
  }
  for (int32_t t = 0; t < check->triangle_count && s == SQ_OK; ++t)
  {
    int64_t c = check->surface->cells[t];
    int64_t* part = &component[check->block[t]][c];
    int32_t* worst = &problem[check->block[t]][c];
    *part = *part < 0 || check->component[t] < *part ? check->component[t] : *part;
    *worst = sqi_problem_precedes(check->problem[t], *worst) ? check->problem[t] : *worst;
  }
  return s;
}
