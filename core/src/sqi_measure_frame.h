#ifndef SQI_MEASURE_FRAME_H
#define SQI_MEASURE_FRAME_H
/**
 * Where a cell is measured: relative to one of its points, and where products of its sizes would leave the range of numbers, with
 * each coordinate scaled by a power of two of its own, which changes no digit of them.
 */
#include "sqi_cell_faces.h"

typedef struct sqi_measure_frame
{
  double before; /* 1, or less where differences of coordinates overflow */
  double origin[3]; /* times `before` */
  double scale[3];
  double factor[3]; /* of lengths (dimension 1) and normals (2) along each axis, at most 1 */
  int exponent; /* measures are 2^exponent times what comes out */
} sqi_measure_frame;

/** Unscaled, from point `origin` (of `points`). */
void sqi_measure_frame_plain(const sq_points* points, int64_t origin, sqi_measure_frame* frame);

/**
 * The frame of cell c of a dimension from 1 up that has points, around the origin of `frame`. 0 where no scaling helps: a coordinate is not
 * finite, or the cell has no extent along so many axes.
 */
int sqi_measure_frame_fit(
  const sq_cells* cells, int64_t c, int dimension, int64_t origin, sqi_measure_frame* frame);

/** Point `id` in the frame. */
static inline void sqi_measure_point(
  const sqi_measure_frame* frame, const sq_points* points, int64_t id, double x[3])
{
  sqi_point(points, id, x);
  for (int d = 0; d < 3; ++d)
  {
    x[d] = (x[d] * frame->before - frame->origin[d]) * frame->scale[d];
  }
}

#endif
