/** One cell of each type, several cells, blocks, ghosts, modes: answers known by heart. */
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <string.h>

/** Corners 0 to 7 of the unit cube in the order of a hexahedron, 8: the middle of the top, 9: far away. */
static const double POINTS[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0,
  1, 1, 0.5, 0.5, 1, 9, 9, 9 };

typedef struct one
{
  sq_context* context;
  sq_mesh_index* index;
  sq_location* location;
  sq_location_view v;
} one;

/** Locates x, y, z in blocks. */
static one ask_blocks(
  const sq_cells* blocks, int32_t count, const sq_locate_options* o, double x, double y, double z)
{
  const double at[3] = { x, y, z };
  one r;
  r.context = sqt_context(1, NULL, NULL);
  r.index = sqt_index(r.context, blocks, count);
  r.location = sqt_locate(r.context, r.index, at, 1, o, &r.v);
  return r;
}

static one ask(const sq_cells* block, const sq_locate_options* o, double x, double y, double z)
{
  return ask_blocks(block, 1, o, x, y, z);
}

static void done(one* r)
{
  sq_location_destroy(r->location);
  sq_mesh_index_destroy(r->index);
  sq_context_destroy(r->context);
}

static void check_parametric(uint8_t type, int n, const int64_t* ids, const double x[3],
  const double want[3], const double* weights)
{
  sq_cells b = sqt_cells_of(type, n, 1, POINTS, 10, ids);
  one r = ask(&b, NULL, x[0], x[1], x[2]);
  int ok = CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
  ok &= CHECK_INT(r.v.cell[0], 0);
  ok &= CHECK_INT(r.v.block[0], 0);
  ok &= CHECK_INT(r.v.containing_count[0], 1);
  ok &= CHECK_NEAR(r.v.distance[0], 0.0, 0.0);
  for (int k = 0; k < 3; ++k)
  {
    ok &= CHECK_NEAR(r.v.parametric[k], want[k], 1e-15);
  }
  ok &= CHECK_INT(r.v.node_offsets[1], n);
  for (int i = 0; i < n && ok; ++i)
  {
    ok &= CHECK_INT(r.v.node_ids[i], ids[i]);
    ok &= CHECK_NEAR(r.v.node_weights[i], weights[i], 1e-15);
  }
  CHECK_TEXT(ok, "type %d", type);
  done(&r);
}

