#include "sqi_alloc.h"
#include "sqi_cell_faces.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_sort.h"
#include "sqi_triangulate.h"

#include <stdatomic.h>
#include <string.h>

/** Faces are sorted by this many bits of their key; the rest of key and check then tells equal from unequal. */
#define SORTED_BITS 40
#define SORTED_MASK (((uint64_t)1 << SORTED_BITS) - 1)

enum
{
  FACE_OPEN = 0,
  FACE_BOUNDARY = 1,
  FACE_INNER = 2
};

typedef struct boundary
{
  const sqi_blocks* blocks;
  const int32_t* same;
  sqi_triangle_list* list;
  /* The block at work. */
  const sq_cells* cells;
  int64_t point_start;
  int64_t first_chunk;
  uint8_t* used;
  /* By chunk of cells: the number of its first face, and of its first triangle. */
  int64_t* face_start;
  int64_t* triangle_start;
  _Atomic int64_t skipped_elements;
  _Atomic int64_t most_faces;
  _Atomic int64_t largest_face;
  /* By face: two independent hashes of its set of points. A wrong match needs 128 equal bits. */
  int64_t face_count;
  uint64_t* keys;
  uint64_t* checks;
  uint32_t* order;
  uint8_t* state;
  /* Scratch, a part for every thread. */
  int64_t corners_scratch;
  int64_t faces_scratch;
  double* xyz;
  sqi_clip_corner* clip;
  int32_t* ears;
  int32_t* ids;
  sqi_face_walk* walks;
  int32_t* queue;
  int8_t* outward;
} boundary;

static int64_t chunks_of(int64_t cells)
{
  return (cells + SQI_CELL_GRAIN - 1) / SQI_CELL_GRAIN;
}

static sq_status for_blocks(sq_context* context, boundary* b, sqi_body body)
{
  sq_status s = SQ_OK;
  b->first_chunk = 0;
  for (int32_t i = 0; i < b->blocks->count && s == SQ_OK; ++i)
  {
    b->cells = &b->blocks->views[i];
    b->point_start = b->blocks->point_start[i];
    s = sqi_parallel_for(context, b->cells->count, SQI_CELL_GRAIN, body, b);
    b->first_chunk += chunks_of(b->cells->count);
  }
  return s;
}

static int is_solid(const boundary* b, int64_t c)
{
  return sqi_cell_dimension(b->cells, c) == 3 && sqi_cell_is_shown(b->cells, c);
}

/** All points finite, those of the face stream too, which need not be in the connectivity. */
static int is_finite(const boundary* b, int64_t c)
{
  if (sqi_cell_kind(b->cells, c) != SQ_CELL_POLYHEDRON)
  {
    return sqi_cell_is_finite(b->cells, c);
  }
  sqi_face_walk w;
  for (sqi_face_begin(&w, b->cells, c); sqi_face_next(&w);)
  {
    for (int32_t k = 0; k < w.size; ++k)
    {
      double x[3];
      sqi_point(&b->cells->points, sqi_face_point(&w, k), x);
      if (!sqi_is_finite3(x))
      {
        return 0;
      }
    }
  }
  return 1;
}

static int takes_part(const boundary* b, int64_t c)
{
  return is_solid(b, c) && is_finite(b, c);
}

static void raise_to(_Atomic int64_t* most, int64_t value)
{
  int64_t seen = atomic_load(most);
  while (value > seen && !atomic_compare_exchange_weak(most, &seen, value))
  {
  }
}

static sq_status mark_points(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  boundary* b = (boundary*)data;
  for (int64_t c = begin; c < end; ++c)
  {
    if (!takes_part(b, c))
    {
      continue;
    }
    sqi_face_walk w;
    for (sqi_face_begin(&w, b->cells, c); sqi_face_next(&w);)
    {
      for (int32_t k = 0; k < w.size; ++k)
      {
        __atomic_store_n(&b->used[b->point_start + sqi_face_point(&w, k)], 1, __ATOMIC_RELAXED);
      }
    }
  }
  return SQ_OK;
}

