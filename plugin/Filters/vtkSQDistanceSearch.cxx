#include "vtkSQDistanceSearch.h"

#include "vtkSQArrays.h"
#include "vtkSQMesh.h"

#include "vtkDataArray.h"

#include <cmath>

namespace vtkSQ
{
bool DistanceSearch::IsOf(const sq_surface_options& build, const sq_distance_options& options) const
{
  return build.merge_points == this->BuildOptions.merge_points &&
    build.merge_tolerance == this->BuildOptions.merge_tolerance &&
    options.sign_method == this->Options.sign_method &&
    options.flip_inside_out == this->Options.flip_inside_out &&
    options.winding_accuracy == this->Options.winding_accuracy;
}

std::shared_ptr<DistanceSearch> DistanceSearch::Of(vtkDataObject* surface,
  const sq_surface_options& build, const sq_distance_options& options,
  const std::shared_ptr<DistanceSearch>& previous, std::string& reason)
{
  const std::vector<Leaf> leaves = LeavesOf(surface);
  Stamps stamps = Mesh::StampsOf(leaves);
  if (previous && previous->UsedStamps == stamps && previous->IsOf(build, options))
  {
    return previous;
  }
  const Mesh mesh(leaves);
  std::shared_ptr<DistanceSearch> search(new DistanceSearch);
  search->UsedStamps = std::move(stamps);
  search->Content = mesh.Content();
  search->BuildOptions = build;
  search->Options = options;
  if (previous && previous->Content == search->Content && previous->IsOf(build, previous->Options))
  {
    search->Built = previous->Built;
    return search;
  }
  const ContextHandle context = NewContext();
  sq_surface* built = nullptr;
  const sq_status status = context
    ? sq_surface_build(context.get(), mesh.Blocks(), mesh.BlockCount(), &build, &built)
    : SQ_OUT_OF_MEMORY;
  search->Built.reset(built, sq_surface_destroy);
  if (status != SQ_OK)
  {
    const char* message = context ? sq_context_message(context.get()) : "";
    reason = message[0] ? message : sq_status_text(status);
    return nullptr;
  }
  return search;
}

double DistanceSearch::Distance(const double x[3], double* gradient)
{
  SurfaceQueryHandle* mine = this->Askers.Get(
    [this]
    {
      const ContextHandle context = NewContext();
      sq_surface_query* query = nullptr;
      if (context)
      {
        sq_surface_query_create(context.get(), this->Built.get(), &this->Options, &query);
      }
      return query ? std::make_unique<SurfaceQueryHandle>(query)
                   : std::unique_ptr<SurfaceQueryHandle>();
    });
  double distance = std::nan("");
  sq_distance_outputs out = {};
  out.distance = &distance;
  out.gradient = gradient;
  if (mine)
  {
    sq_surface_query_distance(mine->get(), x, &out);
  }
  return distance;
}

bool DistanceSearch::Distances(
  vtkDataArray* points, vtkDataArray* distances, std::string& reason) const
{
  const PointsView view =
    PointsOf(PackAs(points, points->GetDataType() == VTK_FLOAT ? SQ_FLOAT32 : SQ_FLOAT64));
  std::vector<double> numbers(static_cast<size_t>(view.Points.count));
  const ContextHandle context = NewContext();
  sq_distance_outputs out = {};
  out.distance = numbers.data();
  const sq_status status = context
    ? sq_surface_distance(context.get(), this->Built.get(), &view.Points, &this->Options, &out)
    : SQ_OUT_OF_MEMORY;
  if (status != SQ_OK)
  {
    reason = context ? sq_context_message(context.get()) : sq_status_text(status);
    return false;
  }
  for (size_t i = 0; i < numbers.size(); ++i)
  {
    distances->SetComponent(static_cast<vtkIdType>(i), 0, numbers[i]);
  }
  return true;
}
}
