#ifndef SQK_CELL_POLYHEDRON_H
#define SQK_CELL_POLYHEDRON_H
/**
 * Polyhedra: their surface is a closed set of triangles over the nodes and over the middles of warped faces.
 *
 * Inside by the crossings of a ray with the surface, or, where it is not closed or the ray comes near an edge, by its solid
 * angle (van Oosterom and Strackee 1983). Weights: mean value coordinates (Ju,
 * Schaefer, Warren, "Mean value coordinates for closed triangular meshes", SIGGRAPH 2005) in the form with the vector
 * m, in which what is lost near a face is a factor common to the three nodes of its triangle; on the surface those of the
 * triangle. At last the smallest change that makes the weights sum to 1 and reproduce the point.
 */
#include "sqk_cell_pieces.h"

/** Nearer than this (coordinates are at most 1) a point is on the surface. */
#define SQK_CELL_ON_SURFACE 1e-14

/** Writes the middles of the warped faces behind the nodes; `q` has room for them. */
SQK_INLINE void sqk_polyhedron_middles(const sqk_cell* cell, double* q)
{
  const int32_t* face = cell->middles;
  for (int m = 0; m < cell->middle_count; ++m)
  {
    double* p = q + 3 * (cell->count + m);
    int n = *face++;
    p[0] = p[1] = p[2] = 0.0;
    for (int i = 0; i < n; ++i)
    {
      const double* a = q + 3 * face[i];
      p[0] += a[0], p[1] += a[1], p[2] += a[2];
    }
    p[0] /= n, p[1] /= n, p[2] /= n;
    face += n;
  }
}

/** Gives the weights of the middles to the nodes that they are the means of. */
SQK_INLINE void sqk_polyhedron_share(const sqk_cell* cell, double* w)
{
  const int32_t* face = cell->middles;
  for (int m = 0; m < cell->middle_count; ++m)
  {
    int n = *face++;
    for (int i = 0; i < n; ++i)
    {
      w[face[i]] += w[cell->count + m] / n;
    }
    face += n;
  }
}

/** Half the solid angle of a triangle seen from the origin. */
SQK_INLINE double sqk_polyhedron_half_angle(const double a[3], const double b[3], const double c[3])
{
  double la = sqrt(sqk_dot3(a, a)), lb = sqrt(sqk_dot3(b, b)), lc = sqrt(sqk_dot3(c, c));
  double y = sqk_det3(a, b, c);
  double x = la * lb * lc + sqk_dot3(a, b) * lc + sqk_dot3(b, c) * la + sqk_dot3(c, a) * lb;
  return x == 0.0 && y == 0.0 ? 0.0 : atan2(y, x);
}

/** Times that the surface winds around the origin. */
SQK_INLINE double sqk_polyhedron_winding(const sqk_cell* cell)
{
  double sum = 0.0;
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    const int32_t* t = cell->triangles + 3 * i;
    sum += sqk_polyhedron_half_angle(cell->q + 3 * t[0], cell->q + 3 * t[1], cell->q + 3 * t[2]);
  }
  return sum * 0.15915494309189533577; /* 1 / (2 pi) */
}

/** Bits of a corner: more than `limit` up or down along x, y, z. */
#define SQK_POLYHEDRON_BEHIND 2u
#define SQK_POLYHEDRON_BESIDE 60u

/**
 * The bits of all corners. Where the corners of a triangle share one, it is farther than `limit` from the origin (Sproull and
 * Sutherland, "A clipping divider", AFIPS 1968).
 */
SQK_INLINE void sqk_polyhedron_codes(const sqk_cell* cell, double limit, unsigned char* code)
{
  for (int i = 0; i < cell->count + cell->middle_count; ++i)
  {
    const double* p = cell->q + 3 * i;
    unsigned bits = 0;
    for (int d = 0; d < 3; ++d)
    {
      bits |= (p[d] > limit ? 1u : 0u) << (2 * d) | (p[d] < -limit ? 1u : 0u) << (2 * d + 1);
    }
    code[i] = (unsigned char)bits;
  }
}

/**
 * Times that a closed surface winds around the origin, by the crossings of the ray along x; 0 and nothing is set where rounding
 * could decide. The solid angle of such a surface is this whole number of times that of the sphere.
 */
