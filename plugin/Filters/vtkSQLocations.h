/** Where queries lie in a source mesh: the index, the located cells, the arrays that say so. */
#ifndef vtkSQLocations_h
#define vtkSQLocations_h

#include "vtkSQCache.h"
#include "vtkSQOutput.h"

#include "spatialqueries/sq_locate_grid.h"

#include "vtkSmartPointer.h"

#include <set>
#include <string>

class vtkCharArray;

namespace vtkSQ
{
/** The index over all cells of the source. */
class MeshIndex
{
public:
  /** False after a failure (one message) or an abort. */
  bool Update(Run& run, const std::vector<Leaf>& leaves);

  /** Makes the tree unless it is there; many queries do without (sq_locate_grid.h). False as above. */
  bool MakeSearchable(Run& run);

  const sq_mesh_index* Get() const { return this->Built.Get(); }
  const sq_mesh_index_info& Info() const { return this->Counts; }
  double Generation() const { return this->Built.Generation(); }

  /** Once a build: what was left out. */
  void Warn(Run& run);

  /** BVHReused (also where the tree was added to what was kept), BuildSeconds, SkippedElements. */
  void AddFields(vtkDataObject* output) const;

private:
  Structure<sq_mesh_index, sq_mesh_index_destroy> Built;
  sq_mesh_index_info Counts = {};
  double SearchSeconds = 0.0; // of this execution
  bool Said = false;
};

/** The located cells of one block of queries; they borrow the index that they were found with. */
struct Location
{
  sq_location* Handle = nullptr;

  Location() = default;
  ~Location() { sq_location_destroy(this->Handle); }
  Location(const Location&) = delete;
  Location& operator=(const Location&) = delete;
};

Settings KeyOf(const sq_locate_options& options);

/** NULL after a failure or an abort. */
std::unique_ptr<Location> Locate(
  Run& run, const sq_mesh_index* index, const Queries& queries, const sq_locate_options& options);

/** Which arrays say where the queries lie. */
struct LocationRequest
{
  std::string MaskName;
  bool CellId = true;
  bool CellBlock = false;
  bool CellGlobalId = false;
  bool Distance = true;
  bool Parametric = false;
  bool ContainingCount = false;
  bool Statistics = false;

  std::set<std::string> Names() const;
};

/** Adds the arrays for `count` queries and returns the mask; NULL after a failure or an abort. */
vtkSmartPointer<vtkCharArray> AddLocationArrays(vtkDataSetAttributes* attributes, Run& run,
  const sq_location* location, vtkIdType count, const std::vector<Leaf>& source,
  const LocationRequest& request);

vtkIdType CountValid(vtkCharArray* mask);
}
#endif
