#include "vtkSQMesh.h"

namespace vtkSQ
{
Mesh::Mesh(const std::vector<Leaf>& leaves)
{
  this->Views.reserve(leaves.size());
  this->Cells.reserve(leaves.size() + 1); // so that Blocks() is not NULL without blocks
  for (const Leaf& leaf : leaves)
  {
    this->Views.push_back(CellsOf(leaf.Data));
    this->Cells.push_back(this->Views.back().Cells);
    this->Ids.push_back(leaf.Block);
  }
}

uint64_t Mesh::Content() const
{
  Hash hash;
  for (size_t b = 0; b < this->Cells.size(); ++b)
  {
    hash.Add(static_cast<uint64_t>(this->Ids[b]));
    hash.Add(this->Cells[b]);
  }
  return hash.Value();
}

Stamps Mesh::StampsOf(const std::vector<Leaf>& leaves)
{
  Stamps stamps;
  for (const Leaf& leaf : leaves)
  {
    stamps.push_back(static_cast<uint64_t>(leaf.Block));
    AddPointStamps(leaf.Data, stamps);
    AddCellStamps(leaf.Data, stamps);
  }
  return stamps;
}
}
