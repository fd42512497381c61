/** The oracle itself, against closed forms; and the suite, that it is what it says. */
#include "orc_queries.h"
#include "orc_random.h"
#include "sq_test.h"

#include <math.h>
#include <string.h>

static void known_distances(void)
{
  const double a[3] = { 0.0, 0.0, 0.0 };
  const double b[3] = { 4.0, 0.0, 0.0 };
  const double c[3] = { 0.0, 4.0, 0.0 };
  const struct
  {
    double x[3];
    double d;
  } cases[] = {
    { { 1.0, 1.0, 7.0 }, 7.0 }, /* face */
    { { 2.0, -3.0, 4.0 }, 5.0 }, /* edge ab */
    { { -3.0, -4.0, 12.0 }, 13.0 }, /* corner a */
    { { 7.0, 0.0, 4.0 }, 5.0 }, /* corner b */
    { { 3.0, 3.0, 0.0 }, sqrt(2.0) }, /* edge bc */
    { { 0.0, 9.0, -12.0 }, 13.0 }, /* corner c */
    { { -3.0, 2.0, 0.0 }, 3.0 }, /* edge ca */
    { { 0.5, 0.25, 0.0 }, 0.0 }, /* inside */
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i)
  {
    CHECK_NEAR((double)orc_closest_on_triangle(a, b, c, cases[i].x).distance, cases[i].d, 1e-18);
    CHECK_NEAR((double)orc_closest_on_triangle(c, a, b, cases[i].x).distance, cases[i].d, 1e-18);
    CHECK_NEAR((double)orc_closest_on_triangle(a, c, b, cases[i].x).distance, cases[i].d, 1e-18);
  }
  const double x[3] = { 2.0, 3.0, 0.0 };
  CHECK_NEAR((double)orc_closest_on_triangle(a, b, b, x).distance, 3.0, 0.0);
  CHECK_NEAR((double)orc_closest_on_triangle(a, a, a, x).distance, sqrt(13.0), 1e-16);
  const double mid[3] = { 1.0, 0.0, 0.0 };
  CHECK_NEAR((double)orc_closest_on_triangle(a, mid, b, x).distance, 3.0, 0.0);
  CHECK_NEAR(orc_four_ulp(1.0), 4.0 * 0x1p-52, 0.0);
  CHECK_NEAR(orc_four_ulp(1.999), 4.0 * 0x1p-52, 0.0);
  CHECK_NEAR(orc_four_ulp(0.75), 4.0 * 0x1p-53, 0.0);
}

/** A needle whose two halves tile a triangle of good shape must give what the good triangle gives. */
static void needles_tile_a_triangle(void)
{
  orc_random r = { 21 };
  for (int i = 0; i < 2000; ++i)
  {
    double a[3] = { orc_unit(&r), orc_unit(&r), 0.0 };
    double b[3] = { a[0] + 1.0, a[1], 0.0 };
    double c[3] = { a[0] + 0.25, a[1] + 1.0, 0.0 };
    double m[3] = { a[0] + 0.5, a[1] + (i % 2 ? 1e-13 : 1e-9), 0.0 };
    double x[3] = { orc_between(&r, -1.0, 3.0), orc_between(&r, -1.0, 3.0),
      orc_between(&r, -1.0, 1.0) };
    if (i % 5 == 0)
    {
      x[0] = a[0] + orc_unit(&r), x[1] = a[1] + 3e-14 * orc_unit(&r), x[2] = 1e-9 * orc_unit(&r);
    }
    orc_real whole = orc_closest_on_triangle(a, b, c, x).distance;
    orc_real best = orc_closest_on_triangle(a, b, m, x).distance;
    orc_real second = orc_closest_on_triangle(b, c, m, x).distance;
    orc_real third = orc_closest_on_triangle(c, a, m, x).distance;
    best = second < best ? second : best;
    best = third < best ? third : best;
    CHECK_NEAR((double)best, (double)whole, 1e-18);
  }
}

