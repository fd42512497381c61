#ifndef SQK_CELL_INVERT_H
#define SQK_CELL_INVERT_H
/**
 * Inversion of the map from parameters to space: guarded (Gauss-)Newton from several starts.
 *
 * Nodes are relative to the query, so the root sought is that of x(r) = sum of w_i(r) q_i = 0; coordinates are scaled to at
 * most 1. In cells of lower dimension than space the residual is minimised.
 */
#include "sqk_cell_types.h"
#include "sqk_shape_point.h"

/** An iteration that has not arrived by then is given up; converging ones take 3 to 8 steps, double roots about 30. */
#define SQK_CELL_STEPS 60
/** Residual of an accepted root, for coordinates of at most 1: the rounding of a sum over the nodes. */
#define SQK_CELL_ROOT_RESIDUAL (64.0 * SQK_CELL_EPSILON)

typedef struct sqk_cell_root
{
  double r[3];
  double x[3]; /* x(r), the residual */
  double residual; /* |x(r)| */
  double jacobian[3][3]; /* [k]: derivative of x by r[k] */
} sqk_cell_root;

/** Hexahedra and voxels by interpolating along one parameter after the other. */
SQK_INLINE void sqk_cell_root_at_box(int voxel, const double* q, sqk_cell_root* root)
{
  const int far[2] = { voxel ? 9 : 6,
    voxel ? 6 : 9 }; /* where the corners at (1, 1) and (0, 1) stand */
  const double *r = root->r, *corner[2] = { q, q + 12 };
  for (int d = 0; d < 3; ++d)
  {
    double x[2], by_r[2], by_s[2];
    for (int k = 0; k < 2; ++k)
    {
      const double* c = corner[k] + d;
      double front = c[3] - c[0], back = c[far[0]] - c[far[1]];
      double a = c[0] + r[0] * front;
      by_s[k] = c[far[1]] + r[0] * back - a;
      by_r[k] = front + r[1] * (back - front);
      x[k] = a + r[1] * by_s[k];
    }
    root->jacobian[0][d] = by_r[0] + r[2] * (by_r[1] - by_r[0]);
    root->jacobian[1][d] = by_s[0] + r[2] * (by_s[1] - by_s[0]);
    root->jacobian[2][d] = x[1] - x[0];
    root->x[d] = x[0] + r[2] * (x[1] - x[0]);
  }
}

/** Wedges, between their two triangles. */
SQK_INLINE void sqk_cell_root_at_wedge(const double* q, sqk_cell_root* root)
{
  const double* r = root->r;
  for (int d = 0; d < 3; ++d)
  {
    double x[2], by_r[2], by_s[2];
    for (int k = 0; k < 2; ++k)
    {
      const double* c = q + 9 * k + d;
      by_r[k] = c[3] - c[0];
      by_s[k] = c[6] - c[0];
      x[k] = c[0] + r[0] * by_r[k] + r[1] * by_s[k];
    }
    root->jacobian[0][d] = by_r[0] + r[2] * (by_r[1] - by_r[0]);
    root->jacobian[1][d] = by_s[0] + r[2] * (by_s[1] - by_s[0]);
    root->jacobian[2][d] = x[1] - x[0];
    root->x[d] = x[0] + r[2] * (x[1] - x[0]);
  }
}

/** Pyramids, between their base and the apex. */
SQK_INLINE void sqk_cell_root_at_pyramid(const double* q, sqk_cell_root* root)
{
  const double* r = root->r;
  for (int d = 0; d < 3; ++d)
  {
    const double* c = q + d;
    double front = c[3] - c[0], back = c[6] - c[9];
    double a = c[0] + r[0] * front;
    double by_s = c[9] + r[0] * back - a;
    double base = a + r[1] * by_s;
    root->jacobian[0][d] = (1.0 - r[2]) * (front + r[1] * (back - front));
    root->jacobian[1][d] = (1.0 - r[2]) * by_s;
    root->jacobian[2][d] = c[12] - base;
    root->x[d] = base + r[2] * (c[12] - base);
  }
}

