#ifndef SQI_JOIN_CELL_H
#define SQI_JOIN_CELL_H
/** One cell of a join in front of points, eight at a time; for sqi_join.c, which is compiled at every instruction set level. */
#include "sqi_cell_sure.h"
#include "sqi_eight.h"
#include "sqi_join.h"
#include "sqi_mesh_index_leaf.h"
#include "sqi_raster_bins.h"

#include <string.h>

/** What the rounding of doubles can do, for coordinates and coefficients of 1: below 13 half ulp, and those of the rows. */
#define ERROR 0x1p-46
/** By how much a function must be in or out besides. */
#define MARGIN 0x1p-18

/** A cell in front of the points. */
typedef struct joined
{
  const sqi_join* join;
  const sqi_mesh_scratch* scratch;
  int32_t number;
  int is_open; /* what follows is set */
  sqi_mesh_cell cell;
  double tolerance;
  double lo[3]; /* its box, widened by the tolerance */
  double hi[3];
  int is_bound; /* what follows is set */
  int passes_all;
  int tetra;
  double kind; /* of the bound */
  /* Functions u_k of its bound, and their sum: row . (x - middle) + base. */
  double middle[3];
  double row[4][3];
  double base[4];
  /* Out where u_k < low[k] or > high[k], or the sum (sum_of()) is > high[3]; in where all are within the others. */
  double low[3];
  double high[4];
  double in_low[3];
  double in_high[4];
} joined;

/** A cell that is to be opened yet. */
static inline void name_cell(const sqi_join* join, int32_t number, int32_t thread, joined* c)
{
  c->join = join;
  c->scratch = join->scratch + thread;
  c->number = number;
  c->is_open = c->is_bound = 0;
}

static void open_cell(joined* c)
{
  const sqi_join* join = c->join;
  c->is_open = 1;
  sqi_mesh_cell_read(join->rules->index, c->number, c->scratch->points, &c->cell);
  c->tolerance = sqi_locate_tolerance(join->rules, &c->cell);
  sqi_raster_box(&c->cell, c->tolerance, c->scratch->local, c->lo, c->hi);
}

/** What the functions of the bound say, and from which values on. */
static __attribute__((noinline)) void set_bound(joined* c)
{
  const sq_mesh_index* index = c->join->rules->index;
  double* local = c->scratch->local;
  sqk_cell view;
  sqi_cell_bound b;
  double scale, apart, out = MARGIN, in = MARGIN, largest = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    c->middle[d] = 0.5 * c->cell.lo[d] + 0.5 * c->cell.hi[d];
  }
  /* The nodes are within [-1, 1] then. */
  sqi_mesh_cell_view(index, &c->cell, c->middle, local, &view, &scale);
  sqi_cell_bound_of(&view, local + 3 * (int64_t)index->corner_max, &b);
  double distance = c->tolerance * scale;
  int sure = sqi_cell_is_bound(&view, &b, &apart);
  c->is_bound = 1;
  c->kind = b.kind;
  c->tetra = b.kind == SQI_BOUND_TETRA;
  memset(c->row[3], 0, sizeof(c->row[3]));
  c->base[3] = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    double size = 0.0, norm = 0.0, base = 0.0;
    for (int d = 0; d < 3; ++d)
    {
      double row = fabs(b.row[k][d]);
      base -= b.row[k][d] * b.origin[d];
      norm += row;
      size += row * (1.0 + distance + fabs(b.origin[d]));
      c->row[k][d] = b.row[k][d] * scale;
      c->row[3][d] += c->row[k][d];
      largest = fmax(largest, fabs(c->row[k][d]));
    }
    double error = ERROR * size + MARGIN;
    c->base[k] = base;
    c->base[3] += base;
    /* The sum of the magnitudes is no less than the length of the row. */
    c->low[k] = -(error + norm * distance);
    c->high[k] = c->tetra ? HUGE_VAL : 1.0 - c->low[k];
    c->in_low[k] = sure ? 2.0 * error + 4.0 * apart : HUGE_VAL;
    c->in_high[k] = c->tetra ? HUGE_VAL : 1.0 - c->in_low[k];
    out -= c->low[k];
    in += c->in_low[k];
  }
  c->high[3] = b.kind >= SQI_BOUND_PYRAMID ? 1.0 + out : HUGE_VAL;
  c->in_high[3] = c->tetra ? 1.0 - in : HUGE_VAL;
  c->passes_all =
    !(out < 0x1p60) || !(largest < 0x1p1000) || !(c->cell.largest < 0x1p1000) || !(scale > 0.0);
}

/** Keeps the cell for the point at a place that it holds at `rank`. */
static inline void keep(const joined* c, int64_t place, int rank)
{
  _Atomic uint64_t* at = c->join->found + place;
  uint64_t found = atomic_load_explicit(at, memory_order_relaxed);
  uint64_t number = (uint64_t)c->number, next;
  do
  {
    int best = sqi_found_rank(found);
    if (rank > best)
    {
      return;
    }
    next = (uint64_t)rank << 62 | (uint64_t)1 << 31 | number;
    if (rank == best)
    {
      int32_t other = sqi_found_number(found);
      uint64_t count = (uint64_t)sqi_found_count(found) + 1;
      int before = sqi_mesh_before(c->join->rules->index, c->number, other);
      next = (uint64_t)rank << 62 | count << 31 | (before ? number : (uint64_t)other);
    }
  } while (!atomic_compare_exchange_weak_explicit(
    at, &found, next, memory_order_relaxed, memory_order_relaxed));
}

