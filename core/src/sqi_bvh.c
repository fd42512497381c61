#include "sqi_bvh.h"
#include "sqi_alloc.h"
#include "sqi_bvh_split.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <assert.h>
#include <stdlib.h>

/** Items whose median is the middle of the frame. */
#define SAMPLES 511
/** Items of one chunk of a loop over all of them. */
#define CHUNK 8192
/**
 * From this depth on ranges are halved by count, largest first, so that each level divides them by 8 or more: 2^31
 * items are done 10 levels later. Only contrived scenes get there.
 */
#define MEDIAN_DEPTH (SQI_BVH_DEPTH_MAX - 11)

sqi_frame sqi_frame_around(const double middle[3], const double lo[3], const double hi[3])
{
  sqi_frame f;
  double half = 0.0;
  double largest = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    /* Of halves, so that the largest finite scenes do not overflow. */
    double below = 0.5 * middle[d] - 0.5 * lo[d];
    double above = 0.5 * hi[d] - 0.5 * middle[d];
    half = fmax(half, fmax(below, above));
    largest = fmax(largest, fmax(fabs(lo[d]), fabs(hi[d])));
  }
  /* A scene smaller than the last bits of its coordinates (a point) is given a size, so that queries keep theirs. */
  half = fmax(half, largest * 0x1p-51);
  int exponent = 0;
  if (half > 0.0)
  {
    (void)frexp(half, &exponent);
  }
  /* Within normal numbers: a scene of 2^-1000 gets small local coordinates, which costs speed only. */
  exponent = exponent < -1000 ? -1000 : exponent;
  f.scale = ldexp(0.5, -exponent);
  for (int d = 0; d < 3; ++d)
  {
    f.centre[d] = middle[d] * f.scale;
  }
  return f;
}

typedef struct builder
{
  sqi_bvh_splitter splitter;
  sqi_bvh* bvh;
  sqi_bvh_box box;
  const void* data;
  double* bounds; /* 6 a thread */
  sqi_bvh_range* centres; /* one a thread: box and centre box of what it has filled */
  /* The level at work: its ranges, and for each the ranges of its up to 8 children. */
  const sqi_bvh_range* ranges;
  sqi_bvh_range* children;
  uint8_t* child_counts;
  sqi_bvh_node* level_nodes[SQI_BVH_DEPTH_MAX + 1];
  int32_t level_count[SQI_BVH_DEPTH_MAX + 1];
  int32_t depth;
} builder;

static sq_status measure_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  double* bounds = b->bounds + 6 * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double lo[3], hi[3];
    b->box(b->data, i, lo, hi);
    for (int d = 0; d < 3; ++d)
    {
      bounds[d] = lo[d] < bounds[d] ? lo[d] : bounds[d];
      bounds[3 + d] = hi[d] > bounds[3 + d] ? hi[d] : bounds[3 + d];
    }
  }
  return SQ_OK;
}

/** The box of all items. */
static sq_status measure(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  for (int32_t i = 0; i < 6 * threads; ++i)
  {
    b->bounds[i] = i % 6 < 3 ? HUGE_VAL : -HUGE_VAL;
  }
  sq_status status = sqi_parallel_for(context, b->bvh->item_count, CHUNK, measure_body, b);
  for (int32_t t = 0; t < threads; ++t)
  {
    for (int d = 0; d < 3; ++d)
    {
      b->bvh->lo[d] = fmin(b->bvh->lo[d], b->bounds[6 * t + d]);
      b->bvh->hi[d] = fmax(b->bvh->hi[d], b->bounds[6 * t + 3 + d]);
    }
  }
  return status;
}

static int compare(const void* a, const void* b)
{
  double p = *(const double*)a;
  double q = *(const double*)b;
  return (p > q) - (p < q);
}

