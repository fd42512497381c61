/**
 * Segments through every mesh of the suite and through meshes of all linear cells, and lists of cells in boxes, spheres and
 * planes, against brute force over all cells.
 */
#include "orc_queries.h"
#include "orc_segment.h"
#include "sq_test.h"
#include "sqt_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Segments of one kind on one mesh. */
#define SEGMENTS 20
/** Lengths below this many ulp of the scene are rounding. */
#define UNSURE_ULP 32.0

/** A mesh as the oracle sees it: triangles by cell. */
typedef struct scene
{
  const char* name;
  sq_cells block;
  const orc_mesh* mesh; /* one of both */
  const orc_zoo* zoo;
  sqt_asker asker;
  double size; /* largest coordinate of mesh and segment */
  double tolerance;
} scene;

static const double* scene_points(const scene* s)
{
  return (const double*)s->block.points.data;
}

static orc_meeting meet_cell(const scene* s, int64_t c, const double a[3], const double b[3])
{
  double unsure = UNSURE_ULP * 0x1p-52 * s->size;
  orc_meeting all = orc_no_meeting();
  if (s->mesh)
  {
    return orc_segment_triangle(a, b, orc_corner(s->mesh, c, 0), orc_corner(s->mesh, c, 1),
      orc_corner(s->mesh, c, 2), s->tolerance, unsure);
  }
  orc_cell cell = orc_zoo_cell(s->zoo, c);
  int t[12][3];
  int n = orc_cell_triangles(cell.type, t);
  for (int i = 0; i < n; ++i)
  {
    orc_meeting one = orc_segment_triangle(
      a, b, cell.x[t[i][0]], cell.x[t[i][1]], cell.x[t[i][2]], s->tolerance, unsure);
    orc_add_meeting(&all, &one);
  }
  return all;
}

static void explain(const scene* s, const double a[3], const double b[3], int64_t cell, double t)
{
  printf(
    "    %s: (%.17g, %.17g, %.17g) to (%.17g, %.17g, %.17g), tolerance %g: cell %lld, t %.17g\n",
    s->name, a[0], a[1], a[2], b[0], b[1], b[2], s->tolerance, (long long)cell, t);
}

static int check_t(const orc_meeting* want, double t, double extra)
{
  orc_real slack = want->slack + (orc_real)extra;
  int ok = CHECK(t >= 0.0 && t <= 1.0);
  ok &= CHECK((orc_real)t >= want->earliest - slack);
  return ok & CHECK((orc_real)t <= want->first + slack);
}

/** All crossings against all cells; `*sure` is where the segment surely meets the first. */
static orc_meeting check_all(
  const scene* s, const double a[3], const double b[3], const sq_mesh_crossing* list, int64_t count)
{
  double* t = (double*)malloc((size_t)s->block.count * sizeof(*t));
  orc_meeting any = orc_no_meeting();
  for (int64_t c = 0; t && c < s->block.count; ++c)
  {
    t[c] = -1.0;
  }
  for (int64_t i = 0; t && i < count; ++i)
  {
    CHECK(list[i].cell >= 0 && list[i].cell < s->block.count && t[list[i].cell] < 0.0);
    CHECK(i == 0 || list[i].t > list[i - 1].t ||
      (list[i].t == list[i - 1].t && list[i].cell > list[i - 1].cell));
    t[list[i].cell] = list[i].t;
    for (int k = 0; k < 3; ++k)
    {
      CHECK_NEAR(list[i].point[k], a[k] + list[i].t * (b[k] - a[k]), 4.0 * 0x1p-52 * s->size);
    }
  }
  for (int64_t c = 0; t && c < s->block.count; ++c)
  {
    orc_meeting want = meet_cell(s, c, a, b);
    int ok = t[c] < 0.0 ? CHECK(!want.sure) : CHECK(want.maybe);
    ok &= t[c] < 0.0 || !want.maybe || check_t(&want, t[c], 1e-12);
    if (!ok)
    {
      explain(s, a, b, c, t[c]);
    }
    orc_add_meeting(&any, &want);
  }
  free(t);
  return any;
}

