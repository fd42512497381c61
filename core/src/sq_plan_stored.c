/**
 * Potentials from the arrays of a plan. The streams are sorted by source, so targets repeat: a fixed number of slices of every stream
 * add to sums of their own, which are added in their order. So the result does not depend on the threads.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_check.h"
#include "sqi_plan_evaluate.h"

#include <string.h>

#define SLICES 8
/** Entries of a slice between two polls. */
#define STRIDE (1 << 17)

/** One stream: whom it reads and whom it writes. */
typedef struct plan_stream
{
  int64_t count;
  const int64_t* targets;
  const int64_t* sources;
  sqi_plan_item* target_items;
  sqi_plan_item* source_items;
  const uint32_t* target_places; /* of ids; NULL: they are nodes */
  const uint32_t* source_places;
} plan_stream;

typedef struct stored
{
  const sq_plan_view* view;
  const sqi_plan_values* values;
  uint32_t* target_positions;
  uint32_t* source_positions;
  double* sums; /* SLICES x (positions and nodes of the target tree) */
  int64_t length;
  plan_stream stream;
  int which;
  int64_t round;
} stored;

static int64_t place_of(const uint32_t* places, int64_t id)
{
  return places ? places[id] : id;
}

/** Up to SQ_KERNEL_BATCH entries: kernel of the displacements, then to their targets. */
static void add_entries(const stored* s, int64_t first, int64_t count, double* sums)
{
  const plan_stream* m = &s->stream;
  const double origin[3] = { 0, 0, 0 };
  double kernel[SQ_KERNEL_BATCH];
  sqi_plan_batch b;
  memset(&b, 0, sizeof(b));
  b.count = count;
  for (int64_t i = 0; i < count; ++i)
  {
    const double* x = m->target_items[place_of(m->target_places, m->targets[first + i])];
    const double* y = m->source_items[place_of(m->source_places, m->sources[first + i])];
    for (int axis = 0; axis < 3; ++axis)
    {
      b.x[axis][i] = x[axis] - y[axis];
    }
    b.strength[i] = y[3];
  }
  s->values->sums.values(&s->values->sums.kernel, &b, origin, kernel);
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t e = first + i;
    double value = b.strength[i] * kernel[i];
    if (s->which != SQ_PLAN_FAR_NEAR)
    {
      sums[place_of(m->target_places, m->targets[e])] += value;
      continue;
    }
    const int64_t* list = s->view->fn_broadcast_targets + s->view->fn_broadcast_starts[e];
    for (int64_t k = 0; k < s->view->fn_broadcast_counts[e]; ++k)
    {
      sums[s->target_positions[list[k]]] += value;
    }
  }
}

static sq_status slice_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const stored* s = (const stored*)data;
  int64_t points = s->values->targets->point_count;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t n = s->stream.count;
    int64_t first = n / SLICES * slice + (slice < n % SLICES ? slice : n % SLICES);
    int64_t last = first + n / SLICES + (slice < n % SLICES);
    first += s->round * STRIDE;
    last = first + STRIDE < last ? first + STRIDE : last;
    double* sums = s->sums + s->length * slice + (s->which == SQ_PLAN_FAR ? points : 0);
    for (int64_t e = first; e < last; e += SQ_KERNEL_BATCH)
    {
      add_entries(s, e, last - e < SQ_KERNEL_BATCH ? last - e : SQ_KERNEL_BATCH, sums);
    }
  }
  return SQ_OK;
}

static void set_stream(stored* s, int which)
{
  const sq_plan_view* v = s->view;
  const sqi_plan_values* f = s->values;
  const plan_stream streams[SQ_PLAN_STREAMS] = {
    { v->near_count, v->near_target_ids, v->near_source_ids, f->target_points, f->source_points,
      s->target_positions, s->source_positions },
    { v->nf_count, v->nf_target_ids, v->nf_source_node_ids, f->target_points, f->source_nodes,
      s->target_positions, NULL },
    { v->fn_count, v->fn_target_node_ids, v->fn_source_ids, f->target_nodes, f->source_points, NULL,
      s->source_positions },
    { v->far_count, v->far_target_node_ids, v->far_source_node_ids, f->target_nodes,
      f->source_nodes, NULL, NULL },
  };
  s->stream = streams[which];
  s->which = which;
}

