#include "sqi_context.h"
#include "sqi_distance_run.h"
#include "sqi_sdf_reference.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

sq_distance_options sq_distance_options_default(void)
{
  sq_distance_options o = { (sq_sign_method)SQ_SIGN_METHOD_DEFAULT, (double)INFINITY, 0,
    SQ_WINDING_ACCURACY_DEFAULT, SQ_OUT_OF_BAND_NAN };
  return o;
}

typedef sqi_distance_run run;

/** Within so many units in the last place of the coordinates a query counts as on the surface for its gradient. */
static const double ON_SURFACE_ULPS = 4.0;

static void put_distance(const run* r, int64_t i, double d)
{
  if (r->out.distance)
  {
    r->out.distance[i] = d;
  }
  if (r->grid_distance && r->grid_type == SQ_FLOAT32)
  {
    ((float*)r->grid_distance)[i] = (float)d;
  }
  else if (r->grid_distance)
  {
    ((double*)r->grid_distance)[i] = d;
  }
}

static void put3(double* array, int64_t i, double x, double y, double z)
{
  if (array)
  {
    array[3 * i] = x;
    array[3 * i + 1] = y;
    array[3 * i + 2] = z;
  }
}

static void put_miss(const run* r, int64_t i, double distance)
{
  put_distance(r, i, distance);
  put3(r->out.closest_point, i, NAN, NAN, NAN);
  put3(r->out.barycentric, i, NAN, NAN, NAN);
  put3(r->out.gradient, i, NAN, NAN, NAN);
  if (r->out.cell)
  {
    r->out.cell[i] = -1;
  }
  if (r->out.block)
  {
    r->out.block[i] = -1;
  }
  if (r->out.sub)
  {
    r->out.sub[i] = -1;
  }
  if (r->out.valid)
  {
    r->out.valid[i] = 0;
  }
}

static void put_hit(const run* r, int64_t i, const sqi_hit* hit)
{
  const sq_surface* s = r->surface;
  put3(r->out.closest_point, i, hit->point[0], hit->point[1], hit->point[2]);
  put3(r->out.barycentric, i, hit->barycentric[0], hit->barycentric[1], hit->barycentric[2]);
  if (r->out.cell)
  {
    r->out.cell[i] = s->cells[hit->triangle];
  }
  if (r->out.block)
  {
    r->out.block[i] = sqi_surface_block_of(s, hit->triangle);
  }
  if (r->out.sub)
  {
    r->out.sub[i] = s->subs ? s->subs[hit->triangle] : 0;
  }
  if (r->out.valid)
  {
    r->out.valid[i] = 1;
  }
}

/** v in length 1 times `sign`; 0 where v is 0. */
static int put_unit(double* array, int64_t i, const double v[3], double sign)
{
  double m = sqk_largest3(v);
  if (!(m > 0.0))
  {
    return 0;
  }
  double u[3] = { v[0] / m, v[1] / m, v[2] / m };
  double length = sign * sqrt(sqk_dot3(u, u));
  put3(array, i, u[0] / length, u[1] / length, u[2] / length);
  return 1;
}

/** Away from the surface the direction to the query, turned round inside; on it the outward normal. */
static void put_gradient(const run* r, int64_t i, const double x[3], const sqi_side* side,
  double distance, double sign, double outward)
{
  double rounding = ON_SURFACE_ULPS * 0x1p-52 * sqk_largest3(x);
  if (distance <= rounding && put_unit(r->out.gradient, i, side->normal, outward))
  {
    return;
  }
  if (!(distance > 0.0) || !put_unit(r->out.gradient, i, side->direction, sign))
  {
    put3(r->out.gradient, i, NAN, NAN, NAN);
  }
}

