#include "vtkSQTreeTables.h"

#include "vtkSQArrays.h"
#include "vtkSQCellIds.h"
#include "vtkSQTables.h"
#include "vtkTable.h"

namespace vtkSQ
{
TreeNodes NodesOf(const sq_bvh_view& v)
{
  return { v.type, v.dimension, IsFirstRank() ? v.node_count : 0, v.node_aabb_min, v.node_aabb_max,
    v.node_left_child, v.node_right_child, v.leaf_start, v.leaf_count, v.node_range_start,
    v.node_range_count };
}

vtkSmartPointer<vtkTable> NodeTable(const TreeNodes& nodes)
{
  auto table = vtkSmartPointer<vtkTable>::New();
  for (const auto& box :
    { std::make_pair("node_aabb_min", nodes.Min), std::make_pair("node_aabb_max", nodes.Max) })
  {
    table->AddColumn(CopyOf(box.first, box.second, nodes.Type, nodes.Dimension, nodes.Count));
  }
  for (const auto& ids : { std::make_pair("node_left_child", nodes.Left),
         std::make_pair("node_right_child", nodes.Right),
         std::make_pair("leaf_start", nodes.LeafStart),
         std::make_pair("leaf_count", nodes.LeafCount) })
  {
    table->AddColumn(CopyOf<vtkIdTypeArray>(ids.first, ids.second, 1, nodes.Count));
  }
  return table;
}

vtkSmartPointer<vtkTable> OrderTable(const char* name, const int64_t* order, int64_t count,
  const std::vector<Leaf>& leaves, int elements, bool composite)
{
  auto table = vtkSmartPointer<vtkTable>::New();
  count = IsFirstRank() ? count : 0;
  table->AddColumn(CopyOf<vtkIdTypeArray>(name, order, 1, count));
  if (composite)
  {
    const Numbering numbers(leaves, elements);
    std::vector<int64_t> ids;
    std::vector<int32_t> leaf;
    for (int64_t i = 0; i < count; ++i)
    {
      const size_t at = numbers.LeafOf(order[i]);
      leaf.push_back(static_cast<int32_t>(at));
      ids.push_back(order[i] - numbers.First(at));
    }
    const char* const id = elements ? "CellId" : "PointId";
    const char* const block = elements ? "CellBlock" : "PointBlock";
    table->AddColumn(CopyOf<vtkIdTypeArray>(id, ids.data(), 1, count));
    table->AddColumn(BlockIds(block, leaves, leaf.data(), static_cast<vtkIdType>(count)));
  }
  return table;
}

void FillStatistics(vtkTable* table, const sq_bvh_statistics& statistics, double buildSeconds)
{
  AddCount(table, "Nodes", statistics.nodes);
  AddCount(table, "Leaves", statistics.leaves);
  AddCount(table, "Depth", statistics.depth);
  AddValue(table, "SAHCost", statistics.sah_cost);
  AddValue(table, "Overlap", statistics.overlap);
  AddCount(table, "Bytes", statistics.bytes);
  AddValue(table, "BuildSeconds", buildSeconds);
}
}
