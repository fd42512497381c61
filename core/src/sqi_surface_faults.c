/** The bad edges and triangles of a surface, from what its build has left. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_surface_check.h"

#include <assert.h>
#include <string.h>

/** Triangles between two polls. */
#define POLL 16384

static void give_problem(sq_surface_check* check, int32_t t, int problem)
{
  if (sqi_problem_precedes(problem, check->problem[t]))
  {
    check->problem[t] = (int8_t)problem;
  }
}

/** The welded ends of edge k of triangle t. */
static void ends_of(const sq_surface* s, int32_t t, int k, int32_t ends[2])
{
  ends[0] = sqi_surface_weld(s, s->corners[3 * (int64_t)t + k]);
  ends[1] = sqi_surface_weld(s, s->corners[3 * (int64_t)t + (k + 1) % 3]);
}

/** How often triangle t runs from a to b. */
static int runs(const sq_surface* s, int32_t t, int32_t a, int32_t b)
{
  int n = 0;
  for (int k = 0; k < 3; ++k)
  {
    int32_t e[2];
    ends_of(s, t, k, e);
    n += e[0] == a && e[1] == b;
  }
  return n;
}

/** What is at an edge: who uses it and what is wrong with it. */
typedef struct edge
{
  const int32_t* users; /* a triangle twice where it uses the edge twice */
  int64_t user_count;
  int32_t pair[2]; /* of an edge that is no joint */
  int problem;
  int is_first; /* edge k of triangle t is the first to use it */
} edge;

/** The edge of the joint that t has at k. */
static void look_at_joint(const sq_surface* s, int32_t t, int k, edge* e)
{
  int32_t code = s->edges.across[3 * (int64_t)t + k];
  int64_t joint = SQI_EDGE_JOINT((int64_t)code);
  int32_t ends[2];
  ends_of(s, t, k, ends);
  e->users = s->edges.members + s->edges.start[joint];
  e->user_count = s->edges.start[joint + 1] - s->edges.start[joint];
  int along = 0;
  for (int64_t i = 0; i < e->user_count; ++i)
  {
    e->is_first &= e->users[i] >= t;
  }
  for (int i = 0; i < k; ++i)
  {
    e->is_first &= s->edges.across[3 * (int64_t)t + i] != code;
  }
  if (e->user_count == 2)
  {
    /* Twice the same user is the doubled corner of one triangle, which goes there and back. */
    along = e->users[0] == e->users[1]
      ? 1
      : runs(s, e->users[0], ends[0], ends[1]) + runs(s, e->users[1], ends[0], ends[1]);
  }
  e->problem = e->user_count == 1      ? SQ_PROBLEM_BOUNDARY
    : e->user_count > 2                ? SQ_PROBLEM_NON_MANIFOLD
    : e->user_count == 2 && along != 1 ? SQ_PROBLEM_INCONSISTENT
                                       : SQ_PROBLEM_NONE;
}

static void look_at_edge(const sq_surface* s, int32_t t, int k, edge* e)
{
  int32_t code = s->edges.across[3 * (int64_t)t + k];
  int32_t ends[2];
  ends_of(s, t, k, ends);
  e->users = e->pair;
  e->user_count = 1;
  e->pair[0] = t;
  e->problem = SQ_PROBLEM_NONE;
  e->is_first = ends[0] != ends[1];
  if (!e->is_first)
  {
    return;
  }
  if (code < SQI_EDGE_BOUNDARY)
  {
    look_at_joint(s, t, k, e);
  }
  else if (code == SQI_EDGE_BOUNDARY)
  {
    e->problem = SQ_PROBLEM_BOUNDARY;
  }
  else
  {
    e->pair[1] = code;
    e->user_count = 2;
    e->is_first = t < code;
    e->problem = runs(s, code, ends[0], ends[1]) ? SQ_PROBLEM_INCONSISTENT : SQ_PROBLEM_NONE;
  }
}

static void count_edge(sq_surface_report* r, int problem)
{
  r->boundary_edges += problem == SQ_PROBLEM_BOUNDARY;
  r->non_manifold_edges += problem == SQ_PROBLEM_NON_MANIFOLD;
  r->inconsistent_edges += problem == SQ_PROBLEM_INCONSISTENT;
}

