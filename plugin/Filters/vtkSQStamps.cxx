#include "vtkSQStamps.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStructuredGrid.h"
#include "vtkUnsignedCharArray.h"
#include "vtkUnstructuredGrid.h"
#include "vtkVersionMacros.h"

#include <cstring>

namespace vtkSQ
{
namespace
{
void AddNumbers(const double* numbers, int count, Stamps& stamps)
{
  const size_t at = stamps.size();
  stamps.resize(at + static_cast<size_t>(count));
  std::memcpy(&stamps[at], numbers, static_cast<size_t>(count) * sizeof(double));
}

void AddCellArray(vtkCellArray* cells, Stamps& stamps)
{
  AddObjectStamps(cells, stamps);
  AddObjectStamps(cells ? cells->GetOffsetsArray() : nullptr, stamps);
  AddObjectStamps(cells ? cells->GetConnectivityArray() : nullptr, stamps);
}

/** Types and faces are replaced without touching the cell array. */
void AddUnstructured(vtkUnstructuredGrid* grid, Stamps& stamps)
{
  AddCellArray(grid->GetCells(), stamps);
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  AddObjectStamps(grid->GetCellTypes(), stamps);
#else
  AddObjectStamps(grid->GetCellTypesArray(), stamps);
#endif
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 4, 0)
  AddCellArray(grid->GetPolyhedronFaces(), stamps);
#else
  AddObjectStamps(grid->GetFaces(), stamps);
#endif
}

template <class GridT>
void AddDimensions(GridT* grid, Stamps& stamps)
{
  int dimensions[3];
  grid->GetDimensions(dimensions);
  stamps.insert(stamps.end(), dimensions, dimensions + 3);
}
}

void AddObjectStamps(vtkObject* object, Stamps& stamps)
{
  stamps.push_back(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(object)));
  stamps.push_back(object ? static_cast<uint64_t>(object->GetMTime()) : 0);
}

void AddPointStamps(vtkDataSet* data, Stamps& stamps)
{
  if (auto* image = vtkImageData::SafeDownCast(data))
  {
    const int* extent = image->GetExtent();
    stamps.insert(stamps.end(), extent, extent + 6);
    AddNumbers(image->GetOrigin(), 3, stamps);
    AddNumbers(image->GetSpacing(), 3, stamps);
    AddNumbers(image->GetDirectionMatrix()->GetData(), 9, stamps);
  }
  else if (auto* grid = vtkRectilinearGrid::SafeDownCast(data))
  {
    AddObjectStamps(grid->GetXCoordinates(), stamps);
    AddObjectStamps(grid->GetYCoordinates(), stamps);
    AddObjectStamps(grid->GetZCoordinates(), stamps);
  }
  else if (auto* set = vtkPointSet::SafeDownCast(data))
  {
    AddObjectStamps(set->GetPoints(), stamps);
    AddObjectStamps(set->GetPoints() ? set->GetPoints()->GetData() : nullptr, stamps);
  }
  else
  {
    AddObjectStamps(data, stamps);
  }
}

void AddCellStamps(vtkDataSet* data, Stamps& stamps)
{
  AddObjectStamps(data->GetGhostArray(vtkDataObject::CELL), stamps);
  AddObjectStamps(data->GetGhostArray(vtkDataObject::POINT), stamps);
  AddObjectStamps(data->GetCellData()->GetGlobalIds(), stamps);
  AddObjectStamps(data->GetCellData()->GetHigherOrderDegrees(), stamps);
  AddObjectStamps(data->GetPointData()->GetRationalWeights(), stamps);
  if (auto* poly = vtkPolyData::SafeDownCast(data))
  {
    AddCellArray(poly->GetVerts(), stamps);
    AddCellArray(poly->GetLines(), stamps);
    AddCellArray(poly->GetPolys(), stamps);
    AddCellArray(poly->GetStrips(), stamps);
  }
  else if (auto* grid = vtkUnstructuredGrid::SafeDownCast(data))
  {
    AddUnstructured(grid, stamps);
  }
  else if (auto* structured = vtkStructuredGrid::SafeDownCast(data))
  {
    AddDimensions(structured, stamps);
  }
  else if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(data))
  {
    AddDimensions(rectilinear, stamps);
  }
  else if (!vtkImageData::SafeDownCast(data))
  {
    AddObjectStamps(data, stamps);
  }
}

void Hash::Mix(uint64_t word)
{
  this->State = (this->State ^ word) * 0x9e3779b97f4a7c15u; // 2^64 / golden ratio, as splitmix64
  this->State ^= this->State >> 32;
}

void Hash::Add(const void* bytes, size_t count)
{
  const auto* at = static_cast<const unsigned char*>(bytes);
  this->Mix(count);
  for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), at += sizeof(uint64_t))
  {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    this->Mix(word);
  }
  uint64_t rest = 0;
  if (count > 0)
  {
    std::memcpy(&rest, at, count);
  }
  this->Mix(rest);
}

void Hash::Add(const sq_points& points)
{
  this->Mix(points.type);
  if (points.count > 0)
  {
    const auto numbers = static_cast<size_t>(points.count * points.dimension);
    this->Add(points.data, numbers * sq_type_bytes(points.type));
  }
}

void Hash::Add(const sq_cells& cells)
{
  this->Add(cells.points);
  this->Mix(static_cast<uint64_t>(cells.count));
  if (cells.count == 0)
  {
    return;
  }
  const auto count = static_cast<size_t>(cells.count);
  const size_t idBytes = sq_type_bytes(cells.id_type);
  this->Mix(cells.type);
  this->Add(cells.connectivity, static_cast<size_t>(cells.connectivity_count) * idBytes);
  this->Add(cells.offsets, cells.offsets ? (count + 1) * idBytes : 0);
  this->Add(cells.types, cells.types ? count : 0);
  this->Add(cells.ghost, cells.ghost ? count : 0);
  this->Add(cells.global_ids, cells.global_ids ? count * sizeof(*cells.global_ids) : 0);
  this->Add(cells.degrees, cells.degrees ? 3 * count : 0);
  const auto points = static_cast<size_t>(cells.points.count);
  this->Add(cells.rational_weights, cells.rational_weights ? points * sizeof(double) : 0);
  if (cells.face_offsets)
  {
    this->Add(cells.face_offsets, (count + 1) * sizeof(*cells.face_offsets));
    this->Add(cells.faces, static_cast<size_t>(cells.face_offsets[count]) * sizeof(*cells.faces));
  }
}
}
