#include "vtkSQAlgorithm.h"

#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <set>
#include <string>
#include <vector>

using SDDP = vtkStreamingDemandDrivenPipeline;

void vtkSQAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Device: " << this->Device << "\n";
  os << indent << "Threads: " << this->Threads << "\n";
}

int vtkSQAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port > 0)
  {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

int vtkSQAlgorithm::RequestDataObject(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  const char* type = this->GetOutputPortInformation(0)->Get(vtkDataObject::DATA_TYPE_NAME());
  if (type && std::string(type) != "vtkDataObject")
  {
    return 1; // the executive makes outputs of a fixed type
  }
  if (!input)
  {
    return 0;
  }
  if (!output || !output->IsA(input->GetClassName()))
  {
    auto made = vtkSmartPointer<vtkDataObject>::Take(input->NewInstance());
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkSQAlgorithm::RequestInformation(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  std::set<double> steps;
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    vtkInformation* info = inputs[port]->GetInformationObject(0);
    if (info && info->Has(SDDP::TIME_STEPS()))
    {
      const double* times = info->Get(SDDP::TIME_STEPS());
      steps.insert(times, times + info->Length(SDDP::TIME_STEPS()));
    }
    if (info && info->Has(SDDP::TIME_RANGE()) && !info->Has(SDDP::TIME_STEPS()))
    {
      const double* range = info->Get(SDDP::TIME_RANGE());
      steps.insert(range, range + 2);
    }
  }
  if (!steps.empty())
  {
    const std::vector<double> sorted(steps.begin(), steps.end());
    const double range[2] = { sorted.front(), sorted.back() };
    for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
    {
      vtkInformation* info = outputs->GetInformationObject(port);
      info->Set(SDDP::TIME_STEPS(), sorted.data(), static_cast<int>(sorted.size()));
      info->Set(SDDP::TIME_RANGE(), range, 2);
    }
  }
  return 1;
}

int vtkSQAlgorithm::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  for (int port = 1; port < this->GetNumberOfInputPorts(); ++port)
  {
    RequestWhole(inputs[port]->GetInformationObject(0));
  }
  return 1;
}

std::string vtkSQAlgorithm::ChosenArray(int index)
{
  vtkInformation* info = this->GetInputArrayInformation(index);
  const char* name = info->Get(vtkDataObject::FIELD_NAME());
  return name && std::string(name) != "None" ? name : "";
}

void vtkSQAlgorithm::RequestWhole(vtkInformation* info)
{
  if (!info)
  {
    return;
  }
  info->Set(SDDP::UPDATE_PIECE_NUMBER(), 0);
  info->Set(SDDP::UPDATE_NUMBER_OF_PIECES(), 1);
  info->Set(SDDP::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  info->Remove(SDDP::UPDATE_EXTENT());
  if (info->Has(SDDP::WHOLE_EXTENT()))
  {
    info->Set(SDDP::UPDATE_EXTENT(), info->Get(SDDP::WHOLE_EXTENT()), 6);
  }
}
