/** The rim of a surface against a list of all edges, and sides that are shared along paths against the exact sum. */
#include "orc_queries.h"
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include "sqi_distance_sign.h"

#include <math.h>
#include <stdlib.h>

enum
{
  STARTS = 10,
  STEPS = 40
};

/** An edge as the lower vertex sees it. */
typedef struct directed
{
  int32_t low;
  int32_t high;
  int net;
} directed;

static int compare(const void* a, const void* b)
{
  const directed *p = (const directed*)a, *q = (const directed*)b;
  return p->low != q->low ? (p->low > q->low) - (p->low < q->low)
                          : (p->high > q->high) - (p->high < q->high);
}

/** Length of what does not cancel among the triangles that count, times how much is left, and how many edges that are. */
static double unbalanced_length(const sq_surface* s, const uint8_t* left_out, int64_t* edges)
{
  directed* all = (directed*)malloc((size_t)(3 * s->triangle_count + 1) * sizeof(*all));
  int64_t count = 0;
  for (int64_t c = 0; c < 3 * (int64_t)s->triangle_count; ++c)
  {
    int32_t a = s->corners[c], b = s->corners[c % 3 == 2 ? c - 2 : c + 1];
    directed use = { a < b ? a : b, a < b ? b : a, a < b ? 1 : -1 };
    if (a != b && !left_out[c / 3])
    {
      all[count++] = use;
    }
  }
  qsort(all, (size_t)count, sizeof(*all), compare);
  double sum = 0.0;
  *edges = 0;
  for (int64_t i = 0, stop; i < count; i = stop)
  {
    int net = 0;
    for (stop = i; stop < count && !compare(&all[i], &all[stop]); ++stop)
    {
      net += all[stop].net;
    }
    const double* p = s->vertices + 3 * (int64_t)all[i].low;
    const double* q = s->vertices + 3 * (int64_t)all[i].high;
    sum += abs(net) * hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
    *edges += net != 0;
  }
  free(all);
  return sum;
}

/** Which triangles the sum leaves out: those without area. */
static uint8_t* without_area(const sq_surface* s)
{
  uint8_t* out = (uint8_t*)calloc((size_t)s->triangle_count + 1, 1);
  for (int32_t i = 0; i < s->flat_count; ++i)
  {
    int32_t t = s->flats[i];
    out[t] = (uint8_t)sqi_surface_measure_triangle(s, t, SQI_FLOAT64_ULP).has_no_area;
  }
  return out;
}

static double* rim_of(sq_context* c, const sq_surface* s, const uint8_t* left_out, int64_t* edges)
{
  double* rim = (double*)malloc((size_t)(s->triangle_count + 1) * sizeof(*rim));
  CHECK_STATUS(sqi_surface_find_rim(c, s, left_out, rim, edges), SQ_OK);
  return rim;
}

static void rim_is_what_does_not_cancel(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  int with_rim = 0;
  for (int m = 0; m < orc_suite_count; ++m)
  {
    orc_mesh mesh = orc_suite[m].make();
    sq_surface* s = sqt_build_mesh(c, &mesh);
    uint8_t* left_out = without_area(s);
    int64_t edges = -1, want_edges;
    double* rim = rim_of(c, s, left_out, &edges);
    double want = unbalanced_length(s, left_out, &want_edges), sum = 0.0;
    for (int32_t t = 0; t < s->triangle_count; ++t)
    {
      CHECK(rim[t] >= 0.0 && !(left_out[t] && rim[t] > 0.0));
      sum += rim[t];
    }
    CHECK_TEXT(
      fabs(sum - want) <= 1e-12 * want, "%s: rim %.17g, want %.17g", orc_suite[m].name, sum, want);
    CHECK_TEXT(edges == want_edges, "%s: %lld rim edges, want %lld", orc_suite[m].name,
      (long long)edges, (long long)want_edges);
    with_rim += want_edges > 0;
    free(rim);
    free(left_out);
    sq_surface_destroy(s);
    orc_mesh_free(&mesh);
  }
  CHECK(with_rim > 8);
  sq_context_destroy(c);
}

