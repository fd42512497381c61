#ifndef SQI_PLAN_REQUEST_H
#define SQI_PLAN_REQUEST_H
/** What every operation on plans begins with: checked options, two trees in walking form. */
#include "sqi_plan_tree.h"

#include "spatialqueries/sq_plan.h"

typedef struct sqi_plan_request
{
  sq_plan_options options;
  int self; /* one tree on both sides */
  sqi_plan_tree targets;
  sqi_plan_tree own_sources; /* empty where `self` */
  const sqi_plan_tree* sources;
} sqi_plan_request;

/** Clears the message; checks options and trees. `what` starts every message. NULL options are the defaults. On error nothing is held. */
sq_status sqi_plan_request_begin(sq_context* context, const char* what,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources, const sq_plan_options* options,
  sqi_plan_request* request);

void sqi_plan_request_end(sq_context* context, sqi_plan_request* request);

#endif
