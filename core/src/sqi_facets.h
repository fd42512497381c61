#ifndef SQI_FACETS_H
#define SQI_FACETS_H
/**
 * The triangles of 2-D cells, the segments of lines and the points of vertices. Curved cells are cut along their nodes, which lie
 * on them; Bezier cells, of which only the corners do, have those of their corners.
 */
#include "sqi_view.h"
#include "sqk_layout.h"

/** A cell has a number of points that its type allows. */
int sqi_facet_points_fit(const sq_cells* cells, int64_t c);

/** Facets of cell c; 0 for solids and types that the library does not know. */
int64_t sqi_facet_count(const sq_cells* cells, int64_t c);

/** Polygons are cut by ears: corner i of the ring of n points, as a position in the cell. */
static inline int sqi_facet_is_polygon(int type)
{
  return type == SQ_CELL_POLYGON || type == SQ_CELL_QUADRATIC_POLYGON;
}
static inline int32_t sqi_facet_ring(int type, int32_t n, int32_t i)
{
  return type == SQ_CELL_POLYGON ? i : i / 2 + (i % 2 ? n / 2 : 0);
}

/** How a cell that is no polygon is cut. */
typedef struct sqi_facets
{
  int type;
  int32_t order[2]; /* of a cell with a lattice of nodes */
  int16_t node[SQK_ORDER_ROOM * SQK_ORDER_ROOM]; /* at (i, j): i + j * SQK_ORDER_ROOM */
} sqi_facets;

void sqi_facets_begin(const sq_cells* cells, int64_t c, sqi_facets* facets);

/** Corners of facet i as positions in the cell: a, b, b for a segment, a, a, a for a point. */
void sqi_facet_corners(const sqi_facets* facets, int64_t i, int64_t p[3]);

#endif
