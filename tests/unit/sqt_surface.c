#include "sqt_surface.h"

#include "sq_test.h"

#include <stdlib.h>
#include <string.h>

static void* take(int64_t count, size_t size)
{
  void* p = calloc((size_t)(count > 0 ? count : 1), size);
  if (!p)
  {
    abort();
  }
  return p;
}

static void* points_of(const orc_mesh* mesh, sq_type type)
{
  int64_t n = 3 * mesh->point_count;
  void* out = take(n, sq_type_bytes(type));
  for (int64_t i = 0; i < n; ++i)
  {
    if (type == SQ_FLOAT32)
    {
      ((float*)out)[i] = (float)mesh->points[i];
    }
    else
    {
      ((double*)out)[i] = mesh->points[i];
    }
  }
  return out;
}

sqt_view sqt_view_of(const orc_mesh* mesh, sq_type point_type, sq_type id_type)
{
  sqt_view v;
  memset(&v, 0, sizeof(v));
  int64_t n = 3 * mesh->triangle_count;
  v.points = points_of(mesh, point_type);
  v.ids = take(n, sq_type_bytes(id_type));
  for (int64_t i = 0; i < n; ++i)
  {
    if (id_type == SQ_INT32)
    {
      ((int32_t*)v.ids)[i] = (int32_t)mesh->corners[i];
    }
    else
    {
      ((int64_t*)v.ids)[i] = mesh->corners[i];
    }
  }
  sq_points points = { v.points, mesh->point_count, point_type, 3 };
  v.cells.points = points;
  v.cells.count = mesh->triangle_count;
  v.cells.type = SQ_CELL_TRIANGLE;
  v.cells.cell_size = 3;
  v.cells.id_type = id_type;
  v.cells.connectivity = v.ids;
  v.cells.connectivity_count = n;
  return v;
}

void sqt_view_free(sqt_view* view)
{
  free(view->points);
  free(view->ids);
  memset(view, 0, sizeof(*view));
}

sq_surface* sqt_build(sq_context* context, const sq_cells* cells)
{
  sq_surface* surface = NULL;
  sq_status s = sq_surface_build(context, cells, 1, NULL, &surface);
  CHECK_TEXT(s == SQ_OK, "build: %s: %s", sq_status_text(s), sq_context_message(context));
  CHECK((surface != NULL) == (s == SQ_OK));
  return surface;
}

sq_surface* sqt_build_mesh(sq_context* context, const orc_mesh* mesh)
{
  sqt_view v = sqt_view_of(mesh, SQ_FLOAT64, SQ_INT64);
  sq_surface* surface = sqt_build(context, &v.cells);
  sqt_view_free(&v);
  return surface;
}

sqt_answers sqt_answers_new(int64_t count)
{
  sqt_answers a;
  a.count = count;
  a.distance = (double*)take(count, sizeof(double));
  a.closest = (double*)take(3 * count, sizeof(double));
  a.barycentric = (double*)take(3 * count, sizeof(double));
  a.gradient = (double*)take(3 * count, sizeof(double));
  a.cell = (int64_t*)take(count, sizeof(int64_t));
  a.block = (int32_t*)take(count, sizeof(int32_t));
  a.sub = (int32_t*)take(count, sizeof(int32_t));
  a.valid = (uint8_t*)take(count, 1);
  memset(a.valid, 99, (size_t)count);
  return a;
}

void sqt_answers_free(sqt_answers* answers)
{
  free(answers->distance);
  free(answers->closest);
  free(answers->barycentric);
  free(answers->gradient);
  free(answers->cell);
  free(answers->block);
  free(answers->sub);
  free(answers->valid);
  memset(answers, 0, sizeof(*answers));
}

sq_distance_outputs sqt_answers_outputs(const sqt_answers* answers)
{
  sq_distance_outputs o;
  memset(&o, 0, sizeof(o));
  o.distance = answers->distance;
  o.closest_point = answers->closest;
  o.barycentric = answers->barycentric;
  o.gradient = answers->gradient;
  o.cell = answers->cell;
  o.block = answers->block;
  o.sub = answers->sub;
  o.valid = answers->valid;
  return o;
}

sq_points sqt_points(const double* x, int64_t count)
{
  sq_points p = { x, count, SQ_FLOAT64, 3 };
  return p;
}

sqt_answers sqt_distances(sq_context* context, const sq_surface* surface, const double* x,
  int64_t count, const sq_distance_options* options)
{
  sqt_answers a = sqt_answers_new(count);
  sq_distance_outputs o = sqt_answers_outputs(&a);
  sq_points queries = sqt_points(x, count);
  sq_status s = sq_surface_distance(context, surface, &queries, options, &o);
  if (!CHECK_TEXT(s == SQ_OK, "distance: %s: %s", sq_status_text(s), sq_context_message(context)))
  {
    a.count = 0;
  }
  return a;
}

double sqt_one_distance(const orc_mesh* mesh, double x, double y, double z)
{
  double at[3] = { x, y, z };
  sq_context* context = sqt_context(1, NULL, NULL);
  sq_surface* surface = sqt_build_mesh(context, mesh);
  sqt_answers a = sqt_distances(context, surface, at, 1, NULL);
  double d = a.distance[0];
  sqt_answers_free(&a);
  sq_surface_destroy(surface);
  sq_context_destroy(context);
  return d;
}

int sqt_answers_equal(const sqt_answers* a, const sqt_answers* b)
{
  int ok = CHECK_INT(a->count, b->count);
  ok &= CHECK_SAME(a->distance, b->distance, a->count);
  ok &= CHECK_SAME(a->closest, b->closest, 3 * a->count);
  ok &= CHECK_SAME(a->barycentric, b->barycentric, 3 * a->count);
  ok &= CHECK_SAME(a->gradient, b->gradient, 3 * a->count);
  ok &= CHECK_SAME(a->cell, b->cell, a->count);
  ok &= CHECK_SAME(a->block, b->block, a->count);
  ok &= CHECK_SAME(a->sub, b->sub, a->count);
  ok &= CHECK_SAME(a->valid, b->valid, a->count);
  return ok;
}
