/** The points or cell centres of images and rectilinear grids as three axes of the core. */
#ifndef vtkSQAxes_h
#define vtkSQAxes_h

#include "spatialqueries/sq_locate_grid.h"

#include <array>
#include <vector>

class vtkDataSet;

namespace vtkSQ
{
class Run;

struct AxesView
{
  sq_axes Axes = { { nullptr, nullptr, nullptr }, { 0, 0, 0 }, SQ_FLOAT64 };
  std::array<std::vector<double>, 3> Keep;
};

/** Whether the points, and so the cell centres, of the data set are given by axes: not those of a turned image. */
bool HasAxes(vtkDataSet* data);

/** Needs HasAxes(); the same numbers as PointsOf() or sq_cell_centers(). False after a failure (one message). */
bool AxesOf(vtkDataSet* data, bool ofCells, Run& run, AxesView& view);
}
#endif
