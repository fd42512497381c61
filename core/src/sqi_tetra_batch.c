#include "sqi_tetra_batch.h"
#include "sqi_level.h"
#include "sqi_tetra_lanes.h"

unsigned SQI_LEVEL_NAME(sqi_tetra_weights)(sqi_tetra_batch* batch)
{
  sqi_d8 q[12], x[3], w[4];
  sqi_d8 largest = sqi_abs_d8(sqi_load_d8(batch->x[0]));
  for (int d = 0; d < 3; ++d)
  {
    x[d] = sqi_load_d8(batch->x[d]);
    largest = sqi_larger_d8(largest, sqi_abs_d8(x[d]));
  }
  for (int i = 0; i < 12; ++i)
  {
    sqi_d8 p = sqi_load_d8(batch->corner[i]);
    largest = sqi_larger_d8(largest, sqi_abs_d8(p));
    q[i] = p - x[i % 3];
  }
  /* In the range where sqi_mesh_cell_view() takes differences as they are. */
  sqi_l8 right = sqi_tetra_scale_and_weigh(q, w) & (largest <= 0x1p1000);
  memcpy(batch->weight, w, sizeof(batch->weight));
  return sqi_mask_l8(right);
}
