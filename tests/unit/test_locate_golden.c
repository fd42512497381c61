/**
 * Two meshes whose containing cells are known from the reference implementation, PhysicsNeMo 2.2.2: a plane of triangles and Kuhn's
 * tetrahedra. Hashes are FNV-1a over the raw little-endian bytes.
 */
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 200

static uint64_t hash(const void* data, size_t bytes)
{
  const unsigned char* p = (const unsigned char*)data;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i)
  {
    h = (h ^ p[i]) * 0x100000001b3u;
  }
  return h;
}

static float next_uniform(uint64_t* state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

/** Points in a box 1.25 times the size, in float32 arithmetic; the missing coordinate is 0. Checks their hash. */
static void make_random(int dimension, const float* size, uint64_t want, float* x)
{
  float packed[3 * QUERIES];
  uint64_t state = 7;
  for (int q = 0; q < QUERIES; ++q)
  {
    x[3 * q + 2] = 0.0f;
    for (int d = 0; d < dimension; ++d)
    {
      float u = next_uniform(&state);
      x[3 * q + d] = packed[dimension * q + d] = u * size[d] * 1.25f - 0.125f * size[d];
    }
  }
  uint64_t got = hash(packed, (size_t)(dimension * QUERIES) * sizeof(*packed));
  CHECK_TEXT(got == want, "queries of dimension %d: %llx", dimension, (unsigned long long)got);
}

typedef struct mesh
{
  float points[3 * 64];
  int64_t point_count;
  int64_t ids[4 * 162];
  sq_cells cells;
  sq_context* context;
  sq_mesh_index* index;
} mesh;

static void finish(mesh* m, uint8_t type, int32_t size, int64_t count)
{
  sq_points points = { m->points, m->point_count, SQ_FLOAT32, 3 };
  m->cells = sqt_cells_of(type, size, count, NULL, 0, m->ids);
  m->cells.points = points;
  m->context = sqt_context(2, NULL, NULL);
  m->index = sqt_index(m->context, &m->cells, 1);
}

/** Points (i, j), i to 7, j to 5, and two triangles in each square. */
static void make_plane(mesh* m)
{
  int64_t at = 0;
  m->point_count = 48;
  for (int i = 0; i < 48; ++i)
  {
    m->points[3 * i] = (float)(i / 6);
    m->points[3 * i + 1] = (float)(i % 6);
    m->points[3 * i + 2] = 0.0f;
  }
  for (int i = 0; i < 35; ++i)
  {
    int64_t p = i / 5 * 6 + i % 5;
    const int64_t ids[6] = { p, p + 6, p + 1, p + 1, p + 6, p + 7 };
    memcpy(m->ids + at, ids, sizeof(ids));
    at += 6;
  }
  finish(m, SQ_CELL_TRIANGLE, 3, 70);
}

/** 3^3 cubes, each six tetrahedra along the paths from its lowest to its highest corner. */
static void make_kuhn(mesh* m)
{
  static const int orders[6][2] = { { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 2 }, { 2, 0 }, { 2, 1 } };
  static const int64_t stride[3] = { 16, 4, 1 };
  int64_t at = 0;
  m->point_count = 64;
  for (int i = 0; i < 64; ++i)
  {
    m->points[3 * i] = (float)(i / 16);
    m->points[3 * i + 1] = (float)(i / 4 % 4);
    m->points[3 * i + 2] = (float)(i % 4);
  }
  for (int cube = 0; cube < 27; ++cube)
  {
    int64_t b = 16 * (cube / 9) + 4 * (cube / 3 % 3) + cube % 3;
    for (int k = 0; k < 6; ++k)
    {
      m->ids[at++] = b;
      m->ids[at++] = b + stride[orders[k][0]];
      m->ids[at++] = b + stride[orders[k][0]] + stride[orders[k][1]];
      m->ids[at++] = b + 21;
    }
  }
  finish(m, SQ_CELL_TETRA, 4, 162);
}

static void done(mesh* m)
{
  sq_mesh_index_destroy(m->index);
  sq_context_destroy(m->context);
}

static sq_location* ask(
  mesh* m, const float* x, int64_t count, sq_multiple_cells rule, sq_location_view* v)
{
  sq_points queries = { x, count, SQ_FLOAT32, 3 };
  sq_locate_options o = sq_locate_options_default();
  sq_location* l = NULL;
  o.multiple_cells = rule;
  CHECK_STATUS(sq_locate(m->context, m->index, &queries, &o, &l), SQ_OK);
  CHECK_STATUS(sq_location_get_view(l, v), SQ_OK);
  return l;
}

static void check_cells(mesh* m, const float* x, int64_t count, int outside, uint64_t want)
{
  sq_location_view v;
  sq_location* l = ask(m, x, count, SQ_MULTIPLE_LOWEST, &v);
  int missed = 0;
  for (int64_t q = 0; q < count; ++q)
  {
    missed += v.cell[q] < 0;
  }
  CHECK_INT(missed, outside);
  uint64_t got = hash(v.cell, (size_t)count * sizeof(*v.cell));
  CHECK_TEXT(got == want, "%d cells: %llx", (int)m->cells.count, (unsigned long long)got);
  sq_location_destroy(l);
}

static void plane(void)
{
  const float size[3] = { 7.0f, 5.0f, 0.0f };
  const double means[6] = { 0.0, 1.0, 3.0, 5.0, 7.0, 8.5 };
  static const int64_t first[10] = { 0, 0, 2, 4, 6, 8, 0, 1, 3, 5 };
  float x[3 * QUERIES];
  static mesh m;
  make_plane(&m);
  make_random(2, size, 0xbf1c64e67fb1a220u, x);
  check_cells(&m, x, QUERIES, 73, 0x0478247a51cc1948u);
  check_cells(&m, m.points, 48, 0, 0xf48233f98555f8acu);

  sq_location_view v;
  sq_location* l = ask(&m, m.points, 48, SQ_MULTIPLE_MEAN, &v);
  CHECK_SAME(v.cell, first, 10);
  CHECK_INT(v.cell_offsets[48], 210);
  uint64_t got = hash(v.cell_ids, 210 * sizeof(*v.cell_ids));
  CHECK_TEXT(got == 0xf20417571e8e6084u, "cells at the vertices: %llx", (unsigned long long)got);
  double id[70], mean[48];
  const double missing = (double)NAN;
  for (int i = 0; i < 70; ++i)
  {
    id[i] = i;
  }
  const sq_field f = { id, SQ_FLOAT64, 70 };
  CHECK_STATUS(sq_location_apply(m.context, l, SQ_ASSOCIATION_CELLS, SQ_COMBINE_WEIGHTED, &f, 1, 1,
                 SQ_FLOAT64, &missing, mean, NULL),
    SQ_OK);
  int64_t longest = 0;
  for (int q = 0; q < 48; ++q)
  {
    int64_t n = v.cell_offsets[q + 1] - v.cell_offsets[q];
    longest = n > longest ? n : longest;
    CHECK_INT(v.containing_count[q], n);
  }
  CHECK_INT(longest, 6);
  for (int q = 0; q < 6; ++q)
  {
    CHECK_NEAR(mean[q], means[q], 1e-14);
  }
  sq_location_destroy(l);
  done(&m);
}

/** At the vertices the reference stops after 32 candidates and finds 572 cells; there are 648, 24 inside. */
static void kuhn(void)
{
  const float size[3] = { 3.0f, 3.0f, 3.0f };
  float x[3 * QUERIES];
  static mesh m;
  make_kuhn(&m);
  make_random(3, size, 0xea73870b3bfae8c3u, x);
  check_cells(&m, x, QUERIES, 96, 0x2e6f0ce6722adeb5u);

  sq_location_view v;
  sq_location* l = ask(&m, m.points, 64, SQ_MULTIPLE_MEAN, &v);
  CHECK_INT(v.cell_offsets[64], 648);
  for (int p = 0; p < 64; ++p)
  {
    int64_t at = v.cell_offsets[p];
    for (int64_t c = 0; c < 162; ++c)
    {
      const int64_t* ids = m.ids + 4 * c;
      if (ids[0] == p || ids[1] == p || ids[2] == p || ids[3] == p)
      {
        CHECK_INT(at < v.cell_offsets[p + 1] ? v.cell_ids[at] : -1, c);
        ++at;
      }
    }
    CHECK_INT(at, v.cell_offsets[p + 1]);
  }
  CHECK_INT(v.cell_offsets[22] - v.cell_offsets[21], 24); /* point 21 is (1, 1, 1) */
  sq_location_destroy(l);
  done(&m);
}

static const sqt_case cases[] = {
  { "plane", plane },
  { "kuhn", kuhn },
};
SQT_MAIN(cases)
