/** Small surfaces with answers known by heart: every kind of cell, several blocks, ghosts, nothing at all. */
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <string.h>

/** A block given as plain arrays of doubles and int64. */
static sq_cells block_of(const double* points, int64_t point_count, const uint8_t* types,
  const int64_t* offsets, int64_t count, const int64_t* ids)
{
  sq_cells b;
  memset(&b, 0, sizeof(b));
  b.points = sqt_points(points, point_count);
  b.count = count;
  b.types = types;
  b.id_type = SQ_INT64;
  b.offsets = offsets;
  b.connectivity = ids;
  b.connectivity_count = offsets ? offsets[count] : 0;
  return b;
}

/** One query against blocks, signed by the pseudonormal: open surfaces have sides, too. */
static sqt_answers ask(const sq_cells* blocks, int32_t block_count, double x, double y, double z)
{
  const double at[3] = { x, y, z };
  sq_distance_options o = sq_distance_options_default();
  o.sign_method = SQ_SIGN_PSEUDONORMAL;
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = NULL;
  sq_status status = sq_surface_build(c, blocks, block_count, NULL, &s);
  CHECK_TEXT(status == SQ_OK, "build: %s", sq_context_message(c));
  sqt_answers a = status == SQ_OK ? sqt_distances(c, s, at, 1, &o) : sqt_answers_new(1);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  return a;
}

static double distance_to(const sq_cells* blocks, int32_t count, double x, double y, double z)
{
  sqt_answers a = ask(blocks, count, x, y, z);
  double d = a.distance[0];
  sqt_answers_free(&a);
  return d;
}

static int64_t cell_at(const sq_cells* blocks, int32_t count, double x, double y, double z)
{
  sqt_answers a = ask(blocks, count, x, y, z);
  int64_t c = a.cell[0];
  sqt_answers_free(&a);
  return c;
}

static sq_surface_report report_of(const sq_cells* blocks, int32_t count)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = NULL;
  sq_surface_report r;
  memset(&r, 0, sizeof(r));
  CHECK_STATUS(sq_surface_build(c, blocks, count, NULL, &s), SQ_OK);
  CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
  sq_surface_destroy(s);
  sq_context_destroy(c);
  return r;
}

static void single_triangle(void)
{
  const double p[] = { 0, 0, 0, 4, 0, 0, 0, 4, 0 };
  const uint8_t types[] = { SQ_CELL_TRIANGLE };
  const int64_t offsets[] = { 0, 3 };
  const int64_t ids[] = { 0, 1, 2 };
  sq_cells b = block_of(p, 3, types, offsets, 1, ids);
  sqt_answers a = ask(&b, 1, 1.0, 1.0, 7.0);
  CHECK_NEAR(a.distance[0], 7.0, 0.0);
  CHECK_NEAR(a.closest[0], 1.0, 0.0);
  CHECK_NEAR(a.closest[1], 1.0, 0.0);
  CHECK_NEAR(a.closest[2], 0.0, 0.0);
  CHECK_NEAR(a.barycentric[0], 0.5, 0.0);
  CHECK_NEAR(a.barycentric[1], 0.25, 0.0);
  CHECK_NEAR(a.gradient[2], 1.0, 0.0);
  CHECK_INT(a.cell[0], 0);
  CHECK_INT(a.block[0], 0);
  CHECK_INT(a.sub[0], 0);
  CHECK_INT(a.valid[0], 1);
  sqt_answers_free(&a);
  CHECK_NEAR(distance_to(&b, 1, 1.0, 1.0, -7.0), -7.0, 0.0);
  CHECK_NEAR(fabs(distance_to(&b, 1, -3.0, -4.0, 12.0)), 13.0, 0.0);
  CHECK_NEAR(fabs(distance_to(&b, 1, 2.0, -3.0, 4.0)), 5.0, 0.0);
  CHECK_NEAR(distance_to(&b, 1, 1.0, 1.0, 0.0), 0.0, 0.0);
  CHECK(!signbit(distance_to(&b, 1, 1.0, 1.0, 0.0)));
  sq_surface_report r = report_of(&b, 1);
  CHECK_INT(r.triangles, 1);
  CHECK_INT(r.vertices, 3);
  CHECK_INT(r.boundary_edges, 3);
  CHECK_INT(r.components, 1);
  CHECK_INT(r.is_closed, 0);
  CHECK_INT(r.kind, SQ_SURFACE_POLYGONS);
  CHECK_NEAR(r.area, 8.0, 1e-14);
}

