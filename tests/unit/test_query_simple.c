/** Single questions to a mesh index: answers known by heart, what nothing has, and the answers of sq_locate() bit by bit. */
#include "sq_test.h"
#include "sqt_query.h"

#include <math.h>
#include <string.h>

static const double CUBE[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1,
  1 };
static const int64_t IDS[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static sq_mesh_hit closest(const sqt_asker* a, double x, double y, double z, double limit)
{
  const double at[3] = { x, y, z };
  sq_mesh_hit hit;
  CHECK_STATUS(sq_mesh_query_closest(a->query, at, limit, &hit), SQ_OK);
  return hit;
}

/** The first crossing from (x, y, from) to (x, y, to). */
static sq_mesh_crossing down(const sqt_asker* a, double x, double y, double from, double to,
  double tolerance, sq_mesh_hit* hit)
{
  const double p[3] = { x, y, from }, q[3] = { x, y, to };
  sq_mesh_crossing c;
  CHECK_STATUS(sq_mesh_query_first_crossing(a->query, p, q, tolerance, &c, hit), SQ_OK);
  return c;
}

/** A cell at height h over the plane is met at t; t < 0: not at all. */
static void check_down(const sqt_asker* a, double x, double y, double tolerance, double t)
{
  sq_mesh_crossing c = down(a, x, y, 2.0, -2.0, tolerance, NULL);
  CHECK_TEXT(c.cell == (t < 0.0 ? -1 : 0), "(%g, %g): cell %lld", x, y, (long long)c.cell);
  if (t >= 0.0 && c.cell == 0)
  {
    CHECK_NEAR(c.t, t, 1e-15);
    CHECK_NEAR(c.point[2], 2.0 - 4.0 * t, 1e-15);
  }
}

/** Every question has the answer of sq_locate(), to the last bit. */
static void as_sq_locate(void)
{
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    orc_zoo zoo = orc_make_zoo((orc_zoo_kind)kind, 4, 90);
    sq_cells block = sqt_cells_of_zoo(&zoo);
    sqt_asker a = sqt_asker_open(&block, 1);
    orc_random r = { 4 };
    for (int i = 0; i < 400; ++i)
    {
      double x[3] = { orc_between(&r, -0.2, 1.2), orc_between(&r, -0.2, 1.2),
        orc_between(&r, -0.2, 1.2) };
      if (i % 2)
      {
        orc_zoo_point(&zoo, orc_below(&r, zoo.count), 1 + i % 8, &r, x);
      }
      sq_locate_options o = sq_locate_options_default();
      o.mode = i % 4 < 2 ? SQ_LOCATE_CONTAINING : SQ_LOCATE_NEAREST;
      o.tolerance_type = i % 3 ? SQ_TOLERANCE_ABSOLUTE : SQ_TOLERANCE_RELATIVE;
      o.tolerance = i % 5 ? 1e-3 : 0.0;
      o.max_distance = i % 7 ? (double)INFINITY : 0.05;
      sq_location_view v;
      sq_location* l = sqt_locate(a.context, a.index, x, 1, &o, &v);
      sq_mesh_hit hit;
      CHECK_STATUS(o.mode == SQ_LOCATE_NEAREST
          ? sq_mesh_query_closest(a.query, x, o.max_distance, &hit)
          : sq_mesh_query_containing(a.query, x, o.tolerance_type, o.tolerance, &hit),
        SQ_OK);
      CHECK_INT(hit.cell, v.cell[0]);
      if (hit.cell >= 0 && v.cell[0] >= 0)
      {
        double sum = 0.0;
        CHECK_SAME(&hit.distance, v.distance, 1);
        CHECK_SAME(hit.parametric, v.parametric, 3);
        CHECK_INT(hit.weight_count, zoo.offsets[hit.cell + 1] - zoo.offsets[hit.cell]);
        for (int k = 0; k < hit.weight_count; ++k)
        {
          double want = 0.0;
          for (int64_t e = 0; e < v.node_offsets[1]; ++e)
          {
            want += v.node_ids[e] == zoo.ids[zoo.offsets[hit.cell] + k] ? v.node_weights[e] : 0.0;
          }
          CHECK_NEAR(hit.weights[k], want, 0.0);
          sum += hit.weights[k];
        }
        CHECK_NEAR(sum, 1.0, 1e-14);
        double gap = sqrt((hit.closest[0] - x[0]) * (hit.closest[0] - x[0]) +
          (hit.closest[1] - x[1]) * (hit.closest[1] - x[1]) +
          (hit.closest[2] - x[2]) * (hit.closest[2] - x[2]));
        CHECK_NEAR(gap, hit.distance, 1e-14);
      }
      sq_location_destroy(l);
    }
    sqt_asker_close(&a);
    orc_zoo_free(&zoo);
  }
}