/** Steps that stay within the distance to the surface; counts the points whose side came from the one before. */
static int walk(const orc_mesh* m, const char* name, const sqi_sign* sign, const double start[3],
  orc_random* random)
{
  double x[3] = { start[0], start[1], start[2] };
  int shared = 0;
  for (int step = 0; step < STEPS; ++step)
  {
    double reach = (double)orc_answer_query(m, x, 0).distance, direction[3];
    int got = sqi_sign_is_inside(sign, x, reach * (1.0 - 1e-12), 0);
    const sqi_sign_ball* ball = sign->memory[0].ball + sign->memory[0].newest;
    shared += ball->centre[0] != x[0];
    double want = sqi_winding_number(sign->winding, x, 0.0, NULL);
    want = sign->is_flipped ? -want : want;
    CHECK_TEXT(fabs(want - 0.5) < 1e-6 || got == (want > 0.5),
      "%s, step %d at %.17g %.17g %.17g: inside %d, winding number %g", name, step, x[0], x[1],
      x[2], got, want);
    orc_direction(random, direction);
    double length = reach * orc_between(random, 0.2, 0.95);
    for (int d = 0; d < 3; ++d)
    {
      x[d] += length * direction[d];
    }
  }
  return shared;
}

/** The memory of one thread, over a winding number that knows the rim. */
static int walks(const orc_mesh* m, const orc_suite_entry* e, const sq_surface* s,
  const sqi_winding* w, int is_flipped)
{
  static const orc_query_kind kinds[] = { ORC_UNIFORM, ORC_CHORDS, ORC_NEAR_3 };
  sqi_sign_memory memory;
  memory.newest = 0;
  for (int k = 0; k < SQI_SIGN_BALLS; ++k)
  {
    memory.ball[k].radius = -1.0;
  }
  const sqi_sign sign = { w, 2.0, s->is_whole, 1, is_flipped, &memory, 1 };
  orc_random random = { 17 };
  int shared = 0;
  for (int k = 0; k < 3; ++k)
  {
    double x[3 * STARTS];
    orc_make_queries(m, kinds[k], STARTS, 9, x);
    for (int i = 0; i < STARTS; ++i)
    {
      shared += walk(m, e->name, &sign, x + 3 * i, &random);
    }
  }
  return shared;
}

static void sides_along_paths(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  int64_t shared = 0;
  for (int m = 0; m < orc_suite_count; ++m)
  {
    orc_mesh mesh = orc_suite[m].make();
    sq_surface* s = sqt_build_mesh(c, &mesh);
    uint8_t* left_out = without_area(s);
    int64_t edges;
    double* rim = rim_of(c, s, left_out, &edges);
    const sqi_winding_surface all = { s->vertices, s->corners, s->triangle_count, s->index,
      left_out, s->is_whole ? NULL : rim };
    sqi_winding* w = NULL;
    CHECK_STATUS(sqi_winding_build(c, &all, &w), SQ_OK);
    if (w && s->triangle_count < 1500)
    {
      shared += walks(&mesh, orc_suite + m, s, w, 0) + walks(&mesh, orc_suite + m, s, w, 1);
    }
    sqi_winding_destroy(w);
    free(rim);
    free(left_out);
    sq_surface_destroy(s);
    orc_mesh_free(&mesh);
  }
  CHECK(shared > 25000);
  sq_context_destroy(c);
}