static void check_all_missing(const sq_cells* blocks, int32_t count)
{
  sqt_answers a = ask(blocks, count, 0.5, 0.5, 0.5);
  CHECK(isnan(a.distance[0]));
  CHECK(isnan(a.closest[0]) && isnan(a.closest[1]) && isnan(a.closest[2]));
  CHECK_INT(a.cell[0], -1);
  CHECK_INT(a.block[0], -1);
  CHECK_INT(a.sub[0], -1);
  CHECK_INT(a.valid[0], 0);
  sqt_answers_free(&a);
  sq_surface_report r = report_of(blocks, count);
  CHECK_INT(r.kind, SQ_SURFACE_EMPTY);
  CHECK_INT(r.triangles, 0);
  CHECK_INT(r.is_closed, 0);
  CHECK_INT(r.components, 0);
}

static void nothing_there(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  const uint8_t types[] = { SQ_CELL_EMPTY };
  const int64_t offsets[] = { 0, 0 };
  const int64_t ids[] = { 0 };
  sq_cells none = block_of(NULL, 0, NULL, NULL, 0, NULL);
  sq_cells points_only = block_of(p, 3, NULL, NULL, 0, NULL);
  sq_cells empty_cell = block_of(p, 3, types, offsets, 1, ids);
  sq_cells two[2] = { none, points_only };
  check_all_missing(&none, 1);
  check_all_missing(&points_only, 1);
  check_all_missing(&empty_cell, 1);
  check_all_missing(two, 2);
  check_all_missing(NULL, 0);
}

static void quads_and_pixels(void)
{
  /* Not flat: the diagonal 0-2 matters. */
  const double p[] = { 0, 0, 0, 2, 0, 1, 2, 2, 0, 0, 2, 1 };
  const uint8_t quad[] = { SQ_CELL_QUAD };
  const uint8_t pixel[] = { SQ_CELL_PIXEL };
  const int64_t offsets[] = { 0, 4 };
  const int64_t quad_ids[] = { 0, 1, 2, 3 };
  const int64_t pixel_ids[] = { 0, 1, 3, 2 };
  sq_cells blocks[2] = { block_of(p, 4, quad, offsets, 1, quad_ids),
    block_of(p, 4, pixel, offsets, 1, pixel_ids) };
  for (int i = 0; i < 2; ++i)
  {
    CHECK_NEAR(fabs(distance_to(blocks + i, 1, 1.0, 1.0, 0.0)), 0.0, 0.0);
    CHECK_NEAR(distance_to(blocks + i, 1, 1.0, 1.0, -3.0), -3.0, 0.0);
    sqt_answers a = ask(blocks + i, 1, 2.0, 0.0, 1.0);
    CHECK_NEAR(a.distance[0], 0.0, 0.0);
    CHECK_INT(a.sub[0], 0);
    CHECK_NEAR(a.barycentric[1], 1.0, 0.0);
    sqt_answers_free(&a);
    a = ask(blocks + i, 1, 0.0, 2.0, 1.0);
    CHECK_NEAR(a.distance[0], 0.0, 0.0);
    CHECK_INT(a.sub[0], 1);
    CHECK_INT(a.cell[0], 0);
    sqt_answers_free(&a);
    CHECK_INT(report_of(blocks + i, 1).triangles, 2);
  }
}

