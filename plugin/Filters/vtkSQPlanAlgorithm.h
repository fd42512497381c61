/**
 * @class   vtkSQPlanAlgorithm
 * @brief   what the filters on Barnes-Hut interaction plans share: targets, sources, kernel
 *
 * Port 0 is Input, the targets; port 1 is Sources, optional: without it Input interacts with itself, and its settings hold for
 * both. The elements of a port are its points or the centres of its cells, over all blocks of a composite. Ghost elements
 * take no part, elements with a non-finite coordinate are skipped.
 */
#ifndef vtkSQPlanAlgorithm_h
#define vtkSQPlanAlgorithm_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_plan_evaluate.h" // for limits and defaults

#include <string> // for std::string

namespace vtkSQ
{
struct PlanRequest;
}

class VTKSQFILTERS_EXPORT vtkSQPlanAlgorithm : public vtkSQAlgorithm
{
public:
  vtkTypeMacro(vtkSQPlanAlgorithm, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Indices for SetInputArrayToProcess(). Areas: none is 1 a point, and a cell's length, area or volume. Strengths: none is 1.
   * Those of Input hold where Sources is not set.
   */
  enum
  {
    AREA_ARRAY = 1,
    STRENGTH_ARRAY = 2,
    SOURCES_AREA_ARRAY = 3,
    SOURCES_STRENGTH_ARRAY = 4
  };

  /**
   * SetInputArrayToProcess() for arrays of Sources from ParaView's proxies: ParaView (5.11 to 6.2) mixes up the arrays of two ports
   * (vtkPVCompositeDataPipeline::CopyDefaultInformation counts them together) and crashes on them.
   */
  void SetSourcesArray(int index, int port, int connection, int association, const char* name);

  ///@{
  /**
   * Targets and sources are points (0) or cell centres (1). Defaults 0.
   */
  vtkSetClampMacro(InputElements, int, 0, 1);
  vtkGetMacro(InputElements, int);
  vtkSetClampMacro(SourcesElements, int, 0, 1);
  vtkGetMacro(SourcesElements, int);
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
   * What is summed over the sources: 0 nothing, 1 1/r, 2 1/r^2, 3 exp(-r^2/L^2), 4 -log r, 5 (1-exp(-r^2/L^2))/(1+r^2/L^2).
   * L is KernelLength, by default 1.
   */
  vtkSetClampMacro(Kernel, int, 0, SQ_KERNEL_REGULARISED);
  vtkGetMacro(Kernel, int);
  vtkSetClampMacro(KernelLength, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(KernelLength, double);
  ///@}

  ///@{
  /**
   * With a kernel: how many targets are compared with the exact sum, evenly spread; 0: all.
   */
  vtkSetClampMacro(ErrorTargets, int, 0, VTK_INT_MAX);
  vtkGetMacro(ErrorTargets, int);
  ///@}

protected:
  vtkSQPlanAlgorithm(int kernel, int errorTargets);
  ~vtkSQPlanAlgorithm() override = default;

  /** All ranks get both inputs whole. */
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

  vtkSQ::PlanRequest Request(bool hasSources);

private:
  vtkSQPlanAlgorithm(const vtkSQPlanAlgorithm&) = delete;
  void operator=(const vtkSQPlanAlgorithm&) = delete;

  /** What SetSourcesArray() or SetInputArrayToProcess() has chosen. */
  std::string ChosenSourcesArray(int index);

  std::string SourcesArea;
  std::string SourcesStrength;
  int InputElements = 0;
  int SourcesElements = 0;
  int Dimensions = 3;
  int Kernel;
  double KernelLength = 1.0;
  int ErrorTargets;
};

#endif
