#include "vtkSQClusterTree.h"

#include "vtkDoubleArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkSQOutput.h"
#include "vtkSQPointTree.h"
#include "vtkSQTables.h"
#include "vtkSQTreeTables.h"
#include "vtkTable.h"

#include <new>

vtkStandardNewMacro(vtkSQClusterTree);

struct vtkSQClusterTree::Internals
{
  vtkSQ::PointTree Tree;
};

vtkSQClusterTree::vtkSQClusterTree()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfOutputPorts(3);
}

vtkSQClusterTree::~vtkSQClusterTree() = default;

void vtkSQClusterTree::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "InputElements: " << this->InputElements << "\n";
  os << indent << "Dimensions: " << this->Dimensions << "\n";
  os << indent << "LeafSize: " << this->LeafSize << "\n";
  os << indent << "MinimumDepth: " << this->MinimumDepth << "\n";
  os << indent << "MaximumDepth: " << this->MaximumDepth << "\n";
  os << indent << "LeavesOnly: " << this->LeavesOnly << "\n";
  os << indent << "BoxType: " << this->BoxType << "\n";
  os << indent << "ExportTree: " << this->ExportTree << "\n";
}

int vtkSQClusterTree::FillOutputPortInformation(int port, vtkInformation* info)
{
  const char* const types[] = { "vtkPolyData", "vtkMultiBlockDataSet", "vtkTable" };
  info->Set(vtkDataObject::DATA_TYPE_NAME(), types[port]);
  return 1;
}

int vtkSQClusterTree::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  RequestWhole(inputs[0]->GetInformationObject(0));
  return 1;
}

int vtkSQClusterTree::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkSQ::Run run(this, "Cluster Tree", this->GetThreads());
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

bool vtkSQClusterTree::Show(vtkSQ::Run& run, vtkDataObject* input, vtkInformationVector* outputs)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(input);
  vtkSQ::ElementRequest request;
  request.Elements = this->InputElements;
  request.Dimensions = this->Dimensions;
  request.Area = this->ChosenArray(AREA_ARRAY);
  vtkSQ::PointTree& tree = this->Kept->Tree;
  run.Part(0.0, 0.6);
  if (!tree.Update(run, leaves, request, this->LeafSize))
  {
    return false;
  }

  const vtkSQ::Timer timer;
  run.Part(0.6, 1.0);
  vtkSQ::NodeMeans means;
  if (!means.Update(run, tree, leaves, this->InputElements, true, "Input"))
  {
    return false;
  }
  const vtkSQ::Boxes boxes(vtkSQ::NodesOf(tree.View()),
    { this->MinimumDepth, this->MaximumDepth, this->LeavesOnly, this->BoxType });
  vtkPolyData* output = vtkPolyData::GetData(outputs, 0);
  boxes.Fill(output, "FirstPoint", "PointCount");
  vtkSQ::AddNodeSizes(boxes, tree.View(), output);
  means.AddTo(boxes, output);
  this->AddTables(input, outputs);
  tree.AddFields(output);
  vtkSQ::AddRunFields(output, run, false, timer.Seconds());
  return true;
}

void vtkSQClusterTree::AddTables(vtkDataObject* input, vtkInformationVector* outputs) const
{
  const vtkSQ::PointTree& tree = this->Kept->Tree;
  const sq_cluster_tree_view& view = tree.View();
  vtkSQ::TreeNodes nodes = vtkSQ::NodesOf(view);
  nodes.Count = this->ExportTree ? nodes.Count : 0;
  auto table = vtkSQ::NodeTable(nodes);
  vtkSQ::AddClusterColumns(table, view, nodes.Count);
  std::vector<int64_t> order;
  for (int64_t i = 0; this->ExportTree && i < view.point_count; ++i)
  {
    order.push_back(tree.Source().NumberOf(view.sorted_source_order[i]));
  }
  vtkSQ::SetTables(vtkMultiBlockDataSet::GetData(outputs, 1),
    { { "Nodes", table },
      { "Order",
        vtkSQ::OrderTable("sorted_source_order", order.data(), static_cast<int64_t>(order.size()),
          vtkSQ::LeavesOf(input), this->InputElements, vtkSQ::IsComposite(input)) } });
  vtkSQ::FillStatistics(vtkTable::GetData(outputs, 2), tree.Statistics(), tree.BuildSeconds());
}
