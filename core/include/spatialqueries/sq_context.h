#ifndef SQ_CONTEXT_H
#define SQ_CONTEXT_H
/**
 * A context holds what a run needs besides its data: threads, memory, progress and cancel, and the
 * last message. One per calling thread; handles built with it may be queried with any other context.
 */
#include "spatialqueries/sq_types.h"

SQ_BEGIN_DECLS

typedef struct sq_context sq_context;

/**
 * Memory comes from here. `allocate` returns `bytes` bytes aligned to 64, or NULL; `release` gets
 * the same `bytes` back. Both may be called from several threads at once.
 */
typedef struct sq_allocator
{
  void* user;
  void* (*allocate)(void* user, size_t bytes);
  void (*release)(void* user, void* memory, size_t bytes);
} sq_allocator;

/**
 * Progress and cancel. Both are called on the calling thread only; either may be NULL.
 * `report`: at most SQ_MONITOR_REPORTS times a run, `fraction` from 0 to 1 and never falling,
 * `phase` a short text ("Building BVH", "Querying").
 * `cancelled`: polled at least every 50 ms; non-zero ends the call with SQ_CANCELLED.
 */
typedef struct sq_monitor
{
  void* user;
  void (*report)(void* user, const char* phase, double fraction);
  int (*cancelled)(void* user);
} sq_monitor;

#define SQ_MONITOR_REPORTS 200

/** Threads of one run; 0 means one a core. */
#define SQ_THREADS_MIN 0
#define SQ_THREADS_MAX 1024
#define SQ_THREADS_DEFAULT 0

typedef struct sq_context_options
{
  int32_t threads; /**< SQ_THREADS_...; the environment variable SQ_NUM_THREADS caps it */
  sq_allocator allocator; /**< all NULL: the C library's */
  sq_monitor monitor; /**< all NULL: none */
} sq_context_options;

SQ_API sq_context_options sq_context_options_default(void);

/** NULL options are the defaults. Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY; *context is NULL then. */
SQ_API sq_status sq_context_create(const sq_context_options* options, sq_context** context);

/** Handles built with the context live on: each remembers the allocator. NULL is allowed. */
SQ_API void sq_context_destroy(sq_context* context);

/** One line on the last error: which input, what is wrong, what is allowed. "" after a success. */
SQ_API const char* sq_context_message(const sq_context* context);

/** Threads that a run with this context uses. */
SQ_API int32_t sq_context_threads(const sq_context* context);

/** Largest number of bytes held at once by the last operation and by what it returned. */
SQ_API int64_t sq_context_peak_bytes(const sq_context* context);

SQ_END_DECLS
#endif
