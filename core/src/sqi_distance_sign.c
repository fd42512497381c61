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
static sq_status find_left_out(sq_context* context, area_work* w)
{
  int64_t count = w->surface->triangle_count;
  sq_status s = SQI_NEW(context, &w->left_out, count);
  return s == SQ_OK ? sqi_parallel_for(context, count, 1 << 13, leave_out, w) : s;
}

/** With more rim edges than one in so many triangles, the rim is near everywhere and tells nothing. */
#define TRIANGLES_A_RIM_EDGE 8

/** Corners welded within a tolerance leave slits, whose rims cancel for the topology only. */
static int may_have_rim(const sq_surface* s)
{
  return !s->weld && !s->is_whole;
}

static sq_status build_winding(sq_context* context, const sq_surface* s, sqi_winding** winding)
{
  int64_t count = s->triangle_count, edges = 0;
  area_work w = { s, NULL };
  double* rim = NULL;
  sq_status status = s->flat_count ? find_left_out(context, &w) : SQ_OK;
  if (status == SQ_OK && may_have_rim(s))
  {
    status = SQI_NEW(context, &rim, count);
    status = status == SQ_OK ? sqi_surface_find_rim(context, s, w.left_out, rim, &edges) : status;
  }
  int is_rim_known = rim && edges * TRIANGLES_A_RIM_EDGE <= count;
  const sqi_winding_surface all = { s->vertices, s->corners, s->triangle_count, s->index,
    w.left_out, is_rim_known ? rim : NULL };
  status = status == SQ_OK ? sqi_winding_build(context, &all, winding) : status;
  SQI_FREE(context, rim, count);
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
    sign->memory[t].newest = 0;
    for (int k = 0; k < SQI_SIGN_BALLS; ++k)
    {
      sign->memory[t].ball[k].radius = -1.0;
    }
  }
  /* The surface changes for no one who looks: its winding number appears, once. */
  s = s == SQ_OK ? prepare_winding(context, (sq_surface*)surface, &sign->winding) : s;
  sign->is_joined = s == SQ_OK && (sign->is_whole || sqi_winding_has_rim(sign->winding));
  return s;
}

void sqi_sign_close(sq_context* context, sqi_sign* sign)
{
  SQI_FREE(context, sign->memory, sign->thread_count);
  sign->memory = NULL;
}

static double gap(const double x[3], const double y[3])
{
  double d[3];
  sqk_sub3(x, y, d);
  double slack = REACH_ULPS * 0x1p-52 * fmax(sqk_largest3(x), sqk_largest3(y));
  return sqk_length3(d) + slack;
}

/** Squares that overflow or vanish say no. */
static int is_in_ball(const double x[3], const double centre[3], double radius)
{
  double d[3];
  sqk_sub3(x, centre, d);
  return radius > 0.0 && sqk_dot3(d, d) < radius * radius * (1.0 - 0x1p-40);
}

static int ask(const sqi_sign* sign, const double x[3], double reach, double* steady)
{
  const sqi_winding_question question = { sign->accuracy, sign->is_flipped, sign->is_whole, reach };
  return sqi_winding_is_inside(sign->winding, x, &question, steady);
}

/** Whether x is on the side of the ball. */
static int is_settled(
  const sqi_sign* sign, const double x[3], double reach, const sqi_sign_ball* ball)
{
  if (ball->radius < 0.0 || (!sign->is_whole && !is_in_ball(x, ball->centre, ball->steady)))
  {
    return 0;
  }
  /* The balls around x and the other point hold the segment between them. */
  return !sign->is_joined || gap(x, ball->x) < ball->radius + reach;
}

/** The newest ball of those that know the side of x, or NULL. */
static sqi_sign_ball* find_ball(
  const sqi_sign* sign, const double x[3], double reach, sqi_sign_memory* m)
{
  for (int k = 0; k < SQI_SIGN_BALLS; ++k)
  {
    sqi_sign_ball* ball = m->ball + (m->newest + SQI_SIGN_BALLS - k) % SQI_SIGN_BALLS;
    if (is_settled(sign, x, reach, ball))
    {
      return ball;
    }
  }
  return NULL;
}

int sqi_sign_is_inside(const sqi_sign* sign, const double x[3], double reach, int32_t thread)
{
  sqi_sign_memory* m = &sign->memory[thread];
  sqi_sign_ball* found = find_ball(sign, x, reach, m);
  if (found && !sign->is_joined)
  {
    return found->is_inside;
  }
  sqi_sign_ball ball = { { x[0], x[1], x[2] }, reach, { x[0], x[1], x[2] }, 0.0, 0 };
  if (found)
  {
    ball.steady = found->steady;
    ball.is_inside = found->is_inside;
    sqk_set3(found->centre, ball.centre);
  }
  else
  {
    ball.is_inside = ask(sign, x, reach, sign->is_whole ? NULL : &ball.steady);
  }
  m->newest = (m->newest + 1) % SQI_SIGN_BALLS;
  m->ball[m->newest] = ball;
  return ball.is_inside;
}

double sqi_sign_winding_number(const sqi_sign* sign, const double x[3])
{
  double w = sqi_winding_number(sign->winding, x, sign->accuracy, NULL);
  return sign->is_flipped ? 0.0 - w : w;
}
