/**
 * @class   vtkSQBVHCellLocator
 * @brief   a cell locator over the fast index of SpatialQueries
 *
 * Wherever VTK takes a vtkAbstractCellLocator: vtkProbeFilter, vtkResampleWithDataSet (in ParaView: Resample With Dataset, Cell
 * Locator), stream tracers through vtkCellLocatorStrategy, vtkPointSet::SetCellLocator. The cells found are those of
 * vtkSQBVHProbe with an absolute tolerance: every candidate is tried before a point counts as outside, and of several cells
 * the lowest id answers (with global cell ids the lowest of those). Hidden and duplicate cells are never found.
 *
 * tol2 of FindCell is honoured; it is at least some ulp of the coordinates. The weights are those of the core; parametric
 * coordinates that it lacks (polyhedra, polygons that are not convex) come from VTK's cell. Of solids a line meets the
 * boundary. Cells of types that the core does not know are asked through vtkGenericCell.
 *
 * Queries with a vtkGenericCell of their own are thread-safe, those of lists of cells too. The structure is rebuilt when the
 * geometry of the data set changes, not when only its attributes do. There is nothing to set: a prototype's
 * settings would be lost, since VTK makes new instances of it. NumberOfCellsPerNode and the like have no effect.
 *
 * Search structure: wide bounding volume hierarchy with surface area heuristic (Wald, "On fast construction of SAH-based
 * bounding volume hierarchies", RT 2007). Which side of a triangle a line's ends lie on is exact (Shewchuk 1997).
 */
#ifndef vtkSQBVHCellLocator_h
#define vtkSQBVHCellLocator_h

#include "vtkAbstractCellLocator.h"
#include "vtkSQFiltersModule.h" // for export macro

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
class CellSearch;
struct CellPoint;
}

class VTKSQFILTERS_EXPORT vtkSQBVHCellLocator : public vtkAbstractCellLocator
{
public:
  static vtkSQBVHCellLocator* New();
  vtkTypeMacro(vtkSQBVHCellLocator, vtkAbstractCellLocator);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  using vtkAbstractCellLocator::FindCell;
  using vtkAbstractCellLocator::FindClosestPoint;
  using vtkAbstractCellLocator::FindClosestPointWithinRadius;
  using vtkAbstractCellLocator::IntersectWithLine;

  /** The cell at x, or within a distance whose square is tol2. Thread-safe. */
  vtkIdType FindCell(double x[3], double tol2, vtkGenericCell* cell, int& subId, double pcoords[3],
    double* weights) override;

  /**
   * The closest point of the cells. `inside` is 1 in a solid, and where the closest point is none of the rim of a cell of lower
   * dimension. Thread-safe.
   */
  vtkIdType FindClosestPointWithinRadius(double x[3], double radius, double closestPoint[3],
    vtkGenericCell* cell, vtkIdType& cellId, int& subId, double& dist2, int& inside) override;

  /** The first crossing of a segment. Thread-safe. */
  int IntersectWithLine(const double p1[3], const double p2[3], double tol, double& t, double x[3],
    double pcoords[3], int& subId, vtkIdType& cellId, vtkGenericCell* cell) override;

  /** All crossings, one a cell, or without `cell` those with the boxes of the cells. Thread-safe. */
  int IntersectWithLine(const double p1[3], const double p2[3], double tol, vtkPoints* points,
    vtkIdList* cellIds, vtkGenericCell* cell) override;

  /** All crossings, without a tolerance. Not thread-safe. */
  int IntersectWithLine(
    const double p1[3], const double p2[3], vtkPoints* points, vtkIdList* cellIds) override;

  /** Whether x is in the box of a cell. Boxes are never cached, whatever CacheCellBounds says. Thread-safe. */
  bool InsideCellBounds(double x[3], vtkIdType cellId) override;

  /** Cells whose box meets a box; ascending ids. Thread-safe. */
  void FindCellsWithinBounds(double* bbox, vtkIdList* cells) override;

  /** Cells that a plane cuts or passes within a tolerance; ascending ids. Thread-safe. */
  void FindCellsAlongPlane(
    const double o[3], const double n[3], double tolerance, vtkIdList* cells) override;

  void BuildLocator() override;
  void ForceBuildLocator() override;
  void FreeSearchStructure() override;

  /** Boxes of the tree at a level, the root being 0, and the leaves above it; below 0: all leaves. */
  void GenerateRepresentation(int level, vtkPolyData* pd) override;

  /** Shares the structure of another vtkSQBVHCellLocator. */
  void ShallowCopy(vtkAbstractCellLocator* locator) override;

protected:
  vtkSQBVHCellLocator();
  ~vtkSQBVHCellLocator() override;

  void BuildLocatorInternal() override;

private:
  vtkSQBVHCellLocator(const vtkSQBVHCellLocator&) = delete;
  void operator=(const vtkSQBVHCellLocator&) = delete;

  vtkSQ::CellSearch* Ready();
  bool IsCurrent() const;
  void Build(bool anew);
  void SetCell(const vtkSQ::CellPoint& at, vtkGenericCell* cell, double pcoords[3]);

  struct Internals;
  std::unique_ptr<Internals> Kept;
};

#endif
