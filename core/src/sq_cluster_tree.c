#include "spatialqueries/sq_cluster_tree.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_morton.h"
#include "sqi_reference_tree.h"
#include "sqi_sort.h"
#include "sqi_view.h"

#include <string.h>

/** Points of one chunk. */
#define CHUNK (1 << 13)

typedef struct builder
{
  sq_cluster_tree* tree;
  const sq_points* points;
  const void* areas;
  sq_cluster_tree_options options;
  int64_t chunks;
  int64_t* skipped; /* points that are not finite: first of each chunk, then of all chunks before */
  int64_t finite; /* points that are */
  sqi_extremes* extremes; /* one a thread */
  sqi_morton morton;
  uint64_t* keys; /* of the finite points */
  uint32_t* items; /* the finite points, then the others by id */
} builder;

sq_cluster_tree_options sq_cluster_tree_options_default(void)
{
  sq_cluster_tree_options o = { SQ_LEAF_SIZE_DEFAULT, SQ_NON_FINITE_REJECT };
  return o;
}

/** Reads a point; 0 if a coordinate is not finite. */
SQI_REAL int read_point(sq_type type, int32_t dimension, const void* data, int64_t i, double* x)
{
  int finite = 1;
  for (int32_t d = 0; d < dimension; ++d)
  {
    x[d] = sqi_real(data, type, i * dimension + d);
    finite &= sqi_is_finite(x[d]);
  }
  return finite;
}

SQI_REAL sq_status find_extremes(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  sqi_extremes e = b->extremes[thread];
  int64_t skipped = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    if (read_point(type, dimension, b->points->data, i, x))
    {
      sqi_extremes_add(&e, dimension, x);
    }
    else
    {
      ++skipped;
    }
  }
  b->extremes[thread] = e;
  b->skipped[begin / CHUNK] = skipped;
  return SQ_OK;
}

static sq_status extremes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  return SQI_BY_REAL(find_extremes, b->points->type, b->points->dimension, b, begin, end, thread);
}

/** Codes and ids of the finite points of a chunk, and the ids of the others behind all finite ones. */
SQI_REAL sq_status write_keys(
  sq_type type, int32_t dimension, builder* b, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  int64_t other = b->skipped[begin / CHUNK];
  int64_t at = begin - other;
  other += b->finite;
  for (int64_t i = begin; i < end; ++i)
  {
    double x[3];
    if (read_point(type, dimension, b->points->data, i, x))
    {
      b->keys[at] = sqi_morton_code(&b->morton, type, dimension, x);
      b->items[at++] = (uint32_t)i;
    }
    else
    {
      b->items[other++] = (uint32_t)i;
    }
  }
  return SQ_OK;
}

static sq_status keys_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  return SQI_BY_REAL(write_keys, b->points->type, b->points->dimension, b, begin, end, thread);
}

/** Box and area of a leaf; 0 if it has no finite point. */
SQI_REAL int fill_leaf(sq_type type, int32_t dimension, const builder* b, int64_t node, double* lo,
  double* hi, double* sum)
{
  const sqi_midpoint_tree* t = &b->tree->tree.topology;
  int64_t first = t->range_start[node], last = first + t->range_count[node];
  last = last < b->finite ? last : b->finite;
  for (int32_t d = 0; d < dimension; ++d)
  {
    lo[d] = HUGE_VAL;
    hi[d] = -HUGE_VAL;
  }
  for (int64_t k = first; k < last; ++k)
  {
    int64_t i = b->tree->tree.order[k];
    for (int32_t d = 0; d < dimension; ++d)
    {
      double x = sqi_real(b->points->data, type, i * dimension + d);
      lo[d] = x < lo[d] ? x : lo[d];
      hi[d] = x > hi[d] ? x : hi[d];
    }
    *sum = sqi_rounded(type, *sum + (b->areas ? sqi_real(b->areas, type, i) : 1.0));
  }
  return first < last;
}

