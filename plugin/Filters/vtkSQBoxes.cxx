#include "vtkSQBoxes.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIntArray.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSQArrays.h"
#include "vtkUnsignedCharArray.h"

#include <cmath>

namespace vtkSQ
{
namespace
{
/** Corner k has the largest x, y, z where bit 0, 1, 2 of k is set. */
const vtkIdType CORNERS = 8;

/** A closed walk over all 12 edges; 4 of them twice, since every corner has three. */
const vtkIdType EDGES[17] = { 0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4, 0 };

/** One strip over the 12 triangles, facing outward. */
const vtkIdType STRIP[14] = { 6, 7, 2, 3, 1, 7, 5, 6, 4, 2, 0, 1, 4, 5 };

template <class ArrayT>
vtkSmartPointer<vtkDataArray> CornerPoints(const TreeNodes& nodes, vtkIdList* shown)
{
  using T = typename ArrayT::ValueType;
  const T* const ends[2] = { static_cast<const T*>(nodes.Min), static_cast<const T*>(nodes.Max) };
  const vtkIdType count = shown->GetNumberOfIds();
  auto points = NewArray<ArrayT>(nullptr, 3, CORNERS * count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    for (vtkIdType corner = 0; corner < CORNERS; ++corner)
    {
      for (int k = 0; k < 3; ++k)
      {
        const T x =
          k < nodes.Dimension ? ends[corner >> k & 1][shown->GetId(i) * nodes.Dimension + k] : T(0);
        points->SetTypedComponent(CORNERS * i + corner, k, x);
      }
    }
  }
  return points;
}

bool HasBox(const TreeNodes& nodes, int64_t node)
{
  const int64_t at = node * nodes.Dimension;
  return nodes.Type == SQ_FLOAT32 ? !std::isnan(static_cast<const float*>(nodes.Min)[at])
                                  : !std::isnan(static_cast<const double*>(nodes.Min)[at]);
}

void SetCells(vtkPolyData* output, vtkIdType count, int type)
{
  vtkNew<vtkCellArray> cells;
  const bool solid = type == BOX_SOLID;
  const vtkIdType* corners = solid ? STRIP : EDGES;
  const vtkIdType size = solid ? 14 : 17;
  cells->AllocateExact(count, count * size);
  for (vtkIdType i = 0; i < count; ++i)
  {
    cells->InsertNextCell(static_cast<int>(size));
    for (vtkIdType k = 0; k < size; ++k)
    {
      cells->InsertCellPoint(CORNERS * i + corners[k]);
    }
  }
  solid ? output->SetStrips(cells) : output->SetLines(cells);
}
}

Boxes::Boxes(const TreeNodes& nodes, const BoxRequest& request)
  : Nodes(nodes)
  , Type(request.Type)
  , Parent(static_cast<size_t>(nodes.Count), -1)
  , Depth(static_cast<size_t>(nodes.Count), 0)
{
  for (int64_t i = 0; i < nodes.Count; ++i) // parents come before their children
  {
    const auto at = static_cast<size_t>(i);
    const int64_t left = nodes.Left[i];
    for (int64_t child = left; left >= 0 && child <= left + 1; ++child)
    {
      this->Parent[static_cast<size_t>(child)] = i;
      this->Depth[static_cast<size_t>(child)] = this->Depth[at] + 1;
    }
    if (this->Depth[at] >= request.MinimumDepth && this->Depth[at] <= request.MaximumDepth &&
      (left < 0 || !request.LeavesOnly) && HasBox(nodes, i))
    {
      this->Shown->InsertNextId(static_cast<vtkIdType>(i));
    }
  }
}

void Boxes::Fill(vtkPolyData* output, const char* firstName, const char* countName) const
{
  const vtkIdType count = this->Shown->GetNumberOfIds();
  vtkNew<vtkPoints> points;
  points->SetData(this->Nodes.Type == SQ_FLOAT32
      ? CornerPoints<vtkFloatArray>(this->Nodes, this->Shown)
      : CornerPoints<vtkDoubleArray>(this->Nodes, this->Shown));
  output->SetPoints(points);
  SetCells(output, count, this->Type);
  auto ids = NewArray<vtkIdTypeArray>("NodeId", 1, count);
  auto leaf = NewArray<vtkUnsignedCharArray>("IsLeaf", 1, count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    ids->SetValue(i, this->Shown->GetId(i));
    leaf->SetValue(i, this->Nodes.Left[this->Shown->GetId(i)] < 0);
  }
  output->GetCellData()->AddArray(ids);
  const int64_t all = this->Nodes.Count;
  this->AddArray(output, CopyOf<vtkIdTypeArray>("ParentId", this->Parent.data(), 1, all));
  this->AddArray(output, CopyOf<vtkIntArray>("Depth", this->Depth.data(), 1, all));
  output->GetCellData()->AddArray(leaf);
  this->AddArray(output, CopyOf<vtkIdTypeArray>(firstName, this->Nodes.RangeStart, 1, all));
  this->AddArray(output, CopyOf<vtkIdTypeArray>(countName, this->Nodes.RangeCount, 1, all));
  output->GetCellData()->SetActiveScalars("Depth");
}

void Boxes::AddArray(vtkPolyData* output, vtkDataArray* ofAllNodes) const
{
  auto shown = vtkSmartPointer<vtkDataArray>::Take(ofAllNodes->NewInstance());
  shown->SetName(ofAllNodes->GetName());
  shown->SetNumberOfComponents(ofAllNodes->GetNumberOfComponents());
  shown->CopyComponentNames(ofAllNodes);
  shown->SetNumberOfTuples(this->Shown->GetNumberOfIds());
  ofAllNodes->GetTuples(this->Shown, shown);
  output->GetCellData()->AddArray(shown);
}
}
