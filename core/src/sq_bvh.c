#include "spatialqueries/sq_bvh.h"
#include "sqi_alloc.h"
#include "sqi_cell_source.h"
#include "sqi_context.h"
#include "sqi_mesh_index.h"
#include "sqi_morton.h"
#include "sqi_reference_tree.h"
#include "sqi_sort.h"

#include <string.h>

/** Cells of one chunk. */
#define CHUNK (1 << 13)
/** Boxes of cells are fetched so many positions of the order before they are needed. */
#define AHEAD 16
/** Up to this leaf size, boxes of cells are held while the tree is built; beyond it they would be more than the tree. */
#define BOXES_LEAF_SIZE 16

typedef struct builder
{
  sq_bvh* bvh;
  sqi_cell_source source;
  sq_bvh_options options;
  int64_t chunks;
  int64_t* taken; /* cells of the tree: of each chunk, then of all chunks before */
  int64_t* skipped; /* cells that are not finite, of each chunk */
  sqi_extremes* extremes; /* one a thread */
  sqi_morton morton;
  void*
    boxes; /* of all cells, minimum and maximum; NULL for large leaves, whose cells are near each other anyway */
  double* layouts; /* boxes of Lagrange and Bezier cells, 6 numbers a cell; NULL: there are none */
  int64_t count; /* cells of the tree */
  uint64_t* keys;
  uint32_t* items;
} builder;

sq_bvh_options sq_bvh_options_default(void)
{
  sq_bvh_options o = { SQ_LEAF_SIZE_DEFAULT, 0 };
  return o;
}

SQI_REAL sq_status write_keys(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  int64_t at = b->taken[begin / CHUNK];
  sqi_cell_place p = sqi_cell_place_of(&b->source, begin);
  for (int64_t i = begin; i < end; ++i, ++p.cell)
  {
    double x[3];
    sqi_cell_settle(&b->source, &p);
    if (sqi_cell_centroid(type, dimension, &b->source, &p, x) == SQI_TAKE)
    {
      b->keys[at] = sqi_morton_code(&b->morton, type, dimension, x);
      b->items[at++] = (uint32_t)i;
    }
  }
  return SQ_OK;
}

static sq_status keys_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  return SQI_BY_REAL(write_keys, b->source.type, b->source.dimension, b, begin, end, thread);
}

SQI_REAL void store_box(
  sq_type type, int32_t dimension, const builder* b, int64_t number, const sqi_cell_place* p)
{
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  if (b->boxes)
  {
    sqi_cell_add_box(type, dimension, p, lo, hi);
    if (b->layouts)
    {
      const double* box = b->layouts + 6 * number;
      sqi_box_widen(type, dimension, box, box + 3, lo, hi);
    }
    for (int32_t d = 0; d < dimension; ++d)
    {
      sqi_set_real(b->boxes, type, 2 * dimension * number + d, lo[d]);
      sqi_set_real(b->boxes, type, 2 * dimension * number + dimension + d, hi[d]);
    }
  }
}

/** Widens [lo, hi] by the box of cell `number`. */
SQI_REAL void add_box(
  sq_type type, int32_t dimension, const builder* b, int64_t number, double* lo, double* hi)
{
  if (!b->boxes)
  {
    sqi_cell_place p = sqi_cell_place_of(&b->source, number);
    sqi_cell_add_box(type, dimension, &p, lo, hi);
    return;
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    lo[d] = sqi_least(lo[d], sqi_real(b->boxes, type, 2 * dimension * number + d));
    hi[d] = sqi_most(hi[d], sqi_real(b->boxes, type, 2 * dimension * number + dimension + d));
  }
}

SQI_REAL sq_status find_extremes(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  sqi_extremes e = b->extremes[thread];
  int64_t taken = 0, skipped = 0;
  sqi_cell_place p = sqi_cell_place_of(&b->source, begin);
  for (int64_t i = begin; i < end; ++i, ++p.cell)
  {
    double x[3];
    sqi_cell_settle(&b->source, &p);
    sqi_verdict v = sqi_cell_centroid(type, dimension, &b->source, &p, x);
    if (v == SQI_TAKE)
    {
      sqi_extremes_add(&e, dimension, x);
      store_box(type, dimension, b, i, &p);
    }
    taken += v == SQI_TAKE;
    skipped += v == SQI_NOT_FINITE;
  }
  b->extremes[thread] = e;
  b->taken[begin / CHUNK] = taken;
  b->skipped[begin / CHUNK] = skipped;
  return SQ_OK;
}

static sq_status extremes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  return SQI_BY_REAL(find_extremes, b->source.type, b->source.dimension, b, begin, end, thread);
}

