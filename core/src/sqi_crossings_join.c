/**
 * The hot loop of the search for crossings: eight boxes, or the corners of eight triangles, at a time. Compiled once per instruction
 * set level with SQI_LEVEL set to its name; what crosses is decided exactly, and what touches in double without contraction, so every
 * level finds the same.
 */
#include "sqi_crossings_join.h"
#include "sqi_level.h"
#include "sqk_triangle_cross.h"
#include "sqk_triangle_touch.h"

typedef sqi_crossing_join join;
typedef sqi_crossing_leaf leaf_block;

/** Eight leaves met on the way down, with their boxes. */
typedef struct batch
{
  float lo[3][SQI_BVH_WIDTH];
  float hi[3][SQI_BVH_WIDTH];
  int32_t leaf[SQI_BVH_WIDTH];
  int count;
} batch;

/** Bit k: box k of eight meets the box qlo, qhi (both closed); the eight are 3 x 8 floats, as in a node. */
SQI_SIMD unsigned meeting(const float* lo, const float* hi, const float qlo[3], const float qhi[3])
{
  sqi_i8 hit = (sqi_load8(lo) <= sqi_set8(qhi[0])) & (sqi_load8(hi) >= sqi_set8(qlo[0]));
  for (int d = 1; d < 3; ++d)
  {
    const float *low = lo + SQI_BVH_WIDTH * d, *high = hi + SQI_BVH_WIDTH * d;
    hit &= (sqi_load8(low) <= sqi_set8(qhi[d])) & (sqi_load8(high) >= sqi_set8(qlo[d]));
  }
  return sqi_mask8(hit);
}

/** Box k of eight. */
SQI_SIMD void lane_box(const float* lo, const float* hi, int k, float qlo[3], float qhi[3])
{
  for (int d = 0; d < 3; ++d)
  {
    qlo[d] = lo[SQI_BVH_WIDTH * d + k];
    qhi[d] = hi[SQI_BVH_WIDTH * d + k];
  }
}

/** Lanes of `other` with a corner in common with lane i of `mine`. */
SQI_SIMD unsigned sharing(const leaf_block* mine, int i, const leaf_block* other)
{
  sqi_i8 corner[3], equal = { 0, 0, 0, 0, 0, 0, 0, 0 };
  memcpy(corner, other->corner, sizeof(corner));
  for (int c = 0; c < 3; ++c)
  {
    int32_t v = mine->corner[c][i];
    equal |= (corner[0] == v) | (corner[1] == v) | (corner[2] == v);
  }
  return sqi_mask8(equal);
}

/** The corners, scaled so that the exact test neither overflows nor underflows. */
static void load(const join* j, const leaf_block* leaf, int k, double corner[3][3])
{
  for (int c = 0; c < 3; ++c)
  {
    const double* x = j->triangles.vertices + 3 * (int64_t)leaf->corner[c][k];
    for (int d = 0; d < 3; ++d)
    {
      corner[c][d] = x[d] * j->bvh->frame.scale; /* a power of two, so that exact */
    }
  }
}

/** Several threads may write to one place: relaxed atomics, and sums that no order changes. */
static void note_pair(const sqi_crossings* out, int32_t a, int32_t b, const int32_t* corners)
{
  if (out->marks)
  {
    __atomic_fetch_or(out->marks + a, out->mark, __ATOMIC_RELAXED);
    __atomic_fetch_or(out->marks + b, out->mark, __ATOMIC_RELAXED);
  }
  if (out->part_pairs)
  {
    int32_t part = out->part[corners[3 * (int64_t)a]];
    if (part == out->part[corners[3 * (int64_t)b]])
    {
      __atomic_fetch_add(out->part_pairs + part, 1, __ATOMIC_RELAXED);
    }
  }
}

/** Whether it is still to be found out if anything touches; one place is enough. */
static int looks_for_touch(const join* j)
{
  return j->out->flat && !__atomic_load_n(&j->out->touches, __ATOMIC_RELAXED);
}

/** The rest of the test of two triangles, for the few that the first plane does not keep apart. */
static __attribute__((noinline)) void note_touch(
  const join* j, const sqk_touch_triangle* t, const double (*across)[3], int sides, int shared)
{
  if (sqk_triangles_touch_beyond(t, across, sides, shared, j->tolerance))
  {
    __atomic_store_n(&j->out->touches, 1, __ATOMIC_RELAXED);
  }
}

SQI_SIMD void test_touch(
  const join* j, const sqk_touch_triangle* t, const double (*across)[3], int shared)
{
  int sides = sqk_touch_sides(t, across);
  if (!sqk_touch_sides_are_apart(sides, shared))
  {
    note_touch(j, t, across, sides, shared);
  }
}

/** Lane i of `mine` and the lanes `with` of `other`, which have corners in common. */
static __attribute__((noinline)) void test_neighbours(
  const join* j, const leaf_block* mine, int i, const leaf_block* other, unsigned with)
{
  const uint8_t* flat = j->out->flat;
  double corner[3][3], across[3][3];
  sqk_touch_triangle t;
  if (flat[mine->triangle[i]])
  {
    return;
  }
  load(j, mine, i, corner);
  sqk_touch_triangle_set((const double(*)[3])corner, j->tolerance, &t);
  for (; with; with &= with - 1)
  {
    int k = __builtin_ctz(with);
    if (!flat[other->triangle[k]])
    {
      load(j, other, k, across);
      test_touch(j, &t, (const double(*)[3])across, 1);
    }
  }
}

