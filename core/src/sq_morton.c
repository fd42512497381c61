#include "spatialqueries/sq_morton.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_morton.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

/** Points of one chunk. */
#define CHUNK (1 << 14)

typedef struct morton_job
{
  const sq_points* points;
  sqi_extremes* extremes; /* one a thread */
  sqi_morton morton;
  int64_t* codes;
} morton_job;

SQI_REAL void read_point(sq_type type, int32_t dimension, const void* data, int64_t i, double* x)
{
  for (int32_t d = 0; d < dimension; ++d)
  {
    x[d] = sqi_real(data, type, i * dimension + d);
  }
}

SQI_REAL sq_status find_extremes(
  sq_type type, int32_t dimension, morton_job* job, int64_t begin, int64_t end, int32_t thread)
{
  sqi_extremes e = job->extremes[thread];
  for (int64_t i = begin; i < end; ++i)
  {
    double x[SQI_MORTON_DIMENSIONS];
    read_point(type, dimension, job->points->data, i, x);
    sqi_extremes_add(&e, dimension, x);
  }
  job->extremes[thread] = e;
  return SQ_OK;
}

SQI_REAL sq_status write_codes(
  sq_type type, int32_t dimension, morton_job* job, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[SQI_MORTON_DIMENSIONS];
    read_point(type, dimension, job->points->data, i, x);
    job->codes[i] = (int64_t)sqi_morton_code(&job->morton, type, dimension, x);
  }
  return SQ_OK;
}

/** SQI_BY_REAL for up to four coordinates. */
#define BY_REAL(function, job, ...)                                                              \
  ((job)->points->dimension < 4                                                                  \
      ? SQI_BY_REAL(function, (job)->points->type, (job)->points->dimension, (job), __VA_ARGS__) \
      : (job)->points->type == SQ_FLOAT32 ? function(SQ_FLOAT32, 4, (job), __VA_ARGS__)          \
                                          : function(SQ_FLOAT64, 4, (job), __VA_ARGS__))

static sq_status extremes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  morton_job* job = (morton_job*)data;
  return BY_REAL(find_extremes, job, begin, end, thread);
}

static sq_status codes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  morton_job* job = (morton_job*)data;
  return BY_REAL(write_codes, job, begin, end, thread);
}

sq_status sq_morton_codes(sq_context* context, const sq_points* points, int64_t* codes)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status status = sqi_check_points_of(context, points, "points", 1, SQI_MORTON_DIMENSIONS);
  if (status == SQ_OK && points->count && !codes)
  {
    status = sqi_fail(context, SQ_INVALID_ARGUMENT, "Morton codes: no output given");
  }
  if (status != SQ_OK || !points->count)
  {
    return status;
  }
  int32_t threads = sq_context_threads(context);
  morton_job job = { .points = points, .codes = codes };
  status = SQI_NEW(context, &job.extremes, threads);
  if (status == SQ_OK)
  {
    sqi_extremes_clear(job.extremes, threads);
    sqi_phase(context, "Computing Morton codes", 0.0, 0.4);
    status = sqi_parallel_for(context, points->count, CHUNK, extremes_body, &job);
  }
  if (status == SQ_OK)
  {
    sqi_extremes_join(job.extremes, threads);
    job.morton = sqi_morton_of(job.extremes, points->type, points->dimension);
    sqi_phase(context, "Computing Morton codes", 0.4, 1.0);
    status = sqi_parallel_for(context, points->count, CHUNK, codes_body, &job);
  }
  SQI_FREE(context, job.extremes, threads);
  return status;
}
