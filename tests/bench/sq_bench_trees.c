/** Times and memory of the reference trees, candidates and aggregates. */
#include "bench_timing.h"
#include "bench_trees.h"

#include <string.h>

#define RUNS_MAX 101

static const char HELP[] = "usage: sq_bench_trees [options]\n"
                           "\n"
                           "  --threads N   (all cores)\n"
                           "  --runs N      timed runs; the median is reported (5)\n"
                           "  --only WORD   tasks whose name contains it\n"
                           "  --large       10 million triangles, too\n"
                           "  --json FILE   appends one line of JSON a task\n"
                           "\n"
                           "Columns: task, items, seconds on the clock, processor seconds of all "
                           "threads, largest memory over "
                           "that of the\nresult.\n";

typedef struct bench
{
  sq_context* context;
  const char* json;
  const char* only;
  int32_t runs;
  double wall[RUNS_MAX];
  double processor[RUNS_MAX];
} bench;

static double processor_seconds(void)
{
  return (double)clock() / (double)CLOCKS_PER_SEC;
}

static int wanted(const bench* b, const char* task)
{
  return !b->only || strstr(task, b->only);
}

static void write_row(bench* b, const char* task, int64_t items, double memory)
{
  double wall = bench_median(b->wall, b->runs), processor = bench_median(b->processor, b->runs);
  printf("%-26s %10lld %9.4f %9.4f %6.2f\n", task, (long long)items, wall, processor, memory);
  fflush(stdout);
  FILE* file = b->json ? fopen(b->json, "a") : NULL;
  if (file)
  {
    fprintf(file,
      "{\"task\": \"%s\", \"items\": %lld, \"threads\": %d, \"seconds\": %.6g, "
      "\"processor_seconds\": %.6g, \"peak_over_result\": %.4g}\n",
      task, (long long)items, (int)sq_context_threads(b->context), wall, processor, memory);
    fclose(file);
  }
}

/** The tree of the last run. */
static sq_bvh* build_bvh(bench* b, const char* task, const bench_mesh* mesh)
{
  sq_bvh* bvh = NULL;
  sq_bvh_statistics s;
  double peak = 0.0;
  for (int32_t run = 0; run < b->runs; ++run)
  {
    sq_bvh_destroy(bvh);
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context, sq_bvh_build(b->context, &mesh->cells, 1, NULL, &bvh));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
    peak = (double)sq_context_peak_bytes(b->context);
  }
  bench_check(b->context, sq_bvh_measure(b->context, bvh, &s, NULL, NULL));
  write_row(b, task, mesh->cells.count, peak / (double)s.bytes);
  return bvh;
}

static void find_candidates(
  bench* b, const char* task, const sq_bvh* bvh, const float* x, int64_t n)
{
  sq_points queries = { x, n, SQ_FLOAT32, 3 };
  double memory = 0.0;
  for (int32_t run = 0; run < b->runs; ++run)
  {
    sq_lists* lists = NULL;
    sq_lists_view v;
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context, sq_bvh_find_candidates(b->context, bvh, &queries, NULL, &lists, NULL));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
    bench_check(b->context, sq_lists_get_view(lists, &v));
    memory = (double)sq_context_peak_bytes(b->context) / (double)(8 * (n + 1 + v.offsets[n]));
    sq_lists_destroy(lists);
  }
  write_row(b, task, n, memory);
}

static void bench_mesh_tasks(
  bench* b, const char* build, const char* find, bench_mesh mesh, int64_t queries)
{
  if (wanted(b, build) || wanted(b, find))
  {
    sq_bvh* bvh = build_bvh(b, build, &mesh);
    float* x = bench_centroids(&mesh, queries, 1);
    find_candidates(b, find, bvh, x, queries);
    free(x);
    sq_bvh_destroy(bvh);
  }
  bench_mesh_free(&mesh);
}

