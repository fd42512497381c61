#include "vtkSQElements.h"

#include "spatialqueries/sq_cells.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkPointData.h"
#include "vtkSQCells.h"

#include <cmath>
#include <sstream>

namespace vtkSQ
{
Packed Elements::GatherAs(
  const std::vector<Leaf>& leaves, const std::string& name, sq_type type) const
{
  std::vector<Packed> ofLeaves;
  int components = 0;
  for (const Leaf& leaf : leaves)
  {
    vtkDataArray* array = AttributesOf(leaf.Data, this->Request.Elements)->GetArray(name.c_str());
    components = array && components == 0 ? array->GetNumberOfComponents() : components;
    const bool fits = array && array->GetNumberOfComponents() == components &&
      array->GetNumberOfTuples() == this->Every.CountOf(ofLeaves.size());
    ofLeaves.push_back(fits ? PackAs(array, type) : Packed());
  }
  return components > 0 ? this->Join(ofLeaves, type, components) : Packed();
}

sq_type Elements::TypeOfArray(const std::vector<Leaf>& leaves, const std::string& name) const
{
  bool isFloat = true;
  for (const Leaf& leaf : leaves)
  {
    vtkDataArray* array = AttributesOf(leaf.Data, this->Request.Elements)->GetArray(name.c_str());
    isFloat = isFloat && (!array || array->GetDataType() == VTK_FLOAT);
  }
  return isFloat ? SQ_FLOAT32 : SQ_FLOAT64;
}

Packed Elements::Gather(const std::vector<Leaf>& leaves, const std::string& name) const
{
  return this->GatherAs(leaves, name, this->TypeOfArray(leaves, name));
}

bool Elements::ReadNumbers(Run& run, const std::vector<Leaf>& leaves, const std::string& name,
  const char* property, sq_type type, Packed& numbers) const
{
  bool everywhere = true;
  for (size_t i = 0; i < leaves.size(); ++i)
  {
    vtkDataArray* array =
      AttributesOf(leaves[i].Data, this->Request.Elements)->GetArray(name.c_str());
    everywhere = everywhere &&
      (this->LeafStart[i] == this->LeafStart[i + 1] ||
        (array && array->GetNumberOfComponents() == 1));
  }
  std::ostringstream text;
  const char* const kind = this->Request.Elements ? "cell" : "point";
  if (!everywhere)
  {
    text << this->Request.Input << ": " << property << ": no " << kind << " array \"" << name
         << "\" of one component in every block; allowed are those arrays and None";
    run.Error(text.str().c_str());
    return false;
  }
  numbers = this->GatherAs(leaves, name, type);
  for (int64_t p = 0; p < this->Count() && numbers.Data; ++p)
  {
    if (!std::isfinite(NumberAt(numbers.Data, type, p)) && this->IsFinite(p))
    {
      text << this->Request.Input << ": " << property << ": array \"" << name << "\" is "
           << NumberAt(numbers.Data, type, p) << " at " << kind << " " << this->NumberOf(p)
           << "; allowed are finite numbers";
      run.Error(text.str().c_str());
      return false;
    }
  }
  return true;
}

bool Elements::ReadAreas(Run& run, const std::vector<Leaf>& leaves)
{
  if (this->Request.Area.empty())
  {
    const bool measured = this->Request.Elements != 0 && this->Request.MeasureCells;
    return !measured || this->MeasureCells(run, leaves);
  }
  return this->ReadNumbers(run, leaves, this->Request.Area, this->Request.AreaProperty,
    this->View.Points.type, this->Area);
}

bool Elements::MeasureCells(Run& run, const std::vector<Leaf>& leaves)
{
  std::vector<Packed> ofLeaves;
  for (const Leaf& leaf : leaves)
  {
    const CellsView cells = CellsOf(leaf.Data);
    auto measures = NewArray<vtkDoubleArray>(nullptr, 1, leaf.Data->GetNumberOfCells());
    if (!run.Succeeded(sq_cell_measures(run.Context(), &cells.Cells, measures->GetPointer(0)),
          this->Request.Input))
    {
      return false;
    }
    ofLeaves.push_back(Pack(measures));
  }
  this->Area = this->Join(ofLeaves, this->View.Points.type, 1);
  int64_t unknown = 0;
  for (int64_t p = 0; p < this->Count(); ++p)
  {
    if (std::isnan(NumberAt(this->Area.Data, this->Area.Type, p)) && this->IsFinite(p))
    {
      this->Area.Keep->SetComponent(static_cast<vtkIdType>(p), 0, 0.0);
      ++unknown;
    }
  }
  if (unknown > 0)
  {
    std::ostringstream text;
    text << unknown << " cells of " << this->Request.Input
         << " are of a type whose size is not known; they weigh 0.";
    run.Warning(text.str().c_str());
  }
  return true;
}
}
