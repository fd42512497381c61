#ifndef SQT_MEMORY_H
#define SQT_MEMORY_H
/** An allocator that counts, checks and fails on request. */
#include "spatialqueries/sq_context.h"

#include <stdatomic.h>

typedef struct sqt_memory
{
  _Atomic int64_t calls; /* allocations asked for so far */
  _Atomic int64_t blocks; /* held now */
  _Atomic int64_t bytes; /* held now */
  _Atomic int64_t peak; /* most bytes held at once */
  _Atomic int64_t faults; /* wrong size or address given back, damaged borders, size 0 asked for */
  int64_t fail_from; /* the first call that gets NULL; 0: none */
  int64_t fail_count; /* how many calls get NULL */
} sqt_memory;

/** Blocks are filled with a pattern, so that reading what was never written shows; borders are guarded. */
sq_allocator sqt_memory_allocator(sqt_memory* memory);

/** Checks that nothing is held and nothing was given back wrongly. */
int sqt_memory_is_clean(sqt_memory* memory);

#endif
