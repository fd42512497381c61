#ifndef SQT_SWEEP_H
#define SQT_SWEEP_H
/**
 * Runs an operation again and again, letting its first, second, third ... allocation fail, or its first, second, third ...
 * poll answer "cancelled", until it succeeds. After each run nothing may be held.
 */
#include "sqt_context.h"

/**
 * The operation: builds what it needs with the context, checks that outputs are as promised for the status it
 * returns, and releases everything. It must return the first status that is not SQ_OK.
 */
typedef sq_status (*sqt_operation)(sq_context* context, void* data);

/** Allocation k fails alone, and all from k on; each with 1 and 2 threads. The operation makes `least` allocations at least. */
void sqt_sweep_memory(const char* what, sqt_operation operation, void* data, int least);

/** Poll k answers "cancelled", and all after it. Checks that the operation polls `least` times at least. */
void sqt_sweep_cancel(const char* what, sqt_operation operation, void* data, int least);

#endif
