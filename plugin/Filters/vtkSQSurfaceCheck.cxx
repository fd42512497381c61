#include "vtkSQSurfaceCheck.h"

#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkSQFaults.h"
#include "vtkSQOutput.h"
#include "vtkTable.h"

#include <new>

vtkStandardNewMacro(vtkSQSurfaceCheck);

struct vtkSQSurfaceCheck::Internals
{
  vtkSQ::Surface Surface;
  vtkSQ::Faults Faults; // of the surface, so destroyed first
};

vtkSQSurfaceCheck::vtkSQSurfaceCheck()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfOutputPorts(3);
}

vtkSQSurfaceCheck::~vtkSQSurfaceCheck() = default;

void vtkSQSurfaceCheck::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MergePoints: " << this->MergePoints << "\n";
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
}

int vtkSQSurfaceCheck::FillOutputPortInformation(int port, vtkInformation* info)
{
  const char* const types[] = { "vtkPolyData", "vtkTable", "vtkDataObject" };
  info->Set(vtkDataObject::DATA_TYPE_NAME(), types[port]);
  return 1;
}

int vtkSQSurfaceCheck::RequestDataObject(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  if (!input)
  {
    return 0;
  }
  if (!vtkPolyData::GetData(outputs, 0))
  {
    vtkNew<vtkPolyData> problems;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), problems);
  }
  if (!vtkTable::GetData(outputs, 1))
  {
    vtkNew<vtkTable> report;
    outputs->GetInformationObject(1)->Set(vtkDataObject::DATA_OBJECT(), report);
  }
  vtkDataObject* cells = vtkDataObject::GetData(outputs, 2);
  if (!cells || !cells->IsA(input->GetClassName()))
  {
    auto made = vtkSmartPointer<vtkDataObject>::Take(input->NewInstance());
    outputs->GetInformationObject(2)->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkSQSurfaceCheck::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  RequestWhole(inputs[0]->GetInformationObject(0));
  return 1;
}

int vtkSQSurfaceCheck::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkSQ::Run run(this, "Surface Check", this->GetThreads());
  vtkSQ::Output cells(input, vtkDataObject::GetData(outputs, 2), 1);
  bool good = false;
  try
  {
    good = run.Start(this->GetDevice()) && run.Accepts(input, "Input") &&
      this->Check(run, input, outputs, cells);
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
  }
  if (!good)
  {
    vtkDataObject::GetData(outputs, 0)->Initialize();
    vtkDataObject::GetData(outputs, 1)->Initialize();
    cells.Clear();
  }
  return 1;
}

bool vtkSQSurfaceCheck::Check(
  vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs, vtkSQ::Output& cells)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(input);
  sq_surface_options options = sq_surface_options_default();
  options.merge_points = this->MergePoints;
  options.merge_tolerance = this->MergeTolerance;
  vtkSQ::Surface& surface = this->Kept->Surface;
  vtkSQ::Faults& faults = this->Kept->Faults;
  run.Part(0.0, 0.7);
  if (!surface.Update(run, leaves, options, "Input"))
  {
    return false;
  }
  surface.Warn(run);
  if (surface.Report().kind == SQ_SURFACE_CURVES)
  {
    run.Warning("Input has only lines and vertices; there is nothing to check.");
  }

  const vtkSQ::Timer timer;
  run.Part(0.7, 0.9);
  if (!faults.Update(run, surface))
  {
    return false;
  }
  run.Part(0.9, 1.0);
  cells.Reserve(vtkSQ::Faults::CellNames());
  if (!faults.AddToCells(run, leaves, cells))
  {
    return false;
  }
  auto* problems = vtkPolyData::GetData(outputs, 0);
  auto* report = vtkTable::GetData(outputs, 1);
  faults.FillProblems(leaves, vtkSQ::IsComposite(input), problems);
  faults.FillReport(surface.Report(), report);
  if (vtkSQ::Run::Rank() > 0)
  {
    vtkSQ::Faults::KeepNothing(problems, report, cells);
  }
  for (vtkDataObject* output : { static_cast<vtkDataObject*>(problems), cells.Object() })
  {
    surface.AddBuildFields(output);
    vtkSQ::AddRunFields(output, run, faults.WereReused(), timer.Seconds());
  }
  return true;
}