/** Points, eight at a time, and their places. */
typedef struct points
{
  const double* x[3];
  const uint32_t* place; /* NULL: from `first` on */
  int64_t first;
} points;

static inline int64_t place_of(const points* p, int lane)
{
  return p->place ? (int64_t)p->place[lane] : p->first + lane;
}

/** The test of the search (sqi_locate_contain.c) for one point. */
static __attribute__((noinline)) void test_point(const joined* c, const points* p, int lane)
{
  const double x[3] = { p->x[0][lane], p->x[1][lane], p->x[2][lane] };
  sqk_cell view;
  sqk_cell_hit hit;
  double scale;
  sqi_mesh_cell_view(c->join->rules->index, &c->cell, x, c->scratch->local, &view, &scale);
  if (sqk_cell_find(&view, sqi_locate_fuzz(&c->cell) * scale, c->tolerance * scale, &hit, NULL))
  {
    keep(c, place_of(p, lane), hit.distance > 0.0);
  }
}

/** Of eight points bits of those in a box. */
SQI_SIMD unsigned in_box(const points* p, const double lo[3], const double hi[3])
{
  sqi_hits in =
    sqi_at_most(sqi_set(lo[0]), sqi_load(p->x[0])) & sqi_at_most(sqi_load(p->x[0]), sqi_set(hi[0]));
  in &=
    sqi_at_most(sqi_set(lo[1]), sqi_load(p->x[1])) & sqi_at_most(sqi_load(p->x[1]), sqi_set(hi[1]));
  in &=
    sqi_at_most(sqi_set(lo[2]), sqi_load(p->x[2])) & sqi_at_most(sqi_load(p->x[2]), sqi_set(hi[2]));
  return sqi_hit_bits(in);
}

/** Keeps the cell for those of some points that the search would find it for. */
static __attribute__((noinline)) void ask_kernels(joined* c, const points* p, unsigned may)
{
  if (!c->is_open)
  {
    open_cell(c);
  }
  for (may &= in_box(p, c->lo, c->hi); may; may &= may - 1)
  {
    test_point(c, p, __builtin_ctz(may));
  }
}

/** Function k of the bound at eight points, relative to its middle. */
SQI_SIMD sqi_eight value(const joined* c, int k, const sqi_eight x[3])
{
  sqi_eight u = sqi_madd(sqi_set(c->row[k][0]), x[0], sqi_set(c->base[k]));
  return sqi_madd(sqi_set(c->row[k][2]), x[2], sqi_madd(sqi_set(c->row[k][1]), x[1], u));
}

/** What is at most 1 in the bound: a sum of its functions. */
SQI_SIMD sqi_eight sum_of(const joined* c, const sqi_eight u[3])
{
  if (c->tetra)
  {
    return u[0] + u[1] + u[2];
  }
  return c->kind == SQI_BOUND_WEDGE ? u[0] + u[1] : sqi_larger(u[0], u[1]) + u[2];
}

/** Keeps the cell for those of eight points that it holds, none but those in `may`. */
SQI_SIMD void test_points(joined* c, const points* p, unsigned may)
{
  unsigned in = 0;
  if (!c->passes_all)
  {
    sqi_eight x[3];
    for (int d = 0; d < 3; ++d)
    {
      x[d] = sqi_load(p->x[d]) - sqi_set(c->middle[d]);
    }
    sqi_eight u[4] = { value(c, 0, x), value(c, 1, x), value(c, 2, x), sqi_set(0.0) };
    u[3] = sum_of(c, u);
    sqi_hits near = sqi_at_most(sqi_set(c->low[0]), u[0]) & sqi_at_most(u[3], sqi_set(c->high[3]));
    sqi_hits sure =
      sqi_at_most(sqi_set(c->in_low[0]), u[0]) & sqi_at_most(u[3], sqi_set(c->in_high[3]));
    near &= sqi_at_most(sqi_set(c->low[1]), u[1]) & sqi_at_most(sqi_set(c->low[2]), u[2]);
    sure &= sqi_at_most(sqi_set(c->in_low[1]), u[1]) & sqi_at_most(sqi_set(c->in_low[2]), u[2]);
    for (int k = 0; k < 3 && !c->tetra; ++k)
    {
      near &= sqi_at_most(u[k], sqi_set(c->high[k]));
      sure &= sqi_at_most(u[k], sqi_set(c->in_high[k]));
    }
    may &= sqi_hit_bits(near);
    in = may & sqi_hit_bits(sure);
  }
  for (may &= ~in; in; in &= in - 1)
  {
    keep(c, place_of(p, __builtin_ctz(in)), SQI_RANK_INSIDE);
  }
  if (may)
  {
    ask_kernels(c, p, may);
  }
}

/** Keeps the cell for the points of a group that it holds. */
static void test_group(joined* c, int64_t group)
{
  const sqi_point_group* g = c->join->tree->groups + group;
  const points p = { { g->x[0], g->x[1], g->x[2] }, NULL, group * SQI_POINT_WIDTH };
  unsigned may = in_box(&p, c->lo, c->hi);
  if (may)
  {
    test_points(c, &p, may);
  }
}

#endif
