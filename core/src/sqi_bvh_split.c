#include "sqi_bvh_split.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"

#include <string.h>

/** Bins along an axis; fewer where a range is short, whose cost is in them and not in its references. */
#define BINS 16
#define BINS_OF_SHORT 8
#define SHORT 64
/** References of one chunk of a range that all threads split: about 0.2 ms. */
#define CHUNK 16384

typedef struct bin_set
{
  sqi_half_box box[3 * BINS]; /* of bin b of axis a: a * BINS + b */
  int32_t count[3 * BINS];
  sqi_half_box centres[2]; /* of the left and right part, while partitioning */
} bin_set;

/** What a reference's bin is computed from, and where the range is cut. */
typedef struct cut
{
  sqi_bvh_splitter* s;
  int32_t begin;
  int bins; /* along an axis */
  sqi_f4 origin;
  sqi_f4 scale;
  int axis; /* -1: in the middle of the range */
  int bin; /* the first bin of the right part */
  int32_t left_count;
  sqi_half_box box[2];
} cut;

float sqi_half_box_area(const sqi_half_box* box)
{
  sqi_f4 d = -box->minus_hi - box->lo;
  return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

sq_status sqi_bvh_splitter_create(
  sq_context* context, int64_t item_count, int32_t leaf_size, sqi_bvh_splitter* s)
{
  memset(s, 0, sizeof(*s));
  s->context = context;
  s->leaf_size = leaf_size;
  s->large = 4 * CHUNK;
  sq_status status = SQI_NEW(context, &s->refs, item_count);
  if (status == SQ_OK && item_count > s->large)
  {
    status = SQI_NEW(context, &s->spare, item_count);
  }
  if (status == SQ_OK && item_count > s->large)
  {
    status = SQI_NEW(context, &s->chunk_left, item_count / CHUNK + 1);
  }
  if (status == SQ_OK)
  {
    status = sqi_alloc(context, sq_context_threads(context), sizeof(bin_set), &s->bins);
  }
  return status;
}

void sqi_bvh_splitter_release(sqi_bvh_splitter* s, int64_t item_count)
{
  SQI_FREE(s->context, s->refs, item_count);
  SQI_FREE(s->context, s->spare, item_count);
  SQI_FREE(s->context, s->chunk_left, item_count / CHUNK + 1);
  sqi_free(s->context, s->bins, sq_context_threads(s->context), sizeof(bin_set));
}

SQI_SIMD sqi_i4 bins_of(const cut* c, const sqi_half_box* box)
{
  sqi_f4 at = (box->lo - box->minus_hi - c->origin) * c->scale;
  return __builtin_convertvector(sqi_min4(at, sqi_set4((float)(c->bins - 1))), sqi_i4);
}

static void clear_bins(const cut* c, bin_set* bins)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    for (int i = 0; i < c->bins; ++i)
    {
      bins->box[axis * BINS + i] = sqi_half_box_empty();
      bins->count[axis * BINS + i] = 0;
    }
  }
}

static void fill_bins(const cut* c, int64_t begin, int64_t end, bin_set* bins)
{
  const sqi_half_box* refs = c->s->refs;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_half_box box = sqi_ref_box(&refs[i]);
    sqi_i4 bin = bins_of(c, &box);
    for (int axis = 0; axis < 3; ++axis)
    {
      sqi_half_box_add(&bins->box[axis * BINS + bin[axis]], &box);
      ++bins->count[axis * BINS + bin[axis]];
    }
  }
}

static sq_status fill_bins_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const cut* c = (const cut*)data;
  fill_bins(c, c->begin + begin, c->begin + end, (bin_set*)c->s->bins + thread);
  return SQ_OK;
}

static void merge_bins(bin_set* to, const bin_set* from)
{
  for (int i = 0; i < 3 * BINS; ++i)
  {
    sqi_half_box_add(&to->box[i], &from->box[i]);
    to->count[i] += from->count[i];
  }
}

/** Leaves that n items fill. */
static float leaf_count(int32_t n, int32_t leaf_size)
{
  return (float)((n - 1) / leaf_size + 1);
}

