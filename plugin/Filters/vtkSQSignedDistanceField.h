/**
 * @class   vtkSQSignedDistanceField
 * @brief   signed distance, closest point and closest cell of a surface at the points or cells of Input
 *
 * Port 0 is Input, where the distance is evaluated; port 1 is Surface. Of the surface the 2-D cells count (triangles,
 * quads, polygons, strips); where there are none, the boundary faces of its 3-D cells; where there are none either, its lines and
 * vertices, to which the distance is unsigned. All blocks of a composite surface are searched as one.
 *
 * The distance is negative inside, exactly 0 on the surface, and exact up to rounding. The sign is that of the angle-weighted
 * pseudonormal at the closest feature of the welded surface (Baerentzen and Aanaes, "Signed distance computation using the
 * angle weighted pseudonormal", IEEE TVCG 11(3), 2005), or that of the generalised winding number (Barill et al., "Fast
 * winding numbers for soups and clouds", ACM TOG 37(4), 2018).
 *
 * Arrays: the distance (ResultArrayName), vtkValidPointMask or vtkValidCellMask, and on request ClosestPoint,
 * ClosestCellId (ClosestCellBlock, ClosestCellGlobalId), ClosestSubId, ClosestBarycentric, DistanceGradient,
 * WindingNumber, SignAgreement. Field data: how the surface was built and what its edges are like. Arrays of Input
 * pass; those with a name of the results go out as <name>_input.
 */
#ifndef vtkSQSignedDistanceField_h
#define vtkSQSignedDistanceField_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_surface.h" // for limits and defaults

#include <memory> // for std::unique_ptr
#include <string> // for std::string

namespace vtkSQ
{
struct DistanceRequest;
class Output;
class Run;
}

class VTKSQFILTERS_EXPORT vtkSQSignedDistanceField : public vtkSQAlgorithm
{
public:
  static vtkSQSignedDistanceField* New();
  vtkTypeMacro(vtkSQSignedDistanceField, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

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
   * Weld coincident points before edges are matched: exactly equal ones, then those within MergeTolerance times the diagonal of the
   * surface. Ids stay the original ones. Defaults on and 0.
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
   * With LimitDistance, elements farther than MaxDistance from the surface are invalid: mask 0, id -1. Their distance is
   * NaN (OutOfBandValue 0) or MaxDistance with the sign of the side (1). Defaults off, 0, 0.
   */
  vtkSetMacro(LimitDistance, bool);
  vtkGetMacro(LimitDistance, bool);
  vtkBooleanMacro(LimitDistance, bool);
  vtkSetClampMacro(MaxDistance, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaxDistance, double);
  vtkSetClampMacro(OutOfBandValue, int, 0, 1);
  vtkGetMacro(OutOfBandValue, int);
  ///@}

  ///@{
  /**
   * Evaluate at the points (0, point arrays) or at the cell centres (1, cell arrays) of Input. Default 0.
   */
  vtkSetClampMacro(InputElements, int, 0, 1);
  vtkGetMacro(InputElements, int);
  ///@}

  ///@{
  /**
   * Write ClosestPoint (default on); ClosestCellId, ClosestSubId and ClosestBarycentric (default on); DistanceGradient
   * (default off): of length 1, and on the surface the pseudonormal.
   */
  vtkSetMacro(ComputeClosestPoint, bool);
  vtkGetMacro(ComputeClosestPoint, bool);
  vtkBooleanMacro(ComputeClosestPoint, bool);
  vtkSetMacro(ComputeClosestCell, bool);
  vtkGetMacro(ComputeClosestCell, bool);
  vtkBooleanMacro(ComputeClosestCell, bool);
  vtkSetMacro(ComputeGradient, bool);
  vtkGetMacro(ComputeGradient, bool);
  vtkBooleanMacro(ComputeGradient, bool);
  ///@}

  ///@{
  /**
   * Write WindingNumber; SignAgreement, 1 where Pseudonormal and Winding Number give one sign. Both off by default.
   */
  vtkSetMacro(ComputeWindingNumber, bool);
  vtkGetMacro(ComputeWindingNumber, bool);
  vtkBooleanMacro(ComputeWindingNumber, bool);
  vtkSetMacro(ComputeSignAgreement, bool);
  vtkGetMacro(ComputeSignAgreement, bool);
  vtkBooleanMacro(ComputeSignAgreement, bool);
  ///@}

  ///@{
  /**
   * Name of the distance array. Default "SignedDistance".
   */
  vtkSetStdStringFromCharMacro(ResultArrayName);
  vtkGetCharFromStdStringMacro(ResultArrayName);
  ///@}

  /** The surface; the same as SetInputConnection(1, output). */
  void SetSurfaceConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }

protected:
  vtkSQSignedDistanceField();
  ~vtkSQSignedDistanceField() override;

  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQSignedDistanceField(const vtkSQSignedDistanceField&) = delete;
  void operator=(const vtkSQSignedDistanceField&) = delete;

  vtkSQ::DistanceRequest Request() const;
  bool Measure(vtkSQ::Run& run, vtkDataObject* surface, vtkSQ::Output& out);

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int SignMethod = SQ_SIGN_METHOD_DEFAULT;
  double WindingAccuracy = SQ_WINDING_ACCURACY_DEFAULT;
  bool MergePoints = SQ_MERGE_POINTS_DEFAULT;
  double MergeTolerance = SQ_MERGE_TOLERANCE_DEFAULT;
  bool FlipInsideOut = false;
  bool LimitDistance = false;
  double MaxDistance = 0.0;
  int OutOfBandValue = SQ_OUT_OF_BAND_NAN;
  int InputElements = 0;
  bool ComputeClosestPoint = true;
  bool ComputeClosestCell = true;
  bool ComputeGradient = false;
  bool ComputeWindingNumber = false;
  bool ComputeSignAgreement = false;
  std::string ResultArrayName = "SignedDistance";
};

#endif
