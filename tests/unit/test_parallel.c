/** The parallel loop: every item once, fixed chunks, statuses, cancel, progress on the calling thread. */
#include "sq_test.h"
#include "sqt_context.h"

#include "sqi_context.h"
#include "sqi_parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct work
{
  _Atomic int* seen; /* one an item */
  int64_t count;
  int64_t grain;
  int32_t threads;
  _Atomic int64_t faults;
  int64_t fail_at; /* item whose chunk fails; -1: none */
  int spin; /* microseconds a chunk */
} work;

static void spin(int microseconds)
{
  struct timespec from;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  do
  {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (
    (now.tv_sec - from.tv_sec) * 1000000 + (now.tv_nsec - from.tv_nsec) / 1000 < microseconds);
}

static sq_status body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  work* w = (work*)data;
  int64_t want = begin + w->grain < w->count ? begin + w->grain : w->count;
  if (thread < 0 || thread >= w->threads || begin % w->grain || end != want || begin >= end)
  {
    atomic_fetch_add(&w->faults, 1);
  }
  for (int64_t i = begin; i < end; ++i)
  {
    atomic_fetch_add(w->seen + i, 1);
  }
  if (w->spin)
  {
    spin(w->spin);
  }
  return w->fail_at >= begin && w->fail_at < end ? SQ_TOO_LARGE : SQ_OK;
}

static sq_status run(sq_context* c, work* w, int64_t count, int64_t grain)
{
  w->seen = (_Atomic int*)calloc((size_t)count + 1, sizeof(int));
  w->count = count;
  w->grain = grain;
  w->threads = sq_context_threads(c);
  w->faults = 0;
  sqi_begin(c);
  sqi_phase(c, "Testing", 0.25, 0.75);
  return sqi_parallel_for(c, count, grain, body, w);
}

static int64_t seen_wrong(const work* w)
{
  int64_t wrong = 0;
  for (int64_t i = 0; i < w->count; ++i)
  {
    wrong += atomic_load(w->seen + i) != 1;
  }
  return wrong;
}

static void every_item_once(void)
{
  const int64_t counts[] = { 0, 1, 2, 63, 64, 65, 1000, 100003 };
  const int64_t grains[] = { 1, 7, 64, 4096, 1000000 };
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    for (int i = 0; i < 8; ++i)
    {
      for (int j = 0; j < 5; ++j)
      {
        work w = { .fail_at = -1 };
        CHECK_STATUS(run(c, &w, counts[i], grains[j]), SQ_OK);
        CHECK_INT(seen_wrong(&w), 0);
        CHECK_INT(w.faults, 0);
        free(w.seen);
      }
    }
    sq_context_destroy(c);
  }
}

static void failing_chunk(void)
{
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    for (int64_t at = 0; at < 1000; at += 333)
    {
      work w = { .fail_at = at };
      CHECK_STATUS(run(c, &w, 1000, 10), SQ_TOO_LARGE);
      CHECK_INT(atomic_load(w.seen + at), 1);
      free(w.seen);
    }
    sq_context_destroy(c);
  }
}

static void cancel_is_obeyed(void)
{
  for (int threads = 1; threads <= 2; ++threads)
  {
    for (int64_t at = 1; at < 4; ++at)
    {
      sqt_monitor monitor;
      sqt_monitor_start(&monitor, at);
      sq_context* c = sqt_context(threads, NULL, &monitor);
      work w = { .fail_at = -1, .spin = 1000 };
      CHECK_STATUS(run(c, &w, 400, 1), SQ_CANCELLED);
      CHECK(*sq_context_message(c));
      CHECK_INT(monitor.polls, at);
      CHECK_INT(monitor.faults, 0);
      CHECK(seen_wrong(&w) > 100);
      free(w.seen);
      sq_context_destroy(c);
    }
  }
}

/** Polled at least every 50 ms, reported at most SQ_MONITOR_REPORTS times, within the phase. */
static void polls_and_reports(void)
{
  for (int threads = 1; threads <= 2; ++threads)
  {
    sqt_monitor monitor;
    sqt_monitor_start(&monitor, 0);
    sq_context* c = sqt_context(threads, NULL, &monitor);
    work w = { .fail_at = -1, .spin = 1000 };
    CHECK_STATUS(run(c, &w, 400, 1), SQ_OK);
    CHECK(monitor.polls >= 400 / threads / 50);
    CHECK(monitor.reports > 1 && monitor.reports <= SQ_MONITOR_REPORTS);
    CHECK(monitor.last > 0.5 && monitor.last <= 0.75);
    CHECK_INT(monitor.faults, 0);
    free(w.seen);
    sq_context_destroy(c);
  }
}

static const sqt_case cases[] = {
  { "every item once", every_item_once },
  { "failing chunk", failing_chunk },
  { "cancel is obeyed", cancel_is_obeyed },
  { "polls and reports", polls_and_reports },
};
SQT_MAIN(cases)
