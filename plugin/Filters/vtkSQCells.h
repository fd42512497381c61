/** The cells of any data set as a view of the core. */
#ifndef vtkSQCells_h
#define vtkSQCells_h

#include "vtkSQPoints.h"

#include <vector>

namespace vtkSQ
{
/**
 * Cells in VTK's order of ids. Connectivity and offsets are borrowed where one packed cell array holds them; cell types,
 * the sections of mixed polydata, the faces of polyhedra, the orders of Lagrange and Bezier cells and the cells of structured
 * data are copies.
 */
struct CellsView
{
  sq_cells Cells = {};
  PointsView Points;
  Packed OffsetsKeep;
  Packed ConnectivityKeep;
  Packed GhostKeep;
  Packed GlobalIdsKeep;
  Packed RationalWeightsKeep;
  std::vector<uint8_t> Types;
  std::vector<int64_t> Offsets;
  std::vector<int64_t> Connectivity;
  std::vector<int32_t> Connectivity32;
  std::vector<int64_t> FaceOffsets;
  std::vector<int32_t> Faces;
  std::vector<uint8_t> Degrees;

  CellsView() = default;
  CellsView(CellsView&&) = default;
  CellsView& operator=(CellsView&&) = default;
};

CellsView CellsOf(vtkDataSet* data);
}
#endif
