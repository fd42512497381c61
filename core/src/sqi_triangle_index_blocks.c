/**
 * The blocks of a triangle index: each triangle in a frame of its own, eight at a time. Compiled once per instruction set level with
 * SQI_LEVEL set to its name.
 */
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_triangle_index_tree.h"
#include "sqk_vector.h"

#include <string.h>

/** Blocks of one chunk, about 0.1 ms. */
#define CHUNK 256
/** A triangle this much thinner than long is its longest edge to the float search; its height is below the margin. */
#define FLAT 1e-9

#define LANES SQI_LANES

typedef struct filler
{
  sqi_triangle_index* index;
  const int32_t* order;
  const int32_t* begins;
  const int32_t* ends;
} filler;

/** Eight triangles, a lane each. */
typedef struct lanes
{
  double corner[3][3][LANES];
  double a[3][LANES];
  double axis[3][3][LANES];
  double length[LANES];
  double cx[LANES];
  double cy[LANES];
} lanes;

/** Local corners of a block's triangles, seen from its origin: the middle of their box, rounded to float. */
static void load_block(
  const sqi_triangle_index* index, sqi_triangle_block* b, int32_t count, lanes* l)
{
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int k = 0; k < LANES; ++k)
  {
    double corner[3][3];
    /* Lanes without a triangle are like the first, and are overwritten. */
    sqi_triangle_local(index, b->id[k < count ? k : 0], corner);
    for (int i = 0; i < 9; ++i)
    {
      double x = corner[i / 3][i % 3];
      l->corner[i / 3][i % 3][k] = x;
      lo[i % 3] = x < lo[i % 3] ? x : lo[i % 3];
      hi[i % 3] = x > hi[i % 3] ? x : hi[i % 3];
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    b->origin[d] = (float)(0.5 * (lo[d] + hi[d]));
    for (int i = 0; i < 3; ++i)
    {
      for (int k = 0; k < LANES; ++k)
      {
        l->corner[i][d][k] -= (double)b->origin[d];
      }
    }
  }
  double size2[LANES] = { 0.0 }, largest = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    for (int k = 0; k < LANES; ++k)
    {
      double x = l->corner[i][0][k], y = l->corner[i][1][k], z = l->corner[i][2][k];
      double length2 = x * x + y * y + z * z;
      size2[k] = length2 > size2[k] ? length2 : size2[k];
    }
  }
  for (int k = 0; k < LANES; ++k)
  {
    largest = size2[k] > largest ? size2[k] : largest;
  }
  b->size = sqi_round_up(sqrt(largest));
}

/** The longest edge: a is where it begins, the first axis along it; `c`: the third corner from there. */
static void choose_edge(lanes* restrict l, double c[3][LANES])
{
  double edge[3][3][LANES], length2[3][LANES];
  for (int i = 0; i < 3; ++i)
  {
    for (int k = 0; k < LANES; ++k)
    {
      for (int d = 0; d < 3; ++d)
      {
        edge[i][d][k] = l->corner[(i + 1) % 3][d][k] - l->corner[i][d][k];
      }
      length2[i][k] = edge[i][0][k] * edge[i][0][k] + edge[i][1][k] * edge[i][1][k] +
        edge[i][2][k] * edge[i][2][k];
    }
  }
  for (int k = 0; k < LANES; ++k)
  {
    double two = length2[1][k] > length2[0][k] ? length2[1][k] : length2[0][k];
    l->length[k] = sqrt(length2[2][k] > two ? length2[2][k] : two);
  }
  for (int d = 0; d < 3; ++d)
  {
    for (int k = 0; k < LANES; ++k)
    {
      double two = length2[1][k] > length2[0][k] ? length2[1][k] : length2[0][k];
      double a = length2[1][k] > length2[0][k] ? l->corner[1][d][k] : l->corner[0][d][k];
      double e = length2[1][k] > length2[0][k] ? edge[1][d][k] : edge[0][d][k];
      double third = length2[1][k] > length2[0][k] ? l->corner[0][d][k] : l->corner[2][d][k];
      a = length2[2][k] > two ? l->corner[2][d][k] : a;
      e = length2[2][k] > two ? edge[2][d][k] : e;
      third = length2[2][k] > two ? l->corner[1][d][k] : third;
      l->a[d][k] = a;
      l->axis[0][d][k] = (1.0 / l->length[k]) * e;
      c[d][k] = third - a;
    }
  }
}

