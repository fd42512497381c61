#ifndef SQI_JOIN_TETRA_H
#define SQI_JOIN_TETRA_H
/** Boxes and bounds of eight tetrahedra at a time, as set_bound() makes them of one (sqi_join_cell.h). */
#include "sqi_join_cell.h"

/** Flatter tetrahedra than this, for their edges and for their size, are left to set_bound(). */
#define TETRA_FLAT 1e-6
#define TETRA_THIN 1e-8

/** Consecutive cells, one a lane: those that are no tetrahedra have corners of 0. */
typedef struct tetras
{
  uint64_t good; /* bits of those that have a bound here */
  double corner[12][SQI_JOIN_WORD];
  double floor_ulp[SQI_JOIN_WORD];
  double lo[3][SQI_JOIN_WORD]; /* boxes, widened by at least the tolerance */
  double hi[3][SQI_JOIN_WORD];
  double middle[3][SQI_JOIN_WORD];
  double row[3][3][SQI_JOIN_WORD];
  double base[3][SQI_JOIN_WORD];
  double out[4][SQI_JOIN_WORD]; /* by how much the functions and at last their sum may be out */
  double in[4][SQI_JOIN_WORD];
} tetras;

SQI_SIMD sqi_eight magnitude(sqi_eight a)
{
  return (sqi_eight)((sqi_eight_bits)a & INT64_MAX);
}

SQI_SIMD void put(double* to, sqi_eight v)
{
  memcpy(to, &v, sizeof(v));
}

SQI_SIMD sqi_eight dot(const sqi_eight a[3], const sqi_eight b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The boxes of eight cells, and how far they are widened. */
SQI_SIMD sqi_eight box_tetras(const sqi_locate_rules* rules, tetras* t, int at)
{
  sqi_eight lo[3], hi[3], largest = sqi_set(0.0), size = sqi_set(0.0);
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = hi[d] = sqi_load(t->corner[d] + at);
    for (int i = 1; i < 4; ++i)
    {
      lo[d] = sqi_smaller(lo[d], sqi_load(t->corner[3 * i + d] + at));
      hi[d] = sqi_larger(hi[d], sqi_load(t->corner[3 * i + d] + at));
    }
    largest = sqi_larger(largest, sqi_larger(magnitude(lo[d]), magnitude(hi[d])));
    size += hi[d] - lo[d];
    put(t->middle[d] + at, 0.5 * lo[d] + 0.5 * hi[d]);
  }
  /* As sqi_raster_tolerance_above(). */
  sqi_eight pad = sqi_set(rules->options.tolerance);
  pad *= rules->options.tolerance_type == SQ_TOLERANCE_RELATIVE ? 1.001 * size : sqi_set(1.0);
  pad = sqi_larger(pad, sqi_load(t->floor_ulp + at) * largest);
  for (int d = 0; d < 3; ++d)
  {
    put(t->lo[d] + at, lo[d] - pad);
    put(t->hi[d] + at, hi[d] + pad);
  }
  return pad;
}

/** The boxes of the cells at ... at + 7, and the bounds of those that are tetrahedra and not too flat. */
SQI_SIMD void bound_tetras(const sqi_locate_rules* rules, tetras* t, int at)
{
  sqi_eight pad = box_tetras(rules, t, at);
  sqi_eight e[3][3], first[3], reach[3], row[3][3], size = sqi_set(0.0);
  for (int d = 0; d < 3; ++d)
  {
    sqi_eight p = sqi_load(t->corner[d] + at);
    first[d] = sqi_load(t->middle[d] + at) - p;
    /* How far points in the box, and the middle, are from the first corner. */
    reach[d] = 2.0 * (sqi_load(t->hi[d] + at) - sqi_load(t->lo[d] + at));
    for (int k = 0; k < 3; ++k)
    {
      e[k][d] = sqi_load(t->corner[3 * (k + 1) + d] + at) - p;
      size = sqi_larger(size, magnitude(e[k][d]));
    }
  }
  for (int k = 0; k < 3; ++k)
  {
    const sqi_eight *a = e[(k + 1) % 3], *b = e[(k + 2) % 3];
    for (int d = 0; d < 3; ++d)
    {
      int y = (d + 1) % 3, z = (d + 2) % 3;
      row[k][d] = a[y] * b[z] - a[z] * b[y];
    }
  }
  sqi_eight volume = dot(e[0], row[0]), one = 1.0 / volume;
  sqi_eight lengths2 = dot(e[0], e[0]) * dot(e[1], e[1]) * dot(e[2], e[2]);
  sqi_eight out_sum = sqi_set(MARGIN), in_sum = sqi_set(MARGIN);
  for (int k = 0; k < 3; ++k)
  {
    sqi_eight norm = sqi_set(0.0), error = sqi_set(0.0);
    for (int d = 0; d < 3; ++d)
    {
      row[k][d] *= one;
      norm += magnitude(row[k][d]);
      error += magnitude(row[k][d]) * reach[d];
      put(t->row[k][d] + at, row[k][d]);
    }
    put(t->base[k] + at, dot(row[k], first));
    error = ERROR * error + MARGIN;
    sqi_eight out = error + norm * pad;
    put(t->out[k] + at, out);
    put(t->in[k] + at, 2.0 * error);
    out_sum += out;
    in_sum += 2.0 * error;
  }
  put(t->out[3] + at, out_sum);
  put(t->in[3] + at, in_sum);
  sqi_hits good = sqi_at_most(TETRA_FLAT * TETRA_FLAT * lengths2, volume * volume);
  good &= sqi_at_most(TETRA_THIN * size * size * size, magnitude(volume));
  good &= sqi_at_most(sqi_set(0x1p-1000), lengths2) & sqi_at_most(lengths2, sqi_set(0x1p1000));
  good &= sqi_at_most(out_sum, sqi_set(0x1p60));
  t->good |= (uint64_t)sqi_hit_bits(good) << at;
}

/** A tetrahedron with the bound that it has here; it is opened where the kernels have to be asked. */
static inline void set_tetra(const tetras* t, int at, joined* c)
{
  c->is_bound = c->tetra = 1;
  c->kind = SQI_BOUND_TETRA;
  c->passes_all = 0;
  for (int k = 0; k < 3; ++k)
  {
    c->middle[k] = t->middle[k][at];
    for (int d = 0; d < 3; ++d)
    {
      c->row[k][d] = t->row[k][d][at];
    }
    c->base[k] = t->base[k][at];
    c->low[k] = -t->out[k][at];
    c->in_low[k] = t->in[k][at];
  }
  c->high[3] = 1.0 + t->out[3][at];
  c->in_high[3] = 1.0 - t->in[3][at];
}

#endif
