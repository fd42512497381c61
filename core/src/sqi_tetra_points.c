#include "sqi_tetra_points.h"
#include "sqi_level.h"
#include "sqi_tetra_lanes.h"

SQI_SIMD sqi_d8 set(double x)
{
  sqi_d8 v = { x, x, x, x, x, x, x, x };
  return v;
}

/** The nodes of the cells of eight points from `from` on, in which cell *c is the first one's; whether all cells are plain. */
SQI_SIMD int gather_nodes(const sqi_tetra_points* p, int32_t from, int32_t* c, sqi_d8 node[12])
{
  const sqi_l8 lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const sqi_tetra_cell* cell = p->cell + *c;
  int is_plain = cell->is_plain;
  for (int i = 0; i < 12; ++i)
  {
    node[i] = set(cell->corner[i]);
  }
  while (*c + 1 < p->cell_count && cell[1].begin < from + 8)
  {
    ++cell;
    ++*c;
    sqi_l8 mine = lane >= (int64_t)(cell->begin - from);
    for (int i = 0; i < 12; ++i)
    {
      node[i] = sqi_pick_d8(mine, set(cell->corner[i]), node[i]);
    }
    is_plain &= cell->is_plain;
  }
  return is_plain;
}

SQI_SIMD sqi_d8 gather(const double* from, const int32_t at[8])
{
  sqi_d8 v = { from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]], from[at[5]],
    from[at[6]], from[at[7]] };
  return v;
}

SQI_SIMD void gather_points(const sqi_tetra_points* p, int32_t from, sqi_d8 x[3])
{
  int32_t at[3][8];
  int32_t row = (1 << p->shift[0]) - 1;
  int32_t plane = (1 << (p->shift[1] - p->shift[0])) - 1;
  for (int k = 0; k < 8; ++k)
  {
    int32_t point = p->point[from + k];
    at[0][k] = point & row;
    at[1][k] = point >> p->shift[0] & plane;
    at[2][k] = point >> p->shift[1];
  }
  for (int d = 0; d < 3; ++d)
  {
    x[d] = gather(p->x[d], at[d]);
  }
}

void SQI_LEVEL_NAME(sqi_tetra_points_weigh)(sqi_tetra_points* p)
{
  int32_t c = 0;
  for (int32_t k = p->count; k < p->count + 8 && p->count; ++k)
  {
    p->point[k] = p->point[p->count - 1];
  }
  for (int32_t from = 0; from < p->count; from += 8)
  {
    sqi_d8 q[12], x[3], w[4];
    while (p->cell[c + 1].begin <= from)
    {
      ++c;
    }
    int is_plain = gather_nodes(p, from, &c, q) & p->is_plain;
    gather_points(p, from, x);
    for (int i = 0; i < 12; ++i)
    {
      q[i] -= x[i % 3];
    }
    sqi_l8 right = is_plain ? sqi_tetra_weigh(q, 1, w) : sqi_tetra_scale_and_weigh(q, w);
    for (int i = 0; i < 4; ++i)
    {
      memcpy(p->weight[i] + from, w + i, sizeof(w[i]));
    }
    p->right[from / 8] = (uint8_t)sqi_mask_l8(right);
  }
  /* Sums read eight at a time from any point on. */
  int32_t end = (p->count + 7) / 8 * 8;
  for (int i = 0; i < 4; ++i)
  {
    memset(p->weight[i] + end, 0, 8 * sizeof(*p->weight[i]));
  }
}

/* Eight points at a time from the cell's first one on; those of the next cell are written again. */
void SQI_LEVEL_NAME(sqi_tetra_points_sum)(
  const sqi_tetra_points* p, const double* value, double* sum)
{
  for (int32_t c = 0; c < p->cell_count; ++c)
  {
    for (int32_t k = p->cell[c].begin; k < p->cell[c + 1].begin; k += 8)
    {
      sqi_d8 s = set(0.0);
      for (int i = 0; i < 4; ++i)
      {
        s += sqi_load_d8(p->weight[i] + k) * set(value[4 * c + i]);
      }
      memcpy(sum + k, &s, sizeof(s));
    }
  }
}
