#include "vtkSQCache.h"

#include "spatialqueries/sq_cells.h"

#include "vtkDataSet.h"
#include "vtkDoubleArray.h"

namespace vtkSQ
{
Queries::Queries(vtkDataSet* data, int elements)
  : Data(data)
  , OfCells(elements != 0)
  , Number(elements != 0 ? data->GetNumberOfCells() : data->GetNumberOfPoints())
{
  this->Stamp.push_back(this->OfCells);
  AddPointStamps(data, this->Stamp);
  if (this->OfCells)
  {
    AddCellStamps(data, this->Stamp);
  }
}

bool Queries::Prepare(Run& run)
{
  if (this->OfCells)
  {
    const CellsView cells = CellsOf(this->Data);
    auto centers = NewArray<vtkDoubleArray>(nullptr, 3, this->Number);
    if (!run.Succeeded(
          sq_cell_centers(run.Context(), &cells.Cells, centers->GetPointer(0)), "Input"))
    {
      return false;
    }
    this->View = PointsOf(Pack(centers));
  }
  else
  {
    this->View = PointsOf(this->Data);
  }
  Hash hash;
  hash.Add(this->View.Points);
  hash.Add(static_cast<uint64_t>(this->Number));
  this->Hashed = hash.Value();
  return true;
}
}
