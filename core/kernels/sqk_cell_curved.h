#ifndef SQK_CELL_CURVED_H
#define SQK_CELL_CURVED_H
/**
 * Curved cells against one point. A solid holds the points that parameters in its domain map to; else the distance is the least
 * that an iteration over the domain finds (Gauss-Newton with an active set of the domain's faces; Nocedal and Wright,
 * Numerical Optimization, chapters 10 and 16), started from the nearest of a lattice of points of the cell.
 */
#include "sqk_cell_shape.h"

/** Starts of the search for the least distance. */
#define SQK_CURVED_STARTS 3

/** Directions in which the parameters can move: orthonormal rows of `open`, their number; `held` are the normals of planes. */
SQK_INLINE int sqk_curved_free(const double (*held)[3], int count, int dimension, double open[3][3])
{
  double basis[6][3];
  int n = 0, used = 0;
  for (int i = 0; i < count + dimension && used < dimension; ++i)
  {
    double v[3] = { 0.0, 0.0, 0.0 };
    if (i < count)
    {
      sqk_set3(held[i], v);
    }
    else
    {
      v[i - count] = 1.0;
    }
    for (int k = 0; k < used; ++k)
    {
      sqk_madd3(v, -sqk_dot3(v, basis[k]), basis[k], v);
    }
    double length = sqrt(sqk_dot3(v, v));
    if (length > 1e-6)
    {
      for (int d = 0; d < 3; ++d)
      {
        basis[used][d] = v[d] / length;
      }
      if (i >= count)
      {
        sqk_set3(basis[used], open[n++]);
      }
      ++used;
    }
  }
  return n;
}

/** Gauss-Newton step within the open directions; 0 if there is none. */
SQK_INLINE int sqk_curved_step(
  const sqk_cell_root* root, const double (*open)[3], int n, double step[3])
{
  double a[3][3], b[3], s[3], j[3][3], trace = 0.0;
  for (int i = 0; i < n; ++i)
  {
    for (int d = 0; d < 3; ++d)
    {
      j[i][d] = open[i][0] * root->jacobian[0][d] + open[i][1] * root->jacobian[1][d] +
        open[i][2] * root->jacobian[2][d];
    }
    b[i] = -sqk_dot3(j[i], root->x);
    trace += sqk_dot3(j[i], j[i]);
  }
  for (int i = 0; i < n; ++i)
  {
    for (int k = 0; k < n; ++k)
    {
      a[i][k] = sqk_dot3(j[i], j[k]) + (i == k ? 1e-12 * trace : 0.0);
    }
  }
  if (n == 0 || !sqk_cell_solve_spd(a, b, n, s))
  {
    return 0;
  }
  step[0] = step[1] = step[2] = 0.0;
  for (int i = 0; i < n; ++i)
  {
    sqk_madd3(step, s[i], open[i], step);
  }
  return 1;
}

/** The step at a point of the domain that does not leave it at once; 0 at the least distance. */
SQK_INLINE int sqk_curved_direction(int type, const sqk_cell_root* root, double step[3])
{
  double held[3][3], open[3][3], plane[4];
  int dimension = sqk_shape_dimension(type), count = 0;
  for (int attempt = 0; attempt <= dimension; ++attempt)
  {
    int n = sqk_curved_free((const double(*)[3])held, count, dimension, open);
    if (!sqk_curved_step(root, (const double(*)[3])open, n, step))
    {
      return 0;
    }
    /* A step within a plane is so up to rounding only. */
    double level = 1e-12 * sqk_cell_max_abs(step, 3);
    int blocked = 0;
    for (int i = 0; count < 3 && sqk_shape_plane(type, i, plane) && !blocked; ++i)
    {
      double value = sqk_dot3(plane, root->r) + plane[3];
      if (value <= 2.0 * SQK_CELL_EPSILON && sqk_dot3(plane, step) < -level)
      {
        sqk_set3(plane, held[count++]);
        blocked = 1;
      }
    }
    if (!blocked)
    {
      return 1;
    }
  }
  return 0;
}

