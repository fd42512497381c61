#include "spatialqueries/sq_cells.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_shape.h"

#include <math.h>

typedef struct center_job
{
  const sq_cells* cells;
  double* centers;
} center_job;

static void center_of(const sq_cells* cells, int64_t c, double center[3])
{
  int64_t begin = sqi_cell_offset(cells, c);
  int64_t count = sqi_cell_offset(cells, c + 1) - begin;
  double sum[3] = { 0.0, 0.0, 0.0 };
  for (int64_t k = 0; k < count; ++k)
  {
    double x[3];
    sqi_point(&cells->points, sqi_cell_point(cells, begin, k), x);
    sum[0] += x[0], sum[1] += x[1], sum[2] += x[2];
  }
  for (int k = 0; k < 3; ++k)
  {
    center[k] = count ? sum[k] / (double)count : (double)NAN;
  }
}

static sq_status centers_of_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  center_job* job = (center_job*)data;
  for (int64_t c = begin; c < end; ++c)
  {
    center_of(job->cells, c, job->centers + 3 * c);
  }
  return SQ_OK;
}

sq_status sq_cell_centers(sq_context* context, const sq_cells* cells, double* centers)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!cells || (!centers && cells->count))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "cell centres: no cells or no output given");
  }
  sqi_phase(context, "Computing cell centers", 0.0, 1.0);
  sq_status s = sqi_check_cells(context, cells, 0);
  if (s == SQ_OK)
  {
    center_job job = { cells, centers };
    s = sqi_parallel_for(context, cells->count, 1 << 13, centers_of_range, &job);
  }
  return s;
}

int32_t sq_cell_dimension(uint8_t type)
{
  return sqk_shape_dimension(sqk_shape_kind(type, 0));
}
