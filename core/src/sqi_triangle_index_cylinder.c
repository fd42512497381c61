/**
 * The cylinders of a triangle index; compiled once per instruction set level with SQI_LEVEL set to its name. The axis is the dominant direction of the normals, whichever way they point, so
 * that it is also right for soups and thin two-sided parts; the rest is measured from all corners below a child.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
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
/** More than the rounding of float in a position along the axis, as a fraction of the largest coordinate seen from the centre. */
#define ALONG_ERROR 0x1p-20
/** The same for a squared distance from the axis, of the largest squared distance from the centre. */
#define ACROSS_ERROR 0x1p-19

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
  float* corners[3]; /* by axis: 3 a triangle, in the tree's order */
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
      f->corners[k % 3][3 * i + k / 3] = (float)corner[k / 3][k % 3];
    }
  }
  return SQ_OK;
}

static void add_normal(tensor* t, const filler* f, int64_t triangle)
{
  double u[3], v[3], n[3];
  for (int d = 0; d < 3; ++d)
  {
    const float* corner = f->corners[d] + 3 * triangle;
    u[d] = (double)corner[1] - (double)corner[0];
    v[d] = (double)corner[2] - (double)corner[0];
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
        add_normal(t, f, j);
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

/** The corners below a child. */
typedef struct cloud
{
  const float* x[3];
  int64_t count;
} cloud;

/** Eight of the corners from number i on, or the last eight; where there are fewer, some more than once. */
SQI_SIMD void load_corners(const cloud* c, int64_t i, sqi_f8 p[3])
{
  int64_t at = i + SQI_LANES <= c->count ? i : c->count - SQI_LANES;
  for (int d = 0; d < 3; ++d)
  {
    float few[SQI_LANES];
    for (int k = 0; k < SQI_LANES && at < 0; ++k)
    {
      few[k] = c->x[d][k < c->count ? k : 0];
    }
    p[d] = sqi_load8(at < 0 ? few : c->x[d] + at);
  }
}

SQI_SIMD sqi_f8 dot8(const sqi_f8 p[3], const float v[3])
{
  return p[0] * sqi_set8(v[0]) + p[1] * sqi_set8(v[1]) + p[2] * sqi_set8(v[2]);
}

/** The middle of the corners' extents along the axis and across it; any point would do, but this makes the cylinder small. */
static void find_centre(const cloud* c, const double n[3], float centre[3])
{
  double basis[3][3], middle[3] = { 0.0, 0.0, 0.0 };
  float axis[3][3];
  sqi_f8 least[3], minus_most[3];
  sqk_set3(n, basis[0]);
  complete(n, basis[1], basis[2]);
  for (int d = 0; d < 3; ++d)
  {
    least[d] = minus_most[d] = sqi_set8(HUGE_VALF);
    for (int k = 0; k < 3; ++k)
    {
      axis[d][k] = (float)basis[d][k];
    }
  }
  for (int64_t i = 0; i < c->count; i += SQI_LANES)
  {
    sqi_f8 p[3];
    load_corners(c, i, p);
    for (int d = 0; d < 3; ++d)
    {
      sqi_f8 t = dot8(p, axis[d]);
      least[d] = sqi_min8(t, least[d]);
      minus_most[d] = sqi_min8(-t, minus_most[d]);
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    double lo = (double)sqi_least8(least[d]), hi = -(double)sqi_least8(minus_most[d]);
    sqk_madd3(middle, 0.5 * (lo + hi), basis[d], middle);
  }
  for (int d = 0; d < 3; ++d)
  {
    centre[d] = (float)middle[d];
  }
}

/** Extents of the corners seen from the centre, in float. */
typedef struct extents
{
  double along; /* from the plane across the axis */
  double across2; /* squared, from the axis */
  double distance2; /* squared, from the centre */
  double largest; /* coordinate */
} extents;

static double most8(sqi_f8 a)
{
  return -(double)sqi_least8(-a);
}

static extents measure(const cloud* c, const float centre[3], const float axis[3])
{
  sqi_f8 along = sqi_set8(0.0f), across2 = along, distance2 = along, largest = along;
  for (int64_t i = 0; i < c->count; i += SQI_LANES)
  {
    sqi_f8 p[3];
    load_corners(c, i, p);
    for (int d = 0; d < 3; ++d)
    {
      p[d] -= sqi_set8(centre[d]);
      largest = sqi_max8(sqi_abs8(p[d]), largest);
    }
    sqi_f8 t = dot8(p, axis), length2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    along = sqi_max8(sqi_abs8(t), along);
    across2 = sqi_max8(length2 - t * t, across2);
    distance2 = sqi_max8(length2, distance2);
  }
  extents e = { most8(along), most8(across2), most8(distance2), most8(largest) };
  return e;
}

static void set_cylinder(
  const filler* f, sqi_triangle_node* node, int k, const tensor* t, const span* s)
{
  cloud c;
  c.count = 3 * (int64_t)(s->end - s->begin);
  double normal[3];
  float axis[3], centre[3];
  dominant(t, normal);
  for (int d = 0; d < 3; ++d)
  {
    c.x[d] = f->corners[d] + 3 * (int64_t)s->begin;
    axis[d] = (float)normal[d];
  }
  find_centre(&c, normal, centre);
  extents e = measure(&c, centre, axis);
  double middle[3];
  for (int d = 0; d < 3; ++d)
  {
    node->axis[d][k] = axis[d];
    node->centre[d][k] = centre[d];
    middle[d] = (double)centre[d];
  }
  double error = CORNER_ERROR * (e.largest + sqk_largest3(middle));
  /* Squares of float vanish below 2^-75 or so: far less than the error of a corner. */
  node->half[k] = sqi_round_up(e.along + ALONG_ERROR * e.largest + error + 0x1p-60);
  node->radius[k] = sqi_round_up(sqrt(e.across2 + ACROSS_ERROR * e.distance2) + error + 0x1p-60);
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

sq_status SQI_LEVEL_NAME(sqi_triangle_index_fill_cylinders)(
  sq_context* context, sqi_triangle_index* index, const sqi_bvh* bvh)
{
  filler f = { index, bvh, { NULL, NULL, NULL }, NULL, NULL };
  int64_t child_count = (int64_t)bvh->node_count * SQI_BVH_WIDTH;
  int64_t corner_count = 3 * (int64_t)bvh->item_count;
  sq_status status = SQ_OK;
  for (int d = 0; d < 3 && status == SQ_OK; ++d)
  {
    status = SQI_NEW(context, &f.corners[d], corner_count);
  }
  status = status == SQ_OK ? SQI_NEW(context, &f.tensors, child_count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &f.spans, child_count) : status;
  status = status == SQ_OK ? fill(context, &f) : status;
  for (int d = 0; d < 3; ++d)
  {
    SQI_FREE(context, f.corners[d], corner_count);
  }
  SQI_FREE(context, f.tensors, child_count);
  SQI_FREE(context, f.spans, child_count);
  return status;
}
