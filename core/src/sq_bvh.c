#include "spatialqueries/sq_bvh.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_curved_bounds.h"
#include "sqi_morton.h"
#include "sqi_reference_tree.h"
#include "sqi_sort.h"
#include "sqi_view.h"

#include <string.h>

/** Cells of one chunk. */
#define CHUNK (1 << 13)

typedef struct builder
{
  sq_bvh* bvh;
  const sq_cells* blocks;
  int32_t block_count;
  sq_bvh_options options;
  sq_type type;
  int32_t dimension;
  int64_t* first; /* number of the first cell of each block; block_count + 1 */
  int64_t chunks;
  int64_t* taken; /* cells of the tree: of each chunk, then of all chunks before */
  int64_t* skipped; /* cells that are not finite, of each chunk */
  sqi_extremes* extremes; /* one a thread */
  sqi_morton morton;
  int64_t count; /* cells of the tree */
  uint64_t* keys;
  uint32_t* items;
} builder;

sq_bvh_options sq_bvh_options_default(void)
{
  sq_bvh_options o = { SQ_LEAF_SIZE_DEFAULT, 0 };
  return o;
}

/** Where a cell is. */
typedef struct place
{
  const sq_cells* block;
  int64_t cell;
} place;

static inline place place_of(const builder* b, int64_t number)
{
  int32_t low = 0, high = b->block_count;
  while (high - low > 1)
  {
    int32_t middle = low + (high - low) / 2;
    *(b->first[middle] <= number ? &low : &high) = middle;
  }
  place p = { b->blocks + low, number - b->first[low] };
  return p;
}

/** The next cell; block ends are rare, so this costs a comparison. */
static inline void advance(place* p)
{
  ++p->cell;
}

static inline void settle(const builder* b, place* p)
{
  while (p->cell >= p->block->count && p->block < b->blocks + b->block_count - 1)
  {
    p->cell -= p->block->count;
    ++p->block;
  }
}

typedef enum verdict
{
  LEAVE_OUT,
  NOT_FINITE,
  TAKE
} verdict;

/** What becomes of a cell; and its centroid, if it is taken. */
SQI_REAL verdict read_centroid(
  sq_type type, int32_t dimension, const builder* b, const place* p, double* centroid)
{
  const sq_cells* block = p->block;
  sq_type stored = type == SQ_FLOAT32 ? SQ_FLOAT32 : block->points.type;
  int64_t begin = sqi_cell_offset(block, p->cell);
  int64_t count = sqi_cell_offset(block, p->cell + 1) - begin;
  if (!count ||
    (block->ghost && block->ghost[p->cell] & (SQ_GHOST_DUPLICATE_CELL | SQ_GHOST_HIDDEN_CELL)))
  {
    return LEAVE_OUT;
  }
  int finite = 1;
  for (int32_t d = 0; d < dimension; ++d)
  {
    centroid[d] = 0.0;
  }
  for (int64_t k = 0; k < count; ++k)
  {
    int64_t at = sqi_cell_point(block, begin, k) * dimension;
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(block->points.data, stored, at + d);
      finite &= sqi_is_finite(x);
      centroid[d] = sqi_rounded(type, centroid[d] + x);
    }
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    centroid[d] = sqi_rounded(type, centroid[d] / (double)count);
  }
  return finite || b->options.flags & SQ_BVH_REFERENCE_NAN ? TAKE : NOT_FINITE;
}

SQI_REAL sq_status find_extremes(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  sqi_extremes e = b->extremes[thread];
  int64_t taken = 0, skipped = 0;
  place p = place_of(b, begin);
  for (int64_t i = begin; i < end; ++i, advance(&p))
  {
    double x[3];
    settle(b, &p);
    verdict v = read_centroid(type, dimension, b, &p, x);
    if (v == TAKE)
    {
      sqi_extremes_add(&e, dimension, x);
    }
    taken += v == TAKE;
    skipped += v == NOT_FINITE;
  }
  b->extremes[thread] = e;
  b->taken[begin / CHUNK] = taken;
  b->skipped[begin / CHUNK] = skipped;
  return SQ_OK;
}

static sq_status extremes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  return SQI_BY_REAL(find_extremes, b->type, b->dimension, b, begin, end, thread);
}

