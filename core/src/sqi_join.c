#include "sqi_join_tetra.h"
#include "sqi_level.h"

#include <string.h>

/** Groups of points that one cell goes through at once; that many by the nodes of cells that need the kernels. */
#define GROUPS 1024
#define GROUPS_OF_NODES 4096
#define GROUPS_LEAST 16

/** Cells that are taken at once: a word of them, or parts of it, each this part of the one before. */
#define SPLIT 4
/** Points near so many cells at most, and so many tests of a cell with a point. */
#define NEAR 512
#define TESTS 8192

/** The most of a function of the bound in boxes, relative to its middle. */
SQI_SIMD sqi_eight most_of(
  const joined* c, int k, double sign, const sqi_eight lo[3], const sqi_eight hi[3])
{
  sqi_eight sum = sqi_set(sign * c->base[k]);
  for (int d = 0; d < 3; ++d)
  {
    double row = sign * c->row[k][d];
    sum = sqi_madd(sqi_set(row), row > 0.0 ? hi[d] : lo[d], sum);
  }
  return sum;
}

/** Of the children in `mask`, whose boxes meet that of the cell, those where they meet its bound. */
SQI_SIMD unsigned meet_bound(const joined* c, const sqi_point_node* node, unsigned mask)
{
  sqi_eight lo[3], hi[3];
  if (c->passes_all)
  {
    return mask;
  }
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = sqi_larger(sqi_load(node->lo[d]), sqi_set(c->lo[d])) - sqi_set(c->middle[d]);
    hi[d] = sqi_smaller(sqi_load(node->hi[d]), sqi_set(c->hi[d])) - sqi_set(c->middle[d]);
  }
  sqi_hits near = sqi_at_most(sqi_set(c->low[0]), most_of(c, 0, 1.0, lo, hi));
  near &= sqi_at_most(sqi_set(c->low[1]), most_of(c, 1, 1.0, lo, hi));
  near &= sqi_at_most(sqi_set(c->low[2]), most_of(c, 2, 1.0, lo, hi));
  if (c->tetra)
  {
    near &= sqi_at_most(sqi_set(-c->high[3]), most_of(c, 3, -1.0, lo, hi));
  }
  for (int k = 0; k < 3 && !c->tetra; ++k)
  {
    near &= sqi_at_most(sqi_set(-c->high[k]), most_of(c, k, -1.0, lo, hi));
  }
  return mask & sqi_hit_bits(near);
}

/** The children of a node whose boxes meet a box. */
SQI_SIMD unsigned meet_box(const sqi_point_node* node, const double lo[3], const double hi[3])
{
  sqi_hits meets = sqi_at_most(sqi_set(lo[0]), sqi_load(node->hi[0])) &
    sqi_at_most(sqi_load(node->lo[0]), sqi_set(hi[0]));
  meets &= sqi_at_most(sqi_set(lo[1]), sqi_load(node->hi[1])) &
    sqi_at_most(sqi_load(node->lo[1]), sqi_set(hi[1]));
  meets &= sqi_at_most(sqi_set(lo[2]), sqi_load(node->hi[2])) &
    sqi_at_most(sqi_load(node->lo[2]), sqi_set(hi[2]));
  return sqi_hit_bits(meets);
}

/** The children of a node that may have points of the cell. */
static inline unsigned children_of(joined* c, const sqi_point_node* node, int32_t level)
{
  unsigned mask = meet_box(node, c->lo, c->hi);
  if (!mask || (level && !(c->is_bound && mask & (mask - 1))))
  {
    return mask;
  }
  if (!c->is_bound)
  {
    set_bound(c);
  }
  return meet_bound(c, node, mask);
}

/** A walk below a node, depth first. */
typedef struct walk
{
  int32_t level[SQI_POINT_WIDTH * SQI_POINT_LEVELS];
  int64_t node[SQI_POINT_WIDTH * SQI_POINT_LEVELS];
  int top;
} walk;

static inline void visit(walk* w, int32_t level, int64_t node)
{
  w->level[w->top] = level;
  w->node[w->top++] = node;
}

/** The next groups that may have points of the cell: bits of `*mask`, from `*first` on. 0 at the end. */
static inline int next_groups(joined* c, walk* w, int64_t* first, unsigned* mask)
{
  const sqi_point_tree* tree = c->join->tree;
  while (w->top)
  {
    int32_t level = w->level[--w->top];
    int64_t node = w->node[w->top];
    unsigned children = children_of(c, tree->nodes + tree->level[level] + node, level);
    if (!level && children)
    {
      *first = node * SQI_POINT_WIDTH;
      *mask = children;
      return 1;
    }
    for (; children; children &= children - 1)
    {
      visit(w, level - 1, node * SQI_POINT_WIDTH + __builtin_ctz(children));
    }
  }
  return 0;
}