static void check_segment(scene* s, const double a[3], const double b[3])
{
  const sq_mesh_crossing* list;
  int64_t count;
  sq_mesh_crossing first;
  sq_mesh_hit hit;
  s->size = fmax(orc_largest(scene_points(s), s->block.points.count),
    fmax(orc_largest(a, 1), orc_largest(b, 1)));
  CHECK_STATUS(
    sq_mesh_query_first_crossing(s->asker.query, a, b, s->tolerance, &first, &hit), SQ_OK);
  CHECK_STATUS(sq_mesh_query_crossings(s->asker.query, a, b, s->tolerance, &list, &count), SQ_OK);
  orc_meeting any = check_all(s, a, b, list, count);
  int ok = CHECK_INT(first.cell >= 0, count > 0);
  ok &= CHECK_INT(hit.cell, first.cell);
  if (first.cell >= 0 && count > 0)
  {
    double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
      (b[2] - a[2]) * (b[2] - a[2]));
    double same = length > 0.0 ? 8.0 * 0x1p-52 * s->size / length + 0x1p-49 : 1.0;
    ok &= check_t(&any, first.t, same + 1e-12);
    ok &= CHECK_NEAR(first.t, list[0].t, same);
    /* The lowest of those that come first. */
    for (int64_t i = 0; i < count; ++i)
    {
      ok &= CHECK(
        list[i].t > list[0].t + 0.4 * same || list[i].cell >= first.cell || list[i].t > list[0].t);
    }
    double off = 0.0;
    for (int k = 0; k < 3; ++k)
    {
      off = fmax(off, fabs(hit.closest[k] - first.point[k]));
    }
    ok &= CHECK(off <= s->tolerance * 1.001 + 32.0 * 0x1p-52 * s->size);
  }
  if (!ok)
  {
    explain(s, a, b, first.cell, first.t);
  }
}

typedef enum segment_kind
{
  RANDOM, /* across the doubled box */
  SHORT, /* a tenth of the size */
  LATTICE, /* along an axis, between multiples of 1/8 of the box: along edges, within faces */
  CORNERS, /* through two points of the mesh */
  THROUGH_CORNER, /* from afar through a point of the mesh */
  FROM_SURFACE, /* from a point of a cell */
  POINT, /* without length, at a point of the mesh */
  KINDS
} segment_kind;

static void any_point(const scene* s, orc_random* r, double x[3])
{
  const double* p = scene_points(s) + 3 * orc_below(r, s->block.points.count);
  x[0] = p[0], x[1] = p[1], x[2] = p[2];
}

static void make_segment(const scene* s, segment_kind kind, orc_random* r, const double lo[3],
  const double hi[3], double a[3], double b[3])
{
  double p[3], q[3];
  int axis = (int)orc_below(r, 3);
  any_point(s, r, p);
  any_point(s, r, q);
  for (int k = 0; k < 3; ++k)
  {
    double size = hi[k] - lo[k];
    double at = lo[k] + size * 0.125 * (double)orc_below(r, 9);
    double u = orc_between(r, lo[k] - 0.5 * size, hi[k] + 0.5 * size);
    double v = orc_between(r, lo[k] - 0.5 * size, hi[k] + 0.5 * size);
    double w = orc_between(r, -0.1, 0.1);
    double middle[3] = { 0.2 * p[0] + 0.8 * q[0], 0.2 * p[1] + 0.8 * q[1],
      0.2 * p[2] + 0.8 * q[2] };
    a[k] = kind == LATTICE ? (k == axis ? lo[k] - 0.25 * size : at)
      : kind == CORNERS || kind == POINT || kind == FROM_SURFACE ? p[k]
      : kind == THROUGH_CORNER                                   ? p[k] + 2.0 * (u - p[k])
                                                                 : u;
    b[k] = kind == LATTICE     ? (k == axis ? hi[k] + 0.25 * size : at)
      : kind == CORNERS        ? q[k]
      : kind == POINT          ? p[k]
      : kind == FROM_SURFACE   ? middle[k]
      : kind == THROUGH_CORNER ? p[k] - (u - p[k])
      : kind == SHORT          ? u + w * size
                               : v;
  }
}

