/** Lengths, areas and volumes of cells. */
#include "sq_test.h"
#include "sqt_locate.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The measure of one cell of `count` nodes 0, 1, 2 ... */
static double measure(uint8_t type, int32_t count, const double* points)
{
  int64_t ids[32];
  double out = -1.0;
  for (int i = 0; i < count; ++i)
  {
    ids[i] = i;
  }
  sq_cells b = sqt_cells_of(type, count, 1, points, count, ids);
  sq_context* c = sqt_context(1, NULL, NULL);
  CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_OK);
  sq_context_destroy(c);
  return out;
}

static void vertices_and_lines(void)
{
  const double p[] = { 1, 1, 1, 4, 5, 1, 4, 5, 3, 4, 5, 3 };
  CHECK_NEAR(measure(SQ_CELL_VERTEX, 1, p), 1.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_POLY_VERTEX, 3, p), 3.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_LINE, 2, p), 5.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_POLY_LINE, 4, p), 7.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_EMPTY, 0, p), 0.0, 0.0);
  CHECK(isnan(measure(99, 2, p)));
  CHECK(isnan(measure(38, 15, (const double[45]){ 0 }))); /* a number that VTK does not give */
  CHECK(isnan(measure(SQ_CELL_TETRA, 3, p)));
  CHECK_NEAR(measure(SQ_CELL_LAGRANGE_CURVE, 2, p), 5.0, 1e-15);
  CHECK(isnan(measure(SQ_CELL_LAGRANGE_CURVE, 1, p)));
  CHECK(isnan(measure(SQ_CELL_LAGRANGE_TRIANGLE, 4, p)));
}

static void areas(void)
{
  const double square[] = { 1, 1, 5, 3, 1, 5, 3, 4, 5, 1, 4, 5 };
  const double pixel[] = { 1, 1, 5, 3, 1, 5, 1, 4, 5, 3, 4, 5 };
  const double dart[] = { 0, 0, 0, 4, 0, 0, 1, 1, 0, 0, 4, 0 }; /* reflex at 2 */
  const double turned[] = { 0, 4, 0, 0, 0, 0, 4, 0, 0, 1, 1, 0 }; /* reflex at 3 */
  const double warped[] = { 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0 };
  const double hook[] = { 0, 0, 0, 3, 0, 0, 3, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0 };
  CHECK_NEAR(measure(SQ_CELL_TRIANGLE, 3, square), 3.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_QUAD, 4, square), 6.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_PIXEL, 4, pixel), 6.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_TRIANGLE_STRIP, 4, pixel), 6.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_POLYGON, 4, square), 6.0, 0.0);
  CHECK_NEAR(measure(SQ_CELL_QUAD, 4, dart), 4.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_QUAD, 4, turned), 4.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_POLYGON, 4, dart), 4.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_QUAD, 4, warped), sqrt(2.0), 1e-15);
  CHECK_NEAR(measure(SQ_CELL_POLYGON, 6, hook), 5.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_POLYGON, 2, hook), 0.0, 0.0);
  /* Corners, then middles of edges, one of them pulled out to a corner of its own. */
  const double house[] = { 0, 0, 0, 4, 0, 0, 4, 2, 0, 0, 2, 0, 2, 0, 0, 4, 1, 0, 2, 5, 0, 0, 1, 0 };
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_POLYGON, 8, house), 14.0, 1e-14);
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_POLYGON, 1, house), 0.0, 0.0);
}

/** A prism over a regular polygon of side 1, `reverse`: turned inside out. */
static void prism(int sides, int reverse, double* p)
{
  double radius = 0.5 / sin(3.14159265358979323846 / sides);
  for (int i = 0; i < 2 * sides; ++i)
  {
    double a = 2.0 * 3.14159265358979323846 * (i % sides) / sides;
    p[3 * i] = 7.0 + radius * cos(a), p[3 * i + 1] = radius * sin(a);
    p[3 * i + 2] = (i < sides) == !reverse ? 0.0 : 2.0;
  }
}

