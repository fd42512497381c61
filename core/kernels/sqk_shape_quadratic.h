#ifndef SQK_SHAPE_QUADRATIC_H
#define SQK_SHAPE_QUADRATIC_H
/**
 * Shape functions of VTK's quadratic cells (and its cubic line), in VTK's order of nodes and with VTK's parametric coordinates:
 * products of one-dimensional ones, quadratic simplices, and serendipity cells, whose corners are the linear ones less half
 * of the nodes in the middle of their edges.
 */
#include "sqk_dual.h"

/** Lagrange polynomials of a quadratic edge at x: nodes at 0, 1, 1/2. */
SQK_INLINE void sqk_quadratic_edge(sqk_dual x, sqk_dual q[3])
{
  sqk_dual y = sqk_dual_affine(-1.0, x, 1.0);
  q[0] = sqk_dual_mul(y, sqk_dual_affine(-2.0, x, 1.0));
  q[1] = sqk_dual_mul(x, sqk_dual_affine(2.0, x, -1.0));
  q[2] = sqk_dual_mul(sqk_dual_affine(4.0, x, 0.0), y);
}

/** The two of a linear edge. */
SQK_INLINE void sqk_linear_edge(sqk_dual x, sqk_dual l[2])
{
  l[0] = sqk_dual_affine(-1.0, x, 1.0);
  l[1] = x;
}

/** Corners, then the middles of edges 0-1, 1-2, 2-0. */
SQK_INLINE void sqk_quadratic_triangle(const sqk_dual l[3], sqk_dual n[6])
{
  for (int i = 0; i < 3; ++i)
  {
    n[i] = sqk_dual_mul(l[i], sqk_dual_affine(2.0, l[i], -1.0));
    n[3 + i] = sqk_dual_mul(sqk_dual_affine(4.0, l[i], 0.0), l[(i + 1) % 3]);
  }
}

/** The triangle with a node in its middle. */
SQK_INLINE void sqk_biquadratic_triangle(const sqk_dual l[3], sqk_dual n[7])
{
  sqk_quadratic_triangle(l, n);
  n[6] = sqk_dual_mul(sqk_dual_mul(l[0], l[1]), l[2]);
  for (int i = 0; i < 6; ++i)
  {
    n[i] = sqk_dual_madd(n[i], i < 3 ? 3.0 : -12.0, n[6]);
  }
  n[6] = sqk_dual_affine(27.0, n[6], 0.0);
}

SQK_INLINE void sqk_quadratic_tetra(const sqk_dual l[4], sqk_dual n[10])
{
  const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  for (int i = 0; i < 4; ++i)
  {
    n[i] = sqk_dual_mul(l[i], sqk_dual_affine(2.0, l[i], -1.0));
  }
  for (int i = 0; i < 6; ++i)
  {
    n[4 + i] = sqk_dual_mul(sqk_dual_affine(4.0, l[edge[i][0]], 0.0), l[edge[i][1]]);
  }
}

/** Serendipity quadrilateral from linear and quadratic edges in both directions. */
SQK_INLINE void sqk_quadratic_quad(const sqk_dual l[2][2], const sqk_dual q[2][3], sqk_dual n[8])
{
  const int side[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  for (int i = 0; i < 4; ++i)
  {
    n[i] = sqk_dual_mul(l[0][side[i][0]], l[1][side[i][1]]);
    /* Edges 0-1 and 2-3 run along r, 1-2 and 3-0 along s. */
    n[4 + i] = i % 2 ? sqk_dual_mul(q[1][2], l[0][i == 1]) : sqk_dual_mul(q[0][2], l[1][i == 2]);
  }
  for (int i = 0; i < 4; ++i)
  {
    n[i] = sqk_dual_madd(n[i], -0.5, n[4 + i]);
    n[i] = sqk_dual_madd(n[i], -0.5, n[4 + (i + 3) % 4]);
  }
}

/** Quadratic along the first parameter only. */
SQK_INLINE void sqk_quadratic_linear_quad(const sqk_dual q[3], const sqk_dual l[2], sqk_dual n[6])
{
  const int at[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 2, 0 }, { 2, 1 } };
  for (int i = 0; i < 6; ++i)
  {
    n[i] = sqk_dual_mul(q[at[i][0]], l[at[i][1]]);
  }
}

