#ifndef SQK_SHAPE_H
#define SQK_SHAPE_H
/** Cells with shape functions and a fixed number of nodes: their numbers, weights and derivatives. */
#include "spatialqueries/sq_types.h"
#include "sqk_cell_math.h"
#include "sqk_shape_enriched.h"
#include "sqk_shape_linear.h"
#include "sqk_shape_prism.h"
#include "sqk_shape_quadratic.h"

/** Most nodes of a cell with shape functions. */
#define SQK_SHAPE_NODES 27

/**
 * Kinds of cells inside of the library, besides VTK's types: Lagrange cells with nodes in the middle of their faces and of the
 * cell that the product of their orders does not have. They have their own numbers, which no cell of a caller has.
 */
#define SQK_CELL_TETRA_15 38
#define SQK_CELL_WEDGE_21 39
#define SQK_SHAPE_TYPES 40

/** The number under which the kernels know a cell of a caller's type; -1 for types that the library does not know. */
SQK_INLINE int sqk_shape_kind(int type, int64_t count)
{
  if (type == SQ_CELL_LAGRANGE_TRIANGLE && count == 7)
  {
    return SQ_CELL_BIQUADRATIC_TRIANGLE;
  }
  if (type == SQ_CELL_LAGRANGE_TETRAHEDRON && count == 15)
  {
    return SQK_CELL_TETRA_15;
  }
  if (type == SQ_CELL_LAGRANGE_WEDGE && count == 21)
  {
    return SQK_CELL_WEDGE_21;
  }
  return type == SQK_CELL_TETRA_15 || type == SQK_CELL_WEDGE_21 ? -1 : type;
}

/** Lagrange and Bezier cells: their shape functions are those of a layout (sqk_layout.h). */
SQK_INLINE int sqk_shape_is_layout(int type)
{
  return type >= SQ_CELL_LAGRANGE_CURVE && type <= SQ_CELL_BEZIER_WEDGE &&
    type != SQ_CELL_LAGRANGE_WEDGE + 1;
}

/** Nodes of a cell with shape functions; 0 for cells of any number of nodes and unknown types. */
SQK_INLINE int sqk_shape_nodes(int type)
{
  static const signed char nodes[SQK_SHAPE_TYPES] = { 0, 0, 0, 2, 0, 3, 0, 0, 4, 4, 4, 8, 8, 6, 5,
    10, 12, 0, 0, 0, 0, 3, 6, 8, 10, 20, 15, 13, 9, 27, 6, 12, 18, 24, 7, 4, 0, 19, 15, 21 };
  return type >= 0 && type < SQK_SHAPE_TYPES ? nodes[type] : 0;
}

/** Dimension of any cell type that the library knows, -1 for others. */
SQK_INLINE int sqk_shape_dimension(int type)
{
  static const signed char dimension[SQK_SHAPE_TYPES] = { -1, 0, 0, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3,
    3, 3, 3, -1, -1, -1, -1, 1, 2, 2, 3, 3, 3, 3, 2, 3, 2, 3, 3, 3, 2, 1, 2, 3, 3, 3 };
  static const signed char of_layout[7] = { 1, 2, 2, 3, 3, 3, -1 };
  if (sqk_shape_is_layout(type))
  {
    return of_layout[(type - SQ_CELL_LAGRANGE_CURVE) % 7];
  }
  return type == SQ_CELL_POLYHEDRON       ? 3
    : type >= 0 && type < SQK_SHAPE_TYPES ? dimension[type]
                                          : -1;
}

/** Cells whose shape functions are not linear along the edges: negative in places, edges and faces curved. */
SQK_INLINE int sqk_shape_is_curved(int type)
{
  return (type >= SQ_CELL_QUADRATIC_EDGE && type <= SQ_CELL_CUBIC_LINE) ||
    (type >= SQ_CELL_TRIQUADRATIC_PYRAMID && type < SQK_SHAPE_TYPES) || sqk_shape_is_layout(type);
}

