/** The cells of images, rectilinear and structured grids, written out. */
#ifndef vtkSQStructuredCells_h
#define vtkSQStructuredCells_h

#include "vtkSQCells.h"

namespace vtkSQ
{
/** Fills cell type and connectivity of a grid of `dimensions` points; `isCurved`: quads and hexahedra, else pixels and voxels. */
void FillStructuredCells(const int dimensions[3], bool isCurved, CellsView& view);
}
#endif
