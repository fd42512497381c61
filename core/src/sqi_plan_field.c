#include "sqi_plan_field.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_real.h"

#include <string.h>

#define GRAIN 8192

sq_kernel sq_kernel_default(void)
{
  sq_kernel k = { SQ_KERNEL_INVERSE, 1.0, NULL, NULL };
  return k;
}

sq_status sqi_plan_sums_begin(
  sq_context* context, const char* what, const sq_kernel* kernel, sqi_plan_sums* sums)
{
  memset(sums, 0, sizeof(*sums));
  if (kernel->kind < SQ_KERNEL_INVERSE || kernel->kind > SQ_KERNEL_FUNCTION)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: kernel is %d; allowed are 1 to 6", what,
      (int)kernel->kind);
  }
  int scaled = kernel->kind == SQ_KERNEL_GAUSSIAN || kernel->kind == SQ_KERNEL_REGULARISED;
  if (scaled && !(kernel->length > 0 && sqi_is_finite(kernel->length)))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: the length of the kernel is %g; allowed are finite numbers above 0", what,
      kernel->length);
  }
  if (kernel->kind == SQ_KERNEL_FUNCTION && !kernel->function)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no kernel function given", what);
  }
  sums->kernel = *kernel;
  sums->sum = SQI_LEVEL_CHOOSE(sqi_plan_sum);
  sums->values = SQI_LEVEL_CHOOSE(sqi_plan_values);
  return SQ_OK;
}

typedef struct filling
{
  const sqi_plan_tree* tree;
  const sq_plan_field* field;
  int with_strengths;
  const double* prefix; /* of the strengths, by position */
  const sq_aggregates_view* aggregates;
  sqi_plan_item* points;
  sqi_plan_item* nodes;
} filling;

static double strength_at(const filling* f, int64_t position)
{
  if (!sqi_plan_is_present(f->tree, position))
  {
    return 0.0;
  }
  return f->field->strengths
    ? sqi_real(f->field->strengths, f->field->strength_type, f->tree->order[position])
    : 1.0;
}

static sq_status fill_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  filling* f = (filling*)data;
  for (int64_t p = begin; p < end; ++p)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      f->points[p][axis] = sqi_real(f->tree->coordinates[axis], f->tree->type, p);
    }
    f->points[p][3] = f->with_strengths ? strength_at(f, p) : 0.0;
  }
  return SQ_OK;
}

static sq_status fill_nodes(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  filling* f = (filling*)data;
  const sq_aggregates_view* a = f->aggregates;
  for (int64_t n = begin; n < end; ++n)
  {
    for (int32_t axis = 0; axis < 3; ++axis)
    {
      f->nodes[n][axis] =
        axis < a->dimension ? sqi_real(a->node_centroid, a->type, n * a->dimension + axis) : 0.0;
    }
    f->nodes[n][3] = 0.0;
    if (f->with_strengths)
    {
      int64_t first = f->tree->begin[n], last = first + f->tree->range[n];
      double sum = f->prefix[last] - f->prefix[first];
      f->nodes[n][3] = f->field->strengths ? sqi_rounded(f->field->strength_type, sum) : sum;
    }
  }
  return SQ_OK;
}

/** Sequential sums in double, as the reference's; skipped points count 0. */
static sq_status sum_strengths(sq_context* context, const filling* f, double** prefix)
{
  int64_t count = f->tree->point_count;
  sq_status status = SQI_NEW(context, prefix, count + 1);
  double sum = 0;
  for (int64_t p = 0; p <= count && status == SQ_OK; ++p)
  {
    (*prefix)[p] = sum;
    sum += p < count ? strength_at(f, p) : 0.0;
  }
  return status;
}

