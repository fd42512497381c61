#ifndef SQT_SURFACE_H
#define SQT_SURFACE_H
/** Surfaces of the suite through the public API. */
#include "orc_mesh.h"
#include "sqt_context.h"

#include "spatialqueries/sq_surface.h"

/** A triangle mesh in the form the library takes; owns its arrays. */
typedef struct sqt_view
{
  sq_cells cells;
  void* points;
  void* ids;
} sqt_view;

sqt_view sqt_view_of(const orc_mesh* mesh, sq_type point_type, sq_type id_type);
void sqt_view_free(sqt_view* view);

/** Builds with default options and checks that it worked. */
sq_surface* sqt_build(sq_context* context, const sq_cells* cells);
/** The same for double coordinates and int64 ids. */
sq_surface* sqt_build_mesh(sq_context* context, const orc_mesh* mesh);

/** All per-query outputs but the winding number and the statistics. */
typedef struct sqt_answers
{
  int64_t count;
  double* distance;
  double* closest;
  double* barycentric;
  double* gradient;
  int64_t* cell;
  int32_t* block;
  int32_t* sub;
  uint8_t* valid;
} sqt_answers;

sqt_answers sqt_answers_new(int64_t count);
void sqt_answers_free(sqt_answers* answers);
sq_distance_outputs sqt_answers_outputs(const sqt_answers* answers);

sq_points sqt_points(const double* x, int64_t count);

/** Queries and checks that it worked (count is 0 if not); NULL options are the defaults. */
sqt_answers sqt_distances(sq_context* context, const sq_surface* surface, const double* x,
  int64_t count, const sq_distance_options* options);

/** Builds a surface of the triangles, asks for one distance, and destroys all. */
double sqt_one_distance(const orc_mesh* mesh, double x, double y, double z);

/** Every array of a and b has the same bits. */
int sqt_answers_equal(const sqt_answers* a, const sqt_answers* b);

#endif