static int is_finite(const double x[3])
{
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/** Closer than this fraction of the coordinates, the side knows the distance better than the search. */
static const double NEAR = 0x1p-20;

static int is_near(const sq_surface* s, const double x[3], double distance)
{
  return distance <= NEAR * (sqk_largest3(x) + sqk_largest3(s->centre) + s->radius);
}

/** No triangle within the limit, or no number to start from. */
static void answer_miss(const run* r, int64_t i, const double x[3], int32_t thread)
{
  double distance = (double)NAN;
  if (r->options.out_of_band == SQ_OUT_OF_BAND_SIGNED_MAX && r->surface->triangle_count &&
    is_finite(x))
  {
    int is_inside = r->method != SQ_SIGN_UNSIGNED &&
      sqi_sign_is_inside(&r->sign, x, r->options.max_distance, thread);
    distance = is_inside ? -r->options.max_distance : r->options.max_distance;
  }
  put_miss(r, i, distance);
}

static int is_inside(
  const run* r, const double x[3], const sqi_hit* hit, double side, int32_t thread)
{
  switch (r->method)
  {
    case SQ_SIGN_PSEUDONORMAL:
      return r->options.flip_inside_out ? side > 0.0 : side < 0.0;
    case SQ_SIGN_WINDING_NUMBER:
      return sqi_sign_is_inside(&r->sign, x, hit->distance, thread);
    default:
      return 0;
  }
}

static void answer_hit(
  const run* r, int64_t i, const double x[3], const sqi_hit* hit, int32_t thread)
{
  sqi_side side;
  double distance = hit->distance;
  int near = is_near(r->surface, x, distance);
  side.side = 0.0;
  if (near || r->out.gradient || r->method == SQ_SIGN_PSEUDONORMAL)
  {
    sqi_surface_side(r->surface, x, hit, &side);
    distance = near && side.distance >= 0.0 ? side.distance : distance;
  }
  double sign = distance > 0.0 && is_inside(r, x, hit, side.side, thread) ? -1.0 : 1.0;
  if (hit->distance > r->options.max_distance)
  {
    int fill = r->options.out_of_band == SQ_OUT_OF_BAND_SIGNED_MAX;
    put_miss(r, i, fill ? sign * r->options.max_distance : (double)NAN);
    return;
  }
  put_hit(r, i, hit);
  put_distance(r, i, distance > 0.0 ? sign * distance : 0.0);
  if (r->out.gradient)
  {
    int flip = r->options.flip_inside_out && r->method != SQ_SIGN_UNSIGNED;
    put_gradient(r, i, x, &side, distance, sign, flip ? -1.0 : 1.0);
  }
}

/** One query of a surface of SQ_SDF_REFERENCE. */
static void answer_as_reference(const run* r, int64_t i, const double x[3], const sqi_hit* near)
{
  sqi_hit hit;
  int is_inside;
  int found =
    sqi_sdf_reference_answer(r->surface, x, near, r->options.max_distance, &hit, &is_inside);
  const double q[3] = { (double)(float)x[0], (double)(float)x[1], (double)(float)x[2] };
  double number =
    r->sign.winding && is_finite(q) ? sqi_sign_winding_number(&r->sign, q) : (double)NAN;
  if (r->out.winding_number)
  {
    r->out.winding_number[i] = number;
  }
  if (!found)
  {
    put_miss(r, i, (double)NAN);
    return;
  }
  is_inside = r->method == SQ_SIGN_WINDING_NUMBER ? number > 0.5 : is_inside;
  put_hit(r, i, &hit);
  put_distance(r, i, is_inside && r->method != SQ_SIGN_UNSIGNED ? -hit.distance : hit.distance);
}

void sqi_distance_answer(
  void* user, int64_t i, const double x[3], const sqi_hit* hit, int32_t thread)
{
  const run* r = (const run*)user;
  if (r->surface->reference)
  {
    answer_as_reference(r, i, x, hit);
    return;
  }
  if (r->out.nodes_visited)
  {
    r->out.nodes_visited[i] = hit->nodes_visited;
  }
  if (r->out.cells_tested)
  {
    r->out.cells_tested[i] = hit->cells_tested;
  }
  if (r->out.winding_number)
  {
    r->out.winding_number[i] = is_finite(x) ? sqi_sign_winding_number(&r->sign, x) : (double)NAN;
  }
  if (hit->triangle < 0)
  {
    answer_miss(r, i, x, thread);
  }
  else
  {
    answer_hit(r, i, x, hit, thread);
  }
}

static sq_status check_reference(sq_context* context, const run* r)
{
  const char* what = r->out.gradient              ? "a gradient"
    : r->options.flip_inside_out                  ? "flip_inside_out"
    : r->options.out_of_band                      ? "signed filling out of band"
    : r->out.nodes_visited || r->out.cells_tested ? "traversal statistics"
                                                  : NULL;
  return what ? sqi_fail(context, SQ_UNSUPPORTED, "signed distance: reference mode has no %s", what)
              : SQ_OK;
}

static sq_status check_options(
  sq_context* context, const sq_surface* surface, const sq_distance_options* o)
{
  if (!surface)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "signed distance: no surface given");
  }
  if (!(o->max_distance >= 0.0))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance: max_distance %g, allowed are 0 to infinity", o->max_distance);
  }
  if ((int)o->sign_method < SQ_SIGN_METHOD_MIN || (int)o->sign_method > SQ_SIGN_METHOD_MAX)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance: sign method %d, allowed are %d to %d", (int)o->sign_method,
      SQ_SIGN_METHOD_MIN, SQ_SIGN_METHOD_MAX);
  }
  if (o->out_of_band != SQ_OUT_OF_BAND_NAN && o->out_of_band != SQ_OUT_OF_BAND_SIGNED_MAX)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance: out of band value %d, allowed are 0 and 1", (int)o->out_of_band);
  }
  if (!(o->winding_accuracy >= SQ_WINDING_ACCURACY_MIN &&
        o->winding_accuracy <= SQ_WINDING_ACCURACY_MAX))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance: winding accuracy %g, allowed are %g to %g", o->winding_accuracy,
      SQ_WINDING_ACCURACY_MIN, SQ_WINDING_ACCURACY_MAX);
  }
  return SQ_OK;
}

