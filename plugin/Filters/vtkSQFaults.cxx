#include "vtkSQFaults.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSQArrays.h"
#include "vtkSQCellIds.h"
#include "vtkSQMesh.h"
#include "vtkTable.h"

#include <algorithm>

namespace vtkSQ
{
namespace
{
const char* const COMPONENT = "ComponentId";
const char* const PROBLEM = "Problem";

vtkSmartPointer<vtkCellArray> CellsOfSize(vtkIdType size, const int64_t* ids, int64_t count)
{
  auto connectivity = NewArray<vtkIdTypeArray>(nullptr, 1, size * count);
  std::copy(ids, ids + size * count, Ids(connectivity));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  if (count > 0)
  {
    cells->SetData(size, connectivity);
  }
  return cells;
}

/** Sets a number of a column, which is made with its first one. */
template <class ArrayT, class ValueT>
void Put(vtkTable* table, const char* name, vtkIdType rows, vtkIdType row, ValueT value)
{
  if (row == 0)
  {
    table->AddColumn(NewArray<ArrayT>(name, 1, rows));
  }
  ArrayT::SafeDownCast(table->GetColumnByName(name))->SetValue(row, value);
}
}

std::set<std::string> Faults::CellNames()
{
  return { COMPONENT, PROBLEM };
}

bool Faults::Update(Run& run, const Surface& surface)
{
  this->Reused = this->Check && this->Generation == surface.Generation();
  if (this->Reused)
  {
    return true;
  }
  this->Check.reset();
  sq_surface_check* check = nullptr;
  if (!run.Succeeded(sq_surface_check_build(run.Context(), surface.Get(), &check), "Input"))
  {
    return false;
  }
  this->Check.reset(check);
  this->Generation = surface.Generation();
  return run.Succeeded(sq_surface_check_get_view(check, &this->View), "Input");
}

bool Faults::AddToCells(Run& run, const std::vector<Leaf>& leaves, Output& cells) const
{
  const Mesh mesh(leaves);
  std::vector<vtkSmartPointer<vtkIdTypeArray>> components;
  std::vector<vtkSmartPointer<vtkIntArray>> problems;
  std::vector<int64_t*> componentsOf;
  std::vector<int32_t*> problemsOf;
  for (const Leaf& leaf : leaves)
  {
    const vtkIdType count = leaf.Data->GetNumberOfCells();
    components.push_back(NewArray<vtkIdTypeArray>(COMPONENT, 1, count));
    problems.push_back(NewArray<vtkIntArray>(PROBLEM, 1, count));
    componentsOf.push_back(Ids(components.back()));
    problemsOf.push_back(problems.back()->GetPointer(0));
  }
  const sq_status status = sq_surface_check_cells(run.Context(), this->Check.get(), mesh.Blocks(),
    mesh.BlockCount(), componentsOf.data(), problemsOf.data());
  if (!run.Succeeded(status, "Input"))
  {
    return false;
  }
  for (size_t i = 0; i < leaves.size(); ++i)
  {
    cells.Attributes(i)->AddArray(components[i]);
    cells.Attributes(i)->AddArray(problems[i]);
  }
  cells.SetActive(PROBLEM);
  return true;
}

void Faults::FillProblems(
  const std::vector<Leaf>& leaves, bool isComposite, vtkPolyData* problems) const
{
  const sq_surface_check_view& v = this->View;
  auto coordinates = NewArray<vtkDoubleArray>(nullptr, 3, v.point_count);
  std::copy(v.points, v.points + 3 * v.point_count, coordinates->GetPointer(0));
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(coordinates);
  problems->Initialize();
  problems->SetPoints(points);
  problems->SetLines(CellsOfSize(2, v.fault_points, v.edge_count));
  problems->SetPolys(
    CellsOfSize(3, v.fault_points + 2 * v.edge_count, v.fault_count - v.edge_count));

  const auto count = static_cast<size_t>(v.fault_count);
  std::vector<int64_t> cells(count);
  std::vector<int32_t> blocks(count);
  auto problem = NewArray<vtkIntArray>(PROBLEM, 1, v.fault_count);
  auto cellIds = NewArray<vtkIdTypeArray>("CellId", 1, v.fault_count);
  auto subIds = NewArray<vtkIdTypeArray>("SubId", 1, v.fault_count);
  auto components = NewArray<vtkIdTypeArray>(COMPONENT, 1, v.fault_count);
  for (size_t i = 0; i < count; ++i)
  {
    const int32_t t = v.fault_triangle[i];
    const auto at = static_cast<vtkIdType>(i);
    cells[i] = v.triangle_cell[t];
    blocks[i] = v.triangle_block[t];
    problem->SetValue(at, v.fault_problem[i]);
    cellIds->SetValue(at, cells[i]);
    subIds->SetValue(at, v.triangle_sub ? v.triangle_sub[t] : 0);
    components->SetValue(at, v.triangle_component[t]);
  }
  vtkCellData* data = problems->GetCellData();
  for (vtkDataArray* array :
    { static_cast<vtkDataArray*>(problem), static_cast<vtkDataArray*>(cellIds),
      static_cast<vtkDataArray*>(subIds), static_cast<vtkDataArray*>(components) })
  {
    data->AddArray(array);
  }
  if (isComposite)
  {
    data->AddArray(BlockIds("CellBlock", leaves, blocks.data(), v.fault_count));
  }
  if (HaveGlobalCellIds(leaves))
  {
    data->AddArray(
      GlobalCellIds("CellGlobalId", leaves, blocks.data(), cells.data(), v.fault_count));
  }
  data->SetActiveScalars(PROBLEM);
}

void Faults::FillReport(const sq_surface_report& whole, vtkTable* report) const
{
  report->Initialize();
  const vtkIdType rows = static_cast<vtkIdType>(1 + this->View.component_count);
  for (vtkIdType row = 0; row < rows; ++row)
  {
    VisitReport(
      row == 0 ? whole : this->View.components[row - 1], row - 1,
      [&](const char* name, int64_t count)
      { Put<vtkIdTypeArray>(report, name, rows, row, static_cast<vtkIdType>(count)); },
      [&](const char* name, double value) { Put<vtkDoubleArray>(report, name, rows, row, value); });
  }
}

void Faults::KeepNothing(vtkPolyData* problems, vtkTable* report, const Output& cells)
{
  Hollow(problems);
  report->SetNumberOfRows(0);
  for (const Leaf& leaf : LeavesOf(cells.Object()))
  {
    Hollow(leaf.Data);
  }
}
}
