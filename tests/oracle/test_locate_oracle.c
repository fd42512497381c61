/**
 * Containing and nearest cell, weights and parametric coordinates on meshes of all linear cell types, against
 * Newton's method in long double over all cells.
 */
#include "orc_zoo.h"
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 400
/** Closer to a face than this, in parametric coordinates, either side is an answer. */
#define UNSURE 1e-11L

typedef struct scene
{
  const char* name;
  orc_zoo_kind kind;
  orc_zoo zoo;
  sq_cells block;
  sq_context* context;
  sq_mesh_index* index;
  double x[3 * QUERIES];
  double tolerance; /* 4 ulp of the scene size */
  int on_cells; /* the queries are convex combinations of corners: all lie in a cell */
} scene;

static const char* const kind_names[ORC_ZOO_KINDS] = { "boxes", "sheared", "warped", "flat" };

static void open_scene(scene* s, orc_zoo_kind kind, int n)
{
  s->kind = kind;
  s->name = kind_names[kind];
  s->zoo = orc_make_zoo(kind, n, 40 + (uint64_t)kind);
  s->block = sqt_cells_of_zoo(&s->zoo);
  s->context = sqt_context(2, NULL, NULL);
  s->index = sqt_index(s->context, &s->block, 1);
}

static void close_scene(scene* s)
{
  sq_mesh_index_destroy(s->index);
  sq_context_destroy(s->context);
  orc_zoo_free(&s->zoo);
}

/** Uniform in a box of 1.3 times the size (0 corners), or convex combinations of that many corners of cells. */
static void make_queries(scene* s, int corners)
{
  orc_random r = { 7 + (uint64_t)corners };
  s->on_cells = corners > 0;
  for (int i = 0; i < QUERIES; ++i)
  {
    double* x = s->x + 3 * i;
    if (corners)
    {
      orc_zoo_point(&s->zoo, orc_below(&r, s->zoo.count), corners, &r, x);
    }
    for (int k = 0; k < 3 && !corners; ++k)
    {
      x[k] = orc_between(&r, -0.15, 1.15);
    }
  }
  double far = fmax(orc_largest(s->x, QUERIES), orc_largest(s->zoo.points, s->zoo.point_count));
  s->tolerance = orc_four_ulp(far);
}

typedef struct verdict
{
  int64_t in; /* cells that surely hold the query */
  int64_t maybe; /* cells that hold it or pass it within rounding */
  int64_t first_in;
  int64_t first_maybe;
} verdict;

static verdict judge(const scene* s, const double x[3])
{
  verdict v = { 0, 0, INT64_MAX, INT64_MAX };
  for (int64_t c = 0; c < s->zoo.count; ++c)
  {
    orc_cell cell = orc_zoo_cell(&s->zoo, c);
    orc_real r[3];
    orc_real margin;
    if (!orc_invert(&cell, x, r, &margin) || margin < -UNSURE)
    {
      continue;
    }
    if (margin > UNSURE)
    {
      ++v.in;
      v.first_in = v.in == 1 ? c : v.first_in;
    }
    else
    {
      ++v.maybe;
      v.first_maybe = v.maybe == 1 ? c : v.first_maybe;
    }
  }
  return v;
}

static void explain(const scene* s, const char* what, int q, const sq_location_view* v)
{
  printf("    %s, %s, query %d (%.17g, %.17g, %.17g): status %d, cell %lld, distance %g\n", s->name,
    what, q, s->x[3 * q], s->x[3 * q + 1], s->x[3 * q + 2], v->status[q], (long long)v->cell[q],
    v->distance[q]);
}

