#include "sqt_memory.h"

#include "sq_test.h"

#include <stdlib.h>
#include <string.h>

#define BORDER 64
#define ALIGNMENT 64
#define PATTERN 0xa5

typedef struct border
{
  uint64_t magic;
  uint64_t bytes;
} border;

static const uint64_t MAGIC = 0x5371746d656d6f72u;

static int fails(sqt_memory* m)
{
  int64_t call = atomic_fetch_add(&m->calls, 1) + 1;
  return m->fail_from && call >= m->fail_from && call - m->fail_from < m->fail_count;
}

static void* allocate(void* user, size_t bytes)
{
  sqt_memory* m = (sqt_memory*)user;
  if (!bytes)
  {
    atomic_fetch_add(&m->faults, 1);
  }
  if (fails(m) || bytes > (size_t)1 << 40)
  {
    return NULL;
  }
  size_t total = BORDER + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + BORDER;
  char* block = (char*)aligned_alloc(ALIGNMENT, total);
  if (!block)
  {
    return NULL;
  }
  memset(block, PATTERN, total);
  border b = { MAGIC, bytes };
  memcpy(block, &b, sizeof(b));
  atomic_fetch_add(&m->blocks, 1);
  int64_t now = atomic_fetch_add(&m->bytes, (int64_t)bytes) + (int64_t)bytes;
  int64_t peak = atomic_load(&m->peak);
  while (now > peak && !atomic_compare_exchange_weak(&m->peak, &peak, now))
  {
  }
  return block + BORDER;
}

/** Whether the bytes behind a block still hold the pattern. */
static int tail_is_whole(const char* memory, size_t bytes)
{
  size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + BORDER;
  for (size_t i = bytes; i < padded; ++i)
  {
    if ((unsigned char)memory[i] != PATTERN)
    {
      return 0;
    }
  }
  return 1;
}

static void release(void* user, void* memory, size_t bytes)
{
  sqt_memory* m = (sqt_memory*)user;
  border b = { 0, 0 };
  if (!memory || (uintptr_t)memory % ALIGNMENT)
  {
    atomic_fetch_add(&m->faults, 1);
    return;
  }
  char* block = (char*)memory - BORDER;
  memcpy(&b, block, sizeof(b));
  if (b.magic != MAGIC || b.bytes != bytes || !tail_is_whole((const char*)memory, b.bytes))
  {
    atomic_fetch_add(&m->faults, 1);
  }
  if (b.magic != MAGIC)
  {
    return;
  }
  atomic_fetch_sub(&m->blocks, 1);
  atomic_fetch_sub(&m->bytes, (int64_t)b.bytes);
  memset(block, 0, sizeof(b)); /* a second release of the block is a fault */
  free(block);
}

sq_allocator sqt_memory_allocator(sqt_memory* memory)
{
  sq_allocator a = { memory, allocate, release };
  return a;
}

int sqt_memory_is_clean(sqt_memory* memory)
{
  int64_t blocks = atomic_load(&memory->blocks);
  int64_t bytes = atomic_load(&memory->bytes);
  int64_t faults = atomic_load(&memory->faults);
  int ok = CHECK_INT(blocks, 0);
  ok &= CHECK_INT(bytes, 0);
  ok &= CHECK_INT(faults, 0);
  return ok;
}
