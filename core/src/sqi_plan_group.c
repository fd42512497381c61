/**
 * Groups pairs by source node, stable: a partition by the high bits of the node, then a counting sort of each part, which stays in
 * cache.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"
#include "sqi_plan_rounds.h"

#include <string.h>

#define PARTS 1024
/** Pairs of a slice: a ms or two. */
#define SLICE_MIN (1 << 15)
#define SLICES_MAX 512

typedef struct keyed
{
  uint32_t key;
  uint32_t value;
} keyed;

typedef struct grouping
{
  const sqi_plan_blocks* blocks;
  int64_t first[SQI_PLAN_ROUNDS_MAX + 1]; /* pairs before a block */
  int places;
  int shift;
  int64_t total;
  int64_t slices;
  int64_t (*starts)[PARTS]; /* one a slice */
  int64_t part_begin[PARTS + 1];
  keyed* parted;
  int64_t* wide; /* where the targets go instead of groups->targets */
  sqi_plan_groups* groups;
} grouping;

static int64_t slice_begin(const grouping* g, int64_t slice)
{
  return g->total / g->slices * slice +
    (slice < g->total % g->slices ? slice : g->total % g->slices);
}

/** Where pair i is; the rest of its block up to `end` follows. */
static const sqi_plan_node_pair* pairs_at(const grouping* g, int64_t i, int64_t end, int64_t* count)
{
  int32_t b = 0;
  while (g->first[b + 1] <= i)
  {
    ++b;
  }
  *count = (g->first[b + 1] < end ? g->first[b + 1] : end) - i;
  return g->blocks->pairs[b] + (i - g->first[b]);
}

static sq_status count_slices(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  grouping* g = (grouping*)data;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* counts = g->starts[slice];
    memset(counts, 0, sizeof(*g->starts));
    int64_t last = slice_begin(g, slice + 1), n = 0;
    for (int64_t i = slice_begin(g, slice); i < last; i += n)
    {
      const sqi_plan_node_pair* p = pairs_at(g, i, last, &n);
      for (int64_t k = 0; k < n; ++k)
      {
        ++counts[p[k].source >> g->shift];
      }
    }
  }
  return SQ_OK;
}

static sq_status scatter_slices(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  grouping* g = (grouping*)data;
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* at = g->starts[slice];
    int64_t last = slice_begin(g, slice + 1), n = 0;
    for (int64_t i = slice_begin(g, slice); i < last; i += n)
    {
      const sqi_plan_node_pair* p = pairs_at(g, i, last, &n);
      for (int64_t k = 0; k < n; ++k)
      {
        keyed* out = g->parted + at[p[k].source >> g->shift]++;
        out->key = p[k].source;
        out->value = g->places ? (uint32_t)(i + k) : p[k].target;
      }
    }
  }
  return SQ_OK;
}

static void starts_of(grouping* g)
{
  int64_t at = 0;
  for (int part = 0; part < PARTS; ++part)
  {
    g->part_begin[part] = at;
    for (int64_t slice = 0; slice < g->slices; ++slice)
    {
      int64_t n = g->starts[slice][part];
      g->starts[slice][part] = at;
      at += n;
    }
  }
  g->part_begin[PARTS] = at;
}

/** Counting sort of a part; `begin` first holds counts, then ends as cursors run, so it is written one node late. */
static sq_status sort_parts(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  grouping* g = (grouping*)data;
  for (int64_t part = begin; part < end; ++part)
  {
    int64_t node = part << g->shift, last = (part + 1) << g->shift;
    last = last < g->groups->node_count ? last : g->groups->node_count;
    if (node >= last)
    {
      continue;
    }
    int64_t* cursor = g->groups->begin + 1; /* cursor[n] ends as the begin of node n + 1 */
    int64_t from = g->part_begin[part], to = g->part_begin[part + 1];
    memset(cursor + node, 0, (size_t)(last - node) * sizeof(*cursor));
    for (int64_t i = from; i < to; ++i)
    {
      ++cursor[g->parted[i].key];
    }
    for (int64_t n = node, at = from; n < last; ++n)
    {
      int64_t count = cursor[n];
      cursor[n] = at;
      at += count;
    }
    for (int64_t i = from; i < to; ++i)
    {
      int64_t out = cursor[g->parted[i].key]++, n;
      uint32_t value = g->parted[i].value;
      if (g->places)
      {
        g->groups->places[out] = value;
        value = pairs_at(g, value, g->total, &n)->target;
      }
      if (g->wide)
      {
        g->wide[out] = value;
      }
      else
      {
        g->groups->targets[out] = value;
      }
    }
  }
  return SQ_OK;
}

