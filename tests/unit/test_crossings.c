/** Crossing pairs against all pairs in exact integer arithmetic, and against known configurations. */
#include "orc_mesh.h"
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_sweep.h"

#include "sqi_crossings.h"

#include <stdlib.h>
#include <string.h>

/** Coordinates are integers below 2^10, so that 64 bits hold every determinant. */
typedef int64_t point[3];

static int side(const int64_t* a, const int64_t* b, const int64_t* c, const int64_t* d)
{
  int64_t u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i)
  {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    w[i] = d[i] - a[i];
  }
  int64_t det = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
    (u[0] * v[1] - u[1] * v[0]) * w[2];
  return (det > 0) - (det < 0);
}

/** The open edge p-q goes through the open triangle t. */
static int pierces(const int64_t* p, const int64_t* q, point* t)
{
  if (side(t[0], t[1], t[2], p) * side(t[0], t[1], t[2], q) >= 0)
  {
    return 0;
  }
  int s = side(p, q, t[0], t[1]);
  return s && s == side(p, q, t[1], t[2]) && s == side(p, q, t[2], t[0]);
}

/** In general position triangles cross exactly where an edge of one pierces the other. */
static int any_edge_pierces(point* a, point* b)
{
  for (int k = 0; k < 3; ++k)
  {
    if (pierces(a[k], a[(k + 1) % 3], b) || pierces(b[k], b[(k + 1) % 3], a))
    {
      return 1;
    }
  }
  return 0;
}

/** No four corners of the two triangles in one plane. */
static int general_position(point* a, point* b)
{
  for (int k = 0; k < 3; ++k)
  {
    for (int l = 0; l < 3; ++l)
    {
      if (!side(a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]) || !side(a[0], a[1], a[2], b[k]) ||
        !side(b[0], b[1], b[2], a[k]))
      {
        return 0;
      }
    }
  }
  return 1;
}

static int64_t count_crossings(
  sq_context* c, const double* x, const int32_t* corners, int32_t n, uint8_t* flags)
{
  sqi_crossings found = { -1, flags, 1, NULL, NULL, NULL, 0, 0 };
  CHECK_STATUS(sqi_crossings_find(c, x, corners, n, NULL, &found), SQ_OK);
  return found.pairs;
}

static void two_triangles(void)
{
  sq_context* c = sqt_context(1, NULL, NULL);
  orc_random r = { 5 };
  int crossing = 0;
  for (int i = 0; i < 20000; ++i)
  {
    static const int32_t corners[6] = { 0, 1, 2, 3, 4, 5 };
    point t[2][3];
    double x[18];
    int64_t range = i % 2 ? 1000 : 8;
    for (int k = 0; k < 18; ++k)
    {
      (&t[0][0][0])[k] = orc_below(&r, range);
      x[k] = (double)(&t[0][0][0])[k];
    }
    if (general_position(t[0], t[1]))
    {
      int want = any_edge_pierces(t[0], t[1]);
      crossing += want;
      CHECK_INT(count_crossings(c, x, corners, 2, NULL), want);
    }
  }
  CHECK(crossing > 1000);
  sq_context_destroy(c);
}

static void many_triangles(void)
{
  enum
  {
    N = 600
  };
  static point t[N][3];
  static double x[9 * N];
  static int32_t corners[3 * N];
  uint8_t flags[N], want_flags[N] = { 0 };
  orc_random r = { 11 };
  for (int i = 0; i < N; ++i)
  {
    point at;
    for (int d = 0; d < 3; ++d)
    {
      at[d] = orc_below(&r, 800);
    }
    for (int k = 0; k < 3; ++k)
    {
      corners[3 * i + k] = 3 * i + k;
      for (int d = 0; d < 3; ++d)
      {
        t[i][k][d] = at[d] + orc_below(&r, 200);
        x[9 * i + 3 * k + d] = (double)t[i][k][d];
      }
    }
  }
  int64_t want = 0;
  for (int i = 0; i < N; ++i)
  {
    for (int j = 0; j < i; ++j)
    {
      int hit = any_edge_pierces(t[i], t[j]);
      want += hit;
      want_flags[i] |= (uint8_t)hit;
      want_flags[j] |= (uint8_t)hit;
    }
  }
  CHECK(want > 100);
  for (int threads = 1; threads < 8; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    memset(flags, 0, sizeof(flags));
    CHECK_INT(count_crossings(c, x, corners, N, flags), want);
    CHECK_SAME(flags, want_flags, N);
    sq_context_destroy(c);
  }
}

