#include "sqi_surface.h"

/** Closer than this fraction of the distance to the corner, the distance to an edge takes twice the digits. */
#define GRAZING 0x1p-20

/** Queries farther than so many radii are drawn nearer for their side, to about 2^NEAR_EXPONENT radii. */
#define FAR_AWAY 0x1p10
#define NEAR_EXPONENT 4

/** A unit in which neither the way to the query nor the triangle leaves the range of double. */
static double unit_for(const sq_surface* s, const double x[3], const sqi_hit* hit)
{
  if (s->unit == 1.0 && sqk_largest3(x) < SQK_LENGTH_MAX && hit->distance > SQK_LENGTH_MIN)
  {
    return 1.0;
  }
  double m = 0.0;
  const double* a = sqi_surface_corner(s, hit->triangle, 0);
  for (int k = 1; k < 3; ++k)
  {
    const double* b = sqi_surface_corner(s, hit->triangle, k);
    for (int d = 0; d < 3; ++d)
    {
      m = fmax(m, fmax(fabs(0.5 * b[d] - 0.5 * a[d]), fabs(0.5 * x[d] - 0.5 * a[d])));
    }
  }
  if ((m >= SQK_LENGTH_MIN && m <= SQK_LENGTH_MAX) || !(m > 0.0))
  {
    return 1.0;
  }
  return ldexp(1.0, m < 0x1p-1000 ? 1000 : -ilogb(m));
}

static void add_plane(const sqk_plane* p, sqi_side* side)
{
  side->side += p->offset;
  sqk_madd3(side->normal, 1.0, p->normal, side->normal);
}

/** A convex edge is closest only from outside, a reflex one only from inside. `e` runs along the edge in triangle p. */
static int is_impossible(const sqk_plane* p, const sqk_plane* q, const double e[3], double side)
{
  double turn[3];
  sqk_cross3(p->normal, q->normal, turn);
  return sqk_dot3(turn, e) * side < 0.0;
}

static void side_of_face(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* out)
{
  sqk_plane p;
  sqi_surface_plane(s, hit->triangle, out->unit, sqi_surface_corner(s, hit->triangle, 0), x, &p);
  out->side = p.offset;
  sqk_set3(p.normal, out->normal);
  for (int d = 0; d < 3; ++d)
  {
    out->direction[d] = p.offset * p.normal[d];
  }
  out->distance = p.is_exact ? fabs(p.offset) / out->unit : -1.0;
}

/** The part of the way from a to x across the edge from a to b, with twice the digits. */
static void across_exactly(
  const double a[3], const double b[3], const double x[3], double unit, double out[3])
{
  sqk_dd3 r = sqk_between(a, x, unit), e = sqk_between(a, b, unit);
  double rh[3];
  sqk_to_range(&e);
  sqk_leading3(&r, rh);
  sqk_dd t = sqk_dd_div(sqk_dd3_dot(&r, &e), sqk_dd3_dot(&e, &e));
  sqk_dd3 exact = sqk_dd3_madd(&r, sqk_dd_negate(t), &e);
  sqk_leading3(&exact, out);
  if (sqrt(sqk_dot3(out, out)) <= SQK_DETERMINANT_ZERO * sqrt(sqk_dot3(rh, rh)))
  {
    out[0] = out[1] = out[2] = 0.0;
  }
}

/** The same, and whether it took twice the digits. */
static int across(
  const double a[3], const double b[3], const double x[3], double unit, double out[3])
{
  double r[3], e[3];
  sqk_scaled_difference(x, a, unit, r);
  sqk_scaled_difference(b, a, unit, e);
  double length2 = sqk_dot3(e, e);
  if (length2 > SQK_LENGTH_MIN && length2 < SQK_LENGTH_MAX)
  {
    sqk_madd3(r, -sqk_dot3(r, e) / length2, e, out);
    if (sqk_dot3(out, out) >= GRAZING * GRAZING * sqk_dot3(r, r))
    {
      return 0;
    }
  }
  across_exactly(a, b, x, unit, out);
  return 1;
}