/** The same of an inner node; skipped points are last, so the left child has a finite point if any has. */
SQI_REAL int join_children(sq_type type, int32_t dimension, const builder* b, int64_t node,
  double* lo, double* hi, double* sum)
{
  const sqi_tree* tree = &b->tree->tree;
  const sqi_midpoint_tree* t = &tree->topology;
  int64_t left = t->left_child[node];
  int64_t both = t->range_start[left + 1] < b->finite ? dimension : 0;
  for (int32_t d = 0; d < dimension; ++d)
  {
    double l = sqi_real(tree->aabb_min, type, left * dimension + d);
    double r = sqi_real(tree->aabb_min, type, left * dimension + both + d);
    lo[d] = r < l ? r : l;
    l = sqi_real(tree->aabb_max, type, left * dimension + d);
    r = sqi_real(tree->aabb_max, type, left * dimension + both + d);
    hi[d] = r > l ? r : l;
  }
  *sum = sqi_rounded(type,
    sqi_real(b->tree->total_area, type, left) + sqi_real(b->tree->total_area, type, left + 1));
  return t->range_start[node] < b->finite;
}

SQI_REAL sq_status fill_nodes(
  sq_type type, int32_t dimension, const builder* b, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  sq_cluster_tree* tree = b->tree;
  for (int64_t node = begin; node < end; ++node)
  {
    double lo[3], hi[3], sum = 0.0, diameter2 = 0.0;
    int filled = tree->tree.topology.leaf_count[node]
      ? fill_leaf(type, dimension, b, node, lo, hi, &sum)
      : join_children(type, dimension, b, node, lo, hi, &sum);
    for (int32_t d = 0; d < dimension; ++d)
    {
      lo[d] = filled ? lo[d] : (double)NAN;
      hi[d] = filled ? hi[d] : (double)NAN;
      double extent = sqi_rounded(type, hi[d] - lo[d]);
      diameter2 = sqi_rounded(type, diameter2 + sqi_rounded(type, extent * extent));
      sqi_set_real(tree->tree.aabb_min, type, node * dimension + d, lo[d]);
      sqi_set_real(tree->tree.aabb_max, type, node * dimension + d, hi[d]);
    }
    sqi_set_real(tree->diameter2, type, node, diameter2);
    sqi_set_real(tree->total_area, type, node, sum);
  }
  return SQ_OK;
}

static sq_status nodes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const builder* b = (const builder*)data;
  return SQI_BY_REAL(fill_nodes, b->points->type, b->points->dimension, b, begin, end, thread);
}

static sq_status check(sq_context* context, const builder* b)
{
  sq_status status = sqi_check_points_of(context, b->points, "points", 1, 3);
  if (status != SQ_OK)
  {
    return status;
  }
  if (b->options.leaf_size < SQ_LEAF_SIZE_MIN)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "leaf size %lld, allowed are %d and more",
      (long long)b->options.leaf_size, SQ_LEAF_SIZE_MIN);
  }
  if (b->options.non_finite != SQ_NON_FINITE_REJECT && b->options.non_finite != SQ_NON_FINITE_KEEP)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "non-finite points: %d, allowed are SQ_NON_FINITE_REJECT and SQ_NON_FINITE_KEEP",
      (int)b->options.non_finite);
  }
  return b->points->count <= INT32_MAX
    ? SQ_OK
    : sqi_fail(context, SQ_TOO_LARGE, "%lld points, a tree takes up to %d",
        (long long)b->points->count, INT32_MAX);
}

