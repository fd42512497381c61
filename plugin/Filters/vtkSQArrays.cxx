#include "vtkSQArrays.h"

#include "vtkAOSDataArrayTemplate.h"
#include "vtkSetGet.h"

#include <cstring>
#include <type_traits>

namespace vtkSQ
{
namespace
{
template <typename T>
constexpr sq_type NumberType()
{
  if (std::is_floating_point<T>::value)
  {
    return sizeof(T) == 4 ? SQ_FLOAT32 : SQ_FLOAT64;
  }
  const bool isSigned = std::is_signed<T>::value;
  switch (sizeof(T))
  {
    case 1:
      return isSigned ? SQ_INT8 : SQ_UINT8;
    case 2:
      return isSigned ? SQ_INT16 : SQ_UINT16;
    case 4:
      return isSigned ? SQ_INT32 : SQ_UINT32;
    default:
      return isSigned ? SQ_INT64 : SQ_UINT64;
  }
}

template <typename T>
void* PointerOf(vtkDataArray* array)
{
  auto* packed = vtkAOSDataArrayTemplate<T>::FastDownCast(array);
  return packed ? packed->GetPointer(0) : nullptr;
}

Packed Describe(vtkDataArray* array)
{
  Packed packed;
  packed.Data = PackedPointer(array);
  packed.Type = TypeOf(array->GetDataType());
  packed.Tuples = array->GetNumberOfTuples();
  packed.Components = array->GetNumberOfComponents();
  packed.Keep = array;
  return packed;
}

Packed Copy(vtkDataArray* array, sq_type type)
{
  auto copy = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(DataTypeOf(type)));
  copy->DeepCopy(array);
  return Describe(copy);
}
}

int DataTypeOf(sq_type type)
{
  switch (type)
  {
    case SQ_FLOAT32:
      return VTK_FLOAT;
    case SQ_FLOAT64:
      return VTK_DOUBLE;
    case SQ_INT8:
      return VTK_SIGNED_CHAR;
    case SQ_UINT8:
      return VTK_UNSIGNED_CHAR;
    case SQ_INT16:
      return VTK_SHORT;
    case SQ_UINT16:
      return VTK_UNSIGNED_SHORT;
    case SQ_INT32:
      return VTK_INT;
    case SQ_UINT32:
      return VTK_UNSIGNED_INT;
    case SQ_INT64:
      return VTK_LONG_LONG;
    default:
      return VTK_UNSIGNED_LONG_LONG;
  }
}

sq_type TypeOf(int vtkDataType)
{
  switch (vtkDataType)
  {
    vtkTemplateMacro(return NumberType<VTK_TT>());
    default:
      return SQ_UINT8;
  }
}

void* PackedPointer(vtkDataArray* array)
{
  switch (array->GetDataType())
  {
    vtkTemplateMacro(return PointerOf<VTK_TT>(array));
    default:
      return nullptr;
  }
}

vtkSmartPointer<vtkDataArray> CopyOf(
  const char* name, const void* values, sq_type type, int components, int64_t count)
{
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(DataTypeOf(type)));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(count));
  if (count > 0)
  {
    std::memcpy(
      PackedPointer(array), values, sq_type_bytes(type) * static_cast<size_t>(components * count));
  }
  return array;
}

Packed Pack(vtkDataArray* array)
{
  Packed packed = Describe(array);
  return packed.Data || packed.Tuples == 0 ? packed : Copy(array, packed.Type);
}

Packed PackAs(vtkDataArray* array, sq_type type)
{
  Packed packed = Describe(array);
  return packed.Type == type && (packed.Data || packed.Tuples == 0) ? packed : Copy(array, type);
}
}