/** Sums of the slices in their order. */
static sq_status add_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const stored* s = (const stored*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    for (int slice = 1; slice < SLICES; ++slice)
    {
      s->sums[i] += s->sums[s->length * slice + i];
    }
  }
  return SQ_OK;
}

/** In the reference's order of streams. */
static sq_status add_streams(sq_context* context, stored* s)
{
  const int order[SQ_PLAN_STREAMS] = { SQ_PLAN_NEAR, SQ_PLAN_FAR, SQ_PLAN_NEAR_FAR,
    SQ_PLAN_FAR_NEAR };
  sq_status status = SQ_OK;
  for (int k = 0; k < SQ_PLAN_STREAMS; ++k)
  {
    set_stream(s, order[k]);
    int64_t rounds = (s->stream.count / SLICES + STRIDE) / STRIDE;
    for (s->round = 0; s->round < rounds && status == SQ_OK; ++s->round)
    {
      double done = (double)s->round / (double)rounds;
      sqi_phase(context, "Evaluating plan", 0.2 + 0.2 * (k + done), 0.2 + 0.2 * (k + 1));
      status = sqi_parallel_for(context, SLICES, 1, slice_body, s);
    }
  }
  return status == SQ_OK ? sqi_parallel_for(context, s->length, 1 << 14, add_body, s) : status;
}

static void invert(const sqi_plan_tree* tree, uint32_t* positions)
{
  for (int64_t p = 0; p < tree->point_count; ++p)
  {
    positions[tree->order[p]] = (uint32_t)p;
  }
}

static sq_status evaluate(sq_context* context, stored* s, double* out)
{
  const sqi_plan_tree *t = s->values->targets, *sources = s->values->sources;
  s->length = t->point_count + t->node_count;
  sq_status status = SQI_NEW(context, &s->target_positions, t->point_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &s->source_positions, sources->point_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &s->sums, SLICES * s->length);
  }
  if (status == SQ_OK && s->sums)
  {
    memset(s->sums, 0, (size_t)(SLICES * s->length) * sizeof(*s->sums));
    invert(t, s->target_positions);
    invert(sources, s->source_positions);
    status = add_streams(context, s);
  }
  if (status == SQ_OK)
  {
    status = sqi_plan_spread(context, t, s->sums, s->sums ? s->sums + t->point_count : NULL, out);
  }
  SQI_FREE(context, s->target_positions, t->point_count);
  SQI_FREE(context, s->source_positions, sources->point_count);
  SQI_FREE(context, s->sums, SLICES * s->length);
  return status;
}

static sq_status check(
  sq_context* context, const sqi_plan_request* r, const sq_plan_view* plan, const double* potential)
{
  const sqi_plan_limits limits = { r->targets.point_count, r->sources->point_count,
    r->targets.node_count, r->sources->node_count };
  if (!plan || (!potential && r->targets.point_count))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "potential: no %s given", plan ? "output" : "plan");
  }
  return sqi_plan_check_ranges(context, plan, &limits);
}

sq_status sq_plan_evaluate_stored(sq_context* context, const sq_plan_view* plan,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources, const sq_plan_field* field,
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
  sq_status status = sqi_plan_request_begin(context, "potential", targets, sources, &options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_phase(context, "Evaluating plan", 0.02, 0.2);
  status = check(context, &r, plan, potential);
  if (status == SQ_OK)
  {
    status = sqi_plan_values_begin(context, "potential", &r, field, 1, &v);
  }
  if (status == SQ_OK)
  {
    stored s;
    memset(&s, 0, sizeof(s));
    s.view = plan;
    s.values = &v;
    status = evaluate(context, &s, potential);
  }
  sqi_plan_values_end(context, &v);
  sqi_plan_request_end(context, &r);
  return status;
}
