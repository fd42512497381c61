#ifndef SQK_CELL_SHAPE_H
#define SQK_CELL_SHAPE_H
/**
 * Cells with shape functions against one point.
 *
 * A solid holds the points that parameters in its domain map to; a quadrilateral is the bilinear surface. Distances to a
 * solid are those to its boundary, whose quadrilaterals are cut in two. Solids without volume and quadrilaterals
 * that are not convex are the triangles of their boundary.
 */
#include "sqk_cell_boundary.h"
#include "sqk_cell_curved.h"
#include "sqk_cell_tetra.h"
#include "sqk_cell_types.h"

/** How far parameters of a point on a face may lie outside of the domain. */
#define SQK_CELL_ON_FACE 1e-9

/** Weights of all nodes of a cell with shape functions. */
SQK_INLINE void sqk_cell_weights(const sqk_cell* cell, const double r[3], double* w)
{
  double dw[3 * SQK_SHAPE_NODES];
  if (cell->layout)
  {
    sqk_layout_weights(cell->layout, cell->rational, r, w);
  }
  else
  {
    sqk_shape_evaluate(cell->type, r, w, dw);
  }
}

/** The hit of a query inside: parameters and weights (w may be NULL) of a root. */
SQK_INLINE int sqk_cell_set_inside(
  const sqk_cell* cell, const sqk_cell_root* root, sqk_cell_hit* hit, double* w)
{
  hit->distance = 0.0;
  hit->closest[0] = hit->closest[1] = hit->closest[2] = 0.0;
  hit->used = 0;
  sqk_set3(root->r, hit->r);
  if (w)
  {
    sqk_cell_weights(cell, root->r, w);
  }
  return 1;
}

/** The hit of a foot, with the weights of the simplex that it lies on. */
SQK_INLINE void sqk_cell_set_foot(
  const sqk_cell_foot* foot, int count, sqk_cell_hit* hit, double* w)
{
  sqk_set3(foot->point, hit->closest);
  sqk_cell_no_parameters(hit->r);
  hit->used = 0;
  for (int i = 0; w && i < count; ++i)
  {
    w[i] = 0.0;
  }
  for (int i = 0; w && i < foot->count; ++i)
  {
    w[foot->node[i]] += foot->bary[i];
  }
}

/** Parameters of a foot on a tetrahedron. */
SQK_INLINE void sqk_cell_foot_parameters(const sqk_cell_foot* foot, double r[3])
{
  double w[4] = { 0.0, 0.0, 0.0, 0.0 };
  for (int i = 0; i < foot->count; ++i)
  {
    w[foot->node[i] & 3] += foot->bary[i];
  }
  r[0] = w[1], r[1] = w[2], r[2] = w[3];
}

/**
 * Weights of the point `at` (NULL: the origin; never of a Lagrange or Bezier cell) of a cell with shape functions whose parameters lie in the domain up to `slack`
 * (HUGE_VAL: anywhere); 0 and nothing is set if there are none.
 */
SQK_INLINE int sqk_cell_shape_at(
  const sqk_cell* cell, const double at[3], double slack, double r[3], double* w)
{
  int type = cell->type;
  double room[3 * SQK_SHAPE_NODES] = { 0.0 };
  sqk_cell moved = *cell;
  int n = at ? sqk_shape_nodes(type) : 0;
  for (int i = 0; i < n; ++i)
  {
    sqk_sub3(cell->q + 3 * i, at, room + 3 * i);
  }
  moved.q = at ? room : cell->q;
  sqk_cell_root root;
  int found = sqk_cell_invert(&moved, slack, &root) || sqk_shape_dimension(type) < 3;
  if (!found || !(sqk_shape_violation(type, root.r) <= slack))
  {
    return 0;
  }
  sqk_set3(root.r, r);
  sqk_cell_weights(cell, root.r, w);
  return 1;
}

/** Parameters of the origin in a voxel along the axes; 0 where it is none or has no volume. */
SQK_INLINE int sqk_cell_axis_voxel(const double* q, double r[3])
{
  for (int i = 1; i < 7; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      if (q[3 * i + k] != ((i >> k) & 1 ? q[21 + k] : q[k]))
      {
        return 0;
      }
    }
  }
  for (int k = 0; k < 3; ++k)
  {
    if (q[k] == q[21 + k])
    {
      return 0;
    }
    r[k] = -q[k] / (q[21 + k] - q[k]);
  }
  return 1;
}

