/** The surface of the distance filters: built or reused, its report, what is said about it. */
#ifndef vtkSQSurface_h
#define vtkSQSurface_h

#include "vtkSQCache.h"

#include "spatialqueries/sq_surface.h"

class vtkDataObject;

namespace vtkSQ
{
class Surface
{
public:
  /** False after a failure (one message) or an abort. */
  bool Update(Run& run, const std::vector<Leaf>& leaves, const sq_surface_options& options);

  const sq_surface* Get() const { return this->Built.Get(); }
  const sq_surface_report& Report() const { return this->Counts; }
  double Generation() const { return this->Built.Generation(); }

  /** How sq_surface_distance() signs with this request. */
  sq_sign_method MethodUsed(sq_sign_method requested) const;

  /** Once a built surface each: elements left out, curves instead of a surface, signs that are not reliable. */
  void Warn(Run& run, sq_sign_method requested);

  /** BVHReused, BuildSeconds, SkippedElements, SignMethodUsed and the columns of the Surface Report. */
  void AddFields(vtkDataObject* output, sq_sign_method requested) const;

private:
  void WarnAboutSigns(Run& run);

  Structure<sq_surface, sq_surface_destroy> Built;
  sq_surface_report Counts = {};
  bool SaidSkipped = false;
  bool SaidSigns = false;
};
}
#endif
