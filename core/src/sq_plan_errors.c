/**
 * How far a plan is from the direct sum, stream by stream: for each target the plan is walked along the way to its leaf, and every
 * entry is summed twice, as the plan does and exactly.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** One a thread: the target that is being looked at. */
typedef struct probe
{
  const sqi_plan_values* values;
  sq_plan_expand expand;
  int64_t position;
  double plan[SQ_PLAN_STREAMS];
  double exact[SQ_PLAN_STREAMS];
  sqi_plan_batch nodes;
  sqi_plan_batch points;
} probe;

static double take(const probe* b, const double x[3], sqi_plan_batch* batch)
{
  double sum = batch->count ? b->values->sums.sum(&b->values->sums.kernel, x, batch) : 0;
  batch->count = 0;
  return sum;
}

static void add_exact(probe* b, int stream, int64_t position)
{
  const double* x = b->values->target_points[b->position];
  sqi_plan_batch_add(&b->points, b->values->source_points[position]);
  if (b->points.count == SQ_KERNEL_BATCH)
  {
    b->exact[stream] += take(b, x, &b->points);
  }
}

/** Exact sum of all points of a source node, into b->exact. */
static void add_node(probe* b, int stream, uint32_t node)
{
  const sqi_plan_tree* s = b->values->sources;
  int64_t last = (int64_t)s->begin[node] + s->range[node];
  for (int64_t p = s->begin[node]; p < last; ++p)
  {
    if (sqi_plan_is_present(s, p))
    {
      add_exact(b, stream, p);
    }
  }
}

static void probe_far(void* data, uint32_t target, const uint32_t* sources, int64_t count)
{
  probe* b = (probe*)data;
  const sqi_plan_values* v = b->values;
  int stream = b->expand ? SQ_PLAN_NEAR_FAR : SQ_PLAN_FAR;
  const double* x = v->target_points[b->position];
  for (int64_t k = 0; k < count; ++k)
  {
    sqi_plan_batch_add(&b->nodes, v->source_nodes[sources[k]]);
    add_node(b, stream, sources[k]);
  }
  b->plan[stream] += take(b, b->expand ? x : v->target_nodes[target], &b->nodes);
  b->exact[stream] += take(b, x, &b->points);
}

static void probe_leaf(void* data, const sqi_plan_leaf_pair* p)
{
  probe* b = (probe*)data;
  const sqi_plan_values* v = b->values;
  const double* x = v->target_points[b->position];
  int64_t k = b->position - v->targets->begin[p->target], begin = v->sources->begin[p->source];
  int64_t range = v->sources->range[p->source];
  if (p->passed[k >> 6] >> (k & 63) & 1)
  {
    sqi_plan_batch_add(&b->nodes, v->source_nodes[p->source]);
    b->plan[SQ_PLAN_NEAR_FAR] += take(b, x, &b->nodes);
    add_node(b, SQ_PLAN_NEAR_FAR, p->source);
    b->exact[SQ_PLAN_NEAR_FAR] += take(b, x, &b->points);
    return;
  }
  SQI_PLAN_FOR_BITS(p->near, range, i, add_exact(b, SQ_PLAN_NEAR, begin + i))
  b->exact[SQ_PLAN_NEAR] += take(b, x, &b->points);
  int stream = b->expand == SQ_PLAN_EXPAND_COMPLETE ? SQ_PLAN_NEAR : SQ_PLAN_FAR_NEAR;
  SQI_PLAN_FOR_BITS(p->far, range, i, {
    add_exact(b, stream, begin + i);
    sqi_plan_batch_add(&b->nodes, v->source_points[begin + i]);
    if (b->nodes.count == SQ_KERNEL_BATCH)
    {
      b->plan[stream] += take(b, v->target_nodes[p->target], &b->nodes);
    }
  })
  b->exact[stream] += take(b, x, &b->points);
  b->plan[stream] += take(b, v->target_nodes[p->target], &b->nodes);
}

static const sqi_plan_visitor probe_visitor = { probe_far, probe_leaf };

/** What is known of one target. */
typedef struct compared
{
  double direct;
  double stream[SQ_PLAN_STREAMS]; /* plan - exact */
} compared;

typedef struct comparing
{
  const sqi_plan_request* request;
  const sqi_plan_values* values;
  sqi_plan_walk walk;
  probe* probes;
  uint32_t* positions; /* of the targets by id */
  const int64_t* ids;
  const double* potential;
  double* direct;
  double* relative;
  compared* targets;
} comparing;

static double relative_error(double phi, double direct)
{
  double difference = fabs(phi - direct);
  return difference == 0.0 ? 0.0 : difference / fabs(direct);
}

static sq_status compare_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  comparing* c = (comparing*)data;
  probe* b = c->probes + thread;
  const sqi_plan_tree* t = &c->request->targets;
  for (int64_t i = begin; i < end; ++i)
  {
    int64_t id = c->ids ? c->ids[i] : i, position = c->positions[id];
    compared* out = c->targets + i;
    memset(out, 0, sizeof(*out));
    int present = sqi_plan_is_present(t, position);
    if (present && c->walk.walkers)
    {
      memset(b->plan, 0, sizeof(b->plan));
      memset(b->exact, 0, sizeof(b->exact));
      b->position = position;
      sqi_plan_walk_to(c->walk.walkers + thread, sqi_plan_leaf_at(t, position), 1);
      for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
      {
        out->direct += b->exact[s];
        out->stream[s] = b->plan[s] - b->exact[s];
      }
    }
    out->direct = present ? out->direct : (double)NAN;
    if (c->direct)
    {
      c->direct[i] = out->direct;
    }
    if (c->relative)
    {
      c->relative[i] = present ? relative_error(c->potential[id], out->direct) : (double)NAN;
    }
  }
  return SQ_OK;
}

