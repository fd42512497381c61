/** Exact sums at chosen targets. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_evaluate.h"
#include "sqi_real.h"

#include <math.h>
#include <string.h>

int64_t sq_plan_spread_targets(int64_t point_count, int64_t wanted, int64_t* ids)
{
  int64_t count = wanted <= 0 || wanted > point_count ? point_count : wanted;
  double step = count > 1 ? (double)(point_count - 1) / (double)(count - 1) : 0;
  for (int64_t i = 0; i < count && ids; ++i)
  {
    int64_t id = count == point_count ? i : (int64_t)((double)i * step);
    ids[i] = i == count - 1 && i > 0 ? point_count - 1 : id;
  }
  return count;
}

sq_status sqi_plan_check_targets(sq_context* context, const char* what, const sqi_plan_tree* tree,
  const int64_t* ids, int64_t* count)
{
  if (!ids)
  {
    *count = tree->point_count;
    return SQ_OK;
  }
  if (*count < 0)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: %lld targets asked for; allowed are 0 and more", what, (long long)*count);
  }
  for (int64_t i = 0; i < *count; ++i)
  {
    if (ids[i] < 0 || ids[i] >= tree->point_count)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "%s: target %lld (number %lld of the list) is none; there are %lld", what,
        (long long)ids[i], (long long)i, (long long)tree->point_count);
    }
  }
  return SQ_OK;
}

typedef struct direct
{
  const sqi_plan_values* values;
  const int64_t* ids;
  sqi_plan_batch* batches; /* of all sources */
  int64_t batch_count;
  double* out;
} direct;

static void fill_batches(direct* d)
{
  const sqi_plan_tree* s = d->values->sources;
  int64_t at = 0;
  for (int64_t p = 0; p < s->point_count; ++p)
  {
    if (sqi_plan_is_present(s, p))
    {
      sqi_plan_batch_add(d->batches + at / SQ_KERNEL_BATCH, d->values->source_points[p]);
      ++at;
    }
  }
}

static sq_status direct_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const direct* d = (const direct*)data;
  const sqi_plan_tree* t = d->values->targets;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t id = d->ids ? d->ids[i] : i;
    double x[3] = { 0, 0, 0 }, sum = 0;
    int finite = 1;
    for (int32_t axis = 0; axis < t->view.dimension; ++axis)
    {
      x[axis] = sqi_real(t->view.source_points, t->type, id * t->view.dimension + axis);
      finite &= sqi_is_finite(x[axis]);
    }
    for (int64_t b = 0; b < d->batch_count && finite; ++b)
    {
      sum += d->values->sums.sum(&d->values->sums.kernel, x, d->batches + b);
    }
    d->out[i] = finite ? sum : (double)NAN;
  }
  return SQ_OK;
}

static sq_status run(sq_context* context, direct* d, int64_t count)
{
  d->batch_count = (d->values->sources->finite_count + SQ_KERNEL_BATCH - 1) / SQ_KERNEL_BATCH;
  sq_status status = SQI_NEW(context, &d->batches, d->batch_count);
  if (status == SQ_OK)
  {
    if (d->batches)
    {
      memset(d->batches, 0, (size_t)d->batch_count * sizeof(*d->batches));
    }
    fill_batches(d);
    status = sqi_parallel_for(context, count, 1, direct_body, d);
  }
  SQI_FREE(context, d->batches, d->batch_count);
  return status;
}

sq_status sq_plan_direct_sum(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_field* field, const int64_t* ids, int64_t count,
  double* potential)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sq_plan_options options = sq_plan_options_default();
  options.non_finite = SQ_NON_FINITE_KEEP;
  sqi_plan_request r;
  sqi_plan_values v;
  memset(&v, 0, sizeof(v));
  sq_status status = sqi_plan_request_begin(context, "direct sum", targets, sources, &options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_phase(context, "Summing directly", 0.02, 1.0);
  status = sqi_plan_check_targets(context, "direct sum", &r.targets, ids, &count);
  if (status == SQ_OK && !potential && count)
  {
    status = sqi_fail(context, SQ_INVALID_ARGUMENT, "direct sum: no output given");
  }
  if (status == SQ_OK)
  {
    status = sqi_plan_values_begin(context, "direct sum", &r, field, 0, &v);
  }
  if (status == SQ_OK)
  {
    direct d = { &v, ids, NULL, 0, potential };
    status = run(context, &d, count);
  }
  sqi_plan_values_end(context, &v);
  sqi_plan_request_end(context, &r);
  return status;
}
