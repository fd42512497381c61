/** Many points in polygons, prisms, polyhedra and cells with merged corners: all are found and come back. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>

#define QUERIES 300

typedef struct asked
{
  sq_context* context;
  sq_mesh_index* index;
  sq_location* location;
  sq_location_view v;
} asked;

static asked ask(const sq_cells* block, const double* x, int64_t count)
{
  asked a;
  a.context = sqt_context(2, NULL, NULL);
  a.index = sqt_index(a.context, block, 1);
  a.location = sqt_locate(a.context, a.index, x, count, NULL, &a.v);
  return a;
}

static void done(asked* a)
{
  sq_location_destroy(a->location);
  sq_mesh_index_destroy(a->index);
  sq_context_destroy(a->context);
}

/** Queries are found inside, and the rows sum to 1 and give them back. */
static void check_all_inside(
  const sq_cells* block, const double* x, int64_t count, const char* what)
{
  asked a = ask(block, x, count);
  for (int64_t q = 0; a.location && q < count; ++q)
  {
    double at[3];
    int ok = CHECK_INT(a.v.status[q], SQ_SAMPLE_INSIDE);
    ok &= CHECK_NEAR(a.v.distance[q], 0.0, 0.0);
    ok &= CHECK_NEAR(sqt_rebuild(&a.v, block, q, at), 1.0, 1e-14);
    for (int k = 0; k < 3; ++k)
    {
      ok &= CHECK_NEAR(at[k], x[3 * q + k], 1e-14);
    }
    CHECK_TEXT(
      ok, "%s, query %d (%.17g, %.17g, %.17g)", what, (int)q, x[3 * q], x[3 * q + 1], x[3 * q + 2]);
  }
  done(&a);
}

/** Statuses of queries, one digit each. */
static void check_statuses(
  const sq_cells* block, const double* x, int64_t count, const char* want, const char* what)
{
  asked a = ask(block, x, count);
  for (int64_t q = 0; a.location && q < count; ++q)
  {
    CHECK_TEXT(a.v.status[q] == want[q] - '0', "%s, query %d: status %d, not %c", what, (int)q,
      a.v.status[q], want[q]);
  }
  done(&a);
}

static void concave_polygon(void)
{
  /* An L: the notch does not belong to it, wherever the nodes begin. */
  const double l[] = { 0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0 };
  const double y[] = { 0.5, 0.5, 0, 1.5, 0.5, 0, 0.5, 1.5, 0, 1, 1, 0, 1.5, 1.5, 0, 1.2, 1.1, 0 };
  for (int start = 0; start < 6; ++start)
  {
    int64_t around[6];
    for (int i = 0; i < 6; ++i)
    {
      around[i] = (start + i) % 6;
    }
    sq_cells polygon = sqt_cells_of(SQ_CELL_POLYGON, 6, 1, l, 6, around);
    check_statuses(&polygon, y, 6, "000033", "L");
    check_all_inside(&polygon, y, 4, "L");
    asked a = ask(&polygon, y, 1);
    CHECK(isnan(a.v.parametric[0]));
    done(&a);
  }
}

/** VTK's: along the sides of the rectangle around the polygon, from its first edge. */
static void polygon_parameters(void)
{
  const double p[] = { 1, 0, 0, 3, 0, 0, 4, 2, 0, 2, 3, 0, 0, 2, 0 };
  const int64_t ids[] = { 0, 1, 2, 3, 4 };
  const double x[] = { 2, 1.5, 0 };
  sq_cells polygon = sqt_cells_of(SQ_CELL_POLYGON, 5, 1, p, 5, ids);
  asked a = ask(&polygon, x, 1);
  REQUIRE(a.location);
  CHECK_NEAR(a.v.parametric[0], 0.5, 1e-15);
  CHECK_NEAR(a.v.parametric[1], 0.5, 1e-15);
  CHECK_NEAR(a.v.parametric[2], 0.0, 0.0);
  done(&a);
}

/** Convex combinations of all nodes, of a few, of one; hung on each other so that faces and edges are among them. */
static void make_queries(const double* p, int nodes, uint64_t seed, double* x)
{
  orc_random r = { seed };
  for (int q = 0; q < QUERIES; ++q)
  {
    double w[16], sum = 0.0;
    for (int i = 0; i < nodes; ++i)
    {
      w[i] = orc_between(&r, 0.0, 1.0);
      w[i] = w[i] < (q % 3) * 0.4 ? 0.0 : w[i];
      sum += w[i];
    }
    w[q % nodes] += sum > 0.0 ? 0.0 : 1.0;
    sum = sum > 0.0 ? sum : 1.0;
    for (int k = 0; k < 3; ++k)
    {
      x[3 * q + k] = 0.0;
      for (int i = 0; i < nodes; ++i)
      {
        x[3 * q + k] += w[i] / sum * p[3 * i + k];
      }
    }
  }
}

