/** The data sets of an input, composite or not. */
#ifndef vtkSQLeaves_h
#define vtkSQLeaves_h

#include "vtkType.h"

#include <vector>

class vtkDataObject;
class vtkDataSet;

namespace vtkSQ
{
struct Leaf
{
  vtkDataSet* Data;
  vtkIdType
    Block; /**< flat composite index; for partitioned data that of the partitioned data set */
};

bool IsComposite(vtkDataObject* object);

/** In the order of the composite; leaves that are no data sets, or missing, are left out. */
std::vector<Leaf> LeavesOf(vtkDataObject* object);
}
#endif
