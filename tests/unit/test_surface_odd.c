/**
 * Surfaces that are not as they should be, or only just: what is counted, which sign Automatic takes, and that distances and signs are
 * those of the exact winding number all the same.
 */
#include "orc_queries.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <string.h>

#define QUERIES 120

static orc_mesh tetrahedron(double size, double at)
{
  orc_mesh m = { 0 };
  const double x[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  for (int i = 0; i < 4; ++i)
  {
    orc_add_point(&m, at + size * x[i][0], size * x[i][1], size * x[i][2]);
  }
  orc_add_triangle(&m, 0, 2, 1);
  orc_add_triangle(&m, 0, 1, 3);
  orc_add_triangle(&m, 0, 3, 2);
  orc_add_triangle(&m, 1, 2, 3);
  return m;
}

static orc_mesh two_tetrahedra(void)
{
  return orc_joined(tetrahedron(1e4, 0.0), tetrahedron(1.0, -3.0));
}

/** A band that is turned by half a turn before it is closed. */
static orc_mesh moebius_strip(void)
{
  enum
  {
    N = 24
  };
  orc_mesh m = { 0 };
  for (int i = 0; i < N; ++i)
  {
    double u = 2.0 * 3.14159265358979323846 * i / N;
    for (int side = -1; side <= 1; side += 2)
    {
      double r = 1.0 + 0.3 * side * cos(0.5 * u);
      orc_add_point(&m, r * cos(u), r * sin(u), 0.3 * side * sin(0.5 * u));
    }
  }
  for (int i = 0; i < N; ++i)
  {
    int64_t a = 2 * i, b = 2 * i + 1, c = 2 * (i + 1), d = 2 * (i + 1) + 1;
    if (i == N - 1)
    {
      c = 1;
      d = 0;
    }
    orc_add_quad(&m, a, c, d, b);
  }
  return m;
}

/** The figure-8 immersion: closed, one-sided, and it goes through itself along a circle. */
static orc_mesh klein_bottle(void)
{
  enum
  {
    NU = 24,
    NV = 14
  };
  orc_mesh m = { 0 };
  for (int i = 0; i < NU; ++i)
  {
    double u = 2.0 * 3.14159265358979323846 * i / NU;
    for (int j = 0; j < NV; ++j)
    {
      double v = 2.0 * 3.14159265358979323846 * (j + 0.5) / NV;
      double x = sin(v), z = 0.5 * sin(2.0 * v);
      double r = 2.0 + cos(0.5 * u) * x - sin(0.5 * u) * z;
      orc_add_point(&m, r * cos(u), r * sin(u), sin(0.5 * u) * x + cos(0.5 * u) * z);
    }
  }
  for (int i = 0; i + 1 < NU; ++i)
  {
    for (int j = 0; j < NV; ++j)
    {
      int64_t a = NV * i + j, b = NV * i + (j + 1) % NV;
      orc_add_quad(&m, a, a + NV, b + NV, b);
    }
  }
  /* One turn later (x, z) has become (-x, -z), which is where -v was. */
  for (int j = 0; j < NV; ++j)
  {
    int64_t a = NV * (NU - 1) + j, b = NV * (NU - 1) + (j + 1) % NV;
    int64_t c = NV - 1 - j, d = (2 * NV - 2 - j) % NV;
    orc_add_quad(&m, a, c, d, b);
  }
  return m;
}

/** A tube wider than its ring. */
static orc_mesh spindle_torus(void)
{
  return orc_make_torus(0.5, 0.8, 28, 15);
}

static orc_mesh plate(void)
{
  return orc_suite_make("slab 1e-9");
}

static orc_mesh flipped_triangle(void)
{
  orc_mesh m = orc_suite_make("sphere");
  int64_t swap = m.corners[301];
  m.corners[301] = m.corners[302];
  m.corners[302] = swap;
  return m;
}

static orc_mesh doubled_triangle(void)
{
  orc_mesh m = orc_suite_make("sphere");
  orc_add_triangle(&m, m.corners[300], m.corners[301], m.corners[302]);
  return m;
}

/** A cube with a degenerate triangle that sticks out of a corner, into it. */
static orc_mesh inner_spike(void)
{
  orc_mesh m = orc_suite_make("cube");
  int64_t tip = orc_add_point(&m, 0.5, 0.5, 0.5);
  orc_add_triangle(&m, 0, tip, tip);
  return m;
}

static orc_mesh long_spike(void)
{
  orc_mesh m = orc_suite_make("cube");
  int64_t tip = orc_add_point(&m, 0.5, 0.5, 0.5), middle = orc_add_point(&m, 0.25, 0.25, 0.25);
  orc_add_triangle(&m, 0, middle, tip);
  orc_add_triangle(&m, tip, middle, 0);
  return m;
}

/** A body bent round so that its ends meet: at z = 0.4, in a face or in the edge of a wedge, and no corner of one is one of the other. */
static orc_mesh bent_body(int corners, const double (*xz)[2], int caps, const int (*cap)[3])
{
  orc_mesh m = { 0 };
  for (int side = 0; side < 2; ++side)
  {
    for (int i = 0; i < corners; ++i)
    {
      orc_add_point(&m, xz[i][0], side, xz[i][1]);
    }
  }
  for (int i = 0; i < caps; ++i)
  {
    int64_t a = cap[i][0], b = cap[i][1], c = cap[i][2];
    orc_add_triangle(&m, a, b, c);
    orc_add_triangle(&m, a + corners, c + corners, b + corners);
  }
  for (int64_t i = 0; i < corners; ++i)
  {
    int64_t next = (i + 1) % corners;
    orc_add_quad(&m, i, i + corners, next + corners, next);
  }
  return m;
}

static orc_mesh foot_on_a_face(void)
{
  const double xz[][2] = { { 0, 0 }, { 1, 0 }, { 1, .4 }, { .2, .4 }, { .2, .6 }, { .6, .6 },
    { .6, .4 }, { .8, .4 }, { .8, .6 }, { 1, .6 }, { 1, 1 }, { 0, 1 } };
  const int caps[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 11, 0, 3 }, { 11, 3, 4 }, { 11, 4, 5 },
    { 5, 6, 7 }, { 5, 7, 8 }, { 11, 5, 8 }, { 11, 8, 9 }, { 9, 10, 11 } };
  return bent_body(12, xz, 10, caps);
}