SQK_INLINE int sqk_polyhedron_crossings(
  const sqk_cell* cell, const unsigned char* code, int* winding)
{
  /* Coordinates are at most 1. */
  const double edge_noise = 4.0 * SQK_CELL_EPSILON, noise = 32.0 * SQK_CELL_EPSILON;
  int sum = 0;
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    const int32_t* t = cell->triangles + 3 * i;
    unsigned shared = code[t[0]] & code[t[1]] & code[t[2]];
    if (shared & (SQK_POLYHEDRON_BEHIND | SQK_POLYHEDRON_BESIDE))
    {
      continue;
    }
    const double *a = cell->q + 3 * t[0], *b = cell->q + 3 * t[1], *c = cell->q + 3 * t[2];
    double ea = b[1] * c[2] - b[2] * c[1];
    double eb = c[1] * a[2] - c[2] * a[1];
    double ec = a[1] * b[2] - a[2] * b[1];
    int up = (ea > edge_noise) + (eb > edge_noise) + (ec > edge_noise);
    int down = (ea < -edge_noise) + (eb < -edge_noise) + (ec < -edge_noise);
    if (up && down)
    {
      continue;
    }
    double det = a[0] * ea + b[0] * eb + c[0] * ec;
    if (up + down < 3 || !(fabs(det) > noise))
    {
      return 0;
    }
    sum += up && det > 0.0 ? 1 : down && det < 0.0 ? -1 : 0;
  }
  *winding = sum;
  return 1;
}

/** Whether the surface winds around the origin. */
SQK_INLINE int sqk_polyhedron_holds(const sqk_cell* cell, const unsigned char* code)
{
  int times;
  return cell->closed && sqk_polyhedron_crossings(cell, code, &times)
    ? times != 0
    : fabs(sqk_polyhedron_winding(cell)) > 0.5;
}

/** The point of the surface closest to the origin, if it is within `limit`; `code` (may be NULL): of that or a larger limit. */
SQK_INLINE void sqk_polyhedron_foot(
  const sqk_cell* cell, const unsigned char* code, double limit, sqk_cell_foot* foot)
{
  sqk_cell_foot_begin(cell->far2, foot);
  for (int i = 0; i < cell->triangle_count; ++i)
  {
    const int32_t* t = cell->triangles + 3 * i;
    const double* a = cell->q + 3 * t[0];
    double e[3], f[3], n[3];
    if (code && (code[t[0]] & code[t[1]] & code[t[2]]))
    {
      continue;
    }
    sqk_sub3(cell->q + 3 * t[1], a, e);
    sqk_sub3(cell->q + 3 * t[2], a, f);
    sqk_cross3(e, f, n);
    /* How far its plane is, times |n|, for coordinates of at most 1. */
    double off = fabs(sqk_dot3(a, n)) - 128.0 * SQK_CELL_EPSILON;
    if (off > 0.0 && off * off > 1.001 * limit * limit * sqk_dot3(n, n))
    {
      continue;
    }
    sqk_cell_foot_triangle(cell->q, t[0], t[1], t[2], foot);
  }
}

/** Directions from the origin to all corners, 3 numbers each, and their distances. */
SQK_INLINE void sqk_polyhedron_directions(const double* q, int n, double* u, double* length)
{
  for (int i = 0; i < n; ++i)
  {
    const double* p = q + 3 * i;
    double l = sqrt(sqk_dot3(p, p));
    u[3 * i] = p[0] / l, u[3 * i + 1] = p[1] / l, u[3 * i + 2] = p[2] / l;
    length[i] = l;
  }
}

/**
 * Half the angle between two directions over its sine, from the sine and the cosine. Tangents of a quarter of pi and less: by
 * the polynomial through atan(x) / x at Chebyshev's points of x^2 (largest error 1.3e-18).
 */
SQK_INLINE double sqk_polyhedron_half_arc(double sine, double cosine)
{
  double z = sine /
    (1.0 + fabs(cosine)); /* the tangent of half the angle, or of what is left of the right one */
  double over = (z - 1.0) / (z + 1.0);
  double x = z > 0.41421356237309503 ? over : z;
  double base = z > 0.41421356237309503 ? 0.78539816339744831 : 0.0;
  double t = x * x;
  double p = -0.017805397205419446;
  p = p * t + 0.03796525745386593;
  p = p * t - 0.05035102456601552;
  p = p * t + 0.05846878297330872;
  p = p * t - 0.06662951813629191;
  p = p * t + 0.07692045330902225;
  p = p * t - 0.09090896809064027;
  p = p * t + 0.11111110744919658;
  p = p * t - 0.14285714279250245;
  p = p * t + 0.19999999999940893;
  p = p * t - 0.3333333333333312;
  double arc = base + (x + x * (t * p));
  arc = cosine < 0.0 ? 1.5707963267948966 - arc : arc;
  double over_sine = arc / sine;
  return sine > 0.0 ? over_sine : 0.0;
}

