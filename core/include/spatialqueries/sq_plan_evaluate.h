#ifndef SQ_PLAN_EVALUATE_H
#define SQ_PLAN_EVALUATE_H
/**
 * Potentials by interaction plans, exactly, and how far the two are apart.
 *
 *   phi(t) = sum over near (t, s) of q_s K(x_t - y_s) + sum over near-far (t, S) of Q_S K(x_t - c_S)
 *          + sum over far-near (T, s) that list t of q_s K(c_T - y_s) + sum over far (T, S), t in T, of Q_S K(c_T - c_S)
 *
 * q_s strengths of the sources, Q_S their sums over a node (sq_cluster_tree_sum), c_S and c_T centroids. All in double; sums in
 * an order that does not depend on the number of threads.
 */
#include "spatialqueries/sq_plan.h"

SQ_BEGIN_DECLS

/** Kernels of r = |x - y|, L = length. Those marked * count 0 at r = 0. */
typedef enum sq_kernel_kind
{
  SQ_KERNEL_INVERSE = 1, /**< 1 / r * */
  SQ_KERNEL_INVERSE_SQUARE = 2, /**< 1 / r^2 * */
  SQ_KERNEL_GAUSSIAN = 3, /**< exp(-r^2 / L^2) */
  SQ_KERNEL_LOGARITHM = 4, /**< -log r * */
  SQ_KERNEL_REGULARISED = 5, /**< (1 - exp(-r^2 / L^2)) / (1 + r^2 / L^2) */
  SQ_KERNEL_FUNCTION = 6 /**< the caller's */
} sq_kernel_kind;

/**
 * Values of the kernel for `count` displacements x - y: x coordinates in displacements[0 ... count - 1], then y, then z (0 beyond
 * the dimension of the points). Called from several threads at once; must depend on nothing but its arguments.
 */
typedef void (*sq_kernel_function)(
  void* user, int64_t count, const double* displacements, double* values);

/** Most displacements of one call. */
#define SQ_KERNEL_BATCH 256

typedef struct sq_kernel
{
  sq_kernel_kind kind;
  double length; /**< > 0; 3 and 5 only */
  sq_kernel_function function; /**< SQ_KERNEL_FUNCTION only */
  void* user;
} sq_kernel;

/** 1 / r, length 1. */
SQ_API sq_kernel sq_kernel_default(void);

/** What is summed. */
typedef struct sq_plan_field
{
  sq_kernel kernel;
  const void* strengths; /**< one a source, in the caller's order; NULL: all 1 */
  sq_type strength_type; /**< SQ_FLOAT32 or SQ_FLOAT64 */
  /** Centroids of the source nodes: of the source tree with the areas of the sources. Not needed for exact sums. */
  const sq_aggregates* source_aggregates;
  /**
   * Centroids of the target nodes. NULL where targets and sources are one tree: the source's. As in the reference a separate
   * target tree takes weights of 1.
   */
  const sq_aggregates* target_aggregates;
} sq_plan_field;

/** Potential at all targets, in the caller's order, without building the plan; NaN at skipped ones. Memory: O(points). */
SQ_API sq_status sq_plan_evaluate(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, const sq_plan_field* field,
  double* potential);

/**
 * The same from a plan that was built or opened: ids are checked against the trees (SQ_INVALID_DATA), coverage is not. Equal to
 * sq_plan_evaluate but for the order of the sums.
 */
SQ_API sq_status sq_plan_evaluate_stored(sq_context* context, const sq_plan_view* plan,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources, const sq_plan_field* field,
  double* potential);

/**
 * Exact sums over all sources that are not skipped at `count` targets `ids` (NULL: at all of them): potential[i] belongs to ids[i].
 * NaN at skipped targets. Time: count x sources.
 */
SQ_API sq_status sq_plan_direct_sum(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_field* field, const int64_t* ids, int64_t count,
  double* potential);

/**
 * `wanted` targets (0: all), evenly spread over the ids and reproducible: floor(i (count - 1) / (wanted - 1)). Returns how many;
 * `ids` holds min(wanted, point_count), or point_count for 0.
 */
SQ_API int64_t sq_plan_spread_targets(int64_t point_count, int64_t wanted, int64_t* ids);

/** Errors over the compared targets; NaN where there is nothing to compare. */
typedef struct sq_plan_errors
{
  int64_t compared; /**< targets that are not skipped */
  double rms; /**< rms of phi - direct over rms of direct */
  double max; /**< largest relative error */
  double
    percentile_50; /**< of the relative errors: the smallest that at least this share does not exceed */
  double percentile_90;
  double percentile_99;
  int64_t worst_target; /**< id with the largest relative error; -1 without one */
  /**
   * What one stream alone contributes: the rms of (stream - exact sum of the pairs that it covers) over the rms of direct. Replacing the
   * stream by exact evaluation takes this part away; the three parts of a target sum to its error.
   */
  double near_far;
  double far_near;
  double far;
} sq_plan_errors;

/**
 * Compares `potential` (of all targets, from sq_plan_evaluate) with the direct sum at `count` targets `ids` (NULL: all).
 * `direct`, `relative` (either may be NULL; one an id): the exact sum and |phi - direct| / |direct| (0 where both are equal, NaN at
 * skipped targets). Relative errors that are infinite or NaN (direct 0, or no number) count in `max` and the percentiles as infinite.
 */
SQ_API sq_status sq_plan_measure_errors(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, const sq_plan_field* field,
  const double* potential, const int64_t* ids, int64_t count, double* direct, double* relative,
  sq_plan_errors* errors);

SQ_END_DECLS
#endif
