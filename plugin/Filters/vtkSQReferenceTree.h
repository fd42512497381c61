/** The reference's BVH over a mesh: built or reused, and the candidates of queries. */
#ifndef vtkSQReferenceTree_h
#define vtkSQReferenceTree_h

#include "vtkSQCache.h"

#include "spatialqueries/sq_bvh.h"

#include <string>

class vtkDataObject;
class vtkDataSetAttributes;
class vtkTable;

namespace vtkSQ
{
class ReferenceTree
{
public:
  /** False after a failure (one message) or an abort. `input` names the mesh in messages. */
  bool Update(
    Run& run, const std::vector<Leaf>& leaves, const sq_bvh_options& options, const char* input);

  const sq_bvh* Get() const { return this->Built.Get(); }
  const sq_bvh_view& View() const { return this->Arrays; }
  const sq_bvh_statistics& Statistics() const { return this->Counts; }
  double BuildSeconds() const { return this->Built.BuildSeconds(); }
  double Generation() const { return this->Built.Generation(); }

  /** BVHReused, BuildSeconds, SkippedElements. */
  void AddFields(vtkDataObject* output) const;

private:
  Structure<sq_bvh, sq_bvh_destroy> Built;
  sq_bvh_view Arrays = {};
  sq_bvh_statistics Counts = {};
  double MeasuredBuild = 0.0; // the generation that they are of: an abort may come in between
};

/** The candidates of one block of queries. */
struct CandidateLists
{
  sq_lists* Handle = nullptr;
  sq_lists_view View = {};
  std::vector<uint8_t> Truncated;

  CandidateLists() = default;
  ~CandidateLists() { sq_lists_destroy(this->Handle); }
  CandidateLists(const CandidateLists&) = delete;
  CandidateLists& operator=(const CandidateLists&) = delete;

  /** CandidateCount and CandidatesTruncated. */
  void AddTo(vtkDataSetAttributes* attributes) const;
};

Settings KeyOf(const sq_candidate_options& options);

/** NULL after a failure or an abort. */
std::unique_ptr<CandidateLists> FindCandidates(
  Run& run, const sq_bvh* bvh, const Queries& queries, const sq_candidate_options& options);

/** One row a candidate: what the lists of one block after the other say. */
class CandidateTable
{
public:
  CandidateTable(const std::vector<Leaf>& source, bool queryBlocks, bool cellBlocks);

  void Append(const sq_lists_view& lists, vtkIdType queryBlock);

  /** QueryId, CellId and, as asked for, QueryBlock, CellBlock, CellGlobalId; rows of all ranks on the first. */
  void Fill(vtkTable* table) const;

private:
  const std::vector<Leaf>& Source;
  bool QueryBlocks;
  bool CellBlocks;
  Numbering Cells;
  std::vector<int64_t> Query;
  std::vector<int64_t> Block;
  std::vector<int64_t> Cell;
  std::vector<int32_t> CellLeaf;
};
}
#endif
