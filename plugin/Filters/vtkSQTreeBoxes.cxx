#include "vtkSQTreeBoxes.h"

#include "vtkCellArray.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

#include <vector>

namespace vtkSQ
{
void DrawBoxes(const sq_mesh_index* index, int depth, vtkPolyData* output)
{
  // Corner k of a box is at its upper end along the axes whose bit is set in k.
  static const vtkIdType sides[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
    { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  const int64_t count = sq_mesh_index_boxes(index, depth, 0, nullptr);
  std::vector<double> boxes(static_cast<size_t>(6 * count));
  sq_mesh_index_boxes(index, depth, count, boxes.data());
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> faces;
  points->SetDataTypeToDouble();
  for (int64_t i = 0; i < count; ++i)
  {
    const double* box = boxes.data() + 6 * i;
    for (int k = 0; k < 8; ++k)
    {
      points->InsertNextPoint(box[3 * (k & 1)], box[1 + 3 * ((k >> 1) & 1)], box[2 + 3 * (k >> 2)]);
    }
    for (const auto& side : sides)
    {
      const vtkIdType ids[4] = { 8 * i + side[0], 8 * i + side[1], 8 * i + side[2],
        8 * i + side[3] };
      faces->InsertNextCell(4, ids);
    }
  }
  output->SetPoints(points);
  output->SetPolys(faces);
}
}
