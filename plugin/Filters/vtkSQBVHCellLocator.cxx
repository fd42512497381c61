#include "vtkSQBVHCellLocator.h"

#include "vtkDataSet.h"
#include "vtkGenericCell.h"
#include "vtkIdList.h"
#include "vtkObjectFactory.h"
#include "vtkPoints.h"
#include "vtkSQCellSearch.h"
#include "vtkSQTreeBoxes.h"

#include <algorithm>
#include <cmath>
#include <new>

vtkStandardNewMacro(vtkSQBVHCellLocator);

namespace
{
void Fill(const std::vector<vtkIdType>& ids, vtkIdList* cells)
{
  cells->SetNumberOfIds(static_cast<vtkIdType>(ids.size()));
  std::copy(ids.begin(), ids.end(), cells->begin());
}
}

struct vtkSQBVHCellLocator::Internals
{
  std::mutex Building;
  std::shared_ptr<vtkSQ::CellSearch> Search;
  std::atomic<vtkSQ::CellSearch*> Current{
    nullptr
  }; // what queries see, while another thread may build
  std::atomic<vtkMTimeType> BuiltAt{ 0 }; // 0: not yet
};

vtkSQBVHCellLocator::vtkSQBVHCellLocator()
  : Kept(std::make_unique<Internals>())
{
}

vtkSQBVHCellLocator::~vtkSQBVHCellLocator() = default;

void vtkSQBVHCellLocator::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  const vtkSQ::CellSearch* search = this->Kept->Search.get();
  sq_mesh_index_info info = {};
  if (search)
  {
    sq_mesh_index_get_info(search->Index(), &info);
  }
  os << indent << "Cells: " << info.cells << "\n";
  os << indent << "Bytes: " << info.bytes << "\n";
}

bool vtkSQBVHCellLocator::IsCurrent() const
{
  const vtkMTimeType built = this->Kept->BuiltAt.load(std::memory_order_acquire);
  return built != 0 &&
    (this->UseExistingSearchStructure ||
      (built > this->MTime.GetMTime() && this->DataSet && built > this->DataSet->GetMTime()));
}

/** What queries ask; NULL where it cannot be built. */
vtkSQ::CellSearch* vtkSQBVHCellLocator::Ready()
{
  if (!this->IsCurrent())
  {
    const std::lock_guard<std::mutex> lock(this->Kept->Building);
    if (!this->IsCurrent())
    {
      this->Build(false);
    }
  }
  return this->Kept->Current.load(std::memory_order_acquire);
}

void vtkSQBVHCellLocator::Build(bool anew)
{
  if (!this->DataSet)
  {
    vtkErrorMacro(<< "BVH Cell Locator: no data set is set");
    return;
  }
  std::string reason = "out of memory";
  std::shared_ptr<vtkSQ::CellSearch> search;
  try
  {
    search = vtkSQ::CellSearch::Of(this->DataSet, anew ? nullptr : this->Kept->Search, reason);
  }
  catch (const std::bad_alloc&)
  {
  }
  if (!search)
  {
    vtkErrorMacro(<< "BVH Cell Locator: " << reason);
  }
  this->Kept->Current.store(search.get(), std::memory_order_release);
  this->Kept->Search = std::move(search);
  this->Level = this->Kept->Search ? sq_mesh_index_depth(this->Kept->Search->Index()) : 0;
  this->BuildTime.Modified();
  this->Kept->BuiltAt.store(this->BuildTime.GetMTime(), std::memory_order_release);
}

void vtkSQBVHCellLocator::BuildLocatorInternal()
{
  const std::lock_guard<std::mutex> lock(this->Kept->Building);
  this->Build(false);
}

void vtkSQBVHCellLocator::ForceBuildLocator()
{
  const std::lock_guard<std::mutex> lock(this->Kept->Building);
  this->Build(true);
}

void vtkSQBVHCellLocator::BuildLocator()
{
  this->Ready();
}

void vtkSQBVHCellLocator::FreeSearchStructure()
{
  const std::lock_guard<std::mutex> lock(this->Kept->Building);
  this->Kept->BuiltAt.store(0);
  this->Kept->Current.store(nullptr);
  this->Kept->Search.reset();
}

void vtkSQBVHCellLocator::ShallowCopy(vtkAbstractCellLocator* locator)
{
  auto* other = vtkSQBVHCellLocator::SafeDownCast(locator);
  if (!other)
  {
    vtkErrorMacro(<< "BVH Cell Locator: cannot copy a "
                  << (locator ? locator->GetClassName() : "NULL")
                  << "; allowed is a vtkSQBVHCellLocator");
    return;
  }
  if (other == this)
  {
    return;
  }
  other->BuildLocator();
  this->SetDataSet(other->DataSet);
  this->SetUseExistingSearchStructure(other->UseExistingSearchStructure);
  this->SetNumberOfCellsPerNode(other->NumberOfCellsPerNode);
  this->SetCacheCellBounds(other->CacheCellBounds);
  const std::lock_guard<std::mutex> lock(this->Kept->Building);
  this->Kept->Search = other->Kept->Search;
  this->Kept->Current.store(this->Kept->Search.get());
  this->Level = other->Level;
  this->BuildTime.Modified();
  this->Kept->BuiltAt.store(this->Kept->Search ? this->BuildTime.GetMTime() : 0);
}

