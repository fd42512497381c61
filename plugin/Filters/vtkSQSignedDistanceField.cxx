#include "vtkSQSignedDistanceField.h"

#include "vtkDataSetAttributes.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSQCellIds.h"
#include "vtkSQDistances.h"

#include <cmath>
#include <new>

vtkStandardNewMacro(vtkSQSignedDistanceField);

struct vtkSQSignedDistanceField::Internals
{
  vtkSQ::Surface Surface;
  vtkSQ::Answers<vtkSQ::DistanceAnswer> Answers;
};

vtkSQSignedDistanceField::vtkSQSignedDistanceField()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfInputPorts(2);
}

vtkSQSignedDistanceField::~vtkSQSignedDistanceField() = default;

void vtkSQSignedDistanceField::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SignMethod: " << this->SignMethod << "\n";
  os << indent << "WindingAccuracy: " << this->WindingAccuracy << "\n";
  os << indent << "MergePoints: " << this->MergePoints << "\n";
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
  os << indent << "FlipInsideOut: " << this->FlipInsideOut << "\n";
  os << indent << "LimitDistance: " << this->LimitDistance << "\n";
  os << indent << "MaxDistance: " << this->MaxDistance << "\n";
  os << indent << "OutOfBandValue: " << this->OutOfBandValue << "\n";
  os << indent << "InputElements: " << this->InputElements << "\n";
  os << indent << "ComputeClosestPoint: " << this->ComputeClosestPoint << "\n";
  os << indent << "ComputeClosestCell: " << this->ComputeClosestCell << "\n";
  os << indent << "ComputeGradient: " << this->ComputeGradient << "\n";
  os << indent << "ComputeWindingNumber: " << this->ComputeWindingNumber << "\n";
  os << indent << "ComputeSignAgreement: " << this->ComputeSignAgreement << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
}

vtkSQ::DistanceRequest vtkSQSignedDistanceField::Request() const
{
  vtkSQ::DistanceRequest request;
  request.Options.sign_method = static_cast<sq_sign_method>(this->SignMethod);
  request.Options.max_distance = this->LimitDistance ? this->MaxDistance : INFINITY;
  request.Options.flip_inside_out = this->FlipInsideOut;
  request.Options.winding_accuracy = this->WindingAccuracy;
  request.Options.out_of_band = static_cast<sq_out_of_band>(this->OutOfBandValue);
  request.ResultName = this->ResultArrayName;
  request.ClosestPoint = this->ComputeClosestPoint;
  request.ClosestCell = this->ComputeClosestCell;
  request.Gradient = this->ComputeGradient;
  request.WindingNumber = this->ComputeWindingNumber;
  request.SignAgreement = this->ComputeSignAgreement;
  return request;
}

int vtkSQSignedDistanceField::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* surface = vtkDataObject::GetData(inputs[1], 0);
  vtkSQ::Run run(this, "Signed Distance Field", this->GetThreads());
  vtkSQ::Output out(input, vtkDataObject::GetData(outputs, 0), this->InputElements);
  if (!surface)
  {
    run.Warning("no Surface is set (Edit > Change Input)");
  }
  try
  {
    if (!run.Start(this->GetDevice()) || !run.Accepts(input, "Input") ||
      !run.Accepts(surface, "Surface") || !this->Measure(run, surface, out))
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

bool vtkSQSignedDistanceField::Measure(vtkSQ::Run& run, vtkDataObject* surface, vtkSQ::Output& out)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(surface);
  const bool globalIds = vtkSQ::HaveGlobalCellIds(leaves);
  vtkSQ::DistanceRequest request = this->Request();
  request.MaskName = out.MaskName();
  request.IsCompositeSurface = vtkSQ::IsComposite(surface);
  if (!request.IsResultNameFree(globalIds))
  {
    const std::string text = "ResultArrayName: \"" + this->ResultArrayName +
      "\" is no name, or that of another result; allowed is any other name";
    run.Error(text.c_str());
    return false;
  }

  sq_surface_options options = sq_surface_options_default();
  options.merge_points = this->MergePoints;
  options.merge_tolerance = this->MergeTolerance;
  vtkSQ::Surface& built = this->Kept->Surface;
  run.Part(0.0, 0.3);
  if (!built.Update(run, leaves, options))
  {
    return false;
  }
  built.Warn(run);
  built.WarnAboutSigns(run, request.Options.sign_method, this->FlipInsideOut);

  const vtkSQ::Timer timer;
  vtkSQ::Settings settings = request.Key();
  settings.push_back(built.Generation());
  this->Kept->Answers.Begin(settings, out.Size());
  out.Reserve(request.Names(globalIds));
  for (size_t i = 0; i < out.Size(); ++i)
  {
    run.Block(i, out.Size(), 0.3, 1.0);
    vtkSQ::Queries queries(out.Input(i), this->InputElements);
    const vtkSQ::DistanceAnswer* answer = this->Kept->Answers.Get(i, queries, run,
      [&](const vtkSQ::Queries& q)
      { return vtkSQ::Measure(run, built.Get(), leaves, q, request); });
    if (!answer)
    {
      return false;
    }
    answer->AddTo(out.Attributes(i));
    if (globalIds && request.ClosestCell)
    {
      out.Attributes(i)->AddArray(vtkSQ::GlobalCellIds("ClosestCellGlobalId", leaves,
        answer->Leaves.data(), answer->Cells.data(), queries.Count()));
    }
  }
  out.SetActive(this->ResultArrayName);
  built.AddFields(out.Object(), request.Options.sign_method);
  vtkSQ::AddRunFields(out.Object(), run, this->Kept->Answers.WereReused(), timer.Seconds());
  return true;
}