static sq_status list_edges(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  int64_t at = 0;
  for (int32_t t = 0; t < check->triangle_count; ++t)
  {
    if (t % POLL == 0 && sqi_poll(context, (double)t / check->triangle_count, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    for (int k = 0; k < 3; ++k)
    {
      edge e;
      look_at_edge(s, t, k, &e);
      if (!e.is_first || e.problem == SQ_PROBLEM_NONE)
      {
        continue;
      }
      for (int64_t i = 0; i < e.user_count; ++i)
      {
        give_problem(check, e.users[i], e.problem);
      }
      count_edge(&check->components[check->component[t]], e.problem);
      assert(at < check->edge_count);
      check->fault_points[2 * at] = s->corners[3 * (int64_t)t + k];
      check->fault_points[2 * at + 1] = s->corners[3 * (int64_t)t + (k + 1) % 3];
      check->fault_problem[at] = (int8_t)e.problem;
      check->fault_triangle[at++] = t;
    }
  }
  assert(at == check->edge_count);
  return SQ_OK;
}

static int has_problem(const sq_surface* s, int32_t t, int problem)
{
  switch (problem)
  {
    case SQ_PROBLEM_DEGENERATE:
      return sqi_surface_is_flat(s, t);
    case SQ_PROBLEM_DUPLICATE:
      return s->marks[t] & SQI_DUPLICATE;
    default:
      return s->marks[t] & SQI_CROSSING;
  }
}

static sq_status list_triangles(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  int64_t at = check->edge_count;
  for (int problem = SQ_PROBLEM_DEGENERATE; problem <= SQ_PROBLEM_CROSSING; ++problem)
  {
    for (int32_t t = 0; t < check->triangle_count; ++t)
    {
      if (t % POLL == 0 && sqi_poll(context, 1.0, 0) != SQ_OK)
      {
        return SQ_CANCELLED;
      }
      if (!has_problem(s, t, problem))
      {
        continue;
      }
      sq_surface_report* r = &check->components[check->component[t]];
      r->degenerate_triangles += problem == SQ_PROBLEM_DEGENERATE;
      r->duplicate_triangles += problem == SQ_PROBLEM_DUPLICATE;
      give_problem(check, t, problem);
      for (int k = 0; k < 3; ++k)
      {
        check->fault_points[sqi_fault_start(check->edge_count, at) + k] =
          s->corners[3 * (int64_t)t + k];
      }
      check->fault_problem[at] = (int8_t)problem;
      check->fault_triangle[at++] = t;
    }
  }
  assert(at == check->fault_count);
  return SQ_OK;
}

/** From vertices of the surface to points of the check, which are those in use, in the same order. */
static sq_status number_points(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  int64_t count = sqi_fault_start(check->edge_count, check->fault_count);
  int64_t* point_of = NULL;
  sq_status status = SQI_NEW(context, &point_of, s->vertex_count);
  if (status != SQ_OK)
  {
    return status;
  }
  for (int32_t v = 0; v < s->vertex_count; ++v)
  {
    point_of[v] = -1;
  }
  for (int64_t i = 0; i < count; ++i)
  {
    point_of[check->fault_points[i]] = 0;
  }
  int64_t points = 0;
  for (int32_t v = 0; v < s->vertex_count; ++v)
  {
    point_of[v] = point_of[v] < 0 ? -1 : points++;
  }
  status = SQI_NEW(context, &check->points, 3 * points);
  if (status == SQ_OK)
  {
    check->point_count = points;
    for (int32_t v = 0; v < s->vertex_count; ++v)
    {
      if (point_of[v] >= 0)
      {
        memcpy(check->points + 3 * point_of[v], s->vertices + 3 * (int64_t)v, 3 * sizeof(double));
      }
    }
    for (int64_t i = 0; i < count; ++i)
    {
      check->fault_points[i] = point_of[check->fault_points[i]];
    }
  }
  SQI_FREE(context, point_of, s->vertex_count);
  return status;
}

sq_status sqi_surface_find_faults(sq_context* context, sq_surface_check* check)
{
  const sq_surface* s = check->surface;
  const sq_surface_report* r = &s->report;
  int64_t edges = r->boundary_edges + r->non_manifold_edges + r->inconsistent_edges;
  int64_t faults = edges;
  for (int32_t t = 0; t < check->triangle_count; ++t)
  {
    check->problem[t] = SQ_PROBLEM_NONE;
    faults += ((s->marks[t] & SQI_DUPLICATE) != 0) + ((s->marks[t] & SQI_CROSSING) != 0);
  }
  faults += check->triangle_count ? s->flat_count : 0;
  check->edge_count = edges;
  check->fault_count = faults;
  sq_status status = SQI_NEW(context, &check->fault_points, sqi_fault_start(edges, faults));
  status = status == SQ_OK ? SQI_NEW(context, &check->fault_problem, faults) : status;
  status = status == SQ_OK ? SQI_NEW(context, &check->fault_triangle, faults) : status;
  status = status == SQ_OK ? list_edges(context, check) : status;
  status = status == SQ_OK ? list_triangles(context, check) : status;
  return status == SQ_OK ? number_points(context, check) : status;
}
