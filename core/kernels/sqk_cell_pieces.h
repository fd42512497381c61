#ifndef SQK_CELL_PIECES_H
#define SQK_CELL_PIECES_H
/**
 * Cells made of points, segments and triangles: vertices, lines, strips, polygons. Values are linear on each piece;
 * polygons are cut into triangles by ears from their lowest node.
 */
#include "sqk_cell_shape.h"
#include "sqk_polygon.h"

/** Closest point over all pieces and what the foot has; the first one of equals. */
SQK_INLINE void sqk_cell_foot_all_pieces(const sqk_cell* cell, sqk_cell_foot* foot)
{
  const double* q = cell->q;
  int n = cell->count;
  int least = cell->type == SQ_CELL_VERTEX || cell->type == SQ_CELL_POLY_VERTEX ? 1
    : cell->type == SQ_CELL_LINE || cell->type == SQ_CELL_POLY_LINE             ? 2
                                                                                : 3;
  if (n < least) /* a line of one point, a polygon of two */
  {
    sqk_cell_foot_segment(q, 0, n - 1, foot);
    return;
  }
  switch (cell->type)
  {
    case SQ_CELL_VERTEX:
    case SQ_CELL_POLY_VERTEX:
      for (int i = 0; i < n; ++i)
      {
        sqk_cell_foot_point(q, i, foot);
      }
      break;
    case SQ_CELL_LINE:
    case SQ_CELL_POLY_LINE:
      for (int i = 0; i + 1 < n; ++i)
      {
        sqk_cell_foot_segment(q, i, i + 1, foot);
      }
      break;
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_TRIANGLE_STRIP:
      for (int i = 0; i + 2 < n; ++i)
      {
        sqk_cell_foot_triangle(q, i, i + 1, i + 2, foot);
      }
      break;
    default:
      for (int i = 0; i + 2 < n; ++i)
      {
        const int32_t fan[3] = { n - 1, i, i + 1 };
        const int32_t* t = cell->triangles ? cell->triangles + 3 * i : fan;
        sqk_cell_foot_triangle(q, t[0], t[1], t[2], foot);
      }
      break;
  }
}

SQK_INLINE void sqk_cell_foot_pieces(const sqk_cell* cell, sqk_cell_foot* foot)
{
  sqk_cell_foot_begin(cell->far2, foot);
  sqk_cell_foot_all_pieces(cell, foot);
}

/**
 * VTK's parametric coordinates of a point of a convex polygon: along the sides of the rectangle that holds it in its plane, the
 * first side along the first edge. 0 where there are none.
 */
SQK_INLINE int sqk_cell_polygon_parameters(const sqk_cell* cell, const double at[3], double r[3])
{
  double axis[2][3], normal[3], lo[2], hi[2], here[2];
  sqk_sub3(cell->q + 3, cell->q, axis[0]);
  sqk_polygon_normal(cell->q, cell->count, normal);
  sqk_cross3(normal, axis[0], axis[1]);
  for (int k = 0; k < 2; ++k)
  {
    lo[k] = HUGE_VAL, hi[k] = -HUGE_VAL;
    for (int i = 0; i < cell->count; ++i)
    {
      double t = sqk_dot3(cell->q + 3 * i, axis[k]);
      lo[k] = fmin(lo[k], t), hi[k] = fmax(hi[k], t);
    }
    here[k] = sqk_dot3(at, axis[k]);
    if (!(hi[k] > lo[k]))
    {
      return 0;
    }
    r[k] = (here[k] - lo[k]) / (hi[k] - lo[k]);
  }
  r[2] = 0.0;
  return 1;
}

/** The hit of a foot on a piece, with the weights of the piece's nodes. */
SQK_INLINE void sqk_cell_set_piece(
  const sqk_cell* cell, const sqk_cell_foot* foot, sqk_cell_hit* hit, double* w)
{
  sqk_set3(foot->point, hit->closest);
  hit->used = foot->count;
  for (int i = 0; i < foot->count; ++i)
  {
    hit->node[i] = foot->node[i];
    if (w)
    {
      w[i] = foot->bary[i];
    }
  }
  sqk_cell_no_parameters(hit->r);
  if (cell->type != SQ_CELL_POLYGON && cell->type != SQ_CELL_QUADRATIC_POLYGON)
  {
    hit->r[0] = foot->count > 1 ? foot->bary[1] : 0.0;
    hit->r[1] = foot->count > 2 ? foot->bary[2] : 0.0;
    hit->r[2] = 0.0;
  }
  else if (w && !cell->triangles && cell->count >= 3 &&
    !sqk_cell_polygon_parameters(cell, foot->point, hit->r))
  {
    sqk_cell_no_parameters(hit->r);
  }
}

SQK_INLINE int sqk_cell_find_pieces(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  sqk_cell_foot foot;
  sqk_cell_foot_pieces(cell, &foot);
  hit->distance = sqrt(foot.distance2);
  if (!(hit->distance <= limit) || !(hit->distance < HUGE_VAL))
  {
    return 0;
  }
  sqk_cell_set_piece(cell, &foot, hit, w);
  hit->distance = hit->distance <= fuzz ? 0.0 : hit->distance;
  return 1;
}

/** Moves a foot from the closest point of its simplex to the query's own place in the line or plane of it. */
SQK_INLINE void sqk_cell_foot_extend(const double* q, sqk_cell_foot* foot)
{
  const double* a = q + 3 * foot->node[0];
  const double* b = foot->count > 1 ? q + 3 * foot->node[1] : a;
  const double* c = foot->count > 2 ? q + 3 * foot->node[2] : a;
  double e[3], f[3], n[3], v[3];
  sqk_sub3(b, a, e);
  double e2 = sqk_dot3(e, e);
  if (foot->count == 2 && e2 > 0.0)
  {
    foot->bary[1] = -sqk_dot3(a, e) / e2;
    foot->bary[0] = 1.0 - foot->bary[1];
    return;
  }
  sqk_sub3(c, a, f);
  sqk_cross3(e, f, n);
  double n2 = sqk_dot3(n, n);
  double noise = 64.0 * SQK_CELL_EPSILON * fmax(e2, sqk_dot3(f, f));
  if (foot->count == 3 && n2 > noise * noise)
  {
    sqk_cross3(c, a, v);
    foot->bary[1] = sqk_dot3(v, n) / n2;
    sqk_cross3(a, b, v);
    foot->bary[2] = sqk_dot3(v, n) / n2;
    foot->bary[0] = 1.0 - foot->bary[1] - foot->bary[2];
  }
}

#endif