/** The frames of triangles that are neither points nor needles, and what tells the others. */
static void flatten(lanes* restrict l)
{
  double c[3][LANES];
  choose_edge(l, c);
  for (int k = 0; k < LANES; ++k)
  {
    double x[3] = { l->axis[0][0][k], l->axis[0][1][k], l->axis[0][2][k] };
    double along = c[0][k] * x[0] + c[1][k] * x[1] + c[2][k] * x[2];
    double y[3] = { c[0][k] + -along * x[0], c[1][k] + -along * x[1], c[2][k] + -along * x[2] };
    double height = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    double scale = 1.0 / height;
    along = along < 0.0 ? 0.0 : along;
    l->cx[k] = along > l->length[k] ? l->length[k] : along;
    l->cy[k] = height;
    for (int d = 0; d < 3; ++d)
    {
      y[d] *= scale;
      l->axis[1][d][k] = y[d];
    }
    l->axis[2][0][k] = x[1] * y[2] - x[2] * y[1];
    l->axis[2][1][k] = x[2] * y[0] - x[0] * y[2];
    l->axis[2][2][k] = x[0] * y[1] - x[1] * y[0];
  }
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
  double scale = 1.0 / sqrt(sqk_dot3(y, y));
  y[0] *= scale, y[1] *= scale, y[2] *= scale;
}

/** The frame of a point or a needle: any across it. */
static void frame_needle(lanes* l, int k)
{
  double axis[3][3];
  int is_point = !(l->length[k] > 0.0);
  for (int d = 0; d < 3; ++d)
  {
    axis[0][d] = is_point ? d == 0 : l->axis[0][d][k];
  }
  any_normal(axis[0], axis[1]);
  sqk_cross3(axis[0], axis[1], axis[2]);
  l->cx[k] = is_point ? 0.0 : l->cx[k];
  l->cy[k] = 0.0;
  for (int i = 0; i < 9; ++i)
  {
    l->axis[i / 3][i % 3][k] = axis[i / 3][i % 3];
  }
}

/** The lane of no triangle: a point far away. */
static void frame_nothing(lanes* l, int k)
{
  l->length[k] = l->cx[k] = l->cy[k] = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    l->a[d][k] = (double)SQI_NOWHERE;
    for (int i = 0; i < 3; ++i)
    {
      l->axis[i][d][k] = d == i;
    }
  }
}

static void store_block(const lanes* restrict l, sqi_triangle_block* restrict b)
{
  for (int d = 0; d < 3; ++d)
  {
    for (int k = 0; k < LANES; ++k)
    {
      b->a[d][k] = (float)l->a[d][k];
      b->x[d][k] = (float)l->axis[0][d][k];
      b->y[d][k] = (float)l->axis[1][d][k];
      b->z[d][k] = (float)l->axis[2][d][k];
    }
  }
  for (int k = 0; k < LANES; ++k)
  {
    /* Coordinates of the frame: squares that vanish are of lengths far below the margin. */
    double cx = l->cx[k], cy = l->cy[k], length = l->length[k], rest = length - cx;
    double ac = sqrt(cx * cx + cy * cy);
    double bc = sqrt(rest * rest + cy * cy);
    b->length[k] = (float)length;
    b->ac_x[k] = (float)(ac > 0.0 ? cx / ac : 1.0);
    b->ac_y[k] = (float)(ac > 0.0 ? cy / ac : 0.0);
    b->ac_length[k] = (float)ac;
    b->bc_x[k] = (float)(bc > 0.0 ? (cx - length) / bc : -1.0);
    b->bc_y[k] = (float)(bc > 0.0 ? cy / bc : 0.0);
    b->bc_length[k] = (float)bc;
  }
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const filler* f = (const filler*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_triangle_block* b = &f->index->blocks[i];
    int32_t count = f->ends[i] - f->begins[i];
    lanes l;
    for (int k = 0; k < LANES; ++k)
    {
      b->id[k] = k < count ? f->order[f->begins[i] + k] : -1;
    }
    memset(b->padding, 0, sizeof(b->padding));
    load_block(f->index, b, count, &l);
    flatten(&l);
    for (int k = 0; k < count; ++k)
    {
      if (!(l.length[k] > 0.0) || !(l.cy[k] > FLAT * l.length[k]))
      {
        frame_needle(&l, k);
      }
    }
    for (int k = count; k < LANES; ++k)
    {
      frame_nothing(&l, k);
    }
    store_block(&l, b);
  }
  return SQ_OK;
}

sq_status SQI_LEVEL_NAME(sqi_triangle_index_fill_blocks)(sq_context* context,
  sqi_triangle_index* index, const int32_t* order, const int32_t* begins, const int32_t* ends)
{
  filler f = { index, order, begins, ends };
  return sqi_parallel_for(context, index->block_count, CHUNK, fill_body, &f);
}
