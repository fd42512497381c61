/** Pairs, summary and arrays of a plan as the further outputs of Interaction Plan. */
#ifndef vtkSQPlanOutputs_h
#define vtkSQPlanOutputs_h

#include "vtkSQPlanCounts.h"

class vtkMultiBlockDataSet;
class vtkPolyData;
class vtkTable;

namespace vtkSQ
{
/** Values of the property PairsOf. */
enum PairsOf
{
  PAIRS_NOTHING = 0,
  PAIRS_OF_TARGET = 1,
  PAIRS_OF_TARGET_NODE = 2,
  PAIRS_ALL = 3,
  PAIRS_AT_POINT = 4
};

struct PairRequest
{
  int Of = PAIRS_NOTHING;
  vtkIdType TargetId = 0; /**< number of the element through all blocks */
  vtkIdType TargetNode = 0;
  double TargetPoint[3] = { 0.0, 0.0, 0.0 };
  vtkIdType MaxPairs = SQ_PLAN_MAX_PAIRS_DEFAULT;
};

/** A line for each entry that is asked for; false after a failure or an abort. */
bool FillPairs(Run& run, const PlanTrees& trees, const sq_plan_options& options,
  const PlanField& field, const PairRequest& request, vtkPolyData* output);

/**
 * The eleven arrays as tables of one column, without rows unless `exported`. A plan that needs more than options.max_bytes is one
 * error and leaves them empty. False after an abort only.
 */
bool FillPlan(Run& run, const PlanTrees& trees, const sq_plan_options& options, bool exported,
  vtkMultiBlockDataSet* output);

/** One row on what the plan costs and how exact it is. */
void FillSummary(
  vtkTable* table, const PlanTrees& trees, const PlanCounts& counts, const sq_plan_errors& errors);
}
#endif
