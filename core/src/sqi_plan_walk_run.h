#ifndef SQI_PLAN_WALK_RUN_H
#define SQI_PLAN_WALK_RUN_H
/** What of the traversal is compiled once for each instruction set level. */
#include "sqi_plan_walk.h"

/** Walks from the two roots along walker->path, then everywhere. */
typedef void (*sqi_plan_visit_function)(sqi_plan_walker* walker);
void sqi_plan_visit_generic(sqi_plan_walker* walker);
void sqi_plan_visit_avx2(sqi_plan_walker* walker);
void sqi_plan_visit_avx512(sqi_plan_walker* walker);

typedef void (*sqi_plan_masks_function)(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_generic(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_avx2(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_avx512(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);

#endif
