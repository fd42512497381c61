#ifndef SQI_VIEW_H
#define SQI_VIEW_H
/** Reading and checking the caller's views. */
#include "spatialqueries/sq_context.h"

/** Coordinate triple i of 3-D points, as double. */
static inline void sqi_point(const sq_points* points, int64_t i, double x[3])
{
  if (points->type == SQ_FLOAT32)
  {
    const float* p = (const float*)points->data + 3 * i;
    x[0] = (double)p[0], x[1] = (double)p[1], x[2] = (double)p[2];
  }
  else
  {
    const double* p = (const double*)points->data + 3 * i;
    x[0] = p[0], x[1] = p[1], x[2] = p[2];
  }
}

/** Point i of 1 to 3 coordinates, 0 in the others. */
static inline void sqi_point_padded(const sq_points* points, int64_t i, double x[3])
{
  if (points->dimension == 3)
  {
    sqi_point(points, i, x);
    return;
  }
  x[0] = x[1] = x[2] = 0.0;
  for (int32_t d = 0; d < points->dimension; ++d)
  {
    int64_t at = i * points->dimension + d;
    x[d] = points->type == SQ_FLOAT32 ? (double)((const float*)points->data)[at]
                                      : ((const double*)points->data)[at];
  }
}

/** Entry i of an id array of type SQ_INT32 or SQ_INT64. */
static inline int64_t sqi_id(const void* ids, sq_type type, int64_t i)
{
  return type == SQ_INT32 ? (int64_t)((const int32_t*)ids)[i] : ((const int64_t*)ids)[i];
}

static inline int sqi_cell_kind(const sq_cells* cells, int64_t c)
{
  return cells->types ? cells->types[c] : cells->type;
}

/** Orders of a Lagrange or Bezier cell, NULL where none are given. */
static inline const uint8_t* sqi_cell_degrees(const sq_cells* cells, int64_t c)
{
  return cells->degrees ? cells->degrees + 3 * c : NULL;
}

/** Position in `connectivity` of the first point id of cell c; c may be the count. */
static inline int64_t sqi_cell_offset(const sq_cells* cells, int64_t c)
{
  return cells->offsets ? sqi_id(cells->offsets, cells->id_type, c) : c * cells->cell_size;
}

/** Point id k of cell c, whose first position is `offset`. */
static inline int64_t sqi_cell_point(const sq_cells* cells, int64_t offset, int64_t k)
{
  return sqi_id(cells->connectivity, cells->id_type, offset + k);
}

/** Checks a view of 3-D points; `what` names it in the message. */
sq_status sqi_check_points(sq_context* context, const sq_points* points, const char* what);

/** The same for points of `least` to `most` coordinates. */
sq_status sqi_check_points_of(
  sq_context* context, const sq_points* points, const char* what, int32_t least, int32_t most);

/**
 * Checks a block in full, in parallel: types and pointers, offsets ascending and in range, point ids and face streams in
 * range. After SQ_OK every read through the view is safe. Does not look at coordinates.
 */
sq_status sqi_check_cells(sq_context* context, const sq_cells* cells, int32_t block);

/** The same for points of `least` to `most` coordinates. */
sq_status sqi_check_cells_of(
  sq_context* context, const sq_cells* cells, int32_t block, int32_t least, int32_t most);

#endif
