#ifndef SQI_WELD_H
#define SQI_WELD_H
/** The points of a surface: those in use, and which of them are one and the same. */
#include "sqi_triangulate.h"

typedef struct sqi_point_pool
{
  int64_t global_count;
  int32_t* slot; /* by global id: place in the pool, -1 for points not in use */
  int32_t count;
  double* x; /* 3 a slot; -0 became +0 */
  int32_t* same; /* by slot: the lowest slot at the same coordinates */
  int32_t* near; /* by slot: the slot that stands for its cluster; NULL: nothing was clustered */
} sqi_point_pool;

/** The pool of the points with a mark in `used` (a byte a global id). `same` is the identity. */
sq_status sqi_pool_open(
  sq_context* context, const sqi_blocks* blocks, const uint8_t* used, sqi_point_pool* pool);

void sqi_pool_close(sq_context* context, sqi_point_pool* pool);

/** Diagonal of the box of all points; may be infinite. */
sq_status sqi_pool_diagonal(sq_context* context, const sqi_point_pool* pool, double* diagonal);

/** Makes points at equal coordinates the same. */
sq_status sqi_weld_equal(sq_context* context, sqi_point_pool* pool);

/**
 * Clusters points within `tolerance` of the lowest slot that is in no cluster yet. A cluster is thus never wider than twice the
 * tolerance: chains of close points do not pull a gap shut.
 */
sq_status sqi_weld_near(sq_context* context, sqi_point_pool* pool, double tolerance);

#endif
