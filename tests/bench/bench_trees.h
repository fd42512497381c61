#ifndef BENCH_TREES_H
#define BENCH_TREES_H
/** Inputs of the tree benchmark, made from numbers alone, so that others can make them, too. */
#include <spatialqueries/spatialqueries.h>

typedef struct bench_mesh
{
  sq_cells cells; /* float points, int64 ids */
  float* points;
  int64_t* ids;
} bench_mesh;

/** A sphere with bumps: nu x (nv + 1) points on circles of latitude, 2 nu nv triangles. */
bench_mesh bench_bumpy_sphere(int64_t nu, int64_t nv);

/** nx ny nz unit cubes, six tetrahedra each. */
bench_mesh bench_kuhn(int64_t nx, int64_t ny, int64_t nz);

void bench_mesh_free(bench_mesh* mesh);

/** splitmix64, top 24 bits / 2^24. */
float bench_random(uint64_t* state);

/** The mean of the corners of random cells. */
float* bench_centroids(const bench_mesh* mesh, int64_t count, uint64_t seed);

#endif
