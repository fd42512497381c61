/** The data sets of an input, composite or not. */
#ifndef vtkSQLeaves_h
#define vtkSQLeaves_h

#include "vtkType.h"

#include <cstddef>
#include <cstdint>
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

/** Points (elements 0) or cells (1) of all leaves in one row, numbered through the leaves. */
class Numbering
{
public:
  Numbering(const std::vector<Leaf>& leaves, int elements);

  int64_t Count() const { return this->Start.back(); }
  int64_t CountOf(size_t leaf) const { return this->Start[leaf + 1] - this->Start[leaf]; }
  /** The number of a leaf's first element. */
  int64_t First(size_t leaf) const { return this->Start[leaf]; }
  size_t LeafOf(int64_t number) const;

private:
  std::vector<int64_t> Start;
};
}
#endif