/** Cheapest cut along one axis; leaves c alone where none is below *best. */
static void sweep(const bin_set* bins, int axis, int32_t count, float* best, cut* c)
{
  const sqi_half_box* box = bins->box + axis * BINS;
  sqi_half_box right[BINS];
  right[c->bins - 1] = box[c->bins - 1];
  for (int b = c->bins - 2; b > 0; --b)
  {
    right[b] = right[b + 1];
    sqi_half_box_add(&right[b], &box[b]);
  }
  sqi_half_box left = sqi_half_box_empty();
  int32_t n = 0;
  for (int b = 1; b < c->bins; ++b)
  {
    sqi_half_box_add(&left, &box[b - 1]);
    n += bins->count[axis * BINS + b - 1];
    if (n == 0 || n == count)
    {
      continue;
    }
    float cost = sqi_half_box_area(&left) * leaf_count(n, c->s->leaf_size) +
      sqi_half_box_area(&right[b]) * leaf_count(count - n, c->s->leaf_size);
    if (cost < *best)
    {
      *best = cost;
      c->axis = axis;
      c->bin = b;
      c->left_count = n;
      c->box[0] = left;
      c->box[1] = right[b];
    }
  }
}

SQI_SIMD int goes_left(const cut* c, const sqi_half_box* box)
{
  return bins_of(c, box)[c->axis] < c->bin;
}

/** Exchanges references until the left part holds what belongs there. */
static void partition(const cut* c, const sqi_bvh_range* range, bin_set* parts)
{
  sqi_half_box* refs = c->s->refs;
  int32_t i = range->begin;
  int32_t j = range->end;
  while (i < j)
  {
    sqi_half_box box = sqi_ref_box(&refs[i]);
    int left = goes_left(c, &box);
    sqi_half_box centre = sqi_doubled_centre(&box);
    sqi_half_box_add(&parts->centres[!left], &centre);
    if (left)
    {
      ++i;
    }
    else
    {
      sqi_half_box other = refs[--j];
      refs[j] = refs[i];
      refs[i] = other;
    }
  }
}

static sq_status count_left_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const cut* c = (const cut*)data;
  bin_set* parts = (bin_set*)c->s->bins + thread;
  int32_t n = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_half_box box = sqi_ref_box(&c->s->refs[c->begin + i]);
    int left = goes_left(c, &box);
    sqi_half_box centre = sqi_doubled_centre(&box);
    sqi_half_box_add(&parts->centres[!left], &centre);
    n += left;
  }
  c->s->chunk_left[begin / CHUNK] = n;
  return SQ_OK;
}

/** Moves a chunk into its two places; chunk_left holds how many go left in the chunks before. */
static sq_status scatter_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const cut* c = (const cut*)data;
  int64_t left = c->begin + c->s->chunk_left[begin / CHUNK];
  int64_t right = c->begin + c->left_count + begin - c->s->chunk_left[begin / CHUNK];
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_half_box* ref = &c->s->refs[c->begin + i];
    sqi_half_box box = sqi_ref_box(ref);
    int64_t to = goes_left(c, &box) ? left++ : right++;
    c->s->spare[to] = *ref;
  }
  return SQ_OK;
}

static sq_status copy_back_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const cut* c = (const cut*)data;
  memcpy(&c->s->refs[c->begin + begin], &c->s->spare[c->begin + begin],
    (size_t)(end - begin) * sizeof(*c->s->refs));
  return SQ_OK;
}

static sq_status partition_large(cut* c, int32_t count)
{
  sqi_bvh_splitter* s = c->s;
  sq_status status = sqi_parallel_for(s->context, count, CHUNK, count_left_body, c);
  if (status != SQ_OK)
  {
    return status;
  }
  int32_t before = 0;
  for (int32_t chunk = 0; chunk <= (count - 1) / CHUNK; ++chunk)
  {
    int32_t n = s->chunk_left[chunk];
    s->chunk_left[chunk] = before;
    before += n;
  }
  status = sqi_parallel_for(s->context, count, CHUNK, scatter_body, c);
  return status == SQ_OK ? sqi_parallel_for(s->context, count, CHUNK, copy_back_body, c) : status;
}

