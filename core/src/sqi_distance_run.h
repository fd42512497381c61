#ifndef SQI_DISTANCE_RUN_H
#define SQI_DISTANCE_RUN_H
/** How signed distances are answered: what a run and a single query share. */
#include "sqi_distance_sign.h"

/** What to answer and where the answers go. */
typedef struct sqi_distance_run
{
  const sq_surface* surface;
  sq_distance_options options;
  sq_distance_outputs out;
  sq_sign_method method; /* never SQ_SIGN_AUTOMATIC */
  double limit; /* of the search, beyond which nothing is asked */
  sqi_sign sign; /* open where the winding number is asked */
  sq_type grid_type; /* of grid_distance */
  void* grid_distance;
} sqi_distance_run;

/** Checks the options, and decides how to sign. Surface, options and outputs are set; close the sign afterwards, also on error. */
sq_status sqi_distance_open(sq_context* context, sqi_distance_run* run);

/** Answers query i from its closest triangle (sqi_hit_sink; `run` is a sqi_distance_run). */
void sqi_distance_answer(
  void* run, int64_t i, const double x[3], const sqi_hit* hit, int32_t thread);

#endif