/** Weights sum to 1 and give back the query; they and the parametric coordinates are the oracle's. */
static int check_weights(const scene* s, const sq_location_view* v, int q, int exact_cell)
{
  double at[3];
  const double* x = s->x + 3 * q;
  int ok = CHECK_NEAR(sqt_rebuild(v, &s->block, q, at), 1.0, 0x1p-50);
  for (int k = 0; k < 3; ++k)
  {
    ok &= CHECK_NEAR(at[k], x[k], 2.0 * s->tolerance);
  }
  orc_cell cell = orc_zoo_cell(&s->zoo, v->cell[q]);
  orc_real r[3];
  orc_real margin;
  if (!exact_cell || !orc_invert(&cell, x, r, &margin))
  {
    return ok;
  }
  orc_real w[8];
  orc_shape(cell.type, r, w);
  ok &= CHECK_INT(v->node_offsets[q + 1] - v->node_offsets[q], cell.count);
  for (int k = 0; k < 3; ++k)
  {
    ok &= CHECK_NEAR(v->parametric[3 * q + k], (double)r[k], 1e-11);
  }
  for (int i = 0; ok && i < cell.count; ++i)
  {
    double got = 0.0;
    for (int64_t e = v->node_offsets[q]; e < v->node_offsets[q + 1]; ++e)
    {
      got +=
        v->node_ids[e] == s->zoo.ids[s->zoo.offsets[v->cell[q]] + i] ? v->node_weights[e] : 0.0;
    }
    ok &= CHECK_NEAR(got, (double)w[i], 1e-11);
  }
  return ok;
}

static void check_containing(scene* s)
{
  sq_location_view v;
  sq_location* l = sqt_locate(s->context, s->index, s->x, QUERIES, NULL, &v);
  int inside = 0;
  for (int q = 0; l && q < QUERIES; ++q)
  {
    verdict want = judge(s, s->x + 3 * q);
    int ok = 1;
    if (want.in)
    {
      ++inside;
      ok &= CHECK_INT(v.status[q], SQ_SAMPLE_INSIDE);
      ok &= CHECK_NEAR(v.distance[q], 0.0, 0.0);
      ok &= CHECK(v.cell[q] == want.first_in ||
        (want.first_maybe < want.first_in && v.cell[q] >= want.first_maybe &&
          v.cell[q] < want.first_in));
      ok &=
        CHECK(v.containing_count[q] >= want.in && v.containing_count[q] <= want.in + want.maybe);
    }
    else if (s->on_cells)
    {
      ok &= CHECK(v.status[q] == SQ_SAMPLE_INSIDE || v.status[q] == SQ_SAMPLE_TOLERANCE);
      ok &= CHECK(v.containing_count[q] >= 1);
    }
    ok &= CHECK_INT(v.status[q] == SQ_SAMPLE_OUTSIDE, v.cell[q] < 0);
    if (ok && v.status[q] == SQ_SAMPLE_INSIDE)
    {
      ok &= check_weights(s, &v, q, want.in && v.cell[q] == want.first_in);
    }
    if (!ok)
    {
      explain(s, "containing", q, &v);
    }
  }
  CHECK(inside > QUERIES / 8 || s->on_cells);
  sq_location_destroy(l);
}

