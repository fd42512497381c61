/** How evenly work is spread: largest over mean, and the Gini coefficient (Gini 1912, "Variabilita e mutabilita"). */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_real.h"

#include "spatialqueries/sq_plan.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static int is_present(const sq_cluster_tree_view* v, int64_t id)
{
  int present = 1;
  for (int32_t d = 0; d < v->dimension && v->skipped_points; ++d)
  {
    present &= sqi_is_finite(sqi_real(v->source_points, v->type, id * v->dimension + d));
  }
  return present;
}

static sq_plan_load measure(double* sorted, int64_t count)
{
  double sum = 0, weighted = 0, n = (double)count;
  qsort(sorted, (size_t)count, sizeof(*sorted), by_value);
  for (int64_t i = 0; i < count; ++i)
  {
    sum += sorted[i];
    weighted += (double)(i + 1) * sorted[i];
  }
  sq_plan_load load = { (double)NAN, (double)NAN };
  if (sum > 0)
  {
    load.max_over_mean = sorted[count - 1] / (sum / n);
    load.gini = 2 * weighted / (n * sum) - (n + 1) / n;
    load.gini = load.gini < 0 ? 0 : load.gini; /* all equal, but for rounding */
  }
  return load;
}

sq_status sq_plan_measure_load(
  sq_context* context, const sq_cluster_tree* targets, const double* work, sq_plan_load* load)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_cluster_tree_view v;
  if (sq_cluster_tree_get_view(targets, &v) != SQ_OK)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "load: no target tree given");
  }
  if (!load || (!work && v.point_count))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "load: no %s given", load ? "work" : "output");
  }
  double* sorted = NULL;
  int64_t count = 0;
  sq_status status = SQI_NEW(context, &sorted, v.point_count + 1);
  for (int64_t i = 0; i < v.point_count && status == SQ_OK; ++i)
  {
    if (!(work[i] >= 0 && sqi_is_finite(work[i])))
    {
      status = sqi_fail(context, SQ_INVALID_ARGUMENT,
        "load: work[%lld] is %g; allowed are finite numbers from 0 on", (long long)i, work[i]);
    }
    else if (is_present(&v, i))
    {
      sorted[count++] = work[i];
    }
  }
  if (status == SQ_OK)
  {
    *load = measure(sorted, count);
  }
  SQI_FREE(context, sorted, v.point_count + 1);
  return status;
}
