/** Interaction plans as a folder. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_plan.h"
#include "sqi_tree_file.h"

#include <stdio.h>

#define CLASS "physicsnemo.mesh.spatial.cluster_tree.DualInteractionPlan"

/** The fields of the reference's class in their order, of sqi_plan_list_arrays(). */
static const int field_order[SQI_PLAN_ARRAYS] = { 0, 1, 9, 10, 2, 3, 4, 5, 6, 7, 8 };

sq_status sq_plan_save(sq_context* context, const sq_plan* plan, const char* folder)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status s = sqi_check_save(context, plan, folder);
  if (s != SQ_OK)
  {
    return s;
  }
  sq_plan_view view = plan->view;
  sqi_plan_array list[SQI_PLAN_ARRAYS];
  sqi_array arrays[SQI_PLAN_ARRAYS];
  sqi_plan_list_arrays(&view, list);
  for (int i = 0; i < SQI_PLAN_ARRAYS; ++i)
  {
    const sqi_plan_array* a = list + field_order[i];
    arrays[i] = sqi_array_of(a->name, SQ_INT64, *a->data, a->count);
  }
  sqi_container_content content = { CLASS, arrays, SQI_PLAN_ARRAYS, NULL, 0, NULL, 0 };
  sqi_phase(context, "Saving plan", 0.0, 1.0);
  return sqi_container_save(context, folder, &content);
}

/** The arrays of a stream have one length: that of its first. */
static sq_status map_arrays(sq_context* context, const sqi_container* c, sq_plan_view* view)
{
  int64_t* const counts[SQI_PLAN_ARRAYS] = { &view->near_count, &view->near_count, &view->nf_count,
    &view->nf_count, &view->fn_count, &view->fn_count, &view->broadcast_count, &view->fn_count,
    &view->fn_count, &view->far_count, &view->far_count };
  sqi_plan_array list[SQI_PLAN_ARRAYS];
  sq_status s = SQ_OK;
  view->near_count = view->nf_count = view->fn_count = view->far_count = -1;
  view->broadcast_count = -1;
  sqi_plan_list_arrays(view, list);
  for (int i = 0; i < SQI_PLAN_ARRAYS && s == SQ_OK; ++i)
  {
    int64_t* data = NULL;
    s = sqi_need_indices(context, c, list[i].name, *counts[i], &data);
    if (s == SQ_OK)
    {
      *list[i].data = data;
      *counts[i] = sqi_container_find(c, 0, list[i].name)->shape[0];
    }
  }
  return s;
}

static sq_status open_plan(sq_context* context, const char* folder, sq_plan* plan)
{
  sq_status s = sqi_container_open(context, folder, CLASS, &plan->container);
  if (s != SQ_OK)
  {
    return s;
  }
  plan->close = sqi_container_close;
  s = map_arrays(context, plan->container, &plan->view);
  if (s == SQ_OK)
  {
    s = sqi_need_no_more(context, plan->container, SQI_PLAN_ARRAYS, NULL);
  }
  if (s != SQ_OK)
  {
    return s;
  }
  s = sqi_plan_check_alone(context, &plan->view);
  if (s == SQ_INVALID_DATA)
  {
    char text[sizeof(context->message)];
    snprintf(text, sizeof(text), "%s", context->message);
    s = sqi_container_refuse(context, plan->container, "%s", text);
  }
  return s;
}

sq_status sq_plan_open(sq_context* context, const char* folder, sq_plan** plan)
{
  if (plan)
  {
    *plan = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!plan || !folder)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "open plan: no %s given", plan ? "folder" : "output");
  }
  sq_plan* p = NULL;
  sqi_phase(context, "Opening plan", 0.0, 1.0);
  sq_status s = sqi_handle_new(context, sizeof(*p), (void**)&p);
  s = s == SQ_OK ? open_plan(context, folder, p) : s;
  if (s != SQ_OK)
  {
    sq_plan_destroy(p);
    p = NULL;
  }
  *plan = p;
  return s;
}