/** Product of quadratic edges: corners, middles of edges, middle. */
SQK_INLINE void sqk_biquadratic_quad(const sqk_dual q[2][3], sqk_dual n[9])
{
  const int at[9][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 2, 0 }, { 1, 2 }, { 2, 1 },
    { 0, 2 }, { 2, 2 } };
  for (int i = 0; i < 9; ++i)
  {
    n[i] = sqk_dual_mul(q[0][at[i][0]], q[1][at[i][1]]);
  }
}

/** Takes half of each edge's middle from its two corners. */
SQK_INLINE void sqk_serendipity(sqk_dual* n, const signed char (*edge)[2], int edges, int first)
{
  for (int i = 0; i < edges; ++i)
  {
    n[edge[i][0]] = sqk_dual_madd(n[edge[i][0]], -0.5, n[first + i]);
    n[edge[i][1]] = sqk_dual_madd(n[edge[i][1]], -0.5, n[first + i]);
  }
}

SQK_INLINE void sqk_quadratic_hexahedron(
  const sqk_dual l[3][2], const sqk_dual q[3][3], sqk_dual n[20])
{
  static const signed char edge[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 },
    { 5, 6 }, { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
  const int side[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  for (int i = 0; i < 8; ++i)
  {
    n[i] = sqk_dual_mul(sqk_dual_mul(l[0][side[i % 4][0]], l[1][side[i % 4][1]]), l[2][i / 4]);
  }
  for (int i = 0; i < 4; ++i)
  {
    sqk_dual m = i % 2 ? sqk_dual_mul(q[1][2], l[0][i == 1]) : sqk_dual_mul(q[0][2], l[1][i == 2]);
    n[8 + i] = sqk_dual_mul(m, l[2][0]);
    n[12 + i] = sqk_dual_mul(m, l[2][1]);
    n[16 + i] = sqk_dual_mul(sqk_dual_mul(l[0][side[i][0]], l[1][side[i][1]]), q[2][2]);
  }
  sqk_serendipity(n, edge, 12, 8);
}

/** Product of three quadratic edges: corners, middles of edges, of faces, middle. */
SQK_INLINE void sqk_triquadratic_hexahedron(const sqk_dual q[3][3], sqk_dual n[27])
{
  static const signed char at[27][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
    { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 }, { 2, 0, 0 }, { 1, 2, 0 }, { 2, 1, 0 },
    { 0, 2, 0 }, { 2, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 }, { 0, 2, 1 }, { 0, 0, 2 }, { 1, 0, 2 },
    { 1, 1, 2 }, { 0, 1, 2 }, { 0, 2, 2 }, { 1, 2, 2 }, { 2, 0, 2 }, { 2, 1, 2 }, { 2, 2, 0 },
    { 2, 2, 1 }, { 2, 2, 2 } };
  for (int i = 0; i < 27; ++i)
  {
    n[i] = sqk_dual_mul(sqk_dual_mul(q[0][at[i][0]], q[1][at[i][1]]), q[2][at[i][2]]);
  }
}

/** Serendipity quadrilaterals at three heights. */
SQK_INLINE void sqk_biquadratic_quadratic_hexahedron(
  const sqk_dual l[2][2], const sqk_dual q[3][3], sqk_dual n[24])
{
  /* The quadrilateral's node and the height of each node. */
  static const signed char at[24][2] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 0, 1 }, { 1, 1 },
    { 2, 1 }, { 3, 1 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 }, { 4, 1 }, { 5, 1 }, { 6, 1 },
    { 7, 1 }, { 0, 2 }, { 1, 2 }, { 2, 2 }, { 3, 2 }, { 7, 2 }, { 5, 2 }, { 4, 2 }, { 6, 2 } };
  sqk_dual base[8];
  sqk_quadratic_quad(l, q, base);
  for (int i = 0; i < 24; ++i)
  {
    n[i] = sqk_dual_mul(base[at[i][0]], q[2][at[i][1]]);
  }
}

