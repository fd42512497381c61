#include "vtkSQInteractionPlan.h"

#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkSQOutput.h"
#include "vtkSQPlanOutputs.h"
#include "vtkSQTables.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <new>
#include <string>

vtkStandardNewMacro(vtkSQInteractionPlan);

struct vtkSQInteractionPlan::Internals
{
  vtkSQ::PlanTrees Trees;
  vtkSQ::PlanField Field;
  vtkSQ::PlanCounts Counts;
  vtkSQ::PlanPotential Potential;
};

vtkSQInteractionPlan::vtkSQInteractionPlan()
  : vtkSQPlanAlgorithm(0, 1000)
  , Kept(std::make_unique<Internals>())
{
  this->SetNumberOfOutputPorts(6);
}

vtkSQInteractionPlan::~vtkSQInteractionPlan() = default;

void vtkSQInteractionPlan::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "OpeningAngle: " << this->OpeningAngle << "\n";
  os << indent << "LeafSize: " << this->LeafSize << "\n";
  os << indent << "ExpandFarTargets: " << this->ExpandFarTargets << "\n";
  os << indent << "PairsOf: " << this->PairsOf << "\n";
  os << indent << "TargetId: " << this->TargetId << "\n";
  os << indent << "TargetNode: " << this->TargetNode << "\n";
  os << indent << "TargetPoint: " << this->TargetPoint[0] << " " << this->TargetPoint[1] << " "
     << this->TargetPoint[2] << "\n";
  os << indent << "MaxPairs: " << this->MaxPairs << "\n";
  os << indent << "ExportPlan: " << this->ExportPlan << "\n";
  os << indent << "MaxPlanBytes: " << std::to_string(this->MaxPlanBytes) << "\n";
}

int vtkSQInteractionPlan::FillOutputPortInformation(int port, vtkInformation* info)
{
  const char* const types[] = { "vtkDataObject", "vtkDataObject", "vtkPolyData", "vtkTable",
    "vtkMultiBlockDataSet", "vtkImageData" };
  info->Set(vtkDataObject::DATA_TYPE_NAME(), types[port]);
  return 1;
}

int vtkSQInteractionPlan::RequestDataObject(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* sources = vtkDataObject::GetData(inputs[1], 0);
  MakeLike(sources ? sources : vtkDataObject::GetData(inputs[0], 0), outputs, 1);
  return this->Superclass::RequestDataObject(request, inputs, outputs);
}

int vtkSQInteractionPlan::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  // The extent of the matrix must be known now, and it depends on the number of elements.
  this->UpdateWhole(0);
  this->UpdateWhole(1);
  const int64_t targets = vtkSQ::Elements::CountIn(
    vtkSQ::LeavesOf(vtkDataObject::GetData(inputs[0], 0)), this->GetInputElements());
  vtkDataObject* given = vtkDataObject::GetData(inputs[1], 0);
  const int64_t sources =
    given ? vtkSQ::Elements::CountIn(vtkSQ::LeavesOf(given), this->GetSourcesElements()) : targets;
  int extent[6];
  double spacing[3];
  vtkSQ::LayOutMatrix(targets, sources, extent, spacing);
  const double origin[3] = { 0.0, 0.0, 0.0 };
  vtkInformation* info = outputs->GetInformationObject(5);
  info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent, 6);
  info->Set(vtkDataObject::SPACING(), spacing, 3);
  info->Set(vtkDataObject::ORIGIN(), origin, 3);
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

sq_plan_options vtkSQInteractionPlan::Options() const
{
  sq_plan_options options = sq_plan_options_default();
  options.theta = this->OpeningAngle;
  options.expand = static_cast<sq_plan_expand>(this->ExpandFarTargets);
  options.non_finite = SQ_NON_FINITE_KEEP;
  options.max_bytes = static_cast<int64_t>(this->MaxPlanBytes);
  return options;
}

int vtkSQInteractionPlan::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* sources = vtkDataObject::GetData(inputs[1], 0);
  vtkSQ::Run run(this, "Interaction Plan", this->GetThreads());
  vtkSQ::Output targets(input, vtkDataObject::GetData(outputs, 0), this->GetInputElements());
  vtkSQ::Output seen(sources ? sources : input, vtkDataObject::GetData(outputs, 1),
    sources ? this->GetSourcesElements() : this->GetInputElements());
  bool good = false;
  try
  {
    good = run.Start(this->GetDevice()) && run.Accepts(input, "Input") &&
      run.Accepts(sources, "Sources") && this->Plan(run, input, sources, targets, seen, outputs);
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
  }
  for (int port = 0; !good && port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkDataObject::GetData(outputs, port)->Initialize();
  }
  if (!good)
  {
    // An image without the extent that it was announced with would be asked for again.
    vtkImageData::GetData(outputs, 5)
      ->SetExtent(
        outputs->GetInformationObject(5)->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()));
  }
  return 1;
}

