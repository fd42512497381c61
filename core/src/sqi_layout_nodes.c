#include "sqi_layouts.h"

/**
 * VTK's order of nodes: corners, then inside of edges, of faces, of the cell. Inside of quadrilaterals and hexahedra, and of all
 * faces of wedges, row by row; triangles and tetrahedra hold the next smaller triangle or tetrahedron.
 */
typedef struct writer
{
  uint8_t (*index)[4];
  int32_t count;
} writer;

static void put(writer* w, int32_t a, int32_t b, int32_t c, int32_t d)
{
  uint8_t* at = w->index[w->count++];
  at[0] = (uint8_t)a, at[1] = (uint8_t)b, at[2] = (uint8_t)c, at[3] = (uint8_t)d;
}

/** A lattice point on the way from a to b, i of n steps. */
static void put_between(writer* w, const int32_t a[4], const int32_t b[4], int32_t i, int32_t n)
{
  int32_t at[4];
  for (int k = 0; k < 4; ++k)
  {
    at[k] = a[k] + (b[k] - a[k]) / n * i;
  }
  put(w, at[0], at[1], at[2], at[3]);
}

/** The inside of an edge of order n. */
static void put_edge(writer* w, const int32_t a[4], const int32_t b[4], int32_t n)
{
  for (int32_t i = 1; i < n; ++i)
  {
    put_between(w, a, b, i, n);
  }
}

/** A triangle of order n with these corners: all of it. */
static void put_triangle(writer* w, int32_t corner[3][4], int32_t n)
{
  for (; n >= 0; n -= 3)
  {
    int32_t next[3][4];
    for (int c = 0; c < (n ? 3 : 1); ++c)
    {
      put(w, corner[c][0], corner[c][1], corner[c][2], corner[c][3]);
    }
    for (int c = 0; c < 3; ++c)
    {
      put_edge(w, corner[c], corner[(c + 1) % 3], n);
    }
    for (int c = 0; c < 3 && n >= 3; ++c)
    {
      for (int k = 0; k < 4; ++k)
      {
        /* One step towards each of the other two. */
        next[c][k] = corner[c][k] + (corner[(c + 1) % 3][k] - corner[c][k]) / n +
          (corner[(c + 2) % 3][k] - corner[c][k]) / n;
      }
    }
    for (int c = 0; c < 3 && n >= 3; ++c)
    {
      for (int k = 0; k < 4; ++k)
      {
        corner[c][k] = next[c][k];
      }
    }
  }
}

/** The inside of the triangle with corners a, b, c of order n. */
static void put_face(
  writer* w, const int32_t a[4], const int32_t b[4], const int32_t c[4], int32_t n)
{
  int32_t corner[3][4];
  if (n < 3)
  {
    return;
  }
  for (int k = 0; k < 4; ++k)
  {
    int32_t ab = (b[k] - a[k]) / n, ac = (c[k] - a[k]) / n;
    corner[0][k] = a[k] + ab + ac;
    corner[1][k] = b[k] - ab + (ac - ab);
    corner[2][k] = c[k] - ac + (ab - ac);
  }
  put_triangle(w, corner, n - 3);
}

static void put_tetra(writer* w, int32_t n)
{
  static const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  static const int face[4][3] = { { 0, 1, 3 }, { 2, 3, 1 }, { 0, 3, 2 }, { 0, 2, 1 } };
  for (int32_t low = 0; n >= 0; ++low, n -= 4)
  {
    int32_t corner[4][4];
    for (int c = 0; c < 4; ++c)
    {
      for (int k = 0; k < 4; ++k)
      {
        corner[c][k] = low + (c == k ? n : 0);
      }
    }
    for (int c = 0; c < (n ? 4 : 1); ++c)
    {
      put(w, corner[c][0], corner[c][1], corner[c][2], corner[c][3]);
    }
    for (int e = 0; e < 6; ++e)
    {
      put_edge(w, corner[edge[e][0]], corner[edge[e][1]], n);
    }
    for (int f = 0; f < 4; ++f)
    {
      put_face(w, corner[face[f][0]], corner[face[f][1]], corner[face[f][2]], n);
    }
  }
}

