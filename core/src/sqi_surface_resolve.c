#include "sqi_surface.h"
#include "sqk_closest_exact.h"

/**
 * Which feature holds the closest point is decided by distances that are off by some units in the last place of the coordinates.
 * That does not matter but in two places: where the distance itself is no more than that, and at edges and tips so sharp that the
 * pseudonormal is nearly perpendicular to the way to the query. There the triangles around are measured again
 * in double-double, relative to the query.
 */

/** A distance within so many units in the last place of the coordinates is doubtful. */
#define DOUBTFUL_ULPS 64.0
/** So is a pseudonormal with a smaller cosine to the way to the query, and with one of so many times sqrt(rounding / distance). */
#define DOUBTFUL_COSINE 0x1p-10
#define DOUBTFUL_ANGLES 8.0
/** And a closest point within the surface with a smaller weight, near an edge. */
#define DOUBTFUL_WEIGHT 0x1p-20
/** More triangles around one point are not looked at. */
#define MOST 64

static double rounding_of(const double x[3], const sqi_hit* hit)
{
  return 0x1p-52 * fmax(sqk_largest3(x), sqk_largest3(hit->point));
}

int sqi_surface_is_doubtful(const double x[3], const sqi_hit* hit, const sqi_side* side)
{
  double rounding = rounding_of(x, hit);
  if (hit->distance <= DOUBTFUL_ULPS * rounding)
  {
    const double* w = hit->barycentric;
    return hit->feature != SQI_FEATURE_FACE || w[0] < DOUBTFUL_WEIGHT || w[1] < DOUBTFUL_WEIGHT ||
      w[2] < DOUBTFUL_WEIGHT;
  }
  if (hit->feature == SQI_FEATURE_FACE)
  {
    return 0;
  }
  /* An error e of the distance d turns the way to the closest point on a smooth surface by sqrt(2 e / d). */
  double cosine = DOUBTFUL_COSINE + DOUBTFUL_ANGLES * sqrt(rounding / hit->distance);
  return side->is_impossible ||
    side->side * side->side < cosine * cosine * sqk_dot3(side->normal, side->normal) *
      sqk_dot3(side->direction, side->direction);
}

typedef struct neighbours
{
  int32_t triangles[MOST];
  int count;
} neighbours;

static void add(neighbours* n, int32_t t)
{
  for (int i = 0; i < n->count; ++i)
  {
    if (n->triangles[i] == t)
    {
      return;
    }
  }
  if (n->count < MOST)
  {
    n->triangles[n->count++] = t;
  }
}

static double distance_to_segment2(
  const double p[3], const double a[3], const double b[3], double unit)
{
  double e[3], r[3];
  for (int k = 0; k < 3; ++k)
  {
    e[k] = unit * b[k] - unit * a[k];
    r[k] = unit * p[k] - unit * a[k];
  }
  double length2 = sqk_dot3(e, e);
  double t = length2 > 0.0 ? sqk_dot3(r, e) / length2 : 0.0;
  sqk_madd3(r, -fmin(fmax(t, 0.0), 1.0), e, r);
  return sqk_dot3(r, r);
}

/** The triangles across edges that pass the closest point within `radius`, and so on from these. */
static void gather(
  const sq_surface* s, const sqi_hit* hit, double unit, double radius, neighbours* n)
{
  n->count = 0;
  add(n, hit->triangle);
  for (int i = 0; i < n->count; ++i)
  {
    int32_t t = n->triangles[i];
    for (int k = 0; k < 3; ++k)
    {
      int32_t other = s->edges.across[3 * (int64_t)t + k];
      if (other >= 0 &&
        distance_to_segment2(hit->point, sqi_surface_corner(s, t, k),
          sqi_surface_corner(s, t, (k + 1) % 3), unit) <= radius * radius)
      {
        add(n, other);
      }
    }
  }
}

static void set_hit(const sq_surface* s, int32_t t, const sqk_exact_closest* c, sqi_hit* hit)
{
  hit->triangle = t;
  hit->feature = c->feature;
  for (int d = 0; d < 3; ++d)
  {
    hit->barycentric[d] = c->weight[d];
    hit->point[d] = 0.0;
  }
  for (int k = 0; k < 3; ++k)
  {
    sqk_madd3(hit->point, c->weight[k], sqi_surface_corner(s, t, k), hit->point);
  }
}

int sqi_surface_resolve(const sq_surface* s, const double x[3], const sqi_hit* hit, sqi_hit* better)
{
  /* And moves the closest point by sqrt(2 d e). */
  double rounding = DOUBTFUL_ULPS * rounding_of(x, hit);
  double radius = s->unit * (rounding + sqrt(hit->distance) * sqrt(rounding));
  neighbours n;
  gather(s, hit, s->unit, radius, &n);
  int32_t best = -1;
  sqk_exact_closest closest, found;
  closest.distance2 = (double)INFINITY;
  for (int i = 0; i < n.count; ++i)
  {
    int32_t t = n.triangles[i];
    sqk_closest_exactly(x, sqi_surface_corner(s, t, 0), sqi_surface_corner(s, t, 1),
      sqi_surface_corner(s, t, 2), s->unit, &found);
    if (found.distance2 < closest.distance2)
    {
      closest = found;
      best = t;
    }
  }
  if (best < 0 || (best == hit->triangle && closest.feature == hit->feature))
  {
    return 0;
  }
  *better = *hit;
  set_hit(s, best, &closest, better);
  return 1;
}
