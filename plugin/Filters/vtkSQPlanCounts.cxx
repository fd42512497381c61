#include "vtkSQPlanCounts.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"

#include <algorithm>
#include <cmath>

namespace vtkSQ
{
namespace
{
const char* const COUNT_NAMES[SQ_PLAN_STREAMS] = { "NearCount", "NearFarCount", "FarNearCount",
  "FarFarCount" };
const char* const SHARE_NAMES[SQ_PLAN_STREAMS] = { "NearShare", "NearFarShare", "FarNearShare",
  "FarFarShare" };

size_t Length(const PointTree& tree)
{
  return static_cast<size_t>(tree.View().point_count);
}

int BlocksOf(int64_t count)
{
  return static_cast<int>(std::min<int64_t>(count, SQ_PLAN_MATRIX_MAX));
}

void AddCounts(const std::vector<int64_t>* counts, const Elements& elements, size_t leaf,
  vtkDataSetAttributes* output)
{
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    output->AddArray(elements.Spread<vtkIdTypeArray>(COUNT_NAMES[s], counts[s].data(), leaf, 0));
  }
}
}

Settings KeyOf(const sq_plan_options& o)
{
  return { o.theta, double(o.expand), double(o.non_finite) };
}

void LayOutMatrix(int64_t targets, int64_t sources, int extent[6], double spacing[3])
{
  const int64_t counts[3] = { sources, targets, 0 };
  const bool empty = targets == 0 || sources == 0;
  for (int k = 0; k < 3; ++k)
  {
    const int blocks = BlocksOf(counts[k]);
    extent[2 * k] = 0;
    extent[2 * k + 1] = empty ? -1 : blocks;
    spacing[k] = empty || blocks == 0 ? 1.0 : double(counts[k]) / blocks;
  }
}

sq_plan_errors NoErrors()
{
  sq_plan_errors errors = {};
  errors.rms = errors.max = errors.percentile_50 = errors.percentile_90 = errors.percentile_99 =
    errors.near_far = errors.far_near = errors.far = std::nan("");
  errors.worst_target = -1;
  return errors;
}

std::set<std::string> PlanCounts::SourceNames()
{
  return std::set<std::string>(COUNT_NAMES, COUNT_NAMES + SQ_PLAN_STREAMS);
}

std::set<std::string> PlanCounts::TargetNames()
{
  std::set<std::string> names = SourceNames();
  names.insert("Evaluations");
  return names;
}

bool PlanCounts::Update(Run& run, const PlanTrees& trees, const sq_plan_options& options)
{
  Settings settings = trees.Key();
  const Settings key = KeyOf(options);
  settings.insert(settings.end(), key.begin(), key.end());
  this->Reused = settings == this->Used;
  if (!this->Reused)
  {
    this->Used.clear();
    if (!this->Count(run, trees, options))
    {
      return false;
    }
    this->Used = settings;
  }
  return true;
}

bool PlanCounts::Count(Run& run, const PlanTrees& trees, const sq_plan_options& options)
{
  const Timer timer;
  sq_plan_counts counts = {};
  for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    this->Targets[s].assign(Length(trees.Targets()), 0);
    this->Sources[s].assign(Length(trees.Sources()), 0);
    counts.targets[s] = this->Targets[s].data();
    counts.sources[s] = this->Sources[s].data();
  }
  this->Evaluations.assign(Length(trees.Targets()), 0.0);
  counts.evaluations = this->Evaluations.data();
  this->Extent[0] = trees.Targets().View().point_count;
  this->Extent[1] = trees.Sources().View().point_count;
  this->Blocks[0] = BlocksOf(this->Extent[0]);
  this->Blocks[1] = BlocksOf(this->Extent[1]);
  this->Matrix.assign(
    size_t(SQ_PLAN_STREAMS) * size_t(this->Blocks[0]) * size_t(this->Blocks[1]), 0.0f);
  if (!this->Matrix.empty())
  {
    counts.matrix = this->Matrix.data();
    counts.matrix_rows = this->Blocks[0];
    counts.matrix_columns = this->Blocks[1];
  }
  const bool counted = run.Succeeded(sq_plan_count(run.Context(), trees.Targets().Get(),
                                       trees.Sources().Get(), &options, &this->Sums, &counts),
                         "OpeningAngle") &&
    run.Succeeded(sq_plan_measure_load(
                    run.Context(), trees.Targets().Get(), this->Evaluations.data(), &this->Spread),
      "Input");
  this->Time = timer.Seconds();
  return counted;
}

