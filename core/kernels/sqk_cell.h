#ifndef SQK_CELL_H
#define SQK_CELL_H
/**
 * One cell against one point: is the point inside, how far is it, and what are the weights of the nodes there.
 *
 * A point is inside where it lies in the cell, or no farther than `fuzz` (the rounding of the coordinates) from it.
 * Weights of a point inside reproduce the point itself, others the closest point of the cell.
 */
#include "sqk_cell_curved_find.h"
#include "sqk_cell_pieces.h"
#include "sqk_cell_polyhedron.h"
#include "sqk_cell_shape.h"

/**
 * 1 if the query lies within `limit` of the cell; sets hit and, unless NULL, the weights of its nodes (w has room for the
 * middles of a polyhedron, too).
 */
SQK_INLINE int sqk_cell_find(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  hit->plain = 0;
  if (sqk_shape_is_curved(cell->type))
  {
    return sqk_cell_find_curved(cell, fuzz, limit, hit, w);
  }
  switch (cell->type)
  {
    case SQ_CELL_PIXEL:
    case SQ_CELL_QUAD:
      return sqk_cell_find_quad(cell, fuzz, limit, hit, w);
    case SQ_CELL_TETRA:
    case SQ_CELL_VOXEL:
    case SQ_CELL_HEXAHEDRON:
    case SQ_CELL_WEDGE:
    case SQ_CELL_PYRAMID:
    case SQ_CELL_PENTAGONAL_PRISM:
    case SQ_CELL_HEXAGONAL_PRISM:
      return sqk_cell_find_solid(cell, fuzz, limit, hit, w);
    case SQ_CELL_POLYHEDRON:
      return sqk_cell_find_polyhedron(cell, fuzz, limit, hit, w);
    default:
      return sqk_cell_find_pieces(cell, fuzz, limit, hit, w);
  }
}

/** Weights set by sqk_cell_find() for a cell of `count` nodes: known before the search. */
SQK_INLINE int sqk_cell_weight_count(int type, int count)
{
  switch (type)
  {
    case SQ_CELL_VERTEX:
    case SQ_CELL_POLY_VERTEX:
      return 1;
    case SQ_CELL_LINE:
    case SQ_CELL_POLY_LINE:
      return 2;
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_TRIANGLE_STRIP:
    case SQ_CELL_POLYGON:
    case SQ_CELL_QUADRATIC_POLYGON:
      return count < 3 ? 2 : 3;
    default:
      return count;
  }
}

/** Weights at the query of the shape functions continued beyond the cell; 0 (nothing set) if they do not reach it. */
SQK_INLINE int sqk_cell_extrapolate(const sqk_cell* cell, sqk_cell_hit* hit, double* w)
{
  if (cell->type == SQ_CELL_TETRA)
  {
    double v[4];
    if (!sqk_cell_tetra_weights(cell->q, v))
    {
      return 0;
    }
    w[0] = v[0];
    for (int i = 0; i < 3; ++i)
    {
      w[i + 1] = hit->r[i] = v[i + 1];
    }
    return 1;
  }
  sqk_cell_foot foot;
  if (cell->type == SQ_CELL_POLYHEDRON)
  {
    if (!sqk_polyhedron_mean_value(cell, w))
    {
      sqk_polyhedron_foot(cell, NULL, HUGE_VAL, &foot);
      sqk_polyhedron_foot_weights(cell, &foot, w);
    }
    return 1;
  }
  if (sqk_shape_nodes(cell->type) > 3 || sqk_shape_is_curved(cell->type))
  {
    int found = sqk_cell_shape_at(cell, NULL, HUGE_VAL, hit->r, w);
    if (found)
    {
      sqk_cell_vtk_parameters(cell->type, hit->r);
    }
    return found;
  }
  sqk_cell_foot_pieces(cell, &foot);
  sqk_cell_foot_extend(cell->q, &foot);
  sqk_cell_set_piece(cell, &foot, hit, w);
  return 1;
}

#endif
