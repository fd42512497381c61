/** The points of any data set as a view of the core. */
#ifndef vtkSQPoints_h
#define vtkSQPoints_h

#include "vtkSQArrays.h"

class vtkDataSet;

namespace vtkSQ
{
/** Borrowed from a point set with packed points; computed once for images and rectilinear grids. */
struct PointsView
{
  sq_points Points = { nullptr, 0, SQ_FLOAT64, 3 };
  Packed Keep;
};

PointsView PointsOf(vtkDataSet* data);

/** A rectilinear grid with all coordinates stored as float: tolerances follow the stored type. */
bool IsStoredAsFloat(vtkDataSet* data);

/** The view of packed coordinate triples. */
PointsView PointsOf(const Packed& coordinates);
}
#endif
