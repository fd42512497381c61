/**
 * Prints a hash of every answer over the suite. Built twice: with the library as it is, and with the library without
 * its faster instruction set levels; both must print the same.
 */
#include "orc_queries.h"
#include "orc_random.h"
#include "orc_zoo.h"

#include "spatialqueries/spatialqueries.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 150
#define ALL (QUERIES * ORC_QUERY_KINDS)

/* FNV-1a, 64 bit. */
static uint64_t hash(uint64_t h, const void* data, size_t bytes)
{
  const unsigned char* p = (const unsigned char*)data;
  for (size_t i = 0; i < bytes; ++i)
  {
    h = (h ^ p[i]) * 0x100000001b3u;
  }
  return h;
}

static void must(sq_status s, const char* what)
{
  if (s != SQ_OK)
  {
    printf("%s: %s\n", what, sq_status_text(s));
    exit(1);
  }
}

typedef struct answers
{
  double x[3 * ALL];
  double distance[ALL];
  double closest[3 * ALL];
  double barycentric[3 * ALL];
  double gradient[3 * ALL];
  double winding[ALL];
  int64_t cell[ALL];
} answers;

static void surface(sq_context* c, const orc_suite_entry* e, answers* a)
{
  orc_mesh m = e->make();
  sq_cells b;
  memset(&b, 0, sizeof(b));
  sq_points points = { m.points, m.point_count, SQ_FLOAT64, 3 };
  b.points = points;
  b.count = m.triangle_count;
  b.type = SQ_CELL_TRIANGLE;
  b.cell_size = 3;
  b.id_type = SQ_INT64;
  b.connectivity = m.corners;
  b.connectivity_count = 3 * m.triangle_count;
  sq_surface* s = NULL;
  must(sq_surface_build(c, &b, 1, NULL, &s), e->name);
  for (int kind = 0; kind < ORC_QUERY_KINDS; ++kind)
  {
    orc_make_queries(&m, (orc_query_kind)kind, QUERIES, 5, a->x + 3 * QUERIES * kind);
  }
  sq_points queries = { a->x, ALL, SQ_FLOAT64, 3 };
  sq_distance_outputs o;
  memset(&o, 0, sizeof(o));
  o.distance = a->distance;
  o.closest_point = a->closest;
  o.barycentric = a->barycentric;
  o.gradient = a->gradient;
  o.winding_number = a->winding;
  o.cell = a->cell;
  must(sq_surface_distance(c, s, &queries, NULL, &o), e->name);
  uint64_t h = hash(0xcbf29ce484222325u, a->distance, sizeof(a->distance));
  h = hash(h, a->closest, sizeof(a->closest));
  h = hash(h, a->barycentric, sizeof(a->barycentric));
  h = hash(h, a->gradient, sizeof(a->gradient));
  h = hash(h, a->cell, sizeof(a->cell));
  uint64_t w = hash(0xcbf29ce484222325u, a->winding, sizeof(a->winding));
  printf("%s: %016" PRIx64 " %016" PRIx64 "\n", e->name, h, w);
  sq_surface_destroy(s);
  orc_mesh_free(&m);
}

/** The containing cells and weights of a grid. */
static uint64_t grid(sq_context* c, const sq_mesh_index* index, uint64_t h)
{
  double x[30];
  for (int i = 0; i < 30; ++i)
  {
    x[i] = 0.05 + 0.03 * i;
  }
  sq_axes axes = { { x, x, x }, { 30, 29, 28 }, SQ_FLOAT64 };
  sq_location *l = NULL, *m = NULL;
  sq_location_view v;
  must(sq_locate_grid(c, index, &axes, NULL, &l), "grid");
  must(sq_location_expand(c, l, &m), "expand");
  must(sq_location_get_view(m, &v), "view");
  size_t n = (size_t)v.count;
  h = hash(h, v.status, n);
  h = hash(h, v.cell, n * sizeof(*v.cell));
  h = hash(h, v.node_weights, (size_t)v.node_offsets[n] * sizeof(*v.node_weights));
  double* out = (double*)malloc(n * sizeof(*out));
  double* field = (double*)malloc(100000 * sizeof(*field));
  const double missing = -1.0;
  for (int i = 0; out && field && i < 100000; ++i)
  {
    field[i] = 1.0 / (i + 1);
  }
  const sq_field fields = { field, SQ_FLOAT64, 100000 };
  must(sq_location_apply(c, l, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, &fields, 1, 1,
         SQ_FLOAT64, &missing, out, NULL),
    "apply");
  h = hash(h, out, n * sizeof(*out));
  free(out);
  free(field);
  sq_location_destroy(m);
  sq_location_destroy(l);
  return h;
}

/** The containing cells of scattered points, joined. */
static uint64_t scattered(
  sq_context* c, const sq_mesh_index* index, const sq_points* queries, uint64_t h)
{
  sq_location *l = NULL, *m = NULL;
  sq_location_view v;
  must(sq_locate_points(c, index, queries, NULL, &l), "points");
  must(sq_location_expand(c, l, &m), "expand");
  must(sq_location_get_view(m, &v), "view");
  h = hash(h, v.status, (size_t)v.count);
  h = hash(h, v.cell, (size_t)v.count * sizeof(*v.cell));
  h = hash(h, v.containing_count, (size_t)v.count * sizeof(*v.containing_count));
  sq_location_destroy(m);
  sq_location_destroy(l);
  return h;
}

