#include "sqi_measure_frame.h"

#include <limits.h>

void sqi_measure_frame_plain(const sq_points* points, int64_t origin, sqi_measure_frame* frame)
{
  frame->before = 1.0;
  frame->exponent = 0;
  sqi_point(points, origin, frame->origin);
  for (int d = 0; d < 3; ++d)
  {
    frame->scale[d] = frame->factor[d] = 1.0;
  }
}

/** Widens the extents from the origin by a point; NaN and infinity stay. */
static void widen(
  const sqi_measure_frame* frame, const sq_points* points, int64_t id, double extent[3])
{
  double x[3];
  sqi_measure_point(frame, points, id, x);
  for (int d = 0; d < 3; ++d)
  {
    extent[d] = fabs(x[d]) <= extent[d] ? extent[d] : fabs(x[d]);
  }
}

static void measure_extents(
  const sq_cells* cells, int64_t c, const sqi_measure_frame* frame, double extent[3])
{
  sqi_face_walk walk;
  extent[0] = extent[1] = extent[2] = 0.0;
  for (int64_t k = sqi_cell_offset(cells, c); k < sqi_cell_offset(cells, c + 1); ++k)
  {
    widen(frame, &cells->points, sqi_id(cells->connectivity, cells->id_type, k), extent);
  }
  sqi_face_begin(&walk, cells, c);
  while (walk.stream && sqi_face_next(&walk))
  {
    for (int32_t k = 0; k < walk.size; ++k)
    {
      widen(frame, &cells->points, sqi_face_point(&walk, k), extent);
    }
  }
}

/** Whether extents along axes other than d (of a surface), or along d, let a component along d be more than 0. */
static int may_be_along(const double extent[3], int dimension, int d)
{
  return dimension == 1 ? extent[d] > 0.0 : extent[(d + 1) % 3] > 0.0 && extent[(d + 2) % 3] > 0.0;
}

int sqi_measure_frame_fit(
  const sq_cells* cells, int64_t c, int dimension, int64_t origin, sqi_measure_frame* frame)
{
  double extent[3];
  int shift[3] = { 0, 0, 0 }, along[3], most = INT_MIN;
  sqi_measure_frame_plain(&cells->points, origin, frame);
  frame->before = 0.25;
  for (int d = 0; d < 3; ++d)
  {
    frame->origin[d] *= 0.25;
  }
  measure_extents(cells, c, frame, extent);
  if (!(extent[0] < HUGE_VAL && extent[1] < HUGE_VAL && extent[2] < HUGE_VAL))
  {
    return 0;
  }
  if (!(fmax(extent[0], fmax(extent[1], extent[2])) > 1.0))
  {
    /* A quarter of a number near the lower end of the range is not exact. */
    sqi_measure_frame_plain(&cells->points, origin, frame);
    measure_extents(cells, c, frame, extent);
  }
  for (int d = 0; d < 3; ++d)
  {
    (void)frexp(extent[d], shift + d);
    /* The power of two must be a number itself. */
    shift[d] = extent[d] > 0.0 ? (shift[d] < -1000 ? 1000 : -shift[d]) : 0;
    frame->scale[d] = ldexp(1.0, shift[d]);
    shift[d] -= frame->before < 1.0 ? 2 : 0;
  }
  int total = shift[0] + shift[1] + shift[2];
  for (int d = 0; d < 3 && dimension < 3; ++d)
  {
    along[d] = dimension == 1 ? -shift[d] : shift[d] - total;
    most = may_be_along(extent, dimension, d) && along[d] > most ? along[d] : most;
  }
  for (int d = 0; d < 3 && dimension < 3; ++d)
  {
    frame->factor[d] = may_be_along(extent, dimension, d) ? ldexp(1.0, along[d] - most) : 0.0;
  }
  frame->exponent = dimension < 3 ? most : -total;
  return dimension < 3 ? most > INT_MIN : extent[0] > 0.0 && extent[1] > 0.0 && extent[2] > 0.0;
}
