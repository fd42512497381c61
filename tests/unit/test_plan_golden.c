/** Plans: the reference's own values, bit for bit, for any number of threads. */
#include "sq_test.h"
#include "sqt_plan.h"

#include <stdlib.h>
#include <string.h>

static const int thread_counts[] = { 1, 2, 7 };

static void check_array(const int64_t* got, int64_t count, const int64_t* want, int64_t wanted)
{
  if (CHECK_INT(count, wanted))
  {
    CHECK_SAME(got, want, wanted);
  }
}

#define CHECK_ARRAY(got, count, ...)                                               \
  do                                                                               \
  {                                                                                \
    const int64_t want_[] = { __VA_ARGS__ };                                       \
    check_array((got), (count), want_, (int64_t)(sizeof(want_) / sizeof(*want_))); \
  } while (0)

/** Seven points, leaves of two, theta 2: every array in full. */
static void in_full(void)
{
  sq_points points = sqt_golden_points(1, SQ_FLOAT32, 7, 3);
  for (int k = 0; k < 3; ++k)
  {
    sq_context* c = sqt_context(thread_counts[k], NULL, NULL);
    sqt_pair p = sqt_pair_build(c, &points, NULL, 2);
    sq_plan_view v;
    sq_plan* plan = sqt_plan_build(c, &p, 2.0, 0, &v);
    CHECK_ARRAY(v.near_target_ids, v.near_count, 5, 0, 1, 3, 2, 6, 1, 3, 4, 5, 0, 2, 6);
    CHECK_ARRAY(v.near_source_ids, v.near_count, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6);
    CHECK_ARRAY(v.nf_target_ids, v.nf_count, 1, 3, 1, 3, 5, 0, 2, 6, 3);
    CHECK_ARRAY(v.nf_source_node_ids, v.nf_count, 3, 3, 4, 4, 5, 5, 5, 5, 6);
    CHECK_ARRAY(v.fn_target_node_ids, v.fn_count, 5, 3, 4, 5, 6, 3, 4, 5, 5);
    CHECK_ARRAY(v.fn_source_ids, v.fn_count, 0, 1, 1, 2, 3, 3, 3, 5, 6);
    CHECK_ARRAY(v.fn_broadcast_targets, v.broadcast_count, 1, 4);
    CHECK_ARRAY(v.fn_broadcast_starts, v.fn_count, 0, 1, 2, 2, 1, 1, 2, 0, 2);
    CHECK_ARRAY(v.fn_broadcast_counts, v.fn_count, 1, 1, 0, 0, 0, 1, 0, 1, 0);
    CHECK_ARRAY(v.far_target_node_ids, v.far_count, 4, 6, 3, 6, 3, 4);
    CHECK_ARRAY(v.far_source_node_ids, v.far_count, 3, 3, 4, 4, 6, 6);
    sq_plan_destroy(plan);
    sqt_pair_destroy(&p);
    sq_context_destroy(c);
  }
  free((void*)(uintptr_t)points.data);
}

/** One row of the table of counts; `hashes` in the order of the arrays, 0: not known. */
typedef struct golden_plan
{
  int64_t seeds[2]; /* the second 0: self */
  int64_t counts[2];
  int32_t dimension;
  sq_type type;
  int64_t leaf_size;
  double theta;
  int expand;
  int64_t near, nf, fn, far, broadcast, wasted; /* -1: not known */
  int32_t iterations;
  uint64_t hashes[11]; /* near, nf, fn, broadcast targets, starts, counts, far */
} golden_plan;

#define SELF100 \
  { 1, 0 },     \
  {             \
    100, 0      \
  }
#define CROSS \
  { 2, 3 },   \
  {           \
    57, 43    \
  }
#define NONE 0xcbf29ce484222325u

