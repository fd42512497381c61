/**
 * @class   vtkSQBVHBoxes
 * @brief   the boxes of the reference's bounding volume hierarchy over the cells of Input
 *
 * Input is any data set or composite of data sets, whose cells are one mesh. The tree is the reference's, bit for bit
 * (NVIDIA PhysicsNeMo, mesh/spatial/bvh.py; Lauterbach et al. 2009, "Fast BVH construction on GPUs").
 *
 * Output 0 is polydata with one cell a node (a closed line or a strip of triangles) and the cell arrays NodeId, ParentId, Depth
 * (active, root 0), IsLeaf, FirstCell and CellCount (positions in the sorted order), SurfaceArea, SiblingOverlap. Output 1 has the arrays of
 * the tree as tables with ExportTree, output 2 one row of statistics. On several ranks all of it is on the first.
 */
#ifndef vtkSQBVHBoxes_h
#define vtkSQBVHBoxes_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_bvh.h" // for limits and defaults

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQBVHBoxes : public vtkSQAlgorithm
{
public:
  static vtkSQBVHBoxes* New();
  vtkTypeMacro(vtkSQBVHBoxes, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Most cells of a leaf. Default 1.
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
  vtkSQBVHBoxes();
  ~vtkSQBVHBoxes() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQBVHBoxes(const vtkSQBVHBoxes&) = delete;
  void operator=(const vtkSQBVHBoxes&) = delete;

  bool Show(vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs);

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int LeafSize = SQ_LEAF_SIZE_DEFAULT;
  int MinimumDepth = 0;
  int MaximumDepth = 8;
  bool LeavesOnly = false;
  int BoxType = 0;
  bool ExportTree = false;
};

#endif
