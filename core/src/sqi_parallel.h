#ifndef SQI_PARALLEL_H
#define SQI_PARALLEL_H
/** The one place where threads are started (OpenMP). */
#include "spatialqueries/sq_context.h"

/** Cores that this process may use, at least 1. */
int32_t sqi_core_count(void);

/**
 * Work on items begin to end - 1; `thread` is below sq_context_threads(). Any status but SQ_OK ends the loop. A body neither
 * allocates nor sets messages.
 */
typedef sq_status (*sqi_body)(void* data, int64_t begin, int64_t end, int32_t thread);

/**
 * Calls `body` for consecutive chunks of `grain` items (the last may be shorter) until all `count` are done; a chunk should
 * take at most a few ms. Chunk borders are multiples of grain for any number of threads, so a body that
 * depends on its chunk alone gives the same bits for any number. The calling thread takes part, reports
 * progress and polls for cancel. SQ_CANCELLED, or the status of a failing chunk.
 */
sq_status sqi_parallel_for(
  sq_context* context, int64_t count, int64_t grain, sqi_body body, void* data);

#endif
