/** Candidates: the reference's tables, its rule for limits, and brute force. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_tree_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sq_lists* find(sq_context* context, const sq_bvh* bvh, const sq_points* queries,
  int64_t limit, uint8_t* truncated, sq_lists_view* view)
{
  sq_candidate_options o = sq_candidate_options_default();
  sq_lists* lists = NULL;
  o.limit = limit >= 0;
  o.max_candidates = limit;
  CHECK_STATUS(sq_bvh_find_candidates(context, bvh, queries, &o, &lists, truncated), SQ_OK);
  memset(view, 0, sizeof(*view));
  CHECK_STATUS(sq_lists_get_view(lists, view), SQ_OK);
  return lists;
}

static int64_t longest(const sq_lists_view* v)
{
  int64_t most = 0;
  for (int64_t q = 0; q < v->count; ++q)
  {
    int64_t n = v->offsets[q + 1] - v->offsets[q];
    most = n > most ? n : most;
  }
  return most;
}

typedef struct golden_list
{
  int kuhn;
  int64_t leaf_size, limit;
  int64_t total, longest;
  uint64_t offsets, indices;
} golden_list;

static const golden_list random_lists[] = {
  { 0, 1, -1, 254, 2, 0x85949d43b46677c9, 0xa54d2873ec292c44 },
  { 0, 1, 4, 254, 2, 0x85949d43b46677c9, 0xa54d2873ec292c44 },
  { 0, 3, -1, 718, 11, 0x4214effa1ab6faa8, 0xeef1d2a842b3a034 },
  { 0, 3, 4, 489, 4, 0xc208025c008b8281, 0xb802b95380d5f7b4 },
  { 0, 3, 1, 127, 1, 0x4b0b0ff257880d03, 0xca7b917381e3e32e },
  { 1, 1, -1, 624, 6, 0xc5f5188d2e998adb, 0x703a018a9b899025 },
  { 1, 1, 32, 624, 6, 0xc5f5188d2e998adb, 0x703a018a9b899025 },
  { 1, 3, 32, 1566, 32, 0x5761ba6158c202dd, 0x5a4e1013017d4e96 },
};
static const golden_list vertex_lists[] = {
  { 0, 1, -1, 280, 8, 0xbf8057d58629c4fd, 0x7c4561f6465a4865 },
  { 0, 1, 4, 184, 4, 0x36930a7568d195dd, 0x383f1c3526969e85 },
  { 0, 3, -1, 514, 18, 0xc189a7d550343cc1, 0x9fdcf1043cc802ad },
  { 0, 3, 4, 189, 4, 0x2c1ae7de68faebe5, 0xb7bfb363ca2c3019 },
  { 0, 3, 1, 48, 1, 0xc6133874d4e57ab5, 0x0fedaca91fa310f4 },
  { 1, 1, -1, 1296, 48, 0x80f6309217b21b2b, 0xadd97f8238de8765 },
  { 1, 1, 32, 1168, 32, 0x62f43158cae33a46, 0xa67fb18f5a75a0a5 },
  { 1, 3, 32, 1600, 32, 0x189d117b05b17609, 0xb2241937ee0399a9 },
};

static void check_golden(const golden_list* g, int threads, int vertices)
{
  const float sizes[][3] = { { 7.0f, 5.0f, 0.0f }, { 3.0f, 3.0f, 3.0f } };
  sq_context* c = sqt_context(threads, NULL, NULL);
  sqt_simplices mesh = g->kuhn ? sqt_kuhn(3) : sqt_grid(7, 5);
  sq_bvh_options o = { g->leaf_size, 0 };
  sq_bvh_view bv;
  sq_bvh* bvh = sqt_bvh(c, &mesh.cells, 1, &o, &bv);
  sq_points random = sqt_golden_queries(mesh.cells.points.dimension, sizes[g->kuhn]);
  CHECK_HASH(sqt_hash(random.data, 200 * random.dimension * 4),
    g->kuhn ? 0xea73870b3bfae8c3 : 0xbf1c64e67fb1a220);
  sq_points queries = vertices ? mesh.cells.points : random;
  uint8_t* truncated = (uint8_t*)malloc((size_t)queries.count);
  sq_lists_view all, v;
  sq_lists* lists = find(c, bvh, &queries, g->limit, truncated, &v);
  sq_lists* full = find(c, bvh, &queries, -1, NULL, &all);
  CHECK_INT(v.offsets[v.count], g->total);
  CHECK_INT(longest(&v), g->longest);
  CHECK_HASH(SQT_HASH(v.offsets, v.count + 1), g->offsets);
  CHECK_HASH(SQT_HASH(v.indices, v.offsets[v.count]), g->indices);
  for (int64_t q = 0; q < v.count; ++q)
  {
    CHECK_INT(truncated[q], all.offsets[q + 1] - all.offsets[q] > v.offsets[q + 1] - v.offsets[q]);
  }
  sq_lists_destroy(lists);
  sq_lists_destroy(full);
  free(truncated);
  free((void*)(uintptr_t)random.data);
  sq_bvh_destroy(bvh);
  sqt_simplices_free(&mesh);
  sq_context_destroy(c);
}

static void golden(void)
{
  const int threads[] = { 1, 2, 7 };
  for (int i = 0; i < 24; ++i)
  {
    check_golden(random_lists + i % 8, threads[i / 8], 0);
    check_golden(vertex_lists + i % 8, threads[i / 8], 1);
  }
}

/** Barycentric coordinates by Cramer's rule, lowest at least -1e-6. */
static int holds(const sqt_simplices* mesh, int64_t cell, const sq_points* queries, int64_t q)
{
  int m = mesh->cells.points.dimension;
  double e[3][3] = { { 0 } }, b[3] = { 0 };
  const int64_t* id = mesh->ids + cell * (m + 1);
  for (int d = 0; d < m; ++d)
  {
    double v0 = (double)mesh->points[id[0] * m + d];
    b[d] = sqt_coordinate(queries, q, d) - v0;
    for (int k = 0; k < m; ++k)
    {
      e[k][d] = (double)mesh->points[id[k + 1] * m + d] - v0;
    }
  }
  double w[4] = { 1.0, 0.0, 0.0, 0.0 };
  if (m == 2)
  {
    double det = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    w[1] = (b[0] * e[1][1] - b[1] * e[1][0]) / det;
    w[2] = (e[0][0] * b[1] - e[0][1] * b[0]) / det;
  }
  else
  {
    double volume[4];
    for (int k = 0; k < 4; ++k)
    {
      const double* p = k == 1 ? b : e[0];
      const double* r = k == 2 ? b : e[1];
      const double* s = k == 3 ? b : e[2];
      volume[k] = p[0] * (r[1] * s[2] - r[2] * s[1]) - p[1] * (r[0] * s[2] - r[2] * s[0]) +
        p[2] * (r[0] * s[1] - r[1] * s[0]);
    }
    for (int k = 1; k < 4; ++k)
    {
      w[k] = volume[k] / volume[0];
    }
  }
  int inside = 1;
  for (int k = 1; k <= m; ++k)
  {
    w[0] -= w[k];
    inside &= w[k] >= -1e-6;
  }
  return inside && w[0] >= -1e-6;
}

