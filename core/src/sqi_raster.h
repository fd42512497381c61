#ifndef SQI_RASTER_H
#define SQI_RASTER_H
/**
 * Containing cells of the points of a brick of a grid, by walking the cells that reach into the brick. The bound of a cell in its
 * leaf (sqi_mesh_index_leaf.h), a linear function along a row of points as in Pineda, "A parallel algorithm for polygon
 * rasterization", SIGGRAPH 1988, says which points are out and, for cells that are their bound, which are in;
 * the rest is decided by the kernels of the search.
 */
#include "sqi_locate_rows.h"

/** Most points of a brick, and along one axis. */
#define SQI_RASTER_POINTS 4096
#define SQI_RASTER_SIDE 64
/** Where more cells a point than this reach into a brick, searching is faster. */
#define SQI_RASTER_CELLS 4
#define SQI_RASTER_LEAVES (SQI_RASTER_POINTS * SQI_RASTER_CELLS / 8)

/** A brick and what is known of its points, i fastest; one a thread. */
typedef struct sqi_raster_brick
{
  int32_t count[3]; /* points along each axis */
  double x[3][SQI_RASTER_SIDE]; /* their coordinates, ascending or descending */
  float local[3][SQI_RASTER_SIDE + 8]; /* in the frame of the tree */
  int32_t leaves[SQI_RASTER_LEAVES];
  uint8_t
    rank[SQI_RASTER_POINTS]; /* 0: inside of `number`, 1: within tolerance of it, 2: neither */
  int32_t number[SQI_RASTER_POINTS + 8]; /* eight are read and written at once */
  int32_t cells[SQI_RASTER_POINTS + 8]; /* at that rank */
} sqi_raster_brick;

/** Fills rank, number and cells, given count and x; 0 (nothing is filled) where searching is faster. */
typedef int (*sqi_raster)(
  const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch, sqi_raster_brick* brick);

sqi_raster sqi_raster_choose(void);

int sqi_raster_generic(
  const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch, sqi_raster_brick* brick);
int sqi_raster_avx2(
  const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch, sqi_raster_brick* brick);
int sqi_raster_avx512(
  const sqi_locate_rules* rules, const sqi_mesh_scratch* scratch, sqi_raster_brick* brick);

#endif