sq_status sqi_mark_solid_points(sq_context* context, const sqi_blocks* blocks, uint8_t* used)
{
  boundary b;
  memset(&b, 0, sizeof(b));
  b.blocks = blocks;
  b.used = used;
  return for_blocks(context, &b, mark_points);
}

static sq_status count_faces(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  boundary* b = (boundary*)data;
  int64_t total = 0, skipped = 0, most = 0, largest = 0;
  for (int64_t c = begin; c < end; ++c)
  {
    if (!is_solid(b, c))
    {
      continue;
    }
    if (!is_finite(b, c))
    {
      ++skipped;
      continue;
    }
    int64_t faces = 0;
    sqi_face_walk w;
    for (sqi_face_begin(&w, b->cells, c); sqi_face_next(&w); ++faces)
    {
      largest = w.size > largest ? w.size : largest;
    }
    total += faces;
    most = faces > most ? faces : most;
  }
  b->face_start[b->first_chunk + begin / SQI_CELL_GRAIN] = total;
  atomic_fetch_add(&b->skipped_elements, skipped);
  raise_to(&b->most_faces, most);
  raise_to(&b->largest_face, largest);
  return SQ_OK;
}

/** The finaliser of splitmix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit. */
static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/** Corner k of the face, one id for all points at the same place. */
static int32_t corner(const boundary* b, const sqi_face_walk* w, int32_t k)
{
  return b->same[b->point_start + sqi_face_point(w, k)];
}

static sq_status hash_faces(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  boundary* b = (boundary*)data;
  int64_t f = b->face_start[b->first_chunk + begin / SQI_CELL_GRAIN];
  for (int64_t c = begin; c < end; ++c)
  {
    if (!takes_part(b, c))
    {
      continue;
    }
    sqi_face_walk w;
    for (sqi_face_begin(&w, b->cells, c); sqi_face_next(&w); ++f)
    {
      /* Sums do not depend on where the face starts and which way it runs; a doubled corner counts once. */
      uint64_t key = 0, check = 0;
      int32_t distinct = 0;
      for (int32_t k = 0; k < w.size; ++k)
      {
        int32_t p = corner(b, &w, k);
        if (p != corner(b, &w, k + 1 < w.size ? k + 1 : 0))
        {
          key += mix((uint64_t)p + 0x9E3779B97F4A7C15u);
          check += mix((uint64_t)p ^ 0xD1B54A32D192ED03u);
          ++distinct;
        }
      }
      b->keys[f] = key;
      b->checks[f] = check;
      b->order[f] = (uint32_t)f;
      b->state[f] = distinct < 3 ? FACE_INNER : FACE_OPEN;
    }
  }
  return SQ_OK;
}

/** Sorted positions i and j hold the same face. */
static int same_face(const boundary* b, int64_t i, int64_t j)
{
  return b->keys[i] == b->keys[j] && b->checks[b->order[i]] == b->checks[b->order[j]];
}

static sq_status match_faces(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  boundary* b = (boundary*)data;
  int64_t i = begin;
  while (i < end)
  {
    if (i && !((b->keys[i] ^ b->keys[i - 1]) & SORTED_MASK))
    {
      ++i; /* in the middle of a group that the chunk with its first face does */
      continue;
    }
    int64_t stop = i + 1;
    while (stop < b->face_count && !((b->keys[i] ^ b->keys[stop]) & SORTED_MASK))
    {
      ++stop;
    }
    for (; i < stop; ++i)
    {
      uint8_t* mine = &b->state[b->order[i]];
      if (*mine != FACE_OPEN)
      {
        continue;
      }
      *mine = FACE_BOUNDARY;
      for (int64_t j = i + 1; j < stop; ++j)
      {
        if (b->state[b->order[j]] == FACE_OPEN && same_face(b, i, j))
        {
          b->state[b->order[j]] = FACE_INNER;
          *mine = FACE_INNER;
        }
      }
    }
  }
  return SQ_OK;
}

