#ifndef SQI_PLAN_CHECK_H
#define SQI_PLAN_CHECK_H
/** Checks of the arrays of a plan that came from somewhere. */
#include "sqi_plan.h"

/** The largest values that ids may have, plus one. */
typedef struct sqi_plan_limits
{
  int64_t targets;
  int64_t sources;
  int64_t target_nodes;
  int64_t source_nodes;
} sqi_plan_limits;

/** Arrays are there, ids and nodes in range, lists inside fn_broadcast_targets. SQ_INVALID_DATA says where not. */
sq_status sqi_plan_check_ranges(
  sq_context* context, const sq_plan_view* view, const sqi_plan_limits* limits);

#endif
