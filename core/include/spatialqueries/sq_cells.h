#ifndef SQ_CELLS_H
#define SQ_CELLS_H
/** What can be asked of cells and points without a search structure. */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/**
 * The centre of every cell, 3 doubles each: the mean of its points, in the order of its ids. NaN for a cell without
 * points; not finite where a coordinate is not.
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (ids out of range), SQ_CANCELLED.
 */
SQ_API sq_status sq_cell_centers(sq_context* context, const sq_cells* cells, double* centers);

/**
 * The measure of every cell, one double each: number of points of vertices, length, area or volume. 0 for a cell without points; NaN for a
 * type that the library does not know, for too few nodes of its type, and for Lagrange and Bezier cells whose points fit no order up to
 * SQ_CELL_ORDER_MAX; not finite where a coordinate is not. Exact up to rounding, at any scale, for cells with straight edges and
 * flat faces, for solids with bilinear faces, and for the volumes of curved solids that are not rational. Quads count as two
 * triangles (cut along 0-2); polygons that are not flat as their projection along the mean normal. Lengths and areas of
 * curved cells, and rational volumes, come from Gauss's rules of 5 points a direction (more from order 4 on) and of 4 more, until two
 * agree to 1e-12; of about 30 points at most, where edges have cusps or surfaces folds.
 * Neither the order of the nodes nor the direction of a polyhedron's faces changes the sign: measures are not negative.
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (ids out of range), SQ_OUT_OF_MEMORY, SQ_CANCELLED.
 */
SQ_API sq_status sq_cell_measures(sq_context* context, const sq_cells* cells, double* measures);

/**
 * *id: the point nearest to x, the lowest id of equally near ones, -1 where no point or x is not finite. Points have 1 to 3 coordinates;
 * as many of x are looked at. Compares squares of distances in double. For one question, such as a pick; time: O(points).
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED; *id is -1 then.
 */
SQ_API sq_status sq_nearest_point(
  sq_context* context, const sq_points* points, const double x[3], int64_t* id);

/** Dimension of the cells of a type (0 to 3), -1 for types that the library does not know. */
SQ_API int32_t sq_cell_dimension(uint8_t type);

SQ_END_DECLS
#endif
