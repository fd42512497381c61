#include "sqi_mesh_index_search.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

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

static void list_items(const sq_mesh_index* index, int32_t* items)
{
  int64_t total = index->first[index->block_count];
  int64_t count = 0;
  for (int64_t i = 0; i < total; ++i)
  {
    if (sqi_mesh_takes(index, i))
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

static sq_status build_tree(sq_context* context, sq_mesh_index* index, boxes* b, int32_t* items)
{
  sqi_stages stages = sqi_stages_begin(context);
  sqi_stage(context, &stages, 0.0, 0.1);
  sq_status status = b->layouts ? sqi_mesh_layout_boxes(context, index, b->layouts) : SQ_OK;
  sqi_stage(context, &stages, 0.1, 0.8);
  if (status == SQ_OK && items)
  {
    list_items(index, items);
    b->items = items;
  }
  status = status == SQ_OK ? sqi_bvh_build(context, index->taken, box_of, b, LEAF_SIZE, &index->bvh)
                           : status;
  sqi_stage(context, &stages, 0.8, 1.0);
  if (status == SQ_OK && items)
  {
    naming n = { index->bvh.order, items };
    status = sqi_parallel_for(context, index->taken, CHUNK, name_body, &n);
  }
  return status == SQ_OK ? sqi_mesh_leaves_build(context, index) : status;
}

static sq_status build(sq_context* context, sq_mesh_index* index)
{
  boxes b = { index, NULL, NULL };
  int32_t* items = NULL;
  int64_t total = index->first[index->block_count];
  int64_t count = index->taken < total ? index->taken : 0;
  int64_t room = index->layouts.count ? 6 * total : 0;
  sq_status status = SQI_NEW(context, &items, count);
  status = status == SQ_OK ? SQI_NEW(context, &b.layouts, room) : status;
  status = status == SQ_OK ? build_tree(context, index, &b, items) : status;
  SQI_FREE(context, items, count);
  SQI_FREE(context, b.layouts, room);
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

/** Takes the progress of the operation to `to`. */
static sq_status build_once(sq_context* context, const sq_mesh_index* index, double to)
{
  /* What the caller sees of the index does not change. */
  sq_mesh_index* own = (sq_mesh_index*)index;
  if (sqi_mesh_is_searchable(index))
  {
    return SQ_OK;
  }
  sqi_phase(context, "Building BVH", 0.0, to);
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
  context->part_from = to;
  return status;
}

sq_status sqi_mesh_search_need(sq_context* context, const sq_mesh_index* index)
{
  return build_once(context, index, 0.5);
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
  return build_once(context, index, 1.0);
}

void sqi_mesh_search_release(sq_mesh_index* index)
{
  sqi_mesh_leaves_release(index);
  sqi_bvh_release(&index->bvh);
  memset(&index->bvh, 0, sizeof(index->bvh));
}

int64_t sqi_mesh_search_bytes(const sq_mesh_index* index)
{
  return !sqi_mesh_is_searchable(index) ? 0
                                        : index->bvh.node_count * (int64_t)sizeof(sqi_bvh_node) +
      index->leaf_count * (int64_t)sizeof(sqi_mesh_leaf);
}
