/** Scattered points with a compact location: whichever way their cells are found, the bits of sq_locate(). */
#include "sq_test.h"
#include "sqi_locate_points.h"
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

/** Joined, with an index of its own that has no tree, and searched for: what `want` has. */
static void check_points(sq_context* c, const sq_cells* blocks, int32_t block_count,
  const sq_points* p, const sq_locate_options* o, const char* name)
{
  sq_location* want = NULL;
  sq_mesh_index* index = sqt_index(c, blocks, block_count);
  for (int way = SQI_WAY_JOIN; way > SQI_WAY_FASTER; --way)
  {
    sq_location* compact = NULL;
    CHECK_STATUS(sqi_locate_points(c, index, p, o, (sqi_locate_way)way, &compact), SQ_OK);
    if (!want)
    {
      CHECK_STATUS(sq_locate(c, index, p, o, &want), SQ_OK);
    }
    int ok =
      want && compact && sqt_check_compact(c, compact, want, block_count == 1 ? blocks : NULL);
    CHECK_TEXT(ok, "points \"%s\", way %d, mode %d, rule %d, tolerance %g of type %d", name, way,
      (int)o->mode, (int)o->multiple_cells, o->tolerance, (int)o->tolerance_type);
    sq_location_destroy(compact);
  }
  sq_location_destroy(want);
  sq_mesh_index_destroy(index);
}

/** A mesh of every type of cell, with and without global ids, with hidden and duplicate cells. */
static void every_type(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int seed = 0; seed < 2; ++seed)
  {
    sqt_make_bag(&bag, 10 + (uint64_t)seed, seed);
    for (int i = seed; i < SQT_GRIDS; i += 2)
    {
      sqt_grid g = sqt_make_grid(i);
      sqt_thin_grid(&g, 8);
      sq_points p = sqt_points_of(&g);
      sq_locate_options o = options_of(7 * i + 5 * seed);
      check_points(c, &bag.cells, 1, &p, &o, g.name);
      free((void*)p.data);
    }
  }
  sq_context_destroy(c);
}

/** Random points around the unit cube, some of them in clusters, equal, far away or not finite. */
static sq_points scattered(int64_t n, sq_type type, uint64_t seed)
{
  orc_random r = { seed };
  double* x = (double*)malloc((size_t)(3 * n + 1) * sizeof(*x));
  float* narrow = (float*)x; /* fills the front of what has been read already */
  for (int64_t i = 0; i < n; ++i)
  {
    static const double odd[6] = { 1e300, -1e300, 1e9, (double)NAN, (double)INFINITY, -1e30 };
    double size = i % 4 == 1 ? 1e-3 : i % 4 == 2 ? pow(0.1, (double)(i % 97)) : 1.3;
    for (int d = 0; d < 3; ++d)
    {
      double at =
        i % 4 == 3 && i > 3 ? x[3 * (i - 4) + d] : 0.4 + size * orc_between(&r, -0.5, 0.5);
      x[3 * i + d] = i % 50 == d ? odd[orc_below(&r, 6)] : at;
    }
  }
  for (int64_t i = 0; i < 3 * n && type == SQ_FLOAT32; ++i)
  {
    narrow[i] = (float)x[i];
  }
  const sq_points p = { x, n, type, 3 };
  return p;
}

/** Tetrahedra, hexahedra, wedges, pyramids and voxels that fill a block. */
static void linear_solids(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 9; ++k)
  {
    orc_zoo zoo = orc_make_zoo((orc_zoo_kind)(k % ORC_ZOO_KINDS), 5, 9);
    sq_cells block = sqt_cells_of_zoo(&zoo);
    sq_points p = scattered(k % 2 ? 2000 : 37, k % 3 ? SQ_FLOAT64 : SQ_FLOAT32, 4);
    sq_locate_options o = options_of(4 * k + 1);
    check_points(c, &block, 1, &p, &o, "scattered");
    free((void*)p.data);
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
    if (sqt_shapes[s].type < SQ_CELL_LAGRANGE_CURVE)
    {
      continue;
    }
    orc_random r = { 30u + (unsigned)s };
    sqt_images m = sqt_images_make(c, sqt_shapes + s, s % 2 ? 6.0 : 1.0, &r);
    int64_t n = m.block.points.count, each = m.block.cell_size;
    for (int64_t i = 0; i < n; ++i)
    {
      double* x = m.points + 3 * i;
      x[0] = 0.5 * (x[0] - 4.0 * (double)(i / each)) + 0.2;
      x[1] = 0.5 * x[1] + 0.2;
      x[2] = s % 2 ? 0.8 - 0.5 * x[2] : 0.5 * x[2] + 0.2;
    }
    sq_points p = scattered(60, SQ_FLOAT64, 8);
    sq_locate_options o = options_of(s);
    check_points(c, &m.block, 1, &p, &o, sqt_shapes[s].name);
    free((void*)p.data);
    sqt_images_free(c, &m);
  }
  sq_context_destroy(c);
}

