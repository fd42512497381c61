/** Rates of closest point and signed distance, beside Embree 3 in the same run where that is built in. */
#include "bench_points.h"
#ifdef SQ_BENCH_EMBREE
#include "bench_embree.h"
#endif
#include <spatialqueries/spatialqueries.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETS_MAX 16
#define RUNS_MAX 101

static const char HELP[] =
  "usage: sq_bench [options] SURFACE.obj|SURFACE.stl\n"
  "\n"
  "  --name NAME         of the surface in the output (default: the file's)\n"
  "  --points KIND=FILE  queries from FILE, little-endian float64 x y z; may be given several "
  "times\n"
  "                      (default: uniform in the doubled box, near the surface, grid in the "
  "doubled box)\n"
  "  --count N           queries of a default set (1000000)\n"
  "  --threads N         (all cores)\n"
  "  --runs N            timed runs; the median is reported (5)\n"
  "  --order WHICH       given, morton or both: the order of the queries in memory (both)\n"
  "  --json FILE         appends one line of JSON a row\n"
  "  --no-embree         without the competitor\n"
  "\n"
  "A table goes to standard output. `difference` is the largest difference between the distances "
  "of Embree and\n"
  "of this library, as a fraction of the surface's largest coordinate: Embree works in float.\n";

typedef struct settings
{
  const char* path;
  const char* name;
  const char* json;
  const char* order;
  char* points[SETS_MAX];
  int point_files;
  int64_t count;
  int32_t threads;
  int32_t runs;
  int embree;
} settings;

/** One line of the result. */
typedef struct row
{
  const char* tool;
  const char* version;
  const char* task;
  const char* points;
  const char* order;
  int64_t count;
  double build_seconds;
  double query_seconds;
  double difference; /* NaN: nothing to compare with */
} row;

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void* a, const void* b)
{
  double p = *(const double*)a;
  double q = *(const double*)b;
  return (p > q) - (p < q);
}

