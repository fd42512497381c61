#include "vtkSQCellIds.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkSQArrays.h"

namespace vtkSQ
{
bool HaveGlobalCellIds(const std::vector<Leaf>& leaves)
{
  for (const Leaf& leaf : leaves)
  {
    if (leaf.Data->GetCellData()->GetGlobalIds())
    {
      return true;
    }
  }
  return false;
}

vtkSmartPointer<vtkDataArray> GlobalCellIds(const char* name, const std::vector<Leaf>& leaves,
  const int32_t* leaf, const int64_t* cell, vtkIdType count)
{
  std::vector<Packed> ids;
  for (const Leaf& l : leaves)
  {
    vtkDataArray* global = l.Data->GetCellData()->GetGlobalIds();
    ids.push_back(global ? PackAs(global, SQ_INT64) : Packed());
  }
  auto array = NewArray<vtkIdTypeArray>(name, 1, count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    const void* numbers = leaf[i] < 0 ? nullptr : ids[static_cast<size_t>(leaf[i])].Data;
    array->SetValue(i, numbers ? vtkIdType(static_cast<const int64_t*>(numbers)[cell[i]]) : -1);
  }
  return array;
}

vtkSmartPointer<vtkDataArray> BlockIds(
  const char* name, const std::vector<Leaf>& leaves, const int32_t* leaf, vtkIdType count)
{
  auto array = NewArray<vtkIdTypeArray>(name, 1, count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    array->SetValue(i, leaf[i] < 0 ? -1 : leaves[static_cast<size_t>(leaf[i])].Block);
  }
  return array;
}
}