/** Two walls that cross edge on edge, shared vertices and edges, touching corners, coplanar overlap. */
static void known_pairs(void)
{
  static const struct
  {
    const char* name;
    double x[18];
    int32_t corners[6];
    int want;
  } pairs[] = {
    { "edge through edge", { -1, 0, 0, 1, 0, 0, 0, 0, 2, 0, -1, 0, 0, 1, 0, 0, 0, 1 },
      { 0, 1, 2, 3, 4, 5 }, 1 },
    { "common vertex", { 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0.5, -1, 1, 0.5, 1, 0, 0, 0 },
      { 0, 1, 2, 3, 4, 0 }, 0 },
    { "a corner touches", { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, 0, 1, 1, 1, 0, 1, 1 },
      { 0, 1, 2, 3, 4, 5 }, 0 },
    { "an edge lies in the other",
      { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.2, 0.2, 0, 0.8, 0.2, 0, 0.5, 0.5, 1 }, { 0, 1, 2, 3, 4, 5 },
      0 },
    { "coplanar overlap", { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, 0, 3, 0.5, 0, 0.5, 3, 0 },
      { 0, 1, 2, 3, 4, 5 }, 0 },
    { "through the middle", { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, -1, 0.5, 0.5, 1, 0.7, 0.6, 1 },
      { 0, 1, 2, 3, 4, 5 }, 1 },
    { "apart", { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 2, 0, 1, 0, 2, 1 }, { 0, 1, 2, 3, 4, 5 }, 0 },
  };
  sq_context* c = sqt_context(1, NULL, NULL);
  for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); ++i)
  {
    static const double scales[] = { 1.0, 1e-30, 1e30, 1e-150, 1e300 };
    for (int s = 0; s < 5; ++s)
    {
      double x[18];
      for (int k = 0; k < 18; ++k)
      {
        x[k] = pairs[i].x[k] * scales[s];
      }
      int64_t got = count_crossings(c, x, pairs[i].corners, 2, NULL);
      CHECK_TEXT(got == pairs[i].want, "%s x %g: %lld, want %d", pairs[i].name, scales[s],
        (long long)got, pairs[i].want);
    }
  }
  sq_context_destroy(c);
}

static sq_status count_torus(sq_context* context, void* data)
{
  const orc_mesh* m = (const orc_mesh*)data;
  int32_t* corners = (int32_t*)malloc((size_t)(3 * m->triangle_count) * sizeof(*corners));
  for (int64_t i = 0; i < 3 * m->triangle_count; ++i)
  {
    corners[i] = (int32_t)m->corners[i];
  }
  sqi_crossings found = { -1, NULL, 0, NULL, NULL, NULL, 0, 0 };
  sq_status s =
    sqi_crossings_find(context, m->points, corners, (int32_t)m->triangle_count, NULL, &found);
  CHECK(s != SQ_OK || found.pairs == 0);
  free(corners);
  return s;
}

static void failures_leak_nothing(void)
{
  orc_mesh m = orc_suite_make("torus");
  sqt_sweep_memory("crossings", count_torus, &m, 1);
  sqt_sweep_cancel("crossings", count_torus, &m, 1);
  orc_mesh_free(&m);
}

static const sqt_case cases[] = {
  { "two triangles", two_triangles },
  { "many triangles", many_triangles },
  { "known pairs", known_pairs },
  { "failures leak nothing", failures_leak_nothing },
};

SQT_MAIN(cases)
