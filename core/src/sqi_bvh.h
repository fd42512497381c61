#ifndef SQI_BVH_H
#define SQI_BVH_H
/**
 * A tree of 8 children a node over boxes of anything, for searches whose answer does not depend on the tree.
 *
 * Built top-down by the binned surface area heuristic (Wald, "On fast construction of SAH-based bounding volume
 * hierarchies", RT 2007) with leaves counted as ceil(n / leaf size), so that they come out full, then collapsed to 8
 * children a node. The same tree for any number of threads.
 */
#include "spatialqueries/sq_context.h"
#include "sqi_simd.h"

#include <math.h>

#define SQI_BVH_WIDTH 8
#define SQI_BVH_LEAF_MAX 64
/** No node is deeper than this, in the binary tree that the builder starts from; the root has depth 0. */
#define SQI_BVH_DEPTH_MAX 80
/** Entries that a depth-first traversal can have waiting: 7 siblings a level, and one. */
#define SQI_BVH_STACK (7 * SQI_BVH_DEPTH_MAX + 8)

/**
 * Where the float boxes live: local = x * scale - centre, with scale a power of two such that the items lie
 * within [-1, 1]. The map is exact but for one rounding, of the subtraction. The centre is amid the items, also where a
 * few of them are far away: near it floats are finest.
 */
typedef struct sqi_frame
{
  double scale;
  double centre[3];
} sqi_frame;

/** The frame around `middle` of a finite box that holds it, of any size from a point to the whole range of double. */
sqi_frame sqi_frame_around(const double middle[3], const double lo[3], const double hi[3]);

static inline void sqi_frame_local(const sqi_frame* frame, const double x[3], double local[3])
{
  for (int d = 0; d < 3; ++d)
  {
    local[d] = x[d] * frame->scale - frame->centre[d];
  }
}

/** Floats below and above a local coordinate, also after its own rounding in double. */
static inline float sqi_round_down(double x)
{
  float f = (float)x;
  return f - (__builtin_fabsf(f) * 0x1p-23f + 0x1p-126f);
}

static inline float sqi_round_up(double x)
{
  float f = (float)x;
  return f + (__builtin_fabsf(f) * 0x1p-23f + 0x1p-126f);
}

/**
 * Children in structure of arrays. Child k is a leaf where count[k] > 0: items order[child[k]] ... order[child[k] +
 * count[k] - 1]; else a node, or nothing. A child that is nothing has a box that no query hits.
 */
typedef struct sqi_bvh_node
{
  float lo[3][SQI_BVH_WIDTH];
  float hi[3][SQI_BVH_WIDTH];
  int32_t child[SQI_BVH_WIDTH];
  uint8_t count[SQI_BVH_WIDTH];
  int32_t child_count; /* children 0 ... child_count - 1 are something */
  int32_t padding[5];
} sqi_bvh_node;

typedef struct sqi_bvh
{
  sqi_frame frame;
  sqi_bvh_node* nodes; /* node 0 is the root; NULL without items; parents before children */
  int32_t* order;
  struct sqi_half_box* boxes; /* of the items in this order, in the frame; NULL unless asked for */
  double lo[3]; /* box of all items; lo > hi without items */
  double hi[3];
  int32_t node_count;
  int32_t item_count;
  int32_t leaf_size;
  int32_t depth; /* of the deepest node */
  sq_allocator allocator;
} sqi_bvh;

/** The box of an item: finite, lo <= hi. Called from several threads. */
typedef void (*sqi_bvh_box)(const void* data, int64_t item, double lo[3], double hi[3]);

/**
 * Builds over items 0 to item_count - 1; leaves have at most leaf_size items (1 to SQI_BVH_LEAF_MAX).
 * SQ_TOO_LARGE above 2^31 - 1 items, SQ_OUT_OF_MEMORY, SQ_CANCELLED; *bvh is empty then.
 */
sq_status sqi_bvh_build(sq_context* context, int64_t item_count, sqi_bvh_box box, const void* data,
  int32_t leaf_size, sqi_bvh* bvh);

