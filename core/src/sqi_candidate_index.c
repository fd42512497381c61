#include "sqi_candidate_index.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <math.h>
#include <string.h>

/** Groups of one chunk. */
#define CHUNK (1 << 10)

static size_t group_bytes(const sqi_candidate_index* index)
{
  return 2 * SQI_GROUP * (size_t)index->dimension * sq_type_bytes(index->type);
}

typedef struct index_job
{
  sqi_candidate_index* index;
  int32_t level;
} index_job;

/** Empties the last group of a level, which need not be full. */
static void clear_last_group(sqi_candidate_index* index, int32_t level)
{
  int64_t half = SQI_GROUP * (int64_t)index->dimension;
  int64_t at = 2 * half * (index->level_begin[level + 1] - 1);
  for (int64_t i = 0; i < half; ++i)
  {
    sqi_set_real(index->boxes, index->type, at + i, HUGE_VAL);
    sqi_set_real(index->boxes, index->type, at + half + i, -HUGE_VAL);
  }
}

sq_status sqi_candidate_index_allocate(sq_context* context, sq_type type, int32_t dimension,
  int64_t leaf_count, int64_t cell_count, sqi_candidate_index* index)
{
  memset(index, 0, sizeof(*index));
  index->allocator = context->allocator;
  index->type = type;
  index->dimension = dimension;
  index->leaf_count = leaf_count;
  for (int64_t below = leaf_count; below > 1 || (below && !index->level_count);)
  {
    below = (below + SQI_GROUP - 1) / SQI_GROUP;
    index->group_count += below;
    index->level_begin[++index->level_count] = index->group_count;
  }
  sq_status status = sqi_alloc(context, index->group_count, group_bytes(index), &index->boxes);
  status = status == SQ_OK ? SQI_NEW(context, &index->leaves, leaf_count + 1) : status;
  if (status == SQ_OK)
  {
    index->leaves[leaf_count] = (uint32_t)(2 * cell_count);
    for (int32_t level = 0; level < index->level_count; ++level)
    {
      clear_last_group(index, level);
    }
  }
  if (status != SQ_OK)
  {
    sqi_candidate_index_release(index);
  }
  return status;
}

void sqi_candidate_index_release(sqi_candidate_index* index)
{
  if (!index->allocator.release)
  {
    return; /* never allocated */
  }
  sqi_release(&index->allocator, index->boxes, index->group_count, group_bytes(index));
  SQI_RELEASE(&index->allocator, index->leaves, index->leaf_count + 1);
  memset(index, 0, sizeof(*index));
}

int64_t sqi_candidate_index_bytes(const sqi_candidate_index* index)
{
  return index->boxes ? index->group_count * (int64_t)group_bytes(index) +
      (index->leaf_count + 1) * (int64_t)sizeof(*index->leaves)
                      : 0;
}

SQI_REAL sq_status join_groups(
  sq_type type, int32_t dimension, const index_job* job, int64_t begin, int64_t end)
{
  const sqi_candidate_index* x = job->index;
  int64_t half = SQI_GROUP * (int64_t)dimension;
  int64_t below = x->level_begin[job->level - 1];
  for (int64_t box = begin * SQI_GROUP; box < end * SQI_GROUP; ++box)
  {
    int64_t child = below + box;
    if (child >= x->level_begin[job->level])
    {
      break; /* the last group is not full */
    }
    for (int32_t d = 0; d < dimension; ++d)
    {
      int64_t from = (2 * child * dimension + d) * SQI_GROUP;
      double lo = HUGE_VAL, hi = -HUGE_VAL;
      for (int64_t k = 0; k < SQI_GROUP; ++k)
      {
        double l = sqi_real(x->boxes, type, from + k),
               h = sqi_real(x->boxes, type, from + half + k);
        lo = l < lo ? l : lo;
        hi = h > hi ? h : hi;
      }
      int64_t to = sqi_group_at(dimension, x->level_begin[job->level] * SQI_GROUP + box, d);
      sqi_set_real(x->boxes, type, to, lo);
      sqi_set_real(x->boxes, type, to + half, hi);
    }
  }
  return SQ_OK;
}

static sq_status join_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const index_job* job = (const index_job*)data;
  return SQI_BY_REAL(join_groups, job->index->type, job->index->dimension, job, begin, end);
}

sq_status sqi_candidate_index_finish(sq_context* context, sqi_candidate_index* index)
{
  sq_status status = SQ_OK;
  index_job job = { index, 1 };
  for (; job.level < index->level_count && status == SQ_OK; ++job.level)
  {
    int64_t groups = index->level_begin[job.level + 1] - index->level_begin[job.level];
    status = sqi_parallel_for(context, groups, CHUNK, join_body, &job);
  }
  return status;
}
