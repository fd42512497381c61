#include "sqi_plan_rounds.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"

#include <string.h>

/** Pairs of one chunk: a fraction of a ms. */
#define CHUNK 8192
/** Destinations of a round: far, leaf pairs, and the reference's eight groups of the next list. */
#define FAR 0
#define LEAF 1
#define GROUPS 2
#define DESTINATIONS 10

typedef struct round_state
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  double theta2;
  int expanded;
  int sparse; /* a tree has nodes without points that take part */
  sqi_plan_sort_pairs_function sort_pairs;
  const sqi_plan_node_pair* pairs;
  int64_t count;
  uint8_t* kinds;
  int64_t chunks;
  int64_t (*places)[DESTINATIONS]; /* counts of each chunk, then where it writes */
  int64_t* entries; /* near-far entries that the far pairs of a chunk become */
  sqi_plan_node_pair* out[3]; /* far, leaf pairs, next list */
  sqi_plan_node_pair* lists[2]; /* the list of this round and of the next in turn */
  int64_t room[2];
} round_state;

/** Room for the next list in the one that is free; memory that was touched is worth keeping. */
static sq_status make_room(sq_context* context, round_state* r, int list, int64_t count)
{
  if (count <= r->room[list])
  {
    return SQ_OK;
  }
  SQI_FREE(context, r->lists[list], r->room[list]);
  r->room[list] = 0;
  sq_status status = SQI_NEW(context, &r->lists[list], count);
  r->room[list] = status == SQ_OK ? count : 0;
  return status;
}

static inline int has(const sqi_plan_tree* tree, uint32_t node, int k)
{
  return tree->child[2 * (size_t)node + (size_t)k] != SQI_PLAN_NONE;
}

/** Counts of the eight groups where some children are left out. */
static void count_sparse(const round_state* r, int64_t i, int64_t* n)
{
  uint32_t t = r->pairs[i].target, s = r->pairs[i].source;
  unsigned kind = r->kinds[i];
  for (int k = 0; k < 2 && kind == SQI_PLAN_KIND_TARGET; ++k)
  {
    n[GROUPS + k] += has(r->targets, t, k);
  }
  for (int k = 0; k < 2 && kind == SQI_PLAN_KIND_SOURCE; ++k)
  {
    n[GROUPS + 2 + k] += has(r->sources, s, k);
  }
  for (int k = 0; k < 4 && kind == SQI_PLAN_KIND_BOTH; ++k)
  {
    n[GROUPS + 4 + k] += has(r->targets, t, k >> 1) && has(r->sources, s, k & 1);
  }
}

static sq_status count_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  round_state* r = (round_state*)data;
  r->sort_pairs(r->targets, r->sources, r->theta2, r->pairs + begin, end - begin, r->kinds + begin);
  int64_t kinds[SQI_PLAN_KINDS] = { 0 }, entries = 0;
  int64_t* n = r->places[begin / CHUNK];
  memset(n, 0, sizeof(*r->places));
  for (int64_t i = begin; i < end; ++i)
  {
    ++kinds[r->kinds[i]];
    if (r->expanded && r->kinds[i] == SQI_PLAN_KIND_FAR)
    {
      entries += r->targets->finite[r->pairs[i].target];
    }
    if (r->sparse)
    {
      count_sparse(r, i, n);
    }
  }
  n[FAR] = kinds[SQI_PLAN_KIND_FAR];
  n[LEAF] = kinds[SQI_PLAN_KIND_LEAF];
  for (int g = 0; g < 8 && !r->sparse; ++g)
  {
    n[GROUPS + g] = g < 2 ? kinds[SQI_PLAN_KIND_TARGET]
      : g < 4             ? kinds[SQI_PLAN_KIND_SOURCE]
                          : kinds[SQI_PLAN_KIND_BOTH];
  }
  r->entries[begin / CHUNK] = r->expanded ? entries : n[FAR];
  return SQ_OK;
}

static inline void put(
  sqi_plan_node_pair* out, int64_t* at, const uint32_t target, const uint32_t source)
{
  if (target != SQI_PLAN_NONE && source != SQI_PLAN_NONE)
  {
    out[*at].target = target;
    out[(*at)++].source = source;
  }
}

static sq_status scatter_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  round_state* r = (round_state*)data;
  int64_t* at = r->places[begin / CHUNK];
  int64_t* group = at + GROUPS;
  sqi_plan_node_pair* next = r->out[2];
  for (int64_t i = begin; i < end; ++i)
  {
    sqi_plan_node_pair p = r->pairs[i];
    const uint32_t* t = r->targets->child + 2 * (size_t)p.target;
    const uint32_t* s = r->sources->child + 2 * (size_t)p.source;
    switch (r->kinds[i])
    {
      case SQI_PLAN_KIND_FAR:
        r->out[0][at[FAR]++] = p;
        break;
      case SQI_PLAN_KIND_LEAF:
        r->out[1][at[LEAF]++] = p;
        break;
      case SQI_PLAN_KIND_TARGET:
        put(next, group, t[0], p.source);
        put(next, group + 1, t[1], p.source);
        break;
      case SQI_PLAN_KIND_SOURCE:
        put(next, group + 2, p.target, s[0]);
        put(next, group + 3, p.target, s[1]);
        break;
      case SQI_PLAN_KIND_BOTH:
        put(next, group + 4, t[0], s[0]);
        put(next, group + 5, t[0], s[1]);
        put(next, group + 6, t[1], s[0]);
        put(next, group + 7, t[1], s[1]);
        break;
      default:
        break;
    }
  }
  return SQ_OK;
}

