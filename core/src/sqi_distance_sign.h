#ifndef SQI_DISTANCE_SIGN_H
#define SQI_DISTANCE_SIGN_H
/** The sign of one run of queries by the winding number. */
#include "sqi_surface.h"

enum
{
  SQI_SIGN_BALLS = 8
};

/** A ball on one side of the surface. */
typedef struct sqi_sign_ball
{
  double x[3];
  double radius; /* < 0: none */
  int is_inside;
} sqi_sign_ball;

/**
 * What a thread remembers. Where the winding number is constant off the surface, two points share it when the balls of their
 * distances hold the segment between them, since no surface lies there: ball 0 is the last point and its distance. Elsewhere the
 * balls are those within which the winding number was found to stay on its side of 1/2, the newest overwriting the oldest.
 */
typedef struct sqi_sign_memory
{
  sqi_sign_ball ball[SQI_SIGN_BALLS];
  int32_t next;
  char padding[60]; /* threads share no cache line */
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
