#ifndef BENCH_EMBREE_H
#define BENCH_EMBREE_H
/** Closest points by Embree 3, the competitor: float, one rtcPointQuery a point, its triangles tested by the usual callback. */
#include "bench_points.h"

typedef struct bench_embree bench_embree;

/** Its version, such as "3.13.5". */
const char* bench_embree_version(void);

/** High build quality, robust scene, all threads. */
bench_embree* bench_embree_build(const bench_surface* surface, int32_t threads);

/** Distances of all points, by `threads` threads in chunks of 1024. */
void bench_embree_query(
  const bench_embree* embree, const bench_points* points, int32_t threads, float* distance);

void bench_embree_destroy(bench_embree* embree);

#endif