static void prisms(void)
{
  const double pi = 3.14159265358979323846;
  for (int sides = 5; sides <= 6; ++sides)
  {
    double p[36], x[3 * QUERIES];
    int64_t ids[12];
    for (int i = 0; i < 2 * sides; ++i)
    {
      double a = 2.0 * pi * (i % sides) / sides;
      double z = i < sides ? 0.0 : 1.0;
      ids[i] = i;
      /* A frustum, sheared: its faces are flat. */
      p[3 * i] = cos(a) * (1.0 + 0.5 * z);
      p[3 * i + 1] = 2.0 * sin(a) * (1.0 + 0.5 * z) + z;
      p[3 * i + 2] = z;
    }
    make_queries(p, 2 * sides, 11, x);
    sq_cells b = sqt_cells_of(sides == 5 ? SQ_CELL_PENTAGONAL_PRISM : SQ_CELL_HEXAGONAL_PRISM,
      2 * sides, 1, p, 2 * sides, ids);
    check_all_inside(&b, x, QUERIES, sides == 5 ? "pentagonal prism" : "hexagonal prism");
    const double out[] = { 0, 0, -0.01, 0, 1, 1.01, 3, 3, 0.5 };
    check_statuses(&b, out, 3, "333", "prism");
  }
}

static const double CUBE[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1,
  1 };
static const int32_t CUBE_FACES[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
  { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };

static sq_cells polyhedron_of(
  const double* p, int64_t nodes, const int64_t* ids, const int32_t* stream, const int64_t* offsets)
{
  sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, (int32_t)nodes, 1, p, nodes, ids);
  b.faces = stream;
  b.face_offsets = offsets;
  return b;
}

/** A cube as polyhedron, with the faces in the bits of `turned` written the other way round. */
static void cube_stream(int turned, int32_t stream[31])
{
  *stream++ = 6;
  for (int f = 0; f < 6; ++f)
  {
    *stream++ = 4;
    for (int i = 0; i < 4; ++i)
    {
      *stream++ = CUBE_FACES[f][(turned >> f) & 1 ? 3 - i : i];
    }
  }
}

static void polyhedron_orientations(void)
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const int64_t offsets[] = { 0, 31 };
  double x[3 * QUERIES];
  make_queries(CUBE, 8, 12, x);
  const double out[] = { 0.5, 0.5, -0.01, 1.5, 0.5, 0.5, -0.1, 0.5, 0.5, 0.5, 0.5, 1.00001 };
  for (int turned = 0; turned < 64; ++turned)
  {
    int32_t stream[31];
    cube_stream(turned, stream);
    sq_cells b = polyhedron_of(CUBE, 8, ids, stream, offsets);
    check_all_inside(&b, x, QUERIES, "cube");
    check_statuses(&b, out, 4, "3333", "cube");
  }
}

/** Mean value weights near faces, edges and corners: the point comes back, no weight runs away. */
static void polyhedron_near_faces(void)
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const int64_t offsets[] = { 0, 31 };
  int32_t stream[31];
  double x[3 * 60];
  cube_stream(0, stream);
  for (int i = 0; i < 20; ++i)
  {
    double off = pow(10.0, -i + 1) * 0.5;
    const double near_face[3] = { 0.3, 0.4, off };
    const double near_edge[3] = { 0.3, off, off };
    const double near_corner[3] = { off, off, off };
    for (int k = 0; k < 3; ++k)
    {
      x[9 * i + k] = near_face[k] < 1.0 ? near_face[k] : 0.5;
      x[9 * i + 3 + k] = near_edge[k] < 1.0 ? near_edge[k] : 0.5;
      x[9 * i + 6 + k] = near_corner[k] < 1.0 ? near_corner[k] : 0.5;
    }
  }
  sq_cells b = polyhedron_of(CUBE, 8, ids, stream, offsets);
  check_all_inside(&b, x, 60, "near a face");
  asked a = ask(&b, x, 60);
  for (int64_t e = 0; a.location && e < a.v.node_offsets[60]; ++e)
  {
    CHECK(a.v.node_weights[e] > -1e-6 && a.v.node_weights[e] < 1.0 + 1e-6);
  }
  done(&a);
}

