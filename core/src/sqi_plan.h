#ifndef SQI_PLAN_H
#define SQI_PLAN_H
/** The inside of a built or opened plan. */
#include "spatialqueries/sq_plan.h"

#include "sqi_container.h"

#define SQI_PLAN_ARRAYS 11

struct sq_plan
{
  sq_allocator allocator;
  sq_plan_view view; /* arrays are owned (of `allocator`), unless there is a container */
  sqi_container* container; /* that the arrays of an opened plan lie in; NULL: none */
  void (*close)(sqi_container* container); /* sqi_container_close where there is one */
};

/** One of the eleven arrays, in the order of the reference's fields. */
typedef struct sqi_plan_array
{
  const char* name;
  int64_t count;
  const int64_t** data; /* where the view keeps it */
} sqi_plan_array;

/** Fills all eleven from a view; counts are those of the view. */
void sqi_plan_list_arrays(sq_plan_view* view, sqi_plan_array arrays[SQI_PLAN_ARRAYS]);

/** The reference's checks, and that no id is negative; sq_plan_validate without trees. */
sq_status sqi_plan_check_alone(sq_context* context, const sq_plan_view* view);

#endif
