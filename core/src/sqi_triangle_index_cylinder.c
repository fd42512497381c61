/**
 * The cylinders of a triangle index. The axis is the dominant direction of the normals, whichever way they point, so
 * that it is also right for soups and thin two-sided parts; the rest is measured from all corners below a child.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_triangle_index_tree.h"
#include "sqk_vector.h"

#include <string.h>

/** Children with more triangles get no cylinder: they are rarely far enough from a query for it to matter. */
#define TRIANGLES_MAX 32768
/** Triangles of one chunk of the loop over all. */
#define CHUNK 4096
/** More than the rounding of a corner to float, as a fraction of its largest coordinate. */
#define CORNER_ERROR 0x1p-23

/** A sum of n n' / |n| over triangles with normals n: xx, yy, zz, xy, yz, zx. */
typedef struct tensor
{
  double m[6];
} tensor;

typedef struct span
{
  int32_t begin;
  int32_t end;
} span;

typedef struct filler
{
  sqi_triangle_index* index;
  const sqi_bvh* bvh;
  float* corners; /* 9 a triangle, in the tree's order */
  tensor* tensors; /* 8 a node, one a child */
  span* spans; /* of the order, 8 a node */
} filler;

static sq_status copy_corners(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const filler* f = (const filler*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    double corner[3][3];
    sqi_triangle_local(f->index, f->bvh->order[i], corner);
    for (int k = 0; k < 9; ++k)
    {
      f->corners[9 * i + k] = (float)corner[k / 3][k % 3];
    }
  }
  return SQ_OK;
}

static void add_normal(tensor* t, const float* corners)
{
  double u[3], v[3], n[3];
  for (int d = 0; d < 3; ++d)
  {
    u[d] = (double)corners[3 + d] - (double)corners[d];
    v[d] = (double)corners[6 + d] - (double)corners[d];
  }
  sqk_cross3(u, v, n);
  double length = sqrt(sqk_dot3(n, n));
  if (length > 0.0)
  {
    for (int d = 0; d < 3; ++d)
    {
      t->m[d] += n[d] * n[d] / length;
      t->m[3 + d] += n[d] * n[(d + 1) % 3] / length;
    }
  }
}

static sq_status sum_leaves(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const filler* f = (const filler*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_bvh_node* n = &f->bvh->nodes[i];
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      tensor* t = &f->tensors[i * SQI_BVH_WIDTH + k];
      span* s = &f->spans[i * SQI_BVH_WIDTH + k];
      memset(t, 0, sizeof(*t));
      s->begin = n->child[k];
      s->end = n->child[k] + n->count[k];
      for (int32_t j = s->begin; j < s->end; ++j)
      {
        add_normal(t, f->corners + 9 * (int64_t)j);
      }
    }
  }
  return SQ_OK;
}

/** Tensors and spans of the inner children, from the last node to the first. */
static sq_status sum_nodes(sq_context* context, const filler* f)
{
  for (int64_t i = f->bvh->node_count - 1; i >= 0; --i)
  {
    if (i % CHUNK == 0 && sqi_poll(context, 1.0, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    const sqi_bvh_node* n = &f->bvh->nodes[i];
    for (int k = 0; k < n->child_count; ++k)
    {
      if (n->count[k])
      {
        continue;
      }
      int64_t below = (int64_t)n->child[k] * SQI_BVH_WIDTH;
      tensor* t = &f->tensors[i * SQI_BVH_WIDTH + k];
      span* s = &f->spans[i * SQI_BVH_WIDTH + k];
      s->begin = INT32_MAX;
      s->end = 0;
      for (int j = 0; j < f->bvh->nodes[n->child[k]].child_count; ++j)
      {
        const span* part = &f->spans[below + j];
        s->begin = part->begin < s->begin ? part->begin : s->begin;
        s->end = part->end > s->end ? part->end : s->end;
        for (int m = 0; m < 6; ++m)
        {
          t->m[m] += f->tensors[below + j].m[m];
        }
      }
    }
  }
  return SQ_OK;
}

/** The eigenvector of the largest eigenvalue: squaring the matrix six times raises its eigenvalues to the power 64. */
static void dominant(const tensor* t, double axis[3])
{
  double m[6];
  memcpy(m, t->m, sizeof(m));
  for (int i = 0; i < 7; ++i)
  {
    double trace = m[0] + m[1] + m[2];
    if (!(trace > 0.0))
    {
      axis[0] = axis[1] = 0.0;
      axis[2] = 1.0;
      return;
    }
    double xx = m[0] / trace, yy = m[1] / trace, zz = m[2] / trace;
    double xy = m[3] / trace, yz = m[4] / trace, zx = m[5] / trace;
    m[0] = xx * xx + xy * xy + zx * zx;
    m[1] = xy * xy + yy * yy + yz * yz;
    m[2] = zx * zx + yz * yz + zz * zz;
    m[3] = xx * xy + xy * yy + zx * yz;
    m[4] = xy * zx + yy * yz + yz * zz;
    m[5] = xx * zx + xy * yz + zx * zz;
  }
  double column[3][3] = { { m[0], m[3], m[5] }, { m[3], m[1], m[4] }, { m[5], m[4], m[2] } };
  int best = m[1] > m[0] ? 1 : 0;
  best = m[2] > m[best] ? 2 : best;
  double length = sqrt(sqk_dot3(column[best], column[best]));
  for (int d = 0; d < 3; ++d)
  {
    axis[d] = column[best][d] / length;
  }
}

/** Two unit vectors that complete the unit vector n (Duff et al., "Building an orthonormal basis, revisited", JCGT 6(1), 2017). */
static void complete(const double n[3], double u[3], double v[3])
{
  double sign = copysign(1.0, n[2]);
  double a = -1.0 / (sign + n[2]);
  double b = n[0] * n[1] * a;
  u[0] = 1.0 + sign * n[0] * n[0] * a;
  u[1] = sign * b;
  u[2] = -sign * n[0];
  v[0] = b;
  v[1] = sign + n[1] * n[1] * a;
  v[2] = -n[1];
}

/** The middle of the corners' extents along the axis and across it. */
static void find_centre(const float* corners, int64_t count, const double n[3], double centre[3])
{
  double basis[3][3], lo[3], hi[3];
  sqk_set3(n, basis[0]);
  complete(n, basis[1], basis[2]);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = HUGE_VAL;
    hi[d] = -HUGE_VAL;
  }
  for (int64_t i = 0; i < count; ++i)
  {
    double p[3] = { (double)corners[3 * i], (double)corners[3 * i + 1],
      (double)corners[3 * i + 2] };
    for (int d = 0; d < 3; ++d)
    {
      double t = sqk_dot3(p, basis[d]);
      lo[d] = t < lo[d] ? t : lo[d];
      hi[d] = t > hi[d] ? t : hi[d];
    }
  }
  centre[0] = centre[1] = centre[2] = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    sqk_madd3(centre, 0.5 * (lo[d] + hi[d]), basis[d], centre);
  }
}