SQI_REAL sq_status write_keys(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  int64_t at = b->taken[begin / CHUNK];
  place p = place_of(b, begin);
  for (int64_t i = begin; i < end; ++i, advance(&p))
  {
    double x[3];
    settle(b, &p);
    if (read_centroid(type, dimension, b, &p, x) == TAKE)
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
  return SQI_BY_REAL(write_keys, b->type, b->dimension, b, begin, end, thread);
}

/** The lesser number, or NaN if either is one. */
SQI_REAL double least(double a, double b)
{
  return b < a || b != b ? b : a;
}

SQI_REAL double most(double a, double b)
{
  return b > a || b != b ? b : a;
}

/** Box of a curved cell, rounded outward. */
static void widen_curved(
  const place* p, int kind, int64_t begin, sq_type type, int32_t dimension, double* lo, double* hi)
{
  double points[3 * SQK_SHAPE_NODES] = { 0.0 }, box_lo[3] = { 0.0 }, box_hi[3] = { 0.0 };
  double largest = 0.0;
  for (int64_t i = 0; i < sqk_shape_nodes(kind) * (int64_t)dimension; ++i)
  {
    int64_t point = sqi_cell_point(p->block, begin, i / dimension);
    double x =
      sqi_real(p->block->points.data, p->block->points.type, point * dimension + i % dimension);
    points[3 * (i / dimension) + i % dimension] = x;
    largest = fmax(largest, fabs(x));
  }
  if (!sqi_is_finite(largest))
  {
    return;
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    box_lo[d] = lo[d];
    box_hi[d] = hi[d];
  }
  sqi_curved_bounds(kind, points, largest, box_lo, box_hi);
  for (int32_t d = 0; d < dimension; ++d)
  {
    lo[d] = sqi_rounded(type, box_lo[d]);
    hi[d] = sqi_rounded(type, box_hi[d]);
    if (lo[d] > box_lo[d])
    {
      lo[d] = (double)nextafterf((float)lo[d], -HUGE_VALF);
    }
    if (hi[d] < box_hi[d])
    {
      hi[d] = (double)nextafterf((float)hi[d], HUGE_VALF);
    }
  }
}

/** Widens [lo, hi] by the box of a cell. */
SQI_REAL void add_cell(sq_type type, int32_t dimension, const place* p, double* lo, double* hi)
{
  const sq_cells* block = p->block;
  sq_type stored = type == SQ_FLOAT32 ? SQ_FLOAT32 : block->points.type;
  int64_t begin = sqi_cell_offset(block, p->cell);
  int64_t count = sqi_cell_offset(block, p->cell + 1) - begin;
  double cell_lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double cell_hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  for (int64_t k = 0; k < count; ++k)
  {
    int64_t at = sqi_cell_point(block, begin, k) * dimension;
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(block->points.data, stored, at + d);
      cell_lo[d] = least(cell_lo[d], x);
      cell_hi[d] = most(cell_hi[d], x);
    }
  }
  int kind = sqi_cell_kind(block, p->cell);
  if (sqk_shape_is_curved(kind) && count == sqk_shape_nodes(kind))
  {
    widen_curved(p, kind, begin, type, dimension, cell_lo, cell_hi);
  }
  for (int32_t d = 0; d < dimension; ++d)
  {
    lo[d] = least(lo[d], cell_lo[d]);
    hi[d] = most(hi[d], cell_hi[d]);
  }
}

SQI_REAL sq_status fill_boxes(
  sq_type type, int32_t dimension, const builder* b, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const sqi_tree* tree = &b->bvh->tree;
  const sqi_midpoint_tree* t = &tree->topology;
  for (int64_t node = begin; node < end; ++node)
  {
    double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    int64_t count = t->leaf_count[node], start = t->leaf_start[node];
    for (int64_t k = 0; k < count; ++k)
    {
      place p = place_of(b, tree->order[start + k]);
      add_cell(type, dimension, &p, lo, hi);
    }
    int64_t child = (count ? 0 : t->left_child[node]) * dimension;
    for (int32_t d = 0; d < dimension; ++d)
    {
      if (!count)
      {
        lo[d] = least(sqi_real(tree->aabb_min, type, child + d),
          sqi_real(tree->aabb_min, type, child + dimension + d));
        hi[d] = most(sqi_real(tree->aabb_max, type, child + d),
          sqi_real(tree->aabb_max, type, child + dimension + d));
      }
      sqi_set_real(tree->aabb_min, type, node * dimension + d, lo[d]);
      sqi_set_real(tree->aabb_max, type, node * dimension + d, hi[d]);
    }
  }
  return SQ_OK;
}

