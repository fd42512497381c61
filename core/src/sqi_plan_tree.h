#ifndef SQI_PLAN_TREE_H
#define SQI_PLAN_TREE_H
/** A cluster tree in the form that plans walk: 32-bit ids, boxes in rows, points in the order of the tree. */
#include "spatialqueries/sq_cluster_tree.h"

#define SQI_PLAN_NONE 0xffffffffu
/** Deeper trees are not midpoint trees. */
#define SQI_PLAN_DEPTH_MAX 64
/** Scalars of a row: min x y z, max x y z, diameter^2, diameter (its sign bit is set at a leaf). Missing axes are 0. */
#define SQI_PLAN_ROW 8
/** Coordinates that may be read past the last point. */
#define SQI_PLAN_PAD 8

typedef struct sqi_plan_tree
{
  sq_cluster_tree_view view;
  sq_type type;
  int64_t node_count;
  int64_t point_count;
  int64_t finite_count; /* points that are not skipped */
  int64_t leaf_max; /* most points of a leaf */
  int32_t depth;
  void* rows; /* node_count x SQI_PLAN_ROW, of `type` */
  uint32_t* child; /* 2 a node; SQI_PLAN_NONE: none, or one without points that take part */
  uint32_t* begin; /* first position of a node */
  uint32_t* range; /* its positions */
  uint32_t* finite; /* its points that are not skipped */
  void* coordinates[3]; /* by position, of `type`; point_count + SQI_PLAN_PAD */
  uint32_t* order; /* position -> point */
  uint64_t*
    present; /* bit p: position p is not skipped; NULL: none is. One word more than needed. */
} sqi_plan_tree;

/**
 * Checks that nodes form a tree over ranges of positions (SQ_INVALID_DATA, `what` names the tree). On error *tree is all zero.
 */
sq_status sqi_plan_tree_build(
  sq_context* context, const sq_cluster_tree* source, const char* what, sqi_plan_tree* tree);

void sqi_plan_tree_release(sq_context* context, sqi_plan_tree* tree);

static inline int sqi_plan_is_leaf(const sqi_plan_tree* tree, uint32_t node)
{
  return tree->child[2 * (size_t)node] == SQI_PLAN_NONE &&
    tree->child[2 * (size_t)node + 1] == SQI_PLAN_NONE;
}

/** 64 bits of `present` from a position on; what lies past the end is undefined. */
static inline uint64_t sqi_plan_present(const sqi_plan_tree* tree, int64_t position)
{
  if (!tree->present)
  {
    return ~(uint64_t)0;
  }
  int64_t word = position >> 6;
  int shift = (int)(position & 63);
  return shift ? tree->present[word] >> shift | tree->present[word + 1] << (64 - shift)
               : tree->present[word];
}

static inline int sqi_plan_is_present(const sqi_plan_tree* tree, int64_t position)
{
  return !tree->present || (tree->present[position >> 6] >> (position & 63) & 1);
}

#endif
