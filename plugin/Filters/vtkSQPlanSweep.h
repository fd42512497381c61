/** Rows of the sweep over plans. */
#ifndef vtkSQPlanSweep_h
#define vtkSQPlanSweep_h

#include "vtkSQPlanRequest.h"

class vtkTable;

namespace vtkSQ
{
struct SweepRow
{
  double OpeningAngle;
  int LeafSize;
  int ExpandMode;
  sq_plan_totals Totals;
  sq_plan_errors Errors;
  double Seconds;
};

/** Counts, evaluates and compares one plan; false after a failure or an abort. */
bool Measure(Run& run, const PlanTrees& trees, const PlanField& field, const PlanRequest& request,
  double from, double to, SweepRow& row);

void FillSweep(vtkTable* table, const std::vector<SweepRow>& rows);
}
#endif