static sq_status boxes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const builder* b = (const builder*)data;
  return SQI_BY_REAL(fill_boxes, b->type, b->dimension, b, begin, end, thread);
}

static sq_status check_options(sq_context* context, const builder* b)
{
  if (b->block_count < 0 || (b->block_count && !b->blocks))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "BVH: %d blocks, none given", (int)b->block_count);
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

/** Checks every block and sets type, dimension and the numbers of cells. */
static sq_status check_blocks(sq_context* context, builder* b)
{
  b->type = SQ_FLOAT32;
  b->dimension = b->block_count ? b->blocks->points.dimension : 3;
  b->first[0] = 0;
  for (int32_t i = 0; i < b->block_count; ++i)
  {
    const sq_cells* block = b->blocks + i;
    sq_status status = sqi_check_cells_of(context, block, i, 1, 3);
    if (status != SQ_OK)
    {
      return status;
    }
    if (block->points.dimension != b->dimension)
    {
      return sqi_fail(context, SQ_INVALID_DATA,
        "block %d: points of %d coordinates, block 0 has %d; all must have the same", (int)i,
        (int)block->points.dimension, (int)b->dimension);
    }
    b->type = block->points.count && block->points.type == SQ_FLOAT64 ? SQ_FLOAT64 : b->type;
    if (block->count > INT32_MAX - b->first[i])
    {
      return sqi_fail(context, SQ_TOO_LARGE, "more than %d cells up to block %d, a tree takes %d",
        INT32_MAX, (int)i, INT32_MAX);
    }
    b->first[i + 1] = b->first[i] + block->count;
  }
  return SQ_OK;
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
  int64_t cells = b->first[b->block_count];
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
  b->morton = sqi_morton_of(b->extremes, b->type, b->dimension);
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
    status = sqi_sort(context, b->keys, b->items, b->count, sqi_morton_bits(b->dimension));
  }
  SQI_FREE(context, b->keys, b->count);
  b->keys = NULL;
  return status;
}

static sq_status build_tree(sq_context* context, builder* b)
{
  sqi_tree* tree = &b->bvh->tree;
  tree->type = b->type;
  tree->dimension = b->dimension;
  sqi_phase(context, "Building BVH", 0.6, 0.75);
  sq_status status = sqi_tree_allocate(context, tree, b->count, b->options.leaf_size);
  status = status == SQ_OK ? sqi_tree_set_order(context, tree, b->items) : status;
  sqi_phase(context, "Building BVH", 0.75, 1.0);
  return status == SQ_OK ? sqi_tree_upward(context, &tree->topology, boxes_body, b) : status;
}

static sq_status build(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  sq_status status = SQI_NEW(context, &b->first, b->block_count + (int64_t)1);
  sqi_phase(context, "Checking cells", 0.0, 0.1);
  status = status == SQ_OK ? check_blocks(context, b) : status;
  b->chunks = status == SQ_OK ? (b->first[b->block_count] + CHUNK - 1) / CHUNK : 0;
  status = status == SQ_OK ? SQI_NEW(context, &b->taken, b->chunks) : status;
  status = status == SQ_OK ? SQI_NEW(context, &b->skipped, b->chunks) : status;
  status = status == SQ_OK ? SQI_NEW(context, &b->extremes, threads) : status;
  status = status == SQ_OK ? sort_cells(context, b) : status;
  status = status == SQ_OK ? build_tree(context, b) : status;
  SQI_FREE(context, b->first, b->block_count + (int64_t)1);
  SQI_FREE(context, b->taken, b->chunks);
  SQI_FREE(context, b->skipped, b->chunks);
  SQI_FREE(context, b->extremes, threads);
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
  b.blocks = blocks;
  b.block_count = block_count;
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
