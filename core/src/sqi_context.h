#ifndef SQI_CONTEXT_H
#define SQI_CONTEXT_H
/** The inside of a context: messages, phases of progress, cancel. */
#include "spatialqueries/sq_context.h"

#include <stdatomic.h>

struct sq_context
{
  sq_allocator allocator;
  sq_monitor monitor;
  int32_t threads;
  _Atomic int64_t bytes_now;
  _Atomic int64_t bytes_peak;
  /* Touched by the calling thread only. */
  const char* phase;
  double phase_from;
  double phase_to;
  double reported;
  const char* reported_phase;
  double polled_at;
  char message[512];
};

/** Starts a public operation: clears the message, the peak and the progress. */
void sqi_begin(sq_context* context);

/** Names what follows; parallel loops move the progress from `from` to `to` (fractions of the operation). */
void sqi_phase(sq_context* context, const char* phase, double from, double to);

/** Sets the message (printf) and returns `status`. Calling thread only. */
sq_status sqi_fail(sq_context* context, sq_status status, const char* format, ...)
  __attribute__((format(printf, 3, 4)));

/**
 * Reports progress (fraction of the current phase) and asks for cancel; SQ_OK or SQ_CANCELLED. Cheap: does nothing
 * when it was called less than some milliseconds ago, unless `now`. Calling thread only.
 */
sq_status sqi_poll(sq_context* context, double fraction, int now);

#endif
