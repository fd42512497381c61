#include "sqi_raster.h"
#include "sqi_cell_sure.h"
#include "sqi_level.h"
#include "sqi_mesh_index_leaf.h"
#include "sqi_raster_bins.h"

#include <string.h>

/** What the rounding of floats can do, for coordinates and coefficients of 1: below 13 half ulp. */
#define ERROR 0x1p-20f
/** By how much a function must be in or out besides. */
#define MARGIN 0x1p-18f

/** A cell in front of a brick. */
typedef struct raster_cell
{
  sqi_mesh_cell cell;
  double tolerance;
  int32_t begin[3]; /* the points in its box, widened by the tolerance */
  int32_t end[3];
  /* Functions u_k of its bound: row . x + base, x in the frame of the brick. */
  float base[3];
  float row[3][3];
  float kind;
  /* Out where u_k < -out[k] or > 1 + out[k], or kind * (their sum) > 1 + out[3]. */
  float out[4];
  /* In where u_k >= in[k] and <= 1 - in[k], and kind * (their sum) <= 1 - in[3]. */
  float in[4];
} raster_cell;

typedef struct rastering
{
  const sqi_locate_rules* rules;
  const sqi_mesh_scratch* scratch;
  sqi_raster_brick* brick;
  double middle[3];
  sqi_frame frame; /* around the brick: its points lie within [-1, 1] */
} rastering;

/** The points of the brick in [lo, hi] along axis d; 0 if there are none. */
static int find_span(const sqi_raster_brick* b, int d, double lo, double hi, raster_cell* c)
{
  int32_t n = b->count[d], below = 0, above = 0;
  for (int32_t i = 0; i < n; ++i)
  {
    below += b->x[d][i] < lo;
    above += b->x[d][i] > hi;
  }
  int ascends = b->x[d][0] <= b->x[d][n - 1];
  c->begin[d] = ascends ? below : above;
  c->end[d] = n - (ascends ? above : below);
  return c->begin[d] < c->end[d];
}

/** The points in the box that the search tests a cell in (sqi_locate_contain.c), or in that of a curved cell. */
static int find_spans(const rastering* r, raster_cell* c)
{
  double lo[3], hi[3];
  sqi_raster_box(&c->cell, c->tolerance, r->scratch->local, lo, hi);
  int found = 1;
  for (int d = 0; d < 3 && found; ++d)
  {
    found = find_span(r->brick, d, lo[d], hi[d], c);
  }
  return found;
}

/** Functions that pass all points and are sure of none. */
static void pass_all(raster_cell* c)
{
  memset(c->base, 0, sizeof(c->base));
  memset(c->row, 0, sizeof(c->row));
  for (int k = 0; k < 4; ++k)
  {
    c->out[k] = 1.0f;
    c->in[k] = HUGE_VALF;
  }
}

/** What the functions of the bound say, and from which values on. */
static void set_bound(const rastering* r, raster_cell* c)
{
  sqk_cell view;
  sqi_cell_bound b;
  double scale, apart, sum = 0.0;
  double* local = r->scratch->local;
  /* The bound is made in a frame of the cell: around the middle of the brick, with nodes within [-1, 1]. */
  sqi_mesh_cell_view(r->rules->index, &c->cell, r->middle, local, &view, &scale);
  sqi_cell_bound_of(&view, local + 3 * (int64_t)r->rules->index->corner_max, &b);
  float distance = sqi_mesh_leaf_distance(c->tolerance * scale);
  double unit = scale / r->frame.scale;
  int sure = sqi_cell_is_bound(&view, &b, &apart);
  c->kind = (float)b.kind;
  c->out[3] = MARGIN;
  for (int k = 0; k < 3; ++k)
  {
    double size = 0.0, norm2 = 0.0, base = 0.0;
    for (int d = 0; d < 3; ++d)
    {
      double row = b.row[k][d] * unit;
      base -= b.row[k][d] * b.origin[d];
      size += fabs(row) + fabs(b.row[k][d] * b.origin[d]);
      norm2 += b.row[k][d] * b.row[k][d];
      c->row[k][d] = (float)row;
    }
    c->base[k] = (float)base;
    float error = ERROR * (float)size + MARGIN;
    c->out[k] = error + sqi_round_up(sqrt(norm2) * (1.0 + 0x1p-20)) * distance;
    c->out[3] += c->out[k];
    c->in[k] = 2.0f * error + (float)(4.0 * apart);
    sum += size;
  }
  c->in[3] = c->in[0] + c->in[1] + c->in[2] + MARGIN;
  c->in[0] = sure ? c->in[0] : HUGE_VALF;
  if (!(sum < 0x1p60) || !(c->out[3] < HUGE_VALF))
  {
    pass_all(c);
  }
}

