/**
 * @class   vtkSQSignedDistanceVolume
 * @brief   signed distance to a surface on a regular grid
 *
 * Input is the surface, as in vtkSQSignedDistanceField; the output is an image with the point arrays SignedDistance
 * and vtkValidPointMask. Only the requested sub-extent is computed. Every number is the one that vtkSQSignedDistanceField gives at that
 * point, rounded once where OutputType is Float.
 *
 * The grid covers the bounds of Input, enlarged on each side by Padding times their diagonal, or SamplingBounds. With several time steps
 * it follows the bounds; under SamplingType 1 its number of points is that of the first step.
 */
#ifndef vtkSQSignedDistanceVolume_h
#define vtkSQSignedDistanceVolume_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_surface.h" // for limits and defaults

#include <memory> // for std::unique_ptr

namespace vtkSQ
{
struct GridRequest;
class Run;
}
class vtkImageData;

class VTKSQFILTERS_EXPORT vtkSQSignedDistanceVolume : public vtkSQAlgorithm
{
public:
  static vtkSQSignedDistanceVolume* New();
  vtkTypeMacro(vtkSQSignedDistanceVolume, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Cover the bounds of Input and Padding around them (fraction of the diagonal), or SamplingBounds. Defaults on, 0.1, 0 1 0 1 0 1.
   */
  vtkSetMacro(UseInputBounds, bool);
  vtkGetMacro(UseInputBounds, bool);
  vtkBooleanMacro(UseInputBounds, bool);
  vtkSetClampMacro(Padding, double, 0.0, 100.0);
  vtkGetMacro(Padding, double);
  vtkSetVector6Macro(SamplingBounds, double);
  vtkGetVector6Macro(SamplingBounds, double);
  ///@}

  ///@{
  /**
   * 0 Dimensions: SamplingDimensions points a side; 1 Voxel Size: cubes of side VoxelSize (0: 1/100 of the longest
   * side). Defaults 0, 100 100 100, 0.
   */
  vtkSetClampMacro(SamplingType, int, 0, 1);
  vtkGetMacro(SamplingType, int);
  vtkSetVector3Macro(SamplingDimensions, int);
  vtkGetVector3Macro(SamplingDimensions, int);
  vtkSetClampMacro(VoxelSize, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(VoxelSize, double);
  ///@}

  ///@{
  /**
   * Numbers of the distance array: 0 Float, 1 Double. Default 0.
   */
  vtkSetClampMacro(OutputType, int, 0, 1);
  vtkGetMacro(OutputType, int);
  ///@}

  ///@{
  /**
   * 0 Automatic, 1 Pseudonormal, 2 Winding Number (inside where it exceeds 1/2), 3 Unsigned. Automatic is Pseudonormal where
   * that is right, else Winding Number. Default 0.
   */
  vtkSetClampMacro(SignMethod, int, SQ_SIGN_METHOD_MIN, SQ_SIGN_METHOD_MAX);
  vtkGetMacro(SignMethod, int);
  ///@}

  ///@{
  /**
   * Opening factor of the fast winding number: larger is more exact and slower, 0 is the exact sum. Default 2.
   */
  vtkSetClampMacro(WindingAccuracy, double, SQ_WINDING_ACCURACY_MIN, SQ_WINDING_ACCURACY_MAX);
  vtkGetMacro(WindingAccuracy, double);
  ///@}

  ///@{
  /**
   * Weld coincident points first: exactly equal ones, then those within MergeTolerance times the diagonal of the
   * surface. Defaults on and 0.
   */
  vtkSetMacro(MergePoints, bool);
  vtkGetMacro(MergePoints, bool);
  vtkBooleanMacro(MergePoints, bool);
  vtkSetClampMacro(MergeTolerance, double, SQ_MERGE_TOLERANCE_MIN, SQ_MERGE_TOLERANCE_MAX);
  vtkGetMacro(MergeTolerance, double);
  ///@}

  ///@{
  /**
   * The surface faces inward: turn all signs. Default off.
   */
  vtkSetMacro(FlipInsideOut, bool);
  vtkGetMacro(FlipInsideOut, bool);
  vtkBooleanMacro(FlipInsideOut, bool);
  ///@}

  ///@{
  /**
   * With LimitDistance, points farther than MaxDistance from the surface are invalid (mask 0); their distance is NaN
   * (OutOfBandValue 0) or MaxDistance with the sign of the side (1). Defaults off, 0, 1.
   */
  vtkSetMacro(LimitDistance, bool);
  vtkGetMacro(LimitDistance, bool);
  vtkBooleanMacro(LimitDistance, bool);
  vtkSetClampMacro(MaxDistance, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaxDistance, double);
  vtkSetClampMacro(OutOfBandValue, int, 0, 1);
  vtkGetMacro(OutOfBandValue, int);
  ///@}

protected:
  vtkSQSignedDistanceVolume();
  ~vtkSQSignedDistanceVolume() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestInformation(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQSignedDistanceVolume(const vtkSQSignedDistanceVolume&) = delete;
  void operator=(const vtkSQSignedDistanceVolume&) = delete;

  vtkSQ::GridRequest Request() const;
  bool Measure(vtkSQ::Run& run, vtkDataObject* input, vtkImageData* image);

  struct Internals;
  std::unique_ptr<Internals> Kept;

  bool UseInputBounds = true;
  double Padding = 0.1;
  double SamplingBounds[6] = { 0.0, 1.0, 0.0, 1.0, 0.0, 1.0 };
  int SamplingType = 0;
  int SamplingDimensions[3] = { 100, 100, 100 };
  double VoxelSize = 0.0;
  int OutputType = 0;
  int SignMethod = SQ_SIGN_METHOD_DEFAULT;
  double WindingAccuracy = SQ_WINDING_ACCURACY_DEFAULT;
  bool MergePoints = SQ_MERGE_POINTS_DEFAULT;
  double MergeTolerance = SQ_MERGE_TOLERANCE_DEFAULT;
  bool FlipInsideOut = false;
  bool LimitDistance = false;
  double MaxDistance = 0.0;
  int OutOfBandValue = SQ_OUT_OF_BAND_SIGNED_MAX;
};

#endif
