#include "vtkSQCache.h"

#include "spatialqueries/sq_cells.h"

#include "vtkDataSet.h"
#include "vtkDoubleArray.h"

namespace vtkSQ
{
Queries::Queries(vtkDataSet* data, int elements, bool gridsAsAxes)
  : Data(data)
  , OfCells(elements != 0)
  , AsAxes(gridsAsAxes && HasAxes(data))
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
  Hash hash;
  hash.Add(static_cast<uint64_t>(this->Number));
  if (this->AsAxes)
  {
    if (!AxesOf(this->Data, this->OfCells, run, this->Grid))
    {
      return false;
    }
    hash.Add(static_cast<uint64_t>(this->Grid.Axes.type));
    for (const std::vector<double>& axis : this->Grid.Keep)
    {
      hash.Add(axis.data(), axis.size() * sizeof(double));
    }
    this->Hashed = hash.Value();
    return true;
  }
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
  hash.Add(this->View.Points);
  this->Hashed = hash.Value();
  return true;
}
}
