#ifndef SQI_TETRA_BATCH_H
#define SQI_TETRA_BATCH_H
/** Weights in eight tetrahedra at once, with the bits of sqi_locate_evaluate(): lane by lane the same operations. */
#include <stdint.h>

#define SQI_TETRA_LANES 8

typedef struct sqi_tetra_batch
{
  double corner[12][SQI_TETRA_LANES]; /* coordinates of the nodes in turn */
  double x[3][SQI_TETRA_LANES]; /* the query */
  double weight[4][SQI_TETRA_LANES];
} sqi_tetra_batch;

/** Sets the weights; bit i of the result: those of lane i are right. Others are for the kernels of one cell. */
typedef unsigned (*sqi_tetra_weights)(sqi_tetra_batch* batch);

sqi_tetra_weights sqi_tetra_weights_choose(void);

unsigned sqi_tetra_weights_generic(sqi_tetra_batch* batch);
unsigned sqi_tetra_weights_avx2(sqi_tetra_batch* batch);
unsigned sqi_tetra_weights_avx512(sqi_tetra_batch* batch);

#endif
