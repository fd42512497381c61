#include "vtkSQLocations.h"

#include "vtkCharArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkSQArrays.h"
#include "vtkSQCellIds.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <sstream>

namespace vtkSQ
{
namespace
{
template <class ArrayT, typename T>
void AddCopy(vtkDataSetAttributes* attributes, const char* name, const T* values, int components,
  int64_t count)
{
  attributes->AddArray(CopyOf<ArrayT>(name, values, components, count));
}

void AddStatistics(vtkDataSetAttributes* attributes, const sq_location_view& view)
{
  if (view.nodes_visited && view.cells_tested)
  {
    AddCopy<vtkIntArray>(attributes, "BVHNodesVisited", view.nodes_visited, 1, view.count);
    AddCopy<vtkIntArray>(attributes, "BVHCellsTested", view.cells_tested, 1, view.count);
  }
}
}

bool MeshIndex::Update(Run& run, const std::vector<Leaf>& leaves)
{
  const bool built = this->Built.Update(leaves, Settings(),
    [&](const Mesh& mesh, sq_mesh_index** index)
    {
      return run.Succeeded(
        sq_mesh_index_build(run.Context(), mesh.Blocks(), mesh.BlockCount(), index), "SourceMesh");
    });
  if (!run.SameOnAllRanks(this->Built.Content(), "SourceMesh") || !built ||
    !run.Succeeded(sq_mesh_index_get_info(this->Get(), &this->Counts), "SourceMesh"))
  {
    return false;
  }
  run.Hold(this->Counts.bytes);
  this->Said &= this->Built.WasReused();
  return true;
}

void MeshIndex::Warn(Run& run)
{
  if (this->Said)
  {
    return;
  }
  this->Said = true;
  const int64_t left[2] = { this->Counts.skipped_elements, this->Counts.unsupported_cells };
  const char* const why[2] = { " cells of SourceMesh have a coordinate that is not finite",
    " cells of SourceMesh are of a type that is not supported" };
  for (int k = 0; k < 2; ++k)
  {
    if (left[k] > 0)
    {
      std::ostringstream text;
      text << left[k] << why[k] << " and are left out.";
      run.Warning(text.str().c_str());
    }
  }
}

void MeshIndex::AddFields(vtkDataObject* output) const
{
  AddFieldCount(output, "BVHReused", this->Built.WasReused());
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds());
  AddFieldCount(output, "SkippedElements", this->Counts.skipped_elements);
}

Settings KeyOf(const sq_locate_options& o)
{
  return { double(o.mode), double(o.tolerance_type), o.tolerance, double(o.multiple_cells),
    double(o.nearest_by), o.max_distance, double(o.outside_value), double(o.statistics) };
}

std::unique_ptr<Location> Locate(
  Run& run, const sq_mesh_index* index, const Queries& queries, const sq_locate_options& options)
{
  auto location = std::make_unique<Location>();
  const bool located =
    run.Succeeded(
      sq_locate(run.Context(), index, &queries.Points(), &options, &location->Handle), "Input") &&
    run.Succeeded(sq_location_get_view(location->Handle, &location->View), "Input");
  return located ? std::move(location) : nullptr;
}

std::set<std::string> LocationRequest::Names() const
{
  std::set<std::string> names = { this->MaskName, "SampleStatus" };
  const std::pair<bool, const char*> optional[] = { { this->CellId, "CellId" },
    { this->CellId && this->CellBlock, "CellBlock" },
    { this->CellId && this->CellGlobalId, "CellGlobalId" }, { this->Distance, "Distance" },
    { this->Parametric, "ParametricCoordinates" }, { this->ContainingCount, "ContainingCellCount" },
    { this->Statistics, "BVHNodesVisited" }, { this->Statistics, "BVHCellsTested" } };
  for (const auto& name : optional)
  {
    if (name.first)
    {
      names.insert(name.second);
    }
  }
  return names;
}

vtkSmartPointer<vtkCharArray> AddLocationArrays(vtkDataSetAttributes* attributes,
  const sq_location_view& view, const std::vector<Leaf>& source, const LocationRequest& request)
{
  const auto count = static_cast<vtkIdType>(view.count);
  auto mask = NewArray<vtkCharArray>(request.MaskName.c_str(), 1, count);
  std::transform(view.status, view.status + view.count, mask->GetPointer(0),
    [](uint8_t status) { return char(status <= SQ_SAMPLE_NEAREST); });
  attributes->AddArray(mask);
  AddCopy<vtkUnsignedCharArray>(attributes, "SampleStatus", view.status, 1, view.count);
  if (request.CellId)
  {
    AddCopy<vtkIdTypeArray>(attributes, "CellId", view.cell, 1, view.count);
  }
  if (request.CellId && request.CellBlock)
  {
    attributes->AddArray(BlockIds("CellBlock", source, view.block, count));
  }
  if (request.CellId && request.CellGlobalId)
  {
    attributes->AddArray(GlobalCellIds("CellGlobalId", source, view.block, view.cell, count));
  }
  if (request.Distance)
  {
    AddCopy<vtkDoubleArray>(attributes, "Distance", view.distance, 1, view.count);
  }
  if (request.Parametric)
  {
    AddCopy<vtkDoubleArray>(attributes, "ParametricCoordinates", view.parametric, 3, view.count);
  }
  if (request.ContainingCount)
  {
    AddCopy<vtkIntArray>(attributes, "ContainingCellCount", view.containing_count, 1, view.count);
  }
  if (request.Statistics)
  {
    AddStatistics(attributes, view);
  }
  return mask;
}

vtkIdType CountValid(vtkCharArray* mask)
{
  const char* first = mask->GetPointer(0);
  return static_cast<vtkIdType>(std::count(first, first + mask->GetNumberOfTuples(), char(1)));
}
}
