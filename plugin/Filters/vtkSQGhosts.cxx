#include "vtkSQGhosts.h"

#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkSQArrays.h"
#include "vtkUnsignedCharArray.h"

namespace vtkSQ
{
vtkSmartPointer<vtkUnsignedCharArray> CellGhostsOf(vtkDataSet* data)
{
  vtkUnsignedCharArray* ghosts = data->GetGhostArray(vtkDataObject::CELL);
  vtkUnsignedCharArray* points = data->GetGhostArray(vtkDataObject::POINT);
  if (!points || !data->HasAnyBlankPoints())
  {
    return ghosts;
  }
  auto all = NewArray<vtkUnsignedCharArray>(nullptr, 1, data->GetNumberOfCells());
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c)
  {
    int bits = ghosts ? ghosts->GetValue(c) : 0;
    data->GetCellPoints(c, ids);
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k)
    {
      const bool hidden = points->GetValue(ids->GetId(k)) & vtkDataSetAttributes::HIDDENPOINT;
      bits |= hidden ? vtkDataSetAttributes::HIDDENCELL : 0;
    }
    all->SetValue(c, static_cast<unsigned char>(bits));
  }
  return all;
}
}
