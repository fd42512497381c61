/** What every thread needs one of. */
#ifndef vtkSQPerThread_h
#define vtkSQPerThread_h

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace vtkSQ
{
/** Objects that belong to a thread each, made when it first asks; for any threads, not only VTK's. */
template <class T>
class PerThread
{
public:
  PerThread()
    : Id(NextId()++)
  {
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  /** That of the calling thread; `make()` returns a unique_ptr. After the first time nothing is locked. */
  template <class MakeT>
  T* Get(MakeT&& make)
  {
    // Of the owners that a thread used last; ids are never used again, so one that is gone is not mistaken.
    thread_local std::array<Slot, 4> slots;
    Slot& slot = slots[this->Id % slots.size()];
    if (slot.Id != this->Id)
    {
      const std::lock_guard<std::mutex> lock(this->Mutex);
      std::unique_ptr<T>& mine = this->Made[std::this_thread::get_id()];
      if (!mine)
      {
        mine = make();
      }
      if (!mine)
      {
        return nullptr;
      }
      slot = { this->Id, mine.get() };
    }
    return slot.Object;
  }

private:
  struct Slot
  {
    uint64_t Id = 0;
    T* Object = nullptr;
  };

  static std::atomic<uint64_t>& NextId()
  {
    static std::atomic<uint64_t> next{ 1 };
    return next;
  }

  const uint64_t Id;
  std::mutex Mutex;
  std::unordered_map<std::thread::id, std::unique_ptr<T>> Made;
};
}
#endif
