/** Processor time of building the index of a mesh and of locating points in it, for every kind of cell beside tetrahedra. */
#include "bench_cells.h"
#include "bench_timing.h"
#include "bench_trees.h"

#include <math.h>
#include <string.h>

#define RUNS_MAX 101
#define ORDERS 2

static const char HELP[] =
  "usage: sq_bench_probe [options]\n"
  "\n"
  "  --cells N     of each mesh, about (878592); polyhedra of a dual: of its tetrahedra\n"
  "  --points N    to locate, about (1000000)\n"
  "  --threads N   (1)\n"
  "  --runs N      timed runs, all meshes in turn; the median is reported (5)\n"
  "  --only WORD   meshes whose name begins so, besides tetrahedra\n"
  "\n"
  "Columns: mesh, cells, order of the points (random, or along a grid), how many of them were "
  "found, processor\nseconds of the build and of the search with its weights, millions of points "
  "a processor second of the\nsearch, its time and that of build and search over those of "
  "tetrahedra.\n";

typedef struct times
{
  double build[RUNS_MAX];
  double locate[ORDERS][RUNS_MAX];
  int64_t cells;
  int64_t found[ORDERS];
} times;

typedef struct options
{
  int64_t cells;
  int64_t points;
  int32_t threads;
  int32_t runs;
  const char* only;
} options;

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t points_a_side(int64_t count)
{
  return (int64_t)(cbrt((double)count) + 0.5);
}

/** Points in the unit cube without the margin; order 0: random, 1: along a grid. */
static double* make_points(int64_t side, int order, double margin)
{
  int64_t count = side * side * side;
  double* x = (double*)bench_allocate(3 * count, sizeof(double));
  uint64_t seed = 11;
  for (int64_t i = 0; i < count; ++i)
  {
    const int64_t at[3] = { i % side, i / side % side, i / (side * side) };
    for (int d = 0; d < 3; ++d)
    {
      double t = order ? ((double)at[d] + 0.37) / (double)side : (double)bench_random(&seed);
      x[3 * i + d] = margin + (1.0 - 2.0 * margin) * t;
    }
  }
  return x;
}

static void run_mesh(sq_context* context, int kind, const options* o, int32_t run, times* t)
{
  bench_cells mesh = bench_cells_make(kind, o->cells);
  sq_mesh_index* index = NULL;
  int64_t side = points_a_side(o->points);
  double start = processor_seconds();
  bench_check(context, sq_mesh_index_build(context, &mesh.view, 1, &index));
  t->build[run] = processor_seconds() - start;
  t->cells = mesh.view.count;
  for (int order = 0; order < ORDERS; ++order)
  {
    double* x = make_points(side, order, mesh.margin);
    const sq_points queries = { x, side * side * side, SQ_FLOAT64, 3 };
    sq_location* location = NULL;
    sq_location_view view;
    start = processor_seconds();
    bench_check(context, sq_locate(context, index, &queries, NULL, &location));
    t->locate[order][run] = processor_seconds() - start;
    bench_check(context, sq_location_get_view(location, &view));
    t->found[order] = 0;
    for (int64_t i = 0; i < view.count; ++i)
    {
      t->found[order] += view.cell[i] >= 0;
    }
    sq_location_destroy(location);
    free(x);
  }
  sq_mesh_index_destroy(index);
  bench_cells_free(&mesh);
}

static void print_mesh(const char* name, const options* o, times* t, double first[1 + ORDERS])
{
  int64_t side = points_a_side(o->points);
  double build = bench_median(t->build, o->runs);
  if (!(first[0] > 0.0))
  {
    first[0] = build;
  }
  for (int order = 0; order < ORDERS; ++order)
  {
    double locate = bench_median(t->locate[order], o->runs);
    if (!(first[1 + order] > 0.0))
    {
      first[1 + order] = locate;
    }
    printf("%-22s %8lld %-6s %8lld %8.3f %8.3f %8.3f %6.2f %6.2f\n", name, (long long)t->cells,
      order ? "grid" : "random", (long long)t->found[order], build, locate,
      (double)(side * side * side) / locate * 1e-6, locate / first[1 + order],
      (build + locate) / (first[0] + first[1 + order]));
  }
}

static void read_options(int argc, char** argv, options* o)
{
  for (int i = 1; i < argc; i += 2)
  {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    int known = value != NULL;
    if (value && !strcmp(argv[i], "--only"))
    {
      o->only = value;
    }
    else if (value && !strcmp(argv[i], "--cells"))
    {
      o->cells = atoll(value);
    }
    else if (value && !strcmp(argv[i], "--points"))
    {
      o->points = atoll(value);
    }
    else if (value && !strcmp(argv[i], "--threads"))
    {
      o->threads = atoi(value);
    }
    else if (value && !strcmp(argv[i], "--runs"))
    {
      o->runs = atoi(value);
    }
    else
    {
      known = 0;
    }
    if (!known || o->runs < 1 || o->runs > RUNS_MAX || o->points < 1 || o->cells < 1)
    {
      fputs(HELP, value ? stderr : stdout);
      exit(value ? 2 : 0);
    }
  }
}

int main(int argc, char** argv)
{
  options o = { 878592, 1000000, 1, 5, NULL };
  read_options(argc, argv, &o);
  sq_context_options c = sq_context_options_default();
  sq_context* context = NULL;
  c.threads = o.threads;
  bench_check(context, sq_context_create(&c, &context));
  int kinds = 0;
  while (bench_cells_kinds[kinds])
  {
    ++kinds;
  }
  times* all = (times*)bench_allocate(kinds, sizeof(times));
  for (int32_t run = 0; run < o.runs; ++run)
  {
    for (int k = 0; k < kinds; ++k)
    {
      if (k == 0 || !o.only || !strncmp(bench_cells_kinds[k], o.only, strlen(o.only)))
      {
        run_mesh(context, k, &o, run, all + k);
      }
    }
  }
  double first[1 + ORDERS] = { 0.0 };
  printf("%-22s %8s %-6s %8s %8s %8s %8s %6s %6s\n", "mesh", "cells", "points", "found", "build s",
    "locate s", "M/cpu s", "/tets", "/tets");
  for (int k = 0; k < kinds; ++k)
  {
    if (k == 0 || !o.only || !strncmp(bench_cells_kinds[k], o.only, strlen(o.only)))
    {
      print_mesh(bench_cells_kinds[k], &o, all + k, first);
    }
  }
  free(all);
  sq_context_destroy(context);
  return 0;
}
