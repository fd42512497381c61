#include "vtkSQCells.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkSQGhosts.h"
#include "vtkSQHigherOrder.h"
#include "vtkSQStructuredCells.h"
#include "vtkUnsignedCharArray.h"
#include "vtkUnstructuredGrid.h"

namespace vtkSQ
{
namespace
{
bool IsId(sq_type type)
{
  return type == SQ_INT32 || type == SQ_INT64;
}

/** Borrows one cell array; both of its arrays get one type. */
void Borrow(vtkCellArray* cells, CellsView& view)
{
  view.OffsetsKeep = Pack(cells->GetOffsetsArray());
  view.ConnectivityKeep = Pack(cells->GetConnectivityArray());
  if (view.OffsetsKeep.Type != view.ConnectivityKeep.Type || !IsId(view.OffsetsKeep.Type))
  {
    view.OffsetsKeep = PackAs(cells->GetOffsetsArray(), SQ_INT64);
    view.ConnectivityKeep = PackAs(cells->GetConnectivityArray(), SQ_INT64);
  }
  view.Cells.id_type = view.OffsetsKeep.Type;
  view.Cells.offsets = view.OffsetsKeep.Data;
  view.Cells.connectivity = view.ConnectivityKeep.Data;
  view.Cells.connectivity_count = view.ConnectivityKeep.Tuples;
}

/** Points at the vectors of the view; call when they are complete. */
void UseOwnIds(CellsView& view)
{
  view.Cells.id_type = SQ_INT64;
  view.Cells.offsets = view.Offsets.data();
  view.Cells.connectivity = view.Connectivity.data();
  view.Cells.connectivity_count = static_cast<int64_t>(view.Connectivity.size());
}

void CopyTypes(vtkDataSet* data, CellsView& view)
{
  view.Types.resize(static_cast<size_t>(data->GetNumberOfCells()));
  for (size_t c = 0; c < view.Types.size(); ++c)
  {
    view.Types[c] = static_cast<uint8_t>(data->GetCellType(static_cast<vtkIdType>(c)));
  }
  view.Cells.types = view.Types.data();
}

/** Face streams of the polyhedra; other cells have an empty range. */
void CopyFaces(vtkUnstructuredGrid* grid, CellsView& view)
{
  vtkNew<vtkIdList> stream;
  view.FaceOffsets.assign(view.Types.size() + 1, 0);
  bool any = false;
  for (size_t c = 0; c < view.Types.size(); ++c)
  {
    if (view.Types[c] == SQ_CELL_POLYHEDRON)
    {
      any = true;
      grid->GetFaceStream(static_cast<vtkIdType>(c), stream);
      for (vtkIdType k = 0; k < stream->GetNumberOfIds(); ++k)
      {
        view.Faces.push_back(static_cast<int32_t>(stream->GetId(k)));
      }
    }
    view.FaceOffsets[c + 1] = static_cast<int64_t>(view.Faces.size());
  }
  if (any)
  {
    view.Cells.face_offsets = view.FaceOffsets.data();
    view.Cells.faces = view.Faces.data();
  }
}

/** Cell types of polydata follow from the section and the number of points. */
uint8_t PolyType(int section, int64_t points)
{
  switch (section)
  {
    case 0:
      return points == 1 ? SQ_CELL_VERTEX : SQ_CELL_POLY_VERTEX;
    case 1:
      return points == 2 ? SQ_CELL_LINE : SQ_CELL_POLY_LINE;
    case 2:
      return points == 3 ? SQ_CELL_TRIANGLE : points == 4 ? SQ_CELL_QUAD : SQ_CELL_POLYGON;
    default:
      return SQ_CELL_TRIANGLE_STRIP;
  }
}

void AppendSection(vtkCellArray* cells, int section, CellsView& view)
{
  const vtkIdType count = cells->GetNumberOfCells();
  for (vtkIdType c = 0; c < count; ++c)
  {
    view.Types.push_back(PolyType(section, cells->GetCellSize(c)));
  }
}

void AppendIds(vtkCellArray* cells, CellsView& view)
{
  const vtkIdType count = cells->GetNumberOfCells();
  if (count == 0)
  {
    return;
  }
  const Packed offsets = PackAs(cells->GetOffsetsArray(), SQ_INT64);
  const Packed ids = PackAs(cells->GetConnectivityArray(), SQ_INT64);
  const auto* offset = static_cast<const int64_t*>(offsets.Data);
  const auto* id = static_cast<const int64_t*>(ids.Data);
  const auto base = static_cast<int64_t>(view.Connectivity.size());
  for (vtkIdType c = 1; c <= count; ++c)
  {
    view.Offsets.push_back(base + offset[c]);
  }
  view.Connectivity.insert(view.Connectivity.end(), id, id + ids.Tuples);
}

/** Vertices, lines, polygons, strips: the order of VTK's cell ids. */
void FillPolyData(vtkPolyData* data, CellsView& view)
{
  vtkCellArray* sections[4] = { data->GetVerts(), data->GetLines(), data->GetPolys(),
    data->GetStrips() };
  vtkCellArray* only = nullptr;
  int used = 0;
  for (int s = 0; s < 4; ++s)
  {
    if (sections[s] && sections[s]->GetNumberOfCells() > 0)
    {
      AppendSection(sections[s], s, view);
      only = sections[s];
      ++used;
    }
  }
  view.Cells.types = view.Types.data();
  if (used == 1)
  {
    Borrow(only, view);
    return;
  }
  view.Offsets.push_back(0);
  for (vtkCellArray* section : sections)
  {
    if (section)
    {
      AppendIds(section, view);
    }
  }
  UseOwnIds(view);
}

/** Any other data set, cell by cell. */
void FillByCell(vtkDataSet* data, CellsView& view)
{
  CopyTypes(data, view);
  vtkNew<vtkIdList> ids;
  view.Offsets.push_back(0);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c)
  {
    data->GetCellPoints(c, ids);
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k)
    {
      view.Connectivity.push_back(ids->GetId(k));
    }
    view.Offsets.push_back(static_cast<int64_t>(view.Connectivity.size()));
  }
  UseOwnIds(view);
}

void FillCells(vtkDataSet* data, CellsView& view)
{
  if (auto* poly = vtkPolyData::SafeDownCast(data))
  {
    FillPolyData(poly, view);
  }
  else if (auto* grid = vtkUnstructuredGrid::SafeDownCast(data))
  {
    CopyTypes(grid, view);
    CopyFaces(grid, view);
    Borrow(grid->GetCells(), view);
  }
  else if (!FillStructuredCells(data, view))
  {
    FillByCell(data, view);
  }
}
}

CellsView CellsOf(vtkDataSet* data)
{
  CellsView view;
  view.Points = PointsOf(data);
  view.Cells.points = view.Points.Points;
  view.Cells.id_type = SQ_INT64;
  view.Cells.count = data->GetNumberOfCells();
  if (view.Cells.count == 0)
  {
    return view;
  }
  FillCells(data, view);
  if (auto ghost = CellGhostsOf(data))
  {
    view.GhostKeep = Pack(ghost);
    view.Cells.ghost = static_cast<const uint8_t*>(view.GhostKeep.Data);
  }
  vtkDataArray* ids = data->GetCellData()->GetGlobalIds();
  if (ids && ids->GetNumberOfTuples() == view.Cells.count)
  {
    view.GlobalIdsKeep = PackAs(ids, SQ_INT64);
    view.Cells.global_ids = static_cast<const int64_t*>(view.GlobalIdsKeep.Data);
  }
  AddHigherOrder(data, view);
  return view;
}
}
