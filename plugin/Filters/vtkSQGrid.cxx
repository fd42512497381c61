#include "vtkSQGrid.h"

#include "vtkBoundingBox.h"
#include "vtkDataSet.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vtkSQ
{
namespace
{
bool IsFinite(const double bounds[6])
{
  return std::all_of(bounds, bounds + 6, [](double b) { return std::isfinite(b); });
}

/** The input's box and the padding around it; an invalid box for an input without points. */
vtkBoundingBox InputBox(const std::vector<Leaf>& leaves, double padding)
{
  vtkBoundingBox box;
  for (const Leaf& leaf : leaves)
  {
    if (leaf.Data->GetNumberOfPoints() > 0)
    {
      box.AddBounds(leaf.Data->GetBounds());
    }
  }
  if (box.IsValid())
  {
    box.Inflate(padding * box.GetDiagonalLength());
  }
  return box;
}

/** Points along one side; 0: too many for an image. */
int PointsAlong(double length, double voxel)
{
  const double points = voxel > 0.0 ? std::ceil(length / voxel) + 1.0 : 1.0;
  return points < double(std::numeric_limits<int>::max()) ? int(points) : 0;
}
}

std::string LayOut(const GridRequest& request, const std::vector<Leaf>& leaves, Grid& grid)
{
  grid = Grid();
  if (!std::isfinite(request.Padding) || !std::isfinite(request.VoxelSize))
  {
    return "Padding or VoxelSize is not finite";
  }
  vtkBoundingBox box =
    request.UseInputBounds ? InputBox(leaves, request.Padding) : vtkBoundingBox(request.Bounds);
  if (!box.IsValid())
  {
    return request.UseInputBounds ? "" : "SamplingBounds: a minimum is above its maximum";
  }
  double bounds[6];
  box.GetBounds(bounds);
  if (!IsFinite(bounds))
  {
    return request.UseInputBounds
      ? "the bounds of Input are not finite; set UseInputBounds to 0 and give SamplingBounds"
      : "SamplingBounds: a number is not finite";
  }
  const double voxel = request.VoxelSize > 0.0 ? request.VoxelSize : box.GetMaxLength() / 100.0;
  double total = 1.0;
  for (int k = 0; k < 3; ++k)
  {
    const double length = box.GetLength(k);
    const int points =
      request.ByVoxelSize ? PointsAlong(length, voxel) : std::max(1, request.Dimensions[k]);
    const double step = request.ByVoxelSize ? voxel : length / std::max(1, points - 1);
    grid.Origin[k] = bounds[2 * k];
    grid.Spacing[k] = step > 0.0 ? step : 1.0;
    grid.Extent[2 * k + 1] = points - 1;
    total *= points;
  }
  if (total < 1.0 || total > double(std::numeric_limits<int>::max()))
  {
    grid = Grid();
    return "the grid has too many points (allowed: 2147483647); enlarge VoxelSize or reduce "
           "SamplingDimensions";
  }
  return "";
}
}