static int by_value(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

/** The smallest of sorted values that at least this share does not exceed. */
static double percentile(const double* sorted, int64_t count, int64_t percent)
{
  return count ? sorted[(count * percent + 99) / 100 - 1] : (double)NAN;
}

static double ratio(double error2, double direct2)
{
  return error2 == 0.0 && direct2 > 0.0 ? 0.0 : sqrt(error2 / direct2);
}

/** Sums in the order of the targets; `relative` is scratch. */
static void summarise(const comparing* c, int64_t count, double* relative, sq_plan_errors* e)
{
  double direct2 = 0, error2 = 0, stream2[SQ_PLAN_STREAMS] = { 0 };
  memset(e, 0, sizeof(*e));
  e->worst_target = -1;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t id = c->ids ? c->ids[i] : i;
    const compared* t = c->targets + i;
    if (!sqi_plan_is_present(&c->request->targets, c->positions[id]))
    {
      continue;
    }
    double error = c->potential[id] - t->direct;
    double r = relative_error(c->potential[id], t->direct);
    r = r < (double)INFINITY ? r : (double)INFINITY;
    if (e->worst_target < 0 || r > e->max)
    {
      e->max = r;
      e->worst_target = id;
    }
    relative[e->compared++] = r;
    direct2 += t->direct * t->direct;
    error2 += error * error;
    for (int s = 1; s < SQ_PLAN_STREAMS; ++s)
    {
      stream2[s] += t->stream[s] * t->stream[s];
    }
  }
  qsort(relative, (size_t)e->compared, sizeof(*relative), by_value);
  e->max = e->compared ? e->max : (double)NAN;
  e->rms = ratio(error2, direct2);
  e->near_far = ratio(stream2[SQ_PLAN_NEAR_FAR], direct2);
  e->far_near = ratio(stream2[SQ_PLAN_FAR_NEAR], direct2);
  e->far = ratio(stream2[SQ_PLAN_FAR], direct2);
  e->percentile_50 = percentile(relative, e->compared, 50);
  e->percentile_90 = percentile(relative, e->compared, 90);
  e->percentile_99 = percentile(relative, e->compared, 99);
}

static sq_status begin_walk(sq_context* context, comparing* c)
{
  const sqi_plan_request* r = c->request;
  int32_t threads = sq_context_threads(context);
  sq_status status = sqi_plan_walk_begin(
    context, &r->targets, r->sources, r->options.theta, INT64_MAX, threads, &c->walk);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &c->probes, threads);
  }
  for (int32_t k = 0; k < threads && status == SQ_OK; ++k)
  {
    memset(c->probes + k, 0, sizeof(*c->probes));
    c->probes[k].values = c->values;
    c->probes[k].expand = r->options.expand;
    if (c->walk.walkers)
    {
      c->walk.walkers[k].visitor = &probe_visitor;
      c->walk.walkers[k].data = c->probes + k;
    }
  }
  return status;
}

static sq_status compare(sq_context* context, comparing* c, int64_t count, sq_plan_errors* errors)
{
  const sqi_plan_tree* t = &c->request->targets;
  double* relative = NULL;
  sq_status status = begin_walk(context, c);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &c->positions, t->point_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &c->targets, count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &relative, count + 1);
  }
  for (int64_t p = 0; p < t->point_count && status == SQ_OK; ++p)
  {
    c->positions[t->order[p]] = (uint32_t)p;
  }
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, count, 1, compare_body, c);
  }
  if (status == SQ_OK && errors)
  {
    summarise(c, count, relative, errors);
  }
  SQI_FREE(context, c->positions, t->point_count);
  SQI_FREE(context, c->targets, count);
  SQI_FREE(context, relative, count + 1);
  SQI_FREE(context, c->probes, c->walk.threads);
  sqi_plan_walk_end(context, &c->walk);
  return status;
}

sq_status sq_plan_measure_errors(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, const sq_plan_field* field,
  const double* potential, const int64_t* ids, int64_t count, double* direct, double* relative,
  sq_plan_errors* errors)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_plan_request r;
  sqi_plan_values v;
  memset(&v, 0, sizeof(v));
  sq_status status = sqi_plan_request_begin(context, "plan errors", targets, sources, options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_phase(context, "Comparing with the direct sum", 0.02, 1.0);
  status = sqi_plan_check_targets(context, "plan errors", &r.targets, ids, &count);
  if (status == SQ_OK && !potential && count)
  {
    status = sqi_fail(context, SQ_INVALID_ARGUMENT, "plan errors: no potential given");
  }
  if (status == SQ_OK)
  {
    status = sqi_plan_values_begin(context, "plan errors", &r, field, 1, &v);
  }
  if (status == SQ_OK)
  {
    comparing c = { .request = &r,
      .values = &v,
      .ids = ids,
      .potential = potential,
      .direct = direct,
      .relative = relative };
    status = compare(context, &c, count, errors);
  }
  sqi_plan_values_end(context, &v);
  sqi_plan_request_end(context, &r);
  return status;
}
