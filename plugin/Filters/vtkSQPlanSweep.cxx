#include "vtkSQPlanSweep.h"

#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkSQPlanCounts.h"
#include "vtkSQTables.h"
#include "vtkTable.h"

namespace vtkSQ
{
namespace
{
/** `b` costs no more than `a`, is no less exact, and better in one of the two. */
bool IsBeaten(const SweepRow& a, const SweepRow& b)
{
  return b.Totals.evaluations <= a.Totals.evaluations && b.Errors.rms <= a.Errors.rms &&
    (b.Totals.evaluations < a.Totals.evaluations || b.Errors.rms < a.Errors.rms);
}

bool IsOptimal(const SweepRow& row, const std::vector<SweepRow>& rows)
{
  bool optimal = row.Errors.rms == row.Errors.rms;
  for (const SweepRow& other : rows)
  {
    optimal = optimal && !IsBeaten(row, other);
  }
  return optimal;
}

template <class ArrayT, class ValueT>
void AddColumn(vtkTable* table, const char* name, const std::vector<SweepRow>& rows, ValueT&& value)
{
  const vtkIdType count = IsFirstRank() ? static_cast<vtkIdType>(rows.size()) : 0;
  auto column = NewArray<ArrayT>(name, 1, count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    column->SetValue(i, value(rows[static_cast<size_t>(i)]));
  }
  table->AddColumn(column);
}
}

bool Measure(Run& run, const PlanTrees& trees, const PlanField& field, const PlanRequest& request,
  double from, double to, SweepRow& row)
{
  const sq_cluster_tree* targets = trees.Targets().Get();
  const sq_cluster_tree* sources = trees.Sources().Get();
  sq_plan_options options = sq_plan_options_default();
  options.theta = row.OpeningAngle;
  options.expand = static_cast<sq_plan_expand>(row.ExpandMode);
  options.non_finite = SQ_NON_FINITE_KEEP;
  row.Errors = NoErrors();
  const Timer timer;
  run.Part(from, from + 0.2 * (to - from));
  if (!run.Succeeded(sq_plan_count(run.Context(), targets, sources, &options, &row.Totals, nullptr),
        "OpeningAngles"))
  {
    return false;
  }
  row.Seconds = timer.Seconds();
  if (request.Kernel == 0)
  {
    return true;
  }
  const int64_t count = trees.Targets().View().point_count;
  std::vector<double> potential(static_cast<size_t>(count));
  std::vector<int64_t> ids(static_cast<size_t>(count));
  run.Part(from + 0.2 * (to - from), from + 0.6 * (to - from));
  if (!run.Succeeded(sq_plan_evaluate(
                       run.Context(), targets, sources, &options, &field.View(), potential.data()),
        "Kernel"))
  {
    return false;
  }
  row.Seconds = timer.Seconds();
  const int64_t compared = sq_plan_spread_targets(count, request.ErrorTargets, ids.data());
  run.Part(from + 0.6 * (to - from), to);
  return run.Succeeded(
    sq_plan_measure_errors(run.Context(), targets, sources, &options, &field.View(),
      potential.data(), ids.data(), compared, nullptr, nullptr, &row.Errors),
    "ErrorTargets");
}

void FillSweep(vtkTable* table, const std::vector<SweepRow>& rows)
{
  using Row = const SweepRow&;
  AddColumn<vtkDoubleArray>(table, "OpeningAngle", rows, [](Row r) { return r.OpeningAngle; });
  AddColumn<vtkIntArray>(table, "LeafSize", rows, [](Row r) { return r.LeafSize; });
  AddColumn<vtkIntArray>(table, "ExpandMode", rows, [](Row r) { return r.ExpandMode; });
  AddColumn<vtkIdTypeArray>(
    table, "Evaluations", rows, [](Row r) { return vtkIdType(r.Totals.evaluations); });
  AddColumn<vtkDoubleArray>(table, "FractionOfDense", rows,
    [](Row r)
    {
      const double dense = double(r.Totals.dense_pairs);
      return dense > 0.0 ? double(r.Totals.evaluations) / dense : 0.0;
    });
  AddColumn<vtkIdTypeArray>(
    table, "PlanBytes", rows, [](Row r) { return vtkIdType(r.Totals.plan_bytes); });
  AddColumn<vtkDoubleArray>(table, "Seconds", rows, [](Row r) { return r.Seconds; });
  AddColumn<vtkDoubleArray>(table, "RmsError", rows, [](Row r) { return r.Errors.rms; });
  AddColumn<vtkDoubleArray>(table, "MaxError", rows, [](Row r) { return r.Errors.max; });
  AddColumn<vtkIntArray>(
    table, "ParetoOptimal", rows, [&](Row r) { return int(IsOptimal(r, rows)); });
}
}
