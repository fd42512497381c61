#ifndef SQ_SURFACE_CHECK_H
#define SQ_SURFACE_CHECK_H
/**
 * What is wrong with a surface, piece by piece: a report for every component, the bad edges and triangles, and a code and a
 * component for every triangle and cell. The definitions are those of sq_surface_report.
 */
#include "spatialqueries/sq_surface.h"

SQ_BEGIN_DECLS

typedef enum sq_problem
{
  SQ_PROBLEM_NONE = -1,
  SQ_PROBLEM_BOUNDARY = 0, /**< an edge used once */
  SQ_PROBLEM_NON_MANIFOLD = 1, /**< an edge used more than twice */
  SQ_PROBLEM_INCONSISTENT = 2, /**< an edge used twice in the same direction */
  SQ_PROBLEM_DEGENERATE =
    3, /**< a triangle without area, or with a coordinate that is not finite */
  SQ_PROBLEM_DUPLICATE = 4, /**< a triangle with the vertices of an earlier one */
  SQ_PROBLEM_CROSSING = 5 /**< a triangle that crosses one with which it has no vertex in common */
} sq_problem;

/** Immutable once built. */
typedef struct sq_surface_check sq_surface_check;

/**
 * Goes over a surface once more. The surface must outlive the check. Curves (SQ_SURFACE_CURVES) have no triangles and
 * therefore no problem. Cost: linear in the number of triangles.
 *
 * Errors: SQ_INVALID_ARGUMENT (no surface), SQ_OUT_OF_MEMORY, SQ_CANCELLED.
 */
SQ_API sq_status sq_surface_check_build(
  sq_context* context, const sq_surface* surface, sq_surface_check** check);

SQ_API void sq_surface_check_destroy(sq_surface_check* check);

/**
 * Borrowed arrays of a check, valid until it is destroyed.
 *
 * Faults are the bad edges, in the order of the first triangle and corner that uses them, then the bad triangles by problem and
 * in the order of the surface; a triangle with two problems comes twice. So there are as many faults of a problem as the report
 * counts, but for crossings (triangles here, pairs there) and for triangles with a coordinate that is not finite, which
 * cannot be shown.
 */
typedef struct sq_surface_check_view
{
  int64_t component_count;
  /**
   * By component, numbered by their lowest point. Crossings are those within the component; between components
   * they are in the whole surface's report alone. `components` is 1; `kind` and `automatic_sign` are the whole surface's.
   */
  const sq_surface_report* components;

  int64_t triangle_count;
  const int32_t* triangle_component;
  /** A triangle's own problem (degenerate, duplicate, crossing), else that of its edges (non-manifold, inconsistent, boundary) */
  const int8_t* triangle_problem;
  const int64_t* triangle_cell;
  const int32_t* triangle_block;
  const int32_t* triangle_sub; /**< NULL: all 0 */

  int64_t point_count;
  const double* points; /**< 3 a point: ends of bad edges and corners of bad triangles */
  int64_t edge_count; /**< faults 0 to edge_count - 1 are edges, the others triangles */
  int64_t fault_count;
  /** Ids of `points`: 2 an edge, then 3 a triangle; an edge runs as its first triangle does */
  const int64_t* fault_points;
  const int8_t* fault_problem;
  const int32_t* fault_triangle; /**< of an edge: the first triangle that uses it */
} sq_surface_check_view;

SQ_API sq_status sq_surface_check_get_view(
  const sq_surface_check* check, sq_surface_check_view* view);

/**
 * Component and problem of every cell: of its triangles, the lowest component and the first problem in the order degenerate,
 * duplicate, crossing, non-manifold, inconsistent, boundary. Both are -1 for cells that are no part of the surface; a cell that was
 * left out for a coordinate that is not finite has no component and is degenerate.
 *
 * `blocks` are those that the surface was built from. component[b] and problem[b] have one number for every cell of block b.
 */
SQ_API sq_status sq_surface_check_cells(sq_context* context, const sq_surface_check* check,
  const sq_cells* blocks, int32_t block_count, int64_t* const* component, int32_t* const* problem);

SQ_END_DECLS
#endif
