#ifndef SQI_TETRA_LANES_H
#define SQI_TETRA_LANES_H
/**
 * The weights of eight points in tetrahedra, lane by lane the operations of sqk_cell_tetra_weights() and what leads to them, and so the
 * same bits.
 */
#include "sqi_simd.h"
#include "sqk_cell_math.h"

typedef double sqi_d8 __attribute__((vector_size(64)));
typedef int64_t sqi_l8 __attribute__((vector_size(64)));

SQI_SIMD sqi_d8 sqi_load_d8(const double* p)
{
  sqi_d8 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

SQI_SIMD sqi_d8 sqi_abs_d8(sqi_d8 a)
{
  return (sqi_d8)((sqi_l8)a & INT64_MAX);
}

SQI_SIMD sqi_d8 sqi_pick_d8(sqi_l8 mask, sqi_d8 yes, sqi_d8 no)
{
  return (sqi_d8)((mask & (sqi_l8)yes) | (~mask & (sqi_l8)no));
}

SQI_SIMD sqi_d8 sqi_larger_d8(sqi_d8 a, sqi_d8 b)
{
  return sqi_pick_d8(b <= a, a, b);
}

/** sqk_cell_max_abs(). */
SQI_SIMD sqi_d8 sqi_max_abs_d8(const sqi_d8* a, int count)
{
  sqi_d8 m = sqi_abs_d8(a[0]);
  for (int i = 1; i < count; ++i)
  {
    m = sqi_larger_d8(m, sqi_abs_d8(a[i]));
  }
  return m;
}

/** sqk_cell_unit_scale() of finite lengths. */
SQI_SIMD sqi_d8 sqi_tetra_unit(sqi_d8 length)
{
  sqi_l8 exponent = (sqi_l8)length >> 52;
  sqi_l8 low = exponent < 2045;
  sqi_l8 bits = ((low & (2045 - exponent)) | (~low & 1)) << 52;
  sqi_d8 one = length * 0.0 + 1.0;
  return sqi_pick_d8(length > 0.0, (sqi_d8)bits, one);
}

/** sqk_det3(). */
SQI_SIMD sqi_d8 sqi_det3_d8(const sqi_d8 a[3], const sqi_d8 b[3], const sqi_d8 c[3])
{
  sqi_d8 d0 = b[1] * c[2] - b[2] * c[1];
  sqi_d8 d1 = b[2] * c[0] - b[0] * c[2];
  sqi_d8 d2 = b[0] * c[1] - b[1] * c[0];
  return a[0] * d0 + a[1] * d1 + a[2] * d2;
}

/** Bit k: whether lane k is all ones. */
SQI_SIMD unsigned sqi_mask_l8(sqi_l8 a)
{
#if defined(__AVX512DQ__)
  return (unsigned)_mm512_movepi64_mask((__m512i)a);
#else
  unsigned bits = 0;
  for (int k = 0; k < 8; ++k)
  {
    bits |= (unsigned)(a[k] < 0) << k;
  }
  return bits;
#endif
}

/** sqk_cell_tetra_weights() of nodes q; lanes where the cell is flat are not set in the result. `solid`: none is. */
SQI_SIMD sqi_l8 sqi_tetra_weigh(const sqi_d8 q[12], int solid, sqi_d8 w[4])
{
  const sqi_d8 *a = q, *b = q + 3, *c = q + 6, *d = q + 9;
  sqi_d8 e[3][3], off[3];
  for (int i = 0; i < 3; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      e[i][k] = q[3 * (i + 1) + k] - a[k];
    }
  }
  sqi_d8 volume = sqi_det3_d8(e[0], e[1], e[2]);
  sqi_l8 right = volume == volume;
  if (!solid)
  {
    sqi_d8 size = sqi_max_abs_d8(&e[0][0], 9);
    right = sqi_abs_d8(volume) > 64.0 * SQK_CELL_EPSILON * size * size * size;
  }
  w[1] = -sqi_det3_d8(a, c, d) / volume;
  w[2] = sqi_det3_d8(a, b, d) / volume;
  w[3] = -sqi_det3_d8(a, b, c) / volume;
  w[0] = 1.0 - w[1] - w[2] - w[3];
  for (int k = 0; k < 3; ++k)
  {
    off[k] = 0.0 + w[0] * q[k];
    for (int i = 1; i < 4; ++i)
    {
      off[k] += w[i] * q[3 * i + k];
    }
  }
  w[1] += -sqi_det3_d8(off, e[1], e[2]) / volume;
  w[2] += -sqi_det3_d8(e[0], off, e[2]) / volume;
  w[3] += -sqi_det3_d8(e[0], e[1], off) / volume;
  /* Within sqk_shape_violation() <= 0. */
  right &= (w[1] >= 0.0) & (w[2] >= 0.0) & (w[3] >= 0.0) & (w[1] + w[2] + w[3] - 1.0 <= 0.0);
  w[0] = 1.0 - w[1] - w[2] - w[3];
  return right;
}

/** The same of nodes relative to the query, which are scaled first as sqi_mesh_cell_view() does. */
SQI_SIMD sqi_l8 sqi_tetra_scale_and_weigh(sqi_d8 q[12], sqi_d8 w[4])
{
  sqi_d8 unit = sqi_tetra_unit(sqi_max_abs_d8(q, 12));
  for (int i = 0; i < 12; ++i)
  {
    q[i] *= unit;
  }
  return sqi_tetra_weigh(q, 0, w);
}

#endif