/** Medians of the box centres of a few items, evenly spread. */
static void find_middle(const builder* b, double middle[3])
{
  double centre[3][SAMPLES];
  int64_t count = b->bvh->item_count < SAMPLES ? b->bvh->item_count : SAMPLES;
  for (int64_t i = 0; i < count; ++i)
  {
    double lo[3], hi[3];
    b->box(b->data, i * b->bvh->item_count / count, lo, hi);
    for (int d = 0; d < 3; ++d)
    {
      centre[d][i] = 0.5 * lo[d] + 0.5 * hi[d];
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    qsort(centre[d], (size_t)count, sizeof(double), compare);
    middle[d] = centre[d][count / 2];
  }
}

static sq_status fill_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  builder* b = (builder*)data;
  sqi_bvh_range* all = b->centres + thread;
  for (int64_t i = begin; i < end; ++i)
  {
    double lo[3], hi[3], l[3], h[3];
    b->box(b->data, i, lo, hi);
    sqi_frame_local(&b->bvh->frame, lo, l);
    sqi_frame_local(&b->bvh->frame, hi, h);
    sqi_half_box ref = { sqi_set4(0.0f), sqi_set4(0.0f) };
    for (int d = 0; d < 3; ++d)
    {
      ref.lo[d] = sqi_round_down(l[d]);
      ref.minus_hi[d] = -sqi_round_up(h[d]);
    }
    sqi_half_box centre = sqi_doubled_centre(&ref);
    sqi_half_box_add(&all->box, &ref);
    sqi_half_box_add(&all->centres, &centre);
    int32_t item = (int32_t)i;
    memcpy((char*)&ref.lo + 12, &item, sizeof(item));
    b->splitter.refs[i] = ref;
  }
  return SQ_OK;
}

static sq_status fill(sq_context* context, builder* b, sqi_bvh_range* root)
{
  int32_t threads = sq_context_threads(context);
  for (int32_t t = 0; t < threads; ++t)
  {
    b->centres[t].box = b->centres[t].centres = sqi_half_box_empty();
  }
  sq_status status = sqi_parallel_for(context, b->bvh->item_count, CHUNK, fill_body, b);
  *root = b->centres[0];
  for (int32_t t = 1; t < threads; ++t)
  {
    sqi_half_box_add(&root->box, &b->centres[t].box);
    sqi_half_box_add(&root->centres, &b->centres[t].centres);
  }
  root->begin = 0;
  root->end = b->bvh->item_count;
  return status;
}

/** The child to split next: of those too large for a leaf the one with the most surface (or items); -1: none. */
static int next_to_split(const builder* b, const sqi_bvh_range* children, int count, int median)
{
  int best = -1;
  float most = -1.0f;
  for (int k = 0; k < count; ++k)
  {
    int32_t n = children[k].end - children[k].begin;
    float size = median ? (float)n : sqi_half_box_area(&children[k].box);
    if (n > b->splitter.leaf_size && size > most)
    {
      most = size;
      best = k;
    }
  }
  return best;
}

static sq_status split_wide(builder* b, int64_t i)
{
  sqi_bvh_range* children = b->children + i * SQI_BVH_WIDTH;
  int median = b->depth >= MEDIAN_DEPTH;
  int count = 1;
  children[0] = b->ranges[i];
  while (count < SQI_BVH_WIDTH)
  {
    int k = next_to_split(b, children, count, median);
    if (k < 0)
    {
      break;
    }
    sqi_bvh_range whole = children[k];
    sq_status status = sqi_bvh_split(&b->splitter, &whole, median, &children[k], &children[count]);
    if (status != SQ_OK)
    {
      return status;
    }
    ++count;
  }
  b->child_counts[i] = (uint8_t)count;
  return SQ_OK;
}

static int is_large(const builder* b, int64_t i)
{
  return b->ranges[i].end - b->ranges[i].begin > b->splitter.large;
}

static sq_status split_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    if (!is_large(b, i))
    {
      (void)split_wide(b, i); /* fails only for large ranges */
    }
  }
  return SQ_OK;
}

