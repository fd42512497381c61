#ifndef SQK_SHAPE_DOMAIN_H
#define SQK_SHAPE_DOMAIN_H
/** The parametric domains of cells with shape functions, as intersections of half spaces. */
#include "sqk_shape.h"

typedef enum sqk_domain
{
  SQK_DOMAIN_SIMPLEX,
  SQK_DOMAIN_BOX,
  SQK_DOMAIN_WEDGE,
  SQK_DOMAIN_PENTAGON,
  SQK_DOMAIN_HEXAGON
} sqk_domain;

SQK_INLINE sqk_domain sqk_shape_domain(int type)
{
  switch (type)
  {
    case SQ_CELL_LINE:
    case SQ_CELL_TRIANGLE:
    case SQ_CELL_TETRA:
    case SQ_CELL_QUADRATIC_EDGE:
    case SQ_CELL_CUBIC_LINE:
    case SQ_CELL_QUADRATIC_TRIANGLE:
    case SQ_CELL_BIQUADRATIC_TRIANGLE:
    case SQ_CELL_QUADRATIC_TETRA:
    case SQK_CELL_TETRA_15:
    case SQ_CELL_LAGRANGE_CURVE:
    case SQ_CELL_LAGRANGE_TRIANGLE:
    case SQ_CELL_LAGRANGE_TETRAHEDRON:
    case SQ_CELL_BEZIER_CURVE:
    case SQ_CELL_BEZIER_TRIANGLE:
    case SQ_CELL_BEZIER_TETRAHEDRON:
      return SQK_DOMAIN_SIMPLEX;
    case SQ_CELL_WEDGE:
    case SQ_CELL_QUADRATIC_WEDGE:
    case SQ_CELL_QUADRATIC_LINEAR_WEDGE:
    case SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE:
    case SQK_CELL_WEDGE_21:
    case SQ_CELL_LAGRANGE_WEDGE:
    case SQ_CELL_BEZIER_WEDGE:
      return SQK_DOMAIN_WEDGE;
    case SQ_CELL_PENTAGONAL_PRISM:
      return SQK_DOMAIN_PENTAGON;
    case SQ_CELL_HEXAGONAL_PRISM:
      return SQK_DOMAIN_HEXAGON;
    default:
      return SQK_DOMAIN_BOX;
  }
}

/** Half space j of a prism over a polygon. */
SQK_INLINE int sqk_shape_ngon_plane(int sides, int j, double plane[4])
{
  plane[0] = plane[1] = plane[2] = plane[3] = 0.0;
  if (j < sides)
  {
    plane[3] = 0.5 * sqk_shape_ngon_edge(sides, j, -1.0, -1.0, plane);
    return 1;
  }
  plane[2] = j == sides ? 1.0 : -1.0;
  plane[3] = j == sides ? 0.0 : 1.0;
  return j < sides + 2;
}

/** Half space j of a domain: plane[0..2] . r + plane[3] >= 0 inside; 0 after the last one. */
SQK_INLINE int sqk_shape_plane(int type, int j, double plane[4])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  if (domain == SQK_DOMAIN_PENTAGON || domain == SQK_DOMAIN_HEXAGON)
  {
    return sqk_shape_ngon_plane(domain == SQK_DOMAIN_PENTAGON ? 5 : 6, j, plane);
  }
  int count = domain == SQK_DOMAIN_BOX ? 2 * dimension
    : domain == SQK_DOMAIN_WEDGE       ? 5
                                       : dimension + 1;
  plane[0] = plane[1] = plane[2] = plane[3] = 0.0;
  if (j < dimension)
  {
    plane[j] = 1.0;
    return 1;
  }
  int first = domain == SQK_DOMAIN_BOX    ? j - dimension
    : domain == SQK_DOMAIN_WEDGE && j > 3 ? 2
                                          : 0;
  int last = domain == SQK_DOMAIN_BOX ? first : domain == SQK_DOMAIN_WEDGE ? j - 2 : dimension - 1;
  plane[3] = 1.0;
  for (int k = first; k <= last && j < count; ++k)
  {
    plane[k] = -1.0;
  }
  return j < count;
}

