#ifndef SQI_REGULAR_NETS_H
#define SQI_REGULAR_NETS_H
/**
 * Curved solids with a fixed number of nodes as Bezier maps over a widened domain: their control points are the same sums of the
 * nodes in all cells of a type, so these are made once (see sqi_mesh_regular.c).
 */
#include "spatialqueries/sq_context.h"
#include "sqk_cell_curved_find.h"

/** Lattice points of the largest net of a fixed type: order 4 over a tetrahedron. */
#define SQI_NET_POINTS 35
/** Fixed types that have one. */
#define SQI_NET_TYPES 9

typedef struct sqi_regular_net
{
  int32_t type;
  int32_t count; /* control points */
  int32_t pairs;
  double error; /* how far control points can be off by rounding, for nodes of at most 1 */
  double scale[3]; /* what makes derivatives by each parameter of the differences along it */
  uint8_t pair[3 * SQI_NET_POINTS][3]; /* from, to, along which parameter */
  double control[SQI_NET_POINTS][SQK_SHAPE_NODES]; /* the sums */
} sqi_regular_net;

/** Fills SQI_NET_TYPES nets. */
sq_status sqi_regular_nets_build(sq_context* context, sqi_regular_net* nets);

/** The net of a type, NULL if it has none: beyond the apex of a pyramid every root has a mirror image. */
const sqi_regular_net* sqi_regular_net_of(const sqi_regular_net* nets, int type);

/** How much longer the widened domain is along the parameters of a factor. */
double sqi_net_widened(const sqk_layout_factor* factor);

/** The parameters of point i of the lattice of the widened domain; 0 where there are fewer than three. */
void sqi_net_parameters(
  const sqk_layout_factor* factor, int32_t factor_count, int32_t i, double r[3]);

/** The lattice point of a factor beyond number i along its parameter k; -1: there is none. */
int32_t sqi_net_neighbour(const sqk_layout_factor* factor, int32_t i, int k);

#endif
