#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_join.h"
#include "sqi_locate_points.h"
#include "sqi_mesh_index_search.h"
#include "sqi_parallel.h"

#include <string.h>

/** Points that are joined at once: 47 bytes each. */
#define BLOCK ((int64_t)1 << 22)
/** Points of one chunk, and of one that may search. */
#define CHUNK 16384
#define SEARCHED 256

/** A block of points that is joined with the cells. */
typedef struct joining
{
  const sqi_rows* rows;
  sq_location* location;
  sqi_point_tree tree;
  int64_t first; /* query */
  int goes_on; /* searches for points without a cell */
  _Atomic uint64_t* found;
  _Atomic int64_t missed;
} joining;

static sq_status clear_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const joining* j = (const joining*)data;
  for (int64_t place = begin; place < end; ++place)
  {
    atomic_store_explicit(j->found + place, SQI_FOUND_NONE, memory_order_relaxed);
  }
  return SQ_OK;
}

/** What has been found of the points; those that no cell holds are counted. */
static sq_status answer_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  joining* j = (joining*)data;
  sq_location* out = j->location;
  int64_t missed = 0;
  for (int64_t place = begin; place < end; ++place)
  {
    uint64_t found = atomic_load_explicit(j->found + place, memory_order_relaxed);
    int64_t query = j->first + sqi_point_at(&j->tree, place);
    double x = j->tree.groups[place / SQI_POINT_WIDTH].x[0][place % SQI_POINT_WIDTH];
    int none = sqi_found_rank(found) == SQI_RANK_NONE;
    int finite = x == x; /* the tree has NaN for others */
    int status = none ? (finite ? SQ_SAMPLE_OUTSIDE : SQ_SAMPLE_INVALID) : sqi_found_rank(found);
    out->number[query] = none ? -1 : sqi_found_number(found);
    out->containing_count[query] = none ? 0 : sqi_found_count(found);
    out->status[query] = (uint8_t)status; /* INSIDE and TOLERANCE are their ranks */
    missed += none && finite;
  }
  atomic_fetch_add(&j->missed, missed);
  return SQ_OK;
}

/** Goes on with the points that no cell holds. */
static sq_status rest_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const joining* j = (const joining*)data;
  int32_t seed = -1;
  for (int64_t place = begin; place < end; ++place)
  {
    int64_t query = j->first + sqi_point_at(&j->tree, place);
    if (j->location->status[query] != SQ_SAMPLE_OUTSIDE)
    {
      continue;
    }
    double x[3];
    sqi_locate_answer answer;
    memset(&answer, 0, sizeof(answer));
    answer.number = -1;
    sqi_rows_query(j->rows, query, x);
    sq_sample_status status = sqi_rows_search_on(j->rows, x, thread, seed, &answer);
    seed = answer.number >= 0 ? answer.number : seed;
    sqi_location_keep(j->location, query, status, &answer);
  }
  return SQ_OK;
}

/** Searches on for those without a cell, if there are any and the options or duplicate cells ask for it. */
static sq_status join_rest(sq_context* context, joining* j)
{
  if (!j->goes_on || !j->missed)
  {
    return SQ_OK;
  }
  sqi_stages stages = sqi_stages_begin(context);
  sqi_stage(context, &stages, 0.0, 0.5);
  sq_status status = sqi_mesh_search_need_here(context, j->rows->rules.index);
  context->phase = "Querying";
  sqi_stage(context, &stages, 0.5, 1.0);
  status =
    status == SQ_OK ? sqi_parallel_for(context, j->tree.count, SEARCHED, rest_body, j) : status;
  sqi_stage(context, &stages, 0.0, 1.0);
  return status;
}

static sq_status join_block(sq_context* context, joining* j, int64_t count, uint64_t* later)
{
  const sqi_rows* rows = j->rows;
  int64_t cells = rows->rules.index->first[rows->rules.index->block_count];
  sqi_stages stages = sqi_stages_begin(context);
  double end = j->goes_on ? 0.5 : 1.0;
  j->missed = 0;
  sqi_stage(context, &stages, 0.0, 0.2 * end);
  sq_status status = sqi_point_tree_build(context, &j->location->points, j->first, count, &j->tree);
  sqi_stage(context, &stages, 0.2 * end, 0.25 * end);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, clear_body, j) : status;
  const sqi_join join = { &rows->rules, rows->scratch, &j->tree, j->found, later };
  sqi_stage(context, &stages, 0.25 * end, 0.9 * end);
  status = status == SQ_OK ? sqi_join_run(context, &join, cells) : status;
  sqi_stage(context, &stages, 0.9 * end, end);
  status = status == SQ_OK ? sqi_parallel_for(context, count, CHUNK, answer_body, j) : status;
  sqi_stage(context, &stages, end, 1.0);
  status = status == SQ_OK ? join_rest(context, j) : status;
  sqi_point_tree_release(context, &j->tree);
  return status;
}

sq_status sqi_join_points(sq_context* context, const sqi_rows* rows, sq_location* location)
{
  int64_t cells = rows->rules.index->first[rows->rules.index->block_count];
  int64_t words = cells / SQI_JOIN_WORD + 1, count = location->count;
  int64_t blocks = (count - 1) / BLOCK + 1;
  int64_t size = (count - 1) / blocks + 1;
  uint64_t* later = NULL;
  joining j;
  memset(&j, 0, sizeof(j));
  j.rows = rows;
  j.location = location;
  j.goes_on = rows->rules.options.mode != SQ_LOCATE_CONTAINING || rows->rules.index->copy_count;
  sq_status status = SQI_NEW(context, &later, words);
  status = status == SQ_OK ? SQI_NEW(context, &j.found, size) : status;
  for (; j.first < count && status == SQ_OK; j.first += size)
  {
    int64_t left = count - j.first;
    sqi_phase(context, "Querying", 0.02 + 0.98 * (double)j.first / (double)count,
      0.02 + 0.98 * (double)(left < size ? count : j.first + size) / (double)count);
    status = join_block(context, &j, left < size ? left : size, later);
  }
  SQI_FREE(context, later, words);
  SQI_FREE(context, j.found, size);
  return status;
}
