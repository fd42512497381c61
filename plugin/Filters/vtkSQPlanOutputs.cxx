#include "vtkSQPlanOutputs.h"

#include "spatialqueries/sq_cells.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSQOutput.h"
#include "vtkSQTables.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"

#include <sstream>

namespace vtkSQ
{
namespace
{
/** The core's selection; kind is SQ_PLAN_SELECT_ALL with max_pairs 0 where there is nothing to show. */
bool Select(Run& run, const PlanTrees& trees, const PairRequest& request, sq_plan_selection& select)
{
  const Elements& targets = trees.Targets().Source();
  const int64_t nodes = trees.Targets().View().node_count;
  int64_t allowed = 0;
  const char* property = "TargetId";
  select = { SQ_PLAN_SELECT_ALL, -1, request.Of == PAIRS_NOTHING ? 0 : request.MaxPairs };
  if (request.Of == PAIRS_NOTHING || request.Of == PAIRS_ALL || targets.Count() == 0)
  {
    return true;
  }
  select.kind = SQ_PLAN_SELECT_TARGET;
  if (request.Of == PAIRS_AT_POINT)
  {
    if (!run.Succeeded(
          sq_nearest_point(run.Context(), &targets.Points(), request.TargetPoint, &select.id),
          "TargetPoint"))
    {
      return false;
    }
    select.max_pairs = select.id < 0 ? 0 : select.max_pairs;
    select.kind = select.id < 0 ? SQ_PLAN_SELECT_ALL : select.kind;
    return true;
  }
  if (request.Of == PAIRS_OF_TARGET)
  {
    select.id = targets.PositionOf(request.TargetId);
    allowed = targets.Numbers().Count() - 1;
  }
  else
  {
    select.kind = SQ_PLAN_SELECT_TARGET_NODE;
    select.id = request.TargetNode < nodes ? request.TargetNode : -1;
    allowed = nodes - 1;
    property = "TargetNode";
  }
  if (select.id < 0)
  {
    std::ostringstream text;
    text << property << ": is "
         << (request.Of == PAIRS_OF_TARGET ? request.TargetId : request.TargetNode)
         << "; allowed are 0 to " << allowed << ", ghosts left out";
    run.Error(text.str().c_str());
  }
  return select.id >= 0;
}

/** Numbers of the elements at these positions; -1 stays. */
vtkSmartPointer<vtkIdTypeArray> NumbersOf(
  const char* name, const Elements& elements, const int64_t* positions, int64_t count)
{
  auto array = CopyOf<vtkIdTypeArray>(name, positions, 1, count);
  for (vtkIdType i = 0; i < static_cast<vtkIdType>(count); ++i)
  {
    const vtkIdType p = array->GetValue(i);
    array->SetValue(i, p < 0 ? -1 : static_cast<vtkIdType>(elements.NumberOf(p)));
  }
  return array;
}

void FillLines(const PlanTrees& trees, const sq_plan_pairs_view& v, vtkPolyData* output)
{
  vtkNew<vtkPoints> points;
  points->SetData(CopyOf<vtkDoubleArray>("", v.ends, 3, 2 * v.count));
  vtkNew<vtkCellArray> lines;
  for (vtkIdType i = 0; i < static_cast<vtkIdType>(v.count); ++i)
  {
    lines->InsertNextCell({ 2 * i, 2 * i + 1 });
  }
  output->SetPoints(points);
  output->SetLines(lines);
  vtkCellData* data = output->GetCellData();
  data->AddArray(CopyOf<vtkUnsignedCharArray>("Stream", v.stream, 1, v.count));
  data->AddArray(CopyOf<vtkIdTypeArray>("TargetNode", v.target_node, 1, v.count));
  data->AddArray(CopyOf<vtkIdTypeArray>("SourceNode", v.source_node, 1, v.count));
  data->AddArray(CopyOf<vtkIdTypeArray>("CoveredPairs", v.covered_pairs, 1, v.count));
  data->AddArray(CopyOf<vtkDoubleArray>("OpeningRatio", v.opening_ratio, 1, v.count));
  data->AddArray(NumbersOf("TargetId", trees.Targets().Source(), v.target_id, v.count));
  data->AddArray(NumbersOf("SourceId", trees.Sources().Source(), v.source_id, v.count));
  data->SetActiveScalars("Stream");
  AddFieldCount(output, "PairsTruncated", v.truncated);
}
}

bool FillPairs(Run& run, const PlanTrees& trees, const sq_plan_options& options,
  const PlanField& field, const PairRequest& request, vtkPolyData* output)
{
  sq_plan_selection selection;
  if (!Select(run, trees, request, selection))
  {
    return false;
  }
  sq_plan_pairs_view view = {};
  if (selection.max_pairs == 0)
  {
    FillLines(trees, view, output);
    return true;
  }
  sq_plan_pairs* pairs = nullptr;
  const bool found =
    run.Succeeded(sq_plan_find_pairs(run.Context(), trees.Targets().Get(), trees.Sources().Get(),
                    &options, trees.IsSingle() ? field.SourceCentroids() : field.TargetCentroids(),
                    field.SourceCentroids(), &selection, &pairs),
      "PairsOf") &&
    run.Succeeded(sq_plan_pairs_get_view(pairs, &view), "PairsOf");
  if (found)
  {
    FillLines(trees, view, output);
  }
  sq_plan_pairs_destroy(pairs);
  return found;
}

bool FillPlan(Run& run, const PlanTrees& trees, const sq_plan_options& options, bool exported,
  vtkMultiBlockDataSet* output)
{
  sq_plan* plan = nullptr;
  sq_plan_view v = {};
  bool cancelled = false;
  if (exported)
  {
    const sq_status status =
      sq_plan_build(run.Context(), trees.Targets().Get(), trees.Sources().Get(), &options, &plan);
    cancelled = status == SQ_CANCELLED;
    if (run.Succeeded(status, "ExportPlan"))
    {
      sq_plan_get_view(plan, &v);
    }
  }
  const Elements& targets = trees.Targets().Source();
  const Elements& sources = trees.Sources().Source();
  const struct
  {
    const char* Name;
    const int64_t* Values;
    int64_t Count;
    const Elements* Of; /**< NULL: no element ids */
  } columns[] = { { "near_target_ids", v.near_target_ids, v.near_count, &targets },
    { "near_source_ids", v.near_source_ids, v.near_count, &sources },
    { "nf_target_ids", v.nf_target_ids, v.nf_count, &targets },
    { "nf_source_node_ids", v.nf_source_node_ids, v.nf_count, nullptr },
    { "fn_target_node_ids", v.fn_target_node_ids, v.fn_count, nullptr },
    { "fn_source_ids", v.fn_source_ids, v.fn_count, &sources },
    { "fn_broadcast_targets", v.fn_broadcast_targets, v.broadcast_count, &targets },
    { "fn_broadcast_starts", v.fn_broadcast_starts, v.fn_count, nullptr },
    { "fn_broadcast_counts", v.fn_broadcast_counts, v.fn_count, nullptr },
    { "far_target_node_ids", v.far_target_node_ids, v.far_count, nullptr },
    { "far_source_node_ids", v.far_source_node_ids, v.far_count, nullptr } };
  std::vector<std::pair<std::string, vtkSmartPointer<vtkTable>>> tables;
  for (const auto& column : columns)
  {
    auto table = vtkSmartPointer<vtkTable>::New();
    table->AddColumn(column.Of
        ? NumbersOf(column.Name, *column.Of, column.Values, column.Count)
        : CopyOf<vtkIdTypeArray>(column.Name, column.Values, 1, column.Count));
    tables.push_back({ column.Name, table });
  }
  sq_plan_destroy(plan);
  SetTables(output, tables);
  return !cancelled;
}

void FillSummary(
  vtkTable* table, const PlanTrees& trees, const PlanCounts& counts, const sq_plan_errors& errors)
{
  const sq_plan_totals& t = counts.Totals();
  const char* const streams[SQ_PLAN_STREAMS] = { "Near", "NearFar", "FarNear", "FarFar" };
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    AddCount(table, (std::string(streams[s]) + "Entries").c_str(), t.entries[s]);
  }
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    AddCount(table, (std::string(streams[s]) + "Pairs").c_str(), t.pairs[s]);
  }
  AddCount(table, "DensePairs", t.dense_pairs);
  AddCount(table, "Evaluations", t.evaluations);
  AddValue(table, "FractionOfDense",
    t.dense_pairs > 0 ? double(t.evaluations) / double(t.dense_pairs) : 0.0);
  AddCount(table, "WastedFarNearEntries", t.wasted_far_near);
  AddValue(table, "ExactShare", t.exact_share);
  AddCount(table, "PlanBytes", t.plan_bytes);
  AddCount(table, "TargetDepth", t.target_depth);
  AddCount(table, "SourceDepth", t.source_depth);
  AddCount(table, "Iterations", t.iterations);
  AddValue(table, "BuildSeconds", trees.BuildSeconds());
  AddValue(table, "TraversalSeconds", counts.Seconds());
  AddValue(table, "RmsError", errors.rms);
  AddValue(table, "MaxError", errors.max);
  AddValue(table, "Error50", errors.percentile_50);
  AddValue(table, "Error90", errors.percentile_90);
  AddValue(table, "Error99", errors.percentile_99);
  AddValue(table, "NearFarError", errors.near_far);
  AddValue(table, "FarNearError", errors.far_near);
  AddValue(table, "FarFarError", errors.far);
  AddValue(table, "LoadMaxOverMean", counts.Load().max_over_mean);
  AddValue(table, "LoadGini", counts.Load().gini);
  AddCount(table, "SkippedTargets", t.skipped_targets);
  AddCount(table, "SkippedSources", t.skipped_sources);
}
}
