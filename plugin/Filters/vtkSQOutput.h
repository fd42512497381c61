/** The output of a filter that keeps the structure of its Input and adds arrays to every data set. */
#ifndef vtkSQOutput_h
#define vtkSQOutput_h

#include "vtkSQLeaves.h"

#include <cstdint>
#include <set>
#include <string>

class vtkAbstractArray;
class vtkDataObject;
class vtkDataSet;
class vtkDataSetAttributes;
class vtkFieldData;

namespace vtkSQ
{
class Run;

class Output
{
public:
  /**
   * Copies the structure and the arrays of `input`; `elements` 0: results are point arrays, 1: cell arrays.
   * Field data that these filters write is never passed on.
   */
  Output(vtkDataObject* input, vtkDataObject* output, int elements);

  /** Data sets in the order of LeavesOf(input). */
  size_t Size() const { return this->Inputs.size(); }
  vtkDataSet* Input(size_t leaf) const { return this->Inputs[leaf].Data; }
  vtkDataSet* Data(size_t leaf) const { return this->Outputs[leaf].Data; }
  vtkDataSetAttributes* Attributes(size_t leaf) const;

  /** Elements over all data sets. */
  vtkIdType Count() const;

  /** Input's arrays with one of these names go out as <name>_input. */
  void Reserve(const std::set<std::string>& names);

  /** Leaves out arrays of Input, but never its ghost arrays. */
  void Drop(bool pointArrays, bool cellArrays, bool fieldArrays);

  void SetActive(const std::string& name);

  /** Where field data goes: the data set, or the root of a composite. */
  vtkDataObject* Object() const { return this->Root; }

  const char* MaskName() const { return this->Elements ? "vtkValidCellMask" : "vtkValidPointMask"; }

  /** After an error or an abort: no array at all rather than some. */
  void Clear();

private:
  vtkDataObject* Root;
  int Elements;
  std::vector<Leaf> Inputs;
  std::vector<Leaf> Outputs;
};

/** Takes all points and cells; the arrays stay, without a value. */
void Hollow(vtkDataSet* data);

/** Removes what these filters write from field data that came from upstream. */
void DropOwnFields(vtkFieldData* fields);

void AddFieldValue(vtkDataObject* output, const char* name, double value);
void AddFieldCount(vtkDataObject* output, const char* name, int64_t value);

/** SearchReused, QuerySeconds, PeakBytes, DeviceUsed. */
void AddRunFields(vtkDataObject* output, const Run& run, bool searchReused, double querySeconds);
}
#endif
