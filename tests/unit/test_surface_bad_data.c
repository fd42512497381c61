/** Data that no mesh should have: each gets the contract's answer or one clear error, never a silent number. */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Builds of one block fail with that status, with the cell named, and leave nothing. */
static void check_build_fails(const sq_cells* cells, sq_status want, const char* what)
{
  sqt_memory memory = { 0 };
  sq_context* c = sqt_context(2, &memory, NULL);
  sq_surface* s = (sq_surface*)&memory;
  sq_status got = sq_surface_build(c, cells, 1, NULL, &s);
  CHECK_TEXT(got == want, "%s: got \"%s\"", what, sq_status_text(got));
  CHECK_TEXT(got == SQ_OK || (!s && *sq_context_message(c)), "%s: handle or message", what);
  if (got == SQ_OK)
  {
    sq_surface_destroy(s);
  }
  sq_context_destroy(c);
  sqt_memory_is_clean(&memory);
}

static void ids_out_of_range(void)
{
  orc_mesh m = orc_suite_make("octasphere");
  const int64_t wrong[] = { -1, 258, INT64_MAX, INT64_MIN, (int64_t)1 << 32 };
  for (int i = 0; i < 5; ++i)
  {
    sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
    ((int64_t*)v.ids)[700 + i] = wrong[i];
    check_build_fails(&v.cells, SQ_INVALID_DATA, "id out of range");
    sqt_view_free(&v);
    if (wrong[i] == (int32_t)wrong[i])
    {
      v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT32);
      ((int32_t*)v.ids)[1535] = (int32_t)wrong[i];
      check_build_fails(&v.cells, SQ_INVALID_DATA, "int32 id out of range");
      sqt_view_free(&v);
    }
  }
  orc_mesh_free(&m);
}

static void offsets_out_of_range(void)
{
  orc_mesh m = orc_suite_make("cube");
  sqt_view v = sqt_view_of(&m, SQ_FLOAT64, SQ_INT64);
  int64_t good[13];
  for (int i = 0; i < 13; ++i)
  {
    good[i] = 3 * i;
  }
  const struct
  {
    int at;
    int64_t value;
  } wrong[] = { { 5, 12 - 1 }, { 0, -1 }, { 12, 37 }, { 6, INT64_MAX }, { 3, INT64_MIN } };
  v.cells.offsets = good;
  check_build_fails(&v.cells, SQ_OK, "good offsets");
  for (int i = 0; i < 5; ++i)
  {
    int64_t offsets[13];
    memcpy(offsets, good, sizeof(offsets));
    offsets[wrong[i].at] = wrong[i].value;
    v.cells.offsets = offsets;
    check_build_fails(&v.cells, SQ_INVALID_DATA, "offsets");
  }
  sqt_view_free(&v);
  orc_mesh_free(&m);
}

/** A triangle of two points and the like. */
static void wrong_number_of_points(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
  const int64_t ids[] = { 0, 1, 2, 3, 0, 1 };
  const struct
  {
    uint8_t type;
    int32_t size;
  } wrong[] = { { SQ_CELL_TRIANGLE, 2 }, { SQ_CELL_TRIANGLE, 4 }, { SQ_CELL_QUAD, 3 },
    { SQ_CELL_PIXEL, 5 }, { SQ_CELL_TETRA, 3 }, { SQ_CELL_LINE, 1 }, { SQ_CELL_HEXAHEDRON, 6 } };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i)
  {
    sq_cells b;
    memset(&b, 0, sizeof(b));
    b.points = sqt_points(p, 4);
    b.count = 1;
    b.type = wrong[i].type;
    b.cell_size = wrong[i].size;
    b.id_type = SQ_INT64;
    b.connectivity = ids;
    b.connectivity_count = 6;
    sqt_memory memory = { 0 };
    sq_context* c = sqt_context(1, &memory, NULL);
    sq_surface* s = NULL;
    sq_status got = sq_surface_build(c, &b, 1, NULL, &s);
    CHECK_TEXT(got == SQ_INVALID_DATA, "type %d with %d points: got \"%s\"", wrong[i].type,
      (int)wrong[i].size, sq_status_text(got));
    CHECK(got == SQ_OK || !s);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    sqt_memory_is_clean(&memory);
  }
}

