/**
 * @class   vtkSQBVHProbe
 * @brief   takes the arrays of a source mesh to the points or cell centres of Input
 *
 * Port 0 is Input, the points that receive values; port 1 is SourceMesh, where they come from; all blocks of a composite
 * source are searched as one mesh. A point gets the values interpolated in the cell that contains it, or those
 * at the closest point of the nearest cell, by Mode. Points without a cell are never given a plausible number: their values are missing (NaN, -1, the largest
 * unsigned value, an empty string, or MissingValue) and vtkValidPointMask is 0.
 *
 * Arrays: the sampled ones, vtkValidPointMask or vtkValidCellMask, SampleStatus (0 inside, 1 within tolerance, 2 nearest, 3 outside,
 * 4 invalid), CellId (CellBlock, CellGlobalId), Distance, and on request ParametricCoordinates, ContainingCellCount,
 * BVHNodesVisited, BVHCellsTested. Interpolated integers are double, copied values keep their type. Field data: ValidPoints and MissedPoints.
 */
#ifndef vtkSQBVHProbe_h
#define vtkSQBVHProbe_h

#include "vtkSQAlgorithm.h"

#include "spatialqueries/sq_mesh_index.h" // for limits and defaults

#include <memory> // for std::unique_ptr
#include <string> // for std::string

namespace vtkSQ
{
class Output;
class Run;
struct LocationRequest;
struct SampleRequest;
}

class VTKSQFILTERS_EXPORT vtkSQBVHProbe : public vtkSQAlgorithm
{
public:
  static vtkSQBVHProbe* New();
  vtkTypeMacro(vtkSQBVHProbe, vtkSQAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * 0 Containing Cell, 1 Nearest Cell, 2 Containing Cell Else Nearest. Default 0.
   */
  vtkSetClampMacro(Mode, int, SQ_LOCATE_MODE_MIN, SQ_LOCATE_MODE_MAX);
  vtkGetMacro(Mode, int);
  ///@}

  ///@{
  /**
   * How far outside a cell a point still belongs to it: a fraction of the diagonal of the cell's box (ToleranceType 0) or a length
   * (1). Never less than 4 ulp of the largest coordinate. Defaults 0 and 1e-6.
   */
  vtkSetClampMacro(ToleranceType, int, SQ_TOLERANCE_TYPE_MIN, SQ_TOLERANCE_TYPE_MAX);
  vtkGetMacro(ToleranceType, int);
  vtkSetClampMacro(Tolerance, double, SQ_TOLERANCE_MIN, VTK_DOUBLE_MAX);
  vtkGetMacro(Tolerance, double);
  ///@}

  ///@{
  /**
   * What a point in several cells gets: 0 the values of the lowest id, 1 the mean, 2 missing values (the mask stays 1). Default 0.
   */
  vtkSetClampMacro(MultipleCells, int, SQ_MULTIPLE_CELLS_MIN, SQ_MULTIPLE_CELLS_MAX);
  vtkGetMacro(MultipleCells, int);
  ///@}

  ///@{
  /**
   * Nearest modes: 0 by the true distance to the cell, 1 by the distance to the mean of its nodes. Default 0.
   */
  vtkSetClampMacro(NearestBy, int, SQ_NEAREST_BY_MIN, SQ_NEAREST_BY_MAX);
  vtkGetMacro(NearestBy, int);
  ///@}

  ///@{
  /**
   * Nearest modes: with LimitDistance only cells at most MaxDistance away are taken. Defaults off and 0.
   */
  vtkSetMacro(LimitDistance, bool);
  vtkGetMacro(LimitDistance, bool);
  vtkBooleanMacro(LimitDistance, bool);
  vtkSetClampMacro(MaxDistance, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaxDistance, double);
  ///@}

  ///@{
  /**
   * Nearest modes: 0 the value at the closest point of the cell, 1 extrapolated to the point itself. Default 0.
   */
  vtkSetClampMacro(OutsideValue, int, SQ_OUTSIDE_VALUE_MIN, SQ_OUTSIDE_VALUE_MAX);
  vtkGetMacro(OutsideValue, int);
  ///@}

  ///@{
  /**
   * Give values to the points (0, point arrays) or to the cell centres (1, cell arrays) of Input. Default 0.
   */
  vtkSetClampMacro(InputElements, int, 0, 1);
  vtkGetMacro(InputElements, int);
  ///@}

  ///@{
  /**
   * Which arrays of Input pass. All on by default.
   */
  vtkSetMacro(PassPointArrays, bool);
  vtkGetMacro(PassPointArrays, bool);
  vtkBooleanMacro(PassPointArrays, bool);
  vtkSetMacro(PassCellArrays, bool);
  vtkGetMacro(PassCellArrays, bool);
  vtkBooleanMacro(PassCellArrays, bool);
  vtkSetMacro(PassFieldArrays, bool);
  vtkGetMacro(PassFieldArrays, bool);
  vtkBooleanMacro(PassFieldArrays, bool);
  ///@}

  ///@{
  /**
   * Which arrays of SourceMesh are sampled (both on by default), and what is put before their names.
   */
  vtkSetMacro(SamplePointArrays, bool);
  vtkGetMacro(SamplePointArrays, bool);
  vtkBooleanMacro(SamplePointArrays, bool);
  vtkSetMacro(SampleCellArrays, bool);
  vtkGetMacro(SampleCellArrays, bool);
  vtkBooleanMacro(SampleCellArrays, bool);
  vtkSetStdStringFromCharMacro(SampledArrayPrefix);
  vtkGetCharFromStdStringMacro(SampledArrayPrefix);
  ///@}

  ///@{
  /**
   * Point arrays that are labels: 0 none, 1 all arrays, 2 integer and string arrays. They get the value of the
   * node with the largest weight. Default 0.
   */
  vtkSetClampMacro(CategoricalData, int, 0, 2);
  vtkGetMacro(CategoricalData, int);
  ///@}

  ///@{
  /**
   * Put MissingValue where a number is missing, instead of NaN, -1 or the largest unsigned value. Defaults off and 0.
   */
  vtkSetMacro(FillMissing, bool);
  vtkGetMacro(FillMissing, bool);
  vtkBooleanMacro(FillMissing, bool);
  vtkSetMacro(MissingValue, double);
  vtkGetMacro(MissingValue, double);
  ///@}

  ///@{
  /**
   * Hide missed points and the cells that use them (ghost bits). Default off.
   */
  vtkSetMacro(MarkBlankPointsAndCells, bool);
  vtkGetMacro(MarkBlankPointsAndCells, bool);
  vtkBooleanMacro(MarkBlankPointsAndCells, bool);
  ///@}

  ///@{
  /**
   * Write CellId (default on), Distance (on), ParametricCoordinates (off), ContainingCellCount (off).
   */
  vtkSetMacro(ComputeCellId, bool);
  vtkGetMacro(ComputeCellId, bool);
  vtkBooleanMacro(ComputeCellId, bool);
  vtkSetMacro(ComputeDistance, bool);
  vtkGetMacro(ComputeDistance, bool);
  vtkBooleanMacro(ComputeDistance, bool);
  vtkSetMacro(ComputeParametricCoordinates, bool);
  vtkGetMacro(ComputeParametricCoordinates, bool);
  vtkBooleanMacro(ComputeParametricCoordinates, bool);
  vtkSetMacro(ComputeContainingCellCount, bool);
  vtkGetMacro(ComputeContainingCellCount, bool);
  vtkBooleanMacro(ComputeContainingCellCount, bool);
  ///@}

  ///@{
  /**
   * Write BVHNodesVisited and BVHCellsTested, the work of every query; queries then run unseeded, hence slower.
   * Default off.
   */
  vtkSetMacro(TraversalStatistics, bool);
  vtkGetMacro(TraversalStatistics, bool);
  vtkBooleanMacro(TraversalStatistics, bool);
  ///@}

  /** The source; the same as SetInputConnection(1, output). */
  void SetSourceMeshConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }

protected:
  vtkSQBVHProbe();
  ~vtkSQBVHProbe() override;

