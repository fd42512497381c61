/** Builds what sqi_winding.h asks: the moments of the groups and the triangles of the leaves, over a tree that is there or made. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_triangle_box.h"
#include "sqi_triangle_index_tree.h"
#include "sqi_winding_tree.h"

#include <math.h>

_Static_assert(SQI_TRIANGLE_LEAF == SQI_BVH_WIDTH, "a block of the index is a leaf of the sum");

/** Nodes of one chunk. */
#define GRAIN 64

/** Moments of one group about its centre; layout of sqi_moments. */
typedef struct group
{
  double centre[3];
  double radius;
  double n[3];
  double a[5];
  double b[7];
  double third;
  double area;
  double rim;
} group;

typedef struct builder
{
  sq_context* context;
  sqi_winding* winding;
  const sqi_winding_surface* surface;
  sqi_bvh own; /* where the surface has no index */
  double* radius; /* by 8 node + child, before it is widened */
  double* area; /* by 8 node + child */
  int32_t level_end[SQI_BVH_DEPTH_MAX + 2]; /* by level: the first node after it */
  int32_t level_count;
  int32_t first; /* of the level at work */
} builder;

static void corner(const builder* b, int64_t triangle, int k, double x[3])
{
  const sqi_winding_surface* s = b->surface;
  const double* vertex = s->vertices + 3 * (int64_t)s->corners[3 * triangle + k];
  for (int d = 0; d < 3; ++d)
  {
    x[d] = vertex[d] * b->winding->frame.scale;
  }
}

/**
 * Adds a group with moments n, a, b about c to `to`, which is about to->centre, with s = c - to->centre:
 * a + n s, b + a s + n s s / 2, each as its symmetric traceless part (Barill et al., section 3.3).
 * `area` and `third` are about c too; |d + s|^3 by Minkowski's inequality.
 */
static void add_moments(group* to, const group* from)
{
  double s[3], t[3][3], full_a[3][3];
  for (int d = 0; d < 3; ++d)
  {
    s[d] = from->centre[d] - to->centre[d];
  }
  const double* n = from->n;
  const double a[3][3] = { { from->a[0], from->a[2], from->a[3] },
    { from->a[2], from->a[1], from->a[4] }, { from->a[3], from->a[4], -from->a[0] - from->a[1] } };
  double trace = (n[0] * s[0] + n[1] * s[1] + n[2] * s[2]) / 3.0;
  for (int i = 0; i < 3; ++i)
  {
    for (int j = 0; j < 3; ++j)
    {
      full_a[i][j] = a[i][j] + 0.5 * (n[i] * s[j] + n[j] * s[i]) - (i == j ? trace : 0.0);
      /* Symmetric part of a s + n s s / 2 is that of t s, with t symmetric. */
      t[i][j] = a[i][j] + 0.25 * (n[i] * s[j] + n[j] * s[i]);
    }
  }
  double third[3]; /* the traces over two indices of the symmetric part of t s */
  for (int k = 0; k < 3; ++k)
  {
    double ts = t[k][0] * s[0] + t[k][1] * s[1] + t[k][2] * s[2];
    third[k] = ((t[0][0] + t[1][1] + t[2][2]) * s[k] + 2.0 * ts) / 3.0;
  }
#define ADD_IIJ(slot, i, j) \
  to->b[slot] += from->b[slot] + (t[i][i] * s[j] + 2.0 * t[i][j] * s[i]) / 3.0 - third[j] / 5.0
  ADD_IIJ(0, 0, 1);
  ADD_IIJ(1, 0, 2);
  ADD_IIJ(2, 1, 0);
  ADD_IIJ(3, 1, 2);
  ADD_IIJ(4, 2, 0);
  ADD_IIJ(5, 2, 1);
#undef ADD_IIJ
  to->b[6] += from->b[6] + (t[0][1] * s[2] + t[1][2] * s[0] + t[0][2] * s[1]) / 3.0;
  to->a[0] += full_a[0][0];
  to->a[1] += full_a[1][1];
  to->a[2] += full_a[0][1];
  to->a[3] += full_a[0][2];
  to->a[4] += full_a[1][2];
  for (int d = 0; d < 3; ++d)
  {
    to->n[d] += n[d];
  }
  double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  double norm = cbrt(from->third) + length * cbrt(from->area);
  to->third += norm * norm * norm;
  to->area += from->area;
  to->rim += from->rim;
}

