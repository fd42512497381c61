/**
 * The hot loop of the winding number. Compiled once per instruction set level with SQI_LEVEL set to its name; plain
 * vector arithmetic without contraction, so that every level gives the same bits.
 */
#include "sqi_level.h"
#include "sqi_winding_tree.h"
#include "sqk_solid_angle.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586476925;

SQI_SIMD sqi_d8 load(const double* p)
{
  sqi_d8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD sqi_d8 splat(double x)
{
  sqi_d8 v = { x, x, x, x, x, x, x, x };
  return v;
}

SQI_SIMD sqi_d8 pick(sqi_l8 mask, sqi_d8 yes, sqi_d8 no)
{
  return (sqi_d8)((mask & (sqi_l8)yes) | (~mask & (sqi_l8)no));
}

/** Square roots are rounded correctly in every form, so all levels agree. */
SQI_SIMD sqi_d8 root(sqi_d8 v)
{
#if defined(__AVX512F__)
  return (sqi_d8)_mm512_sqrt_pd((__m512d)v);
#elif defined(__AVX__)
  __m256d part[2];
  memcpy(part, &v, sizeof(v));
  part[0] = _mm256_sqrt_pd(part[0]);
  part[1] = _mm256_sqrt_pd(part[1]);
  memcpy(&v, part, sizeof(v));
  return v;
#else
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    v[k] = sqrt(v[k]);
  }
  return v;
#endif
}

SQI_SIMD sqi_d8 magnitude(sqi_d8 v)
{
  return (sqi_d8)((sqi_l8)v & INT64_MAX);
}

/** A power of two that brings v >= 0, which is below 2^1023, to [1, 2); 2^1023 for 0. */
SQI_SIMD sqi_d8 power_of_two_over(sqi_d8 v)
{
  const int64_t one = (int64_t)1 << 52; /* in the exponent */
  return (sqi_d8)(2046 * one - ((sqi_l8)v & (2047 * one)));
}

SQI_SIMD int any(sqi_l8 mask)
{
  int64_t all = 0;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    all |= mask[k];
  }
  return all != 0;
}

/** Below this share of their terms, numerator and denominator give an angle that is off by more than 1e-10. */
static const double CANCELLED = 0x1p-20;

/** Computes the lanes of `which` again, in double-double. */
static __attribute__((noinline)) void refine(const sqi_winding_leaf* leaf, const sqi_d8 x[3],
  sqi_l8 which, sqi_d8 scale, sqi_d8* num, sqi_d8* den)
{
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    if (which[k])
    {
      const double at[3] = { x[0][k] * scale[k], x[1][k] * scale[k], x[2][k] * scale[k] };
      double v[3][3], n, d;
      for (int c = 0; c < 3; ++c)
      {
        for (int i = 0; i < 3; ++i)
        {
          v[c][i] = leaf->corner[c][i][k] * scale[k];
        }
      }
      sqk_half_solid_angle(at, v[0], v[1], v[2], &n, &d);
      (*num)[k] = n;
      (*den)[k] = d;
    }
  }
}

/** Half solid angles as arguments of complex numbers: their product, and the full turns that it lost. */
typedef struct turn
{
  sqi_d8 re;
  sqi_d8 im;
  sqi_d8 turns;
} turn;

/**
 * Adds the triangles of a leaf. The half angle of a triangle is the argument of (den, num) of van Oosterom and
 * Strackee, "The solid angle of a plane triangle", IEEE TBME 30(2), 1983. One atan2 a lane in the end replaces one
 * a triangle: both factors' arguments are in (-pi, pi), so the product has lost a turn exactly when they
 * have one sign and the product has the other.
 */