static void concave_polygon(void)
{
  const double p[] = { 0, 0, 0, 4, 0, 0, 4, 4, 0, 2, 1, 0, 0, 4, 0 };
  const uint8_t types[] = { SQ_CELL_POLYGON };
  const int64_t offsets[] = { 0, 5 };
  for (int turn = 0; turn < 5; ++turn)
  {
    int64_t ids[5];
    for (int k = 0; k < 5; ++k)
    {
      ids[k] = (k + turn) % 5;
    }
    sq_cells b = block_of(p, 5, types, offsets, 1, ids);
    CHECK_INT(report_of(&b, 1).triangles, 3);
    CHECK_NEAR(report_of(&b, 1).area, 10.0, 1e-13);
    CHECK_NEAR(distance_to(&b, 1, 2.0, 0.5, 3.0), 3.0, 0.0);
    CHECK_NEAR(distance_to(&b, 1, 0.5, 1.0, 3.0), 3.0, 0.0);
    /* In the notch, 2 above the tip: on neither side is there a face. */
    CHECK_NEAR(fabs(distance_to(&b, 1, 2.0, 3.0, 0.0)), 4.0 / sqrt(13.0), 1e-15);
    CHECK_NEAR(fabs(distance_to(&b, 1, 2.0, 4.0, 0.0)), 6.0 / sqrt(13.0), 1e-15);
  }
}

/** Corners named twice, or twice at one place, change nothing. */
static void doubled_corners(void)
{
  const double p[] = { 0, 0, 0, 4, 0, 0, 4, 4, 0, 4, 4, 0, 0, 4, 0 };
  const struct
  {
    uint8_t type;
    int n;
    int64_t ids[7];
    double area;
  } all[] = { { SQ_CELL_QUAD, 4, { 0, 1, 2, 2 }, 8.0 }, { SQ_CELL_QUAD, 4, { 0, 0, 1, 2 }, 8.0 },
    { SQ_CELL_QUAD, 4, { 0, 1, 2, 3 }, 8.0 }, { SQ_CELL_POLYGON, 5, { 0, 1, 2, 3, 4 }, 16.0 },
    { SQ_CELL_POLYGON, 7, { 0, 0, 1, 2, 3, 4, 4 }, 16.0 },
    { SQ_CELL_POLYGON, 4, { 1, 1, 2, 4 }, 8.0 } };
  for (int i = 0; i < 6; ++i)
  {
    const int64_t offsets[] = { 0, all[i].n };
    sq_cells b = block_of(p, 5, &all[i].type, offsets, 1, all[i].ids);
    CHECK_NEAR(report_of(&b, 1).area, all[i].area, 1e-14);
    CHECK_NEAR(distance_to(&b, 1, 3.5, 2.0, 3.0), 3.0, 0.0);
    CHECK_NEAR(fabs(distance_to(&b, 1, 7.0, 8.0, 0.0)), 5.0, 0.0);
  }
}

static void strips(void)
{
  const double p[] = { 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0 };
  const uint8_t types[] = { SQ_CELL_TRIANGLE_STRIP };
  const int64_t offsets[] = { 0, 5 };
  const int64_t ids[] = { 0, 1, 2, 3, 4 };
  sq_cells b = block_of(p, 5, types, offsets, 1, ids);
  CHECK_INT(report_of(&b, 1).triangles, 3);
  CHECK_INT(report_of(&b, 1).inconsistent_edges, 0);
  const double xs[3] = { 0.25, 0.75, 1.25 };
  for (int i = 0; i < 3; ++i)
  {
    sqt_answers a = ask(&b, 1, xs[i], i == 1 ? 0.75 : 0.25, 2.0);
    CHECK_INT(a.sub[0], i);
    CHECK_NEAR(a.distance[0], -2.0, 0.0); /* the first triangle 0 1 2 faces down, so all do */
    sqt_answers_free(&a);
  }
}

