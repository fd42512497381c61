#ifndef SQI_TETRA_POINTS_H
#define SQI_TETRA_POINTS_H
/**
 * Points of a brick of a grid, ordered by the tetrahedra that hold them: their weights and weighted sums, eight at a time, with the
 * bits of sqi_locate_evaluate().
 */
#include <stdint.h>

#define SQI_TETRA_POINTS 4096
#define SQI_TETRA_SIDE 64

typedef struct sqi_tetra_cell
{
  double corner[12]; /* coordinates of the nodes in turn */
  int32_t begin; /* of its points */
  int32_t is_plain; /* its corners are, and it is not flat: nothing has to be scaled or checked */
} sqi_tetra_cell;

typedef struct sqi_tetra_points
{
  double x[3][SQI_TETRA_SIDE]; /* coordinates of the brick's points along each axis */
  int32_t
    is_plain; /* they are 0 or of a size that no product of what is made of them leaves the range of doubles */
  int32_t shift[2]; /* point (i, j, k) is i | j << shift[0] | k << shift[1] */
  int32_t count;
  uint16_t point[SQI_TETRA_POINTS + 8];
  int32_t cell_count;
  sqi_tetra_cell cell[SQI_TETRA_POINTS + 1]; /* one more begins at `count` */
  double weight[4][SQI_TETRA_POINTS + 8]; /* of each of the ordered points */
  uint8_t right[SQI_TETRA_POINTS / 8 +
    1]; /* a bit a point: its weights are; others are for the kernels of one cell */
} sqi_tetra_points;

/** Sets `weight` and `right`. */
typedef void (*sqi_tetra_points_weigh)(sqi_tetra_points* points);

/** The sum of the weights times four numbers of `value` a cell; room for 8 more. */
typedef void (*sqi_tetra_points_sum)(
  const sqi_tetra_points* points, const double* value, double* sum);

sqi_tetra_points_weigh sqi_tetra_points_choose(sqi_tetra_points_sum* sum);

#define SQI_TETRA_POINTS_LEVEL(level)                            \
  void sqi_tetra_points_weigh_##level(sqi_tetra_points* points); \
  void sqi_tetra_points_sum_##level(                             \
    const sqi_tetra_points* points, const double* value, double* sum);
SQI_TETRA_POINTS_LEVEL(generic)
SQI_TETRA_POINTS_LEVEL(avx2)
SQI_TETRA_POINTS_LEVEL(avx512)
#undef SQI_TETRA_POINTS_LEVEL

#endif
