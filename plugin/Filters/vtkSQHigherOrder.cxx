#include "vtkSQHigherOrder.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkPointData.h"

namespace vtkSQ
{
namespace
{
/** One order of a cell as the core takes it: beyond what it knows 255, what is no order 0. */
uint8_t DegreeOf(double degree)
{
  return degree >= 1.0 ? static_cast<uint8_t>(degree < 255.0 ? degree : 255.0) : 0;
}
}

void AddHigherOrder(vtkDataSet* data, CellsView& view)
{
  vtkDataArray* degrees = data->GetCellData()->GetHigherOrderDegrees();
  if (degrees && degrees->GetNumberOfTuples() == view.Cells.count &&
    degrees->GetNumberOfComponents() == 3)
  {
    view.Degrees.resize(3 * static_cast<size_t>(view.Cells.count));
    for (size_t i = 0; i < view.Degrees.size(); ++i)
    {
      view.Degrees[i] = DegreeOf(degrees->GetComponent(static_cast<vtkIdType>(i / 3), i % 3));
    }
    view.Cells.degrees = view.Degrees.data();
  }
  vtkDataArray* weights = data->GetPointData()->GetRationalWeights();
  if (weights && weights->GetNumberOfTuples() == view.Cells.points.count &&
    weights->GetNumberOfComponents() == 1)
  {
    view.RationalWeightsKeep = PackAs(weights, SQ_FLOAT64);
    view.Cells.rational_weights = static_cast<const double*>(view.RationalWeightsKeep.Data);
  }
}
}