/** Affine solids directly: parameters and weights of the origin; 0 where the cell is none, or flat. */
SQK_INLINE int sqk_cell_affine_root(int type, const double* q, sqk_cell_root* root)
{
  root->residual = 0.0;
  double w[4];
  if (type == SQ_CELL_TETRA && sqk_cell_tetra_weights(q, w))
  {
    sqk_set3(w + 1, root->r);
    return 1;
  }
  return type == SQ_CELL_VOXEL && sqk_cell_axis_voxel(q, root->r);
}

/** Moves the parameters of a root into the domain; the distance from the origin to the point there. */
SQK_INLINE double sqk_cell_clamp_root(const sqk_cell* cell, sqk_cell_root* root)
{
  sqk_shape_clamp(cell->type, 0.0, root->r);
  sqk_cell_root_at(cell, root);
  return root->residual;
}

/** The faces of a tetrahedron that the origin lies outside of, by its barycentric coordinates; or near by rounding. */
SQK_INLINE void sqk_cell_foot_tetra(const double* q, const double w[4], sqk_cell_foot* foot)
{
  const int opposite[4] = { 2, 0, 1, 3 };
  int ids[SQK_SHAPE_CORNERS];
  for (int f = 0; f < 4; ++f)
  {
    if (w[opposite[f]] < 1e-9)
    {
      (void)sqk_shape_face(SQ_CELL_TETRA, f, ids);
      sqk_cell_foot_triangle(q, ids[0], ids[1], ids[2], foot);
    }
  }
}

/** How far a root outside of a solid is off it, to first order: the distance to the farthest of the faces that it is beyond. */
SQK_INLINE double sqk_cell_root_distance(int type, const sqk_cell_root* root)
{
  double row[3][3], plane[4], far = 0.0;
  const double(*j)[3] = (const double(*)[3])root->jacobian;
  double det = fabs(sqk_det3(j[0], j[1], j[2]));
  for (int k = 0; k < 3; ++k)
  {
    sqk_cross3(j[(k + 1) % 3], j[(k + 2) % 3], row[k]);
  }
  for (int i = 0; sqk_shape_plane(type, i, plane); ++i)
  {
    double normal[3] = { 0.0, 0.0, 0.0 };
    double beyond = -(sqk_dot3(plane, root->r) + plane[3]);
    for (int k = 0; k < 3; ++k)
    {
      sqk_madd3(normal, plane[k], row[k], normal);
    }
    double length = sqrt(sqk_dot3(normal, normal));
    far = beyond > 0.0 && length > 0.0 ? fmax(far, beyond * det / length) : far;
  }
  return far;
}

/**
 * A solid that the query is not inside of by its parameters; `root` is a point of its map outside of the domain where
 * `known`, `faces` those that can be within `limit`. Close by, the cell itself is measured, whose faces may be warped, and not only their triangles.
 */
SQK_INLINE int sqk_cell_find_outside(const sqk_cell* cell, int known, const sqk_cell_root* root,
  unsigned faces, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  int tetra = cell->type == SQ_CELL_TETRA;
  sqk_cell_foot foot;
  sqk_cell_foot_begin(cell->far2, &foot);
  if (tetra && known)
  {
    const double* r = root->r;
    const double weight[4] = { 1.0 - r[0] - r[1] - r[2], r[0], r[1], r[2] };
    sqk_cell_foot_tetra(cell->q, weight, &foot);
  }
  else
  {
    sqk_cell_foot_shape(cell->type, cell->q, faces, &foot);
  }
  hit->distance = sqrt(foot.distance2);
  if (known)
  {
    sqk_cell_root on = *root;
    double off = tetra ? hit->distance : sqk_cell_clamp_root(cell, &on);
    if (off > fuzz && !tetra && sqk_cell_root_distance(cell->type, root) <= 2.0 * limit)
    {
      sqk_curved_descend(cell, &on);
      off = on.residual;
    }
    if (off <= fuzz)
    {
      return sqk_cell_set_inside(cell, root, hit, w);
    }
    if (off < hit->distance && off <= limit)
    {
      (void)sqk_cell_set_inside(cell, &on, hit, w);
      sqk_set3(on.x, hit->closest);
      hit->distance = off;
      return 1;
    }
  }
  if (!(hit->distance <= limit))
  {
    return 0;
  }
  sqk_cell_set_foot(&foot, cell->count, hit, w);
  if (tetra)
  {
    sqk_cell_foot_parameters(&foot, hit->r);
  }
  else if (w)
  {
    (void)sqk_cell_shape_at(cell, foot.point, SQK_CELL_ON_FACE, hit->r, w);
  }
  if (hit->distance <= fuzz)
  {
    /* A cell without volume holds what lies on it. On a triangle of a warped face, off the cell, is not inside. */
    hit->distance = known ? 2.0 * fuzz : 0.0;
  }
  return 1;
}

