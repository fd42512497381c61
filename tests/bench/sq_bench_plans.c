/** Times and memory of interaction plans; scripts/bench_plans_reference.py sets the reference beside them. */
#include "bench_timing.h"

#include <math.h>
#include <string.h>

#define RUNS_MAX 101

static const char HELP[] = "usage: sq_bench_plans [options]\n"
                           "\n"
                           "  --threads N   (all cores)\n"
                           "  --runs N      timed runs; the median is reported (5)\n"
                           "  --only WORD   tasks whose name contains it\n"
                           "  --large       1 million points, too\n"
                           "  --json FILE   appends one line of JSON a task\n"
                           "\n"
                           "Columns: task, entries of the plan, seconds on the clock, processor "
                           "seconds of all threads, largest memory over the plan's own\n"
                           "(build) or in bytes a point (the others).\n";

typedef struct bench
{
  sq_context* context;
  const char* json;
  const char* only;
  int32_t runs;
  double wall[RUNS_MAX];
  double processor[RUNS_MAX];
} bench;

/** A point set in a tree, with what evaluating needs. */
typedef struct subject
{
  const char* name;
  int64_t count;
  sq_cluster_tree* tree;
  sq_aggregates* aggregates;
  sq_plan_options options;
  double* potential;
} subject;

static double processor_seconds(void)
{
  return (double)clock() / (double)CLOCKS_PER_SEC;
}

static void write_row(bench* b, const subject* s, const char* what, int64_t entries, double memory)
{
  double wall = bench_median(b->wall, b->runs), processor = bench_median(b->processor, b->runs);
  printf("%-9s %-24s %13lld %9.4f %9.4f %8.2f\n", what, s->name, (long long)entries, wall,
    processor, memory);
  fflush(stdout);
  FILE* file = b->json ? fopen(b->json, "a") : NULL;
  if (file)
  {
    fprintf(file,
      "{\"task\": \"%s %s\", \"entries\": %lld, \"threads\": %d, \"seconds\": %.6g, "
      "\"processor_seconds\": %.6g, \"memory\": %.4g}\n",
      what, s->name, (long long)entries, (int)sq_context_threads(b->context), wall, processor,
      memory);
    fclose(file);
  }
}

static sq_plan_totals count(bench* b, const subject* s)
{
  sq_plan_totals n;
  for (int32_t run = 0; run < b->runs; ++run)
  {
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context, sq_plan_count(b->context, s->tree, s->tree, &s->options, &n, NULL));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
  }
  write_row(
    b, s, "count", n.evaluations, (double)sq_context_peak_bytes(b->context) / (double)s->count);
  return n;
}

static void build(bench* b, const subject* s, const sq_plan_totals* n)
{
  double memory = 0;
  for (int32_t run = 0; run < b->runs; ++run)
  {
    sq_plan* plan = NULL;
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context, sq_plan_build(b->context, s->tree, s->tree, &s->options, &plan));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
    memory = (double)sq_context_peak_bytes(b->context) / (double)n->plan_bytes;
    sq_plan_destroy(plan);
  }
  write_row(b, s, "build", n->evaluations, memory);
}

static void evaluate(bench* b, const subject* s, const sq_plan_totals* n)
{
  sq_plan_field field = { sq_kernel_default(), NULL, SQ_FLOAT32, s->aggregates, NULL };
  for (int32_t run = 0; run < b->runs; ++run)
  {
    double wall = bench_seconds(), processor = processor_seconds();
    bench_check(b->context,
      sq_plan_evaluate(b->context, s->tree, s->tree, &s->options, &field, s->potential));
    b->wall[run] = bench_seconds() - wall;
    b->processor[run] = processor_seconds() - processor;
  }
  write_row(
    b, s, "evaluate", n->evaluations, (double)sq_context_peak_bytes(b->context) / (double)s->count);
}

