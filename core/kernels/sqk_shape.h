#ifndef SQK_SHAPE_H
#define SQK_SHAPE_H
/** Cells with shape functions of fixed node count: their numbers, parametric domains and faces. */
#include "spatialqueries/sq_types.h"
#include "sqk_cell_math.h"
#include "sqk_shape_linear.h"
#include "sqk_shape_prism.h"

/** Most nodes of a cell with shape functions. */
#define SQK_SHAPE_NODES 12
/** Most corners of one of their faces. */
#define SQK_SHAPE_CORNERS 6

/** Nodes of a cell with shape functions; 0 for cells of any number of nodes and unknown types. */
SQK_INLINE int sqk_shape_nodes(int type)
{
  switch (type)
  {
    case SQ_CELL_LINE:
      return 2;
    case SQ_CELL_TRIANGLE:
      return 3;
    case SQ_CELL_PIXEL:
    case SQ_CELL_QUAD:
    case SQ_CELL_TETRA:
      return 4;
    case SQ_CELL_PYRAMID:
      return 5;
    case SQ_CELL_WEDGE:
      return 6;
    case SQ_CELL_VOXEL:
    case SQ_CELL_HEXAHEDRON:
      return 8;
    case SQ_CELL_PENTAGONAL_PRISM:
      return 10;
    case SQ_CELL_HEXAGONAL_PRISM:
      return 12;
    default:
      return 0;
  }
}

/** Dimension of any cell type that the library knows, -1 for others. */
SQK_INLINE int sqk_shape_dimension(int type)
{
  switch (type)
  {
    case SQ_CELL_VERTEX:
    case SQ_CELL_POLY_VERTEX:
      return 0;
    case SQ_CELL_LINE:
    case SQ_CELL_POLY_LINE:
      return 1;
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_TRIANGLE_STRIP:
    case SQ_CELL_POLYGON:
    case SQ_CELL_PIXEL:
    case SQ_CELL_QUAD:
      return 2;
    case SQ_CELL_TETRA:
    case SQ_CELL_VOXEL:
    case SQ_CELL_HEXAHEDRON:
    case SQ_CELL_WEDGE:
    case SQ_CELL_PYRAMID:
    case SQ_CELL_PENTAGONAL_PRISM:
    case SQ_CELL_HEXAGONAL_PRISM:
    case SQ_CELL_POLYHEDRON:
      return 3;
    default:
      return -1;
  }
}

/** Weights and derivatives of a cell with shape functions; r may lie outside of the domain. */
SQK_INLINE void sqk_shape_evaluate(int type, const double r[3], double* w, double* dw)
{
  switch (type)
  {
    case SQ_CELL_LINE:
      sqk_shape_line(r, w, dw);
      break;
    case SQ_CELL_TRIANGLE:
      sqk_shape_triangle(r, w, dw);
      break;
    case SQ_CELL_TETRA:
      sqk_shape_tetra(r, w, dw);
      break;
    case SQ_CELL_PIXEL:
      sqk_shape_box(r, 2, 1, w, dw);
      break;
    case SQ_CELL_QUAD:
      sqk_shape_box(r, 2, 0, w, dw);
      break;
    case SQ_CELL_VOXEL:
      sqk_shape_box(r, 3, 1, w, dw);
      break;
    case SQ_CELL_HEXAHEDRON:
      sqk_shape_box(r, 3, 0, w, dw);
      break;
    case SQ_CELL_WEDGE:
      sqk_shape_wedge(r, w, dw);
      break;
    case SQ_CELL_PYRAMID:
      sqk_shape_pyramid(r, w, dw);
      break;
    case SQ_CELL_PENTAGONAL_PRISM:
      sqk_shape_prism(5, r, w, dw);
      break;
    default:
      sqk_shape_prism(6, r, w, dw);
      break;
  }
}

/** The parametric domains. */
typedef enum sqk_domain
{
  SQK_DOMAIN_SIMPLEX,
  SQK_DOMAIN_BOX,
  SQK_DOMAIN_WEDGE,
  SQK_DOMAIN_PENTAGON,
  SQK_DOMAIN_HEXAGON
} sqk_domain;

SQK_INLINE sqk_domain sqk_shape_domain(int type)
{
  switch (type)
  {
    case SQ_CELL_LINE:
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_TETRA:
      return SQK_DOMAIN_SIMPLEX;
    case SQ_CELL_WEDGE:
      return SQK_DOMAIN_WEDGE;
    case SQ_CELL_PENTAGONAL_PRISM:
      return SQK_DOMAIN_PENTAGON;
    case SQ_CELL_HEXAGONAL_PRISM:
      return SQK_DOMAIN_HEXAGON;
    default:
      return SQK_DOMAIN_BOX;
  }
}

/** The middle of the parametric domain, where a Newton iteration starts. */
SQK_INLINE void sqk_shape_center(int type, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  double xy = domain == SQK_DOMAIN_SIMPLEX ? 1.0 / (dimension + 1)
    : domain == SQK_DOMAIN_WEDGE           ? 1.0 / 3.0
                                           : 0.5;
  r[0] = xy;
  r[1] = dimension > 1 ? xy : 0.0;
  r[2] = dimension < 3 ? 0.0 : domain == SQK_DOMAIN_SIMPLEX ? xy : 0.5;
}

