/** Values at the queries: weights, copies, missing values, every scalar type, blocks that lack the array. */
#include "sq_test.h"
#include "sqt_locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Two quads side by side, in one block; a third quad far off in another block. */
static const double LEFT[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0 };
static const int64_t LEFT_IDS[] = { 0, 1, 4, 3, 1, 2, 5, 4 };
static const double RIGHT[] = { 10, 0, 0, 11, 0, 0, 11, 1, 0, 10, 1, 0 };
static const int64_t RIGHT_IDS[] = { 0, 1, 2, 3 };
/** In cell 0, on the shared edge, in cell 1 at a node, in the other block, nowhere, not a point. */
static const double X[] = { 0.25, 0.5, 0, 1.0, 0.25, 0, 2.0, 0.0, 0, 10.5, 0.75, 0, 5.0, 5.0, 0,
  NAN, 0, 0 };
enum
{
  N = 6
};

typedef struct located
{
  sq_cells blocks[2];
  sq_context* context;
  sq_mesh_index* index;
  sq_location* location;
  sq_location_view v;
} located;

static located locate(sq_multiple_cells rule)
{
  located l;
  l.blocks[0] = sqt_cells_of(SQ_CELL_QUAD, 4, 2, LEFT, 6, LEFT_IDS);
  l.blocks[1] = sqt_cells_of(SQ_CELL_QUAD, 4, 1, RIGHT, 4, RIGHT_IDS);
  l.context = sqt_context(2, NULL, NULL);
  l.index = sqt_index(l.context, l.blocks, 2);
  sq_locate_options o = sq_locate_options_default();
  o.multiple_cells = rule;
  l.location = sqt_locate(l.context, l.index, X, N, &o, &l.v);
  return l;
}

static void done(located* l)
{
  sq_location_destroy(l->location);
  sq_mesh_index_destroy(l->index);
  sq_context_destroy(l->context);
}

static void statuses(void)
{
  located l = locate(SQ_MULTIPLE_LOWEST);
  const int want[N] = { SQ_SAMPLE_INSIDE, SQ_SAMPLE_INSIDE, SQ_SAMPLE_INSIDE, SQ_SAMPLE_INSIDE,
    SQ_SAMPLE_OUTSIDE, SQ_SAMPLE_INVALID };
  for (int i = 0; i < N; ++i)
  {
    CHECK_INT(l.v.status[i], want[i]);
  }
  done(&l);
}

/** A linear field comes back, as double and as float, with two components. */
static void linear_field(void)
{
  double left[12];
  float right[8];
  for (int i = 0; i < 6; ++i)
  {
    left[2 * i] = 3.0 * LEFT[3 * i] - 2.0 * LEFT[3 * i + 1] + 1.0;
    left[2 * i + 1] = -LEFT[3 * i];
  }
  for (int i = 0; i < 4; ++i)
  {
    right[2 * i] = (float)(3.0 * RIGHT[3 * i] - 2.0 * RIGHT[3 * i + 1] + 1.0);
    right[2 * i + 1] = (float)-RIGHT[3 * i];
  }
  const sq_field fields[2] = { { left, SQ_FLOAT64, 6 }, { right, SQ_FLOAT32, 4 } };
  for (int rule = 0; rule < 3; ++rule)
  {
    located l = locate((sq_multiple_cells)rule);
    double out[2 * N];
    float narrow[2 * N];
    uint8_t valid[N];
    const double missing = -77.0;
    const float narrow_missing = -77.0f;
    CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_POINTS,
                   SQ_COMBINE_WEIGHTED, fields, 2, 2, SQ_FLOAT64, &missing, out, valid),
      SQ_OK);
    CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_POINTS,
                   SQ_COMBINE_WEIGHTED, fields, 2, 2, SQ_FLOAT32, &narrow_missing, narrow, NULL),
      SQ_OK);
    for (int i = 0; i < N; ++i)
    {
      int has = i < 4 && !(rule == SQ_MULTIPLE_NAN && i == 1);
      double want = has ? 3.0 * X[3 * i] - 2.0 * X[3 * i + 1] + 1.0 : missing;
      CHECK_INT(valid[i], has);
      CHECK_NEAR(out[2 * i], want, 1e-14);
      CHECK_NEAR(out[2 * i + 1], has ? -X[3 * i] : missing, 1e-14);
      CHECK(narrow[2 * i] == (float)out[2 * i] && narrow[2 * i + 1] == (float)out[2 * i + 1]);
    }
    done(&l);
  }
}

