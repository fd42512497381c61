#include "sqi_mesh_index_leaf.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"

#include <string.h>

/** Leaves of one chunk. */
#define CHUNK 512

typedef struct filling
{
  const sq_mesh_index* index;
  double* points; /* 13 * corner_max a thread */
} filling;

static void set_lane(sqi_mesh_leaf* leaf, int lane, const sqi_cell_bound* b)
{
  leaf->kind[lane] = (float)b->kind;
  for (int k = 0; k < 3; ++k)
  {
    leaf->origin[k][lane] = (float)b->origin[k];
    for (int d = 0; d < 3; ++d)
    {
      leaf->row[k][d][lane] = (float)b->row[k][d];
    }
  }
}

/** Rows that a float cannot hold, as those of a tetrahedron without volume, become those that pass all. */
static int fits_float(const sqi_cell_bound* b)
{
  return sqk_cell_max_abs(b->row[0], 9) < 0x1p60 &&
    sqk_cell_max_abs(b->origin, 3) <= SQI_MESH_LEAF_ORIGIN;
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const filling* f = (const filling*)data;
  const sq_mesh_index* index = f->index;
  double* points = f->points + (int64_t)13 * index->corner_max * thread;
  const sqi_frame* frame = &index->bvh.frame;
  const double zero[3] = { 0.0, 0.0, 0.0 };
  for (int64_t i = 8 * begin; i < 8 * end; ++i)
  {
    sqi_mesh_leaf* leaf = index->leaves + i / 8;
    int lane = (int)(i % 8);
    sqi_cell_bound b = { { 0.0 }, { { 0.0 } }, 0.0 };
    if (leaf->number[lane] >= 0)
    {
      sqi_mesh_cell cell;
      sqk_cell view;
      double scale;
      sqi_mesh_cell_read(index, leaf->number[lane], points, &cell);
      for (int32_t k = 0; k < cell.count; ++k)
      {
        sqi_frame_local(frame, points + 3 * k, points + 3 * k);
      }
      double* local = points + 4 * (int64_t)index->corner_max;
      sqi_mesh_cell_view(index, &cell, zero, local, &view, &scale);
      int corners = 3 * (view.count + view.middle_count);
      for (int k = 0; k < corners; ++k)
      {
        local[k] /= scale;
      }
      sqi_cell_bound_of(&view, local + 3 * (int64_t)index->corner_max, &b);
      b = fits_float(&b) ? b : (sqi_cell_bound){ { 0.0 }, { { 0.0 } }, 0.0 };
    }
    set_lane(leaf, lane, &b);
  }
  return SQ_OK;
}

/** Gives every leaf of the tree a number and copies the numbers of its cells. */
static void number_leaves(sq_mesh_index* index)
{
  sqi_bvh* bvh = &index->bvh;
  int32_t next = 0;
  for (int32_t n = 0; n < bvh->node_count; ++n)
  {
    sqi_bvh_node* node = bvh->nodes + n;
    for (int k = 0; k < node->child_count; ++k)
    {
      if (!node->count[k])
      {
        continue;
      }
      for (int i = 0; i < SQI_LANES; ++i)
      {
        index->leaves[next].number[i] = i < node->count[k] ? bvh->order[node->child[k] + i] : -1;
      }
      node->child[k] = next++;
    }
  }
}

sq_status sqi_mesh_leaves_build(sq_context* context, sq_mesh_index* index)
{
  sqi_bvh* bvh = &index->bvh;
  filling f = { index, NULL };
  int64_t room = (int64_t)13 * index->corner_max * sq_context_threads(context);
  for (int32_t n = 0; n < bvh->node_count; ++n)
  {
    for (int k = 0; k < bvh->nodes[n].child_count; ++k)
    {
      index->leaf_count += bvh->nodes[n].count[k] > 0;
    }
  }
  sq_status status = SQI_NEW(context, &index->leaves, index->leaf_count);
  status = status == SQ_OK ? SQI_NEW(context, &f.points, room) : status;
  if (status == SQ_OK)
  {
    number_leaves(index);
    SQI_FREE(context, bvh->order, bvh->item_count);
    bvh->order = NULL;
    status = sqi_parallel_for(context, index->leaf_count, CHUNK, fill_body, &f);
  }
  SQI_FREE(context, f.points, room);
  return status;
}

void sqi_mesh_leaves_release(sq_mesh_index* index)
{
  SQI_RELEASE(&index->bvh.allocator, index->leaves, index->leaf_count);
  index->leaves = NULL;
  index->leaf_count = 0;
}
