#ifndef SQK_CELL_SEEK_H
#define SQK_CELL_SEEK_H
/**
 * Where in a solid a point may lie: its parametric domain is split into boxes until in each left the derivative hardly
 * varies, so that Newton's iteration from the middle finds what there is. Boxes are left out by the interval form of Newton's
 * method (Krawczyk 1969; Neumaier, Interval Methods for Systems of Equations, chapter 5), with J the derivative in the middle c:
 * a root r in the box has |J^-1 F(c)|_m <= h (1 + sum of |J^-1 F' - I|_mk), which is taken at the corners and widened.
 */
#include "sqk_cell_invert.h"

/** A box is split at most so often, into 8, */
#define SQK_SEEK_DEPTH 6
/** and so many boxes are looked at. */
#define SQK_SEEK_BOXES 2048
/** Newton's iteration starts in a box where the derivative varies by less than that. */
#define SQK_SEEK_VARIATION 0.4
/** Between the corners of a box a map of some order may vary by more than at them. */
#define SQK_SEEK_WIDER 1.5

/** Roots between two boxes belong to both. */
#define SQK_SEEK_ROUNDING 1.0001

typedef struct sqk_seek
{
  int32_t left; /* of SQK_SEEK_BOXES */
  int32_t count;
  double middle[7 * SQK_SEEK_DEPTH + 1][3];
  int32_t depth[7 * SQK_SEEK_DEPTH + 1];
} sqk_seek;

SQK_INLINE void sqk_seek_begin(sqk_seek* seek)
{
  seek->left = SQK_SEEK_BOXES;
  seek->count = 1;
  seek->depth[0] = 0;
  seek->middle[0][0] = seek->middle[0][1] = seek->middle[0][2] = 0.5;
}

/** Whether a box, at `low` nearest to 0, has points of the domain. */
SQK_INLINE int sqk_seek_is_in_domain(int type, const double low[3])
{
  sqk_domain domain = sqk_shape_domain(type);
  double sum = low[0] + low[1] + (domain == SQK_DOMAIN_SIMPLEX ? low[2] : 0.0);
  return (domain != SQK_DOMAIN_SIMPLEX && domain != SQK_DOMAIN_WEDGE) || sum < 1.0 + 1e-9;
}

/** A box of half size h around at->r: 0 no point of it lies within `limit`, 1 one may, 2 and the iteration from its middle finds it. */
SQK_INLINE int sqk_seek_look(const sqk_cell* cell, double h, double limit, sqk_cell_root* at)
{
  sqk_cell_root corner;
  double row[3][3], varies[3] = { 0.0, 0.0, 0.0 }, reach = 0.0, most = 0.0;
  sqk_cell_root_at(cell, at);
  const double(*j)[3] = (const double(*)[3])at->jacobian;
  double det = fabs(sqk_det3(j[0], j[1], j[2]));
  for (int m = 0; m < 3; ++m)
  {
    sqk_cross3(j[(m + 1) % 3], j[(m + 2) % 3], row[m]);
  }
  for (int i = 0; i < 8; ++i)
  {
    double d[3];
    for (int k = 0; k < 3; ++k)
    {
      corner.r[k] = at->r[k] + ((i >> k) & 1 ? h : -h);
    }
    sqk_cell_root_at(cell, &corner);
    sqk_sub3(corner.x, at->x, d);
    reach = fmax(reach, sqk_dot3(d, d));
    for (int m = 0; m < 3; ++m)
    {
      double sum = 0.0;
      for (int k = 0; k < 3; ++k)
      {
        sqk_sub3(corner.jacobian[k], j[k], d);
        sum += fabs(sqk_dot3(row[m], d));
      }
      varies[m] = fmax(varies[m], sum);
    }
  }
  if (at->residual > limit + SQK_SEEK_WIDER * sqrt(reach))
  {
    return 0;
  }
  for (int m = 0; m < 3; ++m)
  {
    double far = limit * sqrt(sqk_dot3(row[m], row[m]));
    if (fabs(sqk_dot3(row[m], at->x)) >
      h * (SQK_SEEK_ROUNDING * det + SQK_SEEK_WIDER * varies[m]) + far)
    {
      return 0;
    }
    most = fmax(most, varies[m]);
  }
  return most < SQK_SEEK_VARIATION * det ? 2 : 1;
}

