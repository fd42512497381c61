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

typedef struct sqi_bvh_splitter
{
  sq_context* context;
  sqi_half_box* refs;
  sqi_half_box* spare; /* as many again, where a range is large enough to be split by all threads */
  void* bins; /* one set a thread */
  int32_t* chunk_left; /* what each chunk of a large range sends left */
  int32_t leaf_size;
  int32_t large; /* ranges longer than this are split by all threads */
} sqi_bvh_splitter;

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

/** The box of a reference with its item masked out. */
SQI_SIMD sqi_half_box sqi_ref_box(const sqi_half_box* ref)
{
  const sqi_i4 mask = { -1, -1, -1, 0 };
  sqi_half_box b = { (sqi_f4)((sqi_i4)ref->lo & mask), ref->minus_hi };
  return b;
}

/** The doubled centre of a box as a box. */
SQI_SIMD sqi_half_box sqi_doubled_centre(const sqi_half_box* box)
{
  sqi_half_box c = { box->lo - box->minus_hi, box->minus_hi - box->lo };
  return c;
}

float sqi_half_box_area(const sqi_half_box* box);

sq_status sqi_bvh_splitter_create(
  sq_context* context, int64_t item_count, int32_t leaf_size, sqi_bvh_splitter* s);

void sqi_bvh_splitter_release(sqi_bvh_splitter* s, int64_t item_count);

/**
 * Splits a range of more than leaf_size references by the heuristic, or in the middle where that finds nothing or `median` is
 * set; both parts are not empty. Ranges longer than `large` are split by all threads (calling thread only, may be
 * cancelled), others by the caller's; the result is the same.
 */
sq_status sqi_bvh_split(sqi_bvh_splitter* s, const sqi_bvh_range* range, int median,
  sqi_bvh_range* left, sqi_bvh_range* right);

#endif
