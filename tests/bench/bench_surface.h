#ifndef BENCH_SURFACE_H
#define BENCH_SURFACE_H
/** Triangle surfaces from files. */
#include <stdint.h>

typedef struct bench_surface
{
  double* vertices; /* 3 a vertex */
  int32_t* corners; /* 3 a triangle */
  int64_t vertex_count;
  int64_t triangle_count;
} bench_surface;

/** Reads .obj (polygons as fans) or .stl (text or binary); 0 on success, else a message was written to stderr. */
int bench_surface_read(const char* path, bench_surface* surface);

void bench_surface_free(bench_surface* surface);

#endif
