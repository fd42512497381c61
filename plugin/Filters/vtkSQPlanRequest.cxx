#include "vtkSQPlanRequest.h"

namespace vtkSQ
{
bool PlanTrees::Update(Run& run, vtkDataObject* targets, vtkDataObject* sources,
  const PlanRequest& request, int leafSize)
{
  this->Single = !sources;
  this->LeavesOfTargets = LeavesOf(targets);
  this->LeavesOfSources = LeavesOf(sources);
  // The core wants both of one type. Points of mixed types are double, as those of one input are.
  ElementRequest ofTargets = request.Targets;
  ElementRequest ofSources = request.Sources;
  ofTargets.AsDouble = ofSources.AsDouble = !this->Single &&
    Elements::TypeIn(this->LeavesOfTargets, ofTargets.Elements) !=
      Elements::TypeIn(this->LeavesOfSources, ofSources.Elements);
  run.Part(0.0, this->Single ? 0.2 : 0.1);
  const bool first = this->TargetTree.Update(run, this->LeavesOfTargets, ofTargets, leafSize);
  run.Part(0.1, 0.2);
  return first &&
    (this->Single || this->SourceTree.Update(run, this->LeavesOfSources, ofSources, leafSize));
}

Settings PlanTrees::Key() const
{
  return { double(this->Single), this->Targets().Generation(), this->Sources().Generation() };
}

bool PlanTrees::WereReused() const
{
  return this->Targets().WasReused() && this->Sources().WasReused();
}

double PlanTrees::BuildSeconds() const
{
  return this->Targets().BuildSeconds() + (this->Single ? 0.0 : this->SourceTree.BuildSeconds());
}

int64_t PlanTrees::SkippedElements() const
{
  return this->Targets().View().skipped_points +
    (this->Single ? 0 : this->SourceTree.View().skipped_points);
}

bool PlanField::Update(Run& run, const PlanTrees& trees, const PlanRequest& request)
{
  const ElementRequest& elements = trees.IsSingle() ? request.Targets : request.Sources;
  this->Field = {};
  this->Field.kernel = sq_kernel_default();
  this->Field.kernel.kind = static_cast<sq_kernel_kind>(request.Kernel);
  this->Field.kernel.length = request.KernelLength;
  this->Strengths = Packed();
  if (!request.Strength.empty())
  {
    const Elements& source = trees.Sources().Source();
    const sq_type type = source.TypeOfArray(trees.SourceLeaves(), request.Strength);
    if (!source.ReadNumbers(run, trees.SourceLeaves(), request.Strength, request.StrengthProperty,
          type, this->Strengths))
    {
      return false;
    }
  }
  Hash hash;
  hash.Add(this->Strengths.Data, this->Strengths.Data ? this->Strengths.Bytes() : 0);
  this->Content = hash.Value();
  if (!this->OfSources.Update(
        run, trees.Sources(), trees.SourceLeaves(), elements.Elements, false, elements.Input) ||
    (!trees.IsSingle() &&
      !this->OfTargets.Update(run, trees.Targets(), trees.TargetLeaves(), request.Targets.Elements,
        false, request.Targets.Input)))
  {
    return false;
  }
  this->Field.strengths = this->Strengths.Data;
  this->Field.strength_type = this->Strengths.Type;
  this->Field.source_aggregates = this->OfSources.Get();
  this->Field.target_aggregates = trees.IsSingle() ? nullptr : this->OfTargets.Get();
  return true;
}

Settings PlanField::Key() const
{
  return { double(this->Content & 0xffffffffu), double(this->Content >> 32),
    double(this->Strengths.Type), double(this->Field.kernel.kind), this->Field.kernel.length };
}
}
