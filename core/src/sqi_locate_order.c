#include "sqi_locate_order.h"
#include "sqi_query_order.h"

sq_status sqi_locate_order(
  sq_context* context, const sq_points* queries, const sqi_bvh* bvh, uint32_t* order)
{
  sqi_ordering ordering;
  int64_t room = queries->count < SQI_LOCATE_BLOCK ? queries->count : SQI_LOCATE_BLOCK;
  sq_status status = sqi_ordering_open(context, room, &ordering);
  for (int64_t first = 0; status == SQ_OK && first < queries->count; first += room)
  {
    int64_t left = queries->count - first;
    status = sqi_ordering_block(context, &ordering, queries, first, left < room ? left : room,
      bvh->lo, bvh->hi, order + first);
  }
  sqi_ordering_close(context, &ordering);
  return status;
}
