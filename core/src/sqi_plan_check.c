#include "sqi_plan_check.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#define GRAIN (1 << 16)

/** One array, or starts and counts together. */
typedef struct range_check
{
  const int64_t* data;
  const int64_t*
    counts; /* NULL: data[i] < limit; else data[i] + counts[i] <= limit where counts[i] > 0 */
  int64_t limit;
  _Atomic int64_t bad; /* the first one */
} range_check;

static int is_bad(const range_check* r, int64_t i)
{
  if (!r->counts)
  {
    return r->data[i] < 0 || r->data[i] >= r->limit;
  }
  return r->counts[i] > 0 && (r->data[i] > r->limit || r->counts[i] > r->limit - r->data[i]);
}

static sq_status range_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  range_check* r = (range_check*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    if (is_bad(r, i))
    {
      int64_t bad = atomic_load(&r->bad);
      while (i < bad && !atomic_compare_exchange_weak(&r->bad, &bad, i))
      {
      }
      break;
    }
  }
  return SQ_OK;
}

/** *bad: the first entry that is out of range, -1 if none is. */
static sq_status find_bad(sq_context* context, const int64_t* data, const int64_t* counts,
  int64_t limit, int64_t count, int64_t* bad)
{
  range_check r = { data, counts, limit, INT64_MAX };
  sq_status status = sqi_parallel_for(context, count, GRAIN, range_body, &r);
  int64_t first = atomic_load(&r.bad);
  *bad = first == INT64_MAX ? -1 : first;
  return status;
}

static sq_status check_lengths(sq_context* context, sq_plan_view* v)
{
  sqi_plan_array arrays[SQI_PLAN_ARRAYS];
  sqi_plan_list_arrays(v, arrays);
  for (int k = 0; k < SQI_PLAN_ARRAYS; ++k)
  {
    if (arrays[k].count < 0 || (arrays[k].count > 0 && !*arrays[k].data))
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT, "plan: %s has %lld entries but no array",
        arrays[k].name, (long long)arrays[k].count);
    }
  }
  return SQ_OK;
}

static sq_status check_lists(sq_context* context, const sq_plan_view* v)
{
  int64_t bad = -1;
  sq_status status = find_bad(
    context, v->fn_broadcast_starts, v->fn_broadcast_counts, v->broadcast_count, v->fn_count, &bad);
  if (status == SQ_OK && bad >= 0)
  {
    status = sqi_fail(context, SQ_INVALID_DATA,
      "plan: the list of far-near entry %lld (start %lld, count %lld) is out of bounds of the %lld "
      "fn_broadcast_targets",
      (long long)bad, (long long)v->fn_broadcast_starts[bad],
      (long long)v->fn_broadcast_counts[bad], (long long)v->broadcast_count);
  }
  return status;
}

sq_status sqi_plan_check_ranges(
  sq_context* context, const sq_plan_view* view, const sqi_plan_limits* l)
{
  sq_plan_view v = *view;
  sqi_plan_array arrays[SQI_PLAN_ARRAYS];
  sqi_plan_list_arrays(&v, arrays);
  const int64_t limits[SQI_PLAN_ARRAYS] = { l->targets, l->sources, l->targets, l->source_nodes,
    l->target_nodes, l->sources, l->targets, INT64_MAX, INT64_MAX, l->target_nodes,
    l->source_nodes };
  sq_status status = check_lengths(context, &v);
  for (int k = 0; k < SQI_PLAN_ARRAYS && status == SQ_OK; ++k)
  {
    int64_t bad = -1;
    status = find_bad(context, *arrays[k].data, NULL, limits[k], arrays[k].count, &bad);
    if (status == SQ_OK && bad >= 0 && limits[k] == INT64_MAX)
    {
      status = sqi_fail(context, SQ_INVALID_DATA, "plan: %s[%lld] is %lld; allowed are 0 and more",
        arrays[k].name, (long long)bad, (long long)(*arrays[k].data)[bad]);
    }
    else if (status == SQ_OK && bad >= 0)
    {
      status = sqi_fail(context, SQ_INVALID_DATA, "plan: %s[%lld] is %lld; allowed are 0 to %lld",
        arrays[k].name, (long long)bad, (long long)(*arrays[k].data)[bad],
        (long long)limits[k] - 1);
    }
  }
  return status == SQ_OK ? check_lists(context, view) : status;
}

sq_status sqi_plan_check_alone(sq_context* context, const sq_plan_view* view)
{
  const sqi_plan_limits any = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
  return sqi_plan_check_ranges(context, view, &any);
}
