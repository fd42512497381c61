/** Where the points of a sampling grid lie. */
#ifndef vtkSQGrid_h
#define vtkSQGrid_h

#include "vtkSQLeaves.h"

#include <string>

namespace vtkSQ
{
/** How a grid is asked for; the names are those of the filter's properties. */
struct GridRequest
{
  bool UseInputBounds = true;
  bool ByVoxelSize = false;
  int Dimensions[3] = { 100, 100, 100 };
  double VoxelSize = 0.0; /**< 0: 1/100 of the longest side */
  double Bounds[6] = { 0.0, 1.0, 0.0, 1.0, 0.0, 1.0 };
  double Padding = 0.1;
};

struct Grid
{
  double Origin[3] = { 0.0, 0.0, 0.0 };
  double Spacing[3] = { 1.0, 1.0, 1.0 };
  int Extent[6] = { 0, -1, 0, -1, 0, -1 }; /**< empty: the input has no points */
};

/** "" or what is wrong with the request. */
std::string LayOut(const GridRequest& request, const std::vector<Leaf>& leaves, Grid& grid);
}
#endif