  int RequestData(
    vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) override;

private:
  vtkSQBVHProbe(const vtkSQBVHProbe&) = delete;
  void operator=(const vtkSQBVHProbe&) = delete;

  sq_locate_options Options() const;
  vtkSQ::LocationRequest Locations() const;
  vtkSQ::SampleRequest Samples() const;
  bool Probe(vtkSQ::Run& run, vtkDataObject* source, vtkSQ::Output& out);
  void Report(vtkSQ::Run& run, vtkSQ::Output& out, vtkIdType valid) const;

  struct Internals;
  std::unique_ptr<Internals> Kept;

  int Mode = SQ_LOCATE_MODE_DEFAULT;
  int ToleranceType = SQ_TOLERANCE_TYPE_DEFAULT;
  double Tolerance = SQ_TOLERANCE_DEFAULT;
  int MultipleCells = SQ_MULTIPLE_CELLS_DEFAULT;
  int NearestBy = SQ_NEAREST_BY_DEFAULT;
  bool LimitDistance = false;
  double MaxDistance = 0.0;
  int OutsideValue = SQ_OUTSIDE_VALUE_DEFAULT;
  int InputElements = 0;
  bool PassPointArrays = true;
  bool PassCellArrays = true;
  bool PassFieldArrays = true;
  bool SamplePointArrays = true;
  bool SampleCellArrays = true;
  std::string SampledArrayPrefix;
  int CategoricalData = 0;
  bool FillMissing = false;
  double MissingValue = 0.0;
  bool MarkBlankPointsAndCells = false;
  bool ComputeCellId = true;
  bool ComputeDistance = true;
  bool ComputeParametricCoordinates = false;
  bool ComputeContainingCellCount = false;
  bool TraversalStatistics = false;
};

#endif