static void check_segments(scene* s)
{
  double lo[3], hi[3];
  for (int k = 0; k < 3; ++k)
  {
    lo[k] = HUGE_VAL, hi[k] = -HUGE_VAL;
    for (int64_t i = 0; i < s->block.points.count; ++i)
    {
      lo[k] = fmin(lo[k], scene_points(s)[3 * i + k]);
      hi[k] = fmax(hi[k], scene_points(s)[3 * i + k]);
    }
  }
  double diagonal = fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
  for (int kind = 0; kind < KINDS; ++kind)
  {
    orc_random r = { 70 + (uint64_t)kind };
    for (int i = 0; i < SEGMENTS; ++i)
    {
      double a[3], b[3];
      s->tolerance = i % 3 == 2 ? 1e-3 * diagonal : 0.0;
      make_segment(s, (segment_kind)kind, &r, lo, hi, a, b);
      check_segment(s, a, b);
    }
  }
}

static void open_mesh(scene* s, const char* name, const orc_mesh* mesh)
{
  s->name = name;
  s->mesh = mesh;
  s->zoo = NULL;
  s->block =
    sqt_cells_of_triangles(mesh->points, mesh->point_count, mesh->corners, mesh->triangle_count);
  s->asker = sqt_asker_open(&s->block, 1);
}

static void open_zoo(scene* s, const char* name, const orc_zoo* zoo)
{
  s->name = name;
  s->mesh = NULL;
  s->zoo = zoo;
  s->block = sqt_cells_of_zoo(zoo);
  s->asker = sqt_asker_open(&s->block, 1);
}

static void segments_through_the_suite(void)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    scene s;
    orc_mesh m = orc_suite[i].make();
    open_mesh(&s, orc_suite[i].name, &m);
    check_segments(&s);
    sqt_asker_close(&s.asker);
    orc_mesh_free(&m);
  }
}

static const struct
{
  const char* name;
  orc_zoo_kind kind;
  double shift;
} zoos[] = { { "boxes", ORC_ZOO_BOXES, 0.0 }, { "sheared", ORC_ZOO_SHEARED, 0.0 },
  { "flat", ORC_ZOO_FLAT, 0.0 }, { "boxes at 1e6", ORC_ZOO_BOXES, 1e6 },
  { "flat at 1e6", ORC_ZOO_FLAT, 1e6 } };
#define ZOOS ((int)(sizeof(zoos) / sizeof(*zoos)))

static orc_zoo make_zoo(int i, int n)
{
  orc_zoo zoo = orc_make_zoo(zoos[i].kind, n, 60 + (uint64_t)i);
  for (int64_t k = 0; k < 3 * zoo.point_count; ++k)
  {
    zoo.points[k] += zoos[i].shift;
  }
  return zoo;
}

static void segments_through_cells(void)
{
  for (int i = 0; i < ZOOS; ++i)
  {
    scene s;
    orc_zoo zoo = make_zoo(i, 3);
    open_zoo(&s, zoos[i].name, &zoo);
    check_segments(&s);
    sqt_asker_close(&s.asker);
    orc_zoo_free(&zoo);
  }
}

/** From outside through every point of a closed mesh to its middle: none slips through. */
static void nothing_slips_through(void)
{
  static const char* const names[] = { "cube", "turned box", "sphere", "octasphere",
    "sphere at 1e6", "cube with a needle, 1e-13" };
  for (int i = 0; i < 6; ++i)
  {
    scene s;
    orc_mesh m = orc_suite_make(names[i]);
    open_mesh(&s, names[i], &m);
    double middle[3] = { 0.0, 0.0, 0.0 };
    for (int64_t k = 0; k < 3 * m.point_count; ++k)
    {
      middle[k % 3] += m.points[k] / (double)m.point_count;
    }
    for (int64_t k = 0; k < 6 * m.triangle_count; ++k)
    {
      /* Through the corners and the middles of the edges. */
      const double* p = orc_corner(&m, k / 6, (int)(k % 3));
      const double* q = orc_corner(&m, k / 6, (int)(k + (k % 6 > 2)) % 3);
      double a[3];
      for (int d = 0; d < 3; ++d)
      {
        a[d] = middle[d] + 3.0 * (0.5 * (p[d] + q[d]) - middle[d]);
      }
      sq_mesh_crossing c;
      CHECK_STATUS(sq_mesh_query_first_crossing(s.asker.query, a, middle, 0.0, &c, NULL), SQ_OK);
      CHECK(c.cell >= 0 && c.t > 0.0 && c.t < 1.0);
    }
    sqt_asker_close(&s.asker);
    orc_mesh_free(&m);
  }
}

