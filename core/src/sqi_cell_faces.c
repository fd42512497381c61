#include "sqi_cell_faces.h"

void sqi_face_begin(sqi_face_walk* walk, const sq_cells* cells, int64_t c)
{
  int type = sqi_cell_kind(cells, c);
  int solid =
    sqi_cell_dimension(cells, c) == 3 && sqi_cell_offset(cells, c) < sqi_cell_offset(cells, c + 1);
  walk->cells = cells;
  walk->offset = sqi_cell_offset(cells, c);
  walk->type = solid && type != SQ_CELL_POLYHEDRON ? sqk_shape_corner_type(type) : -1;
  walk->face = 0;
  walk->stream = NULL;
  walk->stream_corners = NULL;
  walk->left = 0;
  walk->size = 0;
  if (type == SQ_CELL_POLYHEDRON && cells->faces &&
    cells->face_offsets[c] < cells->face_offsets[c + 1])
  {
    walk->stream = cells->faces + cells->face_offsets[c];
    walk->left = *walk->stream++;
  }
}

int sqi_face_next(sqi_face_walk* walk)
{
  if (walk->type >= 0)
  {
    walk->size = sqk_shape_face(walk->type, walk->face++, walk->corners);
    return walk->size > 0;
  }
  if (walk->left <= 0)
  {
    return 0;
  }
  --walk->left;
  walk->size = *walk->stream++;
  walk->stream_corners = walk->stream;
  walk->stream += walk->size;
  return 1;
}