/** Curve, quadrilateral, hexahedron. */
static void put_box(writer* w, int dimension, const int32_t order[3])
{
  /* The parameter along each edge and the sides (0 or 1) on which it lies, for the others; faces by their parameter. */
  static const int8_t side[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
    { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
  static const int8_t edge[12][2] = { { 0, 1 }, { 1, 2 }, { 3, 2 }, { 0, 3 }, { 4, 5 }, { 5, 6 },
    { 7, 6 }, { 4, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
  static const int8_t edges[4] = { 0, 1, 4, 12 };
  const int32_t n[3] = { order[0], dimension > 1 ? order[1] : 0, dimension > 2 ? order[2] : 0 };
  int32_t corner[8][4];
  for (int c = 0; c < (dimension == 1 ? 2 : dimension == 2 ? 4 : 8); ++c)
  {
    for (int k = 0; k < 3; ++k)
    {
      corner[c][k] = side[c][k] * n[k];
    }
    corner[c][3] = 0;
    put(w, corner[c][0], corner[c][1], corner[c][2], 0);
  }
  for (int e = 0; e < edges[dimension]; ++e)
  {
    const int32_t *a = corner[edge[e][0]], *b = corner[edge[e][1]];
    put_edge(w, a, b, a[0] != b[0] ? n[0] : a[1] != b[1] ? n[1] : n[2]);
  }
  for (int f = 0; f < 6 && dimension == 3; ++f)
  {
    int k = f / 2, u = k == 0 ? 1 : 0, v = k == 2 ? 1 : 2;
    for (int32_t j = 1; j < n[v]; ++j)
    {
      for (int32_t i = 1; i < n[u]; ++i)
      {
        int32_t at[3];
        at[k] = f % 2 ? n[k] : 0;
        at[u] = i, at[v] = j;
        put(w, at[0], at[1], at[2], 0);
      }
    }
  }
  for (int32_t k = dimension > 2; k < (dimension > 2 ? n[2] : 1) && dimension > 1; ++k)
  {
    for (int32_t j = 1; j < n[1]; ++j)
    {
      for (int32_t i = 1; i < n[0]; ++i)
      {
        put(w, i, j, k, 0);
      }
    }
  }
}

/** The inside of a triangle of order n at height k, row by row. */
static void put_rows(writer* w, int32_t n, int32_t k)
{
  for (int32_t j = 1; j < n; ++j)
  {
    for (int32_t i = 1; i + j < n; ++i)
    {
      put(w, n - i - j, i, j, k);
    }
  }
}

static void put_wedge(writer* w, const int32_t order[3])
{
  int32_t n = order[0], m = order[2];
  int32_t corner[6][4] = { { n, 0, 0, 0 }, { 0, n, 0, 0 }, { 0, 0, n, 0 }, { n, 0, 0, m },
    { 0, n, 0, m }, { 0, 0, n, m } };
  for (int c = 0; c < 6; ++c)
  {
    put(w, corner[c][0], corner[c][1], corner[c][2], corner[c][3]);
  }
  for (int e = 0; e < 6; ++e)
  {
    put_edge(w, corner[e], corner[e / 3 * 3 + (e + 1) % 3], n);
  }
  for (int e = 0; e < 3; ++e)
  {
    put_edge(w, corner[e], corner[e + 3], m);
  }
  put_rows(w, n, 0);
  put_rows(w, n, m);
  for (int f = 0; f < 3; ++f)
  {
    for (int32_t k = 1; k < m; ++k)
    {
      int32_t a[4], b[4];
      for (int d = 0; d < 4; ++d)
      {
        a[d] = d == 3 ? k : corner[f][d];
        b[d] = d == 3 ? k : corner[(f + 1) % 3][d];
      }
      put_edge(w, a, b, n);
    }
  }
  for (int32_t k = 1; k < m; ++k)
  {
    put_rows(w, n, k);
  }
}

void sqi_layout_nodes(int type, const int32_t order[3], uint8_t (*index)[4])
{
  writer w = { index, 0 };
  int32_t n = order[0];
  int32_t corner[3][4] = { { n, 0, 0, 0 }, { 0, n, 0, 0 }, { 0, 0, n, 0 } };
  switch (type)
  {
    case SQ_CELL_LAGRANGE_TRIANGLE:
    case SQ_CELL_BEZIER_TRIANGLE:
      put_triangle(&w, corner, n);
      break;
    case SQ_CELL_LAGRANGE_TETRAHEDRON:
    case SQ_CELL_BEZIER_TETRAHEDRON:
      put_tetra(&w, n);
      break;
    case SQ_CELL_LAGRANGE_WEDGE:
    case SQ_CELL_BEZIER_WEDGE:
      put_wedge(&w, order);
      break;
    default:
      put_box(&w, sqk_shape_dimension(type), order);
      break;
  }
}