/** Of coincident cells the lowest global id answers, whatever its block and place; triangles of a cell stay in order. */
static void global_ids_settle_ties(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
  const uint8_t types[] = { SQ_CELL_QUAD, SQ_CELL_TRIANGLE };
  const int64_t offsets[] = { 0, 4, 7 };
  const int64_t ids[] = { 0, 1, 2, 3, 0, 1, 2 };
  const int64_t global[2][2] = { { 9, 4 }, { -3, 7 } };
  sq_cells blocks[3] = { block_of(p, 4, types, offsets, 2, ids),
    block_of(NULL, 0, NULL, NULL, 0, NULL), block_of(p, 4, types, offsets, 2, ids) };
  blocks[0].global_ids = global[0];
  for (int all = 0; all < 2; ++all)
  {
    blocks[2].global_ids = all ? global[1] : NULL;
    sqt_answers a = ask(blocks, 3, 0.75, 0.25, 1.0);
    CHECK_INT(a.block[0], all ? 2 : 0);
    CHECK_INT(a.cell[0], 0);
    CHECK_INT(a.sub[0], 0);
    sqt_answers_free(&a);
    a = ask(blocks, 3, 0.25, 0.75, 1.0);
    CHECK_INT(a.block[0], all ? 2 : 0);
    CHECK_INT(a.sub[0], 1);
    sqt_answers_free(&a);
  }
  sq_cells alone = blocks[0]; /* the triangle, 4, before half of the quad, 9 */
  sqt_answers a = ask(&alone, 1, 0.75, 0.25, 1.0);
  CHECK_INT(a.cell[0], 1);
  sqt_answers_free(&a);
}

