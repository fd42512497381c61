/** Wrong arguments and bad data for the index over cells and for point location. */
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double POINTS[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0,
  1, 1 };
static const int64_t IDS[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static sqt_memory memory;
static sq_context* context;
static sq_cells block;
static sq_mesh_index* index_of_block;

static void set_up(void)
{
  memset(&memory, 0, sizeof(memory));
  context = sqt_context(2, &memory, NULL);
  block = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, POINTS, 8, IDS);
  index_of_block = sqt_index(context, &block, 1);
}

static void tear_down(void)
{
  sq_mesh_index_destroy(index_of_block);
  sq_context_destroy(context);
  sqt_memory_is_clean(&memory);
}

static void build_fails(const sq_cells* cells, int32_t count, sq_status want, const char* what)
{
  sq_mesh_index* index = (sq_mesh_index*)&memory;
  int64_t held = memory.bytes;
  sq_status got = sq_mesh_index_build(context, cells, count, &index);
  const char* text = sq_context_message(context);
  CHECK_TEXT(got == want, "%s: got \"%s\"", what, sq_status_text(got));
  CHECK_TEXT(strlen(text) > 8 && !strchr(text, '\n'), "%s: message \"%s\"", what, text);
  CHECK_TEXT(!index && memory.bytes == held, "%s: handle or memory is left", what);
}

static void build_arguments(void)
{
  set_up();
  sq_mesh_index* index = (sq_mesh_index*)&memory;
  CHECK_STATUS(sq_mesh_index_build(NULL, &block, 1, &index), SQ_INVALID_ARGUMENT);
  CHECK(!index);
  CHECK_STATUS(sq_mesh_index_build(context, &block, 1, NULL), SQ_INVALID_ARGUMENT);
  build_fails(NULL, 1, SQ_INVALID_ARGUMENT, "blocks NULL");
  build_fails(&block, -1, SQ_INVALID_ARGUMENT, "-1 blocks");
  sq_cells b = block;
  b.points.type = SQ_INT8;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "points of type int8");
  b = block;
  b.points.dimension = 2;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "points in 2-D");
  b = block;
  b.points.data = NULL;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "points without data");
  b = block;
  b.id_type = SQ_UINT8;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "ids of type uint8");
  b = block;
  b.connectivity = NULL;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "no connectivity");
  b = block;
  b.count = -2;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "-2 cells");
  b = block;
  b.count = 2;
  build_fails(&b, 1, SQ_INVALID_DATA, "two cells, ids for one");
  sq_mesh_index_destroy(NULL);
  sq_location_destroy(NULL);
  sq_mesh_index_info info;
  CHECK_STATUS(sq_mesh_index_get_info(NULL, &info), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_mesh_index_get_info(index_of_block, NULL), SQ_INVALID_ARGUMENT);
  tear_down();
}

static void ids_and_counts(void)
{
  set_up();
  const int64_t wrong[] = { -1, 8, INT64_MAX, INT64_MIN, (int64_t)1 << 32 };
  for (int i = 0; i < 5; ++i)
  {
    int64_t ids[8];
    memcpy(ids, IDS, sizeof(ids));
    ids[i + 2] = wrong[i];
    sq_cells b = block;
    b.connectivity = ids;
    build_fails(&b, 1, SQ_INVALID_DATA, "id out of range");
  }
  const struct
  {
    uint8_t type;
    int32_t size;
  } sizes[] = { { SQ_CELL_HEXAHEDRON, 7 }, { SQ_CELL_TETRA, 5 }, { SQ_CELL_TETRA, 3 },
    { SQ_CELL_WEDGE, 8 }, { SQ_CELL_PYRAMID, 4 }, { SQ_CELL_VOXEL, 4 }, { SQ_CELL_QUAD, 3 },
    { SQ_CELL_TRIANGLE, 2 }, { SQ_CELL_LINE, 3 }, { SQ_CELL_VERTEX, 2 } };
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); ++i)
  {
    sq_cells b = sqt_cells_of(sizes[i].type, sizes[i].size, 1, POINTS, 8, IDS);
    build_fails(&b, 1, SQ_INVALID_DATA, "wrong number of points");
  }
  tear_down();
}

