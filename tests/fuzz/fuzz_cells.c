/**
 * Blocks of cells of any type with anything in their arrays, and what takes them: mesh indices and what they are asked, surfaces, trees,
 * measures. A grid is located as its points are.
 */
#include "fuzz_cells.h"
#include "fuzz_input.h"
#include "sq_test.h"

#include "spatialqueries/spatialqueries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 4
#define QUERIES (SIDE * SIDE * SIDE)

typedef struct run
{
  fuzz_bytes bytes;
  sq_context* context;
  fuzz_mesh mesh;
  int32_t block_count;
} run;

/** A status that bad input may have, with a message. */
static int is_answer(const run* r, sq_status status)
{
  CHECK_TEXT(status == SQ_OK || status == SQ_INVALID_DATA || status == SQ_INVALID_ARGUMENT ||
      status == SQ_TOO_LARGE || status == SQ_UNSUPPORTED,
    "\"%s\": %s", sq_status_text(status), sq_context_message(r->context));
  CHECK(status == SQ_OK || *sq_context_message(r->context));
  return status == SQ_OK;
}

static sq_locate_options take_options(run* r)
{
  static const double tolerances[] = { 0.0, 1e-6, 0.25, 1e300 };
  sq_locate_options o = sq_locate_options_default();
  o.mode = (sq_locate_mode)fuzz_below(&r->bytes, 3);
  o.multiple_cells = (sq_multiple_cells)fuzz_below(&r->bytes, 3);
  o.tolerance = tolerances[fuzz_below(&r->bytes, 4)];
  o.tolerance_type = fuzz_byte(&r->bytes) % 2 ? SQ_TOLERANCE_RELATIVE : SQ_TOLERANCE_ABSOLUTE;
  o.nearest_by = fuzz_byte(&r->bytes) % 2 ? SQ_NEAREST_CENTROID : SQ_NEAREST_DISTANCE;
  return o;
}

/** Ids within the mesh, and as many weights as nodes. */
static void check_location(const run* r, const sq_location_view* v)
{
  for (int64_t q = 0; q < v->count; ++q)
  {
    int32_t b = v->block[q];
    CHECK(b >= -1 && b < r->block_count && (b < 0) == (v->cell[q] < 0));
    CHECK(b < 0 || v->cell[q] < r->mesh.blocks[b].count);
    CHECK(v->node_offsets[q] <= v->node_offsets[q + 1]);
    for (int64_t k = v->node_offsets[q]; k < v->node_offsets[q + 1]; ++k)
    {
      const sq_cells* block = r->mesh.blocks + v->node_blocks[k];
      CHECK(v->node_ids[k] >= 0 && v->node_ids[k] < block->points.count);
    }
  }
}

static int same(const void* a, const void* b, size_t bytes)
{
  return !bytes || !memcmp(a, b, bytes);
}

/** The same cells both ways. */
static void compare(const sq_location_view* a, const sq_location_view* b)
{
  size_t n = (size_t)a->count;
  CHECK(a->count == b->count && a->node_offsets[n] == b->node_offsets[n]);
  CHECK(same(a->status, b->status, n * sizeof(*a->status)));
  CHECK(same(a->cell, b->cell, n * sizeof(*a->cell)));
  CHECK(same(a->containing_count, b->containing_count, n * sizeof(*a->containing_count)));
  CHECK(
    same(a->node_weights, b->node_weights, (size_t)a->node_offsets[n] * sizeof(*a->node_weights)));
}

/** A grid, and its points one by one. */
static void locate(run* r, const sq_mesh_index* index)
{
  double axes[3][SIDE], points[3 * QUERIES];
  sq_axes grid = { { axes[0], axes[1], axes[2] }, { 1, 1, 1 }, SQ_FLOAT64 };
  sq_locate_options o = take_options(r);
  sq_location *by_points = NULL, *by_grid = NULL, *expanded = NULL;
  int64_t n = 1;
  for (int d = 0; d < 3; ++d)
  {
    grid.count[d] = fuzz_below(&r->bytes, SIDE + 1);
    n *= grid.count[d];
    for (int i = 0; i < grid.count[d]; ++i)
    {
      axes[d][i] = fuzz_coordinate(&r->bytes);
    }
  }
  for (int64_t q = 0; q < n; ++q)
  {
    int64_t rest = q;
    for (int d = 0; d < 3; rest /= grid.count[d++])
    {
      points[3 * q + d] = axes[d][rest % grid.count[d]];
    }
  }
  const sq_points queries = { points, n, SQ_FLOAT64, 3 };
  sq_location_view a, b;
  if (is_answer(r, sq_locate_grid(r->context, index, &grid, &o, &by_grid)) &&
    is_answer(r, sq_location_expand(r->context, by_grid, &expanded)) &&
    is_answer(r, sq_locate(r->context, index, &queries, &o, &by_points)))
  {
    CHECK_STATUS(sq_location_get_view(by_points, &a), SQ_OK);
    CHECK_STATUS(sq_location_get_view(expanded, &b), SQ_OK);
    check_location(r, &a);
    compare(&a, &b);
  }
  sq_location_destroy(expanded);
  sq_location_destroy(by_points);
  sq_location_destroy(by_grid);
}

static void take_point(run* r, double x[3])
{
  for (int d = 0; d < 3; ++d)
  {
    x[d] = fuzz_coordinate(&r->bytes);
  }
}