static orc_mesh blade_on_a_face(void)
{
  const double xz[][2] = { { 0, 0 }, { 1, 0 }, { 1, .4 }, { .2, .4 }, { .2, .6 }, { .6, .6 },
    { .7, .4 }, { .8, .6 }, { 1, .6 }, { 1, 1 }, { 0, 1 } };
  const int caps[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 10, 0, 3 }, { 10, 3, 4 }, { 10, 4, 5 },
    { 5, 6, 7 }, { 10, 5, 7 }, { 10, 7, 8 }, { 8, 9, 10 } };
  return bent_body(11, xz, 9, caps);
}

/** A double pyramid over a five-pointed star, whose middle is wound round twice: faces that cross share a tip. */
static orc_mesh star(void)
{
  orc_mesh m = { 0 };
  for (int i = 0; i < 5; ++i)
  {
    double angle = 2.0 * 3.14159265358979323846 * (2 * i) / 5;
    orc_add_point(&m, cos(angle), sin(angle), 0.0);
  }
  orc_add_point(&m, 0.0, 0.0, 1.0);
  orc_add_point(&m, 0.0, 0.0, -1.0);
  for (int i = 0; i < 5; ++i)
  {
    orc_add_triangle(&m, i, (i + 1) % 5, 5);
    orc_add_triangle(&m, (i + 1) % 5, i, 6);
  }
  return m;
}

/** Two squares, face to face, cut along different diagonals. */
static orc_mesh flat_pillow(void)
{
  orc_mesh m = { 0 };
  orc_add_point(&m, 0.0, 0.0, 0.0);
  orc_add_point(&m, 1.0, 0.0, 0.0);
  orc_add_point(&m, 1.0, 1.0, 0.0);
  orc_add_point(&m, 0.0, 1.0, 0.0);
  orc_add_quad(&m, 0, 1, 2, 3);
  orc_add_quad(&m, 1, 0, 3, 2);
  return m;
}

/** The inner one has one corner of the outer one. */
static orc_mesh tetrahedron_in_a_corner(void)
{
  const double inner[3][3] = { { .5, .1, .1 }, { .1, .5, .1 }, { .1, .1, .5 } };
  orc_mesh m = tetrahedron(2.0, 0.0);
  for (int i = 0; i < 3; ++i)
  {
    orc_add_point(&m, inner[i][0], inner[i][1], inner[i][2]);
  }
  orc_add_triangle(&m, 0, 5, 4);
  orc_add_triangle(&m, 0, 4, 6);
  orc_add_triangle(&m, 0, 6, 5);
  orc_add_triangle(&m, 4, 5, 6);
  return m;
}