static void volumes(void)
{
  const double box[] = { 5, 0, 0, 7, 0, 0, 7, 3, 0, 5, 3, 0, 5, 0, 4, 7, 0, 4, 7, 3, 4, 5, 3, 4 };
  const double voxel[] = { 5, 0, 0, 7, 0, 0, 5, 3, 0, 7, 3, 0, 5, 0, 4, 7, 0, 4, 5, 3, 4, 7, 3, 4 };
  const double tetra[] = { 5, 0, 0, 7, 0, 0, 5, 3, 0, 5, 0, 4 };
  const double turned[] = { 7, 0, 0, 5, 0, 0, 5, 3, 0, 5, 0, 4 };
  const double wedge[] = { 5, 0, 0, 5, 3, 0, 7, 0, 0, 5, 0, 4, 5, 3, 4, 7, 0, 4 };
  const double pyramid[] = { 5, 0, 0, 7, 0, 0, 7, 3, 0, 5, 3, 0, 1, 9, 4 };
  double p[36];
  CHECK_NEAR(measure(SQ_CELL_HEXAHEDRON, 8, box), 24.0, 1e-14);
  CHECK_NEAR(measure(SQ_CELL_VOXEL, 8, voxel), 24.0, 1e-14);
  CHECK_NEAR(measure(SQ_CELL_TETRA, 4, tetra), 4.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_TETRA, 4, turned), 4.0, 1e-15);
  CHECK_NEAR(measure(SQ_CELL_WEDGE, 6, wedge), 12.0, 1e-14);
  CHECK_NEAR(measure(SQ_CELL_PYRAMID, 5, pyramid), 8.0, 1e-14);
  for (int reverse = 0; reverse < 2; ++reverse)
  {
    prism(5, reverse, p);
    CHECK_NEAR(measure(SQ_CELL_PENTAGONAL_PRISM, 10, p), 2.0 * 1.7204774005889669, 1e-14);
    prism(6, reverse, p);
    CHECK_NEAR(measure(SQ_CELL_HEXAGONAL_PRISM, 12, p), 2.0 * 2.5980762113533160, 1e-14);
  }
}

/** The box as a polyhedron, with faces turned at random. */
static void polyhedra(void)
{
  const double box[] = { 5, 0, 0, 7, 0, 0, 7, 3, 0, 5, 3, 0, 5, 0, 4, 7, 0, 4, 7, 3, 4, 5, 3, 4 };
  static const int32_t face[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
    { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
  const int64_t ids[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const int64_t face_offsets[] = { 0, 31 };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int turned = 0; turned < 64; ++turned)
  {
    int32_t stream[31] = { 6 };
    for (int f = 0; f < 6; ++f)
    {
      stream[1 + 5 * f] = 4;
      for (int k = 0; k < 4; ++k)
      {
        stream[2 + 5 * f + k] = face[f][turned >> f & 1 ? 3 - k : k];
      }
    }
    sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 8, 1, box, 8, ids);
    b.face_offsets = face_offsets;
    b.faces = stream;
    double out = -1.0;
    CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_OK);
    CHECK_NEAR(out, 24.0, 1e-14);
  }
  sq_context_destroy(c);
}

/** Nodes of an edge, in the middle of which they may be bent. */
static void middle(const double* p, int a, int b, double* out)
{
  for (int k = 0; k < 3; ++k)
  {
    out[k] = 0.5 * (p[3 * a + k] + p[3 * b + k]);
  }
}

static void curved(void)
{
  /* y = x^2 from -1 to 1: length sqrt(5) + asinh(2)/2 */
  const double parabola[] = { -1, 1, 0, 1, 1, 0, 0, 0, 0 };
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_EDGE, 3, parabola), sqrt(5.0) + 0.5 * asinh(2.0), 1e-12);
  const double straight[] = { 0, 0, 0, 3, 0, 0, 1, 0, 0, 2, 0, 0 };
  CHECK_NEAR(measure(SQ_CELL_CUBIC_LINE, 4, straight), 3.0, 1e-15);
  /* A flat triangle with one side bent to a parabola of height 1: area 1/2 + 2/3 * sqrt(2) * 1 */
  double t[18] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  middle(t, 0, 1, t + 9), middle(t, 1, 2, t + 12), middle(t, 2, 0, t + 15);
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_TRIANGLE, 6, t), 0.5, 1e-15);
  t[12] += sqrt(0.5), t[13] += sqrt(0.5);
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_TRIANGLE, 6, t), 0.5 + 2.0 / 3.0 * sqrt(2.0), 1e-14);
  /* A tetrahedron with straight edges, then one edge node moved along an edge of the opposite face. */
  static const int edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  double v[30] = { 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4 };
  for (int e = 0; e < 6; ++e)
  {
    middle(v, edge[e][0], edge[e][1], v + 12 + 3 * e);
  }
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_TETRA, 10, v), 4.0, 1e-14);
  /* The middle of edge 0-1 lowered by d, within the side y = 0: below the floor of area 3, 4 d l0 l1, in all d. */
  v[12 + 2] -= 0.5;
  CHECK_NEAR(measure(SQ_CELL_QUADRATIC_TETRA, 10, v), 4.5, 1e-14);
}

