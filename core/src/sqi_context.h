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
  double part_from; /* where phases begin: 0.5 after a structure was built on demand, else 0 */
  double phase_from;
  double phase_to;
  double reported;
  const char* reported_phase;
  double polled_at;
  char message[512];
};

/** Starts a public operation: clears the message, the peak and the progress. */
void sqi_begin(sq_context* context);

/** Names what follows; parallel loops move the progress from `from` to `to` (fractions of what is left from part_from on). */
void sqi_phase(sq_context* context, const char* phase, double from, double to);

/** A phase that its callee divides further. */
typedef struct sqi_stages
{
  double from;
  double to;
} sqi_stages;

static inline sqi_stages sqi_stages_begin(const sq_context* context)
{
  sqi_stages s = { context->phase_from, context->phase_to };
  return s;
}

/** What follows takes the progress from `from` to `to`, fractions of the phase at sqi_stages_begin(); 0 to 1 at the end. */
static inline void sqi_stage(sq_context* context, const sqi_stages* s, double from, double to)
{
  context->phase_from = s->from + from * (s->to - s->from);
  context->phase_to = s->from + to * (s->to - s->from);
}

/** Sets the message (printf) and returns `status`. Calling thread only. */
sq_status sqi_fail(sq_context* context, sq_status status, const char* format, ...)
  __attribute__((format(printf, 3, 4)));

/**
 * Reports progress (fraction of the current phase) and asks for cancel; SQ_OK or SQ_CANCELLED. Cheap: does nothing
 * when it was called less than some milliseconds ago, unless `now`. Calling thread only.
 */
sq_status sqi_poll(sq_context* context, double fraction, int now);

#endif