/** VTK's parametric coordinates and the shape functions of its documentation. */
static void parametric(void)
{
  const double x[3] = { 0.25, 0.5, 0.125 };
  const int64_t tetra[] = { 0, 1, 3, 4 };
  const double tetra_w[] = { 0.125, 0.25, 0.5, 0.125 };
  check_parametric(SQ_CELL_TETRA, 4, tetra, x, x, tetra_w);
  const int64_t hexahedron[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const double hex_w[] = { 0.328125, 0.109375, 0.109375, 0.328125, 0.046875, 0.015625, 0.015625,
    0.046875 };
  check_parametric(SQ_CELL_HEXAHEDRON, 8, hexahedron, x, x, hex_w);
  const int64_t voxel[] = { 0, 1, 3, 2, 4, 5, 7, 6 };
  const double voxel_w[] = { 0.328125, 0.109375, 0.328125, 0.109375, 0.046875, 0.015625, 0.046875,
    0.015625 };
  check_parametric(SQ_CELL_VOXEL, 8, voxel, x, x, voxel_w);
  const int64_t wedge[] = { 0, 3, 1, 4, 7, 5 };
  const double wedge_p[3] = { 0.5, 0.25, 0.125 };
  const double wedge_w[] = { 0.21875, 0.4375, 0.21875, 0.03125, 0.0625, 0.03125 };
  check_parametric(SQ_CELL_WEDGE, 6, wedge, x, wedge_p, wedge_w);
  const int64_t pyramid[] = { 0, 1, 2, 3, 8 };
  const double low[3] = { 0.25, 0.5, 0.25 };
  const double pyramid_p[3] = { 1.0 / 6.0, 0.5, 0.25 };
  const double pyramid_w[] = { 0.3125, 0.0625, 0.0625, 0.3125, 0.25 };
  check_parametric(SQ_CELL_PYRAMID, 5, pyramid, low, pyramid_p, pyramid_w);
  const double flat[3] = { 0.25, 0.5, 0.0 };
  const int64_t triangle[] = { 0, 1, 3 };
  const double triangle_w[] = { 0.25, 0.25, 0.5 };
  check_parametric(SQ_CELL_TRIANGLE, 3, triangle, flat, flat, triangle_w);
  const double quad_w[] = { 0.375, 0.125, 0.125, 0.375 };
  check_parametric(SQ_CELL_QUAD, 4, hexahedron, flat, flat, quad_w);
  const int64_t pixel[] = { 0, 1, 3, 2 };
  const double pixel_w[] = { 0.375, 0.125, 0.375, 0.125 };
  check_parametric(SQ_CELL_PIXEL, 4, pixel, flat, flat, pixel_w);
}

/** Corners, edges and faces belong to the cell, and a step outside does not. */
static void closed_cells(void)
{
  const struct
  {
    uint8_t type;
    int n;
    int64_t ids[8];
  } all[] = { { SQ_CELL_TETRA, 4, { 0, 1, 3, 4 } }, { SQ_CELL_WEDGE, 6, { 0, 3, 1, 4, 7, 5 } },
    { SQ_CELL_PYRAMID, 5, { 0, 1, 2, 3, 8 } }, { SQ_CELL_VOXEL, 8, { 0, 1, 3, 2, 4, 5, 7, 6 } },
    { SQ_CELL_HEXAHEDRON, 8, { 0, 1, 2, 3, 4, 5, 6, 7 } } };
  sq_locate_options o = sq_locate_options_default();
  o.tolerance = 0.0;
  for (int i = 0; i < 5; ++i)
  {
    sq_cells b = sqt_cells_of(all[i].type, all[i].n, 1, POINTS, 10, all[i].ids);
    for (int p = 0; p < all[i].n; ++p)
    {
      const double* c = POINTS + 3 * all[i].ids[p];
      const double* d = POINTS + 3 * all[i].ids[(p + 1) % all[i].n];
      one r = ask(&b, &o, c[0], c[1], c[2]);
      CHECK_TEXT(r.v.status[0] == SQ_SAMPLE_INSIDE, "type %d, corner %d", all[i].type, p);
      done(&r);
      r = ask(&b, &o, 0.5 * (c[0] + d[0]), 0.5 * (c[1] + d[1]), 0.5 * (c[2] + d[2]));
      CHECK_TEXT(r.v.status[0] == SQ_SAMPLE_INSIDE, "type %d, between corners %d", all[i].type, p);
      done(&r);
    }
    one r = ask(&b, &o, 0.25, 0.25, -1e-14);
    CHECK_TEXT(r.v.status[0] == SQ_SAMPLE_OUTSIDE, "type %d, below", all[i].type);
    CHECK(isnan(r.v.distance[0]));
    CHECK_INT(r.v.cell[0], -1);
    CHECK_INT(r.v.block[0], -1);
    CHECK_INT(r.v.containing_count[0], 0);
    CHECK_INT(r.v.node_offsets[1], 0);
    CHECK_INT(r.v.cell_offsets[1], 0);
    done(&r);
  }
}

/** Cells written upside down or in the other order of corners still hold their points. */
static void upside_down(void)
{
  const struct
  {
    uint8_t type;
    int n;
    int64_t ids[8];
  } all[] = { { SQ_CELL_TETRA, 4, { 1, 0, 3, 4 } }, { SQ_CELL_WEDGE, 6, { 4, 7, 5, 0, 3, 1 } },
    { SQ_CELL_WEDGE, 6, { 0, 1, 3, 4, 5, 7 } }, { SQ_CELL_PYRAMID, 5, { 3, 2, 1, 0, 8 } },
    { SQ_CELL_HEXAHEDRON, 8, { 4, 5, 6, 7, 0, 1, 2, 3 } } };
  for (int i = 0; i < 5; ++i)
  {
    sq_cells b = sqt_cells_of(all[i].type, all[i].n, 1, POINTS, 10, all[i].ids);
    one r = ask(&b, NULL, 0.25, 0.25, 0.125);
    double at[3];
    CHECK_TEXT(r.v.status[0] == SQ_SAMPLE_INSIDE, "type %d", all[i].type);
    CHECK_NEAR(sqt_rebuild(&r.v, &b, 0, at), 1.0, 1e-15);
    CHECK_NEAR(at[0], 0.25, 1e-15);
    CHECK_NEAR(at[2], 0.125, 1e-15);
    done(&r);
    r = ask(&b, NULL, 0.25, 0.25, -0.125);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_OUTSIDE);
    done(&r);
  }
}

