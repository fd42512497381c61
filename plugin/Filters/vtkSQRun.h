/** One execution of a filter: context, progress, abort, messages, time and memory. */
#ifndef vtkSQRun_h
#define vtkSQRun_h

#include "spatialqueries/sq_context.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

class vtkAlgorithm;
class vtkDataObject;

namespace vtkSQ
{
/** Values of the property Device, and of the field data array DeviceUsed. */
enum Device
{
  DEVICE_AUTOMATIC = 0,
  DEVICE_CPU = 1,
  DEVICE_GPU = 2
};

class Run
{
public:
  /** `label` begins the texts of all messages. */
  Run(vtkAlgorithm* filter, const char* label, int threads);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  sq_context* Context() { return this->Handle; }

  /** False, after one error message, where the device cannot be had or there is no memory. */
  bool Start(int device);

  /** False, after one error message, for an object that is neither a data set nor a composite; NULL is accepted. */
  bool Accepts(vtkDataObject* object, const char* input);

  /** What follows moves the progress of the filter from `from` to `to`; it never falls. */
  void Part(double from, double to);
  /** The share of block `i` of `count` in that. */
  void Block(size_t i, size_t count, double from, double to);

  /** True for SQ_OK; else one error message that names the `input`, none after a cancel. Counts the memory. */
  bool Succeeded(sq_status status, const char* input);

  /**
   * True where every rank holds equal content, else one error message; the second inputs are not searched across ranks.
   * With several ranks all of them must call it.
   */
  bool SameOnAllRanks(uint64_t content, const char* input);

  /** True where `mine` is true on every rank; with several ranks all of them must call it. */
  static bool OnAllRanks(bool mine);

  /** Of this process among those that run the pipeline; 0 without MPI. */
  static int Rank();

  void Error(const char* text);
  void Warning(const char* text);

  /** A structure of so many bytes is held from now on. */
  void Hold(int64_t bytes);
  int64_t PeakBytes() const { return this->Peak; }

private:
  static void Report(void* run, const char* phase, double fraction);
  static int Cancelled(void* run);

  vtkAlgorithm* Filter;
  const char* Label;
  sq_context* Handle = nullptr;
  double From = 0.0;
  double To = 1.0;
  double Reached = 0.0;
  double Reported = 0.0;
  std::array<const char*, 64> Phases; // literals that were reported
  size_t PhaseCount = 0;
  int64_t Held = 0;
  int64_t Peak = 0;
};

/** Seconds since it was made. */
class Timer
{
public:
  double Seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - this->Begin).count();
  }

private:
  std::chrono::steady_clock::time_point Begin = std::chrono::steady_clock::now();
};
}
#endif
