#ifndef SQ_MORTON_H
#define SQ_MORTON_H
/**
 * Morton codes (Z order): the position of a point on a space-filling curve, by interleaving the bits of its coordinates
 * (Morton 1966, "A computer oriented geodetic data base and a new technique in file sequencing").
 * Bit-equal to NVIDIA PhysicsNeMo's `mesh/spatial/bvh.py`.
 */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/**
 * One code of 0 to 2^63 - 1 a point; `points->dimension` is 1 to 4.
 *
 * An axis has nb = min(62, floor(63 / dimension)) bits. Per axis, in the type of the points: t = ((x - lo) / (hi - lo)) *
 * (2^nb - 1), truncated, clamped to 0 ... 2^nb - 1, where lo and hi are the extremes over all points; an axis of extent 0
 * gives 0. Bit b of axis d goes to position b * dimension + d. An axis that holds a NaN or an infinity, or whose extent
 * overflows, gives 0 for every point.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED; `codes` is then undefined. No points: nothing is written.
 */
SQ_API sq_status sq_morton_codes(sq_context* context, const sq_points* points, int64_t* codes);

SQ_END_DECLS
#endif