static void tolerance(void)
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, POINTS, 10, ids);
  const struct
  {
    sq_tolerance_type type;
    double tolerance, z;
    sq_sample_status want;
  } runs[] = {
    { SQ_TOLERANCE_RELATIVE, 1e-6, -1.7e-6, SQ_SAMPLE_TOLERANCE }, /* the diagonal is 1.73 */
    { SQ_TOLERANCE_RELATIVE, 1e-6, -1.8e-6, SQ_SAMPLE_OUTSIDE },
    { SQ_TOLERANCE_ABSOLUTE, 1e-6, -0.99e-6, SQ_SAMPLE_TOLERANCE },
    { SQ_TOLERANCE_ABSOLUTE, 1e-6, -1.01e-6, SQ_SAMPLE_OUTSIDE },
    { SQ_TOLERANCE_ABSOLUTE, 0.5, -0.5, SQ_SAMPLE_TOLERANCE },
    { SQ_TOLERANCE_ABSOLUTE, 0.0, -1e-12, SQ_SAMPLE_OUTSIDE },
    { SQ_TOLERANCE_RELATIVE, 0.0, -1e-12, SQ_SAMPLE_OUTSIDE },
    { SQ_TOLERANCE_ABSOLUTE, 1e-10, -1e-12, SQ_SAMPLE_TOLERANCE },
    { SQ_TOLERANCE_ABSOLUTE, 0.0, 1e-300, SQ_SAMPLE_INSIDE },
  };
  for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); ++i)
  {
    sq_locate_options o = sq_locate_options_default();
    o.tolerance_type = runs[i].type;
    o.tolerance = runs[i].tolerance;
    one r = ask(&b, &o, 0.25, 0.5, runs[i].z);
    CHECK_TEXT(r.v.status[0] == (uint8_t)runs[i].want, "run %d: got %d", (int)i, r.v.status[0]);
    if (runs[i].want == SQ_SAMPLE_TOLERANCE)
    { /* the value of the closest point */
      double at[3];
      CHECK_NEAR(r.v.distance[0], -runs[i].z, 1e-15);
      CHECK_NEAR(sqt_rebuild(&r.v, &b, 0, at), 1.0, 1e-15);
      CHECK_NEAR(at[2], 0.0, 1e-15);
      CHECK_NEAR(at[0], 0.25, 1e-15);
    }
    done(&r);
  }
}

/** Two hexahedra side by side, and both again: the shared face belongs to all. */
static void several_cells(void)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0, 0, 0, 1, 1, 0, 1, 2, 0,
    1, 0, 1, 1, 1, 1, 1, 2, 1, 1 };
  const int64_t ids[] = { 1, 2, 5, 4, 7, 8, 11, 10, 0, 1, 4, 3, 6, 7, 10, 9 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 2, p, 12, ids);
  for (int rule = SQ_MULTIPLE_CELLS_MIN; rule <= SQ_MULTIPLE_CELLS_MAX; ++rule)
  {
    sq_locate_options o = sq_locate_options_default();
    o.multiple_cells = (sq_multiple_cells)rule;
    one r = ask(&b, &o, 1.0, 0.25, 0.5);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
    CHECK_INT(r.v.cell[0], 0);
    CHECK_INT(r.v.containing_count[0], 2);
    int64_t cells = r.v.cell_offsets[1];
    int64_t nodes = r.v.node_offsets[1];
    CHECK_INT(cells, rule == SQ_MULTIPLE_LOWEST ? 1 : rule == SQ_MULTIPLE_MEAN ? 2 : 0);
    CHECK(rule != SQ_MULTIPLE_NAN || nodes == 0);
    if (rule == SQ_MULTIPLE_MEAN && cells == 2)
    {
      double at[3];
      CHECK_INT(r.v.cell_ids[0], 0);
      CHECK_INT(r.v.cell_ids[1], 1);
      CHECK_NEAR(sqt_rebuild(&r.v, &b, 0, at), 1.0, 1e-15);
      CHECK_NEAR(at[0], 1.0, 1e-15);
    }
    done(&r);
    r = ask(&b, &o, 0.5, 0.25, 0.5);
    CHECK_INT(r.v.cell[0], 1);
    CHECK_INT(r.v.containing_count[0], 1);
    CHECK_INT(r.v.node_offsets[1], 8);
    done(&r);
  }
}

