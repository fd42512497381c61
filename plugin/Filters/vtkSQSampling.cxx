#include "vtkSQSampling.h"

#include "vtkCharArray.h"
#include "vtkDataSetAttributes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace vtkSQ
{
namespace
{
template <typename T>
T MissingOf(const SampleRequest& request)
{
  using Limits = std::numeric_limits<T>;
  if (request.FillMissing)
  {
    // The ends are compared in double, in which the largest 64-bit integer rounds up.
    const double value = request.MissingValue;
    return !Limits::is_integer            ? T(value)
      : std::isnan(value)                 ? T(0)
      : value >= double(Limits::max())    ? Limits::max()
      : value <= double(Limits::lowest()) ? Limits::lowest()
                                          : T(value);
  }
  return Limits::has_quiet_NaN ? Limits::quiet_NaN() : Limits::is_signed ? T(-1) : Limits::max();
}

template <typename T>
void Write(T value, void* scalar)
{
  std::memcpy(scalar, &value, sizeof(value));
}

void WriteMissing(int dataType, const SampleRequest& request, void* scalar)
{
  switch (dataType)
  {
    vtkTemplateMacro(Write(MissingOf<VTK_TT>(request), scalar));
  }
}
}

bool Sampling::AddTo(
  vtkDataSetAttributes* attributes, Run& run, const sq_location* location, vtkIdType count) const
{
  if (!this->AddNumbers(attributes, run, location, count))
  {
    return false;
  }
  return std::all_of(this->Arrays.begin(), this->Arrays.end(),
    [&](const SampledArray& array)
    { return array.IsNumeric || this->AddOthers(attributes, run, location, count, array); });
}

/** All of them in one call, which evaluates the weights once. */
bool Sampling::AddNumbers(
  vtkDataSetAttributes* attributes, Run& run, const sq_location* location, vtkIdType count) const
{
  std::vector<sq_sample> samples;
  std::vector<double> missing(this->Arrays.size()); // room for any scalar
  for (size_t i = 0; i < this->Arrays.size(); ++i)
  {
    const SampledArray& array = this->Arrays[i];
    if (!array.IsNumeric)
    {
      continue;
    }
    auto out = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(array.DataType));
    out->SetName(array.Name.c_str());
    out->SetNumberOfComponents(array.First->GetNumberOfComponents());
    out->CopyComponentNames(array.First);
    out->SetNumberOfTuples(count);
    attributes->AddArray(out);
    uint8_t* known = nullptr;
    if (array.IsPartial)
    {
      auto valid = NewArray<vtkCharArray>((array.Name + "_valid").c_str(), 1, count);
      attributes->AddArray(valid);
      known = reinterpret_cast<uint8_t*>(valid->GetPointer(0));
    }
    WriteMissing(array.DataType, this->Request, &missing[i]);
    samples.push_back(
      { array.Association, array.Combine, array.Fields.data(), out->GetNumberOfComponents(),
        TypeOf(array.DataType), &missing[i], PackedPointer(out), known });
  }
  const sq_status status = sq_location_apply_all(run.Context(), location, samples.data(),
    static_cast<int32_t>(samples.size()), static_cast<int32_t>(this->Source.size()));
  return run.Succeeded(status, "SourceMesh");
}

/** Strings and the like: the tuple of the node with the largest weight, or of the cell. */
bool Sampling::AddOthers(vtkDataSetAttributes* attributes, Run& run, const sq_location* location,
  vtkIdType count, const SampledArray& array) const
{
  std::vector<int32_t> block(static_cast<size_t>(count));
  std::vector<int64_t> id(static_cast<size_t>(count));
  const sq_status status =
    sq_location_dominant(run.Context(), location, array.Association, block.data(), id.data());
  if (!run.Succeeded(status, "SourceMesh"))
  {
    return false;
  }
  auto out = vtkSmartPointer<vtkAbstractArray>::Take(array.First->NewInstance());
  out->SetName(array.Name.c_str());
  out->SetNumberOfComponents(array.First->GetNumberOfComponents());
  out->SetNumberOfTuples(count);
  auto valid = NewArray<vtkCharArray>((array.Name + "_valid").c_str(), 1, count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    const int32_t b = block[static_cast<size_t>(i)];
    vtkAbstractArray* from = b < 0 ? nullptr : array.Blocks[static_cast<size_t>(b)];
    valid->SetValue(i, from != nullptr);
    if (from)
    {
      out->SetTuple(i, static_cast<vtkIdType>(id[static_cast<size_t>(i)]), from);
    }
  }
  attributes->AddArray(out);
  if (array.IsPartial)
  {
    attributes->AddArray(valid);
  }
  return true;
}
}