/** Sets the point, the derivatives and the residual at root->r. */
SQK_INLINE void sqk_cell_root_at(const sqk_cell* cell, sqk_cell_root* root)
{
  int type = cell->type;
  const double* q = cell->q;
  if (cell->layout)
  {
    sqk_layout_point(cell->layout, cell->rational, q, root->r, root->x, root->jacobian);
  }
  else if (type == SQ_CELL_HEXAHEDRON || type == SQ_CELL_VOXEL)
  {
    sqk_cell_root_at_box(type == SQ_CELL_VOXEL, q, root);
  }
  else if (type == SQ_CELL_WEDGE)
  {
    sqk_cell_root_at_wedge(q, root);
  }
  else if (type == SQ_CELL_PYRAMID)
  {
    sqk_cell_root_at_pyramid(q, root);
  }
  else if (!sqk_shape_point(type, q, root->r, root->x, root->jacobian))
  {
    double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
    int n = sqk_shape_nodes(type);
    sqk_shape_evaluate(type, root->r, w, dw);
    sqk_cell_combine(q, w, n, root->x);
    for (int k = 0; k < 3; ++k)
    {
      double* j = root->jacobian[k];
      j[0] = j[1] = j[2] = 0.0;
      for (int i = 0; i < n; ++i)
      {
        double d = dw[3 * i + k];
        j[0] += d * q[3 * i], j[1] += d * q[3 * i + 1], j[2] += d * q[3 * i + 2];
      }
    }
  }
  root->residual = sqrt(sqk_dot3(root->x, root->x));
}

/** Solves the symmetric positive definite system a s = b of order n (at most 3) by Cholesky; 0 when it is not. */
SQK_INLINE int sqk_cell_solve_spd(double a[3][3], const double b[3], int n, double s[3])
{
  for (int i = 0; i < n; ++i)
  {
    for (int j = 0; j <= i; ++j)
    {
      double v = a[i][j];
      for (int k = 0; k < j; ++k)
      {
        v -= a[i][k] * a[j][k];
      }
      if (i == j && !(v > 0.0))
      {
        return 0;
      }
      a[i][j] = i == j ? sqrt(v) : v / a[j][j];
    }
  }
  for (int i = 0; i < n; ++i)
  {
    double v = b[i];
    for (int k = 0; k < i; ++k)
    {
      v -= a[i][k] * s[k];
    }
    s[i] = v / a[i][i];
  }
  for (int i = n - 1; i >= 0; --i)
  {
    double v = s[i];
    for (int k = i + 1; k < n; ++k)
    {
      v -= a[k][i] * s[k];
    }
    s[i] = v / a[i][i];
  }
  return 1;
}

/** The Gauss-Newton step at a root under way, in three dimensions and at singular maps a damped one (Levenberg, Marquardt). */
SQK_INLINE int sqk_cell_damped_step(const sqk_cell_root* root, int dimension, double step[3])
{
  const double(*j)[3] = root->jacobian;
  double a[3][3], b[3], trace = 0.0;
  for (int i = 0; i < dimension; ++i)
  {
    for (int k = 0; k < dimension; ++k)
    {
      a[i][k] = sqk_dot3(j[i], j[k]);
    }
    b[i] = -sqk_dot3(j[i], root->x);
    trace += a[i][i];
  }
  double damping = dimension == 3 ? 1e-6 : 0.0;
  for (int attempt = 0; attempt < 2; ++attempt)
  {
    double c[3][3];
    for (int i = 0; i < 3; ++i)
    {
      for (int k = 0; k < 3; ++k)
      {
        c[i][k] = i < dimension && k < dimension ? a[i][k] + (i == k ? damping * trace : 0.0) : 0.0;
      }
    }
    if (trace > 0.0 && sqk_cell_solve_spd(c, b, dimension, step))
    {
      return 1;
    }
    damping = 1e-6;
  }
  return 0;
}

/** The (Gauss-)Newton step at a root under way; near singular maps a damped one. */
SQK_INLINE int sqk_cell_step(const sqk_cell_root* root, int dimension, double step[3])
{
  const double(*j)[3] = root->jacobian;
  step[0] = step[1] = step[2] = 0.0;
  if (dimension == 3)
  {
    double row[3][3];
    for (int k = 0; k < 3; ++k)
    {
      sqk_cross3(j[(k + 1) % 3], j[(k + 2) % 3], row[k]);
    }
    double det = sqk_dot3(j[0], row[0]);
    double size = sqrt(sqk_dot3(j[0], j[0]) * sqk_dot3(j[1], j[1]) * sqk_dot3(j[2], j[2]));
    if (fabs(det) > 1e-14 * size)
    {
      for (int k = 0; k < 3; ++k)
      {
        step[k] = -sqk_dot3(root->x, row[k]) / det;
      }
      return 1;
    }
  }
  return sqk_cell_damped_step(root, dimension, step);
}

/** A residual below this is that of a fold close by, or of rounding; one above it of a point outside. */
#define SQK_CELL_FOLD_RESIDUAL 1e-6

