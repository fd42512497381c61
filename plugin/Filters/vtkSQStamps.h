/** What the geometry of a data set is: pointers and times, which cost nothing, and a hash of the content. */
#ifndef vtkSQStamps_h
#define vtkSQStamps_h

#include "vtkSQCells.h"

#include <vector>

class vtkObject;

namespace vtkSQ
{
/**
 * Equal stamps: the same arrays, unmodified. A freed address may come back, but never with an old modification time, since
 * VTK counts those up for the whole process.
 */
using Stamps = std::vector<uint64_t>;

/** Of any object, NULL too. */
void AddObjectStamps(vtkObject* object, Stamps& stamps);
void AddPointStamps(vtkDataSet* data, Stamps& stamps);
void AddCellStamps(vtkDataSet* data, Stamps& stamps);

/** 64 bits of the content, for data that is made anew with equal numbers. */
class Hash
{
public:
  void Add(const void* bytes, size_t count);
  void Add(uint64_t number) { this->Mix(number); }
  void Add(const sq_points& points);
  void Add(const sq_cells& cells);
  uint64_t Value() const { return this->State; }

private:
  void Mix(uint64_t word);

  uint64_t State = 0x243f6a8885a308d3u; // digits of pi
};
}
#endif
