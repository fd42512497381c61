#ifndef SQI_BVH_COLLAPSE_H
#define SQI_BVH_COLLAPSE_H
/** From the binary tree to the wide one, for the builder of sqi_bvh.h. */
#include "sqi_bvh.h"
#include "sqi_bvh_split.h"

/**
 * Sets nodes, node_count and depth of bvh. Level i of the binary tree is twigs[levels[i]] ... twigs[levels[i + 1] - 1].
 */
sq_status sqi_bvh_collapse(sq_context* context, sqi_bvh_twig* twigs, const int32_t* levels,
  int32_t level_count, sqi_bvh* bvh);

#endif
