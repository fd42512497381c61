#include "sqt_plan.h"

#include "sq_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sqt_pair sqt_pair_build(
  sq_context* context, const sq_points* targets, const sq_points* sources, int64_t leaf_size)
{
  sqt_pair p;
  memset(&p, 0, sizeof(p));
  sq_cluster_tree_options o = { leaf_size, SQ_NON_FINITE_KEEP };
  CHECK_STATUS(sq_cluster_tree_build(context, targets, NULL, &o, &p.targets), SQ_OK);
  p.sources = p.targets;
  if (sources)
  {
    CHECK_STATUS(sq_cluster_tree_build(context, sources, NULL, &o, &p.sources), SQ_OK);
  }
  CHECK_STATUS(sq_cluster_tree_get_view(p.targets, &p.t), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(p.sources, &p.s), SQ_OK);
  return p;
}

void sqt_pair_destroy(sqt_pair* pair)
{
  if (pair->sources != pair->targets)
  {
    sq_cluster_tree_destroy(pair->sources);
  }
  sq_cluster_tree_destroy(pair->targets);
  memset(pair, 0, sizeof(*pair));
}

sq_plan_options sqt_plan_options(double theta, int expand)
{
  sq_plan_options o = { theta, (sq_plan_expand)expand, SQ_NON_FINITE_KEEP, -1 };
  return o;
}

sq_plan* sqt_plan_build(
  sq_context* context, const sqt_pair* pair, double theta, int expand, sq_plan_view* view)
{
  sq_plan_options o = sqt_plan_options(theta, expand);
  sq_plan* plan = NULL;
  memset(view, 0, sizeof(*view));
  CHECK_STATUS(sq_plan_build(context, pair->targets, pair->sources, &o, &plan), SQ_OK);
  if (CHECK(plan != NULL))
  {
    CHECK_STATUS(sq_plan_get_view(plan, view), SQ_OK);
  }
  return plan;
}

void sqt_list_add(sqt_list* l, int64_t x)
{
  if (l->count == l->room)
  {
    l->room = 2 * l->room + 64;
    l->data = (int64_t*)realloc(l->data, (size_t)l->room * sizeof(*l->data));
  }
  l->data[l->count++] = x;
}

void sqt_plan_arrays(const sq_plan_view* v, const int64_t* arrays[11], int64_t counts[11])
{
  const int64_t* a[11] = { v->near_target_ids, v->near_source_ids, v->nf_target_ids,
    v->nf_source_node_ids, v->fn_target_node_ids, v->fn_source_ids, v->fn_broadcast_targets,
    v->fn_broadcast_starts, v->fn_broadcast_counts, v->far_target_node_ids,
    v->far_source_node_ids };
  const int64_t c[11] = { v->near_count, v->near_count, v->nf_count, v->nf_count, v->fn_count,
    v->fn_count, v->broadcast_count, v->fn_count, v->fn_count, v->far_count, v->far_count };
  memcpy(arrays, a, sizeof(a));
  memcpy(counts, c, sizeof(c));
}

int sqt_plan_equal(const sq_plan_view* got, const sqt_plan* want, const char* what)
{
  const int64_t* arrays[11];
  int64_t counts[11];
  int same = 1;
  sqt_plan_arrays(got, arrays, counts);
  for (int k = 0; k < 11; ++k)
  {
    const sqt_list* w = want->arrays + k;
    int equal = counts[k] == w->count &&
      (!w->count || !memcmp(arrays[k], w->data, (size_t)w->count * sizeof(*w->data)));
    same &= CHECK_TEXT(equal, "%s: array %d of %lld entries differs from that of the letter (%lld)",
      what, k, (long long)counts[k], (long long)w->count);
  }
  return same;
}

int sqt_is_present(const sq_cluster_tree_view* v, int64_t id)
{
  int present = 1;
  for (int32_t d = 0; d < v->dimension; ++d)
  {
    int64_t at = id * v->dimension + d;
    double x = v->type == SQ_FLOAT32 ? (double)((const float*)v->source_points)[at]
                                     : ((const double*)v->source_points)[at];
    present &= isfinite(x) != 0;
  }
  return present;
}

static void add_node(uint8_t* row, const sq_cluster_tree_view* v, int64_t node, int64_t stride)
{
  for (int64_t p = v->node_range_start[node];
       p < v->node_range_start[node] + v->node_range_count[node]; ++p)
  {
    int64_t id = v->sorted_source_order[p];
    row[id * stride] = (uint8_t)(row[id * stride] + sqt_is_present(v, id));
  }
}

uint8_t* sqt_plan_cover(const sq_plan_view* v, const sqt_pair* pair)
{
  int64_t n = pair->t.point_count, m = pair->s.point_count;
  uint8_t* cover = (uint8_t*)calloc((size_t)(4 * n * m + 1), 1);
  uint8_t *nf = cover + n * m, *fn = nf + n * m, *far = fn + n * m;
  for (int64_t e = 0; e < v->near_count; ++e)
  {
    ++cover[v->near_target_ids[e] * m + v->near_source_ids[e]];
  }
  for (int64_t e = 0; e < v->nf_count; ++e)
  {
    add_node(nf + v->nf_target_ids[e] * m, &pair->s, v->nf_source_node_ids[e], 1);
  }
  for (int64_t e = 0; e < v->fn_count; ++e)
  {
    for (int64_t k = 0; k < v->fn_broadcast_counts[e]; ++k)
    {
      ++fn[v->fn_broadcast_targets[v->fn_broadcast_starts[e] + k] * m + v->fn_source_ids[e]];
    }
  }
  for (int64_t e = 0; e < v->far_count; ++e)
  {
    int64_t node = v->far_target_node_ids[e];
    for (int64_t p = pair->t.node_range_start[node];
         p < pair->t.node_range_start[node] + pair->t.node_range_count[node]; ++p)
    {
      int64_t id = pair->t.sorted_source_order[p];
      if (sqt_is_present(&pair->t, id))
      {
        add_node(far + id * m, &pair->s, v->far_source_node_ids[e], 1);
      }
    }
  }
  return cover;
}

int sqt_plan_covers_once(const uint8_t* cover, const sqt_pair* pair)
{
  int64_t n = pair->t.point_count, m = pair->s.point_count, wrong = 0;
  for (int64_t t = 0; t < n; ++t)
  {
    int present = sqt_is_present(&pair->t, t);
    for (int64_t s = 0; s < m; ++s)
    {
      int sum = 0;
      for (int k = 0; k < 4; ++k)
      {
        sum += cover[(k * n + t) * m + s];
      }
      wrong += sum != (present && sqt_is_present(&pair->s, s));
    }
  }
  return wrong == 0;
}

sq_points sqt_fibonacci_sphere(int64_t count)
{
  float* x = (float*)malloc((size_t)(3 * count + 1) * sizeof(float));
  const double pi = 3.14159265358979323846;
  for (int64_t i = 0; i < count; ++i)
  {
    double z = 1 - (double)(2 * i + 1) / (double)count;
    double angle = pi * (1 + sqrt(5.0)) * ((double)i + 0.5), r = sqrt(1 - z * z);
    x[3 * i] = (float)(r * cos(angle));
    x[3 * i + 1] = (float)(r * sin(angle));
    x[3 * i + 2] = (float)z;
  }
  sq_points p = { x, count, SQ_FLOAT32, 3 };
  return p;
}
