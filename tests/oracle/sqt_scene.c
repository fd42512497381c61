#include "sqt_scene.h"
#include "sq_test.h"
#include "sqt_surface.h"

#include <math.h>
#include <stdio.h>

void sqt_scene_fill(sqt_scene* s, const char* name, unsigned flags, const orc_mesh* mesh,
  orc_query_kind kind, int count)
{
  s->name = name;
  s->flags = flags;
  s->mesh = mesh;
  s->kind = kind;
  s->count = count;
  orc_make_queries(mesh, s->kind, count, 1000 + (uint64_t)kind, s->x);
  double size = orc_largest(mesh->points, mesh->point_count);
  double far = orc_largest(s->x, count);
  s->tolerance = orc_four_ulp(far > size ? far : size);
  for (int i = 0; i < count; ++i)
  {
    s->want[i] = orc_answer_query(mesh, s->x + 3 * i, 1);
  }
}

static const char* const method_names[] = { "automatic", "pseudonormal", "winding number",
  "unsigned" };

static void explain(const sqt_scene* s, const char* what, int i)
{
  printf("    %s, %s query %d (%.17g, %.17g, %.17g), %s, winding number %.9Lf\n", s->name,
    orc_query_kind_name(s->kind), i, s->x[3 * i], s->x[3 * i + 1], s->x[3 * i + 2], what,
    s->want[i].winding);
}

/** The sign of the exact winding number; 0 where rounding may decide it. */
static int wanted_sign(const sqt_scene* s, int i)
{
  orc_real w = s->want[i].winding;
  return fabsl(w - 0.5L) < 1e-3L ? 0 : w > 0.5L ? -1 : 1;
}

/** The distance with its sign lies within the tolerance of the true one. */
static void check_distance(const sqt_scene* s, const sqt_answers* a, int i, sq_sign_method method)
{
  double got = a->distance[i];
  double want = (double)s->want[i].distance;
  int sign = method == SQ_SIGN_UNSIGNED ? 1 : wanted_sign(s, i);
  int ok = CHECK_NEAR(sign ? got : fabs(got), sign < 0 ? -want : want, s->tolerance);
  ok &= CHECK(method != SQ_SIGN_UNSIGNED || !signbit(got));
  ok &= CHECK_INT(a->valid[i], 1);
  if (!ok)
  {
    explain(s, method_names[method], i);
  }
}

/** The named triangle is at that distance, and the closest point lies on it at the named weights. */
static void check_hit(const sqt_scene* s, const sqt_answers* a, int i)
{
  int64_t t = a->cell[i];
  int ok = CHECK(t >= 0 && t < s->mesh->triangle_count);
  if (!ok)
  {
    explain(s, "cell", i);
    return;
  }
  ok &= CHECK_INT(a->block[i], 0);
  ok &= CHECK_INT(a->sub[i], 0);
  const double* x = s->x + 3 * i;
  const double* p = a->closest + 3 * i;
  const double* b = a->barycentric + 3 * i;
  ok &= CHECK_NEAR(
    (double)orc_distance_to_triangle(s->mesh, t, x), (double)s->want[i].distance, s->tolerance);
  ok &= CHECK_NEAR((double)orc_distance_to_triangle(s->mesh, t, p), 0.0, s->tolerance);
  ok &= CHECK_NEAR(
    (double)orc_closest_on_segment(p, p, x).distance, (double)s->want[i].distance, s->tolerance);
  ok &= CHECK(b[0] >= 0.0 && b[1] >= 0.0 && b[2] >= 0.0);
  ok &= CHECK_NEAR(b[0] + b[1] + b[2], 1.0, 0x1p-51);
  for (int k = 0; k < 3; ++k)
  {
    orc_real sum = 0.0L;
    for (int c = 0; c < 3; ++c)
    {
      sum += (orc_real)b[c] * (orc_real)orc_corner(s->mesh, t, c)[k];
    }
    ok &= CHECK_NEAR((double)sum, p[k], s->tolerance);
  }
  if (!ok)
  {
    explain(s, "hit", i);
  }
}

void sqt_scene_check(const sqt_scene* s, sq_context* context, const sq_surface* surface)
{
  for (int method = SQ_SIGN_METHOD_MIN; method <= SQ_SIGN_METHOD_MAX; ++method)
  {
    if (method == SQ_SIGN_PSEUDONORMAL && !(s->flags & ORC_SIMPLE))
    {
      continue;
    }
    sq_distance_options o = sq_distance_options_default();
    o.sign_method = (sq_sign_method)method;
    sqt_answers a = sqt_distances(context, surface, s->x, s->count, &o);
    for (int i = 0; i < a.count; ++i)
    {
      check_distance(s, &a, i, o.sign_method);
      check_hit(s, &a, i);
    }
    sqt_answers_free(&a);
  }
}
