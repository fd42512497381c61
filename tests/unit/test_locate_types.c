/** The cell types besides the linear solids: vertices, lines, strips, polygons, prisms, polyhedra. */
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <string.h>

typedef struct answer
{
  int status;
  int64_t cell;
  double distance;
  double sum; /* of the weights */
  double rebuilt[3];
  double parametric[3];
} answer;

static answer ask(const sq_cells* b, const sq_locate_options* o, double x, double y, double z)
{
  const double at[3] = { x, y, z };
  answer a;
  memset(&a, 0, sizeof(a));
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, b, 1);
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, at, 1, o, &v);
  if (l)
  {
    a.status = v.status[0];
    a.cell = v.cell[0];
    a.distance = v.distance[0];
    memcpy(a.parametric, v.parametric, sizeof(a.parametric));
    a.sum = sqt_rebuild(&v, b, 0, a.rebuilt);
  }
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
  return a;
}

/** The point is found in cell 0 with weights that reproduce it. */
static void check_inside(const sq_cells* b, double x, double y, double z)
{
  answer a = ask(b, NULL, x, y, z);
  int ok = CHECK_INT(a.status, SQ_SAMPLE_INSIDE);
  ok &= CHECK_INT(a.cell, 0);
  ok &= CHECK_NEAR(a.sum, 1.0, 1e-14);
  ok &= CHECK_NEAR(a.rebuilt[0], x, 1e-14);
  ok &= CHECK_NEAR(a.rebuilt[1], y, 1e-14);
  ok &= CHECK_NEAR(a.rebuilt[2], z, 1e-14);
  CHECK_TEXT(ok, "type %d at (%g, %g, %g)", b->type, x, y, z);
}

/** The point is outside, at that distance from the cell, and the weights give the closest point. */
static void check_outside(const sq_cells* b, double x, double y, double z, double distance)
{
  answer a = ask(b, NULL, x, y, z);
  int ok = CHECK_INT(a.status, SQ_SAMPLE_OUTSIDE);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  a = ask(b, &o, x, y, z);
  ok &= CHECK_INT(a.status, SQ_SAMPLE_NEAREST);
  ok &= CHECK_NEAR(a.distance, distance, 1e-14);
  ok &= CHECK_NEAR(a.sum, 1.0, 1e-14);
  ok &=
    CHECK_NEAR(hypot(hypot(a.rebuilt[0] - x, a.rebuilt[1] - y), a.rebuilt[2] - z), distance, 1e-14);
  CHECK_TEXT(ok, "type %d at (%g, %g, %g)", b->type, x, y, z);
}

static void vertices_and_lines(void)
{
  const double p[] = { 0, 0, 0, 2, 0, 0, 2, 2, 0 };
  const int64_t ids[] = { 0, 1, 2 };
  sq_cells b = sqt_cells_of(SQ_CELL_VERTEX, 1, 1, p, 3, ids);
  check_inside(&b, 0.0, 0.0, 0.0);
  check_outside(&b, 0.0, 3.0, 4.0, 5.0);
  b = sqt_cells_of(SQ_CELL_POLY_VERTEX, 3, 1, p, 3, ids);
  check_inside(&b, 2.0, 2.0, 0.0);
  check_outside(&b, 2.0, 1.5, 0.0, 0.5);
  b = sqt_cells_of(SQ_CELL_LINE, 2, 1, p, 3, ids);
  check_inside(&b, 0.5, 0.0, 0.0);
  check_outside(&b, 0.5, 1.0, 0.0, 1.0);
  check_outside(&b, 5.0, 4.0, 0.0, 5.0);
  b = sqt_cells_of(SQ_CELL_POLY_LINE, 3, 1, p, 3, ids);
  check_inside(&b, 2.0, 1.25, 0.0);
  check_outside(&b, 1.5, 1.25, 0.0, 0.5);
}

static void strip(void)
{
  const double p[] = { 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0 };
  const int64_t ids[] = { 0, 1, 2, 3, 4 };
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE_STRIP, 5, 1, p, 5, ids);
  check_inside(&b, 0.25, 0.25, 0.0);
  check_inside(&b, 0.75, 0.75, 0.0);
  check_inside(&b, 1.25, 0.25, 0.0);
  check_outside(&b, 0.25, 0.25, 0.5, 0.5);
  check_outside(&b, 2.0, 1.0, 0.0, sqrt(0.5));
}