/** Triangles whose weights are worked out side by side. */
#define SQK_POLYHEDRON_LANES 8

typedef struct sqk_polyhedron_block
{
  double u[3][3][SQK_POLYHEDRON_LANES]; /* directions of the corners */
  double length[3][SQK_POLYHEDRON_LANES];
  double weight[3][SQK_POLYHEDRON_LANES];
} sqk_polyhedron_block;

/** What triangles give to the weights of their corners. Loops over lanes have no branches, for compilers to turn into vectors. */
SQK_INLINE void sqk_polyhedron_weigh(sqk_polyhedron_block* b)
{
  double c[3][3][SQK_POLYHEDRON_LANES], m[3][SQK_POLYHEDRON_LANES] = { { 0.0 } };
  double factor[SQK_POLYHEDRON_LANES];
  for (int i = 0; i < 3; ++i)
  {
    double(*u)[SQK_POLYHEDRON_LANES] = b->u[(i + 1) % 3],
    (*v)[SQK_POLYHEDRON_LANES] = b->u[(i + 2) % 3];
    for (int l = 0; l < SQK_POLYHEDRON_LANES; ++l)
    {
      double x = u[1][l] * v[2][l] - u[2][l] * v[1][l];
      double y = u[2][l] * v[0][l] - u[0][l] * v[2][l];
      double z = u[0][l] * v[1][l] - u[1][l] * v[0][l];
      double cosine = u[0][l] * v[0][l] + u[1][l] * v[1][l] + u[2][l] * v[2][l];
      double f = sqk_polyhedron_half_arc(sqrt(x * x + y * y + z * z), cosine);
      c[i][0][l] = x, c[i][1][l] = y, c[i][2][l] = z;
      m[0][l] += f * x, m[1][l] += f * y, m[2][l] += f * z;
    }
  }
  for (int l = 0; l < SQK_POLYHEDRON_LANES; ++l)
  {
    double det =
      b->u[0][0][l] * c[0][0][l] + b->u[0][1][l] * c[0][1][l] + b->u[0][2][l] * c[0][2][l];
    double m2 = m[0][l] * m[0][l] + m[1][l] * m[1][l] + m[2][l] * m[2][l];
    double size = fabs(det), one = m2 > 1.0 ? 1.0 : 0.0;
    /* In the plane of the triangle but not in it: both m and the determinant vanish, and so does the weight. */
    one = size > 1e-9 ? 1.0 : one;
    det = size > 1e-300 ? det : 1e-300;
    factor[l] = one / det;
  }
  for (int i = 0; i < 3; ++i)
  {
    for (int l = 0; l < SQK_POLYHEDRON_LANES; ++l)
    {
      double along = c[i][0][l] * m[0][l] + c[i][1][l] * m[1][l] + c[i][2][l] * m[2][l];
      b->weight[i][l] = along * factor[l] / b->length[i][l];
    }
  }
}

/** Adds what all triangles give to the weights of the corners. */
SQK_INLINE void sqk_polyhedron_add(
  const sqk_cell* cell, const double* direction, const double* length, double* w)
{
  sqk_polyhedron_block b;
  for (int first = 0; first < cell->triangle_count; first += SQK_POLYHEDRON_LANES)
  {
    int left = cell->triangle_count - first;
    left = left < SQK_POLYHEDRON_LANES ? left : SQK_POLYHEDRON_LANES;
    for (int l = 0; l < SQK_POLYHEDRON_LANES; ++l)
    {
      const int32_t* t = cell->triangles + 3 * (first + (l < left ? l : 0));
      for (int i = 0; i < 3; ++i)
      {
        const double* u = direction + 3 * t[i];
        b.u[i][0][l] = u[0], b.u[i][1][l] = u[1], b.u[i][2][l] = u[2];
        b.length[i][l] = length[t[i]];
      }
    }
    sqk_polyhedron_weigh(&b);
    for (int l = 0; l < left; ++l)
    {
      const int32_t* t = cell->triangles + 3 * (first + l);
      w[t[0]] += b.weight[0][l];
      w[t[1]] += b.weight[1][l];
      w[t[2]] += b.weight[2][l];
    }
  }
}