/** The next start from which points within `limit` of the origin are to be looked for; 0 after the last one. */
SQK_INLINE int sqk_seek_next(const sqk_cell* cell, double limit, sqk_seek* seek, double r[3])
{
  while (seek->count > 0 && seek->left > 0)
  {
    sqk_cell_root at;
    int i = --seek->count, depth = seek->depth[i];
    double h = 0.5 / (1 << depth), low[3];
    sqk_set3(seek->middle[i], at.r);
    for (int k = 0; k < 3; ++k)
    {
      low[k] = at.r[k] - h;
    }
    if (!sqk_seek_is_in_domain(cell->type, low))
    {
      continue;
    }
    --seek->left;
    int found = sqk_seek_look(cell, h, limit, &at);
    if (found == 2 || (found == 1 && depth == SQK_SEEK_DEPTH))
    {
      sqk_set3(at.r, r);
      return 1;
    }
    for (int c = 0; c < 8 && found == 1; ++c)
    {
      for (int k = 0; k < 3; ++k)
      {
        seek->middle[seek->count][k] = at.r[k] + ((c >> k) & 1 ? 0.5 * h : -0.5 * h);
      }
      seek->depth[seek->count++] = depth + 1;
    }
  }
  return 0;
}

/** Iterates from `other`, held near the domain; its root replaces one farther outside. 1 when it is inside, up to `slack`. */
SQK_INLINE int sqk_cell_invert_from(
  const sqk_cell* cell, double slack, sqk_cell_root* other, sqk_cell_root* root)
{
  int found = sqk_cell_root_found(root);
  sqk_cell_iterate(cell, 0.0625, other);
  if (!sqk_cell_root_found(other))
  {
    return 0;
  }
  /* A root on a face may be outside by rounding. */
  double off = sqk_shape_violation(cell->type, other->r);
  if (!found || off < sqk_shape_violation(cell->type, root->r))
  {
    *root = *other;
  }
  return off <= slack;
}

/** What sqk_cell_invert() goes on with from a root of the iteration from the centre: 1 when root is a point of the map. */
SQK_INLINE int sqk_cell_invert_on(const sqk_cell* cell, double slack, sqk_cell_root* root)
{
  int type = cell->type, solid = sqk_shape_dimension(type) == 3;
  sqk_cell_root other;
  sqk_seek seek;
  if (sqk_cell_root_found(root) &&
    (sqk_shape_violation(type, root->r) <= slack || sqk_cell_is_tame(cell)))
  {
    return 1;
  }
  if (sqk_cell_apex_start(cell, other.r) && sqk_cell_invert_from(cell, slack, &other, root))
  {
    return 1;
  }
  sqk_seek_begin(&seek);
  for (int k = 0;
       solid ? sqk_seek_next(cell, 0.0, &seek, other.r) : sqk_cell_start(type, k, other.r); ++k)
  {
    if (sqk_cell_invert_from(cell, slack, &other, root))
    {
      return 1;
    }
  }
  return sqk_cell_root_found(root);
}

/**
 * A root inside of the domain (up to `slack`), else the best of what was found: 1 when root is a point of the map. It is
 * looked for from the centre; then in solids where boxes of the domain may have one, in others from all corners, with the
 * iteration held in the domain.
 */
SQK_INLINE int sqk_cell_invert(const sqk_cell* cell, double slack, sqk_cell_root* root)
{
  sqk_shape_center(cell->type, root->r);
  sqk_cell_iterate(cell, -1.0, root);
  return sqk_cell_invert_on(cell, slack, root);
}

#endif
