#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Cancel is promised within 50 ms; loops hand out chunks of a few ms, so asking every 10 ms keeps it. */
static const double POLL_SECONDS = 0.010;

/** Every phase is reported once at least, which leaves room for some twenty of them. */
static const double REPORT_STEP = 1.0 / (SQ_MONITOR_REPORTS - 20);

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

sq_context_options sq_context_options_default(void)
{
  sq_context_options options;
  memset(&options, 0, sizeof(options));
  options.threads = SQ_THREADS_DEFAULT;
  return options;
}

/** The number of SQ_NUM_THREADS, 0 where it is unset or no positive number. */
static int32_t thread_cap(void)
{
  const char* text = getenv("SQ_NUM_THREADS");
  long cap = text ? strtol(text, NULL, 10) : 0;
  return cap > 0 && cap <= SQ_THREADS_MAX ? (int32_t)cap : 0;
}

static sq_status check_options(const sq_context_options* o)
{
  if (o->threads < SQ_THREADS_MIN || o->threads > SQ_THREADS_MAX)
  {
    return SQ_INVALID_ARGUMENT;
  }
  return !o->allocator.allocate == !o->allocator.release ? SQ_OK : SQ_INVALID_ARGUMENT;
}

sq_status sq_context_create(const sq_context_options* options, sq_context** context)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  *context = NULL;
  sq_context_options o = options ? *options : sq_context_options_default();
  if (check_options(&o) != SQ_OK)
  {
    return SQ_INVALID_ARGUMENT;
  }
  if (!o.allocator.allocate)
  {
    o.allocator = sqi_default_allocator();
  }
  sq_context* c = (sq_context*)o.allocator.allocate(o.allocator.user, sizeof(sq_context));
  if (!c)
  {
    return SQ_OUT_OF_MEMORY;
  }
  memset(c, 0, sizeof(*c));
  c->allocator = o.allocator;
  c->monitor = o.monitor;
  c->threads = o.threads ? o.threads : sqi_core_count();
  int32_t cap = thread_cap();
  if (cap && c->threads > cap)
  {
    c->threads = cap;
  }
  sqi_begin(c);
  *context = c;
  return SQ_OK;
}

void sq_context_destroy(sq_context* context)
{
  if (context)
  {
    context->allocator.release(context->allocator.user, context, sizeof(*context));
  }
}

const char* sq_context_message(const sq_context* context)
{
  return context ? context->message : "";
}

int32_t sq_context_threads(const sq_context* context)
{
  return context ? context->threads : 0;
}

int64_t sq_context_peak_bytes(const sq_context* context)
{
  return context ? atomic_load_explicit(&context->bytes_peak, memory_order_relaxed) : 0;
}

void sqi_begin(sq_context* context)
{
  context->message[0] = 0;
  atomic_store(&context->bytes_now, 0);
  atomic_store(&context->bytes_peak, 0);
  context->phase = "Preparing";
  context->part_from = 0.0;
  context->phase_from = 0.0;
  context->phase_to = 1.0;
  context->reported = -1.0;
  context->reported_phase = NULL;
  context->polled_at = 0.0;
}

void sqi_phase(sq_context* context, const char* phase, double from, double to)
{
  context->phase = phase;
  context->phase_from = context->part_from + (1.0 - context->part_from) * from;
  context->phase_to = context->part_from + (1.0 - context->part_from) * to;
}

sq_status sqi_fail(sq_context* context, sq_status status, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(context->message, sizeof(context->message), format, args);
  va_end(args);
  return status;
}

sq_status sqi_poll(sq_context* context, double fraction, int now)
{
  const sq_monitor* m = &context->monitor;
  if (!m->report && !m->cancelled)
  {
    return SQ_OK;
  }
  double t = seconds();
  if (!now && t - context->polled_at < POLL_SECONDS)
  {
    return SQ_OK;
  }
  context->polled_at = t;
  double total = context->phase_from + fraction * (context->phase_to - context->phase_from);
  total = total > context->reported ? total : context->reported;
  if (m->report &&
    (total >= context->reported + REPORT_STEP || context->phase != context->reported_phase))
  {
    context->reported = total;
    context->reported_phase = context->phase;
    m->report(m->user, context->phase, total);
  }
  if (m->cancelled && m->cancelled(m->user))
  {
    return sqi_fail(context, SQ_CANCELLED, "cancelled while %s", context->phase);
  }
  return SQ_OK;
}
