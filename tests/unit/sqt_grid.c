#include "sqt_grid.h"

#include "sq_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_axis(sqt_grid* g, int d, int count, double from, double to)
{
  g->count[d] = count;
  for (int i = 0; i < count; ++i)
  {
    g->x[d][i] = count > 1 ? from + (to - from) * i / (count - 1) : from;
  }
}

sqt_grid sqt_even_grid(const char* name, int nx, int ny, int nz, double from, double to)
{
  const int n[3] = { nx, ny, nz };
  sqt_grid g = { name, { { 0.0 } }, { 0 }, SQ_FLOAT64 };
  for (int d = 0; d < 3; ++d)
  {
    set_axis(&g, d, n[d], from, to);
  }
  return g;
}

sqt_grid sqt_make_grid(int i)
{
  sqt_grid g = sqt_even_grid("around", 21, 17, 13, -0.13, 1.11);
  orc_random r = { 77 };
  switch (i)
  {
    case 0:
      return g;
    case 1:
      return sqt_even_grid(
        "aligned", 33, 33, 25, 0.0, 1.0); /* many points on faces, edges and nodes */
    case 2:
      g = sqt_even_grid("x thin", 1, 41, 37, 0.25, 0.25);
      set_axis(&g, 1, 41, -0.1, 1.0);
      set_axis(&g, 2, 37, 0.0, 0.9);
      return g;
    case 3:
      g = sqt_even_grid("y thin", 40, 1, 33, 0.0, 1.0);
      set_axis(&g, 1, 1, 0.375, 0.0);
      return g;
    case 4:
      g = sqt_even_grid("z thin", 45, 45, 1, 0.0, 1.0);
      set_axis(&g, 2, 1, 0.5, 0.0);
      return g;
    case 5:
      g = sqt_even_grid("a line", 48, 1, 1, 0.0, 1.0);
      set_axis(&g, 1, 1, 0.3, 0.0);
      set_axis(&g, 2, 1, 0.1, 0.0);
      return g;
    case 6:
      g.name = "anisotropic, fine";
      set_axis(&g, 0, 48, 0.05, 0.15);
      set_axis(&g, 1, 5, 0.0, 0.8);
      set_axis(&g, 2, 30, 0.2, 0.4);
      return g;
    case 7:
      g.name = "downward";
      set_axis(&g, 0, 24, 1.1, -0.1);
      set_axis(&g, 2, 18, 0.9, 0.1);
      return g;
    case 8:
      g.name = "uneven, doubled";
      for (int d = 0; d < 3; ++d)
      {
        for (int k = 1; k < g.count[d]; ++k)
        {
          g.x[d][k] = g.x[d][k - 1] + (k % 4 ? orc_between(&r, 0.0, 0.14) : 0.0);
        }
      }
      return g;
    case 9:
      g.name = "to and fro";
      for (int k = 0; k < g.count[1]; ++k)
      {
        g.x[1][k] = orc_between(&r, -0.2, 1.2);
      }
      return g;
    case 10:
      g.name = "not finite";
      g.x[0][3] = (double)NAN;
      g.x[2][12] = (double)INFINITY;
      return g;
    case 11:
      g = sqt_even_grid("coarse", 3, 2, 3, 0.1, 0.9);
      return g;
    default:
      g.name = "float32";
      g.type = SQ_FLOAT32;
      for (int d = 0; d < 3; ++d)
      {
        for (int k = 0; k < g.count[d]; ++k)
        {
          g.x[d][k] = (double)(float)g.x[d][k];
        }
      }
      return g;
  }
}

void sqt_thin_grid(sqt_grid* g, int most)
{
  for (int d = 0; d < 3; ++d)
  {
    int step = (g->count[d] + most - 1) / most;
    g->count[d] = (g->count[d] - 1) / step + 1;
    for (int i = 0; i < g->count[d]; ++i)
    {
      g->x[d][i] = g->x[d][i * step];
    }
  }
}

sq_axes sqt_axes_of(const sqt_grid* g)
{
  sq_axes a = { { g->x[0], g->x[1], g->x[2] }, { g->count[0], g->count[1], g->count[2] }, g->type };
  return a;
}