/** A non-finite corner takes its own triangles out and no others. */
static void non_finite_vertices(void)
{
  const double wrong[] = { NAN, INFINITY, -INFINITY };
  for (int i = 0; i < 9; ++i)
  {
    orc_mesh m = orc_suite_make("small triangles");
    double x[3 * 60];
    orc_make_queries(&m, ORC_UNIFORM, 60, 2, x);
    sqt_view v = sqt_view_of(&m, i % 2 ? SQ_FLOAT32 : SQ_FLOAT64, SQ_INT64);
    for (int64_t bad = 5; bad < 8; ++bad)
    {
      int64_t at = 9 * bad + (bad + i) % 9;
      if (i % 2)
      {
        ((float*)v.points)[at] = (float)wrong[i / 3];
      }
      else
      {
        ((double*)v.points)[at] = wrong[i / 3];
      }
    }
    sq_context* c = sqt_context(2, NULL, NULL);
    sq_surface* s = sqt_build(c, &v.cells);
    sq_surface_report r;
    CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
    CHECK_INT(r.skipped_elements, 3);
    CHECK(isfinite(r.area));
    if (i % 2)
    {
      orc_round_to_float32(&m);
    }
    sqt_answers a = sqt_distances(c, s, x, 60, NULL);
    for (int q = 0; q < 60; ++q)
    {
      orc_real best = INFINITY;
      for (int64_t t = 0; t < m.triangle_count; ++t)
      {
        orc_real d = orc_distance_to_triangle(&m, t, x + 3 * q);
        best = (t < 5 || t > 7) && d < best ? d : best;
      }
      CHECK_NEAR(fabs(a.distance[q]), (double)best, orc_four_ulp(1.9));
      CHECK(a.cell[q] >= 0 && (a.cell[q] < 5 || a.cell[q] > 7));
    }
    sqt_answers_free(&a);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    sqt_view_free(&v);
    orc_mesh_free(&m);
  }
}

static void nothing_finite(void)
{
  double p[9];
  for (int i = 0; i < 9; ++i)
  {
    p[i] = i % 2 ? NAN : INFINITY;
  }
  orc_mesh m = { NULL, NULL, 0, 0, 0, 0 };
  for (int i = 0; i < 3; ++i)
  {
    orc_add_point(&m, p[3 * i], p[3 * i + 1], p[3 * i + 2]);
  }
  orc_add_triangle(&m, 0, 1, 2);
  double d = sqt_one_distance(&m, 1.0, 2.0, 3.0);
  CHECK(isnan(d));
  orc_mesh_free(&m);
}

/** A query that is not finite: invalid and NaN, or for infinities Inf; its neighbours are untouched. */
static void non_finite_queries(void)
{
  const double wrong[] = { NAN, INFINITY, -INFINITY };
  orc_mesh m = orc_suite_make("torus");
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, &m);
  double good[3 * 300];
  double x[3 * 300];
  orc_make_queries(&m, ORC_UNIFORM, 300, 2, good);
  memcpy(x, good, sizeof(x));
  for (int i = 0; i < 300; i += 4)
  {
    x[3 * i + i / 4 % 3] = wrong[i / 12 % 3];
  }
  sqt_answers want = sqt_distances(c, s, good, 300, NULL);
  sqt_answers got = sqt_distances(c, s, x, 300, NULL);
  for (int i = 0; i < 300; ++i)
  {
    if (i % 4)
    {
      CHECK_NEAR(got.distance[i], want.distance[i], 0.0);
      CHECK_INT(got.cell[i], want.cell[i]);
      CHECK_INT(got.valid[i], 1);
    }
    else
    {
      CHECK_INT(got.valid[i], 0);
      CHECK(isnan(got.distance[i]) || (isinf(got.distance[i]) && !isnan(x[3 * i + i / 4 % 3])));
      CHECK_INT(got.cell[i], -1);
      CHECK_INT(got.block[i], -1);
      CHECK_INT(got.sub[i], -1);
    }
  }
  sqt_answers_free(&want);
  sqt_answers_free(&got);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  orc_mesh_free(&m);
}

/** Any finite query gets a number: the right one, or +Inf where a double cannot hold it. */
static void huge_queries(void)
{
  orc_mesh m = orc_suite_make("cube");
  const double sizes[] = { 1e9, 1e15, 1e38, 1e100, 1e154, 1e160, 1e300, DBL_MAX };
  for (int i = 0; i < 8; ++i)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      double x[3] = { 0.5, 0.5, 0.5 };
      x[axis] = sizes[i];
      CHECK_NEAR(sqt_one_distance(&m, x[0], x[1], x[2]), sizes[i] - 1.0, orc_four_ulp(sizes[i]));
      x[axis] = -sizes[i];
      CHECK_NEAR(sqt_one_distance(&m, x[0], x[1], x[2]), sizes[i], orc_four_ulp(sizes[i]));
    }
  }
  double corner = sqt_one_distance(&m, DBL_MAX, DBL_MAX, DBL_MAX);
  CHECK(isinf(corner) && corner > 0.0);
  CHECK_NEAR(sqt_one_distance(&m, 1e300, 1e300, 0.5), sqrt(2.0) * 1e300, orc_four_ulp(1e300));
  orc_mesh_free(&m);
}

