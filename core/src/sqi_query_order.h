#ifndef SQI_QUERY_ORDER_H
#define SQI_QUERY_ORDER_H
/**
 * Orders in which queries follow one another in space: along the Hilbert curve for points, by bricks for grids. Neighbours
 * then walk the same nodes while these are in cache, and the answer to one bounds the next.
 */
#include "sqi_triangle_index.h"

/** The cube that the curve fills. */
typedef struct sqi_curve
{
  double lo[3];
  double scale;
} sqi_curve;

#define SQI_CURVE_BITS 10

/**
 * A curve for queries within [lo, hi] around something within [centre_lo, centre_hi]: far outliers among the queries do not
 * squeeze the others into one cell. lo > hi (no finite query) is allowed.
 */
sqi_curve sqi_curve_of(
  const double lo[3], const double hi[3], const double centre_lo[3], const double centre_hi[3]);

/** Position of a point on the curve, below 2^(3 * SQI_CURVE_BITS); any point is allowed. */
uint64_t sqi_curve_key(const sqi_curve* curve, const double x[3]);

/** Points of a brick along each axis. */
#define SQI_BRICK 8
#define SQI_BRICK_POINTS (SQI_BRICK * SQI_BRICK * SQI_BRICK)

/** Bricks of a grid, 0 for one without points. */
int64_t sqi_brick_count(const sq_grid* grid);

/** Points of the largest brick, at least 1. */
int64_t sqi_brick_size(const sq_grid* grid);

/** The numbers of the points of a brick, each next to the one before; returns how many (at most SQI_BRICK_POINTS). */
int32_t sqi_brick_points(const sq_grid* grid, int64_t brick, int64_t* points);

#endif
