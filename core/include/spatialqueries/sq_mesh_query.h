#ifndef SQ_MESH_QUERY_H
#define SQ_MESH_QUERY_H
/**
 * Single questions to a mesh index: for callers that ask point by point, from several threads at once.
 *
 * A query handle holds what one thread needs to ask; make one a thread. Asking allocates nothing, but where a list
 * outgrows all lists before it. Any number of handles may ask one index at the same time. Answers do not depend on
 * what was asked before.
 *
 * Cells are named by (block, cell); -1 is none. Arguments that are not finite find nothing. Of cells that answer
 * equally well the lowest (block, cell) is taken, or the lowest global id where all blocks have them. What a cell
 * is, and which part of it counts, says sq_mesh_index.h.
 */
#include "spatialqueries/sq_mesh_index.h"

SQ_BEGIN_DECLS

/** Room for the questions of one thread. Borrows the index, which must outlive it. */
typedef struct sq_mesh_query sq_mesh_query;

/** Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED (while the tree is made); *query is NULL then. */
SQ_API sq_status sq_mesh_query_create(
  sq_context* context, const sq_mesh_index* index, sq_mesh_query** query);

/** NULL is allowed. */
SQ_API void sq_mesh_query_destroy(sq_mesh_query* query);

/** A point of a cell. */
typedef struct sq_mesh_hit
{
  int64_t cell; /**< -1: none, and nothing else is set */
  int32_t block;
  /** which point, segment or triangle of a poly-vertex, polyline or strip; else 0 */
  int32_t sub;
  double distance; /**< from the query; 0 inside */
  double closest[3]; /**< the query itself inside */
  double parametric[3]; /**< VTK's of that cell type (of the piece); NaN where there are none */
  /** weights of the cell's nodes at the closest point, in their order; sum 1. Valid until the next question */
  const double* weights;
  int32_t weight_count;
  /** 1: inside, or no closest point on the rim of a cell of lower dimension */
  int32_t is_interior;
} sq_mesh_hit;

/**
 * The cell that contains x, as sq_locate() with SQ_LOCATE_CONTAINING finds it with this tolerance for a query in double.
 * Errors: SQ_INVALID_ARGUMENT (NULL, tolerance negative or NaN).
 */
SQ_API sq_status sq_mesh_query_containing(sq_mesh_query* query, const double x[3],
  sq_tolerance_type type, double tolerance, sq_mesh_hit* hit);

/**
 * The nearest cell at distance <= max_distance (INFINITY: all), as sq_locate() with SQ_LOCATE_NEAREST.
 * Errors: SQ_INVALID_ARGUMENT (NULL, max_distance negative or NaN).
 */
SQ_API sq_status sq_mesh_query_closest(
  sq_mesh_query* query, const double x[3], double max_distance, sq_mesh_hit* hit);

/** Where a segment meets a cell: at point = a + t (b - a). */
typedef struct sq_mesh_crossing
{
  int64_t cell; /**< -1: none, and nothing else is set */
  int32_t block;
  double t; /**< 0 to 1 */
  double point[3];
} sq_mesh_crossing;

/**
 * The first crossing of the segment from a to b.
 *
 * A segment meets a surface cell or a face of a solid (quadrilaterals are their two triangles, curved faces are curved) where
 * it crosses the plane in the cell, or no farther than `tolerance` beside it; within the plane, where it enters; lines
 * and vertices where it passes them nearest, no farther than `tolerance` away. A segment within a solid meets nothing.
 * Of each cell the first crossing counts. The side of a segment to a triangle is exact, so none slips through between
 * two of them (Shewchuk 1997); `tolerance` is at least 4 ulp of the coordinates. Crossings of several cells within that
 * of the first are one: of the lowest cell. Curved faces: what an iteration from a lattice of starts finds.
 *
 * `hit` (may be NULL) is the point of the cell at the crossing.
 * Errors: SQ_INVALID_ARGUMENT (NULL, tolerance negative or NaN).
 */
SQ_API sq_status sq_mesh_query_first_crossing(sq_mesh_query* query, const double a[3],
  const double b[3], double tolerance, sq_mesh_crossing* crossing, sq_mesh_hit* hit);

/**
 * The first crossing of every cell that the segment meets, by t, then cell. *list is borrowed until the next question.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY (*count is 0 then).
 */
SQ_API sq_status sq_mesh_query_crossings(sq_mesh_query* query, const double a[3], const double b[3],
  double tolerance, const sq_mesh_crossing** list, int64_t* count);

/** The same for the boxes of the cells, widened by `tolerance`; t is where the segment enters, 0 where it starts inside. */
SQ_API sq_status sq_mesh_query_crossed_boxes(sq_mesh_query* query, const double a[3],
  const double b[3], double tolerance, const sq_mesh_crossing** list, int64_t* count);

/** A cell of a list. */
typedef struct sq_mesh_cell_id
{
  int64_t cell;
  int32_t block;
} sq_mesh_cell_id;

/**
 * Cells whose box meets the box from lo to hi (both closed), ascending by (block, cell). *list is borrowed until the next
 * question. The box of a cell is that of its nodes, of curved cells one that holds them. Infinite bounds are allowed.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY (*count is 0 then).
 */
SQ_API sq_status sq_mesh_query_box(sq_mesh_query* query, const double lo[3], const double hi[3],
  const sq_mesh_cell_id** list, int64_t* count);

/** Cells at distance <= radius from x, as sq_mesh_query_closest() measures it; otherwise as sq_mesh_query_box(). */
SQ_API sq_status sq_mesh_query_sphere(sq_mesh_query* query, const double x[3], double radius,
  const sq_mesh_cell_id** list, int64_t* count);

/**
 * Cells that the plane through `origin` with `normal` (of any length but 0) cuts or passes within `tolerance`: those with nodes
 * on both sides, or one that near; of curved cells, control points. `tolerance` is at least 4 ulp of the coordinates.
 * Otherwise as sq_mesh_query_box().
 */
SQ_API sq_status sq_mesh_query_plane(sq_mesh_query* query, const double origin[3],
  const double normal[3], double tolerance, const sq_mesh_cell_id** list, int64_t* count);

/** Depth of the deepest node box, the root having 0; -1 without cells, and before the tree is there (sq_mesh_index_build_search()). */
SQ_API int32_t sq_mesh_index_depth(const sq_mesh_index* index);

/**
 * Boxes of the search structure at `depth` (6 doubles each: lo, hi), and the leaves above it; `depth` < 0: all leaves.
 * Writes at most `capacity` of them and returns how many there are, 0 before the tree is there; `boxes` NULL only counts.
 */
SQ_API int64_t sq_mesh_index_boxes(
  const sq_mesh_index* index, int32_t depth, int64_t capacity, double* boxes);

SQ_END_DECLS
#endif
