#include "sqi_distance_sign.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

#include <string.h>

/** Roundings of distances, in units in the last place of the largest coordinate. */
#define REACH_ULPS 8.0

typedef struct area_work
{
  const sq_surface* surface;
  uint8_t* left_out;
} area_work;

static sq_status leave_out(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  area_work* w = (area_work*)data;
  for (int64_t t = begin; t < end; ++t)
  {
    w->left_out[t] =
      (uint8_t)sqi_surface_measure_triangle(w->surface, (int32_t)t, SQI_FLOAT64_ULP).has_no_area;
  }
  return SQ_OK;
}

/**
 * Triangles without area stay out: seen from closer than about 1e-8 of their length, double no longer knows on which side they are seen,
 * and each may be taken for half a sphere. What they truly cover is no more than rounding.
 */
static sq_status build_winding(sq_context* context, const sq_surface* s, sqi_winding** winding)
{
  int64_t count = s->triangle_count;
  area_work w = { s, NULL };
  sq_status status = SQ_OK;
  if (s->flat_count)
  {
    status = SQI_NEW(context, &w.left_out, count);
    status = status == SQ_OK ? sqi_parallel_for(context, count, 1 << 13, leave_out, &w) : status;
  }
  const sqi_winding_surface all = { s->vertices, s->corners, s->triangle_count, s->index,
    w.left_out };
  status = status == SQ_OK ? sqi_winding_build(context, &all, winding) : status;
  SQI_FREE(context, w.left_out, count);
  return status;
}

static sq_status prepare_winding(
  sq_context* context, sq_surface* surface, const sqi_winding** winding)
{
  sqi_winding* made = atomic_load(&surface->winding);
  if (!made)
  {
    sqi_phase(context, "Preparing the winding number", 0.0, 0.2);
    sq_status s = build_winding(context, surface, &made);
    if (s != SQ_OK)
    {
      return s;
    }
    /* Of several runs that find none, the first one's stays. */
    sqi_winding* there = NULL;
    if (!atomic_compare_exchange_strong(&surface->winding, &there, made))
    {
      sqi_winding_destroy(made);
      made = there;
    }
    sqi_phase(context, "Querying", 0.21, 1.0);
  }
  *winding = made;
  return SQ_OK;
}

sq_status sqi_sign_open(
  sq_context* context, const sq_surface* surface, double accuracy, int is_flipped, sqi_sign* sign)
{
  sign->accuracy = accuracy;
  sign->is_flipped = is_flipped;
  sign->is_whole = surface->is_whole;
  sign->thread_count = sq_context_threads(context);
  sq_status s = SQI_NEW(context, &sign->memory, sign->thread_count);
  for (int32_t t = 0; t < sign->thread_count && s == SQ_OK; ++t)
  {
    sign->memory[t].next = 0;
    for (int k = 0; k < SQI_SIGN_BALLS; ++k)
    {
      sign->memory[t].ball[k].radius = -1.0;
    }
  }
  /* The surface changes for no one who looks: its winding number appears, once. */
  return s == SQ_OK ? prepare_winding(context, (sq_surface*)surface, &sign->winding) : s;
}

void sqi_sign_close(sq_context* context, sqi_sign* sign)
{
  SQI_FREE(context, sign->memory, sign->thread_count);
  sign->memory = NULL;
}

static double length(const double v[3])
{
  double m = sqk_largest3(v);
  double u[3] = { v[0] / m, v[1] / m, v[2] / m };
  return m > 0.0 ? m * sqrt(sqk_dot3(u, u)) : 0.0;
}

static double gap(const double x[3], const double y[3])
{
  double d[3];
  sqk_sub3(x, y, d);
  double slack = REACH_ULPS * 0x1p-52 * fmax(sqk_largest3(x), sqk_largest3(y));
  return length(d) + slack;
}

/** Squares that overflow or vanish say no. */
static int is_in_ball(const double x[3], const sqi_sign_ball* ball)
{
  double d[3];
  sqk_sub3(x, ball->x, d);
  return ball->radius > 0.0 && sqk_dot3(d, d) < ball->radius * ball->radius * (1.0 - 0x1p-40);
}

static int ask(const sqi_sign* sign, const double x[3], double reach, double* steady)
{
  const sqi_winding_question question = { sign->accuracy, sign->is_flipped, sign->is_whole, reach };
  return sqi_winding_is_inside(sign->winding, x, &question, steady);
}

static int is_inside_whole(
  const sqi_sign* sign, const double x[3], double reach, sqi_sign_ball* last)
{
  /* The balls around x and the last point hold the segment between them. */
  if (!(last->radius >= 0.0 && gap(x, last->x) < last->radius + reach))
  {
    last->is_inside = ask(sign, x, reach, NULL);
  }
  sqk_set3(x, last->x);
  last->radius = reach;
  return last->is_inside;
}

int sqi_sign_is_inside(const sqi_sign* sign, const double x[3], double reach, int32_t thread)
{
  sqi_sign_memory* m = &sign->memory[thread];
  if (sign->is_whole)
  {
    return is_inside_whole(sign, x, reach, m->ball);
  }
  for (int k = 0; k < SQI_SIGN_BALLS; ++k)
  {
    if (is_in_ball(x, m->ball + k))
    {
      return m->ball[k].is_inside;
    }
  }
  sqi_sign_ball ball = { { x[0], x[1], x[2] }, -1.0, 0 };
  ball.is_inside = ask(sign, x, reach, &ball.radius);
  m->ball[m->next] = ball;
  m->next = (m->next + 1) % SQI_SIGN_BALLS;
  return ball.is_inside;
}

double sqi_sign_winding_number(const sqi_sign* sign, const double x[3])
{
  double w = sqi_winding_number(sign->winding, x, sign->accuracy, NULL);
  return sign->is_flipped ? 0.0 - w : w;
}
