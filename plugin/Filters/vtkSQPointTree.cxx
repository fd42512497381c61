#include "vtkSQPointTree.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkPolyData.h"
#include "vtkSQOutput.h"
#include "vtkSQTables.h"
#include "vtkTable.h"

#include <cmath>
#include <sstream>

namespace vtkSQ
{
namespace
{
bool IsMasked(const std::string& name)
{
  return name.empty() || name == vtkDataSetAttributes::GhostArrayName() ||
    name == "vtkValidPointMask" || name == "vtkValidCellMask";
}

/** The numeric arrays of all leaves by name, in the order of their first appearance. */
std::vector<vtkDataArray*> NumericArrays(const std::vector<Leaf>& leaves, int elements)
{
  std::vector<vtkDataArray*> arrays;
  std::set<std::string> names;
  for (const Leaf& leaf : leaves)
  {
    vtkDataSetAttributes* attributes = AttributesOf(leaf.Data, elements);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes->GetArray(i);
      const std::string name = array && array->GetName() ? array->GetName() : "";
      if (!IsMasked(name) && array->GetNumberOfComponents() > 0 && names.insert(name).second)
      {
        arrays.push_back(array);
      }
    }
  }
  return arrays;
}
}

bool PointTree::Update(
  Run& run, const std::vector<Leaf>& leaves, const ElementRequest& request, int leafSize)
{
  const Settings settings = { double(leafSize), double(request.Elements),
    double(request.Dimensions), double(request.Area.empty()), double(request.MeasureCells),
    double(request.AsDouble) };
  sq_cluster_tree_options options = sq_cluster_tree_options_default();
  options.leaf_size = leafSize;
  options.non_finite = SQ_NON_FINITE_KEEP;
  const bool built = this->Built.Update(
    Elements::StampsOf(leaves, request), settings,
    [&] { return Elements::Read(run, leaves, request); },
    [&](const Elements& elements, sq_cluster_tree** tree)
    {
      return run.Succeeded(
        sq_cluster_tree_build(run.Context(), &elements.Points(), elements.Areas(), &options, tree),
        request.Input);
    });
  if (!run.SameOnAllRanks(this->Built.Content(), request.Input) || !built ||
    !run.Succeeded(sq_cluster_tree_get_view(this->Get(), &this->Arrays), request.Input))
  {
    return false;
  }
  const bool measured = this->MeasuredBuild == this->Generation();
  if (!measured &&
    !run.Succeeded(
      sq_cluster_tree_measure(run.Context(), this->Get(), &this->Counts, nullptr, nullptr),
      request.Input))
  {
    return false;
  }
  this->MeasuredBuild = this->Generation();
  run.Hold(this->Counts.bytes);
  if (!measured && this->Arrays.skipped_points > 0)
  {
    std::ostringstream text;
    text << this->Arrays.skipped_points << (request.Elements ? " cells" : " points") << " of "
         << request.Input << " have a coordinate that is not finite and are skipped.";
    run.Warning(text.str().c_str());
  }
  return true;
}

void PointTree::AddFields(vtkDataObject* output) const
{
  AddFieldCount(output, "BVHReused", this->Built.WasReused());
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds());
  AddFieldCount(output, "SkippedElements", this->Arrays.skipped_points);
}

TreeNodes NodesOf(const sq_cluster_tree_view& v)
{
  return { v.type, v.dimension, IsFirstRank() ? v.node_count : 0, v.node_aabb_min, v.node_aabb_max,
    v.node_left_child, v.node_right_child, v.leaf_start, v.leaf_count, v.node_range_start,
    v.node_range_count };
}

void AddNodeSizes(const Boxes& boxes, const sq_cluster_tree_view& v, vtkPolyData* output)
{
  auto squared = CopyOf("", v.node_diameter_sq, v.type, 1, v.node_count);
  auto diameter = NewArray<vtkDoubleArray>("Diameter", 1, static_cast<vtkIdType>(v.node_count));
  for (vtkIdType i = 0; i < diameter->GetNumberOfTuples(); ++i)
  {
    diameter->SetValue(i, std::sqrt(squared->GetComponent(i, 0)));
  }
  boxes.AddArray(output, diameter);
  auto area = NewArray<vtkDoubleArray>("TotalArea", 1, static_cast<vtkIdType>(v.node_count));
  area->CopyComponent(0, CopyOf("", v.node_total_area, v.type, 1, v.node_count), 0);
  boxes.AddArray(output, area);
}

void AddClusterColumns(vtkTable* table, const sq_cluster_tree_view& v, int64_t count)
{
  table->AddColumn(CopyOf("node_diameter_sq", v.node_diameter_sq, v.type, 1, count));
  table->AddColumn(CopyOf<vtkIdTypeArray>("node_range_start", v.node_range_start, 1, count));
  table->AddColumn(CopyOf<vtkIdTypeArray>("node_range_count", v.node_range_count, 1, count));
  table->AddColumn(CopyOf("node_total_area", v.node_total_area, v.type, 1, count));
}

bool NodeMeans::Update(Run& run, const PointTree& tree, const std::vector<Leaf>& leaves,
  int elements, bool fields, const char* input)
{
  this->First = fields ? NumericArrays(leaves, elements) : std::vector<vtkDataArray*>();
  std::vector<Packed> values;
  std::vector<sq_aggregate_field> views;
  for (vtkDataArray* first : this->First)
  {
    values.push_back(tree.Source().Gather(leaves, first->GetName()));
    views.push_back(
      { first->GetName(), values.back().Data, values.back().Type, first->GetNumberOfComponents() });
  }
  sq_aggregates_destroy(this->Handle);
  this->Handle = nullptr;
  return run.Succeeded(
    sq_aggregates_build(run.Context(), tree.Get(), tree.Source().Areas(), tree.View().type,
      views.data(), static_cast<int32_t>(views.size()), 0, &this->Handle),
    input);
}

void NodeMeans::AddTo(const Boxes& boxes, vtkPolyData* output) const
{
  sq_aggregates_view view;
  if (sq_aggregates_get_view(this->Handle, &view) != SQ_OK)
  {
    return;
  }
  auto packed = CopyOf(nullptr, view.node_centroid, view.type, view.dimension, view.node_count);
  auto centroid = NewArray<vtkDoubleArray>("Centroid", 3, static_cast<vtkIdType>(view.node_count));
  centroid->Fill(0.0);
  for (int k = 0; k < view.dimension; ++k)
  {
    centroid->CopyComponent(k, packed, k);
  }
  boxes.AddArray(output, centroid);
  for (int32_t f = 0; f < view.field_count; ++f)
  {
    std::string name = view.fields[f].name;
    while (output->GetCellData()->HasArray(name.c_str()))
    {
      name += "_input";
    }
    auto mean = CopyOf(name.c_str(), view.fields[f].data, view.fields[f].type,
      view.fields[f].components, view.node_count);
    mean->CopyComponentNames(this->First[static_cast<size_t>(f)]);
    boxes.AddArray(output, mean);
  }
}
}
