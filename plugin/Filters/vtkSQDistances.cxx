#include "vtkSQDistances.h"

#include "vtkCharArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkSQArrays.h"
#include "vtkSQCellIds.h"
#include "vtkUnsignedCharArray.h"

namespace vtkSQ
{
namespace
{
/** Arrays of one run; the core writes into them. */
class Writer
{
public:
  Writer(vtkIdType count, const DistanceRequest& request)
    : Count(count)
    , Request(request)
    , Answer(std::make_unique<DistanceAnswer>())
  {
    this->Out.distance = this->Doubles(request.ResultName.c_str(), 1);
    auto mask = NewArray<vtkCharArray>(request.MaskName.c_str(), 1, count);
    this->Out.valid = reinterpret_cast<uint8_t*>(mask->GetPointer(0));
    this->Answer->Arrays.push_back(mask);
    if (request.ClosestPoint)
    {
      this->Out.closest_point = this->Doubles("ClosestPoint", 3);
    }
    if (request.ClosestCell)
    {
      this->Answer->Cells.resize(static_cast<size_t>(count));
      this->Answer->Leaves.resize(static_cast<size_t>(count));
      this->Subs.resize(static_cast<size_t>(count));
      this->Out.cell = this->Answer->Cells.data();
      this->Out.block = this->Answer->Leaves.data();
      this->Out.sub = this->Subs.data();
      this->Out.barycentric = this->Doubles("ClosestBarycentric", 3);
    }
    if (request.Gradient)
    {
      this->Out.gradient = this->Doubles("DistanceGradient", 3);
    }
    if (request.WindingNumber)
    {
      this->Out.winding_number = this->Doubles("WindingNumber", 1);
    }
  }

  const sq_distance_outputs* Outputs() const { return &this->Out; }

  std::unique_ptr<DistanceAnswer> Finish(const std::vector<Leaf>& leaves)
  {
    if (this->Request.ClosestCell)
    {
      this->AddIds("ClosestCellId", this->Answer->Cells);
      this->AddIds("ClosestSubId", this->Subs);
      if (this->Request.IsCompositeSurface)
      {
        this->Answer->Arrays.push_back(
          BlockIds("ClosestCellBlock", leaves, this->Answer->Leaves.data(), this->Count));
      }
    }
    return std::move(this->Answer);
  }

private:
  double* Doubles(const char* name, int components)
  {
    auto array = NewArray<vtkDoubleArray>(name, components, this->Count);
    this->Answer->Arrays.push_back(array);
    return array->GetPointer(0);
  }

  template <typename T>
  void AddIds(const char* name, const std::vector<T>& ids)
  {
    auto array = NewArray<vtkIdTypeArray>(name, 1, this->Count);
    std::copy(ids.begin(), ids.end(), Ids(array));
    this->Answer->Arrays.push_back(array);
  }

