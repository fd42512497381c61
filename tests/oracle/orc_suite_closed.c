/** The closed meshes of the suite. */
#include "orc_random.h"
#include "orc_suite_parts.h"

#include <math.h>
#include <stddef.h>

static const orc_mesh EMPTY = { NULL, NULL, 0, 0, 0, 0 };

static orc_mesh box_between(double lo, double hi)
{
  double a[3] = { lo, lo, lo };
  double b[3] = { hi, hi, hi };
  return orc_make_box(a, b);
}

static orc_mesh slab(double thickness)
{
  double lo[3] = { 0.0, 0.0, 0.0 };
  double hi[3] = { 1.0, 1.0, thickness };
  return orc_make_box(lo, hi);
}

static orc_mesh moved_box(double x, double y, double z)
{
  orc_mesh m = box_between(0.0, 1.0);
  orc_shift(&m, x, y, z);
  return m;
}

orc_mesh orc_suite_cube(void)
{
  return box_between(0.0, 1.0);
}

orc_mesh orc_suite_turned_box(void)
{
  double lo[3] = { -3.0, -2.0, -1.0 };
  double hi[3] = { -1.0, -1.5, -0.3 };
  orc_mesh m = orc_make_box(lo, hi);
  orc_rotate(&m, 33.0);
  return m;
}

orc_mesh orc_suite_sphere(void)
{
  return orc_make_sphere(16, 24);
}

orc_mesh orc_suite_octasphere(void)
{
  return orc_make_octasphere(8);
}

orc_mesh orc_suite_torus(void)
{
  return orc_make_torus(1.0, 0.3, 28, 14);
}

/** A sphere with random radii: ridges and pits, no symmetry. */
orc_mesh orc_suite_rough_sphere(void)
{
  orc_mesh m = orc_make_octasphere(9);
  orc_random r = { 5 };
  for (int64_t i = 0; i < m.point_count; ++i)
  {
    double f = orc_between(&r, 0.7, 1.1);
    for (int k = 0; k < 3; ++k)
    {
      m.points[3 * i + k] *= f;
    }
  }
  return m;
}

orc_mesh orc_suite_l_prism(void)
{
  const double xy[] = { 0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.0, 2.0 };
  return orc_make_prism(xy, 6, 3, 0.0, 1.0);
}

/** 5000 times as long as thick. */
orc_mesh orc_suite_fin(void)
{
  const double xy[] = { 0.0, 0.0, 1.0, -1e-4, 1.0, 1e-4 };
  orc_mesh m = orc_make_prism(xy, 3, 0, 0.0, 0.5);
  orc_rotate(&m, 20.0);
  return m;
}

orc_mesh orc_suite_wedge_10_degrees(void)
{
  double t = tan(5.0 * 3.14159265358979323846 / 180.0);
  const double xy[] = { 0.0, 0.0, 1.0, -t, 1.0, t };
  return orc_make_prism(xy, 3, 0, 0.0, 1.0);
}

/** NACA 0012 without camber, coefficients of the closed trailing edge. */
orc_mesh orc_suite_airfoil(void)
{
  enum
  {
    N = 20
  };
  double xy[4 * N];
  for (int i = 0; i < N; ++i)
  {
    double x = 0.5 * (1.0 + cos(3.14159265358979323846 * i / N));
    double y = 0.6 *
      (0.2969 * sqrt(x) - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x -
        0.1036 * x * x * x * x);
    y = i == 0 ? 0.0 : y;
    xy[2 * i] = x, xy[2 * i + 1] = y;
    xy[2 * (2 * N - i) % (4 * N)] = x, xy[(2 * (2 * N - i) + 1) % (4 * N)] = i ? -y : 0.0;
  }
  xy[2 * N] = 0.0, xy[2 * N + 1] = 0.0;
  return orc_make_prism(xy, 2 * N, N, 0.0, 0.3);
}

/** A cube whose top front edge has a vertex that only the top uses; a zero-area triangle closes the gap. */
orc_mesh orc_suite_t_junction(void)
{
  orc_mesh m = EMPTY;
  orc_mesh c = orc_suite_cube();
  for (int64_t i = 0; i < 8; ++i)
  {
    orc_add_point(&m, c.points[3 * i], c.points[3 * i + 1], c.points[3 * i + 2]);
  }
  int64_t mid = orc_add_point(&m, 0.25, 0.0, 1.0);
  orc_add_triangle(&m, 4, 5, mid);
  for (int64_t t = 0; t < c.triangle_count; ++t)
  {
    const int64_t* k = c.corners + 3 * t;
    if (k[0] == 4 && k[1] == 5)
    { /* the top triangle 4 5 7 holds the edge 4-5 */
      orc_add_triangle(&m, mid, 5, k[2]);
      orc_add_triangle(&m, 4, mid, k[2]);
    }
    else
    {
      orc_add_triangle(&m, k[0], k[1], k[2]);
    }
  }
  orc_mesh_free(&c);
  return m;
}

/** The same, no longer along the axes: the zero-area triangle keeps a height of some ulp. */
orc_mesh orc_suite_turned_t_junction(void)
{
  orc_mesh m = orc_suite_t_junction();
  orc_rotate(&m, 40.0);
  return m;
}