static void several_blocks(void)
{
  const double low[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  const double high[] = { 0, 0, 5, 1, 0, 5, 0, 1, 5 };
  const uint8_t types[] = { SQ_CELL_TRIANGLE };
  const int64_t offsets[] = { 0, 3 };
  const int64_t ids[] = { 0, 1, 2 };
  sq_cells blocks[4] = { block_of(NULL, 0, NULL, NULL, 0, NULL),
    block_of(high, 3, types, offsets, 1, ids), block_of(low, 3, types, offsets, 1, ids),
    block_of(low, 3, types, offsets, 1, ids) };
  sqt_answers a = ask(blocks, 4, 0.25, 0.25, 1.0);
  CHECK_INT(a.block[0], 2);
  CHECK_NEAR(a.distance[0], 1.0, 0.0);
  sqt_answers_free(&a);
  a = ask(blocks, 4, 0.25, 0.25, 4.0);
  CHECK_INT(a.block[0], 1);
  CHECK_NEAR(a.distance[0], -1.0, 0.0);
  sqt_answers_free(&a);
  a = ask(blocks, 4, 0.25, 0.25, 2.5); /* halfway: the lowest block of the tie */
  CHECK_INT(a.block[0], 1);
  CHECK_NEAR(fabs(a.distance[0]), 2.5, 0.0);
  sqt_answers_free(&a);
}

static void ghosts(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5, 1, 0, 5, 0, 1, 5, 0, 0, 9, 1, 0, 9, 0, 1,
    9 };
  const uint8_t types[] = { SQ_CELL_TRIANGLE, SQ_CELL_TRIANGLE, SQ_CELL_TRIANGLE };
  const int64_t offsets[] = { 0, 3, 6, 9 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
  const uint8_t bits[] = { SQ_GHOST_HIDDEN_CELL, 0, SQ_GHOST_DUPLICATE_CELL };
  sq_cells b = block_of(p, 9, types, offsets, 3, ids);
  CHECK_INT(cell_at(&b, 1, 0.25, 0.25, 0.0), 0);
  b.ghost = bits;
  CHECK_INT(cell_at(&b, 1, 0.25, 0.25, 0.0), 1);
  CHECK_INT(cell_at(&b, 1, 0.25, 0.25, 9.0), 1);
  CHECK_NEAR(fabs(distance_to(&b, 1, 0.25, 0.25, 9.0)), 4.0, 0.0);
  CHECK_INT(report_of(&b, 1).triangles, 1);
}

static void lines_and_vertices(void)
{
  const double p[] = { 0, 0, 0, 2, 0, 0, 2, 2, 0, 9, 9, 9, 5, 0, 0, 6, 0, 0 };
  const uint8_t types[] = { SQ_CELL_POLY_LINE, SQ_CELL_VERTEX, SQ_CELL_LINE };
  const int64_t offsets[] = { 0, 3, 4, 6 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5 };
  sq_cells b = block_of(p, 6, types, offsets, 3, ids);
  CHECK_INT(report_of(&b, 1).kind, SQ_SURFACE_CURVES);
  CHECK_NEAR(distance_to(&b, 1, 1.0, 3.0, 0.0), sqrt(2.0), 1e-15);
  CHECK_NEAR(distance_to(&b, 1, 1.0, -3.0, 4.0), 5.0, 0.0);
  CHECK_NEAR(distance_to(&b, 1, 9.0, 9.0, 7.0), 2.0, 0.0);
  CHECK_INT(cell_at(&b, 1, 9.0, 9.0, 7.0), 1);
  CHECK_INT(cell_at(&b, 1, 5.5, 1.0, 0.0), 2);
  /* Beside a triangle they are no surface. */
  const uint8_t mixed[] = { SQ_CELL_TRIANGLE, SQ_CELL_VERTEX, SQ_CELL_LINE };
  b.types = mixed;
  CHECK_INT(report_of(&b, 1).kind, SQ_SURFACE_POLYGONS);
  CHECK_INT(cell_at(&b, 1, 9.0, 9.0, 7.0), 0);
}

/** Two tetrahedra that share a face: the shared face is no boundary, inside is negative. */
static void boundary_of_tetrahedra(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 };
  const uint8_t types[] = { SQ_CELL_TETRA, SQ_CELL_TETRA };
  const int64_t offsets[] = { 0, 4, 8 };
  const int64_t ids[] = { 0, 1, 2, 3, 1, 2, 3, 4 };
  sq_cells b = block_of(p, 5, types, offsets, 2, ids);
  sq_surface_report r = report_of(&b, 1);
  CHECK_INT(r.kind, SQ_SURFACE_BOUNDARY);
  CHECK_INT(r.triangles, 6);
  CHECK_INT(r.is_closed, 1);
  CHECK_INT(r.inconsistent_edges, 0);
  CHECK_NEAR(r.signed_volume, 0.5, 1e-15);
  CHECK_NEAR(distance_to(&b, 1, 0.25, 0.25, -1.0), 1.0, 0.0);
  CHECK_NEAR(distance_to(&b, 1, 0.125, 0.25, 0.25), -0.125, 1e-16);
  CHECK_INT(cell_at(&b, 1, 0.125, 0.25, 0.25), 0);
  CHECK_INT(cell_at(&b, 1, 2.0, 2.0, 2.0), 1);
  CHECK_NEAR(distance_to(&b, 1, 2.0, 2.0, 2.0), sqrt(3.0), 1e-15);
  /* A triangle in the same block makes the volume cells no surface. */
  const uint8_t mixed[] = { SQ_CELL_TETRA, SQ_CELL_TRIANGLE };
  const int64_t shorter[] = { 0, 4, 7 };
  sq_cells m = block_of(p, 5, mixed, shorter, 2, ids);
  CHECK_INT(report_of(&m, 1).kind, SQ_SURFACE_POLYGONS);
  CHECK_INT(cell_at(&m, 1, 0.0, 0.0, 0.0), 1);
}

