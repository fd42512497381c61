#ifndef SQI_MESH_INDEX_FACES_H
#define SQI_MESH_INDEX_FACES_H
/**
 * The surface of a polyhedron from its faces, once a build: faces are turned to one direction, flat ones cut by ears, warped
 * ones made a fan around the mean of their nodes.
 *
 * A surface is a list of numbers: how many triangles, how many middles, whether it is closed, three corners a triangle, and
 * for each middle a number of nodes and the nodes. Corners are local ids of the cell, then the middles.
 */
#include "sqi_cell_faces.h"
#include "sqi_mesh_index.h"
#include "sqi_triangulate.h"

/** Room for one cell; `face_max` (or node_max where it is more) entries each. */
typedef struct sqi_face_scratch
{
  sqi_face_walk* faces;
  sqi_clip_corner* corners;
  double* points; /* 3 each: of a face, or of a polygon */
  int32_t* queue;
  int32_t* local;
  int8_t* outward;
} sqi_face_scratch;

/** Numbers that the surface takes, and its middles; -1 when a face has a point that the cell has not. */
int64_t sqi_polyhedron_surface_size(
  const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* middle_count);

/** The triangles of a polygon, or of a quadratic one: that of its corners and the middles of its edges in turn. */
void sqi_cut_polygon(
  const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* triangles);

void sqi_polyhedron_surface(
  const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* surface);

#endif
