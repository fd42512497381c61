#include "vtkSQSurface.h"

#include "vtkSQOutput.h"

#include <sstream>

namespace vtkSQ
{
bool Surface::Update(Run& run, const std::vector<Leaf>& leaves, const sq_surface_options& options)
{
  const Settings settings = { double(options.merge_points), options.merge_tolerance };
  const bool built = this->Built.Update(leaves, settings,
    [&](const Mesh& mesh, sq_surface** surface)
    {
      return run.Succeeded(
        sq_surface_build(run.Context(), mesh.Blocks(), mesh.BlockCount(), &options, surface),
        "Surface");
    });
  if (!run.SameOnAllRanks(this->Built.Content(), "Surface") || !built)
  {
    return false;
  }
  run.Hold(sq_surface_bytes(this->Get()));
  if (this->Built.WasReused())
  {
    return true;
  }
  this->SaidSkipped = false;
  this->SaidSigns = false;
  return run.Succeeded(sq_surface_get_report(this->Get(), &this->Counts), "Surface");
}

sq_sign_method Surface::MethodUsed(sq_sign_method requested) const
{
  if (this->Counts.kind == SQ_SURFACE_CURVES)
  {
    return SQ_SIGN_UNSIGNED;
  }
  return requested == SQ_SIGN_AUTOMATIC ? this->Counts.automatic_sign : requested;
}

void Surface::Warn(Run& run, sq_sign_method requested)
{
  if (this->Counts.skipped_elements > 0 && !this->SaidSkipped)
  {
    this->SaidSkipped = true;
    std::ostringstream text;
    text << this->Counts.skipped_elements
         << " cells of the surface have a coordinate that is not finite and are left out.";
    run.Warning(text.str().c_str());
  }
  const bool isCurves = this->Counts.kind == SQ_SURFACE_CURVES;
  if (!this->SaidSigns && requested != SQ_SIGN_UNSIGNED &&
    (isCurves || requested == SQ_SIGN_PSEUDONORMAL))
  {
    this->SaidSigns = true;
    this->WarnAboutSigns(run);
  }
}

void Surface::WarnAboutSigns(Run& run)
{
  const sq_surface_report& r = this->Counts;
  std::ostringstream text;
  if (r.kind == SQ_SURFACE_CURVES)
  {
    text << "the surface has only lines and vertices; the distance to them is unsigned.";
    run.Warning(text.str().c_str());
  }
  else if (r.kind != SQ_SURFACE_EMPTY && r.automatic_sign != SQ_SIGN_PSEUDONORMAL)
  {
    text << "Pseudonormal signs may be wrong here (set SignMethod to Automatic): the surface has "
         << r.boundary_edges << " boundary, " << r.non_manifold_edges << " non-manifold and "
         << r.inconsistent_edges << " inconsistent edges, " << r.self_intersections
         << " crossing triangle pairs and " << r.components << " components.";
    run.Warning(text.str().c_str());
  }
}

void Surface::AddFields(vtkDataObject* output, sq_sign_method requested) const
{
  const sq_surface_report& r = this->Counts;
  AddFieldCount(output, "BVHReused", this->Built.WasReused());
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds());
  AddFieldCount(output, "SkippedElements", r.skipped_elements);
  AddFieldCount(output, "SignMethodUsed", this->MethodUsed(requested));
  AddFieldCount(output, "SurfaceComponent", -1);
  AddFieldCount(output, "SurfaceBoundaryEdges", r.boundary_edges);
  AddFieldCount(output, "SurfaceNonManifoldEdges", r.non_manifold_edges);
  AddFieldCount(output, "SurfaceInconsistentEdges", r.inconsistent_edges);
  AddFieldCount(output, "SurfaceDegenerateTriangles", r.degenerate_triangles);
  AddFieldCount(output, "SurfaceDuplicateTriangles", r.duplicate_triangles);
  AddFieldCount(output, "SurfaceSelfIntersections", r.self_intersections);
  AddFieldCount(output, "SurfaceComponents", r.components);
  AddFieldValue(output, "SurfaceArea", r.area);
  AddFieldValue(output, "SurfaceSignedVolume", r.signed_volume);
  AddFieldCount(output, "SurfaceIsClosed", r.is_closed);
}
}