static void points_and_lines(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0 };
  sq_cells vertices = sqt_cells_of(SQ_CELL_POLY_VERTEX, 3, 1, p, 3, IDS);
  sqt_asker a = sqt_asker_open(&vertices, 1);
  check_down(&a, 1.0, 1.0, 0.0, 0.5);
  check_down(&a, 1.0, 0.99, 0.0, -1.0);
  check_down(&a, 1.0, 0.99, 0.011, 0.5);
  CHECK_INT(closest(&a, 1.1, 0.9, 0.0, (double)INFINITY).sub, 2);
  sqt_asker_close(&a);
  sq_cells line = sqt_cells_of(SQ_CELL_POLY_LINE, 3, 1, p, 3, IDS);
  a = sqt_asker_open(&line, 1);
  check_down(&a, 0.5, 0.0, 0.0, 0.5);
  check_down(&a, 1.0, 0.75, 0.0, 0.5);
  check_down(&a, 0.5, 0.01, 0.0, -1.0);
  check_down(&a, 0.5, 0.01, 0.011, 0.5);
  sq_mesh_hit hit = closest(&a, 1.5, 0.75, 0.0, (double)INFINITY);
  CHECK_INT(hit.sub, 1);
  CHECK_NEAR(hit.parametric[0], 0.75, 0.0);
  CHECK_NEAR(hit.weights[0], 0.0, 0.0);
  CHECK_NEAR(hit.weights[2], 0.75, 0.0);
  CHECK_INT(hit.is_interior, 1);
  CHECK_INT(closest(&a, -1.0, 0.0, 0.0, (double)INFINITY).is_interior, 0);
  sqt_asker_close(&a);
  /* A line of one point, and one within the segment. */
  sq_cells point = sqt_cells_of(SQ_CELL_POLY_LINE, 1, 1, p, 3, IDS);
  a = sqt_asker_open(&point, 1);
  check_down(&a, 0.0, 0.0, 0.0, 0.5);
  sqt_asker_close(&a);
  const double up[] = { 0, 0, 1, 0, 0, -1 };
  sq_cells along = sqt_cells_of(SQ_CELL_LINE, 2, 1, up, 2, IDS);
  a = sqt_asker_open(&along, 1);
  check_down(&a, 0.0, 0.0, 0.0, 0.25);
  sqt_asker_close(&a);
}

