#include "sqt_plan_field.h"

#include "sq_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double scene_number(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

scene scene_make(sq_context* c, const sq_points* targets, const sq_points* sources,
  int64_t leaf_size, sq_kernel kernel, uint64_t seed)
{
  scene z;
  memset(&z, 0, sizeof(z));
  z.pair = sqt_pair_build(c, targets, sources, leaf_size);
  const sq_cluster_tree_view* s = &z.pair.s;
  sq_points q = sqt_random_points(seed, s->type, s->point_count, 1, -0.5, 1.5);
  sq_points area = sqt_random_points(seed + 1, s->type, s->point_count, 1, 0.5, 1.5);
  z.strengths = (void*)(uintptr_t)q.data;
  z.field.kernel = kernel;
  z.field.strengths = z.strengths;
  z.field.strength_type = s->type;
  CHECK_STATUS(
    sq_aggregates_build(c, z.pair.sources, area.data, s->type, NULL, 0, 0, &z.sources), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(z.sources, &z.s), SQ_OK);
  z.t = z.s;
  if (sources)
  {
    CHECK_STATUS(
      sq_aggregates_build(c, z.pair.targets, NULL, s->type, NULL, 0, 0, &z.targets), SQ_OK);
    CHECK_STATUS(sq_aggregates_get_view(z.targets, &z.t), SQ_OK);
  }
  z.field.source_aggregates = z.sources;
  z.field.target_aggregates = z.targets;
  z.node_strengths = (double*)calloc((size_t)s->node_count + 1, sizeof(double));
  CHECK_STATUS(
    sq_cluster_tree_sum(c, z.pair.sources, z.strengths, s->type, 1, z.node_strengths), SQ_OK);
  for (int64_t n = s->node_count - 1; n >= 0 && s->type == SQ_FLOAT32; --n)
  {
    z.node_strengths[n] = (double)((float*)z.node_strengths)[n];
  }
  free((void*)(uintptr_t)area.data);
  return z;
}

void scene_free(scene* z)
{
  sq_aggregates_destroy(z->sources);
  sq_aggregates_destroy(z->targets);
  sqt_pair_destroy(&z->pair);
  free(z->strengths);
  free(z->node_strengths);
}

long double scene_kernel(const sq_kernel* k, long double r2)
{
  long double u = r2 / ((long double)k->length * k->length);
  switch (k->kind)
  {
    case SQ_KERNEL_INVERSE:
      return r2 > 0 ? 1 / sqrtl(r2) : 0;
    case SQ_KERNEL_INVERSE_SQUARE:
      return r2 > 0 ? 1 / r2 : 0;
    case SQ_KERNEL_GAUSSIAN:
      return expl(-u);
    case SQ_KERNEL_LOGARITHM:
      return r2 > 0 ? -0.5L * logl(r2) : 0;
    default:
      return -expm1l(-u) / (1 + u);
  }
}

void scene_place(
  const sq_cluster_tree_view* v, const sq_aggregates_view* a, int node, int64_t id, double x[3])
{
  for (int32_t d = 0; d < 3; ++d)
  {
    x[d] = d < v->dimension
      ? scene_number(node ? a->node_centroid : v->source_points, v->type, id * v->dimension + d)
      : 0;
  }
}

long double scene_between(const sq_kernel* k, const double x[3], const double y[3])
{
  long double r2 = 0;
  for (int d = 0; d < 3; ++d)
  {
    long double e = (long double)x[d] - (long double)y[d];
    r2 += e * e;
  }
  return scene_kernel(k, r2);
}

void scene_by_letter(const scene* z, const sq_plan_view* v, long double* phi, long double* size)
{
  const sq_cluster_tree_view *t = &z->pair.t, *s = &z->pair.s;
  const int64_t* ends[4][2] = { { v->near_target_ids, v->near_source_ids },
    { v->nf_target_ids, v->nf_source_node_ids }, { v->fn_target_node_ids, v->fn_source_ids },
    { v->far_target_node_ids, v->far_source_node_ids } };
  const int64_t counts[4] = { v->near_count, v->nf_count, v->fn_count, v->far_count };
  for (int k = 0; k < 4; ++k)
  {
    for (int64_t e = 0; e < counts[k]; ++e)
    {
      double x[3], y[3];
      int64_t from = ends[k][1][e], to = ends[k][0][e];
      scene_place(t, &z->t, k > 1, to, x);
      scene_place(s, &z->s, k & 1, from, y);
      long double value = scene_between(&z->field.kernel, x, y) *
        (k & 1 ? z->node_strengths[from] : scene_number(z->strengths, s->type, from));
      const int64_t* list = &to;
      int64_t length = 1;
      if (k == SQ_PLAN_FAR_NEAR)
      {
        list = v->fn_broadcast_targets + v->fn_broadcast_starts[e];
        length = v->fn_broadcast_counts[e];
      }
      else if (k == SQ_PLAN_FAR)
      {
        list = t->sorted_source_order + t->node_range_start[to];
        length = t->node_range_count[to];
      }
      for (int64_t i = 0; i < length; ++i)
      {
        phi[4 * list[i] + k] += value;
        size[list[i]] += fabsl(value);
      }
    }
  }
}

void scene_direct(const scene* z, int64_t target, long double* phi, long double* size)
{
  const sq_cluster_tree_view *t = &z->pair.t, *s = &z->pair.s;
  double x[3], y[3];
  scene_place(t, &z->t, 0, target, x);
  *phi = *size = 0;
  for (int64_t i = 0; i < s->point_count; ++i)
  {
    if (sqt_is_present(s, i))
    {
      scene_place(s, &z->s, 0, i, y);
      long double value =
        scene_between(&z->field.kernel, x, y) * scene_number(z->strengths, s->type, i);
      *phi += value;
      *size += fabsl(value);
    }
  }
}

int scene_near(double got, long double want, long double size)
{
  return fabsl((long double)got - want) <= 1e-13L * size + 1e-300L;
}

double* scene_doubles(int64_t count)
{
  return (double*)calloc((size_t)count + 1, sizeof(double));
}