bool vtkSQInteractionPlan::Plan(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources,
  vtkSQ::Output& targets, vtkSQ::Output& seen, vtkInformationVector* outputs)
{
  if (!this->Compute(run, input, sources))
  {
    return false;
  }
  const vtkSQ::Timer timer;
  const Internals& kept = *this->Kept;
  this->AddArrays(targets, seen);
  run.Part(0.9, 1.0);
  if (!this->AddRest(run, outputs))
  {
    return false;
  }
  vtkDataObject* output = targets.Object();
  vtkSQ::AddFieldCount(output, "BVHReused", kept.Trees.WereReused());
  vtkSQ::AddFieldValue(output, "BuildSeconds", kept.Trees.BuildSeconds());
  vtkSQ::AddFieldCount(output, "SkippedElements", kept.Trees.SkippedElements());
  const bool kernel = this->GetKernel() != 0;
  const bool reused = kept.Counts.WereReused() && (!kernel || kept.Potential.WereReused());
  double seconds = timer.Seconds();
  seconds += kept.Counts.WereReused() ? 0.0 : kept.Counts.Seconds();
  seconds += !kernel || kept.Potential.WereReused() ? 0.0 : kept.Potential.Seconds();
  vtkSQ::AddRunFields(output, run, reused, seconds);
  if (!vtkSQ::IsFirstRank())
  {
    targets.Clear();
    seen.Clear();
  }
  return true;
}

bool vtkSQInteractionPlan::Compute(vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources)
{
  Internals& kept = *this->Kept;
  const vtkSQ::PlanRequest request = this->Request(sources != nullptr);
  const sq_plan_options options = this->Options();
  if (!kept.Trees.Update(run, input, sources, request, this->LeafSize) ||
    !kept.Field.Update(run, kept.Trees, request))
  {
    return false;
  }
  run.Part(0.2, request.Kernel ? 0.4 : 0.9);
  return kept.Counts.Update(run, kept.Trees, options) &&
    (request.Kernel == 0 ||
      kept.Potential.Update(run, kept.Trees, options, kept.Field, request.ErrorTargets));
}

void vtkSQInteractionPlan::AddArrays(vtkSQ::Output& targets, vtkSQ::Output& seen)
{
  const Internals& kept = *this->Kept;
  const bool kernel = this->GetKernel() != 0;
  std::set<std::string> names = vtkSQ::PlanCounts::TargetNames();
  if (kernel)
  {
    const std::set<std::string> more = vtkSQ::PlanPotential::Names();
    names.insert(more.begin(), more.end());
  }
  targets.Reserve(names);
  seen.Reserve(vtkSQ::PlanCounts::SourceNames());
  for (size_t i = 0; i < targets.Size(); ++i)
  {
    const vtkSQ::Elements& elements = kept.Trees.Targets().Source();
    kept.Counts.AddTargetArrays(elements, i, targets.Attributes(i));
    if (kernel)
    {
      kept.Potential.AddArrays(elements, i, targets.Attributes(i));
    }
  }
  for (size_t i = 0; i < seen.Size(); ++i)
  {
    kept.Counts.AddSourceArrays(kept.Trees.Sources().Source(), i, seen.Attributes(i));
  }
  targets.SetActive(kernel ? "Potential" : "Evaluations");
  seen.SetActive("NearCount");
}

bool vtkSQInteractionPlan::AddRest(vtkSQ::Run& run, vtkInformationVector* outputs)
{
  const Internals& kept = *this->Kept;
  vtkSQ::PairRequest pairs;
  pairs.Of = vtkSQ::IsFirstRank() ? this->PairsOf : vtkSQ::PAIRS_NOTHING;
  pairs.TargetId = this->TargetId;
  pairs.TargetNode = this->TargetNode;
  std::copy_n(this->TargetPoint, 3, pairs.TargetPoint);
  pairs.MaxPairs = this->MaxPairs;
  const sq_plan_options options = this->Options();
  if (!vtkSQ::FillPairs(
        run, kept.Trees, options, kept.Field, pairs, vtkPolyData::GetData(outputs, 2)) ||
    !vtkSQ::FillPlan(run, kept.Trees, options, this->ExportPlan && vtkSQ::IsFirstRank(),
      vtkMultiBlockDataSet::GetData(outputs, 4)))
  {
    return false;
  }
  vtkSQ::FillSummary(vtkTable::GetData(outputs, 3), kept.Trees, kept.Counts,
    this->GetKernel() != 0 ? kept.Potential.Errors() : vtkSQ::NoErrors());
  kept.Counts.FillMatrix(vtkImageData::GetData(outputs, 5));
  return true;
}
