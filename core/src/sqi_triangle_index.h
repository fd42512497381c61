#ifndef SQI_TRIANGLE_INDEX_H
#define SQI_TRIANGLE_INDEX_H
/**
 * The fast index over triangles: closest point in double, deterministic, for many queries at once.
 *
 * Of triangles at equal distance the lowest id wins, so callers number triangles in the order that ties are to
 * be broken in. Degenerate triangles are the segment or point that they are.
 */
#include "spatialqueries/sq_surface.h"
#include "sqi_bvh.h"

typedef struct sqi_triangle_index sqi_triangle_index;

/** The leaf size of the tree that the index is made from. */
#define SQI_TRIANGLE_LEAF SQI_LANES

/**
 * `vertices`: 3 finite doubles each; `corners`: 3 vertex ids a triangle, in range. Both are borrowed: they must outlive
 * the index. `bvh` is a tree over sqi_triangle_box() of these triangles with leaves of at most SQI_TRIANGLE_LEAF; it is not kept.
 * count 0 is allowed: every query misses.
 */
sq_status sqi_triangle_index_build(sq_context* context, const double* vertices,
  const int32_t* corners, int32_t triangle_count, const sqi_bvh* bvh, sqi_triangle_index** index);

void sqi_triangle_index_destroy(sqi_triangle_index* index);

int64_t sqi_triangle_index_bytes(const sqi_triangle_index* index);

/** What part of the triangle the closest point lies on: corner 0, 1, 2; edge 0-1, 1-2, 2-0; the inside. */
typedef enum sqi_feature
{
  SQI_FEATURE_CORNER_0 = 0,
  SQI_FEATURE_CORNER_1 = 1,
  SQI_FEATURE_CORNER_2 = 2,
  SQI_FEATURE_EDGE_01 = 3,
  SQI_FEATURE_EDGE_12 = 4,
  SQI_FEATURE_EDGE_20 = 5,
  SQI_FEATURE_FACE = 6
} sqi_feature;

typedef struct sqi_hit
{
  double distance;
  double point[3];
  double barycentric[3]; /* of corners 0, 1, 2; >= 0, sum 1 */
  int32_t triangle; /* -1: no triangle within the limit, or the query is not finite */
  int32_t feature; /* sqi_feature */
  int32_t nodes_visited; /* 0 without statistics */
  int32_t cells_tested;
} sqi_hit;

/** Where the queries are: exactly one of the two is not NULL. */
typedef struct sqi_queries
{
  const sq_points* points;
  const sq_grid* grid;
} sqi_queries;

int64_t sqi_queries_count(const sqi_queries* queries);

/** Query i (grids: i fastest); the numbers that every other function of the library sees for it. */
void sqi_query_point(const sqi_queries* queries, int64_t i, double x[3]);

/**
 * Takes an answer. Called once a query, on any thread, in any order; `thread` is below sq_context_threads().
 * Must not fail, allocate or block.
 */
typedef void (*sqi_hit_sink)(
  void* user, int64_t query, const double x[3], const sqi_hit* hit, int32_t thread);

/**
 * Closest triangle at distance <= max_distance (may be INFINITY) of every query.
 *
 * Queries are visited along a space-filling order, each seeded with the answer of the one before;
 * neither changes a bit of any answer. With `statistics` queries run unseeded and count nodes and triangles.
 */
sq_status sqi_triangle_index_query(sq_context* context, const sqi_triangle_index* index,
  const sqi_queries* queries, double max_distance, int statistics, sqi_hit_sink sink, void* user);

/** One query, unordered and unseeded; for callers that have just one. */
void sqi_triangle_index_closest(
  const sqi_triangle_index* index, const double x[3], double max_distance, sqi_hit* hit);

#endif
