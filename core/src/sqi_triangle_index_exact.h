#ifndef SQI_TRIANGLE_INDEX_EXACT_H
#define SQI_TRIANGLE_INDEX_EXACT_H
/** Measuring candidates in double and keeping the best of them. */
#include "sqi_triangle_index_tree.h"
#include "sqk_triangle.h"

typedef struct sqi_exact
{
  const sqi_triangle_index* index;
  double x[3];
  double largest; /* coordinate of scene and query */
  double far2;
  int extreme; /* squares may leave the range of double: each measurement is scaled by itself */
  double scale; /* power of two by which what `best` was measured on was multiplied */
  double distance; /* of `best`, where extreme */
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
  sqi_exact* e, const sqi_triangle_index* index, const double x[3], int extreme)
{
  e->index = index;
  e->extreme = extreme;
  e->scale = 1.0;
  e->triangle = -1;
  e->distance = e->best.distance2 = HUGE_VAL;
  sqk_set3(x, e->x);
  e->largest = fmax(index->largest, sqk_largest3(x));
  e->far2 = sqi_floor_power(e->largest);
  e->far2 *= e->far2;
}

static inline int sqi_exact_is_first(const sqi_exact* e, int32_t triangle)
{
  return triangle < e->triangle || e->triangle < 0;
}

/** sqi_exact_try() with all coordinates scaled so that the largest is about 1. Out of line: hardly ever needed. */
void sqi_exact_try_scaled(sqi_exact* e, int32_t triangle);

/** Measures a triangle; it is kept where it is nearer, or as near with a lower id. */
static inline void sqi_exact_try(sqi_exact* e, int32_t triangle)
{
  if (e->extreme)
  {
    sqi_exact_try_scaled(e, triangle);
    return;
  }
  const int32_t* ids = e->index->corners + 3 * (int64_t)triangle;
  const double* v = e->index->vertices;
  sqk_closest c;
  sqk_closest_on_triangle(
    e->x, v + 3 * (int64_t)ids[0], v + 3 * (int64_t)ids[1], v + 3 * (int64_t)ids[2], e->far2, &c);
  if (c.distance2 < e->best.distance2 ||
    (c.distance2 <= e->best.distance2 && sqi_exact_is_first(e, triangle)))
  {
    e->best = c;
    e->triangle = triangle;
  }
}

/** Distance of the best triangle, infinite without one. */
static inline double sqi_exact_distance(const sqi_exact* e)
{
  return e->extreme ? e->distance : sqrt(e->best.distance2);
}

/** The closest point: a corner as it is; from the query where that is near, from the corners where it is not. */
static inline void sqi_exact_point(const sqi_exact* e, double distance, double point[3])
{
  const int32_t* ids = e->index->corners + 3 * (int64_t)e->triangle;
  double mesh = e->index->largest;
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
    else if (distance <= mesh)
    {
      point[d] = e->x[d] + e->best.offset[d] / e->scale;
    }
    else
    {
      point[d] = w[0] * v[0][d] + w[1] * v[1][d] + w[2] * v[2][d];
    }
  }
}

/** Writes the answer, the statistics apart. */
static inline void sqi_exact_finish(const sqi_exact* e, double max_distance, sqi_hit* hit)
{
  sqi_hit_clear(hit);
  double distance = sqi_exact_distance(e);
  if (e->triangle < 0 || !(distance <= max_distance))
  {
    return;
  }
  hit->distance = distance;
  hit->triangle = e->triangle;
  hit->feature = e->best.feature;
  sqk_set3(e->best.weight, hit->barycentric);
  sqi_exact_point(e, distance, hit->point);
}

#endif