/** Cell values: copied, or the mean of all containing cells. */
static void cell_field(void)
{
  const double left[2] = { 10.0, 20.0 };
  const double right[1] = { 30.0 };
  const sq_field fields[2] = { { left, SQ_FLOAT64, 2 }, { right, SQ_FLOAT64, 1 } };
  const double missing = NAN;
  for (int rule = 0; rule < 3; ++rule)
  {
    const double edge = rule == SQ_MULTIPLE_LOWEST ? 10.0
      : rule == SQ_MULTIPLE_MEAN                   ? 15.0
                                                   : (double)NAN;
    const double want[N] = { 10.0, edge, 20.0, 30.0, NAN, NAN };
    located l = locate((sq_multiple_cells)rule);
    double out[N];
    uint8_t valid[N];
    CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_CELLS, SQ_COMBINE_WEIGHTED,
                   fields, 2, 1, SQ_FLOAT64, &missing, out, valid),
      SQ_OK);
    for (int i = 0; i < N; ++i)
    {
      CHECK_NEAR(out[i], want[i], 0.0);
      CHECK_INT(valid[i], !isnan(want[i]));
    }
    done(&l);
  }
}

/** A block without the array: missing there, and only there. */
static void block_without_the_array(void)
{
  const double right[4] = { 1.0, 1.0, 1.0, 1.0 };
  const sq_field fields[2] = { { NULL, SQ_FLOAT64, 0 }, { right, SQ_FLOAT64, 4 } };
  const double missing = -1.0;
  located l = locate(SQ_MULTIPLE_LOWEST);
  double out[N];
  uint8_t valid[N];
  CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED,
                 fields, 2, 1, SQ_FLOAT64, &missing, out, valid),
    SQ_OK);
  for (int i = 0; i < N; ++i)
  {
    CHECK_NEAR(out[i], i == 3 ? 1.0 : -1.0, 1e-15);
    CHECK_INT(valid[i], i == 3);
  }
  done(&l);
}

/** Copies the value of the node with the largest weight, ties to the lowest id, in every scalar type. */
static void dominant_of_each_type(void)
{
  for (int type = SQ_FLOAT32; type <= SQ_UINT64; ++type)
  {
    size_t bytes = sq_type_bytes((sq_type)type);
    unsigned char left[6 * 8];
    unsigned char right[4 * 8];
    unsigned char missing[8];
    unsigned char out[N * 8];
    uint8_t valid[N];
    for (size_t i = 0; i < sizeof(left); ++i)
    {
      left[i] = (unsigned char)(17 * (i / bytes) + i % bytes + 1); /* any bits must come through */
    }
    for (size_t i = 0; i < sizeof(right); ++i)
    {
      right[i] = (unsigned char)(200 + 5 * (i / bytes) + i % bytes);
    }
    memset(missing, 0x55, sizeof(missing));
    const sq_field fields[2] = { { left, (sq_type)type, 6 }, { right, (sq_type)type, 4 } };
    located l = locate(SQ_MULTIPLE_LOWEST);
    CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_POINTS,
                   SQ_COMBINE_DOMINANT, fields, 2, 1, (sq_type)type, missing, out, valid),
      SQ_OK);
    /* Query 0: nodes 0 and 3 tie; 1: node 1 (of 0, 1, 4, 3) has 3/4; 2: at node 2; 3: nodes 2 and 3 tie. */
    const unsigned char* want[N] = { left, left + bytes, left + 2 * bytes, right + 2 * bytes,
      missing, missing };
    for (int i = 0; i < N; ++i)
    {
      CHECK_TEXT(!memcmp(out + (size_t)i * bytes, want[i], bytes), "type %d, query %d", type, i);
      CHECK_INT(valid[i], i < 4);
    }
    done(&l);
  }
}

static void dominant_ids(void)
{
  located l = locate(SQ_MULTIPLE_LOWEST);
  int32_t block[N];
  int64_t id[N];
  const int32_t want_block[N] = { 0, 0, 0, 1, -1, -1 };
  const int64_t want_point[N] = { 0, 1, 2, 2, -1, -1 };
  const int64_t want_cell[N] = { 0, 0, 1, 0, -1, -1 };
  CHECK_STATUS(
    sq_location_dominant(l.context, l.location, SQ_ASSOCIATION_POINTS, block, id), SQ_OK);
  CHECK_SAME(block, want_block, N);
  CHECK_SAME(id, want_point, N);
  CHECK_STATUS(sq_location_dominant(l.context, l.location, SQ_ASSOCIATION_CELLS, block, id), SQ_OK);
  CHECK_SAME(block, want_block, N);
  CHECK_SAME(id, want_cell, N);
  done(&l);
}

