#ifndef SQ_PLAN_H
#define SQ_PLAN_H
/**
 * Interaction plans: which points see each other exactly and which through the nodes of two cluster trees (Barnes and Hut 1986,
 * "A hierarchical O(N log N) force-calculation algorithm"; the dual traversal of Dehnen 2002, "A hierarchical O(N) force
 * calculation algorithm"; order and arrays are those of NVIDIA PhysicsNeMo, `mesh/spatial/cluster_tree.py`, bit for bit).
 *
 * Every pair of a target and a source is covered by exactly one entry of one of four streams:
 *   near      point with point
 *   near-far  target point with source node
 *   far-near  target node with source point; the value goes to the targets that the entry lists ("broadcast")
 *   far       node with node; the value goes to all targets of the node
 * Two nodes are far if (D_T + D_S) / r < theta: D the diagonals of their boxes, r the distance between the boxes.
 *
 * Targets and sources may be the same tree (self-interaction). Both have the same dimension and type. Counting (here) and evaluating
 * (sq_plan_evaluate.h) store no pair and take O(points) memory; only sq_plan_build makes the arrays. Same bits for any
 * number of threads. Errors of every call: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (a tree with skipped points, unless they are to be
 * skipped), SQ_OUT_OF_MEMORY, SQ_CANCELLED.
 */
#include "spatialqueries/sq_cluster_tree.h"

SQ_BEGIN_DECLS

/** Streams, in the order of all arrays of four below. */
typedef enum sq_plan_stream
{
  SQ_PLAN_NEAR = 0,
  SQ_PLAN_NEAR_FAR = 1,
  SQ_PLAN_FAR_NEAR = 2,
  SQ_PLAN_FAR = 3
} sq_plan_stream;

#define SQ_PLAN_STREAMS 4

typedef enum sq_plan_expand
{
  SQ_PLAN_EXPAND_OFF = 0,
  /** A far entry becomes one near-far entry per target (the reference's expand_far_targets); far-near entries stay. */
  SQ_PLAN_EXPAND_REFERENCE = 1,
  /** As 1, and a far-near entry becomes one near entry per target of its list: no value is shared between targets. */
  SQ_PLAN_EXPAND_COMPLETE = 2
} sq_plan_expand;

#define SQ_PLAN_THETA_MIN 0.0
#define SQ_PLAN_THETA_DEFAULT 1.0
#define SQ_PLAN_MAX_BYTES_DEFAULT ((int64_t)1 << 31)

typedef struct sq_plan_options
{
  double theta; /**< finite, >= 0; 0: all exact */
  sq_plan_expand expand;
  /** SQ_NON_FINITE_KEEP: points that a tree keeps for their place only are in no entry. SQ_NON_FINITE_REJECT: they are an error. */
  sq_non_finite non_finite;
  int64_t max_bytes; /**< sq_plan_build refuses a plan whose arrays need more; < 0: no limit */
} sq_plan_options;

SQ_API sq_plan_options sq_plan_options_default(void);

/** Totals of a plan. "Points" are those that are not skipped. */
typedef struct sq_plan_totals
{
  int64_t entries[SQ_PLAN_STREAMS]; /**< evaluations of the kernel */
  int64_t pairs[SQ_PLAN_STREAMS]; /**< pairs of points covered; they sum to dense_pairs */
  int64_t dense_pairs; /**< targets x sources */
  int64_t evaluations; /**< sum of entries */
  int64_t
    wasted_far_near; /**< far-near entries that list no target: evaluated for nothing, as in the reference */
  int64_t broadcast_targets; /**< length of the far-near lists */
  int64_t exact_entries; /**< entries with one point on either side, in any stream */
  double exact_share; /**< exact_entries / dense_pairs, 0 without pairs */
  int64_t plan_bytes; /**< of the eleven arrays */
  int64_t leaf_pairs; /**< pairs of leaves that were looked at point by point */
  int64_t node_pairs; /**< pairs of nodes tested */
  int32_t iterations; /**< rounds of the level-by-level traversal */
  int32_t target_depth; /**< max_depth of the trees */
  int32_t source_depth;
  int64_t skipped_targets;
  int64_t skipped_sources;
} sq_plan_totals;

#define SQ_PLAN_MATRIX_MAX 512

/**
 * What sq_plan_count fills; any pointer may be NULL. Points in the caller's order; skipped ones have 0 everywhere.
 */
typedef struct sq_plan_counts
{
  /** One a target: sources that reach it by each stream; the four sum to the number of sources. */
  int64_t* targets[SQ_PLAN_STREAMS];
  /** One a target: 1 for a near or near-far entry, 1 / list length for a far-near one, 1 / |T| for a far one. */
  double* evaluations;
  /** One a source: targets that it reaches by each stream. */
  int64_t* sources[SQ_PLAN_STREAMS];
  /** One a node of the target tree: entries with it on the target side. */
  int64_t* target_node_far;
  int64_t* target_node_far_near;
  /** One a node of the source tree: entries with it on the source side. */
  int64_t* source_node_far;
  int64_t* source_node_near_far;
  /**
   * Shares of the streams by block: [(stream * matrix_rows + row) * matrix_columns + column]. Row r holds the targets at positions p
   * of the tree order with floor(p * rows / count) = r, columns the sources likewise. A share is the covered part of the pairs of the
   * block: the four sum to 1, or to 0 where a block has no pairs.
   */
  float* matrix;
  int32_t matrix_rows; /**< 1 to SQ_PLAN_MATRIX_MAX where `matrix` is given */
  int32_t matrix_columns;
} sq_plan_counts;