/** The distance to the nearest cell, and to each cell, where the faces are flat. */
static void check_outside_and_nearest(scene* s)
{
  sq_locate_options o = sq_locate_options_default();
  sq_location_view contain;
  sq_location_view near;
  sq_location* a = sqt_locate(s->context, s->index, s->x, QUERIES, &o, &contain);
  o.mode = SQ_LOCATE_NEAREST;
  sq_location* b = sqt_locate(s->context, s->index, s->x, QUERIES, &o, &near);
  for (int q = 0; a && b && q < QUERIES; ++q)
  {
    const double* x = s->x + 3 * q;
    orc_real best = HUGE_VALL;
    int within = 0;
    int near_miss = 0;
    for (int64_t c = 0; c < s->zoo.count; ++c)
    {
      orc_cell cell = orc_zoo_cell(&s->zoo, c);
      orc_real d = orc_cell_distance(&cell, x);
      orc_real limit = 1e-6L * (orc_real)orc_cell_diagonal(&cell);
      within |= d < 0.999L * limit;
      near_miss |= d < 1.001L * limit;
      best = d < best ? d : best;
    }
    int ok = CHECK(!within || contain.status[q] <= SQ_SAMPLE_TOLERANCE);
    ok &= CHECK(near_miss || contain.status[q] == SQ_SAMPLE_OUTSIDE);
    ok &= CHECK_NEAR(near.distance[q], (double)best, s->tolerance);
    ok &= CHECK(near.cell[q] >= 0 && near.cell[q] < s->zoo.count);
    if (!ok)
    {
      explain(s, "nearest", q, &near);
      explain(s, "containing", q, &contain);
      continue;
    }
    orc_cell cell = orc_zoo_cell(&s->zoo, near.cell[q]);
    ok &= CHECK_NEAR((double)orc_cell_distance(&cell, x), (double)best, s->tolerance);
    double at[3];
    ok &= CHECK_NEAR(sqt_rebuild(&near, &s->block, q, at), 1.0, 0x1p-50);
    ok &= CHECK_NEAR(
      (double)orc_closest_on_segment(at, at, x).distance, (double)best, 2.0 * s->tolerance);
    if (!ok)
    {
      explain(s, "nearest", q, &near);
    }
  }
  sq_location_destroy(a);
  sq_location_destroy(b);
}

static void run(orc_zoo_kind kind, int n)
{
  static const int corners[] = { 0, 8, 3, 2, 1 };
  scene* s = (scene*)malloc(sizeof(*s));
  if (!s)
  {
    return;
  }
  open_scene(s, kind, n);
  for (int i = 0; s->index && i < 5; ++i)
  {
    make_queries(s, corners[i]);
    if (kind != ORC_ZOO_FLAT)
    {
      check_containing(s);
    }
    if (kind != ORC_ZOO_WARPED)
    {
      check_outside_and_nearest(s);
    }
  }
  close_scene(s);
  free(s);
}

static void boxes(void)
{
  run(ORC_ZOO_BOXES, 4);
}

static void sheared(void)
{
  run(ORC_ZOO_SHEARED, 4);
}

static void warped(void)
{
  run(ORC_ZOO_WARPED, 4);
}

static void flat(void)
{
  run(ORC_ZOO_FLAT, 8);
}

/** A hair outside the outer wall of the mesh: within the tolerance found and flagged, beyond it missed. */
static void tolerance_at_the_wall(void)
{
  scene* s = (scene*)malloc(sizeof(*s));
  if (!s)
  {
    return;
  }
  open_scene(s, ORC_ZOO_BOXES, 4);
  static const double off[] = { 0.9e-7, 0.9e-9, 1.1e-5, 1e-3 };
  for (int i = 0; i < 4; ++i)
  {
    make_queries(s, 0);
    for (int q = 0; q < QUERIES; ++q)
    {
      for (int k = 0; k < 3; ++k)
      {
        s->x[3 * q + k] = fmin(fmax(s->x[3 * q + k], 0.01), 0.99);
      }
      s->x[3 * q + q % 3] = q % 2 ? 1.0 + off[i] : -off[i];
    }
    sq_location_view v;
    sq_location* l = sqt_locate(s->context, s->index, s->x, QUERIES, NULL, &v);
    for (int q = 0; l && q < QUERIES; ++q)
    {
      int found = off[i] < 2e-7;
      int ok = CHECK_INT(v.status[q], found ? SQ_SAMPLE_TOLERANCE : SQ_SAMPLE_OUTSIDE);
      ok &= CHECK_NEAR(v.distance[q], found ? off[i] : (double)NAN, s->tolerance);
      if (!ok)
      {
        explain(s, "at the wall", q, &v);
      }
    }
    sq_location_destroy(l);
  }
  close_scene(s);
  free(s);
}

static const sqt_case cases[] = {
  { "boxes", boxes },
  { "sheared", sheared },
  { "warped", warped },
  { "flat", flat },
  { "tolerance at the wall", tolerance_at_the_wall },
};
SQT_MAIN(cases)