/** A concave polygon: the notch is outside. */
static void polygon(void)
{
  const double p[] = { 0, 0, 0, 4, 0, 0, 4, 4, 0, 2, 1, 0, 0, 4, 0 };
  for (int turn = 0; turn < 5; ++turn)
  {
    int64_t ids[5];
    for (int k = 0; k < 5; ++k)
    {
      ids[k] = (k + turn) % 5;
    }
    sq_cells b = sqt_cells_of(SQ_CELL_POLYGON, 5, 1, p, 5, ids);
    check_inside(&b, 2.0, 0.5, 0.0);
    check_inside(&b, 0.25, 2.5, 0.0);
    check_inside(&b, 3.75, 2.5, 0.0);
    check_outside(&b, 2.0, 3.0, 0.0, 4.0 / sqrt(13.0));
    check_outside(&b, 1.0, 0.5, 2.0, 2.0);
  }
}

static void prisms(void)
{
  for (int n = 5; n <= 6; ++n)
  {
    double p[36];
    int64_t ids[12];
    for (int i = 0; i < n; ++i)
    {
      double a = 2.0 * 3.14159265358979323846 * i / n;
      for (int t = 0; t < 2; ++t)
      {
        double* q = p + 3 * (t * n + i);
        q[0] = cos(a), q[1] = sin(a), q[2] = t;
        ids[t * n + i] = t * n + i;
      }
    }
    uint8_t type = n == 5 ? SQ_CELL_PENTAGONAL_PRISM : SQ_CELL_HEXAGONAL_PRISM;
    sq_cells b = sqt_cells_of(type, 2 * n, 1, p, 2 * n, ids);
    check_inside(&b, 0.0, 0.0, 0.5);
    check_inside(&b, 0.5, 0.25, 0.25);
    check_inside(&b, -0.6, -0.3, 0.875);
    check_outside(&b, 0.25, 0.25, 1.5, 0.5);
    check_outside(&b, 3.0, 0.0, 0.5, 2.0);
  }
}

static const double CUBE[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1,
  1 };
static const int64_t CUBE_IDS[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/** A cube by its faces, facing outward, inward and either way. */
static void polyhedron(void)
{
  const int32_t outward[] = { 6, 4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4, 4, 1, 2, 6, 5, 4, 2,
    3, 7, 6, 4, 3, 0, 4, 7 };
  const int64_t offsets[] = { 0, 31 };
  for (int turned = 0; turned < 8; ++turned)
  {
    int32_t faces[31];
    memcpy(faces, outward, sizeof(faces));
    for (int f = 0; f < 6; ++f)
    {
      if (turned >> (f % 3) & 1)
      {
        int32_t swap = faces[5 * f + 3];
        faces[5 * f + 3] = faces[5 * f + 5];
        faces[5 * f + 5] = swap;
      }
    }
    sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 8, 1, CUBE, 8, CUBE_IDS);
    b.face_offsets = offsets;
    b.faces = faces;
    const double at[] = { 0.5, 0.25, 0.125, 0.0625, 0.9, 0.999, 0.5, 0.5, 1e-6, 0.3, 0.6,
      1.0 - 1e-9 };
    for (int i = 0; i < 4; ++i)
    {
      check_inside(&b, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
    }
    check_inside(&b, 0.5, 0.25, 0.0);
    check_inside(&b, 1.0, 1.0, 0.5);
    check_inside(&b, 0.0, 0.0, 0.0);
    check_outside(&b, 0.25, 0.5, 1.5, 0.5);
    check_outside(&b, 4.0, 5.0, 0.5, 5.0);
    answer a = ask(&b, NULL, 0.5, 0.25, 0.125);
    CHECK(isnan(a.parametric[0]) && isnan(a.parametric[1]) && isnan(a.parametric[2]));
  }
}

/** A cube that lacks a face, on each side in turn: most of the sphere is still covered around its middle. */
static void open_polyhedron(void)
{
  const int32_t quads[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 },
    { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
  const int64_t offsets[] = { 0, 26 };
  for (int lacking = 0; lacking < 6; ++lacking)
  {
    int32_t faces[26] = { 5 };
    int at = 1;
    for (int f = 0; f < 6; ++f)
    {
      if (f != lacking)
      {
        faces[at] = 4;
        memcpy(faces + at + 1, quads[f], sizeof(quads[f]));
        at += 5;
      }
    }
    sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 8, 1, CUBE, 8, CUBE_IDS);
    b.face_offsets = offsets;
    b.faces = faces;
    check_inside(&b, 0.5, 0.4375, 0.53125);
    answer a = ask(&b, NULL, 2.5, 2.25, 0.5);
    CHECK_INT(a.status, SQ_SAMPLE_OUTSIDE);
  }
}

/** Corners merged into one another, as wedges and pyramids are often written; no volume; no crash. */
static void collapsed(void)
{
  const int64_t wedge_like[] = { 0, 1, 2, 2, 4, 5, 6, 6 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, wedge_like);
  check_inside(&b, 0.75, 0.25, 0.5);
  check_outside(&b, 0.25, 0.75, 0.5, sqrt(0.125));
  const int64_t flat[] = { 0, 1, 2,
    3 }; /* a tetrahedron without volume claims no point off its plane */
  b = sqt_cells_of(SQ_CELL_TETRA, 4, 1, CUBE, 8, flat);
  answer a = ask(&b, NULL, 0.5, 0.25, 0.25);
  CHECK_INT(a.status, SQ_SAMPLE_OUTSIDE);
  const int64_t point[] = { 6, 6, 6, 6, 6, 6, 6, 6 };
  b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, point);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  a = ask(&b, &o, 1.0, 1.0, 3.0);
  CHECK_NEAR(a.distance, 2.0, 1e-14);
  CHECK_NEAR(a.sum, 1.0, 1e-14);
  /* A flat tetrahedron listed first does not hide the cell that holds the point. */
  const int64_t both[] = { 0, 1, 2, 3, 0, 1, 3, 4 };
  b = sqt_cells_of(SQ_CELL_TETRA, 4, 2, CUBE, 8, both);
  a = ask(&b, NULL, 0.25, 0.25, 0.25);
  CHECK_INT(a.status, SQ_SAMPLE_INSIDE);
  CHECK_INT(a.cell, 1);
}

