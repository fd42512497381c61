#include "orc_zoo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* take(size_t count, size_t size)
{
  void* p = calloc(count, size);
  if (!p)
  {
    abort();
  }
  return p;
}

static void add_cell(orc_zoo* z, int type, const int64_t* ids)
{
  int n = orc_corner_count(type);
  int64_t at = z->offsets[z->count];
  memcpy(z->ids + at, ids, (size_t)n * sizeof(*ids));
  z->types[z->count++] = (uint8_t)type;
  z->offsets[z->count] = at + n;
}

/** Cells of `type` over the corners `c` of a cuboid in the order of a hexahedron. */
static void add_block(orc_zoo* z, int type, const int64_t c[8], int64_t centre)
{
  static const int faces[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 },
    { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
  static const int tets[5][4] = { { 0, 1, 2, 5 }, { 0, 2, 3, 7 }, { 0, 5, 7, 4 }, { 2, 7, 5, 6 },
    { 0, 2, 7, 5 } };
  int64_t ids[8];
  switch (type)
  {
    case ORC_HEXAHEDRON:
      add_cell(z, type, c);
      break;
    case ORC_VOXEL:
    {
      const int64_t v[8] = { c[0], c[1], c[3], c[2], c[4], c[5], c[7], c[6] };
      add_cell(z, type, v);
      break;
    }
    case ORC_WEDGE:
    {
      const int64_t a[6] = { c[0], c[2], c[1], c[4], c[6], c[5] };
      const int64_t b[6] = { c[0], c[3], c[2], c[4], c[7], c[6] };
      add_cell(z, type, a);
      add_cell(z, type, b);
      break;
    }
    case ORC_PYRAMID:
      for (int f = 0; f < 6; ++f)
      {
        for (int k = 0; k < 4; ++k)
        {
          ids[k] = c[faces[f][3 - k]]; /* the base faces the apex */
        }
        ids[4] = centre;
        add_cell(z, type, ids);
      }
      break;
    default:
      for (int t = 0; t < 5; ++t)
      {
        for (int k = 0; k < 4; ++k)
        {
          ids[k] = c[tets[t][k]];
        }
        add_cell(z, ORC_TETRA, ids);
      }
      break;
  }
}

static void move_points(orc_zoo* z, orc_zoo_kind kind, int n, orc_random* r)
{
  for (int64_t i = 0; i < z->point_count; ++i)
  {
    double* p = z->points + 3 * i;
    if (kind == ORC_ZOO_SHEARED)
    {
      double x[3] = { p[0], p[1], p[2] };
      p[0] = x[0] + 0.3 * x[1] - 0.2 * x[2];
      p[1] = 0.1 * x[0] + 1.3 * x[1] + 0.25 * x[2];
      p[2] = -0.15 * x[0] + 0.2 * x[1] + 0.8 * x[2];
    }
    for (int k = 0; k < 3 && kind == ORC_ZOO_WARPED; ++k)
    {
      p[k] += orc_between(r, -0.12, 0.12) / n;
    }
  }
}

static int64_t point_id(int n, int i, int j, int k)
{
  return ((int64_t)k * (n + 1) + j) * (n + 1) + i;
}

static orc_zoo volume(orc_zoo_kind kind, int n, uint64_t seed)
{
  static const int with_voxels[5] = { ORC_TETRA, ORC_VOXEL, ORC_HEXAHEDRON, ORC_WEDGE,
    ORC_PYRAMID };
  static const int without[4] = { ORC_TETRA, ORC_HEXAHEDRON, ORC_WEDGE, ORC_PYRAMID };
  orc_random r = { seed };
  int64_t corners = point_id(n, 0, 0, n + 1);
  int64_t blocks = (int64_t)n * n * n;
  orc_zoo z = { NULL, corners + blocks, 0, NULL, NULL, NULL };
  z.points = (double*)take((size_t)(3 * z.point_count), sizeof(double));
  z.types = (uint8_t*)take((size_t)(6 * blocks), 1);
  z.offsets = (int64_t*)take((size_t)(6 * blocks + 1), sizeof(int64_t));
  z.ids = (int64_t*)take((size_t)(30 * blocks), sizeof(int64_t));
  for (int64_t i = 0; i < corners; ++i)
  {
    const int64_t at[3] = { i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1) / (n + 1) };
    for (int k = 0; k < 3; ++k)
    {
      z.points[3 * i + k] = (double)at[k] / n;
    }
  }
  for (int64_t b = 0; b < blocks; ++b)
  {
    int i = (int)(b % n);
    int j = (int)(b / n % n);
    int k = (int)(b / n / n);
    const double centre[3] = { (i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n };
    memcpy(z.points + 3 * (corners + b), centre, sizeof(centre));
    int64_t c[8];
    for (int v = 0; v < 8; ++v)
    {
      c[v] = point_id(n, i + (v % 4 == 1 || v % 4 == 2), j + (v % 4 > 1), k + v / 4);
    }
    int type = kind == ORC_ZOO_BOXES ? with_voxels[orc_below(&r, 5)] : without[orc_below(&r, 4)];
    add_block(&z, type, c, corners + b);
  }
  move_points(&z, kind, n, &r);
  return z;
}

static orc_zoo flat(int n, uint64_t seed)
{
  orc_random r = { seed };
  int64_t cells = 2 * (int64_t)n * n;
  orc_zoo z = { NULL, point_id(n, 0, n + 1, 0), 0, NULL, NULL, NULL };
  z.points = (double*)take((size_t)(3 * z.point_count), sizeof(double));
  z.types = (uint8_t*)take((size_t)cells, 1);
  z.offsets = (int64_t*)take((size_t)cells + 1, sizeof(int64_t));
  z.ids = (int64_t*)take((size_t)(4 * cells), sizeof(int64_t));
  for (int64_t i = 0; i < z.point_count; ++i)
  {
    double* p = z.points + 3 * i;
    p[0] = ((double)(i % (n + 1)) + orc_between(&r, -0.2, 0.2)) / n;
    p[1] = ((double)(i / (n + 1)) + orc_between(&r, -0.2, 0.2)) / n;
    p[2] = 0.25 * p[0] - 0.5 * p[1];
  }
  for (int64_t b = 0; b < (int64_t)n * n; ++b)
  {
    int i = (int)(b % n);
    int j = (int)(b / n);
    const int64_t c[4] = { point_id(n, i, j, 0), point_id(n, i + 1, j, 0),
      point_id(n, i + 1, j + 1, 0), point_id(n, i, j + 1, 0) };
    const int64_t second[3] = { c[0], c[2], c[3] };
    int quad = orc_below(&r, 2) == 0;
    add_cell(&z, quad ? ORC_QUAD : ORC_TRIANGLE, c);
    if (!quad)
    {
      add_cell(&z, ORC_TRIANGLE, second);
    }
  }
  return z;
}

orc_zoo orc_make_zoo(orc_zoo_kind kind, int n, uint64_t seed)
{
  return kind == ORC_ZOO_FLAT ? flat(n, seed) : volume(kind, n, seed);
}

void orc_zoo_free(orc_zoo* zoo)
{
  free(zoo->points);
  free(zoo->types);
  free(zoo->offsets);
  free(zoo->ids);
  memset(zoo, 0, sizeof(*zoo));
}

orc_cell orc_zoo_cell(const orc_zoo* zoo, int64_t c)
{
  orc_cell cell;
  memset(&cell, 0, sizeof(cell));
  cell.type = zoo->types[c];
  cell.count = orc_corner_count(cell.type);
  for (int i = 0; i < cell.count; ++i)
  {
    memcpy(cell.x[i], zoo->points + 3 * zoo->ids[zoo->offsets[c] + i], sizeof(cell.x[i]));
  }
  return cell;
}

void orc_zoo_point(const orc_zoo* zoo, int64_t c, int corners, orc_random* r, double x[3])
{
  orc_cell cell = orc_zoo_cell(zoo, c);
  int chosen[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  int n = cell.count;
  if (corners < n)
  { /* corners of one triangle of the cell's surface */
    int t[12][3];
    int64_t f = orc_below(r, orc_cell_triangles(cell.type, t));
    memcpy(chosen, t[f], sizeof(t[f]));
    n = corners;
  }
  double w[8];
  orc_convex(r, n, w);
  for (int k = 0; k < 3; ++k)
  {
    x[k] = 0.0;
    for (int i = 0; i < n; ++i)
    {
      x[k] += (n == 1 ? 1.0 : w[i]) * cell.x[chosen[i]][k];
    }
  }
}
