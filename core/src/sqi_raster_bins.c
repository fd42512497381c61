#include "sqi_raster_bins.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <stdatomic.h>
#include <string.h>

/** Cells of one chunk. */
#define CHUNK 4096

/** An axis as an ascending sequence, and a guess at where a coordinate lies in it. */
typedef struct axis
{
  const double* at;
  int64_t count;
  int descends;
  double first;
  double steps; /* of even ones, per unit of length */
} axis;

typedef struct binning
{
  const sqi_rows* rows;
  const sqi_bricks* bricks;
  axis axes[3];
  _Atomic int64_t* next; /* of each brick: how many cells, then where its next one goes */
  uint64_t* reach; /* of each cell */
  int32_t* cells;
} binning;

/** The bricks that a cell reaches: the first one, and how many along each axis, packed into 40 and three times 8 bits. */
#define REACH_FIRST 40
#define REACH_BITS 8
#define REACH_NONE UINT64_C(0)
/** Of cells that reach more. */
#define REACH_FAR UINT64_MAX

static axis axis_of(const double* at, int64_t count)
{
  axis a = { at, count, count > 1 && at[0] > at[count - 1], 0.0, 0.0 };
  if (count > 1)
  {
    a.first = a.descends ? at[count - 1] : at[0];
    double steps = (double)(count - 1) / fabs(at[count - 1] - at[0]);
    a.steps = isfinite(steps) ? steps : 0.0;
  }
  return a;
}

/** Whether entry i of the ascending sequence is below x, or (`equal`) at x. */
static inline int is_before(const axis* a, int64_t i, double x, int equal)
{
  double at = a->at[a->descends ? a->count - 1 - i : i];
  return equal ? at <= x : at < x;
}

/** How many entries of the ascending sequence are below x, or (`equal`) at most x. */
static inline int64_t count_before(const axis* a, double x, int equal)
{
  double guess = (x - a->first) * a->steps;
  int64_t middle = guess > 0.0 ? (guess < (double)a->count ? (int64_t)guess : a->count) : 0;
  int64_t lo = middle > 1 ? middle - 1 : 0;
  int64_t hi = middle + 2 < a->count ? middle + 2 : a->count;
  lo = lo && !is_before(a, lo - 1, x, equal) ? 0 : lo;
  hi = hi < a->count && is_before(a, hi, x, equal) ? a->count : hi;
  while (lo < hi)
  {
    int64_t at = lo + (hi - lo) / 2;
    if (is_before(a, at, x, equal))
    {
      lo = at + 1;
    }
    else
    {
      hi = at;
    }
  }
  return lo;
}

void sqi_raster_box(
  const sqi_mesh_cell* cell, double tolerance, double* room, double lo[3], double hi[3])
{
  double pad = tolerance;
  sqk_set3(cell->lo, lo);
  sqk_set3(cell->hi, hi);
  if (sqk_shape_is_curved(cell->type))
  {
    sqi_mesh_cell_bounds(cell, room, lo, hi);
    pad = 1.001 * pad + 0x1p-40 * cell->largest;
  }
  for (int d = 0; d < 3; ++d)
  {
    lo[d] -= pad;
    hi[d] += pad;
  }
}

double sqi_raster_tolerance_above(const sqi_locate_rules* rules, const sqi_mesh_cell* cell)
{
  double floor_length = rules->floor_ulp[cell->block_id] * cell->largest;
  double tolerance = rules->options.tolerance;
  if (rules->options.tolerance_type == SQ_TOLERANCE_RELATIVE)
  {
    double size = 0.0;
    for (int d = 0; d < 3; ++d)
    {
      size += cell->hi[d] - cell->lo[d];
    }
    tolerance *= 1.001 * size;
  }
  return tolerance > floor_length ? tolerance : floor_length;
}

/** The bricks from first to last along each axis in which there are points of the cell's box; 0 if there are none. */
static int find_bricks(
  const binning* b, int64_t number, int32_t thread, int64_t first[3], int64_t last[3])
{
  const sqi_mesh_scratch* scratch = b->rows->scratch + thread;
  const sq_mesh_index* index = b->rows->rules.index;
  double lo[3], hi[3];
  sqi_mesh_cell cell;
  sqi_mesh_cell_open(index, (int32_t)number, &cell);
  if (sqk_shape_is_curved(cell.type))
  {
    sqi_mesh_cell_read(index, (int32_t)number, scratch->points, &cell);
  }
  else
  {
    sqi_mesh_cell_measure(&cell);
  }
  sqi_raster_box(&cell, sqi_raster_tolerance_above(&b->rows->rules, &cell), scratch->local, lo, hi);
  for (int d = 0; d < 3; ++d)
  {
    const axis* a = b->axes + d;
    int64_t begin = count_before(a, lo[d], 0);
    int64_t end = count_before(a, hi[d], 1);
    if (begin >= end)
    {
      return 0;
    }
    first[d] = (a->descends ? a->count - end : begin) / b->bricks->side[d];
    last[d] = (a->descends ? a->count - 1 - begin : end - 1) / b->bricks->side[d];
  }
  return 1;
}

