#ifndef SQI_COMPONENTS_H
#define SQI_COMPONENTS_H
/** The parts of a surface that are joined by common vertices. */
#include "sqi_edges.h"

typedef struct sqi_components
{
  int64_t count;
  int32_t vertex_count;
  int32_t*
    of_vertex; /* of a vertex that stands for its cluster: its component; -1: in no triangle */
} sqi_components;

/** Numbered by their lowest vertex. Give back with sqi_components_free(), after an error too. */
sq_status sqi_components_find(
  sq_context* context, const sqi_triangles* mesh, sqi_components* components);
void sqi_components_free(sq_context* context, sqi_components* components);

/** Whether no two components have boxes that meet, or that leave a gap of a few units in the last place only. */
sq_status sqi_components_are_apart(
  sq_context* context, const sqi_triangles* mesh, const sqi_components* components, int* apart);

/**
 * Whether some vertex is in more than one fan of triangles, as where two cubes share a corner. Of a mesh whose edges all have two
 * users, different ones that run in opposite directions.
 */
sq_status sqi_components_find_pinch(
  sq_context* context, const sqi_triangles* mesh, const sqi_edges* edges, int* pinched);

/**
 * How closed components face: 1 where all hold a positive volume (their normals point outward), -1 where all hold a negative one,
 * 0 where they differ or one holds none. Coordinates times `unit` are in range. `inward`: how many hold a negative volume.
 */
sq_status sqi_components_facing(sq_context* context, const sqi_triangles* mesh,
  const sqi_components* components, double unit, int* facing, int64_t* inward);

#endif