/** Puts the cell of an answer into `cell`, and VTK's parametric coordinates where the core has none. */
void vtkSQBVHCellLocator::SetCell(
  const vtkSQ::CellPoint& at, vtkGenericCell* cell, double pcoords[3])
{
  if (cell)
  {
    this->DataSet->GetCell(at.Cell, cell);
  }
  if (pcoords)
  {
    std::copy(at.Parametric, at.Parametric + 3, pcoords);
  }
  if (cell && pcoords && std::isnan(pcoords[0]))
  {
    std::vector<double> weights(static_cast<size_t>(cell->GetNumberOfPoints()));
    double closest[3], distance2;
    int subId;
    cell->EvaluatePosition(at.X, closest, subId, pcoords, distance2, weights.data());
  }
}

vtkIdType vtkSQBVHCellLocator::FindCell(
  double x[3], double tol2, vtkGenericCell* cell, int& subId, double pcoords[3], double* weights)
{
  vtkSQ::CellSearch* search = this->Ready();
  if (!search)
  {
    return -1;
  }
  const vtkSQ::CellPoint at = search->Containing(this->DataSet, x, tol2);
  if (at.Cell >= 0)
  {
    subId = at.SubId;
    if (weights)
    {
      std::copy(at.Weights, at.Weights + at.WeightCount, weights);
    }
    this->SetCell(at, cell, pcoords);
  }
  return at.Cell;
}

vtkIdType vtkSQBVHCellLocator::FindClosestPointWithinRadius(double x[3], double radius,
  double closestPoint[3], vtkGenericCell* cell, vtkIdType& cellId, int& subId, double& dist2,
  int& inside)
{
  vtkSQ::CellSearch* search = this->Ready();
  cellId = -1;
  const vtkSQ::CellPoint at =
    search ? search->Closest(this->DataSet, x, radius) : vtkSQ::CellPoint();
  if (at.Cell >= 0)
  {
    cellId = at.Cell;
    subId = at.SubId;
    dist2 = at.Distance2;
    inside = at.Inside;
    std::copy(at.X, at.X + 3, closestPoint);
    this->SetCell(at, cell, nullptr);
  }
  return at.Cell >= 0;
}

int vtkSQBVHCellLocator::IntersectWithLine(const double p1[3], const double p2[3], double tol,
  double& t, double x[3], double pcoords[3], int& subId, vtkIdType& cellId, vtkGenericCell* cell)
{
  vtkSQ::CellSearch* search = this->Ready();
  cellId = -1;
  const vtkSQ::CellPoint at =
    search ? search->FirstCrossing(this->DataSet, p1, p2, tol) : vtkSQ::CellPoint();
  if (at.Cell >= 0)
  {
    cellId = at.Cell;
    subId = at.SubId;
    t = at.T;
    std::copy(at.X, at.X + 3, x);
    this->SetCell(at, cell, pcoords);
  }
  return at.Cell >= 0;
}

int vtkSQBVHCellLocator::IntersectWithLine(const double p1[3], const double p2[3], double tol,
  vtkPoints* points, vtkIdList* cellIds, vtkGenericCell* cell)
{
  vtkSQ::CellSearch* search = this->Ready();
  if (points)
  {
    points->Reset();
  }
  if (cellIds)
  {
    cellIds->Reset();
  }
  if (!search)
  {
    return 0;
  }
  const auto all = search->Crossings(this->DataSet, p1, p2, tol, cell == nullptr);
  for (const vtkSQ::CellAlong& at : all)
  {
    if (points)
    {
      points->InsertNextPoint(at.X);
    }
    if (cellIds)
    {
      cellIds->InsertNextId(at.Cell);
    }
  }
  return !all.empty();
}

int vtkSQBVHCellLocator::IntersectWithLine(
  const double p1[3], const double p2[3], vtkPoints* points, vtkIdList* cellIds)
{
  return this->IntersectWithLine(p1, p2, 0.0, points, cellIds, this->GenericCell);
}

bool vtkSQBVHCellLocator::InsideCellBounds(double x[3], vtkIdType cellId)
{
  if (!this->DataSet || cellId < 0 || cellId >= this->DataSet->GetNumberOfCells())
  {
    return false;
  }
  double bounds[6];
  this->DataSet->GetCellBounds(cellId, bounds);
  for (int k = 0; k < 3; ++k)
  {
    if (!(x[k] >= bounds[2 * k] && x[k] <= bounds[2 * k + 1]))
    {
      return false;
    }
  }
  return true;
}

void vtkSQBVHCellLocator::FindCellsWithinBounds(double* bbox, vtkIdList* cells)
{
  vtkSQ::CellSearch* search = this->Ready();
  Fill(search ? search->InBox(bbox) : std::vector<vtkIdType>(), cells);
}

void vtkSQBVHCellLocator::FindCellsAlongPlane(
  const double o[3], const double n[3], double tolerance, vtkIdList* cells)
{
  vtkSQ::CellSearch* search = this->Ready();
  Fill(search ? search->AlongPlane(o, n, tolerance) : std::vector<vtkIdType>(), cells);
}

void vtkSQBVHCellLocator::GenerateRepresentation(int level, vtkPolyData* pd)
{
  vtkSQ::CellSearch* search = this->Ready();
  vtkSQ::DrawBoxes(search ? search->Index() : nullptr, level, pd);
}