/** From root->r, a point of the domain, to a least distance near by. */
SQK_INLINE void sqk_curved_descend(const sqk_cell* cell, sqk_cell_root* root)
{
  int type = cell->type;
  sqk_cell_root next = *root;
  sqk_cell_root_at(cell, root);
  for (int i = 0; i < SQK_CELL_STEPS; ++i)
  {
    double step[3], plane[4], part = 1.0, level;
    if (root->residual <= 2.0 * SQK_CELL_EPSILON || !sqk_curved_direction(type, root, step))
    {
      return;
    }
    level = 1e-12 * sqk_cell_max_abs(step, 3);
    for (int j = 0; sqk_shape_plane(type, j, plane); ++j)
    {
      double speed = sqk_dot3(plane, step);
      double room = sqk_dot3(plane, root->r) + plane[3];
      if (speed < -level && room < -speed * part)
      {
        part = fmax(room, 0.0) / -speed;
      }
    }
    int better = 0;
    for (int halving = 0; halving < 12 && !better; ++halving, part *= 0.5)
    {
      sqk_madd3(root->r, part, step, next.r);
      sqk_shape_clamp(type, 0.0, next.r);
      sqk_cell_root_at(cell, &next);
      better = next.residual < root->residual;
    }
    if (!better)
    {
      return;
    }
    *root = next;
  }
}

/** Lattice point k of the domain; 0 after the last one. */
SQK_INLINE int sqk_curved_lattice(int type, int k, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  int count = dimension == 3 ? 27 : dimension == 2 ? 9 : 3;
  r[0] = 0.5 * (k % 3);
  r[1] = dimension > 1 ? 0.5 * (k / 3 % 3) : 0.0;
  r[2] = dimension > 2 ? 0.5 * (k / 9) : 0.0;
  sqk_shape_clamp(type, 0.0, r);
  return k < count;
}

/** Starts of the search, the nearest first: parameters in .r, distances in .residual. */
typedef struct sqk_curved_starts
{
  int count;
  sqk_cell_root at[SQK_CURVED_STARTS];
} sqk_curved_starts;

SQK_INLINE void sqk_curved_keep(sqk_curved_starts* starts, const double r[3], double residual)
{
  int i = starts->count < SQK_CURVED_STARTS ? starts->count++ : SQK_CURVED_STARTS;
  for (; i > 0 && starts->at[i - 1].residual > residual; --i)
  {
    if (i < SQK_CURVED_STARTS)
    {
      starts->at[i] = starts->at[i - 1];
    }
  }
  if (i < SQK_CURVED_STARTS)
  {
    sqk_set3(r, starts->at[i].r);
    starts->at[i].residual = residual;
  }
}

/** The nodes of a layout are at their places in the lattice, or near: control points. */
SQK_INLINE void sqk_curved_find_starts(const sqk_cell* cell, sqk_curved_starts* starts)
{
  sqk_cell_root at;
  starts->count = 0;
  for (int k = 0; cell->layout && k < cell->count; ++k)
  {
    const double* x = cell->q + 3 * k;
    sqk_layout_node(cell->layout, k, at.r);
    sqk_curved_keep(starts, at.r, sqrt(sqk_dot3(x, x)));
  }
  for (int k = 0; !cell->layout && sqk_curved_lattice(cell->type, k, at.r); ++k)
  {
    sqk_cell_root_at(cell, &at);
    sqk_curved_keep(starts, at.r, at.residual);
  }
}

/** The nearest point of the cell that is found. */
SQK_INLINE void sqk_curved_nearest(const sqk_cell* cell, sqk_cell_root* best)
{
  sqk_curved_starts starts;
  sqk_curved_find_starts(cell, &starts);
  sqk_shape_center(cell->type, best->r);
  sqk_cell_root_at(cell, best);
  for (int i = 0; i < starts.count; ++i)
  {
    sqk_curved_descend(cell, starts.at + i);
    if (starts.at[i].residual < best->residual)
    {
      *best = starts.at[i];
    }
  }
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

SQK_INLINE int sqk_cell_set_curved_inside(
  const sqk_cell* cell, const sqk_cell_root* root, sqk_cell_hit* hit, double* w)
{
  (void)sqk_cell_set_inside(cell, root, hit, w);
  sqk_cell_vtk_parameters(cell->type, hit->r);
  return 1;
}

SQK_INLINE int sqk_cell_find_curved(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  int type = cell->type;
  sqk_cell_root root, on;
  int known = sqk_shape_dimension(type) == 3 && sqk_cell_invert(cell, 0.0, &root);
  if (known && sqk_shape_violation(type, root.r) <= 0.0)
  {
    return sqk_cell_set_curved_inside(cell, &root, hit, w);
  }
  if (known)
  {
    on = root;
    if (sqk_cell_clamp_root(cell, &on) <= fuzz)
    {
      return sqk_cell_set_curved_inside(cell, &root, hit, w);
    }
  }
  sqk_curved_nearest(cell, &on);
  if (on.residual > fmax(limit, fuzz))
  {
    return 0;
  }
  (void)sqk_cell_set_curved_inside(cell, &on, hit, w);
  if (on.residual > fuzz)
  {
    sqk_set3(on.x, hit->closest);
    hit->distance = on.residual;
  }
  return 1;
}

#endif