static void surfaces(void)
{
  const double strip[] = { 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0 };
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE_STRIP, 6, 1, strip, 6, IDS);
  sqt_asker a = sqt_asker_open(&b, 1);
  sq_mesh_hit hit;
  for (int i = 0; i < 4; ++i)
  {
    double x = 0.3 + 0.5 * i - 0.1 * (i % 2), y = i % 2 ? 0.8 : 0.2;
    sq_mesh_crossing c = down(&a, x, y, 1.0, -1.0, 0.0, &hit);
    CHECK_INT(c.cell, 0);
    CHECK_NEAR(c.t, 0.5, 0.0);
    CHECK_INT(hit.sub, i);
  }
  check_down(&a, 2.01, 0.5, 0.0, -1.0);
  check_down(&a, 2.01, 0.5, 0.02, 0.5);
  sqt_asker_close(&a);
  /* An L whose notch does not belong to it. */
  const double l[] = { 0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0 };
  b = sqt_cells_of(SQ_CELL_POLYGON, 6, 1, l, 6, IDS);
  a = sqt_asker_open(&b, 1);
  check_down(&a, 0.5, 1.5, 0.0, 0.5);
  check_down(&a, 1.5, 0.5, 0.0, 0.5);
  check_down(&a, 1.5, 1.5, 0.0, -1.0);
  check_down(&a, 1.0, 1.0, 0.0, 0.5);
  sqt_asker_close(&a);
  /* A dart: the quadrilateral is cut at its concave corner. */
  const double dart[] = { 0, 0, 0, 2, -1, 0, 1, 0, 0, 2, 1, 0 };
  b = sqt_cells_of(SQ_CELL_QUAD, 4, 1, dart, 4, IDS);
  a = sqt_asker_open(&b, 1);
  check_down(&a, 0.5, 0.0, 0.0, 0.5);
  check_down(&a, 1.5, 0.0, 0.0, -1.0);
  check_down(&a, 1.5, 0.6, 0.0, 0.5);
  sqt_asker_close(&a);
}

/** In the plane of a triangle a segment meets it where it enters. */
static void within_a_plane(void)
{
  const double p[] = { 0, 0, 0, 4, 0, 0, 0, 4, 0 };
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 1, p, 3, IDS);
  sqt_asker a = sqt_asker_open(&b, 1);
  const struct
  {
    double from[3], to[3], t;
  } cases[] = {
    { { -1, 1, 0 }, { 7, 1, 0 }, 0.125 }, /* across */
    { { 1, 1, 0 }, { 2, 1, 0 }, 0.0 }, /* inside */
    { { -4, 0, 0 }, { 4, 0, 0 }, 0.5 }, /* along an edge */
    { { -1, 1, 0 }, { 1, -1, 0 }, 0.5 }, /* through a corner */
    { { 5, 0, 0 }, { 0, 5, 0 }, -1.0 }, /* past the slant */
    { { -1, 1, 1e-3 }, { 7, 1, 1e-3 }, -1.0 }, /* above */
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i)
  {
    sq_mesh_crossing c;
    CHECK_STATUS(
      sq_mesh_query_first_crossing(a.query, cases[i].from, cases[i].to, 0.0, &c, NULL), SQ_OK);
    CHECK_TEXT(
      c.cell == (cases[i].t < 0.0 ? -1 : 0), "case %d: cell %lld", (int)i, (long long)c.cell);
    CHECK(c.cell < 0 || fabs(c.t - cases[i].t) < 1e-15);
  }
  sqt_asker_close(&a);
}

static void solids(void)
{
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, IDS);
  sqt_asker a = sqt_asker_open(&b, 1);
  sq_mesh_hit hit;
  sq_mesh_crossing c = down(&a, 0.25, 0.5, 2.0, -2.0, 0.0, &hit);
  CHECK_NEAR(c.t, 0.25, 0.0);
  CHECK_NEAR(hit.parametric[0], 0.25, 1e-15);
  CHECK_NEAR(hit.parametric[2], 1.0, 1e-15);
  CHECK_NEAR(hit.weights[4], 0.375, 1e-15);
  check_down(&a, 1.0, 1.0, 0.0, 0.25);
  check_down(&a, 1.001, 0.5, 0.0, -1.0);
  check_down(&a, 1.001, 0.5, 0.01, 0.25);
  c = down(&a, 0.5, 0.5, 0.5, -2.0, 0.0, NULL); /* out of it */
  CHECK_NEAR(c.t, 0.2, 1e-15);
  CHECK_INT(down(&a, 0.5, 0.5, 0.75, 0.25, 0.0, NULL).cell, -1); /* within it */
  hit = closest(&a, 0.5, 0.5, 1.5, (double)INFINITY);
  CHECK_NEAR(hit.closest[2], 1.0, 0.0);
  CHECK_INT(hit.is_interior, 0);
  hit = closest(&a, 0.5, 0.25, 0.5, (double)INFINITY);
  CHECK_NEAR(hit.distance, 0.0, 0.0);
  CHECK_NEAR(hit.closest[1], 0.25, 0.0);
  CHECK_INT(hit.is_interior, 1);
  CHECK_INT(closest(&a, 0.5, 0.5, 1.5, 0.49).cell, -1);
  CHECK_INT(closest(&a, 0.5, 0.5, 1.5, 0.5).cell, 0);
  sqt_asker_close(&a);
}