/** Faces of a polyhedron that do not add up. */
static void face_streams(void)
{
  set_up();
  const int32_t good[] = { 4, 3, 0, 2, 1, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 0, 4 };
  const struct
  {
    int at;
    int32_t value;
  } wrong[] = { { 0, 5 }, { 0, -1 }, { 1, 4 }, { 1, -3 }, { 13, 100 }, { 2, 8 }, { 3, -1 },
    { 0, INT32_MAX }, { 13, INT32_MAX } };
  const int64_t ids[] = { 0, 1, 2, 4 };
  const int64_t offsets[] = { 0, 17 };
  int32_t stream[17];
  sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 4, 1, POINTS, 8, ids);
  b.face_offsets = offsets;
  b.faces = stream;
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i)
  {
    memcpy(stream, good, sizeof(stream));
    stream[wrong[i].at] = wrong[i].value;
    build_fails(&b, 1, SQ_INVALID_DATA, "face stream");
  }
  const int64_t backward[] = { 17, 0 };
  memcpy(stream, good, sizeof(stream));
  b.face_offsets = backward;
  build_fails(&b, 1, SQ_INVALID_DATA, "face offsets falling");
  b.face_offsets = NULL;
  build_fails(&b, 1, SQ_INVALID_ARGUMENT, "faces without offsets");
  tear_down();
}

static void locate_fails(const sq_points* q, const sq_locate_options* o, const char* what)
{
  sq_location* l = (sq_location*)&memory;
  int64_t held = memory.bytes;
  sq_status got = sq_locate(context, index_of_block, q, o, &l);
  CHECK_TEXT(got == SQ_INVALID_ARGUMENT, "%s: got \"%s\"", what, sq_status_text(got));
  CHECK_TEXT(*sq_context_message(context), "%s: no message", what);
  CHECK_TEXT(!l && memory.bytes == held, "%s: handle or memory is left", what);
}

