#ifndef SQK_CELL_TYPES_H
#define SQK_CELL_TYPES_H
/** A cell as the kernels see it, and what they say about a query. */
#include "sqk_layout.h"

typedef struct sqk_cell
{
  int32_t type;
  int32_t count; /* nodes */
  /* The nodes, 3 * count numbers, relative to the query and at most 1 in size; behind them the middles. */
  const double* q;
  /* Of a polygon: count - 2 triangles of local ids, NULL for a fan around its last node. Of a polyhedron: its surface. */
  const int32_t* triangles;
  int32_t triangle_count;
  /* Of a polyhedron: middle_count times a number and as many local ids, whose mean is a further corner. */
  const int32_t* middles;
  int32_t middle_count;
  /* Of a polyhedron: 1 where the triangles run along every edge as often one way as the other. */
  int32_t closed;
  /* Distances to triangles are right to 4 ulp of the square root of it (sqk_triangle.h); HUGE_VAL: to some ulp. */
  double far2;
  /* 1, for nearest cells: distances to a quadrilateral are those to its two triangles, not to the bilinear surface. */
  int32_t cut;
  /* Of a Lagrange or Bezier cell, else NULL; and where it is rational the weight of each node. */
  const sqk_layout* layout;
  const double* rational;
  int32_t
    regular; /* of a curved solid: no two points of its domain widened by SQK_CURVED_NEAR have one image */
  /* For its control points: 6 * count numbers, or NULL; of a polyhedron 4 * all corners. */
  double* room;
} sqk_cell;

typedef struct sqk_cell_hit
{
  double distance; /* 0 inside */
  double closest[3]; /* relative to the query; 0 inside */
  double r[3]; /* parametric coordinates; NaN where there are none */
  int32_t used; /* weights set: > 0: of node[0], node[1] ...; 0: of all nodes in their order */
  int32_t node[3];
  int32_t plain; /* 1: inside, whatever the limit, with the weights sqk_shape_evaluate() of r */
} sqk_cell_hit;

SQK_INLINE void sqk_cell_no_parameters(double r[3])
{
  r[0] = r[1] = r[2] = (double)NAN;
}

#endif
