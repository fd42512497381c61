#ifndef SQI_LOCATE_ORDER_H
#define SQI_LOCATE_ORDER_H
/** The order in which points are located: along a space-filling curve, in blocks of bounded memory. */
#include "sqi_bvh.h"

/** Queries ordered together: 24 bytes each while they are sorted. */
#define SQI_LOCATE_BLOCK ((int64_t)1 << 20)

/** `order` has an entry a query: within its block. `bvh` says where the mesh is. */
sq_status sqi_locate_order(
  sq_context* context, const sq_points* queries, const sqi_bvh* bvh, uint32_t* order);

/** The query at position i of the order. */
static inline int64_t sqi_locate_query(const uint32_t* order, int64_t i)
{
  return i / SQI_LOCATE_BLOCK * SQI_LOCATE_BLOCK + order[i];
}

#endif