static void huge_and_tiny_meshes(void)
{
  const double sizes[] = { 1e300, 1e155, 1e100, 1e30, 1e-30, 1e-100, 1e-155, 1e-290 };
  for (int i = 0; i < 8; ++i)
  {
    orc_mesh m = orc_suite_make("cube");
    orc_scale(&m, sizes[i]);
    double s = m.points[3]; /* of corner 1, whatever the product rounded to */
    double tolerance = orc_four_ulp(3.0 * s);
    CHECK_NEAR(sqt_one_distance(&m, 0.5 * s, 0.5 * s, 3.0 * s), 2.0 * s, tolerance);
    CHECK_NEAR(sqt_one_distance(&m, 0.5 * s, 0.5 * s, 0.25 * s), -0.25 * s, tolerance);
    CHECK_NEAR(sqt_one_distance(&m, -3.0 * s, -4.0 * s, 0.5 * s), 5.0 * s, orc_four_ulp(4.0 * s));
    CHECK_NEAR(sqt_one_distance(&m, 0.5 * s, 1.0 * s, 0.25 * s), 0.0, tolerance);
    orc_mesh_free(&m);
  }
}

/** One triangle of 1e300 beside a cube of 1 must not spoil the answers near the cube. */
static void huge_triangle_beside_a_cube(void)
{
  orc_mesh m = orc_suite_make("cube");
  int64_t a = orc_add_point(&m, 1e300, 0.0, 0.0);
  int64_t b = orc_add_point(&m, 1e300, 1e300, 0.0);
  int64_t c = orc_add_point(&m, 1e300, 0.0, 1e300);
  orc_add_triangle(&m, a, b, c);
  CHECK_NEAR(sqt_one_distance(&m, 0.5, 0.5, 3.0), 2.0, 0.0);
  CHECK_NEAR(sqt_one_distance(&m, 0.5, 0.5, 0.25), -0.25, 0.0);
  CHECK_NEAR(fabs(sqt_one_distance(&m, 9e299, 0.0, 0.0)), 1e299, orc_four_ulp(1e300));
  orc_mesh_free(&m);
}

/** Denormal coordinates are numbers. */
static void denormal_mesh(void)
{
  orc_mesh m = orc_suite_make("cube");
  orc_scale(&m, 0x1p-1070);
  double s = 0x1p-1070;
  CHECK_NEAR(sqt_one_distance(&m, 0.5 * s, 0.5 * s, 3.0 * s), 2.0 * s, 0x1p-1072);
  CHECK_NEAR(sqt_one_distance(&m, 1.0, 0.0, 0.0), 1.0, orc_four_ulp(1.0));
  orc_mesh_free(&m);
}

static void surface_without_extent(void)
{
  for (int axes = 1; axes < 8; ++axes)
  {
    orc_mesh m = orc_suite_make("small triangles");
    for (int64_t i = 0; i < 3 * m.point_count; ++i)
    {
      m.points[i] = axes >> (i % 3) & 1 ? 0.25 : m.points[i];
    }
    double x[3 * 20];
    orc_make_queries(&m, ORC_ON_EDGES, 20, 3, x);
    for (int i = 0; i < 20; ++i)
    {
      x[3 * i + i % 3] += 0.125;
      orc_real want = orc_answer_query(&m, x + 3 * i, 0).distance;
      double got = sqt_one_distance(&m, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
      CHECK_NEAR(fabs(got), (double)want, orc_four_ulp(1.5));
    }
    orc_mesh_free(&m);
  }
}

static const sqt_case cases[] = {
  { "ids out of range", ids_out_of_range },
  { "offsets out of range", offsets_out_of_range },
  { "wrong number of points", wrong_number_of_points },
  { "non-finite vertices", non_finite_vertices },
  { "nothing finite", nothing_finite },
  { "non-finite queries", non_finite_queries },
  { "huge queries", huge_queries },
  { "huge and tiny meshes", huge_and_tiny_meshes },
  { "huge triangle beside a cube", huge_triangle_beside_a_cube },
  { "denormal mesh", denormal_mesh },
  { "surface without extent", surface_without_extent },
};
SQT_MAIN(cases)
