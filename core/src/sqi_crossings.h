#ifndef SQI_CROSSINGS_H
#define SQI_CROSSINGS_H
/** Where a surface crosses itself: a self join of a tree over its triangles, with exact tests. */
#include "sqi_bvh.h"

/** More triangles than this a leaf of the tree are not taken. */
#define SQI_CROSSINGS_LEAF SQI_BVH_WIDTH

/** What is found, and where it goes; the caller's arrays, which may be NULL, are added to. */
typedef struct sqi_crossings
{
  int64_t pairs;
  uint8_t*
    marks; /* a byte a triangle, which gets the bits of `mark` where the triangle takes part in a pair */
  uint8_t mark;
  const int32_t* part; /* by vertex: which part of the surface it is in */
  int64_t* part_pairs; /* by part: pairs within it */
  const uint8_t* flat; /* by triangle: without an area; not NULL: look for what touches, too */
  int
    only_apart; /* corners that are one need not lie in one place: triangles that share some do not touch */
  int
    touches; /* two triangles meet in more than the vertices and edges that they share (sqk_triangle_touch.h) */
} sqi_crossings;

/**
 * Finds the pairs of triangles without a common vertex that cross in more than a touch
 * (sqk_triangle_cross.h). `vertices`: 3 finite doubles each; `corners`: 3 vertex ids a triangle, equal for welded vertices.
 * `bvh`: a tree over these triangles with leaves of at most SQI_CROSSINGS_LEAF, and with their boxes; NULL: one is built.
 */
sq_status sqi_crossings_find(sq_context* context, const double* vertices, const int32_t* corners,
  int32_t triangle_count, const sqi_bvh* bvh, sqi_crossings* crossings);

#endif
