/** Entries of a plan as lists, for looking at them; walked twice, to count and to write. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_plan_evaluate.h"
#include "sqi_real.h"

#include <math.h>
#include <string.h>

#define UNIT_POINTS 256

struct sq_plan_pairs
{
  sq_allocator allocator;
  int64_t count;
  int32_t truncated;
  uint8_t* stream;
  int64_t* target_node;
  int64_t* source_node;
  int64_t* target_id;
  int64_t* source_id;
  int64_t* covered_pairs;
  double* opening_ratio;
  double* ends;
};

typedef struct finder
{
  const sqi_plan_request* request;
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  sq_aggregates_view centroids[2]; /* of targets and sources; node_centroid NULL: none given */
  sq_plan_selection selection;
  int64_t position; /* of the target; -1: not one target */
  int64_t found;
  sq_plan_pairs* out; /* NULL: count */
} finder;

/** One entry; a position of -1 is the whole node. */
typedef struct entry
{
  sq_plan_stream stream;
  uint32_t target;
  uint32_t source;
  int64_t target_at;
  int64_t source_at;
  int64_t covered;
  double ratio;
} entry;

static void end_of(const sqi_plan_tree* tree, const sq_aggregates_view* centroids, uint32_t node,
  int64_t position, double x[3])
{
  for (int32_t axis = 0; axis < 3; ++axis)
  {
    size_t row = (size_t)node * SQI_PLAN_ROW + (size_t)axis;
    if (position >= 0)
    {
      x[axis] = sqi_real(tree->coordinates[axis], tree->type, position);
    }
    else if (axis < centroids->dimension)
    {
      x[axis] = sqi_real(
        centroids->node_centroid, centroids->type, node * (int64_t)centroids->dimension + axis);
    }
    else
    {
      x[axis] = 0.5 * sqi_real(tree->rows, tree->type, (int64_t)row) +
        0.5 * sqi_real(tree->rows, tree->type, (int64_t)row + 3);
    }
  }
}

static void add(finder* f, entry e)
{
  int64_t i = f->found;
  f->found += f->found <= f->selection.max_pairs; /* one more tells that there are more */
  if (!f->out || i >= f->out->count)
  {
    return;
  }
  sq_plan_pairs* p = f->out;
  p->stream[i] = (uint8_t)e.stream;
  p->target_node[i] = e.target;
  p->source_node[i] = e.source;
  p->target_id[i] = e.target_at < 0 ? -1 : (int64_t)f->targets->order[e.target_at];
  p->source_id[i] = e.source_at < 0 ? -1 : (int64_t)f->sources->order[e.source_at];
  p->covered_pairs[i] = e.covered;
  p->opening_ratio[i] = e.ratio;
  end_of(f->targets, f->centroids, e.target, e.target_at, p->ends + 6 * i);
  end_of(f->sources, f->centroids + 1, e.source, e.source_at, p->ends + 6 * i + 3);
}

static double row_of(const sqi_plan_tree* tree, uint32_t node, int k)
{
  return sqi_real(tree->rows, tree->type, (int64_t)node * SQI_PLAN_ROW + k);
}

static double ratio_of(double diameters, double gap2)
{
  return gap2 > 0 ? diameters / sqrt(gap2) : (double)INFINITY;
}

/** (D_T + D_S) / r of two nodes. */
static double node_ratio(const finder* f, uint32_t target, uint32_t source)
{
  double gap2 = 0;
  for (int axis = 0; axis < 3; ++axis)
  {
    double a = row_of(f->targets, target, axis) - row_of(f->sources, source, 3 + axis);
    double b = row_of(f->sources, source, axis) - row_of(f->targets, target, 3 + axis);
    double gap = a > b ? a : b;
    gap2 += gap > 0 ? gap * gap : 0;
  }
  return ratio_of(sqrt(row_of(f->targets, target, 6)) + sqrt(row_of(f->sources, source, 6)), gap2);
}

