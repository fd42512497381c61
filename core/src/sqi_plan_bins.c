/** The matrix of shares: pairs of positions, binned. */
#include "sqi_plan_count.h"

/** Positions of a node in one bin. */
typedef struct bin_run
{
  int32_t bin;
  int64_t first; /* of the node's positions */
  int64_t count;
} bin_run;

/** The next run after `first`; bin b holds the positions p with floor(p bins / points) = b. */
static bin_run next_run(const sqi_plan_tree* tree, uint32_t node, int32_t bins, int64_t first)
{
  int64_t position = (int64_t)tree->begin[node] + first;
  int64_t bin = position * bins / tree->point_count;
  int64_t end = ((bin + 1) * tree->point_count + bins - 1) / bins - tree->begin[node];
  int64_t range = tree->range[node];
  bin_run r = { (int32_t)bin, first, (end < range ? end : range) - first };
  return r;
}

/** Bits of a mask in a run. */
static int64_t count_bits(const uint64_t* mask, bin_run r)
{
  int64_t n = 0;
  for (int64_t at = r.first; at < r.first + r.count;)
  {
    int64_t take = 64 - (at & 63);
    take = take < r.first + r.count - at ? take : r.first + r.count - at;
    uint64_t bits = mask[at >> 6] >> (at & 63);
    n += __builtin_popcountll(take < 64 ? bits & (((uint64_t)1 << take) - 1) : bits);
    at += take;
  }
  return n;
}

static int64_t count_present(const sqi_plan_tree* tree, uint32_t node, bin_run r)
{
  if (!tree->present)
  {
    return r.count;
  }
  int64_t n = 0, begin = (int64_t)tree->begin[node] + r.first;
  for (int64_t at = 0; at < r.count; at += 64)
  {
    int64_t take = r.count - at < 64 ? r.count - at : 64;
    n += __builtin_popcountll(sqi_plan_present(tree, begin + at) & (~(uint64_t)0 >> (64 - take)));
  }
  return n;
}

static void add(const sqi_plan_tally* t, int stream, bin_run row, bin_run column, int64_t pairs)
{
  int64_t at = ((int64_t)stream * t->rows + row.bin) * t->columns + column.bin;
  if (pairs)
  {
    __atomic_fetch_add(t->bins + at, pairs, __ATOMIC_RELAXED);
  }
}

void sqi_plan_bin_far(const sqi_plan_tally* t, uint32_t target, uint32_t source)
{
  int stream = t->expand ? SQ_PLAN_NEAR_FAR : SQ_PLAN_FAR;
  for (int64_t i = 0; i < t->targets->range[target];)
  {
    bin_run row = next_run(t->targets, target, t->rows, i);
    int64_t targets = count_present(t->targets, target, row);
    i += row.count;
    for (int64_t j = 0; j < t->sources->range[source] && targets;)
    {
      bin_run column = next_run(t->sources, source, t->columns, j);
      add(t, stream, row, column, targets * count_present(t->sources, source, column));
      j += column.count;
    }
  }
}

void sqi_plan_bin_leaves(const sqi_plan_tally* t, const sqi_plan_leaf_pair* p)
{
  int far_near = t->expand == SQ_PLAN_EXPAND_COMPLETE ? SQ_PLAN_NEAR : SQ_PLAN_FAR_NEAR;
  for (int64_t i = 0; i < t->targets->range[p->target];)
  {
    bin_run row = next_run(t->targets, p->target, t->rows, i);
    int64_t kept = count_bits(p->kept, row), passed = count_bits(p->passed, row);
    i += row.count;
    for (int64_t j = 0; j < t->sources->range[p->source];)
    {
      bin_run column = next_run(t->sources, p->source, t->columns, j);
      int64_t near = count_bits(p->near, column), far = count_bits(p->far, column);
      add(t, SQ_PLAN_NEAR, row, column, kept * near);
      add(t, SQ_PLAN_NEAR_FAR, row, column, passed * (near + far));
      add(t, far_near, row, column, kept * far);
      j += column.count;
    }
  }
}

void sqi_plan_bin_shares(const sqi_plan_tally* t, float* shares)
{
  int64_t blocks = (int64_t)t->rows * t->columns;
  for (int64_t b = 0; b < blocks; ++b)
  {
    int64_t all = 0;
    for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
    {
      all += t->bins[s * blocks + b];
    }
    for (int s = 0; s < SQ_PLAN_STREAMS; ++s)
    {
      shares[s * blocks + b] = all ? (float)((double)t->bins[s * blocks + b] / (double)all) : 0.0f;
    }
  }
}
