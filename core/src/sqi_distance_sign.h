#ifndef SQI_DISTANCE_SIGN_H
#define SQI_DISTANCE_SIGN_H
/** The sign of one run of queries by the winding number. */
#include "sqi_surface.h"

enum
{
  SQI_SIGN_BALLS = 8
};

/** A point whose side is known, and where else it is the same. */
typedef struct sqi_sign_ball
{
  double x[3];
  double radius; /* no surface is nearer to x; < 0: no point */
  double centre[3]; /* where the winding number was summed */
  double steady; /* around it: where that holds */
  int is_inside;
} sqi_sign_ball;

/**
 * What a thread remembers, the newest ball overwriting the oldest. Where the winding number is constant off the surface, two points
 * share the side when the balls of their distances hold the segment between them, since no surface lies there. Where the rim of the
 * surface is known, they do so as long as both are also so near to a point where the number was summed that it cannot have got to the other
 * side of 1/2 without crossing the surface. Else the number is known to stay on its side within `steady`, which the surface bounds too.
 */
typedef struct sqi_sign_memory
{
  sqi_sign_ball ball[SQI_SIGN_BALLS];
  int32_t newest;
  char padding[60]; /* threads share no cache line */
} sqi_sign_memory;

typedef struct sqi_sign
{
  const sqi_winding* winding;
  double accuracy;
  int
    is_whole; /* whole numbers off the surface: every edge is used equally often in both directions */
  int is_joined; /* points share a side that have no surface between them */
  int is_flipped;
  sqi_sign_memory* memory; /* a thread each */
  int32_t thread_count;
} sqi_sign;

/** Prepares the winding number of the surface unless it is there, and the memory. */
sq_status sqi_sign_open(
  sq_context* context, const sq_surface* surface, double accuracy, int is_flipped, sqi_sign* sign);
void sqi_sign_close(sq_context* context, sqi_sign* sign);

/** Whether x is inside; `reach` bounds its distance to the surface from below. */
int sqi_sign_is_inside(const sqi_sign* sign, const double x[3], double reach, int32_t thread);

/** The winding number at x, turned round with the surface. */
double sqi_sign_winding_number(const sqi_sign* sign, const double x[3]);

#endif