/** D / r of a point and a node. */
static double point_ratio(
  const sqi_plan_tree* points, int64_t position, const sqi_plan_tree* tree, uint32_t node)
{
  double gap2 = 0;
  for (int axis = 0; axis < 3; ++axis)
  {
    double x = sqi_real(points->coordinates[axis], points->type, position);
    double low = row_of(tree, node, axis), high = row_of(tree, node, 3 + axis);
    double gap = x < low ? low - x : x > high ? x - high : 0;
    gap2 += gap * gap;
  }
  return ratio_of(sqrt(row_of(tree, node, 6)), gap2);
}

/** Whether entries of this node, or of this target of it, are wanted. */
static int wants_node(const finder* f, uint32_t node)
{
  return f->selection.kind != SQ_PLAN_SELECT_TARGET_NODE || f->selection.id == (int64_t)node;
}

static int wants_target(const finder* f, int64_t position)
{
  return f->position < 0 || f->position == position;
}

static void find_far(void* data, uint32_t target, const uint32_t* sources, int64_t count)
{
  finder* f = (finder*)data;
  int64_t begin = f->targets->begin[target], last = begin + f->targets->range[target];
  for (int64_t k = 0; k < count && wants_node(f, target); ++k)
  {
    int64_t points = f->sources->finite[sources[k]];
    entry e = { SQ_PLAN_FAR, target, sources[k], -1, -1, points * f->targets->finite[target],
      node_ratio(f, target, sources[k]) };
    if (f->request->options.expand == SQ_PLAN_EXPAND_OFF)
    {
      add(f, e);
      continue;
    }
    e.stream = SQ_PLAN_NEAR_FAR;
    e.covered = points;
    for (int64_t p = begin; p < last && f->found <= f->selection.max_pairs; ++p)
    {
      if (wants_target(f, p) && sqi_plan_is_present(f->targets, p))
      {
        e.target_at = p;
        add(f, e);
      }
    }
  }
}

/** One near entry for each source of a mask at one target. */
static void find_near(
  finder* f, const sqi_plan_leaf_pair* p, int64_t target_at, double ratio, const uint64_t* sources)
{
  int64_t begin = f->sources->begin[p->source];
  SQI_PLAN_FOR_BITS(sources, f->sources->range[p->source], k, {
    entry e = { SQ_PLAN_NEAR, p->target, p->source, target_at, begin + k, 1, ratio };
    add(f, e);
  })
}

static void find_far_near(finder* f, const sqi_plan_leaf_pair* p)
{
  int64_t begin = f->sources->begin[p->source];
  SQI_PLAN_FOR_BITS(p->far, f->sources->range[p->source], k, {
    entry e = { SQ_PLAN_FAR_NEAR, p->target, p->source, -1, begin + k, p->kept_count,
      point_ratio(f->sources, begin + k, f->targets, p->target) };
    add(f, e);
  })
}

static void find_leaf(void* data, const sqi_plan_leaf_pair* p)
{
  finder* f = (finder*)data;
  if (!wants_node(f, p->target))
  {
    return;
  }
  int complete = f->request->options.expand == SQ_PLAN_EXPAND_COMPLETE;
  int64_t begin = f->targets->begin[p->target], range = f->targets->range[p->target];
  int shared = f->position < 0; /* whether the far-near entries reach a target that is wanted */
  double ratio = node_ratio(f, p->target, p->source);
  SQI_PLAN_FOR_BITS(p->passed, range, k, {
    entry e = { SQ_PLAN_NEAR_FAR, p->target, p->source, begin + k, -1,
      f->sources->finite[p->source], point_ratio(f->targets, begin + k, f->sources, p->source) };
    if (wants_target(f, begin + k))
    {
      add(f, e);
    }
  })
  SQI_PLAN_FOR_BITS(p->kept, range, k, {
    if (wants_target(f, begin + k))
    {
      shared = 1;
      find_near(f, p, begin + k, ratio, p->near);
      if (complete)
      {
        find_near(f, p, begin + k, ratio, p->far);
      }
    }
  })
  if (shared && !complete)
  {
    find_far_near(f, p);
  }
}

