#ifndef BENCH_POINTS_H
#define BENCH_POINTS_H
/** Sets of query points. */
#include "bench_surface.h"

typedef struct bench_points
{
  const char* kind;
  double* x; /* 3 a point */
  int64_t count;
} bench_points;

/** Evenly anywhere in the surface's box, doubled about its centre. */
bench_points bench_points_uniform(const bench_surface* surface, int64_t count);

/** Up to 1 % of the box diagonal off points of the surface, which are spread evenly by area. */
bench_points bench_points_near(const bench_surface* surface, int64_t count);

/** A regular grid over the doubled box, about `count` points, x fastest. */
bench_points bench_points_grid(const bench_surface* surface, int64_t count);

/** Little-endian doubles, three a point; count 0 where the file cannot be read. */
bench_points bench_points_read(const char* kind, const char* path);

/** The same points along the Morton curve of their box. */
bench_points bench_points_morton(const bench_points* points);

void bench_points_free(bench_points* points);

#endif