/** One cell of each linear 3-D type: its boundary is closed and faces outward. */
static void boundary_of_each_type(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5,
    0.5, 1 };
  const struct
  {
    uint8_t type;
    int n;
    int64_t ids[8];
    double volume;
  } one[] = {
    { SQ_CELL_TETRA, 4, { 0, 1, 3, 4 }, 1.0 / 6.0 },
    { SQ_CELL_HEXAHEDRON, 8, { 0, 1, 2, 3, 4, 5, 6, 7 }, 1.0 },
    { SQ_CELL_VOXEL, 8, { 0, 1, 3, 2, 4, 5, 7, 6 }, 1.0 },
    { SQ_CELL_WEDGE, 6, { 0, 3, 1, 4, 7, 5 }, 0.5 },
    { SQ_CELL_PYRAMID, 5, { 0, 1, 2, 3, 8 }, 1.0 / 3.0 },
  };
  for (int i = 0; i < 5; ++i)
  {
    const int64_t offsets[] = { 0, one[i].n };
    sq_cells b = block_of(p, 9, &one[i].type, offsets, 1, one[i].ids);
    sq_surface_report r = report_of(&b, 1);
    CHECK_INT(r.kind, SQ_SURFACE_BOUNDARY);
    CHECK_TEXT(r.is_closed == 1 && r.inconsistent_edges == 0, "type %d", one[i].type);
    CHECK_NEAR(r.signed_volume, one[i].volume, 1e-15);
    CHECK_NEAR(distance_to(&b, 1, 0.25, 0.25, 0.125), -0.125, 1e-16);
    CHECK_NEAR(distance_to(&b, 1, 0.25, 0.25, -0.5), 0.5, 0.0);
  }
}

/** int32 ids with offsets, float32 points, float32 queries. */
static void narrow_types(void)
{
  const float p[] = { 0.0f, 0.0f, 0.0f, 4.0f, 0.0f, 0.0f, 0.0f, 4.0f, 0.0f, 4.0f, 4.0f, 0.0f };
  const int32_t offsets[] = { 0, 3, 6 };
  const int32_t ids[] = { 0, 1, 2, 1, 3, 2 };
  sq_cells b = block_of(NULL, 0, NULL, NULL, 0, NULL);
  sq_points points = { p, 4, SQ_FLOAT32, 3 };
  b.points = points;
  b.count = 2;
  b.type = SQ_CELL_TRIANGLE;
  b.id_type = SQ_INT32;
  b.offsets = offsets;
  b.connectivity = ids;
  b.connectivity_count = 6;
  const float x[] = { 3.0f, 3.0f, 2.0f, 1.0f, 1.0f, -0.1f };
  sq_points queries = { x, 2, SQ_FLOAT32, 3 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = sqt_build(c, &b);
  sqt_answers a = sqt_answers_new(2);
  sq_distance_outputs o = sqt_answers_outputs(&a);
  sq_distance_options side = sq_distance_options_default();
  side.sign_method = SQ_SIGN_PSEUDONORMAL;
  CHECK_STATUS(sq_surface_distance(c, s, &queries, &side, &o), SQ_OK);
  CHECK_NEAR(a.distance[0], 2.0, 0.0);
  CHECK_INT(a.cell[0], 1);
  CHECK_NEAR(a.distance[1], (double)-0.1f, 0.0);
  CHECK_INT(a.cell[1], 0);
  sqt_answers_free(&a);
  sq_surface_destroy(s);
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "single triangle", single_triangle },
  { "nothing there", nothing_there },
  { "quads and pixels", quads_and_pixels },
  { "concave polygon", concave_polygon },
  { "doubled corners", doubled_corners },
  { "strips", strips },
  { "global ids settle ties", global_ids_settle_ties },
  { "several blocks", several_blocks },
  { "ghosts", ghosts },
  { "lines and vertices", lines_and_vertices },
  { "boundary of tetrahedra", boundary_of_tetrahedra },
  { "boundary of each type", boundary_of_each_type },
  { "narrow types", narrow_types },
};
SQT_MAIN(cases)
