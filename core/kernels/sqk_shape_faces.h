#ifndef SQK_SHAPE_FACES_H
#define SQK_SHAPE_FACES_H
/** Faces of the linear solids. */
#include "spatialqueries/sq_types.h"
#include "sqk_config.h"

/** Most corners of a face. */
#define SQK_SHAPE_CORNERS 6

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
