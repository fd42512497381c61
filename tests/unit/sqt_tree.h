#ifndef SQT_TREE_H
#define SQT_TREE_H
/** Inputs and hashes of the golden values of trees, which the reference's own release gives. */
#include "sqt_context.h"

#include "spatialqueries/sq_cluster_tree.h"

/** 64-bit FNV-1a over `bytes` bytes. */
uint64_t sqt_hash(const void* data, int64_t bytes);

/** The hash of an array whose items have the size of what the pointer points to. */
#define SQT_HASH(data, count) sqt_hash((data), (int64_t)(count) * (int64_t)sizeof(*(data)))

/** `count` numbers in [0, 1) from splitmix64: top 24 bits (float) or 53 bits (double). */
void sqt_golden_numbers(uint64_t seed, sq_type type, int64_t count, void* numbers);

/** The same as points; release with free(points.data). */
sq_points sqt_golden_points(uint64_t seed, sq_type type, int64_t count, int32_t dimension);

int sqt_check_hash(uint64_t got, uint64_t want, const char* text, const char* file, int line);
#define CHECK_HASH(got, want) sqt_check_hash((got), (want), #got, __FILE__, __LINE__)

/** Random points, in the double range [lo, hi] rounded to the type; release with free(). */
sq_points sqt_random_points(
  uint64_t seed, sq_type type, int64_t count, int32_t dimension, double lo, double hi);

/** Coordinate d of point i. */
double sqt_coordinate(const sq_points* points, int64_t i, int32_t d);
void sqt_set_coordinate(sq_points* points, int64_t i, int32_t d, double x);

/** Both are of one tree size: nodes, ranges, leaves and children say the same tree of `items` in leaves of `leaf_size`. */
void sqt_check_topology(int64_t items, int64_t leaf_size, int64_t nodes, int32_t max_depth,
  const int64_t* left, const int64_t* right, const int64_t* leaf_start, const int64_t* leaf_count,
  const int64_t* range_start, const int64_t* range_count);

#endif
