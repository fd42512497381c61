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
#include <vector>

namespace vtkSQ
{
namespace
{
/** A new array for the core to fill; NULL where it is not wanted. */
template <class ArrayT>
vtkSmartPointer<ArrayT> AddIf(
  bool wanted, vtkDataSetAttributes* attributes, const char* name, int components, vtkIdType count)
{
  if (!wanted)
  {
    return nullptr;
  }
  auto array = NewArray<ArrayT>(name, components, count);
  attributes->AddArray(array);
  return array;
}

template <class ArrayT>
auto Begin(ArrayT* array)
{
  return array ? array->GetPointer(0) : nullptr;
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
  this->SearchSeconds = 0.0;
  if (!run.SameOnAllRanks(this->Built.Content(), "SourceMesh") || !built ||
    !run.Succeeded(sq_mesh_index_get_info(this->Get(), &this->Counts), "SourceMesh"))
  {
    return false;
  }
  run.Hold(this->Counts.bytes);
  this->Said &= this->Built.WasReused();
  return true;
}

bool MeshIndex::MakeSearchable(Run& run)
{
  const Timer timer;
  const int64_t before = this->Counts.bytes;
  if (!run.Succeeded(sq_mesh_index_build_search(run.Context(), this->Get()), "SourceMesh") ||
    !run.Succeeded(sq_mesh_index_get_info(this->Get(), &this->Counts), "SourceMesh"))
  {
    return false;
  }
  run.Hold(this->Counts.bytes);
  this->SearchSeconds = this->Counts.bytes > before ? timer.Seconds() : 0.0;
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
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds() + this->SearchSeconds);
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
  const sq_status status = queries.Axes()
    ? sq_locate_grid(run.Context(), index, queries.Axes(), &options, &location->Handle)
    : sq_locate_points(run.Context(), index, &queries.Points(), &options, &location->Handle);
  return run.Succeeded(status, "Input") ? std::move(location) : nullptr;
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

vtkSmartPointer<vtkCharArray> AddLocationArrays(vtkDataSetAttributes* attributes, Run& run,
  const sq_location* location, vtkIdType count, const std::vector<Leaf>& source,
  const LocationRequest& r)
{
  const bool global = r.CellId && r.CellGlobalId;
  const bool blocks = r.CellId && r.CellBlock;
  const char* mask = r.MaskName.c_str();
  auto valid = AddIf<vtkCharArray>(true, attributes, mask, 1, count);
  auto status = AddIf<vtkUnsignedCharArray>(true, attributes, "SampleStatus", 1, count);
  auto cell = AddIf<vtkIdTypeArray>(r.CellId, attributes, "CellId", 1, count);
  auto distance = AddIf<vtkDoubleArray>(r.Distance, attributes, "Distance", 1, count);
  auto parametric =
    AddIf<vtkDoubleArray>(r.Parametric, attributes, "ParametricCoordinates", 3, count);
  auto cells = AddIf<vtkIntArray>(r.ContainingCount, attributes, "ContainingCellCount", 1, count);
  auto nodes = AddIf<vtkIntArray>(r.Statistics, attributes, "BVHNodesVisited", 1, count);
  auto tested = AddIf<vtkIntArray>(r.Statistics, attributes, "BVHCellsTested", 1, count);
  std::vector<int32_t> block(global || blocks ? static_cast<size_t>(count) : 0);
  sq_location_outputs out = {};
  out.valid = reinterpret_cast<uint8_t*>(Begin(valid.Get()));
  out.status = Begin(status.Get());
  out.block = block.empty() ? nullptr : block.data();
  out.cell = cell ? Ids(cell) : nullptr;
  out.distance = Begin(distance.Get());
  out.parametric = Begin(parametric.Get());
  out.containing_count = Begin(cells.Get());
  out.nodes_visited = Begin(nodes.Get());
  out.cells_tested = Begin(tested.Get());
  if (!run.Succeeded(sq_location_read(run.Context(), location, &out), "Input"))
  {
    return nullptr;
  }
  if (blocks)
  {
    attributes->AddArray(BlockIds("CellBlock", source, block.data(), count));
  }
  if (global)
  {
    attributes->AddArray(GlobalCellIds("CellGlobalId", source, block.data(), out.cell, count));
  }
  return valid;
}

vtkIdType CountValid(vtkCharArray* mask)
{
  const char* first = mask->GetPointer(0);
  return static_cast<vtkIdType>(std::count(first, first + mask->GetNumberOfTuples(), char(1)));
}
}