static void polyhedron(void)
{
  /* The top is warped: a fan around the mean of its nodes, at height 1.1. */
  double p[24];
  const int32_t faces[] = { 6, 4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4, 4, 1, 2, 6, 5, 4, 2, 3,
    7, 6, 4, 3, 0, 4, 7 };
  const int64_t offsets[] = { 0, 31 };
  memcpy(p, CUBE, sizeof(p));
  p[3 * 5 + 2] = p[3 * 7 + 2] = 1.2;
  sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 8, 1, p, 8, IDS);
  b.faces = faces;
  b.face_offsets = offsets;
  sqt_asker a = sqt_asker_open(&b, 1);
  check_down(&a, 0.5, 0.5, 0.0, 0.225);
  check_down(&a, 0.25, 0.5, 0.0, (2.0 - 1.1) / 4.0);
  check_down(&a, 1.0, 0.0, 0.0, 0.2);
  check_down(&a, 1.01, 0.5, 0.0, -1.0);
  sqt_asker_close(&a);
}

/** Of cells met at the same place the lowest, by global id where there are some; all of them are listed. */
static void equal_crossings(void)
{
  double p[36];
  memcpy(p, CUBE, sizeof(CUBE));
  for (int i = 0; i < 12; ++i)
  {
    p[24 + i] = CUBE[12 + i] + (i % 3 == 2);
  }
  const int64_t ids[] = { 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7 };
  const int64_t global[] = { 9, 3 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 2, p, 12, ids);
  for (int with = 0; with < 2; ++with)
  {
    b.global_ids = with ? global : NULL;
    sqt_asker a = sqt_asker_open(&b, 1);
    const double from[3] = { 0.3, 0.6, 1.25 }, to[3] = { 0.3, 0.6, 0.25 };
    const sq_mesh_crossing* list;
    int64_t count;
    CHECK_INT(down(&a, 0.3, 0.6, 1.25, 0.25, 0.0, NULL).cell, with);
    CHECK_STATUS(sq_mesh_query_crossings(a.query, from, to, 0.0, &list, &count), SQ_OK);
    REQUIRE(count == 2);
    CHECK_INT(list[0].cell, with);
    CHECK_INT(list[1].cell, 1 - with);
    CHECK_NEAR(list[0].t, 0.25, 0.0);
    CHECK_NEAR(list[1].t, 0.25, 0.0);
    CHECK_STATUS(sq_mesh_query_crossed_boxes(a.query, from, to, 0.0, &list, &count), SQ_OK);
    REQUIRE(count == 2);
    CHECK_INT(list[0].cell, 0);
    CHECK_NEAR(list[0].t, 0.0, 0.0);
    CHECK_NEAR(list[1].t, 0.25, 1e-14);
    const sq_mesh_cell_id* cells;
    CHECK_STATUS(sq_mesh_query_sphere(a.query, from, 9.0, &cells, &count), SQ_OK);
    CHECK(count == 2 && cells[0].cell == 0 && cells[1].cell == 1);
    sqt_asker_close(&a);
  }
}

