/** What is known of a surface before it is searched: edges, normals, components, crossings, and which sign can be trusted. */
#include "sqi_alloc.h"
#include "sqi_components.h"
#include "sqi_context.h"
#include "sqi_crossings.h"
#include "sqi_surface.h"
#include "sqi_triangle_box.h"

#include <string.h>

/* Each phase begins a little after the end of the one before, so that its first report is not held back as too soon. */

/** A closed surface's volume is known to about this fraction of its area times its size. */
static const double VOLUME_ROUNDING = 1e-13;

typedef struct topology
{
  sq_context* context;
  sq_surface* surface;
  sqi_bvh* bvh;
  uint8_t* flat;
  sqi_components components;
} topology;

/** Whether only flat triangles use an edge: what sticks out there has no side of its own. */
static int has_bare_edge(const sqi_edges* e, const uint8_t* flat)
{
  for (int64_t j = 0; j < e->joint_count; ++j)
  {
    int bare = 1;
    for (int64_t i = e->start[j]; i < e->start[j + 1] && bare; ++i)
    {
      bare = flat[e->members[i]];
    }
    if (bare)
    {
      return 1;
    }
  }
  return 0;
}

/** Every edge is used once in each direction, and by a triangle with a normal. */
static int is_clean(const sq_surface* s, const uint8_t* flat)
{
  const sq_surface_report* r = &s->report;
  return !r->boundary_edges && !r->non_manifold_edges && !r->inconsistent_edges &&
    !has_bare_edge(&s->edges, flat);
}

/** Clean, every vertex in one fan, nothing touches, components apart, and all face the same way. */
static sq_status test_pseudonormal(topology* t, const sqi_triangles* mesh)
{
  sq_surface* s = t->surface;
  int apart = 0, pinched = 0;
  sq_status status = sqi_components_find_pinch(t->context, mesh, &s->edges, &pinched);
  status = status == SQ_OK && !pinched
    ? sqi_components_are_apart(t->context, mesh, &t->components, &apart)
    : status;
  if (status != SQ_OK || !apart)
  {
    return status;
  }
  int64_t inward;
  status = sqi_components_facing(t->context, mesh, &t->components, s->unit, &s->facing, &inward);
  if (status == SQ_OK && s->facing)
  {
    s->report.automatic_sign = SQ_SIGN_PSEUDONORMAL;
  }
  else if (status == SQ_OK)
  {
    s->report.inward_components = inward;
  }
  return status;
}

/**
 * Corners as welded, and those vertices' components; without welding within a tolerance both are there already. `touches`: whether
 * anything meets that is not joined; not looked for where the surface is not clean.
 */
static sq_status find_crossings(topology* t, const sqi_triangles* mesh, int clean, int* touches)
{
  sq_surface* s = t->surface;
  int64_t n = 3 * (int64_t)mesh->triangle_count;
  int64_t parts = t->components.count;
  int32_t* welded = NULL;
  int64_t* pairs = NULL;
  sq_status status = SQI_NEW(t->context, &pairs, parts);
  status = status == SQ_OK && mesh->weld ? SQI_NEW(t->context, &welded, n) : status;
  for (int64_t i = 0; i < n && welded; ++i)
  {
    welded[i] = mesh->weld[mesh->corners[i]];
  }
  if (status == SQ_OK)
  {
    memset(pairs, 0, (size_t)parts * sizeof(*pairs));
    sqi_crossings found = { 0, s->marks, SQI_CROSSING, t->components.of_vertex, pairs,
      clean ? mesh->flat : NULL, mesh->weld != NULL, 0 };
    status = sqi_crossings_find(t->context, mesh->vertices, mesh->weld ? welded : mesh->corners,
      mesh->triangle_count, mesh->weld ? NULL : t->bvh, &found);
    s->report.self_intersections = found.pairs;
    *touches = found.pairs || found.touches;
  }
  SQI_FREE(t->context, welded, n);
  if (status == SQ_OK && s->report.self_intersections)
  {
    s->component_crossings = pairs;
    return SQ_OK;
  }
  SQI_FREE(t->context, pairs, parts);
  return status;
}

