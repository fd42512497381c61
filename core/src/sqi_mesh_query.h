#ifndef SQI_MESH_QUERY_H
#define SQI_MESH_QUERY_H
/** The inside of a mesh query: the room of one thread, and the lists that searches fill. */
#include "spatialqueries/sq_mesh_query.h"
#include "sqi_locate_search.h"

/** A cell that a search has found, and what it is sorted by. */
typedef struct sqi_found
{
  double t;
  int32_t number;
} sqi_found;

/** Grows, never shrinks: after a while no question allocates. */
typedef struct sqi_found_list
{
  sqi_found* data;
  int64_t count;
  int64_t capacity;
} sqi_found_list;

struct sq_mesh_query
{
  sq_allocator allocator;
  sqi_locate_rules rules;
  sqi_locate_functions search;
  sqi_mesh_scratch scratch;
  double* room; /* of the scratch */
  double* weights; /* node_max: one a node of the cell */
  double* floor_ulp; /* one a block */
  int32_t seed; /* the last nearest cell; no answer depends on it */
  sqi_found_list found;
  sq_mesh_crossing* crossings;
  int64_t crossing_capacity;
  sq_mesh_cell_id* cells;
  int64_t cell_capacity;
};

sq_status sqi_found_add(sq_mesh_query* query, double t, int32_t number);

/** Sorts by t, then in the order of ties. */
void sqi_found_sort(sq_mesh_query* query);

/** A list of a handle with room for `count`; what it held is lost when it grows. */
sq_status sqi_query_reserve(
  sq_mesh_query* query, int64_t count, size_t size, void** data, int64_t* capacity);

/** A search for all cells that pass two tests. */
typedef struct sqi_collect
{
  /** Bit k: child k of the node may hold such cells. */
  unsigned (*node)(const void* data, const sqi_bvh_node* node);
  /** Whether the cell is one; *t is what the list is sorted by. */
  int (*cell)(sq_mesh_query* query, const void* data, int32_t number, double* t);
  const void* data;
} sqi_collect;

/** Fills query->found, sorted. */
sq_status sqi_query_collect(sq_mesh_query* query, const sqi_collect* collect);

/** Whether all three numbers are finite. */
static inline int sqi_is_finite3(const double x[3])
{
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/** The block and the id in it of a cell. */
static inline int64_t sqi_query_name(const sq_mesh_index* index, int32_t number, int32_t* block)
{
  *block = sqi_mesh_block_of(index, number);
  return number - index->first[*block];
}

/** Sets `hit` to cell `number`, found for x with that status under the rules of the query. */
void sqi_query_set_hit(sq_mesh_query* query, const double x[3], int32_t number,
  sq_sample_status status, sq_mesh_hit* hit);

#endif