/** A cube whose bottom has a vertex `gap` off an edge, so that the triangle there is a needle. */
static orc_mesh cube_with_needle(double gap)
{
  orc_mesh c = orc_suite_cube();
  orc_mesh m = EMPTY;
  for (int64_t i = 0; i < 8; ++i)
  {
    orc_add_point(&m, c.points[3 * i], c.points[3 * i + 1], c.points[3 * i + 2]);
  }
  int64_t p = orc_add_point(&m, 0.375, gap, 0.0);
  for (int64_t t = 2; t < c.triangle_count; ++t)
  {
    const int64_t* k = c.corners + 3 * t;
    orc_add_triangle(&m, k[0], k[1], k[2]);
  }
  orc_add_triangle(&m, 0, 2, p);
  orc_add_triangle(&m, 2, 3, p);
  orc_add_triangle(&m, 3, 1, p);
  orc_add_triangle(&m, 1, 0, p);
  orc_mesh_free(&c);
  return m;
}

orc_mesh orc_suite_cube_needle_9(void)
{
  orc_mesh m = cube_with_needle(1e-9);
  orc_rotate(&m, 50.0);
  return m;
}

orc_mesh orc_suite_cube_needle_13(void)
{
  return cube_with_needle(1e-13);
}

orc_mesh orc_suite_hollow_sphere(void)
{
  orc_mesh inner = orc_make_octasphere(5);
  orc_scale(&inner, 0.6);
  orc_reverse(&inner);
  return orc_joined(orc_make_sphere(12, 18), inner);
}

orc_mesh orc_suite_two_spheres(void)
{
  orc_mesh b = orc_make_octasphere(5);
  orc_scale(&b, 0.5);
  orc_shift(&b, 2.0, 0.5, 0.0);
  return orc_joined(orc_make_sphere(10, 16), b);
}

orc_mesh orc_suite_cubes_share_corner(void)
{
  return orc_joined(orc_suite_cube(), moved_box(1.0, 1.0, 1.0));
}

orc_mesh orc_suite_cubes_share_edge(void)
{
  return orc_joined(orc_suite_cube(), moved_box(1.0, 1.0, 0.0));
}

orc_mesh orc_suite_cubes_share_face(void)
{
  return orc_joined(orc_suite_cube(), moved_box(1.0, 0.0, 0.0));
}

orc_mesh orc_suite_overlapping_cubes(void)
{
  return orc_joined(orc_suite_cube(), moved_box(0.5, 0.25, 0.125));
}

/** Both face outward: the winding number is 2 in the middle. */
orc_mesh orc_suite_ball_in_ball(void)
{
  orc_mesh inner = orc_make_octasphere(5);
  orc_scale(&inner, 0.6);
  return orc_joined(orc_make_sphere(12, 18), inner);
}

orc_mesh orc_suite_slab_3(void)
{
  return slab(1e-3);
}

orc_mesh orc_suite_slab_6(void)
{
  return slab(1e-6);
}

orc_mesh orc_suite_slab_9(void)
{
  return slab(1e-9);
}

orc_mesh orc_suite_far_sphere(void)
{
  orc_mesh m = orc_make_sphere(12, 18);
  orc_shift(&m, 1e6, -1e6, 1e6);
  return m;
}

orc_mesh orc_suite_far_cube(void)
{
  return moved_box(1e6, 1e6, -1e6);
}

orc_mesh orc_suite_tiny_torus(void)
{
  orc_mesh m = orc_make_torus(1.0, 0.3, 20, 10);
  orc_scale(&m, 1e-6);
  return m;
}

orc_mesh orc_suite_huge_torus(void)
{
  orc_mesh m = orc_make_torus(1.0, 0.3, 20, 10);
  orc_scale(&m, 1e6);
  return m;
}

orc_mesh orc_suite_minute_cube(void)
{
  orc_mesh m = orc_suite_turned_box();
  orc_scale(&m, 1e-20);
  return m;
}

orc_mesh orc_suite_giant_cube(void)
{
  orc_mesh m = orc_suite_turned_box();
  orc_scale(&m, 1e18);
  return m;
}

/** Ball of 1e-3 beside one of 1e3. */
orc_mesh orc_suite_six_decades(void)
{
  orc_mesh big = orc_make_octasphere(5);
  orc_mesh small = orc_make_octasphere(5);
  orc_scale(&big, 1e3);
  orc_scale(&small, 1e-3);
  orc_shift(&small, 1e3 + 1.0, 0.0, 0.0);
  return orc_joined(big, small);
}

orc_mesh orc_suite_float_sphere(void)
{
  orc_mesh m = orc_suite_sphere();
  orc_shift(&m, 100.0, 0.0, 0.0);
  orc_round_to_float32(&m);
  return m;
}

orc_mesh orc_suite_float_torus(void)
{
  orc_mesh m = orc_suite_torus();
  orc_rotate(&m, 77.0);
  orc_round_to_float32(&m);
  return m;
}

orc_mesh orc_suite_float_airfoil(void)
{
  orc_mesh m = orc_suite_airfoil();
  orc_round_to_float32(&m);
  return m;
}