int64_t sqt_grid_points(const sqt_grid* g)
{
  return (int64_t)g->count[0] * g->count[1] * g->count[2];
}

sq_points sqt_points_of(const sqt_grid* g)
{
  int64_t n = sqt_grid_points(g);
  sq_points p = { NULL, n, g->type, 3 };
  double* x = (double*)malloc((size_t)(3 * n + 1) * sizeof(*x));
  float* narrow = (float*)x; /* fills the front of what has been read already */
  for (int64_t q = 0; q < n; ++q)
  {
    int64_t rest = q;
    for (int d = 0; d < 3; ++d)
    {
      double at = g->x[d][rest % g->count[d]];
      rest /= g->count[d];
      if (g->type == SQ_FLOAT32)
      {
        narrow[3 * q + d] = (float)at;
      }
      else
      {
        x[3 * q + d] = at;
      }
    }
  }
  p.data = x;
  return p;
}

sq_location* sqt_search(
  sq_context* c, const sq_mesh_index* index, const sqt_grid* g, const sq_locate_options* o)
{
  sq_points p = sqt_points_of(g);
  sq_location* l = NULL;
  CHECK_STATUS(sq_locate(c, index, &p, o, &l), SQ_OK);
  free((void*)p.data);
  return l;
}

sq_location* sqt_rasterise(
  sq_context* c, const sq_mesh_index* index, const sqt_grid* g, const sq_locate_options* o)
{
  sq_axes a = sqt_axes_of(g);
  sq_location* l = NULL;
  sq_status s = sq_locate_grid(c, index, &a, o, &l);
  CHECK_TEXT(s == SQ_OK, "%s: %s", g->name, sq_context_message(c));
  return l;
}

/** sq_location_read() says of a location what the view of the other has. */
static int check_read(sq_context* c, const sq_location* l, const sq_location_view* want)
{
  int64_t n = want->count;
  sq_location_outputs o;
  memset(&o, 0, sizeof(o));
  o.valid = (uint8_t*)malloc((size_t)n + 1);
  o.status = (uint8_t*)malloc((size_t)n + 1);
  o.block = (int32_t*)malloc((size_t)n * 4 + 1);
  o.cell = (int64_t*)malloc((size_t)n * 8 + 1);
  o.distance = (double*)malloc((size_t)n * 8 + 1);
  o.containing_count = (int32_t*)malloc((size_t)n * 4 + 1);
  CHECK_STATUS(sq_location_read(c, l, &o), SQ_OK);
  int ok = CHECK_SAME(o.status, want->status, n);
  ok &= CHECK_SAME(o.block, want->block, n);
  ok &= CHECK_SAME(o.cell, want->cell, n);
  ok &= CHECK_SAME(o.distance, want->distance, n);
  ok &= CHECK_SAME(o.containing_count, want->containing_count, n);
  for (int64_t q = 0; q < n; ++q)
  {
    ok &= o.valid[q] == (want->cell[q] >= 0);
  }
  free(o.valid);
  free(o.status);
  free(o.block);
  free(o.cell);
  free(o.distance);
  free(o.containing_count);
  o = (sq_location_outputs){ NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL };
  o.parametric = (double*)malloc((size_t)n * 24 + 1);
  CHECK_STATUS(sq_location_read(c, l, &o), SQ_OK);
  ok &= CHECK_SAME(o.parametric, want->parametric, 3 * n);
  free(o.parametric);
  return ok;
}

typedef struct values
{
  double* weighted[2];
  int32_t* dominant[2];
  uint8_t* valid[2];
  int64_t* id[2];
} values;

