/**
 * Queries far outside of the tree's frame, where floats no longer tell its parts apart: the same search with boxes in double and
 * every triangle measured. From SQI_DOUBLE_REACH on doubles do not either. There the triangle is chosen for a query
 * drawn nearer along the ray to the frame's centre: with the frame's size as unit and R = 2^40 that changes which is
 * nearest by at most 1 / R, while one ulp of the query is more than 2^-13.
 */
#include "sqi_triangle_index_exact.h"

void sqi_exact_try_scaled(sqi_exact* e, int32_t triangle)
{
  double p[4][3];
  double largest = sqk_largest3(e->x);
  sqk_set3(e->x, p[3]);
  for (int k = 0; k < 3; ++k)
  {
    int64_t id = e->index->corners[3 * (int64_t)triangle + k];
    sqk_set3(e->index->vertices + 3 * id, p[k]);
    largest = fmax(largest, sqk_largest3(p[k]));
  }
  int exponent;
  (void)frexp(largest, &exponent);
  exponent = exponent < -1000 ? -1000 : exponent;
  double scale = ldexp(1.0, -exponent);
  for (int k = 0; k < 12; ++k)
  {
    p[k / 3][k % 3] *= scale;
  }
  sqk_closest c;
  double far = sqi_floor_power(e->largest) * scale;
  sqk_closest_on_triangle(p[3], p[0], p[1], p[2], far * far, &c);
  double distance = sqrt(c.distance2) / scale;
  if (distance < e->distance || (distance <= e->distance && sqi_exact_is_first(e, triangle)))
  {
    e->best = c;
    e->distance = distance;
    e->scale = scale;
    e->triangle = triangle;
  }
}

/** How far the double box distances are off, as a fraction of the query's largest coordinate: 8 roundings. */
#define MARGIN 0x1p-49

typedef struct far_entry
{
  double distance;
  int32_t child;
} far_entry;

typedef struct far_search
{
  const sqi_triangle_index* index;
  double local[3];
  double margin;
  sqi_exact exact;
  int32_t nodes_visited;
  int32_t cells_tested;
} far_search;

static double child_distance(const sqi_triangle_node* n, int k, const double local[3])
{
  double sum = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    double gap = fmax(fmax((double)n->lo[d][k] - local[d], local[d] - (double)n->hi[d][k]), 0.0);
    sum += gap * gap;
  }
  return sqrt(sum);
}

static double far_bound(const far_search* s)
{
  return sqi_exact_distance(&s->exact) * s->index->frame.scale + s->margin;
}

static int push_children(far_search* s, int32_t node, far_entry* stack, int height)
{
  const sqi_triangle_node* n = &s->index->nodes[node];
  int bottom = height;
  ++s->nodes_visited;
  for (int k = 0; k < SQI_BVH_WIDTH; ++k)
  {
    far_entry entry = { child_distance(n, k, s->local), n->child[k] };
    if (n->lo[0][k] >= SQI_NOWHERE || entry.distance > far_bound(s))
    {
      continue;
    }
    int at = height++;
    for (; at > bottom && stack[at - 1].distance < entry.distance; --at)
    {
      stack[at] = stack[at - 1];
    }
    stack[at] = entry;
  }
  return height;
}

static void visit_block(far_search* s, const sqi_triangle_block* b)
{
  for (int k = 0; k < SQI_LANES; ++k)
  {
    if (b->id[k] >= 0)
    {
      sqi_exact_try(&s->exact, b->id[k]);
      ++s->cells_tested;
    }
  }
}

static void traverse(far_search* s)
{
  far_entry stack[SQI_BVH_STACK];
  int height = push_children(s, 0, stack, 0);
  while (height)
  {
    far_entry entry = stack[--height];
    if (entry.distance > far_bound(s))
    {
      continue;
    }
    if (entry.child >= 0)
    {
      height = push_children(s, entry.child, stack, height);
    }
    else
    {
      visit_block(s, &s->index->blocks[~entry.child]);
    }
  }
}

/** Draws a query nearer: `local` and `x` become those of the point to search from. */
static void draw_near(const sqi_frame* frame, double local[3], double x[3])
{
  double reach = sqk_largest3(local);
  if (!isfinite(reach))
  {
    sqk_set3(x, local);
    reach = sqk_largest3(x);
  }
  for (int d = 0; d < 3; ++d)
  {
    local[d] = local[d] / reach * SQI_DOUBLE_REACH;
    x[d] = (local[d] + frame->centre[d]) / frame->scale;
  }
}

void sqi_search_far(const sqi_search_run* run, const double x[3], sqi_hit* hit)
{
  far_search s;
  double from[3];
  s.index = run->index;
  s.nodes_visited = s.cells_tested = 0;
  sqk_set3(x, from);
  sqi_frame_local(&run->index->frame, x, s.local);
  int drawn = !(sqk_largest3(s.local) <= SQI_DOUBLE_REACH);
  if (drawn)
  {
    draw_near(&run->index->frame, s.local, from);
  }
  s.margin = sqk_largest3(s.local) * MARGIN;
  sqi_exact_begin(&s.exact, run->index, from, run->index->extreme);
  traverse(&s);
  if (drawn)
  {
    int32_t triangle = s.exact.triangle;
    sqi_exact_begin(&s.exact, run->index, x, 1);
    sqi_exact_try(&s.exact, triangle);
  }
  sqi_exact_finish(&s.exact, run->max_distance, hit);
  if (run->statistics)
  {
    hit->nodes_visited = s.nodes_visited;
    hit->cells_tested = s.cells_tested;
  }
}
