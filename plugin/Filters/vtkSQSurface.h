/** The surface of the distance filters: built or reused, its report, what is said about it. */
#ifndef vtkSQSurface_h
#define vtkSQSurface_h

#include "vtkSQCache.h"

#include "spatialqueries/sq_surface.h"

class vtkDataObject;

namespace vtkSQ
{
/** The columns of a Surface Report in order: `count(name, integer)` or `value(name, double)`; component -1: the whole surface. */
template <class CountT, class ValueT>
void VisitReport(const sq_surface_report& r, int64_t component, CountT&& count, ValueT&& value)
{
  count("Component", component);
  count("BoundaryEdges", r.boundary_edges);
  count("NonManifoldEdges", r.non_manifold_edges);
  count("InconsistentEdges", r.inconsistent_edges);
  count("DegenerateTriangles", r.degenerate_triangles);
  count("DuplicateTriangles", r.duplicate_triangles);
  count("SelfIntersections", r.self_intersections);
  count("Components", r.components);
  value("Area", r.area);
  value("SignedVolume", r.signed_volume);
  count("IsClosed", r.is_closed);
}

class Surface
{
public:
  /** False after a failure (one message) or an abort. */
  bool Update(Run& run, const std::vector<Leaf>& leaves, const sq_surface_options& options,
    const char* input = "Surface");

  const sq_surface* Get() const { return this->Built.Get(); }
  const sq_surface_report& Report() const { return this->Counts; }
  double Generation() const { return this->Built.Generation(); }

  /** How sq_surface_distance() signs with this request. */
  sq_sign_method MethodUsed(sq_sign_method requested) const;

  /** Once a built surface: elements left out, triangles too small for their coordinates. */
  void Warn(Run& run);
  /** And once each: curves instead of a surface, signs that are not reliable, a surface that faces inward. */
  void WarnAboutSigns(Run& run, sq_sign_method requested, bool flipped);

  /** BVHReused, BuildSeconds, SkippedElements. */
  void AddBuildFields(vtkDataObject* output) const;
  /** These, SignMethodUsed and the columns of the Surface Report. */
  void AddFields(vtkDataObject* output, sq_sign_method requested) const;

private:
  Structure<sq_surface, sq_surface_destroy> Built;
  sq_surface_report Counts = {};
  bool Said = false;
  bool SaidSigns = false;
  bool SaidInward = false;
};
}
#endif
