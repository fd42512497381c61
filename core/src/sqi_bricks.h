#ifndef SQI_BRICKS_H
#define SQI_BRICKS_H
/** A grid of points cut into bricks, which are worked on one by one: their points lie near each other, and so do their cells. */
#include "sqi_locate_rows.h"

/** Bricks of side[0] x side[1] x side[2] points, fewer at the ends of the grid, numbered along x first. */
typedef struct sqi_bricks
{
  int32_t side[3]; /* powers of two */
  int64_t along[3]; /* how many there are along each axis */
} sqi_bricks;

/** One of them. */
typedef struct sqi_brick
{
  int64_t first[3]; /* point on the grid */
  int32_t count[3];
} sqi_brick;

/** As many points as fit into `points`, `side` along an axis, in bricks as much like cubes as the grid allows; how many bricks. */
int64_t sqi_bricks_lay(const sqi_axes* axes, int32_t points, int32_t side, sqi_bricks* bricks);

/** Where brick `number` is. */
sqi_brick sqi_brick_at(const sqi_axes* axes, const sqi_bricks* bricks, int64_t number);

/** The query of the first point of row (j, k) of a brick. */
static inline int64_t sqi_brick_query(
  const sqi_axes* axes, const sqi_brick* brick, int32_t j, int32_t k)
{
  const int64_t* first = brick->first;
  return ((first[2] + k) * axes->count[1] + first[1] + j) * axes->count[0] + first[0];
}

#endif
