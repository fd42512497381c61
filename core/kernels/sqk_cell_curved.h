#ifndef SQK_CELL_CURVED_H
#define SQK_CELL_CURVED_H
/**
 * The point of a curved cell nearest to the origin, from a start: Gauss-Newton with an active set of the domain's faces (Nocedal
 * and Wright, Numerical Optimization, chapters 10 and 16).
 */
#include "sqk_cell_seek.h"

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

/**
 * The least-squares solution of |sum of s_i j_i + x|, by Gram and Schmidt (modified, which also turns x: Bjorck, Solving linear
 * least squares problems by Gram-Schmidt orthogonalization, BIT 7, 1967): in thin cells the normal equations know
 * nothing of the thickness. 0 where the n directions depend on each other.
 */
SQK_INLINE int sqk_curved_least_squares(const double (*j)[3], const double x[3], int n, double s[3])
{
  double unit[3][3], upper[3][3], rest[3];
  sqk_set3(x, rest);
  for (int i = 0; i < n; ++i)
  {
    double length = sqrt(sqk_dot3(j[i], j[i]));
    sqk_set3(j[i], unit[i]);
    for (int k = 0; k < i; ++k)
    {
      upper[k][i] = sqk_dot3(unit[k], unit[i]);
      sqk_madd3(unit[i], -upper[k][i], unit[k], unit[i]);
    }
    upper[i][i] = sqrt(sqk_dot3(unit[i], unit[i]));
    if (!(upper[i][i] > 1e-12 * length))
    {
      return 0;
    }
    for (int d = 0; d < 3; ++d)
    {
      unit[i][d] /= upper[i][i];
    }
    s[i] = -sqk_dot3(unit[i], rest);
    sqk_madd3(rest, s[i], unit[i], rest);
  }
  for (int i = n - 1; i >= 0; --i)
  {
    for (int k = i + 1; k < n; ++k)
    {
      s[i] -= upper[i][k] * s[k];
    }
    s[i] /= upper[i][i];
  }
  return 1;
}

/** Gauss-Newton step within the open directions, a damped one near singular maps; 0 if there is none. */
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
  if (n == 0 ||
    (!sqk_curved_least_squares((const double(*)[3])j, root->x, n, s) &&
      !sqk_cell_solve_spd(a, b, n, s)))
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

/** Planes of the domain through a point of it: 3 at the most. */
SQK_INLINE int sqk_curved_walls(int type, const double r[3], double walls[3][3])
{
  double plane[4];
  int count = 0;
  for (int i = 0; count < 3 && sqk_shape_plane(type, i, plane); ++i)
  {
    if (sqk_dot3(plane, r) + plane[3] <= 2.0 * SQK_CELL_EPSILON)
    {
      sqk_set3(plane, walls[count++]);
    }
  }
  return count;
}

/**
 * The step at a point of the domain that does not leave it at once; 0 at the least distance. Of the steps within each set of the planes there
 * it is the one that leads nearest: where faces meet at a sharp edge, to hold each plane that a step would cross is not enough.
 */
SQK_INLINE int sqk_curved_direction(int type, const sqk_cell_root* root, double step[3])
{
  double walls[3][3], least = HUGE_VAL;
  step[0] = step[1] = step[2] = 0.0;
  int dimension = sqk_shape_dimension(type), count = sqk_curved_walls(type, root->r, walls);
  for (int set = 0; set < 1 << count; ++set)
  {
    double held[3][3], open[3][3], move[3], at[3];
    int holds = 0, leaves = 0;
    for (int i = 0; i < count; ++i)
    {
      if ((set >> i) & 1)
      {
        sqk_set3(walls[i], held[holds++]);
      }
    }
    int n = sqk_curved_free((const double(*)[3])held, holds, dimension, open);
    if (!sqk_curved_step(root, (const double(*)[3])open, n, move))
    {
      continue;
    }
    /* A step within a plane is so up to rounding only. */
    double level = 1e-12 * sqk_cell_max_abs(move, 3);
    for (int i = 0; i < count; ++i)
    {
      leaves |= !((set >> i) & 1) && sqk_dot3(walls[i], move) < -level;
    }
    sqk_set3(root->x, at);
    for (int k = 0; k < dimension; ++k)
    {
      sqk_madd3(at, move[k], root->jacobian[k], at);
    }
    double off2 = sqk_dot3(at, at);
    if (!leaves && off2 < least)
    {
      least = off2;
      sqk_set3(move, step);
    }
    if (!leaves && set == 0)
    {
      return 1;
    }
  }
  return least < HUGE_VAL;
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

#endif
