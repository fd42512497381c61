#include "sqi_context.h"
#include "sqi_surface.h"
#include "sqi_view.h"

#include <math.h>
#include <string.h>

sq_distance_options sq_distance_options_default(void)
{
  sq_distance_options o = { (sq_sign_method)SQ_SIGN_METHOD_DEFAULT, (double)INFINITY, 0,
    SQ_WINDING_ACCURACY_DEFAULT, SQ_OUT_OF_BAND_NAN };
  return o;
}

/** One run: what to answer and where the answers go. */
typedef struct run
{
  const sq_surface* surface;
  sq_distance_options options;
  sq_distance_outputs out;
  int is_signed;
  sq_type grid_type; /* of grid_distance */
  void* grid_distance;
} run;

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

/** The block of a triangle: the last one that starts at or before it, which skips blocks without triangles. */
static int32_t block_of(const sq_surface* s, int32_t t)
{
  int32_t low = 0, high = s->block_count - 1;
  while (low < high)
  {
    int32_t middle = low + (high - low + 1) / 2;
    if (s->block_start[middle] <= t)
    {
      low = middle;
    }
    else
    {
      high = middle - 1;
    }
  }
  return low;
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
    r->out.block[i] = block_of(s, hit->triangle);
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

static void answer(void* user, int64_t i, const double x[3], const sqi_hit* hit, int32_t thread)
{
  (void)thread;
  const run* r = (const run*)user;
  if (r->out.nodes_visited)
  {
    r->out.nodes_visited[i] = hit->nodes_visited;
  }
  if (r->out.cells_tested)
  {
    r->out.cells_tested[i] = hit->cells_tested;
  }
  int fill = r->options.out_of_band == SQ_OUT_OF_BAND_SIGNED_MAX;
  if (hit->triangle < 0)
  {
    /* An unsigned band is cut off by the search itself. */
    int beyond = fill && !r->is_signed && r->surface->triangle_count && is_finite(x);
    put_miss(r, i, beyond ? r->options.max_distance : (double)NAN);
    return;
  }
  sqi_side side;
  double sign = 1.0, outward = r->options.flip_inside_out ? -1.0 : 1.0;
  double distance = hit->distance;
  int wants_gradient = r->out.gradient != NULL;
  if (r->is_signed || wants_gradient)
  {
    sqi_surface_side(r->surface, x, hit, &side);
    distance = side.distance >= 0.0 ? side.distance : distance;
    sign = r->is_signed && side.side < 0.0 ? -outward
      : r->is_signed && side.side > 0.0    ? outward
                                           : 1.0;
  }
  if (hit->distance > r->options.max_distance)
  {
    put_miss(r, i, fill ? sign * r->options.max_distance : (double)NAN);
    return;
  }
  put_hit(r, i, hit);
  put_distance(r, i, distance > 0.0 ? sign * distance : 0.0);
  if (wants_gradient)
  {
    put_gradient(r, i, x, &side, distance, sign, r->is_signed ? outward : 1.0);
  }
}

static sq_status check_options(sq_context* context, const sq_surface* surface,
  const sq_distance_options* o, const sq_distance_outputs* outputs)
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
  if (!(o->winding_accuracy >= SQ_WINDING_ACCURACY_MIN &&
        o->winding_accuracy <= SQ_WINDING_ACCURACY_MAX))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "signed distance: winding accuracy %g, allowed are %g to %g", o->winding_accuracy,
      SQ_WINDING_ACCURACY_MIN, SQ_WINDING_ACCURACY_MAX);
  }
  if (o->sign_method == SQ_SIGN_WINDING_NUMBER || outputs->winding_number)
  {
    return sqi_fail(context, SQ_UNSUPPORTED, "signed distance: no winding number yet");
  }
  return SQ_OK;
}

static sq_status answer_all(sq_context* context, run* r, const sqi_queries* queries)
{
  sq_status s = check_options(context, r->surface, &r->options, &r->out);
  if (s != SQ_OK)
  {
    return s;
  }
  r->is_signed =
    r->options.sign_method != SQ_SIGN_UNSIGNED && r->surface->report.kind != SQ_SURFACE_CURVES;
  /* Beyond the band the side is needed, and the closest point knows it. */
  int unlimited = r->is_signed && r->options.out_of_band == SQ_OUT_OF_BAND_SIGNED_MAX;
  int statistics = r->out.nodes_visited || r->out.cells_tested;
  sqi_phase(context, "Querying", 0.0, 1.0);
  return sqi_triangle_index_query(context, r->surface->index, queries,
    unlimited ? (double)INFINITY : r->options.max_distance, statistics, answer, r);
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
  if (s != SQ_OK)
  {
    return s;
  }
  run r;
  memset(&r, 0, sizeof(r));
  r.surface = surface;
  r.options = options ? *options : sq_distance_options_default();
  if (outputs)
  {
    r.out = *outputs;
  }
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
