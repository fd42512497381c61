#ifndef SQI_POINT_TREE_H
#define SQI_POINT_TREE_H
/**
 * Points in groups of eight along a Morton curve, and a tree over the groups that needs no pointers: node i of a level has the
 * nodes (or groups) 8 i to 8 i + 7 of the level below, as the packed trees of Kamel and Faloutsos, "On packing R-trees", CIKM 1993.
 * Parts of the curve with many points are ordered again along a curve around these, so that clusters do no harm.
 */
#include "spatialqueries/sq_context.h"

#define SQI_POINT_WIDTH 8
/** More than 2^32 points do not have. */
#define SQI_POINT_LEVELS 11
/** Points that one tree can have. */
#define SQI_POINT_MOST ((int64_t)1 << 31)

/** Coordinates of eight points; NaN for one that is not finite, and where there is none. */
typedef struct sqi_point_group
{
  double x[3][SQI_POINT_WIDTH];
} sqi_point_group;

/** Boxes of eight children; NaN where there is no (finite) point. */
typedef struct sqi_point_node
{
  double lo[3][SQI_POINT_WIDTH];
  double hi[3][SQI_POINT_WIDTH];
} sqi_point_node;

typedef struct sqi_point_tree
{
  int64_t count;
  int64_t group_count;
  int64_t node_count;
  sqi_point_group* groups;
  uint64_t* places; /* the point at each place: its low 32 bits */
  sqi_point_node* nodes;
  int32_t level_count;
  int64_t level
    [SQI_POINT_LEVELS]; /* where its nodes begin; level 0 is that above the groups, the last has one node */
  int64_t level_size[SQI_POINT_LEVELS];
} sqi_point_tree;

/**
 * The tree of points first ... first + count - 1, at least one, which it numbers from 0; they are copied. 47 bytes a point while
 * it is made, 39 then. To be released, also after an error.
 */
sq_status sqi_point_tree_build(
  sq_context* context, const sq_points* points, int64_t first, int64_t count, sqi_point_tree* tree);

void sqi_point_tree_release(sq_context* context, sqi_point_tree* tree);

/** The point at a place. */
static inline int64_t sqi_point_at(const sqi_point_tree* tree, int64_t place)
{
  return (int64_t)(uint32_t)tree->places[place];
}

/** Orders points first ... first + count - 1 along the curve: `places` as above (sqi_point_order.c). */
sq_status sqi_point_order(
  sq_context* context, const sq_points* points, int64_t first, int64_t count, uint64_t* places);

#endif
