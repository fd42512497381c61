/** The nodes of a tree as polydata: which are shown, their boxes, their arrays. */
#ifndef vtkSQBoxes_h
#define vtkSQBoxes_h

#include "spatialqueries/sq_types.h"

#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <vector>

class vtkDataArray;
class vtkPolyData;
class vtkTable;

namespace vtkSQ
{
/** Values of the property BoxType. */
enum BoxType
{
  BOX_WIREFRAME = 0,
  BOX_SOLID = 1
};

/** What both kinds of trees say about their nodes. */
struct TreeNodes
{
  sq_type Type;
  int32_t Dimension;
  int64_t Count;
  const void* Min;
  const void* Max;
  const int64_t* Left; /**< the right child follows it; -1: a leaf */
  const int64_t* Right;
  const int64_t* LeafStart;
  const int64_t* LeafCount;
  const int64_t* RangeStart;
  const int64_t* RangeCount;
};

struct BoxRequest
{
  int MinimumDepth = 0;
  int MaximumDepth = 8;
  bool LeavesOnly = false;
  int Type = BOX_WIREFRAME;
};

/** The nodes that are shown. Those without a box (of non-finite elements only) are not. */
class Boxes
{
public:
  Boxes(const TreeNodes& nodes, const BoxRequest& request);

  /**
   * One cell a node, a closed line or a strip of triangles over its 8 corners, with NodeId, ParentId, Depth (active), IsLeaf and
   * the two arrays that say where its elements are.
   */
  void Fill(vtkPolyData* output, const char* firstName, const char* countName) const;

  /** Adds the entries of an array over all nodes, under the array's own name. */
  void AddArray(vtkPolyData* output, vtkDataArray* ofAllNodes) const;

private:
  TreeNodes Nodes;
  int Type;
  std::vector<int64_t> Parent;
  std::vector<int> Depth;
  vtkNew<vtkIdList> Shown;
};
}
#endif
