#ifndef SQ_SURFACE_H
#define SQ_SURFACE_H
/**
 * Surfaces: closest point and signed distance to the triangles of one or several meshes.
 *
 * Distances and closest points are in the unit of the coordinates, computed in double. Inside is
 * negative. A closest element is named by (block, cell, sub): the block as its index in the array
 * given to sq_surface_build(), the cell as its index in that block, and the triangle within the cell
 * (0 for a triangle cell). "None" is -1.
 */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/** An immutable prepared surface; may be queried from many threads. Owns copies of all it needs. */
typedef struct sq_surface sq_surface;

/** What the elements of a surface are; see sq_surface_build(). */
typedef enum sq_surface_kind
{
  SQ_SURFACE_EMPTY = 0, /**< no usable cell at all */
  SQ_SURFACE_POLYGONS = 1, /**< the 2-D cells */
  SQ_SURFACE_BOUNDARY = 2, /**< boundary faces of the 3-D cells, there being no 2-D cells */
  SQ_SURFACE_CURVES = 3 /**< only lines and vertices: unsigned distance */
} sq_surface_kind;

#define SQ_MERGE_POINTS_DEFAULT 1
#define SQ_MERGE_TOLERANCE_MIN 0.0
#define SQ_MERGE_TOLERANCE_MAX 0.1
#define SQ_MERGE_TOLERANCE_DEFAULT 0.0

/**
 * SQ_SDF_REFERENCE gives the numbers of NVIDIA PhysicsNeMo's signed_distance_field(), for comparison one to one:
 *
 * - All geometry is float32: vertices, queries, distances and closest points. Coordinates beyond its range are SQ_INVALID_DATA.
 * - Degenerate faces (height at most 1e-4 of the longest edge) are repaired, each with a vertex of its own: the corner across the
 *   longest edge moves to that edge's middle and off it by 1e-4 of its length, at least 8 units in the last place of the face. A
 *   face of three equal corners is hit as the point that it is. The report describes the repaired triangles.
 * - max_distance is strict: a face at exactly that distance is a miss, and 0 misses always.
 * - SQ_SIGN_AUTOMATIC and SQ_SIGN_PSEUDONORMAL: the sum over all faces closer than the closest plus a band of 1e-3 mean
 *   edges, of unit normal times the angle at a corner within the band of that face's closest point, else pi near an edge, else
 *   2 pi. Inside unless the sum points to the query, so that the distance on the surface is -0. Where several faces nearly tie,
 *   the reference adds what its tree happens to visit; here all count. SQ_SIGN_WINDING_NUMBER: inside where it exceeds 1/2.
 * - Faces are taken from the neighbourhood that exact distances give; on needles float32 can be so wrong that a face farther away
 *   would seem nearer, and that one is not looked at.
 * - Of equally near faces the lowest (block, cell, sub) answers; the reference takes the first that its tree visits.
 *
 * 2-D cells only, polygons cut into triangles first. There is no gradient, no flip_inside_out, no signed filling of what is out of
 * band and no statistics: asking for them is SQ_UNSUPPORTED.
 */
typedef enum sq_sdf_mode
{
  SQ_SDF_EXACT = 0,
  SQ_SDF_REFERENCE = 1
} sq_sdf_mode;

typedef struct sq_surface_options
{
  /** 1: weld coincident points (exactly equal; then within the tolerance) */
  int32_t merge_points;
  /** fraction of the surface's box diagonal; 0: exactly equal points only */
  double merge_tolerance;
  sq_sdf_mode mode;
} sq_surface_options;

SQ_API sq_surface_options sq_surface_options_default(void);

