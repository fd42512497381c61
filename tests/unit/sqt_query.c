#include "sqt_query.h"

#include "sq_test.h"

sqt_asker sqt_asker_open(const sq_cells* blocks, int32_t block_count)
{
  sqt_asker a = { sqt_context(2, NULL, NULL), NULL, NULL };
  a.index = sqt_index(a.context, blocks, block_count);
  CHECK_STATUS(sq_mesh_query_create(a.context, a.index, &a.query), SQ_OK);
  CHECK(a.query != NULL);
  return a;
}

void sqt_asker_close(sqt_asker* asker)
{
  sq_mesh_query_destroy(asker->query);
  sq_mesh_index_destroy(asker->index);
  sq_context_destroy(asker->context);
}

sq_cells sqt_cells_of_triangles(
  const double* points, int64_t point_count, const int64_t* corners, int64_t triangle_count)
{
  return sqt_cells_of(SQ_CELL_TRIANGLE, 3, triangle_count, points, point_count, corners);
}
