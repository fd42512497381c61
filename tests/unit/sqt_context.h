#ifndef SQT_CONTEXT_H
#define SQT_CONTEXT_H
/** Contexts for tests. */
#include "sqt_memory.h"
#include "sqt_monitor.h"

/** A context with that many threads; NULL memory and monitor are allowed. */
sq_context* sqt_context(int threads, sqt_memory* memory, sqt_monitor* monitor);

#endif