/** Box of a leaf: to its node and to the index of candidates. */
SQI_REAL void fill_leaf(sq_type type, int32_t dimension, void* data, const sqi_visited* v)
{
  builder* b = (builder*)data;
  if (v->leaf < 0)
  {
    return;
  }
  sqi_tree* tree = &b->bvh->tree;
  if (b->boxes && v->start + AHEAD < b->count)
  {
    const char* box = (const char*)b->boxes;
    __builtin_prefetch(
      box + tree->order[v->start + AHEAD] * 2 * dimension * (type == SQ_FLOAT32 ? 4 : 8));
  }
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int64_t k = v->start; k < v->start + v->count; ++k)
  {
    add_box(type, dimension, b, tree->order[k], lo, hi);
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    sqi_set_real(tree->aabb_min, type, v->node * dimension + d, lo[d]);
    sqi_set_real(tree->aabb_max, type, v->node * dimension + d, hi[d]);
  }
  int upper = v->node < tree->topology.level_begin[tree->topology.max_depth];
  sqi_candidate_index_set(&b->bvh->index, type, dimension, v->leaf, v->start, upper, lo, hi);
}

static sq_status leaves_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  const sqi_midpoint_tree* t = &b->bvh->tree.topology;
  SQI_BY_REAL(sqi_level_visit, b->source.type, b->source.dimension, t, sqi_midpoint_last_full(t),
    begin, end, fill_leaf, b);
  return SQ_OK;
}

SQI_REAL sq_status join_boxes(
  sq_type type, int32_t dimension, const sqi_tree* tree, int64_t begin, int64_t end)
{
  for (int64_t node = begin; node < end; ++node)
  {
    int64_t child = tree->topology.left_child[node] * dimension, at = node * dimension;
    for (int32_t d = 0; d < dimension && child >= 0; ++d)
    {
      double lo = sqi_least(sqi_real(tree->aabb_min, type, child + d),
        sqi_real(tree->aabb_min, type, child + dimension + d));
      double hi = sqi_most(sqi_real(tree->aabb_max, type, child + d),
        sqi_real(tree->aabb_max, type, child + dimension + d));
      sqi_set_real(tree->aabb_min, type, at + d, lo);
      sqi_set_real(tree->aabb_max, type, at + d, hi);
    }
  }
  return SQ_OK;
}

static sq_status join_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const sqi_tree* tree = (const sqi_tree*)data;
  return SQI_BY_REAL(join_boxes, tree->type, tree->dimension, tree, begin, end);
}

static sq_status check_options(sq_context* context, const builder* b)
{
  if (b->source.block_count < 0 || (b->source.block_count && !b->source.blocks))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "BVH: %d blocks, none given", (int)b->source.block_count);
  }
  if (b->options.leaf_size < SQ_LEAF_SIZE_MIN)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "leaf size %lld, allowed are %d and more",
      (long long)b->options.leaf_size, SQ_LEAF_SIZE_MIN);
  }
  return b->options.flags & ~SQ_BVH_REFERENCE_NAN
    ? sqi_fail(context, SQ_INVALID_ARGUMENT, "BVH: flags %x, allowed is SQ_BVH_REFERENCE_NAN",
        (unsigned)b->options.flags)
    : SQ_OK;
}

static void sum_chunks(builder* b)
{
  for (int64_t c = 0; c < b->chunks; ++c)
  {
    int64_t here = b->taken[c];
    b->taken[c] = b->count;
    b->count += here;
    b->bvh->skipped += b->skipped[c];
  }
}

/** Cells in their order. */
static sq_status sort_cells(sq_context* context, builder* b)
{
  int64_t cells = b->source.first[b->source.block_count];
  int32_t threads = sq_context_threads(context);
  sqi_extremes_clear(b->extremes, threads);
  sqi_phase(context, "Sorting cells", 0.1, 0.2);
  sq_status status = sqi_parallel_for(context, cells, CHUNK, extremes_body, b);
  if (status != SQ_OK)
  {
    return status;
  }
  sum_chunks(b);
  sqi_extremes_join(b->extremes, threads);
  b->morton = sqi_morton_of(b->extremes, b->source.type, b->source.dimension);
  status = SQI_NEW(context, &b->keys, b->count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &b->items, b->count);
  }
  if (status == SQ_OK)
  {
    sqi_phase(context, "Sorting cells", 0.2, 0.3);
    status = sqi_parallel_for(context, cells, CHUNK, keys_body, b);
  }
  if (status == SQ_OK)
  {
    sqi_phase(context, "Sorting cells", 0.3, 0.6);
    status = sqi_sort(context, b->keys, b->items, b->count, sqi_morton_bits(b->source.dimension));
  }
  SQI_FREE(context, b->keys, b->count);
  b->keys = NULL;
  return status;
}