/** Keeps the cell for a point that it holds at `rank`. */
static void keep(rastering* r, int32_t point, int32_t number, int rank)
{
  sqi_raster_brick* b = r->brick;
  if (rank > b->rank[point])
  {
    return;
  }
  if (rank < b->rank[point])
  {
    b->rank[point] = (uint8_t)rank;
    b->cells[point] = 1;
    b->number[point] = number;
    return;
  }
  ++b->cells[point];
  if (sqi_mesh_before(r->rules->index, number, b->number[point]))
  {
    b->number[point] = number;
  }
}

/** Keeps the cell for points that are inside of it. */
static void keep_all(rastering* r, int32_t number, const int32_t* list, int32_t count)
{
  sqi_raster_brick* b = r->brick;
  for (int32_t i = 0; i < count; ++i)
  {
    int32_t point = list[i];
    if (b->number[point] >= 0)
    {
      keep(r, point, number, SQI_RANK_INSIDE);
      continue;
    }
    b->number[point] = number;
    b->cells[point] = 1;
    b->rank[point] = SQI_RANK_INSIDE;
  }
}

/** The test of the search (sqi_locate_contain.c) for one point of the brick. */
static __attribute__((noinline)) void test_point(rastering* r, const raster_cell* c, int32_t point)
{
  const sqi_raster_brick* b = r->brick;
  int32_t row = point / b->count[0];
  const double x[3] = { b->x[0][point % b->count[0]], b->x[1][row % b->count[1]],
    b->x[2][row / b->count[1]] };
  sqk_cell view;
  sqk_cell_hit hit;
  double scale;
  sqi_mesh_cell_view(r->rules->index, &c->cell, x, r->scratch->local, &view, &scale);
  if (sqk_cell_find(&view, sqi_locate_fuzz(&c->cell) * scale, c->tolerance * scale, &hit, NULL))
  {
    keep(r, point, c->cell.number, hit.distance > 0.0);
  }
}

/** The points of the cell's box in the plane z = 0, row by row: the functions there, and which point each is in the first plane. */
static int32_t lay_plane(rastering* r, const raster_cell* c)
{
  const sqi_raster_brick* b = r->brick;
  sqi_raster_plane* p = &r->brick->plane;
  const sqi_i8 lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
  int32_t count = 0;
  for (int32_t j = c->begin[1]; j < c->end[1]; ++j)
  {
    float y = b->local[1][j];
    int32_t row = (c->begin[2] * b->count[1] + j) * b->count[0];
    for (int32_t i = c->begin[0]; i < c->end[0]; i += SQI_LANES)
    {
      int32_t at = count + (i - c->begin[0]);
      sqi_f8 x = sqi_load8(b->local[0] + i);
      for (int f = 0; f < 3; ++f)
      {
        sqi_store8(
          p->base[f] + at, sqi_set8(c->row[f][0]) * x + sqi_set8(c->base[f] + c->row[f][1] * y));
      }
      sqi_i8 point = lane + (row + i);
      memcpy(p->point + at, &point, sizeof(point));
    }
    count += c->end[0] - c->begin[0];
  }
  return count;
}

/** A bound in front of sixteen points at once. */
typedef struct raster_lanes
{
  sqi_f16 out_low[3];
  sqi_f16 out_high[3];
  sqi_f16 out_sum;
  sqi_f16 in_low[3];
  sqi_f16 in_high[3];
  sqi_f16 in_sum;
} raster_lanes;

static raster_lanes lanes_of(const raster_cell* c)
{
  raster_lanes v;
  v.out_sum = sqi_set16(1.0f + c->out[3]);
  v.in_sum = sqi_set16(1.0f - c->in[3]);
  for (int f = 0; f < 3; ++f)
  {
    v.out_low[f] = sqi_set16(-c->out[f]);
    v.out_high[f] = sqi_set16(1.0f + c->out[f]);
    v.in_low[f] = sqi_set16(c->in[f]);
    v.in_high[f] = sqi_set16(1.0f - c->in[f]);
  }
  return v;
}

/**
 * Of sixteen points of the plane from `at` on, bits of those that may be in, and (`in`) of those that are, by functions that are `z`
 * more than in `plane`. The sum says nothing of a parallelepiped, the upper ends nothing of a tetrahedron.
 */
