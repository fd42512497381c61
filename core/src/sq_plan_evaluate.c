/** Potentials without a plan: the visitor that sums, and direct sums. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_evaluate.h"

#include <math.h>
#include <string.h>

/** Fewer than for counting: a unit may meet all sources point by point. */
#define UNIT_POINTS 64
#define GRAIN 8192

/** One a thread; results are shared, and a unit has its targets to itself. */
typedef struct summer
{
  const sqi_plan_walker* walker; /* says which targets are the unit's own */
  const sqi_plan_values* values;
  sq_plan_expand expand;
  double* potential; /* by position of the target */
  double* node_potential; /* of all targets of a node */
  sqi_plan_batch batch;
} summer;

/** The words of a target mask that are the unit's own: all, but of a leaf that is split. */
typedef struct own_words
{
  int64_t first;
  int64_t bits; /* from there on */
  int64_t begin; /* position of the first bit */
} own_words;

static own_words own_of(const summer* s, uint32_t target)
{
  int64_t begin = s->values->targets->begin[target];
  int64_t last = begin + s->values->targets->range[target];
  int64_t from = s->walker->from > begin ? s->walker->from : begin;
  last = s->walker->to < last ? s->walker->to : last;
  own_words o = { (from - begin) / 64, last - from, from };
  return o;
}

/** Adds a batch to every target that a leaf pair keeps. */
static void add_to_kept(summer* s, const sqi_plan_leaf_pair* p)
{
  const sqi_plan_values* v = s->values;
  own_words o = own_of(s, p->target);
  SQI_PLAN_FOR_BITS(p->kept + o.first, o.bits, k, {
    s->potential[o.begin + k] +=
      v->sums.sum(&v->sums.kernel, v->target_points[o.begin + k], &s->batch);
  })
  s->batch.count = 0;
}

static void sum_near(summer* s, const sqi_plan_leaf_pair* p, const uint64_t* sources)
{
  const sqi_plan_values* v = s->values;
  int64_t begin = v->sources->begin[p->source];
  s->batch.count = 0;
  SQI_PLAN_FOR_BITS(sources, v->sources->range[p->source], k, {
    sqi_plan_batch_add(&s->batch, v->source_points[begin + k]);
    if (s->batch.count == SQ_KERNEL_BATCH)
    {
      add_to_kept(s, p);
    }
  })
  if (s->batch.count)
  {
    add_to_kept(s, p);
  }
}

/** Far-near: one sum at the centroid of the targets, the same for all that are kept. */
static void sum_far_near(summer* s, const sqi_plan_leaf_pair* p)
{
  const sqi_plan_values* v = s->values;
  int64_t begin = v->sources->begin[p->source];
  own_words o = own_of(s, p->target);
  double sum = 0;
  s->batch.count = 0;
  SQI_PLAN_FOR_BITS(p->far, v->sources->range[p->source], k, {
    sqi_plan_batch_add(&s->batch, v->source_points[begin + k]);
    if (s->batch.count == SQ_KERNEL_BATCH)
    {
      sum += v->sums.sum(&v->sums.kernel, v->target_nodes[p->target], &s->batch);
      s->batch.count = 0;
    }
  })
  sum += s->batch.count ? v->sums.sum(&v->sums.kernel, v->target_nodes[p->target], &s->batch) : 0;
  SQI_PLAN_FOR_BITS(p->kept + o.first, o.bits, k, s->potential[o.begin + k] += sum)
}

/** Near-far: the source node at every target of the batch. */
static void add_near_far(summer* s, uint32_t source, const int64_t* positions)
{
  const sqi_plan_values* v = s->values;
  const double* node = v->source_nodes[source];
  double kernel[SQ_KERNEL_BATCH];
  v->sums.values(&v->sums.kernel, &s->batch, node, kernel);
  for (int64_t i = 0; i < s->batch.count; ++i)
  {
    s->potential[positions[i]] += node[3] * kernel[i];
  }
  s->batch.count = 0;
}

static void sum_near_far(summer* s, const sqi_plan_leaf_pair* p)
{
  int64_t positions[SQ_KERNEL_BATCH];
  own_words o = own_of(s, p->target);
  s->batch.count = 0;
  SQI_PLAN_FOR_BITS(p->passed + o.first, o.bits, k, {
    positions[s->batch.count] = o.begin + k;
    sqi_plan_batch_add(&s->batch, s->values->target_points[o.begin + k]);
    if (s->batch.count == SQ_KERNEL_BATCH)
    {
      add_near_far(s, p->source, positions);
    }
  })
  if (s->batch.count)
  {
    add_near_far(s, p->source, positions);
  }
}

static void sum_leaf(void* data, const sqi_plan_leaf_pair* p)
{
  summer* s = (summer*)data;
  if (p->passed_count)
  {
    sum_near_far(s, p);
  }
  if (!p->kept_count)
  {
    return;
  }
  sum_near(s, p, p->near);
  if (p->far_count && s->expand == SQ_PLAN_EXPAND_COMPLETE)
  {
    sum_near(s, p, p->far);
  }
  else if (p->far_count)
  {
    sum_far_near(s, p);
  }
}

