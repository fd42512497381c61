#include "spatialqueries/sq_lists.h"
#include "sqi_alloc.h"
#include "sqi_reference_tree.h"

sq_status sq_lists_get_view(const sq_lists* lists, sq_lists_view* view)
{
  if (!lists || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  view->count = lists->count;
  view->offsets = lists->offsets;
  view->indices = lists->indices;
  return SQ_OK;
}

void sq_lists_destroy(sq_lists* lists)
{
  if (lists)
  {
    sq_allocator allocator = lists->allocator;
    SQI_RELEASE(&allocator, lists->offsets, lists->count + 1);
    SQI_RELEASE(&allocator, lists->indices, lists->total);
    SQI_RELEASE(&allocator, lists, 1);
  }
}
