#ifndef SQT_QUERY_H
#define SQT_QUERY_H
/** Mesh queries through the public API. */
#include "sqt_locate.h"

#include "spatialqueries/sq_mesh_query.h"

/** A context, an index over blocks, and a query of it. */
typedef struct sqt_asker
{
  sq_context* context;
  sq_mesh_index* index;
  sq_mesh_query* query;
} sqt_asker;

/** Makes all three and checks that it worked. */
sqt_asker sqt_asker_open(const sq_cells* blocks, int32_t block_count);
void sqt_asker_close(sqt_asker* asker);

/** Triangles of a mesh of the suite; borrows. */
sq_cells sqt_cells_of_triangles(
  const double* points, int64_t point_count, const int64_t* corners, int64_t triangle_count);

#endif