static sq_status choose_sign(topology* t, const sqi_triangles* mesh)
{
  sq_surface_report* r = &t->surface->report;
  r->automatic_sign = SQ_SIGN_UNSIGNED;
  sq_status status = sqi_components_find(t->context, mesh, &t->components);
  r->components = t->components.count;
  if (status == SQ_OK && r->kind != SQ_SURFACE_CURVES && mesh->triangle_count)
  {
    r->automatic_sign = SQ_SIGN_WINDING_NUMBER;
    sqi_phase(t->context, "Looking for crossings", 0.71, 0.8);
    int clean = is_clean(t->surface, mesh->flat), touches = 0;
    status = find_crossings(t, mesh, clean, &touches);
    status = status == SQ_OK && clean && !touches ? test_pseudonormal(t, mesh) : status;
  }
  sqi_components_free(t->context, &t->components);
  return status;
}

static int64_t count_vertices(const sq_surface* s)
{
  int64_t n = 0;
  for (int32_t v = 0; v < s->vertex_count; ++v)
  {
    n += sqi_surface_weld(s, v) == v;
  }
  return n;
}

/** The arrays that hold a byte a triangle. */
static sq_status make_bytes(topology* t)
{
  int64_t n = t->surface->triangle_count;
  sq_status s = SQI_NEW(t->context, &t->flat, n);
  s = s == SQ_OK ? SQI_NEW(t->context, &t->surface->marks, n) : s;
  if (s == SQ_OK && n)
  {
    memset(t->surface->marks, 0, (size_t)n);
  }
  return s;
}

static sq_status add_edges(topology* t, const sqi_triangles* mesh)
{
  sq_surface* s = t->surface;
  sq_status status = sqi_corner_lists_build(t->context, mesh, &s->lists);
  status = status == SQ_OK ? sqi_edges_build(t->context, mesh, &s->lists, &s->edges) : status;
  status = status == SQ_OK ? sqi_surface_open_normals(t->context, s) : status;
  status = status == SQ_OK ? sqi_surface_add_flats(t->context, s, t->flat) : status;
  sq_surface_report* r = &s->report;
  r->triangles = s->triangle_count;
  r->vertices = count_vertices(s);
  r->boundary_edges = s->edges.boundary;
  r->non_manifold_edges = s->edges.non_manifold;
  r->inconsistent_edges = s->edges.inconsistent;
  r->duplicate_triangles = s->edges.duplicates;
  r->is_closed = s->triangle_count > 0 && !s->edges.boundary;
  r->faces_inward = r->is_closed && r->signed_volume < -VOLUME_ROUNDING * r->area * s->radius;
  /* Welding within a tolerance moves corners, and what is closed then is not quite so in space. */
  s->is_whole = !s->weld && !s->edges.unbalanced;
  return status;
}

/** Segments and points go through all this as degenerate triangles, which they are not. */
static void forget_counts(sq_surface_report* r)
{
  sq_surface_report none;
  memset(&none, 0, sizeof(none));
  none.kind = r->kind;
  none.automatic_sign = r->automatic_sign;
  none.skipped_elements = r->skipped_elements;
  *r = none;
}

sq_status sqi_surface_add_topology(
  sq_context* context, sq_surface* surface, const double* ulps, sqi_bvh* bvh)
{
  topology t;
  memset(&t, 0, sizeof(t));
  t.context = context;
  t.surface = surface;
  t.bvh = bvh;
  sqi_phase(context, "Matching edges", 0.31, 0.45);
  sq_status s = make_bytes(&t);
  s = s == SQ_OK ? sqi_surface_measure(context, surface, ulps, t.flat) : s;
  sqi_triangles mesh = { surface->vertices, surface->corners, surface->weld, t.flat, surface->marks,
    surface->vertex_count, surface->triangle_count };
  s = s == SQ_OK ? add_edges(&t, &mesh) : s;
  if (s == SQ_OK)
  {
    sqi_phase(context, "Building BVH", 0.46, 0.7);
    const sqi_triangle_view view = { surface->vertices, surface->corners };
    s = sqi_bvh_build_with_boxes(
      context, surface->triangle_count, sqi_triangle_box, &view, SQI_TRIANGLE_LEAF, bvh);
  }
  s = s == SQ_OK ? choose_sign(&t, &mesh) : s;
  sqi_bvh_drop_boxes(context, bvh);
  if (surface->report.kind == SQ_SURFACE_CURVES)
  {
    forget_counts(&surface->report);
  }
  SQI_FREE(context, t.flat, surface->triangle_count);
  return s;
}
