/** The blocks of a triangle index: each triangle in a frame of its own. */
#include "sqi_parallel.h"
#include "sqi_triangle_index_tree.h"
#include "sqk_vector.h"

#include <string.h>

/** Blocks of one chunk, about 0.3 ms. */
#define CHUNK 256
/** A triangle this much thinner than long is its longest edge to the float search; its height is below the margin. */
#define FLAT 1e-9

typedef struct filler
{
  sqi_triangle_index* index;
  const int32_t* order;
  const int32_t* begins;
  const int32_t* ends;
} filler;

static void scale3(double t, double v[3])
{
  v[0] *= t;
  v[1] *= t;
  v[2] *= t;
}

/** A unit vector across the unit vector x. */
static void any_normal(const double x[3], double y[3])
{
  int d = fabs(x[0]) <= fabs(x[1]) && fabs(x[0]) <= fabs(x[2]) ? 0
    : fabs(x[1]) <= fabs(x[2])                                 ? 1
                                                               : 2;
  double e[3] = { 0.0, 0.0, 0.0 };
  e[d] = 1.0;
  sqk_cross3(x, e, y);
  scale3(1.0 / sqrt(sqk_dot3(y, y)), y);
}

typedef struct flat_triangle
{
  double a[3];
  double axis[3][3];
  double length;
  double cx;
  double cy;
} flat_triangle;

static flat_triangle flatten(const double corner[3][3])
{
  flat_triangle f;
  double edge[3][3], length2[3];
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(corner[(k + 1) % 3], corner[k], edge[k]);
    length2[k] = sqk_dot3(edge[k], edge[k]);
  }
  int first = length2[1] > length2[0] ? 1 : 0;
  first = length2[2] > length2[first] ? 2 : first;
  double* x = f.axis[0];
  double* y = f.axis[1];
  sqk_set3(corner[first], f.a);
  sqk_set3(edge[first], x);
  f.length = sqrt(length2[first]);
  f.cx = f.cy = 0.0;
  if (!(f.length > 0.0))
  {
    x[0] = 1.0, x[1] = x[2] = 0.0;
    any_normal(x, y);
    sqk_cross3(x, y, f.axis[2]);
    return f;
  }
  double ac[3];
  scale3(1.0 / f.length, x);
  sqk_sub3(corner[(first + 2) % 3], f.a, ac);
  f.cx = sqk_dot3(ac, x);
  sqk_madd3(ac, -f.cx, x, y);
  f.cy = sqrt(sqk_dot3(y, y));
  f.cx = f.cx < 0.0 ? 0.0 : f.cx > f.length ? f.length : f.cx;
  if (f.cy > FLAT * f.length)
  {
    scale3(1.0 / f.cy, y);
  }
  else
  {
    f.cy = 0.0;
    any_normal(x, y);
  }
  sqk_cross3(x, y, f.axis[2]);
  return f;
}

static void set_lane(sqi_triangle_block* b, int k, const flat_triangle* f)
{
  for (int d = 0; d < 3; ++d)
  {
    b->a[d][k] = (float)f->a[d];
    b->x[d][k] = (float)f->axis[0][d];
    b->y[d][k] = (float)f->axis[1][d];
    b->z[d][k] = (float)f->axis[2][d];
  }
  /* Coordinates of the frame: squares that vanish are of lengths far below the margin. */
  double rest = f->length - f->cx;
  double ac = sqrt(f->cx * f->cx + f->cy * f->cy);
  double bc = sqrt(rest * rest + f->cy * f->cy);
  b->length[k] = (float)f->length;
  b->ac_x[k] = ac > 0.0 ? (float)(f->cx / ac) : 1.0f;
  b->ac_y[k] = ac > 0.0 ? (float)(f->cy / ac) : 0.0f;
  b->ac_length[k] = (float)ac;
  b->bc_x[k] = bc > 0.0 ? (float)((f->cx - f->length) / bc) : -1.0f;
  b->bc_y[k] = bc > 0.0 ? (float)(f->cy / bc) : 0.0f;
  b->bc_length[k] = (float)bc;
}

/** Local corners of a block's triangles, seen from its origin: the middle of their box, rounded to float. */
static void measure_block(
  const sqi_triangle_index* index, sqi_triangle_block* b, int32_t count, double corner[][3][3])
{
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int32_t i = 0; i < 3 * count; ++i)
  {
    double* p = corner[i / 3][i % 3];
    if (i % 3 == 0)
    {
      sqi_triangle_local(index, b->id[i / 3], corner[i / 3]);
    }
    for (int d = 0; d < 3; ++d)
    {
      lo[d] = p[d] < lo[d] ? p[d] : lo[d];
      hi[d] = p[d] > hi[d] ? p[d] : hi[d];
    }
  }
  double size2 = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    b->origin[d] = (float)(0.5 * (lo[d] + hi[d]));
  }
  for (int32_t i = 0; i < 3 * count; ++i)
  {
    double* p = corner[i / 3][i % 3];
    for (int d = 0; d < 3; ++d)
    {
      p[d] -= (double)b->origin[d];
    }
    size2 = fmax(size2, sqk_dot3(p, p));
  }
  b->size = sqi_round_up(sqrt(size2));
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const filler* f = (const filler*)data;
  const flat_triangle none = { { (double)SQI_NOWHERE, (double)SQI_NOWHERE, (double)SQI_NOWHERE },
    { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } }, 0.0, 0.0, 0.0 };
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_triangle_block* b = &f->index->blocks[i];
    int32_t count = f->ends[i] - f->begins[i];
    double corner[SQI_LANES][3][3];
    memset(b, 0, sizeof(*b));
    for (int k = 0; k < SQI_LANES; ++k)
    {
      b->id[k] = k < count ? f->order[f->begins[i] + k] : -1;
    }
    measure_block(f->index, b, count, corner);
    for (int k = 0; k < SQI_LANES; ++k)
    {
      flat_triangle flat = k < count ? flatten((const double(*)[3])corner[k]) : none;
      set_lane(b, k, &flat);
    }
  }
  return SQ_OK;
}

sq_status sqi_triangle_index_fill_blocks(sq_context* context, sqi_triangle_index* index,
  const int32_t* order, const int32_t* begins, const int32_t* ends)
{
  filler f = { index, order, begins, ends };
  return sqi_parallel_for(context, index->block_count, CHUNK, fill_body, &f);
}
