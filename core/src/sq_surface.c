#include "sqi_alloc.h"
#include "sqi_bvh.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_sdf_reference.h"
#include "sqi_surface_order.h"
#include "sqi_weld.h"

#include <math.h>
#include <string.h>

sq_surface_options sq_surface_options_default(void)
{
  sq_surface_options o = { SQ_MERGE_POINTS_DEFAULT, SQ_MERGE_TOLERANCE_DEFAULT, SQ_SDF_EXACT };
  return o;
}

/** What one build passes from step to step; everything here is given back at its end. */
typedef struct build
{
  sq_context* context;
  sq_surface_options options;
  sqi_blocks blocks;
  sqi_triangle_list list;
  sqi_point_pool pool;
  uint8_t* used; /* by global point id */
  int32_t* vertex_of_slot; /* -1: no triangle uses it */
  double* ulps; /* by block */
  sqi_bvh bvh; /* over the triangles */
  sq_surface* surface;
} build;

static sq_status mark_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  build* b = (build*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    __atomic_store_n(&b->used[b->list.corners[i]], 1, __ATOMIC_RELAXED);
  }
  return SQ_OK;
}

/** The pool of the marked points, welded as the options say. */
static sq_status weld_points(build* b)
{
  sq_status s = sqi_pool_open(b->context, &b->blocks, b->used, &b->pool);
  if (s != SQ_OK || !b->options.merge_points)
  {
    return s;
  }
  s = sqi_weld_equal(b->context, &b->pool);
  if (s == SQ_OK && b->options.merge_tolerance > 0.0)
  {
    double diagonal;
    s = sqi_pool_diagonal(b->context, &b->pool, &diagonal);
    s = s == SQ_OK ? sqi_weld_near(b->context, &b->pool, b->options.merge_tolerance * diagonal) : s;
  }
  return s;
}

static sq_status make_used(build* b)
{
  int64_t n = b->blocks.point_start[b->blocks.count];
  sq_status s = SQI_NEW(b->context, &b->used, n);
  if (s == SQ_OK && n)
  {
    memset(b->used, 0, (size_t)n);
  }
  return s;
}

/** Triangles of 2-D cells or curves, then the points that they use. */
static sq_status gather_cells(build* b, sq_surface_kind kind)
{
  sq_status s = sqi_triangulate(b->context, &b->blocks, kind, &b->list);
  s = s == SQ_OK ? make_used(b) : s;
  s = s == SQ_OK ? sqi_parallel_for(b->context, 3 * b->list.count, 1 << 16, mark_corners, b) : s;
  return s == SQ_OK ? weld_points(b) : s;
}

/** For the boundary the other way round: faces are matched by welded points. `same` goes from global ids to these. */
static sq_status gather_boundary(build* b)
{
  sq_status s = make_used(b);
  s = s == SQ_OK ? sqi_mark_solid_points(b->context, &b->blocks, b->used) : s;
  s = s == SQ_OK ? weld_points(b) : s;
  int32_t* same = NULL;
  s = s == SQ_OK ? SQI_NEW(b->context, &same, b->pool.global_count) : s;
  for (int64_t i = 0; i < b->pool.global_count && s == SQ_OK; ++i)
  {
    int32_t slot = b->pool.slot[i];
    same[i] = slot < 0 ? -1 : b->pool.near ? b->pool.near[slot] : b->pool.same[slot];
  }
  s = s == SQ_OK ? sqi_triangulate_boundary(b->context, &b->blocks, same, &b->list) : s;
  SQI_FREE(b->context, same, b->pool.global_count);
  return s;
}

static sq_status mark_slots(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  build* b = (build*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t slot = b->pool.same[b->pool.slot[b->list.corners[i]]];
    __atomic_store_n(&b->vertex_of_slot[slot], 0, __ATOMIC_RELAXED);
  }
  return SQ_OK;
}