/** Turns the counts of chunks into sums; fails if non-finite points are not allowed. */
static sq_status sum_skipped(sq_context* context, builder* b)
{
  int64_t sum = 0, first = -1;
  for (int64_t c = 0; c < b->chunks; ++c)
  {
    int64_t here = b->skipped[c];
    first = here && first < 0 ? c * CHUNK : first;
    b->skipped[c] = sum;
    sum += here;
  }
  b->finite = b->points->count - sum;
  b->tree->skipped = sum;
  if (!sum || b->options.non_finite == SQ_NON_FINITE_KEEP)
  {
    return SQ_OK;
  }
  double x[3];
  while (SQI_BY_REAL(read_point, b->points->type, b->points->dimension, b->points->data, first, x))
  {
    ++first;
  }
  return sqi_fail(context, SQ_INVALID_DATA,
    "point %lld has a coordinate that is not finite (%lld of %lld points have)", (long long)first,
    (long long)sum, (long long)b->points->count);
}

/** Items in their order. */
static sq_status sort_points(sq_context* context, builder* b)
{
  int64_t count = b->points->count;
  int32_t threads = sq_context_threads(context);
  sqi_extremes_clear(b->extremes, threads);
  sqi_phase(context, "Sorting points", 0.0, 0.05);
  sq_status status = sqi_parallel_for(context, count, CHUNK, extremes_body, b);
  status = status == SQ_OK ? sum_skipped(context, b) : status;
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_extremes_join(b->extremes, threads);
  b->morton = sqi_morton_of(b->extremes, b->points->type, b->points->dimension);
  status = SQI_NEW(context, &b->keys, count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &b->items, count);
  }
  if (status == SQ_OK)
  {
    sqi_phase(context, "Sorting points", 0.05, 0.15);
    status = sqi_parallel_for(context, count, CHUNK, keys_body, b);
  }
  if (status == SQ_OK)
  {
    sqi_phase(context, "Sorting points", 0.15, 0.5);
    status = sqi_sort(context, b->keys, b->items, b->finite, sqi_morton_bits(b->points->dimension));
  }
  SQI_FREE(context, b->keys, count);
  b->keys = NULL;
  return status;
}

typedef struct copy_job
{
  char* to;
  const char* from;
} copy_job;

static sq_status copy_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const copy_job* c = (const copy_job*)data;
  memcpy(c->to + begin, c->from + begin, (size_t)(end - begin));
  return SQ_OK;
}

static sq_status finite_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const builder* b = (const builder*)data;
  const sqi_midpoint_tree* t = &b->tree->tree.topology;
  for (int64_t node = begin; node < end; ++node)
  {
    int64_t left = b->finite - t->range_start[node];
    left = left < t->range_count[node] ? left : t->range_count[node];
    b->tree->finite_count[node] = left < 0 ? 0 : left;
  }
  return SQ_OK;
}

static sq_status allocate_tree(sq_context* context, builder* b)
{
  sq_cluster_tree* tree = b->tree;
  size_t real = sq_type_bytes(b->points->type);
  sq_status status =
    sqi_tree_allocate(context, &tree->tree, b->points->count, b->options.leaf_size);
  int64_t nodes = tree->tree.topology.node_count;
  if (status == SQ_OK)
  {
    status = sqi_alloc(context, nodes, real, &tree->diameter2);
  }
  if (status == SQ_OK)
  {
    status = sqi_alloc(context, nodes, real, &tree->total_area);
  }
  if (status == SQ_OK)
  {
    status =
      sqi_alloc(context, b->points->count, real * (size_t)b->points->dimension, &tree->points);
  }
  if (status == SQ_OK && tree->skipped)
  {
    status = SQI_NEW(context, &tree->finite_count, nodes);
  }
  return status;
}

static sq_status fill_tree(sq_context* context, builder* b)
{
  sq_cluster_tree* tree = b->tree;
  sqi_phase(context, "Building cluster tree", 0.5, 0.7);
  sq_status status = allocate_tree(context, b);
  if (status == SQ_OK)
  {
    status = sqi_tree_set_order(context, &tree->tree, b->items);
  }
  if (status == SQ_OK)
  {
    copy_job copy = { (char*)tree->points, (const char*)b->points->data };
    int64_t row = b->points->dimension * (int64_t)sq_type_bytes(b->points->type);
    status = sqi_parallel_for(context, b->points->count * row, 1 << 20, copy_body, &copy);
  }
  if (status == SQ_OK && tree->finite_count)
  {
    status = sqi_parallel_for(context, tree->tree.topology.node_count, CHUNK, finite_body, b);
  }
  sqi_phase(context, "Building cluster tree", 0.7, 1.0);
  return status == SQ_OK ? sqi_tree_upward(context, &tree->tree.topology, nodes_body, b) : status;
}