void PlanCounts::AddTargetArrays(
  const Elements& targets, size_t leaf, vtkDataSetAttributes* output) const
{
  AddCounts(this->Targets, targets, leaf, output);
  output->AddArray(
    targets.Spread<vtkDoubleArray>("Evaluations", this->Evaluations.data(), leaf, 0.0));
}

void PlanCounts::AddSourceArrays(
  const Elements& sources, size_t leaf, vtkDataSetAttributes* output) const
{
  AddCounts(this->Sources, sources, leaf, output);
}

void PlanCounts::FillMatrix(vtkImageData* output) const
{
  int extent[6];
  double spacing[3];
  LayOutMatrix(this->Extent[0], this->Extent[1], extent, spacing);
  output->SetExtent(extent);
  output->SetSpacing(spacing);
  const int rows = this->Blocks[0], columns = this->Blocks[1];
  const size_t share = size_t(rows) * size_t(columns);
  for (size_t s = 0; s < SQ_PLAN_STREAMS; ++s)
  {
    output->GetCellData()->AddArray(CopyOf<vtkFloatArray>(
      SHARE_NAMES[s], this->Matrix.data() + s * share, 1, static_cast<int64_t>(share)));
  }
  output->GetCellData()->SetActiveScalars(SHARE_NAMES[SQ_PLAN_NEAR]);
}

std::set<std::string> PlanPotential::Names()
{
  return { "Potential", "DirectPotential", "RelativeError" };
}

bool PlanPotential::Update(Run& run, const PlanTrees& trees, const sq_plan_options& options,
  const PlanField& field, vtkIdType errorTargets)
{
  Settings settings = trees.Key();
  for (const Settings& key : { KeyOf(options), field.Key(), Settings{ double(errorTargets) } })
  {
    settings.insert(settings.end(), key.begin(), key.end());
  }
  this->Reused = settings == this->Used;
  if (this->Reused)
  {
    return true;
  }
  this->Used.clear();
  const Timer timer;
  const sq_cluster_tree* targets = trees.Targets().Get();
  const sq_cluster_tree* sources = trees.Sources().Get();
  const size_t count = Length(trees.Targets());
  this->Potential.assign(count, 0.0);
  run.Part(0.4, 0.7);
  if (!run.Succeeded(sq_plan_evaluate(run.Context(), targets, sources, &options, &field.View(),
                       this->Potential.data()),
        "Kernel"))
  {
    return false;
  }
  this->Time = timer.Seconds();
  const auto wanted = static_cast<int64_t>(errorTargets);
  std::vector<int64_t> ids(count);
  ids.resize(
    static_cast<size_t>(sq_plan_spread_targets(static_cast<int64_t>(count), wanted, ids.data())));
  std::vector<double> direct(ids.size()), relative(ids.size());
  run.Part(0.7, 0.9);
  if (!run.Succeeded(
        sq_plan_measure_errors(run.Context(), targets, sources, &options, &field.View(),
          this->Potential.data(), ids.data(), static_cast<int64_t>(ids.size()), direct.data(),
          relative.data(), &this->Measured),
        "ErrorTargets"))
  {
    return false;
  }
  this->Direct.assign(count, std::nan(""));
  this->Relative.assign(count, std::nan(""));
  for (size_t i = 0; i < ids.size(); ++i)
  {
    this->Direct[static_cast<size_t>(ids[i])] = direct[i];
    this->Relative[static_cast<size_t>(ids[i])] = relative[i];
  }
  this->Used = settings;
  return true;
}

void PlanPotential::AddArrays(
  const Elements& targets, size_t leaf, vtkDataSetAttributes* output) const
{
  const std::pair<const char*, const std::vector<double>*> arrays[] = { { "Potential",
                                                                          &this->Potential },
    { "DirectPotential", &this->Direct }, { "RelativeError", &this->Relative } };
  for (const auto& array : arrays)
  {
    output->AddArray(
      targets.Spread<vtkDoubleArray>(array.first, array.second->data(), leaf, std::nan("")));
  }
}
}
