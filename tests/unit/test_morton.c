/** Morton codes: the reference's values, and what must hold of all. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_sweep.h"
#include "sqt_tree.h"

#include "spatialqueries/sq_morton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_codes(const sq_points* points, const int64_t* want)
{
  int64_t codes[16];
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sq_context* c = sqt_context(threads, NULL, NULL);
    CHECK_STATUS(sq_morton_codes(c, points, codes), SQ_OK);
    CHECK_SAME(codes, want, points->count);
    sq_context_destroy(c);
  }
}

/** In float and in double, whose codes may differ. */
static void check_both(
  const double* x, int64_t count, int32_t dimension, const int64_t* want32, const int64_t* want64)
{
  float single[64];
  for (int64_t i = 0; i < count * dimension; ++i)
  {
    single[i] = (float)x[i];
  }
  sq_points p32 = { single, count, SQ_FLOAT32, dimension };
  sq_points p64 = { x, count, SQ_FLOAT64, dimension };
  check_codes(&p32, want32);
  check_codes(&p64, want64);
}

static void golden(void)
{
  const double one[] = { 0.0, 0.5, 1.0 };
  const int64_t codes1[] = { 0, 2305843009213693952, 4611686018427387903 };
  check_both(one, 3, 1, codes1, codes1);
  const double two[] = { 0, 0, 1, 0, 0, 1, 0.3, 0.7, 1, 1 };
  const int64_t codes2[] = { 0, 1537228672809129301, 3074457345618258602, 2780575393463582720,
    4611686018427387903 };
  int64_t codes2d[5];
  memcpy(codes2d, codes2, sizeof(codes2));
  codes2d[3] = 2780575393463572116;
  check_both(two, 5, 2, codes2, codes2d);
  const double three[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, .25, .5, .75, 1, 1, 1 };
  const int64_t codes3[] = { 0, 1317624576693539401, 2635249153387078802, 5270498306774157604,
    5044031582654955519, 9223372036854775807 };
  check_both(three, 6, 3, codes3, codes3);
}

static void golden_hashes(void)
{
  const struct
  {
    int64_t count;
    int32_t dimension;
    uint64_t hash;
  } golden[] = { { 7, 3, 0x88874d4d0c227b28 }, { 100, 3, 0xbb1d5feafb45491d },
    { 100, 2, 0xfa32a2345a206ccf }, { 100, 1, 0xf52d41d99c9d6122 } };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int i = 0; i < 4; ++i)
  {
    int64_t codes[100];
    sq_points p = sqt_golden_points(1, SQ_FLOAT32, golden[i].count, golden[i].dimension);
    CHECK_STATUS(sq_morton_codes(c, &p, codes), SQ_OK);
    CHECK_HASH(SQT_HASH(codes, p.count), golden[i].hash);
    free((void*)(uintptr_t)p.data);
  }
  sq_context_destroy(c);
}

/** Bit by bit, from the description; the type's own operations. */
static int64_t slow_code(const sq_points* p, int64_t i, const double* lo, const double* hi)
{
  int32_t dimension = p->dimension;
  int bits = dimension == 1 ? 62 : 63 / dimension;
  int64_t code = 0, top = ((int64_t)1 << bits) - 1;
  for (int32_t d = 0; d < dimension; ++d)
  {
    double x = sqt_coordinate(p, i, d), t;
    if (p->type == SQ_FLOAT32)
    {
      volatile float extent = (float)hi[d] - (float)lo[d];
      volatile float offset = (float)x - (float)lo[d];
      extent = extent == 0.0f ? 1.0f : extent;
      volatile float part = offset / extent;
      volatile float scaled = part * (float)top;
      t = (double)scaled;
    }
    else
    {
      double extent = hi[d] - lo[d];
      t = (x - lo[d]) / (extent == 0.0 ? 1.0 : extent) * (double)top;
    }
    int64_t cell = t != t ? 0 : t >= 0x1p63 ? top : (int64_t)t;
    cell = cell < 0 ? 0 : cell > top ? top : cell;
    for (int b = 0; b < bits; ++b)
    {
      code |= (cell >> b & 1) << (b * dimension + d);
    }
  }
  return code;
}

