#ifndef SQ_MESH_INDEX_H
#define SQ_MESH_INDEX_H
/**
 * Point location in meshes of cells of any type: which cell holds a point, which is nearest, and with
 * what weights values at the nodes are interpolated there.
 *
 * What a cell is: the image of its parametric domain under VTK's shape functions, so that faces may be bilinear or curved.
 * Strips and polylines are their pieces; polygons are cut into triangles by ears from the lowest node; values are linear on
 * each; a quadratic polygon is the polygon of its corners and the middles of its edges in turn. The surface of a polyhedron has
 * flat faces cut in the same way and warped ones as fans around the mean of their nodes; its weights are mean value coordinates.
 * Prisms over a pentagon or hexagon have Wachspress's functions.
 * Distances: quadrilaterals count as the two triangles along 0-2 (of quads in the nearest modes, of the faces of solids); of
 * curved cells it is the least that an iteration over the domain finds.
 * In a curved cell that folds over itself a point that several parameters map to may be found by one of them only, or not at all.
 * Parametric coordinates are NaN for polyhedra, quadratic polygons and polygons that are not convex, and where the closest
 * point of a warped solid lies on a cut face.
 */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/**
 * An immutable search structure over all cells of several blocks; may be queried from many threads.
 * It borrows the arrays of the views given at build: they must outlive it. The tree that searches walk is made by the first call
 * that needs one, or by sq_mesh_index_build_search(); grids can do without (sq_locate_grid()).
 */
typedef struct sq_mesh_index sq_mesh_index;

/**
 * Cells with a non-finite coordinate are left out and counted. Hidden and refined cells (ghost bits) never match. A duplicate cell, whose
 * owner is elsewhere, answers only where no other cell does, in sq_locate(): it never wins over a cell that holds the query too
 * or is as near. Single questions (sq_mesh_query.h) never find it.
 * Errors: SQ_INVALID_ARGUMENT, SQ_INVALID_DATA (ids out of range, wrong number of points for a type),
 * SQ_TOO_LARGE (more than 2^31 - 1 cells), SQ_OUT_OF_MEMORY, SQ_CANCELLED. Cells of a type that the
 * library does not know are left out and counted (`unsupported_cells`).
 */
SQ_API sq_status sq_mesh_index_build(
  sq_context* context, const sq_cells* blocks, int32_t block_count, sq_mesh_index** index);

/**
 * Makes the tree of an index unless it is there, so that no later call has to: sq_locate(), sq_mesh_query_create() and, where it
 * says so, sq_locate_grid() otherwise make it themselves, and then their progress, cancel and memory are also those of this
 * call. May be called from several threads: one builds, the others wait, and may be cancelled. After an error the index is
 * as it was. Memory is of the context's allocator, whose `user` must last as long as the index.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED.
 */
SQ_API sq_status sq_mesh_index_build_search(sq_context* context, const sq_mesh_index* index);

SQ_API void sq_mesh_index_destroy(sq_mesh_index* index);

typedef struct sq_mesh_index_info
{
  int64_t cells; /**< cells that take part, without duplicates */
  int64_t skipped_elements; /**< left out for a non-finite coordinate */
  int64_t unsupported_cells; /**< left out for a type that the library does not know */
  /** largest dimension of a cell that takes part, -1 without cells */
  int32_t max_dimension;
  int64_t bytes; /**< more once the tree is there */
} sq_mesh_index_info;

SQ_API sq_status sq_mesh_index_get_info(const sq_mesh_index* index, sq_mesh_index_info* info);

typedef enum sq_locate_mode
{
  SQ_LOCATE_CONTAINING = 0,
  SQ_LOCATE_NEAREST = 1,
  SQ_LOCATE_CONTAINING_ELSE_NEAREST = 2
} sq_locate_mode;

typedef enum sq_tolerance_type
{
  SQ_TOLERANCE_RELATIVE = 0, /**< a fraction of the box diagonal of the candidate cell */
  SQ_TOLERANCE_ABSOLUTE = 1 /**< a length */
} sq_tolerance_type;

/** What a query in several cells gets. */
typedef enum sq_multiple_cells
{
  SQ_MULTIPLE_LOWEST = 0, /**< the lowest (block, cell) */
  SQ_MULTIPLE_MEAN = 1, /**< the mean over the cells */
  SQ_MULTIPLE_NAN = 2 /**< no value */
} sq_multiple_cells;

typedef enum sq_nearest_by
{
  SQ_NEAREST_DISTANCE = 0, /**< true distance to the cell */
  SQ_NEAREST_CENTROID = 1 /**< distance to the mean of the cell's nodes, as the reference does */
} sq_nearest_by;

typedef enum sq_outside_value
{
  SQ_OUTSIDE_CLAMP = 0, /**< weights of the closest point of the cell */
  SQ_OUTSIDE_EXTRAPOLATE = 1 /**< weights of the query itself, shape functions continued */
} sq_outside_value;

#define SQ_LOCATE_MODE_MIN 0
#define SQ_LOCATE_MODE_MAX 2
#define SQ_LOCATE_MODE_DEFAULT 0
#define SQ_TOLERANCE_TYPE_MIN 0
#define SQ_TOLERANCE_TYPE_MAX 1
#define SQ_TOLERANCE_TYPE_DEFAULT 0
#define SQ_TOLERANCE_MIN 0.0
#define SQ_TOLERANCE_DEFAULT 1e-6
#define SQ_MULTIPLE_CELLS_MIN 0
#define SQ_MULTIPLE_CELLS_MAX 2
#define SQ_MULTIPLE_CELLS_DEFAULT 0
#define SQ_NEAREST_BY_MIN 0
#define SQ_NEAREST_BY_MAX 1
#define SQ_NEAREST_BY_DEFAULT 0
#define SQ_OUTSIDE_VALUE_MIN 0
#define SQ_OUTSIDE_VALUE_MAX 1
#define SQ_OUTSIDE_VALUE_DEFAULT 0