static void set_cylinder(
  const filler* f, sqi_triangle_node* node, int k, const tensor* t, const span* s)
{
  const float* corners = f->corners + 9 * (int64_t)s->begin;
  int64_t count = 3 * (int64_t)(s->end - s->begin);
  double axis[3], centre[3];
  dominant(t, axis);
  find_centre(corners, count, axis, centre);
  for (int d = 0; d < 3; ++d)
  {
    node->axis[d][k] = (float)axis[d];
    node->centre[d][k] = (float)centre[d];
    axis[d] = (double)node->axis[d][k];
    centre[d] = (double)node->centre[d][k];
  }
  double half = 0.0;
  double radius2 = 0.0;
  double largest = 0.0;
  for (int64_t i = 0; i < count; ++i)
  {
    double p[3] = { (double)corners[3 * i] - centre[0], (double)corners[3 * i + 1] - centre[1],
      (double)corners[3 * i + 2] - centre[2] };
    double along = sqk_dot3(p, axis);
    largest = fmax(largest, sqk_largest3(p));
    double across2 = sqk_dot3(p, p) - along * along;
    half = fabs(along) > half ? fabs(along) : half;
    radius2 = across2 > radius2 ? across2 : radius2;
  }
  double error = CORNER_ERROR * (largest + sqk_largest3(centre));
  node->half[k] = sqi_round_up(half + error);
  node->radius[k] = sqi_round_up(sqrt(radius2) + error);
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const filler* f = (const filler*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    for (int k = 0; k < f->bvh->nodes[i].child_count; ++k)
    {
      int64_t at = i * SQI_BVH_WIDTH + k;
      if (f->spans[at].end - f->spans[at].begin <= TRIANGLES_MAX)
      {
        set_cylinder(f, &f->index->nodes[i], k, &f->tensors[at], &f->spans[at]);
      }
    }
  }
  return SQ_OK;
}

static sq_status fill(sq_context* context, filler* f)
{
  sq_status status = sqi_parallel_for(context, f->bvh->item_count, CHUNK, copy_corners, f);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, f->bvh->node_count, CHUNK / 64, sum_leaves, f);
  }
  if (status == SQ_OK)
  {
    status = sum_nodes(context, f);
  }
  return status == SQ_OK ? sqi_parallel_for(context, f->bvh->node_count, 2, fill_body, f) : status;
}

sq_status sqi_triangle_index_fill_cylinders(
  sq_context* context, sqi_triangle_index* index, const sqi_bvh* bvh)
{
  filler f = { index, bvh, NULL, NULL, NULL };
  int64_t child_count = (int64_t)bvh->node_count * SQI_BVH_WIDTH;
  int64_t corner_count = 9 * (int64_t)bvh->item_count;
  sq_status status = SQI_NEW(context, &f.corners, corner_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &f.tensors, child_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &f.spans, child_count);
  }
  if (status == SQ_OK)
  {
    status = fill(context, &f);
  }
  SQI_FREE(context, f.corners, corner_count);
  SQI_FREE(context, f.tensors, child_count);
  SQI_FREE(context, f.spans, child_count);
  return status;
}
