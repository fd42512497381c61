#ifndef SQK_CELL_FAR_H
#define SQK_CELL_FAR_H
/** Where a cell that is not curved is nearest to a query many of its sizes away (sqk_far_triangle.h). */
#include "sqk_cell_pieces.h"

/**
 * Sets parameters, nodes and weights of the closest point as sqk_cell_find() does, and `point` to it, both of its nodes and relative to
 * that of which they are. `products` of the query: see sqk_far_triangle.h. 0 and nothing for curved cells and polyhedra.
 */
SQK_INLINE int sqk_cell_find_far(
  const sqk_cell* cell, const double* products, double point[3], sqk_cell_hit* hit, double* w)
{
  int type = cell->type, shape = sqk_shape_nodes(type) > 3;
  sqk_cell_foot foot;
  if (sqk_shape_is_curved(type) || type == SQ_CELL_POLYHEDRON)
  {
    return 0;
  }
  sqk_cell_foot_begin(HUGE_VAL, &foot);
  foot.products = products;
  if (shape)
  {
    sqk_cell_foot_shape(type, cell->q, SQK_CELL_ALL_FACES, &foot);
    sqk_cell_set_foot(&foot, cell->count, hit, w);
  }
  else
  {
    sqk_cell_foot_all_pieces(cell, &foot);
    sqk_cell_set_piece(cell, &foot, hit, w);
  }
  if (type == SQ_CELL_TETRA)
  {
    sqk_cell_foot_parameters(&foot, hit->r);
  }
  else if (shape &&
    (sqk_shape_dimension(type) == 3 || sqk_cell_quad_cut(cell->q, sqk_cell_ring(type)) == 0))
  {
    (void)sqk_cell_shape_at(cell, foot.point, SQK_CELL_ON_FACE, hit->r, w);
  }
  sqk_set3(foot.point, point);
  return 1;
}

#endif
