/** Tables of results: columns, one-row tables, several tables under one port. */
#ifndef vtkSQTables_h
#define vtkSQTables_h

#include "vtkSmartPointer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkMultiBlockDataSet;
class vtkTable;

namespace vtkSQ
{
/** Rows of tables, and nodes of trees, are on this rank only. */
bool IsFirstRank();

/** A column of one number, or without rows on other ranks than the first. */
void AddCount(vtkTable* table, const char* name, int64_t value);
void AddValue(vtkTable* table, const char* name, double value);

/** The tables as named blocks. */
void SetTables(vtkMultiBlockDataSet* output,
  const std::vector<std::pair<std::string, vtkSmartPointer<vtkTable>>>& tables);

/**
 * The rows of all ranks on the first one, in the order of ranks, and none elsewhere; `process` names a column
 * for the rank they are from. Nothing happens on one rank; with several all of them must call it with the same columns.
 */
void GatherRows(vtkTable* table, const char* process);
}
#endif
