/** What a check of the core finds, as the outputs of Surface Check. */
#ifndef vtkSQFaults_h
#define vtkSQFaults_h

#include "vtkSQOutput.h"
#include "vtkSQSurface.h"

#include "spatialqueries/sq_surface_check.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

class vtkPolyData;
class vtkTable;

namespace vtkSQ
{
class Faults
{
public:
  /** The cell arrays of AddToCells(). */
  static std::set<std::string> CellNames();

  /** Checks the surface unless that has been done; false after a failure or an abort. */
  bool Update(Run& run, const Surface& surface);
  bool WereReused() const { return this->Reused; }

  /** ComponentId and Problem of every cell; false after a failure or an abort. */
  bool AddToCells(Run& run, const std::vector<Leaf>& leaves, Output& cells) const;

  /** Bad edges and triangles with the names of their cells. */
  void FillProblems(const std::vector<Leaf>& leaves, bool isComposite, vtkPolyData* problems) const;

  /** A row for the whole surface, and one a component. */
  void FillReport(const sq_surface_report& whole, vtkTable* report) const;

  /** For the ranks that show nothing: the same arrays without cells or rows. */
  static void KeepNothing(vtkPolyData* problems, vtkTable* report, const Output& cells);

private:
  struct Destroy
  {
    void operator()(sq_surface_check* check) const { sq_surface_check_destroy(check); }
  };
  std::unique_ptr<sq_surface_check, Destroy> Check;
  sq_surface_check_view View = {};
  double Generation = -1.0;
  bool Reused = false;
};
}
#endif
