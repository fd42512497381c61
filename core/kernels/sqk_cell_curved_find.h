#ifndef SQK_CELL_CURVED_FIND_H
#define SQK_CELL_CURVED_FIND_H
/**
 * Curved cells against one point. A solid holds the points that parameters in its domain map to; else the distance is the least
 * that an iteration over the domain finds, started from where a lattice of points of the cell is nearest. A point that
 * a plane parts from the cell's control points is outside; any other is looked for from many more starts.
 */
#include "sqk_cell_curved.h"
#include "sqk_cell_hull.h"
#include "sqk_cell_shape.h"

/** Starts of the search for the least distance. */
#define SQK_CURVED_STARTS 3
/** How far outside of the domain a root is near it. */
#define SQK_CURVED_NEAR 0.0625
/** Most points of the lattice. */
#define SQK_CURVED_LATTICE 27

/** Points of the lattice along each parameter. */
SQK_INLINE int sqk_curved_lattice_size(int dimension)
{
  return dimension == 3 ? 3 : dimension == 2 ? 5 : 9;
}

/** Lattice point k of the domain; 0 after the last one. */
SQK_INLINE int sqk_curved_lattice(int type, int k, double r[3])
{
  int dimension = sqk_shape_dimension(type), size = sqk_curved_lattice_size(dimension);
  double step = 1.0 / (size - 1);
  r[0] = step * (k % size);
  r[1] = dimension > 1 ? step * (k / size % size) : 0.0;
  r[2] = dimension > 2 ? step * (k / (size * size)) : 0.0;
  sqk_shape_clamp(type, 0.0, r);
  return k < (dimension == 3 ? size * size * size : dimension == 2 ? size * size : size);
}

/** Whether no neighbour of lattice point k is nearer. */
SQK_INLINE int sqk_curved_is_lowest(const double* distance, int dimension, int k)
{
  int size = sqk_curved_lattice_size(dimension), stride = 1;
  for (int d = 0; d < dimension; ++d, stride *= size)
  {
    int at = k / stride % size;
    if ((at > 0 && distance[k - stride] < distance[k]) ||
      (at + 1 < size && distance[k + stride] < distance[k]))
    {
      return 0;
    }
  }
  return 1;
}

/** Takes the nearest point from a start on, if it is nearer than the best. */
SQK_INLINE void sqk_curved_try(const sqk_cell* cell, const double r[3], sqk_cell_root* best)
{
  sqk_cell_root root;
  sqk_set3(r, root.r);
  sqk_curved_descend(cell, &root);
  if (root.residual < best->residual)
  {
    *best = root;
  }
}

/** The nearest point of the cell that is found from the lowest points of the lattice. */
SQK_INLINE void sqk_curved_nearest(const sqk_cell* cell, sqk_cell_root* best)
{
  double distance[SQK_CURVED_LATTICE];
  int start[SQK_CURVED_STARTS], count = 0, total = 0;
  sqk_cell_root at;
  for (; sqk_curved_lattice(cell->type, total, at.r); ++total)
  {
    sqk_cell_root_at(cell, &at);
    distance[total] = at.residual;
  }
  for (int k = 0; k < total; ++k)
  {
    int i = count < SQK_CURVED_STARTS ? count : SQK_CURVED_STARTS;
    if (!sqk_curved_is_lowest(distance, sqk_shape_dimension(cell->type), k))
    {
      continue;
    }
    count += count < SQK_CURVED_STARTS;
    for (; i > 0 && distance[start[i - 1]] > distance[k]; --i)
    {
      if (i < SQK_CURVED_STARTS)
      {
        start[i] = start[i - 1];
      }
    }
    if (i < SQK_CURVED_STARTS)
    {
      start[i] = k;
    }
  }
  sqk_shape_center(cell->type, best->r);
  sqk_cell_root_at(cell, best);
  for (int i = 0; i < count; ++i)
  {
    (void)sqk_curved_lattice(cell->type, start[i], at.r);
    sqk_curved_try(cell, at.r, best);
  }
}