/** The sum over all users of the edge, in the way the edge asks for. */
static void add_planes(
  const sq_surface* s, const double x[3], const sqi_hit* hit, int k, sqi_side* out)
{
  const double *a = sqi_surface_corner(s, hit->triangle, k),
               *b = sqi_surface_corner(s, hit->triangle, (k + 1) % 3);
  int32_t other = s->edges.across[3 * (int64_t)hit->triangle + k];
  sqk_plane mine, others;
  if (other >= SQI_EDGE_BOUNDARY)
  {
    sqi_surface_plane(s, hit->triangle, out->unit, a, x, &mine);
    add_plane(&mine, out);
    if (other >= 0)
    {
      double e[3];
      sqi_surface_plane(s, other, out->unit, a, x, &others);
      add_plane(&others, out);
      sqk_scaled_difference(b, a, out->unit, e);
      out->is_impossible = is_impossible(&mine, &others, e, out->side);
    }
  }
  else if (!s->flat_count)
  {
    int64_t joint = SQI_EDGE_JOINT(other);
    for (int64_t i = s->edges.start[joint]; i < s->edges.start[joint + 1]; ++i)
    {
      sqi_surface_plane(s, s->edges.members[i], out->unit, a, x, &others);
      add_plane(&others, out);
    }
  }
  else
  {
    sqi_surface_side_at_flats(s, x, hit, out);
  }
}

static void side_of_edge(
  const sq_surface* s, const double x[3], const sqi_hit* hit, int k, sqi_side* out)
{
  const double *a = sqi_surface_corner(s, hit->triangle, k),
               *b = sqi_surface_corner(s, hit->triangle, (k + 1) % 3);
  if (across(a, b, x, out->unit, out->direction))
  {
    out->distance = sqrt(sqk_dot3(out->direction, out->direction)) / out->unit;
  }
  add_planes(s, x, hit, k, out);
}

static void side_of_corner(
  const sq_surface* s, const double x[3], const sqi_hit* hit, int k, sqi_side* out)
{
  sqk_scaled_difference(x, sqi_surface_corner(s, hit->triangle, k), out->unit, out->direction);
  int32_t v = sqi_surface_weld(s, s->corners[3 * (int64_t)hit->triangle + k]);
  if (s->flat_count && sqi_surface_find_hinge(s, v) >= 0)
  {
    sqi_surface_side_at_flats(s, x, hit, out);
    return;
  }
  sqi_surface_vertex_normal(s, v, out->normal);
  out->side = sqk_dot3(out->normal, out->direction);
}

static void side_of_hit(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* out)
{
  out->unit = unit_for(s, x, hit);
  out->side = 0.0;
  out->distance = -1.0;
  out->is_impossible = 0;
  for (int d = 0; d < 3; ++d)
  {
    out->normal[d] = 0.0;
    out->direction[d] = out->unit * x[d] - out->unit * hit->point[d];
  }
  if (s->flat_count && sqi_surface_is_flat(s, hit->triangle))
  {
    sqi_surface_side_at_flats(s, x, hit, out);
  }
  else if (hit->feature == SQI_FEATURE_FACE)
  {
    side_of_face(s, x, hit, out);
  }
  else if (hit->feature >= SQI_FEATURE_EDGE_01)
  {
    side_of_edge(s, x, hit, hit->feature - SQI_FEATURE_EDGE_01, out);
  }
  else
  {
    side_of_corner(s, x, hit, hit->feature, out);
  }
}

/**
 * From very far, features that are not the closest ones tie with these. What counts is the direction, and the segment to a
 * point nearer in the same direction does not meet the surface, so that the point is on the same side.
 */
static int draw_near(const sq_surface* s, const double x[3], const sqi_hit* hit, double nearer[3])
{
  if (!(s->radius > 0.0) || !(hit->distance / FAR_AWAY > s->radius))
  {
    return 0;
  }
  int exponent = isfinite(hit->distance) ? ilogb(hit->distance) : 1024;
  int shift = exponent - ilogb(s->radius) - NEAR_EXPONENT;
  for (int d = 0; d < 3; ++d)
  {
    nearer[d] = s->centre[d] + ldexp(0.5 * x[d] - 0.5 * s->centre[d], 1 - shift);
  }
  return 1;
}

void sqi_surface_side(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* out)
{
  double nearer[3];
  sqi_hit other;
  if (draw_near(s, x, hit, nearer))
  {
    sqi_triangle_index_closest(s->index, nearer, (double)INFINITY, &other);
    side_of_hit(s, nearer, &other, out);
    out->distance = -1.0;
    return;
  }
  side_of_hit(s, x, hit, out);
  if (sqi_surface_is_doubtful(x, hit, out) && sqi_surface_resolve(s, x, hit, &other))
  {
    side_of_hit(s, x, &other, out);
  }
}
