/** Points of grids: what rasterising finds is what searching finds, bit for bit. */
#include "sq_test.h"
#include "sqt_bag.h"
#include "sqt_grid.h"
#include "sqt_images.h"
#include "sqt_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Every mode and rule; tolerances from none to a tenth of the cell. */
static sq_locate_options options_of(int k)
{
  static const double tolerances[5] = { 1e-6, 0.0, 0.1, 0.02, 1e-300 };
  sq_locate_options o = sq_locate_options_default();
  o.mode = (sq_locate_mode)(k % 3);
  o.multiple_cells = (sq_multiple_cells)(k / 3 % 3);
  o.tolerance = tolerances[k % 5];
  o.tolerance_type = k % 5 == 3 ? SQ_TOLERANCE_ABSOLUTE : SQ_TOLERANCE_RELATIVE;
  o.nearest_by = (sq_nearest_by)(k / 5 % 2);
  o.outside_value = (sq_outside_value)(k / 2 % 2);
  o.max_distance = k % 4 ? (double)INFINITY : 0.05;
  return o;
}

/** A mesh of every type of cell, with and without global ids. */
static void every_type(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int seed = 0; seed < 2; ++seed)
  {
    sqt_make_bag(&bag, 10 + (uint64_t)seed, seed);
    sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
    for (int i = 0; i < SQT_GRIDS; ++i)
    {
      sqt_grid g = sqt_make_grid(i);
      sqt_thin_grid(&g, 8);
      sq_locate_options o = options_of(7 * i + 5 * seed);
      sqt_check_grid(c, index, &bag.cells, &g, &o);
    }
    sq_mesh_index_destroy(index);
  }
  sq_context_destroy(c);
}

/** Tetrahedra, hexahedra, wedges, pyramids and voxels that fill a block, in each mode. */
static void linear_solids(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    orc_zoo zoo = orc_make_zoo((orc_zoo_kind)kind, 5, 9);
    sq_cells block = sqt_cells_of_zoo(&zoo);
    sq_mesh_index* index = sqt_index(c, &block, 1);
    for (int i = 0; i < SQT_GRIDS; ++i)
    {
      sqt_grid g = sqt_make_grid(i);
      sqt_thin_grid(&g, 18);
      for (int k = 0; k < 2; ++k)
      {
        sq_locate_options o = options_of(i + 4 * k + 7 * kind);
        sqt_check_grid(c, index, &block, &g, &o);
      }
    }
    sq_mesh_index_destroy(index);
    orc_zoo_free(&zoo);
  }
  sq_context_destroy(c);
}

/** Lagrange and Bezier cells over each other in the unit cube, bent a little, and folded and turned inside out. */
static void high_orders(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    for (int fold = 0; fold < 2 - s % 2 && sqt_shapes[s].type >= SQ_CELL_LAGRANGE_CURVE; ++fold)
    {
      orc_random r = { 30u + (unsigned)s };
      sqt_images m = sqt_images_make(c, sqt_shapes + s, fold ? 6.0 : 1.0, &r);
      int64_t n = m.block.points.count, each = m.block.cell_size;
      for (int64_t i = 0; i < n; ++i)
      {
        double* x = m.points + 3 * i;
        x[0] = 0.5 * (x[0] - 4.0 * (double)(i / each)) + 0.2;
        x[1] = 0.5 * x[1] + 0.2;
        x[2] = fold ? 0.8 - 0.5 * x[2] : 0.5 * x[2] + 0.2;
      }
      sq_mesh_index* index = sqt_index(c, &m.block, 1);
      sqt_grid g = sqt_make_grid((s + fold) % 2);
      sqt_thin_grid(&g, 3);
      sq_locate_options o = options_of(s + 3 * fold);
      sqt_check_grid(c, index, &m.block, &g, &o);
      sq_mesh_index_destroy(index);
      sqt_images_free(c, &m);
    }
  }
  sq_context_destroy(c);
}

