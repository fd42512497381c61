#ifndef SQI_CELL_BOUND_H
#define SQI_CELL_BOUND_H
/** A tetrahedron, wedge, pyramid or parallelepiped that holds a cell: what filters points before the kernels see them. */
#include "sqi_mesh_index.h"

/** What a bound is; the number times the sum of its functions u_k is at most 1. */
#define SQI_BOUND_TETRA 1.0
#define SQI_BOUND_WEDGE 0.5
#define SQI_BOUND_PYRAMID 0.4375
#define SQI_BOUND_SKEW 0.25
#define SQI_BOUND_STRAIGHT 0.125

/**
 * u_k(x) = row[k] . (x - origin): 0 <= u_k <= 1, and kind * (u_0 + u_1 + u_2) <= 1, hold in the cell. The u_k are the barycentric
 * coordinates of a tetrahedron, or run along the sides of a parallelepiped, skew or with right angles; in a wedge u_0 + u_1 <= 1,
 * in a pyramid u_0 + u_2 <= 1 and u_1 + u_2 <= 1.
 */
typedef struct sqi_cell_bound
{
  double origin[3];
  double row[3][3];
  double kind;
} sqi_cell_bound;

/**
 * The bound of a cell with nodes (and middles) `cell->q`, whose coordinates should not be far from 1: what is thinner than
 * SQI_BOUND_THIN gets this width. `room`: 6 * corner_max.
 */
#define SQI_BOUND_THIN 0x1p-21
void sqi_cell_bound_of(const sqk_cell* cell, double* room, sqi_cell_bound* b);

#endif
