#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_mesh_index_search.h"
#include "sqi_parallel.h"
#include "sqi_view.h"

#include <stdatomic.h>
#include <string.h>

typedef struct count_check
{
  const sq_cells* block;
  _Atomic int64_t bad; /* lowest cell with a wrong number of points */
  _Atomic int64_t node_max;
  _Atomic int64_t face_max; /* longest face list */
} count_check;

static int count_is_good(const sq_cells* block, int64_t c, int64_t count)
{
  int type = sqi_mesh_kind(block, c);
  int nodes = sqk_shape_nodes(type);
  int32_t order[3];
  if (count && sqk_shape_is_layout(type) &&
    sqi_layout_orders(type, count, sqi_cell_degrees(block, c), order) == SQI_ORDER_WRONG)
  {
    return 0;
  }
  return (nodes == 0 || count == nodes || count == 0) && (type != SQ_CELL_VERTEX || count <= 1) &&
    count <= INT32_MAX / 16;
}

static void keep_largest(_Atomic int64_t* largest, int64_t value)
{
  int64_t now = atomic_load(largest);
  while (value > now && !atomic_compare_exchange_weak(largest, &now, value))
  {
  }
}

static sq_status count_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  count_check* c = (count_check*)data;
  int64_t most = 0;
  int64_t longest = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    int type = sqi_mesh_kind(c->block, i);
    int64_t count = sqi_cell_offset(c->block, i + 1) - sqi_cell_offset(c->block, i);
    if (!count_is_good(c->block, i, count))
    {
      int64_t bad = atomic_load(&c->bad);
      while (i < bad && !atomic_compare_exchange_weak(&c->bad, &bad, i))
      {
      }
      return SQ_OK;
    }
    most = count > most && sqk_shape_dimension(type) >= 0 ? count : most;
    if (type == SQ_CELL_POLYHEDRON && c->block->face_offsets)
    {
      int64_t size = c->block->face_offsets[i + 1] - c->block->face_offsets[i];
      longest = size > longest ? size : longest;
    }
  }
  keep_largest(&c->node_max, most);
  keep_largest(&c->face_max, longest);
  return SQ_OK;
}

/** Checks a block and takes a copy of its view. */
static sq_status add_block(
  sq_context* context, sq_mesh_index* index, const sq_cells* block, int32_t b)
{
  sq_status status = sqi_check_cells(context, block, b);
  if (status != SQ_OK)
  {
    return status;
  }
  count_check c = { block, INT64_MAX, 0, 0 };
  status = sqi_parallel_for(context, block->count, 1 << 14, count_body, &c);
  if (status == SQ_OK && c.bad != INT64_MAX)
  {
    int type = sqi_cell_kind(block, c.bad);
    int64_t count = sqi_cell_offset(block, c.bad + 1) - sqi_cell_offset(block, c.bad);
    if (sqk_shape_is_layout(type))
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "block %d: cell %lld of type %d has %lld points, allowed are those of %s", (int)b,
        (long long)c.bad, type, (long long)count,
        sqi_cell_degrees(block, c.bad) ? "its degrees" : "one order from 1 up");
    }
    return sqi_fail(context, SQ_INVALID_DATA,
      "block %d: cell %lld of type %d has %lld points, allowed are %d", (int)b, (long long)c.bad,
      type, (long long)count, type == SQ_CELL_VERTEX ? 1 : sqk_shape_nodes(type));
  }
  index->node_max = c.node_max > index->node_max ? (int32_t)c.node_max : index->node_max;
  index->face_max = c.face_max > index->face_max ? c.face_max : index->face_max;
  index->blocks[b] = *block;
  index->first[b + 1] = index->first[b] + block->count;
  if (status == SQ_OK && index->first[b + 1] > INT32_MAX)
  {
    return sqi_fail(
      context, SQ_TOO_LARGE, "%lld cells, allowed are 2147483647", (long long)index->first[b + 1]);
  }
  return status;
}

