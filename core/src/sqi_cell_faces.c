#include "sqi_cell_faces.h"

/* Number of faces, then every face: its size and its corners, as vtkTetra.cxx and its like list them. For a cell that is
   oriented as VTK asks, they face outward. */
static const uint8_t tetra[] = { 4, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2, 0, 3, 3, 0, 2, 1 };
static const uint8_t voxel[] = { 6, 4, 2, 0, 4, 6, 4, 1, 3, 7, 5, 4, 0, 1, 5, 4, 4, 3, 2, 6, 7, 4,
  1, 0, 2, 3, 4, 4, 5, 7, 6 };
static const uint8_t hexahedron[] = { 6, 4, 0, 4, 7, 3, 4, 1, 2, 6, 5, 4, 0, 1, 5, 4, 4, 3, 7, 6, 2,
  4, 0, 3, 2, 1, 4, 4, 5, 6, 7 };
static const uint8_t wedge[] = { 5, 3, 0, 1, 2, 3, 3, 5, 4, 4, 0, 3, 4, 1, 4, 1, 4, 5, 2, 4, 2, 5,
  3, 0 };
static const uint8_t pyramid[] = { 5, 4, 0, 3, 2, 1, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0,
  4 };
static const uint8_t pentagonal_prism[] = { 7, 5, 0, 4, 3, 2, 1, 5, 5, 6, 7, 8, 9, 4, 0, 1, 6, 5, 4,
  1, 2, 7, 6, 4, 2, 3, 8, 7, 4, 3, 4, 9, 8, 4, 4, 0, 5, 9 };
static const uint8_t hexagonal_prism[] = { 8, 6, 0, 5, 4, 3, 2, 1, 6, 6, 7, 8, 9, 10, 11, 4, 0, 1,
  7, 6, 4, 1, 2, 8, 7, 4, 2, 3, 9, 8, 4, 3, 4, 10, 9, 4, 4, 5, 11, 10, 4, 5, 0, 6, 11 };

static const uint8_t* table_of(int type)
{
  static const uint8_t* const tables[] = { tetra, voxel, hexahedron, wedge, pyramid,
    pentagonal_prism, hexagonal_prism };
  return type >= SQ_CELL_TETRA && type <= SQ_CELL_HEXAGONAL_PRISM ? tables[type - SQ_CELL_TETRA]
                                                                  : NULL;
}

void sqi_face_begin(sqi_face_walk* walk, const sq_cells* cells, int64_t c)
{
  int type = sqi_cell_kind(cells, c);
  walk->cells = cells;
  walk->offset = sqi_cell_offset(cells, c);
  walk->table = table_of(type);
  walk->stream = NULL;
  walk->table_corners = NULL;
  walk->stream_corners = NULL;
  walk->left = 0;
  walk->size = 0;
  if (walk->table)
  {
    walk->left = *walk->table++;
  }
  else if (type == SQ_CELL_POLYHEDRON && cells->faces &&
    cells->face_offsets[c] < cells->face_offsets[c + 1])
  {
    walk->stream = cells->faces + cells->face_offsets[c];
    walk->left = *walk->stream++;
  }
}

int sqi_face_next(sqi_face_walk* walk)
{
  if (walk->left <= 0)
  {
    return 0;
  }
  --walk->left;
  if (walk->table)
  {
    walk->size = *walk->table++;
    walk->table_corners = walk->table;
    walk->table += walk->size;
  }
  else
  {
    walk->size = *walk->stream++;
    walk->stream_corners = walk->stream;
    walk->stream += walk->size;
  }
  return 1;
}
