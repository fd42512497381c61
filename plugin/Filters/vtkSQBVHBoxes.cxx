#include "vtkSQBVHBoxes.h"

#include "vtkDoubleArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkSQArrays.h"
#include "vtkSQOutput.h"
#include "vtkSQReferenceTree.h"
#include "vtkSQTables.h"
#include "vtkSQTreeTables.h"
#include "vtkTable.h"

#include <new>

vtkStandardNewMacro(vtkSQBVHBoxes);

struct vtkSQBVHBoxes::Internals
{
  vtkSQ::ReferenceTree Tree;
};

vtkSQBVHBoxes::vtkSQBVHBoxes()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfOutputPorts(3);
}

vtkSQBVHBoxes::~vtkSQBVHBoxes() = default;

void vtkSQBVHBoxes::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "LeafSize: " << this->LeafSize << "\n";
  os << indent << "MinimumDepth: " << this->MinimumDepth << "\n";
  os << indent << "MaximumDepth: " << this->MaximumDepth << "\n";
  os << indent << "LeavesOnly: " << this->LeavesOnly << "\n";
  os << indent << "BoxType: " << this->BoxType << "\n";
  os << indent << "ExportTree: " << this->ExportTree << "\n";
}

int vtkSQBVHBoxes::FillOutputPortInformation(int port, vtkInformation* info)
{
  const char* const types[] = { "vtkPolyData", "vtkMultiBlockDataSet", "vtkTable" };
  info->Set(vtkDataObject::DATA_TYPE_NAME(), types[port]);
  return 1;
}

int vtkSQBVHBoxes::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  RequestWhole(inputs[0]->GetInformationObject(0));
  return 1;
}

int vtkSQBVHBoxes::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkSQ::Run run(this, "BVH Boxes", this->GetThreads());
  bool shown = false;
  try
  {
    shown = run.Start(this->GetDevice()) && run.Accepts(input, "Input") &&
      this->Show(run, input, outputs);
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
  }
  for (int port = 0; !shown && port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkDataObject::GetData(outputs, port)->Initialize();
  }
  return 1;
}

bool vtkSQBVHBoxes::Show(vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(input);
  sq_bvh_options options = sq_bvh_options_default();
  options.leaf_size = this->LeafSize;
  vtkSQ::ReferenceTree& tree = this->Kept->Tree;
  run.Part(0.0, 0.8);
  if (!tree.Update(run, leaves, options, "Input"))
  {
    return false;
  }

  const vtkSQ::Timer timer;
  const sq_bvh_view& view = tree.View();
  auto area = vtkSQ::NewArray<vtkDoubleArray>("SurfaceArea", 1, view.node_count);
  auto overlap = vtkSQ::NewArray<vtkDoubleArray>("SiblingOverlap", 1, view.node_count);
  run.Part(0.8, 1.0);
  if (!run.Succeeded(sq_bvh_measure(run.Context(), tree.Get(), nullptr, area->GetPointer(0),
                       overlap->GetPointer(0)),
        "Input"))
  {
    return false;
  }
  const vtkSQ::TreeNodes nodes = vtkSQ::NodesOf(view);
  const vtkSQ::Boxes boxes(
    nodes, { this->MinimumDepth, this->MaximumDepth, this->LeavesOnly, this->BoxType });
  vtkPolyData* output = vtkPolyData::GetData(outputs, 0);
  boxes.Fill(output, "FirstCell", "CellCount");
  boxes.AddArray(output, area);
  boxes.AddArray(output, overlap);

  vtkSQ::TreeNodes exported = nodes;
  exported.Count = this->ExportTree ? nodes.Count : 0;
  vtkSQ::SetTables(vtkMultiBlockDataSet::GetData(outputs, 1),
    { { "Nodes", vtkSQ::NodeTable(exported) },
      { "Order",
        vtkSQ::OrderTable("sorted_cell_order", view.sorted_cell_order,
          this->ExportTree ? view.cell_count : 0, leaves, 1, vtkSQ::IsComposite(input)) } });
  vtkSQ::FillStatistics(vtkTable::GetData(outputs, 2), tree.Statistics(), tree.BuildSeconds());
  tree.AddFields(output);
  vtkSQ::AddRunFields(output, run, false, timer.Seconds());
  return true;
}