/** The same, and keeps the boxes of the items: those that sqi_bvh_query_box() gives. */
sq_status sqi_bvh_build_with_boxes(sq_context* context, int64_t item_count, sqi_bvh_box box,
  const void* data, int32_t leaf_size, sqi_bvh* bvh);

/** Gives back the boxes. */
void sqi_bvh_drop_boxes(sq_context* context, sqi_bvh* bvh);

/** Frees the arrays; an empty or cleared bvh is allowed. */
void sqi_bvh_release(sqi_bvh* bvh);

int64_t sqi_bvh_bytes(const sqi_bvh* bvh);

/** A query box in the frame, rounded outward. Beyond the range of float it is cut off, which loses no item. */
static inline void sqi_bvh_query_box(
  const sqi_frame* frame, const double lo[3], const double hi[3], float qlo[3], float qhi[3])
{
  double l[3], h[3];
  sqi_frame_local(frame, lo, l);
  sqi_frame_local(frame, hi, h);
  for (int d = 0; d < 3; ++d)
  {
    qlo[d] = sqi_round_down(l[d] > -4.0 ? (l[d] < 4.0 ? l[d] : 4.0) : -4.0);
    qhi[d] = sqi_round_up(h[d] < 4.0 ? (h[d] > -4.0 ? h[d] : -4.0) : 4.0);
  }
}

/** Bit k: child k's box meets the query box (both closed). No hit is lost to rounding. */
SQI_SIMD unsigned sqi_bvh_overlap(const sqi_bvh_node* node, const float qlo[3], const float qhi[3])
{
  sqi_i8 hit =
    (sqi_load8(node->lo[0]) <= sqi_set8(qhi[0])) & (sqi_load8(node->hi[0]) >= sqi_set8(qlo[0]));
  for (int d = 1; d < 3; ++d)
  {
    hit &=
      (sqi_load8(node->lo[d]) <= sqi_set8(qhi[d])) & (sqi_load8(node->hi[d]) >= sqi_set8(qlo[d]));
  }
  return sqi_mask8(hit);
}

/**
 * A point in the frame for the distance test. `error` bounds how far the rounded point and the rounding of
 * sqi_bvh_distance2() together can be off: true distance >= sqrt(distance2) - error.
 * Holds for |local| <= 2^40; farther points must be handled in another way.
 */
static inline void sqi_bvh_query_point(
  const sqi_frame* frame, const double x[3], float q[3], float* error)
{
  double local[3];
  float largest = 0.0f;
  sqi_frame_local(frame, x, local);
  for (int d = 0; d < 3; ++d)
  {
    q[d] = (float)local[d];
    largest = __builtin_fabsf(q[d]) > largest ? __builtin_fabsf(q[d]) : largest;
  }
  /* Each axis is off by half an ulp of q and of the gap, and the gap, where it is not inside the frame, is at most
   * |q| + 1: below 8 * 2^-24 of that in all. */
  *error = (largest + 1.0f) * 0x1p-20f;
}

/** Squared local distances from q to the eight boxes; infinite for no child. */
SQI_SIMD sqi_f8 sqi_bvh_distance2(const sqi_bvh_node* node, const float q[3])
{
  sqi_f8 sum = sqi_set8(0.0f);
  for (int d = 0; d < 3; ++d)
  {
    sqi_f8 p = sqi_set8(q[d]);
    sqi_f8 gap = sqi_max8(sqi_load8(node->lo[d]) - p, p - sqi_load8(node->hi[d]));
    gap = sqi_max8(gap, sqi_set8(0.0f));
    sum = sqi_madd8(gap, gap, sum);
  }
  return sum;
}

/**
 * The largest squared distance of sqi_bvh_distance2() that an item at local distance <= `distance` can show, rounded
 * up and finite, so that an empty child never passes `distance2 <= bound`.
 */
static inline float sqi_bvh_bound2(double distance, float error)
{
  double bound = (distance + (double)error) * (1.0 + 0x1p-20);
  bound *= bound;
  return bound < 0x1p126 ? (float)bound : 0x1p126f;
}

#endif
