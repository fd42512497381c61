#ifndef SQI_CELL_SOURCE_H
#define SQI_CELL_SOURCE_H
/** The cells of several blocks as one numbered set: centroids and boxes in the working type, points of 1 to 3 coordinates. */
#include "sqi_real.h"
#include "sqi_view.h"
#include "sqk_shape.h"

#include <math.h>

typedef struct sqi_cell_source
{
  const sq_cells* blocks;
  int32_t block_count;
  sq_type type; /* the working type */
  int32_t dimension;
  int not_finite; /* cells with coordinates that are not finite are taken, too */
  int64_t* first; /* number of the first cell of each block; block_count + 1, of the caller */
} sqi_cell_source;

/** Checks every block and sets type, dimension and the numbers of cells. */
sq_status sqi_cell_source_check(sq_context* context, sqi_cell_source* source);

/** Where a cell is. */
typedef struct sqi_cell_place
{
  const sq_cells* block;
  int64_t cell;
} sqi_cell_place;

static inline sqi_cell_place sqi_cell_place_of(const sqi_cell_source* s, int64_t number)
{
  int32_t low = 0, high = s->block_count;
  while (high - low > 1)
  {
    int32_t middle = low + (high - low) / 2;
    *(s->first[middle] <= number ? &low : &high) = middle;
  }
  sqi_cell_place p = { s->blocks + low, number - s->first[low] };
  return p;
}

/** After p->cell has been increased: to the block that it is in. */
static inline void sqi_cell_settle(const sqi_cell_source* s, sqi_cell_place* p)
{
  while (p->cell >= p->block->count && p->block < s->blocks + s->block_count - 1)
  {
    p->cell -= p->block->count;
    ++p->block;
  }
}

typedef enum sqi_verdict
{
  SQI_LEAVE_OUT, /* no nodes, or a ghost */
  SQI_NOT_FINITE,
  SQI_TAKE
} sqi_verdict;

/** What becomes of a cell; and its centroid, if it is taken. */
SQI_REAL sqi_verdict sqi_cell_centroid(sq_type type, int32_t dimension, const sqi_cell_source* s,
  const sqi_cell_place* p, double* centroid)
{
  const sq_cells* block = p->block;
  sq_type stored = type == SQ_FLOAT32 ? SQ_FLOAT32 : block->points.type;
  int64_t begin = sqi_cell_offset(block, p->cell);
  int64_t count = sqi_cell_offset(block, p->cell + 1) - begin;
  if (!count ||
    (block->ghost && block->ghost[p->cell] & (SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_MASKED_CELL)))
  {
    return SQI_LEAVE_OUT;
  }
  int finite = 1;
  for (int32_t d = 0; d < dimension; ++d)
  {
    centroid[d] = 0.0;
  }
  for (int64_t k = 0; k < count; ++k)
  {
    int64_t at = sqi_cell_point(block, begin, k) * dimension;
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(block->points.data, stored, at + d);
      finite &= sqi_is_finite(x);
      centroid[d] = sqi_rounded(type, centroid[d] + x);
    }
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    centroid[d] = sqi_rounded(type, centroid[d] / (double)count);
  }
  return finite || s->not_finite ? SQI_TAKE : SQI_NOT_FINITE;
}

/** The lesser number, or NaN if either is one. */
SQI_REAL double sqi_least(double a, double b)
{
  return b < a || b != b ? b : a;
}

SQI_REAL double sqi_most(double a, double b)
{
  return b > a || b != b ? b : a;
}

/** Widens [lo, hi] by a box in double, rounded outward to the working type. */
void sqi_box_widen(sq_type type, int32_t dimension, const double* box_lo, const double* box_hi,
  double* lo, double* hi);

/** Widens [lo, hi], the box of the nodes of a curved cell, until it holds the cell; rounded outward. */
void sqi_cell_widen_curved(
  const sqi_cell_place* p, sq_type type, int32_t dimension, double* lo, double* hi);

/** Widens [lo, hi] by the box of a cell. */
SQI_REAL void sqi_cell_add_box(
  sq_type type, int32_t dimension, const sqi_cell_place* p, double* lo, double* hi)
{
  const sq_cells* block = p->block;
  sq_type stored = type == SQ_FLOAT32 ? SQ_FLOAT32 : block->points.type;
  int64_t begin = sqi_cell_offset(block, p->cell);
  int64_t count = sqi_cell_offset(block, p->cell + 1) - begin;
  double cell_lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double cell_hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int64_t k = 0; k < count; ++k)
  {
    int64_t at = sqi_cell_point(block, begin, k) * dimension;
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(block->points.data, stored, at + d);
      cell_lo[d] = sqi_least(cell_lo[d], x);
      cell_hi[d] = sqi_most(cell_hi[d], x);
    }
  }
  int kind = sqi_cell_kind(block, p->cell);
  if (sqk_shape_is_curved(kind) && count == sqk_shape_nodes(kind))
  {
    sqi_cell_widen_curved(p, type, dimension, cell_lo, cell_hi);
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    lo[d] = sqi_least(lo[d], cell_lo[d]);
    hi[d] = sqi_most(hi[d], cell_hi[d]);
  }
}

#endif
