#ifndef SQK_CELL_POLYHEDRON_H
#define SQK_CELL_POLYHEDRON_H
/**
 * Polyhedra: their surface is a closed set of triangles over the nodes and over the middles of warped faces.
 *
 * Inside by the solid angle of the surface (van Oosterom and Strackee 1983). Weights: mean value coordinates (Ju,
 * Schaefer, Warren, "Mean value coordinates for closed triangular meshes", SIGGRAPH 2005) in the form with the vector
 * m, in which what is lost near a face is a factor common to the three nodes of its triangle; on the surface those of the
 * triangle. At last the smallest change that makes the weights sum to 1 and reproduce the point.
 */
#include "sqk_cell_pieces.h"

/** Nearer than this (coordinates are at most 1) a point is on the surface. */
#define SQK_CELL_ON_SURFACE 1e-14

/** Writes the middles of the warped faces behind the nodes; `q` has room for them. */
SQK_INLINE void sqk_polyhedron_middles(const sqk_cell* cell, double* q)
{
  const int32_t* face = cell->middles;
  for (int m = 0; m < cell->middle_count; ++m)
  {
    double* p = q + 3 * (cell->count + m);
    int n = *face++;
    p[0] = p[1] = p[2] = 0.0;
    for (int i = 0; i < n; ++i)
    {
      const double* a = q + 3 * face[i];
      p[0] += a[0] / n, p[1] += a[1] / n, p[2] += a[2] / n;
    }
    face += n;
  }
}

/** Gives the weights of the middles to the nodes that they are the means of. */
SQK_INLINE void sqk_polyhedron_share(const sqk_cell* cell, double* w)
{
  const int32_t* face = cell->middles;
  for (int m = 0; m < cell->middle_count; ++m)
  {
    int n = *face++;
    for (int i = 0; i < n; ++i)
    {
      w[face[i]] += w[cell->count + m] / n;
    }
    face += n;
  }
}

/** Half the solid angle of a triangle seen from the origin. */
SQK_INLINE double sqk_polyhedron_half_angle(const double a[3], const double b[3], const double c[3])
{
  double la = sqrt(sqk_dot3(a, a)), lb = sqrt(sqk_dot3(b, b)), lc = sqrt(sqk_dot3(c, c));
  double y = sqk_det3(a, b, c);
  double x = la * lb * lc + sqk_dot3(a, b) * lc + sqk_dot3(b, c) * la + sqk_dot3(c, a) * lb;
  return x == 0.0 && y == 0.0 ? 0.0 : atan2(y, x);
}

/** Times that the surface winds around the origin. */
SQK_INLINE double sqk_polyhedron_winding(const sqk_cell* cell)
{
  double sum = 0.0;
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    const int32_t* t = cell->triangles + 3 * i;
    sum += sqk_polyhedron_half_angle(cell->q + 3 * t[0], cell->q + 3 * t[1], cell->q + 3 * t[2]);
  }
  return sum * 0.15915494309189533577; /* 1 / (2 pi) */
}

SQK_INLINE void sqk_polyhedron_foot(const sqk_cell* cell, sqk_cell_foot* foot)
{
  sqk_cell_foot_begin(cell->far2, foot);
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    const int32_t* t = cell->triangles + 3 * i;
    sqk_cell_foot_triangle(cell->q, t[0], t[1], t[2], foot);
  }
}

/** Adds what one triangle gives to the weights of its corners. */
SQK_INLINE void sqk_polyhedron_add(const double* q, const int32_t t[3], double* w)
{
  double u[3][3], c[3][3], length[3], m[3] = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < 3; ++i)
  {
    const double* p = q + 3 * t[i];
    length[i] = sqrt(sqk_dot3(p, p));
    u[i][0] = p[0] / length[i], u[i][1] = p[1] / length[i], u[i][2] = p[2] / length[i];
  }
  for (int i = 0; i < 3; ++i)
  {
    const double *a = u[(i + 1) % 3], *b = u[(i + 2) % 3];
    sqk_cross3(a, b, c[i]);
    double sine = sqrt(sqk_dot3(c[i], c[i]));
    double f = sine > 0.0 ? 0.5 * atan2(sine, sqk_dot3(a, b)) / sine : 0.0;
    m[0] += f * c[i][0], m[1] += f * c[i][1], m[2] += f * c[i][2];
  }
  /* In the plane of the triangle but not in it: both m and the determinant vanish, and so does the weight. */
  double det = sqk_dot3(u[0], c[0]);
  if (!(fabs(det) > 1e-9) && !(sqk_dot3(m, m) > 1.0))
  {
    return;
  }
  det = fabs(det) > 1e-300 ? det : 1e-300;
  for (int i = 0; i < 3; ++i)
  {
    w[t[i]] += sqk_dot3(c[i], m) / (length[i] * det);
  }
}

