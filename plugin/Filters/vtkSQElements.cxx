#include "vtkSQElements.h"

#include "spatialqueries/sq_cells.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkSQCells.h"
#include "vtkSQGhosts.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vtkSQ
{
namespace
{
vtkSmartPointer<vtkUnsignedCharArray> GhostsOf(vtkDataSet* data, int elements)
{
  if (elements)
  {
    return CellGhostsOf(data);
  }
  return data->GetGhostArray(vtkDataObject::POINT);
}

/** Bits of elements that are someone else's or hidden. */
int GhostBits(int elements)
{
  using Attributes = vtkDataSetAttributes;
  return elements ? SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_MASKED_CELL
                  : int(Attributes::DUPLICATEPOINT) | int(Attributes::HIDDENPOINT);
}

/** The first `dimension` coordinates of packed triples. */
template <class ArrayT>
Packed DropAxes(const sq_points& points, int dimension)
{
  using T = typename ArrayT::ValueType;
  auto kept = NewArray<ArrayT>(nullptr, dimension, static_cast<vtkIdType>(points.count));
  const auto* from = static_cast<const T*>(points.data);
  for (int64_t i = 0; i < points.count; ++i)
  {
    std::copy(from + 3 * i, from + 3 * i + dimension, kept->GetPointer(dimension * i));
  }
  return Pack(kept);
}

}

vtkDataSetAttributes* AttributesOf(vtkDataSet* data, int elements)
{
  return elements ? static_cast<vtkDataSetAttributes*>(data->GetCellData())
                  : static_cast<vtkDataSetAttributes*>(data->GetPointData());
}

Stamps Elements::StampsOf(const std::vector<Leaf>& leaves, const ElementRequest& request)
{
  Stamps stamps;
  for (const Leaf& leaf : leaves)
  {
    stamps.push_back(static_cast<uint64_t>(leaf.Block));
    AddPointStamps(leaf.Data, stamps);
    if (request.Elements)
    {
      AddCellStamps(leaf.Data, stamps);
    }
    AddObjectStamps(leaf.Data->GetGhostArray(vtkDataObject::POINT), stamps);
    if (!request.Area.empty())
    {
      AddObjectStamps(
        AttributesOf(leaf.Data, request.Elements)->GetAbstractArray(request.Area.c_str()), stamps);
    }
  }
  return stamps;
}

int64_t Elements::CountIn(const std::vector<Leaf>& leaves, int elements)
{
  ElementRequest request;
  request.Elements = elements;
  return Elements(leaves, request).LeafStart.back();
}

sq_type Elements::TypeIn(const std::vector<Leaf>& leaves, int elements)
{
  bool areFloat = false;
  for (const Leaf& leaf : leaves)
  {
    if (leaf.Data->GetNumberOfPoints() == 0)
    {
      continue;
    }
    auto* set = vtkPointSet::SafeDownCast(leaf.Data);
    areFloat = set ? set->GetPoints()->GetDataType() == VTK_FLOAT : IsStoredAsFloat(leaf.Data);
    if (!areFloat)
    {
      break;
    }
  }
  return areFloat && !elements ? SQ_FLOAT32 : SQ_FLOAT64;
}

Elements::Elements(const std::vector<Leaf>& leaves, const ElementRequest& request)
  : Request(request)
  , Every(leaves, request.Elements)
{
  this->FindKept(leaves);
}

std::unique_ptr<Elements> Elements::Read(
  Run& run, const std::vector<Leaf>& leaves, const ElementRequest& request)
{
  std::unique_ptr<Elements> elements(new Elements(leaves, request));
  if (!elements->ReadPoints(run, leaves) || !elements->ReadAreas(run, leaves))
  {
    return nullptr;
  }
  Hash hash;
  hash.Add(elements->View.Points);
  hash.Add(static_cast<uint64_t>(elements->View.Points.dimension));
  hash.Add(elements->Area.Data, elements->Area.Data ? elements->Area.Bytes() : 0);
  hash.Add(elements->Kept.data(), elements->Kept.size() * sizeof(int64_t));
  for (const Leaf& leaf : leaves)
  {
    hash.Add(static_cast<uint64_t>(leaf.Block));
  }
  hash.Add(elements->LeafStart.data(), elements->LeafStart.size() * sizeof(int64_t));
  elements->Hashed = hash.Value();
  return elements;
}

void Elements::FindKept(const std::vector<Leaf>& leaves)
{
  const int bits = GhostBits(this->Request.Elements);
  this->LeafStart.assign(1, 0);
  for (size_t i = 0; i < leaves.size(); ++i)
  {
    const auto ghosts = GhostsOf(leaves[i].Data, this->Request.Elements);
    for (int64_t k = 0; k < this->Every.CountOf(i); ++k)
    {
      if (!ghosts || !(ghosts->GetValue(static_cast<vtkIdType>(k)) & bits))
      {
        this->Kept.push_back(this->Every.First(i) + k);
      }
    }
    this->LeafStart.push_back(static_cast<int64_t>(this->Kept.size()));
  }
  if (this->LeafStart.back() == this->Every.Count())
  {
    this->Kept = std::vector<int64_t>();
  }
}

bool Elements::ReadPoints(Run& run, const std::vector<Leaf>& leaves)
{
  std::vector<Packed> ofLeaves;
  sq_type type = this->Request.AsDouble ? SQ_FLOAT64 : SQ_FLOAT32;
  for (const Leaf& leaf : leaves)
  {
    const auto count = static_cast<vtkIdType>(this->Every.CountOf(ofLeaves.size()));
    if (this->Request.Elements)
    {
      const CellsView cells = CellsOf(leaf.Data);
      auto centers = NewArray<vtkDoubleArray>(nullptr, 3, count);
      if (!run.Succeeded(sq_cell_centers(run.Context(), &cells.Cells, centers->GetPointer(0)),
            this->Request.Input))
      {
        return false;
      }
      ofLeaves.push_back(Pack(centers));
    }
    else
    {
      ofLeaves.push_back(PointsOf(leaf.Data).Keep);
    }
    type = count > 0 && ofLeaves.back().Type != SQ_FLOAT32 ? SQ_FLOAT64 : type;
  }
  type = this->Every.Count() > 0 ? type : SQ_FLOAT64;
  this->View = PointsOf(this->Join(ofLeaves, type, 3));
  this->View.Points.count = this->LeafStart.back();
  if (this->Request.Dimensions < 3)
  {
    const Packed kept = type == SQ_FLOAT32
      ? DropAxes<vtkFloatArray>(this->View.Points, this->Request.Dimensions)
      : DropAxes<vtkDoubleArray>(this->View.Points, this->Request.Dimensions);
    this->View.Keep = kept;
    this->View.Points.data = kept.Data;
  }
  this->View.Points.dimension = this->Request.Dimensions;
  this->View.Points.type = type;
  return true;
}

Packed Elements::Join(const std::vector<Packed>& ofLeaves, sq_type type, int components) const
{
  if (ofLeaves.size() == 1 && this->Kept.empty() && ofLeaves[0].Keep)
  {
    return PackAs(ofLeaves[0].Keep, type);
  }
  auto joined =
    vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(DataTypeOf(type)));
  joined->SetNumberOfComponents(components);
  joined->SetNumberOfTuples(static_cast<vtkIdType>(this->LeafStart.back()));
  joined->Fill(std::nan(""));
  const size_t bytes = sq_type_bytes(type) * static_cast<size_t>(components);
  auto* to = static_cast<char*>(PackedPointer(joined));
  for (size_t i = 0; i < ofLeaves.size(); ++i)
  {
    const Packed from = ofLeaves[i].Keep ? PackAs(ofLeaves[i].Keep, type) : Packed();
    for (int64_t p = this->LeafStart[i]; from.Data && p < this->LeafStart[i + 1]; ++p)
    {
      const auto at = static_cast<size_t>(this->NumberOf(p) - this->Every.First(i));
      std::memcpy(to + bytes * static_cast<size_t>(p),
        static_cast<const char*>(from.Data) + bytes * at, bytes);
    }
  }
  return Pack(joined);
}

int64_t Elements::PositionOf(int64_t number) const
{
  if (this->Kept.empty())
  {
    return number >= 0 && number < this->Count() ? number : -1;
  }
  const auto at = std::lower_bound(this->Kept.begin(), this->Kept.end(), number);
  return at != this->Kept.end() && *at == number ? at - this->Kept.begin() : -1;
}

bool Elements::IsFinite(int64_t position) const
{
  const sq_points& points = this->View.Points;
  double sum = 0.0;
  for (int k = 0; k < points.dimension; ++k)
  {
    sum += 0.0 * NumberAt(points.data, points.type, position * points.dimension + k);
  }
  return sum == 0.0;
}
}
