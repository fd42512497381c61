#include "sqt_monitor.h"

#include <stdio.h>
#include <string.h>

static void report(void* user, const char* phase, double fraction)
{
  sqt_monitor* m = (sqt_monitor*)user;
  ++m->reports;
  if (!pthread_equal(m->thread, pthread_self()) || !phase || !(fraction >= m->last) ||
    !(fraction <= 1.0))
  {
    ++m->faults;
  }
  m->unnamed += phase && !*phase;
  m->last = fraction;
  size_t used = strlen(m->phases);
  if (phase && !strstr(m->phases, phase))
  {
    snprintf(m->phases + used, sizeof(m->phases) - used, "%s;", phase);
  }
}

static int cancelled(void* user)
{
  sqt_monitor* m = (sqt_monitor*)user;
  m->faults += !pthread_equal(m->thread, pthread_self());
  m->polls_after += m->cancel_at && m->polls >= m->cancel_at;
  ++m->polls;
  return m->cancel_at && m->polls >= m->cancel_at;
}

void sqt_monitor_start(sqt_monitor* monitor, int64_t cancel_at)
{
  memset(monitor, 0, sizeof(*monitor));
  monitor->cancel_at = cancel_at;
  monitor->thread = pthread_self();
}

sq_monitor sqt_monitor_callbacks(sqt_monitor* monitor)
{
  sq_monitor m = { monitor, report, cancelled };
  return m;
}
