#include "vtkSQRun.h"

#include "vtkAlgorithm.h"
#include "vtkCommunicator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkMultiProcessController.h"
#include "vtkSetGet.h"
#include "vtkVersionMacros.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace vtkSQ
{
namespace
{
/** At most a hundred reports a run, and one more for every phase. */
const double REPORT_STEP = 0.01;

/** Ranks that share this machine: what the launcher says, else all of them. */
int RanksOnNode()
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  const int ranks = controller ? controller->GetNumberOfProcesses() : 1;
  for (const char* name : { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS" })
  {
    const char* text = ranks > 1 ? std::getenv(name) : nullptr;
    const int local = text ? std::atoi(text) : 0;
    if (local > 0)
    {
      return std::min(local, ranks);
    }
  }
  return ranks;
}

/** 0 stays 0, "one a core", for a rank that is alone. */
int ThreadCount(int requested)
{
  const int ranks = requested == 0 ? RanksOnNode() : 1;
  return ranks > 1 ? std::max(1, int(std::thread::hardware_concurrency()) / ranks) : requested;
}
}

Run::Run(vtkAlgorithm* filter, const char* label, int threads)
  : Filter(filter)
  , Label(label)
{
  sq_context_options options = sq_context_options_default();
  options.threads = ThreadCount(threads);
  options.monitor = { this, &Run::Report, &Run::Cancelled };
  sq_context_create(&options, &this->Handle);
}

Run::~Run()
{
  sq_context_destroy(this->Handle);
  this->Filter->SetProgressText(nullptr);
}

bool Run::Start(int device)
{
  if (!this->Handle)
  {
    this->Error("out of memory");
  }
  else if (device == DEVICE_GPU)
  {
    this->Error("Device is GPU, but this build has no GPU backend; allowed are Automatic and CPU");
  }
  return this->Handle && device != DEVICE_GPU;
}

bool Run::Accepts(vtkDataObject* object, const char* input)
{
  const bool good =
    !object || vtkDataSet::SafeDownCast(object) || vtkCompositeDataSet::SafeDownCast(object);
  if (!good)
  {
    vtkErrorWithObjectMacro(this->Filter, << this->Label << ": " << input << ": is a "
                                          << object->GetClassName()
                                          << "; allowed are data sets and composites of them");
  }
  return good;
}

void Run::Part(double from, double to)
{
  this->From = from;
  this->To = to;
}

void Run::Block(size_t i, size_t count, double from, double to)
{
  const double share = (to - from) / double(count);
  this->Part(from + double(i) * share, from + double(i + 1) * share);
}

bool Run::Succeeded(sq_status status, const char* input)
{
  this->Peak = std::max(this->Peak, this->Held + sq_context_peak_bytes(this->Handle));
  if (status != SQ_OK && status != SQ_CANCELLED)
  {
    const char* reason = sq_context_message(this->Handle);
    vtkErrorWithObjectMacro(this->Filter,
      << this->Label << ": " << input << ": " << (reason[0] ? reason : sq_status_text(status)));
  }
  return status == SQ_OK;
}

void Run::Hold(int64_t bytes)
{
  this->Held = bytes;
  this->Peak = std::max(this->Peak, bytes);
}

bool Run::SameOnAllRanks(uint64_t content, const char* input)
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  if (!controller || controller->GetNumberOfProcesses() == 1)
  {
    return true;
  }
  // The largest and, negated, the smallest of both halves; 32 bits fit a double.
  const double low = double(content & 0xffffffffu);
  const double high = double(content >> 32);
  const double mine[4] = { low, high, -low, -high };
  double largest[4];
  controller->AllReduce(mine, largest, 4, vtkCommunicator::MAX_OP);
  const bool same = largest[0] == -largest[2] && largest[1] == -largest[3];
  if (!same)
  {
    vtkErrorWithObjectMacro(this->Filter, << this->Label << ": " << input
                                          << ": differs between the ranks; allowed is the same "
                                             "data on every rank, or one rank");
  }
  return same;
}

bool Run::OnAllRanks(bool mine)
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  int least = mine;
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    const int given = mine;
    controller->AllReduce(&given, &least, 1, vtkCommunicator::MIN_OP);
  }
  return least != 0;
}

int Run::Rank()
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  return controller ? controller->GetLocalProcessId() : 0;
}

void Run::Error(const char* text)
{
  vtkErrorWithObjectMacro(this->Filter, << this->Label << ": " << text);
}

void Run::Warning(const char* text)
{
  vtkWarningWithObjectMacro(this->Filter, << this->Label << ": " << text);
}

void Run::Report(void* self, const char* phase, double fraction)
{
  auto* run = static_cast<Run*>(self);
  run->Reached = std::max(run->Reached, run->From + fraction * (run->To - run->From));
  // A run is many operations of the core, some for every block; each of them reports its phases anew.
  const auto end = run->Phases.begin() + run->PhaseCount;
  const bool isNew =
    run->PhaseCount < run->Phases.size() && std::find(run->Phases.begin(), end, phase) == end;
  if (isNew)
  {
    run->Phases[run->PhaseCount++] = phase;
  }
  if (isNew || run->Reached >= run->Reported + REPORT_STEP)
  {
    run->Reported = run->Reached;
    run->Filter->SetProgressText(phase);
    run->Filter->UpdateProgress(run->Reached);
  }
}

int Run::Cancelled(void* self)
{
  vtkAlgorithm* filter = static_cast<Run*>(self)->Filter;
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 2, 20220816)
  return filter->CheckAbort();
#else
  return filter->GetAbortExecute();
#endif
}
}
