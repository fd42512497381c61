/** The arrays of a signed distance: made, filled by the core, kept, attached. */
#ifndef vtkSQDistances_h
#define vtkSQDistances_h

#include "vtkSQOutput.h"
#include "vtkSQSurface.h"

#include "vtkSmartPointer.h"

#include <set>
#include <string>

class vtkCharArray;
class vtkDataArray;
class vtkImageData;

namespace vtkSQ
{
struct DistanceRequest
{
  sq_distance_options Options = sq_distance_options_default();
  std::string ResultName;
  std::string MaskName;
  bool ClosestPoint = false;
  bool ClosestCell = false;
  bool Gradient = false;
  bool WindingNumber = false;
  bool SignAgreement = false;
  bool IsCompositeSurface = false;

  /** Everything the arrays depend on besides surface and queries. */
  Settings Key() const;
  /** Names of the arrays that come out; `globalIds`: the surface has global cell ids. */
  std::set<std::string> Names(bool globalIds) const;
  /** Whether the result's name is one, and no other array's. */
  bool IsResultNameFree(bool globalIds) const;
};

struct DistanceAnswer
{
  std::vector<vtkSmartPointer<vtkDataArray>> Arrays;
  std::vector<int64_t>
    Cells; /**< closest cell and the position of its leaf, -1: none; for global ids */
  std::vector<int32_t> Leaves;

  void AddTo(vtkDataSetAttributes* attributes) const;
};

/** NULL after a failure or an abort. */
std::unique_ptr<DistanceAnswer> Measure(Run& run, const sq_surface* surface,
  const std::vector<Leaf>& surfaceLeaves, const Queries& queries, const DistanceRequest& request);

/** Fills both arrays at all points of the image; false after a failure or an abort. */
bool MeasureGrid(Run& run, const sq_surface* surface, vtkImageData* image,
  const sq_distance_options& options, vtkDataArray* distance, vtkCharArray* mask);
}
#endif