/** Two polyhedra with a warped face between them: every point is in one of them, and that face belongs to both. */
static void polyhedra_with_a_warped_face(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1.2, 1, 1, 1, 0, 1, 1.2,
    0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11 };
  int32_t stream[62];
  int64_t offsets[] = { 0, 31, 62 };
  double x[3 * QUERIES];
  cube_stream(5, stream);
  cube_stream(0, stream + 31);
  for (int i = 31; i < 62; ++i)
  {
    int count = i == 31 || (i - 32) % 5 == 0;
    stream[i] += count ? 0 : 4;
  }
  orc_random r = { 13 };
  for (int q = 0; q < QUERIES; ++q)
  {
    x[3 * q] = orc_between(&r, 0.0, 1.0);
    x[3 * q + 1] = orc_between(&r, 0.0, 1.0);
    x[3 * q + 2] = orc_between(&r, 0.9, 1.3);
  }
  x[0] = x[1] = 0.5, x[2] = 1.1; /* the mean of the face's nodes */
  sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 8, 2, p, 12, ids);
  b.faces = stream;
  b.face_offsets = offsets;
  check_all_inside(&b, x, QUERIES, "warped");
  asked a = ask(&b, x, 1);
  CHECK_INT(a.v.containing_count[0], 2);
  done(&a);
}

/** Hexahedra with merged corners are the wedge and the pyramid that they look like; rows sum over the merged corner. */
static void merged_corners(void)
{
  const int64_t wedge[] = { 0, 1, 2, 3, 4, 5, 5, 4 };
  const int64_t pyramid[] = { 0, 1, 2, 3, 4, 4, 4, 4 };
  const double x[] = { 0.5, 0.25, 0.25, 0.2, 0.1, 0.5, 0.9, 0.5, 0.3, 0.5, 0.5, 0.499 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, wedge);
  check_all_inside(&b, x, 4, "hexahedron as wedge");
  const double out[] = { 0.5, 0.9, 0.9 };
  check_statuses(&b, out, 1, "3", "hexahedron as wedge");
  b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, CUBE, 8, pyramid);
  const double y[] = { 0.2, 0.2, 0.2, 0.1, 0.3, 0.6, 0.01, 0.01, 0.98 };
  check_all_inside(&b, y, 3, "hexahedron as pyramid");
}

/** Ties go to the lowest global id where every block has them, and to the lowest (block, cell) where one lacks them. */
static void global_ids(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0 };
  const int64_t left[] = { 0, 1, 4, 3 };
  const int64_t right[] = { 1, 2, 5, 4 };
  const int64_t high[] = { 20 };
  const int64_t low[] = { 10 };
  const double shared[] = { 1, 0.5, 0 };
  const double above[] = { 1, 0.5, 3 };
  for (int with = 0; with < 3; ++with)
  {
    sq_cells b[2];
    b[0] = sqt_cells_of(SQ_CELL_QUAD, 4, 1, p, 6, left);
    b[1] = sqt_cells_of(SQ_CELL_QUAD, 4, 1, p, 6, right);
    b[0].global_ids = with > 0 ? high : NULL;
    b[1].global_ids = with > 1 ? low : NULL;
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_mesh_index* index = sqt_index(c, b, 2);
    sq_locate_options o = sq_locate_options_default();
    o.multiple_cells = SQ_MULTIPLE_MEAN;
    sq_location_view v;
    sq_location* l = sqt_locate(c, index, shared, 1, &o, &v);
    CHECK_INT(v.containing_count[0], 2);
    CHECK_INT(v.block[0], with == 2);
    CHECK_INT(v.cell_blocks[0], with == 2);
    CHECK_INT(v.cell_blocks[1], with != 2);
    sq_location_destroy(l);
    o.mode = SQ_LOCATE_NEAREST;
    l = sqt_locate(c, index, above, 1, &o, &v);
    CHECK_INT(v.block[0], with == 2);
    CHECK_NEAR(v.distance[0], 3.0, 0.0);
    sq_location_destroy(l);
    sq_mesh_index_destroy(index);
    sq_context_destroy(c);
  }
}

static const sqt_case cases[] = {
  { "global ids", global_ids },
  { "concave polygon", concave_polygon },
  { "polygon parameters", polygon_parameters },
  { "prisms", prisms },
  { "polyhedron orientations", polyhedron_orientations },
  { "polyhedron near faces", polyhedron_near_faces },
  { "polyhedra with a warped face", polyhedra_with_a_warped_face },
  { "merged corners", merged_corners },
};
SQT_MAIN(cases)
