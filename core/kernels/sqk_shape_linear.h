#ifndef SQK_SHAPE_LINEAR_H
#define SQK_SHAPE_LINEAR_H
/**
 * Shape functions of VTK's linear cells at parameters r, in VTK's order of nodes and with VTK's parametric coordinates.
 * w[i] is the weight of node i, dw[3 * i + k] its derivative by r[k].
 */
#include "sqk_config.h"

SQK_INLINE void sqk_shape_line(const double r[3], double* w, double* dw)
{
  w[0] = 1.0 - r[0], w[1] = r[0];
  dw[0] = -1.0, dw[3] = 1.0;
  dw[1] = dw[2] = dw[4] = dw[5] = 0.0;
}

SQK_INLINE void sqk_shape_triangle(const double r[3], double* w, double* dw)
{
  w[0] = 1.0 - r[0] - r[1], w[1] = r[0], w[2] = r[1];
  for (int k = 0; k < 3; ++k)
  {
    dw[k] = k < 2 ? -1.0 : 0.0;
    dw[3 + k] = k == 0 ? 1.0 : 0.0;
    dw[6 + k] = k == 1 ? 1.0 : 0.0;
  }
}

SQK_INLINE void sqk_shape_tetra(const double r[3], double* w, double* dw)
{
  w[0] = 1.0 - r[0] - r[1] - r[2];
  for (int i = 0; i < 3; ++i)
  {
    w[i + 1] = r[i];
    dw[i] = -1.0;
    for (int k = 0; k < 3; ++k)
    {
      dw[3 * (i + 1) + k] = i == k ? 1.0 : 0.0;
    }
  }
}

/** The side (0 or 1) of node i along each axis: of a voxel (pixel), or of a hexahedron (quad). */
SQK_INLINE void sqk_shape_box_side(int i, int voxel, int side[3])
{
  side[0] = voxel ? i & 1 : ((i + 1) >> 1) & 1;
  side[1] = (i >> 1) & 1;
  side[2] = (i >> 2) & 1;
}

/** Quad, pixel (dimension 2), hexahedron, voxel (dimension 3). */
SQK_INLINE void sqk_shape_box(const double r[3], int dimension, int voxel, double* w, double* dw)
{
  double a[3][2] = { { 1.0 - r[0], r[0] }, { 1.0 - r[1], r[1] },
    { dimension == 3 ? 1.0 - r[2] : 1.0, r[2] } };
  double d[2] = { -1.0, 1.0 };
  for (int i = 0; i < 1 << dimension; ++i)
  {
    int b[3];
    sqk_shape_box_side(i, voxel, b);
    double x = a[0][b[0]], y = a[1][b[1]], z = a[2][b[2]];
    w[i] = x * y * z;
    dw[3 * i] = d[b[0]] * y * z;
    dw[3 * i + 1] = x * d[b[1]] * z;
    dw[3 * i + 2] = dimension == 3 ? x * y * d[b[2]] : 0.0;
  }
}

SQK_INLINE void sqk_shape_wedge(const double r[3], double* w, double* dw)
{
  double t[3], dt[9];
  sqk_shape_triangle(r, t, dt);
  for (int i = 0; i < 3; ++i)
  {
    w[i] = t[i] * (1.0 - r[2]), w[i + 3] = t[i] * r[2];
    for (int k = 0; k < 2; ++k)
    {
      dw[3 * i + k] = dt[3 * i + k] * (1.0 - r[2]);
      dw[3 * (i + 3) + k] = dt[3 * i + k] * r[2];
    }
    dw[3 * i + 2] = -t[i], dw[3 * (i + 3) + 2] = t[i];
  }
}

SQK_INLINE void sqk_shape_pyramid(const double r[3], double* w, double* dw)
{
  double b[4], db[12];
  sqk_shape_box(r, 2, 0, b, db);
  for (int i = 0; i < 4; ++i)
  {
    w[i] = b[i] * (1.0 - r[2]);
    dw[3 * i] = db[3 * i] * (1.0 - r[2]);
    dw[3 * i + 1] = db[3 * i + 1] * (1.0 - r[2]);
    dw[3 * i + 2] = -b[i];
  }
  w[4] = r[2];
  dw[12] = dw[13] = 0.0, dw[14] = 1.0;
}

#endif
