#ifndef SQK_SHAPE_ENRICHED_H
#define SQK_SHAPE_ENRICHED_H
/**
 * Shape functions of quadratic cells with further nodes in the middle of their faces and of the cell: functions that vanish on
 * all else are added to the quadratic ones, whose values at the new nodes are taken off again.
 */
#include "sqk_shape_quadratic.h"

/** n[i] += c * b for the `count` ids in `to`. */
SQK_INLINE void sqk_enrich(sqk_dual* n, const signed char* to, int count, double c, sqk_dual b)
{
  for (int i = 0; i < count; ++i)
  {
    n[to[i]] = sqk_dual_madd(n[to[i]], c, b);
  }
}

/** Lagrange tetrahedron with nodes in the middle of its faces 0-1-2, 0-1-3, 1-2-3, 0-2-3 and of itself. */
SQK_INLINE void sqk_tetra_15(const sqk_dual l[4], sqk_dual n[15])
{
  static const signed char corner[4][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 2, 3 } };
  static const signed char edge[4][3] = { { 4, 5, 6 }, { 4, 8, 7 }, { 5, 9, 8 }, { 6, 9, 7 } };
  static const signed char corners[4] = { 0, 1, 2, 3 }, edges[6] = { 4, 5, 6, 7, 8, 9 };
  static const signed char faces[4] = { 10, 11, 12, 13 };
  sqk_quadratic_tetra(l, n);
  sqk_dual middle = sqk_dual_mul(sqk_dual_mul(l[0], l[1]), sqk_dual_mul(l[2], l[3]));
  n[14] = sqk_dual_affine(256.0, middle, 0.0);
  for (int f = 0; f < 4; ++f)
  {
    const signed char* c = corner[f];
    sqk_dual b = sqk_dual_mul(sqk_dual_mul(l[c[0]], l[c[1]]), l[c[2]]);
    n[10 + f] = sqk_dual_affine(27.0, b, 0.0);
  }
  /* In the middle the quadratic functions are -1/8 and 1/4, those of the faces 27/64. */
  sqk_enrich(n, corners, 4, 0.125, n[14]);
  sqk_enrich(n, edges, 6, -0.25, n[14]);
  sqk_enrich(n, faces, 4, -27.0 / 64.0, n[14]);
  for (int f = 0; f < 4; ++f)
  {
    /* In the middle of a face they are -1/9 and 4/9. */
    sqk_enrich(n, corner[f], 3, 1.0 / 9.0, n[10 + f]);
    sqk_enrich(n, edge[f], 3, -4.0 / 9.0, n[10 + f]);
  }
}

/** Product of the triangle with a node in its middle and a quadratic edge, in the order of VTK's Lagrange wedge of 21 nodes. */
SQK_INLINE void sqk_wedge_21(const sqk_dual l[3], const sqk_dual q[3], sqk_dual n[21])
{
  static const signed char at[3][7] = { { 0, 1, 2, 6, 7, 8, 15 }, { 3, 4, 5, 9, 10, 11, 16 },
    { 12, 13, 14, 17, 18, 19, 20 } };
  sqk_dual base[7];
  sqk_biquadratic_triangle(l, base);
  for (int h = 0; h < 3; ++h)
  {
    for (int i = 0; i < 7; ++i)
    {
      n[at[h][i]] = sqk_dual_mul(base[i], q[h]);
    }
  }
}