/** The moments of one triangle about its centroid: n and a follow from the plane, b = n x (covariance) / 2. */
static group triangle_group(const builder* b, int64_t triangle)
{
  group g = { { 0 }, 0, { 0 }, { 0 }, { 0 }, 0, 0, 0 };
  double v[3][3], e[3], f[3];
  for (int k = 0; k < 3; ++k)
  {
    corner(b, triangle, k, v[k]);
  }
  for (int d = 0; d < 3; ++d)
  {
    e[d] = v[1][d] - v[0][d];
    f[d] = v[2][d] - v[0][d];
    g.centre[d] = v[0][d] + (e[d] + f[d]) / 3.0;
  }
  g.n[0] = 0.5 * (e[1] * f[2] - e[2] * f[1]);
  g.n[1] = 0.5 * (e[2] * f[0] - e[0] * f[2]);
  g.n[2] = 0.5 * (e[0] * f[1] - e[1] * f[0]);
  g.rim = b->surface->rim ? b->surface->rim[triangle] * b->winding->frame.scale : 0.0;
  g.area = sqrt(g.n[0] * g.n[0] + g.n[1] * g.n[1] + g.n[2] * g.n[2]);
  double c[3][3] = {
    { 0 }
  }; /* mean of d d / 2 over the triangle: sum over the corners of d d / 24 */
  for (int k = 0; k < 3; ++k)
  {
    double d[3] = { v[k][0] - g.centre[0], v[k][1] - g.centre[1], v[k][2] - g.centre[2] };
    double l2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    g.third +=
      g.area * l2 * sqrt(l2) / 3.0; /* |d|^3 is convex: its mean is at most that of the corners */
    g.radius = sqrt(l2) > g.radius ? sqrt(l2) : g.radius;
    for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < 3; ++j)
      {
        c[i][j] += d[i] * d[j] / 24.0;
      }
    }
  }
  double trace[3];
  for (int k = 0; k < 3; ++k)
  {
    trace[k] = (g.n[k] * (c[0][0] + c[1][1] + c[2][2]) +
                 2.0 * (g.n[0] * c[0][k] + g.n[1] * c[1][k] + g.n[2] * c[2][k])) /
      3.0;
  }
#define IIJ(i, j) (g.n[j] * c[i][i] + 2.0 * g.n[i] * c[i][j]) / 3.0 - trace[j] / 5.0
  g.b[0] = IIJ(0, 1);
  g.b[1] = IIJ(0, 2);
  g.b[2] = IIJ(1, 0);
  g.b[3] = IIJ(1, 2);
  g.b[4] = IIJ(2, 0);
  g.b[5] = IIJ(2, 1);
#undef IIJ
  g.b[6] = (g.n[0] * c[1][2] + g.n[1] * c[0][2] + g.n[2] * c[0][1]) / 3.0;
  return g;
}

/** The group of `count` groups, about their area-weighted centre (the mean, where none has an area). */
static group join(const group* parts, int count)
{
  group g = { { 0 }, 0, { 0 }, { 0 }, { 0 }, 0, 0, 0 };
  double area = 0.0;
  for (int k = 0; k < count; ++k)
  {
    area += parts[k].area;
  }
  for (int k = 0; k < count; ++k)
  {
    double weight = area > 0.0 ? parts[k].area / area : 1.0 / count;
    for (int d = 0; d < 3; ++d)
    {
      g.centre[d] += weight * parts[k].centre[d];
    }
  }
  for (int k = 0; k < count; ++k)
  {
    double s[3] = { parts[k].centre[0] - g.centre[0], parts[k].centre[1] - g.centre[1],
      parts[k].centre[2] - g.centre[2] };
    double reach = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + parts[k].radius;
    g.radius = reach > g.radius ? reach : g.radius;
    add_moments(&g, parts + k);
  }
  return g;
}

