#include "orc_queries.h"

#include "orc_random.h"

#include <math.h>

const char* orc_query_kind_name(orc_query_kind kind)
{
  static const char* const names[ORC_QUERY_KINDS] = { "uniform", "chords", "lattice", "near 1e-3",
    "near 1e-9", "on faces", "on edges", "on corners", "far" };
  return names[kind];
}

/** A random convex combination of the first `corners` corners of a random triangle, in random order. */
static void surface_point(const orc_mesh* mesh, orc_random* r, int corners, double x[3])
{
  int64_t t = orc_below(r, mesh->triangle_count);
  int first = (int)orc_below(r, 3);
  double w[3];
  orc_convex(r, corners, w);
  x[0] = x[1] = x[2] = 0.0;
  for (int c = 0; c < corners; ++c)
  {
    const double* p = orc_corner(mesh, t, (first + c) % 3);
    for (int k = 0; k < 3; ++k)
    {
      x[k] += (corners == 1 ? 1.0 : w[c]) * p[k];
    }
  }
}

static void box_point(
  const double lo[3], const double hi[3], double scale, orc_random* r, double x[3])
{
  for (int k = 0; k < 3; ++k)
  {
    double centre = lo[k] + 0.5 * (hi[k] - lo[k]);
    x[k] = centre + scale * (hi[k] - lo[k]) * orc_between(r, -0.5, 0.5);
  }
}

static void add_direction(double x[3], double by, orc_random* r)
{
  double d[3];
  orc_direction(r, d);
  for (int k = 0; k < 3; ++k)
  {
    x[k] += by * d[k];
  }
}

static void towards_surface_point(const orc_mesh* mesh, orc_random* r, double x[3])
{
  double y[3];
  surface_point(mesh, r, 3, y);
  double t = orc_unit(r);
  for (int k = 0; k < 3; ++k)
  {
    x[k] += t * (y[k] - x[k]);
  }
}

void orc_make_queries(
  const orc_mesh* mesh, orc_query_kind kind, int64_t count, uint64_t seed, double* points)
{
  double lo[3];
  double hi[3];
  orc_bounds(mesh, lo, hi);
  double diagonal = orc_diagonal(mesh);
  orc_random r = { seed };
  for (int64_t i = 0; i < count; ++i)
  {
    double* x = points + 3 * i;
    switch (kind)
    {
      case ORC_UNIFORM:
        box_point(lo, hi, 2.0, &r, x);
        break;
      case ORC_CHORDS:
        surface_point(mesh, &r, 3, x);
        towards_surface_point(mesh, &r, x);
        break;
      case ORC_LATTICE:
        for (int k = 0; k < 3; ++k)
        {
          x[k] = lo[k] + (hi[k] - lo[k]) * ((double)orc_below(&r, 13) - 2.0) * 0.125;
        }
        break;
      case ORC_NEAR_3:
      case ORC_NEAR_9:
        surface_point(mesh, &r, 3, x);
        add_direction(x, (kind == ORC_NEAR_3 ? 1e-3 : 1e-9) * diagonal, &r);
        break;
      case ORC_ON_FACES:
      case ORC_ON_EDGES:
      case ORC_ON_CORNERS:
        surface_point(mesh, &r, kind == ORC_ON_FACES ? 3 : kind == ORC_ON_EDGES ? 2 : 1, x);
        break;
      case ORC_FAR:
      case ORC_QUERY_KINDS:
        box_point(lo, hi, 0.0, &r, x);
        add_direction(x, 1e3 * diagonal, &r);
        break;
    }
  }
}

orc_real orc_distance_to_triangle(const orc_mesh* mesh, int64_t t, const double x[3])
{
  return orc_closest_on_triangle(
    orc_corner(mesh, t, 0), orc_corner(mesh, t, 1), orc_corner(mesh, t, 2), x)
    .distance;
}

orc_answer orc_answer_query(const orc_mesh* mesh, const double x[3], int winding)
{
  orc_answer a = { INFINITY, 0.0L, -1 };
  for (int64_t t = 0; t < mesh->triangle_count; ++t)
  {
    orc_real d = orc_distance_to_triangle(mesh, t, x);
    if (d < a.distance)
    {
      a.distance = d;
      a.triangle = t;
    }
    if (winding)
    {
      a.winding += orc_winding_of_triangle(
        orc_corner(mesh, t, 0), orc_corner(mesh, t, 1), orc_corner(mesh, t, 2), x);
    }
  }
  return a;
}
