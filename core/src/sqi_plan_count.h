#ifndef SQI_PLAN_COUNT_H
#define SQI_PLAN_COUNT_H
/** Counting the entries of a plan: the visitor, and the bins of the matrix. */
#include "sqi_plan_request.h"
#include "sqi_plan_walk.h"

/**
 * What all threads count into. A unit has its targets to itself; sources are shared and added to atomically, integers
 * only, so the order does not matter. Any pointer may be NULL: not wanted.
 */
typedef struct sqi_plan_tally
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  sq_plan_expand expand;
  /* By position of the target: sources by stream, work. */
  uint32_t* target_near;
  uint32_t* target_near_far;
  uint32_t* target_far_near;
  double* target_work;
  /* By target node: entries and covered sources of what is far (before expanding), far-near entries. */
  uint32_t* node_far;
  uint32_t* node_far_sources;
  uint32_t* node_far_near;
  double* node_work;
  /* By position of the source: targets by stream, beside those that all points of its leaf have. */
  uint32_t* source_near;
  uint32_t* source_far_near;
  /* By source node: targets by stream, far entries. */
  uint32_t* source_node_near;
  uint32_t* source_node_near_far;
  uint32_t* source_node_far_targets;
  uint32_t* source_node_far;
  /* Covered pairs: stream x rows x columns. */
  int64_t* bins;
  int32_t rows;
  int32_t columns;
} sqi_plan_tally;

/** One a thread. */
typedef struct sqi_plan_counter
{
  const sqi_plan_tally* tally;
  sq_plan_totals totals;
} sqi_plan_counter;

extern const sqi_plan_visitor sqi_plan_count_visitor;

/** Adds the pairs of a node pair, or of two leaves, to the bins. */
void sqi_plan_bin_far(const sqi_plan_tally* tally, uint32_t target, uint32_t source);
void sqi_plan_bin_leaves(const sqi_plan_tally* tally, const sqi_plan_leaf_pair* pair);

/** Totals alone, in the current phase. */
sq_status sqi_plan_count_totals(
  sq_context* context, const sqi_plan_request* request, sq_plan_totals* totals);

/** Covered pairs to shares. */
void sqi_plan_bin_shares(const sqi_plan_tally* tally, float* shares);

#endif
