/**
 * @class   vtkSQSurfaceCheck
 * @brief   what is wrong with a surface: bad edges and triangles, a report, a code for every cell
 *
 * The surface is that of vtkSQSignedDistanceField: the 2-D cells of Input, else the boundary faces of its 3-D cells. All blocks
 * of a composite are one surface; points are welded (MergePoints) before anything is judged.
 *
 * Output 0 (vtkPolyData): bad edges as lines and bad triangles. Cell arrays: Problem (0 boundary, 1 non-manifold, 2
 * inconsistent edge, 3 degenerate, 4 duplicate, 5 crossing triangle), CellId (CellBlock, CellGlobalId) and SubId of the triangle
 * or of the first that uses the edge, ComponentId. A triangle with two problems is there twice. Triangles with a
 * coordinate that is not finite are counted but cannot be shown.
 *
 * Output 1 (vtkTable), the Surface Report: a row for the whole surface (Component -1), then one a component. Pairs of triangles of
 * different components that cross are counted in the first row only.
 *
 * Output 2: Input with the cell arrays ComponentId and Problem: that of the cell's triangles (degenerate, duplicate,
 * crossing), else that of its edges (non-manifold, inconsistent, boundary), -1 for none.
 *
 * On several ranks each must have the whole surface; the outputs are on rank 0, and empty on the others.
 */
#ifndef vtkSQSurfaceCheck_h
#define vtkSQSurfaceCheck_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_surface.h" // for limits and defaults

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class Output;
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQSurfaceCheck : public vtkSQAlgorithm
{
public:
  static vtkSQSurfaceCheck* New();
  vtkTypeMacro(vtkSQSurfaceCheck, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Weld coincident points before edges are matched: exactly equal ones, then those within MergeTolerance times the diagonal of the
   * surface. Ids stay the original ones. Defaults on and 0.
   */
  vtkSetMacro(MergePoints, bool);
  vtkGetMacro(MergePoints, bool);
  vtkBooleanMacro(MergePoints, bool);
  vtkSetClampMacro(MergeTolerance, double, SQ_MERGE_TOLERANCE_MIN, SQ_MERGE_TOLERANCE_MAX);
  vtkGetMacro(MergeTolerance, double);
  ///@}

protected:
  vtkSQSurfaceCheck();
  ~vtkSQSurfaceCheck() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQSurfaceCheck(const vtkSQSurfaceCheck&) = delete;
  void operator=(const vtkSQSurfaceCheck&) = delete;

  bool Check(
    vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs, vtkSQ::Output& cells);

  struct Internals;
  std::unique_ptr<Internals> Kept;

  bool MergePoints = SQ_MERGE_POINTS_DEFAULT;
  double MergeTolerance = SQ_MERGE_TOLERANCE_DEFAULT;
};

#endif
