/** Names of cells of a composite source: flat composite index and global id. */
#ifndef vtkSQCellIds_h
#define vtkSQCellIds_h

#include "vtkSQLeaves.h"

#include "vtkSmartPointer.h"

#include <cstdint>

class vtkDataArray;

namespace vtkSQ
{
bool HaveGlobalCellIds(const std::vector<Leaf>& leaves);

/** The global ids of the named cells, -1 where there is none. */
vtkSmartPointer<vtkDataArray> GlobalCellIds(const char* name, const std::vector<Leaf>& leaves,
  const int32_t* leaf, const int64_t* cell, vtkIdType count);

/** Flat composite indices of the named leaves, -1 where there is none. */
vtkSmartPointer<vtkDataArray> BlockIds(
  const char* name, const std::vector<Leaf>& leaves, const int32_t* leaf, vtkIdType count);
}
#endif