static sq_status renumber_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  build* b = (build*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t* c = &b->list.corners[i];
    *c = b->vertex_of_slot[b->pool.same[b->pool.slot[*c]]];
  }
  return SQ_OK;
}

/** Vertices are the different points in use, in the order of their lowest id. */
static sq_status number_vertices(build* b)
{
  sq_surface* s = b->surface;
  int32_t slots = b->pool.count;
  sq_status status = SQI_NEW(b->context, &b->vertex_of_slot, slots);
  if (status != SQ_OK)
  {
    return status;
  }
  for (int32_t i = 0; i < slots; ++i)
  {
    b->vertex_of_slot[i] = -1;
  }
  status = sqi_parallel_for(b->context, 3 * b->list.count, 1 << 16, mark_slots, b);
  for (int32_t i = 0; i < slots && status == SQ_OK; ++i)
  {
    if (b->vertex_of_slot[i] == 0)
    {
      b->vertex_of_slot[i] = s->vertex_count++;
    }
  }
  status = status == SQ_OK
    ? sqi_parallel_for(b->context, 3 * b->list.count, 1 << 16, renumber_corners, b)
    : status;
  return status == SQ_OK ? SQI_NEW(b->context, &s->vertices, 3 * (int64_t)s->vertex_count) : status;
}

/** Copies the coordinates, and names for each cluster the lowest vertex in it. */
static sq_status copy_vertices(build* b)
{
  sq_surface* s = b->surface;
  int32_t* first = NULL; /* by slot that stands for a cluster: its lowest vertex */
  sq_status status = SQ_OK;
  if (b->pool.near)
  {
    status = SQI_NEW(b->context, &s->weld, s->vertex_count);
    status = status == SQ_OK ? SQI_NEW(b->context, &first, b->pool.count) : status;
    for (int32_t i = 0; i < b->pool.count && first; ++i)
    {
      first[i] = -1;
    }
  }
  for (int32_t i = 0; i < b->pool.count && status == SQ_OK; ++i)
  {
    int32_t v = b->vertex_of_slot[i];
    if (v < 0)
    {
      continue;
    }
    memcpy(s->vertices + 3 * (int64_t)v, b->pool.x + 3 * (int64_t)i, 3 * sizeof(double));
    if (s->weld)
    {
      int32_t* lowest = &first[b->pool.near[i]];
      *lowest = *lowest < 0 ? v : *lowest;
      s->weld[v] = *lowest;
    }
  }
  SQI_FREE(b->context, first, b->pool.count);
  return status;
}

/** The arrays of the list become the surface's. */
static void take_list(build* b)
{
  sq_surface* s = b->surface;
  s->triangle_count = (int32_t)b->list.count;
  s->corners = b->list.corners;
  s->cells = b->list.cells;
  s->subs = b->list.subs;
  s->block_start = b->list.block_start;
  s->block_count = b->list.block_count;
  s->report.skipped_elements = b->list.skipped_elements;
  s->report.degenerate_triangles = b->list.skipped_triangles;
  memset(&b->list, 0, sizeof(b->list));
}

/* Each phase begins a little after the end of the one before, so that its first report is not held back as too soon. */

static sq_status gather(build* b)
{
  sq_surface_kind* kind = &b->surface->report.kind;
  sqi_phase(b->context, "Gathering triangles", 0.06, 0.1);
  sq_status s = sqi_surface_kind_of(b->context, &b->blocks, kind);
  if (s != SQ_OK)
  {
    return s;
  }
  if (b->options.mode == SQ_SDF_REFERENCE && *kind > SQ_SURFACE_POLYGONS)
  {
    return sqi_fail(b->context, SQ_UNSUPPORTED,
      "surface: %s cells, allowed in reference mode are 2-D cells",
      *kind == SQ_SURFACE_BOUNDARY ? "3-D" : "1-D and 0-D");
  }
  sqi_phase(b->context, "Merging points", 0.11, 0.3);
  s = *kind == SQ_SURFACE_BOUNDARY ? gather_boundary(b) : gather_cells(b, *kind);
  s = s == SQ_OK ? number_vertices(b) : s;
  s = s == SQ_OK ? copy_vertices(b) : s;
  if (s == SQ_OK)
  {
    take_list(b);
    s = sqi_surface_order(b->context, b->surface, b->blocks.views, b->blocks.count);
  }
  if (s == SQ_OK && b->options.mode == SQ_SDF_REFERENCE)
  {
    s = sqi_sdf_reference_repair(b->context, b->surface);
  }
  return s;
}