/**
 * Prepares the 2-D cells of `blocks` (triangles, strips, polygons, quads, pixels) as one surface.
 * Where no block has one: the boundary faces of the 3-D cells (a face used by one cell; the id is that
 * cell's); where there is none either: the lines and vertices, as segments and points.
 * Surfaces are of flat triangles: curved 2-D cells and curves count as the triangles and segments between their nodes, Bezier ones
 * as those of their corners, and curved solids have the faces of their corners.
 *
 * Quads are split along their diagonal 0-2 and polygons by ear clipping from the lowest corner, so
 * that concave planar polygons come out right. Points are welded (see the options) before edges are
 * matched; ids stay those of the input. Cells with a ghost bit are left out. A cell with a non-finite
 * coordinate is left out and counted (`skipped_elements` of the report).
 *
 * Vertex, edge and face pseudonormals: Baerentzen and Aanaes, "Signed distance computation using the
 * angle weighted pseudonormal", IEEE TVCG 11(3), 2005. Zero-area triangles are measured exactly (as
 * their segment or point), carry no normal, and keep their neighbours joined.
 *
 * The caller's arrays are not needed after the call. An empty surface is a success: all queries miss.
 *
 * Errors: SQ_INVALID_ARGUMENT (null pointers, counts below 0, types), SQ_INVALID_DATA (ids out of
 * range), SQ_TOO_LARGE (more than 2^32 / 3 triangles or 2^31 - 1 points), SQ_OUT_OF_MEMORY,
 * SQ_CANCELLED.
 */
SQ_API sq_status sq_surface_build(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_surface_options* options, sq_surface** surface);

SQ_API void sq_surface_destroy(sq_surface* surface);

/** How inside is told from outside; see sq_surface_distance(). */
typedef enum sq_sign_method
{
  SQ_SIGN_AUTOMATIC = 0,
  SQ_SIGN_PSEUDONORMAL = 1,
  SQ_SIGN_WINDING_NUMBER = 2,
  SQ_SIGN_UNSIGNED = 3
} sq_sign_method;

/**
 * Counts on welded vertices, as section 6 of the filters contract defines them. Curves (SQ_SURFACE_CURVES) have no triangles: all
 * counts but skipped_elements are 0.
 */
typedef struct sq_surface_report
{
  int64_t triangles;
  int64_t vertices; /**< welded, used by a triangle */
  int64_t boundary_edges; /**< used once */
  int64_t non_manifold_edges; /**< used more than twice */
  int64_t inconsistent_edges; /**< used twice in the same direction */
  /** two equal corners, or height at most 8 ulp of the largest coordinate */
  int64_t degenerate_triangles;
  int64_t duplicate_triangles; /**< same three vertices as an earlier triangle */
  int64_t
    self_intersections; /**< pairs of triangles without a common vertex that cross in more than a touch */
  int64_t components; /**< joined by shared vertices */
  double area;
  double signed_volume; /**< about the mean of the vertices; negative: faces inward */
  int64_t skipped_elements; /**< left out for a non-finite coordinate */
  /** float32 triangles with a longest edge of less than 64 times the spacing of float32 at their coordinates */
  int64_t unresolved_triangles;
  int32_t is_closed; /**< at least one triangle and no boundary edge */
  int32_t faces_inward; /**< closed, and its signed volume is negative beyond rounding */
  /** clean parts, apart from each other, of which only some face inward: those; their inside has the winding number -1 */
  int64_t inward_components;
  sq_surface_kind kind;
  sq_sign_method automatic_sign; /**< what SQ_SIGN_AUTOMATIC is for this surface */
} sq_surface_report;

SQ_API sq_status sq_surface_get_report(const sq_surface* surface, sq_surface_report* report);

/** Bytes held by the surface. */
SQ_API int64_t sq_surface_bytes(const sq_surface* surface);

#define SQ_SIGN_METHOD_MIN 0
#define SQ_SIGN_METHOD_MAX 3
#define SQ_SIGN_METHOD_DEFAULT 0
#define SQ_WINDING_ACCURACY_MIN 0.0
#define SQ_WINDING_ACCURACY_MAX 100.0
#define SQ_WINDING_ACCURACY_DEFAULT 2.0

/** What `distance` is where a finite query is farther than max_distance. */
typedef enum sq_out_of_band
{
  SQ_OUT_OF_BAND_NAN = 0, /**< NaN */
  SQ_OUT_OF_BAND_SIGNED_MAX = 1 /**< max_distance with the sign of the side */
} sq_out_of_band;

