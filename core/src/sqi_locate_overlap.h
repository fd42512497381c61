#ifndef SQI_LOCATE_OVERLAP_H
#define SQI_LOCATE_OVERLAP_H
/** Which children of a node can hold a cell that has a point of a box within tolerance. */
#include "sqi_locate_search.h"
#include "sqi_mesh_index_leaf.h"

/**
 * The box of queries, widened by what does not depend on the cell, and what node boxes are widened by besides: `relative` times
 * the sum of their extents, which is at least the diagonal of any cell in them.
 */
typedef struct sqi_overlap
{
  float lo[3];
  float hi[3];
  float pad;
  float relative;
} sqi_overlap;

static inline sqi_overlap sqi_overlap_of(
  const sqi_locate_rules* rules, const double box_lo[3], const double box_hi[3])
{
  sqi_overlap q;
  const sqi_frame* frame = &rules->index->bvh.frame;
  double lo[3], hi[3];
  /* A cell's largest coordinate is at most that of the query, its own diagonal and the tolerance. */
  double ulp = rules->floor_ulp_max;
  double largest = fmax(sqk_cell_max_abs(box_lo, 3), sqk_cell_max_abs(box_hi, 3));
  double pad = 1.01 * ulp * largest;
  double relative = 1.01 * ulp;
  if (rules->options.tolerance_type == SQ_TOLERANCE_RELATIVE)
  {
    relative += rules->options.tolerance;
  }
  else
  {
    pad += 1.01 * rules->options.tolerance;
  }
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = box_lo[d] - pad;
    hi[d] = box_hi[d] + pad;
  }
  sqi_bvh_query_box(frame, lo, hi, q.lo, q.hi);
  for (int d = 0; d < 3; ++d)
  {
    /* For the rounding of widened boxes, whose coordinates are about 1. */
    q.lo[d] -= 0x1p-22f;
    q.hi[d] += 0x1p-22f;
  }
  q.pad = sqi_mesh_leaf_distance(pad * frame->scale);
  q.relative = relative < 0x1p60 ? sqi_round_up(relative * 1.001) : 0x1p60f;
  return q;
}

/** A query in the frame, cut off as query boxes are: what is farther is near no box. */
static inline float sqi_overlap_local(double local)
{
  return (float)fmin(fmax(local, -4.0), 4.0);
}

/** Bit k: child k's box, widened, meets the query. `margin`: how far from it a cell of the child may be. */
SQI_SIMD unsigned sqi_overlap_children(
  const sqi_bvh_node* node, const sqi_overlap* q, float margin[SQI_BVH_WIDTH])
{
  sqi_f8 lo[3], hi[3];
  sqi_f8 extent = sqi_set8(0.0f);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = sqi_load8(node->lo[d]);
    hi[d] = sqi_load8(node->hi[d]);
    extent += hi[d] - lo[d];
  }
  sqi_f8 widen = extent * sqi_set8(q->relative);
  sqi_store8(margin, widen + sqi_set8(q->pad));
  sqi_i8 hit = (lo[0] - widen <= sqi_set8(q->hi[0])) & (hi[0] + widen >= sqi_set8(q->lo[0]));
  for (int d = 1; d < 3; ++d)
  {
    hit &= (lo[d] - widen <= sqi_set8(q->hi[d])) & (hi[d] + widen >= sqi_set8(q->lo[d]));
  }
  return sqi_mask8(hit) & ((1u << node->child_count) - 1u);
}

#endif