  vtkIdType Count;
  const DistanceRequest& Request;
  std::unique_ptr<DistanceAnswer> Answer;
  std::vector<int32_t> Subs;
  sq_distance_outputs Out = {};
};

/** 1 where both sign methods give one sign, 255 where there is no distance; NULL after a failure or an abort. */
vtkSmartPointer<vtkDataArray> CompareSigns(
  Run& run, const sq_surface* surface, const Queries& queries, sq_distance_options options)
{
  const auto count = static_cast<size_t>(queries.Count());
  std::vector<double> distance[2];
  std::vector<uint8_t> valid(count);
  const sq_sign_method methods[2] = { SQ_SIGN_PSEUDONORMAL, SQ_SIGN_WINDING_NUMBER };
  for (int k = 0; k < 2; ++k)
  {
    distance[k].resize(count);
    options.sign_method = methods[k];
    sq_distance_outputs out = {};
    out.distance = distance[k].data();
    out.valid = valid.data();
    const sq_status status =
      sq_surface_distance(run.Context(), surface, &queries.Points(), &options, &out);
    if (!run.Succeeded(status, "Input"))
    {
      return nullptr;
    }
  }
  auto agreement = NewArray<vtkUnsignedCharArray>("SignAgreement", 1, queries.Count());
  for (size_t i = 0; i < count; ++i)
  {
    const bool agree = (distance[0][i] < 0.0) == (distance[1][i] < 0.0);
    agreement->SetValue(static_cast<vtkIdType>(i), valid[i] ? agree : 255);
  }
  return agreement;
}
}

Settings DistanceRequest::Key() const
{
  Hash name;
  name.Add(this->ResultName.data(), this->ResultName.size());
  const sq_distance_options& o = this->Options;
  return { double(o.sign_method), o.max_distance, double(o.flip_inside_out), o.winding_accuracy,
    double(o.out_of_band), double(this->ClosestPoint), double(this->ClosestCell),
    double(this->Gradient), double(this->WindingNumber), double(this->SignAgreement),
    double(this->IsCompositeSurface), double(this->MaskName.size()),
    double(name.Value() >> 11) /* what a double holds */ };
}

bool DistanceRequest::IsResultNameFree(bool globalIds) const
{
  DistanceRequest others = *this;
  others.ResultName.clear();
  return !this->ResultName.empty() && this->ResultName != "vtkGhostType" &&
    others.Names(globalIds).count(this->ResultName) == 0;
}

std::set<std::string> DistanceRequest::Names(bool globalIds) const
{
  std::set<std::string> names = { this->ResultName, this->MaskName };
  if (this->ClosestPoint)
  {
    names.insert("ClosestPoint");
  }
  if (this->ClosestCell)
  {
    names.insert({ "ClosestCellId", "ClosestSubId", "ClosestBarycentric" });
    if (this->IsCompositeSurface)
    {
      names.insert("ClosestCellBlock");
    }
    if (globalIds)
    {
      names.insert("ClosestCellGlobalId");
    }
  }
  if (this->Gradient)
  {
    names.insert("DistanceGradient");
  }
  if (this->WindingNumber)
  {
    names.insert("WindingNumber");
  }
  if (this->SignAgreement)
  {
    names.insert("SignAgreement");
  }
  return names;
}

void DistanceAnswer::AddTo(vtkDataSetAttributes* attributes) const
{
  for (vtkDataArray* array : this->Arrays)
  {
    attributes->AddArray(array);
  }
}

std::unique_ptr<DistanceAnswer> Measure(Run& run, const sq_surface* surface,
  const std::vector<Leaf>& surfaceLeaves, const Queries& queries, const DistanceRequest& request)
{
  Writer writer(queries.Count(), request);
  const sq_status status = sq_surface_distance(
    run.Context(), surface, &queries.Points(), &request.Options, writer.Outputs());
  if (!run.Succeeded(status, "Input"))
  {
    return nullptr;
  }
  auto answer = writer.Finish(surfaceLeaves);
  if (request.SignAgreement)
  {
    auto agreement = CompareSigns(run, surface, queries, request.Options);
    if (!agreement)
    {
      return nullptr;
    }
    answer->Arrays.push_back(agreement);
  }
  return answer;
}

bool MeasureGrid(Run& run, const sq_surface* surface, vtkImageData* image,
  const sq_distance_options& options, vtkDataArray* distance, vtkCharArray* mask)
{
  if (image->GetNumberOfPoints() == 0)
  {
    return true;
  }
  sq_grid grid;
  const int* extent = image->GetExtent();
  for (int k = 0; k < 3; ++k)
  {
    grid.origin[k] = image->GetOrigin()[k];
    grid.spacing[k] = image->GetSpacing()[k];
    grid.lo[k] = extent[2 * k];
    grid.hi[k] = extent[2 * k + 1];
  }
  const sq_status status = sq_surface_distance_grid(run.Context(), surface, &grid, &options,
    TypeOf(distance->GetDataType()), PackedPointer(distance),
    reinterpret_cast<uint8_t*>(mask->GetPointer(0)));
  return run.Succeeded(status, "Input");
}
}
