/** The dual traversal by the letter of the reference: one pair at a time, in the type of the points, lists and stable sorts. */
#include "sqt_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double at(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

/** A number in the type of the points: float operations are double ones, rounded. */
static double fit(sq_type type, double x)
{
  return type == SQ_FLOAT32 ? (double)(float)x : x;
}

typedef struct letter
{
  const sq_cluster_tree_view* t;
  const sq_cluster_tree_view* s;
  sq_type type;
  double theta2;
  int expand;
  sqt_list now[2];
  sqt_list groups[8][2];
  sqt_list late[2]; /* expanded far entries */
  sqt_list extra[2]; /* complete: near entries in place of far-near ones */
  sqt_plan plan;
} letter;

static int node_far(const letter* l, int64_t t, int64_t s)
{
  int32_t d = l->t->dimension;
  double r2 = 0;
  for (int32_t k = 0; k < d; ++k)
  {
    double a = fit(l->type,
      at(l->t->node_aabb_min, l->type, t * d + k) - at(l->s->node_aabb_max, l->type, s * d + k));
    double b = fit(l->type,
      at(l->s->node_aabb_min, l->type, s * d + k) - at(l->t->node_aabb_max, l->type, t * d + k));
    double gap = a > b ? a : b;
    gap = gap > 0 ? gap : 0;
    r2 = fit(l->type, r2 + fit(l->type, gap * gap));
  }
  double c = fit(l->type,
    fit(l->type, sqrt(at(l->t->node_diameter_sq, l->type, t))) +
      fit(l->type, sqrt(at(l->s->node_diameter_sq, l->type, s))));
  return fit(l->type, r2 * l->theta2) > fit(l->type, c * c);
}

static int point_far(const letter* l, const sq_cluster_tree_view* points, int64_t id,
  const sq_cluster_tree_view* v, int64_t node)
{
  int32_t d = v->dimension;
  double d2 = 0;
  for (int32_t k = 0; k < d; ++k)
  {
    double x = at(points->source_points, l->type, id * d + k);
    double lo = at(v->node_aabb_min, l->type, node * d + k);
    double hi = at(v->node_aabb_max, l->type, node * d + k);
    double c = x < lo ? lo : x > hi ? hi : x;
    double e = fit(l->type, x - c);
    d2 = fit(l->type, d2 + fit(l->type, e * e));
  }
  return fit(l->type, d2 * l->theta2) > at(v->node_diameter_sq, l->type, node);
}

/** Present points of a node in the order of the tree. */
static sqt_list points_of(const sq_cluster_tree_view* v, int64_t node)
{
  sqt_list ids = { NULL, 0, 0 };
  for (int64_t p = v->node_range_start[node];
       p < v->node_range_start[node] + v->node_range_count[node]; ++p)
  {
    if (sqt_is_present(v, v->sorted_source_order[p]))
    {
      sqt_list_add(&ids, v->sorted_source_order[p]);
    }
  }
  return ids;
}

static void leaf_pair(letter* l, int64_t t, int64_t s)
{
  sqt_list targets = points_of(l->t, t), sources = points_of(l->s, s);
  sqt_list kept = { NULL, 0, 0 };
  sqt_list* a = l->plan.arrays;
  for (int64_t i = 0; i < targets.count; ++i)
  {
    if (point_far(l, l->t, targets.data[i], l->s, s))
    {
      sqt_list_add(a + 2, targets.data[i]);
      sqt_list_add(a + 3, s);
    }
    else
    {
      sqt_list_add(&kept, targets.data[i]);
    }
  }
  int64_t start = a[6].count, any = 0;
  for (int64_t j = 0; j < sources.count; ++j)
  {
    int far = point_far(l, l->s, sources.data[j], l->t, t);
    any |= far;
    if (far && l->expand < 2)
    {
      sqt_list_add(a + 4, t);
      sqt_list_add(a + 5, sources.data[j]);
      sqt_list_add(a + 7, start);
      sqt_list_add(a + 8, kept.count);
    }
    for (int64_t i = 0; i < kept.count && far && l->expand == 2; ++i)
    {
      sqt_list_add(l->extra, kept.data[i]);
      sqt_list_add(l->extra + 1, sources.data[j]);
    }
  }
  for (int64_t i = 0; i < kept.count; ++i)
  {
    if (any && l->expand < 2)
    {
      sqt_list_add(a + 6, kept.data[i]);
    }
    for (int64_t j = 0; j < sources.count; ++j)
    {
      if (!point_far(l, l->s, sources.data[j], l->t, t))
      {
        sqt_list_add(a, kept.data[i]);
        sqt_list_add(a + 1, sources.data[j]);
      }
    }
  }
  free(targets.data);
  free(sources.data);
  free(kept.data);
}

static void far_pair(letter* l, int64_t t, int64_t s)
{
  if (!l->expand)
  {
    sqt_list_add(l->plan.arrays + 9, t);
    sqt_list_add(l->plan.arrays + 10, s);
    return;
  }
  sqt_list ids = points_of(l->t, t);
  for (int64_t i = 0; i < ids.count; ++i)
  {
    sqt_list_add(l->late, ids.data[i]);
    sqt_list_add(l->late + 1, s);
  }
  free(ids.data);
}