static void against_description(void)
{
  const double sizes[] = { 1.0, 1e-30, 1e30, 1e-310 };
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int k = 0; k < 2 * SQ_FLOAT64 * 4 * 4; ++k)
  {
    sq_type type = k & 1 ? SQ_FLOAT64 : SQ_FLOAT32;
    int32_t dimension = 1 + (k >> 1) % 4;
    double size = sizes[k >> 3];
    sq_points p = sqt_random_points(5 + (uint64_t)k, type, 3001, dimension, -size, 0.7 * size);
    double lo[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
    double hi[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
    for (int64_t i = 0; i < p.count * dimension; ++i)
    {
      double x = sqt_coordinate(&p, i / dimension, (int32_t)(i % dimension));
      lo[i % dimension] = fmin(lo[i % dimension], x);
      hi[i % dimension] = fmax(hi[i % dimension], x);
    }
    int64_t* codes = (int64_t*)malloc((size_t)p.count * sizeof(*codes));
    CHECK_STATUS(sq_morton_codes(c, &p, codes), SQ_OK);
    int64_t wrong = 0;
    for (int64_t i = 0; i < p.count; ++i)
    {
      wrong += codes[i] != slow_code(&p, i, lo, hi) || codes[i] < 0;
    }
    CHECK_TEXT(!wrong, "%lld wrong codes, type %d, dimension %d, size %g", (long long)wrong,
      (int)type, (int)dimension, size);
    free(codes);
    free((void*)(uintptr_t)p.data);
  }
  sq_context_destroy(c);
}

/** Exact translations and powers of two change nothing; neither does an axis of one value, which gives 0. */
static void invariants(void)
{
  enum
  {
    N = 500
  };
  int64_t codes[N], moved[N], flat[N];
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_points p = sqt_golden_points(11, SQ_FLOAT64, N, 2);
  sq_points q = sqt_golden_points(11, SQ_FLOAT64, N, 2);
  sq_points r = sqt_golden_points(11, SQ_FLOAT64, N, 3);
  for (int i = 0; i < N; ++i)
  {
    for (int32_t d = 0; d < 2; ++d)
    {
      double x = floor(sqt_coordinate(&p, i, d) * 0x1p20);
      sqt_set_coordinate(&p, i, d, x);
      sqt_set_coordinate(&q, i, d, (x + 0x1p30) * 0x1p-40);
      sqt_set_coordinate(&r, i, 2 * d, x);
    }
    sqt_set_coordinate(&r, i, 1, 42.0);
  }
  CHECK_STATUS(sq_morton_codes(c, &p, codes), SQ_OK);
  CHECK_STATUS(sq_morton_codes(c, &q, moved), SQ_OK);
  CHECK_SAME(moved, codes, N);
  CHECK_STATUS(sq_morton_codes(c, &r, flat), SQ_OK);
  for (int i = 0; i < N; ++i)
  {
    CHECK((flat[i] & 0x2492492492492492) == 0 && (flat[i] != 0 || i == 0 || codes[i] == 0));
  }
  free((void*)(uintptr_t)p.data);
  free((void*)(uintptr_t)q.data);
  free((void*)(uintptr_t)r.data);
  sq_context_destroy(c);
}

/** An axis with a NaN or an infinity, or too wide for the type, gives 0 to all; the others stay. */
static void not_finite(void)
{
  const double bad[] = { NAN, INFINITY, -INFINITY };
  const int64_t want[] = { 0, 1537228672809129301 << 1, 1537228672809129301 << 1 };
  for (int k = 0; k < 3; ++k)
  {
    double x[] = { 0.0, 0.0, bad[k], 1.0, 5.0, 1.0 };
    check_both(x, 3, 2, want, want);
  }
  const double wide[] = { -1.5e308, 0.0, 1.5e308, 1.0, 5.0, 1.0 };
  sq_points p = { wide, 3, SQ_FLOAT64, 2 };
  check_codes(&p, want);
  const float wide32[] = { -3e38f, 0.0f, 3e38f, 1.0f, 5.0f, 1.0f };
  sq_points p32 = { wide32, 3, SQ_FLOAT32, 2 };
  check_codes(&p32, want);
}

static void one_or_same(void)
{
  const double same[] = { 3.5, -2, 1, 3.5, -2, 1 };
  const int64_t zero[] = { 0, 0 };
  check_both(same, 2, 3, zero, zero);
  check_both(same, 1, 3, zero, zero);
  check_both(same, 1, 4, zero, zero);
}

static void wrong_arguments(void)
{
  double x[8] = { 0 };
  int64_t code = 7;
  sq_context* c = sqt_context(1, NULL, NULL);
  sq_points p = { x, 1, SQ_FLOAT64, 3 };
  CHECK_STATUS(sq_morton_codes(NULL, &p, &code), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_morton_codes(c, NULL, &code), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_morton_codes(c, &p, NULL), SQ_INVALID_ARGUMENT);
  for (int32_t dimension = 0; dimension <= 5; dimension += 5)
  {
    p.dimension = dimension;
    CHECK_STATUS(sq_morton_codes(c, &p, &code), SQ_INVALID_ARGUMENT);
    CHECK(strstr(sq_context_message(c), "1 to 4") != NULL);
  }
  p.dimension = 3;
  p.type = SQ_INT32;
  CHECK_STATUS(sq_morton_codes(c, &p, &code), SQ_INVALID_ARGUMENT);
  p.type = SQ_FLOAT32;
  p.count = -1;
  CHECK_STATUS(sq_morton_codes(c, &p, &code), SQ_INVALID_ARGUMENT);
  p.count = 1;
  p.data = NULL;
  CHECK_STATUS(sq_morton_codes(c, &p, &code), SQ_INVALID_ARGUMENT);
  p.count = 0;
  CHECK_STATUS(sq_morton_codes(c, &p, NULL), SQ_OK);
  CHECK_INT(code, 7);
  sq_context_destroy(c);
}

static sq_status codes_of(sq_context* context, void* data)
{
  const sq_points* p = (const sq_points*)data;
  int64_t* codes = (int64_t*)malloc((size_t)p->count * sizeof(*codes));
  sq_status status = sq_morton_codes(context, p, codes);
  free(codes);
  return status;
}

static void sweeps(void)
{
  sq_points p = sqt_golden_points(3, SQ_FLOAT32, 100000, 3);
  sqt_sweep_memory("Morton codes", codes_of, &p, 1);
  sqt_sweep_cancel("Morton codes", codes_of, &p, 2);
  free((void*)(uintptr_t)p.data);
}

static const sqt_case cases[] = {
  { "golden", golden },
  { "golden hashes", golden_hashes },
  { "against description", against_description },
  { "invariants", invariants },
  { "not finite", not_finite },
  { "one or same", one_or_same },
  { "wrong arguments", wrong_arguments },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
