/** Arrays of VTK as the packed numbers that the core reads, and new arrays for what it writes. */
#ifndef vtkSQArrays_h
#define vtkSQArrays_h

#include "spatialqueries/sq_types.h"

#include "vtkDataArray.h"
#include "vtkIdTypeArray.h"
#include "vtkSmartPointer.h"
#include "vtkType.h"

#include <algorithm>
#include <cstdint>

namespace vtkSQ
{
/** Packed numbers: those of the array where its layout is packed, else of a copy. Keeps them alive. */
struct Packed
{
  const void* Data = nullptr;
  sq_type Type = SQ_FLOAT64;
  int64_t Tuples = 0;
  int Components = 1;
  vtkSmartPointer<vtkDataArray> Keep;

  size_t Bytes() const
  {
    return size_t(this->Tuples) * this->Components * sq_type_bytes(this->Type);
  }
};

Packed Pack(vtkDataArray* array);

/** The same as numbers of `type`; a copy where the array's type is another. */
Packed PackAs(vtkDataArray* array, sq_type type);

/** The core's name of a VTK data type; bits and unknown types count as unsigned char. */
sq_type TypeOf(int vtkDataType);

/** A VTK data type of these numbers. */
int DataTypeOf(sq_type type);

/** Where the numbers of an array with packed layout begin, NULL for any other layout. */
void* PackedPointer(vtkDataArray* array);

template <class ArrayT>
vtkSmartPointer<ArrayT> NewArray(const char* name, int components, vtkIdType tuples)
{
  auto array = vtkSmartPointer<ArrayT>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  return array;
}

/** A new array with a copy of packed numbers. */
template <class ArrayT, typename T>
vtkSmartPointer<ArrayT> CopyOf(const char* name, const T* values, int components, int64_t count)
{
  auto array = NewArray<ArrayT>(name, components, static_cast<vtkIdType>(count));
  std::copy(values, values + components * count, array->GetPointer(0));
  return array;
}

/** The same for numbers of the core's `type`; the array has VTK's type for them. */
vtkSmartPointer<vtkDataArray> CopyOf(
  const char* name, const void* values, sq_type type, int components, int64_t count);

/** Ids of the core as they go into an id array: both are 64-bit integers. */
inline int64_t* Ids(vtkIdTypeArray* array)
{
  static_assert(sizeof(vtkIdType) == sizeof(int64_t), "ParaView needs VTK_USE_64BIT_IDS");
  return reinterpret_cast<int64_t*>(array->GetPointer(0));
}
}
#endif
