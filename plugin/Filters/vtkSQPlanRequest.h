/** What the two plan filters have in common: the elements, the plan, what is summed by it. */
#ifndef vtkSQPlanRequest_h
#define vtkSQPlanRequest_h

#include "vtkSQPointTree.h"

#include "spatialqueries/sq_plan_evaluate.h"

#include <string>

class vtkDataObject;

namespace vtkSQ
{
struct PlanRequest
{
  ElementRequest Targets;
  ElementRequest Sources; /**< as Targets where the plan is of one set with itself */
  std::string Strength; /**< of the sources; "": 1 each */
  const char* StrengthProperty = "StrengthArray";
  int Kernel = 0; /**< 0: no sums; else sq_kernel_kind */
  double KernelLength = 1.0;
  vtkIdType ErrorTargets = 0;
};

/** Two cluster trees, which are one for a plan of one set with itself; kept between Applies. */
class PlanTrees
{
public:
  /** `sources` NULL: one set. False after a failure or an abort. */
  bool Update(Run& run, vtkDataObject* targets, vtkDataObject* sources, const PlanRequest& request,
    int leafSize);

  const PointTree& Targets() const { return this->TargetTree; }
  const PointTree& Sources() const { return this->Single ? this->TargetTree : this->SourceTree; }
  const std::vector<Leaf>& TargetLeaves() const { return this->LeavesOfTargets; }
  const std::vector<Leaf>& SourceLeaves() const
  {
    return this->Single ? this->LeavesOfTargets : this->LeavesOfSources;
  }
  bool IsSingle() const { return this->Single; }

  /** Differs after a build of either. */
  Settings Key() const;
  bool WereReused() const;
  double BuildSeconds() const;
  int64_t SkippedElements() const;

private:
  PointTree TargetTree;
  PointTree SourceTree;
  std::vector<Leaf> LeavesOfTargets;
  std::vector<Leaf> LeavesOfSources;
  bool Single = true;
};

/** Strengths and centroids, ready for sums. */
class PlanField
{
public:
  /** False after a failure or an abort. */
  bool Update(Run& run, const PlanTrees& trees, const PlanRequest& request);

  const sq_plan_field& View() const { return this->Field; }
  const sq_aggregates* TargetCentroids() const { return this->Field.target_aggregates; }
  const sq_aggregates* SourceCentroids() const { return this->Field.source_aggregates; }

  /** Of the strengths and the kernel. */
  Settings Key() const;

private:
  sq_plan_field Field = {};
  Packed Strengths;
  uint64_t Content = 0;
  NodeMeans OfTargets;
  NodeMeans OfSources;
};
}
#endif