static sq_status count_triangles(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  boundary* b = (boundary*)data;
  int64_t chunk = b->first_chunk + begin / SQI_CELL_GRAIN;
  int64_t f = b->face_start[chunk], total = 0;
  for (int64_t c = begin; c < end; ++c)
  {
    if (!takes_part(b, c))
    {
      continue;
    }
    sqi_face_walk w;
    for (sqi_face_begin(&w, b->cells, c); sqi_face_next(&w); ++f)
    {
      for (int32_t k = 0; k < w.size && b->state[f] == FACE_BOUNDARY; ++k)
      {
        total += corner(b, &w, k) != corner(b, &w, k + 1 < w.size ? k + 1 : 0);
      }
      total -= b->state[f] == FACE_BOUNDARY ? 2 : 0;
    }
  }
  b->triangle_start[chunk] = total;
  return SQ_OK;
}

/** Writes the triangles of one boundary face from place `at` on; returns how many. */
static int64_t put_face(boundary* b, const sqi_face_walk* w, int64_t at, int64_t c, int64_t sub,
  int outward, int32_t thread)
{
  double* xyz = b->xyz + 3 * b->corners_scratch * thread;
  int32_t* ears = b->ears + 3 * b->corners_scratch * thread;
  int32_t* ids = b->ids + b->corners_scratch * thread;
  int32_t n = 0;
  for (int32_t k = 0; k < w->size; ++k)
  {
    if (corner(b, w, k) != corner(b, w, k + 1 < w->size ? k + 1 : 0))
    {
      int64_t p = sqi_face_point(w, k);
      sqi_point(&b->cells->points, p, xyz + 3 * n);
      ids[n++] = (int32_t)(b->point_start + p);
    }
  }
  static const int32_t quad[6] = { 0, 1, 2, 0, 2, 3 };
  if (n == 4)
  {
    memcpy(ears, quad, sizeof(quad));
  }
  else
  {
    sqi_clip_ears(xyz, n, b->clip + b->corners_scratch * thread, ears);
  }
  for (int32_t i = 0; i < n - 2; ++i, ++at)
  {
    int32_t* to = b->list->corners + 3 * at;
    to[0] = ids[ears[3 * i]];
    to[1] = ids[ears[3 * i + (outward > 0 ? 1 : 2)]];
    to[2] = ids[ears[3 * i + (outward > 0 ? 2 : 1)]];
    b->list->cells[at] = c;
    b->list->subs[at] = (int32_t)(sub + i);
  }
  return n - 2;
}

static sq_status fill_triangles(void* data, int64_t begin, int64_t end, int32_t thread)
{
  boundary* b = (boundary*)data;
  int64_t chunk = b->first_chunk + begin / SQI_CELL_GRAIN;
  int64_t f = b->face_start[chunk], at = b->triangle_start[chunk];
  int8_t* outward = b->outward + b->faces_scratch * thread;
  for (int64_t c = begin; c < end; ++c)
  {
    if (!takes_part(b, c))
    {
      continue;
    }
    int oriented = 0;
    int64_t sub = 0;
    sqi_face_walk w;
    sqi_face_begin(&w, b->cells, c);
    for (int32_t k = 0; sqi_face_next(&w); ++k, ++f)
    {
      if (b->state[f] == FACE_BOUNDARY)
      {
        if (!oriented)
        {
          sqi_orient_faces(b->cells, c, b->walks + b->faces_scratch * thread,
            b->queue + b->faces_scratch * thread, outward);
          oriented = 1;
        }
        at += put_face(b, &w, at, c, sub, outward[k], thread);
      }
      sub += w.size > 2 ? w.size - 2 : 0;
    }
  }
  return SQ_OK;
}

/** Turns counts into starts; returns the total. */
static int64_t to_starts(int64_t* counts, int64_t n)
{
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i)
  {
    int64_t count = counts[i];
    counts[i] = total;
    total += count;
  }
  return total;
}

