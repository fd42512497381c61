/** All data sets of an input as one mesh of the core. */
#ifndef vtkSQMesh_h
#define vtkSQMesh_h

#include "vtkSQLeaves.h"
#include "vtkSQStamps.h"

class vtkDataObject;

namespace vtkSQ
{
class Mesh
{
public:
  explicit Mesh(const std::vector<Leaf>& leaves);

  const sq_cells* Blocks() const { return this->Cells.data(); }
  int32_t BlockCount() const { return static_cast<int32_t>(this->Cells.size()); }
  uint64_t Content() const;

  static Stamps StampsOf(const std::vector<Leaf>& leaves);

private:
  std::vector<CellsView> Views;
  std::vector<sq_cells> Cells;
  std::vector<vtkIdType> Ids;
};
}
#endif
