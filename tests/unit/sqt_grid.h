#ifndef SQT_GRID_H
#define SQT_GRID_H
/** Grids to locate the points of, and the comparison of both ways to do so. */
#include "sqt_locate.h"

#include "spatialqueries/sq_locate_grid.h"

#define SQT_GRID_SIDE 48
#define SQT_GRIDS 13

typedef struct sqt_grid
{
  const char* name;
  double x[3][SQT_GRID_SIDE];
  int count[3];
  sq_type type;
} sqt_grid;

/** As many points along each axis, from `from` to `to` in all. */
sqt_grid sqt_even_grid(const char* name, int nx, int ny, int nz, double from, double to);

/** Grid i of the suite, around and in the unit cube. */
sqt_grid sqt_make_grid(int i);

/** Keeps about `most` points along each axis. */
void sqt_thin_grid(sqt_grid* g, int most);

sq_axes sqt_axes_of(const sqt_grid* g);
int64_t sqt_grid_points(const sqt_grid* g);

/** The same points one by one; the caller frees their data. */
sq_points sqt_points_of(const sqt_grid* g);

/** Locates the points one by one, or as a grid, and checks that it worked. */
sq_location* sqt_search(
  sq_context* c, const sq_mesh_index* index, const sqt_grid* g, const sq_locate_options* o);
sq_location* sqt_rasterise(
  sq_context* c, const sq_mesh_index* index, const sqt_grid* g, const sq_locate_options* o);

/** A compact location has what one with rows has, in all that can be asked of it; values only where there is one block. */
int sqt_check_compact(
  sq_context* c, const sq_location* compact, const sq_location* want, const sq_cells* block);

/** Both ways, with all that can be asked of a location; values only where there is one block. */
void sqt_check_grid(sq_context* c, const sq_mesh_index* index, const sq_cells* block,
  const sqt_grid* g, const sq_locate_options* o);

#endif