static orc_mesh one_faces_inward(void)
{
  orc_mesh inward = tetrahedron(1.0, -3.0);
  orc_reverse(&inward);
  return orc_joined(tetrahedron(2.0, 0.0), inward);
}

static orc_mesh named_t_junction(void)
{
  return orc_suite_make("T-junction");
}

static orc_mesh named_wedge(void)
{
  return orc_suite_make("wedge of 10 degrees");
}

static orc_mesh named_face(void)
{
  return orc_suite_make("cubes share a face");
}

static orc_mesh named_edge(void)
{
  return orc_suite_make("cubes share an edge");
}

static orc_mesh named_corner(void)
{
  return orc_suite_make("cubes share a corner");
}

static orc_mesh named_nested(void)
{
  return orc_suite_make("ball in a ball");
}

static orc_mesh named_hollow(void)
{
  return orc_suite_make("hollow sphere");
}

#define SOME (-1) /* at least one */

typedef struct odd_surface
{
  const char* name;
  orc_mesh (*make)(void);
  sq_sign_method automatic;
  int64_t boundary;
  int64_t non_manifold;
  int64_t inconsistent;
  int64_t degenerate;
  int64_t duplicate;
  int64_t crossing;
  int64_t components;
} odd_surface;

#define PSEUDO SQ_SIGN_PSEUDONORMAL
#define WINDING SQ_SIGN_WINDING_NUMBER
static const odd_surface surfaces[] = {
  { "tetrahedra of 1 and 10 000", two_tetrahedra, PSEUDO, 0, 0, 0, 0, 0, 0, 2 },
  { "T-junction", named_t_junction, PSEUDO, 0, 0, 0, 1, 0, 0, 1 },
  { "wedge of 10 degrees", named_wedge, PSEUDO, 0, 0, 0, 0, 0, 0, 1 },
  { "plate of 1e-9", plate, PSEUDO, 0, 0, 0, 0, 0, 0, 1 },
  { "cubes that share a face", named_face, WINDING, 0, 5, 0, 0, 2, 0, 1 },
  { "cubes that share an edge", named_edge, WINDING, 0, 1, 0, 0, 0, 0, 1 },
  { "cubes that share a corner", named_corner, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "foot on a face", foot_on_a_face, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "blade on a face", blade_on_a_face, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "star", star, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "flat pillow", flat_pillow, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "tetrahedron in a corner", tetrahedron_in_a_corner, WINDING, 0, 0, 0, 0, 0, 0, 1 },
  { "one of two faces inward", one_faces_inward, WINDING, 0, 0, 0, 0, 0, 0, 2 },
  { "shell in a shell", named_nested, WINDING, 0, 0, 0, 0, 0, 0, 2 },
  { "hollow sphere", named_hollow, WINDING, 0, 0, 0, 0, 0, 0, 2 },
  { "Moebius strip", moebius_strip, WINDING, 48, 0, 1, 0, 0, 0, 1 },
  { "Klein bottle", klein_bottle, WINDING, 0, 0, 14, 0, 0, SOME, 1 },
  { "torus through itself", spindle_torus, WINDING, 0, 0, 0, 0, 0, SOME, 1 },
  { "flipped triangle", flipped_triangle, WINDING, 0, 0, 3, 0, 0, 0, 1 },
  { "doubled triangle", doubled_triangle, WINDING, 0, 3, 0, 0, 1, 0, 1 },
  { "spike of a doubled corner", inner_spike, WINDING, 0, 0, 0, 1, 0, 0, 1 },
  { "spike of two triangles", long_spike, WINDING, 0, 0, 0, 2, 0, 0, 1 },
};
enum
{
  SURFACES = sizeof(surfaces) / sizeof(*surfaces)
};

static void count_is(int64_t got, int64_t want, const char* what, const char* name)
{
  CHECK_TEXT(want == SOME ? got > 0 : got == want, "%s: %lld %s, want %lld", name, (long long)got,
    what, (long long)want);
}

