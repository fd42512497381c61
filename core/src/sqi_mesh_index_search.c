#include "sqi_mesh_index_search.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

/** Cells of a leaf: as many as are filtered at once. */
#define LEAF_SIZE SQI_LANES
/** Cells of one chunk. */
#define CHUNK 8192

typedef struct boxes
{
  const sq_mesh_index* index;
  const int32_t* items; /* numbers of the cells that take part; NULL: all do */
  double* layouts; /* boxes of Lagrange and Bezier cells, at their numbers; NULL: there are none */
} boxes;

static void box_of(const void* data, int64_t item, double lo[3], double hi[3])
{
  const boxes* b = (const boxes*)data;
  int32_t number = b->items ? b->items[item] : (int32_t)item;
  sqi_mesh_cell cell;
  sqi_mesh_cell_open(b->index, number, &cell);
  if (sqk_shape_is_layout(cell.type))
  {
    sqk_set3(b->layouts + 6 * (int64_t)number, lo);
    sqk_set3(b->layouts + 6 * (int64_t)number + 3, hi);
    return;
  }
  if (sqk_shape_is_curved(cell.type))
  {
    double points[4 * SQK_SHAPE_NODES];
    sqi_mesh_cell_read(b->index, number, points, &cell);
    sqi_mesh_cell_bounds(&cell, NULL, lo, hi);
    return;
  }
  sqi_mesh_cell_measure(&cell);
  sqk_set3(cell.lo, lo);
  sqk_set3(cell.hi, hi);
}

static void list_items(const sq_mesh_index* index, int copies, int32_t* items)
{
  int64_t total = index->first[index->block_count];
  int64_t count = 0;
  for (int64_t i = 0; i < total; ++i)
  {
    if (sqi_mesh_takes_as(index, i, copies))
    {
      items[count++] = (int32_t)i;
    }
  }
}

typedef struct naming
{
  int32_t* order;
  const int32_t* items;
} naming;

static sq_status name_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const naming* n = (const naming*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    n->order[i] = n->items[n->order[i]];
  }
  return SQ_OK;
}

/** The tree of the `count` cells that take part as copies, or as none. */
static sq_status build_tree(sq_context* context, sq_mesh_index* index, int copies, int64_t count)
{
  boxes b = { index, NULL, NULL };
  int32_t* items = NULL;
  int64_t total = index->first[index->block_count];
  int64_t listed = count < total ? count : 0;
  int64_t room = index->layouts.count ? 6 * total : 0;
  sqi_stages stages = sqi_stages_begin(context);
  sq_status status = SQI_NEW(context, &items, listed);
  status = status == SQ_OK ? SQI_NEW(context, &b.layouts, room) : status;
  sqi_stage(context, &stages, 0.0, 0.1);
  status = status == SQ_OK && room ? sqi_mesh_layout_boxes(context, index, b.layouts) : status;
  sqi_stage(context, &stages, 0.1, 0.8);
  if (status == SQ_OK && items)
  {
    list_items(index, copies, items);
    b.items = items;
  }
  status =
    status == SQ_OK ? sqi_bvh_build(context, count, box_of, &b, LEAF_SIZE, &index->bvh) : status;
  sqi_stage(context, &stages, 0.8, 1.0);
  if (status == SQ_OK && items)
  {
    naming n = { index->bvh.order, items };
    status = sqi_parallel_for(context, count, CHUNK, name_body, &n);
  }
  status = status == SQ_OK ? sqi_mesh_leaves_build(context, index) : status;
  SQI_FREE(context, items, listed);
  SQI_FREE(context, b.layouts, room);
  sqi_stage(context, &stages, 0.0, 1.0);
  return status;
}

/** A twin of the index with the tree of the duplicate cells. */
static sq_status build_copies(sq_context* context, sq_mesh_index* index)
{
  sq_status status = SQI_NEW(context, &index->copies, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  sq_mesh_index* twin = index->copies;
  memset(twin, 0, sizeof(*twin));
  memcpy(twin, index, offsetof(sq_mesh_index, searchable));
  twin->allocator = context->allocator;
  twin->copies = NULL;
  return build_tree(context, twin, 1, index->copy_count);
}

static sq_status build(sq_context* context, sq_mesh_index* index)
{
  sqi_stages stages = sqi_stages_begin(context);
  double part = (double)index->copy_count / (double)(index->taken + index->copy_count + 1);
  sqi_stage(context, &stages, 0.0, part);
  sq_status status = index->copy_count ? build_copies(context, index) : SQ_OK;
  sqi_stage(context, &stages, part, 1.0);
  status = status == SQ_OK ? build_tree(context, index, 0, index->taken) : status;
  if (status != SQ_OK)
  {
    sqi_mesh_search_release(index);
  }
  return status;
}

/** Waits until no other thread is at it; then this one is. */
static sq_status take_turn(sq_context* context, sq_mesh_index* index)
{
  int idle = 0;
  while (!atomic_compare_exchange_strong(&index->building, &idle, 1))
  {
    const struct timespec millisecond = { 0, 1000000 };
    idle = 0;
    if (sqi_poll(context, 0.0, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    (void)nanosleep(&millisecond, NULL);
  }
  return SQ_OK;
}

sq_status sqi_mesh_search_need_here(sq_context* context, const sq_mesh_index* index)
{
  /* What the caller sees of the index does not change. */
  sq_mesh_index* own = (sq_mesh_index*)index;
  if (sqi_mesh_is_searchable(index))
  {
    return SQ_OK;
  }
  context->phase = "Building BVH";
  sq_status status = take_turn(context, own);
  if (status != SQ_OK)
  {
    return status;
  }
  if (!sqi_mesh_is_searchable(index))
  {
    status = build(context, own);
    atomic_store_explicit(&own->searchable, status == SQ_OK, memory_order_release);
  }
  atomic_store(&own->building, 0);
  return status;
}

/** Takes the progress of the operation to `to`. */
static sq_status build_first(sq_context* context, const sq_mesh_index* index, double to)
{
  if (sqi_mesh_is_searchable(index))
  {
    return SQ_OK;
  }
  sqi_phase(context, "Building BVH", 0.0, to);
  sq_status status = sqi_mesh_search_need_here(context, index);
  context->part_from = to;
  return status;
}

sq_status sqi_mesh_search_need(sq_context* context, const sq_mesh_index* index)
{
  return build_first(context, index, 0.5);
}

sq_status sq_mesh_index_build_search(sq_context* context, const sq_mesh_index* index)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!index)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "mesh index: none given");
  }
  return build_first(context, index, 1.0);
}

static void release_tree(sq_mesh_index* index)
{
  sqi_mesh_leaves_release(index);
  sqi_bvh_release(&index->bvh);
  memset(&index->bvh, 0, sizeof(index->bvh));
}

void sqi_mesh_search_release(sq_mesh_index* index)
{
  sq_mesh_index* twin = index->copies;
  index->copies = NULL;
  release_tree(index);
  if (twin)
  {
    sq_allocator allocator = twin->allocator;
    release_tree(twin);
    SQI_RELEASE(&allocator, twin, 1);
  }
}

static int64_t tree_bytes(const sq_mesh_index* index)
{
  return index->bvh.node_count * (int64_t)sizeof(sqi_bvh_node) +
    index->leaf_count * (int64_t)sizeof(sqi_mesh_leaf);
}

int64_t sqi_mesh_search_bytes(const sq_mesh_index* index)
{
  if (!sqi_mesh_is_searchable(index))
  {
    return 0;
  }
  return tree_bytes(index) +
    (index->copies ? (int64_t)sizeof(*index) + tree_bytes(index->copies) : 0);
}
