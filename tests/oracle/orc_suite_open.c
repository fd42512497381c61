/** The meshes of the suite that have no inside. */
#include "orc_suite_parts.h"

#include <stddef.h>

static const orc_mesh EMPTY = { NULL, NULL, 0, 0, 0, 0 };

orc_mesh orc_suite_one_triangle(void)
{
  return orc_make_triangle_soup(1, 3, 1.0, 1.0);
}

orc_mesh orc_suite_random_triangles(void)
{
  return orc_make_triangle_soup(300, 7, 1.0, 1.0);
}

orc_mesh orc_suite_small_triangles(void)
{
  return orc_make_triangle_soup(600, 8, 0.1, 0.5);
}

orc_mesh orc_suite_slivers(void)
{
  return orc_make_triangle_soup(300, 9, 0.5, 1e-4);
}

orc_mesh orc_suite_needles_9(void)
{
  return orc_make_triangle_soup(300, 10, 1.0, 1e-9);
}

orc_mesh orc_suite_needles_13(void)
{
  return orc_make_triangle_soup(300, 11, 1.0, 1e-13);
}

/** Each triangle half the size of the one before it, towards the origin, 200 of them. */
orc_mesh orc_suite_shrinking_chain(void)
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

orc_mesh orc_suite_plane(void)
{
  return orc_make_sheet(24, 24, 0.0);
}

orc_mesh orc_suite_open_box(void)
{
  orc_mesh m = orc_suite_cube();
  m.triangle_count -= 2;
  return m;
}

orc_mesh orc_suite_flipped_face(void)
{
  orc_mesh m = orc_make_octasphere(5);
  int64_t swap = m.corners[91];
  m.corners[91] = m.corners[92];
  m.corners[92] = swap;
  return m;
}

static orc_mesh sheets(double apart)
{
  return orc_joined(orc_make_sheet(8, 8, 0.0), orc_make_sheet(8, 8, apart));
}

orc_mesh orc_suite_sheets_3(void)
{
  return sheets(1e-3);
}

orc_mesh orc_suite_sheets_6(void)
{
  return sheets(1e-6);
}

orc_mesh orc_suite_sheets_9(void)
{
  return sheets(1e-9);
}

/** Segments and points only: a doubled corner, collinear corners, one point three times. */
orc_mesh orc_suite_degenerate_only(void)
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
orc_mesh orc_suite_small_far_triangles(void)
{
  orc_mesh a = orc_make_triangle_soup(1, 4, 1e-3, 1.0);
  orc_mesh b = orc_make_triangle_soup(1, 5, 1e-9, 1.0);
  orc_shift(&a, 1e3, 0.0, 0.0);
  orc_shift(&b, 0.0, -1e3, 0.0);
  return orc_joined(a, b);
}

orc_mesh orc_suite_every_triangle_thrice(void)
{
  orc_mesh m = orc_make_triangle_soup(40, 13, 0.7, 1.0);
  orc_mesh copy = orc_mesh_copy(&m);
  orc_append(&m, &copy);
  orc_reverse(&copy);
  orc_append(&m, &copy);
  orc_mesh_free(&copy);
  return m;
}

orc_mesh orc_suite_float_triangles(void)
{
  orc_mesh m = orc_make_triangle_soup(300, 14, 0.4, 0.3);
  orc_round_to_float32(&m);
  return m;
}