typedef struct containing
{
  int64_t cells[512]; /* lowest, or -1 */
  int64_t outside;
  int64_t all[4096];
  int64_t total, longest;
} containing;

static void find_containing(
  const sqt_simplices* mesh, const sq_points* queries, const sq_lists_view* v, containing* found)
{
  memset(found, 0, sizeof(*found));
  for (int64_t q = 0; q < queries->count; ++q)
  {
    int64_t before = found->total;
    found->cells[q] = -1;
    for (int64_t k = v->offsets[q]; k < v->offsets[q + 1]; ++k)
    {
      if (holds(mesh, v->indices[k], queries, q))
      {
        found->cells[q] = found->total == before ? v->indices[k] : found->cells[q];
        found->all[found->total++] = v->indices[k];
      }
    }
    found->outside += found->total == before;
    found->longest =
      found->total - before > found->longest ? found->total - before : found->longest;
  }
}

/** The reference's table of containing cells, limit 32: candidates from here, coordinates from above. */
static void golden_containing(void)
{
  static containing found;
  const float sizes[][3] = { { 7.0f, 5.0f, 0.0f }, { 3.0f, 3.0f, 3.0f } };
  const int64_t outside[] = { 73, 96 }, total[] = { 210, 572 }, most[] = { 6, 17 };
  const uint64_t random_ids[] = { 0x0478247a51cc1948, 0x2e6f0ce6722adeb5 };
  const uint64_t vertex_ids[] = { 0xf48233f98555f8ac, 0x3e47f8c3612bccbe };
  const uint64_t all_ids[] = { 0xf20417571e8e6084, 0x435e1d10e916d3d3 };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int kuhn = 0; kuhn < 2; ++kuhn)
  {
    sqt_simplices mesh = kuhn ? sqt_kuhn(3) : sqt_grid(7, 5);
    sq_bvh_view bv;
    sq_bvh* bvh = sqt_bvh(c, &mesh.cells, 1, NULL, &bv);
    sq_points random = sqt_golden_queries(mesh.cells.points.dimension, sizes[kuhn]);
    sq_lists_view v;
    sq_lists* lists = find(c, bvh, &random, 32, NULL, &v);
    find_containing(&mesh, &random, &v, &found);
    CHECK_INT(found.outside, outside[kuhn]);
    CHECK_HASH(SQT_HASH(found.cells, 200), random_ids[kuhn]);
    sq_lists_destroy(lists);
    lists = find(c, bvh, &mesh.cells.points, 32, NULL, &v);
    find_containing(&mesh, &mesh.cells.points, &v, &found);
    CHECK_HASH(SQT_HASH(found.cells, mesh.cells.points.count), vertex_ids[kuhn]);
    CHECK_INT(found.total, total[kuhn]);
    CHECK_INT(found.longest, most[kuhn]);
    CHECK_HASH(SQT_HASH(found.all, found.total), all_ids[kuhn]);
    sq_lists_destroy(lists);
    free((void*)(uintptr_t)random.data);
    sq_bvh_destroy(bvh);
    sqt_simplices_free(&mesh);
  }
  sq_context_destroy(c);
}

