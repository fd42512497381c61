/** The arrays of a source mesh, taken to queries that have been located in it. */
#ifndef vtkSQSampling_h
#define vtkSQSampling_h

#include "vtkSQArrays.h"
#include "vtkSQLeaves.h"
#include "vtkSQRun.h"

#include "spatialqueries/sq_locate_grid.h"

#include <set>
#include <string>

class vtkAbstractArray;
class vtkDataSetAttributes;

namespace vtkSQ
{
/** Values of the property CategoricalData. */
enum Categorical
{
  CATEGORICAL_OFF = 0,
  CATEGORICAL_ALL = 1,
  CATEGORICAL_INTEGERS = 2
};

struct SampleRequest
{
  bool PointArrays = true;
  bool CellArrays = true;
  int CategoricalData = CATEGORICAL_OFF;
  bool AverageCells = false; /**< MultipleCells is Mean */
  bool FillMissing = false;
  double MissingValue = 0.0;
  std::string Prefix;
};

/** One array of the source, over all of its blocks. */
struct SampledArray
{
  std::string Name; /**< in the output */
  std::string SourceName;
  sq_association Association;
  std::vector<vtkAbstractArray*> Blocks; /**< NULL: the block lacks it */
  vtkAbstractArray* First = nullptr;
  bool IsPartial =
    false; /**< some blocks with cells lack it: <Name>_valid says where it is known */
  bool IsNumeric = false;
  sq_combine Combine = SQ_COMBINE_DOMINANT;
  int DataType = 0; /**< VTK's, of the output */
  std::vector<Packed> Keep;
  std::vector<sq_field> Fields;
};

class Sampling
{
public:
  /** Names of arrays are settled here: `results` are taken, by arrays that the filter itself writes. */
  Sampling(const std::vector<Leaf>& source, const SampleRequest& request,
    const std::set<std::string>& results);

  std::set<std::string> Names() const;

  /** The source's active scalars, else the first array; "" without any. */
  std::string Active() const;

  /** Samples all arrays at the queries of `location`; false after a failure or an abort. */
  bool AddTo(
    vtkDataSetAttributes* attributes, Run& run, const sq_location* location, vtkIdType count) const;

private:
  void Collect(sq_association association);
  void Settle(SampledArray& array) const;
  bool AddNumbers(
    vtkDataSetAttributes* attributes, Run& run, const sq_location* location, vtkIdType count) const;
  bool AddOthers(vtkDataSetAttributes* attributes, Run& run, const sq_location* location,
    vtkIdType count, const SampledArray& array) const;

  const std::vector<Leaf>& Source;
  const SampleRequest& Request;
  std::vector<SampledArray> Arrays;
};
}
#endif