static sq_status split_level(sq_context* context, builder* b, int32_t count)
{
  for (int32_t i = 0; i < count; ++i)
  {
    if (is_large(b, i))
    {
      sq_status status = split_wide(b, i);
      if (status != SQ_OK)
      {
        return status;
      }
    }
  }
  int64_t grain = (int64_t)count * CHUNK / b->bvh->item_count;
  return sqi_parallel_for(context, count, grain > 0 ? grain : 1, split_body, b);
}

static void set_child(
  const builder* b, sqi_bvh_node* node, int k, const sqi_bvh_range* range, int32_t inner)
{
  for (int d = 0; d < 3; ++d)
  {
    node->lo[d][k] = range ? range->box.lo[d] : INFINITY;
    node->hi[d][k] = range ? -range->box.minus_hi[d] : -INFINITY;
  }
  node->child[k] = 0;
  node->count[k] = 0;
  if (range && range->end - range->begin <= b->splitter.leaf_size)
  {
    node->child[k] = range->begin;
    node->count[k] = (uint8_t)(range->end - range->begin);
  }
  else if (range)
  {
    node->child[k] = inner;
  }
}

/** Writes the nodes of a level and moves the ranges of their inner children to the front of `children`. */
static int32_t write_nodes(builder* b, sqi_bvh_node* nodes, int32_t count, int32_t first_child)
{
  int32_t inner = 0;
  for (int32_t i = 0; i < count; ++i)
  {
    memset(&nodes[i], 0, sizeof(nodes[i]));
    nodes[i].child_count = b->child_counts[i];
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      sqi_bvh_range* r = &b->children[(int64_t)i * SQI_BVH_WIDTH + k];
      int used = k < b->child_counts[i];
      set_child(b, &nodes[i], k, used ? r : NULL, first_child + inner);
      if (used && r->end - r->begin > b->splitter.leaf_size)
      {
        b->children[inner++] = *r;
      }
    }
  }
  return inner;
}

/** Builds level after level; the ranges of a level are the inner children of the one before. */
static sq_status build_levels(sq_context* context, builder* b, const sqi_bvh_range* root)
{
  sqi_bvh_range* ranges = NULL;
  int32_t count = 1;
  int32_t node_count = 0;
  sq_status status = SQI_NEW(context, &ranges, 1);
  if (status == SQ_OK)
  {
    ranges[0] = *root;
  }
  for (b->depth = 0; status == SQ_OK; ++b->depth)
  {
    assert(b->depth <= SQI_BVH_DEPTH_MAX);
    int64_t child_space = (int64_t)count * SQI_BVH_WIDTH;
    int32_t inner = 0;
    b->ranges = ranges;
    status = SQI_NEW(context, &b->children, child_space);
    if (status == SQ_OK)
    {
      status = SQI_NEW(context, &b->child_counts, count);
    }
    if (status == SQ_OK)
    {
      status = SQI_NEW(context, &b->level_nodes[b->depth], count);
    }
    if (status == SQ_OK)
    {
      b->level_count[b->depth] = count;
      status = split_level(context, b, count);
    }
    if (status == SQ_OK)
    {
      inner = write_nodes(b, b->level_nodes[b->depth], count, node_count + count);
    }
    SQI_FREE(context, b->child_counts, count);
    SQI_FREE(context, ranges, count);
    b->child_counts = NULL;
    ranges = NULL;
    if (status == SQ_OK && inner)
    {
      status = SQI_NEW(context, &ranges, inner);
    }
    if (status == SQ_OK && inner)
    {
      memcpy(ranges, b->children, (size_t)inner * sizeof(*ranges));
    }
    SQI_FREE(context, b->children, child_space);
    node_count += count;
    count = inner;
    if (!inner)
    {
      break;
    }
  }
  b->bvh->node_count = node_count;
  b->bvh->depth = b->depth;
  return status;
}