static int present(const sq_cluster_tree_view* v, int64_t node)
{
  return v->node_finite_count ? v->node_finite_count[node] > 0 : v->node_range_count[node] > 0;
}

static void to_group(letter* l, int g, int64_t t, int64_t s)
{
  if (present(l->t, t) && present(l->s, s))
  {
    sqt_list_add(&l->groups[g][0], t);
    sqt_list_add(&l->groups[g][1], s);
  }
}

static void split(letter* l, int64_t t, int64_t s)
{
  const int64_t* tc[2] = { l->t->node_left_child, l->t->node_right_child };
  const int64_t* sc[2] = { l->s->node_left_child, l->s->node_right_child };
  int t_leaf = tc[0][t] < 0, s_leaf = sc[0][s] < 0;
  double td = at(l->t->node_diameter_sq, l->type, t), sd = at(l->s->node_diameter_sq, l->type, s);
  int split_t = !t_leaf && (s_leaf || td >= sd), split_s = !s_leaf && (t_leaf || sd >= td);
  for (int k = 0; k < 4; ++k)
  {
    if (split_t && split_s)
    {
      to_group(l, 4 + k, tc[k >> 1][t], sc[k & 1][s]);
    }
    else if (split_t && k < 2)
    {
      to_group(l, k, tc[k][t], s);
    }
    else if (split_s && k < 2)
    {
      to_group(l, 2 + k, t, sc[k][s]);
    }
  }
}

static void append(sqt_list* to, sqt_list* from)
{
  for (int64_t i = 0; i < from->count; ++i)
  {
    sqt_list_add(to, from->data[i]);
  }
  from->count = 0;
}

typedef struct keyed
{
  int64_t key;
  int64_t place;
} keyed;

static int compare(const void* a, const void* b)
{
  const keyed *x = (const keyed*)a, *y = (const keyed*)b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->place < y->place ? -1 : 1;
}

/** Sorts lists together by one of them. */
static void sort_by(sqt_list* arrays, int key, const int* others, int count)
{
  int64_t n = arrays[key].count;
  keyed* order = (keyed*)malloc((size_t)(n + 1) * sizeof(*order));
  int64_t* copy = (int64_t*)malloc((size_t)(n + 1) * sizeof(*copy));
  for (int64_t i = 0; i < n; ++i)
  {
    order[i].key = arrays[key].data[i];
    order[i].place = i;
  }
  qsort(order, (size_t)n, sizeof(*order), compare);
  for (int k = -1; k < count; ++k)
  {
    sqt_list* l = arrays + (k < 0 ? key : others[k]);
    for (int64_t i = 0; i < n; ++i)
    {
      copy[i] = l->data[order[i].place];
    }
    for (int64_t i = 0; i < n; ++i)
    {
      l->data[i] = copy[i];
    }
  }
  free(order);
  free(copy);
}

sqt_plan sqt_plan_by_letter(const sqt_pair* pair, double theta, int expand)
{
  letter l;
  memset(&l, 0, sizeof(l));
  l.t = &pair->t;
  l.s = &pair->s;
  l.type = pair->t.type;
  l.theta2 = fit(l.type, theta * theta);
  l.expand = expand;
  if (l.t->node_count && l.s->node_count && present(l.t, 0) && present(l.s, 0))
  {
    sqt_list_add(l.now, 0);
    sqt_list_add(l.now + 1, 0);
  }
  for (; l.now[0].count; ++l.plan.iterations)
  {
    for (int64_t i = 0; i < l.now[0].count; ++i)
    {
      int64_t t = l.now[0].data[i], s = l.now[1].data[i];
      if (node_far(&l, t, s))
      {
        far_pair(&l, t, s);
      }
      else if (l.t->node_left_child[t] < 0 && l.s->node_left_child[s] < 0)
      {
        leaf_pair(&l, t, s);
      }
      else
      {
        split(&l, t, s);
      }
    }
    for (int k = 0; k < 2; ++k)
    {
      l.now[k].count = 0;
      for (int g = 0; g < 8; ++g)
      {
        append(l.now + k, &l.groups[g][k]);
      }
    }
  }
  for (int k = 0; k < 2; ++k)
  {
    append(l.plan.arrays + 2 + k, l.late + k);
    append(l.plan.arrays + k, l.extra + k);
  }
  sort_by(l.plan.arrays, 1, (const int[]){ 0 }, 1);
  sort_by(l.plan.arrays, 3, (const int[]){ 2 }, 1);
  sort_by(l.plan.arrays, 5, (const int[]){ 4, 7, 8 }, 3);
  sort_by(l.plan.arrays, 10, (const int[]){ 9 }, 1);
  for (int k = 0; k < 2; ++k)
  {
    free(l.now[k].data);
    free(l.late[k].data);
    free(l.extra[k].data);
    for (int g = 0; g < 8; ++g)
    {
      free(l.groups[g][k].data);
    }
  }
  return l.plan;
}

void sqt_plan_free(sqt_plan* plan)
{
  for (int k = 0; k < 11; ++k)
  {
    free(plan->arrays[k].data);
  }
  memset(plan, 0, sizeof(*plan));
}