SQI_SIMD void add_leaf(turn* t, const sqi_winding_leaf* leaf, const sqi_d8 x[3])
{
  sqi_d8 v[3][3], length[3], e[3], f[3], largest = splat(0.0);
  for (int c = 0; c < 3; ++c)
  {
    for (int d = 0; d < 3; ++d)
    {
      v[c][d] = load(leaf->corner[c][d]) - x[d];
      sqi_d8 m = magnitude(v[c][d]);
      largest = pick(m > largest, m, largest);
    }
  }
  /* To about size 1, so that products of three neither overflow nor vanish. */
  sqi_d8 scale = power_of_two_over(largest);
  for (int d = 0; d < 3; ++d)
  {
    e[d] = (load(leaf->corner[1][d]) - load(leaf->corner[0][d])) * scale;
    f[d] = (load(leaf->corner[2][d]) - load(leaf->corner[0][d])) * scale;
  }
  for (int c = 0; c < 3; ++c)
  {
    for (int d = 0; d < 3; ++d)
    {
      v[c][d] *= scale;
    }
    length[c] = root(v[c][0] * v[c][0] + v[c][1] * v[c][1] + v[c][2] * v[c][2]);
  }
  sqi_d8 n[3] = { e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0] };
  sqi_d8 num = v[0][0] * n[0] + v[0][1] * n[1] + v[0][2] * n[2];
  sqi_d8 ab = v[0][0] * v[1][0] + v[0][1] * v[1][1] + v[0][2] * v[1][2];
  sqi_d8 bc = v[1][0] * v[2][0] + v[1][1] * v[2][1] + v[1][2] * v[2][2];
  sqi_d8 ca = v[2][0] * v[0][0] + v[2][1] * v[0][1] + v[2][2] * v[0][2];
  sqi_d8 size = length[0] * length[1] * length[2];
  sqi_d8 den = size + ab * length[2] + bc * length[0] + ca * length[1];
  sqi_d8 area = magnitude(n[0]) + magnitude(n[1]) + magnitude(n[2]);
  sqi_l8 cancelled =
    (magnitude(num) + magnitude(den) < splat(CANCELLED) * size) & (area > splat(0.0));
  if (any(cancelled))
  {
    refine(leaf, x, cancelled, scale, &num, &den);
  }
  sqi_d8 re = t->re * den - t->im * num;
  sqi_d8 im = t->re * num + t->im * den;
  sqi_d8 norm = magnitude(re) + magnitude(im);
  /* In the plane of the triangle it is seen edge on, or from its inside with the mean 0 of both sides. */
  sqi_l8 counts = (num != splat(0.0)) & (norm > splat(0.0));
  sqi_l8 up = (t->im > splat(0.0)) & (num > splat(0.0)) & (im <= splat(0.0));
  sqi_l8 down = (t->im < splat(0.0)) & (num < splat(0.0)) & (im >= splat(0.0));
  t->turns +=
    pick(up & counts, splat(1.0), splat(0.0)) - pick(down & counts, splat(1.0), splat(0.0));
  sqi_d8 inverse = splat(1.0) / pick(counts, norm, splat(1.0));
  t->re = pick(counts, re * inverse, t->re);
  t->im = pick(counts, im * inverse, t->im);
}

/** The sum over the lanes, in the unit of whole spheres. */
static double finish(const turn* t)
{
  double sum = 0.0;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    sum += atan2(t->im[k], t->re[k]) / TWO_PI + t->turns[k];
  }
  return sum;
}

/** Eight children as seen from x: vectors to their centres, and what their terms share. */
typedef struct view
{
  sqi_d8 r[3];
  sqi_d8 inverse; /* 1 / distance of the centre */
  sqi_d8 q; /* radius / distance */
  sqi_d8 u; /* 1 / (1 - q) */
} view;

/** What is not used of it (no child, x within its radius) may be anything. */
SQI_SIMD view view_of(const sqi_moments* m, const sqi_d8 r[3], sqi_d8 distance2)
{
  view v = { { r[0], r[1], r[2] }, splat(1.0) / root(distance2), r[0], r[0] };
  v.q = load(m->radius) * v.inverse;
  v.u = splat(1.0) / (splat(1.0) - v.q);
  return v;
}

/** Expansions of the children, times 4 pi: section 3 of Barill et al., for traceless moments. */
SQI_SIMD sqi_d8 expand(const sqi_moments* m, const view* v)
{
  const sqi_d8* r = v->r;
  sqi_d8 xx = r[0] * r[0], yy = r[1] * r[1], zz = r[2] * r[2];
  sqi_d8 inverse2 = v->inverse * v->inverse;
  sqi_d8 inverse3 = inverse2 * v->inverse;
  sqi_d8 n = r[0] * load(m->n[0]) + r[1] * load(m->n[1]) + r[2] * load(m->n[2]);
  sqi_d8 a = load(m->a[0]) * (xx - zz) + load(m->a[1]) * (yy - zz) +
    splat(2.0) *
      (load(m->a[2]) * (r[0] * r[1]) + load(m->a[3]) * (r[0] * r[2]) +
        load(m->a[4]) * (r[1] * r[2]));
  sqi_d8 three = splat(3.0);
  sqi_d8 b = load(m->b[0]) * (r[1] * (three * xx - yy)) +
    load(m->b[1]) * (r[2] * (three * xx - zz)) + load(m->b[2]) * (r[0] * (three * yy - xx)) +
    load(m->b[3]) * (r[2] * (three * yy - zz)) + load(m->b[4]) * (r[0] * (three * zz - xx)) +
    load(m->b[5]) * (r[1] * (three * zz - yy)) +
    load(m->b[6]) * (splat(6.0) * (r[0] * r[1] * r[2]));
  return inverse3 * (n + inverse2 * (inverse2 * (splat(15.0) * b) - three * a));
}

/**
 * Bound of what the expansions leave out, times 4 pi. The n-th term of the Taylor series of the kernel is at most
 * (n + 1) |d|^n / distance^(n + 2); summed from n = 3 on with |d| <= radius this is third (4 - 3 q) / ((1 - q)^2
 * distance^5).
 */
