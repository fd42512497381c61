#include "sqi_bricks.h"

int64_t sqi_bricks_lay(const sqi_axes* axes, int32_t points, int32_t side, sqi_bricks* b)
{
  b->side[0] = b->side[1] = b->side[2] = 1;
  for (int32_t now = 2; now <= points; now *= 2)
  {
    int best = -1;
    for (int d = 0; d < 3; ++d)
    {
      int more = b->side[d] < axes->count[d] && b->side[d] < side;
      best = more && (best < 0 || b->side[d] < b->side[best]) ? d : best;
    }
    if (best >= 0)
    {
      b->side[best] *= 2;
    }
  }
  for (int d = 0; d < 3; ++d)
  {
    b->along[d] = axes->count[d] ? (axes->count[d] - 1) / b->side[d] + 1 : 0;
  }
  return b->along[0] * b->along[1] * b->along[2];
}

sqi_brick sqi_brick_at(const sqi_axes* axes, const sqi_bricks* bricks, int64_t number)
{
  sqi_brick b;
  for (int d = 0; d < 3; ++d)
  {
    b.first[d] = number % bricks->along[d] * bricks->side[d];
    number /= bricks->along[d];
    int64_t left = axes->count[d] - b.first[d];
    b.count[d] = left < bricks->side[d] ? (int32_t)left : bricks->side[d];
  }
  return b;
}
