/**
 * @class   vtkSQInteractionPlan
 * @brief   who sees whom exactly and who through a node, in a Barnes-Hut plan, what it costs and how exact it is
 *
 * Inputs as in vtkSQPlanAlgorithm. The plan is the reference's dual traversal (Barnes and Hut 1986, "A hierarchical O(N log N)
 * force-calculation algorithm"; Dehnen 2002, "A hierarchical O(N) force calculation algorithm"; NVIDIA PhysicsNeMo,
 * mesh/spatial/cluster_tree.py). It is counted and evaluated without storing it.
 *
 * Output 0: Input with NearCount, NearFarCount, FarNearCount, FarFarCount (sources covered by each stream), Evaluations, and with a
 * kernel Potential, DirectPotential, RelativeError. Output 1: Sources (or Input) with the counts seen from there. Output 2: lines
 * between the things that are paired. Output 3: one row that sums it up. Output 4: the plan's arrays with ExportPlan. Output 5: an
 * image of the shares of the streams by blocks of targets and sources. On several ranks all of it is on the first.
 */
#ifndef vtkSQInteractionPlan_h
#define vtkSQInteractionPlan_h

#include "vtkSQPlanAlgorithm.h"

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class Output;
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQInteractionPlan : public vtkSQPlanAlgorithm
{
public:
  static vtkSQInteractionPlan* New();
  vtkTypeMacro(vtkSQInteractionPlan, vtkSQPlanAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * theta: nodes are far from each other where (D_T + D_S) / r < theta; 0: all exact. Default 1.
   */
  vtkSetMacro(OpeningAngle, double);
  vtkGetMacro(OpeningAngle, double);
  ///@}

  ///@{
  /**
   * Most elements of a leaf of the trees. Default 1.
   */
  vtkSetClampMacro(LeafSize, int, SQ_LEAF_SIZE_MIN, VTK_INT_MAX);
  vtkGetMacro(LeafSize, int);
  ///@}

  ///@{
  /**
   * 0 Off; 1 As Reference: a far entry becomes a near-far entry for each of its targets; 2 Complete: far-near entries become near
   * entries too. Default 0.
   */
  vtkSetClampMacro(ExpandFarTargets, int, SQ_PLAN_EXPAND_OFF, SQ_PLAN_EXPAND_COMPLETE);
  vtkGetMacro(ExpandFarTargets, int);
  ///@}

  ///@{
  /**
   * What output 2 shows: 0 nothing, 1 the entries that reach the target TargetId (numbered through all blocks), 2 those of the node
   * TargetNode, 3 all, 4 those of the target nearest to TargetPoint; at most MaxPairs. Defaults 0, 0, 0, (0, 0, 0), 100000.
   */
  vtkSetClampMacro(PairsOf, int, 0, 4);
  vtkGetMacro(PairsOf, int);
  vtkSetClampMacro(TargetId, vtkIdType, 0, VTK_ID_MAX);
  vtkGetMacro(TargetId, vtkIdType);
  vtkSetClampMacro(TargetNode, vtkIdType, 0, VTK_ID_MAX);
  vtkGetMacro(TargetNode, vtkIdType);
  vtkSetVector3Macro(TargetPoint, double);
  vtkGetVector3Macro(TargetPoint, double);
  vtkSetClampMacro(MaxPairs, vtkIdType, 0, VTK_ID_MAX);
  vtkGetMacro(MaxPairs, vtkIdType);
  ///@}

  ///@{
  /**
   * Fill output 4 with the arrays of the plan, unless they need more than MaxPlanBytes. Defaults off and 2^31.
   */
  vtkSetMacro(ExportPlan, bool);
  vtkGetMacro(ExportPlan, bool);
  vtkBooleanMacro(ExportPlan, bool);
  vtkSetClampMacro(MaxPlanBytes, double, 0.0, 1e18);
  vtkGetMacro(MaxPlanBytes, double);
  ///@}

protected:
  vtkSQInteractionPlan();
  ~vtkSQInteractionPlan() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestInformation(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQInteractionPlan(const vtkSQInteractionPlan&) = delete;
  void operator=(const vtkSQInteractionPlan&) = delete;

  struct Internals;

  sq_plan_options Options() const;
  bool Plan(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources, vtkSQ::Output& targets,
    vtkSQ::Output& seen, vtkInformationVector* outputs);
  bool Compute(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources);
  void AddArrays(vtkSQ::Output& targets, vtkSQ::Output& seen);
  bool AddRest(vtkSQ::Run& run, vtkInformationVector* outputs);

  std::unique_ptr<Internals> Kept;

  double OpeningAngle = SQ_PLAN_THETA_DEFAULT;
  int LeafSize = SQ_LEAF_SIZE_DEFAULT;
  int ExpandFarTargets = SQ_PLAN_EXPAND_OFF;
  int PairsOf = 0;
  vtkIdType TargetId = 0;
  vtkIdType TargetNode = 0;
  double TargetPoint[3] = { 0.0, 0.0, 0.0 };
  vtkIdType MaxPairs = SQ_PLAN_MAX_PAIRS_DEFAULT;
  bool ExportPlan = false;
  double MaxPlanBytes =
    double(SQ_PLAN_MAX_BYTES_DEFAULT); // an integer property of ParaView ends before 2^31
};

#endif
