#include "sqi_plan_walk.h"
#include "sqi_alloc.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_plan_walk_run.h"

#include <string.h>

double sqi_plan_theta2(double theta, sq_type type)
{
  double theta2 = theta * theta;
  return type == SQ_FLOAT32 ? (double)(float)theta2 : theta2;
}

static int64_t words_of(const sqi_plan_tree* tree)
{
  return (tree->leaf_max + 63) / 64;
}

/** All nodes on the level where they hold at most `unit_points`, and the leaves above it. */
static void find_units(const sqi_plan_tree* t, int64_t unit_points, sqi_plan_walk* walk)
{
  for (int64_t node = 0; node < t->node_count; ++node)
  {
    const uint32_t* child = t->child + 2 * node;
    int ends = t->range[node] <= unit_points || sqi_plan_is_leaf(t, (uint32_t)node);
    if (node == 0 && ends && t->finite[0])
    {
      walk->units[walk->unit_count++] = 0;
    }
    for (int k = 0; k < 2 && !ends; ++k)
    {
      int below = child[k] != SQI_PLAN_NONE &&
        (t->range[child[k]] <= unit_points || sqi_plan_is_leaf(t, child[k]));
      if (below)
      {
        walk->units[walk->unit_count++] = child[k];
      }
    }
  }
}

static void set_walkers(sqi_plan_walk* w)
{
  int64_t target_words = words_of(w->targets), source_words = words_of(w->sources);
  for (int32_t k = 0; k < w->threads; ++k)
  {
    sqi_plan_walker* walker = w->walkers + k;
    memset(walker, 0, sizeof(*walker));
    walker->targets = w->targets;
    walker->sources = w->sources;
    walker->theta2 = w->theta2;
    walker->levels = w->levels + (w->targets->depth + 1) * (int64_t)k;
    walker->masks = w->masks + 2 * (target_words + source_words) * k;
    walker->target_words = target_words;
    walker->source_words = source_words;
  }
}

sq_status sqi_plan_walk_begin(sq_context* context, const sqi_plan_tree* targets,
  const sqi_plan_tree* sources, double theta, int64_t unit_points, int32_t threads,
  sqi_plan_walk* walk)
{
  memset(walk, 0, sizeof(*walk));
  sqi_plan_walk w = { .targets = targets,
    .sources = sources,
    .theta2 = sqi_plan_theta2(theta, targets->type),
    .threads = threads };
  if (!targets->finite_count || !sources->finite_count)
  {
    *walk = w;
    return SQ_OK;
  }
  w.level_count = (int64_t)threads * (targets->depth + 1);
  w.mask_count = 2 * threads * (words_of(targets) + words_of(sources));
  sq_status status = SQI_NEW(context, &w.units, targets->node_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &w.walkers, threads);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &w.levels, w.level_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &w.masks, w.mask_count);
  }
  if (status != SQ_OK)
  {
    sqi_plan_walk_end(context, &w);
    return status;
  }
  find_units(targets, unit_points, &w);
  set_walkers(&w);
  *walk = w;
  return SQ_OK;
}

void sqi_plan_walk_end(sq_context* context, sqi_plan_walk* w)
{
  if (w->targets)
  {
    SQI_FREE(context, w->units, w->targets->node_count);
  }
  SQI_FREE(context, w->walkers, w->threads);
  SQI_FREE(context, w->levels, w->level_count);
  SQI_FREE(context, w->masks, w->mask_count);
  memset(w, 0, sizeof(*w));
}

static void find_path(sqi_plan_walker* w, uint32_t node)
{
  const sqi_plan_tree* t = w->targets;
  uint32_t at = 0;
  w->path[0] = 0;
  w->path_length = 1;
  while (at != node)
  {
    const uint32_t* child = t->child + 2 * (size_t)at;
    at = child[0] == SQI_PLAN_NONE ||
        (child[1] != SQI_PLAN_NONE && t->begin[node] >= t->begin[child[1]])
      ? child[1]
      : child[0];
    w->path[w->path_length++] = at;
  }
}

void sqi_plan_walk_unit(sqi_plan_walker* w, uint32_t unit)
{
  const sqi_plan_tree* t = w->targets;
  find_path(w, unit);
  w->stop = 0;
  int first = 1;
  w->emit[w->path_length - 1] = 1;
  for (int32_t k = w->path_length - 2; k >= 0; --k)
  {
    const uint32_t* child = t->child + 2 * (size_t)w->path[k];
    first = first && (child[0] == SQI_PLAN_NONE || child[0] == w->path[k + 1]);
    w->emit[k] = (uint8_t)first;
  }
  SQI_LEVEL_CHOOSE(sqi_plan_visit)(w);
}

void sqi_plan_walk_to(sqi_plan_walker* w, uint32_t node, int above)
{
  find_path(w, node);
  w->stop = 1;
  memset(w->emit, above ? 1 : 0, sizeof(w->emit));
  w->emit[w->path_length - 1] = 1;
  SQI_LEVEL_CHOOSE(sqi_plan_visit)(w);
}

void sqi_plan_leaf_masks(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair)
{
  SQI_LEVEL_CHOOSE(sqi_plan_masks)(walker, target, source, pair);
}

static sq_status walk_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  sqi_plan_walk* w = (sqi_plan_walk*)data;
  for (int64_t k = begin; k < end; ++k)
  {
    sqi_plan_walk_unit(w->walkers + thread, w->units[k]);
  }
  return SQ_OK;
}

sq_status sqi_plan_walk_all(
  sq_context* context, sqi_plan_walk* w, const sqi_plan_visitor* visitor, void* const* datas)
{
  for (int32_t k = 0; k < w->threads && w->walkers; ++k)
  {
    w->walkers[k].visitor = visitor;
    w->walkers[k].data = datas[k];
  }
  return sqi_parallel_for(context, w->unit_count, 1, walk_body, w);
}