static void bench_box_queries(bench* b)
{
  const char* task = "candidates kuhn 12";
  const char* build = "bvh kuhn 12";
  if (!wanted(b, task) && !wanted(b, build))
  {
    return;
  }
  bench_mesh mesh = bench_kuhn(12, 12, 12);
  uint64_t seed = 7;
  float* x = (float*)bench_allocate(300000, sizeof(float));
  sq_bvh* bvh = build_bvh(b, build, &mesh);
  for (int64_t i = 0; i < 300000; ++i)
  {
    x[i] = 12.0f * bench_random(&seed);
  }
  find_candidates(b, task, bvh, x, 100000);
  free(x);
  sq_bvh_destroy(bvh);
  bench_mesh_free(&mesh);
}

static void bench_clusters(bench* b, int64_t count)
{
  uint64_t seed = 3;
  float* x = (float*)bench_allocate(3 * count, sizeof(float));
  float* areas = (float*)bench_allocate(count, sizeof(float));
  sq_points points = { x, count, SQ_FLOAT32, 3 };
  sq_cluster_tree* tree = NULL;
  sq_bvh_statistics s;
  double peak = 0.0;
  for (int64_t i = 0; i < 3 * count; ++i)
  {
    x[i] = bench_random(&seed);
    areas[i / 3] = bench_random(&seed);
  }
  for (int32_t run = 0; run < b->runs; ++run)
  {
    sq_cluster_tree_destroy(tree);
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context, sq_cluster_tree_build(b->context, &points, areas, NULL, &tree));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
    peak = (double)sq_context_peak_bytes(b->context);
  }
  bench_check(b->context, sq_cluster_tree_measure(b->context, tree, &s, NULL, NULL));
  write_row(b, "cluster tree", count, peak / (double)s.bytes);
  for (int32_t run = 0; run < b->runs; ++run)
  {
    sq_aggregates* a = NULL;
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(
      b->context, sq_aggregates_build(b->context, tree, areas, SQ_FLOAT32, NULL, 0, 0, &a));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
    peak = (double)sq_context_peak_bytes(b->context);
    sq_aggregates_destroy(a);
  }
  write_row(b, "aggregates", count, peak / (double)(12 * s.nodes));
  sq_cluster_tree_destroy(tree);
  free(x);
  free(areas);
}

static const char* value_of(int argc, char** argv, int* i)
{
  if (*i + 1 >= argc)
  {
    fprintf(stderr, "%s needs a value\n%s", argv[*i], HELP);
    exit(2);
  }
  return argv[++*i];
}

int main(int argc, char** argv)
{
  static bench b;
  sq_context_options options = sq_context_options_default();
  int large = 0;
  b.runs = 5;
  for (int i = 1; i < argc; ++i)
  {
    if (!strcmp(argv[i], "--threads"))
    {
      options.threads = (int32_t)strtol(value_of(argc, argv, &i), NULL, 10);
    }
    else if (!strcmp(argv[i], "--runs"))
    {
      b.runs = (int32_t)strtol(value_of(argc, argv, &i), NULL, 10);
    }
    else if (!strcmp(argv[i], "--only"))
    {
      b.only = value_of(argc, argv, &i);
    }
    else if (!strcmp(argv[i], "--json"))
    {
      b.json = value_of(argc, argv, &i);
    }
    else if (!strcmp(argv[i], "--large"))
    {
      large = 1;
    }
    else
    {
      printf("%s", HELP);
      return strcmp(argv[i], "--help") ? 2 : 0;
    }
  }
  b.runs = b.runs < 1 ? 1 : b.runs > RUNS_MAX ? RUNS_MAX : b.runs;
  bench_check(NULL, sq_context_create(&options, &b.context));
  bench_mesh_tasks(
    &b, "bvh triangles", "candidates triangles", bench_bumpy_sphere(708, 707), 100000);
  bench_mesh_tasks(&b, "bvh tetrahedra", "candidates tetrahedra", bench_kuhn(44, 52, 64), 100000);
  bench_box_queries(&b);
  if (wanted(&b, "cluster tree") || wanted(&b, "aggregates"))
  {
    bench_clusters(&b, 1000000);
  }
  if (large)
  {
    bench_mesh_tasks(
      &b, "bvh triangles, large", "candidates, large", bench_bumpy_sphere(2240, 2232), 100000);
  }
  sq_context_destroy(b.context);
  return 0;
}
