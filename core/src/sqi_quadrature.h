#ifndef SQI_QUADRATURE_H
#define SQI_QUADRATURE_H
/** Lengths, areas and volumes of curved cells, by Gauss and Legendre's rules. */
#include "sqk_cell_invert.h"

/** Most points of a rule; 24 are enough for the volumes of cells of order SQ_CELL_ORDER_MAX. */
#define SQI_GAUSS_MAX 32

/** Rule n, on [0, 1]: entries n (n - 1) / 2 and the n - 1 after it. */
typedef struct sqi_gauss
{
  double at[SQI_GAUSS_MAX * (SQI_GAUSS_MAX + 1) / 2];
  double weight[SQI_GAUSS_MAX * (SQI_GAUSS_MAX + 1) / 2];
} sqi_gauss;

void sqi_gauss_fill(sqi_gauss* rules);

/**
 * The measure of a curved cell whose component d of derivatives (curves) or normals (surfaces) counts `factor[d]` times. Volumes of
 * polynomial maps: the rule that is exact for them; else rules of more and more points until two agree to 1e-12.
 */
double sqi_quadrature(const sqi_gauss* rules, const sqk_cell* cell, const double factor[3]);

#endif
