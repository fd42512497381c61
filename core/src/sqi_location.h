#ifndef SQI_LOCATION_H
#define SQI_LOCATION_H
/** The inside of a location: the arrays of its view. */
#include "spatialqueries/sq_mesh_index.h"

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
};

/** Arrays of one entry a query, not set; the rows do not exist yet. */
sq_status sqi_location_create(
  sq_context* context, int32_t block_count, int64_t count, int statistics, sq_location** location);

/** Makes room for the rows whose offsets are set. */
sq_status sqi_location_make_rows(sq_context* context, sq_location* location);

#endif
