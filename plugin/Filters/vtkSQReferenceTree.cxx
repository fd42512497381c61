#include "vtkSQReferenceTree.h"

#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkIntArray.h"
#include "vtkSQCellIds.h"
#include "vtkSQOutput.h"
#include "vtkSQTables.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"

#include <sstream>

namespace vtkSQ
{
bool ReferenceTree::Update(
  Run& run, const std::vector<Leaf>& leaves, const sq_bvh_options& options, const char* input)
{
  const Settings settings = { double(options.leaf_size), double(options.flags) };
  const bool built = this->Built.Update(leaves, settings,
    [&](const Mesh& mesh, sq_bvh** bvh)
    {
      return run.Succeeded(
        sq_bvh_build(run.Context(), mesh.Blocks(), mesh.BlockCount(), &options, bvh), input);
    });
  if (!run.SameOnAllRanks(this->Built.Content(), input) || !built ||
    !run.Succeeded(sq_bvh_get_view(this->Get(), &this->Arrays), input))
  {
    return false;
  }
  const bool measured = this->MeasuredBuild == this->Generation();
  if (!measured &&
    !run.Succeeded(
      sq_bvh_measure(run.Context(), this->Get(), &this->Counts, nullptr, nullptr), input))
  {
    return false;
  }
  this->MeasuredBuild = this->Generation();
  run.Hold(this->Counts.bytes);
  if (!measured && this->Arrays.skipped_elements > 0)
  {
    std::ostringstream text;
    text << this->Arrays.skipped_elements << " cells of " << input
         << " have a coordinate that is not finite and are left out.";
    run.Warning(text.str().c_str());
  }
  return true;
}

void ReferenceTree::AddFields(vtkDataObject* output) const
{
  AddFieldCount(output, "BVHReused", this->Built.WasReused());
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds());
  AddFieldCount(output, "SkippedElements", this->Arrays.skipped_elements);
}

void CandidateLists::AddTo(vtkDataSetAttributes* attributes) const
{
  const auto count = static_cast<vtkIdType>(this->View.count);
  auto lengths = NewArray<vtkIntArray>("CandidateCount", 1, count);
  for (vtkIdType q = 0; q < count; ++q)
  {
    lengths->SetValue(q, static_cast<int>(this->View.offsets[q + 1] - this->View.offsets[q]));
  }
  attributes->AddArray(lengths);
  attributes->AddArray(
    CopyOf<vtkUnsignedCharArray>("CandidatesTruncated", this->Truncated.data(), 1, count));
}

Settings KeyOf(const sq_candidate_options& o)
{
  return { double(o.limit), double(o.max_candidates), double(o.relative), o.tolerance };
}

std::unique_ptr<CandidateLists> FindCandidates(
  Run& run, const sq_bvh* bvh, const Queries& queries, const sq_candidate_options& options)
{
  auto lists = std::make_unique<CandidateLists>();
  lists->Truncated.resize(static_cast<size_t>(queries.Count()));
  const bool found = run.Succeeded(sq_bvh_find_candidates(run.Context(), bvh, &queries.Points(),
                                     &options, &lists->Handle, lists->Truncated.data()),
                       "Input") &&
    run.Succeeded(sq_lists_get_view(lists->Handle, &lists->View), "Input");
  return found ? std::move(lists) : nullptr;
}

CandidateTable::CandidateTable(const std::vector<Leaf>& source, bool queryBlocks, bool cellBlocks)
  : Source(source)
  , QueryBlocks(queryBlocks)
  , CellBlocks(cellBlocks)
  , Cells(source, 1)
{
}

void CandidateTable::Append(const sq_lists_view& lists, vtkIdType queryBlock)
{
  for (int64_t q = 0; q < lists.count; ++q)
  {
    for (int64_t k = lists.offsets[q]; k < lists.offsets[q + 1]; ++k)
    {
      const int64_t cell = lists.indices[k];
      const size_t leaf = this->Cells.LeafOf(cell);
      this->Query.push_back(q);
      this->Block.push_back(queryBlock);
      this->Cell.push_back(cell - this->Cells.First(leaf));
      this->CellLeaf.push_back(static_cast<int32_t>(leaf));
    }
  }
}

void CandidateTable::Fill(vtkTable* table) const
{
  const auto count = static_cast<vtkIdType>(this->Query.size());
  table->AddColumn(CopyOf<vtkIdTypeArray>("QueryId", this->Query.data(), 1, count));
  if (this->QueryBlocks)
  {
    table->AddColumn(CopyOf<vtkIdTypeArray>("QueryBlock", this->Block.data(), 1, count));
  }
  table->AddColumn(CopyOf<vtkIdTypeArray>("CellId", this->Cell.data(), 1, count));
  if (this->CellBlocks)
  {
    table->AddColumn(BlockIds("CellBlock", this->Source, this->CellLeaf.data(), count));
  }
  if (HaveGlobalCellIds(this->Source))
  {
    table->AddColumn(
      GlobalCellIds("CellGlobalId", this->Source, this->CellLeaf.data(), this->Cell.data(), count));
  }
  GatherRows(table, "QueryProcessId");
}
}