/** The triangles of a leaf that count; returns how many. */
static int leaf_items(const builder* b, int32_t node, int k, int32_t items[SQI_BVH_WIDTH])
{
  const sqi_winding_surface* s = b->surface;
  const int32_t* from = s->index ? s->index->blocks[~s->index->nodes[node].child[k]].id
                                 : b->own.order + b->own.nodes[node].child[k];
  int most = s->index ? SQI_BVH_WIDTH : b->own.nodes[node].count[k];
  int count = 0;
  for (int i = 0; i < most && from[i] >= 0; ++i)
  {
    if (!(s->left_out && s->left_out[from[i]]))
    {
      items[count++] = from[i];
    }
  }
  return count;
}

static void fill_leaf(const builder* b, const int32_t* items, int count, sqi_winding_leaf* leaf)
{
  memset(leaf, 0, sizeof(*leaf));
  for (int k = 0; k < SQI_BVH_WIDTH && count; ++k)
  {
    for (int c = 0; c < 3; ++c)
    {
      double x[3];
      corner(b, items[k < count ? k : 0], k < count ? c : 0, x);
      for (int d = 0; d < 3; ++d)
      {
        leaf->corner[c][d][k] = x[d];
      }
    }
  }
}

/** The group of a leaf; 0 where nothing in it counts. */
static int leaf_group(const builder* b, int32_t node, int k, group* g)
{
  int32_t items[SQI_BVH_WIDTH];
  group parts[SQI_BVH_WIDTH];
  int count = leaf_items(b, node, k, items);
  for (int i = 0; i < count; ++i)
  {
    parts[i] = triangle_group(b, items[i]);
  }
  fill_leaf(b, items, count, b->winding->leaves + ~b->winding->child[SQI_BVH_WIDTH * node + k]);
  *g = join(parts, count);
  return count;
}

/** Puts a group into its lane of the hot loop. The radius is widened for the rounding of distances. */
static void store_group(builder* b, int32_t node, int k, const group* g)
{
  sqi_moments* m = b->winding->moments + node;
  b->radius[SQI_BVH_WIDTH * node + k] = g->radius;
  b->area[SQI_BVH_WIDTH * node + k] = g->area;
  m->radius[k] = g->radius * (1.0 + 1e-12) + 0x1p-1000;
  m->third[k] = g->third;
  m->steep[k] = b->winding->has_rim ? g->rim : g->area;
  for (int i = 0; i < 3; ++i)
  {
    m->centre[i][k] = g->centre[i];
    m->n[i][k] = g->n[i];
  }
  for (int i = 0; i < 5; ++i)
  {
    m->a[i][k] = g->a[i];
  }
  for (int i = 0; i < 7; ++i)
  {
    m->b[i][k] = g->b[i];
  }
}

static void load_group(const builder* b, int32_t node, int k, group* g)
{
  const sqi_moments* m = b->winding->moments + node;
  g->radius = b->radius[SQI_BVH_WIDTH * node + k];
  g->third = m->third[k];
  g->area = b->area[SQI_BVH_WIDTH * node + k];
  g->rim = m->steep[k];
  for (int i = 0; i < 3; ++i)
  {
    g->centre[i] = m->centre[i][k];
    g->n[i] = m->n[i][k];
  }
  for (int i = 0; i < 5; ++i)
  {
    g->a[i] = m->a[i][k];
  }
  for (int i = 0; i < 7; ++i)
  {
    g->b[i] = m->b[i][k];
  }
}

/** The group of a node's children; 0 where nothing in it counts. */
static int node_group(const builder* b, int32_t node, group* g)
{
  group parts[SQI_BVH_WIDTH];
  int count = 0;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    if (b->winding->moments[node].radius[k] >= 0.0)
    {
      load_group(b, node, k, parts + count++);
    }
  }
  *g = join(parts, count);
  return count;
}

/** The nodes of one level, those below being done. */
static sq_status group_children(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  sqi_winding* w = b->winding;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t node = b->first + (int32_t)i;
    memset(w->moments + node, 0, sizeof(*w->moments));
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      int32_t child = w->child[SQI_BVH_WIDTH * node + k];
      group g;
      w->moments[node].radius[k] = -1.0;
      if (child != SQI_WINDING_NONE &&
        (child < 0 ? leaf_group(b, node, k, &g) : node_group(b, child, &g)))
      {
        store_group(b, node, k, &g);
      }
    }
  }
  return SQ_OK;
}