static const golden_plan golden_plans[] = {
  { SELF100, 3, SQ_FLOAT32, 1, 0.5, 0, 100, 0, 0, 6178, 0, 0, 14, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 1, 1.0, 0, 100, 0, 0, 3980, 0, 0, 14,
    { 0x610b068d99808fe5, 0x610b068d99808fe5, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      0xfdce0a09051fad26, 0x2f209fe47e0c0da6 } },
  { SELF100, 3, SQ_FLOAT32, 1, 1.5, 0, 100, 0, 0, 3062, 0, 0, 14, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 1, 10, 0, 100, 0, 0, 864, 0, 0, 14, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 1, 1.0, 1, 100, 6465, 0, 0, 0, 0, 14,
    { 0, 0, 0x6b6afd64ca1246a2, 0xe96002565eef3497, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
  { SELF100, 3, SQ_FLOAT32, 4, 0.5, 0, 7026, 532, 532, 4, 593, 95, 10, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 4, 1.0, 0, 3040, 1419, 1419, 58, 872, 583, 10,
    { 0x11b3ad335b7393e6, 0x71ddf7c0c5b828c6, 0x4c7af83ddfdd16d3, 0x8bd41d53485e5bb0,
      0xa6e0b05d385807b0, 0x5f8764d6f7f14ff3, 0xc9dbf44b6ca16545, 0x1f136ccbef3bf5e3,
      0xcc5ae22154cbdea4, 0xbfd06752f3334c1b, 0x14efac3fa095763b } },
  { SELF100, 3, SQ_FLOAT32, 4, 1.5, 0, 1578, 1759, 1759, 112, 688, 976, 10, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 4, 10, 0, 378, 472, 472, 290, 133, 251, 10, { 0 } },
  { SELF100, 3, SQ_FLOAT32, 4, 1.0, 1, 3040, 1605, 1419, 0, 872, 583, 10,
    { 0, 0, 0x8ff7f0bc54aa130e, 0x34c0c0ce69fb0b59, 0, 0, 0, 0, 0, NONE, NONE } },
  { SELF100, 3, SQ_FLOAT32, 4, 0.0, 0, 10000, 0, 0, 0, 0, 0, 10,
    { 0x7bc2f3420ccbf685, 0xcf6c59957e24a3a5, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE } },
  { SELF100, 3, SQ_FLOAT32, 1, 0.0, 0, 10000, 0, 0, 0, 0, 0, 14,
    { 0x10ab0e2ed21106a5, 0xcf6c59957e24a3a5, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
      NONE } },
  { CROSS, 3, SQ_FLOAT32, 4, 0.7, 0, 1420, 372, 61, 3, 72, 20, 9,
    { 0x2159c2b1b4bcb1db, 0x78799618b004154c, 0x1e54d5cdcdb6109a, 0x1844bd92e8596060,
      0x8c9caf0acd7fcfaf, 0x6d410a531aa0f16b, 0x34c9208075200c33, 0x7b178c83267f68b3,
      0xad44ee312d230080, 0x98140755adf2c855, 0xb77dff13895b3692 } },
  { CROSS, 3, SQ_FLOAT32, 4, 0.7, 1, 1420, 382, 61, 0, 72, 20, 9,
    { 0, 0, 0xe373f937486be18e, 0x396077f1d0a6e6a6, 0, 0, 0, 0, 0, NONE, NONE } },
  { CROSS, 3, SQ_FLOAT32, 4, 3.0, 0, 181, 407, 244, 74, 93, 152, 9, { 0 } },
  { SELF100, 2, SQ_FLOAT32, 4, 1.0, 0, 1356, 995, 995, 296, 469, 540, 10,
    { 0x7a9370a6873506a7, 0xb884d9e2ec6d4ee7, 0xa2587841ef91bf14, 0xeae3ebb7a24c5a23,
      0x880b8788df23c003, 0x8bd679915735fd74, 0x965724bbe29e4701, 0x256889ba924abc9b,
      0x67d516d38d8bd941, 0x9416fa7a758ac99a, 0xb92cdce5e2e3377a } },
  { SELF100, 1, SQ_FLOAT32, 4, 1.0, 0, 452, 172, 172, 178, 88, 89, 10,
    { 0xa7351b926106a2c9, 0x876e975a002e7929, 0x7403196aed61d94a, 0x30a4a9f2980bbda7,
      0xfeca1c4bf31787e7, 0xdf92024c4f6ada4a, 0x8296110e338de5fc, 0xfbbf92535107ae9b,
      0xf7dafa57614037c0, 0x4da8e93a919698b1, 0xea21d2f4dc4069f1 } },
  { SELF100, 3, SQ_FLOAT64, 4, 1.0, 0, 3040, 1419, 1419, 58, 872, 583, 10,
    { 0x11b3ad335b7393e6, 0x71ddf7c0c5b828c6, 0x4c7af83ddfdd16d3, 0x8bd41d53485e5bb0,
      0xa6e0b05d385807b0, 0x5f8764d6f7f14ff3, 0xc9dbf44b6ca16545, 0x1f136ccbef3bf5e3,
      0xcc5ae22154cbdea4, 0xbfd06752f3334c1b, 0x14efac3fa095763b } },
};

static void check_counts(sq_context* c, const sqt_pair* p, const golden_plan* g)
{
  sq_plan_options o = sqt_plan_options(g->theta, g->expand);
  sq_plan_totals n;
  CHECK_STATUS(sq_plan_count(c, p->targets, p->sources, &o, &n, NULL), SQ_OK);
  CHECK_INT(n.entries[SQ_PLAN_NEAR], g->near);
  CHECK_INT(n.entries[SQ_PLAN_NEAR_FAR], g->nf);
  CHECK_INT(n.entries[SQ_PLAN_FAR_NEAR], g->fn);
  CHECK_INT(n.entries[SQ_PLAN_FAR], g->far);
  CHECK_INT(n.broadcast_targets, g->broadcast);
  CHECK_INT(n.wasted_far_near, g->wasted);
  CHECK_INT(n.iterations, g->iterations);
  CHECK_INT(n.plan_bytes, 16 * (g->near + g->nf + g->far) + 32 * g->fn + 8 * g->broadcast);
  CHECK_INT(n.pairs[0] + n.pairs[1] + n.pairs[2] + n.pairs[3], n.dense_pairs);
}

static void check_plan(sq_context* c, const sqt_pair* p, const golden_plan* g)
{
  sq_plan_view v;
  sq_plan* plan = sqt_plan_build(c, p, g->theta, g->expand, &v);
  const int64_t* arrays[11];
  int64_t counts[11];
  sqt_plan_arrays(&v, arrays, counts);
  CHECK_INT(v.near_count, g->near);
  CHECK_INT(v.nf_count, g->nf);
  CHECK_INT(v.fn_count, g->fn);
  CHECK_INT(v.far_count, g->far);
  CHECK_INT(v.broadcast_count, g->broadcast);
  for (int k = 0; k < 11; ++k)
  {
    if (g->hashes[k])
    {
      CHECK_HASH(SQT_HASH(arrays[k], counts[k]), g->hashes[k]);
    }
  }
  sq_plan_destroy(plan);
}

static void by_hash(void)
{
  for (size_t i = 0; i < sizeof(golden_plans) / sizeof(*golden_plans); ++i)
  {
    const golden_plan* g = golden_plans + i;
    sq_points targets =
      sqt_golden_points((uint64_t)g->seeds[0], g->type, g->counts[0], g->dimension);
    sq_points sources =
      sqt_golden_points((uint64_t)g->seeds[1], g->type, g->counts[1], g->dimension);
    for (int k = 0; k < 3; ++k)
    {
      sq_context* c = sqt_context(thread_counts[k], NULL, NULL);
      sqt_pair p = sqt_pair_build(c, &targets, g->seeds[1] ? &sources : NULL, g->leaf_size);
      check_counts(c, &p, g);
      check_plan(c, &p, g);
      sqt_pair_destroy(&p);
      sq_context_destroy(c);
    }
    free((void*)(uintptr_t)targets.data);
    free((void*)(uintptr_t)sources.data);
  }
}

/** Far entries between nodes of one point: what the exact share counts beside the near ones. */
static void exact_entries(void)
{
  const double thetas[] = { 0.5, 1.0 };
  const int64_t single[] = { 3560, 1182 };
  sq_points points = sqt_golden_points(1, SQ_FLOAT32, 100, 3);
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_pair p = sqt_pair_build(c, &points, NULL, 1);
  for (int k = 0; k < 2; ++k)
  {
    sq_plan_options o = sqt_plan_options(thetas[k], 0);
    sq_plan_totals n;
    CHECK_STATUS(sq_plan_count(c, p.targets, p.sources, &o, &n, NULL), SQ_OK);
    CHECK_INT(n.exact_entries, 100 + single[k]);
    CHECK_NEAR(n.exact_share, (100 + (double)single[k]) / 10000, 1e-15);
  }
  sqt_pair_destroy(&p);
  sq_context_destroy(c);
  free((void*)(uintptr_t)points.data);
}

static const sqt_case cases[] = {
  { "seven points in full", in_full },
  { "counts and hashes", by_hash },
  { "exact entries", exact_entries },
};

SQT_MAIN(cases)