/** Sizes near the ends of the range of numbers: coordinates times powers of two change no digit of what can be said. */
static void check_scaled(uint8_t type, int32_t count, const double* p, const int power[3])
{
  double q[24], plain = measure(type, count, p);
  int dimension = sq_cell_dimension(type), sum = 0;
  for (int i = 0; i < 3 * count; ++i)
  {
    q[i] = ldexp(p[i], power[i % 3]);
  }
  for (int d = 0; d < 3; ++d)
  {
    /* Surfaces lie across z, lines along x. */
    sum += d < dimension ? power[d] : 0;
  }
  double got = measure(type, count, q), want = ldexp(plain, sum);
  int ok = CHECK_NEAR(got, want, fmax(4e-16 * fabs(want), 5e-324));
  CHECK_TEXT(ok, "type %d, powers %d %d %d", (int)type, power[0], power[1], power[2]);
}

static void far_scales(void)
{
  static const int powers[][3] = { { -664, -664, -664 }, { -532, -532, -532 }, { -340, -340, -340 },
    { 340, 340, 340 }, { 532, 532, 532 }, { -1060, 1000, 0 }, { 700, -650, -60 },
    { 1000, -1000, 10 }, { -340, 700, -700 }, { 1020, 0, -1020 } };
  const double line[] = { 1, 0, 0, 7, 0, 0 };
  const double triangle[] = { 1, 1, 0, 7, 2, 0, 3, 5, 0 };
  const double polygon[] = { 1, 1, 0, 7, 2, 0, 6, 4, 0, 3, 5, 0, 1, 3, 0 };
  const double tetra[] = { 1, 1, 1, 7, 2, 0, 3, 5, 1, 2, 3, 7 };
  const double box[] = { 1, 0, 0, 3, 0, 0, 3, 3, 1, 1, 3, 0, 1, 0, 4, 3, 0, 4, 3, 3, 4, 1, 3, 5 };
  const double edge[] = { 1, 0, 0, 7, 0, 0, 3, 0, 0 };
  for (int i = 0; i < (int)(sizeof(powers) / sizeof(*powers)); ++i)
  {
    check_scaled(SQ_CELL_LINE, 2, line, powers[i]);
    check_scaled(SQ_CELL_TRIANGLE, 3, triangle, powers[i]);
    check_scaled(SQ_CELL_QUAD, 4, polygon, powers[i]);
    check_scaled(SQ_CELL_POLYGON, 5, polygon, powers[i]);
    check_scaled(SQ_CELL_TETRA, 4, tetra, powers[i]);
    check_scaled(SQ_CELL_HEXAHEDRON, 8, box, powers[i]);
    check_scaled(SQ_CELL_QUADRATIC_EDGE, 3, edge, powers[i]);
  }
  /* Across the range, where the difference of two coordinates is no number. */
  const double wide[] = { -1.5e308, 0, 0, 1.5e308, 0, 0, 0, 1e-300, 0 };
  CHECK_NEAR(measure(SQ_CELL_TRIANGLE, 3, wide), 1.5e8, 1e-7);
  CHECK(isinf(measure(SQ_CELL_LINE, 2, wide)));
}

static double oracle_density(const orc_cell* cell, const orc_real r[3])
{
  orc_real j[3][3];
  for (int k = 0; k < 3; ++k) /* linear in each parameter, so differences are exact */
  {
    orc_real lo[3], hi[3], a[3] = { r[0], r[1], r[2] }, b[3] = { r[0], r[1], r[2] };
    a[k] -= 0.25L, b[k] += 0.25L;
    orc_cell_point(cell, a, lo);
    orc_cell_point(cell, b, hi);
    for (int x = 0; x < 3; ++x)
    {
      j[k][x] = 2.0L * (hi[x] - lo[x]);
    }
  }
  return (double)(j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
    j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
    j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]));
}

/** Volume by Simpson's rule, exact for degree 3; over triangles by Duffy's map. Areas by two triangles. */
static double oracle_measure(const orc_cell* cell)
{
  static const orc_real weight[3] = { 1.0L / 6.0L, 4.0L / 6.0L, 1.0L / 6.0L };
  int dimension = orc_dimension(cell->type);
  double sum = 0.0;
  if (dimension == 2)
  {
    int t[12][3], n = orc_cell_triangles(cell->type, t);
    for (int i = 0; i < n; ++i)
    {
      const double *a = cell->x[t[i][0]], *b = cell->x[t[i][1]], *c = cell->x[t[i][2]];
      double e[3], f[3];
      for (int k = 0; k < 3; ++k)
      {
        e[k] = b[k] - a[k], f[k] = c[k] - a[k];
      }
      double x = e[1] * f[2] - e[2] * f[1], y = e[2] * f[0] - e[0] * f[2];
      double z = e[0] * f[1] - e[1] * f[0];
      sum += 0.5 * sqrt(x * x + y * y + z * z);
    }
    return sum;
  }
  for (int p = 0; p < 27; ++p)
  {
    orc_real r[3] = { (orc_real)(p % 3) / 2, (orc_real)(p / 3 % 3) / 2, (orc_real)(p / 9) / 2 };
    orc_real w = weight[p % 3] * weight[p / 3 % 3] * weight[p / 9];
    if (cell->type == ORC_TETRA || cell->type == ORC_WEDGE)
    {
      w *= 1.0L - r[0];
      r[1] *= 1.0L - r[0];
    }
    if (cell->type == ORC_TETRA)
    {
      w *= 1.0L - r[0] - r[1];
      r[2] *= 1.0L - r[0] - r[1];
    }
    sum += (double)w * oracle_density(cell, r);
  }
  return fabs(sum);
}

