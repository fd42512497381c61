/**
 * @class   vtkSQClusterTree
 * @brief   the nodes of the reference's cluster tree over the points or cell centres of Input
 *
 * Input is any data set or composite of data sets, whose elements are one set of points. The tree is the one that Barnes-Hut plans
 * are made of (Barnes and Hut 1986, "A hierarchical O(N log N) force-calculation algorithm"; NVIDIA PhysicsNeMo,
 * mesh/spatial/cluster_tree.py), bit for bit.
 *
 * Output 0 is polydata with one cell a node and the cell arrays NodeId, ParentId, Depth (active, root 0), IsLeaf, FirstPoint and
 * PointCount (positions in the sorted order), Diameter, TotalArea, Centroid, and every numeric array of the elements averaged by
 * area. Output 1 has the arrays of the tree as tables with ExportTree, output 2 one row of statistics. On several ranks all of
 * it is on the first. Ghost elements take no part; elements with a non-finite coordinate keep a place in the order only.
 */
#ifndef vtkSQClusterTree_h
#define vtkSQClusterTree_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_cluster_tree.h" // for limits and defaults

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQClusterTree : public vtkSQAlgorithm
{
public:
  static vtkSQClusterTree* New();
  vtkTypeMacro(vtkSQClusterTree, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /** Indices for SetInputArrayToProcess(). None: every point weighs 1, every cell its length, area or volume. */
  enum
  {
    AREA_ARRAY = 1
  };

  ///@{
  /**
   * The tree is over the points (0) or the cell centres (1) of Input. Default 0.
   */
  vtkSetClampMacro(InputElements, int, 0, 1);
  vtkGetMacro(InputElements, int);
  ///@}

  ///@{
  /**
   * Coordinates that count: 3, 2 (x and y) or 1 (x). Default 3.
   */
  vtkSetClampMacro(Dimensions, int, 1, 3);
  vtkGetMacro(Dimensions, int);
  ///@}

  ///@{
  /**
   * Most elements of a leaf. Default 1.
   */
  vtkSetClampMacro(LeafSize, int, SQ_LEAF_SIZE_MIN, VTK_INT_MAX);
  vtkGetMacro(LeafSize, int);
  ///@}

  ///@{
  /**
   * Show nodes of these depths only, the root having depth 0. Defaults 0 and 8.
   */
  vtkSetClampMacro(MinimumDepth, int, 0, VTK_INT_MAX);
  vtkGetMacro(MinimumDepth, int);
  vtkSetClampMacro(MaximumDepth, int, 0, VTK_INT_MAX);
  vtkGetMacro(MaximumDepth, int);
  ///@}

  ///@{
  /**
   * Show leaves only. Default off.
   */
  vtkSetMacro(LeavesOnly, bool);
  vtkGetMacro(LeavesOnly, bool);
  vtkBooleanMacro(LeavesOnly, bool);
  ///@}

  ///@{
  /**
   * 0 Wireframe: a closed line a node; 1 Solid: a strip of triangles a node. Default 0.
   */
  vtkSetClampMacro(BoxType, int, 0, 1);
  vtkGetMacro(BoxType, int);
  ///@}

  ///@{
  /**
   * Fill output 1 with the arrays of the tree. Default off.
   */
  vtkSetMacro(ExportTree, bool);
  vtkGetMacro(ExportTree, bool);
  vtkBooleanMacro(ExportTree, bool);
  ///@}

protected:
  vtkSQClusterTree();
  ~vtkSQClusterTree() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQClusterTree(const vtkSQClusterTree&) = delete;
  void operator=(const vtkSQClusterTree&) = delete;

  bool Show(vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs);
  void AddTables(vtkDataObject* input, vtkInformationVector* outputs) const;

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int InputElements = 0;
  int Dimensions = 3;
  int LeafSize = SQ_LEAF_SIZE_DEFAULT;
  int MinimumDepth = 0;
  int MaximumDepth = 8;
  bool LeavesOnly = false;
  int BoxType = 0;
  bool ExportTree = false;
};

#endif
