#include "vtkSQPlanAlgorithm.h"

#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSQPlanRequest.h"

vtkSQPlanAlgorithm::vtkSQPlanAlgorithm(int kernel, int errorTargets)
  : Kernel(kernel)
  , ErrorTargets(errorTargets)
{
  this->SetNumberOfInputPorts(2);
}

void vtkSQPlanAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "InputElements: " << this->InputElements << "\n";
  os << indent << "SourcesElements: " << this->SourcesElements << "\n";
  os << indent << "Dimensions: " << this->Dimensions << "\n";
  os << indent << "Kernel: " << this->Kernel << "\n";
  os << indent << "KernelLength: " << this->KernelLength << "\n";
  os << indent << "ErrorTargets: " << this->ErrorTargets << "\n";
}

int vtkSQPlanAlgorithm::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  RequestWhole(inputs[0]->GetInformationObject(0));
  RequestWhole(inputs[1]->GetInformationObject(0));
  return 1;
}

void vtkSQPlanAlgorithm::SetSourcesArray(int index, int, int, int, const char* name)
{
  std::string& chosen = index == SOURCES_AREA_ARRAY ? this->SourcesArea : this->SourcesStrength;
  const std::string given = name ? name : "";
  if (chosen != given)
  {
    chosen = given;
    this->Modified();
  }
}

std::string vtkSQPlanAlgorithm::ChosenSourcesArray(int index)
{
  const std::string& chosen =
    index == SOURCES_AREA_ARRAY ? this->SourcesArea : this->SourcesStrength;
  return chosen.empty() || chosen == "None" ? this->ChosenArray(index) : chosen;
}

vtkSQ::PlanRequest vtkSQPlanAlgorithm::Request(bool hasSources)
{
  vtkSQ::PlanRequest request;
  request.Targets.Elements = this->InputElements;
  request.Targets.Dimensions = this->Dimensions;
  request.Targets.Area = this->ChosenArray(AREA_ARRAY);
  request.Strength = this->ChosenArray(STRENGTH_ARRAY);
  if (hasSources)
  {
    request.Targets.MeasureCells = false; // as in the reference: targets weigh 1
    request.Sources.Elements = this->SourcesElements;
    request.Sources.Dimensions = this->Dimensions;
    request.Sources.Area = this->ChosenSourcesArray(SOURCES_AREA_ARRAY);
    request.Sources.Input = "Sources";
    request.Sources.AreaProperty = "SourcesAreaArray";
    request.Strength = this->ChosenSourcesArray(SOURCES_STRENGTH_ARRAY);
    request.StrengthProperty = "SourcesStrengthArray";
  }
  request.Kernel = this->Kernel;
  request.KernelLength = this->KernelLength;
  request.ErrorTargets = this->ErrorTargets;
  return request;
}
