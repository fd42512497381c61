#ifndef SQI_TRIANGLE_INDEX_EXACT_H
#define SQI_TRIANGLE_INDEX_EXACT_H
/** Measuring candidates in double and keeping the best of them. */
#include "sqi_triangle_index_tree.h"
#include "sqk_triangle.h"

typedef struct sqi_exact
{
  const sqi_triangle_index* index;
  double x[3]; /* the query, scaled */
  double scale;
  double far2;
  sqk_closest best;
  int32_t triangle; /* -1: none yet */
} sqi_exact;

/** Largest power of two that is at most x >= 0, by clearing the fraction; 0 below the normal numbers. */
static inline double sqi_floor_power(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  bits &= UINT64_C(0x7ff) << 52;
  memcpy(&x, &bits, sizeof(bits));
  return x;
}

static inline void sqi_exact_begin(
  sqi_exact* e, const sqi_triangle_index* index, const double x[3], double scale)
{
  e->index = index;
  e->scale = scale;
  e->triangle = -1;
  e->best.distance2 = HUGE_VAL;
  double largest = index->largest * (scale / index->exact_scale);
  for (int d = 0; d < 3; ++d)
  {
    e->x[d] = x[d] * scale;
    largest = fabs(e->x[d]) > largest ? fabs(e->x[d]) : largest;
  }
  e->far2 = sqi_floor_power(largest);
  e->far2 *= e->far2;
}

static inline void sqi_exact_corners(const sqi_exact* e, int32_t triangle, double corner[3][3])
{
  const int32_t* ids = e->index->corners + 3 * (int64_t)triangle;
  for (int k = 0; k < 3; ++k)
  {
    const double* p = e->index->vertices + 3 * (int64_t)ids[k];
    corner[k][0] = p[0] * e->scale;
    corner[k][1] = p[1] * e->scale;
    corner[k][2] = p[2] * e->scale;
  }
}

/** Measures a triangle; it is kept where it is nearer, or as near with a lower id. */
static inline void sqi_exact_try(sqi_exact* e, int32_t triangle)
{
  double corner[3][3];
  sqk_closest c;
  sqi_exact_corners(e, triangle, corner);
  sqk_closest_on_triangle(e->x, corner[0], corner[1], corner[2], e->far2, &c);
  if (c.distance2 < e->best.distance2 ||
    (c.distance2 <= e->best.distance2 && (triangle < e->triangle || e->triangle < 0)))
  {
    e->best = c;
    e->triangle = triangle;
  }
}

/** The closest point: a corner as it is; from the query where that is near, from the corners where it is not. */
static inline void sqi_exact_point(const sqi_exact* e, const double x[3], double point[3])
{
  const int32_t* ids = e->index->corners + 3 * (int64_t)e->triangle;
  double mesh = e->index->largest * (e->scale / e->index->exact_scale);
  const double* w = e->best.weight;
  const double* v[3];
  for (int k = 0; k < 3; ++k)
  {
    v[k] = e->index->vertices + 3 * (int64_t)ids[k];
  }
  for (int d = 0; d < 3; ++d)
  {
    if (e->best.feature < 3)
    {
      point[d] = v[e->best.feature][d];
    }
    else if (e->best.distance2 <= mesh * mesh)
    {
      point[d] = x[d] + e->best.offset[d] / e->scale;
    }
    else
    {
      point[d] = w[0] * v[0][d] + w[1] * v[1][d] + w[2] * v[2][d];
    }
  }
}

/** Writes the answer to the query x, the statistics apart. */
static inline void sqi_exact_finish(
  const sqi_exact* e, const double x[3], double max_distance, sqi_hit* hit)
{
  sqi_hit_clear(hit);
  double distance = sqrt(e->best.distance2) / e->scale;
  if (e->triangle < 0 || !(distance <= max_distance))
  {
    return;
  }
  hit->distance = distance;
  hit->triangle = e->triangle;
  hit->feature = e->best.feature;
  sqk_set3(e->best.weight, hit->barycentric);
  sqi_exact_point(e, x, hit->point);
}

#endif
