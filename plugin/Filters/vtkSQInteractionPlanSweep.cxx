#include "vtkSQInteractionPlanSweep.h"

#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSQPlanSweep.h"
#include "vtkTable.h"

#include <algorithm>
#include <new>

vtkStandardNewMacro(vtkSQInteractionPlanSweep);

namespace
{
template <typename T>
void PrintList(ostream& os, const std::vector<T>& values)
{
  for (const T& value : values)
  {
    os << " " << value;
  }
  os << "\n";
}

/** True where the list has changed. */
template <typename T>
bool Resize(std::vector<T>& values, int count, T fill)
{
  const size_t before = values.size();
  values.resize(static_cast<size_t>(std::max(count, 0)), fill);
  return values.size() != before;
}

template <typename T>
bool SetEntry(std::vector<T>& values, int index, T value, T fill)
{
  bool changed = index >= static_cast<int>(values.size()) && Resize(values, index + 1, fill);
  T& entry = values[static_cast<size_t>(std::max(index, 0))];
  changed = changed || entry != value;
  entry = value;
  return changed;
}
}

vtkSQInteractionPlanSweep::vtkSQInteractionPlanSweep()
  : vtkSQPlanAlgorithm(SQ_KERNEL_INVERSE, 200)
{
}

vtkSQInteractionPlanSweep::~vtkSQInteractionPlanSweep() = default;

void vtkSQInteractionPlanSweep::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "OpeningAngles:";
  PrintList(os, this->OpeningAngles);
  os << indent << "LeafSizes:";
  PrintList(os, this->LeafSizes);
  os << indent << "ExpandModes:";
  PrintList(os, this->ExpandModes);
}

void vtkSQInteractionPlanSweep::SetNumberOfOpeningAngles(int count)
{
  if (Resize(this->OpeningAngles, count, SQ_PLAN_THETA_DEFAULT))
  {
    this->Modified();
  }
}

void vtkSQInteractionPlanSweep::SetOpeningAngles(int index, double value)
{
  if (SetEntry(this->OpeningAngles, index, value, SQ_PLAN_THETA_DEFAULT))
  {
    this->Modified();
  }
}

void vtkSQInteractionPlanSweep::SetNumberOfLeafSizes(int count)
{
  if (Resize(this->LeafSizes, count, SQ_LEAF_SIZE_DEFAULT))
  {
    this->Modified();
  }
}

void vtkSQInteractionPlanSweep::SetLeafSizes(int index, int value)
{
  if (SetEntry(
        this->LeafSizes, index, std::max(value, SQ_LEAF_SIZE_MIN), int(SQ_LEAF_SIZE_DEFAULT)))
  {
    this->Modified();
  }
}

void vtkSQInteractionPlanSweep::SetNumberOfExpandModes(int count)
{
  if (Resize(this->ExpandModes, count, int(SQ_PLAN_EXPAND_OFF)))
  {
    this->Modified();
  }
}

void vtkSQInteractionPlanSweep::SetExpandModes(int index, int value)
{
  const int mode = std::min(std::max(value, int(SQ_PLAN_EXPAND_OFF)), int(SQ_PLAN_EXPAND_COMPLETE));
  if (SetEntry(this->ExpandModes, index, mode, int(SQ_PLAN_EXPAND_OFF)))
  {
    this->Modified();
  }
}

int vtkSQInteractionPlanSweep::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
  return 1;
}

int vtkSQInteractionPlanSweep::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* sources = vtkDataObject::GetData(inputs[1], 0);
  vtkTable* table = vtkTable::GetData(outputs, 0);
  vtkSQ::Run run(this, "Interaction Plan Sweep", this->GetThreads());
  std::vector<vtkSQ::SweepRow> rows;
  try
  {
    if (run.Start(this->GetDevice()) && run.Accepts(input, "Input") &&
      run.Accepts(sources, "Sources") && this->Sweep(run, input, sources, rows))
    {
      vtkSQ::FillSweep(table, rows);
    }
    else
    {
      table->Initialize();
    }
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
    table->Initialize();
  }
  return 1;
}

bool vtkSQInteractionPlanSweep::Sweep(
  vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* sources, std::vector<vtkSQ::SweepRow>& rows)
{
  const vtkSQ::PlanRequest request = this->Request(sources != nullptr);
  const size_t plans = this->OpeningAngles.size() * this->ExpandModes.size();
  const double share = 1.0 / double(std::max<size_t>(1, plans * this->LeafSizes.size()));
  vtkSQ::PlanTrees trees;
  for (int leafSize : this->LeafSizes)
  {
    vtkSQ::PlanField field;
    if (!trees.Update(run, input, sources, request, leafSize) || !field.Update(run, trees, request))
    {
      return false;
    }
    for (double angle : this->OpeningAngles)
    {
      for (int mode : this->ExpandModes)
      {
        vtkSQ::SweepRow row = { angle, leafSize, mode, {}, {}, 0.0 };
        const double from = double(rows.size()) * share;
        if (!vtkSQ::Measure(run, trees, field, request, from, from + share, row))
        {
          return false;
        }
        rows.push_back(row);
      }
    }
  }
  return true;
}
