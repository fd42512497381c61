/** Points or cell centres of all data sets of an input as the points of a tree, with what they weigh. */
#ifndef vtkSQElements_h
#define vtkSQElements_h

#include "vtkSQLeaves.h"
#include "vtkSQPoints.h"
#include "vtkSQRun.h"
#include "vtkSQStamps.h"

#include <memory>
#include <string>

class vtkDataSetAttributes;

namespace vtkSQ
{
struct ElementRequest
{
  int Elements = 0; /**< 0 points, 1 cells */
  int Dimensions = 3;
  std::string Area; /**< array; "": 1 a point, the measure of a cell */
  bool MeasureCells = true; /**< false: cells weigh 1 too */
  bool AsDouble = false; /**< also points that are all stored as float */
  const char* Input = "Input"; /**< names the port in messages */
  const char* AreaProperty = "AreaArray";
};

/** Entry i of SQ_FLOAT32 or SQ_FLOAT64 numbers. */
inline double NumberAt(const void* numbers, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? double(static_cast<const float*>(numbers)[i])
                            : static_cast<const double*>(numbers)[i];
}

/** The arrays of a leaf that its elements have. */
vtkDataSetAttributes* AttributesOf(vtkDataSet* data, int elements);

/**
 * Ghost elements take no part: those with a DUPLICATE or HIDDEN bit. The others are numbered in the order of the leaves; this
 * `position` is what the core calls the id of a point.
 */
class Elements
{
public:
  /** NULL after a failure, with its message, or an abort. */
  static std::unique_ptr<Elements> Read(
    Run& run, const std::vector<Leaf>& leaves, const ElementRequest& request);
  /** How many take part, without reading anything else. */
  static int64_t CountIn(const std::vector<Leaf>& leaves, int elements);
  /** SQ_FLOAT32 where all points of all leaves are stored so; cell centres are double. */
  static sq_type TypeIn(const std::vector<Leaf>& leaves, int elements);
  static Stamps StampsOf(const std::vector<Leaf>& leaves, const ElementRequest& request);

  const sq_points& Points() const { return this->View.Points; }
  /** Numbers of the type of the points; NULL: all 1. */
  const void* Areas() const { return this->Area.Data; }
  int64_t Count() const { return this->View.Points.count; }
  uint64_t Content() const { return this->Hashed; }

  /** All elements, also those that take no part. */
  const Numbering& Numbers() const { return this->Every; }
  /** Number of the element at a position. */
  int64_t NumberOf(int64_t position) const
  {
    return this->Kept.empty() ? position : this->Kept[static_cast<size_t>(position)];
  }

  /**
   * An array of the elements at all positions, as numbers of `type`, or of its own type where that is SQ_FLOAT32 and of double
   * otherwise; blocks without it are NaN. Without data where no leaf has such a numeric array.
   */
  Packed Gather(const std::vector<Leaf>& leaves, const std::string& name) const;
  Packed GatherAs(const std::vector<Leaf>& leaves, const std::string& name, sq_type type) const;

  /**
   * An array of one component in every block that has elements, finite at all finite elements; false after an error that names the
   * `property`.
   */
  bool ReadNumbers(Run& run, const std::vector<Leaf>& leaves, const std::string& name,
    const char* property, sq_type type, Packed& numbers) const;

  /** The position of the element with a number, -1 where it takes no part or there is none. */
  int64_t PositionOf(int64_t number) const;

  /** The type that Gather() gives an array. */
  sq_type TypeOfArray(const std::vector<Leaf>& leaves, const std::string& name) const;

  /**
   * Values of the positions spread over one leaf's elements; those that take no part get `missing`.
   */
  template <class ArrayT, typename T>
  vtkSmartPointer<ArrayT> Spread(
    const char* name, const T* values, size_t leaf, typename ArrayT::ValueType missing) const
  {
    const int64_t first = this->Every.First(leaf), count = this->Every.CountOf(leaf);
    auto array = NewArray<ArrayT>(name, 1, static_cast<vtkIdType>(count));
    array->FillValue(missing);
    for (int64_t p = this->LeafStart[leaf]; p < this->LeafStart[leaf + 1]; ++p)
    {
      array->SetValue(
        static_cast<vtkIdType>(this->NumberOf(p) - first), values[static_cast<size_t>(p)]);
    }
    return array;
  }

private:
  Elements(const std::vector<Leaf>& leaves, const ElementRequest& request);
  void FindKept(const std::vector<Leaf>& leaves);
  bool IsFinite(int64_t position) const;
  bool ReadPoints(Run& run, const std::vector<Leaf>& leaves);
  bool ReadAreas(Run& run, const std::vector<Leaf>& leaves);
  bool MeasureCells(Run& run, const std::vector<Leaf>& leaves);
  Packed Join(const std::vector<Packed>& ofLeaves, sq_type type, int components) const;

  ElementRequest Request;
  Numbering Every;
  std::vector<int64_t> Kept; // number by position; empty: all take part
  std::vector<int64_t> LeafStart; // position of every leaf's first element, and the count
  PointsView View;
  Packed Area;
  uint64_t Hashed = 0;
};
}
#endif
