#ifndef SQK_CELL_CROSS_H
#define SQK_CELL_CROSS_H
/** One cell against one segment: where does it first meet the cell, of solids their boundary. */
#include "sqk_cell_cross_curved.h"
#include "sqk_cell_simplices.h"

/** The parameter of the segment; HUGE_VAL if it does not meet the cell. */
SQK_INLINE double sqk_cell_cross(const sqk_cell* cell, const sqk_segment* s)
{
  if (sqk_shape_is_curved(cell->type))
  {
    return sqk_cell_cross_curved(cell, s);
  }
  sqk_simplices simplices;
  int32_t node[3];
  double first = HUGE_VAL;
  int size;
  sqk_simplices_begin(cell, &simplices);
  while ((size = sqk_simplices_next(&simplices, node)) > 0)
  {
    const double* a = cell->q + 3 * (int64_t)node[0];
    double t;
    if (size == 1)
    {
      t = sqk_segment_meets_point(s, a);
    }
    else if (size == 2)
    {
      t = sqk_segment_meets_segment(s, a, cell->q + 3 * (int64_t)node[1]);
    }
    else
    {
      t = sqk_segment_meets_triangle(
        s, a, cell->q + 3 * (int64_t)node[1], cell->q + 3 * (int64_t)node[2]);
    }
    first = fmin(first, t);
  }
  return first;
}

#endif
