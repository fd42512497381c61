#ifndef SQK_CELL_BOUNDARY_H
#define SQK_CELL_BOUNDARY_H
/**
 * The point of a cell's simplices closest to the origin: the boundary triangles of solids, the triangles of
 * surfaces, the segments of lines, the points of vertices.
 */
#include "sqk_far_triangle.h"
#include "sqk_shape_domain.h"
#include "sqk_shape_faces.h"
#include "sqk_triangle.h"

/** A point of a cell as a convex combination of up to three nodes. */
typedef struct sqk_cell_foot
{
  double far2; /* see sqk_triangle.h; HUGE_VAL: distances in plain double */
  const double*
    products; /* NULL; of queries far away: see sqk_far_triangle.h, and distances are less the square of the query */
  double distance2; /* HUGE_VAL: none yet */
  double point[3];
  double bary[3];
  int32_t node[3];
  int32_t count; /* nodes used: 1, 2 or 3 */
} sqk_cell_foot;

SQK_INLINE void sqk_cell_foot_begin(double far2, sqk_cell_foot* foot)
{
  foot->far2 = far2;
  foot->products = NULL;
  foot->distance2 = HUGE_VAL;
  foot->point[0] = foot->point[1] = foot->point[2] = 0.0;
  foot->count = 0;
}

SQK_INLINE void sqk_cell_foot_far(const double* q, const int node[3], sqk_cell_foot* foot)
{
  double bary[3], point[3];
  sqk_far_triangle(q, foot->products, node[0], node[1], node[2], bary);
  double distance2 = sqk_far_distance2(q, foot->products, node, bary, point);
  if (distance2 < foot->distance2)
  {
    foot->distance2 = distance2;
    foot->count = 3;
    sqk_set3(point, foot->point);
    for (int i = 0; i < 3; ++i)
    {
      foot->bary[i] = bary[i];
      foot->node[i] = node[i];
    }
  }
}

SQK_INLINE void sqk_cell_foot_triangle(const double* q, int a, int b, int c, sqk_cell_foot* foot)
{
  const double here[3] = { 0.0, 0.0, 0.0 };
  const int node[3] = { a, b, c };
  sqk_closest closest;
  if (foot->products)
  {
    sqk_cell_foot_far(q, node, foot);
    return;
  }
  sqk_closest_on_triangle(here, q + 3 * a, q + 3 * b, q + 3 * c, foot->far2, &closest);
  if (closest.distance2 < foot->distance2)
  {
    foot->distance2 = closest.distance2;
    sqk_set3(closest.feature < 3 ? q + 3 * node[closest.feature] : closest.offset, foot->point);
    for (int i = 0; i < 3; ++i)
    {
      foot->bary[i] = closest.weight[i];
      foot->node[i] = node[i];
    }
    foot->count = 3;
  }
}

/** A segment is a triangle without area. */
SQK_INLINE void sqk_cell_foot_segment(const double* q, int a, int b, sqk_cell_foot* foot)
{
  double before = foot->distance2;
  sqk_cell_foot_triangle(q, a, b, b, foot);
  if (foot->distance2 < before)
  {
    foot->bary[1] += foot->bary[2];
    foot->count = 2;
  }
}

/** And so is a point. */
SQK_INLINE void sqk_cell_foot_point(const double* q, int a, sqk_cell_foot* foot)
{
  double before = foot->distance2;
  sqk_cell_foot_triangle(q, a, a, a, foot);
  if (foot->distance2 < before)
  {
    foot->bary[0] = 1.0;
    foot->count = 1;
  }
}

/** How a quadrilateral is cut: 0 it is convex (distance: along 0-2), 1 concave, along 0-2, 2 concave, along 1-3. */
SQK_INLINE int sqk_cell_quad_cut(const double* q, const int ids[4])
{
  double e[4][3], diagonal[2][3], normal[3], corner[3];
  for (int i = 0; i < 4; ++i)
  {
    sqk_sub3(q + 3 * ids[(i + 1) % 4], q + 3 * ids[i], e[i]);
  }
  sqk_sub3(q + 3 * ids[2], q + 3 * ids[0], diagonal[0]);
  sqk_sub3(q + 3 * ids[3], q + 3 * ids[1], diagonal[1]);
  sqk_cross3(diagonal[0], diagonal[1], normal);
  double size2 = fmax(sqk_dot3(diagonal[0], diagonal[0]), sqk_dot3(diagonal[1], diagonal[1]));
  double noise = 64.0 * SQK_CELL_EPSILON * size2 * sqrt(sqk_dot3(normal, normal));
  for (int i = 0; i < 4; ++i)
  {
    sqk_cross3(e[(i + 3) % 4], e[i], corner);
    if (sqk_dot3(corner, normal) < -noise)
    {
      return 1 + i % 2;
    }
  }
  return 0;
}

SQK_INLINE void sqk_cell_foot_quad(const double* q, const int ids[4], sqk_cell_foot* foot)
{
  int k = sqk_cell_quad_cut(q, ids) == 2;
  sqk_cell_foot_triangle(q, ids[k], ids[k + 1], ids[k + 2], foot);
  sqk_cell_foot_triangle(q, ids[k], ids[k + 2], ids[(k + 3) % 4], foot);
}

/** The corners of a quad or pixel in turn. */
SQK_INLINE const int* sqk_cell_ring(int type)
{
  static const int quad[4] = { 0, 1, 2, 3 };
  static const int pixel[4] = { 0, 1, 3, 2 };
  return type == SQ_CELL_PIXEL ? pixel : quad;
}

