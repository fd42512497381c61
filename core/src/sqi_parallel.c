#include "sqi_parallel.h"
#include "sqi_context.h"

#include <omp.h>

int32_t sqi_core_count(void)
{
  int n = omp_get_num_procs();
  return n < 1 ? 1 : n > SQ_THREADS_MAX ? SQ_THREADS_MAX : n;
}

typedef struct loop
{
  sq_context* context;
  sqi_body body;
  void* data;
  int64_t count;
  int64_t grain;
  int64_t chunks;
  _Atomic int64_t next;
  _Atomic int64_t done;
  _Atomic int status;
} loop;

static void fail(loop* l, sq_status status)
{
  int ok = SQ_OK;
  atomic_compare_exchange_strong(&l->status, &ok, (int)status);
}

static void work(loop* l, int32_t thread)
{
  int64_t chunk;
  while (atomic_load_explicit(&l->status, memory_order_relaxed) == SQ_OK &&
    (chunk = atomic_fetch_add(&l->next, 1)) < l->chunks)
  {
    int64_t begin = chunk * l->grain;
    int64_t end = begin + l->grain < l->count ? begin + l->grain : l->count;
    sq_status s = l->body(l->data, begin, end, thread);
    if (s != SQ_OK)
    {
      fail(l, s);
      break;
    }
    int64_t done = atomic_fetch_add(&l->done, 1) + 1;
    if (thread == 0 && sqi_poll(l->context, (double)done / (double)l->chunks, 0) != SQ_OK)
    {
      fail(l, SQ_CANCELLED);
    }
  }
}

sq_status sqi_parallel_for(
  sq_context* context, int64_t count, int64_t grain, sqi_body body, void* data)
{
  if (count <= 0)
  {
    return SQ_OK;
  }
  loop l = { context, body, data, count, grain, (count - 1) / grain + 1, 0, 0, SQ_OK };
  if (sqi_poll(context, 0.0, 1) != SQ_OK)
  {
    return SQ_CANCELLED;
  }
  int32_t threads = (int64_t)context->threads < l.chunks ? context->threads : (int32_t)l.chunks;
  if (threads == 1)
  {
    work(&l, 0);
  }
  else
  {
#pragma omp parallel num_threads(threads)
    work(&l, (int32_t)omp_get_thread_num());
  }
  return (sq_status)atomic_load(&l.status);
}
