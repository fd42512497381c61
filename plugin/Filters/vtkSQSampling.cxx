#include "vtkSQSampling.h"

#include "vtkCharArray.h"
#include "vtkDataSetAttributes.h"

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
  for (const SampledArray& array : this->Arrays)
  {
    if (!(array.IsNumeric ? this->AddNumbers(attributes, run, location, count, array)
                          : this->AddOthers(attributes, run, location, count, array)))
    {
      return false;
    }
  }
  return true;
}

bool Sampling::AddNumbers(vtkDataSetAttributes* attributes, Run& run, const sq_location* location,
  vtkIdType count, const SampledArray& array) const
{
  auto out = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(array.DataType));
  const int components = array.First->GetNumberOfComponents();
  out->SetName(array.Name.c_str());
  out->SetNumberOfComponents(components);
  out->CopyComponentNames(array.First);
  out->SetNumberOfTuples(count);
  auto valid = NewArray<vtkCharArray>((array.Name + "_valid").c_str(), 1, count);
  double missing = 0.0; // room for any scalar
  WriteMissing(array.DataType, this->Request, &missing);
  const sq_status status = sq_location_apply(run.Context(), location, array.Association,
    array.Combine, array.Fields.data(), static_cast<int32_t>(array.Fields.size()), components,
    TypeOf(array.DataType), &missing, PackedPointer(out),
    reinterpret_cast<uint8_t*>(valid->GetPointer(0)));
  if (!run.Succeeded(status, "SourceMesh"))
  {
    return false;
  }
  attributes->AddArray(out);
  if (array.IsPartial)
  {
    attributes->AddArray(valid);
  }
  return true;
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
