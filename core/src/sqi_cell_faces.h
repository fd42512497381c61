#ifndef SQI_CELL_FACES_H
#define SQI_CELL_FACES_H
/** Walks over the faces of 3-D cells, in VTK's order of faces and of corners; those of curved cells are of their corners. */
#include "sqi_view.h"
#include "sqk_shape_faces.h"

/** Dimension of a cell, -1 for a type that the library does not know. */
static inline int sqi_cell_dimension(const sq_cells* cells, int64_t c)
{
  return sqk_shape_dimension(sqk_shape_kind(sqi_cell_kind(cells, c), 0));
}

/** One face: its corners are sqi_face_point(walk, 0) ... sqi_face_point(walk, size - 1). */
typedef struct sqi_face_walk
{
  const sq_cells* cells;
  int64_t offset; /* of the cell's points in the connectivity */
  int32_t type; /* of the linear solid with these faces; -1: a polyhedron, or no solid */
  int32_t face; /* of it: the next one */
  const int32_t* stream; /* of a polyhedron: the rest of the face stream */
  int32_t left; /* of it: faces still to come */
  int32_t size;
  int corners[SQK_SHAPE_CORNERS]; /* local ids */
  const int32_t* stream_corners;
} sqi_face_walk;

/** Before the first face of cell c; sqi_face_next() moves on and is 0 after the last one. */
void sqi_face_begin(sqi_face_walk* walk, const sq_cells* cells, int64_t c);
int sqi_face_next(sqi_face_walk* walk);

/** Point id (in the block) of corner k of the face. */
static inline int64_t sqi_face_point(const sqi_face_walk* walk, int32_t k)
{
  return walk->stream_corners ? walk->stream_corners[k]
                              : sqi_cell_point(walk->cells, walk->offset, walk->corners[k]);
}

/**
 * outward[f] = 1 where face f of the cell faces away from it, -1 where it faces inward. Directions are made to fit along
 * common edges and the volume positive, so neither the order of the cell's points nor that of a polyhedron's faces matters.
 * `faces`, `queue` and `outward` hold as many entries as the cell has faces.
 */
void sqi_orient_faces(
  const sq_cells* cells, int64_t c, sqi_face_walk* faces, int32_t* queue, int8_t* outward);

#endif