/** Boxes of a range's two halves, for a cut that ignores the geometry. */
static void measure_halves(cut* c, const sqi_bvh_range* range, bin_set* parts)
{
  c->box[0] = c->box[1] = sqi_half_box_empty();
  for (int32_t i = range->begin; i < range->end; ++i)
  {
    int right = i - range->begin >= c->left_count;
    sqi_half_box box = sqi_ref_box(&c->s->refs[i]);
    sqi_half_box centre = sqi_doubled_centre(&box);
    sqi_half_box_add(&c->box[right], &box);
    sqi_half_box_add(&parts->centres[right], &centre);
  }
}

static sq_status bin_range(cut* c, const sqi_bvh_range* range, bin_set* bins)
{
  int32_t count = range->end - range->begin;
  clear_bins(c, bins);
  if (count <= c->s->large)
  {
    fill_bins(c, range->begin, range->end, bins);
    return SQ_OK;
  }
  int32_t threads = sq_context_threads(c->s->context);
  for (int32_t t = 1; t < threads; ++t)
  {
    clear_bins(c, bins + t);
  }
  sq_status status = sqi_parallel_for(c->s->context, count, CHUNK, fill_bins_body, c);
  for (int32_t t = 1; t < threads; ++t)
  {
    merge_bins(bins, bins + t);
  }
  return status;
}

static void clear_parts(bin_set* bins)
{
  bins->centres[0] = bins->centres[1] = sqi_half_box_empty();
}

static sq_status apply_cut(cut* c, const sqi_bvh_range* range, bin_set* bins)
{
  int32_t count = range->end - range->begin;
  clear_parts(bins);
  if (c->axis < 0)
  {
    int32_t leaves = (count - 1) / c->s->leaf_size + 1;
    c->left_count = (leaves + 1) / 2 * c->s->leaf_size;
    measure_halves(c, range, bins);
    return SQ_OK;
  }
  if (count <= c->s->large)
  {
    partition(c, range, bins);
    return SQ_OK;
  }
  int32_t threads = sq_context_threads(c->s->context);
  for (int32_t t = 1; t < threads; ++t)
  {
    clear_parts(bins + t);
  }
  sq_status status = partition_large(c, count);
  for (int32_t t = 1; t < threads; ++t)
  {
    sqi_half_box_add(&bins->centres[0], &bins[t].centres[0]);
    sqi_half_box_add(&bins->centres[1], &bins[t].centres[1]);
  }
  return status;
}

sq_status sqi_bvh_split(sqi_bvh_splitter* s, const sqi_bvh_range* range, int median,
  sqi_bvh_range* left, sqi_bvh_range* right)
{
  int32_t count = range->end - range->begin;
  bin_set own;
  bin_set* bins = count > s->large ? (bin_set*)s->bins : &own;
  cut c;
  memset(&c, 0, sizeof(c));
  c.s = s;
  c.begin = range->begin;
  c.axis = -1;
  c.bins = count > SHORT ? BINS : BINS_OF_SHORT;
  sqi_f4 extent = -range->centres.minus_hi - range->centres.lo;
  float largest = 0.0f;
  for (int axis = 0; axis < 3; ++axis)
  {
    c.origin[axis] = range->centres.lo[axis];
    /* Below 2^-100 the scale would overflow; such an axis is one bin. */
    c.scale[axis] = extent[axis] > 0x1p-100f ? (float)c.bins * 0.9999f / extent[axis] : 0.0f;
    largest = c.scale[axis] > largest ? c.scale[axis] : largest;
  }
  if (largest > 0.0f && !median)
  {
    sq_status status = bin_range(&c, range, bins);
    if (status != SQ_OK)
    {
      return status;
    }
    float best = __builtin_inff();
    for (int axis = 0; axis < 3; ++axis)
    {
      sweep(bins, axis, count, &best, &c);
    }
  }
  sq_status status = apply_cut(&c, range, bins);
  left->begin = range->begin;
  left->end = right->begin = range->begin + c.left_count;
  right->end = range->end;
  left->box = c.box[0];
  right->box = c.box[1];
  left->centres = bins->centres[0];
  right->centres = bins->centres[1];
  return status;
}
