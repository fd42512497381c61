#ifndef SQI_WINDING_TREE_H
#define SQI_WINDING_TREE_H
/**
 * The tree behind the winding number, and its hot loop, which is compiled once per instruction set level. Coordinates
 * are scaled by a power of two such that the scene has about size 1: a winding number has no unit. They are not shifted, which
 * would round away small features.
 */
#include "sqi_bvh.h"
#include "sqi_winding.h"

typedef double sqi_d8 __attribute__((vector_size(64)));
typedef int64_t sqi_l8 __attribute__((vector_size(64)));

/**
 * Expansions of eight children about their centres c, d = x - c, integrals over the triangles of a child:
 *   n  = integral of the unit normal,
 *   a  = integral of n_i d_j, symmetric and traceless part: xx yy xy xz yz (zz = -xx - yy),
 *   b  = integral of n_i d_j d_k / 2, likewise: xxy xxz yyx yyz zzx zzy xyz.
 * The kernel is the gradient of a harmonic function, so traces and antisymmetric parts contribute nothing.
 */
typedef struct sqi_moments
{
  double centre[3][SQI_BVH_WIDTH];
  double radius[SQI_BVH_WIDTH]; /* no corner is farther from the centre; < 0: no child */
  double n[3][SQI_BVH_WIDTH];
  double a[5][SQI_BVH_WIDTH];
  double b[7][SQI_BVH_WIDTH];
  double third[SQI_BVH_WIDTH]; /* bound of the integral of |d|^3, for the error */
  double steep[SQI_BVH_WIDTH]; /* length of the rim; where that is not known, the area */
} sqi_moments;

/** The triangles of a leaf, a lane each: corners 0, 1, 2; unused lanes are points. */
typedef struct sqi_winding_leaf
{
  double corner[3][3][SQI_BVH_WIDTH]; /* [corner][axis][lane] */
} sqi_winding_leaf;

typedef struct sqi_winding_sum_result
{
  double number;
  double error; /* bound of what the expansions left out */
  double spread; /* root of the sum of the squares of their bounds */
  /* Sum of rim / gap^2 or of area / gap^3 over 4 pi; gap: how far all of a group is from x, at least. */
  double slope;
  double over_rim; /* 1 / the least gap of a group that has some of the rim */
} sqi_winding_sum_result;

/**
 * What the expansions are expected to be off by: half the spread, or the bound where that is less. Errors of groups have no
 * common sign, and the bound of each is wide: on the test suite and on motorBike none is a third of this, and few are
 * above 1/100 of the bound.
 */
double sqi_winding_error_expected(const sqi_winding_sum_result* sum);

/** The sum at scaled x; accuracy 0: every triangle. `reach`: no triangle is nearer to x; 0: `slope` is not wanted. */
typedef sqi_winding_sum_result (*sqi_winding_summer)(
  const sqi_winding* winding, const double x[3], double accuracy, double reach);

/** Where a node has no child. */
#define SQI_WINDING_NONE INT32_MIN

struct sqi_winding
{
  sqi_frame frame; /* whose scale the coordinates have */
  sqi_moments* moments; /* one a node */
  int32_t* child; /* 8 a node: a node, ~leaf or SQI_WINDING_NONE */
  sqi_winding_leaf* leaves;
  int32_t leaf_count;
  int32_t node_count;
  int has_rim;
  sqi_winding_summer sum;
  sq_allocator allocator;
};

sqi_winding_sum_result sqi_winding_sum_generic(
  const sqi_winding*, const double x[3], double accuracy, double reach);
sqi_winding_sum_result sqi_winding_sum_avx2(
  const sqi_winding*, const double x[3], double accuracy, double reach);
sqi_winding_sum_result sqi_winding_sum_avx512(
  const sqi_winding*, const double x[3], double accuracy, double reach);

#endif
