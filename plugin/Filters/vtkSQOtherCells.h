/** Cells of types that the core does not know. */
#ifndef vtkSQOtherCells_h
#define vtkSQOtherCells_h

#include "vtkSQHandles.h"

#include "vtkGenericCell.h"
#include "vtkNew.h"
#include "vtkType.h"

#include <string>
#include <vector>

class vtkDataSet;

namespace vtkSQ
{
struct CellAlong;
struct CellPoint;

/**
 * The core searches boxes around them, which it takes for voxels; the cells in question are asked themselves, through
 * vtkGenericCell. Curved cells leave the box of their points: boxes are larger by half their size on every side.
 */
class OtherCells
{
public:
  /** What one thread needs to ask. */
  struct Asker
  {
    QueryHandle Boxes;
    vtkNew<vtkGenericCell> Cell;
    std::vector<double> Weights; // of the answer
    std::vector<double> Room; // of the cell at work
  };

  /** False after a failure; `reason` says why. */
  bool Build(vtkDataSet* data, std::string& reason);
  bool IsEmpty() const { return this->Ids.empty(); }
  /** Whether `asker` can ask now; there may be no memory for it. */
  bool Prepare(Asker& asker) const;

  /** Each replaces `best` where a cell here answers better, or as well with a lower id. */
  void Containing(
    Asker& asker, vtkDataSet* data, const double x[3], double tolerance2, CellPoint& best) const;
  void Closest(
    Asker& asker, vtkDataSet* data, const double x[3], double radius, CellPoint& best) const;
  void FirstCrossing(Asker& asker, vtkDataSet* data, const double a[3], const double b[3],
    double tolerance, CellPoint& best) const;

  /** Each adds to a list. */
  void Crossings(Asker& asker, vtkDataSet* data, const double a[3], const double b[3],
    double tolerance, bool ofBoxes, std::vector<CellAlong>& list) const;
  void InBox(
    Asker& asker, const double lo[3], const double hi[3], std::vector<vtkIdType>& list) const;
  void AlongPlane(Asker& asker, const double origin[3], const double normal[3], double tolerance,
    std::vector<vtkIdType>& list) const;

private:
  void Collect(vtkDataSet* data);
  void Take(Asker& asker, vtkIdType id, CellPoint& best) const;
  void TryClosest(
    Asker& asker, vtkDataSet* data, vtkIdType id, const double x[3], CellPoint& best) const;

  std::vector<vtkIdType> Ids;
  std::vector<double> Corners; // 8 points a box
  std::vector<int64_t> Connectivity;
  IndexHandle Boxes;
};
}
#endif
