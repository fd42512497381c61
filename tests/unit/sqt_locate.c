#include "sqt_locate.h"

#include "sq_test.h"

#include <string.h>

sq_cells sqt_cells_of_zoo(const orc_zoo* zoo)
{
  sq_cells b;
  memset(&b, 0, sizeof(b));
  sq_points points = { zoo->points, zoo->point_count, SQ_FLOAT64, 3 };
  b.points = points;
  b.count = zoo->count;
  b.types = zoo->types;
  b.id_type = SQ_INT64;
  b.offsets = zoo->offsets;
  b.connectivity = zoo->ids;
  b.connectivity_count = zoo->offsets[zoo->count];
  return b;
}

sq_cells sqt_cells_of(uint8_t type, int32_t cell_size, int64_t count, const double* points,
  int64_t point_count, const int64_t* ids)
{
  sq_cells b;
  memset(&b, 0, sizeof(b));
  sq_points p = { points, point_count, SQ_FLOAT64, 3 };
  b.points = p;
  b.count = count;
  b.type = type;
  b.cell_size = cell_size;
  b.id_type = SQ_INT64;
  b.connectivity = ids;
  b.connectivity_count = count * cell_size;
  return b;
}

sq_mesh_index* sqt_index(sq_context* context, const sq_cells* blocks, int32_t block_count)
{
  sq_mesh_index* index = NULL;
  sq_status s = sq_mesh_index_build(context, blocks, block_count, &index);
  CHECK_TEXT(s == SQ_OK, "index: %s: %s", sq_status_text(s), sq_context_message(context));
  CHECK((index != NULL) == (s == SQ_OK));
  return index;
}

sq_location* sqt_locate(sq_context* context, const sq_mesh_index* index, const double* x,
  int64_t count, const sq_locate_options* options, sq_location_view* view)
{
  sq_location* location = NULL;
  sq_points queries = { x, count, SQ_FLOAT64, 3 };
  memset(view, 0, sizeof(*view));
  sq_status s = sq_locate(context, index, &queries, options, &location);
  CHECK_TEXT(s == SQ_OK, "locate: %s: %s", sq_status_text(s), sq_context_message(context));
  CHECK((location != NULL) == (s == SQ_OK));
  if (location)
  {
    CHECK_STATUS(sq_location_get_view(location, view), SQ_OK);
    CHECK_INT(view->count, count);
  }
  return location;
}

int sqt_views_equal(const sq_location_view* a, const sq_location_view* b)
{
  int64_t n = a->count;
  if (!CHECK_INT(n, b->count))
  {
    return 0;
  }
  int ok = CHECK_SAME(a->status, b->status, n);
  ok &= CHECK_SAME(a->block, b->block, n);
  ok &= CHECK_SAME(a->cell, b->cell, n);
  ok &= CHECK_SAME(a->distance, b->distance, n);
  ok &= CHECK_SAME(a->parametric, b->parametric, 3 * n);
  ok &= CHECK_SAME(a->containing_count, b->containing_count, n);
  ok &= CHECK_SAME(a->cell_offsets, b->cell_offsets, n + 1);
  ok &= CHECK_SAME(a->node_offsets, b->node_offsets, n + 1);
  if (ok)
  {
    ok &= CHECK_SAME(a->cell_blocks, b->cell_blocks, a->cell_offsets[n]);
    ok &= CHECK_SAME(a->cell_ids, b->cell_ids, a->cell_offsets[n]);
    ok &= CHECK_SAME(a->node_blocks, b->node_blocks, a->node_offsets[n]);
    ok &= CHECK_SAME(a->node_ids, b->node_ids, a->node_offsets[n]);
    ok &= CHECK_SAME(a->node_weights, b->node_weights, a->node_offsets[n]);
  }
  return ok;
}

double sqt_rebuild(const sq_location_view* view, const sq_cells* blocks, int64_t q, double x[3])
{
  long double at[3] = { 0.0L, 0.0L, 0.0L };
  long double sum = 0.0L;
  for (int64_t e = view->node_offsets[q]; e < view->node_offsets[q + 1]; ++e)
  {
    const sq_points* points = &blocks[view->node_blocks[e]].points;
    const double* p = (const double*)points->data + 3 * view->node_ids[e];
    long double w = (long double)view->node_weights[e];
    sum += w;
    for (int k = 0; k < 3; ++k)
    {
      at[k] += w * (long double)p[k];
    }
  }
  for (int k = 0; k < 3; ++k)
  {
    x[k] = (double)at[k];
  }
  return (double)sum;
}
