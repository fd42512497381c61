#include "sqt_tree_mesh.h"

#include "orc_random.h"
#include "sq_test.h"

#include <stdlib.h>
#include <string.h>

static sqt_simplices new_mesh(int64_t points, int32_t dimension, int64_t count, int32_t corners)
{
  sqt_simplices s;
  memset(&s, 0, sizeof(s));
  s.points = (float*)malloc((size_t)(points * dimension) * sizeof(float));
  s.ids = (int64_t*)malloc((size_t)(count * corners) * sizeof(int64_t));
  const uint8_t types[] = { SQ_CELL_EMPTY, SQ_CELL_VERTEX, SQ_CELL_LINE, SQ_CELL_TRIANGLE,
    SQ_CELL_TETRA };
  sq_points p = { s.points, points, SQ_FLOAT32, dimension };
  s.cells.points = p;
  s.cells.count = count;
  s.cells.type = types[corners];
  s.cells.cell_size = corners;
  s.cells.id_type = SQ_INT64;
  s.cells.connectivity = s.ids;
  s.cells.connectivity_count = count * corners;
  return s;
}

void sqt_simplices_free(sqt_simplices* s)
{
  free(s->points);
  free(s->ids);
}

sqt_simplices sqt_grid(int nx, int ny)
{
  int rows = ny + 1;
  sqt_simplices s = new_mesh((int64_t)(nx + 1) * rows, 2, 2 * (int64_t)nx * ny, 3);
  for (int i = 0; i <= nx; ++i)
  {
    for (int j = 0; j <= ny; ++j)
    {
      s.points[2 * (i * rows + j)] = (float)i;
      s.points[2 * (i * rows + j) + 1] = (float)j;
    }
  }
  int64_t* id = s.ids;
  for (int i = 0; i < nx; ++i)
  {
    for (int j = 0; j < ny; ++j)
    {
      int64_t p = i * rows + j;
      const int64_t two[] = { p, p + rows, p + 1, p + 1, p + rows, p + rows + 1 };
      memcpy(id, two, sizeof(two));
      id += 6;
    }
  }
  return s;
}

sqt_simplices sqt_kuhn(int n)
{
  int rows = n + 1;
  sqt_simplices s = new_mesh((int64_t)rows * rows * rows, 3, 6 * (int64_t)n * n * n, 4);
  const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
    { 2, 1, 0 } };
  const int64_t strides[3] = { (int64_t)rows * rows, rows, 1 };
  for (int64_t p = 0; p < s.cells.points.count; ++p)
  {
    for (int d = 0; d < 3; ++d)
    {
      s.points[3 * p + d] = (float)(p / strides[d] % rows);
    }
  }
  int64_t* id = s.ids;
  for (int64_t cube = 0; cube < (int64_t)n * n * n; ++cube)
  {
    int64_t base = cube / n / n * strides[0] + cube / n % n * strides[1] + cube % n;
    for (int t = 0; t < 6; ++t)
    {
      int64_t p = base;
      *id++ = p;
      for (int d = 0; d < 3; ++d)
      {
        *id++ = p += strides[order[t][d]];
      }
    }
  }
  return s;
}

sqt_simplices sqt_random_simplices(uint64_t seed, int64_t count, int32_t dimension, int32_t corners)
{
  sqt_simplices s = new_mesh(count * corners, dimension, count, corners);
  orc_random r = { seed };
  for (int64_t c = 0; c < count; ++c)
  {
    float middle[3];
    for (int32_t d = 0; d < dimension; ++d)
    {
      middle[d] = (float)orc_unit(&r);
    }
    for (int32_t k = 0; k < corners; ++k)
    {
      s.ids[c * corners + k] = c * corners + k;
      for (int32_t d = 0; d < dimension; ++d)
      {
        s.points[(c * corners + k) * dimension + d] =
          middle[d] + (float)orc_between(&r, -0.05, 0.05);
      }
    }
  }
  return s;
}

sq_bvh* sqt_bvh(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_bvh_options* options, sq_bvh_view* view)
{
  sq_bvh* bvh = NULL;
  CHECK_STATUS(sq_bvh_build(context, blocks, block_count, options, &bvh), SQ_OK);
  memset(view, 0, sizeof(*view));
  CHECK_STATUS(sq_bvh_get_view(bvh, view), SQ_OK);
  return bvh;
}

sq_points sqt_golden_queries(int32_t dimension, const float* size)
{
  sq_points p = sqt_golden_points(7, SQ_FLOAT32, 200, dimension);
  for (int64_t i = 0; i < 200; ++i)
  {
    for (int32_t d = 0; d < dimension; ++d)
    {
      float x = (float)sqt_coordinate(&p, i, d);
      sqt_set_coordinate(&p, i, d, (double)(x * size[d] * 1.25f - 0.125f * size[d]));
    }
  }
  return p;
}
