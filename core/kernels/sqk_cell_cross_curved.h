#ifndef SQK_CELL_CROSS_CURVED_H
#define SQK_CELL_CROSS_CURVED_H
/**
 * Curved cells against a segment: a lattice on each face says where the two may meet, a guarded Newton iteration over the
 * parameters of face and segment finds out (as sqk_cell_invert.h).
 */
#include "sqk_cell_invert.h"
#include "sqk_cell_types.h"
#include "sqk_segment.h"

/** Steps of the lattice along each side of a face. */
#define SQK_CURVED_SIDE 4

/** A face: parameters at + u along[0] + v along[1]; of a curve u alone. */
typedef struct sqk_curved_face
{
  int type;
  const sqk_cell* cell;
  int dimension;
  int is_triangle; /* u + v <= 1 */
  double at[3];
  double along[2][3];
} sqk_curved_face;

SQK_INLINE void sqk_curved_face_span(sqk_curved_face* face, int u, int v)
{
  for (int k = 0; k < 3; ++k)
  {
    face->at[k] = 0.0;
    face->along[0][k] = k == u ? 1.0 : 0.0;
    face->along[1][k] = k == v ? 1.0 : 0.0;
  }
}

/** The face across the domain from the first corner, between the ends of axes 0 and 1. */
SQK_INLINE void sqk_curved_face_slant(sqk_curved_face* face)
{
  sqk_curved_face_span(face, 1, 2);
  face->at[0] = 1.0;
  face->along[0][0] = -1.0;
  face->along[1][0] = face->is_triangle ? -1.0 : 0.0;
}

/** Sets face f of a solid; 0 after the last one. */
SQK_INLINE int sqk_curved_solid_face(int f, sqk_curved_face* face)
{
  sqk_domain domain = sqk_shape_domain(face->type);
  int axis = domain == SQK_DOMAIN_BOX ? f / 2 : f;
  face->dimension = 2;
  face->is_triangle = domain == SQK_DOMAIN_SIMPLEX;
  if (domain == SQK_DOMAIN_WEDGE)
  {
    /* 0 and 1: the triangles; 2 and 3: along axes 1 and 0; 4: the slanted one */
    axis = f < 2 ? 2 : f - 2;
    face->is_triangle = f < 2;
  }
  if (domain != SQK_DOMAIN_BOX && f == (domain == SQK_DOMAIN_SIMPLEX ? 3 : 4))
  {
    sqk_curved_face_slant(face);
    return 1;
  }
  sqk_curved_face_span(face, (axis + 1) % 3, (axis + 2) % 3);
  face->at[axis % 3] = (domain == SQK_DOMAIN_BOX || (domain == SQK_DOMAIN_WEDGE && f < 2)) && f % 2;
  return f < (domain == SQK_DOMAIN_BOX ? 6 : domain == SQK_DOMAIN_WEDGE ? 5 : 4);
}

/** Sets face f of a cell, whose type and nodes are set; 0 after the last one. */
SQK_INLINE int sqk_curved_face_of(int f, sqk_curved_face* face)
{
  int dimension = sqk_shape_dimension(face->type);
  if (dimension == 3)
  {
    return sqk_curved_solid_face(f, face);
  }
  face->dimension = dimension;
  face->is_triangle = sqk_shape_domain(face->type) == SQK_DOMAIN_SIMPLEX;
  sqk_curved_face_span(face, 0, 1);
  return f == 0;
}

/** The parameters of the cell at (u, v) of the face. */
SQK_INLINE void sqk_curved_face_at(const sqk_curved_face* face, const double uv[2], double r[3])
{
  sqk_madd3(face->at, uv[0], face->along[0], r);
  if (face->dimension == 2)
  {
    sqk_madd3(r, uv[1], face->along[1], r);
  }
}

/** Where face and segment are compared: parameters of the face, then that of the segment, and what lies between. */
typedef struct sqk_curved_meeting
{
  double p[3];
  sqk_cell_root root; /* x: from the segment to the face; jacobian by p */
} sqk_curved_meeting;

SQK_INLINE void sqk_curved_compare(
  const sqk_curved_face* face, const sqk_segment* s, sqk_curved_meeting* m)
{
  int last = face->dimension;
  sqk_cell_root at;
  double here[3];
  sqk_curved_face_at(face, m->p, at.r);
  sqk_cell_root_at(face->cell, &at);
  sqk_madd3(s->a, m->p[last], s->d, here);
  sqk_sub3(at.x, here, m->root.x);
  m->root.residual = sqrt(sqk_dot3(m->root.x, m->root.x));
  for (int d = 0; d < 3; ++d)
  {
    for (int k = 0; k < last; ++k)
    {
      m->root.jacobian[k][d] = face->along[k][0] * at.jacobian[0][d] +
        face->along[k][1] * at.jacobian[1][d] + face->along[k][2] * at.jacobian[2][d];
    }
    m->root.jacobian[last][d] = -s->d[d];
  }
}

/** Moves the parameters onto face and segment. */
SQK_INLINE void sqk_curved_hold(const sqk_curved_face* face, double p[3])
{
  for (int k = 0; k <= face->dimension; ++k)
  {
    p[k] = sqk_shape_clip(p[k], 0.0, 1.0);
  }
  double sum = p[0] + p[1];
  if (face->dimension == 2 && face->is_triangle && sum > 1.0)
  {
    p[0] /= sum, p[1] /= sum;
  }
}

