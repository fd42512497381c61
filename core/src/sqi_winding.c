#include "sqi_winding.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_triangle_box.h"
#include "sqi_winding_tree.h"

#include <math.h>

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
} group;

typedef struct builder
{
  sq_context* context;
  sqi_winding* winding;
  const double* vertices;
  const int32_t* corners;
  group* groups; /* 8 a node */
} builder;

static void corner(const builder* b, int64_t triangle, int k, double x[3])
{
  const double* vertex = b->vertices + 3 * (int64_t)b->corners[3 * triangle + k];
  for (int d = 0; d < 3; ++d)
  {
    x[d] = vertex[d] * b->winding->bvh.frame.scale;
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
}

/** The moments of one triangle about its centroid: n and a follow from the plane, b = n x (covariance) / 2. */
static group triangle_group(const builder* b, int64_t triangle)
{
  group g = { { 0 }, 0, { 0 }, { 0 }, { 0 }, 0, 0 };
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
  group g = { { 0 }, 0, { 0 }, { 0 }, { 0 }, 0, 0 };
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

static void fill_leaf(const builder* b, const int32_t* items, int count, sqi_winding_leaf* leaf)
{
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
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

/** The groups of the children that are leaves, for nodes begin to end - 1. */
static sq_status group_leaves(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  sqi_winding* w = b->winding;
  for (int64_t node = begin; node < end; ++node)
  {
    const sqi_bvh_node* from = w->bvh.nodes + node;
    for (int k = 0; k < from->child_count; ++k)
    {
      int32_t leaf = w->leaf_of_child[SQI_BVH_WIDTH * node + k];
      if (leaf >= 0)
      {
        const int32_t* items = w->bvh.order + from->child[k];
        group parts[SQI_BVH_WIDTH];
        for (int i = 0; i < from->count[k]; ++i)
        {
          parts[i] = triangle_group(b, items[i]);
        }
        b->groups[SQI_BVH_WIDTH * node + k] = join(parts, from->count[k]);
        fill_leaf(b, items, from->count[k], w->leaves + leaf);
      }
    }
  }
  return SQ_OK;
}

/** The groups of inner children, from the last node to the first: parents stand before their children. */
static void group_nodes(builder* b)
{
  sqi_winding* w = b->winding;
  for (int32_t node = w->node_count - 1; node >= 0; --node)
  {
    const sqi_bvh_node* from = w->bvh.nodes + node;
    for (int k = 0; k < from->child_count; ++k)
    {
      if (!from->count[k])
      {
        int32_t child = from->child[k];
        b->groups[SQI_BVH_WIDTH * node + k] =
          join(b->groups + SQI_BVH_WIDTH * child, w->bvh.nodes[child].child_count);
      }
    }
  }
}

/** Into the lanes of the hot loop. The radius is widened for the rounding of distances. */
static void store_moments(const builder* b, int32_t node, sqi_moments* m)
{
  memset(m, 0, sizeof(*m));
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    m->radius[k] = -1.0;
    if (k >= b->winding->bvh.nodes[node].child_count)
    {
      continue;
    }
    const group* g = b->groups + SQI_BVH_WIDTH * node + k;
    m->radius[k] = g->radius * (1.0 + 1e-12) + 0x1p-1000;
    m->third[k] = g->third;
    m->area[k] = g->area;
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
}

static void number_leaves(sqi_winding* w)
{
  for (int32_t node = 0; node < w->node_count; ++node)
  {
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      const sqi_bvh_node* n = w->bvh.nodes + node;
      int is_leaf = k < n->child_count && n->count[k];
      w->leaf_of_child[SQI_BVH_WIDTH * node + k] = is_leaf ? w->leaf_count++ : -1;
    }
  }
}

static sq_status fill(builder* b)
{
  sqi_winding* w = b->winding;
  w->node_count = w->bvh.node_count;
  int64_t children = (int64_t)SQI_BVH_WIDTH * w->node_count;
  sq_status s = SQI_NEW(b->context, &w->moments, w->node_count);
  s = s == SQ_OK ? SQI_NEW(b->context, &w->leaf_of_child, children) : s;
  s = s == SQ_OK ? SQI_NEW(b->context, &b->groups, children) : s;
  if (s != SQ_OK)
  {
    return s;
  }
  number_leaves(w);
  s = SQI_NEW(b->context, &w->leaves, w->leaf_count);
  s = s == SQ_OK ? sqi_parallel_for(b->context, w->node_count, 64, group_leaves, b) : s;
  if (s == SQ_OK)
  {
    group_nodes(b);
    for (int32_t node = 0; node < w->node_count; ++node)
    {
      store_moments(b, node, w->moments + node);
    }
  }
  return s;
}

sq_status sqi_winding_build(sq_context* context, const double* vertices, const int32_t* corners,
  int32_t triangle_count, sqi_winding** winding)
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
  w->sum = SQI_LEVEL_CHOOSE(sqi_winding_sum);
  builder b = { context, w, vertices, corners, NULL };
  const sqi_triangle_view triangles = { vertices, corners };
  s = sqi_bvh_build(context, triangle_count, sqi_triangle_box, &triangles, SQI_BVH_WIDTH, &w->bvh);
  s = s == SQ_OK ? fill(&b) : s;
  SQI_FREE(context, b.groups, (int64_t)SQI_BVH_WIDTH * w->node_count);
  if (s != SQ_OK)
  {
    sqi_winding_destroy(w);
    return s;
  }
  *winding = w;
  return SQ_OK;
}

void sqi_winding_destroy(sqi_winding* winding)
{
  if (winding)
  {
    const sq_allocator allocator = winding->allocator;
    SQI_RELEASE(&allocator, winding->moments, winding->node_count);
    SQI_RELEASE(&allocator, winding->leaf_of_child, (int64_t)SQI_BVH_WIDTH * winding->node_count);
    SQI_RELEASE(&allocator, winding->leaves, winding->leaf_count);
    sqi_bvh_release(&winding->bvh);
    SQI_RELEASE(&allocator, winding, 1);
  }
}

int64_t sqi_winding_bytes(const sqi_winding* w)
{
  return w ? (int64_t)sizeof(*w) + sqi_bvh_bytes(&w->bvh) +
      w->node_count * (int64_t)(sizeof(sqi_moments) + SQI_BVH_WIDTH * sizeof(int32_t)) +
      w->leaf_count * (int64_t)sizeof(sqi_winding_leaf)
           : 0;
}

/** Beyond this many scene sizes every winding number is below rounding. */
static const double FAR_AWAY = 0x1p40;

static int is_far_away(const sqi_winding* w, const double x[3])
{
  double local[3];
  sqi_frame_local(&w->bvh.frame, x, local);
  return !(fabs(local[0]) < FAR_AWAY && fabs(local[1]) < FAR_AWAY && fabs(local[2]) < FAR_AWAY);
}

/** Expansions are only valid outside the radius of a group. */
static double valid_accuracy(double accuracy)
{
  return accuracy > 0.0 && accuracy < 1.0625 ? 1.0625 : accuracy;
}

/** The scaled x; whether anything is to be seen from there. */
static int is_seen(const sqi_winding* w, const double x[3], double scaled[3])
{
  for (int d = 0; d < 3; ++d)
  {
    scaled[d] = x[d] * w->bvh.frame.scale;
  }
  return w->node_count && !is_far_away(w, x);
}

double sqi_winding_number(
  const sqi_winding* winding, const double x[3], double accuracy, double* error)
{
  sqi_winding_sum_result sum = { 0.0, 0.0, 0.0, 0.0 };
  double scaled[3];
  if (is_seen(winding, x, scaled))
  {
    sum = winding->sum(winding, scaled, valid_accuracy(accuracy), 0.0);
  }
  if (error)
  {
    *error = sum.error;
  }
  return sum.number;
}

/** The side is asked for with a coarser sum at first, which settles it nearly everywhere. */
static const double FIRST_OPENING = 0.75;

/** Finer than this the exact sum is no more work. */
static const double LAST_OPENING = 160.0;

double sqi_winding_error_expected(const sqi_winding_sum_result* sum)
{
  return fmin(sum->error, 0.5 * sum->spread);
}

/**
 * How far from x the number is sure to stay on the same side of 1/2, which it is `margin` away from. Per unit of area the k-th
 * term of the Taylor series of the kernel is at most (k + 1) t^k / gap^2, t = step / gap; from k = 1 on they sum to 1 / (1 - t)^2 - 1,
 * which is at most 15/4 t up to t = 1/3, that is for steps up to a third of every gap.
 */
static double steady_within(double margin, double slope, double reach)
{
  double step = margin > 0.0 ? margin / (3.75 * slope) : 0.0;
  return fmin(step, reach / 3.0);
}

int sqi_winding_is_inside(const sqi_winding* winding, const double x[3],
  const sqi_winding_question* question, double* steady)
{
  double scaled[3];
  double scale = winding->bvh.frame.scale;
  double reach = steady ? question->reach * scale : 0.0;
  if (!is_seen(winding, x, scaled))
  {
    if (steady)
    {
      *steady = 0.0;
    }
    return 0;
  }
  for (double opening = FIRST_OPENING * question->accuracy;;)
  {
    sqi_winding_sum_result sum = winding->sum(winding, scaled, valid_accuracy(opening), reach);
    double number = question->is_flipped ? -sum.number : sum.number;
    double error = sqi_winding_error_expected(&sum);
    double margin = fabs(number - 0.5) - error;
    /* A whole number is known once the error is below 1/2. */
    if (opening == 0.0 || margin > 0.0 || (question->is_whole && error < 0.45))
    {
      if (steady)
      {
        *steady = steady_within(margin, sum.slope, reach) / scale;
      }
      return number > 0.5;
    }
    opening = opening < LAST_OPENING ? 2.0 * opening : 0.0;
  }
}
