#include "sqi_bvh.h"
#include "sqi_alloc.h"
#include "sqi_bvh_collapse.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <assert.h>
#include <stdlib.h>

/** Items whose median is the middle of the frame. */
#define SAMPLES 511
/** Items of one chunk of a loop over all of them. */
#define CHUNK 8192
/**
 * From this depth of the binary tree on ranges are halved by count: 2^31 items are done 31 levels later. Only contrived
 * scenes get there.
 */
#define MEDIAN_DEPTH (SQI_BVH_DEPTH_MAX - 32)

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
  sqi_stages stages;
  sqi_bvh_splitter splitter;
  sqi_bvh* bvh;
  sqi_bvh_box box;
  const void* data;
  double* bounds; /* 6 a thread */
  sqi_bvh_range* centres; /* one a thread: box and centre box of what it has filled */
  sqi_bvh_twig* level[SQI_BVH_DEPTH_MAX + 2]; /* the binary tree, level by level */
  int32_t first[SQI_BVH_DEPTH_MAX + 3]; /* twigs before each level */
  int32_t level_count;
  /* The level at work, and the next. */
  int32_t depth;
  sqi_bvh_twig* twigs;
  sqi_bvh_twig* children;
  int32_t first_child;
  sqi_bvh_twig* joined; /* all levels */
  int with_boxes;
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
    sqi_i4 words =
      (sqi_i4)ref.lo; /* in registers: what is stored in parts is slow to load as one */
    words[3] = (int32_t)i;
    ref.lo = (sqi_f4)words;
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

static int is_inner(const builder* b, const sqi_bvh_twig* t)
{
  return t->range.end - t->range.begin > b->splitter.leaf_size;
}

static int is_large(const builder* b, const sqi_bvh_twig* t)
{
  return t->range.end - t->range.begin > b->splitter.large;
}

/** Splits twig i of the level; its children are those of the inner twigs before it further on in the next. */
static sq_status split_twig(builder* b, int64_t i)
{
  sqi_bvh_twig* t = &b->twigs[i];
  sqi_bvh_twig* children = b->children + (t->left - b->first_child);
  return b->splitter.split(
    &b->splitter, &t->range, b->depth >= MEDIAN_DEPTH, &children[0].range, &children[1].range);
}

static sq_status split_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    if (is_inner(b, &b->twigs[i]) && !is_large(b, &b->twigs[i]))
    {
      (void)split_twig(b, i); /* fails only for large ranges */
    }
  }
  return SQ_OK;
}

static sq_status split_level(sq_context* context, builder* b, int32_t count)
{
  for (int32_t i = 0; i < count; ++i)
  {
    if (is_large(b, &b->twigs[i]))
    {
      sq_status status = split_twig(b, i);
      if (status != SQ_OK)
      {
        return status;
      }
    }
  }
  int64_t grain = (int64_t)count * CHUNK / b->bvh->item_count;
  return sqi_parallel_for(context, count, grain > 0 ? grain : 1, split_body, b);
}

/** Numbers the children of a level's inner twigs, from first_child on; returns how many there are. */
static int32_t number_children(builder* b, int32_t count)
{
  int32_t n = 0;
  for (int32_t i = 0; i < count; ++i)
  {
    sqi_bvh_twig* t = &b->twigs[i];
    t->left = -1;
    if (is_inner(b, t))
    {
      t->left = b->first_child + n;
      n += 2;
    }
  }
  return n;
}

/** Where a level begins in the progress, from 0.2 to 0.9: a balanced tree has about log2 of its leaves. */
static double level_progress(const builder* b, int32_t depth)
{
  double leaves = (double)b->bvh->item_count / b->splitter.leaf_size + 2.0;
  double levels = log2(leaves) + 2.0;
  return 0.2 + 0.7 * (depth < levels ? depth / levels : 1.0);
}

/** Builds the binary tree level after level. */
static sq_status build_levels(sq_context* context, builder* b, const sqi_bvh_range* root)
{
  int32_t count = 1;
  sq_status status = SQI_NEW(context, &b->level[0], 1);
  if (status != SQ_OK)
  {
    return status;
  }
  b->level[0]->range = *root;
  for (b->depth = 0; count; ++b->depth)
  {
    assert(b->depth <= SQI_BVH_DEPTH_MAX);
    b->first[b->depth + 1] = b->first_child = b->first[b->depth] + count;
    b->level_count = b->depth + 1;
    b->twigs = b->level[b->depth];
    int32_t child_count = number_children(b, count);
    status = SQI_NEW(context, &b->level[b->depth + 1], child_count);
    sqi_stage(context, &b->stages, level_progress(b, b->depth), level_progress(b, b->depth + 1));
    if (status == SQ_OK && child_count)
    {
      b->children = b->level[b->depth + 1];
      b->first[b->depth + 2] = b->first_child + child_count;
      status = split_level(context, b, count);
    }
    if (status != SQ_OK)
    {
      return status;
    }
    count = child_count;
  }
  return SQ_OK;
}

static sq_status join_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  builder* b = (builder*)data;
  memcpy(b->joined + b->first[b->depth] + begin, b->level[b->depth] + begin,
    (size_t)(end - begin) * sizeof(*b->joined));
  return SQ_OK;
}

