#ifndef SQI_PLAN_EVALUATE_H
#define SQI_PLAN_EVALUATE_H
/** What the ways to evaluate share. */
#include "sqi_plan_field.h"
#include "sqi_plan_walk.h"

/** out[id] = potential of its position and of all nodes above it (node_potential is changed); NaN at skipped targets. */
sq_status sqi_plan_spread(sq_context* context, const sqi_plan_tree* tree, const double* potential,
  double* node_potential, double* out);

/** Checks ids of targets; NULL: all, `count` then is set to their number. */
sq_status sqi_plan_check_targets(sq_context* context, const char* what, const sqi_plan_tree* tree,
  const int64_t* ids, int64_t* count);

#endif
