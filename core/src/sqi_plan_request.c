#include "sqi_plan_request.h"
#include "sqi_context.h"
#include "sqi_real.h"

#include <string.h>

sq_plan_options sq_plan_options_default(void)
{
  sq_plan_options o = { SQ_PLAN_THETA_DEFAULT, SQ_PLAN_EXPAND_OFF, SQ_NON_FINITE_REJECT,
    SQ_PLAN_MAX_BYTES_DEFAULT };
  return o;
}

static sq_status check_options(sq_context* context, const char* what, const sq_plan_options* o)
{
  if (!(sqi_is_finite(o->theta) && o->theta >= SQ_PLAN_THETA_MIN))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: theta is %g; allowed are finite numbers from 0 on", what, o->theta);
  }
  if (o->expand < SQ_PLAN_EXPAND_OFF || o->expand > SQ_PLAN_EXPAND_COMPLETE)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: expand is %d; allowed are 0 (off), 1 (as the reference) and 2 (complete)", what,
      (int)o->expand);
  }
  if (o->non_finite != SQ_NON_FINITE_REJECT && o->non_finite != SQ_NON_FINITE_KEEP)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: non_finite is %d; allowed are 0 (reject) and 1 (keep)", what, (int)o->non_finite);
  }
  return SQ_OK;
}

static int64_t first_skipped(const sq_cluster_tree_view* v)
{
  for (int64_t i = 0; i < v->point_count; ++i)
  {
    for (int32_t d = 0; d < v->dimension; ++d)
    {
      if (!sqi_is_finite(sqi_real(v->source_points, v->type, i * v->dimension + d)))
      {
        return i;
      }
    }
  }
  return -1;
}

static sq_status check_skipped(sq_context* context, const char* what, const char* side,
  const sq_plan_options* o, const sq_cluster_tree_view* v)
{
  if (v->skipped_points && o->non_finite == SQ_NON_FINITE_REJECT)
  {
    return sqi_fail(context, SQ_INVALID_DATA,
      "%s: point %lld of the %s is not finite (%lld in all); non_finite 1 skips them", what,
      (long long)first_skipped(v), side, (long long)v->skipped_points);
  }
  return SQ_OK;
}

static sq_status check_trees(sq_context* context, const char* what, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* o)
{
  sq_cluster_tree_view t, s;
  if (sq_cluster_tree_get_view(targets, &t) != SQ_OK)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no target tree given", what);
  }
  if (sq_cluster_tree_get_view(sources, &s) != SQ_OK)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no source tree given", what);
  }
  if (t.dimension != s.dimension)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: targets have %d coordinates, sources %d; both must have the same", what,
      (int)t.dimension, (int)s.dimension);
  }
  if (t.type != s.type)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: targets are %s, sources %s; both must have the same type", what,
      t.type == SQ_FLOAT32 ? "float32" : "float64", s.type == SQ_FLOAT32 ? "float32" : "float64");
  }
  sq_status status = check_skipped(context, what, "targets", o, &t);
  return status == SQ_OK ? check_skipped(context, what, "sources", o, &s) : status;
}

sq_status sqi_plan_request_begin(sq_context* context, const char* what,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources, const sq_plan_options* options,
  sqi_plan_request* request)
{
  memset(request, 0, sizeof(*request));
  sqi_begin(context);
  sq_plan_options o = options ? *options : sq_plan_options_default();
  sq_status status = check_options(context, what, &o);
  if (status == SQ_OK)
  {
    status = check_trees(context, what, targets, sources, &o);
  }
  if (status != SQ_OK)
  {
    return status;
  }
  request->options = o;
  request->self = targets == sources;
  sqi_phase(context, "Reading trees", 0.0, 0.02);
  status = sqi_plan_tree_build(context, targets, "targets", &request->targets);
  if (status == SQ_OK && !request->self)
  {
    status = sqi_plan_tree_build(context, sources, "sources", &request->own_sources);
  }
  request->sources = request->self ? &request->targets : &request->own_sources;
  if (status != SQ_OK)
  {
    sqi_plan_request_end(context, request);
  }
  return status;
}

void sqi_plan_request_end(sq_context* context, sqi_plan_request* request)
{
  sqi_plan_tree_release(context, &request->targets);
  sqi_plan_tree_release(context, &request->own_sources);
  memset(request, 0, sizeof(*request));
}
