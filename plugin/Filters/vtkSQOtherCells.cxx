#include "vtkSQOtherCells.h"

#include "vtkSQCellSearch.h"

#include "spatialqueries/sq_cells.h"

#include "vtkCellType.h"
#include "vtkDataSet.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vtkSQ
{
namespace
{
/** Of the extents of a box, that a curved cell may leave it by. */
constexpr double BULGE = 0.5;

bool Takes(int type)
{
  return type != VTK_EMPTY_CELL && sq_cell_dimension(static_cast<uint8_t>(type)) < 0;
}

void Place(vtkDataSet* data, vtkIdType id, OtherCells::Asker& asker)
{
  data->GetCell(id, asker.Cell);
  asker.Room.resize(static_cast<size_t>(std::max<vtkIdType>(1, asker.Cell->GetNumberOfPoints())));
}
}

void OtherCells::Collect(vtkDataSet* data)
{
  vtkUnsignedCharArray* ghost = data->GetGhostArray(vtkDataObject::CELL);
  const int never = SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_MASKED_CELL;
  for (vtkIdType id = 0; id < data->GetNumberOfCells(); ++id)
  {
    double bounds[6];
    if (!Takes(data->GetCellType(id)) || (ghost && (ghost->GetValue(id) & never)))
    {
      continue;
    }
    data->GetCellBounds(id, bounds);
    for (int corner = 0; corner < 8; ++corner)
    {
      for (int k = 0; k < 3; ++k)
      {
        const double room = BULGE * (bounds[2 * k + 1] - bounds[2 * k]);
        this->Corners.push_back(
          (corner >> k) & 1 ? bounds[2 * k + 1] + room : bounds[2 * k] - room);
      }
    }
    this->Ids.push_back(id);
  }
}

bool OtherCells::Build(vtkDataSet* data, std::string& reason)
{
  this->Collect(data);
  if (this->Ids.empty())
  {
    return true;
  }
  this->Connectivity.resize(8 * this->Ids.size());
  std::iota(this->Connectivity.begin(), this->Connectivity.end(), 0);
  sq_cells cells = {};
  cells.points = { this->Corners.data(), static_cast<int64_t>(this->Corners.size() / 3), SQ_FLOAT64,
    3 };
  cells.count = static_cast<int64_t>(this->Ids.size());
  cells.type = SQ_CELL_VOXEL;
  cells.cell_size = 8;
  cells.id_type = SQ_INT64;
  cells.connectivity = this->Connectivity.data();
  cells.connectivity_count = static_cast<int64_t>(this->Connectivity.size());
  const ContextHandle context = NewContext();
  sq_mesh_index* index = nullptr;
  const sq_status status =
    context ? BuildSearchable(context.get(), &cells, 1, &index) : SQ_OUT_OF_MEMORY;
  this->Boxes.reset(index);
  if (status != SQ_OK)
  {
    reason = context ? sq_context_message(context.get()) : sq_status_text(status);
  }
  return status == SQ_OK;
}

bool OtherCells::Prepare(Asker& asker) const
{
  if (!this->IsEmpty() && !asker.Boxes)
  {
    asker.Boxes = NewQuery(this->Boxes.get());
  }
  return this->IsEmpty() || asker.Boxes;
}

/** The cell at work is the best; its weights are kept. */
void OtherCells::Take(Asker& asker, vtkIdType id, CellPoint& best) const
{
  asker.Weights.swap(asker.Room);
  best.Cell = id;
  best.IsOther = true;
  best.Weights = asker.Weights.data();
  best.WeightCount = static_cast<int>(asker.Cell->GetNumberOfPoints());
}

void OtherCells::Containing(
  Asker& asker, vtkDataSet* data, const double x[3], double tolerance2, CellPoint& best) const
{
  const double tolerance = std::sqrt(tolerance2);
  std::vector<vtkIdType> near;
  const double lo[3] = { x[0] - tolerance, x[1] - tolerance, x[2] - tolerance };
  const double hi[3] = { x[0] + tolerance, x[1] + tolerance, x[2] + tolerance };
  this->InBox(asker, lo, hi, near);
  for (const vtkIdType id : near)
  {
    CellPoint at;
    Place(data, id, asker);
    const int inside = asker.Cell->EvaluatePosition(
      x, at.X, at.SubId, at.Parametric, at.Distance2, asker.Room.data());
    at.Inside = inside == 1 && at.Distance2 <= 0.0;
    // What is inside wins over what is near; then the lowest id.
    const bool better =
      best.Cell < 0 || (at.Inside && !best.Inside) || (at.Inside == best.Inside && id < best.Cell);
    if (inside >= 0 && (inside == 1 || at.Distance2 > 0.0) && at.Distance2 <= tolerance2 && better)
    {
      this->Take(asker, id, at);
      best = at;
    }
  }
}

void OtherCells::TryClosest(
  Asker& asker, vtkDataSet* data, vtkIdType id, const double x[3], CellPoint& best) const
{
  CellPoint at;
  Place(data, id, asker);
  const int inside =
    asker.Cell->EvaluatePosition(x, at.X, at.SubId, at.Parametric, at.Distance2, asker.Room.data());
  const bool better = best.Cell < 0 || at.Distance2 < best.Distance2 ||
    (at.Distance2 == best.Distance2 && id < best.Cell);
  if (inside >= 0 && better)
  {
    at.Inside = inside == 1;
    this->Take(asker, id, at);
    best = at;
  }
}

void OtherCells::Closest(
  Asker& asker, vtkDataSet* data, const double x[3], double radius, CellPoint& best) const
{
  sq_mesh_hit nearest;
  double reach = best.Cell >= 0 ? std::sqrt(best.Distance2) : radius;
  sq_mesh_query_closest(asker.Boxes.get(), x, reach, &nearest);
  if (nearest.cell < 0)
  {
    return;
  }
  CellPoint first;
  this->TryClosest(asker, data, this->Ids[static_cast<size_t>(nearest.cell)], x, first);
  reach = first.Cell >= 0 ? std::min(reach, std::sqrt(first.Distance2)) : reach;
  // Up to rounding of the root, so that no equal one is left out.
  reach *= 1.0 + 1e-12;
  const sq_mesh_cell_id* list = nullptr;
  int64_t count = 0;
  sq_mesh_query_sphere(asker.Boxes.get(), x, reach, &list, &count);
  for (int64_t i = 0; i < count; ++i)
  {
    this->TryClosest(asker, data, this->Ids[static_cast<size_t>(list[i].cell)], x, best);
  }
  if (best.IsOther && best.Distance2 > radius * radius)
  {
    best = CellPoint();
  }
}

void OtherCells::FirstCrossing(Asker& asker, vtkDataSet* data, const double a[3], const double b[3],
  double tolerance, CellPoint& best) const
{
  const sq_mesh_crossing* list = nullptr;
  int64_t count = 0;
  sq_mesh_query_crossed_boxes(asker.Boxes.get(), a, b, tolerance, &list, &count);
  for (int64_t i = 0; i < count && (best.Cell < 0 || list[i].t <= best.T); ++i)
  {
    CellPoint at;
    const vtkIdType id = this->Ids[static_cast<size_t>(list[i].cell)];
    Place(data, id, asker);
    if (asker.Cell->IntersectWithLine(a, b, tolerance, at.T, at.X, at.Parametric, at.SubId) &&
      at.T >= 0.0 && at.T <= 1.0 &&
      (best.Cell < 0 || at.T < best.T || (at.T == best.T && id < best.Cell)))
    {
      at.Cell = id;
      at.IsOther = true;
      best = at;
    }
  }
}

void OtherCells::Crossings(Asker& asker, vtkDataSet* data, const double a[3], const double b[3],
  double tolerance, bool ofBoxes, std::vector<CellAlong>& list) const
{
  const sq_mesh_crossing* boxes = nullptr;
  int64_t count = 0;
  sq_mesh_query_crossed_boxes(asker.Boxes.get(), a, b, tolerance, &boxes, &count);
  for (int64_t i = 0; i < count; ++i)
  {
    CellAlong at = { boxes[i].t, this->Ids[static_cast<size_t>(boxes[i].cell)],
      { boxes[i].point[0], boxes[i].point[1], boxes[i].point[2] } };
    double parametric[3];
    int subId = 0;
    if (!ofBoxes)
    {
      Place(data, at.Cell, asker);
    }
    if (ofBoxes || asker.Cell->IntersectWithLine(a, b, tolerance, at.T, at.X, parametric, subId))
    {
      list.push_back(at);
    }
  }
}

void OtherCells::InBox(
  Asker& asker, const double lo[3], const double hi[3], std::vector<vtkIdType>& list) const
{
  const sq_mesh_cell_id* boxes = nullptr;
  int64_t count = 0;
  sq_mesh_query_box(asker.Boxes.get(), lo, hi, &boxes, &count);
  for (int64_t i = 0; i < count; ++i)
  {
    list.push_back(this->Ids[static_cast<size_t>(boxes[i].cell)]);
  }
}

void OtherCells::AlongPlane(Asker& asker, const double origin[3], const double normal[3],
  double tolerance, std::vector<vtkIdType>& list) const
{
  const sq_mesh_cell_id* boxes = nullptr;
  int64_t count = 0;
  sq_mesh_query_plane(asker.Boxes.get(), origin, normal, tolerance, &boxes, &count);
  for (int64_t i = 0; i < count; ++i)
  {
    list.push_back(this->Ids[static_cast<size_t>(boxes[i].cell)]);
  }
}
}
