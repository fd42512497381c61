#include "sqi_triangle_index.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_triangle_index_tree.h"

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(sqi_triangle_node) == 512, "eight cache lines");
_Static_assert(sizeof(sqi_triangle_block) == 704, "eleven cache lines");

/** Nodes converted between two polls. */
#define POLL 4096

/** Coordinates up to 2^+-100 leave room for fourth powers, of queries within SQI_DOUBLE_REACH too. */
static void set_largest(sqi_triangle_index* index)
{
  index->largest = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    index->largest = fmax(index->largest, fmax(fabs(index->lo[d]), fabs(index->hi[d])));
  }
  index->extreme = index->largest > 0x1p100 || (index->largest > 0.0 && index->largest < 0x1p-100);
}

static int32_t count_leaves(const sqi_bvh* bvh)
{
  int32_t n = 0;
  for (int32_t i = 0; i < bvh->node_count; ++i)
  {
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      n += bvh->nodes[i].count[k] > 0;
    }
  }
  return n;
}

/** Copies a node and turns its leaves into blocks, whose ranges of the order go to begins and ends. */
static int32_t convert_node(
  const sqi_bvh_node* from, sqi_triangle_node* to, int32_t block, int32_t* begins, int32_t* ends)
{
  memset(to, 0, sizeof(*to));
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    int used = k < from->child_count;
    for (int d = 0; d < 3; ++d)
    {
      to->lo[d][k] = used ? from->lo[d][k] : SQI_NOWHERE;
      to->hi[d][k] = used ? from->hi[d][k] : SQI_NOWHERE;
    }
    to->radius[k] = SQI_NOWHERE;
    to->child[k] = from->child[k];
    if (from->count[k])
    {
      begins[block] = from->child[k];
      ends[block] = from->child[k] + from->count[k];
      to->child[k] = ~block++;
    }
  }
  return block;
}

static sq_status allocate(sq_context* context, sqi_triangle_index* index, const sqi_bvh* bvh,
  int32_t** begins, int32_t** ends)
{
  index->node_count = bvh->node_count;
  index->block_count = count_leaves(bvh);
  sq_status status = SQI_NEW(context, &index->nodes, index->node_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &index->blocks, index->block_count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, begins, index->block_count);
  }
  return status == SQ_OK ? SQI_NEW(context, ends, index->block_count) : status;
}

static sq_status convert_nodes(sq_context* context, sqi_triangle_index* index, const sqi_bvh* bvh,
  int32_t* begins, int32_t* ends)
{
  int32_t block = 0;
  for (int32_t i = 0; i < bvh->node_count; ++i)
  {
    if (i % POLL == 0 && sqi_poll(context, 0.0, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    block = convert_node(&bvh->nodes[i], &index->nodes[i], block, begins, ends);
  }
  return SQ_OK;
}

static sq_status convert(sq_context* context, sqi_triangle_index* index, const sqi_bvh* bvh)
{
  int32_t* begins = NULL;
  int32_t* ends = NULL;
  sqi_stages stages = sqi_stages_begin(context);
  sqi_stage(context, &stages, 0.0, 0.5);
  sq_status status = allocate(context, index, bvh, &begins, &ends);
  if (status == SQ_OK)
  {
    status = convert_nodes(context, index, bvh, begins, ends);
  }
  if (status == SQ_OK)
  {
    status =
      SQI_LEVEL_CHOOSE(sqi_triangle_index_fill_blocks)(context, index, bvh->order, begins, ends);
  }
  SQI_FREE(context, begins, index->block_count);
  SQI_FREE(context, ends, index->block_count);
  sqi_stage(context, &stages, 0.5, 1.0);
  return status == SQ_OK ? SQI_LEVEL_CHOOSE(sqi_triangle_index_fill_cylinders)(context, index, bvh)
                         : status;
}

sq_status sqi_triangle_index_build(sq_context* context, const double* vertices,
  const int32_t* corners, int32_t triangle_count, const sqi_bvh* bvh, sqi_triangle_index** index)
{
  assert(triangle_count >= 0 && bvh->item_count == triangle_count);
  sq_status status = SQI_NEW(context, index, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(*index, 0, sizeof(**index));
  (*index)->allocator = context->allocator;
  (*index)->vertices = vertices;
  (*index)->corners = corners;
  (*index)->triangle_count = triangle_count;
  (*index)->frame = bvh->frame;
  if (bvh->node_count)
  {
    memcpy((*index)->lo, bvh->lo, sizeof(bvh->lo));
    memcpy((*index)->hi, bvh->hi, sizeof(bvh->hi));
    set_largest(*index);
    status = convert(context, *index, bvh);
  }
  if (status != SQ_OK)
  {
    sqi_triangle_index_destroy(*index);
    *index = NULL;
  }
  return status;
}

void sqi_triangle_index_destroy(sqi_triangle_index* index)
{
  if (index)
  {
    sq_allocator allocator = index->allocator;
    SQI_RELEASE(&allocator, index->nodes, index->node_count);
    SQI_RELEASE(&allocator, index->blocks, index->block_count);
    SQI_RELEASE(&allocator, index, 1);
  }
}

int64_t sqi_triangle_index_bytes(const sqi_triangle_index* index)
{
  return index ? (int64_t)sizeof(*index) + index->node_count * (int64_t)sizeof(*index->nodes) +
      index->block_count * (int64_t)sizeof(*index->blocks)
               : 0;
}
