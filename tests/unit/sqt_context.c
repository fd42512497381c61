#include "sqt_context.h"

#include "sq_test.h"

sq_context* sqt_context(int threads, sqt_memory* memory, sqt_monitor* monitor)
{
  sq_context_options o = sq_context_options_default();
  sq_context* context = NULL;
  o.threads = threads;
  if (memory)
  {
    o.allocator = sqt_memory_allocator(memory);
  }
  if (monitor)
  {
    o.monitor = sqt_monitor_callbacks(monitor);
  }
  CHECK_STATUS(sq_context_create(&o, &context), SQ_OK);
  return context;
}
