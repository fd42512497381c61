/**
 * The hot loops over the references of a range, compiled once per instruction set level with SQI_LEVEL set to its name. Minima and
 * differences of floats, so that every level makes the same tree.
 */
#include "sqi_bvh_split.h"
#include "sqi_level.h"
#include "sqi_parallel.h"

typedef sqi_bvh_bins bin_set;

#define BINS SQI_BVH_BINS
#define CHUNK SQI_BVH_CHUNK

/** What a reference's bin is computed from, and where the range is cut. */
typedef struct cut
{
  sqi_bvh_splitter* s;
  int32_t begin;
  sqi_f4 origin;
  sqi_f4 scale;
  int axis; /* -1: in the middle of the range */
  int bin; /* the first bin of the right part */
  int32_t left_count;
  sqi_half_box box[2];
} cut;

/** A box as eight floats, so that one minimum joins two where the instruction set has it. */
SQI_SIMD sqi_f8 load_box(const sqi_half_box* box)
{
  sqi_f8 v;
  memcpy(&v, box, sizeof(v));
  return v;
}

/** The box of a reference with its item masked out. */
SQI_SIMD sqi_f8 load_ref(const sqi_half_box* ref)
{
  const sqi_i8 mask = { -1, -1, -1, 0, -1, -1, -1, -1 };
  return (sqi_f8)((sqi_i8)load_box(ref) & mask);
}

SQI_SIMD void add_box(sqi_half_box* box, sqi_f8 more)
{
  sqi_f8 sum = sqi_min8(load_box(box), more);
  memcpy(box, &sum, sizeof(sum));
}

/** The doubled centre of a box as a box: low - minus high, and what is left to 0. */
SQI_SIMD sqi_f8 doubled_centre(sqi_f8 box)
{
  return box - __builtin_shufflevector(box, box, 4, 5, 6, 7, 0, 1, 2, 3);
}

SQI_SIMD sqi_i4 bins_of(const cut* c, sqi_f8 centre)
{
  sqi_f4 at = (__builtin_shufflevector(centre, centre, 0, 1, 2, 3) - c->origin) * c->scale;
  return __builtin_convertvector(sqi_min4(at, sqi_set4((float)(BINS - 1))), sqi_i4);
}

static void clear_bins(bin_set* bins)
{
  for (int i = 0; i < 3 * BINS; ++i)
  {
    bins->box[i] = sqi_half_box_empty();
    bins->count[i] = 0;
  }
}

static void fill_bins(const cut* c, int64_t begin, int64_t end, bin_set* bins)
{
  const sqi_half_box* refs = c->s->refs;
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_f8 box = load_ref(&refs[i]);
    sqi_i4 bin = bins_of(c, doubled_centre(box));
    for (int axis = 0; axis < 3; ++axis)
    {
      add_box(&bins->box[axis * BINS + bin[axis]], box);
      ++bins->count[axis * BINS + bin[axis]];
    }
  }
}

static sq_status fill_bins_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const cut* c = (const cut*)data;
  fill_bins(c, c->begin + begin, c->begin + end, c->s->bins + thread);
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

/** Leaves that n items fill, of each lane; where there are none, that of a box that is empty, whose area is infinite. */
SQI_SIMD sqi_f8 leaf_counts(const sqi_bvh_splitter* s, sqi_i8 n)
{
  if (s->leaf_shift >= 0)
  {
    return __builtin_convertvector(((n - 1) >> s->leaf_shift) + 1, sqi_f8);
  }
  sqi_f8 leaves;
  for (int k = 0; k < SQI_LANES; ++k)
  {
    leaves[k] = (float)((n[k] - 1) / s->leaf_size + 1);
  }
  return leaves;
}

/** xy, yz, zx of the extents of a box. */
SQI_SIMD sqi_f4 side_areas(const sqi_half_box* box)
{
  sqi_f4 d = -box->minus_hi - box->lo;
  return d * __builtin_shufflevector(d, d, 1, 2, 0, 3);
}

/** The areas of four boxes, as sqi_half_box_area() has them. */
SQI_SIMD sqi_f4 areas4(const sqi_half_box* box)
{
  sqi_f4 a = side_areas(box), b = side_areas(box + 1), c = side_areas(box + 2),
         d = side_areas(box + 3);
  sqi_f4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  sqi_f4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  sqi_f4 zab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  sqi_f4 zcd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7) +
    __builtin_shufflevector(zab, zcd, 0, 1, 4, 5);
}