static sq_status build_tree(sq_context* context, builder* b)
{
  sqi_tree* tree = &b->bvh->tree;
  tree->type = b->source.type;
  tree->dimension = b->source.dimension;
  sqi_phase(context, "Building BVH", 0.6, 0.75);
  sq_status status = sqi_tree_allocate(context, tree, b->count, b->options.leaf_size);
  status = status == SQ_OK ? sqi_tree_set_order(context, tree, b->items) : status;
  status = status == SQ_OK
    ? sqi_candidate_index_allocate(context, b->source.type, b->source.dimension,
        (tree->topology.node_count + 1) / 2, b->count, &b->bvh->index)
    : status;
  sqi_phase(context, "Building BVH", 0.75, 0.95);
  status = status == SQ_OK ? sqi_tree_leaves(context, &tree->topology, leaves_body, b) : status;
  sqi_phase(context, "Building BVH", 0.95, 1.0);
  status = status == SQ_OK ? sqi_tree_upward(context, &tree->topology, join_body, tree) : status;
  return status == SQ_OK ? sqi_candidate_index_finish(context, &b->bvh->index) : status;
}

/** Finds the boxes of Lagrange and Bezier cells, if there are any; of others they are empty. */
static sq_status find_layouts(sq_context* context, builder* b)
{
  sq_mesh_index mesh;
  memset(&mesh, 0, sizeof(mesh));
  mesh.blocks = (sq_cells*)b->source.blocks;
  mesh.block_count = b->source.block_count;
  mesh.first = b->source.first;
  int64_t cells = b->source.first[b->source.block_count];
  sq_status status = b->source.dimension == 3
    ? sqi_layouts_build(context, mesh.blocks, mesh.block_count, &mesh.layouts)
    : SQ_OK;
  if (status == SQ_OK && mesh.layouts.count)
  {
    status = SQI_NEW(context, &b->layouts, 6 * cells);
    for (int64_t i = 0; status == SQ_OK && i < 6 * cells; ++i)
    {
      b->layouts[i] = i % 6 < 3 ? HUGE_VAL : -HUGE_VAL;
    }
    status = status == SQ_OK ? sqi_mesh_layout_boxes(context, &mesh, b->layouts) : status;
  }
  sqi_layouts_release(&context->allocator, &mesh.layouts);
  return status;
}

static sq_status build(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  sq_status status = SQI_NEW(context, &b->source.first, b->source.block_count + (int64_t)1);
  sqi_phase(context, "Checking cells", 0.0, 0.1);
  status = status == SQ_OK ? sqi_cell_source_check(context, &b->source) : status;
  status = status == SQ_OK ? find_layouts(context, b) : status;
  b->chunks = status == SQ_OK ? (b->source.first[b->source.block_count] + CHUNK - 1) / CHUNK : 0;
  status = status == SQ_OK ? SQI_NEW(context, &b->taken, b->chunks) : status;
  status = status == SQ_OK ? SQI_NEW(context, &b->skipped, b->chunks) : status;
  status = status == SQ_OK ? SQI_NEW(context, &b->extremes, threads) : status;
  int64_t boxes = status == SQ_OK && (b->layouts || b->options.leaf_size <= BOXES_LEAF_SIZE)
    ? b->source.first[b->source.block_count]
    : 0;
  size_t box = 2 * (size_t)b->source.dimension * sq_type_bytes(b->source.type);
  status = status == SQ_OK ? sqi_alloc(context, boxes, box, &b->boxes) : status;
  status = status == SQ_OK ? sort_cells(context, b) : status;
  status = status == SQ_OK ? build_tree(context, b) : status;
  SQI_FREE(context, b->layouts, b->layouts ? 6 * b->source.first[b->source.block_count] : 0);
  SQI_FREE(context, b->source.first, b->source.block_count + (int64_t)1);
  SQI_FREE(context, b->taken, b->chunks);
  SQI_FREE(context, b->skipped, b->chunks);
  SQI_FREE(context, b->extremes, threads);
  sqi_free(context, b->boxes, boxes, box);
  SQI_FREE(context, b->keys, b->count);
  SQI_FREE(context, b->items, b->count);
  return status;
}

sq_status sq_bvh_build(sq_context* context, const sq_cells* blocks, int32_t block_count,
  const sq_bvh_options* options, sq_bvh** bvh)
{
  if (bvh)
  {
    *bvh = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!bvh)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "BVH: no output given");
  }
  builder b;
  memset(&b, 0, sizeof(b));
  b.source.blocks = blocks;
  b.source.block_count = block_count;
  b.source.not_finite = options && options->flags & SQ_BVH_REFERENCE_NAN;
  b.options = options ? *options : sq_bvh_options_default();
  sq_status status = check_options(context, &b);
  status = status == SQ_OK ? sqi_handle_new(context, sizeof(*b.bvh), (void**)&b.bvh) : status;
  status = status == SQ_OK ? build(context, &b) : status;
  if (status != SQ_OK)
  {
    sq_bvh_destroy(b.bvh);
    b.bvh = NULL;
  }
  *bvh = b.bvh;
  return status;
}
