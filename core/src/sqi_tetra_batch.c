#include "sqi_tetra_batch.h"
#include "sqi_level.h"
#include "sqi_simd.h"
#include "sqk_cell_math.h"

typedef double lanes __attribute__((vector_size(64)));
typedef int64_t masks __attribute__((vector_size(64)));

SQI_SIMD lanes load(const double* p)
{
  lanes v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD lanes magnitude(lanes a)
{
  return (lanes)((masks)a & INT64_MAX);
}

SQI_SIMD lanes pick(masks mask, lanes yes, lanes no)
{
  return (lanes)((mask & (masks)yes) | (~mask & (masks)no));
}

SQI_SIMD lanes larger(lanes a, lanes b)
{
  return pick(b <= a, a, b);
}

/** sqk_cell_max_abs(). */
SQI_SIMD lanes max_abs(const lanes* a, int count)
{
  lanes m = magnitude(a[0]);
  for (int i = 1; i < count; ++i)
  {
    m = larger(m, magnitude(a[i]));
  }
  return m;
}

/** sqk_cell_unit_scale() of finite lengths. */
SQI_SIMD lanes unit_scale(lanes length)
{
  masks exponent = (masks)length >> 52;
  masks low = exponent < 2045;
  masks bits = ((low & (2045 - exponent)) | (~low & 1)) << 52;
  lanes one = length * 0.0 + 1.0;
  return pick(length > 0.0, (lanes)bits, one);
}

/** sqk_det3(). */
SQI_SIMD lanes det3(const lanes a[3], const lanes b[3], const lanes c[3])
{
  lanes d0 = b[1] * c[2] - b[2] * c[1];
  lanes d1 = b[2] * c[0] - b[0] * c[2];
  lanes d2 = b[0] * c[1] - b[1] * c[0];
  return a[0] * d0 + a[1] * d1 + a[2] * d2;
}

/** sqk_cell_tetra_weights() of nodes q; lanes where the cell is flat are not set in the result. */
SQI_SIMD masks weights_of(const lanes q[12], lanes w[4])
{
  const lanes *a = q, *b = q + 3, *c = q + 6, *d = q + 9;
  lanes e[3][3], off[3];
  for (int i = 0; i < 3; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      e[i][k] = q[3 * (i + 1) + k] - a[k];
    }
  }
  lanes size = max_abs(&e[0][0], 9);
  lanes volume = det3(e[0], e[1], e[2]);
  masks solid = magnitude(volume) > 64.0 * SQK_CELL_EPSILON * size * size * size;
  w[1] = -det3(a, c, d) / volume;
  w[2] = det3(a, b, d) / volume;
  w[3] = -det3(a, b, c) / volume;
  w[0] = 1.0 - w[1] - w[2] - w[3];
  for (int k = 0; k < 3; ++k)
  {
    off[k] = 0.0 + w[0] * q[k];
    for (int i = 1; i < 4; ++i)
    {
      off[k] += w[i] * q[3 * i + k];
    }
  }
  w[1] += -det3(off, e[1], e[2]) / volume;
  w[2] += -det3(e[0], off, e[2]) / volume;
  w[3] += -det3(e[0], e[1], off) / volume;
  return solid;
}

unsigned SQI_LEVEL_NAME(sqi_tetra_weights)(sqi_tetra_batch* batch)
{
  lanes q[12], x[3], w[4];
  lanes largest = magnitude(load(batch->x[0]));
  for (int d = 0; d < 3; ++d)
  {
    x[d] = load(batch->x[d]);
    largest = larger(largest, magnitude(x[d]));
  }
  for (int i = 0; i < 12; ++i)
  {
    lanes p = load(batch->corner[i]);
    largest = larger(largest, magnitude(p));
    q[i] = p - x[i % 3];
  }
  lanes unit = unit_scale(max_abs(q, 12));
  for (int i = 0; i < 12; ++i)
  {
    q[i] *= unit;
  }
  /* Within sqk_shape_violation() <= 0, and in the range where sqi_mesh_cell_view() takes differences as they are. */
  masks right = weights_of(q, w) & (largest <= 0x1p1000);
  right &= (w[1] >= 0.0) & (w[2] >= 0.0) & (w[3] >= 0.0) & (w[1] + w[2] + w[3] - 1.0 <= 0.0);
  w[0] = 1.0 - w[1] - w[2] - w[3];
  memcpy(batch->weight, w, sizeof(batch->weight));
  unsigned bits = 0;
  for (int i = 0; i < SQI_TETRA_LANES; ++i)
  {
    bits |= right[i] ? 1u << i : 0u;
  }
  return bits;
}
