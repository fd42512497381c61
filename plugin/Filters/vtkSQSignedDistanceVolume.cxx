#include "vtkSQSignedDistanceVolume.h"

#include "vtkCharArray.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkSQArrays.h"
#include "vtkSQDistances.h"
#include "vtkSQGrid.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <new>

using SDDP = vtkStreamingDemandDrivenPipeline;

vtkStandardNewMacro(vtkSQSignedDistanceVolume);

struct vtkSQSignedDistanceVolume::Internals
{
  vtkSQ::Surface Surface;
};

vtkSQSignedDistanceVolume::vtkSQSignedDistanceVolume()
  : Kept(std::make_unique<Internals>())
{
}

vtkSQSignedDistanceVolume::~vtkSQSignedDistanceVolume() = default;

void vtkSQSignedDistanceVolume::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "UseInputBounds: " << this->UseInputBounds << "\n";
  os << indent << "Padding: " << this->Padding << "\n";
  os << indent << "SamplingBounds:";
  for (double bound : this->SamplingBounds)
  {
    os << " " << bound;
  }
  os << "\n" << indent << "SamplingType: " << this->SamplingType << "\n";
  os << indent << "SamplingDimensions: " << this->SamplingDimensions[0] << " "
     << this->SamplingDimensions[1] << " " << this->SamplingDimensions[2] << "\n";
  os << indent << "VoxelSize: " << this->VoxelSize << "\n";
  os << indent << "OutputType: " << this->OutputType << "\n";
  os << indent << "SignMethod: " << this->SignMethod << "\n";
  os << indent << "WindingAccuracy: " << this->WindingAccuracy << "\n";
  os << indent << "MergePoints: " << this->MergePoints << "\n";
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
  os << indent << "FlipInsideOut: " << this->FlipInsideOut << "\n";
  os << indent << "LimitDistance: " << this->LimitDistance << "\n";
  os << indent << "MaxDistance: " << this->MaxDistance << "\n";
  os << indent << "OutOfBandValue: " << this->OutOfBandValue << "\n";
}

int vtkSQSignedDistanceVolume::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkImageData");
  return 1;
}

int vtkSQSignedDistanceVolume::RequestDataObject(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  if (!vtkImageData::GetData(outputs, 0))
  {
    vtkNew<vtkImageData> image;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), image);
  }
  return 1;
}

vtkSQ::GridRequest vtkSQSignedDistanceVolume::Request() const
{
  vtkSQ::GridRequest request;
  request.UseInputBounds = this->UseInputBounds;
  request.ByVoxelSize = this->SamplingType == 1;
  std::copy_n(this->SamplingDimensions, 3, request.Dimensions);
  request.VoxelSize = this->VoxelSize;
  std::copy_n(this->SamplingBounds, 6, request.Bounds);
  request.Padding = this->Padding;
  return request;
}

int vtkSQSignedDistanceVolume::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  if (this->UseInputBounds)
  {
    // The grid must be known now, and it depends on the geometry of the input.
    int port = 0;
    vtkAlgorithm* producer = this->GetInputAlgorithm(0, 0, port);
    vtkNew<vtkInformationVector> requests;
    requests->SetNumberOfInformationObjects(port + 1);
    RequestWhole(requests->GetInformationObject(port));
    producer->Update(port, requests);
  }
  vtkSQ::Grid grid;
  const std::string problem =
    vtkSQ::LayOut(this->Request(), vtkSQ::LeavesOf(vtkDataObject::GetData(inputs[0], 0)), grid);
  if (!problem.empty())
  {
    vtkErrorMacro(<< "Signed Distance Volume: " << problem);
  }
  vtkInformation* info = outputs->GetInformationObject(0);
  info->Set(SDDP::WHOLE_EXTENT(), grid.Extent, 6);
  info->Set(vtkDataObject::ORIGIN(), grid.Origin, 3);
  info->Set(vtkDataObject::SPACING(), grid.Spacing, 3);
  info->Set(CAN_PRODUCE_SUB_EXTENT(), 1);
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSQSignedDistanceVolume::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  RequestWhole(inputs[0]->GetInformationObject(0));
  return 1;
}

int vtkSQSignedDistanceVolume::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkImageData* image = vtkImageData::GetData(outputs, 0);
  vtkInformation* info = outputs->GetInformationObject(0);
  vtkSQ::Run run(this, "Signed Distance Volume", this->GetThreads());
  vtkSQ::Grid grid;
  const std::string problem = vtkSQ::LayOut(this->Request(), vtkSQ::LeavesOf(input), grid);
  vtkSQ::DropOwnFields(image->GetFieldData());
  if (!problem.empty())
  {
    return 1; // said in RequestInformation
  }
  image->SetOrigin(grid.Origin);
  image->SetSpacing(grid.Spacing);
  image->SetExtent(info->Get(SDDP::UPDATE_EXTENT()));
  try
  {
    if (!run.Start(this->GetDevice()) || !run.Accepts(input, "Input") ||
      !this->Measure(run, input, image))
    {
      image->Initialize();
    }
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
    image->Initialize();
  }
  return 1;
}

bool vtkSQSignedDistanceVolume::Measure(vtkSQ::Run& run, vtkDataObject* input, vtkImageData* image)
{
  const auto method = static_cast<sq_sign_method>(this->SignMethod);
  sq_surface_options surfaceOptions = sq_surface_options_default();
  surfaceOptions.merge_points = this->MergePoints;
  surfaceOptions.merge_tolerance = this->MergeTolerance;
  vtkSQ::Surface& surface = this->Kept->Surface;
  run.Part(0.0, 0.3);
  if (!surface.Update(run, vtkSQ::LeavesOf(input), surfaceOptions))
  {
    return false;
  }
  surface.Warn(run);
  surface.WarnAboutSigns(run, method, this->FlipInsideOut);

  const vtkSQ::Timer timer;
  sq_distance_options options = sq_distance_options_default();
  options.sign_method = method;
  options.max_distance = this->LimitDistance ? this->MaxDistance : INFINITY;
  options.flip_inside_out = this->FlipInsideOut;
  options.winding_accuracy = this->WindingAccuracy;
  options.out_of_band = static_cast<sq_out_of_band>(this->OutOfBandValue);
  const vtkIdType count = image->GetNumberOfPoints();
  vtkSmartPointer<vtkDataArray> distance;
  if (this->OutputType == 0)
  {
    distance = vtkSQ::NewArray<vtkFloatArray>("SignedDistance", 1, count);
  }
  else
  {
    distance = vtkSQ::NewArray<vtkDoubleArray>("SignedDistance", 1, count);
  }
  auto mask = vtkSQ::NewArray<vtkCharArray>("vtkValidPointMask", 1, count);
  run.Part(0.3, 1.0);
  if (!vtkSQ::MeasureGrid(run, surface.Get(), image, options, distance, mask))
  {
    return false;
  }
  image->GetPointData()->AddArray(mask);
  image->GetPointData()->SetScalars(distance);
  surface.AddFields(image, method);
  vtkSQ::AddRunFields(image, run, false, timer.Seconds());
  return true;
}
