#include "sqi_alloc.h"
#include "sqi_context.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ALIGNMENT 64
/** From this size on, 2 MiB pages pay: fewer TLB misses in random traversal. */
#define HUGE_PAGE ((size_t)2 << 20)

static void* default_allocate(void* user, size_t bytes)
{
  (void)user;
  size_t alignment = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
  void* memory = NULL;
  if (posix_memalign(&memory, alignment, bytes))
  {
    return NULL;
  }
#ifdef MADV_HUGEPAGE
  if (alignment == HUGE_PAGE)
  {
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
  }
#endif
  return memory;
}

static void default_release(void* user, void* memory, size_t bytes)
{
  (void)user;
  (void)bytes;
  free(memory);
}

sq_allocator sqi_default_allocator(void)
{
  sq_allocator a = { NULL, default_allocate, default_release };
  return a;
}

static void count_bytes(sq_context* context, int64_t bytes)
{
  int64_t now = atomic_fetch_add(&context->bytes_now, bytes) + bytes;
  int64_t peak = atomic_load(&context->bytes_peak);
  while (now > peak && !atomic_compare_exchange_weak(&context->bytes_peak, &peak, now))
  {
  }
}

sq_status sqi_alloc(sq_context* context, int64_t count, size_t size, void** memory)
{
  *memory = NULL;
  if (count < 0 || (size && (uint64_t)count > (uint64_t)PTRDIFF_MAX / size))
  {
    return sqi_fail(
      context, SQ_TOO_LARGE, "cannot hold %lld items of %zu bytes", (long long)count, size);
  }
  size_t bytes = (size_t)count * size;
  if (!bytes)
  {
    return SQ_OK;
  }
  *memory = context->allocator.allocate(context->allocator.user, bytes);
  if (!*memory)
  {
    return sqi_fail(context, SQ_OUT_OF_MEMORY, "out of memory: %zu bytes", bytes);
  }
  count_bytes(context, (int64_t)bytes);
  return SQ_OK;
}

void sqi_free(sq_context* context, void* memory, int64_t count, size_t size)
{
  if (memory)
  {
    count_bytes(context, -(int64_t)((size_t)count * size));
    sqi_release(&context->allocator, memory, count, size);
  }
}

sq_status sqi_acquire(const sq_allocator* allocator, int64_t count, size_t size, void** memory)
{
  *memory = NULL;
  if (count < 0 || (size && (uint64_t)count > (uint64_t)PTRDIFF_MAX / size))
  {
    return SQ_TOO_LARGE;
  }
  size_t bytes = (size_t)count * size;
  *memory = bytes ? allocator->allocate(allocator->user, bytes) : NULL;
  return bytes && !*memory ? SQ_OUT_OF_MEMORY : SQ_OK;
}

void sqi_release(const sq_allocator* allocator, void* memory, int64_t count, size_t size)
{
  if (memory)
  {
    allocator->release(allocator->user, memory, (size_t)count * size);
  }
}