SQK_INLINE void sqk_quadratic_wedge(
  const sqk_dual l[3], const sqk_dual t[2], const sqk_dual q[3], sqk_dual n[15])
{
  static const signed char edge[9][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 },
    { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } };
  for (int i = 0; i < 3; ++i)
  {
    sqk_dual m = sqk_dual_mul(sqk_dual_affine(4.0, l[i], 0.0), l[(i + 1) % 3]);
    n[i] = sqk_dual_mul(l[i], t[0]);
    n[3 + i] = sqk_dual_mul(l[i], t[1]);
    n[6 + i] = sqk_dual_mul(m, t[0]);
    n[9 + i] = sqk_dual_mul(m, t[1]);
    n[12 + i] = sqk_dual_mul(l[i], q[2]);
  }
  sqk_serendipity(n, edge, 9, 6);
}

/** Quadratic triangles at two or three heights t: corners, middles of the triangles' edges, then what lies between. */
SQK_INLINE void sqk_wedge_product(const sqk_dual l[3], const sqk_dual* t, int heights, sqk_dual* n)
{
  sqk_dual base[6];
  sqk_quadratic_triangle(l, base);
  for (int i = 0; i < 3; ++i)
  {
    for (int h = 0; h < 2; ++h)
    {
      n[3 * h + i] = sqk_dual_mul(base[i], t[h]);
      n[6 + 3 * h + i] = sqk_dual_mul(base[3 + i], t[h]);
    }
    if (heights == 3)
    {
      n[12 + i] = sqk_dual_mul(base[i], t[2]);
      n[15 + i] = sqk_dual_mul(base[3 + i], t[2]);
    }
  }
}

SQK_INLINE void sqk_quadratic_pyramid(
  const sqk_dual l[3][2], const sqk_dual q[3][3], sqk_dual n[13])
{
  static const signed char edge[8][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 4 },
    { 1, 4 }, { 2, 4 }, { 3, 4 } };
  const int side[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  for (int i = 0; i < 4; ++i)
  {
    sqk_dual corner = sqk_dual_mul(l[0][side[i][0]], l[1][side[i][1]]);
    sqk_dual across = l[i % 2 ? 0 : 1][i == 1 || i == 2];
    n[i] = sqk_dual_mul(corner, l[2][0]);
    /* 1 + t (1 - 2 across): the middles of the base lean towards the apex. */
    sqk_dual lean = sqk_dual_mul(l[2][1], sqk_dual_affine(-2.0, across, 1.0));
    n[5 + i] = sqk_dual_mul(
      sqk_dual_mul(q[i % 2][2], across), sqk_dual_mul(l[2][0], sqk_dual_affine(1.0, lean, 1.0)));
    n[9 + i] = sqk_dual_mul(corner, q[2][2]);
  }
  n[4] = l[2][1];
  sqk_serendipity(n, edge, 8, 5);
}

/** Nodes at 0, 1, 1/3, 2/3. */
SQK_INLINE void sqk_cubic_line(sqk_dual x, sqk_dual n[4])
{
  sqk_dual y = sqk_dual_affine(-1.0, x, 1.0);
  sqk_dual a = sqk_dual_affine(3.0, x, -1.0);
  sqk_dual b = sqk_dual_affine(3.0, x, -2.0);
  n[0] = sqk_dual_affine(0.5, sqk_dual_mul(y, sqk_dual_mul(a, b)), 0.0);
  n[1] = sqk_dual_affine(0.5, sqk_dual_mul(x, sqk_dual_mul(a, b)), 0.0);
  n[2] = sqk_dual_affine(-4.5, sqk_dual_mul(x, sqk_dual_mul(y, b)), 0.0);
  n[3] = sqk_dual_affine(4.5, sqk_dual_mul(x, sqk_dual_mul(y, a)), 0.0);
}

#endif
