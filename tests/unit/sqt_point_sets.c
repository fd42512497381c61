#include "sqt_point_sets.h"

#include "orc_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double normal(orc_random* r)
{
  double sum = -6;
  for (int k = 0; k < 12; ++k)
  {
    sum += orc_between(r, 0, 1);
  }
  return sum;
}

/** Gaussian cloud about (shift, 0, 0) of that width. */
static sq_points cloud(
  uint64_t seed, sq_type type, int64_t count, int32_t dimension, double shift, double width)
{
  sq_points p = sqt_random_points(seed, type, count, dimension, 0, 0);
  orc_random r = { seed };
  for (int64_t i = 0; i < count * dimension; ++i)
  {
    double x = width * normal(&r) + (i % dimension ? 0 : shift);
    sqt_set_coordinate(&p, i / dimension, (int32_t)(i % dimension), x);
  }
  return p;
}

static sq_points grid(int32_t dimension)
{
  int64_t count = dimension == 1 ? 5 : dimension == 2 ? 25 : 125;
  sq_points p = sqt_random_points(1, SQ_FLOAT32, count, dimension, 0, 0);
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t rest = i;
    for (int32_t d = 0; d < dimension; ++d, rest /= 5)
    {
      sqt_set_coordinate(&p, i, d, (double)(rest % 5));
    }
  }
  return p;
}

/** Every point again, half of them three times. */
static sq_points doubled(void)
{
  sq_points p = cloud(12, SQ_FLOAT32, 60, 3, 0, 1);
  for (int64_t i = 20; i < 60; ++i)
  {
    for (int32_t d = 0; d < 3; ++d)
    {
      sqt_set_coordinate(&p, i, d, sqt_coordinate(&p, i % 20, d));
    }
  }
  return p;
}

static sq_points collinear(sq_type type)
{
  sq_points p = sqt_random_points(1, type, 41, 3, 0, 0);
  for (int64_t i = 0; i < 41; ++i)
  {
    for (int32_t d = 0; d < 3; ++d)
    {
      sqt_set_coordinate(&p, i, d, (double)(i * (d + 1)) / 7);
    }
  }
  return p;
}

static sq_points two_clusters(void)
{
  sq_points p = cloud(13, SQ_FLOAT32, 40, 3, 0, 0.01);
  for (int64_t i = 20; i < 40; ++i)
  {
    sqt_set_coordinate(&p, i, 0, sqt_coordinate(&p, i, 0) + 100);
  }
  return p;
}

/** Sources and targets with points whose coordinates are no numbers, among them whole leaves. */
static sq_points with_holes(uint64_t seed, int64_t count, int32_t dimension)
{
  sq_points p = cloud(seed, SQ_FLOAT32, count, dimension, 0, 1);
  for (int64_t i = 0; i < count; i += i % 3 ? 5 : 2)
  {
    sqt_set_coordinate(&p, i, (int32_t)(i % dimension), i % 2 ? (double)NAN : (double)INFINITY);
  }
  return p;
}

static sq_points outlier(void)
{
  sq_points p = cloud(14, SQ_FLOAT32, 60, 3, 0, 1);
  sqt_set_coordinate(&p, 17, 1, 1e4);
  return p;
}

static sq_points coplanar(void)
{
  sq_points p = cloud(15, SQ_FLOAT32, 70, 3, 0, 1);
  for (int64_t i = 0; i < 70; ++i)
  {
    sqt_set_coordinate(&p, i, 2, 0.25);
  }
  return p;
}

/** Widths from 1e-18 to 1e18: squares leave the range of float at both ends. */
static sq_points wide_range(void)
{
  sq_points p = cloud(16, SQ_FLOAT32, 60, 3, 0, 1);
  for (int64_t i = 0; i < 60; ++i)
  {
    for (int32_t d = 0; d < 3; ++d)
    {
      sqt_set_coordinate(&p, i, d, sqt_coordinate(&p, i, d) * pow(10, (double)(i % 41) - 20));
    }
  }
  return p;
}

static const sq_points none = { NULL, 0, SQ_FLOAT32, 3 };

static sqt_point_set first_sets(int k)
{
  sqt_point_set s = { "", none, none };
  switch (k)
  {
    case 0:
      return (sqt_point_set){ "clouds, 57 x 43", cloud(1, SQ_FLOAT32, 57, 3, 0, 1),
        cloud(2, SQ_FLOAT32, 43, 3, 0, 1) };
    case 1:
      return (sqt_point_set){ "cloud of 64", cloud(3, SQ_FLOAT32, 64, 3, 0, 1), none };
    case 2:
      return (sqt_point_set){ "clouds, 80 x 70, plane", cloud(4, SQ_FLOAT64, 80, 2, 0, 1),
        cloud(5, SQ_FLOAT64, 70, 2, 0, 1) };
    case 3:
      return (sqt_point_set){ "cloud of 97", cloud(6, SQ_FLOAT64, 97, 3, 0, 1), none };
    case 4:
      return (sqt_point_set){ "coincident", cloud(7, SQ_FLOAT32, 37, 3, 0.5, 0), none };
    case 5:
      return (sqt_point_set){ "two clusters", two_clusters(), none };
    case 6:
      return (sqt_point_set){ "collinear", collinear(SQ_FLOAT32), none };
    case 7:
      return (sqt_point_set){ "grid 5", grid(1), none };
    case 8:
      return (sqt_point_set){ "grid 5 x 5", grid(2), none };
    case 9:
      return (sqt_point_set){ "grid 5 x 5 x 5", grid(3), none };
    case 10:
      return (sqt_point_set){ "offset", cloud(8, SQ_FLOAT32, 60, 3, 1e4, 0.1), none };
    default:
      return s;
  }
}

sqt_point_set sqt_point_set_make(int k)
{
  switch (k)
  {
    case 11:
      return (sqt_point_set){ "outlier", outlier(), none };
    case 12:
      return (sqt_point_set){ "doubled", doubled(), none };
    case 13:
      return (sqt_point_set){ "coplanar", coplanar(), none };
    case 14:
      return (sqt_point_set){ "1 x 200", cloud(9, SQ_FLOAT32, 1, 3, 0, 1),
        cloud(10, SQ_FLOAT32, 200, 3, 0, 1) };
    case 15:
      return (sqt_point_set){ "200 x 1", cloud(10, SQ_FLOAT32, 200, 3, 0, 1),
        cloud(9, SQ_FLOAT32, 1, 3, 0, 1) };
    case 16:
      return (sqt_point_set){ "two leaves 2.4 apart", cloud(17, SQ_FLOAT32, 8, 3, 0, 0.3),
        cloud(18, SQ_FLOAT32, 8, 3, 2.4, 0.3) };
    case 17:
      return (sqt_point_set){ "holes", with_holes(19, 77, 3), none };
    case 18:
      return (
        sqt_point_set){ "holes, plane, 50 x 60", with_holes(20, 50, 2), with_holes(21, 60, 2) };
    case 19:
      return (sqt_point_set){ "wide range", wide_range(), none };
    case 20:
      return (sqt_point_set){ "collinear, float64", collinear(SQ_FLOAT64), none };
    case 21:
      return (sqt_point_set){ "line, 90 x 80", cloud(22, SQ_FLOAT32, 90, 1, 0, 1),
        cloud(23, SQ_FLOAT32, 80, 1, 0.5, 1) };
    default:
      return first_sets(k);
  }
}

void sqt_point_set_free(sqt_point_set* set)
{
  free((void*)(uintptr_t)set->targets.data);
  free((void*)(uintptr_t)set->sources.data);
  memset(set, 0, sizeof(*set));
}