static const sqi_plan_visitor find_visitor = { find_far, find_leaf };

static sq_status walk(sq_context* context, finder* f, sqi_plan_walk* w)
{
  if (!w->walkers)
  {
    return SQ_OK;
  }
  f->found = 0;
  w->walkers->visitor = &find_visitor;
  w->walkers->data = f;
  if (f->position >= 0)
  {
    sqi_plan_walk_to(w->walkers, sqi_plan_leaf_at(f->targets, f->position), 1);
    return sqi_poll(context, 1.0, 0);
  }
  if (f->selection.kind == SQ_PLAN_SELECT_TARGET_NODE)
  {
    sqi_plan_walk_to(w->walkers, (uint32_t)f->selection.id, 0);
    return sqi_poll(context, 1.0, 0);
  }
  sq_status status = sqi_poll(context, 0.0, 1);
  for (int64_t u = 0; u < w->unit_count && status == SQ_OK; ++u)
  {
    sqi_plan_walk_unit(w->walkers, w->units[u], 0);
    status = sqi_poll(context, (double)u / (double)w->unit_count, 0);
    if (f->found > f->selection.max_pairs)
    {
      break;
    }
  }
  return status;
}

/** Checks what is selected; what has no entries leaves the tree to walk empty. */
static sq_status check_selection(
  sq_context* context, finder* f, const sq_plan_selection* s, int* nothing)
{
  const sqi_plan_tree* t = f->targets;
  f->selection = *s;
  f->position = -1;
  *nothing = 0;
  int64_t count = s->kind == SQ_PLAN_SELECT_TARGET ? t->point_count : t->node_count;
  if (s->kind < SQ_PLAN_SELECT_ALL || s->kind > SQ_PLAN_SELECT_TARGET_NODE)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "plan pairs: selection is %d; allowed are 0 (all), 1 (target) and 2 (target node)",
      (int)s->kind);
  }
  if (s->max_pairs < 0)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "plan pairs: max_pairs is %lld; allowed are 0 and more", (long long)s->max_pairs);
  }
  if (s->kind != SQ_PLAN_SELECT_ALL && (s->id < 0 || s->id >= count))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "plan pairs: target%s %lld is none; there are %lld",
      s->kind == SQ_PLAN_SELECT_TARGET ? "" : " node", (long long)s->id, (long long)count);
  }
  for (int64_t p = 0; p < t->point_count && s->kind == SQ_PLAN_SELECT_TARGET; ++p)
  {
    f->position = t->order[p] == s->id ? p : f->position;
  }
  *nothing = s->kind == SQ_PLAN_SELECT_TARGET ? !sqi_plan_is_present(t, f->position)
    : s->kind == SQ_PLAN_SELECT_TARGET_NODE   ? !t->finite[s->id]
                                              : 0;
  return SQ_OK;
}

static sq_status allocate(sq_context* context, sq_plan_pairs* p)
{
  int64_t** ids[] = { &p->target_node, &p->source_node, &p->target_id, &p->source_id,
    &p->covered_pairs };
  sq_status status = SQI_NEW(context, &p->stream, p->count);
  for (int k = 0; k < 5 && status == SQ_OK; ++k)
  {
    status = SQI_NEW(context, ids[k], p->count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &p->opening_ratio, p->count);
  }
  return status == SQ_OK ? SQI_NEW(context, &p->ends, 6 * p->count) : status;
}

static sq_status find(sq_context* context, finder* f, sq_plan_pairs* p)
{
  sqi_plan_walk w;
  sq_status status = sqi_plan_walk_begin(
    context, f->targets, f->sources, f->request->options.theta, UNIT_POINTS, 1, &w);
  sqi_phase(context, "Finding pairs", 0.05, 0.5);
  if (status == SQ_OK)
  {
    status = walk(context, f, &w);
  }
  if (status == SQ_OK)
  {
    p->truncated = f->found > f->selection.max_pairs;
    p->count = p->truncated ? f->selection.max_pairs : f->found;
    status = allocate(context, p);
  }
  sqi_phase(context, "Finding pairs", 0.5, 1.0);
  if (status == SQ_OK && p->count)
  {
    f->out = p;
    status = walk(context, f, &w);
  }
  sqi_plan_walk_end(context, &w);
  return status;
}