/** Counts of the chunks to places; what the destinations hold in all. The groups follow each other in one list. */
static void places_of(round_state* r, int64_t totals[3])
{
  int64_t at = 0;
  for (int d = 0; d < DESTINATIONS; ++d)
  {
    at = d <= GROUPS ? 0 : at;
    for (int64_t c = 0; c < r->chunks; ++c)
    {
      int64_t n = r->places[c][d];
      r->places[c][d] = at;
      at += n;
    }
    totals[d < GROUPS ? d : GROUPS] = at;
  }
}

/** Adds an uninitialised block; NULL for no pairs. */
static sq_status add_block(sq_context* context, sqi_plan_blocks* b, int64_t count)
{
  sq_status status = SQI_NEW(context, &b->pairs[b->count], count);
  if (status == SQ_OK)
  {
    b->length[b->count++] = count;
    b->total += count;
  }
  return status;
}

/** One round: r->pairs to two new blocks and the next list. `sure_entries`: entries that are certain so far. */
static sq_status run_round(sq_context* context, round_state* r, int list, sqi_plan_rounds* rounds,
  int64_t* sure_entries, int64_t max_bytes, int64_t totals[3])
{
  sq_status status = sqi_parallel_for(context, r->count, CHUNK, count_body, r);
  if (status != SQ_OK)
  {
    return status;
  }
  for (int64_t c = 0; c < r->chunks; ++c)
  {
    *sure_entries += r->entries[c];
  }
  places_of(r, totals);
  *sure_entries += totals[LEAF];
  if (max_bytes >= 0 && *sure_entries + totals[GROUPS] > max_bytes / 16)
  {
    return SQ_TOO_LARGE;
  }
  status = add_block(context, &rounds->far, totals[FAR]);
  if (status == SQ_OK)
  {
    status = add_block(context, &rounds->leaves, totals[LEAF]);
  }
  if (status == SQ_OK)
  {
    status = make_room(context, r, 1 - list, totals[GROUPS]);
  }
  if (status != SQ_OK)
  {
    return status;
  }
  r->out[0] = rounds->far.pairs[rounds->far.count - 1];
  r->out[1] = rounds->leaves.pairs[rounds->leaves.count - 1];
  r->out[2] = r->lists[1 - list];
  return sqi_parallel_for(context, r->count, CHUNK, scatter_body, r);
}

/** Scratch of a round of r->count pairs around run_round(). */
static sq_status with_scratch(sq_context* context, round_state* r, int list,
  sqi_plan_rounds* rounds, int64_t* sure_entries, int64_t max_bytes, int64_t totals[3])
{
  r->chunks = (r->count + CHUNK - 1) / CHUNK;
  sq_status status = SQI_NEW(context, &r->kinds, r->count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &r->places, r->chunks);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &r->entries, r->chunks);
  }
  if (status == SQ_OK)
  {
    status = run_round(context, r, list, rounds, sure_entries, max_bytes, totals);
  }
  SQI_FREE(context, r->kinds, r->count);
  SQI_FREE(context, r->places, r->chunks);
  SQI_FREE(context, r->entries, r->chunks);
  r->kinds = NULL;
  r->places = NULL;
  r->entries = NULL;
  return status;
}

sq_status sqi_plan_rounds_find(sq_context* context, const sqi_plan_tree* targets,
  const sqi_plan_tree* sources, double theta, int expanded, int64_t max_bytes,
  sqi_plan_rounds* rounds)
{
  memset(rounds, 0, sizeof(*rounds));
  round_state r;
  memset(&r, 0, sizeof(r));
  r.targets = targets;
  r.sources = sources;
  r.theta2 = sqi_plan_theta2(theta, targets->type);
  r.expanded = expanded;
  r.sparse = targets->present || sources->present;
  r.sort_pairs = SQI_LEVEL_CHOOSE(sqi_plan_sort_pairs);
  int64_t sure_entries = 0, count = targets->finite_count && sources->finite_count;
  sq_status status = make_room(context, &r, 0, count);
  if (r.lists[0])
  {
    memset(r.lists[0], 0, sizeof(*r.lists[0]));
  }
  for (int list = 0; status == SQ_OK && count; list = 1 - list)
  {
    int64_t totals[3] = { 0 };
    r.pairs = r.lists[list];
    r.count = count;
    status = with_scratch(context, &r, list, rounds, &sure_entries, max_bytes, totals);
    count = totals[GROUPS];
  }
  SQI_FREE(context, r.lists[0], r.room[0]);
  SQI_FREE(context, r.lists[1], r.room[1]);
  if (status != SQ_OK)
  {
    sqi_plan_blocks_release(context, &rounds->far);
    sqi_plan_blocks_release(context, &rounds->leaves);
  }
  return status;
}

void sqi_plan_blocks_release(sq_context* context, sqi_plan_blocks* b)
{
  for (int32_t k = 0; k < b->count; ++k)
  {
    SQI_FREE(context, b->pairs[k], b->length[k]);
  }
  memset(b, 0, sizeof(*b));
}
