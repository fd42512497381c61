#ifndef SQI_PLAN_STREAMS_H
#define SQI_PLAN_STREAMS_H
/** From what the rounds found to the eleven arrays. */
#include "sqi_plan_request.h"
#include "sqi_plan_rounds.h"
#include "sqi_plan_walk.h"

/**
 * Fills a plan from `far` and `leaves`; both stay the caller's. Without expanding, the plan has its far targets already, and room for
 * their sources. SQ_TOO_LARGE without a message above options.max_bytes.
 */
sq_status sqi_plan_streams_write(sq_context* context, const sqi_plan_request* request,
  const sqi_plan_groups* far, const sqi_plan_groups* leaves, sq_plan* plan);

#endif