/** Blocks, float32 points, meshes far from the origin, tiny and huge ones. */
static void places_and_sizes(void)
{
  static const double sizes[5] = { 1.0, 1e-150, 1e150, 0x1p-30, 1e5 };
  static const double shifts[5] = { 1e6, 0.0, 0.0, 1.0, -1e3 };
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 4, 21);
  int64_t n = 3 * zoo.point_count;
  double* moved = (double*)malloc((size_t)n * sizeof(*moved));
  float* narrow = (float*)malloc((size_t)n * sizeof(*narrow));
  for (int k = 0; k < 5; ++k)
  {
    sq_cells blocks[2] = { sqt_cells_of_zoo(&zoo), sqt_cells_of_zoo(&zoo) };
    for (int64_t i = 0; i < n; ++i)
    {
      moved[i] = sizes[k] * zoo.points[i] + shifts[k];
      narrow[i] = (float)(sizes[k] < 1e30 ? moved[i] : 0.0);
    }
    blocks[0].points.data = moved;
    blocks[1].points.data = narrow;
    blocks[1].points.type = SQ_FLOAT32;
    sq_mesh_index* index = sqt_index(c, blocks, 2);
    for (int i = 0; i < 2; ++i)
    {
      sqt_grid g = sqt_make_grid(i);
      sqt_thin_grid(&g, 9);
      for (int j = 0; j < 3 * SQT_GRID_SIDE; ++j)
      {
        g.x[j / SQT_GRID_SIDE][j % SQT_GRID_SIDE] =
          sizes[k] * g.x[j / SQT_GRID_SIDE][j % SQT_GRID_SIDE] + shifts[k];
      }
      sq_locate_options o = options_of(3 * k + i);
      sqt_check_grid(c, index, NULL, &g, &o);
    }
    sq_mesh_index_destroy(index);
  }
  free(moved);
  free(narrow);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

/** A grid so coarse that cells are searched for, beside one whose points are marked; no cells at all. */
static void coarse_and_empty(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_SHEARED, 12, 3);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  for (int n = 1; n < 8; n += 3)
  {
    sqt_grid g = sqt_even_grid("a few points", n, n, n, 0.3, 1.0);
    sq_locate_options o = options_of(n);
    sqt_check_grid(c, index, &block, &g, &o);
  }
  sq_mesh_index_destroy(index);
  block.count = 0;
  block.connectivity_count = 0;
  index = sqt_index(c, NULL, 0);
  sqt_grid g = sqt_make_grid(0);
  sq_locate_options o = options_of(2);
  sqt_check_grid(c, index, NULL, &g, &o);
  g.count[1] = 0;
  sqt_check_grid(c, index, NULL, &g, &o);
  sq_mesh_index_destroy(index);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

static void threads(void)
{
  static sqt_bag bag;
  const int counts[] = { 1, 2, 7 };
  sqt_make_bag(&bag, 4, 1);
  sqt_grid g = sqt_make_grid(1);
  sqt_thin_grid(&g, 17); /* more than one brick */
  g.count[1] = 8;
  for (int k = 0; k < 9; k += 4)
  {
    sq_locate_options o = options_of(k);
    sq_location* want = NULL;
    sq_location_view a, b;
    for (int t = 0; t < 3; ++t)
    {
      sq_context* c = sqt_context(counts[t], NULL, NULL);
      sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
      sq_location* compact = sqt_rasterise(c, index, &g, &o);
      sq_location* got = NULL;
      CHECK_STATUS(sq_location_expand(c, compact, &got), SQ_OK);
      want = want ? want : got;
      CHECK_STATUS(sq_location_get_view(want, &a), SQ_OK);
      CHECK_STATUS(sq_location_get_view(got, &b), SQ_OK);
      CHECK_TEXT(sqt_views_equal(&b, &a), "options %d, %d threads", k, counts[t]);
      sq_location_destroy(got == want ? NULL : got);
      sq_location_destroy(compact);
      sq_mesh_index_destroy(index);
      sq_context_destroy(c);
    }
    sq_location_destroy(want);
  }
}

