#ifndef SQ_LOCATE_GRID_H
#define SQ_LOCATE_GRID_H
/**
 * Point location with compact locations: for the points of an image or rectilinear grid, and for scattered ones. Cells are walked
 * and mark the points within them, instead of a search for every point. Both ways every point that is not clearly in or out is
 * decided by the kernels of sq_locate(), so the answers are the same bits.
 *
 * Marking needs no tree. For grids one is made (sq_mesh_index_build_search()) in the nearest modes, for SQ_MULTIPLE_MEAN and
 * statistics, where the axes are not ascending or descending, and where so many cells overlap that searching is faster.
 */
#include "spatialqueries/sq_mesh_index.h"

SQ_BEGIN_DECLS

/** The points (x[i], y[j], z[k]), i fastest. Any coordinates; only ascending or descending finite ones are fast. */
typedef struct sq_axes
{
  const double* coordinates[3]; /**< x, y, z */
  int64_t count[3];
  /** SQ_FLOAT32 or SQ_FLOAT64, as `type` of sq_points: which rounding the floor of the tolerance allows for */
  sq_type type;
} sq_axes;

/**
 * sq_locate() of all points of a grid; the same answers.
 *
 * The location is compact, about 9 bytes a point: weights are evaluated again wherever they are needed. So it borrows the
 * index, which must outlive every call but sq_location_destroy(); the coordinates are copied. In its view only `count`,
 * `status`, `containing_count` and the statistics are set, the rest is NULL: see sq_location_read() and
 * sq_location_expand(). sq_location_apply() wants fields as long as the points or cells of their block.
 *
 * Errors: as sq_locate(); SQ_TOO_LARGE where the number of points is.
 */
SQ_API sq_status sq_locate_grid(sq_context* context, const sq_mesh_index* index,
  const sq_axes* grid, const sq_locate_options* options, sq_location** location);

/**
 * sq_locate() with a compact location, as sq_locate_grid() makes: the same answers, and the index is borrowed. The coordinates
 * are copied, in their type, so the queries need not outlive the call; 24 bytes a point (12 for SQ_FLOAT32) beside the 9.
 *
 * Where points are many, or the tree has not been made, they are joined with the cells instead of being searched for one by one
 * (Brinkhoff, Kriegel and Seeger, "Efficient processing of spatial joins using R-trees", SIGMOD 1993, with the packed tree of Kamel and
 * Faloutsos, "On packing R-trees", CIKM 1993, over the points): the time grows with points and cells, and takes 47 bytes
 * more a point, of at most 2^22 at once. The tree is made for SQ_LOCATE_NEAREST, SQ_MULTIPLE_MEAN and statistics, for points that
 * no cell holds in SQ_LOCATE_CONTAINING_ELSE_NEAREST, and when many calls with few points have taken as long as making it would.
 */
SQ_API sq_status sq_locate_points(sq_context* context, const sq_mesh_index* index,
  const sq_points* queries, const sq_locate_options* options, sq_location** location);

/** What sq_locate() gives at the same points: a location with all arrays of the view, which borrows nothing. */
SQ_API sq_status sq_location_expand(
  sq_context* context, const sq_location* location, sq_location** expanded);

/** Where the arrays of a view that have an entry a query are to be written; any may be NULL. */
typedef struct sq_location_outputs
{
  uint8_t* valid; /**< 1 where there is a cell */
  uint8_t* status;
  int32_t* block;
  int64_t* cell;
  double* distance;
  double* parametric;
  int32_t* containing_count;
  int32_t* nodes_visited; /**< untouched, as the next, where the location has no statistics */
  int32_t* cells_tested;
} sq_location_outputs;

/** Copies or evaluates, for any location. Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED. */
SQ_API sq_status sq_location_read(
  sq_context* context, const sq_location* location, const sq_location_outputs* outputs);

/** One array to be taken to the queries; see sq_location_apply() for what each means. */
typedef struct sq_sample
{
  sq_association association;
  sq_combine combine;
  const sq_field* fields; /**< one a block of the index */
  int32_t components;
  sq_type out_type;
  const void* missing;
  void* out;
  uint8_t* valid;
} sq_sample;

/** sq_location_apply() for several arrays at once, with one evaluation of the weights. */
SQ_API sq_status sq_location_apply_all(sq_context* context, const sq_location* location,
  const sq_sample* samples, int32_t sample_count, int32_t block_count);

SQ_END_DECLS
#endif
