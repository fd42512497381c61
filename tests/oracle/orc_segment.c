#include "orc_segment.h"

#include <math.h>

/** Farther inside a triangle than this, relative to its size, is inside in exact numbers. */
#define SURELY_INSIDE 1e-17L
/** Flatter to the plane than this (sine), where the segment crosses it is not known well. */
#define GRAZING 1e-6L
/** Triangles of a smaller height, relative to their longest edge, have no plane that long double knows. */
#define NEEDLE 1e-7L
/** How well a golden section knows where a distance is least. */
#define FLAT_MINIMUM 1e-7L

typedef struct vec
{
  orc_real v[3];
} vec;

static vec of(const double x[3])
{
  vec r = { { x[0], x[1], x[2] } };
  return r;
}

static vec minus(vec a, vec b)
{
  vec r = { { a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2] } };
  return r;
}

static vec plus(vec a, orc_real t, vec b)
{
  vec r = { { a.v[0] + t * b.v[0], a.v[1] + t * b.v[1], a.v[2] + t * b.v[2] } };
  return r;
}

static orc_real times(vec a, vec b)
{
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static orc_real norm(vec a)
{
  return sqrtl(times(a, a));
}

static vec cross(vec a, vec b)
{
  vec r = { { a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
    a.v[0] * b.v[1] - a.v[1] * b.v[0] } };
  return r;
}

orc_meeting orc_no_meeting(void)
{
  orc_meeting m = { 0, 0, HUGE_VALL, HUGE_VALL, 0.0L };
  return m;
}

void orc_add_meeting(orc_meeting* whole, const orc_meeting* part)
{
  whole->sure |= part->sure;
  whole->maybe |= part->maybe;
  whole->first = part->first < whole->first ? part->first : whole->first;
  whole->earliest = part->earliest < whole->earliest ? part->earliest : whole->earliest;
  whole->slack = part->slack > whole->slack ? part->slack : whole->slack;
}

static orc_meeting meeting_at(orc_real t, int sure, orc_real slack)
{
  orc_meeting m = { sure, 1, sure ? t : HUGE_VALL, t, slack };
  return m;
}

static orc_real clamp(orc_real t)
{
  return t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
}

/** Parameter of the point of p + t d nearest to x. */
static orc_real foot(vec p, vec d, vec x)
{
  orc_real d2 = times(d, d);
  return d2 > 0.0L ? clamp(times(minus(x, p), d) / d2) : 0.0L;
}

/** Distance of x from the segment p + u e. */
static orc_real gap_to(vec x, vec p, vec e)
{
  return norm(minus(x, plus(p, foot(p, e, x), e)));
}

/** The distance from p + u e is convex along the segment: golden section finds where it is least. */
static orc_real nearest_parameter(vec a, vec d, vec p, vec e)
{
  const orc_real ratio = 0.61803398874989484820458683436563811772L;
  orc_real lo = 0.0L;
  orc_real hi = 1.0L;
  for (int i = 0; i < 110; ++i)
  {
    orc_real s = hi - ratio * (hi - lo);
    orc_real t = lo + ratio * (hi - lo);
    if (gap_to(plus(a, s, d), p, e) <= gap_to(plus(a, t, d), p, e))
    {
      hi = t;
    }
    else
    {
      lo = s;
    }
  }
  /* The ends are known exactly. */
  orc_real best = gap_to(a, p, e) <= gap_to(plus(a, lo, d), p, e) ? 0.0L : lo;
  return gap_to(plus(a, 1.0L, d), p, e) < gap_to(plus(a, best, d), p, e) ? 1.0L : best;
}

orc_meeting orc_segment_segment(const double a[3], const double b[3], const double p[3],
  const double q[3], double tolerance, double unsure)
{
  vec from = of(a);
  vec d = minus(of(b), from);
  vec at = of(p);
  vec e = minus(of(q), at);
  orc_real t = nearest_parameter(from, d, at, e);
  orc_real gap = gap_to(plus(from, t, d), at, e);
  if (gap > (orc_real)tolerance + (orc_real)unsure)
  {
    return orc_no_meeting();
  }
  /* Where it is nearest may be a stretch; t is then any of it, and the first may be as early as 0. */
  orc_meeting m =
    meeting_at(t, gap < (orc_real)tolerance - (orc_real)unsure || gap == 0.0L, FLAT_MINIMUM);
  orc_real speed = norm(cross(d, e));
  m.earliest = speed <= 1e-9L * norm(d) * norm(e) ? 0.0L : t;
  return m;
}

/** How far inside of the triangle (in its plane) x lies; negative: outside, and then the distance from it. */
static orc_real depth_in(vec x, const vec p[3], vec unit)
{
  orc_real depth = HUGE_VALL;
  for (int k = 0; k < 3; ++k)
  {
    vec e = minus(p[(k + 1) % 3], p[k]);
    vec inward = cross(unit, e);
    depth = fminl(depth, times(minus(x, p[k]), inward) / norm(e));
  }
  if (depth >= 0.0L)
  {
    return depth;
  }
  orc_real away = HUGE_VALL;
  for (int k = 0; k < 3; ++k)
  {
    away = fminl(away, gap_to(x, p[k], minus(p[(k + 1) % 3], p[k])));
  }
  return -away;
}

static orc_meeting in_the_plane(const double a[3], const double b[3], const double* const p[3],
  orc_real depth_of_a, double tolerance, double unsure, int exactly)
{
  orc_meeting m = orc_no_meeting();
  for (int k = 0; k < 3; ++k)
  {
    orc_meeting edge = orc_segment_segment(a, b, p[k], p[(k + 1) % 3], tolerance, unsure);
    orc_add_meeting(&m, &edge);
  }
  if (depth_of_a > -(orc_real)tolerance - (orc_real)unsure)
  {
    orc_meeting start = meeting_at(0.0L, depth_of_a > (orc_real)unsure - (orc_real)tolerance, 0.0L);
    orc_add_meeting(&m, &start);
  }
  if (!exactly)
  {
    m.sure = 0;
    m.first = HUGE_VALL;
    m.earliest = m.maybe ? 0.0L : m.earliest;
  }
  return m;
}

orc_meeting orc_segment_triangle(const double a[3], const double b[3], const double p[3],
  const double q[3], const double r[3], double tolerance, double unsure)
{
  const double* corner[3] = { p, q, r };
  const vec at[3] = { of(p), of(q), of(r) };
  vec from = of(a);
  vec d = minus(of(b), from);
  vec u = minus(at[1], at[0]);
  vec v = minus(at[2], at[0]);
  vec n = cross(u, v);
  orc_real area = norm(n);
  orc_real rounding = (orc_real)unsure;
  orc_real longest = sqrtl(fmaxl(fmaxl(times(u, u), times(v, v)), times(minus(u, v), minus(u, v))));
  if (area <= NEEDLE * longest * longest)
  {
    /* A needle's plane is not known here: no more than "maybe", unless it is a segment to the last bit. */
    double width = longest > 0.0L ? (double)(area / longest) : 0.0;
    return in_the_plane(a, b, corner, -HUGE_VALL, tolerance, unsure + width, area == 0.0L);
  }
  for (int k = 0; k < 3; ++k)
  {
    n.v[k] /= area;
  }
  orc_real ha = times(minus(from, at[0]), n);
  orc_real hb = times(minus(of(b), at[0]), n);
  if (fabsl(ha) <= rounding && fabsl(hb) <= rounding)
  {
    return in_the_plane(
      a, b, corner, depth_in(from, at, n), tolerance, unsure, ha == 0.0L && hb == 0.0L);
  }
  int apart = (ha > 0.0L && hb > 0.0L) || (ha < 0.0L && hb < 0.0L);
  orc_real least = fminl(fabsl(ha), fabsl(hb));
  if (apart && least > rounding)
  {
    return orc_no_meeting();
  }
  orc_real t = apart ? (fabsl(ha) < fabsl(hb) ? 0.0L : 1.0L) : ha / (ha - hb);
  orc_real depth = depth_in(plus(from, t, d), at, n);
  int grazing = fabsl(ha - hb) < GRAZING * norm(d);
  if (depth < -(orc_real)tolerance - rounding * (grazing ? 1e6L : 1.0L))
  {
    return orc_no_meeting();
  }
  int in = depth > SURELY_INSIDE * (norm(u) + norm(v)) || depth > rounding - (orc_real)tolerance;
  orc_meeting m = meeting_at(
    t, in && !grazing && !apart && least > SURELY_INSIDE * area, rounding / fabsl(ha - hb));
  m.earliest = grazing ? 0.0L : t;
  return m;
}