/** Cells that hold the point come before cells within the tolerance, whatever their ids. */
static void inside_before_tolerance(void)
{
  const double p[] = { 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  sq_cells b = sqt_cells_of(SQ_CELL_TETRA, 4, 2, p, 8, ids);
  sq_locate_options o = sq_locate_options_default();
  o.tolerance_type = SQ_TOLERANCE_ABSOLUTE;
  o.tolerance = 0.5;
  one r = ask(&b, &o, 0.0625, 0.0625, 0.75);
  CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
  CHECK_INT(r.v.cell[0], 1);
  CHECK_INT(r.v.containing_count[0], 1);
  done(&r);
  r = ask(&b, &o, 0.5, 0.25, 0.75); /* outside both, 0.25 below the first, 0.29 above the second */
  CHECK_INT(r.v.status[0], SQ_SAMPLE_TOLERANCE);
  CHECK_INT(r.v.containing_count[0], 2);
  CHECK_INT(r.v.cell[0], 0);
  CHECK_NEAR(r.v.distance[0], 0.25, 1e-16);
  done(&r);
}

static void nearest_modes(void)
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  sq_cells b = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, POINTS, 10, ids);
  sq_locate_options o = sq_locate_options_default();
  double at[3];
  for (int mode = SQ_LOCATE_NEAREST; mode <= SQ_LOCATE_CONTAINING_ELSE_NEAREST; ++mode)
  {
    o = sq_locate_options_default();
    o.mode = (sq_locate_mode)mode;
    one r = ask(&b, &o, 0.25, 0.5, 3.0);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_NEAREST);
    CHECK_INT(r.v.cell[0], 0);
    CHECK_NEAR(r.v.distance[0], 2.0, 1e-15);
    CHECK_NEAR(sqt_rebuild(&r.v, &b, 0, at), 1.0, 1e-15);
    CHECK_NEAR(at[0], 0.25, 1e-15);
    CHECK_NEAR(at[2], 1.0, 1e-15);
    done(&r);
    r = ask(&b, &o, 0.25, 0.5, 0.5);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
    CHECK_NEAR(r.v.distance[0], 0.0, 0.0);
    done(&r);
    o.outside_value = SQ_OUTSIDE_EXTRAPOLATE;
    r = ask(&b, &o, 0.25, 0.5, 3.0);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_NEAREST);
    CHECK_NEAR(sqt_rebuild(&r.v, &b, 0, at), 1.0, 1e-14);
    CHECK_NEAR(at[2], 3.0, 1e-14);
    CHECK_NEAR(r.v.distance[0], 2.0, 1e-15);
    done(&r);
    o = sq_locate_options_default();
    o.mode = (sq_locate_mode)mode;
    o.max_distance = 2.0;
    r = ask(&b, &o, 0.25, 0.5, 3.0);
    CHECK_INT(r.v.cell[0], 0);
    done(&r);
    r = ask(&b, &o, 0.25, 0.5, 3.0000001);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_OUTSIDE);
    CHECK_INT(r.v.cell[0], -1);
    CHECK(isnan(r.v.distance[0]));
    done(&r);
  }
}

