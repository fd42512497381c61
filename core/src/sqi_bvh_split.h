#ifndef SQI_BVH_SPLIT_H
#define SQI_BVH_SPLIT_H
/** Splitting a range of boxes in two, for the builder of sqi_bvh.h. */
#include "spatialqueries/sq_context.h"
#include "sqi_simd.h"

/**
 * A box with its upper end negated, so that a union is one minimum. The fourth lanes are 0, but for a reference,
 * which keeps its item there.
 */
typedef struct sqi_half_box
{
  sqi_f4 lo;
  sqi_f4 minus_hi;
} sqi_half_box;

/** Neighbouring references that will share a subtree, their box, and the box of their doubled centres. */
typedef struct sqi_bvh_range
{
  sqi_half_box box;
  sqi_half_box centres;
  int32_t begin;
  int32_t end;
} sqi_bvh_range;

/** A node of the binary tree that the wide one is made from; its parent comes before it. */
typedef struct sqi_bvh_twig
{
  sqi_bvh_range range;
  int32_t left; /* the right child follows it; -1: a leaf */
  float cost[7]; /* least cost of the subtree as at most i + 1 children of a wide node */
} sqi_bvh_twig;

#define SQI_BVH_BINS 16
/** References of one chunk of a range that all threads split: about 0.2 ms. */
#define SQI_BVH_CHUNK 16384

typedef struct sqi_bvh_bins
{
  sqi_half_box box[3 * SQI_BVH_BINS]; /* of bin b of axis a: a * SQI_BVH_BINS + b */
  int32_t count[3 * SQI_BVH_BINS];
  sqi_half_box centres[2]; /* of the left and right part, while partitioning */
} sqi_bvh_bins;

typedef struct sqi_bvh_splitter sqi_bvh_splitter;

/**
 * Splits a range of more than leaf_size references by the heuristic, or in the middle where that finds nothing or `median` is
 * set; both parts are not empty. Ranges longer than `large` are split by all threads (calling thread only, may be
 * cancelled), others by the caller's; the result is the same.
 */
typedef sq_status (*sqi_bvh_split_function)(sqi_bvh_splitter* s, const sqi_bvh_range* range,
  int median, sqi_bvh_range* left, sqi_bvh_range* right);

sq_status sqi_bvh_split_generic(
  sqi_bvh_splitter*, const sqi_bvh_range*, int median, sqi_bvh_range*, sqi_bvh_range*);
sq_status sqi_bvh_split_avx2(
  sqi_bvh_splitter*, const sqi_bvh_range*, int median, sqi_bvh_range*, sqi_bvh_range*);
sq_status sqi_bvh_split_avx512(
  sqi_bvh_splitter*, const sqi_bvh_range*, int median, sqi_bvh_range*, sqi_bvh_range*);

struct sqi_bvh_splitter
{
  sq_context* context;
  sqi_half_box* refs;
  sqi_half_box* spare; /* as many again, where a range is large enough to be split by all threads */
  sqi_bvh_bins* bins; /* one set a thread */
  int32_t* chunk_left; /* what each chunk of a large range sends left */
  int32_t leaf_size;
  int32_t leaf_shift; /* its logarithm where it is a power of two, else -1 */
  int32_t large; /* ranges longer than this are split by all threads */
  sqi_bvh_split_function split;
};

SQI_SIMD sqi_half_box sqi_half_box_empty(void)
{
  sqi_half_box b = { sqi_set4(__builtin_inff()), sqi_set4(__builtin_inff()) };
  return b;
}

SQI_SIMD void sqi_half_box_add(sqi_half_box* box, const sqi_half_box* more)
{
  box->lo = sqi_min4(box->lo, more->lo);
  box->minus_hi = sqi_min4(box->minus_hi, more->minus_hi);
}

/** The doubled centre of a box as a box. */
SQI_SIMD sqi_half_box sqi_doubled_centre(const sqi_half_box* box)
{
  sqi_half_box c = { box->lo - box->minus_hi, box->minus_hi - box->lo };
  return c;
}

SQI_SIMD float sqi_half_box_area(const sqi_half_box* box)
{
  sqi_f4 d = -box->minus_hi - box->lo;
  return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

sq_status sqi_bvh_splitter_create(
  sq_context* context, int64_t item_count, int32_t leaf_size, sqi_bvh_splitter* s);

void sqi_bvh_splitter_release(sqi_bvh_splitter* s, int64_t item_count);

#endif
