#include "spatialqueries/sq_cells.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_vector.h"

/** The best of what one thread has seen. */
typedef struct nearest
{
  double distance2;
  int64_t id;
} nearest;

typedef struct nearest_job
{
  const sq_points* points;
  double x[3];
  nearest* best; /* one a thread */
} nearest_job;

/** Of equals the lowest id, so the order in which they are seen does not matter. */
static void improve(nearest* best, double distance2, int64_t id)
{
  if (best->id < 0 || distance2 < best->distance2 ||
    (distance2 == best->distance2 && id < best->id))
  {
    best->distance2 = distance2;
    best->id = id;
  }
}

static sq_status nearest_of_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  nearest_job* job = (nearest_job*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    double p[3], d[3];
    sqi_point_padded(job->points, i, p);
    if (0.0 * p[0] + 0.0 * p[1] + 0.0 * p[2] == 0.0)
    {
      sqk_sub3(p, job->x, d);
      improve(job->best + thread, sqk_dot3(d, d), i);
    }
  }
  return SQ_OK;
}

sq_status sq_nearest_point(
  sq_context* context, const sq_points* points, const double x[3], int64_t* id)
{
  if (id)
  {
    *id = -1;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!x || !id)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "nearest point: no place or no output given");
  }
  sqi_phase(context, "Searching", 0.0, 1.0);
  sq_status s = sqi_check_points_of(context, points, "points", 1, 3);
  if (s != SQ_OK)
  {
    return s;
  }
  nearest_job job = { points, { 0.0, 0.0, 0.0 }, NULL };
  double spoilt = 0.0;
  for (int32_t k = 0; k < points->dimension; ++k)
  {
    job.x[k] = x[k];
    spoilt += 0.0 * x[k];
  }
  if (spoilt != 0.0)
  {
    return SQ_OK;
  }
  int32_t threads = sq_context_threads(context);
  s = SQI_NEW(context, &job.best, threads);
  for (int32_t t = 0; s == SQ_OK && t < threads; ++t)
  {
    job.best[t].id = -1;
  }
  s = s == SQ_OK ? sqi_parallel_for(context, points->count, 1 << 14, nearest_of_range, &job) : s;
  nearest best = { 0.0, -1 };
  for (int32_t t = 0; s == SQ_OK && t < threads; ++t)
  {
    if (job.best[t].id >= 0)
    {
      improve(&best, job.best[t].distance2, job.best[t].id);
    }
  }
  SQI_FREE(context, job.best, threads);
  *id = best.id;
  return s;
}
