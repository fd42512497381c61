#ifndef SQK_SDF_REFERENCE_H
#define SQK_SDF_REFERENCE_H
/**
 * The signed distance of NVIDIA PhysicsNeMo (physicsnemo.mesh.spatial.sdf over Warp's mesh queries), one triangle at a time and in
 * float32 as there: repair of degenerate faces, closest point, and weight of a face in the pseudonormal.
 */
#include "sqk_config.h"

#include <float.h>
#include <math.h>

#define SQK_REFERENCE_FLAT 1e-4f /* height of a degenerate face, over its longest edge */
#define SQK_REFERENCE_PI 3.14159265358979323846f

SQK_INLINE float sqk_dot3f(const float a[3], const float b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SQK_INLINE void sqk_sub3f(const float a[3], const float b[3], float out[3])
{
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
}

SQK_INLINE void sqk_cross3f(const float a[3], const float b[3], float out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

SQK_INLINE float sqk_length3f(const float a[3])
{
  return sqrtf(sqk_dot3f(a, a));
}

/**
 * Which corner of a face moves because the face is degenerate, and where to; -1 where it stays. A face with three
 * equal corners stays.
 */
SQK_INLINE int sqk_reference_repair(const float v[3][3], float moved[3])
{
  /* Edges ab, ac, bc, with the corner across. */
  const int from[3] = { 0, 0, 1 }, to[3] = { 1, 2, 2 }, across[3] = { 2, 1, 0 };
  float edge[3][3], length2[3], normal[3], direction[3];
  int longest = 0;
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3f(v[to[k]], v[from[k]], edge[k]);
    length2[k] = sqk_dot3f(edge[k], edge[k]);
    longest = length2[k] > length2[longest] ? k : longest;
  }
  sqk_cross3f(edge[0], edge[1], normal);
  float bound = SQK_REFERENCE_FLAT * length2[longest];
  if (!(sqk_dot3f(normal, normal) <= bound * bound) || length2[longest] == 0.0f)
  {
    return -1;
  }
  const float* e = edge[longest];
  direction[0] = 0.0f, direction[1] = e[2], direction[2] = -e[1];
  if (sqk_dot3f(direction, direction) < 0.5f * length2[longest])
  {
    direction[0] = -e[2], direction[1] = 0.0f, direction[2] = e[0];
  }
  float norm = fmaxf(sqk_length3f(direction), FLT_MIN), largest = 0.0f;
  for (int i = 0; i < 9; ++i)
  {
    largest = fmaxf(largest, fabsf(v[i / 3][i % 3]));
  }
  float height = fmaxf(SQK_REFERENCE_FLAT * sqrtf(length2[longest]), 8.0f * FLT_EPSILON * largest);
  for (int d = 0; d < 3; ++d)
  {
    moved[d] = 0.5f * (v[from[longest]][d] + v[to[longest]][d]) + height * (direction[d] / norm);
  }
  return across[longest];
}

/** Weights of corners 0 and 1 of the closest point of a face; Ericson, "Real-Time Collision Detection", section 5.1.5. */
SQK_INLINE void sqk_reference_closest(const float v[3][3], const float p[3], float weight[2])
{
  float ab[3], ac[3], ap[3], bp[3], cp[3];
  sqk_sub3f(v[1], v[0], ab);
  sqk_sub3f(v[2], v[0], ac);
  sqk_sub3f(p, v[0], ap);
  float d1 = sqk_dot3f(ab, ap), d2 = sqk_dot3f(ac, ap);
  weight[0] = 1.0f, weight[1] = 0.0f;
  if (d1 <= 0.0f && d2 <= 0.0f)
  {
    return;
  }
  sqk_sub3f(p, v[1], bp);
  float d3 = sqk_dot3f(ab, bp), d4 = sqk_dot3f(ac, bp);
  weight[0] = 0.0f, weight[1] = 1.0f;
  if (d3 >= 0.0f && d4 <= d3)
  {
    return;
  }
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
  {
    weight[1] = d1 / (d1 - d3);
    weight[0] = 1.0f - weight[1];
    return;
  }
  sqk_sub3f(p, v[2], cp);
  float d5 = sqk_dot3f(ab, cp), d6 = sqk_dot3f(ac, cp);
  weight[0] = weight[1] = 0.0f;
  if (d6 >= 0.0f && d5 <= d6)
  {
    return;
  }
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
  {
    weight[0] = 1.0f - d2 / (d2 - d6);
    return;
  }
  float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f)
  {
    weight[1] = 1.0f - (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return;
  }
  float scale = 1.0f / (va + vb + vc);
  weight[1] = vb * scale;
  weight[0] = 1.0f - weight[1] - vc * scale;
}

SQK_INLINE void sqk_reference_point(const float v[3][3], const float weight[2], float point[3])
{
  for (int d = 0; d < 3; ++d)
  {
    point[d] = weight[0] * v[0][d] + weight[1] * v[1][d] + (1.0f - weight[0] - weight[1]) * v[2][d];
  }
}

SQK_INLINE float sqk_reference_angle(const float v[3][3], int k)
{
  float a[3], b[3], n[3];
  sqk_sub3f(v[(k + 1) % 3], v[k], a);
  sqk_sub3f(v[(k + 2) % 3], v[k], b);
  sqk_cross3f(a, b, n);
  return atan2f(sqk_length3f(n), sqk_dot3f(a, b));
}

/** Distance of a point to the line of corners i and j. */
SQK_INLINE float sqk_reference_line(const float v[3][3], int i, int j, const float point[3])
{
  float e[3], r[3], n[3];
  sqk_sub3f(v[j], v[i], e);
  sqk_sub3f(point, v[i], r);
  sqk_cross3f(e, r, n);
  float length = sqk_length3f(e);
  return length > 0.0f ? sqk_length3f(n) / length : sqk_length3f(r);
}

/**
 * What a face adds to the pseudonormal at its closest point: its unit normal times the angle at the corner within `band`
 * of the point, else pi near an edge, else 2 pi. A face with three equal corners adds nothing.
 */
SQK_INLINE void sqk_reference_add_normal(
  const float v[3][3], const float point[3], float band, double sum[3])
{
  float ab[3], ac[3], n[3], r[3];
  float weight = 0.0f;
  for (int k = 0; k < 3 && weight == 0.0f; ++k)
  {
    sqk_sub3f(point, v[k], r);
    weight = sqk_length3f(r) < band ? sqk_reference_angle(v, k) : 0.0f;
  }
  if (weight == 0.0f)
  {
    int near_edge = sqk_reference_line(v, 0, 1, point) < band ||
      sqk_reference_line(v, 1, 2, point) < band || sqk_reference_line(v, 0, 2, point) < band;
    weight = near_edge ? SQK_REFERENCE_PI : 2.0f * SQK_REFERENCE_PI;
  }
  sqk_sub3f(v[1], v[0], ab);
  sqk_sub3f(v[2], v[0], ac);
  sqk_cross3f(ab, ac, n);
  float length = sqk_length3f(n);
  for (int d = 0; d < 3 && length > 0.0f; ++d)
  {
    sum[d] += (double)(weight * (n[d] / length));
  }
}

#endif