/** The 19 functions before they are made to vanish at each other's nodes; a and b run from -1 to 1, s = 1 - t. */
SQK_INLINE void sqk_triquadratic_pyramid_parts(
  sqk_dual a, sqk_dual b, sqk_dual t, sqk_dual s, sqk_dual n[19])
{
  /* Corner i of the base lies at a = x, b = y; the middle of edge i at (0, y) or (x, 0). */
  static const signed char x[4] = { -1, 1, 1, -1 }, y[4] = { -1, -1, 1, 1 };
  sqk_dual s2 = sqk_dual_mul(s, s), st = sqk_dual_mul(s, t), s2t = sqk_dual_mul(s2, t);
  sqk_dual side_a = sqk_dual_mul(sqk_dual_affine(-1.0, a, 1.0), sqk_dual_affine(1.0, a, 1.0));
  sqk_dual side_b = sqk_dual_mul(sqk_dual_affine(-1.0, b, 1.0), sqk_dual_affine(1.0, b, 1.0));
  for (int i = 0; i < 4; ++i)
  {
    sqk_dual u = sqk_dual_affine(x[i], a, 1.0), v = sqk_dual_affine(y[i], b, 1.0);
    sqk_dual corner = sqk_dual_mul(u, v), sum = sqk_dual_affine(x[i], a, 0.0);
    sum = sqk_dual_affine(1.0, sqk_dual_mul(s, sqk_dual_madd(sum, y[i], b)), -1.0);
    n[i] = sqk_dual_affine(0.25, sqk_dual_mul(sqk_dual_mul(s, sum), corner), 0.0);
    n[9 + i] = sqk_dual_mul(st, corner);
    /* Edges and triangles 0 and 2 lie at b = -1 and 1, 1 and 3 at a = 1 and -1. */
    sqk_dual c = i % 2 ? sqk_dual_affine(i == 1 ? 1.0 : -1.0, a, 0.0)
                       : sqk_dual_affine(i == 2 ? 1.0 : -1.0, b, 0.0);
    sqk_dual along = i % 2 ? side_b : side_a, near = sqk_dual_affine(1.0, c, 1.0);
    n[5 + i] = sqk_dual_affine(0.5, sqk_dual_mul(s2, sqk_dual_mul(along, near)), 0.0);
    sqk_dual inner = sqk_dual_mul(sqk_dual_mul(s2t, along), sqk_dual_mul(c, near));
    n[14 + i] = sqk_dual_affine(27.0 / 8.0, inner, 0.0);
  }
  sqk_dual bubble = sqk_dual_mul(side_a, side_b);
  n[4] = sqk_dual_mul(t, sqk_dual_affine(2.0, t, -1.0));
  n[13] = sqk_dual_mul(s2, bubble);
  n[18] = sqk_dual_affine(16.0 / 3.0, sqk_dual_mul(st, bubble), 0.0);
}

/**
 * The pyramid of 19 nodes (Browning, A Second-Order 19-Node Pyramid Finite Element, University of Alabama at Birmingham,
 * 2020), whose functions are rational, as polynomials in the parameters of a cube that is collapsed into it: l holds the
 * linear edges.
 */
SQK_INLINE void sqk_triquadratic_pyramid(const sqk_dual l[3][2], sqk_dual n[19])
{
  static const signed char rim[8] = { 5, 6, 7, 8, 9, 10, 11, 12 };
  static const signed char corner[4] = { 0, 1, 2, 3 };
  sqk_triquadratic_pyramid_parts(
    sqk_dual_affine(2.0, l[0][1], -1.0), sqk_dual_affine(2.0, l[1][1], -1.0), l[2][1], l[2][0], n);
  sqk_enrich(n, corner, 4, 0.25, n[13]);
  sqk_enrich(n, rim, 4, -0.5, n[13]);
  sqk_enrich(n, corner, 4, 3.0 / 64.0, n[18]);
  sqk_enrich(n, rim + 4, 4, -3.0 / 16.0, n[18]);
  n[4] = sqk_dual_madd(n[4], 0.125, n[18]);
  n[13] = sqk_dual_madd(n[13], -9.0 / 16.0, n[18]);
  for (int i = 0; i < 4; ++i)
  {
    const signed char ends[3] = { (signed char)i, (signed char)((i + 1) % 4), 4 };
    const signed char sides[3] = { (signed char)(5 + i), (signed char)(9 + i),
      (signed char)(9 + (i + 1) % 4) };
    sqk_enrich(n, ends, 3, 1.0 / 9.0, n[14 + i]);
    sqk_enrich(n, sides, 3, -4.0 / 9.0, n[14 + i]);
  }
}

#endif
