#include "vtkSQCellSearch.h"

#include "vtkDataSet.h"
#include "vtkGenericCell.h"
#include "vtkNew.h"

#include <algorithm>
#include <cmath>

namespace vtkSQ
{
namespace
{
/** The answer of the core. */
CellPoint Answer(const sq_mesh_hit& hit)
{
  CellPoint at;
  at.Cell = hit.cell;
  if (hit.cell >= 0)
  {
    at.SubId = hit.sub;
    at.Distance2 = hit.distance * hit.distance;
    at.Inside = hit.is_interior != 0;
    at.Weights = hit.weights;
    at.WeightCount = hit.weight_count;
    std::copy(hit.closest, hit.closest + 3, at.X);
    std::copy(hit.parametric, hit.parametric + 3, at.Parametric);
  }
  return at;
}

/** What VTK computes at the first question, so that questions of several threads only read. */
void Ready(vtkDataSet* data)
{
  vtkNew<vtkGenericCell> cell;
  if (data->GetNumberOfCells() > 0)
  {
    data->GetCell(0, cell);
  }
}
}

std::shared_ptr<CellSearch> CellSearch::Of(
  vtkDataSet* data, const std::shared_ptr<CellSearch>& previous, std::string& reason)
{
  const std::vector<Leaf> leaves = { { data, 0 } };
  Stamps stamps = Mesh::StampsOf(leaves);
  Ready(data);
  if (previous && previous->UsedStamps == stamps)
  {
    return previous;
  }
  auto mesh = std::make_unique<Mesh>(leaves);
  const uint64_t content = mesh->Content();
  if (previous && previous->Content == content)
  {
    return previous;
  }
  std::shared_ptr<CellSearch> search(new CellSearch);
  const ContextHandle context = NewContext();
  sq_mesh_index* index = nullptr;
  const sq_status status = context
    ? BuildSearchable(context.get(), mesh->Blocks(), mesh->BlockCount(), &index)
    : SQ_OUT_OF_MEMORY;
  search->Built.reset(index);
  if (status != SQ_OK)
  {
    const char* message = context ? sq_context_message(context.get()) : "";
    reason = message[0] ? message : sq_status_text(status);
    return nullptr;
  }
  search->UsedStamps = std::move(stamps);
  search->Content = content;
  search->Source = std::move(mesh);
  sq_mesh_index_info info;
  sq_mesh_index_get_info(index, &info);
  if (info.unsupported_cells > 0 && !search->Others.Build(data, reason))
  {
    return nullptr;
  }
  return search;
}

CellSearch::Asker* CellSearch::Mine()
{
  return this->Askers.Get(
    [this]
    {
      auto asker = std::make_unique<Asker>();
      asker->Query = NewQuery(this->Built.get());
      const bool good = asker->Query && this->Others.Prepare(asker->Others);
      return good ? std::move(asker) : std::unique_ptr<Asker>();
    });
}

CellPoint CellSearch::Containing(vtkDataSet* data, const double x[3], double tolerance2)
{
  CellPoint best;
  Asker* mine = this->Mine();
  if (!mine || !(tolerance2 >= 0.0))
  {
    return best;
  }
  sq_mesh_hit hit;
  sq_mesh_query_containing(
    mine->Query.get(), x, SQ_TOLERANCE_ABSOLUTE, std::sqrt(tolerance2), &hit);
  best = Answer(hit);
  best.Inside = best.Cell >= 0 && hit.distance == 0.0;
  if (!this->Others.IsEmpty())
  {
    this->Others.Containing(mine->Others, data, x, tolerance2, best);
  }
  return best;
}

CellPoint CellSearch::Closest(vtkDataSet* data, const double x[3], double radius)
{
  CellPoint best;
  Asker* mine = this->Mine();
  if (!mine || !(radius >= 0.0))
  {
    return best;
  }
  sq_mesh_hit hit;
  sq_mesh_query_closest(mine->Query.get(), x, radius, &hit);
  best = Answer(hit);
  if (!this->Others.IsEmpty())
  {
    this->Others.Closest(mine->Others, data, x, radius, best);
  }
  return best;
}

CellPoint CellSearch::FirstCrossing(
  vtkDataSet* data, const double a[3], const double b[3], double tolerance)
{
  CellPoint best;
  Asker* mine = this->Mine();
  sq_mesh_crossing crossing;
  sq_mesh_hit hit;
  if (!mine ||
    sq_mesh_query_first_crossing(
      mine->Query.get(), a, b, std::max(tolerance, 0.0), &crossing, &hit) != SQ_OK)
  {
    return best;
  }
  best = Answer(hit);
  if (best.Cell >= 0)
  {
    best.T = crossing.t;
    std::copy(crossing.point, crossing.point + 3, best.X);
  }
  if (!this->Others.IsEmpty())
  {
    this->Others.FirstCrossing(mine->Others, data, a, b, tolerance, best);
  }
  return best;
}

std::vector<CellAlong> CellSearch::Crossings(
  vtkDataSet* data, const double a[3], const double b[3], double tolerance, bool ofBoxes)
{
  std::vector<CellAlong> all;
  Asker* mine = this->Mine();
  if (!mine)
  {
    return all;
  }
  const sq_mesh_crossing* list = nullptr;
  int64_t count = 0;
  (ofBoxes ? sq_mesh_query_crossed_boxes : sq_mesh_query_crossings)(
    mine->Query.get(), a, b, std::max(tolerance, 0.0), &list, &count);
  all.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
  {
    const double* x = list[i].point;
    all.push_back({ list[i].t, list[i].cell, { x[0], x[1], x[2] } });
  }
  if (!this->Others.IsEmpty())
  {
    this->Others.Crossings(mine->Others, data, a, b, tolerance, ofBoxes, all);
    std::sort(all.begin(), all.end(),
      [](const CellAlong& p, const CellAlong& q)
      { return p.T != q.T ? p.T < q.T : p.Cell < q.Cell; });
  }
  return all;
}

std::vector<vtkIdType> CellSearch::InBox(const double bounds[6])
{
  std::vector<vtkIdType> all;
  Asker* mine = this->Mine();
  if (!mine)
  {
    return all;
  }
  const double lo[3] = { bounds[0], bounds[2], bounds[4] };
  const double hi[3] = { bounds[1], bounds[3], bounds[5] };
  const sq_mesh_cell_id* list = nullptr;
  int64_t count = 0;
  sq_mesh_query_box(mine->Query.get(), lo, hi, &list, &count);
  std::transform(list, list + count, std::back_inserter(all),
    [](const sq_mesh_cell_id& id) { return static_cast<vtkIdType>(id.cell); });
  if (!this->Others.IsEmpty())
  {
    this->Others.InBox(mine->Others, lo, hi, all);
    std::sort(all.begin(), all.end());
  }
  return all;
}

std::vector<vtkIdType> CellSearch::AlongPlane(
  const double origin[3], const double normal[3], double tolerance)
{
  std::vector<vtkIdType> all;
  Asker* mine = this->Mine();
  if (!mine)
  {
    return all;
  }
  const sq_mesh_cell_id* list = nullptr;
  int64_t count = 0;
  sq_mesh_query_plane(mine->Query.get(), origin, normal, std::max(tolerance, 0.0), &list, &count);
  std::transform(list, list + count, std::back_inserter(all),
    [](const sq_mesh_cell_id& id) { return static_cast<vtkIdType>(id.cell); });
  if (!this->Others.IsEmpty())
  {
    this->Others.AlongPlane(mine->Others, origin, normal, tolerance, all);
    std::sort(all.begin(), all.end());
  }
  return all;
}
}
