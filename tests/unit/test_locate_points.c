/** Scattered points with a compact location: the bits of sq_locate(), for every type of cell. */
#include "sq_test.h"
#include "sqt_bag.h"
#include "sqt_grid.h"
#include "sqt_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Every mode and rule; tolerances from none to a tenth of the cell. */
static sq_locate_options options_of(int k)
{
  static const double tolerances[5] = { 1e-6, 0.0, 0.1, 0.02, 1e-300 };
  sq_locate_options o = sq_locate_options_default();
  o.mode = (sq_locate_mode)(k % 3);
  o.multiple_cells = (sq_multiple_cells)(k / 3 % 3);
  o.tolerance = tolerances[k % 5];
  o.tolerance_type = k % 5 == 3 ? SQ_TOLERANCE_ABSOLUTE : SQ_TOLERANCE_RELATIVE;
  o.nearest_by = (sq_nearest_by)(k / 5 % 2);
  o.outside_value = (sq_outside_value)(k / 2 % 2);
  o.max_distance = k % 4 ? (double)INFINITY : 0.05;
  return o;
}

static void check_points(sq_context* c, const sq_mesh_index* index, const sq_cells* block,
  const sq_points* p, const sq_locate_options* o, const char* name)
{
  sq_location *want = NULL, *compact = NULL;
  CHECK_STATUS(sq_locate_points(c, index, p, o, &compact), SQ_OK);
  CHECK_STATUS(sq_locate(c, index, p, o, &want), SQ_OK);
  int ok = want && compact && sqt_check_compact(c, compact, want, block);
  CHECK_TEXT(ok, "points \"%s\", mode %d, rule %d, tolerance %g of type %d, nearest by %d", name,
    (int)o->mode, (int)o->multiple_cells, o->tolerance, (int)o->tolerance_type, (int)o->nearest_by);
  sq_location_destroy(compact);
  sq_location_destroy(want);
}

/** A mesh of every type of cell, with and without global ids. */
static void every_type(void)
{
  static sqt_bag bag;
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int seed = 0; seed < 2; ++seed)
  {
    sqt_make_bag(&bag, 10 + (uint64_t)seed, seed);
    for (int i = 0; i < SQT_GRIDS; ++i)
    {
      sq_mesh_index* index = sqt_index(c, &bag.cells, 1);
      sqt_grid g = sqt_make_grid(i);
      sqt_thin_grid(&g, 8);
      sq_points p = sqt_points_of(&g);
      sq_locate_options o = options_of(7 * i + 5 * seed);
      check_points(c, index, &bag.cells, &p, &o, g.name);
      free((void*)p.data);
      sq_mesh_index_destroy(index);
    }
  }
  sq_context_destroy(c);
}

static const sqt_case cases[] = {
  { "every type", every_type },
};
SQT_MAIN(cases)