/** Integers are interpolated as numbers, large ones without loss of what a double holds. */
static void integers_as_numbers(void)
{
  const int64_t left[6] = { 0, 10, 20, 4, 14, 24 };
  const int64_t right[4] = { (int64_t)1 << 52, (int64_t)1 << 52, (int64_t)1 << 52,
    (int64_t)1 << 52 };
  const sq_field fields[2] = { { left, SQ_INT64, 6 }, { right, SQ_INT64, 4 } };
  const double missing = NAN;
  located l = locate(SQ_MULTIPLE_LOWEST);
  double out[N];
  CHECK_STATUS(sq_location_apply(l.context, l.location, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED,
                 fields, 2, 1, SQ_FLOAT64, &missing, out, NULL),
    SQ_OK);
  const double want[N] = { 4.5, 11.0, 20.0, 0x1p52, NAN, NAN };
  for (int i = 0; i < N; ++i)
  {
    CHECK_NEAR(out[i], want[i], 1e-14);
  }
  done(&l);
}

static void apply_fails(located* l, sq_association association, sq_combine combine,
  const sq_field* fields, int32_t blocks, int32_t components, sq_type type, const void* missing,
  const char* what)
{
  double out[N * 2];
  memset(out, 0, sizeof(out));
  sq_status s = sq_location_apply(l->context, l->location, association, combine, fields, blocks,
    components, type, missing, out, NULL);
  CHECK_TEXT(
    s == SQ_INVALID_ARGUMENT || s == SQ_INVALID_DATA, "%s: got \"%s\"", what, sq_status_text(s));
  CHECK_TEXT(*sq_context_message(l->context), "%s: no message", what);
  CHECK_TEXT(out[0] == 0.0, "%s: output was written", what);
}

static void arguments(void)
{
  const double left[6] = { 1, 2, 3, 4, 5, 6 };
  const double right[4] = { 1, 2, 3, 4 };
  const sq_field good[2] = { { left, SQ_FLOAT64, 6 }, { right, SQ_FLOAT64, 4 } };
  const sq_field few[2] = { { left, SQ_FLOAT64, 5 }, { right, SQ_FLOAT64, 4 } };
  const sq_field no_type[2] = { { left, (sq_type)40, 6 }, { right, SQ_FLOAT64, 4 } };
  const sq_field mixed[2] = { { left, SQ_INT64, 6 }, { right, SQ_FLOAT64, 4 } };
  const double missing = 0.0;
  const sq_association P = SQ_ASSOCIATION_POINTS;
  const sq_combine W = SQ_COMBINE_WEIGHTED;
  located l = locate(SQ_MULTIPLE_LOWEST);
  double out[N];
  CHECK_STATUS(
    sq_location_apply(NULL, l.location, P, W, good, 2, 1, SQ_FLOAT64, &missing, out, NULL),
    SQ_INVALID_ARGUMENT);
  CHECK_STATUS(
    sq_location_apply(l.context, NULL, P, W, good, 2, 1, SQ_FLOAT64, &missing, out, NULL),
    SQ_INVALID_ARGUMENT);
  apply_fails(&l, P, W, NULL, 2, 1, SQ_FLOAT64, &missing, "fields NULL");
  apply_fails(&l, P, W, good, 1, 1, SQ_FLOAT64, &missing, "one block of two");
  apply_fails(&l, P, W, good, 2, 0, SQ_FLOAT64, &missing, "no components");
  apply_fails(&l, P, W, good, 2, -1, SQ_FLOAT64, &missing, "-1 components");
  apply_fails(&l, P, W, good, 2, 1, SQ_INT32, &missing, "weighted into int32");
  apply_fails(&l, P, W, good, 2, 1, SQ_FLOAT64, NULL, "missing NULL");
  apply_fails(&l, P, W, few, 2, 1, SQ_FLOAT64, &missing, "five tuples for six points");
  apply_fails(&l, P, W, no_type, 2, 1, SQ_FLOAT64, &missing, "field of no type");
  apply_fails(&l, P, SQ_COMBINE_DOMINANT, mixed, 2, 1, SQ_FLOAT64, &missing, "fields of two types");
  apply_fails(
    &l, P, SQ_COMBINE_DOMINANT, good, 2, 1, SQ_FLOAT32, &missing, "dominant in another type");
  apply_fails(&l, (sq_association)2, W, good, 2, 1, SQ_FLOAT64, &missing, "association 2");
  apply_fails(&l, P, (sq_combine)2, good, 2, 1, SQ_FLOAT64, &missing, "combine 2");
  int32_t block[N];
  int64_t id[N];
  CHECK_STATUS(sq_location_dominant(NULL, l.location, P, block, id), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_location_dominant(l.context, NULL, P, block, id), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(
    sq_location_dominant(l.context, l.location, (sq_association)5, block, id), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_location_dominant(l.context, l.location, P, NULL, NULL), SQ_OK);
  done(&l);
}

static const sqt_case cases[] = {
  { "statuses", statuses },
  { "linear field", linear_field },
  { "cell field", cell_field },
  { "block without the array", block_without_the_array },
  { "dominant of each type", dominant_of_each_type },
  { "dominant ids", dominant_ids },
  { "integers as numbers", integers_as_numbers },
  { "arguments", arguments },
};
SQT_MAIN(cases)
