/** Building a plan, and its arrays. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_plan.h"
#include "sqi_plan_count.h"
#include "sqi_plan_streams.h"

#include <string.h>

void sqi_plan_list_arrays(sq_plan_view* v, sqi_plan_array arrays[SQI_PLAN_ARRAYS])
{
  const sqi_plan_array all[SQI_PLAN_ARRAYS] = {
    { "near_target_ids", v->near_count, &v->near_target_ids },
    { "near_source_ids", v->near_count, &v->near_source_ids },
    { "nf_target_ids", v->nf_count, &v->nf_target_ids },
    { "nf_source_node_ids", v->nf_count, &v->nf_source_node_ids },
    { "fn_target_node_ids", v->fn_count, &v->fn_target_node_ids },
    { "fn_source_ids", v->fn_count, &v->fn_source_ids },
    { "fn_broadcast_targets", v->broadcast_count, &v->fn_broadcast_targets },
    { "fn_broadcast_starts", v->fn_count, &v->fn_broadcast_starts },
    { "fn_broadcast_counts", v->fn_count, &v->fn_broadcast_counts },
    { "far_target_node_ids", v->far_count, &v->far_target_node_ids },
    { "far_source_node_ids", v->far_count, &v->far_source_node_ids },
  };
  memcpy(arrays, all, sizeof(all));
}

void sq_plan_destroy(sq_plan* plan)
{
  if (!plan)
  {
    return;
  }
  sq_allocator allocator = plan->allocator;
  sqi_plan_array arrays[SQI_PLAN_ARRAYS];
  sqi_plan_list_arrays(&plan->view, arrays);
  for (int k = 0; k < SQI_PLAN_ARRAYS && !plan->container; ++k)
  {
    sqi_release(&allocator, (void*)(uintptr_t)*arrays[k].data, arrays[k].count, sizeof(int64_t));
  }
  if (plan->container)
  {
    plan->close(plan->container);
  }
  SQI_RELEASE(&allocator, plan, 1);
}

sq_status sq_plan_get_view(const sq_plan* plan, sq_plan_view* view)
{
  if (!plan || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  *view = plan->view;
  return SQ_OK;
}

/** Far pairs by source: of a plan that keeps them as they are straight into its arrays. */
static sq_status group_far(sq_context* context, const sqi_plan_request* r, sqi_plan_blocks* blocks,
  sq_plan* plan, sqi_plan_groups* far)
{
  int64_t nodes = r->sources->node_count, count = blocks->total;
  if (r->options.expand != SQ_PLAN_EXPAND_OFF)
  {
    return sqi_plan_group(context, blocks, nodes, 0, far);
  }
  int64_t *targets = NULL, *sources = NULL;
  plan->view.far_count = count;
  sq_status status = SQI_NEW(context, &targets, count);
  plan->view.far_target_node_ids = targets;
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &sources, count);
    plan->view.far_source_node_ids = sources;
  }
  return status == SQ_OK ? sqi_plan_group_wide(context, blocks, nodes, targets, sources, far)
                         : status;
}

/** The rounds, grouped: far pairs first, so that their blocks are gone before the leaf pairs take memory. */
static sq_status find_groups(sq_context* context, const sqi_plan_request* r, sq_plan* plan,
  sqi_plan_groups* far, sqi_plan_groups* leaves)
{
  sqi_plan_rounds rounds;
  sqi_phase(context, "Walking trees", 0.02, 0.35);
  sq_status status = sqi_plan_rounds_find(context, &r->targets, r->sources, r->options.theta,
    r->options.expand != SQ_PLAN_EXPAND_OFF, r->options.max_bytes, &rounds);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_phase(context, "Ordering pairs", 0.35, 0.5);
  status = group_far(context, r, &rounds.far, plan, far);
  if (status == SQ_OK)
  {
    status = sqi_plan_group(context, &rounds.leaves, r->sources->node_count, 1, leaves);
  }
  sqi_plan_blocks_release(context, &rounds.far);
  sqi_plan_blocks_release(context, &rounds.leaves);
  return status;
}

static sq_status build(sq_context* context, const sqi_plan_request* r, sq_plan* plan)
{
  if (!r->targets.finite_count || !r->sources->finite_count)
  {
    return SQ_OK;
  }
  sqi_plan_groups far, leaves;
  memset(&far, 0, sizeof(far));
  memset(&leaves, 0, sizeof(leaves));
  sq_status status = find_groups(context, r, plan, &far, &leaves);
  if (status == SQ_OK)
  {
    status = sqi_plan_streams_write(context, r, &far, &leaves, plan);
  }
  sqi_plan_groups_release(context, &far);
  sqi_plan_groups_release(context, &leaves);
  return status;
}

/** Says how large the plan would be. */
static sq_status refuse(sq_context* context, const sqi_plan_request* r)
{
  sq_plan_totals totals;
  sq_status status = sqi_plan_count_totals(context, r, &totals);
  return status != SQ_OK ? status
                         : sqi_fail(context, SQ_TOO_LARGE,
                             "plan: its arrays need %lld bytes; allowed are %lld (max_bytes)",
                             (long long)totals.plan_bytes, (long long)r->options.max_bytes);
}

sq_status sq_plan_build(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, sq_plan** plan)
{
  if (plan)
  {
    *plan = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_plan_request r;
  sq_status status = sqi_plan_request_begin(context, "plan", targets, sources, options, &r);
  if (status != SQ_OK)
  {
    return status;
  }
  sq_plan* p = NULL;
  status = plan ? SQI_NEW(context, &p, 1)
                : sqi_fail(context, SQ_INVALID_ARGUMENT, "plan: no output given");
  if (status == SQ_OK)
  {
    memset(p, 0, sizeof(*p));
    p->allocator = context->allocator;
    status = build(context, &r, p);
  }
  if (status == SQ_TOO_LARGE && !*sq_context_message(context))
  {
    status = refuse(context, &r);
  }
  sqi_plan_request_end(context, &r);
  if (status != SQ_OK)
  {
    sq_plan_destroy(p);
    return status;
  }
  *plan = p;
  return SQ_OK;
}
