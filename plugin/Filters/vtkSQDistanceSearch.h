/** A surface whose signed distance is asked from any threads, one point at a time or many together. */
#ifndef vtkSQDistanceSearch_h
#define vtkSQDistanceSearch_h

#include "vtkSQHandles.h"
#include "vtkSQPerThread.h"
#include "vtkSQStamps.h"

#include "spatialqueries/sq_surface_query.h"

#include <string>

class vtkDataArray;
class vtkDataObject;

namespace vtkSQ
{
using SurfaceHandle = std::unique_ptr<sq_surface, Destroyer<sq_surface, sq_surface_destroy>>;
using SurfaceQueryHandle =
  std::unique_ptr<sq_surface_query, Destroyer<sq_surface_query, sq_surface_query_destroy>>;

/** Immutable once built; the surface owns copies of all it needs. */
class DistanceSearch
{
public:
  /** Of a data set or composite; `previous` where nothing differs. NULL after a failure, with the reason. */
  static std::shared_ptr<DistanceSearch> Of(vtkDataObject* surface, const sq_surface_options& build,
    const sq_distance_options& options, const std::shared_ptr<DistanceSearch>& previous,
    std::string& reason);

  /** Signed distance, and unless NULL its gradient; NaN where there is none. */
  double Distance(const double x[3], double* gradient);

  /** For all points of an array of triples; false after a failure, with the reason. */
  bool Distances(vtkDataArray* points, vtkDataArray* distances, std::string& reason) const;

private:
  DistanceSearch() = default;
  bool IsOf(const sq_surface_options& build, const sq_distance_options& options) const;

  Stamps UsedStamps;
  uint64_t Content = 0;
  sq_surface_options BuildOptions = {};
  sq_distance_options Options = {};
  std::shared_ptr<sq_surface> Built; // searches with other signs share it
  PerThread<SurfaceQueryHandle> Askers;
};
}
#endif
