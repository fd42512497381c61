/**
 * @class   vtkSQSignedDistanceFunction
 * @brief   signed distance to a surface as an implicit function
 *
 * For vtkClipDataSet, vtkCutter, vtkSampleFunction and whatever else takes a vtkImplicitFunction. The values are those of
 * vtkSQSignedDistanceField with the same sign settings, to the last bit: negative inside, exactly 0 on the surface. What
 * counts as the surface is said there. The gradient has length 1, and is the pseudonormal on the surface; 0 where there is none.
 *
 * The prepared surface is kept until the geometry of Surface or a setting changes; it is prepared by the first evaluation
 * after that. Evaluations are thread-safe. Many points at once (the array form, as vtkCutter and vtkSampleFunction ask) are
 * answered in parallel. Without a surface, and at points that are not finite, the value is NaN.
 *
 * Sign: Baerentzen and Aanaes, "Signed distance computation using the angle weighted pseudonormal", IEEE TVCG 11(3), 2005;
 * Barill et al., "Fast winding numbers for soups and clouds", ACM TOG 37(4), 2018.
 */
#ifndef vtkSQSignedDistanceFunction_h
#define vtkSQSignedDistanceFunction_h

#include "vtkImplicitFunction.h"
#include "vtkSQFiltersModule.h" // for export macro

#include "spatialqueries/sq_surface.h" // for limits and defaults

#include <memory> // for std::unique_ptr

class vtkDataObject;

namespace vtkSQ
{
class DistanceSearch;
}

class VTKSQFILTERS_EXPORT vtkSQSignedDistanceFunction : public vtkImplicitFunction
{
public:
  static vtkSQSignedDistanceFunction* New();
  vtkTypeMacro(vtkSQSignedDistanceFunction, vtkImplicitFunction);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The surface: a data set, or a composite whose blocks count as one.
   */
  void SetSurface(vtkDataObject* surface);
  vtkDataObject* GetSurface();
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
   * Weld coincident points before edges are matched: exactly equal ones, then those within MergeTolerance times the diagonal of the
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

  /** Later than a change of the surface, too. */
  vtkMTimeType GetMTime() override;

  using vtkImplicitFunction::EvaluateFunction;
  /** Signed distance of a point. Thread-safe. */
  double EvaluateFunction(double x[3]) override;
  /** Signed distances of all points (triples) of an array, in parallel. */
  void EvaluateFunction(vtkDataArray* input, vtkDataArray* output) override;
  /** Gradient at a point. Thread-safe. */
  void EvaluateGradient(double x[3], double g[3]) override;

protected:
  vtkSQSignedDistanceFunction();
  ~vtkSQSignedDistanceFunction() override;

private:
  vtkSQSignedDistanceFunction(const vtkSQSignedDistanceFunction&) = delete;
  void operator=(const vtkSQSignedDistanceFunction&) = delete;

  vtkSQ::DistanceSearch* Ready();
  void Build();

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int SignMethod = SQ_SIGN_METHOD_DEFAULT;
  double WindingAccuracy = SQ_WINDING_ACCURACY_DEFAULT;
  bool MergePoints = SQ_MERGE_POINTS_DEFAULT;
  double MergeTolerance = SQ_MERGE_TOLERANCE_DEFAULT;
  bool FlipInsideOut = false;
};

#endif