static void known_winding_numbers(void)
{
  orc_mesh cube = orc_suite_make("cube");
  const double in[3] = { 0.3, 0.6, 0.7 };
  const double out[3] = { 1.3, 0.6, 0.7 };
  const double level[3] = { 2.0, 1.0, 0.0 };
  CHECK_NEAR((double)orc_answer_query(&cube, in, 1).winding, 1.0, 1e-15);
  CHECK_NEAR((double)orc_answer_query(&cube, out, 1).winding, 0.0, 1e-15);
  CHECK_NEAR((double)orc_answer_query(&cube, level, 1).winding, 0.0, 1e-15);
  orc_reverse(&cube);
  CHECK_NEAR((double)orc_answer_query(&cube, in, 1).winding, -1.0, 1e-15);
  orc_mesh_free(&cube);
  orc_mesh open = orc_suite_make("open box"); /* the wall x = 1 is missing */
  const double centre[3] = { 0.5, 0.5, 0.5 };
  CHECK_NEAR((double)orc_answer_query(&open, centre, 1).winding, 5.0 / 6.0, 1e-15);
  orc_mesh_free(&open);
}

/** How often the directed edge from p to q is used. */
static int uses(const orc_mesh* m, const double* p, const double* q)
{
  int n = 0;
  for (int64_t t = 0; t < m->triangle_count; ++t)
  {
    for (int k = 0; k < 3; ++k)
    {
      n += !memcmp(p, orc_corner(m, t, k), 24) && !memcmp(q, orc_corner(m, t, (k + 1) % 3), 24);
    }
  }
  return n;
}

/** Six times the volume about the first corner. */
static orc_real signed_volume(const orc_mesh* m)
{
  orc_real sum = 0.0L;
  const double* o = m->points;
  for (int64_t t = 0; t < m->triangle_count; ++t)
  {
    orc_real e[3][3];
    for (int k = 0; k < 9; ++k)
    {
      e[k / 3][k % 3] = (orc_real)orc_corner(m, t, k / 3)[k % 3] - o[k % 3];
    }
    sum += e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
      e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
      e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  }
  return sum;
}

static void check_closed(const orc_suite_entry* e, const orc_mesh* m)
{
  int open = 0;
  for (int64_t t = 0; t < m->triangle_count; ++t)
  {
    for (int k = 0; k < 3; ++k)
    {
      const double* p = orc_corner(m, t, k);
      const double* q = orc_corner(m, t, (k + 1) % 3);
      open += uses(m, p, q) != uses(m, q, p);
    }
  }
  CHECK_TEXT(!open, "%s: %d edges are not used equally often in both directions", e->name, open);
  orc_real volume = signed_volume(m);
  CHECK_TEXT(volume > 0.0L, "%s: signed volume %Lg", e->name, volume);
  double x[3 * 20];
  const int kinds[] = { ORC_UNIFORM, ORC_CHORDS, ORC_NEAR_9 };
  for (int kind = 0; kind < 3; ++kind)
  {
    orc_make_queries(m, (orc_query_kind)kinds[kind], 20, 4, x);
    for (int i = 0; i < 20; ++i)
    {
      orc_answer a = orc_answer_query(m, x + 3 * i, 1);
      orc_real w = a.winding;
      int on_surface = a.distance <= orc_four_ulp(orc_largest(m->points, m->point_count));
      CHECK_TEXT(on_surface || (fabsl(w - roundl(w)) < 1e-9L && w > -0.5L && w < 2.5L),
        "%s: winding number %Lg", e->name, w);
    }
  }
}

static void suite_is_what_it_says(void)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    orc_mesh m = orc_suite[i].make();
    CHECK(m.triangle_count > 0);
    for (int64_t k = 0; k < 3 * m.triangle_count; ++k)
    {
      CHECK(m.corners[k] >= 0 && m.corners[k] < m.point_count);
    }
    if (orc_suite[i].flags & ORC_CLOSED)
    {
      check_closed(orc_suite + i, &m);
    }
    for (int64_t k = 0; orc_suite[i].flags & ORC_FLOAT32 && k < 3 * m.point_count; ++k)
    {
      CHECK((double)(float)m.points[k] == m.points[k]);
    }
    orc_mesh_free(&m);
  }
}

static const sqt_case cases[] = {
  { "known distances", known_distances },
  { "needles tile a triangle", needles_tile_a_triangle },
  { "known winding numbers", known_winding_numbers },
  { "suite is what it says", suite_is_what_it_says },
};
SQT_MAIN(cases)
