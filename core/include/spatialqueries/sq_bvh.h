#ifndef SQ_BVH_H
#define SQ_BVH_H
/**
 * The reference's bounding volume hierarchy, bit for bit: cells sorted by the Morton code of their centroid, split at the
 * middle position level by level (Lauterbach et al. 2009, "Fast BVH construction on GPUs"; NVIDIA PhysicsNeMo,
 * `mesh/spatial/bvh.py` and `_lbvh.py`). For candidates, boxes and exchange with training code; the fast search structure is
 * sq_mesh_index.
 */
#include "spatialqueries/sq_lists.h"

SQ_BEGIN_DECLS

/** Immutable; may be queried from many threads. Keeps nothing of the views that it was built from. */
typedef struct sq_bvh sq_bvh;

#define SQ_LEAF_SIZE_MIN 1
#define SQ_LEAF_SIZE_DEFAULT 1

/**
 * Flags of sq_bvh_options.
 * REFERENCE_NAN: cells with a non-finite coordinate stay in the tree, as in the reference, and make the boxes of all
 * their ancestors NaN (minimum and maximum propagate NaN), so that no query finds anything below those.
 */
#define SQ_BVH_REFERENCE_NAN 1u

typedef struct sq_bvh_options
{
  int64_t leaf_size; /**< most cells of a leaf */
  uint32_t flags;
} sq_bvh_options;

SQ_API sq_bvh_options sq_bvh_options_default(void);

/**
 * Builds the tree of all cells of several blocks, seen as one mesh whose cells are numbered through the blocks. Points have 1,
 * 2 or 3 coordinates, the same in every block. The working type is SQ_FLOAT32 if all points are, else SQ_FLOAT64.
 *
 * Box of a cell: least and largest coordinate of its nodes; of a curved cell a box that holds it, rounded outward. Types that
 * sq_cell_type does not list, orders above SQ_CELL_ORDER_MAX, and Lagrange and Bezier cells over points of less than 3 coordinates are
 * taken by their nodes. Centroid: ((v0 + v1) + v2 ...) / count in the working type.
 * Left out: cells without nodes; hidden and duplicate cells (ghost bits); cells with a non-finite coordinate, which are counted
 * (`skipped_elements`).
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (ids out of range, mixed dimensions), SQ_TOO_LARGE (more than 2^31 - 1 cells),
 * SQ_OUT_OF_MEMORY, SQ_CANCELLED; *bvh is NULL then. No cells: an empty tree.
 */
SQ_API sq_status sq_bvh_build(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_bvh_options* options, sq_bvh** bvh);

SQ_API void sq_bvh_destroy(sq_bvh* bvh);

/**
 * The public arrays, named as the reference's; borrowed. Node 0 is the root; children have larger numbers than their parent and
 * follow each other (right = left + 1).
 */
typedef struct sq_bvh_view
{
  sq_type type; /**< of the boxes */
  int32_t dimension;
  int64_t node_count;
  int64_t cell_count; /**< cells in the tree */
  int64_t skipped_elements; /**< left out for a non-finite coordinate */
  int32_t max_depth; /**< levels of splits; 0 for a lone root */
  const void* node_aabb_min; /**< node_count x dimension */
  const void* node_aabb_max;
  const int64_t* node_left_child; /**< -1: a leaf */
  const int64_t* node_right_child;
  const int64_t* leaf_start; /**< position of the first cell in the order; -1: no leaf */
  const int64_t* leaf_count; /**< 0: no leaf */
  const int64_t* node_range_start; /**< of every node; not part of the reference's BVH */
  const int64_t* node_range_count;
  const int64_t* sorted_cell_order; /**< cell_count: position -> cell */
} sq_bvh_view;

SQ_API sq_status sq_bvh_get_view(const sq_bvh* bvh, sq_bvh_view* view);

#define SQ_CANDIDATES_LIMIT_DEFAULT 1
#define SQ_CANDIDATES_MAX_MIN 0
#define SQ_CANDIDATES_MAX_DEFAULT 32
#define SQ_CANDIDATES_TOLERANCE_DEFAULT 1e-6