/** A root inside, within rounding of the query. */
SQK_INLINE int sqk_cell_set_plain(
  const sqk_cell* cell, const sqk_cell_root* root, sqk_cell_hit* hit, double* w)
{
  hit->plain = 1;
  return sqk_cell_set_inside(cell, root, hit, w);
}

SQK_INLINE int sqk_cell_find_solid(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  int type = cell->type;
  unsigned faces = SQK_CELL_ALL_FACES;
  sqk_cell_root root;
  int affine = sqk_cell_affine_root(type, cell->q, &root);
  int known = affine || (type != SQ_CELL_TETRA && sqk_cell_iterate_plainly(cell, &root));
  if (known && sqk_shape_violation(type, root.r) <= 0.0 && (affine || root.residual <= fuzz))
  {
    return sqk_cell_set_plain(cell, &root, hit, w);
  }
  if (!affine || type == SQ_CELL_VOXEL)
  {
    sqk_cell_side side = sqk_cell_side_of(type, cell->q, fuzz, limit, &faces);
    if (side == SQK_CELL_SIDE_BEYOND)
    {
      return 0;
    }
    if (!affine && side == SQK_CELL_SIDE_MAYBE_IN && type != SQ_CELL_TETRA)
    {
      known = known ? sqk_cell_invert_on(cell, 0.0, &root) : sqk_cell_invert(cell, 0.0, &root);
    }
    else
    {
      known = affine;
    }
  }
  if (known && sqk_shape_violation(type, root.r) <= 0.0)
  {
    return sqk_cell_set_plain(cell, &root, hit, w);
  }
  return sqk_cell_find_outside(cell, known, &root, faces, fuzz, limit, hit, w);
}

/** The bilinear surface of a convex quadrilateral: 1 hit, 0 not within `limit`, -1 the query projects beyond it. */
SQK_INLINE int sqk_cell_find_bilinear(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  sqk_cell_root root;
  (void)sqk_cell_invert(cell, 0.0, &root);
  sqk_cell_root on = root;
  double off = sqk_cell_clamp_root(cell, &on);
  int inside = sqk_shape_violation(cell->type, root.r) <= 0.0;
  if (off <= fuzz || (inside && off <= limit && !cell->cut))
  {
    (void)sqk_cell_set_inside(cell, &root, hit, w);
    sqk_set3(root.x, hit->closest);
    hit->distance = off <= fuzz ? 0.0 : off;
    return 1;
  }
  return inside && !cell->cut ? 0 : -1;
}

SQK_INLINE int sqk_cell_find_quad(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  int type = cell->type;
  double gap = sqk_cell_gap(type, cell->q);
  if (gap > limit)
  {
    return 0;
  }
  int convex = sqk_cell_quad_cut(cell->q, sqk_cell_ring(type)) == 0;
  int found =
    convex && (gap <= fuzz || !cell->cut) ? sqk_cell_find_bilinear(cell, fuzz, limit, hit, w) : -1;
  if (found >= 0)
  {
    return found;
  }
  sqk_cell_foot foot;
  sqk_cell_foot_begin(cell->far2, &foot);
  if (convex && !cell->cut)
  {
    /* Beyond a warped one the closest point is on its rim; those within its triangles are not on it. */
    const int* ring = sqk_cell_ring(type);
    for (int i = 0; i < 4; ++i)
    {
      sqk_cell_foot_segment(cell->q, ring[i], ring[(i + 1) % 4], &foot);
    }
  }
  else
  {
    sqk_cell_foot_shape(type, cell->q, SQK_CELL_ALL_FACES, &foot);
  }
  hit->distance = sqrt(foot.distance2);
  if (!(hit->distance <= limit))
  {
    return 0;
  }
  sqk_cell_set_foot(&foot, cell->count, hit, w);
  if (convex && w)
  {
    (void)sqk_cell_shape_at(cell, foot.point, SQK_CELL_ON_FACE, hit->r, w);
  }
  hit->distance = hit->distance <= fuzz ? 0.0 : hit->distance;
  return 1;
}

#endif