/** Children of the tree's node, numbering the leaves of an own tree as they come. */
static void copy_children(const builder* b, int32_t node, int32_t child[SQI_BVH_WIDTH])
{
  sqi_winding* w = b->winding;
  const sqi_triangle_index* index = b->surface->index;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    if (index)
    {
      int is_there = index->nodes[node].lo[0][k] < SQI_NOWHERE;
      child[k] = is_there ? index->nodes[node].child[k] : SQI_WINDING_NONE;
      continue;
    }
    const sqi_bvh_node* from = b->own.nodes + node;
    child[k] = k >= from->child_count ? SQI_WINDING_NONE
      : from->count[k]                ? ~w->leaf_count++
                                      : from->child[k];
  }
}

/** Copies the shape of the tree. Nodes stand level by level, so that a level ends where the children of the one before end. */
static void copy_shape(builder* b)
{
  sqi_winding* w = b->winding;
  int32_t next = 1;
  b->level_end[0] = 1;
  b->level_count = 1;
  for (int32_t node = 0; node < w->node_count; ++node)
  {
    if (node == b->level_end[b->level_count - 1])
    {
      b->level_end[b->level_count++] = next;
    }
    int32_t* child = w->child + SQI_BVH_WIDTH * (int64_t)node;
    copy_children(b, node, child);
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      next += child[k] >= 0;
    }
  }
}

static sq_status fill(builder* b)
{
  sqi_winding* w = b->winding;
  const sqi_triangle_index* index = b->surface->index;
  w->frame = index ? index->frame : b->own.frame;
  w->node_count = index ? index->node_count : b->own.node_count;
  int64_t children = (int64_t)SQI_BVH_WIDTH * w->node_count;
  sq_status s = SQI_NEW(b->context, &w->child, children);
  if (s != SQ_OK || !w->node_count)
  {
    return s;
  }
  w->leaf_count = index ? index->block_count : 0;
  copy_shape(b);
  s = SQI_NEW(b->context, &b->radius, children);
  s = s == SQ_OK ? SQI_NEW(b->context, &b->area, children) : s;
  s = s == SQ_OK ? SQI_NEW(b->context, &w->moments, w->node_count) : s;
  s = s == SQ_OK ? SQI_NEW(b->context, &w->leaves, w->leaf_count) : s;
  for (int32_t level = b->level_count - 1; level >= 0 && s == SQ_OK; --level)
  {
    b->first = level ? b->level_end[level - 1] : 0;
    s = sqi_parallel_for(b->context, b->level_end[level] - b->first, GRAIN, group_children, b);
  }
  SQI_FREE(b->context, b->radius, children);
  SQI_FREE(b->context, b->area, children);
  return s;
}

sq_status sqi_winding_build(
  sq_context* context, const sqi_winding_surface* surface, sqi_winding** winding)
{
  *winding = NULL;
  sqi_winding* w;
  sq_status s = SQI_NEW(context, &w, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  memset(w, 0, sizeof(*w));
  w->allocator = context->allocator;
  w->has_rim = surface->rim != NULL;
  w->sum = SQI_LEVEL_CHOOSE(sqi_winding_sum);
  builder b;
  memset(&b, 0, sizeof(b));
  b.context = context;
  b.winding = w;
  b.surface = surface;
  b.own.allocator = context->allocator;
  if (!surface->index)
  {
    const sqi_triangle_view triangles = { surface->vertices, surface->corners };
    s = sqi_bvh_build(
      context, surface->triangle_count, sqi_triangle_box, &triangles, SQI_BVH_WIDTH, &b.own);
  }
  s = s == SQ_OK ? fill(&b) : s;
  sqi_bvh_release(&b.own);
  if (s != SQ_OK)
  {
    sqi_winding_destroy(w);
    return s;
  }
  *winding = w;
  return SQ_OK;
}
