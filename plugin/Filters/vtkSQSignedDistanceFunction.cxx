#include "vtkSQSignedDistanceFunction.h"

#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkSQDistanceSearch.h"
#include "vtkSQLeaves.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <cmath>
#include <new>

vtkStandardNewMacro(vtkSQSignedDistanceFunction);

struct vtkSQSignedDistanceFunction::Internals
{
  vtkSmartPointer<vtkDataObject> Surface;
  std::mutex Building;
  std::shared_ptr<vtkSQ::DistanceSearch> Search;
  std::atomic<vtkSQ::DistanceSearch*> Current{ nullptr }; // seen while another thread may build
  std::atomic<vtkMTimeType> BuiltFor{ 0 }; // the time of what it was built for; 0: not yet
};

vtkSQSignedDistanceFunction::vtkSQSignedDistanceFunction()
  : Kept(std::make_unique<Internals>())
{
}

vtkSQSignedDistanceFunction::~vtkSQSignedDistanceFunction() = default;

void vtkSQSignedDistanceFunction::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Surface: " << this->Kept->Surface.Get() << "\n";
  os << indent << "SignMethod: " << this->SignMethod << "\n";
  os << indent << "WindingAccuracy: " << this->WindingAccuracy << "\n";
  os << indent << "MergePoints: " << this->MergePoints << "\n";
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
  os << indent << "FlipInsideOut: " << this->FlipInsideOut << "\n";
}

void vtkSQSignedDistanceFunction::SetSurface(vtkDataObject* surface)
{
  if (this->Kept->Surface != surface)
  {
    this->Kept->Surface = surface;
    this->Modified();
  }
}

vtkDataObject* vtkSQSignedDistanceFunction::GetSurface()
{
  return this->Kept->Surface;
}

vtkMTimeType vtkSQSignedDistanceFunction::GetMTime()
{
  vtkMTimeType time = this->Superclass::GetMTime();
  vtkDataObject* surface = this->Kept->Surface;
  time = surface ? std::max(time, surface->GetMTime()) : time;
  if (vtkCompositeDataSet::SafeDownCast(surface))
  {
    for (const vtkSQ::Leaf& leaf : vtkSQ::LeavesOf(surface))
    {
      time = std::max(time, leaf.Data->GetMTime());
    }
  }
  return time;
}

/** What evaluations ask; NULL where it cannot be built. */
vtkSQ::DistanceSearch* vtkSQSignedDistanceFunction::Ready()
{
  const vtkMTimeType now = this->GetMTime();
  if (this->Kept->BuiltFor.load(std::memory_order_acquire) != now)
  {
    const std::lock_guard<std::mutex> lock(this->Kept->Building);
    if (this->Kept->BuiltFor.load(std::memory_order_acquire) != now)
    {
      this->Build();
      this->Kept->BuiltFor.store(now, std::memory_order_release);
    }
  }
  return this->Kept->Current.load(std::memory_order_acquire);
}

void vtkSQSignedDistanceFunction::Build()
{
  vtkDataObject* surface = this->Kept->Surface;
  std::shared_ptr<vtkSQ::DistanceSearch> search;
  if (!surface)
  {
    vtkErrorMacro(<< "Signed Distance Function: no Surface is set");
  }
  else if (!vtkDataSet::SafeDownCast(surface) && !vtkCompositeDataSet::SafeDownCast(surface))
  {
    vtkErrorMacro(<< "Signed Distance Function: Surface: is a " << surface->GetClassName()
                  << "; allowed are data sets and composites of them");
  }
  else
  {
    sq_surface_options build = sq_surface_options_default();
    build.merge_points = this->MergePoints;
    build.merge_tolerance = this->MergeTolerance;
    sq_distance_options options = sq_distance_options_default();
    options.sign_method = static_cast<sq_sign_method>(this->SignMethod);
    options.flip_inside_out = this->FlipInsideOut;
    options.winding_accuracy = this->WindingAccuracy;
    std::string reason = "out of memory";
    try
    {
      search = vtkSQ::DistanceSearch::Of(surface, build, options, this->Kept->Search, reason);
    }
    catch (const std::bad_alloc&)
    {
    }
    if (!search)
    {
      vtkErrorMacro(<< "Signed Distance Function: Surface: " << reason);
    }
  }
  this->Kept->Current.store(search.get(), std::memory_order_release);
  this->Kept->Search = std::move(search);
}

double vtkSQSignedDistanceFunction::EvaluateFunction(double x[3])
{
  vtkSQ::DistanceSearch* search = this->Ready();
  return search ? search->Distance(x, nullptr) : std::nan("");
}

void vtkSQSignedDistanceFunction::EvaluateFunction(vtkDataArray* input, vtkDataArray* output)
{
  vtkSQ::DistanceSearch* search = this->Ready();
  std::string reason = "an array of points has 3 components";
  output->SetNumberOfComponents(1);
  output->SetNumberOfTuples(input->GetNumberOfTuples());
  if (search && input->GetNumberOfComponents() == 3 && search->Distances(input, output, reason))
  {
    return;
  }
  if (search)
  {
    vtkErrorMacro(<< "Signed Distance Function: " << reason);
  }
  output->Fill(std::nan(""));
}

void vtkSQSignedDistanceFunction::EvaluateGradient(double x[3], double g[3])
{
  vtkSQ::DistanceSearch* search = this->Ready();
  g[0] = std::nan("");
  if (search)
  {
    search->Distance(x, g);
  }
  if (std::isnan(g[0]))
  {
    g[0] = g[1] = g[2] = 0.0;
  }
}