/** The middle of the parametric domain, where a Newton iteration starts. */
SQK_INLINE void sqk_shape_center(int type, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  double xy = domain == SQK_DOMAIN_SIMPLEX ? 1.0 / (dimension + 1)
    : domain == SQK_DOMAIN_WEDGE           ? 1.0 / 3.0
                                           : 0.5;
  r[0] = xy;
  r[1] = dimension > 1 ? xy : 0.0;
  r[2] = dimension < 3 ? 0.0 : domain == SQK_DOMAIN_SIMPLEX ? xy : 0.5;
}

/** Largest of the numbers that must not be positive for r to lie in the domain. */
SQK_INLINE double sqk_shape_violation(int type, const double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  double v = -1.0;
  if (domain == SQK_DOMAIN_PENTAGON || domain == SQK_DOMAIN_HEXAGON)
  {
    int sides = domain == SQK_DOMAIN_PENTAGON ? 5 : 6;
    for (int i = 0; i < sides; ++i)
    {
      double g[2];
      v = fmax(v, -0.5 * sqk_shape_ngon_edge(sides, i, 2.0 * r[0] - 1.0, 2.0 * r[1] - 1.0, g));
    }
    return fmax(v, fmax(-r[2], r[2] - 1.0));
  }
  for (int k = 0; k < dimension; ++k)
  {
    v = fmax(v, -r[k]);
    if (domain == SQK_DOMAIN_BOX || (domain == SQK_DOMAIN_WEDGE && k == 2))
    {
      v = fmax(v, r[k] - 1.0);
    }
  }
  if (domain == SQK_DOMAIN_SIMPLEX)
  {
    v = fmax(v, r[0] + r[1] + r[2] - 1.0);
  }
  else if (domain == SQK_DOMAIN_WEDGE)
  {
    v = fmax(v, r[0] + r[1] - 1.0);
  }
  return v;
}

SQK_INLINE double sqk_shape_clip(double v, double lo, double hi)
{
  return v < lo ? lo : v > hi ? hi : v;
}

/** Moves r into the domain widened by `slack`; a point near by, not the nearest one. */
SQK_INLINE void sqk_shape_clamp(int type, double slack, double r[3])
{
  int dimension = sqk_shape_dimension(type);
  sqk_domain domain = sqk_shape_domain(type);
  if (domain == SQK_DOMAIN_PENTAGON || domain == SQK_DOMAIN_HEXAGON)
  {
    int sides = domain == SQK_DOMAIN_PENTAGON ? 5 : 6;
    double x = 2.0 * r[0] - 1.0, y = 2.0 * r[1] - 1.0, low = 1.0;
    for (int i = 0; i < sides; ++i)
    {
      double g[2];
      low = fmin(low, sqk_shape_ngon_edge(sides, i, x, y, g));
    }
    if (low < -2.0 * slack) /* shrink towards the centre, where every edge is at 1 */
    {
      double f = (1.0 + 2.0 * slack) / (1.0 - low);
      r[0] = 0.5 + 0.5 * f * x, r[1] = 0.5 + 0.5 * f * y;
    }
    r[2] = sqk_shape_clip(r[2], -slack, 1.0 + slack);
    return;
  }
  for (int k = 0; k < dimension; ++k)
  {
    r[k] = sqk_shape_clip(r[k], -slack, 1.0 + slack);
  }
  int summed = domain == SQK_DOMAIN_SIMPLEX ? dimension : domain == SQK_DOMAIN_WEDGE ? 2 : 0;
  double sum = 0.0;
  for (int k = 0; k < summed; ++k)
  {
    sum += r[k];
  }
  for (int k = 0; k < summed && sum > 1.0 + slack; ++k)
  {
    r[k] *= (1.0 + slack) / sum;
  }
}

#endif