static sq_status fill(
  sq_context* context, filling* f, int nodes, sqi_plan_item** points_out, sqi_plan_item** nodes_out)
{
  double* prefix = NULL;
  sq_status status = SQI_NEW(context, points_out, f->tree->point_count);
  if (status == SQ_OK && nodes)
  {
    status = SQI_NEW(context, nodes_out, f->tree->node_count);
  }
  if (status == SQ_OK && nodes && f->with_strengths)
  {
    status = sum_strengths(context, f, &prefix);
  }
  f->points = *points_out;
  f->nodes = *nodes_out;
  f->prefix = prefix;
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, f->tree->point_count, GRAIN, fill_points, f);
  }
  if (status == SQ_OK && nodes)
  {
    status = sqi_parallel_for(context, f->tree->node_count, GRAIN, fill_nodes, f);
  }
  SQI_FREE(context, prefix, f->tree->point_count + 1);
  return status;
}

static sq_status check_aggregates(sq_context* context, const char* what, const char* side,
  const sq_aggregates* aggregates, const sqi_plan_tree* tree, sq_aggregates_view* view)
{
  if (sq_aggregates_get_view(aggregates, view) != SQ_OK)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no %s_aggregates given", what, side);
  }
  if (view->node_count != tree->node_count || view->dimension != tree->view.dimension)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: %s_aggregates have %lld nodes of %d coordinates, the %s tree %lld of %d", what, side,
      (long long)view->node_count, (int)view->dimension, side, (long long)tree->node_count,
      (int)tree->view.dimension);
  }
  return SQ_OK;
}

static sq_status begin(sq_context* context, const char* what, const sqi_plan_request* r,
  const sq_plan_field* field, int nodes, sqi_plan_values* v)
{
  sq_aggregates_view source_view, target_view;
  memset(&source_view, 0, sizeof(source_view));
  memset(&target_view, 0, sizeof(target_view));
  int own_centroids = nodes && (!r->self || field->target_aggregates);
  sq_status status = sqi_plan_sums_begin(context, what, &field->kernel, &v->sums);
  if (status == SQ_OK && field->strengths && field->strength_type != SQ_FLOAT32 &&
    field->strength_type != SQ_FLOAT64)
  {
    status = sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: strengths are of type %d; allowed are float32 (0) and float64 (1)", what,
      (int)field->strength_type);
  }
  if (status == SQ_OK && nodes)
  {
    status =
      check_aggregates(context, what, "source", field->source_aggregates, r->sources, &source_view);
  }
  if (status == SQ_OK && own_centroids)
  {
    status = check_aggregates(
      context, what, "target", field->target_aggregates, &r->targets, &target_view);
  }
  if (status == SQ_OK)
  {
    filling f = { r->sources, field, 1, NULL, &source_view, NULL, NULL };
    status = fill(context, &f, nodes, &v->source_points, &v->source_nodes);
  }
  v->target_points = r->self ? v->source_points : NULL;
  v->target_nodes = own_centroids ? NULL : v->source_nodes;
  if (status == SQ_OK && (own_centroids || !r->self))
  {
    /* Points of the one tree again where only its centroids differ. */
    filling f = { &r->targets, field, 0, NULL, &target_view, NULL, NULL };
    v->target_points = NULL;
    status = fill(context, &f, nodes, &v->target_points, &v->target_nodes);
  }
  return status;
}

sq_status sqi_plan_values_begin(sq_context* context, const char* what,
  const sqi_plan_request* request, const sq_plan_field* field, int nodes, sqi_plan_values* values)
{
  memset(values, 0, sizeof(*values));
  if (!field)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no field given", what);
  }
  values->targets = &request->targets;
  values->sources = request->sources;
  sq_status status = begin(context, what, request, field, nodes, values);
  if (status != SQ_OK)
  {
    sqi_plan_values_end(context, values);
  }
  return status;
}

void sqi_plan_values_end(sq_context* context, sqi_plan_values* v)
{
  if (v->target_points != v->source_points)
  {
    SQI_FREE(context, v->target_points, v->targets->point_count);
  }
  if (v->target_nodes != v->source_nodes)
  {
    SQI_FREE(context, v->target_nodes, v->targets->node_count);
  }
  if (v->sources)
  {
    SQI_FREE(context, v->source_points, v->sources->point_count);
    SQI_FREE(context, v->source_nodes, v->sources->node_count);
  }
  memset(v, 0, sizeof(*v));
}
