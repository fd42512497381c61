/**
 * Every mesh of the suite scaled by 1e-6 and 1e6, shifted by 1e6, mirrored and renumbered, welded and as soup. What is right comes from
 * the mesh as it is then, after rounding.
 */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_scene.h"
#include "sqt_surface.h"

#include <stdio.h>
#include <string.h>

/** Queries of one kind on one variant. */
#define QUERIES 6

typedef struct variant
{
  void (*change)(orc_mesh* mesh);
  int
    rounds; /* coordinates are rounded, so that what is thin may cross itself: no pseudonormal where it was simple */
  double room; /* added to the tolerance */
} variant;

static void shrink(orc_mesh* mesh)
{
  orc_scale(mesh, 1e-6);
}

static void grow(orc_mesh* mesh)
{
  orc_scale(mesh, 1e6);
}

static void move(orc_mesh* mesh)
{
  orc_shift(mesh, 1e6, -1e6, 1e6);
}

/** At x = 0; turned round, so that closed meshes face outward again. */
static void mirror(orc_mesh* mesh)
{
  for (int64_t i = 0; i < mesh->point_count; ++i)
  {
    mesh->points[3 * i] = 0.0 - mesh->points[3 * i];
  }
  orc_reverse(mesh);
}

/** Triangles in random order, each from a random corner on. */
static void renumber(orc_mesh* mesh)
{
  orc_random r = { 77 };
  for (int64_t t = mesh->triangle_count - 1; t >= 0; --t)
  {
    int64_t other = orc_below(&r, t + 1), first = orc_below(&r, 3), old[3];
    memcpy(old, mesh->corners + 3 * other, sizeof(old));
    memcpy(mesh->corners + 3 * other, mesh->corners + 3 * t, sizeof(old));
    for (int k = 0; k < 3; ++k)
    {
      mesh->corners[3 * t + k] = old[(first + k) % 3];
    }
  }
}

static void check_variant(const orc_suite_entry* entry, const variant* v)
{
  orc_mesh mesh = entry->make();
  v->change(&mesh);
  unsigned flags = entry->flags;
  if (v->rounds)
  {
    flags &= ~(unsigned)ORC_SIMPLE;
  }
  if (flags & ORC_FLOAT32)
  {
    orc_round_to_float32(&mesh);
  }
  orc_mesh soup = orc_soup(&mesh);
  sq_type type = flags & ORC_FLOAT32 ? SQ_FLOAT32 : SQ_FLOAT64;
  sqt_view views[2] = { sqt_view_of(&mesh, type, SQ_INT64), sqt_view_of(&soup, type, SQ_INT32) };
  sq_context* context = sqt_context(2, NULL, NULL);
  for (int i = 0; i < 2; ++i)
  {
    sq_surface* surface = sqt_build(context, &views[i].cells);
    for (int kind = 0; surface && kind < ORC_QUERY_KINDS; ++kind)
    {
      static sqt_scene s;
      if (i == 0 || kind % 2 == 0)
      {
        sqt_scene_fill(&s, entry->name, flags, &mesh, (orc_query_kind)kind, QUERIES);
        s.tolerance += v->room;
        sqt_scene_check(&s, context, surface);
      }
    }
    sq_surface_destroy(surface);
    sqt_view_free(&views[i]);
  }
  sq_context_destroy(context);
  orc_mesh_free(&mesh);
  orc_mesh_free(&soup);
}

static void check_suite(variant v)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    int64_t before = sqt_failures();
    check_variant(orc_suite + i, &v);
    if (sqt_failures() > before)
    {
      printf("    %lld failures on %s\n", (long long)(sqt_failures() - before), orc_suite[i].name);
    }
  }
}

static void scaled_down(void)
{
  variant v = { shrink, 1, 0.0 };
  check_suite(v);
}

static void scaled_up(void)
{
  variant v = { grow, 1, 0.0 };
  check_suite(v);
}

static void shifted(void)
{
  variant v = { move, 1, orc_four_ulp(1e6) };
  check_suite(v);
}

static void mirrored(void)
{
  variant v = { mirror, 0, 0.0 };
  check_suite(v);
}

static void renumbered(void)
{
  variant v = { renumber, 0, 0.0 };
  check_suite(v);
}

static const sqt_case cases[] = {
  { "scaled by 1e-6", scaled_down },
  { "scaled by 1e6", scaled_up },
  { "shifted by 1e6", shifted },
  { "mirrored", mirrored },
  { "renumbered", renumbered },
};
SQT_MAIN(cases)