static double median(double* values, int32_t count)
{
  qsort(values, (size_t)count, sizeof(double), compare);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static void check(sq_context* context, sq_status status)
{
  if (status != SQ_OK)
  {
    fprintf(stderr, "%s: %s\n", sq_status_text(status), sq_context_message(context));
    exit(1);
  }
}

static void* allocate(int64_t count, size_t item_bytes)
{
  void* memory = malloc((size_t)(count > 0 ? count : 1) * item_bytes);
  if (!memory)
  {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

static void write_row(const settings* s, int64_t triangles, const row* r)
{
  double rate = (double)r->count / r->query_seconds;
  printf("%-15s %-16s %-8s %-7s %9lld %8.3f %9.4f %8.3f", r->tool, r->task, r->points, r->order,
    (long long)r->count, r->build_seconds, r->query_seconds, 1e-6 * rate);
  printf(isnan(r->difference) ? "\n" : "   %.1e\n", r->difference);
  fflush(stdout);
  FILE* file = s->json ? fopen(s->json, "a") : NULL;
  if (!file)
  {
    return;
  }
  fprintf(file,
    "{\"tool\": \"%s\", \"version\": \"%s\", \"task\": \"%s\", \"mesh\": \"%s\", \"triangles\": "
    "%lld, "
    "\"points\": \"%s\", \"order\": \"%s\", \"count\": %lld, \"threads\": %d, \"runs\": %d, "
    "\"build_seconds\": %.9g, \"query_seconds\": %.9g, \"queries_per_second\": %.9g",
    r->tool, r->version, r->task, s->name, (long long)triangles, r->points, r->order,
    (long long)r->count, (int)s->threads, (int)s->runs, r->build_seconds, r->query_seconds, rate);
  if (!isnan(r->difference))
  {
    fprintf(file, ", \"largest_difference\": %.3g", r->difference);
  }
  fprintf(file, "}\n");
  fclose(file);
}

typedef struct bench
{
  const settings* settings;
  const bench_surface* mesh;
  sq_context* context;
  sq_surface* surface;
  double build_seconds;
  double largest; /* coordinate */
#ifdef SQ_BENCH_EMBREE
  bench_embree* embree;
  double embree_build_seconds;
#endif
} bench;

static void build_own(bench* b)
{
  double times[RUNS_MAX];
  sq_cells cells;
  memset(&cells, 0, sizeof(cells));
  cells.points.data = b->mesh->vertices;
  cells.points.count = b->mesh->vertex_count;
  cells.points.type = SQ_FLOAT64;
  cells.points.dimension = 3;
  cells.count = b->mesh->triangle_count;
  cells.type = SQ_CELL_TRIANGLE;
  cells.cell_size = 3;
  cells.id_type = SQ_INT32;
  cells.connectivity = b->mesh->corners;
  cells.connectivity_count = 3 * b->mesh->triangle_count;
  for (int32_t run = 0; run < b->settings->runs; ++run)
  {
    sq_surface_destroy(b->surface);
    double start = seconds();
    check(b->context, sq_surface_build(b->context, &cells, 1, NULL, &b->surface));
    times[run] = seconds() - start;
  }
  b->build_seconds = median(times, b->settings->runs);
}

/** Distances of one set by this library, and the row. */
static void query_own(bench* b, const bench_points* points, const char* order,
  sq_sign_method method, const char* task, double* distance)
{
  double times[RUNS_MAX];
  sq_points view = { points->x, points->count, SQ_FLOAT64, 3 };
  sq_distance_options options = sq_distance_options_default();
  sq_distance_outputs outputs;
  memset(&outputs, 0, sizeof(outputs));
  outputs.distance = distance;
  outputs.closest_point = (double*)allocate(points->count, 3 * sizeof(double));
  outputs.cell = (int64_t*)allocate(points->count, sizeof(int64_t));
  options.sign_method = method;
  for (int32_t run = 0; run < b->settings->runs; ++run)
  {
    double start = seconds();
    check(b->context, sq_surface_distance(b->context, b->surface, &view, &options, &outputs));
    times[run] = seconds() - start;
  }
  row r = { "SpatialQueries", SQ_BENCH_VERSION, task, points->kind, order, points->count,
    b->build_seconds, median(times, b->settings->runs), (double)NAN };
  write_row(b->settings, b->mesh->triangle_count, &r);
  free(outputs.closest_point);
  free(outputs.cell);
}

#ifdef SQ_BENCH_EMBREE
static void build_embree(bench* b)
{
  double times[RUNS_MAX];
  for (int32_t run = 0; run < b->settings->runs; ++run)
  {
    bench_embree_destroy(b->embree);
    double start = seconds();
    b->embree = bench_embree_build(b->mesh, b->settings->threads);
    times[run] = seconds() - start;
  }
  b->embree_build_seconds = median(times, b->settings->runs);
}

static void query_embree(
  bench* b, const bench_points* points, const char* order, const double* own_distance)
{
  double times[RUNS_MAX];
  float* distance = (float*)allocate(points->count, sizeof(float));
  double difference = 0.0;
  for (int32_t run = 0; run < b->settings->runs; ++run)
  {
    double start = seconds();
    bench_embree_query(b->embree, points, b->settings->threads, distance);
    times[run] = seconds() - start;
  }
  for (int64_t i = 0; i < points->count; ++i)
  {
    difference = fmax(difference, fabs((double)distance[i] - own_distance[i]));
  }
  row r = { "Embree", bench_embree_version(), "closest point", points->kind, order, points->count,
    b->embree_build_seconds, median(times, b->settings->runs), difference / b->largest };
  write_row(b->settings, b->mesh->triangle_count, &r);
  free(distance);
}
#endif

static void measure_set(bench* b, const bench_points* points, const char* order)
{
  double* distance = (double*)allocate(points->count, sizeof(double));
  query_own(b, points, order, SQ_SIGN_PSEUDONORMAL, "signed distance", distance);
  query_own(b, points, order, SQ_SIGN_WINDING_NUMBER, "winding sign", distance);
  query_own(b, points, order, SQ_SIGN_UNSIGNED, "closest point", distance);
#ifdef SQ_BENCH_EMBREE
  if (b->embree)
  {
    query_embree(b, points, order, distance);
  }
#endif
  free(distance);
}

static void measure_orders(bench* b, const bench_points* points)
{
  if (strcmp(b->settings->order, "morton"))
  {
    measure_set(b, points, "given");
  }
  if (strcmp(b->settings->order, "given"))
  {
    bench_points sorted = bench_points_morton(points);
    measure_set(b, &sorted, "morton");
    bench_points_free(&sorted);
  }
}

static void measure_all(bench* b)
{
  const settings* s = b->settings;
  bench_points (*const makers[])(
    const bench_surface*, int64_t) = { bench_points_uniform, bench_points_near, bench_points_grid };
  for (int i = 0; i < (s->point_files ? s->point_files : 3); ++i)
  {
    bench_points points;
    if (s->point_files)
    {
      char* file = strchr(s->points[i], '=');
      *file++ = 0;
      points = bench_points_read(s->points[i], file);
    }
    else
    {
      points = makers[i](b->mesh, s->count);
    }
    if (!points.count)
    {
      fprintf(stderr, "%s: no points\n", points.kind);
      exit(1);
    }
    measure_orders(b, &points);
    bench_points_free(&points);
  }
}

static int use(int text)
{
  fputs(HELP, text ? stderr : stdout);
  return text;
}

/** 0: go on; else the exit status plus 1. */
static int read_arguments(int argc, char** argv, settings* s)
{
  for (int i = 1; i < argc; ++i)
  {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--help"))
    {
      return use(0) + 1;
    }
    if (!strcmp(argv[i], "--no-embree"))
    {
      s->embree = 0;
    }
    else if (argv[i][0] != '-')
    {
      s->path = argv[i];
    }
    else if (!value)
    {
      return use(1) + 1;
    }
    else if (!strcmp(argv[i], "--points") && strchr(value, '=') && s->point_files < SETS_MAX)
    {
      s->points[s->point_files++] = argv[++i];
    }
    else if (!strcmp(argv[i], "--name"))
    {
      s->name = argv[++i];
    }
    else if (!strcmp(argv[i], "--count"))
    {
      s->count = atoll(argv[++i]);
    }
    else if (!strcmp(argv[i], "--threads"))
    {
      s->threads = atoi(argv[++i]);
    }
    else if (!strcmp(argv[i], "--runs"))
    {
      s->runs = atoi(argv[++i]);
    }
    else if (!strcmp(argv[i], "--order"))
    {
      s->order = argv[++i];
    }
    else if (!strcmp(argv[i], "--json"))
    {
      s->json = argv[++i];
    }
    else
    {
      return use(1) + 1;
    }
  }
  int good = s->path && s->count > 0 && s->runs > 0 && s->runs <= RUNS_MAX;
  return good ? 0 : use(1) + 1;
}

int main(int argc, char** argv)
{
  settings s = { NULL, NULL, NULL, "both", { NULL }, 0, 1000000, 0, 5, 1 };
  bench_surface mesh;
  bench b;
  int stop = read_arguments(argc, argv, &s);
  if (stop || bench_surface_read(s.path, &mesh))
  {
    return stop ? stop - 1 : 1;
  }
  const char* slash = strrchr(s.path, '/');
  s.name = s.name ? s.name : slash ? slash + 1 : s.path;
  sq_context_options options = sq_context_options_default();
  options.threads = s.threads;
  memset(&b, 0, sizeof(b));
  check(NULL, sq_context_create(&options, &b.context));
  s.threads = sq_context_threads(b.context);
  b.settings = &s;
  b.mesh = &mesh;
  for (int64_t i = 0; i < 3 * mesh.vertex_count; ++i)
  {
    b.largest = fmax(b.largest, fabs(mesh.vertices[i]));
  }
  printf("%s: %lld triangles, %d threads, median of %d runs\n", s.name,
    (long long)mesh.triangle_count, (int)s.threads, (int)s.runs);
  printf("%-15s %-16s %-8s %-7s %9s %8s %9s %8s   %s\n", "tool", "task", "points", "order",
    "queries", "build s", "query s", "M/s", "difference");
  build_own(&b);
#ifdef SQ_BENCH_EMBREE
  if (s.embree)
  {
    build_embree(&b);
  }
#endif
  measure_all(&b);
#ifdef SQ_BENCH_EMBREE
  bench_embree_destroy(b.embree);
#endif
  sq_surface_destroy(b.surface);
  sq_context_destroy(b.context);
  bench_surface_free(&mesh);
  return 0;
}
