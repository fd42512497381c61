#ifndef SQI_SURFACE_ORDER_H
#define SQI_SURFACE_ORDER_H
/** The order of a surface's triangles, in which ties in distance are broken. */
#include "sqi_surface.h"

/**
 * Puts the triangles in ascending (global id, sub) where all blocks with cells have global ids; else leaves them in
 * ascending (block, cell, sub). Before anything refers to triangles by number.
 */
sq_status sqi_surface_order(
  sq_context* context, sq_surface* surface, const sq_cells* blocks, int32_t block_count);

#endif