typedef struct sq_distance_options
{
  sq_sign_method sign_method;
  /** accept only distance <= max_distance; INFINITY (default): no limit */
  double max_distance;
  int32_t flip_inside_out; /**< the surface faces inward */
  double winding_accuracy; /**< opening factor of the fast winding number; 0: exact sum */
  sq_out_of_band out_of_band; /**< `distance` beyond max_distance */
} sq_distance_options;

SQ_API sq_distance_options sq_distance_options_default(void);

/** What a query run writes; each array has one tuple a query and may be NULL. */
typedef struct sq_distance_outputs
{
  double* distance; /**< signed; NaN where invalid; +0 exactly on the surface */
  double* closest_point; /**< 3 a query; NaN where invalid */
  int64_t* cell; /**< -1 where invalid */
  int32_t* block;
  int32_t* sub;
  /** 3 a query: weights of the corners of triangle `sub`; >= 0, sum 1 */
  double* barycentric;
  /** 3 a query: unit gradient; on the surface the pseudonormal; NaN on curves, which have none */
  double* gradient;
  /** 1: answered; 0: beyond max_distance, non-finite query or empty surface */
  uint8_t* valid;
  double* winding_number; /**< NaN where the query is not finite, 0 for an empty surface */
  /** Traversal statistics; asking for them runs the queries unseeded: no number depends on the order. */
  int32_t* nodes_visited;
  int32_t* cells_tested;
} sq_distance_outputs;

/**
 * Distance from every query to the surface, signed by `sign_method`.
 *
 * The distance is exact up to rounding: at most 4 ulp of the scene size (largest coordinate of surface and
 * queries). Ties in distance: lowest (block, cell, sub), or lowest (global id,
 * sub) where all blocks have global ids. The sign of a query on the surface is +.
 * Where max_distance is exceeded, `valid` is 0, the ids are -1 and `distance` is what `out_of_band` says.
 * Results are the same bits for any number of threads, any order of the queries and any choice of outputs.
 * A surface of kind SQ_SURFACE_CURVES is answered unsigned.
 *
 * SQ_SIGN_PSEUDONORMAL: the side of the feature that holds the closest point. SQ_SIGN_WINDING_NUMBER: inside
 * where the generalised winding number exceeds 1/2, on open surfaces too; the first run that needs it prepares
 * it. SQ_SIGN_AUTOMATIC: the pseudonormal where both agree, that is where every welded edge is used once in each
 * direction, no two triangles cross, the boxes of the components are apart, nothing touches that does not share edges
 * (solids at a corner, a body that rests on itself), and not some components face outward and others inward; else
 * the winding number.
 * `flip_inside_out` turns all triangles round.
 *
 * Errors: SQ_INVALID_ARGUMENT (queries not 3-D; negative or NaN max_distance; outputs NULL), SQ_OUT_OF_MEMORY,
 * SQ_CANCELLED (the outputs are then partly written).
 */
SQ_API sq_status sq_surface_distance(sq_context* context, const sq_surface* surface,
  const sq_points* queries, const sq_distance_options* options, const sq_distance_outputs* outputs);

/** A regular grid of points: (i, j, k) lies at origin + (i, j, k) * spacing, lo <= (i, j, k) <= hi. */
typedef struct sq_grid
{
  double origin[3];
  double spacing[3];
  int32_t lo[3];
  int32_t hi[3];
} sq_grid;

/**
 * Signed distance at all points of a grid, i fastest; `distance` is of `type` SQ_FLOAT32 or
 * SQ_FLOAT64. The same numbers as sq_surface_distance() at those points (rounded once for float32).
 * `valid` (one byte a point) may be NULL. Origin and spacing must be finite; where hi < lo there are no points.
 */
SQ_API sq_status sq_surface_distance_grid(sq_context* context, const sq_surface* surface,
  const sq_grid* grid, const sq_distance_options* options, sq_type type, void* distance,
  uint8_t* valid);

SQ_END_DECLS
#endif
