#ifndef SQI_CANDIDATE_INDEX_H
#define SQI_CANDIDATE_INDEX_H
/**
 * What sq_bvh_find_candidates() searches: the boxes of the leaves in the order of their cells, eight to a group, and above them groups of
 * eight groups. The answer depends on the boxes of leaves alone, and here neighbours in space are neighbours in memory, which they are
 * not in the reference's numbering. (Linear order as in Kamel and Faloutsos 1993, "On packing R-trees".)
 */
#include "sqi_midpoint_tree.h"
#include "sqi_real.h"

#define SQI_GROUP 8
/** 2^31 leaves need 11. */
#define SQI_GROUP_LEVELS 12

typedef struct sqi_candidate_index
{
  sq_allocator allocator;
  sq_type type;
  int32_t dimension;
  int64_t leaf_count;
  int64_t group_count; /* of all levels */
  int32_t level_count; /* 0 without leaves; level 0 holds the leaves, the last one group */
  int64_t level_begin[SQI_GROUP_LEVELS +
    1]; /* first group of each level; group g of a level covers groups 8 g ... of that below */
  void*
    boxes; /* a group: 8 minima for each axis, then 8 maxima for each; where nothing is: +inf, -inf */
  uint32_t*
    leaves; /* leaf_count + 1: first cell of a leaf, times 2, plus 1 on a level above the deepest */
} sqi_candidate_index;

/** For all leaves to be set, then finished. On error *index is all zero. */
sq_status sqi_candidate_index_allocate(sq_context* context, sq_type type, int32_t dimension,
  int64_t leaf_count, int64_t cell_count, sqi_candidate_index* index);

void sqi_candidate_index_release(sqi_candidate_index* index);

int64_t sqi_candidate_index_bytes(const sqi_candidate_index* index);

/** Position in `boxes` of the minimum of a box along an axis; the maximum is SQI_GROUP * dimension farther. */
SQI_REAL int64_t sqi_group_at(int32_t dimension, int64_t box, int32_t axis)
{
  return ((box / SQI_GROUP) * 2 * dimension + axis) * SQI_GROUP + box % SQI_GROUP;
}

SQI_REAL void sqi_candidate_index_set(sqi_candidate_index* index, sq_type type, int32_t dimension,
  int64_t leaf, int64_t first_cell, int upper, const double* lo, const double* hi)
{
  for (int32_t d = 0; d < dimension; ++d)
  {
    int64_t at = sqi_group_at(dimension, leaf, d);
    sqi_set_real(index->boxes, type, at, lo[d]);
    sqi_set_real(index->boxes, type, at + SQI_GROUP * dimension, hi[d]);
  }
  index->leaves[leaf] = (uint32_t)(2 * first_cell + !!upper);
}

/** Fills the levels above the leaves. */
sq_status sqi_candidate_index_finish(sq_context* context, sqi_candidate_index* index);

#endif
