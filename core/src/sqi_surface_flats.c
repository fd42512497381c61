#include "sqi_surface.h"
#include "sqk_angle.h"

/**
 * Where zero-area triangles meet the closest point p, topology alone does not say what is there: the edge of a face may pass
 * the end of others, joined to it by flat triangles between. The pseudonormal is then the sum, over all triangles with
 * an area that touch p, of normal times angle at p (Baerentzen and Aanaes 2005): the vertex sum where p is a vertex, pi times
 * the normal for an edge through p. A walk over the flat triangles at p finds them.
 */

/** Real triangles that add up to less than this fraction of their weights, or to their slack, cancel: the flat ones decide. */
#define CANCELLED 1e-6

/** More flat triangles than this at one point are not looked at: a query has no memory to spend. */
#define MOST 48

/** Rounding of p, in units in the last place of its largest coordinate. */
#define POINT_ULPS 2.0

typedef struct walk
{
  const sq_surface* surface;
  const double* x;
  const double* p;
  sqi_side* side;
  double weight; /* of the normals that have been added */
  /* How far p may be from what it touches: the heights of the flat triangles on the way. */
  double slack;
  int32_t flats[MOST];
  int32_t vertices[MOST];
  int64_t joints[MOST];
  int flat_count;
  int vertex_count;
  int joint_count;
} walk;

static double distance_to(const walk* w, const double q[3])
{
  double d[3];
  for (int k = 0; k < 3; ++k)
  {
    d[k] = w->surface->unit * w->p[k] - w->surface->unit * q[k];
  }
  return sqrt(sqk_dot3(d, d));
}

static double distance_to_segment(const walk* w, const double a[3], const double b[3])
{
  double e[3], r[3];
  for (int k = 0; k < 3; ++k)
  {
    e[k] = w->surface->unit * b[k] - w->surface->unit * a[k];
    r[k] = w->surface->unit * w->p[k] - w->surface->unit * a[k];
  }
  double length2 = sqk_dot3(e, e);
  double t = length2 > 0.0 ? sqk_dot3(r, e) / length2 : 0.0;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  sqk_madd3(r, -t, e, r);
  return sqrt(sqk_dot3(r, r));
}

static void visit_flat(walk* w, int32_t t)
{
  for (int i = 0; i < w->flat_count; ++i)
  {
    if (w->flats[i] == t)
    {
      return;
    }
  }
  if (w->flat_count < MOST)
  {
    w->flats[w->flat_count++] = t;
  }
}

static int is_visited(const walk* w, int32_t vertex)
{
  for (int i = 0; i < w->vertex_count; ++i)
  {
    if (w->vertices[i] == vertex)
    {
      return 1;
    }
  }
  return 0;
}

/** p is at this vertex: its sum counts, and its flat triangles are on the way. */
static void visit_vertex(walk* w, int32_t vertex)
{
  const sq_surface* s = w->surface;
  if (is_visited(w, vertex) || w->vertex_count == MOST)
  {
    return;
  }
  w->vertices[w->vertex_count++] = vertex;
  double r[3], sum[3];
  sqi_surface_vertex_normal(s, vertex, sum);
  sqk_dd3 from = sqk_between(s->vertices + 3 * (int64_t)vertex, w->x, w->side->unit);
  sqk_leading3(&from, r);
  w->weight += 2.0 * SQK_PI;
  w->side->side += sqk_dot3(sum, r);
  sqk_madd3(w->side->normal, 1.0, sum, w->side->normal);
  int32_t hinge = sqi_surface_find_hinge(s, vertex);
  for (int64_t i = hinge < 0 ? 0 : s->hinge_start[hinge];
       hinge >= 0 && i < s->hinge_start[hinge + 1]; ++i)
  {
    visit_flat(w, s->hinge_flats[i]);
  }
}

/** p is on this edge and not at its ends: all its triangles count with the angle pi. */
static void visit_joint(walk* w, int64_t joint)
{
  const sq_surface* s = w->surface;
  for (int i = 0; i < w->joint_count; ++i)
  {
    if (w->joints[i] == joint)
    {
      return;
    }
  }
  if (w->joint_count == MOST)
  {
    return;
  }
  w->joints[w->joint_count++] = joint;
  const double* end = s->vertices + 3 * (int64_t)s->edges.ends[2 * joint];
  for (int64_t i = s->edges.start[joint]; i < s->edges.start[joint + 1]; ++i)
  {
    int32_t t = s->edges.members[i];
    if (sqi_surface_is_flat(s, t))
    {
      visit_flat(w, t);
      continue;
    }
    sqk_plane plane;
    sqi_surface_plane(s, t, w->side->unit, end, w->x, &plane);
    w->weight += SQK_PI;
    w->side->side += SQK_PI * plane.offset;
    sqk_madd3(w->side->normal, SQK_PI, plane.normal, w->side->normal);
  }
}

