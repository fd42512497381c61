#ifndef SQI_ALLOC_H
#define SQI_ALLOC_H
/** Memory of the context's allocator: 64-byte aligned, overflow-checked, counted for the peak. */
#include "spatialqueries/sq_context.h"

sq_allocator sqi_default_allocator(void);

/**
 * `count` items of `size` bytes, not cleared; *memory is NULL on error and for count 0.
 * SQ_OUT_OF_MEMORY or SQ_TOO_LARGE, with a message. Calling thread only.
 */
sq_status sqi_alloc(sq_context* context, int64_t count, size_t size, void** memory);

/** Gives back what sqi_alloc(count, size) gave; NULL is allowed. */
void sqi_free(sq_context* context, void* memory, int64_t count, size_t size);

/** The same for members of a handle, whose context may be gone; no message. */
sq_status sqi_acquire(const sq_allocator* allocator, int64_t count, size_t size, void** memory);
void sqi_release(const sq_allocator* allocator, void* memory, int64_t count, size_t size);

/** sqi_alloc with the size of what the pointer points to: SQI_NEW(context, &array, n). */
#define SQI_NEW(context, pointer, count) \
  sqi_alloc((context), (count), sizeof(**(pointer)), (void**)(pointer))
#define SQI_FREE(context, pointer, count) \
  sqi_free((context), (pointer), (count), sizeof(*(pointer)))
#define SQI_RELEASE(allocator, pointer, count) \
  sqi_release((allocator), (pointer), (count), sizeof(*(pointer)))

#endif
