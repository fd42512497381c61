/** Hides what was not found. */
#ifndef vtkSQBlank_h
#define vtkSQBlank_h

#include "vtkType.h"

class vtkCharArray;
class vtkDataSet;

namespace vtkSQ
{
/**
 * Sets the ghost bit HIDDENPOINT at points whose mask is 0 and HIDDENCELL at the cells that use one of them; for a mask of
 * cells, HIDDENCELL alone. Bits that are there stay.
 */
void MarkBlank(vtkDataSet* data, vtkCharArray* mask, bool ofCells);
}
#endif