/** Largest of the numbers that must not be positive for r to lie in the domain. */
SQK_INLINE double sqk_shape_violation(int type, const double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  double v = -1.0;
  if (domain == SQK_DOMAIN_PENTAGON || domain == SQK_DOMAIN_HEXAGON)
  {
    int sides = domain == SQK_DOMAIN_PENTAGON ? 5 : 6;
    for (int i = 0; i < sides; ++i)
    {
      double g[2];
      v = fmax(v, -0.5 * sqk_shape_ngon_edge(sides, i, 2.0 * r[0] - 1.0, 2.0 * r[1] - 1.0, g));
    }
    return fmax(v, fmax(-r[2], r[2] - 1.0));
  }
  for (int k = 0; k < dimension; ++k)
  {
    v = fmax(v, -r[k]);
    if (domain == SQK_DOMAIN_BOX || (domain == SQK_DOMAIN_WEDGE && k == 2))
    {
      v = fmax(v, r[k] - 1.0);
    }
  }
  if (domain == SQK_DOMAIN_SIMPLEX)
  {
    v = fmax(v, r[0] + r[1] + r[2] - 1.0);
  }
  else if (domain == SQK_DOMAIN_WEDGE)
  {
    v = fmax(v, r[0] + r[1] - 1.0);
  }
  return v;
}

SQK_INLINE double sqk_shape_clip(double v, double lo, double hi)
{
  return v < lo ? lo : v > hi ? hi : v;
}

/** Moves r into the domain widened by `slack`; a point near by, not the nearest one. */
SQK_INLINE void sqk_shape_clamp(int type, double slack, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  if (domain == SQK_DOMAIN_PENTAGON || domain == SQK_DOMAIN_HEXAGON)
  {
    int sides = domain == SQK_DOMAIN_PENTAGON ? 5 : 6;
    double x = 2.0 * r[0] - 1.0, y = 2.0 * r[1] - 1.0, low = 1.0;
    for (int i = 0; i < sides; ++i)
    {
      double g[2];
      low = fmin(low, sqk_shape_ngon_edge(sides, i, x, y, g));
    }
    if (low < -2.0 * slack) /* shrink towards the centre, where every edge is at 1 */
    {
      double f = (1.0 + 2.0 * slack) / (1.0 - low);
      r[0] = 0.5 + 0.5 * f * x, r[1] = 0.5 + 0.5 * f * y;
    }
    r[2] = sqk_shape_clip(r[2], -slack, 1.0 + slack);
    return;
  }
  for (int k = 0; k < dimension; ++k)
  {
    r[k] = sqk_shape_clip(r[k], -slack, 1.0 + slack);
  }
  int summed = domain == SQK_DOMAIN_SIMPLEX ? dimension : domain == SQK_DOMAIN_WEDGE ? 2 : 0;
  double sum = 0.0;
  for (int k = 0; k < summed; ++k)
  {
    sum += r[k];
  }
  for (int k = 0; k < summed && sum > 1.0 + slack; ++k)
  {
    r[k] *= (1.0 + slack) / sum;
  }
}

/** Local ids of face f of a three-dimensional linear cell, in VTK's order; their number, 0 after the last face. */
SQK_INLINE int sqk_shape_face(int type, int f, int ids[SQK_SHAPE_CORNERS])
{
  static const signed char tetra[4][3] = { { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 }, { 0, 2, 1 } };
  static const signed char box[6][4] = { { 0, 4, 7, 3 }, { 1, 2, 6, 5 }, { 0, 1, 5, 4 },
    { 3, 7, 6, 2 }, { 0, 3, 2, 1 }, { 4, 5, 6, 7 } };
  static const signed char wedge[5][4] = { { 0, 1, 2, -1 }, { 3, 5, 4, -1 }, { 0, 3, 4, 1 },
    { 1, 4, 5, 2 }, { 2, 5, 3, 0 } };
  static const signed char pyramid[5][4] = { { 0, 3, 2, 1 }, { 0, 1, 4, -1 }, { 1, 2, 4, -1 },
    { 2, 3, 4, -1 }, { 3, 0, 4, -1 } };
  static const signed char voxel[8] = { 0, 1, 3, 2, 4, 5, 7, 6 };
  int n = 0;
  if (type == SQ_CELL_TETRA)
  {
    for (; f < 4 && n < 3; ++n)
    {
      ids[n] = tetra[f][n];
    }
  }
  else if (type == SQ_CELL_HEXAHEDRON || type == SQ_CELL_VOXEL)
  {
    for (; f < 6 && n < 4; ++n)
    {
      ids[n] = type == SQ_CELL_VOXEL ? voxel[(int)box[f][n]] : box[f][n];
    }
  }
  else if (type == SQ_CELL_WEDGE || type == SQ_CELL_PYRAMID)
  {
    const signed char(*face)[4] = type == SQ_CELL_WEDGE ? wedge : pyramid;
    for (; f < 5 && n < 4 && face[f][n] >= 0; ++n)
    {
      ids[n] = face[f][n];
    }
  }
  else if (type == SQ_CELL_PENTAGONAL_PRISM || type == SQ_CELL_HEXAGONAL_PRISM)
  {
    int sides = type == SQ_CELL_PENTAGONAL_PRISM ? 5 : 6;
    for (; f < 2 && n < sides; ++n)
    {
      ids[n] = f == 0 ? (sides - n) % sides : sides + n;
    }
    if (f >= 2 && f < sides + 2)
    {
      int a = f - 2, b = (f - 1) % sides;
      ids[0] = a, ids[1] = b, ids[2] = b + sides, ids[3] = a + sides;
      n = 4;
    }
  }
  return n;
}

#endif
