#ifndef SQI_PLAN_ROUNDS_H
#define SQI_PLAN_ROUNDS_H
/** The level-by-level traversal in the reference's order of discovery: what was far, and which leaves met. */
#include "sqi_plan_walk_run.h"

/** At most one round for each level of both trees, and the first. */
#define SQI_PLAN_ROUNDS_MAX (2 * SQI_PLAN_DEPTH_MAX + 2)

/** Pairs in order, a block a round. */
typedef struct sqi_plan_blocks
{
  int32_t count;
  sqi_plan_node_pair* pairs[SQI_PLAN_ROUNDS_MAX];
  int64_t length[SQI_PLAN_ROUNDS_MAX];
  int64_t total;
} sqi_plan_blocks;

typedef struct sqi_plan_rounds
{
  sqi_plan_blocks far;
  sqi_plan_blocks leaves;
} sqi_plan_rounds;

/**
 * SQ_TOO_LARGE without a message as soon as the plan is sure to need more than `max_bytes` (< 0: no limit). `expanded`: a far pair
 * becomes one entry a target. On error nothing is held.
 */
sq_status sqi_plan_rounds_find(sq_context* context, const sqi_plan_tree* targets,
  const sqi_plan_tree* sources, double theta, int expanded, int64_t max_bytes,
  sqi_plan_rounds* rounds);

void sqi_plan_blocks_release(sq_context* context, sqi_plan_blocks* blocks);

/** Pairs grouped by source node, in their order. */
typedef struct sqi_plan_groups
{
  int64_t total;
  int64_t node_count;
  int64_t* begin; /* node_count + 1 */
  uint32_t* targets; /* total: group of source n is targets[begin[n]] ... */
  uint32_t* places; /* their places in the order of discovery; NULL where not asked for */
} sqi_plan_groups;

/** Groups pairs and releases them. SQ_TOO_LARGE above 2^32 - 1 pairs. On error *groups is all zero. */
sq_status sqi_plan_group(sq_context* context, sqi_plan_blocks* blocks, int64_t source_node_count,
  int places, sqi_plan_groups* groups);

/** The same with the targets in an array of the caller, and `scratch` of as many items: no memory but the begins. */
sq_status sqi_plan_group_wide(sq_context* context, sqi_plan_blocks* blocks,
  int64_t source_node_count, int64_t* targets, int64_t* scratch, sqi_plan_groups* groups);

void sqi_plan_groups_release(sq_context* context, sqi_plan_groups* groups);

#endif
