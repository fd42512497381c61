/** What a plan does for every target and source, counted and summed without storing it; kept between Applies. */
#ifndef vtkSQPlanCounts_h
#define vtkSQPlanCounts_h

#include "vtkSQPlanRequest.h"

#include <set>
#include <string>

class vtkDataSetAttributes;
class vtkImageData;

namespace vtkSQ
{
/** Counts of a plan; entry by element, in the order of positions. */
class PlanCounts
{
public:
  /** False after a failure or an abort. */
  bool Update(Run& run, const PlanTrees& trees, const sq_plan_options& options);

  const sq_plan_totals& Totals() const { return this->Sums; }
  const sq_plan_load& Load() const { return this->Spread; }
  double Seconds() const { return this->Time; }
  bool WereReused() const { return this->Reused; }

  static std::set<std::string> TargetNames();
  static std::set<std::string> SourceNames();
  void AddTargetArrays(const Elements& targets, size_t leaf, vtkDataSetAttributes* output) const;
  void AddSourceArrays(const Elements& sources, size_t leaf, vtkDataSetAttributes* output) const;

  /** Shares of the streams by blocks of targets (along y) and sources (along x), both in tree order. */
  void FillMatrix(vtkImageData* output) const;

private:
  bool Count(Run& run, const PlanTrees& trees, const sq_plan_options& options);

  Settings Used;
  bool Reused = false;
  double Time = 0.0;
  sq_plan_totals Sums = {};
  sq_plan_load Spread = {};
  std::vector<int64_t> Targets[SQ_PLAN_STREAMS];
  std::vector<int64_t> Sources[SQ_PLAN_STREAMS];
  std::vector<double> Evaluations;
  std::vector<float> Matrix;
  int64_t Extent[2] = { 0, 0 }; // targets and sources
  int Blocks[2] = { 0, 0 };
};

/** Potentials by a plan, and how far they are from exact sums at some targets. */
class PlanPotential
{
public:
  /** False after a failure or an abort. */
  bool Update(Run& run, const PlanTrees& trees, const sq_plan_options& options,
    const PlanField& field, vtkIdType errorTargets);

  const sq_plan_errors& Errors() const { return this->Measured; }
  double Seconds() const { return this->Time; }
  bool WereReused() const { return this->Reused; }

  static std::set<std::string> Names();
  void AddArrays(const Elements& targets, size_t leaf, vtkDataSetAttributes* output) const;

private:
  Settings Used;
  bool Reused = false;
  double Time = 0.0;
  std::vector<double> Potential;
  std::vector<double> Direct; // NaN at targets that are not compared
  std::vector<double> Relative;
  sq_plan_errors Measured = {};
};

/** Extent and spacing of the matrix of a plan: blocks of sources along x, of targets along y; positions as coordinates. */
void LayOutMatrix(int64_t targets, int64_t sources, int extent[6], double spacing[3]);

/** What a plan without a kernel has in place of errors. */
sq_plan_errors NoErrors();

Settings KeyOf(const sq_plan_options& options);
}
#endif
