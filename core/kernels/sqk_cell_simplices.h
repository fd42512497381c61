#ifndef SQK_CELL_SIMPLICES_H
#define SQK_CELL_SIMPLICES_H
/**
 * The simplices that a cell counts as for distances: the boundary triangles of solids, the triangles of surfaces, the
 * segments of lines, the points of vertices. Not for curved cells, which have none.
 */
#include "sqk_cell_boundary.h"
#include "sqk_cell_types.h"

typedef struct sqk_simplices
{
  const sqk_cell* cell;
  int32_t next;
  /* Of a solid: the face at work, and its corners. */
  int32_t face;
  int size;
  int ids[SQK_SHAPE_CORNERS];
} sqk_simplices;

SQK_INLINE void sqk_simplices_begin(const sqk_cell* cell, sqk_simplices* s)
{
  s->cell = cell;
  s->next = 0;
  s->face = -1;
  s->size = 0;
}

SQK_INLINE int sqk_simplex_set(int a, int b, int c, int count, int32_t node[3])
{
  node[0] = a, node[1] = b, node[2] = c;
  return count;
}

/** Triangle k of a quadrilateral. */
SQK_INLINE int sqk_simplex_of_quad(const double* q, const int ids[4], int k, int32_t node[3])
{
  int first = sqk_cell_quad_cut(q, ids) == 2;
  return sqk_simplex_set(ids[first], ids[first + 1 + k], ids[(first + 2 + k) % 4], 3, node);
}

/** The next triangle of a solid with linear faces. */
SQK_INLINE int sqk_simplex_of_solid(sqk_simplices* s, int32_t node[3])
{
  if (s->next + 2 >= s->size)
  {
    s->size = sqk_shape_face(s->cell->type, ++s->face, s->ids);
    s->next = 0;
    if (s->size == 0)
    {
      return 0;
    }
  }
  int k = s->next++;
  if (s->size == 4)
  {
    return sqk_simplex_of_quad(s->cell->q, s->ids, k, node);
  }
  /* As sqk_cell_foot_shape(): a fan around the last corner. */
  return sqk_simplex_set(s->ids[s->size - 1], s->ids[k], s->ids[k + 1], 3, node);
}

/** Triangle k of a polygon or polyhedron. */
SQK_INLINE int sqk_simplex_of_list(const sqk_cell* cell, int32_t k, int32_t node[3])
{
  int32_t count = cell->type == SQ_CELL_POLYHEDRON ? cell->triangle_count : cell->count - 2;
  if (k >= count)
  {
    return 0;
  }
  if (!cell->triangles)
  {
    return sqk_simplex_set(cell->count - 1, k, k + 1, 3, node);
  }
  const int32_t* t = cell->triangles + 3 * k;
  return sqk_simplex_set(t[0], t[1], t[2], 3, node);
}

/** The corners of the next simplex, and how many (1, 2, 3); 0 after the last one. */
SQK_INLINE int sqk_simplices_next(sqk_simplices* s, int32_t node[3])
{
  const sqk_cell* cell = s->cell;
  int32_t n = cell->count;
  int type = cell->type;
  if (type != SQ_CELL_POLYHEDRON && sqk_shape_dimension(type) == 3)
  {
    return sqk_simplex_of_solid(s, node);
  }
  int32_t k = s->next++;
  int size = type == SQ_CELL_POLYHEDRON ? 1 : sqk_shape_dimension(type) + 1;
  if (n < size) /* a line of one point, a polygon of two */
  {
    return k == 0 ? sqk_simplex_set(0, n - 1, n - 1, 2, node) : 0;
  }
  switch (type)
  {
    case SQ_CELL_PIXEL:
    case SQ_CELL_QUAD:
      return k < 2 ? sqk_simplex_of_quad(cell->q, sqk_cell_ring(type), k, node) : 0;
    case SQ_CELL_POLYGON:
    case SQ_CELL_POLYHEDRON:
      return sqk_simplex_of_list(cell, k, node);
    default:
      return k + size <= n ? sqk_simplex_set(k, k + 1, k + 2, size, node) : 0;
  }
}

#endif