/** Fibonacci points on the unit sphere, or uniform ones in the unit cube, in float32. */
static float* make_points(int cube, int64_t count)
{
  float* x = (float*)bench_allocate(count, 3 * sizeof(float));
  uint64_t state = 1;
  for (int64_t i = 0; i < 3 * count && cube; ++i)
  {
    uint64_t z = (state += 0x9e3779b97f4a7c15u); /* Vigna's splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    x[i] = (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  for (int64_t i = 0; i < count && !cube; ++i)
  {
    double z = 1 - (double)(2 * i + 1) / (double)count, r = sqrt(1 - z * z);
    double angle = 3.14159265358979323846 * (1 + sqrt(5.0)) * ((double)i + 0.5);
    x[3 * i] = (float)(r * cos(angle));
    x[3 * i + 1] = (float)(r * sin(angle));
    x[3 * i + 2] = (float)z;
  }
  return x;
}

static void run(
  bench* b, const char* name, int cube, int64_t count_, int64_t leaf_size, double theta, int builds)
{
  if (b->only && !strstr(name, b->only))
  {
    return;
  }
  subject s = { name, count_, NULL, NULL, sq_plan_options_default(), NULL };
  float* x = make_points(cube, count_);
  sq_points points = { x, count_, SQ_FLOAT32, 3 };
  sq_cluster_tree_options o = { leaf_size, SQ_NON_FINITE_REJECT };
  bench_check(b->context, sq_cluster_tree_build(b->context, &points, NULL, &o, &s.tree));
  bench_check(b->context,
    sq_aggregates_build(b->context, s.tree, NULL, SQ_FLOAT32, NULL, 0, 0, &s.aggregates));
  s.potential = (double*)bench_allocate(count_, sizeof(double));
  s.options.theta = theta;
  s.options.max_bytes = -1;
  sq_plan_totals n = count(b, &s);
  if (builds)
  {
    build(b, &s, &n);
    evaluate(b, &s, &n);
  }
  sq_aggregates_destroy(s.aggregates);
  sq_cluster_tree_destroy(s.tree);
  free(s.potential);
  free(x);
}

int main(int argc, char** argv)
{
  bench b;
  memset(&b, 0, sizeof(b));
  b.runs = 5;
  int large = 0;
  sq_context_options o = sq_context_options_default();
  for (int i = 1; i < argc; ++i)
  {
    const char* next = i + 1 < argc ? argv[i + 1] : "";
    if (!strcmp(argv[i], "--threads"))
    {
      o.threads = (int32_t)strtol(next, NULL, 10), ++i;
    }
    else if (!strcmp(argv[i], "--runs"))
    {
      b.runs = (int32_t)strtol(next, NULL, 10), ++i;
    }
    else if (!strcmp(argv[i], "--only"))
    {
      b.only = next, ++i;
    }
    else if (!strcmp(argv[i], "--json"))
    {
      b.json = next, ++i;
    }
    else if (!strcmp(argv[i], "--large"))
    {
      large = 1;
    }
    else
    {
      fputs(HELP, stdout);
      return strcmp(argv[i], "--help") != 0;
    }
  }
  b.runs = b.runs < 1 ? 1 : b.runs > RUNS_MAX ? RUNS_MAX : b.runs;
  if (sq_context_create(&o, &b.context) != SQ_OK)
  {
    fprintf(stderr, "no context; threads are 0 to %d\n", SQ_THREADS_MAX);
    return 1;
  }
  run(&b, "sphere 100k leaf 1", 0, 100000, 1, 1.0, 1);
  run(&b, "sphere 100k leaf 32", 0, 100000, 32, 1.0, 1);
  run(&b, "sphere 100k leaf 32 0.5", 0, 100000, 32, 0.5, 0);
  run(&b, "cube 25k leaf 32", 1, 25000, 32, 1.0, 1);
  run(&b, "cube 100k leaf 1", 1, 100000, 1, 1.0, 0);
  run(&b, "cube 100k leaf 32", 1, 100000, 32, 1.0, 0);
  if (large)
  {
    run(&b, "sphere 1M leaf 64", 0, 1000000, 64, 1.0, 0);
    run(&b, "cube 1M leaf 64", 1, 1000000, 64, 1.0, 0);
  }
  sq_context_destroy(b.context);
  return 0;
}
