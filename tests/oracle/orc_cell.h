#ifndef ORC_CELL_H
#define ORC_CELL_H
/**
 * Cells of volume meshes in long double: shape functions from VTK's documentation of each cell, their inverse by
 * Newton's method from many starts, and the distance to cells with flat faces.
 */
#include "orc_geometry.h"

/** VTK's numbers of the types, repeated here: the oracle includes nothing of the library. */
enum
{
  ORC_TRIANGLE = 5,
  ORC_PIXEL = 8,
  ORC_QUAD = 9,
  ORC_TETRA = 10,
  ORC_VOXEL = 11,
  ORC_HEXAHEDRON = 12,
  ORC_WEDGE = 13,
  ORC_PYRAMID = 14
};

typedef struct orc_cell
{
  int type;
  int count;
  double x[8][3];
} orc_cell;

int orc_corner_count(int type);
int orc_dimension(int type);

/** Weights of the corners at parametric coordinates r. */
void orc_shape(int type, const orc_real r[3], orc_real weights[8]);

/** Where the cell is at r. */
void orc_cell_point(const orc_cell* cell, const orc_real r[3], orc_real x[3]);

/**
 * Parametric coordinates of x; 0 when x is well outside or no start converged. *margin: how far inside all bounds of the
 * parametric domain r lies (negative: outside). 3-D cells only.
 */
int orc_invert(const orc_cell* cell, const double x[3], orc_real r[3], orc_real* margin);

/** Triangles of the surface of a cell (quads split along 0-2), for 2-D cells the cell itself; their number. */
int orc_cell_triangles(int type, int corners[12][3]);

/** Distance to the cell, whose faces must be flat; 0 inside. */
orc_real orc_cell_distance(const orc_cell* cell, const double x[3]);

/** Diagonal of the cell's box. */
double orc_cell_diagonal(const orc_cell* cell);

#endif