/** Statistics of unseeded searches, as for points; copies of a location with rows. */
static void statistics(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_make_bag(&bag, 4, 0);
  sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
  sqt_grid g = sqt_make_grid(0);
  sqt_thin_grid(&g, 9);
  int64_t n = sqt_grid_points(&g);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_CONTAINING_ELSE_NEAREST;
  o.statistics = 1;
  sq_location* want = sqt_search(c, index, &g, &o);
  sq_location* compact = sqt_rasterise(c, index, &g, &o);
  sq_location *got = NULL, *copy = NULL;
  sq_location_view a, b;
  CHECK_STATUS(sq_location_expand(c, compact, &got), SQ_OK);
  CHECK_STATUS(sq_location_expand(c, want, &copy), SQ_OK);
  CHECK_STATUS(sq_location_get_view(want, &a), SQ_OK);
  CHECK_STATUS(sq_location_get_view(got, &b), SQ_OK);
  CHECK_SAME(b.nodes_visited, a.nodes_visited, n);
  CHECK_SAME(b.cells_tested, a.cells_tested, n);
  CHECK_STATUS(sq_location_get_view(copy, &b), SQ_OK);
  CHECK(sqt_views_equal(&b, &a));
  CHECK_SAME(b.nodes_visited, a.nodes_visited, n);
  sq_location_destroy(copy);
  sq_location_destroy(got);
  sq_location_destroy(compact);
  sq_location_destroy(want);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

static void refused(const sq_mesh_index* index, sq_context* c, const sq_axes* a, sq_status want)
{
  sq_location* l = (sq_location*)c;
  CHECK_STATUS(sq_locate_grid(c, index, a, NULL, &l), want);
  CHECK(!l && *sq_context_message(c));
}

static void bad_arguments(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_make_bag(&bag, 4, 0);
  sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
  sqt_grid g = sqt_make_grid(11);
  sq_axes a = sqt_axes_of(&g);
  sq_location* l = NULL;
  refused(NULL, c, &a, SQ_INVALID_ARGUMENT);
  refused(index, c, NULL, SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_locate_grid(NULL, index, &a, NULL, &l), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_locate_grid(c, index, &a, NULL, NULL), SQ_INVALID_ARGUMENT);
  a.type = SQ_INT32;
  refused(index, c, &a, SQ_INVALID_ARGUMENT);
  a = sqt_axes_of(&g);
  a.count[1] = -1;
  refused(index, c, &a, SQ_INVALID_ARGUMENT);
  a = sqt_axes_of(&g);
  a.coordinates[2] = NULL;
  refused(index, c, &a, SQ_INVALID_ARGUMENT);
  a = sqt_axes_of(&g);
  a.count[0] = a.count[1] = a.count[2] = INT64_C(1) << 30;
  refused(index, c, &a, SQ_TOO_LARGE);
  sq_locate_options o = sq_locate_options_default();
  o.tolerance = -1.0;
  a = sqt_axes_of(&g);
  CHECK_STATUS(sq_locate_grid(c, index, &a, &o, &l), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_locate_grid(c, index, &a, NULL, &l), SQ_OK);
  sq_location_destroy(l);
  CHECK_STATUS(sq_location_expand(c, NULL, &l), SQ_INVALID_ARGUMENT);
  CHECK(!l);
  CHECK_STATUS(sq_locate_grid(c, index, &a, NULL, &l), SQ_OK);
  CHECK_STATUS(sq_location_expand(c, l, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_location_read(c, l, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_location_read(c, NULL, NULL), SQ_INVALID_ARGUMENT);
  double field[4] = { 0.0 }, out[18], missing = 0.0;
  const sq_field f = { field, SQ_FLOAT64, 4 }; /* too short */
  CHECK_STATUS(sq_location_apply(c, l, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, &f, 1, 1,
                 SQ_FLOAT64, &missing, out, NULL),
    SQ_INVALID_ARGUMENT);
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

typedef struct inputs
{
  const sq_mesh_index* index;
  const sq_cells* block;
  sqt_grid g;
  sq_locate_options options;
  sq_location* location; /* made with another context */
} inputs;

static sq_status locate(sq_context* c, void* data)
{
  const inputs* in = (const inputs*)data;
  sq_axes a = sqt_axes_of(&in->g);
  sq_location* l = (sq_location*)data;
  sq_status s = sq_locate_grid(c, in->index, &a, &in->options, &l);
  CHECK((l != NULL) == (s == SQ_OK));
  sq_location_destroy(l);
  return s;
}

static sq_status expand(sq_context* c, void* data)
{
  const inputs* in = (const inputs*)data;
  sq_location* l = (sq_location*)data;
  sq_status s = sq_location_expand(c, in->location, &l);
  CHECK((l != NULL) == (s == SQ_OK));
  sq_location_destroy(l);
  return s;
}

static sq_status read(sq_context* c, void* data)
{
  const inputs* in = (const inputs*)data;
  sq_location_outputs o;
  memset(&o, 0, sizeof(o));
  o.parametric = (double*)malloc((size_t)sqt_grid_points(&in->g) * 24);
  sq_status s = sq_location_read(c, in->location, &o);
  free(o.parametric);
  return s;
}

static sq_status apply(sq_context* c, void* data)
{
  const inputs* in = (const inputs*)data;
  const double missing = 0.0;
  const sq_field f = { in->block->points.data, SQ_FLOAT64, in->block->points.count };
  double* out = (double*)malloc((size_t)sqt_grid_points(&in->g) * 24);
  sq_status s = sq_location_apply(c, in->location, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, &f,
    1, 3, SQ_FLOAT64, &missing, out, NULL);
  free(out);
  return s;
}

static void failures(void)
{
  static sqt_bag bag;
  static const sqt_operation operations[] = { locate, expand, read, apply };
  static const char* const names[] = { "grid", "expand", "read", "apply" };
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_make_bag(&bag, 4, 0);
  sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
  inputs in = { index, &bag.cells, sqt_make_grid(11), sq_locate_options_default(), NULL };
  in.options.multiple_cells = SQ_MULTIPLE_MEAN;
  for (int k = 0; k < 4; ++k)
  {
    in.location = sqt_rasterise(c, index, &in.g, &in.options);
    sqt_sweep_memory(names[k], operations[k], &in, k == 2 ? 1 : 3);
    sq_location_destroy(in.location);
  }
  in.g = sqt_make_grid(0);
  sqt_thin_grid(&in.g, 9);
  in.location = sqt_rasterise(c, index, &in.g, &in.options);
  for (int k = 0; k < 4; ++k)
  {
    sqt_sweep_cancel(names[k], operations[k], &in, 1);
  }
  sq_location_destroy(in.location);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

/** No cell is lost for having no bound in float: the mean of the nodes of each has it at distance 0. */
static void nearest_centroids(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_locate_options o = sq_locate_options_default();
  o.mode = SQ_LOCATE_NEAREST;
  o.nearest_by = SQ_NEAREST_CENTROID;
  for (int seed = 0; seed < 3; ++seed)
  {
    sqt_make_bag(&bag, (uint64_t)seed, 1);
    sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
    for (int64_t k = 0; k < bag.count; ++k)
    {
      double x[3] = { 0.0, 0.0, 0.0 };
      int64_t n = bag.offsets[k + 1] - bag.offsets[k];
      for (int64_t i = 0; i < 3 * n; ++i)
      {
        x[i % 3] += bag.points[3 * bag.ids[bag.offsets[k]] + i] / (double)n;
      }
      sq_location_view v;
      sq_location* l = sqt_locate(c, index, x, 1, &o, &v);
      CHECK_TEXT(bag.ghost[k] || v.distance[0] < 1e-15, "seed %d, cell %d of type %d: %g away",
        seed, (int)k, bag.types[k], v.distance[0]);
      sq_location_destroy(l);
    }
    sq_mesh_index_destroy(index);
  }
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "every type", every_type },
  { "linear solids", linear_solids },
  { "high orders", high_orders },
  { "places and sizes", places_and_sizes },
  { "coarse and empty", coarse_and_empty },
  { "threads", threads },
  { "statistics", statistics },
  { "bad arguments", bad_arguments },
  { "failures", failures },
  { "nearest centroids", nearest_centroids },
};
SQT_MAIN(cases)
