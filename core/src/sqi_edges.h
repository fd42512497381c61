#ifndef SQI_EDGES_H
#define SQI_EDGES_H
/** Who shares an edge or a vertex with whom, on welded vertices. */
#include "spatialqueries/sq_context.h"

/** Bits of sqi_triangles.marks. */
#define SQI_DEGENERATE 1
#define SQI_DUPLICATE 2 /* an earlier triangle has the same vertices; degenerate ones aside */

/** Triangles as the topology sees them. A flat triangle joins its neighbours but has no normal. */
typedef struct sqi_triangles
{
  const double* vertices;
  const int32_t* corners; /* 3 a triangle */
  const int32_t* weld; /* by vertex: the vertex that stands for its cluster; NULL: itself */
  const uint8_t* flat; /* by triangle */
  uint8_t* marks; /* by triangle */
  int32_t vertex_count;
  int32_t triangle_count;
} sqi_triangles;

/** Vertex of corner c = 3 t + k, clusters as one. */
static inline int32_t sqi_corner_vertex(const sqi_triangles* m, uint32_t c)
{
  int32_t v = m->corners[c];
  return m->weld ? m->weld[v] : v;
}

/** The corner before or after corner c in its triangle. */
static inline uint32_t sqi_next_corner(uint32_t c)
{
  return c % 3 == 2 ? c - 2 : c + 1;
}
static inline uint32_t sqi_previous_corner(uint32_t c)
{
  return c % 3 == 0 ? c + 2 : c - 1;
}

/** By vertex: the corners there, ascending. */
typedef struct sqi_corner_lists
{
  uint32_t* start; /* vertex_count + 1 */
  uint32_t* corners;
} sqi_corner_lists;

sq_status sqi_corner_lists_build(
  sq_context* context, const sqi_triangles* mesh, sqi_corner_lists* lists);
void sqi_corner_lists_free(const sq_allocator* allocator, int32_t vertex_count,
  int64_t triangle_count, sqi_corner_lists* lists);

/** The edge has one user, which has no neighbour there. */
#define SQI_EDGE_BOUNDARY (-1)
/** Codes from here down name a joint: the edge has a flat user, or more than two. */
#define SQI_EDGE_JOINT(code) (-2 - (code))

/**
 * What is at each edge. Edge 3 t + k of triangle t runs from its corner k to the next. A joint is an edge that more than two
 * triangles use, or a flat one; its users are members[start[j]] ... members[start[j + 1] - 1], ascending by
 * (third vertex, edge), a triangle twice where it uses the edge twice.
 */
typedef struct sqi_edges
{
  int32_t* across; /* by edge: the triangle on the other side, SQI_EDGE_BOUNDARY, or -2 - joint */
  int64_t joint_count;
  int64_t member_count;
  int64_t* start;
  int32_t* members;
  int32_t* ends; /* 2 a joint: its vertices, the lower first */
  int64_t boundary;
  int64_t non_manifold;
  int64_t inconsistent;
  int64_t unbalanced; /* not used equally often in both directions */
  int64_t duplicates; /* triangles with an area whose three vertices an earlier one has */
} sqi_edges;

/** Edges between equal vertices are none: `across` is SQI_EDGE_BOUNDARY there and nothing is counted. */
sq_status sqi_edges_build(
  sq_context* context, const sqi_triangles* mesh, const sqi_corner_lists* lists, sqi_edges* edges);

/** Gives back the members; the counts stay. */
void sqi_edges_free(const sq_allocator* allocator, int32_t triangle_count, sqi_edges* edges);

#endif
