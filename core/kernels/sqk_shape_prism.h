#ifndef SQK_SHAPE_PRISM_H
#define SQK_SHAPE_PRISM_H
/**
 * Prisms over a regular polygon of 5 or 6 corners.
 *
 * In the base: Wachspress's rational functions on the regular polygon (Wachspress, A Rational Finite Element Basis,
 * 1975), linear in r[2]. VTK uses the same for the pentagon, with constants of five digits (its weights sum to
 * 1 + 2e-6); for the hexagon VTK has polynomials that are not linear along the edges, so that its faces are not flat. The
 * corners lie where VTK's functions have them; the parametric coordinates agree with VTK's to 1e-5 (pentagon), and for affine
 * images exactly (hexagon).
 */
#include "sqk_config.h"

/** Corner i of the regular polygon of 5 or 6 corners, on a circle of radius 1. */
SQK_INLINE void sqk_shape_ngon_corner(int sides, int i, double c[2])
{
  /* cos and sin of 72 and 144 degrees, of 30 degrees */
  const double c1 = 0.30901699437494742410, s1 = 0.95105651629515357212;
  const double c2 = -0.80901699437494742410, s2 = 0.58778525229247312917;
  const double h = 0.86602540378443864676;
  const double x5[5] = { c1, c2, c2, c1, 1.0 };
  const double y5[5] = { s1, s2, -s2, -s1, 0.0 };
  const double x6[6] = { 0.0, h, h, 0.0, -h, -h };
  const double y6[6] = { -1.0, -0.5, 0.5, 1.0, 0.5, -0.5 };
  c[0] = sides == 5 ? x5[i % 5] : x6[i % 6];
  c[1] = sides == 5 ? y5[i % 5] : y6[i % 6];
}

/** Distance of (x, y) from edge i to i + 1, positive inside, scaled to 1 at the centre; and its gradient. */
SQK_INLINE double sqk_shape_ngon_edge(int sides, int i, double x, double y, double g[2])
{
  double a[2], b[2];
  sqk_shape_ngon_corner(sides, i, a);
  sqk_shape_ngon_corner(sides, i + 1, b);
  double area = a[0] * b[1] - a[1] * b[0];
  g[0] = (a[1] - b[1]) / area, g[1] = (b[0] - a[0]) / area;
  return ((a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x)) / area;
}

/** Weights of the corners of the polygon at (x, y), and their derivatives. */
SQK_INLINE void sqk_shape_ngon(int sides, double x, double y, double* w, double* dx, double* dy)
{
  double e[6], g[6][2], sum = 0.0, sx = 0.0, sy = 0.0;
  for (int i = 0; i < sides; ++i)
  {
    e[i] = sqk_shape_ngon_edge(sides, i, x, y, g[i]);
  }
  for (int i = 0; i < sides; ++i)
  {
    /* The product of the edges that do not meet at corner i; all corners of a regular polygon are alike. */
    w[i] = 1.0, dx[i] = dy[i] = 0.0;
    for (int k = 1; k < sides - 1; ++k)
    {
      int j = (i + k) % sides;
      dx[i] = dx[i] * e[j] + w[i] * g[j][0];
      dy[i] = dy[i] * e[j] + w[i] * g[j][1];
      w[i] *= e[j];
    }
    sum += w[i], sx += dx[i], sy += dy[i];
  }
  for (int i = 0; i < sides; ++i)
  {
    w[i] /= sum;
    dx[i] = (dx[i] - w[i] * sx) / sum;
    dy[i] = (dy[i] - w[i] * sy) / sum;
  }
}

SQK_INLINE void sqk_shape_prism(int sides, const double r[3], double* w, double* dw)
{
  double b[6], dx[6], dy[6];
  sqk_shape_ngon(sides, 2.0 * r[0] - 1.0, 2.0 * r[1] - 1.0, b, dx, dy);
  for (int i = 0; i < sides; ++i)
  {
    int j = i + sides;
    w[i] = b[i] * (1.0 - r[2]), w[j] = b[i] * r[2];
    dw[3 * i] = 2.0 * dx[i] * (1.0 - r[2]), dw[3 * j] = 2.0 * dx[i] * r[2];
    dw[3 * i + 1] = 2.0 * dy[i] * (1.0 - r[2]), dw[3 * j + 1] = 2.0 * dy[i] * r[2];
    dw[3 * i + 2] = -b[i], dw[3 * j + 2] = b[i];
  }
}

#endif