/** By the mean of the nodes, as the reference: another cell may win, and distances are to the mean. */
static void nearest_by_centroid(void)
{
  const double p[] = { 0, 0, 0, 10, 0, 0, 0, 10, 0, 12, 0, 0, 13, 0, 0, 12, 1, 0 };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5 };
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 2, p, 6, ids);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  one r = ask(&b, &o, 10.5, 0.0, 0.0);
  CHECK_INT(r.v.cell[0], 0);
  CHECK_NEAR(r.v.distance[0], 0.5, 1e-15);
  done(&r);
  o.nearest_by = SQ_NEAREST_CENTROID;
  o.outside_value = SQ_OUTSIDE_EXTRAPOLATE; /* ignored */
  r = ask(&b, &o, 10.5, 0.0, 0.0);
  CHECK_INT(r.v.cell[0], 1);
  CHECK_NEAR(r.v.distance[0], hypot(37.0 / 3.0 - 10.5, 1.0 / 3.0), 1e-14);
  for (int64_t e = 0; e < r.v.node_offsets[1]; ++e)
  {
    CHECK_NEAR(r.v.node_weights[e], 1.0 / 3.0, 1e-15);
  }
  CHECK_INT(r.v.node_offsets[1], 3);
  done(&r);
  o.max_distance = 1.8;
  r = ask(&b, &o, 10.5, 0.0, 0.0);
  CHECK_INT(r.v.status[0], SQ_SAMPLE_OUTSIDE);
  done(&r);
}

static void blocks_and_ties(void)
{
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  sq_cells hexahedron = sqt_cells_of(SQ_CELL_HEXAHEDRON, 8, 1, POINTS, 10, ids);
  sq_cells none = sqt_cells_of(SQ_CELL_TETRA, 4, 0, NULL, 0, NULL);
  sq_cells blocks[3] = { none, hexahedron, hexahedron };
  one r = ask_blocks(blocks, 3, NULL, 0.5, 0.5, 0.5);
  CHECK_INT(r.v.block[0], 1);
  CHECK_INT(r.v.containing_count[0], 2);
  CHECK_INT(r.v.node_blocks[0], 1);
  done(&r);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  r = ask_blocks(blocks, 3, &o, 0.5, 0.5, 7.0);
  CHECK_INT(r.v.block[0], 1);
  CHECK_NEAR(r.v.distance[0], 6.0, 1e-15);
  done(&r);
}

static const double PAIR[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0 };
static const int64_t PAIR_IDS[] = { 0, 1, 4, 3, 1, 2, 5, 4 };

/** A hidden cell never answers; a face shared with it still belongs to the visible neighbour. */
static void hidden_cells(void)
{
  static const uint8_t bits[] = { SQ_GHOST_HIDDEN_CELL,
    SQ_GHOST_HIDDEN_CELL | SQ_GHOST_DUPLICATE_CELL };
  sq_cells b = sqt_cells_of(SQ_CELL_QUAD, 4, 2, PAIR, 6, PAIR_IDS);
  for (int bit = 0; bit < 2; ++bit)
  {
    const uint8_t ghost[2] = { bits[bit], 0 };
    b.ghost = ghost;
    one r = ask(&b, NULL, 0.5, 0.5, 0.0);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_OUTSIDE);
    done(&r);
    r = ask(&b, NULL, 1.0, 0.5, 0.0);
    CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
    CHECK_INT(r.v.cell[0], 1);
    CHECK_INT(r.v.containing_count[0], 1);
    done(&r);
    sq_locate_options o = sq_locate_options_default();
    o.mode = SQ_LOCATE_NEAREST;
    r = ask(&b, &o, 0.25, 0.5, 0.0);
    CHECK_INT(r.v.cell[0], 1);
    CHECK_NEAR(r.v.distance[0], 0.75, 1e-15);
    sq_mesh_index_info info;
    CHECK_STATUS(sq_mesh_index_get_info(r.index, &info), SQ_OK);
    CHECK_INT(info.cells, 1);
    CHECK_INT(info.max_dimension, 2);
    done(&r);
  }
}