static int32_t all_have_global_ids(const sq_cells* blocks, int32_t block_count)
{
  int32_t all = 1;
  for (int32_t b = 0; b < block_count; ++b)
  {
    all &= !blocks[b].count || blocks[b].global_ids;
  }
  return all;
}

static sq_status build(
  sq_context* context, const sq_cells* blocks, int32_t block_count, sq_mesh_index* index)
{
  sq_status status = SQI_NEW(context, &index->blocks, block_count);
  status = status == SQ_OK ? SQI_NEW(context, &index->first, (int64_t)block_count + 1) : status;
  if (status != SQ_OK)
  {
    return status;
  }
  index->first[0] = 0;
  sqi_phase(context, "Building BVH", 0.0, 0.4);
  for (int32_t b = 0; b < block_count && status == SQ_OK; ++b)
  {
    status = add_block(context, index, blocks + b, b);
  }
  if (status != SQ_OK)
  {
    return status;
  }
  index->by_global_id = all_have_global_ids(blocks, block_count);
  status = sqi_layouts_build(context, blocks, block_count, &index->layouts);
  sqi_phase(context, "Building BVH", 0.4, 0.7);
  status = status == SQ_OK ? sqi_mesh_find_states(context, index) : status;
  sqi_phase(context, "Building BVH", 0.7, 0.85);
  status = status == SQ_OK ? sqi_mesh_find_regular(context, index) : status;
  sqi_phase(context, "Building BVH", 0.85, 1.0);
  return status == SQ_OK ? sqi_cuts_build(context, index) : status;
}

sq_status sq_mesh_index_build(
  sq_context* context, const sq_cells* blocks, int32_t block_count, sq_mesh_index** index)
{
  if (index)
  {
    *index = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!index || block_count < 0 || (block_count && !blocks))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "mesh index: %d blocks%s", (int)block_count,
      index ? ", none given" : ", no place for the result");
  }
  sq_mesh_index* built = NULL;
  sq_status status = SQI_NEW(context, &built, 1);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(built, 0, sizeof(*built));
  built->allocator = context->allocator;
  built->block_count = block_count;
  status = build(context, blocks, block_count, built);
  if (status != SQ_OK)
  {
    sq_mesh_index_destroy(built);
    return status;
  }
  *index = built;
  return SQ_OK;
}

void sq_mesh_index_destroy(sq_mesh_index* index)
{
  if (!index)
  {
    return;
  }
  sq_allocator allocator = index->allocator;
  sqi_mesh_search_release(index);
  sqi_cuts_release(&allocator, &index->cuts);
  sqi_layouts_release(&allocator, &index->layouts);
  SQI_RELEASE(&allocator, index->states, index->states ? index->first[index->block_count] : 0);
  SQI_RELEASE(&allocator, index->regular, index->regular ? index->first[index->block_count] : 0);
  SQI_RELEASE(&allocator, index->blocks, index->block_count);
  SQI_RELEASE(&allocator, index->first, (int64_t)index->block_count + 1);
  SQI_RELEASE(&allocator, index, 1);
}

sq_status sq_mesh_index_get_info(const sq_mesh_index* index, sq_mesh_index_info* info)
{
  if (!index || !info)
  {
    return SQ_INVALID_ARGUMENT;
  }
  int64_t total = index->first[index->block_count];
  info->cells = index->taken;
  info->skipped_elements = index->skipped;
  info->unsupported_cells = index->unsupported;
  info->max_dimension = index->max_dimension;
  info->bytes = (int64_t)sizeof(*index) + sqi_layouts_bytes(&index->layouts) +
    sqi_mesh_search_bytes(index) +
    index->block_count * (int64_t)(sizeof(sq_cells) + sizeof(int64_t)) +
    index->cuts.count * (int64_t)(sizeof(int32_t) + sizeof(int64_t)) +
    index->cuts.size * (int64_t)sizeof(int32_t) + (index->states ? total : 0) +
    (index->regular ? total : 0);
  return SQ_OK;
}
