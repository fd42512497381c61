#include "vtkSQSampling.h"

#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkPointData.h"

#include <algorithm>

namespace vtkSQ
{
namespace
{
vtkDataSetAttributes* AttributesOf(vtkDataSet* data, sq_association association)
{
  return association == SQ_ASSOCIATION_POINTS
    ? static_cast<vtkDataSetAttributes*>(data->GetPointData())
    : static_cast<vtkDataSetAttributes*>(data->GetCellData());
}

bool IsSampled(const char* name)
{
  const std::string text = name ? name : "";
  return !text.empty() && text != vtkDataSetAttributes::GhostArrayName() &&
    text != "vtkValidPointMask" && text != "vtkValidCellMask";
}

bool IsFloat(sq_type type)
{
  return type == SQ_FLOAT32 || type == SQ_FLOAT64;
}

/** One type for all blocks: theirs where they agree, else double. */
sq_type CommonType(const SampledArray& array)
{
  const sq_type type = TypeOf(array.First->GetDataType());
  const bool agree = std::all_of(array.Blocks.begin(), array.Blocks.end(),
    [&](vtkAbstractArray* a) { return !a || TypeOf(a->GetDataType()) == type; });
  return agree ? type : SQ_FLOAT64;
}

void MakeFields(SampledArray& array, sq_type type)
{
  for (vtkAbstractArray* block : array.Blocks)
  {
    array.Keep.push_back(block ? PackAs(vtkDataArray::SafeDownCast(block), type) : Packed());
    const Packed& packed = array.Keep.back();
    array.Fields.push_back({ block ? packed.Data : nullptr, type, packed.Tuples });
  }
}
}

Sampling::Sampling(const std::vector<Leaf>& source, const SampleRequest& request,
  const std::set<std::string>& results)
  : Source(source)
  , Request(request)
{
  if (request.PointArrays)
  {
    this->Collect(SQ_ASSOCIATION_POINTS);
  }
  const size_t pointArrays = this->Arrays.size();
  if (request.CellArrays)
  {
    this->Collect(SQ_ASSOCIATION_CELLS);
  }
  std::set<std::string> points;
  std::set<std::string> taken = results;
  for (size_t i = 0; i < this->Arrays.size(); ++i)
  {
    SampledArray& array = this->Arrays[i];
    array.Name = request.Prefix + array.SourceName;
    if (i < pointArrays)
    {
      points.insert(array.SourceName);
    }
    else if (points.count(array.SourceName))
    {
      array.Name += "_cell";
    }
    while (!taken.insert(array.Name).second)
    {
      array.Name += "_source";
    }
    this->Settle(array);
  }
}

void Sampling::Collect(sq_association association)
{
  const size_t first = this->Arrays.size();
  for (size_t b = 0; b < this->Source.size(); ++b)
  {
    vtkDataSetAttributes* attributes = AttributesOf(this->Source[b].Data, association);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    {
      vtkAbstractArray* block = attributes->GetAbstractArray(i);
      if (!IsSampled(block->GetName()))
      {
        continue;
      }
      auto array = std::find_if(this->Arrays.begin() + long(first), this->Arrays.end(),
        [&](const SampledArray& a) { return a.SourceName == block->GetName(); });
      if (array == this->Arrays.end())
      {
        array = this->Arrays.insert(array, SampledArray());
        array->SourceName = block->GetName();
        array->Association = association;
        array->First = block;
        array->IsNumeric = vtkDataArray::SafeDownCast(block) != nullptr;
        array->Blocks.resize(this->Source.size());
      }
      const int elements =
        association == SQ_ASSOCIATION_POINTS ? vtkDataObject::POINT : vtkDataObject::CELL;
      const bool fits = block->GetNumberOfComponents() == array->First->GetNumberOfComponents() &&
        block->GetNumberOfTuples() == this->Source[b].Data->GetNumberOfElements(elements) &&
        (vtkDataArray::SafeDownCast(block) != nullptr) == array->IsNumeric;
      array->Blocks[b] = fits ? block : nullptr;
    }
  }
}

/** How the array is combined and of which type it comes out; section 0 of the filters' rules: never by value. */
void Sampling::Settle(SampledArray& array) const
{
  for (size_t b = 0; b < array.Blocks.size(); ++b)
  {
    array.IsPartial |= !array.Blocks[b] && this->Source[b].Data->GetNumberOfCells() > 0;
  }
  if (!array.IsNumeric)
  {
    return;
  }
  sq_type type = CommonType(array);
  const bool isCategory = this->Request.CategoricalData == CATEGORICAL_ALL ||
    (this->Request.CategoricalData == CATEGORICAL_INTEGERS && !IsFloat(type));
  const bool isCell = array.Association == SQ_ASSOCIATION_CELLS;
  const bool average = this->Request.AverageCells;
  array.Combine = isCell ? (average ? SQ_COMBINE_WEIGHTED : SQ_COMBINE_DOMINANT)
                         : (isCategory ? SQ_COMBINE_DOMINANT : SQ_COMBINE_WEIGHTED);
  sq_type out = type;
  if (!IsFloat(type) && (average || array.Combine == SQ_COMBINE_WEIGHTED))
  {
    out = SQ_FLOAT64;
    type = array.Combine == SQ_COMBINE_DOMINANT ? SQ_FLOAT64 : type; // copies have one type
  }
  const int stored = array.First->GetDataType();
  array.DataType = out == TypeOf(stored) && stored != VTK_BIT ? stored : DataTypeOf(out);
  MakeFields(array, type);
}

std::set<std::string> Sampling::Names() const
{
  std::set<std::string> names;
  for (const SampledArray& array : this->Arrays)
  {
    names.insert(array.Name);
    if (array.IsPartial)
    {
      names.insert(array.Name + "_valid");
    }
  }
  return names;
}

std::string Sampling::Active() const
{
  for (const Leaf& leaf : this->Source)
  {
    for (const sq_association association : { SQ_ASSOCIATION_POINTS, SQ_ASSOCIATION_CELLS })
    {
      vtkDataArray* scalars = AttributesOf(leaf.Data, association)->GetScalars();
      for (const SampledArray& array : this->Arrays)
      {
        if (scalars && scalars->GetName() && array.SourceName == scalars->GetName() &&
          array.Association == association)
        {
          return array.Name;
        }
      }
    }
  }
  // Strings and variants cannot be active.
  const auto first = std::find_if(this->Arrays.begin(), this->Arrays.end(),
    [](const SampledArray& array) { return vtkDataArray::SafeDownCast(array.First) != nullptr; });
  return first == this->Arrays.end() ? "" : first->Name;
}
}