/** All linear types, warped, for 1, 4 and 7 threads. */
static void many_cells(void)
{
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    orc_zoo z = orc_make_zoo((orc_zoo_kind)kind, 8, 5);
    sq_cells b = sqt_cells_of_zoo(&z);
    double* first = (double*)calloc((size_t)z.count, sizeof(double));
    double* got = (double*)calloc((size_t)z.count, sizeof(double));
    for (int threads = 1; threads <= 7; threads += 3)
    {
      sq_context* c = sqt_context(threads, NULL, NULL);
      double* out = threads == 1 ? first : got;
      CHECK_STATUS(sq_cell_measures(c, &b, out), SQ_OK);
      CHECK(memcmp(first, out, (size_t)z.count * sizeof(double)) == 0);
      sq_context_destroy(c);
    }
    for (int64_t i = 0; i < z.count; ++i)
    {
      orc_cell cell = orc_zoo_cell(&z, i);
      double size = orc_cell_diagonal(&cell);
      CHECK_NEAR(first[i], oracle_measure(&cell), 1e-14 * (1.0 + size));
    }
    free(first);
    free(got);
    orc_zoo_free(&z);
  }
}

static void arguments(void)
{
  const double p[] = { 0, 0, 0, 3, 0, 0, NAN, 6, 0 };
  const int64_t ids[] = { 0, 1, 2 };
  const int64_t bad[] = { 0, 1, 3 };
  double out = 5.0;
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 1, p, 3, bad);
  CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_INVALID_DATA);
  CHECK(*sq_context_message(c));
  CHECK_STATUS(sq_cell_measures(NULL, &b, &out), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cell_measures(c, NULL, &out), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cell_measures(c, &b, NULL), SQ_INVALID_ARGUMENT);
  CHECK_NEAR(out, 5.0, 0.0);
  b.connectivity = ids;
  CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_OK);
  CHECK(isnan(out));
  b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 0, NULL, 0, NULL);
  CHECK_STATUS(sq_cell_measures(c, &b, &out), SQ_OK);
  sq_context_destroy(c);
}

static sq_status measures(sq_context* c, void* data)
{
  const orc_zoo* z = (const orc_zoo*)data;
  sq_cells b = sqt_cells_of_zoo(z);
  double* out = (double*)malloc((size_t)z->count * sizeof(double));
  sq_status s = sq_cell_measures(c, &b, out);
  free(out);
  return s;
}

static sq_status measures_of_polyhedron(sq_context* c, void* data)
{
  const double p[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const int64_t ids[] = { 0, 1, 2, 3 };
  const int32_t faces[] = { 4, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2, 0, 3, 3, 0, 2, 1 };
  const int64_t face_offsets[] = { 0, 17 };
  double out = 0.0;
  sq_cells b = sqt_cells_of(SQ_CELL_POLYHEDRON, 4, 1, p, 4, ids);
  (void)data;
  b.faces = faces;
  b.face_offsets = face_offsets;
  sq_status s = sq_cell_measures(c, &b, &out);
  CHECK(s != SQ_OK || fabs(out - 1.0 / 6.0) < 1e-16);
  return s;
}

static void failures(void)
{
  orc_zoo z = orc_make_zoo(ORC_ZOO_WARPED, 6, 3);
  sqt_sweep_memory("cell measures", measures_of_polyhedron, &z, 3);
  sqt_sweep_cancel("cell measures", measures, &z, 1);
  orc_zoo_free(&z);
}

static const sqt_case cases[] = {
  { "vertices and lines", vertices_and_lines },
  { "areas", areas },
  { "volumes", volumes },
  { "polyhedra", polyhedra },
  { "curved cells", curved },
  { "far scales", far_scales },
  { "many cells", many_cells },
  { "arguments", arguments },
  { "failures", failures },
};
SQT_MAIN(cases)
