#include "orc_geometry.h"

#include <math.h>

static void subtract(const double a[3], const double b[3], orc_real out[3])
{
  for (int k = 0; k < 3; ++k)
  {
    out[k] = (orc_real)a[k] - (orc_real)b[k];
  }
}

static orc_real dot(const orc_real a[3], const orc_real b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static orc_real length(const orc_real a[3])
{
  return sqrtl(dot(a, a));
}

/** Removes from v its part along the unit vector u, twice, so that what is left is orthogonal to the last bit. */
static void orthogonalise(orc_real v[3], const orc_real u[3])
{
  for (int pass = 0; pass < 2; ++pass)
  {
    orc_real along = dot(v, u);
    for (int k = 0; k < 3; ++k)
    {
      v[k] -= along * u[k];
    }
  }
}

orc_closest orc_closest_on_segment(const double a[3], const double b[3], const double x[3])
{
  orc_closest c;
  orc_real u[3];
  orc_real w[3];
  subtract(b, a, u);
  subtract(x, a, w);
  orc_real n = length(u);
  orc_real t = n > 0.0L ? dot(u, w) / n / n : 0.0L;
  t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
  const double* from = t > 0.5L ? b : a; /* the nearer end, for a small difference */
  orc_real s = t > 0.5L ? t - 1.0L : t;
  subtract(x, from, w);
  for (int k = 0; k < 3; ++k)
  {
    w[k] -= s * u[k];
    c.point[k] = (orc_real)from[k] + s * u[k];
  }
  c.distance = length(w);
  return c;
}

/**
 * The foot of the perpendicular where it lies inside the triangle. The plane is spanned by the longest edge and the
 * part of the other edge orthogonal to it (Gram-Schmidt), so a needle's plane is tilted about its own axis only,
 * which moves no point of the needle by more than its width times the rounding.
 */
static int foot_inside(
  const double a[3], const double b[3], const double c[3], const double x[3], orc_closest* closest)
{
  orc_real u[3];
  orc_real v[3];
  orc_real w[3];
  subtract(b, a, u);
  subtract(c, a, v);
  subtract(x, a, w);
  orc_real base = length(u);
  if (!(base > 0.0L))
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    u[k] /= base;
  }
  orc_real apex = dot(v, u);
  orthogonalise(v, u);
  orc_real height = length(v);
  if (!(height > 0.0L))
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    v[k] /= height;
  }
  orc_real s = dot(w, u);
  orc_real t = dot(w, v);
  orc_real left = apex * (t / height);
  orc_real right = base + (apex - base) * (t / height);
  if (t < 0.0L || t > height || s < left || s > right)
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    orc_real in_plane = s * u[k] + t * v[k];
    closest->point[k] = (orc_real)a[k] + in_plane;
    w[k] -= in_plane;
  }
  closest->distance = length(w);
  return 1;
}

static orc_real edge_length(const double a[3], const double b[3])
{
  orc_real u[3];
  subtract(b, a, u);
  return length(u);
}

orc_closest orc_closest_on_triangle(
  const double a[3], const double b[3], const double c[3], const double x[3])
{
  orc_closest best = orc_closest_on_segment(a, b, x);
  orc_closest other[2] = { orc_closest_on_segment(b, c, x), orc_closest_on_segment(c, a, x) };
  for (int i = 0; i < 2; ++i)
  {
    if (other[i].distance < best.distance)
    {
      best = other[i];
    }
  }
  orc_real ab = edge_length(a, b);
  orc_real bc = edge_length(b, c);
  orc_real ca = edge_length(c, a);
  orc_closest foot;
  int inside = ab >= bc && ab >= ca ? foot_inside(a, b, c, x, &foot)
    : bc >= ca                      ? foot_inside(b, c, a, x, &foot)
                                    : foot_inside(c, a, b, x, &foot);
  return inside && foot.distance < best.distance ? foot : best;
}

/* The solid angle of a needle seen along its length from close by is a ratio of two numbers of which long double keeps
 * no digit: 113 bits do. Where there is no such type long double has them itself (aarch64). */
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

/** One Newton step doubles the 64 bits of the start. */
static quad quad_root(quad x)
{
  quad r = (quad)sqrtl((long double)x);
  return r > 0 ? (r + x / r) / 2 : r;
}

static quad quad_dot(const quad a[3], const quad b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void exact_ratio(const double corners[3][3], const double x[3], orc_real* det, orc_real* den)
{
  quad v[3][3];
  for (int i = 0; i < 9; ++i)
  {
    v[i / 3][i % 3] = (quad)corners[i / 3][i % 3] - (quad)x[i % 3];
  }
  const quad* p = v[0];
  const quad* q = v[1];
  const quad* r = v[2];
  quad lp = quad_root(quad_dot(p, p));
  quad lq = quad_root(quad_dot(q, q));
  quad lr = quad_root(quad_dot(r, r));
  quad top = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
    p[2] * (q[0] * r[1] - q[1] * r[0]);
  quad bottom = lp * lq * lr + quad_dot(p, q) * lr + quad_dot(q, r) * lp + quad_dot(r, p) * lq;
  *det = (orc_real)top;
  *den = (orc_real)bottom;
}

/* Van Oosterom and Strackee, "The solid angle of a plane triangle", IEEE Trans. Biomed. Eng. 30(2), 1983. */
orc_real orc_winding_of_triangle(
  const double a[3], const double b[3], const double c[3], const double x[3])
{
  orc_real p[3];
  orc_real q[3];
  orc_real r[3];
  subtract(a, x, p);
  subtract(b, x, q);
  subtract(c, x, r);
  orc_real det = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
    p[2] * (q[0] * r[1] - q[1] * r[0]);
  orc_real lp = length(p);
  orc_real lq = length(q);
  orc_real lr = length(r);
  orc_real den = lp * lq * lr + dot(p, q) * lr + dot(q, r) * lp + dot(r, p) * lq;
  if (fabsl(den) + fabsl(det) < 1e-6L * lp * lq * lr)
  {
    const double corners[3][3] = { { a[0], a[1], a[2] }, { b[0], b[1], b[2] },
      { c[0], c[1], c[2] } };
    exact_ratio(corners, x, &det, &den);
  }
  if (!(fabsl(det) > 0.0L))
  {
    return 0.0L;
  }
  static const orc_real two_pi = 6.283185307179586476925286766559L;
  return atan2l(det, den) / two_pi;
}

double orc_four_ulp(double scene_size)
{
  int exponent;
  (void)frexp(scene_size, &exponent);
  return ldexp(4.0, exponent - 53);
}

double orc_largest(const double* points, int64_t count)
{
  double largest = 0.0;
  for (int64_t i = 0; i < 3 * count; ++i)
  {
    double a = fabs(points[i]);
    largest = a > largest ? a : largest;
  }
  return largest;
}