static void locate_arguments(void)
{
  set_up();
  const double x[3] = { 0.5, 0.5, 0.5 };
  const sq_points good = { x, 1, SQ_FLOAT64, 3 };
  sq_location* l = (sq_location*)&memory;
  CHECK_STATUS(sq_locate(NULL, index_of_block, &good, NULL, &l), SQ_INVALID_ARGUMENT);
  CHECK(!l);
  l = (sq_location*)&memory;
  CHECK_STATUS(sq_locate(context, NULL, &good, NULL, &l), SQ_INVALID_ARGUMENT);
  CHECK(!l);
  CHECK_STATUS(sq_locate(context, index_of_block, &good, NULL, NULL), SQ_INVALID_ARGUMENT);
  locate_fails(NULL, NULL, "queries NULL");
  sq_points q = good;
  q.dimension = 4;
  locate_fails(&q, NULL, "queries in 4-D");
  q = good;
  q.type = SQ_UINT64;
  locate_fails(&q, NULL, "queries of type uint64");
  q = good;
  q.count = -1;
  locate_fails(&q, NULL, "-1 queries");
  q = good;
  q.data = NULL;
  locate_fails(&q, NULL, "queries without data");
  sq_location_view v;
  CHECK_STATUS(sq_location_get_view(NULL, &v), SQ_INVALID_ARGUMENT);
  q.count = 0;
  l = NULL;
  CHECK_STATUS(sq_locate(context, index_of_block, &q, NULL, &l), SQ_OK);
  CHECK_STATUS(sq_location_get_view(l, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_location_get_view(l, &v), SQ_OK);
  CHECK_INT(v.count, 0);
  sq_location_destroy(l);
  tear_down();
}

static void locate_options(void)
{
  set_up();
  const double x[3] = { 0.5, 0.5, 0.5 };
  const sq_points q = { x, 1, SQ_FLOAT64, 3 };
  for (int i = -1; i < 4; i += 4)
  {
    sq_locate_options o = sq_locate_options_default();
    o.mode = (sq_locate_mode)i;
    locate_fails(&q, &o, "mode");
    o = sq_locate_options_default();
    o.multiple_cells = (sq_multiple_cells)i;
    locate_fails(&q, &o, "multiple cells");
    o = sq_locate_options_default();
    o.tolerance_type = (sq_tolerance_type)i;
    locate_fails(&q, &o, "tolerance type");
    o = sq_locate_options_default();
    o.nearest_by = (sq_nearest_by)i;
    locate_fails(&q, &o, "nearest by");
    o = sq_locate_options_default();
    o.outside_value = (sq_outside_value)i;
    locate_fails(&q, &o, "outside value");
  }
  const double wrong[] = { -1e-300, NAN };
  for (int i = 0; i < 2; ++i)
  {
    sq_locate_options o = sq_locate_options_default();
    o.tolerance = wrong[i];
    locate_fails(&q, &o, "tolerance");
    o = sq_locate_options_default();
    o.mode = SQ_LOCATE_NEAREST;
    o.max_distance = wrong[i];
    locate_fails(&q, &o, "max distance");
  }
  tear_down();
}

/** A cell with a non-finite corner takes itself out and no other; a cell of an unknown type is counted. */
static void cells_left_out(void)
{
  const double wrong[] = { NAN, INFINITY, -INFINITY };
  for (int i = 0; i < 3; ++i)
  {
    orc_zoo z = orc_make_zoo(ORC_ZOO_BOXES, 3, 5);
    sq_cells b = sqt_cells_of_zoo(&z);
    sq_context* c = sqt_context(2, NULL, NULL);
    z.points[3 * 64 + i] = wrong[i]; /* the centre of block 0: used by pyramids only */
    z.points[i] = wrong[i]; /* the corner of block 0 */
    int64_t bad = 0;
    for (int64_t cell = 0; cell < z.count; ++cell)
    {
      int hit = 0;
      for (int64_t k = z.offsets[cell]; k < z.offsets[cell + 1]; ++k)
      {
        hit |= z.ids[k] == 0 || z.ids[k] == 64;
      }
      bad += hit;
    }
    sq_mesh_index* index = sqt_index(c, &b, 1);
    sq_mesh_index_info info;
    CHECK_STATUS(sq_mesh_index_get_info(index, &info), SQ_OK);
    CHECK_INT(info.skipped_elements, bad);
    CHECK_INT(info.cells, z.count - bad);
    CHECK_INT(info.unsupported_cells, 0);
    CHECK_INT(info.max_dimension, 3);
    orc_random r = { 2 };
    for (int64_t q = 20; q < z.count; ++q)
    { /* block 0 has fewer than 20 cells, but for those of its neighbours at point 0: none */
      double x[3];
      sq_location_view v;
      orc_zoo_point(&z, q, 8, &r, x);
      sq_location* l = sqt_locate(c, index, x, 1, NULL, &v);
      CHECK_INT(v.status[0], SQ_SAMPLE_INSIDE);
      sq_location_destroy(l);
    }
    sq_mesh_index_destroy(index);
    sq_context_destroy(c);
    orc_zoo_free(&z);
  }
  const uint8_t types[] = { 200, SQ_CELL_HEXAHEDRON };
  const int64_t offsets[] = { 0, 3, 11 };
  const int64_t ids[] = { 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7 };
  set_up();
  sq_cells b = block;
  b.types = types;
  b.offsets = offsets;
  b.connectivity = ids;
  b.connectivity_count = 11;
  b.count = 2;
  sq_mesh_index* index = sqt_index(context, &b, 1);
  sq_mesh_index_info info;
  CHECK_STATUS(sq_mesh_index_get_info(index, &info), SQ_OK);
  CHECK_INT(info.unsupported_cells, 1);
  CHECK_INT(info.cells, 1);
  sq_mesh_index_destroy(index);
  tear_down();
}

/** Not a point: invalid; huge: outside or nearest with its distance; the others are untouched. */
static void strange_queries(void)
{
  set_up();
  const double x[] = { NAN, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, INFINITY, 0.5, 0.5, 0.5, -INFINITY, 1e300,
    0.5, 0.5, 0.5, 0.25, 0.5, 0.5, -1e154, 0.5 };
  for (int mode = 0; mode < 3; ++mode)
  {
    sq_locate_options o = sq_locate_options_default();
    o.mode = (sq_locate_mode)mode;
    sq_location_view v;
    sq_location* l = sqt_locate(context, index_of_block, x, 7, &o, &v);
    const double far[] = { NAN, 0, NAN, NAN, 1e300, 0, 1e154 };
    for (int i = 0; i < 7; ++i)
    {
      if (isnan(far[i]))
      {
        CHECK_INT(v.status[i], SQ_SAMPLE_INVALID);
        CHECK_INT(v.cell[i], -1);
        CHECK(isnan(v.distance[i]));
      }
      else if (far[i] > 0.0)
      {
        CHECK_INT(
          v.status[i], mode == SQ_LOCATE_CONTAINING ? SQ_SAMPLE_OUTSIDE : SQ_SAMPLE_NEAREST);
        CHECK_NEAR(
          v.distance[i], mode == SQ_LOCATE_CONTAINING ? (double)NAN : far[i], orc_four_ulp(far[i]));
      }
      else
      {
        CHECK_INT(v.status[i], SQ_SAMPLE_INSIDE);
        CHECK_INT(v.cell[i], 0);
      }
    }
    sq_location_destroy(l);
  }
  tear_down();
}

/** Meshes of 1e-20, 1e20 and far away are meshes like others. */
static void sizes(void)
{
  const double scales[] = { 1e-20, 1e-100, 1e-6, 1e6, 1e20, 1e100, 1e154, 1e300 };
  for (int i = 0; i < 9; ++i)
  {
    double s = i < 8 ? scales[i] : 1.0;
    double shift = i < 8 ? 0.0 : 1e6;
    double p[24];
    for (int k = 0; k < 24; ++k)
    {
      p[k] = s * POINTS[k] + shift;
    }
    const double x[] = { 0.25 * s + shift, 0.5 * s + shift, 0.75 * s + shift, 2.0 * s + shift,
      0.5 * s + shift, 0.5 * s + shift };
    sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, p, 8, IDS);
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_mesh_index* index = sqt_index(c, &b, 1);
    sq_locate_options o = sq_locate_options_default();
    o.mode = SQ_LOCATE_CONTAINING_ELSE_NEAREST;
    sq_location_view v;
    sq_location* l = sqt_locate(c, index, x, 2, &o, &v);
    CHECK_INT(v.status[0], SQ_SAMPLE_INSIDE);
    CHECK_NEAR(v.parametric[0], 0.25, i < 8 ? 1e-14 : 1e-9);
    CHECK_NEAR(v.parametric[2], 0.75, i < 8 ? 1e-14 : 1e-9);
    CHECK_INT(v.status[1], SQ_SAMPLE_NEAREST);
    CHECK_NEAR(v.distance[1], s, orc_four_ulp(2.0 * s + shift));
    sq_location_destroy(l);
    sq_mesh_index_destroy(index);
    sq_context_destroy(c);
  }
}

static const sqt_case cases[] = {
  { "build arguments", build_arguments },
  { "ids and counts", ids_and_counts },
  { "face streams", face_streams },
  { "locate arguments", locate_arguments },
  { "locate options", locate_options },
  { "cells left out", cells_left_out },
  { "strange queries", strange_queries },
  { "sizes", sizes },
};
SQT_MAIN(cases)
