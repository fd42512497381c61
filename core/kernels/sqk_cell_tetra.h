#ifndef SQK_CELL_TETRA_H
#define SQK_CELL_TETRA_H
/** Barycentric coordinates in a tetrahedron. */
#include "sqk_cell_math.h"

/**
 * Barycentric coordinates of the origin in tetrahedron q; 0 where it is flat up to rounding. One step of refinement makes
 * the coordinates reproduce the origin to rounding in slivers, too.
 */
SQK_INLINE int sqk_cell_tetra_weights(const double* q, double w[4])
{
  const double *a = q, *b = q + 3, *c = q + 6, *d = q + 9;
  double e[3][3], size = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    sqk_sub3(q + 3 * (i + 1), a, e[i]);
    size = fmax(size, sqk_cell_max_abs(e[i], 3));
  }
  double volume = sqk_det3(e[0], e[1], e[2]);
  if (!(fabs(volume) > 64.0 * SQK_CELL_EPSILON * size * size * size))
  {
    return 0;
  }
  w[1] = -sqk_det3(a, c, d) / volume;
  w[2] = sqk_det3(a, b, d) / volume;
  w[3] = -sqk_det3(a, b, c) / volume;
  double off[3], step[3];
  w[0] = 1.0 - w[1] - w[2] - w[3];
  sqk_cell_combine(q, w, 4, off);
  step[0] = -sqk_det3(off, e[1], e[2]) / volume;
  step[1] = -sqk_det3(e[0], off, e[2]) / volume;
  step[2] = -sqk_det3(e[0], e[1], off) / volume;
  w[1] += step[0], w[2] += step[1], w[3] += step[2];
  w[0] -= step[0] + step[1] + step[2];
  return 1;
}

#endif
