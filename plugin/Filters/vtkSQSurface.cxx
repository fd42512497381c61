#include "vtkSQSurface.h"

#include "vtkSQOutput.h"

#include <sstream>
#include <string>

namespace vtkSQ
{
namespace
{
/** Up to one triangle in so many may be too small for its coordinates without a word. */
const int64_t UNRESOLVED_SHARE = 10;
}

bool Surface::Update(
  Run& run, const std::vector<Leaf>& leaves, const sq_surface_options& options, const char* input)
{
  const Settings settings = { double(options.merge_points), options.merge_tolerance };
  const bool built = this->Built.Update(leaves, settings,
    [&](const Mesh& mesh, sq_surface** surface)
    {
      return run.Succeeded(
        sq_surface_build(run.Context(), mesh.Blocks(), mesh.BlockCount(), &options, surface),
        input);
    });
  if (!run.SameOnAllRanks(this->Built.Content(), input) || !built)
  {
    return false;
  }
  run.Hold(sq_surface_bytes(this->Get()));
  if (this->Built.WasReused())
  {
    return true;
  }
  this->Said = this->SaidSigns = this->SaidInward = false;
  return run.Succeeded(sq_surface_get_report(this->Get(), &this->Counts), input);
}

sq_sign_method Surface::MethodUsed(sq_sign_method requested) const
{
  if (this->Counts.kind == SQ_SURFACE_CURVES)
  {
    return SQ_SIGN_UNSIGNED;
  }
  return requested == SQ_SIGN_AUTOMATIC ? this->Counts.automatic_sign : requested;
}

void Surface::Warn(Run& run)
{
  const sq_surface_report& r = this->Counts;
  if (this->Said)
  {
    return;
  }
  this->Said = true;
  if (r.skipped_elements > 0)
  {
    std::ostringstream text;
    text << r.skipped_elements
         << " cells of the surface have a coordinate that is not finite and are left out.";
    run.Warning(text.str().c_str());
  }
  if (r.unresolved_triangles > r.triangles / UNRESOLVED_SHARE)
  {
    std::ostringstream text;
    text << r.unresolved_triangles << " of " << r.triangles
         << " triangles of the surface are no larger than a few spacings of their float32 "
            "coordinates, so the surface is known roughly only; give double coordinates, or move "
            "it nearer to the origin.";
    run.Warning(text.str().c_str());
  }
}

void Surface::WarnAboutSigns(Run& run, sq_sign_method requested, bool flipped)
{
  const sq_surface_report& r = this->Counts;
  std::ostringstream text;
  if (requested == SQ_SIGN_UNSIGNED || r.kind == SQ_SURFACE_EMPTY)
  {
    return;
  }
  if (r.faces_inward && !flipped && !this->SaidInward)
  {
    this->SaidInward = true;
    text << "the surface is closed but faces inward (signed volume " << r.signed_volume
         << "), so that its inside counts as outside; set FlipInsideOut to turn all signs.";
    run.Warning(text.str().c_str());
    text.str("");
  }
  else if (r.inward_components > 0 && !this->SaidInward)
  {
    this->SaidInward = true;
    text
      << r.inward_components << " of " << r.components
      << " closed parts of the surface face inward, so that their inside counts as outside; turn "
         "their cells round (Surface Check lists the volume of every part).";
    run.Warning(text.str().c_str());
    text.str("");
  }
  if (r.kind == SQ_SURFACE_CURVES)
  {
    text << "the surface has only lines and vertices; the distance to them is unsigned.";
  }
  else if (requested == SQ_SIGN_PSEUDONORMAL && r.automatic_sign != SQ_SIGN_PSEUDONORMAL)
  {
    text << "Pseudonormal signs may be wrong here (set SignMethod to Automatic): the surface has "
         << r.boundary_edges << " boundary, " << r.non_manifold_edges << " non-manifold and "
         << r.inconsistent_edges << " inconsistent edges, " << r.self_intersections
         << " crossing triangle pairs and " << r.components << " components.";
  }
  if (!this->SaidSigns && !text.str().empty())
  {
    this->SaidSigns = true;
    run.Warning(text.str().c_str());
  }
}

void Surface::AddBuildFields(vtkDataObject* output) const
{
  AddFieldCount(output, "BVHReused", this->Built.WasReused());
  AddFieldValue(output, "BuildSeconds", this->Built.BuildSeconds());
  AddFieldCount(output, "SkippedElements", this->Counts.skipped_elements);
}

void Surface::AddFields(vtkDataObject* output, sq_sign_method requested) const
{
  this->AddBuildFields(output);
  AddFieldCount(output, "SignMethodUsed", this->MethodUsed(requested));
  VisitReport(
    this->Counts, -1,
    [&](const char* name, int64_t count)
    { AddFieldCount(output, ("Surface" + std::string(name)).c_str(), count); },
    [&](const char* name, double value)
    { AddFieldValue(output, ("Surface" + std::string(name)).c_str(), value); });
}
}