/** 0 where the cell may have points in too many groups. */
static int join_cell(const sqi_join* join, int32_t number, int32_t thread)
{
  int64_t groups[GROUPS + SQI_POINT_WIDTH], first;
  unsigned mask;
  int32_t count = 0;
  joined c;
  walk w;
  w.top = 0;
  name_cell(join, number, thread, &c);
  open_cell(&c);
  int32_t most = c.cell.type == SQ_CELL_TETRA ? GROUPS : GROUPS_OF_NODES / (c.cell.count + 1);
  most = most < GROUPS_LEAST ? GROUPS_LEAST : most > GROUPS ? GROUPS : most;
  visit(&w, join->tree->level_count - 1, 0);
  while (next_groups(&c, &w, &first, &mask))
  {
    for (; mask; mask &= mask - 1)
    {
      groups[count++] = first + __builtin_ctz(mask);
    }
    if (count > most)
    {
      return 0;
    }
  }
  for (int32_t i = 0; i < count; ++i)
  {
    test_group(&c, groups[i]);
  }
  return 1;
}

/** Points near consecutive cells. */
typedef struct packet
{
  const sqi_join* join;
  int64_t begin; /* cell */
  int32_t thread;
  int32_t count; /* of points */
  tetras cells; /* boxes of all cells: NaN for those that do not take part */
  double x[3][NEAR + SQI_POINT_WIDTH];
  uint32_t place[NEAR + SQI_POINT_WIDTH];
} packet;

/** The box of a cell that is no tetrahedron, or takes no part. */
static void measure_other(packet* p, int32_t i)
{
  const sqi_join* join = p->join;
  const sqi_mesh_scratch* scratch = join->scratch + p->thread;
  int32_t number = (int32_t)(p->begin + i);
  double lo[3] = { (double)NAN, (double)NAN, (double)NAN };
  double hi[3] = { (double)NAN, (double)NAN, (double)NAN };
  if (sqi_mesh_takes_as(join->rules->index, number, 0))
  {
    sqi_mesh_cell cell;
    sqi_mesh_cell_read(join->rules->index, number, scratch->points, &cell);
    double tolerance = sqi_raster_tolerance_above(join->rules, &cell);
    sqi_raster_box(&cell, tolerance, scratch->local, lo, hi);
  }
  for (int d = 0; d < 3; ++d)
  {
    p->cells.lo[d][i] = lo[d];
    p->cells.hi[d][i] = hi[d];
  }
}

/** Reads the corners of a tetrahedron that takes part; 0 where the cell is none. */
static inline int read_tetra(packet* p, int32_t block_id, int32_t i)
{
  const sq_mesh_index* index = p->join->rules->index;
  const sq_cells* block = index->blocks + block_id;
  int64_t id = p->begin + i - index->first[block_id];
  if (sqi_cell_kind(block, id) != SQ_CELL_TETRA || !sqi_mesh_takes_as(index, p->begin + i, 0))
  {
    return 0;
  }
  int64_t offset = sqi_cell_offset(block, id);
  for (int k = 0; k < 4; ++k)
  {
    double x[3];
    sqi_point(&block->points, sqi_cell_point(block, offset, k), x);
    for (int d = 0; d < 3; ++d)
    {
      p->cells.corner[3 * k + d][i] = x[d];
    }
  }
  p->cells.floor_ulp[i] = p->join->rules->floor_ulp[block_id];
  return 1;
}

/** The boxes of `count` cells, no smaller than those that the search tests, and bounds of tetrahedra. */
static void measure_cells(packet* p, int32_t count)
{
  const sq_mesh_index* index = p->join->rules->index;
  int32_t b = sqi_mesh_block_of(index, p->begin);
  uint64_t others = 0;
  p->cells.good = 0;
  for (int32_t i = 0; i < count; ++i)
  {
    while (p->begin + i >= index->first[b + 1])
    {
      ++b;
    }
    others |= (uint64_t)!read_tetra(p, b, i) << i;
  }
  for (int32_t i = 0; i < count; i += SQI_LANES)
  {
    if ((others >> i & 0xff) != 0xff)
    {
      bound_tetras(p->join->rules, &p->cells, i);
    }
  }
  p->cells.good &= ~others;
  for (; others; others &= others - 1)
  {
    measure_other(p, __builtin_ctzll(others));
  }
}

static inline void box_of(const packet* p, int32_t i, double lo[3], double hi[3])
{
  for (int d = 0; d < 3; ++d)
  {
    lo[d] = p->cells.lo[d][i];
    hi[d] = p->cells.hi[d][i];
  }
}

/** Adds the points of a group that lie in the box. */
static inline void add_near(packet* p, int64_t group, const double lo[3], const double hi[3])
{
  const sqi_point_group* g = p->join->tree->groups + group;
  const points from = { { g->x[0], g->x[1], g->x[2] }, NULL, group * SQI_POINT_WIDTH };
  for (unsigned in = in_box(&from, lo, hi); in; in &= in - 1)
  {
    int lane = __builtin_ctz(in);
    for (int d = 0; d < 3; ++d)
    {
      p->x[d][p->count] = g->x[d][lane];
    }
    p->place[p->count++] = (uint32_t)(from.first + lane);
  }
}

