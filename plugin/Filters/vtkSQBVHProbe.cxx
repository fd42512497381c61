#include "vtkSQBVHProbe.h"

#include "vtkCharArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSQAxes.h"
#include "vtkSQBlank.h"
#include "vtkSQCellIds.h"
#include "vtkSQLocations.h"
#include "vtkSQSampling.h"

#include <cmath>
#include <new>
#include <sstream>

vtkStandardNewMacro(vtkSQBVHProbe);

namespace
{
/** Whether something is known to be searched for; the core finds out the rest. */
bool NeedsSearch(const vtkSQ::Output& out, const sq_locate_options& options)
{
  bool needs = options.mode == SQ_LOCATE_NEAREST || options.statistics;
  for (size_t i = 0; i < out.Size() && options.mode != SQ_LOCATE_CONTAINING && !needs; ++i)
  {
    needs = vtkSQ::HasAxes(out.Input(i));
  }
  return needs;
}
}

struct vtkSQBVHProbe::Internals
{
  vtkSQ::MeshIndex Index;
  vtkSQ::Answers<vtkSQ::Location> Locations;
};

vtkSQBVHProbe::vtkSQBVHProbe()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfInputPorts(2);
}

vtkSQBVHProbe::~vtkSQBVHProbe() = default;

void vtkSQBVHProbe::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Mode: " << this->Mode << "\n";
  os << indent << "ToleranceType: " << this->ToleranceType << "\n";
  os << indent << "Tolerance: " << this->Tolerance << "\n";
  os << indent << "MultipleCells: " << this->MultipleCells << "\n";
  os << indent << "NearestBy: " << this->NearestBy << "\n";
  os << indent << "LimitDistance: " << this->LimitDistance << "\n";
  os << indent << "MaxDistance: " << this->MaxDistance << "\n";
  os << indent << "OutsideValue: " << this->OutsideValue << "\n";
  os << indent << "InputElements: " << this->InputElements << "\n";
  os << indent << "PassPointArrays: " << this->PassPointArrays << "\n";
  os << indent << "PassCellArrays: " << this->PassCellArrays << "\n";
  os << indent << "PassFieldArrays: " << this->PassFieldArrays << "\n";
  os << indent << "SamplePointArrays: " << this->SamplePointArrays << "\n";
  os << indent << "SampleCellArrays: " << this->SampleCellArrays << "\n";
  os << indent << "SampledArrayPrefix: " << this->SampledArrayPrefix << "\n";
  os << indent << "CategoricalData: " << this->CategoricalData << "\n";
  os << indent << "FillMissing: " << this->FillMissing << "\n";
  os << indent << "MissingValue: " << this->MissingValue << "\n";
  os << indent << "MarkBlankPointsAndCells: " << this->MarkBlankPointsAndCells << "\n";
  os << indent << "ComputeCellId: " << this->ComputeCellId << "\n";
  os << indent << "ComputeDistance: " << this->ComputeDistance << "\n";
  os << indent << "ComputeParametricCoordinates: " << this->ComputeParametricCoordinates << "\n";
  os << indent << "ComputeContainingCellCount: " << this->ComputeContainingCellCount << "\n";
  os << indent << "TraversalStatistics: " << this->TraversalStatistics << "\n";
}

sq_locate_options vtkSQBVHProbe::Options() const
{
  sq_locate_options options = sq_locate_options_default();
  options.mode = static_cast<sq_locate_mode>(this->Mode);
  options.tolerance_type = static_cast<sq_tolerance_type>(this->ToleranceType);
  options.tolerance = this->Tolerance;
  options.multiple_cells = static_cast<sq_multiple_cells>(this->MultipleCells);
  options.nearest_by = static_cast<sq_nearest_by>(this->NearestBy);
  options.max_distance = this->LimitDistance ? this->MaxDistance : INFINITY;
  options.outside_value = static_cast<sq_outside_value>(this->OutsideValue);
  options.statistics = this->TraversalStatistics;
  return options;
}

vtkSQ::LocationRequest vtkSQBVHProbe::Locations() const
{
  vtkSQ::LocationRequest request;
  request.CellId = this->ComputeCellId;
  request.Distance = this->ComputeDistance;
  request.Parametric = this->ComputeParametricCoordinates;
  request.ContainingCount = this->ComputeContainingCellCount;
  request.Statistics = this->TraversalStatistics;
  return request;
}

