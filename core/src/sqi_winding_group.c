/**
 * Moments of groups, and how they join (Barill et al. 2018, section 3.3); compiled once per instruction set level with SQI_LEVEL set
 * to its name. Lanes are summed from the first to the last, so that every level gives the same bits.
 */
#include "sqi_winding_group.h"
#include "sqi_level.h"

#include <math.h>

#define LANES SQI_BVH_WIDTH

SQI_SIMD sqi_d8 load(const double* p)
{
  sqi_d8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD void store(double* p, sqi_d8 v)
{
  memcpy(p, &v, sizeof(v));
}

SQI_SIMD sqi_d8 root(sqi_d8 v)
{
  for (int k = 0; k < LANES; ++k)
  {
    v[k] = sqrt(v[k]);
  }
  return v;
}

SQI_SIMD sqi_d8 larger(sqi_d8 a, sqi_d8 b)
{
  sqi_l8 more = a > b;
  return (sqi_d8)((more & (sqi_l8)a) | (~more & (sqi_l8)b));
}

SQI_SIMD sqi_d8 dot(const sqi_d8 a[3], const sqi_d8 b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Lanes that are not there hold 0, which no sum minds. */
SQI_SIMD double sum(sqi_d8 v)
{
  double s = 0.0;
  for (int k = 0; k < LANES; ++k)
  {
    s += v[k];
  }
  return s;
}

static void find_centre(const sqi_group_parts* p, sqi_group* g)
{
  g->area = sum(load(p->area));
  sqi_d8 weight = load(p->area) / g->area;
  if (!(g->area > 0.0))
  {
    for (int k = 0; k < LANES; ++k)
    {
      weight[k] = p->present >> k & 1 ? 1.0 / __builtin_popcount(p->present) : 0.0;
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    g->centre[d] = sum(weight * load(p->moments.centre[d]));
  }
}

/**
 * Moments n, a, b of each lane about c, as they are about the centre of the group, with s = c - centre:
 * a + n s, b + a s + n s s / 2, each as its symmetric traceless part (Barill et al., section 3.3).
 */
SQI_SIMD void add_moments(const sqi_moments* m, const sqi_d8 s[3], sqi_group* g)
{
  sqi_d8 n[3], a[3][3], t[3][3], third[3];
  for (int d = 0; d < 3; ++d)
  {
    n[d] = load(m->n[d]);
    g->n[d] = sum(n[d]);
  }
  a[0][0] = load(m->a[0]), a[1][1] = load(m->a[1]), a[2][2] = -a[0][0] - a[1][1];
  a[0][1] = a[1][0] = load(m->a[2]);
  a[0][2] = a[2][0] = load(m->a[3]);
  a[1][2] = a[2][1] = load(m->a[4]);
  sqi_d8 trace = dot(n, s) / 3.0;
  for (int i = 0; i < 3; ++i)
  {
    for (int j = 0; j < 3; ++j)
    {
      /* Symmetric part of a s + n s s / 2 is that of t s, with t symmetric. */
      t[i][j] = a[i][j] + 0.25 * (n[i] * s[j] + n[j] * s[i]);
    }
  }
  g->a[0] = sum(a[0][0] + n[0] * s[0] - trace);
  g->a[1] = sum(a[1][1] + n[1] * s[1] - trace);
  g->a[2] = sum(a[0][1] + 0.5 * (n[0] * s[1] + n[1] * s[0]));
  g->a[3] = sum(a[0][2] + 0.5 * (n[0] * s[2] + n[2] * s[0]));
  g->a[4] = sum(a[1][2] + 0.5 * (n[1] * s[2] + n[2] * s[1]));
  for (int k = 0; k < 3; ++k) /* the traces over two indices of the symmetric part of t s */
  {
    third[k] = ((t[0][0] + t[1][1] + t[2][2]) * s[k] + 2.0 * dot(t[k], s)) / 3.0;
  }
#define ADD_IIJ(slot, i, j) \
  g->b[slot] =              \
    sum(load(m->b[slot]) + (t[i][i] * s[j] + 2.0 * t[i][j] * s[i]) / 3.0 - third[j] / 5.0)
  ADD_IIJ(0, 0, 1);
  ADD_IIJ(1, 0, 2);
  ADD_IIJ(2, 1, 0);
  ADD_IIJ(3, 1, 2);
  ADD_IIJ(4, 2, 0);
  ADD_IIJ(5, 2, 1);
#undef ADD_IIJ
  g->b[6] = sum(load(m->b[6]) + (t[0][1] * s[2] + t[1][2] * s[0] + t[0][2] * s[1]) / 3.0);
}

static void join(const sqi_group_parts* p, sqi_group* g)
{
  sqi_d8 s[3];
  find_centre(p, g);
  for (int d = 0; d < 3; ++d)
  {
    s[d] = load(p->moments.centre[d]) - g->centre[d];
  }
  sqi_d8 distance = root(dot(s, s)), reach = distance + load(p->moments.radius);
  g->radius = g->third = 0.0;
  for (int k = 0; k < LANES; ++k)
  {
    if (p->present >> k & 1)
    {
      /* |d + s|^3 by Minkowski's inequality. */
      double norm = cbrt(p->moments.third[k]) + distance[k] * cbrt(p->area[k]);
      g->third += norm * norm * norm;
      g->radius = reach[k] > g->radius ? reach[k] : g->radius;
    }
  }
  add_moments(&p->moments, s, g);
  g->rim = sum(load(p->moments.steep));
}

void SQI_LEVEL_NAME(sqi_group_join)(const sqi_group_parts* p, sqi_group* g)
{
  join(p, g);
}

/** The moments of triangles about their centroids: n and a follow from the plane, b = n x (covariance) / 2. */
SQI_SIMD void measure_triangles(const sqi_winding_leaf* leaf, sqi_group_parts* p)
{
  sqi_moments* m = &p->moments;
  sqi_d8 v[3][3], e[3], f[3], centre[3], n[3], c[3][3], trace[3];
  sqi_d8 radius2 = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }, third = radius2;
  for (int d = 0; d < 3; ++d)
  {
    for (int i = 0; i < 3; ++i)
    {
      v[i][d] = load(leaf->corner[i][d]);
      c[d][i] = radius2; /* 0 */
    }
    e[d] = v[1][d] - v[0][d];
    f[d] = v[2][d] - v[0][d];
    centre[d] = v[0][d] + (e[d] + f[d]) / 3.0;
    store(m->centre[d], centre[d]);
  }
  n[0] = 0.5 * (e[1] * f[2] - e[2] * f[1]);
  n[1] = 0.5 * (e[2] * f[0] - e[0] * f[2]);
  n[2] = 0.5 * (e[0] * f[1] - e[1] * f[0]);
  store(p->area, root(dot(n, n)));
  for (int i = 0; i < 3;
       ++i) /* c: mean of d d / 2 over the triangle, sum over the corners of d d / 24 */
  {
    sqi_d8 d[3] = { v[i][0] - centre[0], v[i][1] - centre[1], v[i][2] - centre[2] };
    sqi_d8 length2 = dot(d, d);
    /* |d|^3 is convex: its mean is at most that of the corners. */
    third += load(p->area) * length2 * root(length2) / 3.0;
    radius2 = larger(length2, radius2);
    for (int j = 0; j < 9; ++j)
    {
      c[j / 3][j % 3] += d[j / 3] * d[j % 3] / 24.0;
    }
  }
  store(m->radius, root(radius2));
  store(m->third, third);
  for (int k = 0; k < 3; ++k)
  {
    store(m->n[k], n[k]);
    trace[k] = (n[k] * (c[0][0] + c[1][1] + c[2][2]) +
                 2.0 * (n[0] * c[0][k] + n[1] * c[1][k] + n[2] * c[2][k])) /
      3.0;
  }
  memset(m->a, 0, sizeof(m->a));
#define SET_IIJ(slot, i, j) \
  store(m->b[slot], (n[j] * c[i][i] + 2.0 * n[i] * c[i][j]) / 3.0 - trace[j] / 5.0)
  SET_IIJ(0, 0, 1);
  SET_IIJ(1, 0, 2);
  SET_IIJ(2, 1, 0);
  SET_IIJ(3, 1, 2);
  SET_IIJ(4, 2, 0);
  SET_IIJ(5, 2, 1);
#undef SET_IIJ
  store(m->b[6], (n[0] * c[1][2] + n[1] * c[0][2] + n[2] * c[0][1]) / 3.0);
}

void SQI_LEVEL_NAME(sqi_group_leaf)(
  const sqi_winding_leaf* leaf, int count, const double* rim, sqi_group* g)
{
  sqi_group_parts p;
  measure_triangles(leaf, &p);
  memcpy(p.moments.steep, rim, sizeof(p.moments.steep));
  p.present = (1u << count) - 1u;
  join(&p, g);
}