/** The list has every cell that is sure, and none that is out of the question; ascending. */
static void check_list(const scene* s, const sq_mesh_cell_id* list, int64_t count,
  const double* measure, double limit, double unsure)
{
  int64_t at = 0;
  for (int64_t c = 0; c < s->block.count; ++c)
  {
    int listed = at < count && list[at].cell == c;
    at += listed;
    CHECK_TEXT(listed ? measure[c] <= limit + unsure : measure[c] >= limit - unsure,
      "%s: cell %lld %s: %.17g, limit %.17g", s->name, (long long)c,
      listed ? "listed" : "not listed", measure[c], limit);
  }
  CHECK_INT(at, count);
}

/** How far the boxes are apart. */
static double gap_of_boxes(const orc_cell* cell, const double lo[3], const double hi[3])
{
  double gap = -HUGE_VAL;
  for (int k = 0; k < 3; ++k)
  {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < cell->count; ++i)
    {
      low = fmin(low, cell->x[i][k]);
      high = fmax(high, cell->x[i][k]);
    }
    gap = fmax(gap, fmax(low - hi[k], lo[k] - high));
  }
  return gap;
}

/** How far the cell is from the plane; 0 where it is cut. */
static double gap_to_plane(const orc_cell* cell, const double o[3], const double n[3])
{
  orc_real low = HUGE_VALL, high = -HUGE_VALL;
  orc_real length = sqrtl((orc_real)n[0] * n[0] + (orc_real)n[1] * n[1] + (orc_real)n[2] * n[2]);
  for (int i = 0; i < cell->count; ++i)
  {
    orc_real h = 0.0L;
    for (int k = 0; k < 3; ++k)
    {
      h += ((orc_real)cell->x[i][k] - (orc_real)o[k]) * (orc_real)n[k] / length;
    }
    low = fminl(low, h);
    high = fmaxl(high, h);
  }
  return (double)fmaxl(0.0L, fmaxl(low, -high));
}

static void check_lists(scene* s, orc_random* r, double shift)
{
  double* measure = (double*)malloc((size_t)s->block.count * sizeof(*measure));
  const sq_mesh_cell_id* list;
  int64_t count;
  double unsure = UNSURE_ULP * 0x1p-52 * (1.0 + fabs(shift));
  for (int i = 0; measure && i < 60; ++i)
  {
    double x[3], lo[3], hi[3], n[3];
    double radius = i % 4 ? orc_between(r, 0.0, 0.4) : 0.0;
    double tolerance = i % 2 ? 0.05 * orc_unit(r) : 0.0;
    for (int k = 0; k < 3; ++k)
    {
      x[k] = shift + (i % 3 ? orc_between(r, -0.3, 1.3) : (double)orc_below(r, 7) / 6.0);
      lo[k] = x[k] - (i % 5 ? 0.2 * orc_unit(r) : 0.0);
      hi[k] = x[k] + (i % 5 ? 0.2 * orc_unit(r) : 0.0);
    }
    orc_direction(r, n);
    for (int k = 0; k < 3; ++k)
    {
      n[k] = i % 3 ? 1e-3 * n[k] : k == i % 3;
    }
    CHECK_STATUS(sq_mesh_query_box(s->asker.query, lo, hi, &list, &count), SQ_OK);
    for (int64_t c = 0; c < s->block.count; ++c)
    {
      orc_cell cell = orc_zoo_cell(s->zoo, c);
      measure[c] = gap_of_boxes(&cell, lo, hi) > 0.0;
    }
    check_list(s, list, count, measure, 0.5, 0.0);
    CHECK_STATUS(sq_mesh_query_sphere(s->asker.query, x, radius, &list, &count), SQ_OK);
    for (int64_t c = 0; c < s->block.count; ++c)
    {
      orc_cell cell = orc_zoo_cell(s->zoo, c);
      measure[c] = (double)orc_cell_distance(&cell, x);
    }
    check_list(s, list, count, measure, radius, unsure);
    CHECK_STATUS(sq_mesh_query_plane(s->asker.query, x, n, tolerance, &list, &count), SQ_OK);
    for (int64_t c = 0; c < s->block.count; ++c)
    {
      orc_cell cell = orc_zoo_cell(s->zoo, c);
      measure[c] = gap_to_plane(&cell, x, n);
    }
    check_list(s, list, count, measure, tolerance, unsure);
  }
  free(measure);
}

