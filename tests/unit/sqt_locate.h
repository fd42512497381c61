#ifndef SQT_LOCATE_H
#define SQT_LOCATE_H
/** Point location through the public API. */
#include "orc_zoo.h"
#include "sqt_context.h"

#include "spatialqueries/sq_mesh_index.h"

/** Borrows the zoo's arrays. */
sq_cells sqt_cells_of_zoo(const orc_zoo* zoo);

/** A block of one cell type in double and int64; borrows. */
sq_cells sqt_cells_of(uint8_t type, int32_t cell_size, int64_t count, const double* points,
  int64_t point_count, const int64_t* ids);

/** Builds and checks that it worked. */
sq_mesh_index* sqt_index(sq_context* context, const sq_cells* blocks, int32_t block_count);

/** Locates and checks that it worked; NULL options are the defaults. *view is that of the location. */
sq_location* sqt_locate(sq_context* context, const sq_mesh_index* index, const double* x,
  int64_t count, const sq_locate_options* options, sq_location_view* view);

/** Every array of two views has the same bits. */
int sqt_views_equal(const sq_location_view* a, const sq_location_view* b);

/** Sum of weight x corner of query q, in block `blocks[...]`; and the sum of the weights. */
double sqt_rebuild(const sq_location_view* view, const sq_cells* blocks, int64_t q, double x[3]);

#endif
