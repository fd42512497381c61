#include "vtkSQLeaves.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataObjectTree.h"
#include "vtkDataObjectTreeIterator.h"
#include "vtkDataSet.h"
#include "vtkPartitionedDataSet.h"
#include "vtkSmartPointer.h"

#include <algorithm>

namespace vtkSQ
{
namespace
{
/** Visits inner nodes too, so that partitions are known by the partitioned data set that holds them. */
std::vector<Leaf> LeavesOfTree(vtkDataObjectTree* tree)
{
  std::vector<Leaf> leaves;
  auto it = vtkSmartPointer<vtkDataObjectTreeIterator>::Take(tree->NewTreeIterator());
  it->VisitOnlyLeavesOff();
  it->TraverseSubTreeOn();
  it->SkipEmptyNodesOff();
  auto* root = vtkPartitionedDataSet::SafeDownCast(tree);
  vtkIdType parent = 0;
  unsigned int partitions = root ? root->GetNumberOfPartitions() : 0;
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem())
  {
    vtkDataObject* node = it->GetCurrentDataObject();
    const vtkIdType flat = static_cast<vtkIdType>(it->GetCurrentFlatIndex());
    if (auto* partitioned = vtkPartitionedDataSet::SafeDownCast(node))
    {
      parent = flat;
      partitions = partitioned->GetNumberOfPartitions();
      continue;
    }
    const bool isPartition = partitions > 0;
    partitions -= isPartition;
    if (auto* data = vtkDataSet::SafeDownCast(node))
    {
      leaves.push_back({ data, isPartition ? parent : flat });
    }
  }
  return leaves;
}
}

bool IsComposite(vtkDataObject* object)
{
  return vtkCompositeDataSet::SafeDownCast(object) != nullptr;
}

std::vector<Leaf> LeavesOf(vtkDataObject* object)
{
  if (auto* data = vtkDataSet::SafeDownCast(object))
  {
    return { { data, 0 } };
  }
  if (auto* tree = vtkDataObjectTree::SafeDownCast(object))
  {
    return LeavesOfTree(tree);
  }
  std::vector<Leaf> leaves;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(object))
  {
    auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem())
    {
      if (auto* data = vtkDataSet::SafeDownCast(it->GetCurrentDataObject()))
      {
        leaves.push_back({ data, static_cast<vtkIdType>(it->GetCurrentFlatIndex()) });
      }
    }
  }
  return leaves;
}

Numbering::Numbering(const std::vector<Leaf>& leaves, int elements)
  : Start(1, 0)
{
  for (const Leaf& leaf : leaves)
  {
    this->Start.push_back(this->Start.back() +
      (elements ? leaf.Data->GetNumberOfCells() : leaf.Data->GetNumberOfPoints()));
  }
}

size_t Numbering::LeafOf(int64_t number) const
{
  const auto next = std::upper_bound(this->Start.begin(), this->Start.end(), number);
  return static_cast<size_t>(next - this->Start.begin()) - 1;
}
}