static void ask(run* r, const sq_mesh_index* index)
{
  sq_mesh_query* query = NULL;
  sq_mesh_hit hit;
  sq_mesh_crossing crossing;
  const sq_mesh_crossing* crossings;
  const sq_mesh_cell_id* cells;
  int64_t count;
  double a[3], b[3], boxes[6 * 8];
  take_point(r, a);
  take_point(r, b);
  double tolerance = fabs(fuzz_coordinate(&r->bytes));
  tolerance = tolerance >= 0.0 ? tolerance : 0.0;
  if (!is_answer(r, sq_mesh_query_create(r->context, index, &query)))
  {
    return;
  }
  CHECK_STATUS(sq_mesh_query_containing(query, a, SQ_TOLERANCE_RELATIVE, tolerance, &hit), SQ_OK);
  CHECK_STATUS(sq_mesh_query_closest(query, a, (double)INFINITY, &hit), SQ_OK);
  CHECK_STATUS(sq_mesh_query_first_crossing(query, a, b, tolerance, &crossing, &hit), SQ_OK);
  CHECK_STATUS(sq_mesh_query_crossings(query, a, b, tolerance, &crossings, &count), SQ_OK);
  CHECK_STATUS(sq_mesh_query_crossed_boxes(query, a, b, tolerance, &crossings, &count), SQ_OK);
  CHECK_STATUS(sq_mesh_query_box(query, a, b, &cells, &count), SQ_OK);
  CHECK_STATUS(sq_mesh_query_sphere(query, a, tolerance, &cells, &count), SQ_OK);
  CHECK_STATUS(sq_mesh_query_plane(query, a, b, tolerance, &cells, &count), SQ_OK);
  CHECK(sq_mesh_index_boxes(index, -1, 8, boxes) >= 0 && sq_mesh_index_depth(index) >= -1);
  sq_mesh_query_destroy(query);
}

static void use_index(run* r)
{
  sq_mesh_index* index = NULL;
  sq_mesh_index_info info;
  if (is_answer(r, sq_mesh_index_build(r->context, r->mesh.blocks, r->block_count, &index)))
  {
    CHECK_STATUS(sq_mesh_index_get_info(index, &info), SQ_OK);
    CHECK(info.cells >= 0 && info.cells <= FUZZ_CELLS * FUZZ_BLOCKS);
    locate(r, index);
    ask(r, index);
  }
  sq_mesh_index_destroy(index);
}

static void use_surface(run* r)
{
  sq_surface_options o = sq_surface_options_default();
  sq_distance_options by = sq_distance_options_default();
  sq_surface* surface = NULL;
  sq_surface_check* check = NULL;
  double x[3 * 4], distance[4];
  int64_t cell[4];
  o.merge_points = fuzz_byte(&r->bytes) % 2;
  o.merge_tolerance = fuzz_byte(&r->bytes) % 2 ? 0.01 : 0.0;
  o.mode = fuzz_byte(&r->bytes) % 4 ? SQ_SDF_EXACT : SQ_SDF_REFERENCE;
  by.sign_method = (sq_sign_method)fuzz_below(&r->bytes, 4);
  by.flip_inside_out = o.mode == SQ_SDF_EXACT && fuzz_byte(&r->bytes) % 2;
  for (int i = 0; i < 4; ++i)
  {
    take_point(r, x + 3 * i);
  }
  const sq_points queries = { x, 4, SQ_FLOAT64, 3 };
  sq_distance_outputs out = { .distance = distance, .cell = cell };
  if (is_answer(r, sq_surface_build(r->context, r->mesh.blocks, r->block_count, &o, &surface)) &&
    is_answer(r, sq_surface_distance(r->context, surface, &queries, &by, &out)))
  {
    for (int i = 0; i < 4; ++i)
    {
      CHECK(cell[i] < FUZZ_CELLS && isnan(distance[i]) == (cell[i] < 0));
    }
    (void)is_answer(r, sq_surface_check_build(r->context, surface, &check));
  }
  sq_surface_check_destroy(check);
  sq_surface_destroy(surface);
}

static void use_others(run* r)
{
  sq_bvh_options o = sq_bvh_options_default();
  sq_bvh* bvh = NULL;
  sq_lists* lists = NULL;
  double x[3 * FUZZ_CELLS];
  take_point(r, x);
  o.flags = fuzz_byte(&r->bytes) % 2 ? SQ_BVH_REFERENCE_NAN : 0;
  o.leaf_size = 1 + fuzz_below(&r->bytes, 3);
  const sq_points queries = { x, 1, r->mesh.blocks[0].points.type, 3 };
  if (is_answer(r, sq_bvh_build(r->context, r->mesh.blocks, r->block_count, &o, &bvh)))
  {
    (void)is_answer(r, sq_bvh_find_candidates(r->context, bvh, &queries, NULL, &lists, NULL));
  }
  sq_lists_destroy(lists);
  sq_bvh_destroy(bvh);
  (void)is_answer(r, sq_cell_centers(r->context, r->mesh.blocks, x));
  (void)is_answer(r, sq_cell_measures(r->context, r->mesh.blocks, x));
}

void fuzz_input(const uint8_t* data, size_t size)
{
  sq_context_options options = sq_context_options_default();
  run r;
  memset(&r, 0, sizeof(r));
  r.bytes.data = data;
  r.bytes.left = size;
  options.threads = 1;
  CHECK_STATUS(sq_context_create(&options, &r.context), SQ_OK);
  int which = fuzz_byte(&r.bytes);
  r.block_count = fuzz_take_mesh(&r.bytes, &r.mesh);
  if (which & 1)
  {
    use_index(&r);
  }
  if (which & 2)
  {
    use_surface(&r);
  }
  if (which & 4)
  {
    use_others(&r);
  }
  fuzz_free_mesh(&r.mesh);
  sq_context_destroy(r.context);
}
