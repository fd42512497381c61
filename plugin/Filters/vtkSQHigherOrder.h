/** What Lagrange and Bezier cells need besides their points. */
#ifndef vtkSQHigherOrder_h
#define vtkSQHigherOrder_h

#include "vtkSQCells.h"

namespace vtkSQ
{
/** Adds their orders (a copy) and rational weights: VTK's attributes HigherOrderDegrees and RationalWeights. */
void AddHigherOrder(vtkDataSet* data, CellsView& view);
}
#endif