/** Eleven triangles around a point: a list for k is not part of that for k + 1. */
static void fan(void)
{
  float points[18] = { 0 };
  int64_t ids[33];
  for (int i = 0; i < 8; ++i)
  {
    points[2 * i + 2] = (float)cos(i * acos(-1.0) / 4.0);
    points[2 * i + 3] = (float)sin(i * acos(-1.0) / 4.0);
  }
  for (int i = 0; i < 11; ++i)
  {
    ids[3 * i] = 0;
    ids[3 * i + 1] = 1 + i % 8;
    ids[3 * i + 2] = 1 + (i + 1) % 8;
  }
  sq_cells cells = { .points = { points, 9, SQ_FLOAT32, 2 },
    .count = 11,
    .type = SQ_CELL_TRIANGLE,
    .cell_size = 3,
    .id_type = SQ_INT64,
    .connectivity = ids,
    .connectivity_count = 33 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_bvh_view bv;
  sq_bvh* bvh = sqt_bvh(c, &cells, 1, NULL, &bv);
  sq_points queries = { points, 1, SQ_FLOAT32, 2 };
  const int64_t five[] = { 2, 4, 5, 6, 8 }, six[] = { 0, 1, 2, 3, 4, 5 }, one[] = { 2 };
  const struct
  {
    int64_t limit, count;
    const int64_t* ids;
  } want[] = { { 5, 5, five }, { 6, 6, six }, { 1, 1, one }, { 0, 0, NULL }, { 11, 11, NULL } };
  for (int i = 0; i < 5; ++i)
  {
    uint8_t truncated = 9;
    sq_lists_view v;
    sq_lists* lists = find(c, bvh, &queries, want[i].limit, &truncated, &v);
    CHECK_INT(v.offsets[1], want[i].count);
    CHECK_INT(truncated, want[i].limit < 11);
    if (want[i].ids && v.offsets[1] == want[i].count)
    {
      CHECK_SAME(v.indices, want[i].ids, want[i].count);
    }
    sq_lists_destroy(lists);
  }
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
}

/** float boxes and double queries: the tolerance is rounded to float, the comparison is in double. */
static void mixed_types(void)
{
  float x[] = { 0.0f, 1.0f };
  int64_t ids[] = { 0, 1 };
  sq_cells line = { .points = { x, 2, SQ_FLOAT32, 1 },
    .count = 1,
    .type = SQ_CELL_LINE,
    .cell_size = 2,
    .id_type = SQ_INT64,
    .connectivity = ids,
    .connectivity_count = 2 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_bvh_view bv;
  sq_bvh* bvh = sqt_bvh(c, &line, 1, NULL, &bv);
  const double q[] = { 1.00000095, 1.00000096, -1e-6, -1.0000001e-6, (double)NAN, INFINITY };
  sq_points queries = { q, 6, SQ_FLOAT64, 1 };
  sq_lists_view v;
  sq_lists* lists = find(c, bvh, &queries, -1, NULL, &v);
  CHECK_INT(v.offsets[1], 1);
  CHECK_INT(v.offsets[2], 1);
  /* 1e-6 as a float is a little less than 1e-6. */
  CHECK_INT(v.offsets[6], 1);
  sq_lists_destroy(lists);
  sq_bvh_destroy(bvh);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "golden lists", golden },
  { "golden containing", golden_containing },
  { "fan", fan },
  { "mixed types", mixed_types },
};
SQT_MAIN(cases)
