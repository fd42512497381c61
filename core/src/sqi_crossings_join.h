#ifndef SQI_CROSSINGS_JOIN_H
#define SQI_CROSSINGS_JOIN_H
/** The inside of the search for crossings: leaves laid out for eight triangles at once, and the hot loop over them. */
#include "sqi_crossings.h"
#include "sqi_triangle_box.h"

/** The triangles of a leaf, a lane each: boxes in the frame of the tree, rounded outward, and corners. No query hits a box of an unused lane. */
typedef struct sqi_crossing_leaf
{
  float lo[3][SQI_BVH_WIDTH];
  float hi[3][SQI_BVH_WIDTH];
  int32_t corner[3][SQI_BVH_WIDTH];
  int32_t triangle[SQI_BVH_WIDTH];
} sqi_crossing_leaf;

typedef struct sqi_crossing_join
{
  sqi_triangle_view triangles;
  const sqi_bvh* bvh;
  int32_t* leaf_of_child; /* by 8 node + child; -1: none */
  sqi_crossing_leaf* leaves;
  sqi_crossings* out;
} sqi_crossing_join;

/** Pairs of the leaves of a node with themselves and the leaves of higher numbers; one function per instruction set level. */
typedef int64_t (*sqi_crossing_joiner)(const sqi_crossing_join* join, int32_t node);

int64_t sqi_crossings_join_generic(const sqi_crossing_join*, int32_t node);
int64_t sqi_crossings_join_avx2(const sqi_crossing_join*, int32_t node);
int64_t sqi_crossings_join_avx512(const sqi_crossing_join*, int32_t node);

#endif