/** The relative spacing of the coordinates of each block. */
static sq_status note_spacing(build* b)
{
  sq_status s = SQI_NEW(b->context, &b->ulps, b->blocks.count);
  for (int32_t i = 0; i < b->blocks.count && s == SQ_OK; ++i)
  {
    b->ulps[i] = b->blocks.views[i].points.type == SQ_FLOAT32 ? SQI_FLOAT32_ULP : SQI_FLOAT64_ULP;
  }
  return s;
}

static void end_build(build* b)
{
  int32_t slots = b->pool.count;
  int64_t points = b->blocks.point_start ? b->blocks.point_start[b->blocks.count] : 0;
  SQI_FREE(b->context, b->used, points);
  SQI_FREE(b->context, b->vertex_of_slot, slots);
  SQI_FREE(b->context, b->ulps, b->blocks.count);
  sqi_bvh_release(&b->bvh);
  sqi_pool_close(b->context, &b->pool);
  sqi_triangle_list_free(b->context, &b->list);
  sqi_blocks_close(b->context, &b->blocks);
}

static sq_status check_arguments(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_surface_options* options)
{
  if (block_count < 0 || (block_count && !blocks))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "surface: %d blocks%s", (int)block_count,
      blocks ? "" : " without views");
  }
  if (!(options->merge_tolerance >= SQ_MERGE_TOLERANCE_MIN &&
        options->merge_tolerance <= SQ_MERGE_TOLERANCE_MAX))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "surface: merge tolerance %g, allowed are %g to %g", options->merge_tolerance,
      SQ_MERGE_TOLERANCE_MIN, SQ_MERGE_TOLERANCE_MAX);
  }
  if (options->mode != SQ_SDF_EXACT && options->mode != SQ_SDF_REFERENCE)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "surface: mode %d, allowed are SQ_SDF_EXACT and SQ_SDF_REFERENCE", (int)options->mode);
  }
  if (options->mode == SQ_SDF_REFERENCE && options->merge_points && options->merge_tolerance > 0.0)
  {
    return sqi_fail(context, SQ_UNSUPPORTED,
      "surface: merge tolerance %g, allowed in reference mode is 0", options->merge_tolerance);
  }
  return SQ_OK;
}

sq_status sq_surface_build(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_surface_options* options, sq_surface** surface)
{
  if (surface)
  {
    *surface = NULL;
  }
  if (!context || !surface)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  build b;
  memset(&b, 0, sizeof(b));
  b.context = context;
  b.options = options ? *options : sq_surface_options_default();
  sq_status s = check_arguments(context, blocks, block_count, &b.options);
  s = s == SQ_OK ? SQI_NEW(context, &b.surface, 1) : s;
  if (s != SQ_OK)
  {
    return s;
  }
  memset(b.surface, 0, sizeof(*b.surface));
  b.surface->allocator = b.bvh.allocator = context->allocator;
  sqi_phase(context, "Reading cells", 0.0, 0.05);
  s = sqi_blocks_open(context, blocks, block_count, &b.blocks);
  s = s == SQ_OK ? gather(&b) : s;
  s = s == SQ_OK ? note_spacing(&b) : s;
  s = s == SQ_OK ? sqi_surface_add_topology(context, b.surface, b.ulps, &b.bvh) : s;
  if (s == SQ_OK)
  {
    sqi_phase(context, "Building BVH", 0.81, 1.0);
    s = sqi_triangle_index_build(context, b.surface->vertices, b.surface->corners,
      b.surface->triangle_count, &b.bvh, &b.surface->index);
  }
  if (s == SQ_OK && b.options.mode == SQ_SDF_REFERENCE)
  {
    s = sqi_sdf_reference_build(context, b.surface, &b.bvh);
  }
  end_build(&b);
  if (s != SQ_OK)
  {
    sq_surface_destroy(b.surface);
    return s;
  }
  *surface = b.surface;
  return SQ_OK;
}