/** On such a surface the pseudonormal is negative exactly where the winding number exceeds 1/2. */
static int rules_agree(const run* r)
{
  return r->surface->report.automatic_sign == SQ_SIGN_PSEUDONORMAL &&
    r->surface->facing == (r->options.flip_inside_out ? -1 : 1);
}

static sq_sign_method resolve_method(const run* r)
{
  sq_sign_method automatic = r->surface->report.automatic_sign;
  sq_sign_method asked = r->options.sign_method;
  if (automatic == SQ_SIGN_UNSIGNED)
  {
    return SQ_SIGN_UNSIGNED; /* curves have no side */
  }
  if (r->surface->reference)
  {
    return asked == SQ_SIGN_AUTOMATIC ? SQ_SIGN_PSEUDONORMAL : asked;
  }
  if (asked == SQ_SIGN_WINDING_NUMBER && rules_agree(r))
  {
    return SQ_SIGN_PSEUDONORMAL; /* the same sign for less, and to the last bit */
  }
  return asked == SQ_SIGN_AUTOMATIC ? automatic : asked;
}

sq_status sqi_distance_open(sq_context* context, sqi_distance_run* r)
{
  sq_status s = check_options(context, r->surface, &r->options);
  s = s == SQ_OK && r->surface->reference ? check_reference(context, r) : s;
  if (s != SQ_OK)
  {
    return s;
  }
  sqi_phase(context, "Querying", 0.0, 1.0);
  r->method = resolve_method(r);
  int fill = r->options.out_of_band == SQ_OUT_OF_BAND_SIGNED_MAX;
  /* The side of what the search never reaches: from the winding number where that is the same, else search on. */
  int search_on = fill && r->method == SQ_SIGN_PSEUDONORMAL && !rules_agree(r);
  int endless = search_on || r->surface->reference;
  r->limit = endless ? (double)INFINITY : r->options.max_distance;
  if (r->method == SQ_SIGN_WINDING_NUMBER || r->out.winding_number ||
    (r->method == SQ_SIGN_PSEUDONORMAL && fill && isfinite(r->limit)))
  {
    s = sqi_sign_open(
      context, r->surface, r->options.winding_accuracy, r->options.flip_inside_out, &r->sign);
  }
  return s;
}

static sq_status answer_all(sq_context* context, run* r, const sqi_queries* queries)
{
  sq_status s = sqi_distance_open(context, r);
  int statistics = r->out.nodes_visited || r->out.cells_tested;
  s = s == SQ_OK ? sqi_triangle_index_query(context, r->surface->index, queries, r->limit,
                     statistics, sqi_distance_answer, r)
                 : s;
  sqi_sign_close(context, &r->sign);
  return s;
}

sq_status sq_surface_distance(sq_context* context, const sq_surface* surface,
  const sq_points* queries, const sq_distance_options* options, const sq_distance_outputs* outputs)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status s = sqi_check_points(context, queries, "queries");
  if (s == SQ_OK && !outputs)
  {
    s = sqi_fail(context, SQ_INVALID_ARGUMENT, "signed distance: no outputs given");
  }
  if (s != SQ_OK)
  {
    return s;
  }
  run r;
  memset(&r, 0, sizeof(r));
  r.surface = surface;
  r.options = options ? *options : sq_distance_options_default();
  r.out = *outputs;
  sqi_queries q = { queries, NULL };
  return answer_all(context, &r, &q);
}

static sq_status check_grid(
  sq_context* context, const sq_grid* grid, sq_type type, const void* distance)
{
  if (!grid || !distance)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "signed distance grid: no %s given", grid ? "output" : "grid");
  }
  if (type != SQ_FLOAT32 && type != SQ_FLOAT64)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance grid: output type %d, allowed are SQ_FLOAT32 and SQ_FLOAT64", (int)type);
  }
  if (!is_finite(grid->origin) || !is_finite(grid->spacing))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance grid: origin (%g %g %g), spacing (%g %g %g), allowed are finite numbers",
      grid->origin[0], grid->origin[1], grid->origin[2], grid->spacing[0], grid->spacing[1],
      grid->spacing[2]);
  }
  sqi_queries q = { NULL, grid };
  if (sqi_queries_count(&q) > INT64_MAX / (int64_t)sizeof(double))
  {
    return sqi_fail(context, SQ_TOO_LARGE, "signed distance grid: more than 2^60 points");
  }
  return SQ_OK;
}

sq_status sq_surface_distance_grid(sq_context* context, const sq_surface* surface,
  const sq_grid* grid, const sq_distance_options* options, sq_type type, void* distance,
  uint8_t* valid)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  sq_status s = check_grid(context, grid, type, distance);
  if (s != SQ_OK)
  {
    return s;
  }
  run r;
  memset(&r, 0, sizeof(r));
  r.surface = surface;
  r.options = options ? *options : sq_distance_options_default();
  r.out.valid = valid;
  r.grid_type = type;
  r.grid_distance = distance;
  sqi_queries q = { NULL, grid };
  return answer_all(context, &r, &q);
}
