#ifndef SQT_SCENE_H
#define SQT_SCENE_H
/** Queries of one kind on one mesh, their answers by brute force, and the library held against them. */
#include "orc_queries.h"

#include "spatialqueries/sq_surface.h"

#define SQT_SCENE_MOST 48

typedef struct sqt_scene
{
  const char* name;
  unsigned flags; /* ORC_CLOSED ... */
  const orc_mesh* mesh;
  orc_query_kind kind;
  int count;
  double tolerance; /* 4 ulp of the scene size */
  double x[3 * SQT_SCENE_MOST];
  orc_answer want[SQT_SCENE_MOST];
} sqt_scene;

/** Makes the queries and answers them; the mesh is borrowed. */
void sqt_scene_fill(sqt_scene* scene, const char* name, unsigned flags, const orc_mesh* mesh,
  orc_query_kind kind, int count);

/**
 * Distance, sign, closest cell, closest point and barycentrics of every query, by every sign method; by the pseudonormal where
 * the flags have ORC_SIMPLE.
 */
void sqt_scene_check(const sqt_scene* scene, sq_context* context, const sq_surface* surface);

#endif