typedef struct sq_candidate_options
{
  int32_t limit; /**< 1: at most max_candidates a query, chosen as the reference does; 0: all */
  int64_t max_candidates;
  int32_t
    relative; /**< 0: tolerance is a length; 1: a fraction of the diagonal of each leaf's box */
  double tolerance; /**< boxes are wider by this; negative: narrower */
} sq_candidate_options;

SQ_API sq_candidate_options sq_candidate_options_default(void);

/**
 * The cells in whose leaf's box each query lies: p >= min - tolerance and p <= max + tolerance on every axis, both inclusive,
 * compared in the wider type of boxes and queries, with the tolerance rounded to the type of the boxes. Ids ascend in each list.
 * Every cell of a leaf that is hit counts. A NaN query has no candidates, and with a NaN tolerance no query has.
 *
 * With a limit k: leaves lie on two levels at most. The cells of leaves that are hit on the upper one, if there are k or more,
 * else those of both, are cut to the k lowest ids; so a list for k need not be part of that for k + 1.
 * `truncated` (may be NULL, one byte a query): 1 where the limit left out a cell that is found without one.
 * Errors: SQ_INVALID_ARGUMENT (also another dimension than the tree's, unless that is empty), SQ_OUT_OF_MEMORY, SQ_CANCELLED;
 * *lists is NULL then.
 */
SQ_API sq_status sq_bvh_find_candidates(sq_context* context, const sq_bvh* bvh,
  const sq_points* queries, const sq_candidate_options* options, sq_lists** lists,
  uint8_t* truncated);

/**
 * inside[p * box_count + b] = 1 where point p lies in box b: min <= p <= max on every axis, both inclusive. `box_min` and
 * `box_max` have the same count; all three have the same dimension (1 to 3); types may differ (compared in double).
 */
SQ_API sq_status sq_point_in_boxes(sq_context* context, const sq_points* points,
  const sq_points* box_min, const sq_points* box_max, uint8_t* inside);

/** What tells how good a tree is. */
typedef struct sq_bvh_statistics
{
  int64_t nodes;
  int64_t leaves;
  int32_t depth;
  /**
   * Expected work of a random line that hits the root (MacDonald and Booth 1990): sum over inner nodes of area / root area, plus
   * the same over leaves times their count. Area: surface in 3-D, perimeter in 2-D, length in 1-D.
   */
  double sah_cost;
  /** sum over inner nodes of the measure (volume, area, length) that their two children share, over that of the root */
  double overlap;
  int64_t bytes;
} sq_bvh_statistics;

/**
 * `node_surface_area` and `node_sibling_overlap` (each may be NULL): one a node, in double; the overlap is what a node's box
 * shares with its sibling's as a fraction of the smaller of the two measures, 0 for the root; of boxes without a
 * measure (flat in some axis) the measure is taken over the axes in which the union of the two is not flat (where that says
 * nothing, the limit of boxes that are thicker by h -> 0: 1 for a point in a box, 0 for lines that cross).
 */
SQ_API sq_status sq_bvh_measure(sq_context* context, const sq_bvh* bvh,
  sq_bvh_statistics* statistics, double* node_surface_area, double* node_sibling_overlap);

/**
 * Writes and opens the tree in the layout of the reference's memory-mapped containers: a folder with two meta.json and one
 * raw little-endian file an array. Written beside and renamed: a save that is stopped leaves the old folder or the new one
 * (one that is killed perhaps a folder .sq-*.part beside it, which may go). Where the file system cannot exchange two folders in one
 * step, there is a moment without one; the old one is called .sq-*.old.part then. A folder that holds anything but the files
 * of a saved structure is never replaced.
 * open maps the files read-only and checks every type, shape, length, index and range before it returns; a file
 * that is longer than needed is fine. The files must not be shortened while the tree is open. Boxes may hold anything. The topology must
 * be the one that the number of cells and the largest leaf give, as in every tree of the reference.
 * Errors: SQ_IO, SQ_INVALID_DATA (what is wrong in which file), SQ_OUT_OF_MEMORY, SQ_INVALID_ARGUMENT.
 */
SQ_API sq_status sq_bvh_save(sq_context* context, const sq_bvh* bvh, const char* folder);
SQ_API sq_status sq_bvh_open(sq_context* context, const char* folder, sq_bvh** bvh);

SQ_END_DECLS
#endif
