/**
 * @class   vtkSQBVHCandidates
 * @brief   the cells whose leaf boxes hold the points or cell centres of Input
 *
 * Port 0 is Input, the points that ask; port 1 is SourceMesh, all blocks of which are one mesh. The candidates are those of the
 * reference's BVH (NVIDIA PhysicsNeMo, mesh/spatial/bvh.py, find_candidate_cells; tree: Lauterbach et al. 2009): every cell
 * of every leaf whose box, widened by Tolerance, holds the point, cut to MaxCandidates as there.
 *
 * Output 0 is Input with CandidateCount (active) and CandidatesTruncated (1 where the limit left out a cell). Output 1 is a
 * table with one row a candidate, ascending: QueryId, CellId, for composites QueryBlock and CellBlock, for sources with
 * global ids CellGlobalId, on several ranks QueryProcessId (all rows on the first rank).
 */
#ifndef vtkSQBVHCandidates_h
#define vtkSQBVHCandidates_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_bvh.h" // for limits and defaults

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class Output;
class Run;
}
class vtkTable;

class VTKSQFILTERS_EXPORT vtkSQBVHCandidates : public vtkSQAlgorithm
{
public:
  static vtkSQBVHCandidates* New();
  vtkTypeMacro(vtkSQBVHCandidates, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Most cells of a leaf of the tree. Default 1.
   */
  vtkSetClampMacro(LeafSize, int, SQ_LEAF_SIZE_MIN, VTK_INT_MAX);
  vtkGetMacro(LeafSize, int);
  ///@}

  ///@{
  /**
   * How much wider the boxes are: Tolerance as a fraction of each leaf box's diagonal (ToleranceType 0), or a
   * length (1). Defaults 1 and 1e-6.
   */
  vtkSetClampMacro(ToleranceType, int, 0, 1);
  vtkGetMacro(ToleranceType, int);
  vtkSetClampMacro(Tolerance, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(Tolerance, double);
  ///@}

  ///@{
  /**
   * With LimitCandidates a point gets at most MaxCandidates cells, chosen as the reference does. Defaults on and 32.
   */
  vtkSetMacro(LimitCandidates, bool);
  vtkGetMacro(LimitCandidates, bool);
  vtkBooleanMacro(LimitCandidates, bool);
  vtkSetClampMacro(MaxCandidates, int, SQ_CANDIDATES_MAX_MIN, VTK_INT_MAX);
  vtkGetMacro(MaxCandidates, int);
  ///@}

  ///@{
  /**
   * Ask for the points (0, point arrays) or the cell centres (1, cell arrays) of Input. Default 0.
   */
  vtkSetClampMacro(InputElements, int, 0, 1);
  vtkGetMacro(InputElements, int);
  ///@}

protected:
  vtkSQBVHCandidates();
  ~vtkSQBVHCandidates() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQBVHCandidates(const vtkSQBVHCandidates&) = delete;
  void operator=(const vtkSQBVHCandidates&) = delete;

  sq_candidate_options Options() const;
  bool Find(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* source, vtkSQ::Output& out,
    vtkTable* table);

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int LeafSize = SQ_LEAF_SIZE_DEFAULT;
  int ToleranceType = 1;
  double Tolerance = SQ_CANDIDATES_TOLERANCE_DEFAULT;
  bool LimitCandidates = SQ_CANDIDATES_LIMIT_DEFAULT;
  int MaxCandidates = SQ_CANDIDATES_MAX_DEFAULT;
  int InputElements = 0;
};

#endif