static sq_status find_boundary(sq_context* context, boundary* b, int64_t chunks)
{
  sq_status s = for_blocks(context, b, count_faces);
  if (s != SQ_OK)
  {
    return s;
  }
  b->face_count = to_starts(b->face_start, chunks);
  if (b->face_count > UINT32_MAX)
  {
    return sqi_fail(context, SQ_TOO_LARGE, "surface: %lld faces of 3-D cells, allowed are %lld",
      (long long)b->face_count, (long long)UINT32_MAX);
  }
  s = SQI_NEW(context, &b->keys, b->face_count);
  s = s == SQ_OK ? SQI_NEW(context, &b->checks, b->face_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->order, b->face_count) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->state, b->face_count) : s;
  s = s == SQ_OK ? for_blocks(context, b, hash_faces) : s;
  s = s == SQ_OK ? sqi_sort(context, b->keys, b->order, b->face_count, SORTED_BITS) : s;
  return s == SQ_OK ? sqi_parallel_for(context, b->face_count, 1 << 14, match_faces, b) : s;
}

static sq_status allocate_output(sq_context* context, boundary* b, int64_t total, int64_t chunks)
{
  int32_t count = b->blocks->count;
  sq_status s = sqi_triangle_list_allocate(context, b->list, total, count, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  int64_t chunk = 0;
  for (int32_t i = 0; i < count; ++i)
  {
    b->list->block_start[i] = chunk < chunks ? b->triangle_start[chunk] : total;
    chunk += chunks_of(b->blocks->views[i].count);
  }
  b->list->block_start[count] = total;
  int64_t threads = sq_context_threads(context);
  b->corners_scratch = b->largest_face;
  b->faces_scratch = b->most_faces;
  s = SQI_NEW(context, &b->xyz, 3 * threads * b->corners_scratch);
  s = s == SQ_OK ? SQI_NEW(context, &b->clip, threads * b->corners_scratch) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->ears, 3 * threads * b->corners_scratch) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->ids, threads * b->corners_scratch) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->walks, threads * b->faces_scratch) : s;
  s = s == SQ_OK ? SQI_NEW(context, &b->queue, threads * b->faces_scratch) : s;
  return s == SQ_OK ? SQI_NEW(context, &b->outward, threads * b->faces_scratch) : s;
}

static void free_scratch(sq_context* context, boundary* b, int64_t chunks)
{
  int64_t threads = sq_context_threads(context);
  SQI_FREE(context, b->xyz, 3 * threads * b->corners_scratch);
  SQI_FREE(context, b->clip, threads * b->corners_scratch);
  SQI_FREE(context, b->ears, 3 * threads * b->corners_scratch);
  SQI_FREE(context, b->ids, threads * b->corners_scratch);
  SQI_FREE(context, b->walks, threads * b->faces_scratch);
  SQI_FREE(context, b->queue, threads * b->faces_scratch);
  SQI_FREE(context, b->outward, threads * b->faces_scratch);
  SQI_FREE(context, b->keys, b->face_count);
  SQI_FREE(context, b->checks, b->face_count);
  SQI_FREE(context, b->order, b->face_count);
  SQI_FREE(context, b->state, b->face_count);
  SQI_FREE(context, b->face_start, chunks);
  SQI_FREE(context, b->triangle_start, chunks);
}

sq_status sqi_triangulate_boundary(
  sq_context* context, const sqi_blocks* blocks, const int32_t* same, sqi_triangle_list* list)
{
  boundary b;
  memset(&b, 0, sizeof(b));
  memset(list, 0, sizeof(*list));
  b.blocks = blocks;
  b.same = same;
  b.list = list;
  int64_t chunks = 0;
  for (int32_t i = 0; i < blocks->count; ++i)
  {
    chunks += chunks_of(blocks->views[i].count);
  }
  sq_status s = SQI_NEW(context, &b.face_start, chunks);
  s = s == SQ_OK ? SQI_NEW(context, &b.triangle_start, chunks) : s;
  s = s == SQ_OK ? find_boundary(context, &b, chunks) : s;
  s = s == SQ_OK ? for_blocks(context, &b, count_triangles) : s;
  if (s == SQ_OK)
  {
    s = allocate_output(context, &b, to_starts(b.triangle_start, chunks), chunks);
  }
  s = s == SQ_OK ? for_blocks(context, &b, fill_triangles) : s;
  list->skipped_elements = b.skipped_elements;
  free_scratch(context, &b, chunks);
  return s;
}