/** All sizes of numbers: what is met does not change, nothing overflows. */
static void all_scales(void)
{
  const int exponents[] = { -1000, -300, -60, 0, 60, 300, 1000, 1022 };
  for (int i = 0; i < 8; ++i)
  {
    double p[24], size = ldexp(1.0, exponents[i]);
    for (int k = 0; k < 24; ++k)
    {
      p[k] = CUBE[k] * size;
    }
    sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, p, 8, IDS);
    sqt_asker a = sqt_asker_open(&b, 1);
    const double from[3] = { 0.25 * size, 0.5 * size, 1.5 * size };
    const double to[3] = { 0.25 * size, 0.5 * size, 0.5 * size };
    const double lo[3] = { -size, -size, -size }, origin[3] = { 0.5 * size, 0.0, 0.0 };
    const double normal[3] = { 1.0, 0.0, 0.0 };
    const sq_mesh_cell_id* list;
    int64_t count;
    sq_mesh_crossing c;
    CHECK_STATUS(sq_mesh_query_first_crossing(a.query, from, to, 0.0, &c, NULL), SQ_OK);
    CHECK_INT(c.cell, 0);
    CHECK_NEAR(c.t, 0.5, 1e-15);
    CHECK_STATUS(sq_mesh_query_box(a.query, lo, from, &list, &count), SQ_OK);
    CHECK_INT(count, 1);
    CHECK_STATUS(sq_mesh_query_sphere(a.query, from, 0.51 * size, &list, &count), SQ_OK);
    CHECK_INT(count, 1);
    CHECK_STATUS(sq_mesh_query_sphere(a.query, from, 0.49 * size, &list, &count), SQ_OK);
    CHECK_INT(count, 0);
    CHECK_STATUS(sq_mesh_query_plane(a.query, origin, normal, 0.0, &list, &count), SQ_OK);
    CHECK_INT(count, 1);
    CHECK_STATUS(sq_mesh_query_plane(a.query, lo, normal, 0.5 * size, &list, &count), SQ_OK);
    CHECK_INT(count, 0);
    sqt_asker_close(&a);
  }
}

/** Long segments: the cell is small beside them, and far away. */
static void long_segments(void)
{
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, IDS);
  sqt_asker a = sqt_asker_open(&b, 1);
  const double lengths[] = { 1e3, 1e6, 1e12, 1e100, 1e308 };
  for (int i = 0; i < 5; ++i)
  {
    sq_mesh_crossing c = down(&a, 0.5, 0.5, lengths[i], -lengths[i], 0.0, NULL);
    CHECK_TEXT(c.cell == 0, "length %g", lengths[i]);
    CHECK_NEAR(c.t, 0.5, 1e-3);
    CHECK_INT(down(&a, 1.5, 0.5, 1e6, -1e6, 0.0, NULL).cell, -1);
  }
  sqt_asker_close(&a);
}

static void check_nothing(const sqt_asker* a, const double x[3])
{
  const double y[3] = { 0.5, 0.5, 0.5 };
  const sq_mesh_crossing* crossings;
  const sq_mesh_cell_id* cells;
  int64_t count = 1;
  sq_mesh_hit hit;
  sq_mesh_crossing c;
  CHECK_STATUS(sq_mesh_query_closest(a->query, x, (double)INFINITY, &hit), SQ_OK);
  CHECK_INT(hit.cell, -1);
  CHECK_STATUS(sq_mesh_query_containing(a->query, x, SQ_TOLERANCE_ABSOLUTE, 1.0, &hit), SQ_OK);
  CHECK_INT(hit.cell, -1);
  CHECK_STATUS(sq_mesh_query_first_crossing(a->query, x, y, 0.0, &c, &hit), SQ_OK);
  CHECK_INT(c.cell, -1);
  CHECK_INT(hit.cell, -1);
  CHECK_STATUS(sq_mesh_query_crossings(a->query, y, x, 0.0, &crossings, &count), SQ_OK);
  CHECK_INT(count, 0);
  CHECK_STATUS(sq_mesh_query_crossed_boxes(a->query, y, x, 0.0, &crossings, &count), SQ_OK);
  CHECK_INT(count, 0);
  CHECK_STATUS(sq_mesh_query_sphere(a->query, x, 10.0, &cells, &count), SQ_OK);
  CHECK_INT(count, 0);
  CHECK_STATUS(sq_mesh_query_plane(a->query, x, y, 10.0, &cells, &count), SQ_OK);
  CHECK_INT(count, 0);
}