/** Blocks, float32 points, meshes far from the origin, tiny and huge ones. */
static void places_and_sizes(void)
{
  static const double sizes[6] = { 1.0, 1e-150, 1e150, 0x1p-30, 1e5, 1e307 };
  static const double shifts[6] = { 1e6, 0.0, 0.0, 1.0, -1e3, 0.0 };
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 4, 21);
  int64_t n = 3 * zoo.point_count, count = 700;
  double* moved = (double*)malloc((size_t)n * sizeof(*moved));
  float* narrow = (float*)malloc((size_t)n * sizeof(*narrow));
  for (int k = 0; k < 6; ++k)
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
    sq_points p = scattered(count, SQ_FLOAT64, 3);
    for (int64_t i = 0; i < 3 * count; ++i)
    {
      double* x = (double*)p.data;
      x[i] = fabs(x[i]) < 2.0 ? sizes[k] * x[i] + shifts[k] : x[i];
    }
    for (int j = 0; j < 2; ++j)
    {
      sq_locate_options o = options_of(3 * k + 4 * j);
      o.tolerance = k == 5 && j ? 1e308 : o.tolerance;
      o.tolerance_type = k == 5 && j ? SQ_TOLERANCE_ABSOLUTE : o.tolerance_type;
      check_points(c, blocks, 2, &p, &o, "moved");
    }
    free((void*)p.data);
  }
  free(moved);
  free(narrow);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

/** So many points that all threads go through each of these few cells, or one box holds most of them; equal ones, too. */
static void many_in_one_cell(void)
{
  const int counts[] = { 1, 2, 7 };
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 1, 5);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  int64_t n = 40000;
  sq_points p = scattered(n, SQ_FLOAT64, 6);
  double* x = (double*)p.data;
  for (int64_t i = 0; i < n; ++i)
  {
    x[3 * i] = i % 3 ? x[3 * i] : 0.25;
    x[3 * i + 1] = i % 3 ? x[3 * i + 1] : 0.5;
    x[3 * i + 2] = i % 3 ? x[3 * i + 2] : 0.125;
  }
  for (int t = 0; t < 3; ++t)
  {
    sq_context* c = sqt_context(counts[t], NULL, NULL);
    sq_locate_options o = options_of(t % 2);
    check_points(c, &block, 1, &p, &o, "many");
    sq_context_destroy(c);
  }
  free(x);
  orc_zoo_free(&zoo);
}

