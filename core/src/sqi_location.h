#ifndef SQI_LOCATION_H
#define SQI_LOCATION_H
/** The inside of a location: the arrays of its view, or what they follow from. */
#include "sqi_locate_rows.h"

struct sq_location
{
  sq_allocator allocator;
  int64_t count;
  int32_t block_count; /* of the index */
  int64_t cell_count; /* entries of the rows */
  int64_t node_count;
  uint8_t* status;
  int32_t* block;
  int64_t* cell;
  double* distance;
  double* parametric;
  int32_t* containing_count;
  int32_t* nodes_visited;
  int32_t* cells_tested;
  int64_t* cell_offsets;
  int32_t* cell_blocks;
  int64_t* cell_ids;
  int64_t* node_offsets;
  int32_t* node_blocks;
  int64_t* node_ids;
  double* node_weights;
  /* Of a compact location, which has no arrays but status, containing_count and the statistics: */
  const sq_mesh_index* index; /* NULL: not compact */
  sq_locate_options options;
  double* floor_ulp;
  double floor_ulp_max;
  sqi_axes axes; /* the queries: these, or, where `points` has a dimension, those */
  sq_points points; /* its data is the location's own */
  int32_t* number; /* lowest cell of each query, -1: none */
};

/** Begins an operation that makes a location: *location is NULL from here on, and context, index and location have to be there. */
sq_status sqi_locate_begin(sq_context* context, const sq_mesh_index* index, sq_location** location);

/** Arrays of one entry a query, not set; the rows do not exist yet. `index`, which is borrowed: a compact one. */
sq_status sqi_location_create(sq_context* context, int32_t block_count, int64_t count,
  int statistics, const sq_mesh_index* index, sq_location** location);

/** Turns the lengths of the rows into where they begin, and makes room for them; the most cells of a row. */
sq_status sqi_location_make_rows(sq_context* context, sq_location* location, int64_t* most);

/** Writes the answer and the rows of query q. */
void sqi_location_fill(sq_location* location, const sqi_rows* rows, int64_t q, int32_t thread);

/** Opens the rows of a compact location, which is `located` or still to be; to be closed, also after an error. */
sq_status sqi_location_open_rows(
  sq_context* context, const sq_location* location, int located, sqi_rows* rows);

/** SQ_INVALID_ARGUMENT, with a message, for options that are out of range. */
sq_status sqi_locate_check_options(sq_context* context, const sq_locate_options* options);

#endif
