/** Handles of the core that destroy themselves. */
#ifndef vtkSQHandles_h
#define vtkSQHandles_h

#include "spatialqueries/sq_mesh_query.h"

#include <memory>

namespace vtkSQ
{
template <class HandleT, void (*Destroy)(HandleT*)>
struct Destroyer
{
  void operator()(HandleT* handle) const { Destroy(handle); }
};

using ContextHandle = std::unique_ptr<sq_context, Destroyer<sq_context, sq_context_destroy>>;
using IndexHandle = std::unique_ptr<sq_mesh_index, Destroyer<sq_mesh_index, sq_mesh_index_destroy>>;
using QueryHandle = std::unique_ptr<sq_mesh_query, Destroyer<sq_mesh_query, sq_mesh_query_destroy>>;

/** A context with default settings; NULL without memory. */
inline ContextHandle NewContext()
{
  sq_context* context = nullptr;
  sq_context_create(nullptr, &context);
  return ContextHandle(context);
}

/** An index with its tree. On error it may be there without. */
inline sq_status BuildSearchable(
  sq_context* context, const sq_cells* blocks, int32_t blockCount, sq_mesh_index** index)
{
  const sq_status status = sq_mesh_index_build(context, blocks, blockCount, index);
  return status == SQ_OK ? sq_mesh_index_build_search(context, *index) : status;
}

/** A query of an index; NULL without memory. */
inline QueryHandle NewQuery(const sq_mesh_index* index)
{
  const ContextHandle context = NewContext();
  sq_mesh_query* query = nullptr;
  if (context)
  {
    sq_mesh_query_create(context.get(), index, &query);
  }
  return QueryHandle(query);
}
}
#endif