vtkSQ::SampleRequest vtkSQBVHProbe::Samples() const
{
  vtkSQ::SampleRequest request;
  request.PointArrays = this->SamplePointArrays;
  request.CellArrays = this->SampleCellArrays;
  request.CategoricalData = this->CategoricalData;
  request.AverageCells = this->MultipleCells == SQ_MULTIPLE_MEAN;
  request.FillMissing = this->FillMissing;
  request.MissingValue = this->MissingValue;
  request.Prefix = this->SampledArrayPrefix;
  return request;
}

int vtkSQBVHProbe::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* source = vtkDataObject::GetData(inputs[1], 0);
  vtkSQ::Run run(this, "BVH Probe", this->GetThreads());
  vtkSQ::Output out(input, vtkDataObject::GetData(outputs, 0), this->InputElements);
  out.Drop(!this->PassPointArrays, !this->PassCellArrays, !this->PassFieldArrays);
  if (!source)
  {
    run.Warning("no SourceMesh is set (Edit > Change Input)");
  }
  try
  {
    if (!run.Start(this->GetDevice()) || !run.Accepts(input, "Input") ||
      !run.Accepts(source, "SourceMesh") || !this->Probe(run, source, out))
    {
      out.Clear();
    }
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
    out.Clear();
  }
  return 1;
}

bool vtkSQBVHProbe::Probe(vtkSQ::Run& run, vtkDataObject* source, vtkSQ::Output& out)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(source);
  vtkSQ::LocationRequest locations = this->Locations();
  locations.MaskName = out.MaskName();
  locations.CellBlock = vtkSQ::IsComposite(source);
  locations.CellGlobalId = vtkSQ::HaveGlobalCellIds(leaves);
  vtkSQ::MeshIndex& index = this->Kept->Index;
  const sq_locate_options options = this->Options();
  run.Part(0.0, 0.05);
  if (!index.Update(run, leaves))
  {
    return false;
  }
  run.Part(0.05, 0.3);
  if (NeedsSearch(out, options) && !index.MakeSearchable(run))
  {
    return false;
  }
  index.Warn(run);

  const vtkSQ::Timer timer;
  std::set<std::string> names = locations.Names();
  const vtkSQ::SampleRequest samples = this->Samples();
  const vtkSQ::Sampling sampling(leaves, samples, names);
  const std::set<std::string> sampled = sampling.Names();
  names.insert(sampled.begin(), sampled.end());
  out.Reserve(names);

  vtkSQ::Settings settings = vtkSQ::KeyOf(options);
  settings.push_back(index.Generation());
  this->Kept->Locations.Begin(settings, out.Size());
  vtkIdType valid = 0;
  for (size_t i = 0; i < out.Size(); ++i)
  {
    run.Block(2 * i, 2 * out.Size(), 0.3, 1.0);
    vtkSQ::Queries queries(out.Input(i), this->InputElements, true);
    const vtkSQ::Location* location = this->Kept->Locations.Get(i, queries, run,
      [&](const vtkSQ::Queries& q) { return vtkSQ::Locate(run, index.Get(), q, options); });
    run.Block(2 * i + 1, 2 * out.Size(), 0.3, 1.0);
    if (!location || !sampling.AddTo(out.Attributes(i), run, location->Handle, queries.Count()))
    {
      return false;
    }
    auto mask = vtkSQ::AddLocationArrays(
      out.Attributes(i), run, location->Handle, queries.Count(), leaves, locations);
    if (!mask)
    {
      return false;
    }
    valid += vtkSQ::CountValid(mask);
    if (this->MarkBlankPointsAndCells)
    {
      vtkSQ::MarkBlank(out.Data(i), mask, this->InputElements != 0);
    }
  }
  out.SetActive(sampling.Active());
  index.AddFields(out.Object());
  vtkSQ::AddRunFields(out.Object(), run, this->Kept->Locations.WereReused(), timer.Seconds());
  this->Report(run, out, valid);
  return true;
}

void vtkSQBVHProbe::Report(vtkSQ::Run& run, vtkSQ::Output& out, vtkIdType valid) const
{
  const vtkIdType count = out.Count();
  const vtkIdType missed = count - valid;
  vtkSQ::AddFieldCount(out.Object(), "ValidPoints", valid);
  vtkSQ::AddFieldCount(out.Object(), "MissedPoints", missed);
  const int dimension = this->Kept->Index.Info().max_dimension;
  if (this->Mode == SQ_LOCATE_CONTAINING && dimension >= 0 && dimension <= 2 && 2 * missed > count)
  {
    std::ostringstream text;
    text << missed << " of " << count
         << " points lie off the source surface; set Mode to Containing Cell Else Nearest.";
    run.Warning(text.str().c_str());
  }
}