/** What edge k of triangle t brings: one of its ends, or the edge, where p is there. */
static void visit_edge(walk* w, int32_t t, int k)
{
  const sq_surface* s = w->surface;
  const double *a = sqi_surface_corner(s, t, k), *b = sqi_surface_corner(s, t, (k + 1) % 3);
  int32_t u = sqi_surface_weld(s, s->corners[3 * (int64_t)t + k]);
  int32_t v = sqi_surface_weld(s, s->corners[3 * (int64_t)t + (k + 1) % 3]);
  int at_end = 0;
  if (distance_to(w, a) <= w->slack)
  {
    visit_vertex(w, u);
    at_end = 1;
  }
  if (distance_to(w, b) <= w->slack)
  {
    visit_vertex(w, v);
    at_end = 1;
  }
  int32_t code = s->edges.across[3 * (int64_t)t + k];
  if (!at_end && code < SQI_EDGE_BOUNDARY && distance_to_segment(w, a, b) <= w->slack)
  {
    visit_joint(w, SQI_EDGE_JOINT(code));
  }
}

/** The height of a flat triangle over its longest edge, twice: p may be that far from one of its edges. */
static double thickness(const walk* w, int32_t t)
{
  double unit = w->surface->unit, e[3][3], n[3], longest2 = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    const double* a = sqi_surface_corner(w->surface, t, k);
    const double* b = sqi_surface_corner(w->surface, t, (k + 1) % 3);
    for (int d = 0; d < 3; ++d)
    {
      e[k][d] = unit * b[d] - unit * a[d];
    }
    longest2 = fmax(longest2, sqk_dot3(e[k], e[k]));
  }
  sqk_cross3(e[0], e[1], n);
  return longest2 > 0.0 ? 2.0 * sqrt(sqk_dot3(n, n)) / sqrt(longest2) : 0.0;
}

/** The rim of a body thinner than rounding: both its sides cancel, the flat triangles between know where outside is. */
static void ask_flats(const walk* w)
{
  double reach = sqrt(sqk_dot3(w->side->direction, w->side->direction));
  double slack = w->slack / w->surface->unit * w->side->unit;
  if (fabs(w->side->side) > w->weight * (CANCELLED * reach + slack))
  {
    return;
  }
  double side = 0.0, normal[3] = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < w->flat_count; ++i)
  {
    sqk_plane plane;
    sqi_surface_plane(w->surface, w->flats[i], w->side->unit,
      sqi_surface_corner(w->surface, w->flats[i], 0), w->x, &plane);
    side += plane.offset;
    sqk_madd3(normal, 1.0, plane.normal, normal);
  }
  if (sqk_largest3(normal) > 0.0)
  {
    w->side->side = side;
    sqk_set3(normal, w->side->normal);
  }
}

void sqi_surface_side_at_flats(
  const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* side)
{
  walk w;
  w.surface = s;
  w.x = x;
  w.p = hit->point;
  w.side = side;
  w.slack = POINT_ULPS * 0x1p-52 * s->unit * sqk_largest3(hit->point);
  w.weight = 0.0;
  w.flat_count = w.vertex_count = w.joint_count = 0;
  int32_t t = hit->triangle;
  if (sqi_surface_is_flat(s, t))
  {
    visit_flat(&w, t);
  }
  else if (hit->feature >= SQI_FEATURE_EDGE_01)
  {
    visit_edge(&w, t, hit->feature - SQI_FEATURE_EDGE_01);
  }
  else
  {
    visit_vertex(&w, sqi_surface_weld(s, s->corners[3 * (int64_t)t + hit->feature]));
  }
  for (int i = 0; i < w.flat_count; ++i)
  {
    w.slack += thickness(&w, w.flats[i]);
    for (int k = 0; k < 3; ++k)
    {
      visit_edge(&w, w.flats[i], k);
    }
  }
  ask_flats(&w);
}