/** Points whose convex hull holds the cell, off by no more than *slack; their number, 0 where there is no room for them. */
SQK_INLINE int sqk_curved_hull(
  const sqk_cell* cell, double* fixed, const double** hull, double* slack)
{
  *slack = 64.0 * SQK_CELL_EPSILON;
  *hull = fixed;
  if (!cell->layout)
  {
    return sqk_cell_hull(cell->type, cell->q, fixed);
  }
  *hull = cell->room;
  if (cell->room)
  {
    sqk_layout_hull(cell->layout, cell->q, cell->room, cell->room + 3 * cell->count, slack);
  }
  return cell->room ? cell->count : 0;
}

/** Whether a plane across `direction` parts the origin from these points, with more than `limit` between. */
SQK_INLINE int sqk_curved_parts(
  const double* hull, int count, const double direction[3], double limit)
{
  double length = sqrt(sqk_dot3(direction, direction)), low = HUGE_VAL;
  for (int i = 0; i < count; ++i)
  {
    low = fmin(low, sqk_dot3(direction, hull + 3 * i));
  }
  return count > 0 && low > limit * length;
}

/** VTK's cubic line runs from -1 to 1; its pyramid of 19 nodes is one in its parameters too, from 1/2 up. */
SQK_INLINE void sqk_cell_vtk_parameters(int type, double r[3])
{
  if (type == SQ_CELL_CUBIC_LINE)
  {
    r[0] = 2.0 * r[0] - 1.0;
  }
  else if (type == SQ_CELL_TRIQUADRATIC_PYRAMID)
  {
    r[0] = 0.5 + (r[0] - 0.5) * (1.0 - r[2]);
    r[1] = 0.5 + (r[1] - 0.5) * (1.0 - r[2]);
    r[2] = 0.5 + 0.5 * r[2];
  }
}

SQK_INLINE int sqk_cell_set_curved(
  const sqk_cell* cell, const sqk_cell_root* root, double fuzz, sqk_cell_hit* hit, double* w)
{
  (void)sqk_cell_set_inside(cell, root, hit, w);
  sqk_cell_vtk_parameters(cell->type, hit->r);
  if (root->residual > fuzz)
  {
    sqk_set3(root->x, hit->closest);
    hit->distance = root->residual;
  }
  return 1;
}

/** The point of the domain nearest to a root outside of it may be as near as rounding: 1 inside. */
SQK_INLINE int sqk_curved_root_is_inside(
  const sqk_cell* cell, double fuzz, const sqk_cell_root* root, sqk_cell_root* on)
{
  if (sqk_shape_violation(cell->type, root->r) <= 0.0)
  {
    return 1;
  }
  *on = *root;
  return sqk_cell_clamp_root(cell, on) <= fuzz;
}

/** The iteration found the only root that the map of a regular cell has in the widened domain: none is inside if it is not. */
SQK_INLINE int sqk_curved_is_only(const sqk_cell* cell, const sqk_cell_root* root)
{
  return cell->regular && sqk_cell_root_found(root) &&
    sqk_shape_violation(cell->type, root->r) <= SQK_CURVED_NEAR;
}

/** Looks for a root in a solid from a start: 1 inside; else what is near one goes to `on` if it is nearer. */
SQK_INLINE int sqk_curved_root_from(
  const sqk_cell* cell, double fuzz, double slack, sqk_cell_root* root, sqk_cell_root* on)
{
  sqk_cell_root at;
  sqk_cell_iterate(cell, slack, root);
  if (!sqk_cell_root_found(root))
  {
    return 0;
  }
  if (sqk_curved_root_is_inside(cell, fuzz, root, &at))
  {
    return 1;
  }
  sqk_curved_try(cell, at.r, on);
  return 0;
}

/**
 * What no plane parts from a solid: from all starts. 1 when root, a point of the map, is inside; else the best of `on`. For nearest
 * cells (`cut`) the limit is what was found before: there it does not count, so that the answer depends on the cell alone.
 */