/** The smallest change (in the sum of squares) by which n weights sum to 1 and reproduce the origin. */
SQK_INLINE void sqk_polyhedron_correct(const double* q, int n, double* w)
{
  double centre[3] = { 0.0, 0.0, 0.0 }, a[3][3] = { { 0.0 } }, off[3], b[3], s[3], sum = 0.0;
  for (int i = 0; i < n; ++i)
  {
    sum += w[i];
    for (int d = 0; d < 3; ++d)
    {
      centre[d] += q[3 * i + d] / n;
    }
  }
  for (int i = 0; i < n; ++i)
  {
    double p[3];
    sqk_sub3(q + 3 * i, centre, p);
    for (int d = 0; d < 3; ++d)
    {
      a[d][0] += p[d] * p[0], a[d][1] += p[d] * p[1], a[d][2] += p[d] * p[2];
    }
  }
  sqk_cell_combine(q, w, n, off);
  for (int d = 0; d < 3; ++d)
  {
    b[d] = -off[d] - (1.0 - sum) * centre[d];
  }
  if (!sqk_cell_solve_spd(a, b, 3, s))
  {
    return;
  }
  for (int i = 0; i < n; ++i)
  {
    double p[3];
    sqk_sub3(q + 3 * i, centre, p);
    w[i] += (1.0 - sum) / n + sqk_dot3(p, s);
  }
}

/** Mean value coordinates of the origin; 0 where they are not defined. `w` has room for the middles, too. */
SQK_INLINE int sqk_polyhedron_mean_value(const sqk_cell* cell, double* w)
{
  int n = cell->count + cell->middle_count;
  double sum = 0.0, *length = cell->room + 3 * n;
  sqk_polyhedron_directions(cell->q, n, cell->room, length);
  for (int i = 0; i < n; ++i)
  {
    w[i] = 0.0;
  }
  sqk_polyhedron_add(cell, cell->room, length, w);
  for (int i = 0; i < n; ++i)
  {
    sum += w[i];
  }
  if (!(fabs(sum) > 0.0) || !(fabs(sum) < HUGE_VAL))
  {
    return 0;
  }
  for (int i = 0; i < n; ++i)
  {
    w[i] /= sum;
  }
  sqk_polyhedron_share(cell, w);
  sqk_polyhedron_correct(cell->q, cell->count, w);
  sqk_polyhedron_correct(cell->q, cell->count, w);
  return 1;
}

/** The weights of a foot on the surface. */
SQK_INLINE void sqk_polyhedron_foot_weights(
  const sqk_cell* cell, const sqk_cell_foot* foot, double* w)
{
  for (int i = 0; i < cell->count + cell->middle_count; ++i)
  {
    w[i] = 0.0;
  }
  for (int i = 0; i < foot->count; ++i)
  {
    w[foot->node[i]] += foot->bary[i];
  }
  sqk_polyhedron_share(cell, w);
}

SQK_INLINE int sqk_cell_find_polyhedron(
  const sqk_cell* cell, double fuzz, double limit, sqk_cell_hit* hit, double* w)
{
  unsigned char* code = (unsigned char*)cell->room;
  sqk_cell_foot foot;
  limit = fmax(limit, fuzz);
  sqk_polyhedron_codes(cell, fmax(limit, SQK_CELL_ON_SURFACE), code);
  int inside = sqk_polyhedron_holds(cell, code);
  hit->distance = 0.0;
  if (!inside || w) /* weights on the surface are those of its triangle */
  {
    sqk_polyhedron_foot(cell, code, inside ? SQK_CELL_ON_SURFACE : limit, &foot);
    hit->distance = sqrt(foot.distance2);
  }
  int on = hit->distance <= SQK_CELL_ON_SURFACE;
  if (!inside && !(hit->distance <= limit))
  {
    return 0;
  }
  sqk_cell_no_parameters(hit->r);
  hit->used = 0;
  hit->closest[0] = hit->closest[1] = hit->closest[2] = 0.0;
  if (!inside)
  {
    sqk_set3(foot.point, hit->closest);
    inside = hit->distance <= fuzz;
    on = 1;
  }
  hit->distance = inside ? 0.0 : hit->distance;
  if (w && !on && !sqk_polyhedron_mean_value(cell, w))
  {
    sqk_polyhedron_foot(cell, NULL, HUGE_VAL, &foot);
    on = 1;
  }
  if (w && on)
  {
    sqk_polyhedron_foot_weights(cell, &foot, w);
  }
  return 1;
}

#endif