/** All faces of a solid, as bits. */
#define SQK_CELL_ALL_FACES ~0u

/** Closest point of the boundary (solids; of the faces whose bits are set) or of the cell (others) of a type with shape functions. */
SQK_INLINE void sqk_cell_foot_shape(int type, const double* q, unsigned faces, sqk_cell_foot* foot)
{
  int ids[SQK_SHAPE_CORNERS], n;
  switch (type)
  {
    case SQ_CELL_LINE:
      sqk_cell_foot_segment(q, 0, 1, foot);
      return;
    case SQ_CELL_TRIANGLE:
      sqk_cell_foot_triangle(q, 0, 1, 2, foot);
      return;
    case SQ_CELL_PIXEL:
    case SQ_CELL_QUAD:
      sqk_cell_foot_quad(q, sqk_cell_ring(type), foot);
      return;
    default:
      break;
  }
  for (int f = 0; (n = sqk_shape_face(type, f, ids)) > 0; ++f)
  {
    if (!(faces >> f & 1))
    {
      continue;
    }
    if (n == 4)
    {
      sqk_cell_foot_quad(q, ids, foot);
      continue;
    }
    /* A convex polygon cut by ears from its lowest node is a fan around its last one. */
    for (int k = 0; k + 2 < n; ++k)
    {
      sqk_cell_foot_triangle(q, ids[n - 1], ids[k], ids[k + 1], foot);
    }
  }
}

/** A lower bound of the distance from the origin to a convex hull, by its extent along `normal`; <= 0: none. */
SQK_INLINE double sqk_cell_gap_along(const double* q, int count, const double normal[3])
{
  double length = sqrt(sqk_dot3(normal, normal));
  double lo = HUGE_VAL, hi = -HUGE_VAL;
  for (int i = 0; i < count; ++i)
  {
    double d = sqk_dot3(q + 3 * i, normal);
    lo = fmin(lo, d), hi = fmax(hi, d);
  }
  /* The products are known to a few epsilon of |q| |n|. */
  return length > 0.0 ? fmax(lo, -hi) / length - 16.0 * SQK_CELL_EPSILON : 0.0;
}

/** How far the planes of a solid's faces say that the origin is from it. */
typedef enum sqk_cell_side
{
  SQK_CELL_SIDE_BEYOND, /* farther than the limit */
  SQK_CELL_SIDE_OFF, /* farther than rounding */
  SQK_CELL_SIDE_MAYBE_IN
} sqk_cell_side;

/**
 * Where the origin is as the planes of the faces tell; `faces`: bits of those that may be within `limit`, if it is not
 * beyond. Needs shape functions that are not negative in the cell, which lies in the convex hull of its nodes then.
 */
SQK_INLINE sqk_cell_side sqk_cell_side_of(
  int type, const double* q, double fuzz, double limit, unsigned* faces)
{
  int ids[SQK_SHAPE_CORNERS], n;
  int nodes = sqk_shape_nodes(type);
  sqk_cell_side side = SQK_CELL_SIDE_MAYBE_IN;
  *faces = 0;
  for (int f = 0; (n = sqk_shape_face(type, f, ids)) > 0; ++f)
  {
    double a[3], b[3], normal[3], d[SQK_SHAPE_NODES], low = HUGE_VAL, high = -HUGE_VAL;
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    int far = n == 3 ? 2 : n / 2;
    sqk_sub3(q + 3 * ids[far], q + 3 * ids[0], a);
    sqk_sub3(q + 3 * ids[n - 1], q + 3 * ids[1], b);
    sqk_cross3(a, b, normal);
    for (int i = 0; i < nodes; ++i)
    {
      d[i] = sqk_dot3(q + 3 * i, normal);
      lo = d[i] < lo ? d[i] : lo, hi = d[i] > hi ? d[i] : hi;
    }
    for (int i = 0; i < n; ++i)
    {
      double v = d[ids[i]];
      low = v < low ? v : low, high = v > high ? v : high;
    }
    /* The products are known to a few epsilon of |q| |n|. */
    double length = sqrt(sqk_dot3(normal, normal)), noise = 16.0 * SQK_CELL_EPSILON;
    double gap = lo > -hi ? lo : -hi;
    if (gap > (limit + noise) * length)
    {
      return SQK_CELL_SIDE_BEYOND;
    }
    side = gap > (fuzz + noise) * length ? SQK_CELL_SIDE_OFF : side;
    gap = low > -high ? low : -high;
    *faces |= gap > (limit + noise) * length ? 0u : 1u << f;
  }
  return side;
}

/**
 * A lower bound of the distance to a quadrilateral by its plane and its sides. It lies in the convex hull of its nodes.
 */
SQK_INLINE double sqk_cell_gap(int type, const double* q)
{
  double a[3], b[3], normal[3], gap = 0.0;
  const int* ring = sqk_cell_ring(type);
  sqk_sub3(q + 3 * ring[2], q + 3 * ring[0], a);
  sqk_sub3(q + 3 * ring[3], q + 3 * ring[1], b);
  sqk_cross3(a, b, normal);
  gap = fmax(gap, sqk_cell_gap_along(q, 4, normal));
  for (int i = 0; i < 4; ++i)
  {
    double side[3];
    sqk_sub3(q + 3 * ring[(i + 1) % 4], q + 3 * ring[i], a);
    sqk_cross3(a, normal, side);
    gap = fmax(gap, sqk_cell_gap_along(q, 4, side));
  }
  return gap;
}

#endif
