#ifndef SQI_RASTER_BINS_H
#define SQI_RASTER_BINS_H
/** Which cells can hold points of which brick of a grid, by the points in their boxes. */
#include "sqi_bricks.h"
#include "sqi_locate_rows.h"

typedef struct sqi_raster_bins
{
  int64_t* end; /* brick_count: where the cells of a brick end, and those of the next begin */
  int32_t* cells; /* in no certain order within a brick */
  int64_t brick_count;
  int64_t cell_count;
} sqi_raster_bins;

/**
 * Lists the cells of all bricks, in two passes: counting, and filling in what the first has found. `rows` are open, with axes that are finite and
 * ascending or descending. More than `most` cells: *many is 1 and there are no lists. To be released, also after an error.
 */
sq_status sqi_raster_bins_build(sq_context* context, const sqi_rows* rows, const sqi_bricks* bricks,
  int64_t most, sqi_raster_bins* bins, int* many);

void sqi_raster_bins_release(sq_context* context, sqi_raster_bins* bins);

/** The box of a cell that has been read, widened by its tolerance; of a curved cell, that of its control points (in `room`). */
void sqi_raster_box(
  const sqi_mesh_cell* cell, double tolerance, double* room, double lo[3], double hi[3]);

/** No less than sqi_locate_tolerance(), and about it for cells as long as wide: without a root. */
double sqi_raster_tolerance_above(const sqi_locate_rules* rules, const sqi_mesh_cell* cell);

#endif