/** Joins the levels and makes the wide tree from them. */
static sq_status collapse(sq_context* context, builder* b)
{
  int32_t count = b->first[b->level_count];
  sq_status status = SQI_NEW(context, &b->joined, count);
  for (b->depth = 0; b->depth < b->level_count && status == SQ_OK; ++b->depth)
  {
    status =
      sqi_parallel_for(context, b->first[b->depth + 1] - b->first[b->depth], CHUNK, join_body, b);
  }
  if (status == SQ_OK)
  {
    status = sqi_bvh_collapse(context, b->joined, b->first, b->level_count, b->bvh);
  }
  SQI_FREE(context, b->joined, count);
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

static sq_status write_order(sq_context* context, builder* b)
{
  sq_status status = SQI_NEW(context, &b->bvh->order, b->bvh->item_count);
  return status == SQ_OK ? sqi_parallel_for(context, b->bvh->item_count, CHUNK, order_body, b)
                         : status;
}

static sq_status build(sq_context* context, builder* b)
{
  int32_t threads = sq_context_threads(context);
  b->stages = sqi_stages_begin(context);
  sqi_stage(context, &b->stages, 0.0, 0.1);
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
    sqi_stage(context, &b->stages, 0.1, 0.2);
    find_middle(b, middle);
    b->bvh->frame = sqi_frame_around(middle, b->bvh->lo, b->bvh->hi);
    status = fill(context, b, &root);
    status = status == SQ_OK ? build_levels(context, b, &root) : status;
  }
  sqi_stage(context, &b->stages, 0.9, 0.95);
  status = status == SQ_OK ? write_order(context, b) : status;
  if (b->with_boxes)
  {
    b->bvh->boxes = b->splitter.refs;
    b->splitter.refs = NULL;
  }
  /* 64 bytes an item that need not wait for the end. */
  sqi_bvh_splitter_release(&b->splitter, b->bvh->item_count);
  memset(&b->splitter, 0, sizeof(b->splitter));
  sqi_stage(context, &b->stages, 0.95, 1.0);
  status = status == SQ_OK ? collapse(context, b) : status;
  sqi_stage(context, &b->stages, 0.0, 1.0);
  return status;
}

static sq_status build_items(sq_context* context, int64_t item_count, builder* b, sqi_bvh* bvh)
{
  bvh->allocator = context->allocator;
  bvh->frame.scale = 1.0;
  for (int d = 0; d < 3; ++d)
  {
    bvh->lo[d] = HUGE_VAL;
    bvh->hi[d] = -HUGE_VAL;
  }
  assert(bvh->leaf_size >= 1 && bvh->leaf_size <= SQI_BVH_LEAF_MAX);
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
  b->bvh = bvh;
  b->splitter.context = context;
  sq_status status = build(context, b);
  for (int32_t level = 0; level <= b->level_count; ++level)
  {
    SQI_FREE(context, b->level[level], b->first[level + 1] - b->first[level]);
  }
  SQI_FREE(context, b->bounds, 6 * sq_context_threads(context));
  SQI_FREE(context, b->centres, sq_context_threads(context));
  if (status != SQ_OK)
  {
    sqi_bvh_release(bvh);
  }
  return status;
}

sq_status sqi_bvh_build(sq_context* context, int64_t item_count, sqi_bvh_box box, const void* data,
  int32_t leaf_size, sqi_bvh* bvh)
{
  builder b;
  memset(&b, 0, sizeof(b));
  memset(bvh, 0, sizeof(*bvh));
  b.box = box;
  b.data = data;
  bvh->leaf_size = leaf_size;
  return build_items(context, item_count, &b, bvh);
}

sq_status sqi_bvh_build_with_boxes(sq_context* context, int64_t item_count, sqi_bvh_box box,
  const void* data, int32_t leaf_size, sqi_bvh* bvh)
{
  builder b;
  memset(&b, 0, sizeof(b));
  memset(bvh, 0, sizeof(*bvh));
  b.box = box;
  b.data = data;
  b.with_boxes = 1;
  bvh->leaf_size = leaf_size;
  return build_items(context, item_count, &b, bvh);
}

void sqi_bvh_drop_boxes(sq_context* context, sqi_bvh* bvh)
{
  SQI_FREE(context, bvh->boxes, bvh->item_count);
  bvh->boxes = NULL;
}

void sqi_bvh_release(sqi_bvh* bvh)
{
  SQI_RELEASE(&bvh->allocator, bvh->nodes, bvh->node_count);
  SQI_RELEASE(&bvh->allocator, bvh->order, bvh->item_count);
  SQI_RELEASE(&bvh->allocator, bvh->boxes, bvh->item_count);
  bvh->nodes = NULL;
  bvh->boxes = NULL;
  bvh->order = NULL;
  bvh->node_count = bvh->item_count = 0;
}

int64_t sqi_bvh_bytes(const sqi_bvh* bvh)
{
  return (int64_t)sizeof(*bvh->nodes) * bvh->node_count +
    (int64_t)sizeof(*bvh->order) * bvh->item_count;
}
