/** What sq_cells.h offers: centres of cells. */
#include "sq_test.h"
#include "sqt_locate.h"
#include "sqt_sweep.h"

#include "spatialqueries/sq_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void known_centers(void)
{
  const double p[] = { 0, 0, 0, 3, 0, 0, 0, 6, 0, 1, 1, 1, NAN, 0, 0 };
  const uint8_t types[] = { SQ_CELL_TRIANGLE, SQ_CELL_VERTEX, SQ_CELL_EMPTY, SQ_CELL_LINE,
    SQ_CELL_QUAD };
  const int64_t offsets[] = { 0, 3, 4, 4, 6, 10 };
  const int64_t ids[] = { 0, 1, 2, 3, 3, 4, 0, 1, 2, 3 };
  sq_cells b = sqt_cells_of(0, 0, 5, p, 5, ids);
  b.types = types;
  b.offsets = offsets;
  b.connectivity_count = 10;
  sq_context* c = sqt_context(2, NULL, NULL);
  double out[15];
  CHECK_STATUS(sq_cell_centers(c, &b, out), SQ_OK);
  const double want[] = { 1, 2, 0, 1, 1, 1, NAN, NAN, NAN, NAN, 0.5, 0.5, 1, 1.75, 0.25 };
  for (int i = 0; i < 15; ++i)
  {
    CHECK_NEAR(out[i], want[i], 1e-15);
  }
  sq_context_destroy(c);
}

/** All types, all thread counts, 32-bit ids and float32 points. */
static void many_centers(void)
{
  orc_zoo z = orc_make_zoo(ORC_ZOO_WARPED, 12, 3);
  sq_cells b = sqt_cells_of_zoo(&z);
  double* want = (double*)malloc((size_t)z.count * 24);
  double* got = (double*)malloc((size_t)z.count * 24);
  for (int64_t i = 0; i < z.count; ++i)
  {
    orc_cell cell = orc_zoo_cell(&z, i);
    for (int k = 0; k < 3; ++k)
    {
      long double sum = 0.0L;
      for (int v = 0; v < cell.count; ++v)
      {
        sum += (long double)cell.x[v][k];
      }
      want[3 * i + k] = (double)(sum / cell.count);
    }
  }
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    memset(got, 0, (size_t)z.count * 24);
    CHECK_STATUS(sq_cell_centers(c, &b, got), SQ_OK);
    for (int64_t i = 0; i < 3 * z.count; ++i)
    {
      CHECK_NEAR(got[i], want[i], orc_four_ulp(1.0));
    }
    sq_context_destroy(c);
  }
  free(want);
  free(got);
  orc_zoo_free(&z);
}

static void arguments(void)
{
  const double p[] = { 0, 0, 0, 3, 0, 0, 0, 6, 0 };
  const int64_t ids[] = { 0, 1, 3 };
  double out[3] = { 5, 5, 5 };
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_cells b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 1, p, 3, ids);
  CHECK_STATUS(sq_cell_centers(c, &b, out), SQ_INVALID_DATA);
  CHECK(*sq_context_message(c));
  CHECK_STATUS(sq_cell_centers(NULL, &b, out), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cell_centers(c, NULL, out), SQ_INVALID_ARGUMENT);
  CHECK(*sq_context_message(c));
  b.points.dimension = 2;
  CHECK_STATUS(sq_cell_centers(c, &b, out), SQ_INVALID_ARGUMENT);
  CHECK_NEAR(out[0], 5.0, 0.0);
  b = sqt_cells_of(SQ_CELL_TRIANGLE, 3, 0, NULL, 0, NULL);
  CHECK_STATUS(sq_cell_centers(c, &b, out), SQ_OK);
  CHECK_NEAR(out[0], 5.0, 0.0);
  sq_context_destroy(c);
}

static sq_status centers(sq_context* c, void* data)
{
  const orc_zoo* z = (const orc_zoo*)data;
  sq_cells b = sqt_cells_of_zoo(z);
  double* out = (double*)malloc((size_t)z->count * 24);
  sq_status s = sq_cell_centers(c, &b, out);
  free(out);
  return s;
}

static void failures(void)
{
  orc_zoo z = orc_make_zoo(ORC_ZOO_WARPED, 6, 3);
  sqt_sweep_memory("cell centres", centers, &z, 0);
  sqt_sweep_cancel("cell centres", centers, &z, 1);
  orc_zoo_free(&z);
}

static void dimensions(void)
{
  const struct
  {
    uint8_t type;
    int dimension;
  } known[] = { { SQ_CELL_EMPTY, -1 }, { SQ_CELL_POLY_VERTEX, 0 }, { SQ_CELL_QUADRATIC_EDGE, 1 },
    { SQ_CELL_PIXEL, 2 }, { SQ_CELL_POLYHEDRON, 3 }, { 41, -1 }, { 255, -1 } };
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); ++i)
  {
    CHECK_INT(sq_cell_dimension(known[i].type), known[i].dimension);
  }
}

static const sqt_case cases[] = {
  { "dimensions", dimensions },
  { "known centres", known_centers },
  { "many centres", many_centers },
  { "arguments", arguments },
  { "failures", failures },
};
SQT_MAIN(cases)
