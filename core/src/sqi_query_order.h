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

/** What ordering a block of points needs besides its result. */
typedef struct sqi_ordering
{
  int64_t capacity;
  uint64_t* keys; /* one a point */
  double* bounds; /* 6 a thread */
} sqi_ordering;

/** For blocks of at most `capacity` points. On error nothing is held, and closing is allowed. */
sq_status sqi_ordering_open(sq_context* context, int64_t capacity, sqi_ordering* ordering);

void sqi_ordering_close(sq_context* context, sqi_ordering* ordering);

/**
 * Points of 1 to 3 coordinates. Writes to order[0] ... order[count - 1] the points first ... first + count - 1, less `first`, as they follow along a
 * curve around [lo, hi], the box of what they are queries of.
 */
sq_status sqi_ordering_block(sq_context* context, sqi_ordering* ordering, const sq_points* points,
  int64_t first, int64_t count, const double lo[3], const double hi[3], uint32_t* order);

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