/** Tests lane i of `mine` against the lanes `with` of `other`. */
static __attribute__((noinline)) int64_t test_pairs(
  const join* j, const leaf_block* mine, int i, const leaf_block* other, unsigned with)
{
  int64_t pairs = 0;
  double corner[3][3], across[3][3];
  load(j, mine, i, corner);
  for (; with; with &= with - 1)
  {
    int k = __builtin_ctz(with);
    load(j, other, k, across);
    if (sqk_triangles_cross((const double(*)[3])corner, (const double(*)[3])across))
    {
      note_pair(j->out, mine->triangle[i], other->triangle[k], j->triangles.corners);
      ++pairs;
    }
    else if (looks_for_touch(j) && !j->out->flat[mine->triangle[i]] &&
      !j->out->flat[other->triangle[k]])
    {
      sqk_touch_triangle t;
      sqk_touch_triangle_set((const double(*)[3])corner, j->tolerance, &t);
      test_touch(j, &t, (const double(*)[3])across, 0);
    }
  }
  return pairs;
}

/** Pairs of the lanes `which` of `mine` with lanes of `other`; within one leaf each pair once. */
SQI_SIMD int64_t join_leaves(
  const join* j, const leaf_block* mine, unsigned which, const leaf_block* other)
{
  int64_t pairs = 0;
  for (; which; which &= which - 1)
  {
    int i = __builtin_ctz(which);
    float lo[3], hi[3];
    lane_box(mine->lo[0], mine->hi[0], i, lo, hi);
    unsigned hits = meeting(other->lo[0], other->hi[0], lo, hi);
    hits &= mine == other ? ~0u << (i + 1) : ~0u;
    unsigned near = hits ? hits & sharing(mine, i, other) : 0;
    if (hits & ~near)
    {
      pairs += test_pairs(j, mine, i, other, hits & ~near);
    }
    if (near && !j->out->only_apart && looks_for_touch(j))
    {
      test_neighbours(j, mine, i, other, near);
    }
  }
  return pairs;
}

/** Pairs of the leaves of a node with those of the batch whose numbers are not lower. */
static int64_t join_batch(const join* j, int32_t at, batch* b)
{
  const sqi_bvh_node* node = j->bvh->nodes + at;
  int64_t pairs = 0;
  for (int k = b->count; k < SQI_BVH_WIDTH; ++k)
  {
    b->lo[0][k] = HUGE_VALF;
    b->hi[0][k] = -HUGE_VALF;
    b->leaf[k] = -1;
  }
  for (int i = 0; i < node->child_count; ++i)
  {
    int32_t leaf = j->leaf_of_child[(int64_t)SQI_BVH_WIDTH * at + i];
    if (leaf < 0)
    {
      continue;
    }
    const leaf_block* mine = &j->leaves[leaf];
    float lo[3], hi[3];
    lane_box(node->lo[0], node->hi[0], i, lo, hi);
    for (unsigned hits = meeting(b->lo[0], b->hi[0], lo, hi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      if (b->leaf[k] >= leaf)
      {
        float olo[3], ohi[3];
        lane_box(b->lo[0], b->hi[0], k, olo, ohi);
        unsigned which = meeting(mine->lo[0], mine->hi[0], olo, ohi);
        pairs += join_leaves(j, mine, which, &j->leaves[b->leaf[k]]);
      }
    }
  }
  b->count = 0;
  return pairs;
}

SQI_SIMD void take_leaf(batch* b, const sqi_bvh_node* node, int k, int32_t leaf)
{
  for (int d = 0; d < 3; ++d)
  {
    b->lo[d][b->count] = node->lo[d][k];
    b->hi[d][b->count] = node->hi[d][k];
  }
  b->leaf[b->count++] = leaf;
}

/** The box of the leaves of a node, and the lowest of their numbers; -1 where it has none. */
static int32_t leaves_of(const join* j, int32_t at, float lo[3], float hi[3])
{
  const sqi_bvh_node* node = j->bvh->nodes + at;
  int32_t lowest = -1;
  for (int k = node->child_count - 1; k >= 0; --k)
  {
    int32_t leaf = j->leaf_of_child[(int64_t)SQI_BVH_WIDTH * at + k];
    for (int d = 0; d < 3 && leaf >= 0; ++d)
    {
      lo[d] = lowest < 0 || node->lo[d][k] < lo[d] ? node->lo[d][k] : lo[d];
      hi[d] = lowest < 0 || node->hi[d][k] > hi[d] ? node->hi[d][k] : hi[d];
    }
    lowest = leaf >= 0 ? leaf : lowest;
  }
  return lowest;
}

int64_t SQI_LEVEL_NAME(sqi_crossings_join)(const sqi_crossing_join* j, int32_t own)
{
  float lo[3] = { 0.0f, 0.0f, 0.0f }, hi[3] = { 0.0f, 0.0f, 0.0f };
  int32_t lowest = leaves_of(j, own, lo, hi);
  if (lowest < 0)
  {
    return 0;
  }
  batch found;
  memset(&found, 0, sizeof(found));
  int32_t stack[SQI_BVH_STACK];
  int32_t depth = 0;
  int64_t pairs = 0;
  stack[depth++] = 0;
  while (depth)
  {
    int32_t at = stack[--depth];
    const sqi_bvh_node* node = j->bvh->nodes + at;
    for (unsigned hits = sqi_bvh_overlap(node, lo, hi); hits; hits &= hits - 1)
    {
      int k = __builtin_ctz(hits);
      int32_t leaf = j->leaf_of_child[(int64_t)SQI_BVH_WIDTH * at + k];
      if (!node->count[k])
      {
        stack[depth++] = node->child[k];
      }
      else if (leaf >= lowest)
      {
        take_leaf(&found, node, k, leaf);
        pairs += found.count == SQI_BVH_WIDTH ? join_batch(j, own, &found) : 0;
      }
    }
  }
  return pairs + join_batch(j, own, &found);
}
