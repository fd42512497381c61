#include "vtkSQBlank.h"

#include "vtkCellData.h"
#include "vtkCharArray.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkSQArrays.h"
#include "vtkUnsignedCharArray.h"

namespace vtkSQ
{
namespace
{
/** A ghost array of the data set's own, with the bits that were there. */
vtkSmartPointer<vtkUnsignedCharArray> OwnGhosts(vtkDataSetAttributes* attributes, vtkIdType count)
{
  const char* name = vtkDataSetAttributes::GhostArrayName();
  auto ghosts = NewArray<vtkUnsignedCharArray>(name, 1, count);
  if (auto* old = vtkUnsignedCharArray::SafeDownCast(attributes->GetAbstractArray(name)))
  {
    ghosts->DeepCopy(old);
  }
  else
  {
    ghosts->FillValue(0);
  }
  attributes->AddArray(ghosts);
  return ghosts;
}

void SetBit(vtkUnsignedCharArray* ghosts, vtkIdType i, int bit)
{
  ghosts->SetValue(i, static_cast<unsigned char>(ghosts->GetValue(i) | bit));
}

void MarkMissed(vtkUnsignedCharArray* ghosts, vtkCharArray* mask, int bit)
{
  for (vtkIdType i = 0; i < mask->GetNumberOfTuples(); ++i)
  {
    if (mask->GetValue(i) == 0)
    {
      SetBit(ghosts, i, bit);
    }
  }
}
}

void MarkBlank(vtkDataSet* data, vtkCharArray* mask, bool ofCells)
{
  const vtkIdType count = data->GetNumberOfCells();
  auto cells = OwnGhosts(data->GetCellData(), count);
  if (ofCells)
  {
    MarkMissed(cells, mask, vtkDataSetAttributes::HIDDENCELL);
    return;
  }
  MarkMissed(OwnGhosts(data->GetPointData(), data->GetNumberOfPoints()), mask,
    vtkDataSetAttributes::HIDDENPOINT);
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < count; ++c)
  {
    data->GetCellPoints(c, points);
    for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k)
    {
      if (mask->GetValue(points->GetId(k)) == 0)
      {
        SetBit(cells, c, vtkDataSetAttributes::HIDDENCELL);
        break;
      }
    }
  }
}
}
