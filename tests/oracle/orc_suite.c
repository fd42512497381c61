/** The suite of surface meshes; tests/README.md says what each is for. */
#include "orc_mesh.h"
#include "orc_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static orc_mesh joined(orc_mesh a, orc_mesh b)
{
  orc_append(&a, &b);
  orc_mesh_free(&b);
  return a;
}

static orc_mesh cube(void)
{
  return box_between(0.0, 1.0);
}

static orc_mesh turned_box(void)
{
  double lo[3] = { -3.0, -2.0, -1.0 };
  double hi[3] = { -1.0, -1.5, -0.3 };
  orc_mesh m = orc_make_box(lo, hi);
  orc_rotate(&m, 33.0);
  return m;
}

static orc_mesh sphere(void)
{
  return orc_make_sphere(16, 24);
}

static orc_mesh octasphere(void)
{
  return orc_make_octasphere(8);
}

static orc_mesh torus(void)
{
  return orc_make_torus(1.0, 0.3, 28, 14);
}

/** A sphere with random radii: ridges and pits, no symmetry. */
static orc_mesh rough_sphere(void)
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

static orc_mesh l_prism(void)
{
  const double xy[] = { 0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.0, 2.0 };
  return orc_make_prism(xy, 6, 3, 0.0, 1.0);
}

/** 5000 times as long as thick. */
static orc_mesh fin(void)
{
  const double xy[] = { 0.0, 0.0, 1.0, -1e-4, 1.0, 1e-4 };
  orc_mesh m = orc_make_prism(xy, 3, 0, 0.0, 0.5);
  orc_rotate(&m, 20.0);
  return m;
}

static orc_mesh wedge_10_degrees(void)
{
  double t = tan(5.0 * 3.14159265358979323846 / 180.0);
  const double xy[] = { 0.0, 0.0, 1.0, -t, 1.0, t };
  return orc_make_prism(xy, 3, 0, 0.0, 1.0);
}

