#include "vtkSQPoints.h"

#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkPointSet.h"
#include "vtkPoints.h"
#include "vtkRectilinearGrid.h"

namespace vtkSQ
{
bool IsStoredAsFloat(vtkDataSet* data)
{
  auto* grid = vtkRectilinearGrid::SafeDownCast(data);
  return grid && grid->GetXCoordinates()->GetDataType() == VTK_FLOAT &&
    grid->GetYCoordinates()->GetDataType() == VTK_FLOAT &&
    grid->GetZCoordinates()->GetDataType() == VTK_FLOAT;
}

namespace
{
template <class ArrayT>
Packed Expand(vtkDataSet* data)
{
  const vtkIdType count = data->GetNumberOfPoints();
  auto coordinates = NewArray<ArrayT>(nullptr, 3, count);
  double x[3];
  for (vtkIdType i = 0; i < count; ++i)
  {
    data->GetPoint(i, x);
    for (int k = 0; k < 3; ++k)
    {
      coordinates->SetTypedComponent(i, k, static_cast<typename ArrayT::ValueType>(x[k]));
    }
  }
  return Pack(coordinates);
}
}

PointsView PointsOf(const Packed& coordinates)
{
  PointsView view;
  view.Keep = coordinates;
  view.Points.data = coordinates.Data;
  view.Points.count = coordinates.Tuples;
  view.Points.type = coordinates.Type;
  return view;
}

PointsView PointsOf(vtkDataSet* data)
{
  if (data->GetNumberOfPoints() == 0)
  {
    return PointsView();
  }
  if (auto* set = vtkPointSet::SafeDownCast(data))
  {
    vtkDataArray* stored = set->GetPoints()->GetData();
    return PointsOf(PackAs(stored, stored->GetDataType() == VTK_FLOAT ? SQ_FLOAT32 : SQ_FLOAT64));
  }
  return PointsOf(
    IsStoredAsFloat(data) ? Expand<vtkFloatArray>(data) : Expand<vtkDoubleArray>(data));
}
}
