#ifndef ORC_SEGMENT_H
#define ORC_SEGMENT_H
/** Segments against triangles and segments, in long double, with a verdict that says how sure it is. */
#include "orc_geometry.h"

/** What a segment a + t (b - a) does with a thing. */
typedef struct orc_meeting
{
  int sure; /* it meets it, whatever the rounding */
  int maybe; /* it meets it or passes it within rounding; 1 where sure is */
  orc_real first; /* t where it surely meets it first */
  orc_real earliest; /* t where it may meet it first */
  orc_real slack; /* how far either may be off by rounding */
} orc_meeting;

orc_meeting orc_no_meeting(void);

/** Adds what it does with another part of the thing. */
void orc_add_meeting(orc_meeting* whole, const orc_meeting* part);

/** Meets it where it passes within `tolerance`; `unsure` is a length that rounding may change. */
orc_meeting orc_segment_segment(const double a[3], const double b[3], const double p[3],
  const double q[3], double tolerance, double unsure);

/**
 * Meets it where it crosses the plane in the triangle or within `tolerance` beside it; in the plane, or where the triangle has no
 * area, as it meets the edges, and at t = 0 where it starts inside.
 */
orc_meeting orc_segment_triangle(const double a[3], const double b[3], const double p[3],
  const double q[3], const double r[3], double tolerance, double unsure);

#endif