/** The smallest change (in the sum of squares) by which n weights sum to 1 and reproduce the origin. */
SQK_INLINE void sqk_polyhedron_correct(const double* q, int n, double* w)
{
  double centre[3] = { 0.0, 0.0, 0.0 }, a[3][3] = { { 0.0 } }, off[3], b[3], s[3], sum = 0.0;
  for (int i = 0; i < n; ++i)
  {
    sum += w[i];
    for (int d = 0; d < 3; ++d)
    {
      centre[d] += q[3 * i + d] / n;
    }
  }
  for (int i = 0; i < n; ++i)
  {
    double p[3];
    sqk_sub3(q + 3 * i, centre, p);
    for (int d = 0; d < 3; ++d)
    {
      a[d][0] += p[d] * p[0], a[d][1] += p[d] * p[1], a[d][2] += p[d] * p[2];
    }
  }
  sqk_cell_combine(q, w, n, off);
  for (int d = 0; d < 3; ++d)
  {
    b[d] = -off[d] - (1.0 - sum) * centre[d];
  }
  if (!sqk_cell_solve_spd(a, b, 3, s))
  {
    return;
  }
  for (int i = 0; i < n; ++i)
  {
    double p[3];
    sqk_sub3(q + 3 * i, centre, p);
    w[i] += (1.0 - sum) / n + sqk_dot3(p, s);
  }
}

/** Mean value coordinates of the origin; 0 where they are not defined. `w` has room for the middles, too. */
SQK_INLINE int sqk_polyhedron_mean_value(const sqk_cell* cell, double* w)
{
  int n = cell->count + cell->middle_count;
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
  {
    w[i] = 0.0;
  }
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    sqk_polyhedron_add(cell->q, cell->triangles + 3 * i, w);
  }
  for (int i = 0; i < n; ++i)
  {
    sum += w[i];
  }
  if (!(fabs(sum) > 0.0) || !(fabs(sum) < HUGE_VAL))
  {
    return 0;
  }
  for (int i = 0; i < n; ++i)
  {
    w[i] /= sum;
  }
  sqk_polyhedron_share(cell, w);
  sqk_polyhedron_correct(cell->q, cell->count, w);
  sqk_polyhedron_correct(cell->q, cell->count, w);
  return 1;
}

/** The weights of a foot on the surface. */
SQK_INLINE void sqk_polyhedron_foot_weights(
  const sqk_cell* cell, const sqk_cell_foot* foot, double* w)
{
  for (int i = 0; i < cell->count + cell->middle_count; ++i)
  {
    w[i] = 0.0;
  }
  for (int i = 0; i < foot->count; ++i)
  {
    w[foot->node[i]] += foot->bary[i];
  }
  sqk_polyhedron_share(cell, w);
}

SQK_INLINE int sqk_cell_find_polyhedron(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  double winding = fabs(sqk_polyhedron_winding(cell));
  /* Far from 1/2 the point is not near the surface's edge cases; w needs the foot, too. */
  int inside = winding > 0.5;
  sqk_cell_foot foot;
  hit->distance = 0.0;
  if (!inside || w)
  {
    sqk_polyhedron_foot(cell, &foot);
    hit->distance = sqrt(foot.distance2);
  }
  int on = hit->distance <= SQK_CELL_ON_SURFACE;
  if (!inside && !(hit->distance <= fmax(limit, fuzz)))
  {
    return 0;
  }
  sqk_cell_no_parameters(hit->r);
  hit->used = 0;
  hit->closest[0] = hit->closest[1] = hit->closest[2] = 0.0;
  if (!inside)
  {
    sqk_set3(foot.point, hit->closest);
    inside = hit->distance <= fuzz;
    on = 1;
  }
  hit->distance = inside ? 0.0 : hit->distance;
  if (w && (on || !sqk_polyhedron_mean_value(cell, w)))
  {
    sqk_polyhedron_foot_weights(cell, &foot, w);
  }
  return 1;
}

#endif