static sq_status partition(sq_context* context, grouping* g)
{
  sq_status status = g->wide ? SQ_OK : SQI_NEW(context, &g->parted, g->total);
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, g->slices, 1, count_slices, g);
  }
  if (status == SQ_OK)
  {
    starts_of(g);
    status = sqi_parallel_for(context, g->slices, 1, scatter_slices, g);
  }
  return status;
}

static sq_status group(sq_context* context, sqi_plan_blocks* blocks, grouping* g)
{
  sq_status status = SQI_NEW(context, &g->starts, g->slices);
  if (status == SQ_OK)
  {
    status = partition(context, g);
  }
  if (!g->places)
  {
    sqi_plan_blocks_release(context, blocks);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &g->groups->begin, g->groups->node_count + 1);
  }
  if (status == SQ_OK)
  {
    g->groups->begin[0] = 0;
    status = g->wide ? SQ_OK : SQI_NEW(context, &g->groups->targets, g->total);
  }
  if (status == SQ_OK && g->places)
  {
    status = SQI_NEW(context, &g->groups->places, g->total);
  }
  if (status == SQ_OK)
  {
    status = sqi_parallel_for(context, PARTS, 1, sort_parts, g);
  }
  SQI_FREE(context, g->starts, g->slices);
  if (!g->wide)
  {
    SQI_FREE(context, g->parted, g->total);
  }
  sqi_plan_blocks_release(context, blocks);
  return status;
}

static sq_status begin_group(sq_context* context, sqi_plan_blocks* blocks,
  int64_t source_node_count, grouping* g, sqi_plan_groups* groups)
{
  memset(groups, 0, sizeof(*groups));
  if (blocks->total > UINT32_MAX)
  {
    return sqi_fail(context, SQ_TOO_LARGE, "plan: %lld node pairs; allowed are 2^32 - 1",
      (long long)blocks->total);
  }
  g->blocks = blocks;
  g->total = blocks->total;
  g->groups = groups;
  groups->total = blocks->total;
  groups->node_count = source_node_count;
  while (source_node_count >> g->shift > PARTS - 1)
  {
    ++g->shift;
  }
  for (int32_t b = 0; b < blocks->count; ++b)
  {
    g->first[b + 1] = g->first[b] + blocks->length[b];
  }
  g->slices = g->total / SLICE_MIN + 1;
  g->slices = g->slices < SLICES_MAX ? g->slices : SLICES_MAX;
  sq_status status = group(context, blocks, g);
  if (status != SQ_OK)
  {
    sqi_plan_groups_release(context, groups);
  }
  return status;
}

sq_status sqi_plan_group(sq_context* context, sqi_plan_blocks* blocks, int64_t source_node_count,
  int places, sqi_plan_groups* groups)
{
  grouping g;
  memset(&g, 0, sizeof(g));
  g.places = places;
  return begin_group(context, blocks, source_node_count, &g, groups);
}

sq_status sqi_plan_group_wide(sq_context* context, sqi_plan_blocks* blocks,
  int64_t source_node_count, int64_t* targets, int64_t* scratch, sqi_plan_groups* groups)
{
  grouping g;
  memset(&g, 0, sizeof(g));
  g.wide = targets;
  g.parted = (keyed*)(void*)scratch;
  return begin_group(context, blocks, source_node_count, &g, groups);
}

void sqi_plan_groups_release(sq_context* context, sqi_plan_groups* g)
{
  SQI_FREE(context, g->begin, g->node_count + 1);
  SQI_FREE(context, g->targets, g->total);
  SQI_FREE(context, g->places, g->total);
  memset(g, 0, sizeof(*g));
}