static void volume(sq_context* c, orc_zoo_kind kind, sq_locate_mode mode)
{
  orc_zoo z = orc_make_zoo(kind, 5, 6);
  sq_cells b;
  memset(&b, 0, sizeof(b));
  sq_points points = { z.points, z.point_count, SQ_FLOAT64, 3 };
  b.points = points;
  b.count = z.count;
  b.types = z.types;
  b.id_type = SQ_INT64;
  b.offsets = z.offsets;
  b.connectivity = z.ids;
  b.connectivity_count = z.offsets[z.count];
  double x[3 * ALL];
  orc_random r = { 4 };
  for (int i = 0; i < 3 * ALL; ++i)
  {
    x[i] = orc_between(&r, -0.2, 1.2);
  }
  sq_points queries = { x, ALL, SQ_FLOAT64, 3 };
  sq_mesh_index* index = NULL;
  sq_location* l = NULL;
  sq_location_view v;
  sq_locate_options o = sq_locate_options_default();
  o.mode = mode;
  must(sq_mesh_index_build(c, &b, 1, &index), "index");
  uint64_t joined = scattered(c, index, &queries, 0xcbf29ce484222325u);
  must(sq_locate(c, index, &queries, &o, &l), "locate");
  must(sq_location_get_view(l, &v), "view");
  uint64_t h = hash(0xcbf29ce484222325u, v.status, ALL);
  h = hash(h, v.cell, ALL * sizeof(*v.cell));
  h = hash(h, v.distance, ALL * sizeof(*v.distance));
  h = hash(h, v.node_weights, (size_t)v.node_offsets[ALL] * sizeof(*v.node_weights));
  h = grid(c, index, h ^ joined);
  printf("zoo %d, mode %d: %016" PRIx64 "\n", (int)kind, (int)mode, h);
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  orc_zoo_free(&z);
}

#define POINTS 700

/** A plan of random points, its arrays and potentials. */
static void plan(
  sq_context* c, sq_type type, int32_t dimension, int64_t leaf_size, sq_kernel_kind kind)
{
  double x[3 * POINTS], potential[POINTS];
  float narrow[3 * POINTS];
  orc_random r = { 17 };
  for (int i = 0; i < 3 * POINTS; ++i)
  {
    x[i] = orc_between(&r, -1, 1);
    narrow[i] = (float)x[i];
  }
  sq_points p = { type == SQ_FLOAT32 ? (const void*)narrow : x, POINTS, type, dimension };
  sq_cluster_tree_options o = { leaf_size, SQ_NON_FINITE_REJECT };
  sq_cluster_tree* tree = NULL;
  sq_aggregates* a = NULL;
  sq_plan* made = NULL;
  sq_plan_view v;
  sq_plan_totals n;
  must(sq_cluster_tree_build(c, &p, NULL, &o, &tree), "tree");
  must(sq_aggregates_build(c, tree, NULL, type, NULL, 0, 0, &a), "aggregates");
  must(sq_plan_build(c, tree, tree, NULL, &made), "plan");
  must(sq_plan_get_view(made, &v), "plan view");
  must(sq_plan_count(c, tree, tree, NULL, &n, NULL), "plan count");
  sq_plan_field field = { { kind, 0.5, NULL, NULL }, NULL, type, a, NULL };
  must(sq_plan_evaluate(c, tree, tree, NULL, &field, potential), "potential");
  uint64_t h = hash(0xcbf29ce484222325u, potential, sizeof(potential));
  h = hash(h, v.near_target_ids, (size_t)v.near_count * 8);
  h = hash(h, v.nf_target_ids, (size_t)v.nf_count * 8);
  h = hash(h, v.fn_source_ids, (size_t)v.fn_count * 8);
  h = hash(h, v.far_target_node_ids, (size_t)v.far_count * 8);
  h = hash(h, n.entries, sizeof(n.entries));
  printf("plan %d, %d, %d: %016" PRIx64 "\n", (int)type, (int)dimension, (int)leaf_size, h);
  sq_plan_destroy(made);
  sq_aggregates_destroy(a);
  sq_cluster_tree_destroy(tree);
}

int main(void)
{
  sq_context* c = NULL;
  answers* a = (answers*)malloc(sizeof(*a));
  must(a ? sq_context_create(NULL, &c) : SQ_OUT_OF_MEMORY, "context");
  for (int i = 0; i < orc_suite_count; ++i)
  {
    surface(c, orc_suite + i, a);
  }
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    volume(c, (orc_zoo_kind)kind, SQ_LOCATE_CONTAINING);
    volume(c, (orc_zoo_kind)kind, SQ_LOCATE_NEAREST);
  }
  for (int i = 0; i < 12; ++i)
  {
    plan(c, (sq_type)(i % 2), 1 + i % 3, i < 6 ? 1 : 9, (sq_kernel_kind)(1 + i % 5));
  }
  sq_context_destroy(c);
  free(a);
  return 0;
}