SQI_SIMD sqi_d8 remainder_bound(const sqi_moments* m, const view* v)
{
  sqi_d8 inverse2 = v->inverse * v->inverse;
  return load(m->third) * (splat(4.0) - splat(3.0) * v->q) * (v->u * v->u) *
    (inverse2 * inverse2 * v->inverse);
}

/** 1 / the gap to the children: no triangle is nearer than distance - radius, nor than the reach. */
SQI_SIMD sqi_d8 over_gap_of(const view* v, double over_reach)
{
  sqi_d8 over_gap = v->inverse * v->u;
  sqi_l8 is_gap = (v->q < splat(1.0)) & (over_gap < splat(over_reach));
  return pick(is_gap, over_gap, splat(over_reach));
}

/** What the summed children tell about the neighbourhood. */
typedef struct steepness
{
  sqi_d8 slope; /* times 4 pi */
  sqi_d8 over_rim;
} steepness;

SQI_SIMD void add_steepness(
  steepness* s, const sqi_moments* m, const view* v, sqi_l8 summed, double over_reach, int has_rim)
{
  sqi_d8 over_gap = over_gap_of(v, over_reach);
  sqi_d8 steep = pick(summed, load(m->steep), splat(0.0));
  sqi_d8 slope = over_gap * over_gap;
  s->slope += steep * (has_rim ? slope : slope * over_gap);
  s->over_rim = pick((steep > splat(0.0)) & (over_gap > s->over_rim), over_gap, s->over_rim);
}

static sqi_winding_sum_result sum_all(const sqi_winding* w, const sqi_d8 x[3])
{
  turn t = { splat(1.0), splat(0.0), splat(0.0) };
  for (int32_t k = 0; k < w->leaf_count; ++k)
  {
    add_leaf(&t, w->leaves + k, x);
  }
  sqi_winding_sum_result result = { finish(&t), 0.0, 0.0, (double)INFINITY, (double)INFINITY };
  return result;
}

sqi_winding_sum_result SQI_LEVEL_NAME(sqi_winding_sum)(
  const sqi_winding* w, const double point[3], double accuracy, double reach)
{
  const sqi_d8 x[3] = { splat(point[0]), splat(point[1]), splat(point[2]) };
  if (accuracy <= 0.0 || !w->node_count)
  {
    return sum_all(w, x);
  }
  const double over_reach = 1.0 / reach;
  turn t = { splat(1.0), splat(0.0), splat(0.0) };
  sqi_d8 far_sum = splat(0.0), error = splat(0.0), square = splat(0.0);
  steepness steep = { splat(0.0), splat(0.0) };
  int32_t stack[SQI_BVH_STACK];
  int32_t depth = 0;
  stack[depth++] = 0;
  while (depth)
  {
    int32_t node = stack[--depth];
    const sqi_moments* m = w->moments + node;
    sqi_d8 r[3] = { load(m->centre[0]) - x[0], load(m->centre[1]) - x[1],
      load(m->centre[2]) - x[2] };
    sqi_d8 distance2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    sqi_d8 opening = splat(accuracy) * load(m->radius);
    sqi_l8 child = load(m->radius) >= splat(0.0);
    sqi_l8 far = child & (distance2 > opening * opening);
    const view v = view_of(m, r, distance2);
    far_sum += pick(far, expand(m, &v), splat(0.0));
    sqi_d8 left_out = pick(far, remainder_bound(m, &v), splat(0.0));
    error += left_out;
    square += left_out * left_out;
    sqi_l8 near = child & ~far, summed = far;
    for (int k = SQI_BVH_WIDTH - 1; k >= 0; --k)
    {
      if (near[k])
      {
        int32_t below = w->child[SQI_BVH_WIDTH * node + k];
        if (below < 0)
        {
          add_leaf(&t, w->leaves + ~below, x);
          summed[k] = -1;
        }
        else
        {
          stack[depth++] = below;
        }
      }
    }
    if (reach > 0.0)
    {
      add_steepness(&steep, m, &v, summed, over_reach, w->has_rim);
    }
  }
  double number = 0.0, bound = 0.0, squares = 0.0, slope = 0.0, over_rim = 0.0;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    number += far_sum[k];
    bound += error[k];
    squares += square[k];
    slope += steep.slope[k];
    over_rim = steep.over_rim[k] > over_rim ? steep.over_rim[k] : over_rim;
  }
  const double sphere = 2.0 * TWO_PI, unknown = (double)INFINITY;
  sqi_winding_sum_result result = { finish(&t) + number / sphere, bound / sphere,
    sqrt(squares) / sphere, reach > 0.0 ? slope / sphere : unknown,
    reach > 0.0 ? over_rim : unknown };
  return result;
}
