#include "sqi_components.h"
#include "sqi_alloc.h"
#include "sqi_bvh.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqk_vector.h"

#include <stdatomic.h>
#include <string.h>

static int32_t root_of(int32_t* parent, int32_t v)
{
  while (parent[v] != v)
  {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

static sq_status join_triangles(sq_context* context, const sqi_triangles* mesh, int32_t* parent)
{
  for (int64_t c = 0; c < 3 * (int64_t)mesh->triangle_count; ++c)
  {
    int32_t v = sqi_corner_vertex(mesh, (uint32_t)c);
    int32_t first = sqi_corner_vertex(mesh, (uint32_t)(c - c % 3));
    parent[v] = parent[v] < 0 ? v : parent[v];
    int32_t a = root_of(parent, v), b = root_of(parent, first);
    parent[a > b ? a : b] = a > b ? b : a;
    if (c % 65536 == 0)
    {
      sq_status s = sqi_poll(context, (double)c / (3.0 * mesh->triangle_count), 0);
      if (s != SQ_OK)
      {
        return s;
      }
    }
  }
  return SQ_OK;
}

sq_status sqi_components_find(
  sq_context* context, const sqi_triangles* mesh, sqi_components* components)
{
  components->count = 0;
  components->vertex_count = mesh->vertex_count;
  sq_status s = SQI_NEW(context, &components->of_vertex, mesh->vertex_count);
  if (s != SQ_OK)
  {
    return s;
  }
  int32_t* parent = components->of_vertex;
  for (int32_t v = 0; v < mesh->vertex_count; ++v)
  {
    parent[v] = -1;
  }
  s = join_triangles(context, mesh, parent);
  /* Roots are the lowest vertices of their parts, so a pass upward finds every parent numbered already. */
  for (int32_t v = 0; v < mesh->vertex_count && s == SQ_OK; ++v)
  {
    if (parent[v] >= 0)
    {
      parent[v] = parent[v] == v ? (int32_t)components->count++ : parent[parent[v]];
    }
  }
  return s;
}

void sqi_components_free(sq_context* context, sqi_components* components)
{
  SQI_FREE(context, components->of_vertex, components->vertex_count);
  components->of_vertex = NULL;
}

typedef struct box
{
  double lo[3];
  double hi[3];
} box;

typedef struct apart_work
{
  const box* boxes;
  sqi_bvh bvh;
  _Atomic int meet;
} apart_work;

static void box_of(const void* data, int64_t item, double lo[3], double hi[3])
{
  const box* b = &((const apart_work*)data)->boxes[item];
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = b->lo[d];
    hi[d] = b->hi[d];
  }
}

/** Beside a gap this small in units of a coordinate the distances to both sides may be one number. */
static const double NO_GAP = 8.0 * 0x1p-52;

static int boxes_meet(const box* a, const box* b)
{
  for (int d = 0; d < 3; ++d)
  {
    double gap = fmax(a->lo[d] - b->hi[d], b->lo[d] - a->hi[d]);
    if (gap > NO_GAP * fmax(fabs(a->lo[d]), fabs(a->hi[d])))
    {
      return 0;
    }
  }
  return 1;
}

static int meets_another(const apart_work* w, int32_t item)
{
  const box* mine = &w->boxes[item];
  float lo[3], hi[3];
  sqi_bvh_query_box(&w->bvh.frame, mine->lo, mine->hi, lo, hi);
  int32_t stack[SQI_BVH_STACK];
  int depth = 0;
  stack[depth++] = 0;
  while (depth)
  {
    const sqi_bvh_node* node = &w->bvh.nodes[stack[--depth]];
    for (unsigned hits = sqi_bvh_overlap(node, lo, hi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      if (!node->count[k])
      {
        stack[depth++] = node->child[k];
      }
      for (int i = 0; i < node->count[k]; ++i)
      {
        int32_t other = w->bvh.order[node->child[k] + i];
        if (other != item && boxes_meet(mine, &w->boxes[other]))
        {
          return 1;
        }
      }
    }
  }
  return 0;
}

static sq_status test_boxes(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  apart_work* w = (apart_work*)data;
  for (int64_t i = begin; i < end && !atomic_load_explicit(&w->meet, memory_order_relaxed); ++i)
  {
    if (meets_another(w, (int32_t)i))
    {
      atomic_store(&w->meet, 1);
    }
  }
  return SQ_OK;
}

static void fill_boxes(const sqi_triangles* mesh, const sqi_components* components, box* boxes)
{
  for (int64_t i = 0; i < components->count; ++i)
  {
    for (int d = 0; d < 3; ++d)
    {
      boxes[i].lo[d] = HUGE_VAL;
      boxes[i].hi[d] = -HUGE_VAL;
    }
  }
  for (int32_t v = 0; v < mesh->vertex_count; ++v)
  {
    int32_t component = components->of_vertex[mesh->weld ? mesh->weld[v] : v];
    const double* x = mesh->vertices + 3 * (int64_t)v;
    for (int d = 0; d < 3 && component >= 0; ++d)
    {
      boxes[component].lo[d] = fmin(boxes[component].lo[d], x[d]);
      boxes[component].hi[d] = fmax(boxes[component].hi[d], x[d]);
    }
  }
}

sq_status sqi_components_are_apart(
  sq_context* context, const sqi_triangles* mesh, const sqi_components* components, int* apart)
{
  *apart = 1;
  if (components->count < 2)
  {
    return SQ_OK;
  }
  box* boxes = NULL;
  sq_status s = SQI_NEW(context, &boxes, components->count);
  if (s != SQ_OK)
  {
    return s;
  }
  fill_boxes(mesh, components, boxes);
  apart_work w;
  w.boxes = boxes;
  w.meet = 0;
  s = sqi_bvh_build(context, components->count, box_of, &w, 4, &w.bvh);
  s = s == SQ_OK ? sqi_parallel_for(context, components->count, 256, test_boxes, &w) : s;
  sqi_bvh_release(&w.bvh);
  *apart = !w.meet;
  SQI_FREE(context, boxes, components->count);
  return s;
}

/** The corner at the same vertex of the triangle across the edge that leaves corner c. */
static uint32_t turn(const sqi_triangles* mesh, const sqi_edges* edges, uint32_t c)
{
  int32_t code = edges->across[c], mine = (int32_t)(c / 3);
  if (code < SQI_EDGE_BOUNDARY)
  {
    const int32_t* users = edges->members + edges->start[SQI_EDGE_JOINT(code)];
    code = users[0] == mine ? users[1] : users[0];
  }
  uint32_t other = 3 * (uint32_t)code;
  int32_t v = sqi_corner_vertex(mesh, c);
  return sqi_corner_vertex(mesh, other) == v  ? other
    : sqi_corner_vertex(mesh, other + 1) == v ? other + 1
                                              : other + 2;
}

/** Goes once around every vertex, and looks for one that is met again afterwards. */
static sq_status go_around(sq_context* context, const sqi_triangles* mesh, const sqi_edges* edges,
  uint8_t* seen, uint8_t* done, int* pinched)
{
  sq_status s = SQ_OK;
  for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count && s == SQ_OK && !*pinched; ++i)
  {
    /* A triangle of three equal corners has no edge. */
    if (!seen[i] && edges->across[i] != SQI_EDGE_BOUNDARY)
    {
      int32_t v = sqi_corner_vertex(mesh, (uint32_t)i);
      *pinched = done[v];
      done[v] = 1;
      for (uint32_t c = (uint32_t)i; !seen[c]; c = turn(mesh, edges, c))
      {
        seen[c] = 1;
      }
    }
    s = i % 65536 == 0 ? sqi_poll(context, (double)i / (3.0 * mesh->triangle_count), 0) : s;
  }
  return s;
}

sq_status sqi_components_find_pinch(
  sq_context* context, const sqi_triangles* mesh, const sqi_edges* edges, int* pinched)
{
  *pinched = 0;
  uint8_t *seen = NULL, *done = NULL; /* by corner, by vertex */
  int64_t corners = 3 * (int64_t)mesh->triangle_count;
  sq_status s = SQI_NEW(context, &seen, corners);
  s = s == SQ_OK ? SQI_NEW(context, &done, mesh->vertex_count) : s;
  if (s == SQ_OK)
  {
    memset(seen, 0, (size_t)corners);
    memset(done, 0, (size_t)mesh->vertex_count);
    s = go_around(context, mesh, edges, seen, done, pinched);
  }
  SQI_FREE(context, seen, corners);
  SQI_FREE(context, done, mesh->vertex_count);
  return s;
}

/** Six times the volume between triangle t and a point near its component. */
static double volume_of(const sqi_triangles* mesh, int32_t t, const double origin[3], double unit)
{
  double x[3][3], n[3];
  for (int k = 0; k < 3; ++k)
  {
    const double* p = mesh->vertices + 3 * (int64_t)mesh->corners[3 * (int64_t)t + k];
    for (int d = 0; d < 3; ++d)
    {
      x[k][d] = unit * p[d] - unit * origin[d];
    }
  }
  sqk_cross3(x[1], x[2], n);
  return sqk_dot3(x[0], n);
}

sq_status sqi_components_facing(sq_context* context, const sqi_triangles* mesh,
  const sqi_components* components, double unit, int* facing, int64_t* inward)
{
  *facing = 0;
  *inward = 0;
  double* volumes = NULL;
  int32_t* first = NULL; /* a vertex of each component, from which its volume is measured */
  sq_status s = SQI_NEW(context, &volumes, components->count);
  s = s == SQ_OK ? SQI_NEW(context, &first, components->count) : s;
  if (s == SQ_OK)
  {
    for (int64_t i = 0; i < components->count; ++i)
    {
      volumes[i] = 0.0;
      first[i] = -1;
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
      int32_t v = sqi_corner_vertex(mesh, 3 * (uint32_t)t);
      int32_t component = components->of_vertex[v];
      first[component] = first[component] < 0 ? v : first[component];
      volumes[component] +=
        volume_of(mesh, t, mesh->vertices + 3 * (int64_t)first[component], unit);
    }
    int64_t positive = 0, negative = 0;
    for (int64_t i = 0; i < components->count; ++i)
    {
      positive += volumes[i] > 0.0;
      negative += volumes[i] < 0.0;
    }
    *inward = negative;
    *facing = positive == components->count ? 1 : negative == components->count ? -1 : 0;
  }
  SQI_FREE(context, volumes, components->count);
  SQI_FREE(context, first, components->count);
  return s;
}