/** The shape functions of a curved cell with a fixed number of nodes. */
SQK_INLINE void sqk_shape_curved_nodes(int type, const double r[3], sqk_dual* n)
{
  sqk_dual l[3][2], q[3][3];
  for (int k = 0; k < 3; ++k)
  {
    sqk_dual x = sqk_dual_linear(0.0, 1.0, r[k], k);
    sqk_linear_edge(x, l[k]);
    sqk_quadratic_edge(x, q[k]);
  }
  sqk_dual simplex[4] = { l[0][0], l[0][1], l[1][1], l[2][1] };
  simplex[0] = sqk_dual_madd(simplex[0], -1.0, l[1][1]);
  switch (type)
  {
    case SQ_CELL_QUADRATIC_EDGE:
      sqk_quadratic_edge(l[0][1], n);
      break;
    case SQ_CELL_QUADRATIC_TRIANGLE:
      sqk_quadratic_triangle(simplex, n);
      break;
    case SQ_CELL_QUADRATIC_QUAD:
      sqk_quadratic_quad((const sqk_dual(*)[2])l, (const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_QUADRATIC_TETRA:
      simplex[0] = sqk_dual_madd(simplex[0], -1.0, l[2][1]);
      sqk_quadratic_tetra(simplex, n);
      break;
    case SQ_CELL_QUADRATIC_HEXAHEDRON:
      sqk_quadratic_hexahedron((const sqk_dual(*)[2])l, (const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_QUADRATIC_WEDGE:
      sqk_quadratic_wedge(simplex, l[2], q[2], n);
      break;
    case SQ_CELL_QUADRATIC_PYRAMID:
      sqk_quadratic_pyramid((const sqk_dual(*)[2])l, (const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_BIQUADRATIC_QUAD:
      sqk_biquadratic_quad((const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_TRIQUADRATIC_HEXAHEDRON:
      sqk_triquadratic_hexahedron((const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_QUADRATIC_LINEAR_QUAD:
      sqk_quadratic_linear_quad(q[0], l[1], n);
      break;
    case SQ_CELL_QUADRATIC_LINEAR_WEDGE:
      sqk_wedge_product(simplex, l[2], 2, n);
      break;
    case SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE:
      sqk_wedge_product(simplex, q[2], 3, n);
      break;
    case SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON:
      sqk_biquadratic_quadratic_hexahedron((const sqk_dual(*)[2])l, (const sqk_dual(*)[3])q, n);
      break;
    case SQ_CELL_BIQUADRATIC_TRIANGLE:
      sqk_biquadratic_triangle(simplex, n);
      break;
    case SQ_CELL_TRIQUADRATIC_PYRAMID:
      sqk_triquadratic_pyramid((const sqk_dual(*)[2])l, n);
      break;
    case SQK_CELL_TETRA_15:
      simplex[0] = sqk_dual_madd(simplex[0], -1.0, l[2][1]);
      sqk_tetra_15(simplex, n);
      break;
    case SQK_CELL_WEDGE_21:
      sqk_wedge_21(simplex, q[2], n);
      break;
    default:
      sqk_cubic_line(l[0][1], n);
      break;
  }
}

SQK_INLINE void sqk_shape_curved(int type, const double r[3], double* w, double* dw)
{
  sqk_dual n[SQK_SHAPE_NODES];
  int nodes = sqk_shape_nodes(type);
  sqk_shape_curved_nodes(type, r, n);
  for (int i = 0; i < nodes; ++i)
  {
    w[i] = n[i].v;
    dw[3 * i] = n[i].d[0], dw[3 * i + 1] = n[i].d[1], dw[3 * i + 2] = n[i].d[2];
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
    case SQ_CELL_HEXAGONAL_PRISM:
      sqk_shape_prism(6, r, w, dw);
      break;
    default:
      sqk_shape_curved(type, r, w, dw);
      break;
  }
}

#endif
