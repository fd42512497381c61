/** The cells of one data set, searched one question at a time from any threads. */
#ifndef vtkSQCellSearch_h
#define vtkSQCellSearch_h

#include "vtkSQHandles.h"
#include "vtkSQMesh.h"
#include "vtkSQOtherCells.h"
#include "vtkSQPerThread.h"

#include <string>

namespace vtkSQ
{
/** A point of a cell, as vtkAbstractCellLocator reports it. */
struct CellPoint
{
  vtkIdType Cell = -1; /**< -1: none, and nothing else is set */
  int SubId = 0;
  double T = 0.0; /**< along a segment */
  double X[3]; /**< closest point, or crossing */
  double Distance2 = 0.0;
  double Parametric[3]; /**< NaN where the core has none */
  bool Inside = false;
  bool IsOther = false; /**< answered by VTK's own cell */
  const double* Weights = nullptr; /**< of the cell's points; valid until the thread asks again */
  int WeightCount = 0;
};

/** A cell along a segment. */
struct CellAlong
{
  double T;
  vtkIdType Cell;
  double X[3];
};

/**
 * Immutable once built. Cells of types that the core does not know are asked one by one through vtkGenericCell
 * (OtherCells); of equal answers the lowest id counts. The data set is handed in for them at every question, so that a
 * search may serve several data sets of equal geometry.
 */
class CellSearch
{
public:
  /** A search of `data`; `previous` where the geometry is the same. NULL after a failure, with the reason. */
  static std::shared_ptr<CellSearch> Of(
    vtkDataSet* data, const std::shared_ptr<CellSearch>& previous, std::string& reason);

  CellPoint Containing(vtkDataSet* data, const double x[3], double tolerance2);
  CellPoint Closest(vtkDataSet* data, const double x[3], double radius);
  CellPoint FirstCrossing(vtkDataSet* data, const double a[3], const double b[3], double tolerance);
  /** All crossings, or those with the boxes of the cells; by T, then Cell. */
  std::vector<CellAlong> Crossings(
    vtkDataSet* data, const double a[3], const double b[3], double tolerance, bool ofBoxes);
  /** Ascending ids. */
  std::vector<vtkIdType> InBox(const double bounds[6]);
  std::vector<vtkIdType> AlongPlane(
    const double origin[3], const double normal[3], double tolerance);

  const sq_mesh_index* Index() const { return this->Built.get(); }

private:
  /** What a thread asks with. */
  struct Asker
  {
    QueryHandle Query;
    OtherCells::Asker Others;
  };
  Asker* Mine();

  CellSearch() = default;

  Stamps UsedStamps;
  uint64_t Content = 0;
  std::unique_ptr<Mesh> Source; // the index borrows its arrays
  IndexHandle Built;
  OtherCells Others;
  PerThread<Asker> Askers; // last, so that they go first
};
}
#endif
