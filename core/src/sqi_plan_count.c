#include "sqi_plan_count.h"

static inline void add_shared(uint32_t* counts, int64_t i, int64_t n)
{
  __atomic_fetch_add(counts + i, (uint32_t)n, __ATOMIC_RELAXED);
}

static void count_far_sources(
  const sqi_plan_tally* t, uint32_t target, const uint32_t* sources, int64_t count)
{
  int64_t targets = t->targets->finite[target];
  for (int64_t k = 0; k < count; ++k)
  {
    add_shared(t->source_node_far_targets, sources[k], targets);
    if (t->source_node_far)
    {
      add_shared(t->source_node_far, sources[k], t->expand ? targets : 1);
    }
  }
}

static void count_far(void* data, uint32_t target, const uint32_t* sources, int64_t count)
{
  sqi_plan_counter* c = (sqi_plan_counter*)data;
  const sqi_plan_tally* t = c->tally;
  int64_t targets = t->targets->finite[target], points = 0, single = 0;
  for (int64_t k = 0; k < count; ++k)
  {
    int64_t n = t->sources->finite[sources[k]];
    points += n;
    single += n == 1;
  }
  int stream = t->expand ? SQ_PLAN_NEAR_FAR : SQ_PLAN_FAR;
  c->totals.entries[stream] += t->expand ? count * targets : count;
  c->totals.pairs[stream] += points * targets;
  c->totals.exact_entries += t->expand ? single * targets : targets == 1 ? single : 0;
  if (t->node_far)
  {
    t->node_far[target] += (uint32_t)count;
    t->node_far_sources[target] += (uint32_t)points;
  }
  if (t->source_node_far_targets)
  {
    count_far_sources(t, target, sources, count);
  }
  for (int64_t k = 0; k < count && t->bins; ++k)
  {
    sqi_plan_bin_far(t, target, sources[k]);
  }
}

static void count_leaf_targets(const sqi_plan_tally* t, const sqi_plan_leaf_pair* p)
{
  int64_t begin = t->targets->begin[p->target], range = t->targets->range[p->target];
  int complete = t->expand == SQ_PLAN_EXPAND_COMPLETE;
  uint32_t near = (uint32_t)(complete ? p->near_count + p->far_count : p->near_count);
  uint32_t far = (uint32_t)(complete ? 0 : p->far_count);
  uint32_t points = t->sources->finite[p->source];
  double work = near + (p->kept_count ? far / (double)p->kept_count : 0);
  SQI_PLAN_FOR_BITS(p->kept, range, k, {
    t->target_near[begin + k] += near;
    t->target_far_near[begin + k] += far;
    t->target_work[begin + k] += work;
  })
  if (p->passed_count)
  {
    SQI_PLAN_FOR_BITS(p->passed, range, k, {
      t->target_near_far[begin + k] += points;
      t->target_work[begin + k] += 1;
    })
  }
  t->node_far_near[p->target] += far;
}

static void count_leaf_sources(const sqi_plan_tally* t, const sqi_plan_leaf_pair* p)
{
  int64_t begin = t->sources->begin[p->source], range = t->sources->range[p->source];
  if (p->passed_count)
  {
    add_shared(t->source_node_near_far, p->source, p->passed_count);
  }
  if (!p->kept_count)
  {
    return;
  }
  uint32_t* far = t->expand == SQ_PLAN_EXPAND_COMPLETE ? t->source_near : t->source_far_near;
  if (p->far_count == 0)
  {
    add_shared(t->source_node_near, p->source, p->kept_count);
    return;
  }
  SQI_PLAN_FOR_BITS(p->near, range, k, add_shared(t->source_near, begin + k, p->kept_count))
  SQI_PLAN_FOR_BITS(p->far, range, k, add_shared(far, begin + k, p->kept_count))
}

static void count_leaf(void* data, const sqi_plan_leaf_pair* p)
{
  sqi_plan_counter* c = (sqi_plan_counter*)data;
  const sqi_plan_tally* t = c->tally;
  sq_plan_totals* n = &c->totals;
  int64_t points = t->sources->finite[p->source];
  int64_t near = p->kept_count * p->near_count, shared = p->kept_count * p->far_count;
  if (t->expand == SQ_PLAN_EXPAND_COMPLETE)
  {
    near += shared;
  }
  else
  {
    n->entries[SQ_PLAN_FAR_NEAR] += p->far_count;
    n->pairs[SQ_PLAN_FAR_NEAR] += shared;
    n->wasted_far_near += p->kept_count ? 0 : p->far_count;
    n->broadcast_targets += p->far_count ? p->kept_count : 0;
    n->exact_entries += t->targets->finite[p->target] == 1 ? shared : 0;
  }
  n->entries[SQ_PLAN_NEAR] += near;
  n->pairs[SQ_PLAN_NEAR] += near;
  n->entries[SQ_PLAN_NEAR_FAR] += p->passed_count;
  n->pairs[SQ_PLAN_NEAR_FAR] += p->passed_count * points;
  n->exact_entries += near + (points == 1 ? p->passed_count : 0);
  ++n->leaf_pairs;
  if (t->target_near)
  {
    count_leaf_targets(t, p);
  }
  if (t->source_near)
  {
    count_leaf_sources(t, p);
  }
  if (t->bins)
  {
    sqi_plan_bin_leaves(t, p);
  }
}

const sqi_plan_visitor sqi_plan_count_visitor = { count_far, count_leaf };