/** Counting the work changes no answer. */
static void statistics(void)
{
  orc_zoo z = orc_make_zoo(ORC_ZOO_WARPED, 5, 2);
  sq_cells b = sqt_cells_of_zoo(&z);
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, &b, 1);
  double x[3 * 500];
  orc_random r = { 3 };
  for (int i = 0; i < 1500; ++i)
  {
    x[i] = orc_between(&r, -0.1, 1.1);
  }
  for (int mode = 0; mode < 3; ++mode)
  {
    sq_locate_options o = sq_locate_options_default();
    o.mode = (sq_locate_mode)mode;
    sq_location_view plain;
    sq_location_view counted;
    sq_location* l = sqt_locate(c, index, x, 500, &o, &plain);
    CHECK(!plain.nodes_visited && !plain.cells_tested);
    o.statistics = 1;
    sq_location* m = sqt_locate(c, index, x, 500, &o, &counted);
    REQUIRE(counted.nodes_visited && counted.cells_tested);
    sqt_views_equal(&counted, &plain);
    int64_t tested = 0, held = 0;
    for (int i = 0; i < 500; ++i)
    {
      CHECK(counted.nodes_visited[i] >= 1 && counted.cells_tested[i] >= 0);
      CHECK(counted.cells_tested[i] >= counted.containing_count[i]);
      tested += counted.cells_tested[i];
      held += counted.status[i] == SQ_SAMPLE_INSIDE;
    }
    /* Of 500 / 1.2^3 points in the mesh each is tested at least once, some in a neighbour, too. */
    CHECK(held > 250 && tested > held && tested < 500 * 60);
    sq_location_destroy(l);
    sq_location_destroy(m);
  }
  sq_mesh_index_info info;
  CHECK_STATUS(sq_mesh_index_get_info(index, &info), SQ_OK);
  CHECK(info.bytes > 0);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
  orc_zoo_free(&z);
}

static const sqt_case cases[] = {
  { "vertices and lines", vertices_and_lines },
  { "strip", strip },
  { "polygon", polygon },
  { "prisms", prisms },
  { "polyhedron", polyhedron },
  { "open polyhedron", open_polyhedron },
  { "collapsed", collapsed },
  { "statistics", statistics },
};
SQT_MAIN(cases)
