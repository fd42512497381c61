#include "vtkSQOutput.h"

#include "vtkAbstractArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkPointData.h"
#include "vtkSQArrays.h"
#include "vtkSQRun.h"
#include "vtkSmartPointer.h"

namespace vtkSQ
{
namespace
{
const char* const OWN_FIELDS[] = { "BVHReused", "SearchReused", "BuildSeconds", "QuerySeconds",
  "PeakBytes", "DeviceUsed", "SkippedElements" };

void CopyComposite(vtkCompositeDataSet* input, vtkCompositeDataSet* output)
{
  output->CopyStructure(input);
  output->GetFieldData()->PassData(input->GetFieldData());
  auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(input->NewIterator());
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem())
  {
    vtkDataObject* leaf = it->GetCurrentDataObject();
    auto copy = vtkSmartPointer<vtkDataObject>::Take(leaf->NewInstance());
    copy->ShallowCopy(leaf);
    output->SetDataSet(it, copy);
  }
}

/** The same values under another name; numbers are shared with the original. */
vtkSmartPointer<vtkAbstractArray> Renamed(vtkAbstractArray* array, const std::string& name)
{
  auto copy = vtkSmartPointer<vtkAbstractArray>::Take(array->NewInstance());
  auto* numbers = vtkDataArray::SafeDownCast(copy);
  if (numbers)
  {
    numbers->ShallowCopy(vtkDataArray::SafeDownCast(array));
  }
  else
  {
    copy->DeepCopy(array);
  }
  copy->SetName(name.c_str());
  return copy;
}

void RenameIn(vtkDataSetAttributes* attributes, const std::set<std::string>& names)
{
  for (const std::string& name : names)
  {
    int at = -1;
    vtkAbstractArray* array = attributes->GetAbstractArray(name.c_str(), at);
    if (!array || name == vtkDataSetAttributes::GhostArrayName())
    {
      continue;
    }
    std::string free = name + "_input";
    while (names.count(free) || attributes->HasArray(free.c_str()))
    {
      free += "_input";
    }
    const int attribute = attributes->IsArrayAnAttribute(at);
    auto copy = Renamed(array, free);
    attributes->RemoveArray(at);
    const int index = attributes->AddArray(copy);
    if (attribute >= 0)
    {
      attributes->SetActiveAttribute(index, attribute);
    }
  }
}

void DropArrays(vtkDataSetAttributes* attributes)
{
  for (int i = attributes->GetNumberOfArrays() - 1; i >= 0; --i)
  {
    const char* name = attributes->GetAbstractArray(i)->GetName();
    if (!name || std::string(name) != vtkDataSetAttributes::GhostArrayName())
    {
      attributes->RemoveArray(i);
    }
  }
}
}

void Hollow(vtkDataSet* data)
{
  auto old = vtkSmartPointer<vtkDataSet>::Take(data->NewInstance());
  old->ShallowCopy(data);
  data->Initialize();
  data->GetPointData()->CopyAllOn();
  data->GetPointData()->CopyAllocate(old->GetPointData(), 1);
  data->GetCellData()->CopyAllOn();
  data->GetCellData()->CopyAllocate(old->GetCellData(), 1);
}

void DropOwnFields(vtkFieldData* fields)
{
  for (const char* name : OWN_FIELDS)
  {
    fields->RemoveArray(name);
  }
}

void AddFieldValue(vtkDataObject* output, const char* name, double value)
{
  auto array = NewArray<vtkDoubleArray>(name, 1, 1);
  array->SetValue(0, value);
  output->GetFieldData()->AddArray(array);
}

void AddFieldCount(vtkDataObject* output, const char* name, int64_t value)
{
  auto array = NewArray<vtkIdTypeArray>(name, 1, 1);
  array->SetValue(0, static_cast<vtkIdType>(value));
  output->GetFieldData()->AddArray(array);
}

void AddRunFields(vtkDataObject* output, const Run& run, bool searchReused, double querySeconds)
{
  AddFieldCount(output, "SearchReused", searchReused);
  AddFieldValue(output, "QuerySeconds", querySeconds);
  AddFieldCount(output, "PeakBytes", run.PeakBytes());
  AddFieldCount(output, "DeviceUsed", DEVICE_CPU);
}

Output::Output(vtkDataObject* input, vtkDataObject* output, int elements)
  : Root(output)
  , Elements(elements)
{
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(input))
  {
    CopyComposite(composite, vtkCompositeDataSet::SafeDownCast(output));
  }
  else
  {
    output->ShallowCopy(input);
  }
  this->Inputs = LeavesOf(input);
  this->Outputs = LeavesOf(output);
  DropOwnFields(output->GetFieldData());
  for (const Leaf& leaf : this->Outputs)
  {
    DropOwnFields(leaf.Data->GetFieldData());
  }
}

vtkDataSetAttributes* Output::Attributes(size_t leaf) const
{
  vtkDataSet* data = this->Outputs[leaf].Data;
  return this->Elements ? static_cast<vtkDataSetAttributes*>(data->GetCellData())
                        : static_cast<vtkDataSetAttributes*>(data->GetPointData());
}

vtkIdType Output::Count() const
{
  vtkIdType count = 0;
  for (const Leaf& leaf : this->Inputs)
  {
    count += this->Elements ? leaf.Data->GetNumberOfCells() : leaf.Data->GetNumberOfPoints();
  }
  return count;
}

void Output::Reserve(const std::set<std::string>& names)
{
  for (size_t i = 0; i < this->Outputs.size(); ++i)
  {
    RenameIn(this->Attributes(i), names);
  }
}

void Output::Drop(bool pointArrays, bool cellArrays, bool fieldArrays)
{
  for (const Leaf& leaf : this->Outputs)
  {
    if (pointArrays)
    {
      DropArrays(leaf.Data->GetPointData());
    }
    if (cellArrays)
    {
      DropArrays(leaf.Data->GetCellData());
    }
    if (fieldArrays)
    {
      leaf.Data->GetFieldData()->Initialize();
    }
  }
  if (fieldArrays)
  {
    this->Root->GetFieldData()->Initialize();
  }
}

void Output::SetActive(const std::string& name)
{
  for (size_t i = 0; !name.empty() && i < this->Outputs.size(); ++i)
  {
    this->Attributes(i)->SetActiveScalars(name.c_str());
  }
}

void Output::Clear()
{
  this->Inputs.clear();
  this->Outputs.clear();
  this->Root->Initialize();
}
}