SQI_SIMD unsigned classify(const raster_lanes* v, int tetra, const sqi_raster_plane* plane,
  int32_t at, const float z[3], unsigned* in)
{
  sqi_f16 u[3];
  for (int f = 0; f < 3; ++f)
  {
    memcpy(u + f, plane->base[f] + at, sizeof(u[f]));
    u[f] += sqi_set16(z[f]);
  }
  sqi_f16 sum = u[0] + u[1] + u[2];
  sqi_i16 may = (u[0] >= v->out_low[0]) & (u[1] >= v->out_low[1]) & (u[2] >= v->out_low[2]);
  may &= tetra ? sum <= v->out_sum
               : (u[0] <= v->out_high[0]) & (u[1] <= v->out_high[1]) & (u[2] <= v->out_high[2]);
  sqi_i16 must = (u[0] >= v->in_low[0]) & (u[1] >= v->in_low[1]) & (u[2] >= v->in_low[2]);
  must &= tetra ? sum <= v->in_sum
                : (u[0] <= v->in_high[0]) & (u[1] <= v->in_high[1]) & (u[2] <= v->in_high[2]);
  *in = sqi_mask16(must);
  return sqi_mask16(may);
}

/** Keeps the cell for the points that are sure, and tests the others. */
static void mark_listed(
  rastering* r, const raster_cell* c, const int32_t* in, int32_t in_count, int32_t may_count)
{
  const int32_t* may = r->brick->plane.may;
  keep_all(r, c->cell.number, in, in_count);
  for (int32_t i = 0; i < may_count; ++i)
  {
    test_point(r, c, may[i]);
  }
}

static void mark_points(rastering* r, const raster_cell* c)
{
  const raster_lanes v = lanes_of(c);
  sqi_raster_plane* p = &r->brick->plane;
  int tetra = c->kind == (float)SQI_BOUND_TETRA;
  int32_t count = lay_plane(r, c);
  int32_t in_count = 0, may_count = 0;
  for (int32_t k = c->begin[2]; k < c->end[2]; ++k)
  {
    float z = r->brick->local[2][k];
    const float step[3] = { c->row[0][2] * z, c->row[1][2] * z, c->row[2][2] * z };
    int32_t first = (k - c->begin[2]) * r->brick->count[0] * r->brick->count[1];
    for (int32_t at = 0; at < count; at += 16)
    {
      unsigned in;
      unsigned lanes = count - at < 16 ? (1u << (count - at)) - 1u : 0xffffu;
      unsigned may = classify(&v, tetra, p, at, step, &in) & lanes;
      sqi_i16 point;
      memcpy(&point, p->point + at, sizeof(point));
      point += first;
      in &= may;
      in_count = sqi_append16(in, point, p->in, in_count);
      if (may & ~in)
      {
        may_count = sqi_append16(may & ~in, point, p->may, may_count);
      }
    }
    if (in_count > SQI_RASTER_LISTED || may_count > SQI_RASTER_LISTED)
    {
      mark_listed(r, c, p->in, in_count, may_count);
      in_count = may_count = 0;
    }
  }
  mark_listed(r, c, p->in, in_count, may_count);
}

static void mark_cell(rastering* r, int32_t number)
{
  raster_cell c;
  sqi_mesh_cell_read(r->rules->index, number, r->scratch->points, &c.cell);
  c.tolerance = sqi_locate_tolerance(r->rules, &c.cell);
  if (find_spans(r, &c))
  {
    set_bound(r, &c);
    mark_points(r, &c);
  }
}

/** Puts the brick's coordinates into a frame of its own. */
static void place_brick(rastering* r)
{
  sqi_raster_brick* b = r->brick;
  double lo[3], hi[3];
  for (int d = 0; d < 3; ++d)
  {
    double first = b->x[d][0], last = b->x[d][b->count[d] - 1];
    lo[d] = fmin(first, last);
    hi[d] = fmax(first, last);
    r->middle[d] = 0.5 * lo[d] + 0.5 * hi[d];
  }
  r->frame = sqi_frame_around(r->middle, lo, hi);
  memset(b->local, 0, sizeof(b->local));
  for (int d = 0; d < 3; ++d)
  {
    for (int32_t i = 0; i < b->count[d]; ++i)
    {
      b->local[d][i] = (float)(b->x[d][i] * r->frame.scale - r->frame.centre[d]);
    }
  }
}

void SQI_LEVEL_NAME(sqi_raster)(const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch,
  const int32_t* list, int64_t list_count, sqi_raster_brick* brick)
{
  rastering r = { rules, scratch, brick, { 0.0 }, { 0.0, { 0.0 } } };
  int32_t points = brick->count[0] * brick->count[1] * brick->count[2];
  memset(brick->rank, SQI_RANK_NONE, (size_t)points);
  memset(brick->number, -1, (size_t)points * sizeof(*brick->number));
  memset(brick->cells, 0, (size_t)points * sizeof(*brick->cells));
  place_brick(&r);
  for (int64_t i = 0; i < list_count; ++i)
  {
    mark_cell(&r, list[i]);
  }
}