static sq_status order_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    memcpy(&b->bvh->order[i], (const char*)&b->splitter.refs[i].lo + 12, sizeof(int32_t));
  }
  return SQ_OK;
}

/** Joins the levels and writes the order. */
static sq_status finish(sq_context* context, builder* b)
{
  sq_status status = SQI_NEW(context, &b->bvh->nodes, b->bvh->node_count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &b->bvh->order, b->bvh->item_count);
  }
  if (status != SQ_OK)
  {
    return status;
  }
  int64_t at = 0;
  for (int32_t level = 0; level <= b->bvh->depth; ++level)
  {
    memcpy(b->bvh->nodes + at, b->level_nodes[level],
      (size_t)b->level_count[level] * sizeof(sqi_bvh_node));
    at += b->level_count[level];
  }
  return sqi_parallel_for(context, b->bvh->item_count, CHUNK, order_body, b);
}

static sq_status build(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  sq_status status = SQI_NEW(context, &b->bounds, 6 * threads);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &b->centres, threads);
  }
  if (status == SQ_OK)
  {
    status = sqi_bvh_splitter_create(context, b->bvh->item_count, b->bvh->leaf_size, &b->splitter);
  }
  if (status == SQ_OK)
  {
    status = measure(context, b);
  }
  if (status == SQ_OK)
  {
    sqi_bvh_range root;
    double middle[3];
    find_middle(b, middle);
    b->bvh->frame = sqi_frame_around(middle, b->bvh->lo, b->bvh->hi);
    status = fill(context, b, &root);
    status = status == SQ_OK ? build_levels(context, b, &root) : status;
  }
  return status == SQ_OK ? finish(context, b) : status;
}

sq_status sqi_bvh_build(sq_context* context, int64_t item_count, sqi_bvh_box box, const void* data,
  int32_t leaf_size, sqi_bvh* bvh)
{
  memset(bvh, 0, sizeof(*bvh));
  bvh->allocator = context->allocator;
  bvh->leaf_size = leaf_size;
  bvh->frame.scale = 1.0;
  for (int d = 0; d < 3; ++d)
  {
    bvh->lo[d] = HUGE_VAL;
    bvh->hi[d] = -HUGE_VAL;
  }
  assert(leaf_size >= 1 && leaf_size <= SQI_BVH_LEAF_MAX);
  if (item_count > INT32_MAX)
  {
    return sqi_fail(context, SQ_TOO_LARGE, "%lld cells or triangles, allowed are 2^31 - 1",
      (long long)item_count);
  }
  if (item_count < 1)
  {
    return SQ_OK;
  }
  bvh->item_count = (int32_t)item_count;
  builder b;
  memset(&b, 0, sizeof(b));
  b.bvh = bvh;
  b.box = box;
  b.data = data;
  b.splitter.context = context;
  sq_status status = build(context, &b);
  sqi_bvh_splitter_release(&b.splitter, item_count);
  for (int32_t level = 0; level <= SQI_BVH_DEPTH_MAX; ++level)
  {
    SQI_FREE(context, b.level_nodes[level], b.level_count[level]);
  }
  SQI_FREE(context, b.bounds, 6 * sq_context_threads(context));
  SQI_FREE(context, b.centres, sq_context_threads(context));
  if (status != SQ_OK)
  {
    sqi_bvh_release(bvh);
  }
  return status;
}

void sqi_bvh_release(sqi_bvh* bvh)
{
  SQI_RELEASE(&bvh->allocator, bvh->nodes, bvh->node_count);
  SQI_RELEASE(&bvh->allocator, bvh->order, bvh->item_count);
  bvh->nodes = NULL;
  bvh->order = NULL;
  bvh->node_count = bvh->item_count = 0;
}

int64_t sqi_bvh_bytes(const sqi_bvh* bvh)
{
  return (int64_t)sizeof(*bvh->nodes) * bvh->node_count +
    (int64_t)sizeof(*bvh->order) * bvh->item_count;
}