/** Finds the points in the boxes of `count` cells from the one at `at` on; 0 where there are too many. */
static int find_near(packet* p, int32_t at, int32_t count)
{
  const sqi_point_tree* tree = p->join->tree;
  double lo[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  double hi[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  int32_t most = TESTS / count < NEAR ? TESTS / count : NEAR;
  int64_t groups[2 * NEAR + SQI_POINT_WIDTH];
  int32_t group_count = 0;
  walk w;
  for (int32_t i = at; i < at + count; ++i)
  {
    for (int d = 0; d < 3; ++d)
    {
      lo[d] = p->cells.lo[d][i] < lo[d] ? p->cells.lo[d][i] : lo[d];
      hi[d] = p->cells.hi[d][i] > hi[d] ? p->cells.hi[d][i] : hi[d];
    }
  }
  p->count = 0;
  w.top = 0;
  visit(&w, tree->level_count - 1, 0);
  while (w.top)
  {
    int32_t level = w.level[--w.top];
    int64_t node = w.node[w.top];
    unsigned mask = meet_box(tree->nodes + tree->level[level] + node, lo, hi);
    for (; mask; mask &= mask - 1)
    {
      int64_t child = node * SQI_POINT_WIDTH + __builtin_ctz(mask);
      if (level)
      {
        visit(&w, level - 1, child);
        continue;
      }
      const sqi_point_group* group = tree->groups + child;
      __builtin_prefetch(group->x[0]);
      __builtin_prefetch(group->x[1]);
      __builtin_prefetch(group->x[2]);
      groups[group_count++] = child;
    }
    if (group_count > 2 * most)
    {
      return 0;
    }
  }
  for (int32_t i = 0; i < group_count; ++i)
  {
    add_near(p, groups[i], lo, hi);
    if (p->count > most)
    {
      return 0;
    }
  }
  for (int i = 0; i < SQI_POINT_WIDTH; ++i)
  {
    p->x[0][p->count + i] = (double)NAN;
  }
  return 1;
}

/** Tests a cell against the points near it. */
static inline void join_near(const packet* p, int32_t at)
{
  joined c;
  double lo[3], hi[3];
  box_of(p, at, lo, hi);
  name_cell(p->join, (int32_t)(p->begin + at), p->thread, &c);
  for (int32_t i = 0; i < p->count; i += SQI_POINT_WIDTH)
  {
    const points near = { { p->x[0] + i, p->x[1] + i, p->x[2] + i }, p->place + i, 0 };
    unsigned may = in_box(&near, lo, hi);
    if (!may)
    {
      continue;
    }
    if (!c.is_bound)
    {
      if (p->cells.good >> at & 1)
      {
        set_tetra(&p->cells, at, &c);
      }
      else
      {
        open_cell(&c);
        set_bound(&c);
      }
    }
    test_points(&c, &near, may);
  }
}

/** Goes through `count` cells of a packet; the bits of those that are left for later. `*size`: how many are best taken at once. */
static uint64_t join_packet(packet* p, int32_t count, int32_t* size)
{
  uint64_t later = 0;
  int32_t step;
  measure_cells(p, count);
  for (int32_t at = 0; at < count; at += step)
  {
    step = count - at < *size ? count - at : *size;
    if (step > 1 && !find_near(p, at, step))
    {
      *size = step > SPLIT ? step / SPLIT : 1;
      step = 0;
      continue;
    }
    if (step > 1)
    {
      for (int32_t i = at; i < at + step && p->count; ++i)
      {
        join_near(p, i);
      }
      *size = p->count * step * SPLIT < TESTS / 4 && *size < SQI_JOIN_WORD ? *size * SPLIT : *size;
    }
    else if (p->cells.lo[0][at] == p->cells.lo[0][at])
    {
      int done = join_cell(p->join, (int32_t)(p->begin + at), p->thread);
      later |= (uint64_t)!done << at;
    }
  }
  /* Single cells are taken until the next packet. */
  *size = *size > 1 ? *size : SPLIT;
  return later;
}

void SQI_LEVEL_NAME(sqi_join_cells)(
  const sqi_join* join, int64_t begin, int64_t end, int32_t thread)
{
  packet p;
  int32_t size = SQI_JOIN_WORD;
  memset(&p.cells, 0, sizeof(p.cells));
  p.join = join;
  p.thread = thread;
  for (p.begin = begin; p.begin < end; p.begin += SQI_JOIN_WORD)
  {
    int64_t left = end - p.begin;
    int32_t count = left < SQI_JOIN_WORD ? (int32_t)left : SQI_JOIN_WORD;
    join->later[p.begin / SQI_JOIN_WORD] = join_packet(&p, count, &size);
  }
}

void SQI_LEVEL_NAME(sqi_join_below)(
  const sqi_join* join, int32_t number, int32_t tree_level, int64_t node, int32_t thread)
{
  int64_t first;
  unsigned mask;
  joined c;
  walk w;
  w.top = 0;
  name_cell(join, number, thread, &c);
  open_cell(&c);
  visit(&w, tree_level, node);
  while (next_groups(&c, &w, &first, &mask))
  {
    for (; mask; mask &= mask - 1)
    {
      test_group(&c, first + __builtin_ctz(mask));
    }
  }
}
