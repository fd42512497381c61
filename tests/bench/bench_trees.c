#include "bench_trees.h"
#include "bench_timing.h"

#include <math.h>
#include <string.h>

static bench_mesh new_mesh(int64_t points, int64_t count, int32_t corners)
{
  bench_mesh m;
  memset(&m, 0, sizeof(m));
  m.points = (float*)bench_allocate(3 * points, sizeof(float));
  m.ids = (int64_t*)bench_allocate(corners * count, sizeof(int64_t));
  m.cells.points.data = m.points;
  m.cells.points.count = points;
  m.cells.points.type = SQ_FLOAT32;
  m.cells.points.dimension = 3;
  m.cells.count = count;
  m.cells.type = corners == 3 ? SQ_CELL_TRIANGLE : SQ_CELL_TETRA;
  m.cells.cell_size = corners;
  m.cells.id_type = SQ_INT64;
  m.cells.connectivity = m.ids;
  m.cells.connectivity_count = corners * count;
  return m;
}

void bench_mesh_free(bench_mesh* mesh)
{
  free(mesh->points);
  free(mesh->ids);
}

bench_mesh bench_bumpy_sphere(int64_t nu, int64_t nv)
{
  const double pi = 3.14159265358979323846;
  bench_mesh m = new_mesh(nu * (nv + 1), 2 * nu * nv, 3);
  int64_t* id = m.ids;
  for (int64_t p = 0; p < m.cells.points.count; ++p)
  {
    double a = 2.0 * pi * (double)(p % nu) / (double)nu;
    double b = pi * ((double)(p / nu) + 0.01) / ((double)nv + 0.02);
    double r = 1.0 + 0.1 * sin(7.0 * a) * sin(5.0 * b);
    m.points[3 * p] = (float)(r * sin(b) * cos(a));
    m.points[3 * p + 1] = (float)(r * sin(b) * sin(a));
    m.points[3 * p + 2] = (float)(r * cos(b));
  }
  for (int64_t q = 0; q < nu * nv; ++q)
  {
    int64_t a = q, b = q / nu * nu + (q + 1) % nu;
    const int64_t two[] = { a, a + nu, b, b, a + nu, b + nu };
    memcpy(id, two, sizeof(two));
    id += 6;
  }
  return m;
}

bench_mesh bench_kuhn(int64_t nx, int64_t ny, int64_t nz)
{
  const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
    { 2, 1, 0 } };
  const int64_t strides[3] = { (ny + 1) * (nz + 1), nz + 1, 1 };
  bench_mesh m = new_mesh((nx + 1) * strides[0], 6 * nx * ny * nz, 4);
  int64_t* id = m.ids;
  for (int64_t p = 0; p < m.cells.points.count; ++p)
  {
    m.points[3 * p] = (float)(p / strides[0]);
    m.points[3 * p + 1] = (float)(p / strides[1] % (ny + 1));
    m.points[3 * p + 2] = (float)(p % (nz + 1));
  }
  for (int64_t cube = 0; cube < nx * ny * nz; ++cube)
  {
    int64_t base = cube / (ny * nz) * strides[0] + cube / nz % ny * strides[1] + cube % nz;
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
  return m;
}

float bench_random(uint64_t* state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

float* bench_centroids(const bench_mesh* mesh, int64_t count, uint64_t seed)
{
  float* x = (float*)bench_allocate(3 * count, sizeof(float));
  int32_t corners = mesh->cells.cell_size;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t cell = (int64_t)((double)bench_random(&seed) * (double)mesh->cells.count);
    for (int64_t d = 0; d < 3; ++d)
    {
      float sum = 0.0f;
      for (int32_t k = 0; k < corners; ++k)
      {
        sum += mesh->points[3 * mesh->ids[cell * corners + k] + d];
      }
      x[3 * i + d] = sum / (float)corners;
    }
  }
  return x;
}
