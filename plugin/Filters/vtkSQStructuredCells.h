/** The cells of images, rectilinear and structured grids, written out. */
#ifndef vtkSQStructuredCells_h
#define vtkSQStructuredCells_h

#include "vtkSQCells.h"

namespace vtkSQ
{
/**
 * Fills cell type and connectivity; quads and hexahedra of structured grids, pixels and voxels of the others. False
 * for data sets without a lattice of points.
 */
bool FillStructuredCells(vtkDataSet* data, CellsView& view);
}
#endif
