/** The boxes of a mesh index, for pictures of it. */
#include "sq_test.h"
#include "sqt_query.h"

#include <math.h>

/** Boxes of one depth, and the leaves above it, hold all cells; deeper ones are smaller. */
static void boxes_of_the_tree(void)
{
  orc_zoo zoo = orc_make_zoo(ORC_ZOO_BOXES, 6, 1);
  sq_cells b = sqt_cells_of_zoo(&zoo);
  sqt_asker a = sqt_asker_open(&b, 1);
  static double boxes[6 * 1000];
  int32_t depth = sq_mesh_index_depth(a.index);
  double before = HUGE_VAL;
  CHECK(depth >= 2);
  for (int32_t d = 0; d <= depth; ++d)
  {
    int64_t n = sq_mesh_index_boxes(a.index, d, 1000, boxes);
    double volume = 0.0;
    REQUIRE(n >= 1 && n <= 1000);
    CHECK_INT(sq_mesh_index_boxes(a.index, d, 0, NULL), n);
    for (int64_t c = 0; c < zoo.count; ++c)
    {
      orc_cell cell = orc_zoo_cell(&zoo, c);
      int held = 0;
      for (int64_t i = 0; i < n && !held; ++i)
      {
        held = 1;
        for (int k = 0; k < 3 * cell.count; ++k)
        {
          double x = cell.x[k / 3][k % 3];
          held &= x >= boxes[6 * i + k % 3] && x <= boxes[6 * i + 3 + k % 3];
        }
      }
      CHECK(held);
    }
    for (int64_t i = 0; i < n; ++i)
    {
      const double* x = boxes + 6 * i;
      volume += (x[3] - x[0]) * (x[4] - x[1]) * (x[5] - x[2]);
    }
    CHECK(d == 0 ? n == 1 : n > 1);
    CHECK(volume / (double)n <= before * (1.0 + 1e-5));
    before = volume / (double)n;
  }
  int64_t leaves = sq_mesh_index_boxes(a.index, -1, 0, NULL);
  CHECK_INT(sq_mesh_index_boxes(a.index, depth, 0, NULL), leaves);
  boxes[6] = -5.0;
  CHECK_INT(sq_mesh_index_boxes(a.index, -1, 1, boxes), leaves);
  CHECK_NEAR(boxes[6], -5.0, 0.0);
  sqt_asker_close(&a);
  orc_zoo_free(&zoo);
}

static const sqt_case cases[] = {
  { "boxes of the tree", boxes_of_the_tree },
};
SQT_MAIN(cases)
