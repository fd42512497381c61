#include "sqi_surface_order.h"
#include "sqi_alloc.h"
#include "sqi_sort.h"

#include <string.h>

/** A copy of the triangles' arrays in the old order, while they are written in the new one. */
typedef struct old_order
{
  int32_t* corners;
  int64_t* cells;
  int32_t* subs;
  uint64_t* keys;
  uint32_t* triangles; /* new to old */
} old_order;

static int all_have_global_ids(const sq_cells* blocks, int32_t block_count)
{
  for (int32_t b = 0; b < block_count; ++b)
  {
    if (blocks[b].count && !blocks[b].global_ids)
    {
      return 0;
    }
  }
  return block_count > 0;
}

static sq_status copy_old(sq_context* context, const sq_surface* s, old_order* old)
{
  int64_t n = s->triangle_count;
  sq_status status = SQI_NEW(context, &old->corners, 3 * n);
  status = status == SQ_OK ? SQI_NEW(context, &old->cells, n) : status;
  status = status == SQ_OK && s->subs ? SQI_NEW(context, &old->subs, n) : status;
  status = status == SQ_OK ? SQI_NEW(context, &old->keys, n) : status;
  status = status == SQ_OK ? SQI_NEW(context, &old->triangles, n) : status;
  if (status == SQ_OK)
  {
    memcpy(old->corners, s->corners, (size_t)(3 * n) * sizeof(*s->corners));
    memcpy(old->cells, s->cells, (size_t)n * sizeof(*s->cells));
    if (s->subs)
    {
      memcpy(old->subs, s->subs, (size_t)n * sizeof(*s->subs));
    }
  }
  return status;
}

static void free_old(sq_context* context, const sq_surface* s, old_order* old)
{
  int64_t n = s->triangle_count;
  SQI_FREE(context, old->corners, 3 * n);
  SQI_FREE(context, old->cells, n);
  SQI_FREE(context, old->subs, n);
  SQI_FREE(context, old->keys, n);
  SQI_FREE(context, old->triangles, n);
}

/** Sorts by global id; stable, so that the triangles of a cell keep their order. */
static sq_status sort_old(
  sq_context* context, const sq_surface* s, const sq_cells* blocks, old_order* old)
{
  int32_t block = 0;
  for (int32_t t = 0; t < s->triangle_count; ++t)
  {
    while (t >= s->block_start[block + 1])
    {
      ++block;
    }
    /* With the sign turned round, unsigned numbers are in the order of signed ones. */
    old->keys[t] = (uint64_t)blocks[block].global_ids[old->cells[t]] ^ ((uint64_t)1 << 63);
    old->triangles[t] = (uint32_t)t;
  }
  return sqi_sort(context, old->keys, old->triangles, s->triangle_count, 64);
}

static void write_new(sq_surface* s, const old_order* old)
{
  for (int32_t t = 0; t < s->triangle_count; ++t)
  {
    int32_t from = (int32_t)old->triangles[t];
    memcpy(s->corners + 3 * (int64_t)t, old->corners + 3 * (int64_t)from, 3 * sizeof(*s->corners));
    s->cells[t] = old->cells[from];
    if (s->subs)
    {
      s->subs[t] = old->subs[from];
    }
    s->blocks[t] = sqi_surface_block_in_order(s, from);
  }
}

sq_status sqi_surface_order(
  sq_context* context, sq_surface* surface, const sq_cells* blocks, int32_t block_count)
{
  if (!surface->triangle_count || !all_have_global_ids(blocks, block_count))
  {
    return SQ_OK;
  }
  old_order old = { NULL, NULL, NULL, NULL, NULL };
  int32_t* of_triangle = NULL;
  sq_status status = copy_old(context, surface, &old);
  status = status == SQ_OK ? sort_old(context, surface, blocks, &old) : status;
  status = status == SQ_OK ? SQI_NEW(context, &of_triangle, surface->triangle_count) : status;
  if (status == SQ_OK)
  {
    surface->blocks = of_triangle;
    write_new(surface, &old);
  }
  free_old(context, surface, &old);
  return status;
}
