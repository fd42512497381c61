#ifndef SQ_CELLS_H
#define SQ_CELLS_H
/** What can be asked of cells without a search structure. */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/**
 * The centre of every cell, 3 doubles each: the mean of its points, in the order of its ids. NaN for a cell without
 * points; not finite where a coordinate is not.
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (ids out of range), SQ_CANCELLED.
 */
SQ_API sq_status sq_cell_centers(sq_context* context, const sq_cells* cells, double* centers);

/** Dimension of the cells of a type (0 to 3), -1 for types that the library does not know. */
SQ_API int32_t sq_cell_dimension(uint8_t type);

SQ_END_DECLS
#endif
