#ifndef SQ_CLUSTER_TREE_H
#define SQ_CLUSTER_TREE_H
/**
 * Cluster trees over points with areas, and what is aggregated over their nodes: the reference's tree for Barnes-Hut plans, bit for
 * bit (Barnes and Hut 1986, "A hierarchical O(N log N) force-calculation algorithm"; NVIDIA PhysicsNeMo,
 * `mesh/spatial/cluster_tree.py`).
 */
#include "spatialqueries/sq_bvh.h"

SQ_BEGIN_DECLS

/** Immutable; may be used from many threads. Owns a copy of the points. */
typedef struct sq_cluster_tree sq_cluster_tree;

/** What happens to points with a non-finite coordinate. */
typedef enum sq_non_finite
{
  SQ_NON_FINITE_REJECT = 0, /**< SQ_INVALID_DATA, with the first id */
  /** They keep a place in the order, in exactly one leaf, and are part of no box, sum or centroid; plans skip them. */
  SQ_NON_FINITE_KEEP = 1
} sq_non_finite;

typedef struct sq_cluster_tree_options
{
  int64_t leaf_size; /**< SQ_LEAF_SIZE_... */
  sq_non_finite non_finite;
} sq_cluster_tree_options;

SQ_API sq_cluster_tree_options sq_cluster_tree_options_default(void);

/**
 * `points`: 1, 2 or 3 coordinates; the type of the points is the working type. `areas`: one a point, of the type of the points;
 * NULL: all 1.
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (non-finite points), SQ_TOO_LARGE (more than 2^31 - 1 points), SQ_OUT_OF_MEMORY,
 * SQ_CANCELLED; *tree is NULL then. No points: an empty tree.
 */
SQ_API sq_status sq_cluster_tree_build(sq_context* context, const sq_points* points,
  const void* areas, const sq_cluster_tree_options* options, sq_cluster_tree** tree);

SQ_API void sq_cluster_tree_destroy(sq_cluster_tree* tree);

/**
 * The public arrays, named as the reference's; borrowed. Nodes are numbered as in sq_bvh_view. A node of skipped points
 * only has a NaN box, diameter^2 and centroid; `node_finite_count` says how many of its points take part.
 */
typedef struct sq_cluster_tree_view
{
  sq_type type; /**< of points, boxes, diameters, areas */
  int32_t dimension;
  int64_t node_count;
  int64_t point_count;
  int64_t skipped_points; /**< non-finite ones, kept in the order */
  int32_t max_depth;
  const void* node_aabb_min; /**< node_count x dimension */
  const void* node_aabb_max;
  const void* node_diameter_sq; /**< squared diagonal of the box, left-to-right sum */
  const void* node_total_area;
  const int64_t* node_left_child; /**< -1: a leaf */
  const int64_t* node_right_child;
  const int64_t* leaf_start; /**< -1: no leaf */
  const int64_t* leaf_count; /**< 0: no leaf */
  const int64_t* node_range_start; /**< positions of all points below a node */
  const int64_t* node_range_count;
  const int64_t* sorted_source_order; /**< point_count: position -> point */
  const void* source_points; /**< point_count x dimension, in the caller's order */
  const int64_t* node_finite_count; /**< NULL: no point was skipped */
} sq_cluster_tree_view;

SQ_API sq_status sq_cluster_tree_get_view(const sq_cluster_tree* tree, sq_cluster_tree_view* view);

/** As sq_bvh_measure. */
SQ_API sq_status sq_cluster_tree_measure(sq_context* context, const sq_cluster_tree* tree,
  sq_bvh_statistics* statistics, double* node_surface_area, double* node_sibling_overlap);

/**
 * Sums over the points of every node of `values` (point_count x components, SQ_FLOAT32 or SQ_FLOAT64, in the caller's order):
 * differences of sequential double prefix sums along the order, rounded to the type of the values. Skipped points count 0;
 * nodes that hold a value which is not finite get NaN.
 */
SQ_API sq_status sq_cluster_tree_sum(sq_context* context, const sq_cluster_tree* tree,
  const void* values, sq_type type, int32_t components, void* sums);

/** Area-weighted means over the points of every node. Immutable. */
typedef struct sq_aggregates sq_aggregates;

/** A field of the points (or, in a view, of the nodes): count x components scalars, SQ_FLOAT32 or SQ_FLOAT64. */
typedef struct sq_aggregate_field
{
  const char* name; /**< UTF-8, not empty; names differ */
  const void* data;
  sq_type type;
  int32_t components;
} sq_aggregate_field;

/** Nodes of weight exactly 0 get 0 in everything, as in the reference; else the centre of their box and NaN for the fields.
 * A field's value that is not finite makes the nodes that hold it NaN; in the reference also all nodes behind it in the order. */
#define SQ_AGGREGATES_REFERENCE 1u

/**
 * Per node: centroid and fields, sum(v * area) / sum(area). The product is rounded in the wider type of v and area, then summed
 * in double along the order; a node takes the difference of two prefix sums (bit-equal to the reference). `areas`: one a point,
 * of type `area_type`, in the caller's order; NULL: all 1; they need not be those of the tree. Skipped points have weight 0.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED; *aggregates is NULL then.
 */
SQ_API sq_status sq_aggregates_build(sq_context* context, const sq_cluster_tree* tree,
  const void* areas, sq_type area_type, const sq_aggregate_field* fields, int32_t field_count,
  uint32_t flags, sq_aggregates** aggregates);

SQ_API void sq_aggregates_destroy(sq_aggregates* aggregates);

typedef struct sq_aggregates_view
{
  sq_type type;
  int32_t dimension;
  int64_t node_count;
  const void* node_centroid; /**< node_count x dimension */
  int32_t field_count;
  const sq_aggregate_field* fields; /**< node_count tuples each, in the order given */
} sq_aggregates_view;

SQ_API sq_status sq_aggregates_get_view(const sq_aggregates* aggregates, sq_aggregates_view* view);

/** As sq_bvh_save and sq_bvh_open. A tree with skipped points opens with the same ones skipped. */
SQ_API sq_status sq_cluster_tree_save(
  sq_context* context, const sq_cluster_tree* tree, const char* folder);
SQ_API sq_status sq_cluster_tree_open(
  sq_context* context, const char* folder, sq_cluster_tree** tree);

/** `node_count`: of the tree that they belong to; -1: any. */
SQ_API sq_status sq_aggregates_save(
  sq_context* context, const sq_aggregates* aggregates, const char* folder);
SQ_API sq_status sq_aggregates_open(
  sq_context* context, const char* folder, int64_t node_count, sq_aggregates** aggregates);

SQ_END_DECLS
#endif