void sq_surface_destroy(sq_surface* surface)
{
  if (!surface)
  {
    return;
  }
  const sq_allocator allocator = surface->allocator;
  int64_t triangles = surface->triangle_count;
  sqi_triangle_index_destroy(surface->index);
  sqi_sdf_reference_destroy(surface->reference);
  sqi_winding_destroy(atomic_load(&surface->winding));
  sqi_edges_free(&allocator, surface->triangle_count, &surface->edges);
  SQI_RELEASE(&allocator, surface->vertices, 3 * (int64_t)surface->vertex_count);
  SQI_RELEASE(&allocator, surface->corners, 3 * triangles);
  SQI_RELEASE(&allocator, surface->weld, surface->vertex_count);
  SQI_RELEASE(&allocator, surface->cells, triangles);
  SQI_RELEASE(&allocator, surface->subs, triangles);
  SQI_RELEASE(&allocator, surface->blocks, surface->triangle_count);
  SQI_RELEASE(&allocator, surface->marks, surface->triangle_count);
  SQI_RELEASE(&allocator, surface->component_crossings, surface->report.components);
  SQI_RELEASE(&allocator, surface->block_start, (int64_t)surface->block_count + 1);
  sqi_corner_lists_free(&allocator, surface->vertex_count, triangles, &surface->lists);
  SQI_RELEASE(&allocator, surface->vertex_normals, 3 * (int64_t)surface->vertex_count);
  SQI_RELEASE(&allocator, surface->has_normal, surface->vertex_count);
  SQI_RELEASE(&allocator, surface->flats, surface->flat_count);
  SQI_RELEASE(&allocator, surface->hinge_vertices, surface->hinge_count);
  SQI_RELEASE(&allocator, surface->hinge_start, (int64_t)surface->hinge_count + 1);
  SQI_RELEASE(&allocator, surface->hinge_flats, surface->hinge_flat_count);
  SQI_RELEASE(&allocator, surface, 1);
}

sq_status sq_surface_get_report(const sq_surface* surface, sq_surface_report* report)
{
  if (!surface || !report)
  {
    return SQ_INVALID_ARGUMENT;
  }
  *report = surface->report;
  return SQ_OK;
}

int64_t sq_surface_bytes(const sq_surface* s)
{
  if (!s)
  {
    return 0;
  }
  int64_t triangle = (int64_t)sizeof(int64_t) +
    (int64_t)sizeof(int32_t) * (9 + (s->subs != NULL) + (s->blocks != NULL)) + 1;
  int64_t vertex = 6 * sizeof(double) + sizeof(uint32_t) + 1 + (s->weld ? sizeof(int32_t) : 0);
  int64_t edges = s->edges.joint_count * (int64_t)(sizeof(int64_t) + 2 * sizeof(int32_t)) +
    s->edges.member_count * (int64_t)sizeof(int32_t);
  int64_t flats = s->flat_count * (int64_t)sizeof(int32_t) +
    s->hinge_count * (int64_t)(sizeof(int32_t) + sizeof(int64_t)) +
    s->hinge_flat_count * (int64_t)sizeof(int32_t);
  return (int64_t)sizeof(*s) + s->triangle_count * triangle + s->vertex_count * vertex + edges +
    flats + sqi_triangle_index_bytes(s->index) + sqi_sdf_reference_bytes(s->reference) +
    sqi_winding_bytes(atomic_load(&((sq_surface*)s)->winding));
}