/** NACA 0012 without camber, coefficients of the closed trailing edge. */
static orc_mesh airfoil(void)
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
static orc_mesh t_junction(void)
{
  orc_mesh m = EMPTY;
  orc_mesh c = cube();
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
static orc_mesh turned_t_junction(void)
{
  orc_mesh m = t_junction();
  orc_rotate(&m, 40.0);
  return m;
}

/** A cube whose bottom has a vertex `gap` off an edge, so that the triangle there is a needle. */
static orc_mesh cube_with_needle(double gap)
{
  orc_mesh c = cube();
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

static orc_mesh cube_needle_9(void)
{
  orc_mesh m = cube_with_needle(1e-9);
  orc_rotate(&m, 50.0);
  return m;
}

static orc_mesh cube_needle_13(void)
{
  return cube_with_needle(1e-13);
}

static orc_mesh hollow_sphere(void)
{
  orc_mesh inner = orc_make_octasphere(5);
  orc_scale(&inner, 0.6);
  orc_reverse(&inner);
  return joined(orc_make_sphere(12, 18), inner);
}

static orc_mesh two_spheres(void)
{
  orc_mesh b = orc_make_octasphere(5);
  orc_scale(&b, 0.5);
  orc_shift(&b, 2.0, 0.5, 0.0);
  return joined(orc_make_sphere(10, 16), b);
}

static orc_mesh cubes_share_corner(void)
{
  return joined(cube(), moved_box(1.0, 1.0, 1.0));
}

static orc_mesh cubes_share_edge(void)
{
  return joined(cube(), moved_box(1.0, 1.0, 0.0));
}

static orc_mesh cubes_share_face(void)
{
  return joined(cube(), moved_box(1.0, 0.0, 0.0));
}

static orc_mesh overlapping_cubes(void)
{
  return joined(cube(), moved_box(0.5, 0.25, 0.125));
}

/** Both face outward: the winding number is 2 in the middle. */
static orc_mesh ball_in_ball(void)
{
  orc_mesh inner = orc_make_octasphere(5);
  orc_scale(&inner, 0.6);
  return joined(orc_make_sphere(12, 18), inner);
}

static orc_mesh slab_3(void)
{
  return slab(1e-3);
}

static orc_mesh slab_6(void)
{
  return slab(1e-6);
}

static orc_mesh slab_9(void)
{
  return slab(1e-9);
}

static orc_mesh far_sphere(void)
{
  orc_mesh m = orc_make_sphere(12, 18);
  orc_shift(&m, 1e6, -1e6, 1e6);
  return m;
}

static orc_mesh far_cube(void)
{
  return moved_box(1e6, 1e6, -1e6);
}

static orc_mesh tiny_torus(void)
{
  orc_mesh m = orc_make_torus(1.0, 0.3, 20, 10);
  orc_scale(&m, 1e-6);
  return m;
}

static orc_mesh huge_torus(void)
{
  orc_mesh m = orc_make_torus(1.0, 0.3, 20, 10);
  orc_scale(&m, 1e6);
  return m;
}

static orc_mesh minute_cube(void)
{
  orc_mesh m = turned_box();
  orc_scale(&m, 1e-20);
  return m;
}

static orc_mesh giant_cube(void)
{
  orc_mesh m = turned_box();
  orc_scale(&m, 1e18);
  return m;
}

/** Ball of 1e-3 beside one of 1e3. */
static orc_mesh six_decades(void)
{
  orc_mesh big = orc_make_octasphere(5);
  orc_mesh small = orc_make_octasphere(5);
  orc_scale(&big, 1e3);
  orc_scale(&small, 1e-3);
  orc_shift(&small, 1e3 + 1.0, 0.0, 0.0);
  return joined(big, small);
}

static orc_mesh float_sphere(void)
{
  orc_mesh m = sphere();
  orc_shift(&m, 100.0, 0.0, 0.0);
  orc_round_to_float32(&m);
  return m;
}

static orc_mesh float_torus(void)
{
  orc_mesh m = torus();
  orc_rotate(&m, 77.0);
  orc_round_to_float32(&m);
  return m;
}

static orc_mesh float_airfoil(void)
{
  orc_mesh m = airfoil();
  orc_round_to_float32(&m);
  return m;
}

static orc_mesh one_triangle(void)
{
  return orc_make_triangle_soup(1, 3, 1.0, 1.0);
}

static orc_mesh random_triangles(void)
{
  return orc_make_triangle_soup(300, 7, 1.0, 1.0);
}

static orc_mesh small_triangles(void)
{
  return orc_make_triangle_soup(600, 8, 0.1, 0.5);
}

static orc_mesh slivers(void)
{
  return orc_make_triangle_soup(300, 9, 0.5, 1e-4);
}

static orc_mesh needles_9(void)
{
  return orc_make_triangle_soup(300, 10, 1.0, 1e-9);
}

static orc_mesh needles_13(void)
{
  return orc_make_triangle_soup(300, 11, 1.0, 1e-13);
}

/** Each triangle half the size of the one before it, towards the origin, 200 of them. */
static orc_mesh shrinking_chain(void)
{
  orc_mesh m = EMPTY;
  double s = 1.0;
  for (int i = 0; i < 200; ++i, s *= 0.5)
  {
    int64_t a = orc_add_point(&m, s, 0.0, 0.0);
    int64_t b = orc_add_point(&m, s, s, 0.0);
    int64_t c = orc_add_point(&m, s, 0.0, s);
    orc_add_triangle(&m, a, b, c);
  }
  return m;
}

static orc_mesh plane(void)
{
  return orc_make_sheet(24, 24, 0.0);
}

static orc_mesh open_box(void)
{
  orc_mesh m = cube();
  m.triangle_count -= 2;
  return m;
}

static orc_mesh flipped_face(void)
{
  orc_mesh m = orc_make_octasphere(5);
  int64_t swap = m.corners[91];
  m.corners[91] = m.corners[92];
  m.corners[92] = swap;
  return m;
}

static orc_mesh sheets(double apart)
{
  return joined(orc_make_sheet(8, 8, 0.0), orc_make_sheet(8, 8, apart));
}

static orc_mesh sheets_3(void)
{
  return sheets(1e-3);
}

static orc_mesh sheets_6(void)
{
  return sheets(1e-6);
}

static orc_mesh sheets_9(void)
{
  return sheets(1e-9);
}

/** Segments and points only: a doubled corner, collinear corners, one point three times. */
static orc_mesh degenerate_only(void)
{
  orc_mesh m = orc_make_triangle_soup(90, 12, 0.6, 0.0);
  for (int64_t t = 0; t < m.triangle_count; t += 3)
  {
    int64_t* c = m.corners + 3 * t;
    c[t % 2 ? 2 : 1] = c[0];
    c[5] = c[4] = c[3];
  }
  return m;
}

/** Two triangles of 1e-3 and 1e-9 size a long way off. */
static orc_mesh small_far_triangles(void)
{
  orc_mesh a = orc_make_triangle_soup(1, 4, 1e-3, 1.0);
  orc_mesh b = orc_make_triangle_soup(1, 5, 1e-9, 1.0);
  orc_shift(&a, 1e3, 0.0, 0.0);
  orc_shift(&b, 0.0, -1e3, 0.0);
  return joined(a, b);
}

static orc_mesh every_triangle_thrice(void)
{
  orc_mesh m = orc_make_triangle_soup(40, 13, 0.7, 1.0);
  orc_mesh copy = orc_mesh_copy(&m);
  orc_append(&m, &copy);
  orc_reverse(&copy);
  orc_append(&m, &copy);
  orc_mesh_free(&copy);
  return m;
}

static orc_mesh float_triangles(void)
{
  orc_mesh m = orc_make_triangle_soup(300, 14, 0.4, 0.3);
  orc_round_to_float32(&m);
  return m;
}

const orc_suite_entry orc_suite[] = {
  { "cube", cube, ORC_CLOSED | ORC_SIMPLE },
  { "turned box", turned_box, ORC_CLOSED | ORC_SIMPLE },
  { "sphere", sphere, ORC_CLOSED | ORC_SIMPLE },
  { "octasphere", octasphere, ORC_CLOSED | ORC_SIMPLE },
  { "torus", torus, ORC_CLOSED | ORC_SIMPLE },
  { "rough sphere", rough_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "L prism", l_prism, ORC_CLOSED | ORC_SIMPLE },
  { "fin", fin, ORC_CLOSED | ORC_SIMPLE },
  { "wedge of 10 degrees", wedge_10_degrees, ORC_CLOSED | ORC_SIMPLE },
  { "airfoil", airfoil, ORC_CLOSED | ORC_SIMPLE },
  { "T-junction", t_junction, ORC_CLOSED | ORC_SIMPLE },
  { "T-junction, turned", turned_t_junction, ORC_CLOSED | ORC_SIMPLE },
  { "cube with a needle, 1e-9", cube_needle_9, ORC_CLOSED | ORC_SIMPLE },
  { "cube with a needle, 1e-13", cube_needle_13, ORC_CLOSED | ORC_SIMPLE },
  { "hollow sphere", hollow_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "two spheres", two_spheres, ORC_CLOSED | ORC_SIMPLE },
  { "cubes share a corner", cubes_share_corner, ORC_CLOSED },
  { "cubes share an edge", cubes_share_edge, ORC_CLOSED },
  { "cubes share a face", cubes_share_face, ORC_CLOSED },
  { "overlapping cubes", overlapping_cubes, ORC_CLOSED },
  { "ball in a ball", ball_in_ball, ORC_CLOSED },
  { "slab 1e-3", slab_3, ORC_CLOSED | ORC_SIMPLE },
  { "slab 1e-6", slab_6, ORC_CLOSED | ORC_SIMPLE },
  { "slab 1e-9", slab_9, ORC_CLOSED | ORC_SIMPLE },
  { "sphere at 1e6", far_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "cube at 1e6", far_cube, ORC_CLOSED | ORC_SIMPLE },
  { "torus x 1e-6", tiny_torus, ORC_CLOSED | ORC_SIMPLE },
  { "torus x 1e6", huge_torus, ORC_CLOSED | ORC_SIMPLE },
  { "box x 1e-20", minute_cube, ORC_CLOSED | ORC_SIMPLE },
  { "box x 1e18", giant_cube, ORC_CLOSED | ORC_SIMPLE },
  { "balls of 1e3 and 1e-3", six_decades, ORC_CLOSED | ORC_SIMPLE },
  { "sphere, float32", float_sphere, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "torus, float32", float_torus, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "airfoil, float32", float_airfoil, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "one triangle", one_triangle, 0 },
  { "random triangles", random_triangles, 0 },
  { "small triangles", small_triangles, 0 },
  { "slivers 1e-4", slivers, 0 },
  { "needles 1e-9", needles_9, 0 },
  { "needles 1e-13", needles_13, 0 },
  { "shrinking chain", shrinking_chain, 0 },
  { "plane", plane, 0 },
  { "open box", open_box, 0 },
  { "sphere with a flipped face", flipped_face, 0 },
  { "sheets 1e-3 apart", sheets_3, 0 },
  { "sheets 1e-6 apart", sheets_6, 0 },
  { "sheets 1e-9 apart", sheets_9, 0 },
  { "degenerate triangles only", degenerate_only, 0 },
  { "small triangles far away", small_far_triangles, 0 },
  { "every triangle thrice", every_triangle_thrice, 0 },
  { "triangles, float32", float_triangles, ORC_FLOAT32 },
};
const int orc_suite_count = (int)(sizeof(orc_suite) / sizeof(*orc_suite));

orc_mesh orc_suite_make(const char* name)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    if (!strcmp(orc_suite[i].name, name))
    {
      return orc_suite[i].make();
    }
  }
  abort();
}
