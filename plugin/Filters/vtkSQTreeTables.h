/** The arrays of the reference's trees as tables, and their statistics. */
#ifndef vtkSQTreeTables_h
#define vtkSQTreeTables_h

#include "vtkSQBoxes.h"
#include "vtkSQLeaves.h"

#include "spatialqueries/sq_bvh.h"

#include "vtkSmartPointer.h"

class vtkTable;

namespace vtkSQ
{
/** A view's arrays under one name for both trees; no node at all on other ranks than the first. */
TreeNodes NodesOf(const sq_bvh_view& view);

/** node_aabb_min, node_aabb_max, node_left_child, node_right_child, leaf_start, leaf_count. */
vtkSmartPointer<vtkTable> NodeTable(const TreeNodes& nodes);

/**
 * `order` under the reference's name: numbers of elements through all leaves. For composites also the elements' ids in
 * their data sets and those as <Element>Id and <Element>Block.
 */
vtkSmartPointer<vtkTable> OrderTable(const char* name, const int64_t* order, int64_t count,
  const std::vector<Leaf>& leaves, int elements, bool composite);

/** Nodes, Leaves, Depth, SAHCost, Overlap, Bytes, BuildSeconds. */
void FillStatistics(vtkTable* table, const sq_bvh_statistics& statistics, double buildSeconds);
}
#endif
