#include "vtkSQBVHCandidates.h"

#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkSQOutput.h"
#include "vtkSQReferenceTree.h"
#include "vtkTable.h"

#include <new>

vtkStandardNewMacro(vtkSQBVHCandidates);

struct vtkSQBVHCandidates::Internals
{
  vtkSQ::ReferenceTree Tree;
  vtkSQ::Answers<vtkSQ::CandidateLists> Answers;
};

vtkSQBVHCandidates::vtkSQBVHCandidates()
  : Kept(std::make_unique<Internals>())
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(2);
}

vtkSQBVHCandidates::~vtkSQBVHCandidates() = default;

void vtkSQBVHCandidates::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "LeafSize: " << this->LeafSize << "\n";
  os << indent << "ToleranceType: " << this->ToleranceType << "\n";
  os << indent << "Tolerance: " << this->Tolerance << "\n";
  os << indent << "LimitCandidates: " << this->LimitCandidates << "\n";
  os << indent << "MaxCandidates: " << this->MaxCandidates << "\n";
  os << indent << "InputElements: " << this->InputElements << "\n";
}

int vtkSQBVHCandidates::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkDataObject" : "vtkTable");
  return 1;
}

sq_candidate_options vtkSQBVHCandidates::Options() const
{
  sq_candidate_options options = sq_candidate_options_default();
  options.limit = this->LimitCandidates;
  options.max_candidates = this->MaxCandidates;
  options.relative = this->ToleranceType == 0;
  options.tolerance = this->Tolerance;
  return options;
}

int vtkSQBVHCandidates::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataObject* source = vtkDataObject::GetData(inputs[1], 0);
  vtkTable* table = vtkTable::GetData(outputs, 1);
  vtkSQ::Run run(this, "BVH Candidates", this->GetThreads());
  vtkSQ::Output out(input, vtkDataObject::GetData(outputs, 0), this->InputElements);
  if (!source)
  {
    run.Warning("no SourceMesh is set (Edit > Change Input)");
  }
  try
  {
    if (!run.Start(this->GetDevice()) || !run.Accepts(input, "Input") ||
      !run.Accepts(source, "SourceMesh") || !this->Find(run, input, source, out, table))
    {
      out.Clear();
      table->Initialize();
    }
  }
  catch (const std::bad_alloc&)
  {
    run.Error("out of memory");
    out.Clear();
    table->Initialize();
  }
  return 1;
}

bool vtkSQBVHCandidates::Find(
  vtkSQ::Run& run, vtkDataObject* input, vtkDataObject* source, vtkSQ::Output& out, vtkTable* table)
{
  const std::vector<vtkSQ::Leaf> leaves = vtkSQ::LeavesOf(source);
  const std::vector<vtkSQ::Leaf> queryLeaves = vtkSQ::LeavesOf(input);
  sq_bvh_options treeOptions = sq_bvh_options_default();
  treeOptions.leaf_size = this->LeafSize;
  vtkSQ::ReferenceTree& tree = this->Kept->Tree;
  run.Part(0.0, 0.5);
  if (!tree.Update(run, leaves, treeOptions, "SourceMesh"))
  {
    return false;
  }

  const vtkSQ::Timer timer;
  const sq_candidate_options options = this->Options();
  vtkSQ::Settings settings = vtkSQ::KeyOf(options);
  settings.push_back(tree.Generation());
  this->Kept->Answers.Begin(settings, out.Size());
  out.Reserve({ "CandidateCount", "CandidatesTruncated" });
  vtkSQ::CandidateTable rows(leaves, vtkSQ::IsComposite(input), vtkSQ::IsComposite(source));
  bool found = true;
  for (size_t i = 0; found && i < out.Size(); ++i)
  {
    run.Block(i, out.Size(), 0.5, 1.0);
    vtkSQ::Queries queries(out.Input(i), this->InputElements);
    const vtkSQ::CandidateLists* lists = this->Kept->Answers.Get(i, queries, run,
      [&](const vtkSQ::Queries& q) { return vtkSQ::FindCandidates(run, tree.Get(), q, options); });
    found = lists != nullptr;
    if (found)
    {
      lists->AddTo(out.Attributes(i));
      rows.Append(lists->View, queryLeaves[i].Block);
    }
  }
  if (!vtkSQ::Run::OnAllRanks(found))
  {
    return false;
  }
  rows.Fill(table);
  out.SetActive("CandidateCount");
  tree.AddFields(out.Object());
  vtkSQ::AddRunFields(out.Object(), run, this->Kept->Answers.WereReused(), timer.Seconds());
  return true;
}
