#ifndef SQI_MESH_INDEX_SEARCH_H
#define SQI_MESH_INDEX_SEARCH_H
/** The part of a mesh index that searches walk: made once, by the first operation that asks for it. */
#include "sqi_mesh_index_leaf.h"

/**
 * Makes it unless it is there; one thread builds while others wait (and may be cancelled). After an error the index is as
 * before. The progress of the operation goes half way meanwhile, and its later phases share the other half.
 */
sq_status sqi_mesh_search_need(sq_context* context, const sq_mesh_index* index);

/** The same in the midst of an operation: the progress stays within the present phase, which gets another name. */
sq_status sqi_mesh_search_need_here(sq_context* context, const sq_mesh_index* index);

static inline int sqi_mesh_is_searchable(const sq_mesh_index* index)
{
  return atomic_load_explicit(&index->searchable, memory_order_acquire);
}

void sqi_mesh_search_release(sq_mesh_index* index);

int64_t sqi_mesh_search_bytes(const sq_mesh_index* index);

#endif