/**
 * The damped step, where Newton's makes nothing better: at a fold that runs far along what the map does not tell apart, for a
 * residual that lies across. 1 when `next` is better.
 */
SQK_INLINE int sqk_cell_step_aside(
  const sqk_cell* cell, double slack, const sqk_cell_root* root, sqk_cell_root* next)
{
  double step[3] = { 0.0, 0.0, 0.0 };
  if (!(root->residual < SQK_CELL_FOLD_RESIDUAL) || !sqk_cell_damped_step(root, 3, step))
  {
    return 0;
  }
  sqk_madd3(root->r, 1.0, step, next->r);
  if (slack >= 0.0)
  {
    sqk_shape_clamp(cell->type, slack, next->r);
  }
  sqk_cell_root_at(cell, next);
  return next->residual < root->residual;
}

/**
 * Iterates from root->r. `slack` < 0: anywhere; else within the domain widened by it. Ends when the residual (in
 * three dimensions) or the step is at rounding, or no shorter step makes the residual smaller.
 */
SQK_INLINE void sqk_cell_iterate(const sqk_cell* cell, double slack, sqk_cell_root* root)
{
  int type = cell->type;
  int dimension = sqk_shape_dimension(type);
  sqk_cell_root next;
  sqk_cell_root_at(cell, root);
  for (int i = 0; i < SQK_CELL_STEPS; ++i)
  {
    double step[3];
    if (root->residual <= 2.0 * SQK_CELL_EPSILON || !sqk_cell_step(root, dimension, step))
    {
      return;
    }
    double length = sqk_cell_max_abs(step, 3);
    double part = length > 0.75 ? 0.75 / length : 1.0;
    int better = 0;
    for (int halving = 0; halving < 8 && !better; ++halving, part *= 0.5)
    {
      for (int k = 0; k < 3; ++k)
      {
        next.r[k] = root->r[k] + part * step[k];
      }
      if (slack >= 0.0)
      {
        sqk_shape_clamp(type, slack, next.r);
      }
      sqk_cell_root_at(cell, &next);
      better = next.residual < root->residual;
    }
    if (!better && (dimension < 3 || !sqk_cell_step_aside(cell, slack, root, &next)))
    {
      return;
    }
    *root = next;
    if (length <= SQK_CELL_EPSILON)
    {
      return;
    }
  }
}

/**
 * Start number k of the search for a root that the iteration from the centre did not find; 0 after the last one. Near the
 * corners, of curved cells near the middles of edges and faces, too.
 */
SQK_INLINE int sqk_cell_start(int type, int k, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  int each = sqk_shape_is_curved(type) ? 3 : 2;
  sqk_shape_center(type, r);
  for (int d = 0; d < dimension; ++d, k /= each)
  {
    r[d] = 0.15 + 0.7 * (k % each) / (each - 1);
  }
  sqk_shape_clamp(type, 0.0, r);
  return k == 0;
}

/**
 * A start in a pyramid as close to its apex, node 4, as the origin is: there parameters of the base change much where the point
 * changes little. 0 for other cells.
 */
SQK_INLINE int sqk_cell_apex_start(const sqk_cell* cell, double r[3])
{
  const double *q = cell->q, *apex = q + 12;
  double base[3], axis[3];
  if (cell->type != SQ_CELL_PYRAMID && cell->type != SQ_CELL_QUADRATIC_PYRAMID &&
    cell->type != SQ_CELL_TRIQUADRATIC_PYRAMID)
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    base[k] = 0.25 * (q[k] + q[3 + k] + q[6 + k] + q[9 + k]);
  }
  sqk_sub3(base, apex, axis);
  double height2 = sqk_dot3(axis, axis), off2 = sqk_dot3(apex, apex);
  r[0] = r[1] = 0.5;
  r[2] = off2 < height2 ? 1.0 - sqrt(off2 / height2) : 0.0;
  return 1;
}

/** The iteration has arrived at a point of the cell's map (not only at the least residual). */
SQK_INLINE int sqk_cell_root_found(const sqk_cell_root* root)
{
  return root->residual <= SQK_CELL_ROOT_RESIDUAL;
}

/**
 * Newton's iteration from the middle while it goes well: whole steps, each of which makes the residual smaller, as
 * sqk_cell_iterate() would take. 1 when it has arrived; else root is of no use.
 */