static void nothing(void)
{
  const uint8_t ghost[] = { SQ_GHOST_HIDDEN_CELL };
  const double inside[3] = { 0.25, 0.5, 0.5 };
  const double bad[][3] = { { (double)NAN, 0, 0 }, { 0, (double)INFINITY, 0 },
    { 0, 0, -(double)INFINITY } };
  const sq_mesh_cell_id* cells;
  int64_t count = 1;
  sqt_asker a = sqt_asker_open(NULL, 0);
  check_nothing(&a, inside);
  CHECK_INT(sq_mesh_index_depth(a.index), -1);
  CHECK_INT(sq_mesh_index_boxes(a.index, 0, 0, NULL), 0);
  sqt_asker_close(&a);
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, IDS);
  b.ghost = ghost;
  a = sqt_asker_open(&b, 1);
  check_nothing(&a, inside);
  sqt_asker_close(&a);
  b.ghost = NULL;
  a = sqt_asker_open(&b, 1);
  for (int i = 0; i < 3; ++i)
  {
    check_nothing(&a, bad[i]);
  }
  /* Boxes may be infinite, but not empty or NaN; a plane needs a direction. */
  const double all[] = { -(double)INFINITY, -(double)INFINITY, -(double)INFINITY, (double)INFINITY,
    (double)INFINITY, (double)INFINITY };
  CHECK_STATUS(sq_mesh_query_box(a.query, all, all + 3, &cells, &count), SQ_OK);
  CHECK_INT(count, 1);
  CHECK_STATUS(sq_mesh_query_box(a.query, all + 3, all, &cells, &count), SQ_OK);
  CHECK_INT(count, 0);
  CHECK_STATUS(sq_mesh_query_box(a.query, bad[0], all + 3, &cells, &count), SQ_OK);
  CHECK_INT(count, 0);
  const double none[3] = { 0, 0, 0 };
  CHECK_STATUS(sq_mesh_query_plane(a.query, inside, none, 1.0, &cells, &count), SQ_OK);
  CHECK_INT(count, 0);
  CHECK_STATUS(sq_mesh_query_sphere(a.query, inside, (double)INFINITY, &cells, &count), SQ_OK);
  CHECK_INT(count, 1);
  sqt_asker_close(&a);
}

