#ifndef SQT_MONITOR_H
#define SQT_MONITOR_H
/** A monitor that cancels at a given poll and checks how it is called. */
#include "spatialqueries/sq_context.h"

#include <pthread.h>

typedef struct sqt_monitor
{
  int64_t polls;
  int64_t reports;
  int64_t cancel_at; /* the poll that answers "cancelled"; 0: none */
  int64_t polls_after; /* polls after the cancelling one */
  int64_t faults; /* another thread, a fraction outside 0 to 1 or falling, phase NULL */
  int64_t
    unnamed; /* reports with an empty phase: the parts of an operation have none of their own */
  double last;
  char phases[256]; /* of all reports, each once, in the order of their first */
  pthread_t thread;
} sqt_monitor;

/** Clears the counts; the calling thread is the one that may call back. */
void sqt_monitor_start(sqt_monitor* monitor, int64_t cancel_at);

sq_monitor sqt_monitor_callbacks(sqt_monitor* monitor);

#endif
