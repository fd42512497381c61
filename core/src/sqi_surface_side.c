#include "sqi_surface.h"

/** Closer than this fraction of the distance to the corner, the distance to an edge takes twice the digits. */
#define GRAZING 0x1p-20

/** A unit that also keeps queries far outside the scene in range. */
static double unit_for(const sq_surface* s, const double x[3])
{
  double m = sqk_largest3(x);
  return m * s->unit > SQK_LENGTH_MAX ? ldexp(1.0, -ilogb(m)) : s->unit;
}

sqk_plane sqi_surface_plane(const sq_surface* s, int32_t t, const sqk_dd3* from_base)
{
  const double* a = sqi_surface_corner(s, t, 0);
  return sqk_plane_of(sqk_between(a, sqi_surface_corner(s, t, 1), s->unit),
    sqk_between(a, sqi_surface_corner(s, t, 2), s->unit), from_base);
}

static void add_plane(const sq_surface* s, int32_t t, const sqk_dd3* from_base, sqi_side* side)
{
  sqk_plane p = sqi_surface_plane(s, t, from_base);
  side->side += p.offset;
  sqk_madd3(side->normal, 1.0, p.normal, side->normal);
}

static void side_of_face(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* out)
{
  sqk_dd3 r = sqk_between(sqi_surface_corner(s, hit->triangle, 0), x, out->unit);
  sqk_plane p = sqi_surface_plane(s, hit->triangle, &r);
  out->side = p.offset;
  sqk_set3(p.normal, out->normal);
  for (int d = 0; d < 3; ++d)
  {
    out->direction[d] = p.offset * p.normal[d];
  }
  out->distance = p.is_exact ? fabs(p.offset) / out->unit : -1.0;
}

/** The part of r across the edge e. */
static void across(const sqk_dd3* r, const sqk_dd3* e, double out[3])
{
  double rh[3], eh[3];
  sqk_leading3(r, rh);
  sqk_leading3(e, eh);
  double along = sqk_dot3(rh, eh) / sqk_dot3(eh, eh);
  sqk_madd3(rh, -along, eh, out);
  if (sqk_dot3(out, out) < GRAZING * GRAZING * sqk_dot3(rh, rh))
  {
    sqk_dd t = sqk_dd_div(sqk_dd3_dot(r, e), sqk_dd3_dot(e, e));
    sqk_dd3 exact = sqk_dd3_madd(r, sqk_dd_negate(t), e);
    sqk_leading3(&exact, out);
  }
}

static void side_of_edge(
  const sq_surface* s, const double x[3], const sqi_hit* hit, int k, sqi_side* out)
{
  const double* a = sqi_surface_corner(s, hit->triangle, k);
  sqk_dd3 r = sqk_between(a, x, out->unit);
  sqk_dd3 e = sqk_between(a, sqi_surface_corner(s, hit->triangle, (k + 1) % 3), s->unit);
  sqk_to_range(&e);
  across(&r, &e, out->direction);
  int32_t other = s->edges.across[3 * (int64_t)hit->triangle + k];
  if (other > SQI_EDGE_BOUNDARY)
  {
    add_plane(s, hit->triangle, &r, out);
    add_plane(s, other, &r, out);
  }
  else if (other == SQI_EDGE_BOUNDARY)
  {
    add_plane(s, hit->triangle, &r, out);
  }
  else if (!s->flat_count)
  {
    int64_t joint = SQI_EDGE_JOINT(other);
    for (int64_t i = s->edges.start[joint]; i < s->edges.start[joint + 1]; ++i)
    {
      add_plane(s, s->edges.members[i], &r, out);
    }
  }
  else
  {
    sqi_surface_side_at_flats(s, x, hit, out);
  }
}

static void side_of_corner(
  const sq_surface* s, const double x[3], const sqi_hit* hit, int k, sqi_side* out)
{
  sqk_dd3 r = sqk_between(sqi_surface_corner(s, hit->triangle, k), x, out->unit);
  sqk_leading3(&r, out->direction);
  int32_t v = sqi_surface_weld(s, s->corners[3 * (int64_t)hit->triangle + k]);
  if (s->flat_count && sqi_surface_find_hinge(s, v) >= 0)
  {
    sqi_surface_side_at_flats(s, x, hit, out);
    return;
  }
  sqk_set3(s->vertex_normals + 3 * (int64_t)v, out->normal);
  out->side = sqk_dot3(out->normal, out->direction);
}

void sqi_surface_side(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_side* out)
{
  out->unit = unit_for(s, x);
  out->side = 0.0;
  out->distance = -1.0;
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
