#include "sqi_locate_search.h"
#include "sqk_cell_far.h"

/** Queries nearer than so many times the size of a cell lose no digit that counts; where they are this far, sizes are not small enough. */
#define FAR 64.0
#define TOO_FAR 0x1p300

void sqi_locate_sharpen(const sq_mesh_index* index, const sqi_mesh_cell* cell, const double x[3],
  double distance, const sqi_mesh_scratch* scratch, sqk_cell_hit* hit)
{
  double size = sqi_box_diagonal(cell->lo, cell->hi), scale, point[3];
  sqk_cell view;
  sqk_dd3 to;
  if (!(distance > FAR * size) || !(distance < TOO_FAR * size) || sqk_shape_is_curved(cell->type) ||
    cell->type == SQ_CELL_POLYHEDRON || !(fmax(cell->largest, sqk_cell_max_abs(x, 3)) < 0x1p900))
  {
    return;
  }
  double* products = scratch->local + 3 * (int64_t)cell->count;
  sqi_mesh_cell_view(index, cell, cell->points, scratch->local, &view, &scale);
  for (int d = 0; d < 3; ++d)
  {
    sqk_dd away = sqk_two_sum(x[d], -cell->points[d]);
    to.x[d] = sqk_dd_make(away.hi * scale, away.lo * scale);
  }
  for (int32_t i = 0; i < cell->count; ++i)
  {
    sqk_dd3 node = sqk_dd3_difference(cell->points + 3 * (int64_t)i, cell->points);
    for (int d = 0; d < 3; ++d)
    {
      node.x[d] = sqk_dd_make(node.x[d].hi * scale, node.x[d].lo * scale);
    }
    sqk_dd product = sqk_dd3_dot(&node, &to);
    products[2 * i] = product.hi, products[2 * i + 1] = product.lo;
  }
  if (sqk_cell_find_far(&view, products, point, hit, scratch->weights))
  {
    for (int d = 0; d < 3; ++d)
    {
      hit->closest[d] = (point[d] - to.x[d].hi) / scale;
    }
  }
}
