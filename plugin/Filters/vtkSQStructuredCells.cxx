#include "vtkSQStructuredCells.h"

#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStructuredGrid.h"

#include <limits>

namespace vtkSQ
{
namespace
{
/** Corners of a cell as steps along the axes that have an extent, in the order of the cell type. */
struct Shape
{
  uint8_t Type;
  int Corners;
  int Steps[8][3];
};

const Shape VERTEX = { SQ_CELL_VERTEX, 1, { { 0, 0, 0 } } };
const Shape LINE = { SQ_CELL_LINE, 2, { { 0, 0, 0 }, { 1, 0, 0 } } };
const Shape PIXEL = { SQ_CELL_PIXEL, 4, { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } } };
const Shape QUAD = { SQ_CELL_QUAD, 4, { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } } };
const Shape VOXEL = { SQ_CELL_VOXEL, 8,
  { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 },
    { 1, 1, 1 } } };
const Shape HEXAHEDRON = { SQ_CELL_HEXAHEDRON, 8,
  { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 },
    { 0, 1, 1 } } };

/** Only axes with more than one point; the others neither move nor count. */
struct Lattice
{
  int Axes = 0;
  int64_t Cells[3] = { 1, 1, 1 };
  int64_t Stride[3] = { 0, 0, 0 };

  explicit Lattice(const int dimensions[3])
  {
    int64_t stride = 1;
    for (int k = 0; k < 3; ++k)
    {
      if (dimensions[k] > 1)
      {
        this->Cells[this->Axes] = dimensions[k] - 1;
        this->Stride[this->Axes++] = stride;
      }
      stride *= dimensions[k];
    }
  }

  int64_t CellCount() const { return this->Cells[0] * this->Cells[1] * this->Cells[2]; }
};

const Shape& ShapeOf(const Lattice& lattice, bool isCurved)
{
  switch (lattice.Axes)
  {
    case 0:
      return VERTEX;
    case 1:
      return LINE;
    case 2:
      return isCurved ? QUAD : PIXEL;
    default:
      return isCurved ? HEXAHEDRON : VOXEL;
  }
}

template <typename IdT>
void WriteCells(const Lattice& lattice, const Shape& shape, std::vector<IdT>& connectivity)
{
  int64_t step[8];
  for (int c = 0; c < shape.Corners; ++c)
  {
    step[c] = 0;
    for (int k = 0; k < 3; ++k)
    {
      step[c] += shape.Steps[c][k] * lattice.Stride[k];
    }
  }
  connectivity.resize(static_cast<size_t>(lattice.CellCount() * shape.Corners));
  IdT* out = connectivity.data();
  for (int64_t k = 0; k < lattice.Cells[2]; ++k)
  {
    for (int64_t j = 0; j < lattice.Cells[1]; ++j)
    {
      for (int64_t i = 0; i < lattice.Cells[0]; ++i)
      {
        const int64_t first = i * lattice.Stride[0] + j * lattice.Stride[1] + k * lattice.Stride[2];
        for (int c = 0; c < shape.Corners; ++c)
        {
          *out++ = static_cast<IdT>(first + step[c]);
        }
      }
    }
  }
}

void FillLattice(const int dimensions[3], bool isCurved, CellsView& view)
{
  const Lattice lattice(dimensions);
  const Shape& shape = ShapeOf(lattice, isCurved);
  view.Cells.type = shape.Type;
  view.Cells.cell_size = shape.Corners;
  if (view.Cells.points.count <= std::numeric_limits<int32_t>::max())
  {
    WriteCells(lattice, shape, view.Connectivity32);
    view.Cells.id_type = SQ_INT32;
    view.Cells.connectivity = view.Connectivity32.data();
  }
  else
  {
    WriteCells(lattice, shape, view.Connectivity);
    view.Cells.id_type = SQ_INT64;
    view.Cells.connectivity = view.Connectivity.data();
  }
  view.Cells.connectivity_count = lattice.CellCount() * shape.Corners;
}
}

bool FillStructuredCells(vtkDataSet* data, CellsView& view)
{
  int dimensions[3];
  bool isCurved = false;
  if (auto* image = vtkImageData::SafeDownCast(data))
  {
    image->GetDimensions(dimensions);
  }
  else if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(data))
  {
    rectilinear->GetDimensions(dimensions);
  }
  else if (auto* structured = vtkStructuredGrid::SafeDownCast(data))
  {
    structured->GetDimensions(dimensions);
    isCurved = true;
  }
  else
  {
    return false;
  }
  FillLattice(dimensions, isCurved, view);
  return true;
}
}