/** A cube with a small triangle cut out of the middle of its lid. */
static orc_mesh cube_with_hole(double a)
{
  static const int ring[6][3] = { { 0, 1, 6 }, { 0, 6, 5 }, { 1, 2, 6 }, { 2, 4, 6 }, { 2, 3, 4 },
    { 3, 5, 4 } };
  const double lo[3] = { 0, 0, 0 }, hi[3] = { 1, 1, 1 };
  orc_mesh box = orc_make_box(lo, hi), out = { 0 };
  int64_t id[7];
  for (int64_t i = 0; i < box.point_count; ++i)
  {
    const double* p = box.points + 3 * i;
    (void)orc_add_point(&out, p[0], p[1], p[2]);
    if (p[2] > 0.5)
    {
      id[p[1] > 0.5 ? 3 - (p[0] > 0.5) : (p[0] > 0.5)] = i;
    }
  }
  for (int64_t t = 0; t < box.triangle_count; ++t)
  {
    const int64_t* v = box.corners + 3 * t;
    int lid = 1;
    for (int k = 0; k < 3; ++k)
    {
      lid &= orc_corner(&box, t, k)[2] > 0.5;
    }
    if (!lid)
    {
      (void)orc_add_triangle(&out, v[0], v[1], v[2]);
    }
  }
  id[4] = orc_add_point(&out, 0.5, 0.5 + a, 1.0);
  id[5] = orc_add_point(&out, 0.5 - 0.875 * a, 0.5 - 0.5 * a, 1.0);
  id[6] = orc_add_point(&out, 0.5 + 0.875 * a, 0.5 - 0.5 * a, 1.0);
  for (int t = 0; t < 6; ++t)
  {
    (void)orc_add_triangle(&out, id[ring[t][0]], id[ring[t][1]], id[ring[t][2]]);
  }
  (void)orc_add_triangle(&out, id[3], id[0], id[5]);
  orc_mesh_free(&box);
  return out;
}

/**
 * From the middle of the cube its number changes so slowly, the rim being short, that it could not get below 1/2 far beyond the
 * lid; but the straight way there leads through the hole. Sides are shared to half of the way to the rim only.
 */
static void through_a_hole(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  for (int k = 0; k < 8; ++k)
  {
    double a = 0.002 * (1 << k) / 4.0;
    orc_mesh mesh = cube_with_hole(a);
    sq_surface* s = sqt_build_mesh(c, &mesh);
    uint8_t* left_out = without_area(s);
    int64_t edges = -1;
    double* rim = rim_of(c, s, left_out, &edges);
    CHECK_INT(edges, 3);
    const sqi_winding_surface all = { s->vertices, s->corners, s->triangle_count, s->index,
      left_out, rim };
    sqi_winding* w = NULL;
    CHECK_STATUS(sqi_winding_build(c, &all, &w), SQ_OK);
    for (int outward = 0; w && outward < 2; ++outward)
    {
      const double x[2][3] = { { 0.5, 0.5, 0.5 }, { 0.5, 0.5, 1.0 + 0.5 * a } };
      sqi_sign_memory memory;
      memory.newest = 0;
      for (int i = 0; i < SQI_SIGN_BALLS; ++i)
      {
        memory.ball[i].radius = -1.0;
      }
      const sqi_sign sign = { w, 2.0, 0, 1, 0, &memory, 1 };
      for (int i = 0; i < 2; ++i)
      {
        const double* at = x[outward ? i : 1 - i];
        double reach = (double)orc_answer_query(&mesh, at, 0).distance;
        double want = sqi_winding_number(w, at, 0.0, NULL);
        CHECK(at[2] > 0.6 ? want < 0.4 : want > 0.9);
        CHECK_INT(sqi_sign_is_inside(&sign, at, reach * (1.0 - 1e-12), 0), want > 0.5);
      }
    }
    sqi_winding_destroy(w);
    free(rim);
    free(left_out);
    sq_surface_destroy(s);
    orc_mesh_free(&mesh);
  }
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "rim is what does not cancel", rim_is_what_does_not_cancel },
  { "sides along paths", sides_along_paths },
  { "through a hole", through_a_hole },
};

SQT_MAIN(cases)