static sq_status build(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  b->tree->tree.type = b->points->type;
  b->tree->tree.dimension = b->points->dimension;
  b->chunks = (b->points->count + CHUNK - 1) / CHUNK;
  sq_status status = SQI_NEW(context, &b->skipped, b->chunks);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &b->extremes, threads);
  }
  if (status == SQ_OK)
  {
    status = sort_points(context, b);
  }
  if (status == SQ_OK)
  {
    status = fill_tree(context, b);
  }
  SQI_FREE(context, b->skipped, b->chunks);
  SQI_FREE(context, b->extremes, threads);
  SQI_FREE(context, b->keys, b->points->count);
  SQI_FREE(context, b->items, b->points->count);
  return status;
}

sq_status sq_cluster_tree_build(sq_context* context, const sq_points* points, const void* areas,
  const sq_cluster_tree_options* options, sq_cluster_tree** tree)
{
  if (tree)
  {
    *tree = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!tree)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "cluster tree: no output given");
  }
  builder b;
  memset(&b, 0, sizeof(b));
  b.points = points;
  b.areas = areas;
  b.options = options ? *options : sq_cluster_tree_options_default();
  sq_status status = check(context, &b);
  if (status == SQ_OK)
  {
    status = sqi_handle_new(context, sizeof(*b.tree), (void**)&b.tree);
  }
  if (status == SQ_OK)
  {
    status = build(context, &b);
  }
  if (status != SQ_OK)
  {
    sq_cluster_tree_destroy(b.tree);
    b.tree = NULL;
  }
  *tree = b.tree;
  return status;
}

void sq_cluster_tree_destroy(sq_cluster_tree* tree)
{
  if (!tree)
  {
    return;
  }
  sq_allocator allocator = tree->tree.allocator;
  int64_t nodes = tree->tree.topology.node_count;
  size_t real = sq_type_bytes(tree->tree.type);
  if (!tree->tree.mapping)
  {
    sqi_release(&allocator, tree->diameter2, nodes, real);
    sqi_release(&allocator, tree->total_area, nodes, real);
    sqi_release(&allocator, tree->points, tree->tree.topology.item_count,
      real * (size_t)tree->tree.dimension);
  }
  SQI_RELEASE(&allocator, tree->finite_count, nodes);
  sqi_tree_release(&tree->tree);
  SQI_RELEASE(&allocator, tree, 1);
}

sq_status sq_cluster_tree_get_view(const sq_cluster_tree* tree, sq_cluster_tree_view* view)
{
  if (!tree || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  const sqi_tree* t = &tree->tree;
  sq_cluster_tree_view v = { .type = t->type,
    .dimension = t->dimension,
    .node_count = t->topology.node_count,
    .point_count = t->topology.item_count,
    .skipped_points = tree->skipped,
    .max_depth = t->topology.max_depth,
    .node_aabb_min = t->aabb_min,
    .node_aabb_max = t->aabb_max,
    .node_diameter_sq = tree->diameter2,
    .node_total_area = tree->total_area,
    .node_left_child = t->topology.left_child,
    .node_right_child = t->topology.right_child,
    .leaf_start = t->topology.leaf_start,
    .leaf_count = t->topology.leaf_count,
    .node_range_start = t->topology.range_start,
    .node_range_count = t->topology.range_count,
    .sorted_source_order = t->order,
    .source_points = tree->points,
    .node_finite_count = tree->finite_count };
  *view = v;
  return SQ_OK;
}