static void counts(void)
{
  for (int i = 0; i < SURFACES; ++i)
  {
    const odd_surface* o = surfaces + i;
    orc_mesh m = o->make();
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &m);
    sq_surface_report r;
    CHECK_STATUS(sq_surface_get_report(s, &r), SQ_OK);
    count_is(r.boundary_edges, o->boundary, "boundary edges", o->name);
    count_is(r.non_manifold_edges, o->non_manifold, "non-manifold edges", o->name);
    count_is(r.inconsistent_edges, o->inconsistent, "inconsistent edges", o->name);
    count_is(r.degenerate_triangles, o->degenerate, "degenerate triangles", o->name);
    count_is(r.duplicate_triangles, o->duplicate, "duplicate triangles", o->name);
    count_is(r.self_intersections, o->crossing, "crossings", o->name);
    count_is(r.components, o->components, "components", o->name);
    CHECK_TEXT(r.automatic_sign == o->automatic, "%s: Automatic is %d, want %d", o->name,
      (int)r.automatic_sign, (int)o->automatic);
    CHECK_INT(r.is_closed, o->boundary == 0);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
}

/** By Automatic; where it is the pseudonormal, by that and the winding number too. */
static void check_answers(const odd_surface* o, const orc_mesh* m, orc_query_kind kind)
{
  double x[3 * QUERIES];
  orc_make_queries(m, kind, QUERIES, 3, x);
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_surface* s = sqt_build_mesh(c, m);
  double tolerance =
    orc_four_ulp(fmax(orc_largest(x, QUERIES), orc_largest(m->points, m->point_count)));
  for (int method = SQ_SIGN_AUTOMATIC; method <= SQ_SIGN_WINDING_NUMBER; ++method)
  {
    if (method == SQ_SIGN_PSEUDONORMAL && o->automatic != PSEUDO)
    {
      continue;
    }
    sq_distance_options options = sq_distance_options_default();
    options.sign_method = (sq_sign_method)method;
    sqt_answers a = sqt_distances(c, s, x, QUERIES, &options);
    for (int i = 0; i < a.count; ++i)
    {
      orc_answer want = orc_answer_query(m, x + 3 * i, 1);
      int undecided = fabsl(want.winding - 0.5L) < 1e-3L;
      double sign = want.winding > 0.5L ? -1.0 : 1.0;
      double got = undecided ? fabs(a.distance[i]) : sign * a.distance[i];
      CHECK_TEXT(fabs(got - (double)want.distance) <= tolerance,
        "%s, method %d, %s query %d: %.17g instead of %.17g", o->name, method,
        orc_query_kind_name(kind), i, a.distance[i], sign * (double)want.distance);
    }
    sqt_answers_free(&a);
  }
  sq_surface_destroy(s);
  sq_context_destroy(c);
}

static void answers(void)
{
  for (int i = 0; i < SURFACES; ++i)
  {
    orc_mesh m = surfaces[i].make();
    for (int kind = 0; kind < ORC_QUERY_KINDS; ++kind)
    {
      check_answers(surfaces + i, &m, (orc_query_kind)kind);
    }
    orc_mesh_free(&m);
  }
}

/** Not only as the winding number says, but as the sphere without the fault has it: here everywhere, there off the fault. */
static void right_in_spite_of_a_fault(void)
{
  orc_mesh good = orc_suite_make("sphere");
  const struct
  {
    orc_mesh (*make)(void);
    double off; /* how far from the faulty triangle */
  } faults[] = { { doubled_triangle, 0.0 }, { flipped_triangle, 0.5 } };
  double x[3 * QUERIES];
  for (int f = 0; f < 2; ++f)
  {
    orc_mesh m = faults[f].make();
    sq_context* c = sqt_context(1, NULL, NULL);
    sq_surface* s = sqt_build_mesh(c, &m);
    int tested = 0;
    for (int kind = ORC_UNIFORM; kind <= ORC_NEAR_9; ++kind)
    {
      orc_make_queries(&m, (orc_query_kind)kind, QUERIES, 9, x);
      sqt_answers a = sqt_distances(c, s, x, QUERIES, NULL);
      for (int i = 0; i < a.count; ++i)
      {
        orc_answer want = orc_answer_query(&good, x + 3 * i, 1);
        if (want.distance > 1e-12L &&
          (double)orc_distance_to_triangle(&m, 100, x + 3 * i) >= faults[f].off)
        {
          CHECK_INT(a.distance[i]<0.0, want.winding> 0.5L);
          ++tested;
        }
      }
      sqt_answers_free(&a);
    }
    CHECK(tested > 2 * QUERIES);
    sq_surface_destroy(s);
    sq_context_destroy(c);
    orc_mesh_free(&m);
  }
  orc_mesh_free(&good);
}

static const sqt_case cases[] = {
  { "what is counted", counts },
  { "distances and signs", answers },
  { "right in spite of a fault", right_in_spite_of_a_fault },
};

SQT_MAIN(cases)