static sq_status set_centroids(
  sq_context* context, finder* f, const sq_aggregates* targets, const sq_aggregates* sources)
{
  const sq_aggregates* given[2] = { targets, sources };
  const sqi_plan_tree* trees[2] = { f->targets, f->sources };
  for (int k = 0; k < 2; ++k)
  {
    sq_aggregates_view* v = f->centroids + k;
    if (given[k] && sq_aggregates_get_view(given[k], v) != SQ_OK)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT, "plan pairs: bad aggregates");
    }
    if (given[k] &&
      (v->node_count != trees[k]->node_count || v->dimension != trees[k]->view.dimension))
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT,
        "plan pairs: %s_aggregates have %lld nodes of %d coordinates, the tree %lld of %d",
        k ? "source" : "target", (long long)v->node_count, (int)v->dimension,
        (long long)trees[k]->node_count, (int)trees[k]->view.dimension);
    }
  }
  return SQ_OK;
}

sq_status sq_plan_find_pairs(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options,
  const sq_aggregates* target_aggregates, const sq_aggregates* source_aggregates,
  const sq_plan_selection* selection, sq_plan_pairs** pairs)
{
  if (pairs)
  {
    *pairs = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_plan_request r;
  sq_status status = sqi_plan_request_begin(context, "plan pairs", targets, sources, options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  finder f;
  memset(&f, 0, sizeof(f));
  f.request = &r;
  f.targets = &r.targets;
  f.sources = r.sources;
  sq_plan_pairs* p = NULL;
  int nothing = 0;
  if (!pairs || !selection)
  {
    status = sqi_fail(
      context, SQ_INVALID_ARGUMENT, "plan pairs: no %s given", pairs ? "selection" : "output");
  }
  if (status == SQ_OK)
  {
    status = check_selection(context, &f, selection, &nothing);
  }
  if (status == SQ_OK)
  {
    status = set_centroids(context, &f, target_aggregates, source_aggregates);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &p, 1);
  }
  if (status == SQ_OK)
  {
    memset(p, 0, sizeof(*p));
    p->allocator = context->allocator;
    status = nothing ? SQ_OK : find(context, &f, p);
  }
  sqi_plan_request_end(context, &r);
  if (status != SQ_OK)
  {
    sq_plan_pairs_destroy(p);
    return status;
  }
  *pairs = p;
  return SQ_OK;
}

sq_status sq_plan_pairs_get_view(const sq_plan_pairs* p, sq_plan_pairs_view* view)
{
  if (!p || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sq_plan_pairs_view v = { p->count, p->truncated, p->stream, p->target_node, p->source_node,
    p->target_id, p->source_id, p->covered_pairs, p->opening_ratio, p->ends };
  *view = v;
  return SQ_OK;
}

void sq_plan_pairs_destroy(sq_plan_pairs* p)
{
  if (!p)
  {
    return;
  }
  sq_allocator allocator = p->allocator;
  SQI_RELEASE(&allocator, p->stream, p->count);
  SQI_RELEASE(&allocator, p->target_node, p->count);
  SQI_RELEASE(&allocator, p->source_node, p->count);
  SQI_RELEASE(&allocator, p->target_id, p->count);
  SQI_RELEASE(&allocator, p->source_id, p->count);
  SQI_RELEASE(&allocator, p->covered_pairs, p->count);
  SQI_RELEASE(&allocator, p->opening_ratio, p->count);
  SQI_RELEASE(&allocator, p->ends, 6 * p->count);
  SQI_RELEASE(&allocator, p, 1);
}
