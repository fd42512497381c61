#ifndef SQI_MESH_INDEX_LEAF_H
#define SQI_MESH_INDEX_LEAF_H
/**
 * Leaves of up to eight cells, each within a tetrahedron, wedge, pyramid or parallelepiped of its own that eight lanes test at
 * once, in the frame of the tree. Float only filters: a cell that passes is tested in double.
 */
#include "sqi_cell_bound.h"
#include "sqi_simd.h"

/** Lane i is the bound of a cell (sqi_cell_bound.h), rounded. Rows of 0 pass all. */
struct sqi_mesh_leaf
{
  float origin[3][SQI_LANES];
  float row[3][3][SQI_LANES];
  float kind[SQI_LANES];
  int32_t number[SQI_LANES]; /* -1: no cell */
};

/**
 * How far a float coordinate of a query or origin, their difference and a row times it can be off, for coordinates of 1: below 13
 * half ulp.
 */
#define SQI_MESH_LEAF_ERROR 0x1p-20f
/** Origins lie within this; cells whose bounds do not are passed by all. */
#define SQI_MESH_LEAF_ORIGIN 1.5

/** Turns the order of a tree that has just been built into leaves: its leaf children are then leaf numbers. */
sq_status sqi_mesh_leaves_build(sq_context* context, sq_mesh_index* index);

/** Before the tree is released, whose allocator they are of. */
void sqi_mesh_leaves_release(sq_mesh_index* index);

/** A query in the frame: how far its float coordinates and what is computed from them can be off. */
static inline float sqi_mesh_leaf_error(const float q[3])
{
  float largest = 1.0f;
  for (int k = 0; k < 3; ++k)
  {
    largest = __builtin_fabsf(q[k]) > largest ? __builtin_fabsf(q[k]) : largest;
  }
  return SQI_MESH_LEAF_ERROR * largest;
}

/** A distance in the frame rounded up, and cut off where it holds everything. */
static inline float sqi_mesh_leaf_distance(double distance)
{
  return sqi_round_up((distance < 0x1p60 ? distance : 0x1p60) * (1.0 + 0x1p-20));
}

/** Bit i: cell i may be within `distance` of q (both in the frame), whose error is `error`. */
SQI_SIMD unsigned sqi_mesh_leaf_filter(
  const sqi_mesh_leaf* leaf, const float q[3], float error, float distance)
{
  sqi_f8 d[3], u[3];
  sqi_f8 slack_total = sqi_set8(0x1p-20f);
  sqi_i8 hit = { -1, -1, -1, -1, -1, -1, -1, -1 };
  for (int k = 0; k < 3; ++k)
  {
    d[k] = sqi_set8(q[k]) - sqi_load8(leaf->origin[k]);
  }
  for (int k = 0; k < 3; ++k)
  {
    sqi_f8 a = sqi_load8(leaf->row[k][0]);
    sqi_f8 b = sqi_load8(leaf->row[k][1]);
    sqi_f8 c = sqi_load8(leaf->row[k][2]);
    u[k] = a * d[0] + b * d[1] + c * d[2];
    sqi_f8 norm1 = sqi_abs8(a) + sqi_abs8(b) + sqi_abs8(c);
    sqi_f8 norm2 = sqi_sqrt8(a * a + b * b + c * c);
    sqi_f8 slack = norm1 * sqi_set8(error) + norm2 * sqi_set8(distance);
    hit &= (u[k] >= -slack) & (u[k] <= sqi_set8(1.0f) + slack);
    slack_total += slack;
  }
  sqi_f8 kind = sqi_load8(leaf->kind);
  sqi_f8 base =
    sqi_select8(kind == sqi_set8((float)SQI_BOUND_PYRAMID), sqi_max8(u[0], u[1]), u[0] + u[1]);
  sqi_f8 total = base + sqi_select8(kind == sqi_set8((float)SQI_BOUND_WEDGE), sqi_set8(0.0f), u[2]);
  hit &= (total <= sqi_set8(1.0f) + slack_total) | (kind <= sqi_set8((float)SQI_BOUND_SKEW));
  return sqi_mask8(hit);
}

/**
 * Squared lower bounds of the distances from q to the cells, up to 4 * sqi_mesh_leaf_error() in the distance; NaN where a lane
 * passes all. The gap along one direction always counts; at right angles their squares add up.
 */
SQI_SIMD sqi_f8 sqi_mesh_leaf_distance2(const sqi_mesh_leaf* leaf, const float q[3])
{
  sqi_f8 d[3];
  const sqi_f8 zero = sqi_set8(0.0f);
  sqi_f8 sum2 = zero, most2 = zero, total = zero;
  sqi_f8 all[3] = { zero, zero, zero };
  for (int k = 0; k < 3; ++k)
  {
    d[k] = sqi_set8(q[k]) - sqi_load8(leaf->origin[k]);
  }
  for (int k = 0; k < 3; ++k)
  {
    sqi_f8 u = zero, norm2 = zero;
    for (int c = 0; c < 3; ++c)
    {
      sqi_f8 a = sqi_load8(leaf->row[k][c]);
      u += a * d[c];
      norm2 += a * a;
      all[c] += a;
    }
    sqi_f8 gap = sqi_max8(sqi_max8(-u, u - sqi_set8(1.0f)), zero);
    sqi_f8 gap2 = gap * gap / norm2;
    sum2 += gap2;
    most2 = sqi_max8(most2, gap2);
    total += u;
  }
  sqi_f8 kind = sqi_load8(leaf->kind);
  sqi_f8 gap = sqi_max8(total - sqi_set8(1.0f), zero);
  sqi_f8 gap2 = gap * gap / (all[0] * all[0] + all[1] * all[1] + all[2] * all[2]);
  sqi_f8 tetra2 = sqi_max8(most2, gap2);
  sqi_f8 box2 = sqi_select8(kind == sqi_set8((float)SQI_BOUND_STRAIGHT), sum2, most2);
  return sqi_select8(kind == sqi_set8((float)SQI_BOUND_TETRA), tetra2, box2);
}

#endif