/** A duplicate cell answers where it is alone, and never wins over a real one. */
static void duplicate_cells(void)
{
  const uint8_t ghost[2] = { SQ_GHOST_DUPLICATE_CELL, 0 };
  sq_cells b = sqt_cells_of(SQ_CELL_QUAD, 4, 2, PAIR, 6, PAIR_IDS);
  b.ghost = ghost;
  one r = ask(&b, NULL, 0.25, 0.5, 0.0);
  CHECK_INT(r.v.status[0], SQ_SAMPLE_INSIDE);
  CHECK_INT(r.v.cell[0], 0);
  CHECK_INT(r.v.containing_count[0], 1);
  done(&r);
  sq_locate_options o = sq_locate_options_default();
  for (int mode = 0; mode < 3; ++mode)
  {
    o.mode = (sq_locate_mode)mode;
    r = ask(&b, &o, 1.0, 0.5, 0.0);
    CHECK_INT(r.v.cell[0], 1);
    CHECK_INT(r.v.containing_count[0], 1);
    done(&r);
  }
  o.mode = SQ_LOCATE_NEAREST;
  const double at[][3] = { { 0.25, 0.5, 0.5 }, { 1.75, 0.5, 0.5 }, { 1.0, 0.5, 0.5 } };
  for (int i = 0; i < 3; ++i)
  {
    r = ask(&b, &o, at[i][0], at[i][1], at[i][2]);
    CHECK_INT(r.v.cell[0], i > 0);
    CHECK_NEAR(r.v.distance[0], 0.5, 1e-15);
    done(&r);
  }
}

/** The mean over several duplicates where no real cell is; over the real ones alone where one is. */
static void mean_of_duplicates(void)
{
  const int64_t ids[] = { 0, 1, 4, 3, 3, 0, 1, 4, 1, 2, 5, 4, 2, 5, 4, 1 };
  const uint8_t ghost[4] = { SQ_GHOST_DUPLICATE_CELL, SQ_GHOST_DUPLICATE_CELL,
    SQ_GHOST_DUPLICATE_CELL, 0 };
  sq_cells b = sqt_cells_of(SQ_CELL_QUAD, 4, 4, PAIR, 6, ids);
  b.ghost = ghost;
  sq_locate_options o = sq_locate_options_default();
  o.multiple_cells = SQ_MULTIPLE_MEAN;
  one r = ask(&b, &o, 0.25, 0.5, 0.0);
  CHECK_INT(r.v.containing_count[0], 2);
  CHECK_INT(r.v.cell_offsets[1], 2);
  CHECK_INT(r.v.cell_ids[0] + r.v.cell_ids[1], 1);
  CHECK_INT(r.v.node_offsets[1], 8);
  done(&r);
  r = ask(&b, &o, 1.25, 0.5, 0.0);
  CHECK_INT(r.v.containing_count[0], 1);
  CHECK_INT(r.v.cell[0], 3);
  done(&r);
}

static void nothing_there(void)
{
  sq_cells none = sqt_cells_of(SQ_CELL_TETRA, 4, 0, POINTS, 10, NULL);
  for (int count = 0; count < 2; ++count)
  {
    for (int mode = 0; mode < 3; ++mode)
    {
      sq_locate_options o = sq_locate_options_default();
      o.mode = (sq_locate_mode)mode;
      one r = ask_blocks(&none, count, &o, 0.5, 0.5, 0.5);
      CHECK_INT(r.v.status[0], SQ_SAMPLE_OUTSIDE);
      CHECK_INT(r.v.cell[0], -1);
      CHECK(isnan(r.v.distance[0]));
      sq_mesh_index_info info;
      CHECK_STATUS(sq_mesh_index_get_info(r.index, &info), SQ_OK);
      CHECK_INT(info.cells, 0);
      CHECK_INT(info.max_dimension, -1);
      done(&r);
    }
  }
}

static const sqt_case cases[] = {
  { "parametric", parametric },
  { "closed cells", closed_cells },
  { "upside down", upside_down },
  { "tolerance", tolerance },
  { "several cells", several_cells },
  { "inside before tolerance", inside_before_tolerance },
  { "nearest modes", nearest_modes },
  { "nearest by centroid", nearest_by_centroid },
  { "blocks and ties", blocks_and_ties },
  { "hidden_cells", hidden_cells },
  { "duplicate_cells", duplicate_cells },
  { "mean_of_duplicates", mean_of_duplicates },
  { "nothing there", nothing_there },
};
SQT_MAIN(cases)