/** From m->p to a place where the two are nearest; the parameter of the segment there, HUGE_VAL if they do not meet. */
SQK_INLINE double sqk_curved_meet(
  const sqk_curved_face* face, const sqk_segment* s, sqk_curved_meeting* m)
{
  int count = face->dimension + 1;
  sqk_curved_compare(face, s, m);
  for (int i = 0; i < SQK_CELL_STEPS && m->root.residual > 2.0 * SQK_CELL_EPSILON; ++i)
  {
    double step[3], part = 1.0;
    if (!sqk_cell_step(&m->root, count, step))
    {
      break;
    }
    sqk_curved_meeting next = *m;
    int better = 0;
    for (int halving = 0; halving < 8 && !better; ++halving, part *= 0.5)
    {
      for (int k = 0; k < count; ++k)
      {
        next.p[k] = m->p[k] + part * step[k];
      }
      sqk_curved_hold(face, next.p);
      sqk_curved_compare(face, s, &next);
      better = next.root.residual < m->root.residual;
    }
    if (!better)
    {
      break;
    }
    *m = next;
  }
  return m->root.residual <= fmax(s->tolerance, SQK_CELL_ROOT_RESIDUAL) ? m->p[count - 1]
                                                                        : HUGE_VAL;
}

typedef struct sqk_curved_lattice_points
{
  double x[SQK_CURVED_SIDE + 1][SQK_CURVED_SIDE + 1][3];
  double slack; /* how far the face may be from the triangles between them */
} sqk_curved_lattice_points;

/** The second difference of three points in a row */
SQK_INLINE double sqk_curved_bend(const double a[3], const double b[3], const double c[3])
{
  double v[3];
  for (int d = 0; d < 3; ++d)
  {
    v[d] = (a[d] - b[d]) - (b[d] - c[d]);
  }
  return sqrt(sqk_dot3(v, v));
}

/** Points of the face; beyond the slant of a triangle its map goes on. */
SQK_INLINE void sqk_curved_sample(const sqk_curved_face* face, sqk_curved_lattice_points* l)
{
  int rows = face->dimension == 2 ? SQK_CURVED_SIDE : 0;
  for (int i = 0; i <= SQK_CURVED_SIDE; ++i)
  {
    for (int j = 0; j <= rows; ++j)
    {
      const double uv[2] = { (double)i / SQK_CURVED_SIDE, (double)j / SQK_CURVED_SIDE };
      sqk_cell_root at;
      sqk_curved_face_at(face, uv, at.r);
      sqk_cell_root_at(face->cell, &at);
      sqk_set3(at.x, l->x[i][j]);
    }
  }
  l->slack = 0.0;
  for (int i = 0; i <= SQK_CURVED_SIDE; ++i)
  {
    for (int j = 0; j <= rows; ++j)
    {
      double bend = 0.0;
      bend += i >= 2 ? sqk_curved_bend(l->x[i - 2][j], l->x[i - 1][j], l->x[i][j]) : 0.0;
      bend += j >= 2 ? sqk_curved_bend(l->x[i][j - 2], l->x[i][j - 1], l->x[i][j]) : 0.0;
      bend += i >= 2 && j >= 2 ? sqk_curved_bend(l->x[i - 2][j - 2], l->x[i - 1][j - 1], l->x[i][j])
                               : 0.0;
      l->slack = fmax(l->slack, bend);
    }
  }
}

/** The segment against the part of a face around lattice square (i, j), whose corners are `count` points. */
SQK_INLINE double sqk_curved_meet_part(const sqk_curved_face* face, const sqk_segment* s,
  const sqk_curved_lattice_points* l, int i, int j)
{
  int columns = face->dimension == 2 ? 2 : 1;
  double middle[3] = { 0.0, 0.0, 0.0 }, radius = 0.0, gap[3];
  sqk_curved_meeting m;
  for (int k = 0; k < 2 * columns; ++k)
  {
    sqk_madd3(middle, 0.5 / columns, l->x[i + k % 2][j + k / 2], middle);
  }
  for (int k = 0; k < 2 * columns; ++k)
  {
    sqk_sub3(l->x[i + k % 2][j + k / 2], middle, gap);
    radius = fmax(radius, sqrt(sqk_dot3(gap, gap)));
  }
  double t = sqk_segment_project(s->a, s->d, middle);
  const double still[3] = { 0.0, 0.0, 0.0 };
  if (sqk_segment_gap(s->a, t, s->d, middle, 0.0, still) > radius + l->slack + s->tolerance)
  {
    return HUGE_VAL;
  }
  m.p[0] = (i + 0.5) / SQK_CURVED_SIDE;
  m.p[1] = (j + 0.5) / SQK_CURVED_SIDE;
  m.p[face->dimension] = t;
  sqk_curved_hold(face, m.p);
  return sqk_curved_meet(face, s, &m);
}

/** Where the segment first meets a curved cell; HUGE_VAL if it does not. */
SQK_INLINE double sqk_cell_cross_curved(const sqk_cell* cell, const sqk_segment* s)
{
  sqk_curved_face face;
  sqk_curved_lattice_points lattice;
  double t = HUGE_VAL;
  face.type = cell->type;
  face.cell = cell;
  for (int f = 0; sqk_curved_face_of(f, &face); ++f)
  {
    sqk_curved_sample(&face, &lattice);
    int rows = face.dimension == 2 ? SQK_CURVED_SIDE : 1;
    for (int i = 0; i < SQK_CURVED_SIDE; ++i)
    {
      for (int j = 0; j < (face.dimension == 2 && face.is_triangle ? rows - i : rows); ++j)
      {
        t = fmin(t, sqk_curved_meet_part(&face, s, &lattice, i, j));
      }
    }
  }
  return t;
}

#endif