typedef struct sq_locate_options
{
  sq_locate_mode mode;
  sq_tolerance_type tolerance_type;
  /** floor: 4 ulp of the largest coordinate, in the coarser type of query and mesh */
  double tolerance;
  sq_multiple_cells multiple_cells;
  sq_nearest_by nearest_by;
  /** nearest modes: accept cells at distance <= max_distance; INFINITY: all */
  double max_distance;
  sq_outside_value outside_value;
  int32_t statistics; /**< 1: fill nodes_visited and cells_tested of the view */
} sq_locate_options;

SQ_API sq_locate_options sq_locate_options_default(void);

/** Where a query lies; the numbers are those of the filter's SampleStatus. */
typedef enum sq_sample_status
{
  SQ_SAMPLE_INSIDE = 0,
  SQ_SAMPLE_TOLERANCE = 1, /**< outside by no more than the tolerance */
  SQ_SAMPLE_NEAREST = 2,
  SQ_SAMPLE_OUTSIDE = 3, /**< no cell */
  SQ_SAMPLE_INVALID = 4 /**< the query is not finite */
} sq_sample_status;

/** The answer of one run: an interpolation operator that can be applied to any array, any number of times. */
typedef struct sq_location sq_location;

/**
 * Locates every query.
 *
 * Containing: every candidate cell is tried. Cells at distance 0 exclude cells within tolerance;
 * `multiple_cells` acts on what remains. A cell of lower dimension than 3 holds a point that lies on it
 * up to the tolerance. Nearest: the lowest (block, cell) of the nearest. Where all blocks have global ids, "lowest"
 * here and below means the lowest global id.
 * Results are the same bits for any number of threads and any order of the queries.
 *
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED; *location is NULL then.
 */
SQ_API sq_status sq_locate(sq_context* context, const sq_mesh_index* index,
  const sq_points* queries, const sq_locate_options* options, sq_location** location);

SQ_API void sq_location_destroy(sq_location* location);

/** Borrowed arrays of a location, one entry a query where nothing else is said. */
typedef struct sq_location_view
{
  int64_t count;
  const uint8_t* status; /**< sq_sample_status */
  const int32_t* block; /**< of the lowest (block, cell); -1: none */
  const int64_t* cell;
  const double* distance; /**< 0 inside; NaN without a cell */
  /** 3 a query: VTK's of that cell type; NaN where there are none */
  const double* parametric;
  /** cells at the same rank (inside, else within tolerance) */
  const int32_t* containing_count;
  const int32_t* nodes_visited; /**< NULL without statistics */
  const int32_t* cells_tested;
  /** count + 1: entries of query q in cell_ids and cell_blocks */
  const int64_t* cell_offsets;
  const int32_t* cell_blocks;
  /** cells whose values are averaged (all containing cells for MEAN) */
  const int64_t* cell_ids;
  /** count + 1: entries of query q in node_...; rows sum to 1 */
  const int64_t* node_offsets;
  const int32_t* node_blocks;
  const int64_t* node_ids; /**< point ids within the block */
  const double* node_weights;
} sq_location_view;

SQ_API sq_status sq_location_get_view(const sq_location* location, sq_location_view* view);

/** One array of a block: `components` scalars a point or cell; data NULL: the block lacks the array. */
typedef struct sq_field
{
  const void* data;
  sq_type type;
  int64_t count; /**< tuples */
} sq_field;

typedef enum sq_association
{
  SQ_ASSOCIATION_POINTS = 0,
  SQ_ASSOCIATION_CELLS = 1
} sq_association;

/** How values become the value of a query. */
typedef enum sq_combine
{
  SQ_COMBINE_WEIGHTED = 0, /**< sum of weight x value; cells: mean; out type a float type */
  SQ_COMBINE_DOMINANT =
    1 /**< copy of the value with the largest weight, lowest id on ties; out type = field type */
} sq_combine;

/**
 * Values at the queries of an array given by block (`fields`, one a block of the index).
 * `out` has count x components scalars of `out_type`; where a query has no value (no cell, several cells with
 * SQ_MULTIPLE_NAN, or a block without the array) every component is `missing`, a pointer to one scalar of `out_type`.
 * `valid` (may be NULL): 1 where there is a value.
 * SQ_COMBINE_WEIGHTED: `out_type` is SQ_FLOAT32 or SQ_FLOAT64; sums are in double, in the order of
 * the row. SQ_COMBINE_DOMINANT: `out_type` is the type of all fields.
 */
SQ_API sq_status sq_location_apply(sq_context* context, const sq_location* location,
  sq_association association, sq_combine combine, const sq_field* fields, int32_t block_count,
  int32_t components, sq_type out_type, const void* missing, void* out, uint8_t* valid);

/**
 * For every query the tuple that SQ_COMBINE_DOMINANT copies, as (block, id), -1 where there is none; for
 * arrays that the library cannot hold, such as strings.
 */
SQ_API sq_status sq_location_dominant(sq_context* context, const sq_location* location,
  sq_association association, int32_t* block, int64_t* id);

SQ_END_DECLS
#endif
