#ifndef SQI_SAMPLE_BRICK_H
#define SQI_SAMPLE_BRICK_H
/**
 * Arrays taken to the points of a grid brick by brick, the points of a brick cell by cell: then a cell is read once for all of its
 * points. The values are those of sqi_sample_write().
 */
#include "sqi_location_chunk.h"
#include "sqi_sample.h"

/** Whether sqi_sample_bricks() does these: points of a grid that may be in tetrahedra, and an array of nodes. */
int sqi_sample_has_bricks(const sqi_chunks* chunks);

/** Writes all samples at all queries; `chunks` are open, with nodes. */
sq_status sqi_sample_bricks(
  sq_context* context, const sqi_chunks* chunks, const sq_sample* samples, int32_t sample_count);

#endif
