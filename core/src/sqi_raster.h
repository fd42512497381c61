#ifndef SQI_RASTER_H
#define SQI_RASTER_H
/**
 * Containing cells of the points of a brick of a grid, by walking the cells that have points of it in their boxes
 * (sqi_raster_bins.h). The bound of a cell (sqi_cell_bound.h), a linear function along a row of points as in Pineda, "A parallel
 * algorithm for polygon rasterization", SIGGRAPH 1988, says which points are out and, for cells that are their bound, which are
 * in; the rest is decided by the kernels of the search.
 */
#include "sqi_locate_rows.h"

/** Most points of a brick, and along one axis. */
#define SQI_RASTER_POINTS 32768
#define SQI_RASTER_SIDE 64

/** Most points of a plane of a brick, and so many are listed before they are marked. */
#define SQI_RASTER_PLANE (SQI_RASTER_SIDE * SQI_RASTER_SIDE)
#define SQI_RASTER_LISTED SQI_RASTER_PLANE

/** Room for the points of a plane in front of a cell; sixteen are read and written at once. */
typedef struct sqi_raster_plane
{
  float base[3][SQI_RASTER_PLANE + 16];
  int32_t point[SQI_RASTER_PLANE + 16];
  int32_t in[SQI_RASTER_LISTED + SQI_RASTER_PLANE + 16];
  int32_t may[SQI_RASTER_LISTED + SQI_RASTER_PLANE + 16];
} sqi_raster_plane;

/** A brick and what is known of its points, i fastest; one a thread. */
typedef struct sqi_raster_brick
{
  int32_t count[3]; /* points along each axis */
  double x[3][SQI_RASTER_SIDE]; /* their coordinates, ascending or descending */
  float local[3][SQI_RASTER_SIDE + 8]; /* in a frame around the brick */
  uint8_t
    rank[SQI_RASTER_POINTS]; /* 0: inside of `number`, 1: within tolerance of it, 2: neither */
  int32_t number[SQI_RASTER_POINTS];
  int32_t cells[SQI_RASTER_POINTS]; /* at that rank */
  sqi_raster_plane plane;
} sqi_raster_brick;

/** Fills rank, number and cells, given count and x, from the cells `list`, which may come in any order. */
typedef void (*sqi_raster)(const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch,
  const int32_t* list, int64_t list_count, sqi_raster_brick* brick);

sqi_raster sqi_raster_choose(void);

#define SQI_RASTER_LEVEL(level)                                                           \
  void sqi_raster_##level(const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch, \
    const int32_t* list, int64_t list_count, sqi_raster_brick* brick);
SQI_RASTER_LEVEL(generic)
SQI_RASTER_LEVEL(avx2)
SQI_RASTER_LEVEL(avx512)
#undef SQI_RASTER_LEVEL

#endif
