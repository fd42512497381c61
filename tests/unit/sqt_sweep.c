#include "sqt_sweep.h"

#include "sq_test.h"

#include <string.h>

/** More allocations or polls than any operation of a test makes. */
#define SWEEP_END 2000

static void sweep_memory(
  const char* what, sqt_operation operation, void* data, int threads, int64_t fail_count, int least)
{
  sq_status s = SQ_OUT_OF_MEMORY;
  int64_t at = 0;
  while (s == SQ_OUT_OF_MEMORY && ++at < SWEEP_END)
  {
    sqt_memory memory;
    memset(&memory, 0, sizeof(memory));
    sq_context* c = sqt_context(threads, &memory, NULL);
    memory.fail_from = memory.calls + at;
    memory.fail_count = fail_count;
    s = operation(c, data);
    CHECK_TEXT(s == SQ_OK || s == SQ_OUT_OF_MEMORY, "%s, allocation %lld fails: got \"%s\"", what,
      (long long)at, sq_status_text(s));
    CHECK_TEXT(s == SQ_OK || *sq_context_message(c), "%s, allocation %lld fails: no message", what,
      (long long)at);
    sq_context_destroy(c);
    int clean = sqt_memory_is_clean(&memory);
    CHECK_TEXT(clean, "%s, allocation %lld fails: not clean", what, (long long)at);
  }
  CHECK_TEXT(s == SQ_OK, "%s never succeeded", what);
  CHECK_TEXT(at > least, "%s made %lld allocations, want %d", what, (long long)at - 1, least);
}

void sqt_sweep_memory(const char* what, sqt_operation operation, void* data, int least)
{
  for (int threads = 1; threads <= 2; ++threads)
  {
    sweep_memory(what, operation, data, threads, 1, least);
    sweep_memory(what, operation, data, threads, INT64_MAX, least);
  }
}

void sqt_sweep_cancel(const char* what, sqt_operation operation, void* data, int least)
{
  for (int threads = 1; threads <= 2; ++threads)
  {
    sq_status s = SQ_CANCELLED;
    int64_t at = 0;
    while (s == SQ_CANCELLED && ++at < SWEEP_END)
    {
      sqt_memory memory;
      sqt_monitor monitor;
      memset(&memory, 0, sizeof(memory));
      sqt_monitor_start(&monitor, at);
      sq_context* c = sqt_context(threads, &memory, &monitor);
      s = operation(c, data);
      CHECK_TEXT(s == SQ_OK || s == SQ_CANCELLED, "%s, poll %lld cancels: got \"%s\"", what,
        (long long)at, sq_status_text(s));
      CHECK_TEXT(s == (monitor.polls >= at ? SQ_CANCELLED : SQ_OK),
        "%s, poll %lld cancels: \"%s\" after %lld polls", what, (long long)at, sq_status_text(s),
        (long long)monitor.polls);
      CHECK_TEXT(s == SQ_OK || *sq_context_message(c), "%s, poll %lld cancels: no message", what,
        (long long)at);
      CHECK_INT(monitor.faults, 0);
      CHECK_INT(monitor.polls_after, 0);
      sq_context_destroy(c);
      int clean = sqt_memory_is_clean(&memory);
      CHECK_TEXT(clean, "%s, poll %lld cancels: not clean", what, (long long)at);
    }
    CHECK_TEXT(s == SQ_OK, "%s never succeeded", what);
    CHECK_TEXT(at > least, "%s polls %lld times, want %d", what, (long long)at - 1, least);
  }
}
