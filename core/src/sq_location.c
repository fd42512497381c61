#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_location.h"

#include <string.h>

static sq_status make_arrays(sq_context* context, sq_location* l, int statistics)
{
  int64_t n = l->count;
  sq_status s = SQI_NEW(context, &l->status, n);
  s = s == SQ_OK ? SQI_NEW(context, &l->block, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->cell, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->distance, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->parametric, 3 * n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->containing_count, n) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->cell_offsets, n + 1) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_offsets, n + 1) : s;
  s = s == SQ_OK && statistics ? SQI_NEW(context, &l->nodes_visited, n) : s;
  s = s == SQ_OK && statistics ? SQI_NEW(context, &l->cells_tested, n) : s;
  return s;
}

sq_status sqi_location_create(
  sq_context* context, int32_t block_count, int64_t count, int statistics, sq_location** location)
{
  sq_location* l = NULL;
  *location = NULL;
  sq_status status = SQI_NEW(context, &l, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(l, 0, sizeof(*l));
  l->allocator = context->allocator;
  l->count = count;
  l->block_count = block_count;
  status = make_arrays(context, l, statistics);
  if (status != SQ_OK)
  {
    sq_location_destroy(l);
    return status;
  }
  *location = l;
  return SQ_OK;
}

sq_status sqi_location_make_rows(sq_context* context, sq_location* l)
{
  l->cell_count = l->cell_offsets[l->count];
  l->node_count = l->node_offsets[l->count];
  sq_status s = SQI_NEW(context, &l->cell_blocks, l->cell_count);
  s = s == SQ_OK ? SQI_NEW(context, &l->cell_ids, l->cell_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_blocks, l->node_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &l->node_ids, l->node_count) : s;
  return s == SQ_OK ? SQI_NEW(context, &l->node_weights, l->node_count) : s;
}

void sq_location_destroy(sq_location* l)
{
  if (!l)
  {
    return;
  }
  sq_allocator a = l->allocator;
  SQI_RELEASE(&a, l->status, l->count);
  SQI_RELEASE(&a, l->block, l->count);
  SQI_RELEASE(&a, l->cell, l->count);
  SQI_RELEASE(&a, l->distance, l->count);
  SQI_RELEASE(&a, l->parametric, 3 * l->count);
  SQI_RELEASE(&a, l->containing_count, l->count);
  SQI_RELEASE(&a, l->nodes_visited, l->count);
  SQI_RELEASE(&a, l->cells_tested, l->count);
  SQI_RELEASE(&a, l->cell_offsets, l->count + 1);
  SQI_RELEASE(&a, l->node_offsets, l->count + 1);
  SQI_RELEASE(&a, l->cell_blocks, l->cell_count);
  SQI_RELEASE(&a, l->cell_ids, l->cell_count);
  SQI_RELEASE(&a, l->node_blocks, l->node_count);
  SQI_RELEASE(&a, l->node_ids, l->node_count);
  SQI_RELEASE(&a, l->node_weights, l->node_count);
  SQI_RELEASE(&a, l, 1);
}

sq_status sq_location_get_view(const sq_location* l, sq_location_view* view)
{
  if (!l || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  view->count = l->count;
  view->status = l->status;
  view->block = l->block;
  view->cell = l->cell;
  view->distance = l->distance;
  view->parametric = l->parametric;
  view->containing_count = l->containing_count;
  view->nodes_visited = l->nodes_visited;
  view->cells_tested = l->cells_tested;
  view->cell_offsets = l->cell_offsets;
  view->cell_blocks = l->cell_blocks;
  view->cell_ids = l->cell_ids;
  view->node_offsets = l->node_offsets;
  view->node_blocks = l->node_blocks;
  view->node_ids = l->node_ids;
  view->node_weights = l->node_weights;
  return SQ_OK;
}
