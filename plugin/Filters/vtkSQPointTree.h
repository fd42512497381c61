/** A cluster tree over the elements of an input: built or reused, and means over its nodes. */
#ifndef vtkSQPointTree_h
#define vtkSQPointTree_h

#include "vtkSQBoxes.h"
#include "vtkSQCache.h"
#include "vtkSQElements.h"

#include "spatialqueries/sq_cluster_tree.h"

#include <set>
#include <string>

class vtkDataObject;
class vtkPolyData;
class vtkTable;

namespace vtkSQ
{
class PointTree
{
public:
  /** False after a failure (one message) or an abort. One warning a build where elements are not finite. */
  bool Update(
    Run& run, const std::vector<Leaf>& leaves, const ElementRequest& request, int leafSize);

  const sq_cluster_tree* Get() const { return this->Built.Get(); }
  const sq_cluster_tree_view& View() const { return this->Arrays; }
  const Elements& Source() const { return *this->Built.GetSource(); }
  const sq_bvh_statistics& Statistics() const { return this->Counts; }
  bool WasReused() const { return this->Built.WasReused(); }
  double BuildSeconds() const { return this->Built.BuildSeconds(); }
  double Generation() const { return this->Built.Generation(); }

  /** BVHReused, BuildSeconds, SkippedElements. */
  void AddFields(vtkDataObject* output) const;

private:
  Structure<sq_cluster_tree, sq_cluster_tree_destroy, Elements> Built;
  sq_cluster_tree_view Arrays = {};
  sq_bvh_statistics Counts = {};
  double MeasuredBuild = 0.0; // the generation that they are of: an abort may come in between
};

TreeNodes NodesOf(const sq_cluster_tree_view& view);

/** Diameter and TotalArea of the nodes that are shown. */
void AddNodeSizes(const Boxes& boxes, const sq_cluster_tree_view& view, vtkPolyData* output);

/** node_diameter_sq, node_range_start, node_range_count, node_total_area of the first `count` nodes. */
void AddClusterColumns(vtkTable* table, const sq_cluster_tree_view& view, int64_t count);

/** Means over the nodes, weighted by area. */
class NodeMeans
{
public:
  NodeMeans() = default;
  ~NodeMeans() { sq_aggregates_destroy(this->Handle); }
  NodeMeans(const NodeMeans&) = delete;
  NodeMeans& operator=(const NodeMeans&) = delete;

  /** Centroids, and with `fields` all numeric arrays of the elements. False after a failure or an abort. */
  bool Update(Run& run, const PointTree& tree, const std::vector<Leaf>& leaves, int elements,
    bool fields, const char* input);

  const sq_aggregates* Get() const { return this->Handle; }

  /** Centroid (3 components), and the fields; those with a name of the output's arrays as <name>_input. */
  void AddTo(const Boxes& boxes, vtkPolyData* output) const;

private:
  sq_aggregates* Handle = nullptr;
  std::vector<vtkDataArray*> First; // of every field, the first leaf's array
};
}
#endif
