/**
 * Which nodes of the binary tree become nodes of the wide one is chosen for the least surface area, by dynamic programming: Ylitie,
 * Karras, Laine, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs", HPG 2017, section 3.
 * Leaves are as they are.
 */
#include "sqi_bvh_collapse.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_parallel.h"

/** Twigs of one chunk, about 1 ms. */
#define CHUNK 8192
/** Wide nodes between two polls. */
#define POLL 4096
/** Cost of visiting a leaf, where that of visiting a node is 1. */
#define LEAF_COST 1.0f

typedef struct collapser
{
  sqi_bvh_twig* twigs;
  int32_t first; /* of the level at work */
  int32_t* wide; /* the twigs that become nodes, parents before children */
  int32_t (*children)[SQI_BVH_WIDTH];
  int32_t wide_count;
  sqi_bvh* bvh;
} collapser;

/** Least cost of two subtrees as `slots` children together, *left_slots of them for the left one; evenly on ties. */
static float distribute(const float* left, const float* right, int slots, int* left_slots)
{
  float best = HUGE_VALF;
  for (int i = 1; i < slots; ++i)
  {
    /* From the middle outward: slots / 2, one more, one less ... */
    int k = slots / 2 + (i % 2 ? -(i / 2) : i / 2);
    float cost = left[k - 1] + right[slots - k - 1];
    if (cost < best)
    {
      best = cost;
      *left_slots = k;
    }
  }
  return best;
}

static void set_costs(const sqi_bvh_twig* twigs, sqi_bvh_twig* t)
{
  float area = sqi_half_box_area(&t->range.box);
  int left_slots;
  if (t->left < 0)
  {
    for (int i = 0; i < 7; ++i)
    {
      t->cost[i] = area * LEAF_COST;
    }
    return;
  }
  const float* left = twigs[t->left].cost;
  const float* right = twigs[t->left + 1].cost;
  t->cost[0] = area + distribute(left, right, SQI_BVH_WIDTH, &left_slots);
  for (int i = 1; i < 7; ++i)
  {
    float cost = distribute(left, right, i + 1, &left_slots);
    t->cost[i] = cost < t->cost[i - 1] ? cost : t->cost[i - 1];
  }
}

static sq_status costs_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const collapser* c = (const collapser*)data;
  for (int64_t i = begin; i < end; ++i)
  {
    set_costs(c->twigs, &c->twigs[c->first + i]);
  }
  return SQ_OK;
}

/** Appends the children that twig `t` stands for where it has `slots` of them. */
static int expand(const collapser* c, int32_t t, int slots, int32_t* children, int count)
{
  const sqi_bvh_twig* twig = &c->twigs[t];
  if (slots == 1 || twig->left < 0)
  {
    children[count] = t;
    return count + 1;
  }
  int left_slots = 1;
  float cost =
    distribute(c->twigs[twig->left].cost, c->twigs[twig->left + 1].cost, slots, &left_slots);
  if (slots < SQI_BVH_WIDTH && cost > twig->cost[slots - 2])
  {
    return expand(c, t, slots - 1, children, count);
  }
  count = expand(c, twig->left, left_slots, children, count);
  return expand(c, twig->left + 1, slots - left_slots, children, count);
}

/** Lists the wide nodes level by level, and their children. */
static sq_status list_nodes(sq_context* context, collapser* c)
{
  int32_t level_end = 1;
  c->wide[0] = 0;
  c->wide_count = 1;
  for (int32_t i = 0; i < c->wide_count; ++i)
  {
    if (i % POLL == 0 && sqi_poll(context, 1.0, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    if (i == level_end)
    {
      level_end = c->wide_count;
      ++c->bvh->depth;
    }
    int32_t* children = c->children[i];
    int count = expand(c, c->wide[i], SQI_BVH_WIDTH, children, 0);
    for (int k = 0; k < count; ++k)
    {
      if (c->twigs[children[k]].left >= 0)
      {
        c->wide[c->wide_count++] = children[k];
      }
    }
    for (; count < SQI_BVH_WIDTH; ++count)
    {
      children[count] = -1;
    }
  }
  return SQ_OK;
}

/** Writes child k of a node; `inner` is the next node that is not yet the child of one. */
static void set_child(sqi_bvh_node* node, int k, const sqi_bvh_twig* twig, int32_t inner)
{
  for (int d = 0; d < 3; ++d)
  {
    node->lo[d][k] = twig ? twig->range.box.lo[d] : HUGE_VALF;
    node->hi[d][k] = twig ? -twig->range.box.minus_hi[d] : -HUGE_VALF;
  }
  node->child[k] = 0;
  node->count[k] = 0;
  if (twig && twig->left < 0)
  {
    node->child[k] = twig->range.begin;
    node->count[k] = (uint8_t)(twig->range.end - twig->range.begin);
  }
  else if (twig)
  {
    node->child[k] = inner;
  }
}

static sq_status write_nodes(sq_context* context, collapser* c)
{
  sqi_bvh* bvh = c->bvh;
  int32_t inner = 1;
  sq_status status = SQI_NEW(context, &bvh->nodes, c->wide_count);
  if (status != SQ_OK)
  {
    return status;
  }
  bvh->node_count = c->wide_count;
  for (int32_t i = 0; i < c->wide_count; ++i)
  {
    if (i % POLL == 0 && sqi_poll(context, 1.0, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
    sqi_bvh_node* node = &bvh->nodes[i];
    memset(node, 0, sizeof(*node));
    for (int k = 0; k < SQI_BVH_WIDTH; ++k)
    {
      int32_t t = c->children[i][k];
      const sqi_bvh_twig* twig = t >= 0 ? &c->twigs[t] : NULL;
      set_child(node, k, twig, inner);
      inner += twig && twig->left >= 0;
      node->child_count += twig != NULL;
    }
  }
  return SQ_OK;
}

static int64_t count_inner(const sqi_bvh_twig* twigs, int32_t count)
{
  int64_t n = 0;
  for (int32_t i = 0; i < count; ++i)
  {
    n += twigs[i].left >= 0;
  }
  return n;
}

sq_status sqi_bvh_collapse(sq_context* context, sqi_bvh_twig* twigs, const int32_t* levels,
  int32_t level_count, sqi_bvh* bvh)
{
  collapser c = { twigs, 0, NULL, NULL, 0, bvh };
  sq_status status = SQ_OK;
  for (int32_t level = level_count - 1; level >= 0 && status == SQ_OK; --level)
  {
    c.first = levels[level];
    status = sqi_parallel_for(context, levels[level + 1] - c.first, CHUNK, costs_body, &c);
  }
  /* Every wide node takes one inner twig at least, or is the root. */
  int64_t room = count_inner(twigs, levels[level_count]) + 1;
  bvh->depth = 0;
  status = status == SQ_OK ? SQI_NEW(context, &c.wide, room) : status;
  status = status == SQ_OK ? SQI_NEW(context, &c.children, room) : status;
  status = status == SQ_OK ? list_nodes(context, &c) : status;
  status = status == SQ_OK ? write_nodes(context, &c) : status;
  SQI_FREE(context, c.wide, room);
  SQI_FREE(context, c.children, room);
  return status;
}
