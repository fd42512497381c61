#include "sqi_cell_source.h"
#include "sqi_context.h"
#include "sqi_curved_bounds.h"

sq_status sqi_cell_source_check(sq_context* context, sqi_cell_source* s)
{
  s->type = SQ_FLOAT32;
  s->dimension = s->block_count ? s->blocks->points.dimension : 3;
  s->first[0] = 0;
  for (int32_t i = 0; i < s->block_count; ++i)
  {
    const sq_cells* block = s->blocks + i;
    sq_status status = sqi_check_cells_of(context, block, i, 1, 3);
    if (status != SQ_OK)
    {
      return status;
    }
    if (block->points.dimension != s->dimension)
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "block %d: points of %d coordinates, block 0 has %d; all must have the same", (int)i,
        (int)block->points.dimension, (int)s->dimension);
    }
    s->type = block->points.count && block->points.type == SQ_FLOAT64 ? SQ_FLOAT64 : s->type;
    if (block->count > INT32_MAX - s->first[i])
    {
      return sqi_fail(context, SQ_TOO_LARGE, "more than %d cells up to block %d, a tree takes %d",
        INT32_MAX, (int)i, INT32_MAX);
    }
    s->first[i + 1] = s->first[i] + block->count;
  }
  return SQ_OK;
}

void sqi_box_widen(sq_type type, int32_t dimension, const double* box_lo, const double* box_hi,
  double* lo, double* hi)
{
  for (int32_t d = 0; d < dimension; ++d)
  {
    double low = sqi_rounded(type, box_lo[d]), high = sqi_rounded(type, box_hi[d]);
    low = low > box_lo[d] ? (double)nextafterf((float)low, -HUGE_VALF) : low;
    high = high < box_hi[d] ? (double)nextafterf((float)high, HUGE_VALF) : high;
    lo[d] = sqi_least(lo[d], low);
    hi[d] = sqi_most(hi[d], high);
  }
}

void sqi_cell_widen_curved(
  const sqi_cell_place* p, sq_type type, int32_t dimension, double* lo, double* hi)
{
  int kind = sqi_cell_kind(p->block, p->cell);
  int64_t begin = sqi_cell_offset(p->block, p->cell);
  double points[3 * SQK_SHAPE_NODES] = { 0.0 }, box_lo[3] = { 0.0 }, box_hi[3] = { 0.0 };
  double largest = 0.0;
  int finite = 1;
  for (int64_t i = 0; i < sqk_shape_nodes(kind) * (int64_t)dimension; ++i)
  {
    int64_t point = sqi_cell_point(p->block, begin, i / dimension);
    double x =
      sqi_real(p->block->points.data, p->block->points.type, point * dimension + i % dimension);
    points[3 * (i / dimension) + i % dimension] = x;
    largest = fmax(largest, fabs(x));
    finite &= sqi_is_finite(x);
  }
  if (!finite)
  {
    return;
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    box_lo[d] = lo[d];
    box_hi[d] = hi[d];
  }
  sqi_curved_bounds(kind, points, largest, box_lo, box_hi);
  sqi_box_widen(type, dimension, box_lo, box_hi, lo, hi);
}
