#ifndef SQI_DISTANCE_SIGN_H
#define SQI_DISTANCE_SIGN_H
/** The sign of one run of queries by the winding number. */
#include "sqi_surface.h"

/**
 * Where the winding number is constant off the surface, two points share it when the balls of their distances hold the segment
 * between them: no surface lies there. Each thread remembers its last point.
 */
typedef struct sqi_sign_memory
{
  double x[3];
  double reach; /* no surface is nearer to x; < 0: nothing remembered */
  int is_inside;
  char padding[64 - 4 * sizeof(double) - sizeof(int)]; /* one cache line a thread */
} sqi_sign_memory;

typedef struct sqi_sign
{
  const sqi_winding* winding;
  double accuracy;
  int
    is_whole; /* whole numbers off the surface: every edge is used equally often in both directions */
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
