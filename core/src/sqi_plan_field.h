#ifndef SQI_PLAN_FIELD_H
#define SQI_PLAN_FIELD_H
/** What is summed, in double and in the order of the trees. */
#include "sqi_plan_request.h"
#include "sqi_plan_sum.h"

/** x, y, z and strength (of targets: unused). */
typedef double sqi_plan_item[4];

typedef struct sqi_plan_values
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  sqi_plan_sums sums;
  sqi_plan_item* source_points; /* by position */
  sqi_plan_item* target_points; /* the same memory in self-interaction */
  sqi_plan_item* source_nodes; /* NULL where nodes are not asked for */
  sqi_plan_item* target_nodes;
} sqi_plan_values;

/** Checks the field, too. `nodes` 0: exact sums only, no aggregates. On error nothing is held. */
sq_status sqi_plan_values_begin(sq_context* context, const char* what,
  const sqi_plan_request* request, const sq_plan_field* field, int nodes, sqi_plan_values* values);

void sqi_plan_values_end(sq_context* context, sqi_plan_values* values);

/** Adds an item to a batch, which must have room. */
static inline void sqi_plan_batch_add(sqi_plan_batch* b, const sqi_plan_item item)
{
  int64_t i = b->count++;
  b->x[0][i] = item[0];
  b->x[1][i] = item[1];
  b->x[2][i] = item[2];
  b->strength[i] = item[3];
}

#endif
