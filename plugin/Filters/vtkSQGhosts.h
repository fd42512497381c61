/** Which cells are hidden or someone else's. */
#ifndef vtkSQGhosts_h
#define vtkSQGhosts_h

#include "vtkSmartPointer.h"

class vtkDataSet;
class vtkUnsignedCharArray;

namespace vtkSQ
{
/**
 * The ghost bits of the cells, null where there are none. As everywhere in VTK, a cell of structured data that uses a hidden
 * point (PLOT3D's iblank) is hidden; such bits are set in a copy.
 */
vtkSmartPointer<vtkUnsignedCharArray> CellGhostsOf(vtkDataSet* data);
}
#endif
