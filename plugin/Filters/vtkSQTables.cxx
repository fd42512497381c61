#include "vtkSQTables.h"

#include "vtkDoubleArray.h"
#include "vtkInformation.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkMultiProcessController.h"
#include "vtkSQArrays.h"
#include "vtkTable.h"

namespace vtkSQ
{
namespace
{
vtkMultiProcessController* Ranks()
{
  return vtkMultiProcessController::GetGlobalController();
}
}

bool IsFirstRank()
{
  return !Ranks() || Ranks()->GetLocalProcessId() == 0;
}

void AddCount(vtkTable* table, const char* name, int64_t value)
{
  table->AddColumn(CopyOf<vtkIdTypeArray>(name, &value, 1, IsFirstRank()));
}

void AddValue(vtkTable* table, const char* name, double value)
{
  table->AddColumn(CopyOf<vtkDoubleArray>(name, &value, 1, IsFirstRank()));
}

void SetTables(vtkMultiBlockDataSet* output,
  const std::vector<std::pair<std::string, vtkSmartPointer<vtkTable>>>& tables)
{
  output->SetNumberOfBlocks(static_cast<unsigned int>(tables.size()));
  for (unsigned int i = 0; i < tables.size(); ++i)
  {
    output->SetBlock(i, tables[i].second);
    output->GetMetaData(i)->Set(vtkCompositeDataSet::NAME(), tables[i].first.c_str());
  }
}

void GatherRows(vtkTable* table, const char* process)
{
  vtkMultiProcessController* ranks = Ranks();
  if (!ranks || ranks->GetNumberOfProcesses() == 1)
  {
    return;
  }
  auto rank = NewArray<vtkIdTypeArray>(process, 1, table->GetNumberOfRows());
  rank->FillValue(ranks->GetLocalProcessId());
  table->AddColumn(rank);
  vtkNew<vtkTable> gathered;
  for (vtkIdType c = 0; c < table->GetNumberOfColumns(); ++c)
  {
    vtkDataArray* mine = vtkArrayDownCast<vtkDataArray>(table->GetColumn(c));
    auto all = vtkSmartPointer<vtkDataArray>::Take(mine->NewInstance());
    all->SetName(mine->GetName());
    ranks->GatherV(mine, all, 0);
    gathered->AddColumn(all);
  }
  table->ShallowCopy(gathered);
}
}