static void arguments(void)
{
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, IDS);
  sqt_asker a = sqt_asker_open(&b, 1);
  const double x[3] = { 0.5, 0.5, 0.5 };
  const double wrong[] = { -1.0, (double)NAN };
  sq_mesh_query* q = a.query;
  sq_mesh_hit hit;
  sq_mesh_crossing c;
  const sq_mesh_crossing* crossings;
  const sq_mesh_cell_id* cells;
  int64_t n = 7;
  for (int i = 0; i < 2; ++i)
  {
    CHECK_STATUS(sq_mesh_query_closest(q, x, wrong[i], &hit), SQ_INVALID_ARGUMENT);
    CHECK_STATUS(
      sq_mesh_query_containing(q, x, SQ_TOLERANCE_ABSOLUTE, wrong[i], &hit), SQ_INVALID_ARGUMENT);
    CHECK_STATUS(sq_mesh_query_first_crossing(q, x, x, wrong[i], &c, NULL), SQ_INVALID_ARGUMENT);
    CHECK_STATUS(sq_mesh_query_crossings(q, x, x, wrong[i], &crossings, &n), SQ_INVALID_ARGUMENT);
    CHECK_INT(n, 0);
    CHECK_STATUS(sq_mesh_query_sphere(q, x, wrong[i], &cells, &n), SQ_INVALID_ARGUMENT);
    CHECK_STATUS(sq_mesh_query_plane(q, x, x, wrong[i], &cells, &n), SQ_INVALID_ARGUMENT);
  }
  CHECK_STATUS(
    sq_mesh_query_containing(q, x, (sq_tolerance_type)2, 0.0, &hit), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_closest(NULL, x, 1.0, &hit), SQ_INVALID_ARGUMENT);
  CHECK_INT(hit.cell, -1);
  CHECK_STATUS(sq_mesh_query_closest(q, NULL, 1.0, &hit), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_closest(q, x, 1.0, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_first_crossing(q, x, NULL, 0.0, &c, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_crossings(q, x, x, 0.0, NULL, &n), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_box(q, x, NULL, &cells, &n), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_query_create(NULL, a.index, &q), SQ_INVALID_ARGUMENT);
  CHECK(q == NULL);
  CHECK_STATUS(sq_mesh_query_create(a.context, NULL, &q), SQ_INVALID_ARGUMENT);
  CHECK(strstr(sq_context_message(a.context), "no index") != NULL);
  CHECK_STATUS(sq_mesh_query_create(a.context, a.index, NULL), SQ_INVALID_ARGUMENT);
  sq_mesh_query_destroy(NULL);
  sqt_asker_close(&a);
}

/** Lines, strips and polygons of one node, the only cells: points with two weights. */
static void one_node(void)
{
  static const uint8_t types[] = { SQ_CELL_VERTEX, SQ_CELL_POLY_VERTEX, SQ_CELL_POLY_LINE,
    SQ_CELL_TRIANGLE_STRIP, SQ_CELL_POLYGON, SQ_CELL_QUADRATIC_POLYGON };
  const double point[3] = { 1, 2, 3 }, x[3] = { 1, 2, 5 };
  const int64_t id = 0;
  for (size_t k = 0; k < sizeof(types) / sizeof(*types); ++k)
  {
    sqt_memory memory;
    memset(&memory, 0, sizeof(memory));
    sq_context* c = sqt_context(1, &memory, NULL);
    sq_cells block = sqt_cells_of(types[k], 1, 1, point, 1, &id);
    sq_mesh_index* index = sqt_index(c, &block, 1);
    sq_mesh_query* query = NULL;
    sq_mesh_hit hit;
    CHECK_STATUS(sq_mesh_query_create(c, index, &query), SQ_OK);
    CHECK_STATUS(sq_mesh_query_closest(query, x, HUGE_VAL, &hit), SQ_OK);
    CHECK_INT(hit.cell, 0);
    CHECK_NEAR(hit.distance, 2.0, 0.0);
    CHECK_INT(hit.weight_count, 1);
    CHECK_NEAR(hit.weights[0], 1.0, 0.0);
    sq_mesh_query_destroy(query);
    sq_mesh_index_destroy(index);
    sq_context_destroy(c);
    CHECK(sqt_memory_is_clean(&memory));
  }
}

static const sqt_case cases[] = {
  { "as sq_locate", as_sq_locate },
  { "points and lines", points_and_lines },
  { "surfaces", surfaces },
  { "within a plane", within_a_plane },
  { "solids", solids },
  { "polyhedron", polyhedron },
  { "equal crossings", equal_crossings },
  { "all scales", all_scales },
  { "long segments", long_segments },
  { "nothing", nothing },
  { "arguments", arguments },
  { "one node", one_node },
};
SQT_MAIN(cases)
