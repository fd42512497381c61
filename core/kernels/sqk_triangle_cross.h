#ifndef SQK_TRIANGLE_CROSS_H
#define SQK_TRIANGLE_CROSS_H
/**
 * Whether two triangles cross in more than a touch: Guigue and Devillers, "Fast and robust triangle-triangle overlap
 * test using orientation predicates", Journal of Graphics Tools 8(1), 2003, with strict signs.
 */
#include "sqk_orient3d.h"

/** Corner k of which lies alone on its side, given the sides (one is +1, one is -1). */
SQK_INLINE int sqk_lonely_corner(const int side[3])
{
  int sum = side[0] + side[1] + side[2];
  /* Two against one: the one. One, one and a corner in the plane: the positive one, with the other two not above. */
  int wanted = sum > 0 ? -1 : 1;
  return side[0] == wanted ? 0 : side[1] == wanted ? 1 : 2;
}

/** Sides of the corners of `of` to the plane of t; 0 unless there are corners strictly on both. */
SQK_INLINE int sqk_straddles(const double t[3][3], const double of[3][3], int side[3])
{
  int above = 0, below = 0;
  for (int k = 0; k < 3; ++k)
  {
    side[k] = sqk_orient3d(t[0], t[1], t[2], of[k]);
    above |= side[k] > 0;
    below |= side[k] < 0;
  }
  return above && below;
}

/**
 * 1 where a and b have a segment of positive length in common and each has corners strictly on both sides of the other.
 * Coplanar triangles, common points and common edges do not count. Exact.
 */
SQK_INLINE int sqk_triangles_cross(const double a[3][3], const double b[3][3])
{
  int side_a[3], side_b[3];
  if (!sqk_straddles(b, a, side_a) || !sqk_straddles(a, b, side_b))
  {
    return 0;
  }
  int i = sqk_lonely_corner(side_a), j = sqk_lonely_corner(side_b);
  const double *p1 = a[i], *q1 = a[(i + 1) % 3], *r1 = a[(i + 2) % 3];
  const double *p2 = b[j], *q2 = b[(j + 1) % 3], *r2 = b[(j + 2) % 3];
  /* Turn each triangle so that the other's lonely corner is above it. */
  const double* swap;
  if (side_a[i] < 0)
  {
    swap = q2, q2 = r2, r2 = swap;
  }
  if (side_b[j] < 0)
  {
    swap = q1, q1 = r1, r1 = swap;
  }
  /* Both cut the line of the two planes in a segment; they overlap unless one ends before the other begins. */
  return sqk_orient3d(p1, q1, p2, q2) < 0 && sqk_orient3d(p1, r1, r2, p2) < 0;
}

#endif
