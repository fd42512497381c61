#ifndef SQI_PLAN_WALK_RUN_H
#define SQI_PLAN_WALK_RUN_H
/** What of the traversal is compiled once for each instruction set level. */
#include "sqi_plan_walk.h"

/** Walks from the two roots along walker->path, then everywhere. */
typedef void (*sqi_plan_visit_function)(sqi_plan_walker* walker);
void sqi_plan_visit_generic(sqi_plan_walker* walker);
void sqi_plan_visit_avx2(sqi_plan_walker* walker);
void sqi_plan_visit_avx512(sqi_plan_walker* walker);

typedef void (*sqi_plan_masks_function)(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_generic(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_avx2(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);
void sqi_plan_masks_avx512(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);

/** A node pair of a round of the level-by-level traversal. */
typedef struct sqi_plan_node_pair
{
  uint32_t target;
  uint32_t source;
} sqi_plan_node_pair;

/** What becomes of it. NONE: a diameter that is no number; it goes on nowhere. */
#define SQI_PLAN_KIND_NONE 0u
#define SQI_PLAN_KIND_FAR 1u
#define SQI_PLAN_KIND_LEAF 2u
#define SQI_PLAN_KIND_TARGET 3u /* only the target is split */
#define SQI_PLAN_KIND_SOURCE 4u
#define SQI_PLAN_KIND_BOTH 5u
#define SQI_PLAN_KINDS 6

typedef void (*sqi_plan_sort_pairs_function)(const sqi_plan_tree* targets,
  const sqi_plan_tree* sources, double theta2, const sqi_plan_node_pair* pairs, int64_t count,
  uint8_t* kinds);
void sqi_plan_sort_pairs_generic(const sqi_plan_tree* targets, const sqi_plan_tree* sources,
  double theta2, const sqi_plan_node_pair* pairs, int64_t count, uint8_t* kinds);
void sqi_plan_sort_pairs_avx2(const sqi_plan_tree* targets, const sqi_plan_tree* sources,
  double theta2, const sqi_plan_node_pair* pairs, int64_t count, uint8_t* kinds);
void sqi_plan_sort_pairs_avx512(const sqi_plan_tree* targets, const sqi_plan_tree* sources,
  double theta2, const sqi_plan_node_pair* pairs, int64_t count, uint8_t* kinds);

#endif