static void lists_of_cells(void)
{
  for (int i = 0; i < ZOOS; ++i)
  {
    scene s;
    orc_zoo zoo = make_zoo(i, 3);
    orc_random r = { 5 + (uint64_t)i };
    open_zoo(&s, zoos[i].name, &zoo);
    check_lists(&s, &r, zoos[i].shift);
    sqt_asker_close(&s.asker);
    orc_zoo_free(&zoo);
  }
}

/** The oracle itself, on answers known by heart. */
static void known_meetings(void)
{
  const double p[3] = { 0, 0, 0 }, q[3] = { 4, 0, 0 }, r[3] = { 0, 4, 0 };
  const struct
  {
    double a[3], b[3], tolerance;
    int sure, maybe;
    double t;
  } known[] = {
    { { 1, 1, 3 }, { 1, 1, -1 }, 0, 1, 1, 0.75 }, /* the inside */
    { { 1, 1, 3 }, { 1, 1, 1 }, 0, 0, 0, 0 }, /* above it */
    { { -1, 1, 1 }, { -1, 1, -1 }, 0.5, 0, 0, 0 }, /* beside it */
    { { -1, 1, 1 }, { -1, 1, -1 }, 1.5, 1, 1, 0.5 }, /* beside it, within the tolerance */
    { { 0, 0, 1 }, { 0, 0, -1 }, 0, 0, 1, 0.5 }, /* a corner */
    { { -2, 1, 0 }, { 2, 1, 0 }, 0, 0, 1, 0.5 }, /* in its plane: golden sections leave a gap */
    { { 1, 1, 0 }, { 9, 1, 0 }, 0, 1, 1, 0 }, /* in its plane from the inside */
    { { -2, 5, 0 }, { 2, 5, 0 }, 0, 0, 0, 0 }, /* in its plane, past it */
  };
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); ++i)
  {
    orc_meeting m =
      orc_segment_triangle(known[i].a, known[i].b, p, q, r, known[i].tolerance, 1e-15);
    CHECK_INT(m.sure, known[i].sure);
    CHECK_INT(m.maybe, known[i].maybe);
    CHECK(!m.maybe || fabsl(m.earliest - (orc_real)known[i].t) < 1e-9L);
  }
  /* Two skew lines that pass at distance 1, and one that ends before. */
  const double a[3] = { 1, -1, 1 }, b[3] = { 1, 3, 1 }, c[3] = { 1, -0.5, 1 };
  CHECK(orc_segment_segment(a, b, p, q, 1.01, 1e-15).sure);
  CHECK_NEAR((double)orc_segment_segment(a, b, p, q, 1.01, 1e-15).first, 0.25, 1e-9);
  CHECK(!orc_segment_segment(a, b, p, q, 0.99, 1e-15).maybe);
  CHECK(!orc_segment_segment(a, c, p, q, 1.01, 1e-15).maybe);
}

static const sqt_case cases[] = {
  { "known meetings", known_meetings },
  { "segments through the suite", segments_through_the_suite },
  { "segments through cells", segments_through_cells },
  { "nothing slips through", nothing_slips_through },
  { "lists of cells", lists_of_cells },
};
SQT_MAIN(cases)