/** Two fields, of points and of cells, summed and copied; one call for all, in a location of one block. */
static values apply(sq_context* c, const sq_location* l, int64_t n, const sq_cells* block)
{
  values v;
  const double missing = -1.5;
  const int32_t none = -7;
  int64_t most = block->points.count > block->count ? block->points.count : block->count;
  float* field = (float*)malloc((size_t)most * sizeof(*field));
  int32_t* label = (int32_t*)malloc((size_t)most * sizeof(*label));
  orc_random r = { 5 };
  for (int64_t i = 0; i < most; ++i)
  {
    field[i] = (float)orc_between(&r, -1.0, 1.0);
    label[i] = (int32_t)(i * 3);
  }
  sq_sample samples[4];
  sq_field fields[4];
  for (int k = 0; k < 4; ++k)
  {
    int a = k / 2;
    int64_t count = a ? block->count : block->points.count;
    fields[k] =
      (sq_field){ k % 2 ? (void*)label : (void*)field, k % 2 ? SQ_INT32 : SQ_FLOAT32, count };
    samples[k] =
      (sq_sample){ (sq_association)a, k % 2 ? SQ_COMBINE_DOMINANT : SQ_COMBINE_WEIGHTED, fields + k,
        1, k % 2 ? SQ_INT32 : SQ_FLOAT64, k % 2 ? (const void*)&none : &missing, NULL, NULL };
  }
  for (int a = 0; a < 2; ++a)
  {
    v.weighted[a] = (double*)malloc((size_t)n * sizeof(double) + 1);
    v.dominant[a] = (int32_t*)malloc((size_t)n * sizeof(int32_t) + 1);
    v.valid[a] = (uint8_t*)malloc((size_t)n + 1);
    v.id[a] = (int64_t*)malloc((size_t)n * sizeof(int64_t) + 1);
    samples[2 * a].out = v.weighted[a];
    samples[2 * a].valid = v.valid[a];
    samples[2 * a + 1].out = v.dominant[a];
    CHECK_STATUS(sq_location_dominant(c, l, (sq_association)a, NULL, v.id[a]), SQ_OK);
  }
  CHECK_STATUS(sq_location_apply_all(c, l, samples, 4, 1), SQ_OK);
  free(field);
  free(label);
  return v;
}

static void free_values(values* v)
{
  for (int a = 0; a < 2; ++a)
  {
    free(v->weighted[a]);
    free(v->dominant[a]);
    free(v->valid[a]);
    free(v->id[a]);
  }
}

static int check_apply(sq_context* c, const sq_location* compact, const sq_location* full,
  int64_t n, const sq_cells* block)
{
  values a = apply(c, compact, n, block);
  values b = apply(c, full, n, block);
  int ok = 1;
  for (int k = 0; k < 2; ++k)
  {
    ok &= CHECK_SAME(a.weighted[k], b.weighted[k], n);
    ok &= CHECK_SAME(a.dominant[k], b.dominant[k], n);
    ok &= CHECK_SAME(a.valid[k], b.valid[k], n);
    ok &= CHECK_SAME(a.id[k], b.id[k], n);
  }
  free_values(&a);
  free_values(&b);
  return ok;
}

int sqt_check_compact(
  sq_context* c, const sq_location* compact, const sq_location* want, const sq_cells* block)
{
  sq_location* got = NULL;
  sq_location_view a, b, small;
  CHECK_STATUS(sq_location_expand(c, compact, &got), SQ_OK);
  CHECK_STATUS(sq_location_get_view(want, &a), SQ_OK);
  CHECK_STATUS(sq_location_get_view(got, &b), SQ_OK);
  CHECK_STATUS(sq_location_get_view(compact, &small), SQ_OK);
  int ok = sqt_views_equal(&b, &a);
  ok &= CHECK(small.count == a.count && !small.cell && !small.node_ids && !small.distance);
  ok &= CHECK_SAME(small.status, a.status, a.count);
  ok &= check_read(c, compact, &a) & check_read(c, want, &a);
  ok &= !block || check_apply(c, compact, want, a.count, block);
  sq_location_destroy(got);
  return ok;
}

void sqt_check_grid(sq_context* c, const sq_mesh_index* index, const sq_cells* block,
  const sqt_grid* g, const sq_locate_options* o)
{
  sq_location* want = sqt_search(c, index, g, o);
  sq_location* compact = sqt_rasterise(c, index, g, o);
  int ok = want && compact && sqt_check_compact(c, compact, want, block);
  CHECK_TEXT(ok,
    "grid \"%s\", mode %d, rule %d, tolerance %g of type %d, nearest by %d, outside %d", g->name,
    (int)o->mode, (int)o->multiple_cells, o->tolerance, (int)o->tolerance_type, (int)o->nearest_by,
    (int)o->outside_value);
  sq_location_destroy(compact);
  sq_location_destroy(want);
}
