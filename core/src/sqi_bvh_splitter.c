#include "sqi_alloc.h"
#include "sqi_bvh_split.h"
#include "sqi_level.h"

sq_status sqi_bvh_splitter_create(
  sq_context* context, int64_t item_count, int32_t leaf_size, sqi_bvh_splitter* s)
{
  memset(s, 0, sizeof(*s));
  s->context = context;
  s->leaf_size = leaf_size;
  s->leaf_shift = leaf_size & (leaf_size - 1) ? -1 : __builtin_ctz((unsigned)leaf_size);
  s->split = SQI_LEVEL_CHOOSE(sqi_bvh_split);
  s->large = 4 * SQI_BVH_CHUNK;
  sq_status status = SQI_NEW(context, &s->refs, item_count);
  if (status == SQ_OK && item_count > s->large)
  {
    status = SQI_NEW(context, &s->spare, item_count);
  }
  if (status == SQ_OK && item_count > s->large)
  {
    status = SQI_NEW(context, &s->chunk_left, item_count / SQI_BVH_CHUNK + 1);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &s->bins, sq_context_threads(context));
  }
  return status;
}

void sqi_bvh_splitter_release(sqi_bvh_splitter* s, int64_t item_count)
{
  SQI_FREE(s->context, s->refs, item_count);
  SQI_FREE(s->context, s->spare, item_count);
  SQI_FREE(s->context, s->chunk_left, item_count / SQI_BVH_CHUNK + 1);
  SQI_FREE(s->context, s->bins, sq_context_threads(s->context));
}
