#ifndef SQI_CROSSINGS_H
#define SQI_CROSSINGS_H
/** Where a surface crosses itself: a self join of a tree over its triangles, with exact tests. */
#include "spatialqueries/sq_context.h"

/**
 * Counts the pairs of triangles without a common vertex that cross in more than a touch
 * (sqk_triangle_cross.h). `vertices`: 3 finite doubles each; `corners`: 3 vertex ids a triangle, equal for welded vertices.
 * `crosses` (may be NULL) has a byte a triangle: 1 where it takes part in a pair.
 */
sq_status sqi_crossings_count(sq_context* context, const double* vertices, const int32_t* corners,
  int32_t triangle_count, int64_t* pairs, uint8_t* crosses);

#endif
