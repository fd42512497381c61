#include "sqi_reference_tree.h"
#include "sqi_alloc.h"
#include "sqi_context.h"

#include <string.h>

/** Nodes, or items, of one chunk. */
#define CHUNK (1 << 13)

sq_status sqi_handle_new(sq_context* context, size_t size, void** handle)
{
  sq_status status = sqi_alloc(context, 1, size, handle);
  if (status == SQ_OK)
  {
    memset(*handle, 0, size);
    *(sq_allocator*)*handle = context->allocator;
  }
  return status;
}

void sqi_tree_release(sqi_tree* tree)
{
  sq_allocator allocator = tree->allocator;
  sqi_midpoint_tree* t = &tree->topology;
  if (tree->mapping)
  {
    tree->unmap(tree->mapping);
    SQI_RELEASE(&allocator, t->range_start, t->node_count);
    SQI_RELEASE(&allocator, t->range_count, t->node_count);
  }
  else
  {
    size_t row = (size_t)tree->dimension * sq_type_bytes(tree->type);
    sqi_release(&allocator, tree->aabb_min, t->node_count, row);
    sqi_release(&allocator, tree->aabb_max, t->node_count, row);
    SQI_RELEASE(&allocator, tree->order, t->item_count);
    sqi_midpoint_tree_release(t);
  }
  memset(tree, 0, sizeof(*tree));
  tree->allocator = allocator;
}

sq_status sqi_tree_allocate(sq_context* context, sqi_tree* tree, int64_t items, int64_t leaf_size)
{
  sq_status status = sqi_midpoint_tree_build(context, items, leaf_size, &tree->topology);
  /* The order of an empty topology has no items: a release after a failure is right. */
  size_t row = (size_t)tree->dimension * sq_type_bytes(tree->type);
  int64_t nodes = tree->topology.node_count;
  if (status == SQ_OK)
  {
    status = sqi_alloc(context, nodes, row, &tree->aabb_min);
  }
  if (status == SQ_OK)
  {
    status = sqi_alloc(context, nodes, row, &tree->aabb_max);
  }
  return status == SQ_OK ? SQI_NEW(context, &tree->order, items) : status;
}

typedef struct order_job
{
  const uint32_t* items;
  int64_t* order;
} order_job;

static sq_status widen(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const order_job* job = (const order_job*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    job->order[i] = job->items[i];
  }
  return SQ_OK;
}

sq_status sqi_tree_set_order(sq_context* context, sqi_tree* tree, const uint32_t* items)
{
  order_job job = { items, tree->order };
  return sqi_parallel_for(context, tree->topology.item_count, 4 * CHUNK, widen, &job);
}

typedef struct level_pass
{
  sqi_body body;
  void* data;
  int64_t first;
} level_pass;

static sq_status pass_level(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const level_pass* p = (const level_pass*)data;
  return p->body(p->data, p->first + begin, p->first + end, thread);
}

/** Of a tree from a file, whose levels are not known: node by node, the last first. */
static sq_status upward_one_by_one(
  sq_context* context, const sqi_midpoint_tree* topology, sqi_body body, void* data)
{
  sq_status status = SQ_OK;
  for (int64_t node = topology->node_count; node-- > 0 && status == SQ_OK;)
  {
    status = body(data, node, node + 1, 0);
    if (node % CHUNK == 0 && status == SQ_OK)
    {
      status = sqi_poll(context, 1.0 - (double)node / (double)topology->node_count, 0);
    }
  }
  return status;
}

sq_status sqi_tree_upward(
  sq_context* context, const sqi_midpoint_tree* topology, sqi_body body, void* data)
{
  level_pass pass = { body, data, 0 };
  sq_status status = SQ_OK;
  int32_t level = topology->node_count ? topology->max_depth : -1;
  if (level >= 0 && topology->level_begin[level + 1] != topology->node_count)
  {
    return upward_one_by_one(context, topology, body, data);
  }
  for (; level >= 0 && status == SQ_OK; --level)
  {
    pass.first = topology->level_begin[level];
    int64_t count = topology->level_begin[level + 1] - pass.first;
    status = sqi_parallel_for(context, count, CHUNK, pass_level, &pass);
  }
  return status;
}

int64_t sqi_tree_bytes(const sqi_tree* tree)
{
  int64_t row = tree->dimension * (int64_t)sq_type_bytes(tree->type);
  return tree->topology.node_count * (2 * row + 48) + tree->topology.item_count * 8;
}