static void sum_far(void* data, uint32_t target, const uint32_t* sources, int64_t count)
{
  summer* s = (summer*)data;
  const sqi_plan_values* v = s->values;
  s->batch.count = 0;
  for (int64_t k = 0; k < count; ++k) /* count <= SQI_PLAN_FOUND <= SQ_KERNEL_BATCH */
  {
    sqi_plan_batch_add(&s->batch, v->source_nodes[sources[k]]);
  }
  if (!s->expand)
  {
    /* of a node above the unit only the first unit below sees this */
    s->node_potential[target] +=
      s->walker->first_part ? v->sums.sum(&v->sums.kernel, v->target_nodes[target], &s->batch) : 0;
    return;
  }
  own_words o = own_of(s, target);
  for (int64_t p = o.begin; p < o.begin + o.bits; ++p)
  {
    if (sqi_plan_is_present(v->targets, p))
    {
      s->potential[p] += v->sums.sum(&v->sums.kernel, v->target_points[p], &s->batch);
    }
  }
}

_Static_assert(SQI_PLAN_FOUND <= SQ_KERNEL_BATCH, "what is found fits a batch");

static const sqi_plan_visitor sum_visitor = { sum_far, sum_leaf };

typedef struct spreading
{
  const sqi_plan_tree* tree;
  const double* potential;
  const double* node_potential;
  double* out;
} spreading;

static sq_status spread_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const spreading* s = (const spreading*)data;
  for (int64_t n = begin; n < end; ++n)
  {
    int64_t first = s->tree->begin[n], last = first + s->tree->range[n];
    for (int64_t p = first; p < last && sqi_plan_is_leaf(s->tree, (uint32_t)n); ++p)
    {
      if (sqi_plan_is_present(s->tree, p))
      {
        s->out[s->tree->order[p]] = s->potential[p] + s->node_potential[n];
      }
    }
  }
  return SQ_OK;
}

sq_status sqi_plan_spread(sq_context* context, const sqi_plan_tree* tree, const double* potential,
  double* node_potential, double* out)
{
  for (int64_t i = 0; i < tree->point_count; ++i)
  {
    out[i] = (double)NAN;
  }
  for (int64_t n = 0; n < tree->node_count; ++n)
  {
    for (int k = 0; k < 2; ++k)
    {
      uint32_t child = tree->child[2 * n + k];
      if (child != SQI_PLAN_NONE)
      {
        node_potential[child] += node_potential[n];
      }
    }
  }
  spreading s = { tree, potential, node_potential, out };
  return sqi_parallel_for(context, tree->node_count, GRAIN, spread_body, &s);
}

static sq_status walk(sq_context* context, const sqi_plan_request* r, const sqi_plan_values* v,
  sqi_plan_walk* w, double* potential, double* node_potential)
{
  int32_t threads = sq_context_threads(context);
  summer* summers = NULL;
  void** datas = NULL;
  sq_status status = SQI_NEW(context, &summers, threads);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &datas, threads);
  }
  if (status == SQ_OK)
  {
    memset(summers, 0, (size_t)threads * sizeof(*summers));
    for (int32_t k = 0; k < threads; ++k)
    {
      summers[k].walker = w->walkers + k;
      summers[k].values = v;
      summers[k].expand = r->options.expand;
      summers[k].potential = potential;
      summers[k].node_potential = node_potential;
      datas[k] = summers + k;
    }
    status = sqi_plan_walk_all(context, w, &sum_visitor, datas);
  }
  SQI_FREE(context, summers, threads);
  SQI_FREE(context, datas, threads);
  return status;
}

static sq_status evaluate(
  sq_context* context, const sqi_plan_request* r, const sqi_plan_values* v, double* out)
{
  const sqi_plan_tree* t = &r->targets;
  double *potential = NULL, *node_potential = NULL;
  sqi_plan_walk w;
  memset(&w, 0, sizeof(w));
  sq_status status = SQI_NEW(context, &potential, t->point_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &node_potential, t->node_count);
  }
  if (status == SQ_OK && node_potential)
  {
    memset(potential, 0, (size_t)t->point_count * sizeof(*potential));
    memset(node_potential, 0, (size_t)t->node_count * sizeof(*node_potential));
  }
  if (status == SQ_OK)
  {
    status = sqi_plan_walk_begin(
      context, t, r->sources, r->options.theta, UNIT_POINTS, sq_context_threads(context), &w);
  }
  if (status == SQ_OK)
  {
    w.every =
      r->options.expand != SQ_PLAN_EXPAND_OFF; /* then targets of a node are summed one by one */
    status = sqi_plan_walk_split(context, &w);
  }
  if (status == SQ_OK && w.unit_count)
  {
    status = walk(context, r, v, &w, potential, node_potential);
  }
  sqi_plan_walk_end(context, &w);
  if (status == SQ_OK)
  {
    status = sqi_plan_spread(context, t, potential, node_potential, out);
  }
  SQI_FREE(context, potential, t->point_count);
  SQI_FREE(context, node_potential, t->node_count);
  return status;
}

sq_status sq_plan_evaluate(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, const sq_plan_field* field,
  double* potential)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_plan_request r;
  sqi_plan_values v;
  sq_status status = sqi_plan_request_begin(context, "potential", targets, sources, options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(&v, 0, sizeof(v));
  if (!potential && r.targets.point_count)
  {
    status = sqi_fail(context, SQ_INVALID_ARGUMENT, "potential: no output given");
  }
  sqi_phase(context, "Evaluating interactions", 0.02, 0.06);
  if (status == SQ_OK)
  {
    status = sqi_plan_values_begin(context, "potential", &r, field, 1, &v);
  }
  sqi_phase(context, "Evaluating interactions", 0.06, 1.0);
  if (status == SQ_OK)
  {
    status = evaluate(context, &r, &v, potential);
  }
  sqi_plan_values_end(context, &v);
  sqi_plan_request_end(context, &r);
  return status;
}
