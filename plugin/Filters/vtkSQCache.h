/** What is kept between two Applies: a built structure, and the answers to the queries of every block. */
#ifndef vtkSQCache_h
#define vtkSQCache_h

#include "vtkSQAxes.h"
#include "vtkSQMesh.h"
#include "vtkSQRun.h"

#include <memory>

namespace vtkSQ
{
/** Numbers that must stay the same for something to be reused. */
using Settings = std::vector<double>;

/**
 * A handle of the core over a source (a Mesh, or anything with a Content() hash), rebuilt when the content or the settings
 * change.
 */
template <class HandleT, void (*Destroy)(HandleT*), class SourceT = Mesh>
class Structure
{
public:
  Structure() = default;
  ~Structure() { Destroy(this->Handle); }
  Structure(const Structure&) = delete;
  Structure& operator=(const Structure&) = delete;

  /** `build(mesh, &handle)` returns false when it failed, after its message. */
  template <class BuildT>
  bool Update(const std::vector<Leaf>& leaves, const Settings& settings, BuildT&& build)
  {
    return this->Update(
      Mesh::StampsOf(leaves), settings, [&] { return std::make_unique<Mesh>(leaves); }, build);
  }

  /** `read()` makes the source that the stamps stand for; NULL when that failed. */
  template <class ReadT, class BuildT>
  bool Update(Stamps stamps, const Settings& settings, ReadT&& read, BuildT&& build)
  {
    const Timer timer;
    const bool sameSettings = this->Handle && settings == this->UsedSettings;
    this->Reused = sameSettings && stamps == this->UsedStamps;
    if (!this->Reused)
    {
      std::unique_ptr<SourceT> source = read();
      if (!source)
      {
        return false;
      }
      const uint64_t content = source->Content();
      this->Reused = sameSettings && content == this->UsedContent;
      if (!this->Reused && !this->Rebuild(std::move(source), build))
      {
        return false;
      }
      this->UsedStamps = std::move(stamps);
      this->UsedContent = content;
      this->UsedSettings = settings;
    }
    this->Seconds = this->Reused ? 0.0 : timer.Seconds();
    return true;
  }

  const HandleT* Get() const { return this->Handle; }
  /** What it was built from; NULL without a handle. */
  const SourceT* GetSource() const { return this->Handle ? this->Source.get() : nullptr; }
  bool WasReused() const { return this->Reused; }
  double BuildSeconds() const { return this->Seconds; }
  /** Hash of the source it was built from, 0 without one. */
  uint64_t Content() const { return this->Handle ? this->UsedContent : 0; }
  /** Differs after every build. */
  double Generation() const { return this->Builds; }

private:
  template <class BuildT>
  bool Rebuild(std::unique_ptr<SourceT> source, BuildT& build)
  {
    Destroy(this->Handle); // first, so that two structures are never held at once
    this->Handle = nullptr;
    this->Source = std::move(source);
    this->Builds += 1.0;
    return build(*this->Source, &this->Handle);
  }

  HandleT* Handle = nullptr;
  std::unique_ptr<SourceT> Source; // handles may borrow its arrays
  Stamps UsedStamps;
  uint64_t UsedContent = 0;
  Settings UsedSettings;
  bool Reused = false;
  double Seconds = 0.0;
  double Builds = 0.0;
};

/** The points that a data set asks about: its points, or the centres of its cells. */
class Queries
{
public:
  /** `gridsAsAxes`: images and rectilinear grids are given by Axes() instead of Points(). */
  Queries(vtkDataSet* data, int elements, bool gridsAsAxes = false);

  /** Pointers and times only; cheap. */
  const Stamps& Identity() const { return this->Stamp; }

  /** Makes the view and its hash. */
  bool Prepare(Run& run);
  const sq_points& Points() const { return this->View.Points; }
  /** NULL where there are points. */
  const sq_axes* Axes() const { return this->AsAxes ? &this->Grid.Axes : nullptr; }
  uint64_t Content() const { return this->Hashed; }
  vtkIdType Count() const { return this->Number; }

private:
  vtkDataSet* Data;
  bool OfCells;
  bool AsAxes;
  vtkIdType Number;
  Stamps Stamp;
  AxesView Grid;
  PointsView View;
  uint64_t Hashed = 0;
};

/** One answer a block, kept while the block's queries and the settings stay the same. */
template <class AnswerT>
class Answers
{
public:
  /** Begins an execution; `settings` hold the structure's generation too. */
  void Begin(const Settings& settings, size_t blocks)
  {
    if (settings != this->UsedSettings)
    {
      this->Kept.clear();
      this->UsedSettings = settings;
    }
    this->Kept.resize(blocks);
    this->AllReused = blocks > 0;
  }

  /** The kept answer of a block, else what `make(queries)` gives; NULL when that failed. */
  template <class MakeT>
  AnswerT* Get(size_t block, Queries& queries, Run& run, MakeT&& make)
  {
    Entry& entry = this->Kept[block];
    if (entry.Answer && entry.Identity == queries.Identity())
    {
      return entry.Answer.get();
    }
    if (!queries.Prepare(run))
    {
      return nullptr;
    }
    if (!entry.Answer || entry.Content != queries.Content())
    {
      this->AllReused = false;
      entry.Answer.reset();
      entry.Answer = make(queries);
      entry.Content = queries.Content();
    }
    entry.Identity = queries.Identity();
    return entry.Answer.get();
  }

  bool WereReused() const { return this->AllReused; }
  void Clear() { this->Kept.clear(); }

private:
  struct Entry
  {
    Stamps Identity;
    uint64_t Content = 0;
    std::unique_ptr<AnswerT> Answer;
  };
  std::vector<Entry> Kept;
  Settings UsedSettings;
  bool AllReused = false;
};
}
#endif