SQK_INLINE int sqk_curved_search_solid(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_root* root, sqk_cell_root* on)
{
  sqk_seek seek;
  double r[3];
  if (sqk_cell_apex_start(cell, root->r) && sqk_curved_root_from(cell, fuzz, 0.0625, root, on))
  {
    return 1;
  }
  sqk_seek_begin(&seek);
  while (on->residual > fuzz &&
    sqk_seek_next(cell, cell->cut ? on->residual : fmin(limit, on->residual), &seek, r))
  {
    sqk_set3(r, root->r);
    if (sqk_curved_root_from(cell, fuzz, -1.0, root, on))
    {
      return 1;
    }
    sqk_shape_clamp(cell->type, 0.0, r);
    sqk_curved_try(cell, r, on);
  }
  return 0;
}

/** The nearest point of a curve or surface, from all points of the lattice and from between them. */
SQK_INLINE void sqk_curved_search_flat(const sqk_cell* cell, double fuzz, sqk_cell_root* on)
{
  double r[3];
  for (int k = 0; on->residual > fuzz && sqk_curved_lattice(cell->type, k, r); ++k)
  {
    sqk_curved_try(cell, r, on);
  }
  for (int k = 0; on->residual > fuzz && sqk_curved_lattice(cell->type, k, r); ++k)
  {
    double shift = 0.5 / (sqk_curved_lattice_size(sqk_shape_dimension(cell->type)) - 1);
    for (int d = 0; d < sqk_shape_dimension(cell->type); ++d)
    {
      r[d] += shift;
    }
    sqk_shape_clamp(cell->type, 0.0, r);
    sqk_curved_try(cell, r, on);
  }
}

SQK_INLINE int sqk_cell_find_curved(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  double fixed[3 * SQK_CELL_HULL], slack;
  const double* hull;
  sqk_cell_root root, on;
  int solid = sqk_shape_dimension(cell->type) == 3, count;
  limit = fmax(limit, fuzz);
  sqk_shape_center(cell->type, root.r);
  if (solid)
  {
    sqk_cell_iterate(cell, -1.0, &root);
    if (sqk_cell_root_found(&root) && sqk_curved_root_is_inside(cell, fuzz, &root, &on))
    {
      hit->plain =
        !cell->layout && root.residual <= fuzz && cell->type != SQ_CELL_TRIQUADRATIC_PYRAMID;
      return sqk_cell_set_curved(cell, &root, fuzz, hit, w);
    }
    if (sqk_curved_is_only(cell, &root))
    {
      sqk_curved_descend(cell, &on);
      return on.residual <= limit && sqk_cell_set_curved(cell, &on, fuzz, hit, w);
    }
  }
  count = sqk_curved_hull(cell, fixed, &hull, &slack);
  (void)sqk_cell_clamp_root(cell, &root);
  if (sqk_curved_parts(hull, count, root.x, limit + slack))
  {
    return 0;
  }
  sqk_curved_nearest(cell, &on);
  if (on.residual <= fuzz || sqk_curved_parts(hull, count, on.x, fuzz + slack) ||
    (on.residual > limit && sqk_curved_parts(hull, count, on.x, limit + slack)))
  {
    return on.residual <= limit && sqk_cell_set_curved(cell, &on, fuzz, hit, w);
  }
  if (!solid)
  {
    sqk_curved_search_flat(cell, fuzz, &on);
  }
  else
  {
    sqk_set3(on.r, root.r);
    if (sqk_curved_root_from(cell, fuzz, -1.0, &root, &on) ||
      (!sqk_curved_is_only(cell, &root) && sqk_curved_search_solid(cell, fuzz, limit, &root, &on)))
    {
      return sqk_cell_set_curved(cell, &root, fuzz, hit, w);
    }
  }
  return on.residual <= limit && sqk_cell_set_curved(cell, &on, fuzz, hit, w);
}

#endif