/** The areas of eight boxes. */
SQI_SIMD sqi_f8 areas8(const sqi_half_box* box)
{
  sqi_f4 low = areas4(box), high = areas4(box + 4);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/** What lies on either side of the cuts along an axis: cut b is before bin b. */
typedef struct sides
{
  sqi_half_box left[BINS];
  sqi_half_box right[BINS];
  int32_t left_count[BINS];
} sides;

SQI_SIMD void look_left_and_right(const bin_set* bins, int axis, sides* s)
{
  const sqi_half_box* box = bins->box + axis * BINS;
  const int32_t* count = bins->count + axis * BINS;
  s->left[0] = sqi_half_box_empty();
  s->left_count[0] = 0;
  s->right[BINS - 1] = box[BINS - 1];
  for (int b = 1; b < BINS; ++b)
  {
    s->left[b] = s->left[b - 1];
    add_box(&s->left[b], load_box(&box[b - 1]));
    s->left_count[b] = s->left_count[b - 1] + count[b - 1];
    s->right[BINS - 1 - b] = s->right[BINS - b];
    add_box(&s->right[BINS - 1 - b], load_box(&box[BINS - 1 - b]));
  }
}

/** Cheapest cut along one axis; leaves c alone where none is below *best. */
SQI_SIMD void sweep(const bin_set* bins, int axis, int32_t count, float* best, cut* c)
{
  sides s;
  sqi_f8 cost[BINS / SQI_LANES];
  look_left_and_right(bins, axis, &s);
  float least = __builtin_inff();
  for (int i = 0; i < BINS / SQI_LANES; ++i)
  {
    sqi_i8 n;
    memcpy(&n, s.left_count + i * SQI_LANES, sizeof(n));
    cost[i] = areas8(s.left + i * SQI_LANES) * leaf_counts(c->s, n) +
      areas8(s.right + i * SQI_LANES) * leaf_counts(c->s, count - n);
    /* A side without anything has no area that is a number, and is not taken. */
    cost[i] = sqi_select8((n > 0) & (n < count), cost[i], sqi_set8(__builtin_inff()));
    float lowest = sqi_least8(cost[i]);
    least = lowest < least ? lowest : least;
  }
  if (!(least < *best))
  {
    return;
  }
  unsigned hits = 0;
  for (int i = 0; i < BINS / SQI_LANES; ++i)
  {
    hits |= sqi_mask8(cost[i] == least) << (i * SQI_LANES);
  }
  int b = __builtin_ctz(hits);
  *best = least;
  c->axis = axis;
  c->bin = b;
  c->left_count = s.left_count[b];
  c->box[0] = s.left[b];
  c->box[1] = s.right[b];
}

/** What says which side a reference goes to. */
typedef struct plane
{
  int axis;
  float origin;
  float scale;
  float limit;
} plane;

SQI_SIMD plane plane_of(const cut* c)
{
  plane p = { c->axis, c->origin[c->axis], c->scale[c->axis], (float)c->bin };
  return p;
}

/** Whether a reference's bin is before the cut: bins are whole parts, so that their limits are compared as well. */
SQI_SIMD int goes_left(const plane* p, const sqi_half_box* ref)
{
  return ((ref->lo[p->axis] - ref->minus_hi[p->axis]) - p->origin) * p->scale < p->limit;
}

/** The box of the doubled centres of some references. */
SQI_SIMD sqi_half_box centres_of(const sqi_half_box* refs, int32_t begin, int32_t end)
{
  sqi_half_box box = sqi_half_box_empty();
  sqi_f8 least = load_box(&box);
  for (int32_t i = begin; i < end; ++i)
  {
    least = sqi_min8(least, doubled_centre(load_ref(&refs[i])));
  }
  memcpy(&box, &least, sizeof(box));
  return box;
}

/** Brings to the front what goes left, without branches, which would be guessed wrong half of the time. */
static void partition(const cut* c, const sqi_bvh_range* range, bin_set* parts)
{
  sqi_half_box* refs = c->s->refs;
  const plane p = plane_of(c);
  int32_t next = range->begin;
  for (int32_t i = range->begin; i < range->end; ++i)
  {
    sqi_f8 ref = load_box(&refs[i]), other = load_box(&refs[next]);
    int left = goes_left(&p, &refs[i]);
    memcpy(&refs[i], &other, sizeof(other));
    memcpy(&refs[next], &ref, sizeof(ref));
    next += left;
  }
  parts->centres[0] = centres_of(refs, range->begin, next);
  parts->centres[1] = centres_of(refs, next, range->end);
}

static sq_status count_left_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const cut* c = (const cut*)data;
  bin_set* parts = c->s->bins + thread;
  const plane p = plane_of(c);
  int32_t n = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_half_box* ref = &c->s->refs[c->begin + i];
    int left = goes_left(&p, ref);
    add_box(&parts->centres[!left], doubled_centre(load_ref(ref)));
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
  const plane p = plane_of(c);
  int64_t left = c->begin + c->s->chunk_left[begin / CHUNK];
  int64_t right = c->begin + c->left_count + begin - c->s->chunk_left[begin / CHUNK];
  for (int64_t i = begin; i < end; ++i)
  {
    const sqi_half_box* ref = &c->s->refs[c->begin + i];
    int64_t to = goes_left(&p, ref) ? left++ : right++;
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
    sqi_f8 box = load_ref(&c->s->refs[i]);
    add_box(&c->box[right], box);
    add_box(&parts->centres[right], doubled_centre(box));
  }
}

static sq_status bin_range(cut* c, const sqi_bvh_range* range, bin_set* bins)
{
  int32_t count = range->end - range->begin;
  clear_bins(bins);
  if (count <= c->s->large)
  {
    fill_bins(c, range->begin, range->end, bins);
    return SQ_OK;
  }
  int32_t threads = sq_context_threads(c->s->context);
  for (int32_t t = 1; t < threads; ++t)
  {
    clear_bins(bins + t);
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

sq_status SQI_LEVEL_NAME(sqi_bvh_split)(sqi_bvh_splitter* s, const sqi_bvh_range* range, int median,
  sqi_bvh_range* left, sqi_bvh_range* right)
{
  int32_t count = range->end - range->begin;
  bin_set own;
  bin_set* bins = count > s->large ? s->bins : &own;
  cut c;
  memset(&c, 0, sizeof(c));
  c.s = s;
  c.begin = range->begin;
  c.axis = -1;
  sqi_f4 extent = -range->centres.minus_hi - range->centres.lo;
  float largest = 0.0f;
  for (int axis = 0; axis < 3; ++axis)
  {
    c.origin[axis] = range->centres.lo[axis];
    /* Below 2^-100 the scale would overflow; such an axis is one bin. */
    c.scale[axis] = extent[axis] > 0x1p-100f ? (float)BINS * 0.9999f / extent[axis] : 0.0f;
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