static uint64_t reach_of(const binning* b, const int64_t first[3], const int64_t last[3])
{
  const int64_t* along = b->bricks->along;
  uint64_t reach = (uint64_t)((first[2] * along[1] + first[1]) * along[0] + first[0]);
  for (int d = 0; d < 3; ++d)
  {
    int64_t n = last[d] - first[d] + 1;
    if (n >= 1 << REACH_BITS || reach >> REACH_FIRST >> (d * REACH_BITS))
    {
      return REACH_FAR;
    }
    reach |= (uint64_t)n << (REACH_FIRST + d * REACH_BITS);
  }
  return reach;
}

/** Counts a cell in each of its bricks, or puts it there. */
static inline void add_to_bricks(
  const binning* b, int64_t cell, int64_t first, const int64_t count[3])
{
  const int64_t* along = b->bricks->along;
  for (int64_t z = 0; z < count[2]; ++z)
  {
    for (int64_t y = 0; y < count[1]; ++y)
    {
      for (int64_t x = 0; x < count[0]; ++x)
      {
        int64_t at = atomic_fetch_add_explicit(
          b->next + first + (z * along[1] + y) * along[0] + x, 1, memory_order_relaxed);
        if (b->cells)
        {
          b->cells[at] = (int32_t)cell;
        }
      }
    }
  }
}

static void bin_far(const binning* b, int64_t cell, int32_t thread)
{
  int64_t first[3], last[3];
  if (find_bricks(b, cell, thread, first, last))
  {
    const int64_t* along = b->bricks->along;
    const int64_t count[3] = { last[0] - first[0] + 1, last[1] - first[1] + 1,
      last[2] - first[2] + 1 };
    add_to_bricks(b, cell, (first[2] * along[1] + first[1]) * along[0] + first[0], count);
  }
}

static void bin_near(const binning* b, int64_t cell)
{
  uint64_t reach = b->reach[cell];
  int64_t count[3];
  for (int d = 0; d < 3; ++d)
  {
    count[d] = (int64_t)(reach >> (REACH_FIRST + d * REACH_BITS) & ((1u << REACH_BITS) - 1u));
  }
  add_to_bricks(b, cell, (int64_t)(reach & ((UINT64_C(1) << REACH_FIRST) - 1)), count);
}

static sq_status count_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const binning* b = (const binning*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t first[3], last[3];
    int takes =
      sqi_mesh_takes_as(b->rows->rules.index, i, 0) && find_bricks(b, i, thread, first, last);
    b->reach[i] = takes ? reach_of(b, first, last) : REACH_NONE;
    b->reach[i] == REACH_FAR ? bin_far(b, i, thread) : bin_near(b, i);
  }
  return SQ_OK;
}

static sq_status bin_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const binning* b = (const binning*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    b->reach[i] == REACH_FAR ? bin_far(b, i, thread) : bin_near(b, i);
  }
  return SQ_OK;
}

/** Turns how many cells each brick has into where they begin; how many there are in all. */
static int64_t begin_lists(_Atomic int64_t* next, int64_t count)
{
  int64_t all = 0;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t n = atomic_load_explicit(next + i, memory_order_relaxed);
    atomic_store_explicit(next + i, all, memory_order_relaxed);
    all += n;
  }
  return all;
}

/** Lists the cells, given room for where they begin, and for what they reach. */
static sq_status bin_cells(
  sq_context* context, binning* b, int64_t total, int64_t most, sqi_raster_bins* bins, int* many)
{
  sqi_phase(context, "Querying", 0.0, 0.07);
  sq_status status = sqi_parallel_for(context, total, CHUNK, count_body, b);
  bins->cell_count = begin_lists(b->next, bins->brick_count);
  *many = bins->cell_count > most;
  if (status != SQ_OK || *many)
  {
    return status;
  }
  status = SQI_NEW(context, &bins->cells, bins->cell_count);
  b->cells = bins->cells;
  sqi_phase(context, "Querying", 0.07, 0.1);
  return status == SQ_OK && bins->cell_count ? sqi_parallel_for(context, total, CHUNK, bin_body, b)
                                             : status;
}

sq_status sqi_raster_bins_build(sq_context* context, const sqi_rows* rows, const sqi_bricks* bricks,
  int64_t most, sqi_raster_bins* bins, int* many)
{
  const sq_mesh_index* index = rows->rules.index;
  int64_t total = index->first[index->block_count];
  binning b = { rows, bricks, { { NULL, 0, 0, 0.0, 0.0 } }, NULL, NULL, NULL };
  memset(bins, 0, sizeof(*bins));
  *many = 0;
  bins->brick_count = bricks->along[0] * bricks->along[1] * bricks->along[2];
  for (int d = 0; d < 3; ++d)
  {
    b.axes[d] = axis_of(rows->axes->at[d], rows->axes->count[d]);
  }
  sq_status status = SQI_NEW(context, &bins->end, bins->brick_count);
  if (status != SQ_OK || !bins->brick_count)
  {
    return status;
  }
  memset(bins->end, 0, (size_t)bins->brick_count * sizeof(*bins->end));
  b.next = (_Atomic int64_t*)bins->end;
  status = SQI_NEW(context, &b.reach, total);
  status = status == SQ_OK ? bin_cells(context, &b, total, most, bins, many) : status;
  SQI_FREE(context, b.reach, total);
  return status;
}

void sqi_raster_bins_release(sq_context* context, sqi_raster_bins* bins)
{
  SQI_FREE(context, bins->end, bins->brick_count);
  SQI_FREE(context, bins->cells, bins->cell_count);
  memset(bins, 0, sizeof(*bins));
}
