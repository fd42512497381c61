#ifndef SQK_SHAPE_FACES_H
#define SQK_SHAPE_FACES_H
/** Faces of the linear solids, and of curved ones by their corners. */
#include "sqk_shape.h"

/** Most corners of a face. */
#define SQK_SHAPE_CORNERS 6

/**
 * Local ids of face f of a three-dimensional linear cell, in VTK's order of faces and of corners; their number, 0 after the last
 * face. In a cell that is oriented as VTK asks they face outward.
 */
SQK_INLINE int sqk_shape_face(int type, int f, int ids[SQK_SHAPE_CORNERS])
{
  static const signed char tetra[4][3] = { { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 }, { 0, 2, 1 } };
  static const signed char box[6][4] = { { 0, 4, 7, 3 }, { 1, 2, 6, 5 }, { 0, 1, 5, 4 },
    { 3, 7, 6, 2 }, { 0, 3, 2, 1 }, { 4, 5, 6, 7 } };
  static const signed char wedge[5][4] = { { 0, 1, 2, -1 }, { 3, 5, 4, -1 }, { 0, 3, 4, 1 },
    { 1, 4, 5, 2 }, { 2, 5, 3, 0 } };
  static const signed char pyramid[5][4] = { { 0, 3, 2, 1 }, { 0, 1, 4, -1 }, { 1, 2, 4, -1 },
    { 2, 3, 4, -1 }, { 3, 0, 4, -1 } };
  static const signed char voxel[6][4] = { { 2, 0, 4, 6 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
    { 3, 2, 6, 7 }, { 1, 0, 2, 3 }, { 4, 5, 7, 6 } };
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
      ids[n] = type == SQ_CELL_VOXEL ? voxel[f][n] : box[f][n];
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

/** The linear solid with the corners of a curved one, which come first among its nodes; other types are themselves. */
SQK_INLINE int sqk_shape_corner_type(int type)
{
  switch (type)
  {
    case SQ_CELL_QUADRATIC_TETRA:
    case SQK_CELL_TETRA_15:
    case SQ_CELL_LAGRANGE_TETRAHEDRON:
    case SQ_CELL_BEZIER_TETRAHEDRON:
      return SQ_CELL_TETRA;
    case SQ_CELL_QUADRATIC_HEXAHEDRON:
    case SQ_CELL_TRIQUADRATIC_HEXAHEDRON:
    case SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON:
    case SQ_CELL_LAGRANGE_HEXAHEDRON:
    case SQ_CELL_BEZIER_HEXAHEDRON:
      return SQ_CELL_HEXAHEDRON;
    case SQ_CELL_QUADRATIC_WEDGE:
    case SQ_CELL_QUADRATIC_LINEAR_WEDGE:
    case SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE:
    case SQK_CELL_WEDGE_21:
    case SQ_CELL_LAGRANGE_WEDGE:
    case SQ_CELL_BEZIER_WEDGE:
      return SQ_CELL_WEDGE;
    case SQ_CELL_QUADRATIC_PYRAMID:
    case SQ_CELL_TRIQUADRATIC_PYRAMID:
      return SQ_CELL_PYRAMID;
    default:
      return type;
  }
}

#endif
