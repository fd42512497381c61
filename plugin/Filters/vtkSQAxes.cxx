#include "vtkSQAxes.h"

#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkRectilinearGrid.h"
#include "vtkSQCells.h"
#include "vtkSQPoints.h"
#include "vtkSQRun.h"

#include "spatialqueries/sq_cells.h"

#include <algorithm>

namespace vtkSQ
{
namespace
{
void GetDimensions(vtkDataSet* data, int dimensions[3])
{
  if (auto* image = vtkImageData::SafeDownCast(data))
  {
    image->GetDimensions(dimensions);
  }
  else if (auto* grid = vtkRectilinearGrid::SafeDownCast(data))
  {
    grid->GetDimensions(dimensions);
  }
}

/** Coordinates of the points along each axis from the first point on. */
void PointAxes(vtkDataSet* data, std::array<std::vector<double>, 3>& axes)
{
  int dimensions[3] = { 0, 0, 0 };
  GetDimensions(data, dimensions);
  vtkIdType stride = 1;
  for (int d = 0; d < 3; ++d)
  {
    axes[d].resize(data->GetNumberOfPoints() > 0 ? static_cast<size_t>(dimensions[d]) : 0);
    for (size_t i = 0; i < axes[d].size(); ++i)
    {
      double x[3];
      data->GetPoint(static_cast<vtkIdType>(i) * stride, x);
      axes[d][i] = x[d];
    }
    stride *= dimensions[d];
  }
}

/** A grid of one row of cells along axis `d`: its cells are of the type that those of the whole grid are. */
vtkSmartPointer<vtkRectilinearGrid> RowOf(const std::array<std::vector<double>, 3>& axes, int d)
{
  auto row = vtkSmartPointer<vtkRectilinearGrid>::New();
  int dimensions[3];
  for (int k = 0; k < 3; ++k)
  {
    const size_t points = k == d ? axes[k].size() : std::min<size_t>(axes[k].size(), 2);
    dimensions[k] = static_cast<int>(points);
    auto coordinates = NewArray<vtkDoubleArray>(nullptr, 1, dimensions[k]);
    std::copy(axes[k].begin(), axes[k].begin() + dimensions[k], coordinates->GetPointer(0));
    k == 0     ? row->SetXCoordinates(coordinates)
      : k == 1 ? row->SetYCoordinates(coordinates)
               : row->SetZCoordinates(coordinates);
  }
  row->SetDimensions(dimensions);
  return row;
}

bool CenterAxis(
  const std::array<std::vector<double>, 3>& points, int d, Run& run, std::vector<double>& axis)
{
  auto row = RowOf(points, d);
  const CellsView cells = CellsOf(row);
  std::vector<double> centers(3 * static_cast<size_t>(row->GetNumberOfCells()));
  axis.resize(static_cast<size_t>(row->GetNumberOfCells()));
  if (!run.Succeeded(sq_cell_centers(run.Context(), &cells.Cells, centers.data()), "Input"))
  {
    return false;
  }
  for (size_t i = 0; i < axis.size(); ++i)
  {
    axis[i] = centers[3 * i + static_cast<size_t>(d)];
  }
  return true;
}
}

bool HasAxes(vtkDataSet* data)
{
  auto* image = vtkImageData::SafeDownCast(data);
  return image ? image->GetDirectionMatrix()->IsIdentity()
               : vtkRectilinearGrid::SafeDownCast(data) != nullptr;
}

bool AxesOf(vtkDataSet* data, bool ofCells, Run& run, AxesView& view)
{
  PointAxes(data, view.Keep);
  if (ofCells)
  {
    const std::array<std::vector<double>, 3> points = view.Keep;
    for (int d = 0; d < 3; ++d)
    {
      view.Keep[d].clear();
      if (data->GetNumberOfCells() > 0 && !CenterAxis(points, d, run, view.Keep[d]))
      {
        return false;
      }
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    view.Axes.coordinates[d] = view.Keep[d].data();
    view.Axes.count[d] = static_cast<int64_t>(view.Keep[d].size());
  }
  view.Axes.type = !ofCells && IsStoredAsFloat(data) ? SQ_FLOAT32 : SQ_FLOAT64;
  return true;
}
}
