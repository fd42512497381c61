#ifndef SQI_TRIANGULATE_H
#define SQI_TRIANGULATE_H
/** From the cells of several blocks to one list of triangles. */
#include "spatialqueries/sq_surface.h"

/** Checked views; point p of block b has the global id point_start[b] + p. */
typedef struct sqi_blocks
{
  const sq_cells* views;
  int64_t* point_start; /* count + 1 */
  int32_t count;
} sqi_blocks;

/** Checks all views and numbers their points; at most 2^31 - 1 in all. */
sq_status sqi_blocks_open(
  sq_context* context, const sq_cells* views, int32_t count, sqi_blocks* blocks);

void sqi_blocks_close(sq_context* context, sqi_blocks* blocks);

/** What the surface of these cells is made of. Cells with a ghost bit do not count. */
sq_status sqi_surface_kind_of(sq_context* context, const sqi_blocks* blocks, sq_surface_kind* kind);

/** Triangles in ascending (block, cell, sub), the order in which ties in distance are broken. */
typedef struct sqi_triangle_list
{
  int64_t count;
  int32_t* corners; /* 3 a triangle: global point ids */
  int64_t* cells;
  int32_t* subs; /* NULL: every cell has one triangle */
  int64_t* block_start; /* block count + 1: first triangle of each block */
  int32_t block_count;
  int64_t skipped_elements; /* cells left out for a non-finite coordinate */
  int64_t skipped_triangles; /* what they would have given */
} sqi_triangle_list;

/**
 * The triangles of the 2-D cells (kind SQ_SURFACE_POLYGONS), or lines as triangles (a, b, b) and vertices as
 * (a, a, a) (kind SQ_SURFACE_CURVES). All members are the caller's to free, on error too.
 */
sq_status sqi_triangulate(
  sq_context* context, const sqi_blocks* blocks, sq_surface_kind kind, sqi_triangle_list* list);

/**
 * The triangles of the faces that exactly one 3-D cell has, facing away from it. Points with the same `same[global id]`
 * are one point. `sub` numbers the triangles of all faces of the cell, in VTK's order of faces.
 */
sq_status sqi_triangulate_boundary(
  sq_context* context, const sqi_blocks* blocks, const int32_t* same, sqi_triangle_list* list);

/** Marks the points of the 3-D cells that sqi_triangulate_boundary() looks at; `used` has a byte a point. */
sq_status sqi_mark_solid_points(sq_context* context, const sqi_blocks* blocks, uint8_t* used);

void sqi_triangle_list_free(sq_context* context, sqi_triangle_list* list);

/* Shared by the two ways of making triangles. */

/** Cells a chunk: a polygon or a polyhedron may be large, so chunks are small. */
#define SQI_CELL_GRAIN 2048

/** A cell that takes part: no ghost bit. */
static inline int sqi_cell_is_shown(const sq_cells* cells, int64_t c)
{
  return !cells->ghost || !(cells->ghost[c] & (SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_MASKED_CELL));
}

/** 0 times a finite number is 0, anything else gives NaN. */
static inline int sqi_is_finite3(const double x[3])
{
  return 0.0 * x[0] + 0.0 * x[1] + 0.0 * x[2] == 0.0;
}

int sqi_cell_is_finite(const sq_cells* cells, int64_t c);

/** Allocates the arrays of a list for `count` triangles. */
sq_status sqi_triangle_list_allocate(
  sq_context* context, sqi_triangle_list* list, int64_t count, int32_t block_count, int with_subs);

/** One corner of a polygon while its ears are cut off. */
typedef struct sqi_clip_corner
{
  double x;
  double y;
  int32_t previous;
  int32_t next;
  int32_t reflex;
} sqi_clip_corner;

/**
 * Cuts a polygon of n >= 3 corners into n - 2 triangles (3 positions in the polygon each): ears first found from corner 0,
 * after projection along the axis closest to the polygon's normal. `xyz` are 3n coordinates, `scratch` n corners.
 * What cannot be cut properly (self-crossing, no area) is cut all the same.
 */
void sqi_clip_ears(const double* xyz, int32_t n, sqi_clip_corner* scratch, int32_t* triangles);

#endif