/** Numbered at random, neighbours have little to do with each other. */
static void shuffled_cells(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 8, 2);
  orc_random r = { 12 };
  int64_t n = zoo.count, size = 0;
  int64_t* order = (int64_t*)malloc((size_t)n * sizeof(*order));
  int64_t* offsets = (int64_t*)malloc((size_t)(n + 1) * sizeof(*offsets));
  int64_t* ids = (int64_t*)malloc((size_t)zoo.offsets[n] * sizeof(*ids));
  uint8_t* types = (uint8_t*)malloc((size_t)n);
  for (int64_t i = 0; i < n; ++i)
  {
    int64_t at = orc_below(&r, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (int64_t i = 0; i < n; ++i)
  {
    int64_t from = zoo.offsets[order[i]], count = zoo.offsets[order[i] + 1] - from;
    memcpy(ids + size, zoo.ids + from, (size_t)count * sizeof(*ids));
    types[i] = zoo.types[order[i]];
    offsets[i] = size;
    size += count;
  }
  offsets[n] = size;
  sq_cells block = sqt_cells_of_zoo(&zoo);
  block.offsets = offsets;
  block.connectivity = ids;
  block.types = types;
  sq_points p = scattered(5000, SQ_FLOAT64, 6);
  sq_locate_options o = sq_locate_options_default();
  check_points(c, &block, 1, &p, &o, "shuffled");
  free((void*)p.data);
  free(order);
  free(offsets);
  free(ids);
  free(types);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

static void nothing(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_SHEARED, 2, 3);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  for (int k = 0; k < 6; ++k)
  {
    sq_points p = scattered(k % 2 ? 0 : 20, SQ_FLOAT64, 1);
    sq_locate_options o = options_of(k);
    check_points(c, &block, k > 3 ? 0 : 1, &p, &o, "nothing");
    for (int64_t i = 0; i < 3 * p.count; ++i)
    {
      ((double*)p.data)[i] = k % 4 ? (double)NAN : 1e200;
    }
    check_points(c, &block, 1, &p, &o, "nothing finite or near");
    free((void*)p.data);
  }
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

/** Statistics are those of searches; NULL options the defaults. */
static void statistics(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 3, 2);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  sq_points p = scattered(200, SQ_FLOAT64, 6);
  sq_locate_options o = sq_locate_options_default();
  o.statistics = 1;
  sq_location *want = NULL, *got = NULL;
  sq_location_view a, b;
  CHECK_STATUS(sq_locate(c, index, &p, &o, &want), SQ_OK);
  CHECK_STATUS(sqi_locate_points(c, index, &p, &o, SQI_WAY_JOIN, &got), SQ_OK);
  CHECK_STATUS(sq_location_get_view(want, &a), SQ_OK);
  CHECK_STATUS(sq_location_get_view(got, &b), SQ_OK);
  CHECK_SAME(b.nodes_visited, a.nodes_visited, p.count);
  CHECK_SAME(b.cells_tested, a.cells_tested, p.count);
  sq_location_destroy(got);
  CHECK_STATUS(sq_locate_points(c, index, &p, NULL, &got), SQ_OK);
  CHECK_STATUS(sq_location_get_view(got, &b), SQ_OK);
  CHECK_SAME(b.status, a.status, p.count);
  CHECK(!b.cell && !b.nodes_visited);
  sq_location_destroy(got);
  sq_location_destroy(want);
  sq_mesh_index_destroy(index);
  free((void*)p.data);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

static int64_t bytes_of(const sq_mesh_index* index)
{
  sq_mesh_index_info info;
  CHECK_STATUS(sq_mesh_index_get_info(index, &info), SQ_OK);
  return info.bytes;
}

/** A call with few points does without a tree; many calls make one. */
static void tree_when_it_pays(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 8, 2);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  sq_points p = scattered(3, SQ_FLOAT64, 6);
  int64_t before = bytes_of(index);
  int calls = 0;
  for (; calls < 1000 && bytes_of(index) == before; ++calls)
  {
    sq_location* l = NULL;
    CHECK_STATUS(sq_locate_points(c, index, &p, NULL, &l), SQ_OK);
    sq_location_destroy(l);
  }
  CHECK_TEXT(calls > 1 && calls < 100, "%d calls", calls);
  sq_mesh_index_destroy(index);
  free((void*)p.data);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

static void refused(const sq_mesh_index* index, sq_context* c, const sq_points* p,
  const sq_locate_options* o, sq_status want)
{
  sq_location* l = (sq_location*)c;
  CHECK_STATUS(sq_locate_points(c, index, p, o, &l), want);
  CHECK(!l && *sq_context_message(c));
}

static void bad_arguments(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 2, 2);
  sq_cells block = sqt_cells_of_zoo(&zoo);
  sq_mesh_index* index = sqt_index(c, &block, 1);
  sq_points p = scattered(8, SQ_FLOAT64, 6);
  sq_locate_options o = sq_locate_options_default();
  sq_location* l = NULL;
  refused(NULL, c, &p, NULL, SQ_INVALID_ARGUMENT);
  refused(index, c, NULL, NULL, SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_locate_points(NULL, index, &p, NULL, &l), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_locate_points(c, index, &p, NULL, NULL), SQ_INVALID_ARGUMENT);
  o.tolerance = -1.0;
  refused(index, c, &p, &o, SQ_INVALID_ARGUMENT);
  sq_points bad = p;
  bad.type = SQ_INT32;
  refused(index, c, &bad, NULL, SQ_INVALID_ARGUMENT);
  bad = p;
  bad.dimension = 2;
  refused(index, c, &bad, NULL, SQ_INVALID_ARGUMENT);
  sq_mesh_index_destroy(index);
  free((void*)p.data);
  orc_zoo_free(&zoo);
  sq_context_destroy(c);
}

typedef struct inputs
{
  const sq_cells* block;
  sq_points points;
  sq_locate_options options;
} inputs;

static sq_status locate(sq_context* c, void* data)
{
  const inputs* in = (const inputs*)data;
  sq_context* other = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(other, in->block, 1); /* has no tree yet */
  sq_location* l = (sq_location*)data;
  sq_status s = sqi_locate_points(c, index, &in->points, &in->options, SQI_WAY_JOIN, &l);
  CHECK((l != NULL) == (s == SQ_OK));
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sq_context_destroy(other);
  return s;
}

static void failures(void)
{
  static sqt_bag bag;
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_WARPED, 1, 5);
  sq_cells few = sqt_cells_of_zoo(&zoo);
  sqt_make_bag(&bag, 4, 0);
  inputs in = { &bag.cells, scattered(40, SQ_FLOAT64, 2), sq_locate_options_default() };
  in.options.mode = SQ_LOCATE_CONTAINING_ELSE_NEAREST;
  sqt_sweep_memory("join", locate, &in, 10);
  sqt_sweep_cancel("join", locate, &in, 5);
  free((void*)in.points.data);
  in.block = &few;
  in.points = scattered(30000, SQ_FLOAT64, 2);
  in.options.mode = SQ_LOCATE_CONTAINING;
  sqt_sweep_cancel("join of large cells", locate, &in, 10);
  free((void*)in.points.data);
  orc_zoo_free(&zoo);
}

static const sqt_case cases[] = {
  { "every type", every_type },
  { "linear solids", linear_solids },
  { "high orders", high_orders },
  { "places and sizes", places_and_sizes },
  { "many in one cell", many_in_one_cell },
  { "shuffled cells", shuffled_cells },
  { "nothing", nothing },
  { "statistics", statistics },
  { "tree when it pays", tree_when_it_pays },
  { "bad arguments", bad_arguments },
  { "failures", failures },
};
SQT_MAIN(cases)
