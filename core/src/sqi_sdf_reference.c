#include "sqi_sdf_reference.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqk_sdf_reference.h"

#include <string.h>

/** The band is this fraction of the mean edge. */
#define BAND 1e-3
/** float32 distances are off by less than this fraction of the coordinates and of the distance. */
#define ROUNDING 1e-5
/** Triangles between two polls. */
#define POLL 16384

static void load(const sq_surface* s, int32_t t, float v[3][3])
{
  for (int k = 0; k < 3; ++k)
  {
    const double* x = sqi_surface_corner(s, t, k);
    for (int d = 0; d < 3; ++d)
    {
      v[k][d] = (float)x[d];
    }
  }
}

static sq_status round_vertices(sq_context* context, sq_surface* s)
{
  for (int64_t i = 0; i < 3 * (int64_t)s->vertex_count; ++i)
  {
    double x = s->vertices[i];
    s->vertices[i] = (double)(float)x;
    if (!isfinite(s->vertices[i]))
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "surface: coordinate %g, allowed in reference mode are the numbers of float32", x);
    }
  }
  return SQ_OK;
}

/** Where `to` is NULL, counts the degenerate faces; else gives each a new vertex, from number s->vertex_count on. */
static sq_status repair_faces(sq_context* context, sq_surface* s, double* to, int32_t* count)
{
  *count = 0;
  for (int32_t t = 0; t < s->triangle_count; ++t)
  {
    if (t % POLL == 0 && sqi_poll(context, (double)t / s->triangle_count, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    float v[3][3], moved[3];
    load(s, t, v);
    int corner = sqk_reference_repair((const float(*)[3])v, moved);
    if (corner < 0)
    {
      continue;
    }
    if (to)
    {
      for (int d = 0; d < 3; ++d)
      {
        to[3 * (int64_t)*count + d] = (double)moved[d];
      }
      /* The vertices are the old ones until all faces have been looked at: the face is not read again. */
      s->corners[3 * (int64_t)t + corner] = s->vertex_count + *count;
    }
    ++*count;
  }
  return SQ_OK;
}

sq_status sqi_sdf_reference_repair(sq_context* context, sq_surface* s)
{
  sq_status status = round_vertices(context, s);
  int32_t count = 0, again = 0;
  status = status == SQ_OK ? repair_faces(context, s, NULL, &count) : status;
  if (status != SQ_OK || !count)
  {
    return status;
  }
  if (count > INT32_MAX - s->vertex_count)
  {
    return sqi_fail(context, SQ_TOO_LARGE, "surface: more than %d points", INT32_MAX);
  }
  double* vertices = NULL;
  int64_t old = 3 * (int64_t)s->vertex_count;
  status = SQI_NEW(context, &vertices, old + 3 * (int64_t)count);
  if (status != SQ_OK)
  {
    return status;
  }
  memcpy(vertices, s->vertices, (size_t)old * sizeof(*vertices));
  status = repair_faces(context, s, vertices + old, &again);
  SQI_FREE(context, s->vertices, old);
  s->vertices = vertices;
  s->vertex_count += count;
  return status;
}

/** Of all edges of all triangles. */
static double mean_edge(const sq_surface* s)
{
  double sum = 0.0;
  for (int32_t t = 0; t < s->triangle_count; ++t)
  {
    float v[3][3], e[3];
    load(s, t, v);
    for (int k = 0; k < 3; ++k)
    {
      sqk_sub3f(v[(k + 1) % 3], v[k], e);
      sum += (double)sqk_length3f(e);
    }
  }
  return s->triangle_count ? sum / (3.0 * s->triangle_count) : 0.0;
}

sq_status sqi_sdf_reference_build(sq_context* context, sq_surface* surface, sqi_bvh* bvh)
{
  sq_status s = SQI_NEW(context, &surface->reference, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  surface->reference->allocator = context->allocator;
  surface->reference->bvh = *bvh;
  surface->reference->band = (float)(BAND * mean_edge(surface));
  bvh->nodes = NULL;
  bvh->order = NULL;
  return SQ_OK;
}

void sqi_sdf_reference_destroy(sqi_sdf_reference* reference)
{
  if (reference)
  {
    const sq_allocator allocator = reference->allocator;
    sqi_bvh_release(&reference->bvh);
    SQI_RELEASE(&allocator, reference, 1);
  }
}

int64_t sqi_sdf_reference_bytes(const sqi_sdf_reference* reference)
{
  return reference ? (int64_t)sizeof(*reference) + sqi_bvh_bytes(&reference->bvh) : 0;
}

/** What one query looks for among the faces near it. */
typedef struct visit
{
  const sq_surface* surface;
  float p[3];
  float lo[3]; /* in the frame of the tree */
  float hi[3];
  float best;
  int32_t face;
  float weight[2];
  double normal[3];
} visit;

typedef void (*face_action)(visit* w, int32_t t, const float v[3][3], const float weight[2],
  const float point[3], float distance);

static void take_closest(visit* w, int32_t t, const float v[3][3], const float weight[2],
  const float point[3], float distance)
{
  (void)v;
  (void)point;
  if (distance < w->best || (distance == w->best && t < w->face))
  {
    w->best = distance;
    w->face = t;
    w->weight[0] = weight[0];
    w->weight[1] = weight[1];
  }
}

static void add_near(visit* w, int32_t t, const float v[3][3], const float weight[2],
  const float point[3], float distance)
{
  (void)t;
  (void)weight;
  float band = w->surface->reference->band;
  if (distance < w->best + band)
  {
    sqk_reference_add_normal(v, point, band, w->normal);
  }
}

static void act_on_leaf(visit* w, const int32_t* items, int count, face_action action)
{
  for (int i = 0; i < count; ++i)
  {
    float v[3][3], weight[2], point[3], gap[3];
    load(w->surface, items[i], v);
    sqk_reference_closest((const float(*)[3])v, w->p, weight);
    sqk_reference_point((const float(*)[3])v, weight, point);
    sqk_sub3f(w->p, point, gap);
    action(w, items[i], (const float(*)[3])v, weight, point, sqk_length3f(gap));
  }
}

static void visit_faces(visit* w, face_action action)
{
  const sqi_bvh* bvh = &w->surface->reference->bvh;
  int32_t stack[SQI_BVH_STACK];
  int depth = 0;
  stack[depth++] = 0;
  while (depth)
  {
    const sqi_bvh_node* node = &bvh->nodes[stack[--depth]];
    for (unsigned hits = sqi_bvh_overlap(node, w->lo, w->hi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      if (node->count[k])
      {
        act_on_leaf(w, bvh->order + node->child[k], node->count[k], action);
      }
      else
      {
        stack[depth++] = node->child[k];
      }
    }
  }
}

/** The faces that may be within the band of the closest, whatever float32 makes of their distances. */
static void set_box(visit* w, const double x[3], const sqi_hit* near)
{
  double lo[3], hi[3];
  double size = fmax(sqk_largest3(x), sqk_largest3(near->point));
  double reach = near->distance + (double)w->surface->reference->band +
    ROUNDING * (size + near->distance + w->surface->radius);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = x[d] - reach;
    hi[d] = x[d] + reach;
  }
  sqi_bvh_query_box(&w->surface->reference->bvh.frame, lo, hi, w->lo, w->hi);
}

int sqi_sdf_reference_answer(const sq_surface* s, const double x[3], const sqi_hit* near,
  double max_distance, sqi_hit* hit, int* is_inside)
{
  visit w;
  memset(&w, 0, sizeof(w));
  w.surface = s;
  w.best = INFINITY;
  w.face = -1;
  for (int d = 0; d < 3; ++d)
  {
    w.p[d] = (float)x[d];
  }
  if (near->triangle < 0 || !isfinite(w.p[0]) || !isfinite(w.p[1]) || !isfinite(w.p[2]))
  {
    return 0;
  }
  set_box(&w, x, near);
  visit_faces(&w, take_closest);
  if (w.face < 0 || !(w.best < (float)max_distance))
  {
    return 0;
  }
  visit_faces(&w, add_near);
  float v[3][3], point[3], gap[3];
  load(s, w.face, v);
  sqk_reference_point((const float(*)[3])v, w.weight, point);
  sqk_sub3f(w.p, point, gap);
  double side = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    side += w.normal[d] * (double)gap[d];
    hit->point[d] = (double)point[d];
  }
  *is_inside = !(side > 0.0);
  hit->distance = (double)w.best;
  hit->barycentric[0] = (double)w.weight[0];
  hit->barycentric[1] = (double)w.weight[1];
  hit->barycentric[2] = (double)(1.0f - w.weight[0] - w.weight[1]);
  hit->triangle = w.face;
  return 1;
}