/**
 * Walks the plan without building it. `counts` may be NULL. `max_bytes` is not looked at.
 * Memory: O(points) (beside a fixed amount a thread). Counts of an empty tree are 0.
 */
SQ_API sq_status sq_plan_count(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, sq_plan_totals* totals,
  const sq_plan_counts* counts);

/** How evenly work is spread over the targets (skipped ones left out). */
typedef struct sq_plan_load
{
  double max_over_mean; /**< 1: all equal; NaN without work */
  double gini; /**< Gini coefficient: 0 all equal, towards 1 all in one place; NaN without work */
} sq_plan_load;

/** `work`: one a target, not negative; as `evaluations` of sq_plan_counts. */
SQ_API sq_status sq_plan_measure_load(
  sq_context* context, const sq_cluster_tree* targets, const double* work, sq_plan_load* load);

/** Immutable. */
typedef struct sq_plan sq_plan;

/** The eleven arrays, named and ordered as the reference's; borrowed. NULL where the length is 0. */
typedef struct sq_plan_view
{
  int64_t near_count;
  int64_t nf_count;
  int64_t fn_count;
  int64_t far_count;
  int64_t broadcast_count;
  const int64_t* near_target_ids; /**< near_count */
  const int64_t* near_source_ids;
  const int64_t* nf_target_ids; /**< nf_count */
  const int64_t* nf_source_node_ids;
  const int64_t* fn_target_node_ids; /**< fn_count */
  const int64_t* fn_source_ids;
  const int64_t* fn_broadcast_targets; /**< broadcast_count */
  const int64_t*
    fn_broadcast_starts; /**< fn_count: entry e goes to fn_broadcast_targets[starts[e]] ... */
  const int64_t* fn_broadcast_counts;
  const int64_t* far_target_node_ids; /**< far_count */
  const int64_t* far_source_node_ids;
} sq_plan_view;

/**
 * Builds the plan. SQ_TOO_LARGE where the arrays need more than options->max_bytes; the message says how much they need.
 * Peak memory is about twice the plan. *plan is NULL on error.
 */
SQ_API sq_status sq_plan_build(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options, sq_plan** plan);

SQ_API void sq_plan_destroy(sq_plan* plan);

SQ_API sq_status sq_plan_get_view(const sq_plan* plan, sq_plan_view* view);

/**
 * SQ_OK, or SQ_INVALID_DATA with what is wrong where. Checked: what the reference checks (no negative start or count, lists end inside
 * fn_broadcast_targets), that every id and node is one of the trees, that near and far-near are sorted by source id, near-far
 * and far by source node, and that every pair of points that are not skipped is covered exactly once, and no skipped one.
 * Both trees NULL: the reference's checks, and that no id is negative. Time: O(entries), memory: O(points).
 */
SQ_API sq_status sq_plan_validate(sq_context* context, const sq_plan_view* plan,
  const sq_cluster_tree* targets, const sq_cluster_tree* sources);

/** As sq_bvh_save and sq_bvh_open. open checks what sq_plan_validate checks without trees. */
SQ_API sq_status sq_plan_save(sq_context* context, const sq_plan* plan, const char* folder);
SQ_API sq_status sq_plan_open(sq_context* context, const char* folder, sq_plan** plan);

/** Which entries sq_plan_find_pairs shows. */
typedef enum sq_plan_select
{
  SQ_PLAN_SELECT_ALL = 0,
  SQ_PLAN_SELECT_TARGET = 1, /**< those that reach target `id` (of the points) */
  SQ_PLAN_SELECT_TARGET_NODE = 2 /**< those whose target_node is `id` */
} sq_plan_select;

#define SQ_PLAN_MAX_PAIRS_DEFAULT 100000

typedef struct sq_plan_selection
{
  sq_plan_select kind;
  int64_t id;
  int64_t max_pairs; /**< >= 0: the first ones in the order of the target tree */
} sq_plan_selection;

/** Entries of a plan that was not built. Immutable. */
typedef struct sq_plan_pairs sq_plan_pairs;

/** Borrowed arrays, `count` entries each. */
typedef struct sq_plan_pairs_view
{
  int64_t count;
  int32_t truncated; /**< 1: there are more than max_pairs */
  const uint8_t* stream; /**< sq_plan_stream */
  const int64_t*
    target_node; /**< of a point: its leaf; of an expanded entry: the node that was far */
  const int64_t* source_node;
  const int64_t* target_id; /**< -1: the whole node, or its list in far-near */
  const int64_t* source_id; /**< -1: the whole node */
  const int64_t* covered_pairs;
  /** What the test compared with theta: near and far (D_T + D_S) / r; near-far D_S / r; far-near D_T / r; infinite at r = 0. */
  const double* opening_ratio;
  /** 6 an entry: x, y, z of the target side and of the source side: the point, or the node's centroid; missing axes are 0. */
  const double* ends;
} sq_plan_pairs_view;

/**
 * `target_aggregates` and `source_aggregates` give the centroids for `ends`; NULL: the centre of the box.
 * *pairs is NULL on error. A skipped or an empty target has no entries.
 */
SQ_API sq_status sq_plan_find_pairs(sq_context* context, const sq_cluster_tree* targets,
  const sq_cluster_tree* sources, const sq_plan_options* options,
  const sq_aggregates* target_aggregates, const sq_aggregates* source_aggregates,
  const sq_plan_selection* selection, sq_plan_pairs** pairs);

SQ_API sq_status sq_plan_pairs_get_view(const sq_plan_pairs* pairs, sq_plan_pairs_view* view);

SQ_API void sq_plan_pairs_destroy(sq_plan_pairs* pairs);

SQ_END_DECLS
#endif