SQK_INLINE int sqk_cell_iterate_plainly(const sqk_cell* cell, sqk_cell_root* root)
{
  int type = cell->type;
  sqk_cell_root next;
  sqk_shape_center(type, root->r);
  sqk_cell_root_at(cell, root);
  for (int i = 0; i < 10; ++i)
  {
    double step[3];
    if (root->residual <= 2.0 * SQK_CELL_EPSILON)
    {
      return 1;
    }
    if (!sqk_cell_step(root, 3, step))
    {
      return 0;
    }
    double length = sqk_cell_max_abs(step, 3);
    for (int k = 0; k < 3; ++k)
    {
      next.r[k] = root->r[k] + step[k];
    }
    if (!(length <= 0.75))
    {
      return 0;
    }
    sqk_cell_root_at(cell, &next);
    if (!(next.residual < root->residual))
    {
      return root->residual <= 8.0 * SQK_CELL_EPSILON;
    }
    *root = next;
  }
  return 0;
}

/** sqk_cell_is_tame() of a hexahedron: what its derivative differs by from `middle` is made of four vectors. */
SQK_INLINE int sqk_cell_box_is_tame(const sqk_cell* cell, const double row[3][3], double det)
{
  /* Signs of the nodes in the products of two and three parameters: rs, rt, st, rst. */
  const double* q = cell->q;
  int swap = cell->type == SQ_CELL_VOXEL;
  double bend[4][3], u[3][4];
  for (int d = 0; d < 3; ++d)
  {
    double c[8];
    for (int i = 0; i < 8; ++i)
    {
      /* In the order of voxels: the parameters' sides are the bits of i. */
      int node = swap ? i : (i & 4) | ((i & 3) ^ ((i & 3) >> 1));
      c[i] = q[3 * node + d];
    }
    double even = c[0] + c[3] - c[1] - c[2], odd = c[4] + c[7] - c[5] - c[6];
    bend[0][d] = 0.5 * (even + odd);
    bend[1][d] = 0.5 * (c[0] - c[1] + c[2] - c[3] - c[4] + c[5] - c[6] + c[7]);
    bend[2][d] = 0.5 * (c[0] + c[1] - c[2] - c[3] - c[4] - c[5] + c[6] + c[7]);
    bend[3][d] = odd - even;
  }
  for (int k = 0; k < 3; ++k)
  {
    for (int i = 0; i < 4; ++i)
    {
      u[k][i] = sqk_dot3(row[k], bend[i]) / det;
    }
  }
  for (int i = 0; i < 8; ++i)
  {
    /* One box beyond: the parameters differ by 1 from those of the middle. */
    double r = i & 1 ? 1.0 : -1.0, s = i & 2 ? 1.0 : -1.0, t = i & 4 ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k)
    {
      const double* v = u[k];
      double sum = fabs(s * v[0] + t * v[1] + s * t * v[3]) +
        fabs(r * v[0] + t * v[2] + r * t * v[3]) + fabs(r * v[1] + s * v[2] + r * s * v[3]);
      if (!(sum < 0.4))
      {
        return 0;
      }
    }
  }
  return 1;
}

/**
 * A solid so close to an affine one that, with J its derivative in the middle and F its map, J^-1 F - id has a Lipschitz constant
 * below 0.4 on the domain and half its size around it. There F is injective, and Newton's iteration from the middle
 * finds the root of every point of the cell. Linear solids: the derivative is largest in the corners.
 */
SQK_INLINE int sqk_cell_is_tame(const sqk_cell* cell)
{
  int type = cell->type;
  sqk_cell_root middle, at;
  double row[3][3];
  if (sqk_shape_is_curved(type) || sqk_shape_dimension(type) < 3)
  {
    return 0;
  }
  sqk_shape_center(type, middle.r);
  sqk_cell_root_at(cell, &middle);
  double det = sqk_det3(middle.jacobian[0], middle.jacobian[1], middle.jacobian[2]);
  if (det == 0.0)
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    sqk_cross3(middle.jacobian[(k + 1) % 3], middle.jacobian[(k + 2) % 3], row[k]);
  }
  if (type == SQ_CELL_HEXAHEDRON || type == SQ_CELL_VOXEL)
  {
    return sqk_cell_box_is_tame(cell, (const double(*)[3])row, det);
  }
  for (int i = 0; i < 8; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      at.r[k] = (i >> k) & 1 ? 1.5 : -0.5;
    }
    sqk_cell_root_at(cell, &at);
    for (int k = 0; k < 3; ++k)
    {
      double sum = 0.0;
      for (int m = 0; m < 3; ++m)
      {
        sum += fabs(sqk_dot3(row[k], at.jacobian[m]) / det - (k == m ? 1.0 : 0.0));
      }
      if (!(sum < 0.4))
      {
        return 0;
      }
    }
  }
  return 1;
}

#endif
