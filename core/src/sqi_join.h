#ifndef SQI_JOIN_H
#define SQI_JOIN_H
/**
 * Containing cells of scattered points by walking the cells, each through a tree over the points (sqi_point_tree.h), as a spatial
 * join does: Brinkhoff, Kriegel and Seeger, "Efficient processing of spatial joins using R-trees", SIGMOD 1993, with one side
 * taken as it comes. The bound of a cell (sqi_cell_bound.h) says which points are out and, for cells that are their bound, which are
 * in; the rest is decided by the kernels of the search. What is found does not depend on the order of the cells.
 */
#include "sqi_locate_rows.h"
#include "sqi_point_tree.h"

#include <stdatomic.h>

/**
 * What is known of a point: its best rank, how many cells it has at that rank and the lowest of them. One word, so that threads
 * can change it at once.
 */
#define SQI_FOUND_NONE ((uint64_t)SQI_RANK_NONE << 62)

static inline int sqi_found_rank(uint64_t found)
{
  return (int)(found >> 62);
}

static inline int32_t sqi_found_count(uint64_t found)
{
  return (int32_t)(found >> 31 & INT32_MAX);
}

static inline int32_t sqi_found_number(uint64_t found)
{
  return (int32_t)(found & INT32_MAX);
}

/** Cells of a word of `later`. */
#define SQI_JOIN_WORD 64

typedef struct sqi_join
{
  const sqi_locate_rules* rules;
  const sqi_mesh_scratch* scratch; /* one a thread */
  const sqi_point_tree* tree;
  _Atomic uint64_t* found; /* one a place */
  uint64_t*
    later; /* bits of the cells that have so many points that all threads are to go through them */
} sqi_join;

/** Goes through the points of cells begin ... end - 1, or sets their bits in `later`. `begin` is a multiple of SQI_JOIN_WORD. */
typedef void (*sqi_join_cells)(const sqi_join* join, int64_t begin, int64_t end, int32_t thread);

/** Goes through the points of a cell that lie below a node of a level. */
typedef void (*sqi_join_below)(
  const sqi_join* join, int32_t number, int32_t level, int64_t node, int32_t thread);

typedef struct sqi_join_functions
{
  sqi_join_cells cells;
  sqi_join_below below;
} sqi_join_functions;

sqi_join_functions sqi_join_choose(void);

#define SQI_JOIN_LEVEL(level)                                                                    \
  void sqi_join_cells_##level(const sqi_join* join, int64_t begin, int64_t end, int32_t thread); \
  void sqi_join_below_##level(                                                                   \
    const sqi_join* join, int32_t number, int32_t tree_level, int64_t node, int32_t thread);
SQI_JOIN_LEVEL(generic)
SQI_JOIN_LEVEL(avx2)
SQI_JOIN_LEVEL(avx512)
#undef SQI_JOIN_LEVEL

/**
 * The best cells of the tree's points into `found`, by the cells that take part and are no copies. `later` has a bit a cell;
 * it need not be set.
 */
sq_status sqi_join_run(sq_context* context, const sqi_join* join, int64_t cell_count);

#endif
