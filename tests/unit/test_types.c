/** Statuses, scalar types, and the defaults and limits of every options struct. */
#include "sq_test.h"

#include "spatialqueries/spatialqueries.h"

#include <math.h>
#include <string.h>

static void status_texts(void)
{
#define CHECK_STATUS_TEXT(name, value, text) \
  CHECK_INT(name, value);                    \
  CHECK(!strcmp(sq_status_text(name), text));
  SQ_STATUS_LIST(CHECK_STATUS_TEXT)
#undef CHECK_STATUS_TEXT
  const int strangers[] = { -1, 9, 1000, INT32_MAX, INT32_MIN };
  for (int i = 0; i < 5; ++i)
  {
    CHECK(!strcmp(sq_status_text((sq_status)strangers[i]), "unknown status"));
  }
}

static void type_bytes(void)
{
  CHECK_INT(sq_type_bytes(SQ_FLOAT32), 4);
  CHECK_INT(sq_type_bytes(SQ_FLOAT64), 8);
  CHECK_INT(sq_type_bytes(SQ_INT8), 1);
  CHECK_INT(sq_type_bytes(SQ_UINT8), 1);
  CHECK_INT(sq_type_bytes(SQ_INT16), 2);
  CHECK_INT(sq_type_bytes(SQ_UINT16), 2);
  CHECK_INT(sq_type_bytes(SQ_INT32), 4);
  CHECK_INT(sq_type_bytes(SQ_UINT32), 4);
  CHECK_INT(sq_type_bytes(SQ_INT64), 8);
  CHECK_INT(sq_type_bytes(SQ_UINT64), 8);
  CHECK_INT(sq_type_bytes((sq_type)10), 0);
  CHECK_INT(sq_type_bytes((sq_type)-1), 0);
}

/** The defaults of the filters contract. */
static void defaults(void)
{
  sq_surface_options s = sq_surface_options_default();
  CHECK_INT(s.merge_points, 1);
  CHECK_INT(s.merge_points, SQ_MERGE_POINTS_DEFAULT);
  CHECK_NEAR(s.merge_tolerance, 0.0, 0.0);
  CHECK_NEAR(s.merge_tolerance, SQ_MERGE_TOLERANCE_DEFAULT, 0.0);

  sq_distance_options d = sq_distance_options_default();
  CHECK_INT(d.sign_method, SQ_SIGN_AUTOMATIC);
  CHECK_INT(d.sign_method, SQ_SIGN_METHOD_DEFAULT);
  CHECK(isinf(d.max_distance) && d.max_distance > 0.0);
  CHECK_INT(d.flip_inside_out, 0);
  CHECK_NEAR(d.winding_accuracy, 2.0, 0.0);
  CHECK_NEAR(d.winding_accuracy, SQ_WINDING_ACCURACY_DEFAULT, 0.0);
  CHECK_INT(d.out_of_band, SQ_OUT_OF_BAND_NAN);

  sq_locate_options l = sq_locate_options_default();
  CHECK_INT(l.mode, SQ_LOCATE_CONTAINING);
  CHECK_INT(l.mode, SQ_LOCATE_MODE_DEFAULT);
  CHECK_INT(l.tolerance_type, SQ_TOLERANCE_RELATIVE);
  CHECK_INT(l.tolerance_type, SQ_TOLERANCE_TYPE_DEFAULT);
  CHECK_NEAR(l.tolerance, 1e-6, 0.0);
  CHECK_NEAR(l.tolerance, SQ_TOLERANCE_DEFAULT, 0.0);
  CHECK_INT(l.multiple_cells, SQ_MULTIPLE_LOWEST);
  CHECK_INT(l.multiple_cells, SQ_MULTIPLE_CELLS_DEFAULT);
  CHECK_INT(l.nearest_by, SQ_NEAREST_DISTANCE);
  CHECK_INT(l.nearest_by, SQ_NEAREST_BY_DEFAULT);
  CHECK(isinf(l.max_distance) && l.max_distance > 0.0);
  CHECK_INT(l.outside_value, SQ_OUTSIDE_CLAMP);
  CHECK_INT(l.outside_value, SQ_OUTSIDE_VALUE_DEFAULT);
  CHECK_INT(l.statistics, 0);

  sq_context_options c = sq_context_options_default();
  CHECK_INT(c.threads, SQ_THREADS_DEFAULT);
  CHECK(!c.allocator.allocate && !c.allocator.release);
  CHECK(!c.monitor.report && !c.monitor.cancelled);
}

/** Numbers that appear in state files and in the filters; they may not move. */
static void numbers(void)
{
  CHECK_INT(SQ_SIGN_AUTOMATIC, SQ_SIGN_METHOD_MIN);
  CHECK_INT(SQ_SIGN_PSEUDONORMAL, 1);
  CHECK_INT(SQ_SIGN_WINDING_NUMBER, 2);
  CHECK_INT(SQ_SIGN_UNSIGNED, SQ_SIGN_METHOD_MAX);
  CHECK_INT(SQ_LOCATE_CONTAINING, 0);
  CHECK_INT(SQ_LOCATE_NEAREST, 1);
  CHECK_INT(SQ_LOCATE_CONTAINING_ELSE_NEAREST, 2);
  CHECK_INT(SQ_SAMPLE_INSIDE, 0);
  CHECK_INT(SQ_SAMPLE_TOLERANCE, 1);
  CHECK_INT(SQ_SAMPLE_NEAREST, 2);
  CHECK_INT(SQ_SAMPLE_OUTSIDE, 3);
  CHECK_INT(SQ_SAMPLE_INVALID, 4);
  CHECK_INT(SQ_MULTIPLE_LOWEST, 0);
  CHECK_INT(SQ_MULTIPLE_MEAN, 1);
  CHECK_INT(SQ_MULTIPLE_NAN, 2);
  CHECK_INT(SQ_CELL_TETRA, 10);
  CHECK_INT(SQ_CELL_VOXEL, 11);
  CHECK_INT(SQ_CELL_HEXAHEDRON, 12);
  CHECK_INT(SQ_CELL_POLYHEDRON, 42);
}

static const sqt_case cases[] = {
  { "status texts", status_texts },
  { "type bytes", type_bytes },
  { "defaults", defaults },
  { "numbers", numbers },
};
SQT_MAIN(cases)
