/**
 * @class   vtkSQInteractionPlanSweep
 * @brief   cost and error of interaction plans for every combination of settings
 *
 * Inputs as in vtkSQPlanAlgorithm. The output is a table with one row a combination of OpeningAngles, LeafSizes and ExpandModes: those
 * three, Evaluations, FractionOfDense, PlanBytes, Seconds (counting and evaluating the plan), RmsError, MaxError, and
 * ParetoOptimal: 1 where no other row has at most as many evaluations and at most as large an rms error, and less of either.
 * On several ranks the rows are on the first.
 */
#ifndef vtkSQInteractionPlanSweep_h
#define vtkSQInteractionPlanSweep_h

#include "vtkSQPlanAlgorithm.h"

#include <memory> // for std::unique_ptr
#include <vector> // for std::vector

namespace vtkSQ
{
struct SweepRow;
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQInteractionPlanSweep : public vtkSQPlanAlgorithm
{
public:
  static vtkSQInteractionPlanSweep* New();
  vtkTypeMacro(vtkSQInteractionPlanSweep, vtkSQPlanAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The values that are combined: theta (default 0.5 1 2 5), elements of a leaf (1 16), and how far targets are expanded (0 2, see
   * ExpandFarTargets of vtkSQInteractionPlan). SetNumberOf...() first, then Set...(index, value).
   */
  void SetNumberOfOpeningAngles(int count);
  void SetOpeningAngles(int index, double value);
  void SetNumberOfLeafSizes(int count);
  void SetLeafSizes(int index, int value);
  void SetNumberOfExpandModes(int count);
  void SetExpandModes(int index, int value);
  ///@}

protected:
  vtkSQInteractionPlanSweep();
  ~vtkSQInteractionPlanSweep() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQInteractionPlanSweep(const vtkSQInteractionPlanSweep&) = delete;
  void operator=(const vtkSQInteractionPlanSweep&) = delete;

  bool Sweep(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources,
    std::vector<vtkSQ::SweepRow>& rows);

  std::vector<double> OpeningAngles = { 0.5, 1.0, 2.0, 5.0 };
  std::vector<int> LeafSizes = { 1, 16 };
  std::vector<int> ExpandModes = { SQ_PLAN_EXPAND_OFF, SQ_PLAN_EXPAND_COMPLETE };
};

#endif
